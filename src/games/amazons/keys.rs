//! Zobrist keys: the one table.

use super::board::{Bits, Square, squares};
use crate::game::Side;

struct Keys {
    /// Amazons of the first and the second side, and burnt squares.
    squares: [[u64; 128]; 3],
    second_to_move: u64,
    size: [u64; 16],
}

static KEYS: Keys = keys();

/// Splitmix64 (Vigna), the finaliser of a counter.
const fn mix(counter: u64) -> u64 {
    let mut z = counter.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn keys() -> Keys {
    let mut keys = Keys {
        squares: [[0; 128]; 3],
        second_to_move: mix(1),
        size: [0; 16],
    };
    let mut i = 0;
    while i < 128 {
        keys.squares[0][i] = mix(1000 + i as u64);
        keys.squares[1][i] = mix(2000 + i as u64);
        keys.squares[2][i] = mix(3000 + i as u64);
        keys.size[i % 16] = mix(100 + (i % 16) as u64);
        i += 1;
    }
    keys
}

/// The key of an amazon.
#[inline]
pub(super) fn amazon(side: Side, square: Square) -> u64 {
    KEYS.squares[side.index()][usize::from(square & 127)]
}

/// The key of a burnt square.
#[inline]
pub(super) fn burnt(square: Square) -> u64 {
    KEYS.squares[2][usize::from(square & 127)]
}

/// What changes when the other side is to move.
#[inline]
pub(super) fn side() -> u64 {
    KEYS.second_to_move
}

/// The key of a whole position, each square first mapped by `map`.
pub(super) fn whole(
    size: u8,
    side_to_move: Side,
    amazons: [Bits; 2],
    burnt_squares: Bits,
    map: impl Fn(Square) -> Square,
) -> u64 {
    let mut key = KEYS.size[usize::from(size & 15)];
    if side_to_move == Side::Second {
        key ^= side();
    }
    for owner in Side::BOTH {
        for square in squares(amazons[owner.index()]) {
            key ^= amazon(owner, map(square));
        }
    }
    for square in squares(burnt_squares) {
        key ^= burnt(map(square));
    }
    key
}
