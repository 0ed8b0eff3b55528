//! Fuzzes [`agon_fuzz::ucci`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    agon_fuzz::ucci::run(data);
});
