//! Moves: a queen's step and an arrow in one ply.

use std::fmt;
use std::num::NonZeroU32;

use super::Amazons;
use super::board::{Square, bit, king_steps, queen_reach, squares};

/// A move: from where, to where, and the square that the arrow burns.
///
/// Packed in 21 bits. It is never 0, because an amazon cannot stay on square 0, so that an
/// `Option` of it is as small as itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU32);

impl Move {
    pub(super) fn new(from: Square, to: Square, arrow: Square) -> Move {
        debug_assert_ne!(from, to);
        let packed = u32::from(from) | u32::from(to) << 7 | u32::from(arrow) << 14;
        Move(NonZeroU32::new(packed).unwrap_or(NonZeroU32::MAX))
    }

    /// The move from its packed form; `None` for 0. Any other number is a move that may be
    /// asked about with `is_legal`.
    #[must_use]
    pub fn from_packed(packed: u32) -> Option<Move> {
        NonZeroU32::new(packed).map(Move)
    }

    #[inline]
    fn field(self, shift: u32) -> Square {
        (self.0.get() >> shift & 127) as Square
    }

    /// The square that the amazon leaves.
    #[inline]
    pub(super) fn from(self) -> Square {
        self.field(0)
    }

    /// The square that the amazon goes to.
    #[inline]
    pub(super) fn to(self) -> Square {
        self.field(7)
    }

    /// The square that is burnt.
    #[inline]
    pub(super) fn arrow(self) -> Square {
        self.field(14)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&super::notation::format_move(*self))
    }
}

impl Amazons {
    /// Appends all legal moves: amazons, steps and arrows each from the lowest square up.
    pub(super) fn append_moves(&self, moves: &mut Vec<Move>) {
        for from in squares(self.own()) {
            let empty = self.empty | bit(from);
            for to in squares(queen_reach(from, self.empty)) {
                let shots = squares(queen_reach(to, empty));
                moves.extend(shots.map(|arrow| Move::new(from, to, arrow)));
            }
        }
    }

    /// The number of legal moves.
    pub(super) fn number_of_moves(&self) -> u64 {
        let mut count = 0;
        for from in squares(self.own()) {
            let empty = self.empty | bit(from);
            for to in squares(queen_reach(from, self.empty)) {
                count += u64::from(queen_reach(to, empty).count_ones());
            }
        }
        count
    }

    /// Whether the side to move has a legal move. An amazon that can step can also shoot,
    /// at least back at the square that it left.
    #[inline]
    pub(super) fn has_moves(&self) -> bool {
        king_steps(self.own()) & self.empty != 0
    }

    /// Whether `mv`, any 32 bits, is legal.
    #[inline]
    pub(super) fn allows(&self, mv: Move) -> bool {
        let (from, to, arrow) = (mv.from(), mv.to(), mv.arrow());
        self.own() & bit(from) != 0
            && self.empty & bit(to) != 0
            && queen_reach(from, self.empty) & bit(to) != 0
            && queen_reach(to, self.empty | bit(from)) & bit(arrow) != 0
            && mv == Move::new(from, to, arrow)
    }
}
