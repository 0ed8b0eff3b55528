//! Fuzzes [`agon_fuzz::config`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    agon_fuzz::config::run(data);
});
