//! Openings of chess in EPD and PGN: what reads is written and read back the same, and can be
//! played.

use agon::games::chess::{Chess, ChessRules, ChessVariant};

use super::openings::read;

/// Reads the bytes as a suite of every kind of chess.
pub fn run(data: &[u8]) -> bool {
    let kinds = [
        ChessVariant::Standard,
        ChessVariant::Chess960,
        ChessVariant::ThreeCheck,
    ];
    let read = kinds.map(|variant| read::<Chess>(data, &ChessRules { variant }));
    read.contains(&true)
}
