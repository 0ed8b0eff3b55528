//! Moves, and how they are found.

use std::num::NonZeroU64;
use std::ops::ControlFlow;

use super::FoxGeese;
use super::board::{
    BACKWARD, BOARD, Bits, CROSSINGS, DIRECTIONS, Point, STRAIGHT, bit, each, step, step_back,
};
use super::rules::Rule;
use crate::game::Side;

/// The most jumps of one move.
pub(super) const MOST_JUMPS: usize = 17;

/// A move: from a point to another, by a step, or by one jump or more.
///
/// Bits 0 to 5 are where it begins, 6 to 11 where it ends; above them stand the directions of
/// its jumps, three bits each and the first one highest, below a bit that marks their beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(NonZeroU64);

/// The mark above the directions of the jumps.
const MARK: u64 = 1;

impl Move {
    fn new(from: Point, to: Point, path: u64) -> Move {
        let bits = path << 12 | u64::from(to) << 6 | u64::from(from);
        // The mark is never missing.
        Move(NonZeroU64::new(bits).unwrap_or(NonZeroU64::MIN))
    }

    /// A step.
    pub(super) fn step(from: Point, to: Point) -> Move {
        Move::new(from, to, MARK)
    }

    /// Jumps in these directions, [`MOST_JUMPS`] at most; `None` if one leaves the board.
    pub(super) fn jumps(from: Point, directions: &[usize]) -> Option<Move> {
        let mut path = MARK;
        let mut at = bit(from);
        for direction in directions {
            path = path << 3 | *direction as u64;
            at = step(step(at, *direction), *direction);
        }
        (at != 0).then(|| Move::new(from, at.trailing_zeros() as Point, path))
    }

    /// Where it begins.
    #[inline]
    pub(super) fn from(self) -> Point {
        (self.0.get() & 63) as Point
    }

    /// Where it ends.
    #[inline]
    pub(super) fn to(self) -> Point {
        (self.0.get() >> 6 & 63) as Point
    }

    #[inline]
    fn path(self) -> u64 {
        self.0.get() >> 12
    }

    /// Whether it takes nothing.
    #[inline]
    pub(super) fn is_step(self) -> bool {
        self.path() == MARK
    }

    /// The number of geese that it takes.
    #[inline]
    pub(super) fn captures(self) -> u32 {
        (63 - self.path().leading_zeros()) / 3
    }

    /// The directions of its jumps, in order.
    pub(super) fn directions(self) -> impl Iterator<Item = usize> {
        let path = self.path();
        (0..self.captures())
            .rev()
            .map(move |jump| (path >> (3 * jump) & 7) as usize)
    }

    /// The geese that it takes.
    #[inline]
    pub(super) fn taken(self) -> Bits {
        let mut at = bit(self.from());
        let mut taken = 0;
        for direction in self.directions() {
            let over = step(at, direction);
            taken |= over;
            at = step(over, direction);
        }
        taken
    }
}

/// What [`FoxGeese::each_move`] is told that wants all moves.
pub(super) type All = ControlFlow<std::convert::Infallible>;

impl FoxGeese {
    /// The points without a piece.
    #[inline]
    pub(super) fn empty(&self) -> Bits {
        BOARD & !(self.geese | bit(self.fox))
    }

    /// The number of directions that lead on from the points of this set.
    #[inline]
    fn directions_from(&self, set: Bits) -> usize {
        if self.ruling.diagonals && set & CROSSINGS != 0 {
            DIRECTIONS.len()
        } else {
            STRAIGHT
        }
    }

    /// The geese that can step in a direction.
    #[inline]
    fn steppers(&self, direction: usize) -> Bits {
        if BACKWARD[direction] && !self.ruling.geese_backward {
            return 0;
        }
        let steppers = self.geese & step_back(self.empty(), direction);
        if direction < STRAIGHT {
            steppers
        } else {
            steppers & CROSSINGS
        }
    }

    /// The number of steps that the geese have.
    #[inline]
    pub(super) fn goose_steps(&self) -> i32 {
        let directions = 0..self.directions_from(self.geese);
        let steps = directions.map(|direction| self.steppers(direction).count_ones());
        steps.sum::<u32>().cast_signed()
    }

    /// The points that the fox can jump to from a point, where these are the geese.
    #[inline]
    pub(super) fn landings(&self, fox: Bits, geese: Bits) -> Bits {
        let mut landings = 0;
        for direction in 0..self.directions_from(fox) {
            landings |= step(step(fox, direction) & geese, direction);
        }
        landings & !geese
    }

