//! Zobrist keys: the one table.

use super::Rule;
use super::board::{POINTS, Point, Stones};
use super::judge::End;
use crate::game::Side;

struct Keys {
    /// Black stones and white stones.
    stones: [[u64; POINTS]; 2],
    second_to_move: u64,
    size: [u64; 32],
    rule: [u64; 3],
    end: [u64; 5],
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
        stones: [[0; POINTS]; 2],
        second_to_move: mix(1),
        size: [0; 32],
        rule: [mix(10), mix(11), mix(12)],
        end: [mix(20), mix(21), mix(22), mix(23), mix(24)],
    };
    let mut i = 0;
    while i < POINTS {
        keys.stones[0][i] = mix(1000 + i as u64);
        keys.stones[1][i] = mix(2000 + i as u64);
        keys.size[i % 32] = mix(100 + (i % 32) as u64);
        i += 1;
    }
    keys
}

/// The key of a stone.
#[inline]
pub(super) fn stone(side: Side, point: Point) -> u64 {
    KEYS.stones[side.index()][point.index()]
}

/// What changes when the other side is to move.
#[inline]
pub(super) fn side() -> u64 {
    KEYS.second_to_move
}

/// The key of how the game has ended.
#[inline]
pub(super) fn end(end: Option<End>) -> u64 {
    end.map_or(0, |end| KEYS.end[end as usize])
}

/// The key of stones under these rules with this side to move, the game not over; each point
/// first mapped by `map`.
pub(super) fn whole(
    stones: &Stones,
    rule: Rule,
    side_to_move: Side,
    map: impl Fn(Point) -> Point,
) -> u64 {
    let mut key = KEYS.size[usize::from(stones.size() & 31)] ^ KEYS.rule[rule as usize];
    if side_to_move == Side::Second {
        key ^= side();
    }
    for owner in Side::BOTH {
        for point in stones.of(owner) {
            key ^= stone(owner, map(point));
        }
    }
    key
}
