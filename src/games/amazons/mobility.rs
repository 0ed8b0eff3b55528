//! What is carried from a position to the next: the reach and the mobility of each amazon.

use super::Amazons;
use super::board::{
    Bits, Square, bit, king_distance, king_neighbours, king_steps, queen_reach, ray, ring, squares,
};
use super::moves::Move;
use super::notation::MAX_AMAZONS;

const AMAZONS: usize = MAX_AMAZONS as usize;

/// One unit of mobility, in which [`Amazon::alpha`] is counted: `2^-9` is the smallest
/// weight, of a square nine steps away.
pub(super) const ALPHA_UNIT: i32 = 1 << 9;

/// One amazon and its surroundings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Amazon {
    /// The empty squares one move away.
    pub(super) reach: Bits,
    /// Lieberum's mobility in units of `1 / ALPHA_UNIT`: the sum over the reach of
    /// `2^-(king steps)` times the square's empty neighbours.
    pub(super) alpha: i32,
    pub(super) square: Square,
    /// Empty squares beside it.
    pub(super) liberties: u8,
}

impl Amazon {
    fn new(square: Square, empty: Bits) -> Amazon {
        let reach = queen_reach(square, empty);
        let mut alpha = 0;
        let mut weight = ALPHA_UNIT / 2;
        let mut steps = 1;
        let mut rest = reach;
        while rest != 0 {
            let near = rest & ring(square, steps);
            rest &= !near;
            let neighbours: u32 = squares(near)
                .map(|near| (king_neighbours(near) & empty).count_ones())
                .sum();
            alpha += weight * neighbours.cast_signed();
            weight /= 2;
            steps += 1;
        }
        Amazon {
            reach,
            alpha,
            square,
            liberties: liberties(square, empty),
        }
    }

    /// Calls `each` with every square of the reach and the number of squares that the amazon
    /// no longer reaches once it is blocked, itself included.
    pub(super) fn losses(&self, mut each: impl FnMut(Square, i32)) {
        for direction in 0..8 {
            let line = self.reach & ray(direction, self.square);
            let upwards = direction < 4;
            let mut behind = if upwards {
                line.count_ones().cast_signed()
            } else {
                1
            };
            for square in squares(line) {
                each(square, behind);
                behind += if upwards { -1 } else { 1 };
            }
        }
    }

    /// Follows a change that leaves the reach as it is: the squares `filled` are no longer
    /// empty and `opened` is.
    fn adjust(&mut self, filled: Bits, opened: Bits) {
        if king_steps(self.reach | bit(self.square)) & (filled | opened) == 0 {
            return;
        }
        for square in squares(filled) {
            self.alpha -= self.weight_beside(square);
        }
        for square in squares(opened) {
            self.alpha += self.weight_beside(square);
        }
        let beside = king_neighbours(self.square);
        let change = |set: Bits| (beside & set).count_ones() as u8;
        self.liberties = self.liberties - change(filled) + change(opened);
    }

    /// What a square counts in [`Amazon::alpha`] as an empty neighbour of the reach.
    fn weight_beside(&self, square: Square) -> i32 {
        squares(self.reach & king_neighbours(square))
            .map(|near| ALPHA_UNIT >> king_distance(self.square, near))
            .sum()
    }
}

#[expect(clippy::cast_possible_truncation, reason = "at most 8")]
fn liberties(square: Square, empty: Bits) -> u8 {
    (king_neighbours(square) & empty).count_ones() as u8
}

/// The state that [`super::Territory`] carries along.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mobility {
    /// Per side its amazons, from the lowest square up, and then unused places.
    pub(super) amazons: [[Amazon; AMAZONS]; 2],
    pub(super) counts: [usize; 2],
}

impl Mobility {
    /// The state of a position from scratch.
    pub(super) fn new(position: &Amazons) -> Mobility {
        let mut mobility = Mobility {
            amazons: [[Amazon::default(); AMAZONS]; 2],
            counts: [0; 2],
        };
        for side in 0..2 {
            for (index, square) in squares(position.amazons[side]).enumerate() {
                mobility.amazons[side][index] = Amazon::new(square, position.empty);
                mobility.counts[side] = index + 1;
            }
        }
        mobility
    }

    /// Follows a move to the position after it.
    pub(super) fn apply(&mut self, mv: Move, after: &Amazons) {
        let mover = after.side.other().index();
        let (from, to, arrow) = (mv.from(), mv.to(), mv.arrow());
        let filled = (bit(to) | bit(arrow)) & !bit(from);
        let opened = bit(from) & after.empty;
        // Whose lines are cut or opened: where a square was filled that they reached, and
        // those that are seen from the square that was left.
        let seen = queen_reach(from, after.empty);
        let seen = king_steps(seen | bit(from));
        for side in 0..2 {
            for amazon in &mut self.amazons[side][..self.counts[side]] {
                if side == mover && amazon.square == from {
                    *amazon = Amazon::new(to, after.empty);
                } else if amazon.reach & filled != 0 || seen & bit(amazon.square) != 0 {
                    *amazon = Amazon::new(amazon.square, after.empty);
                } else {
                    amazon.adjust(filled, opened);
                }
            }
        }
        self.amazons[mover][..self.counts[mover]].sort_unstable_by_key(|a| a.square);
    }

    /// A side's amazons.
    pub(super) fn of(&self, side: usize) -> &[Amazon] {
        &self.amazons[side][..self.counts[side]]
    }

    /// The squares that each side reaches in one move.
    pub(super) fn reach(&self) -> [Bits; 2] {
        [0, 1].map(|side| self.of(side).iter().fold(0, |set, a| set | a.reach))
    }
}
