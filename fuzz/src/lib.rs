//! What the fuzzers do with their bytes: one module a target, one function each.
//!
//! `fuzz_targets/` calls them from a fuzzer, `tests/fuzz.rs` of the main package from a test
//! over the committed seeds and all past findings. A function panics where agon is wrong, and
//! says otherwise whether agon has read the bytes: seeds called `good-*` must be, `bad-*` must
//! not.

pub mod config;
mod conversation;
pub mod fen;
pub mod games_csv;
pub mod gomocup;
pub mod lines;
pub mod moves;
pub mod openings;
pub mod pgn_epd;
pub mod ucci;
pub mod uci;

/// What a target does with its bytes.
pub type Target = fn(&[u8]) -> bool;

/// All targets by name. A target is added by a module, a line here, a file in `fuzz_targets/`,
/// its `[[bin]]` in `Cargo.toml` and its seeds.
pub const TARGETS: &[(&str, Target)] = &[
    ("config", config::run),
    ("fen", fen::run),
    ("games_csv", games_csv::run),
    ("gomocup", gomocup::run),
    ("lines", lines::run),
    ("moves", moves::run),
    ("openings", openings::run),
    ("pgn_epd", pgn_epd::run),
    ("ucci", ucci::run),
    ("uci", uci::run),
];

/// Checks that a message says something.
fn says<T, E: ToString>(result: Result<T, E>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(error) => {
            let message = error.to_string();
            assert!(!message.trim().is_empty(), "an error without a message");
            None
        }
    }
}
