//! Zobrist keys: the one table.

use super::board::{Board, PIECES, Piece, SQUARES, Square};
use crate::game::Side;

static KEYS: [[u64; SQUARES]; PIECES] = keys();

/// Splitmix64 (Vigna), the finaliser of a counter.
const fn mix(counter: u64) -> u64 {
    let mut z = counter.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn keys() -> [[u64; SQUARES]; PIECES] {
    let mut keys = [[0; SQUARES]; PIECES];
    let mut piece = 0;
    while piece < PIECES {
        let mut square = 0;
        while square < SQUARES {
            keys[piece][square] = mix(1000 + (piece * 100 + square) as u64);
            square += 1;
        }
        piece += 1;
    }
    keys
}

/// The key of a piece on a square; 0 for none.
#[inline]
pub(super) fn piece(piece: Piece, square: Square) -> u64 {
    if piece == Piece::NONE {
        0
    } else {
        KEYS[piece.index()][square.index()]
    }
}

/// What changes when the other side is to move.
#[inline]
pub(super) fn side() -> u64 {
    const { mix(1) }
}

/// The key of a board with this side to move, each square first mapped by `map`.
pub(super) fn whole(board: &Board, side_to_move: Side, map: impl Fn(Square) -> Square) -> u64 {
    let mut key = match side_to_move {
        Side::First => 0,
        Side::Second => side(),
    };
    for owner in Side::BOTH {
        for square in board.of(owner) {
            key ^= piece(board.at(square), map(square));
        }
    }
    key
}
