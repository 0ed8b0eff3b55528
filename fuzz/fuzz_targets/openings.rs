//! Fuzzes [`agon_fuzz::openings`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    agon_fuzz::openings::run(data);
});