    /// The points that the fox can step to.
    #[inline]
    pub(super) fn fox_steps(&self) -> Bits {
        let mut steps = 0;
        for direction in 0..self.directions_from(bit(self.fox)) {
            steps |= step(bit(self.fox), direction);
        }
        steps & !self.geese
    }

    /// Whether the fox could jump, if it were to move.
    #[inline]
    pub(super) fn can_jump(&self) -> bool {
        self.landings(bit(self.fox), self.geese) != 0
    }

    /// Whether so few geese are left that the game is over.
    #[inline]
    pub(super) fn has_few_geese(&self) -> bool {
        self.ruling.rule != Rule::SingleJump
            && self.geese.count_ones() <= u32::from(self.ruling.fox_wins_at)
    }

    /// Whether the side to move can move, the number of geese left aside.
    #[inline]
    pub(super) fn can_move(&self) -> bool {
        match self.side {
            Side::First => {
                let directions = self.directions_from(self.geese);
                (0..directions).any(|direction| self.steppers(direction) != 0)
            }
            Side::Second => self.fox_steps() != 0 || self.can_jump(),
        }
    }

    /// Shows all legal moves, until the answer is to break.
    #[inline]
    pub(super) fn each_move<B>(
        &self,
        mut show: impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.has_few_geese() {
            return ControlFlow::Continue(());
        }
        match self.side {
            Side::First => self.each_goose_step(&mut show),
            Side::Second => {
                self.each_jump(&mut show)?;
                if self.ruling.forced_capture && self.can_jump() {
                    return ControlFlow::Continue(());
                }
                each(self.fox_steps()).try_for_each(|to| show(Move::step(self.fox, to)))
            }
        }
    }

    #[inline]
    fn each_goose_step<B>(&self, show: &mut impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        for direction in 0..self.directions_from(self.geese) {
            for from in each(self.steppers(direction)) {
                let to = step(bit(from), direction).trailing_zeros() as Point;
                show(Move::step(from, to))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The fox's jumps; in `multi_jump` every way to go on and, unless captures are forced, to
    /// stop.
    pub(super) fn each_jump<B>(
        &self,
        show: &mut impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.each_chain(bit(self.fox), self.geese, MARK, show)
    }

    fn each_chain<B>(
        &self,
        at: Bits,
        geese: Bits,
        path: u64,
        show: &mut impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for direction in 0..self.directions_from(at) {
            let over = step(at, direction) & geese;
            let landing = step(over, direction) & !geese;
            if landing == 0 {
                continue;
            }
            let (path, geese) = (path << 3 | direction as u64, geese & !over);
            let goes_on = self.goes_on(landing, geese);
            if !(goes_on && self.ruling.forced_capture) {
                let to = landing.trailing_zeros() as Point;
                show(Move::new(self.fox, to, path))?;
            }
            if goes_on {
                self.each_chain(landing, geese, path, show)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether a chain of jumps that has come to a point can go on there. One that has won is over.
    fn goes_on(&self, at: Bits, geese: Bits) -> bool {
        self.ruling.rule == Rule::MultiJump
            && geese.count_ones() > u32::from(self.ruling.fox_wins_at)
            && self.landings(at, geese) != 0
    }

    /// Whether the move is legal.
    pub(super) fn allows(&self, mv: Move) -> bool {
        let [from, to] = [mv.from(), mv.to()].map(bit);
        if self.has_few_geese() {
            return false;
        }
        if self.side == Side::First {
            let directions = 0..self.directions_from(from);
            let is_free = from & self.geese != 0 && to & self.empty() != 0;
            let mut along = directions.filter(|d| step(from, *d) == to);
            return mv.is_step()
                && is_free
                && along.any(|d| self.ruling.geese_backward || !BACKWARD[d]);
        }
        if mv.from() != self.fox {
            return false;
        }
        if mv.is_step() {
            let may_step = !self.ruling.forced_capture || !self.can_jump();
            return may_step && self.fox_steps() & to != 0;
        }
        self.allows_jumps(mv)
    }

    fn allows_jumps(&self, mv: Move) -> bool {
        let (mut at, mut geese) = (bit(mv.from()), self.geese);
        for (jump, direction) in mv.directions().enumerate() {
            let ended = jump > 0 && !self.goes_on(at, geese);
            if ended || direction >= self.directions_from(at) {
                return false;
            }
            let over = step(at, direction) & geese;
            geese &= !over;
            at = step(over, direction) & !geese;
            if at == 0 {
                return false;
            }
        }
        at == bit(mv.to()) && !(self.ruling.forced_capture && self.goes_on(at, geese))
    }
}
