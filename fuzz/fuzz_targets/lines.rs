//! Fuzzes [`agon_fuzz::lines`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    agon_fuzz::lines::run(data);
});
