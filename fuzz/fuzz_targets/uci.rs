//! Fuzzes [`agon_fuzz::uci`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    agon_fuzz::uci::run(data);
});
