//! Fuzzes [`agon_fuzz::gomocup`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    agon_fuzz::gomocup::run(data);
});
