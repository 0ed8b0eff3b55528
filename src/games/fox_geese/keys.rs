//! Zobrist keys: the one table.

use super::board::{Bits, POINTS, Point, each};
use crate::game::Side;

static GEESE: [u64; POINTS] = keys(1000);
static FOX: [u64; POINTS] = keys(2000);

/// Splitmix64 (Vigna), the finaliser of a counter.
const fn mix(counter: u64) -> u64 {
    let mut z = counter.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn keys(first: u64) -> [u64; POINTS] {
    let mut keys = [0; POINTS];
    let mut point = 0;
    while point < POINTS {
        keys[point] = mix(first + point as u64);
        point += 1;
    }
    keys
}

/// The key of a goose on a point.
#[inline]
pub(super) fn goose(point: Point) -> u64 {
    GEESE[usize::from(point)]
}

/// The key of the fox on a point.
#[inline]
pub(super) fn fox(point: Point) -> u64 {
    FOX[usize::from(point)]
}

/// What changes when the other side is to move.
#[inline]
pub(super) fn side() -> u64 {
    const { mix(1) }
}

/// The key of a board with this side to move, each point first mapped by `map`.
pub(super) fn whole(geese: Bits, at: Point, to_move: Side, map: impl Fn(Point) -> Point) -> u64 {
    let start = match to_move {
        Side::First => 0,
        Side::Second => side(),
    };
    each(geese).fold(start ^ fox(map(at)), |key, point| key ^ goose(map(point)))
}
