//! Fuzzes [`agon_fuzz::games_csv`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    agon_fuzz::games_csv::run(data);
});
