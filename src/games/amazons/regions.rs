//! Territories that the other side can never enter, and how many moves they hold.

use super::board::{Bits, Square, bit, king_neighbours, king_steps, queen_reach, squares};
use crate::search::Proof;

/// A way to fill a territory: how tidy it is, and the amazons and empty squares after it.
type Filled = ((u32, u32), Bits, Bits);

/// All squares connected to `from` over `open` ones by king's steps.
fn connected(from: Bits, open: Bits) -> Bits {
    let mut region = from;
    loop {
        let grown = king_steps(region) & open | region;
        if grown == region {
            return region;
        }
        region = grown;
    }
}

/// The most moves that amazons in regions of their own can have: each burns one of the
/// squares that they can get at.
fn most_moves(amazons: Bits, empty: Bits) -> u32 {
    (connected(amazons, empty) & empty).count_ones()
}

/// A number of moves that amazons in regions of their own surely have: they fill their
/// territory with king's steps and arrows at neighbours, always so that the most squares
/// stay within reach. Stops at `enough`.
fn least_moves(mut amazons: Bits, mut empty: Bits, enough: u32) -> u32 {
    let mut made = 0;
    while made < enough {
        let room = connected(amazons, empty) & empty;
        if room == 0 {
            break;
        }
        let mut best: Option<Filled> = None;
        for from in squares(amazons) {
            let opened = room | bit(from);
            for to in squares(king_neighbours(from) & room) {
                let moved = amazons & !bit(from) | bit(to);
                for arrow in squares(king_neighbours(to) & opened) {
                    let left = opened & !bit(to) & !bit(arrow);
                    let rating = tidiness(moved, left, arrow);
                    if best.is_none_or(|(found, ..)| rating > found) {
                        best = Some((rating, moved, left));
                    }
                }
            }
        }
        let Some((_, moved, left)) = best else { break };
        (amazons, empty) = (moved, left);
        made += 1;
    }
    made
}

/// How well a move fills: the squares that stay within reach, then how few neighbours the
/// burnt one had.
fn tidiness(amazons: Bits, empty: Bits, arrow: Square) -> (u32, u32) {
    let room = (connected(amazons, empty) & empty).count_ones();
    let neighbours = (king_neighbours(arrow) & empty).count_ones();
    (room, 8 - neighbours)
}

/// The number of moves of amazons in regions of their own, exactly; `None` if that takes
/// more than `budget` positions.
fn exact_moves(amazons: Bits, empty: Bits, budget: &mut u32) -> Option<u32> {
    let mut total = 0;
    let mut rest = amazons;
    while rest != 0 {
        let seed = rest & rest.wrapping_neg();
        let region = connected(seed, empty | amazons);
        let inside = amazons & region;
        let mut best = 0;
        longest(inside, empty & region, 0, &mut best, budget)?;
        total += best;
        rest &= !inside;
    }
    Some(total)
}

/// Depth-first search for the longest series of moves of one side alone.
fn longest(amazons: Bits, empty: Bits, made: u32, best: &mut u32, budget: &mut u32) -> Option<()> {
    *budget = budget.checked_sub(1)?;
    *best = made.max(*best);
    let room = connected(amazons, empty) & empty;
    let most = made + room.count_ones();
    if most <= *best {
        return Some(());
    }
    for (_, moved, left) in by_tidiness(amazons, room) {
        longest(moved, left, made + 1, best, budget)?;
        if *best == most {
            break;
        }
    }
    Some(())
}

/// The positions after each move of the side, the tidiest first.
fn by_tidiness(amazons: Bits, empty: Bits) -> Vec<Filled> {
    let mut after = Vec::new();
    for from in squares(amazons) {
        let opened = empty | bit(from);
        for to in squares(queen_reach(from, empty)) {
            let moved = amazons & !bit(from) | bit(to);
            for arrow in squares(queen_reach(to, opened)) {
                let left = opened & !bit(to) & !bit(arrow);
                after.push((tidiness(moved, left, arrow), moved, left));
            }
        }
    }
    after.sort_by_key(|(rating, ..)| std::cmp::Reverse(*rating));
    after
}

/// Which amazons the other side can never meet, and the room where both still can.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Regions {
    /// Per side its amazons in regions of its own.
    alone: [Bits; 2],
    /// Empty squares in regions with amazons of both sides.
    shared: u32,
}

impl Regions {
    /// The regions of a position. Amazons count as open squares: they may move away.
    pub(super) fn new(amazons: [Bits; 2], empty: Bits) -> Regions {
        let mut regions = Regions::default();
        let open = empty | amazons[0] | amazons[1];
        let mut rest = amazons[0] | amazons[1];
        while rest != 0 {
            let region = connected(rest & rest.wrapping_neg(), open);
            rest &= !region;
            let inside = [amazons[0] & region, amazons[1] & region];
            match inside {
                [first, 0] => regions.alone[0] |= first,
                [0, second] => regions.alone[1] |= second,
                _ => regions.shared += (region & empty).count_ones(),
            }
        }
        regions
    }

    /// Whether an amazon has a region that the other side can never enter.
    pub(super) fn has_alone(&self) -> bool {
        self.alone[0] | self.alone[1] != 0
    }

    /// Who wins, `side` being to move, and in how many plies at most; `None` if the count of
    /// moves does not tell.
    ///
    /// A side has at least the moves in its own regions and at most one more for each
    /// shared square.
    pub(super) fn race(&self, side: usize, empty: Bits, mut budget: u32) -> Option<Proof> {
        let (own, other) = (self.alone[side], self.alone[1 - side]);
        if own | other == 0 {
            return None;
        }
        let (own_room, other_room) = (most_moves(own, empty), most_moves(other, empty));
        let (own_most, other_most) = (own_room + self.shared, other_room + self.shared);
        if own_room > other_most {
            if least_moves(own, empty, other_most + 1) > other_most {
                return Some(Proof::win(2 * other_most + 1));
            }
        } else if other_room >= own_most {
            if least_moves(other, empty, own_most) >= own_most {
                return Some(Proof::loss(2 * own_most));
            }
        } else if self.shared > 0 {
            return None;
        }
        let own = exact_moves(own, empty, &mut budget)?;
        let other = exact_moves(other, empty, &mut budget)?;
        if own > other + self.shared {
            Some(Proof::win(2 * (other + self.shared) + 1))
        } else if other >= own + self.shared {
            Some(Proof::loss(2 * (own + self.shared)))
        } else {
            None
        }
    }
}
