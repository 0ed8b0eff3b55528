//! Fuzzes [`agon_fuzz::fen`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    agon_fuzz::fen::run(data);
});
