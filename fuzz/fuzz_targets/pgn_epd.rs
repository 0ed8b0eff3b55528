//! Fuzzes [`agon_fuzz::pgn_epd`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    agon_fuzz::pgn_epd::run(data);
});
