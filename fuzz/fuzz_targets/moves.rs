//! Fuzzes [`agon_fuzz::moves`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    agon_fuzz::moves::run(data);
});
