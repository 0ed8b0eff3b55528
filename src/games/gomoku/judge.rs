//! What a move ends: five in a row, and the fouls of Black in renju.
//!
//! The fouls are those of the Renju International Federation (rules of renju, 9.1 to 9.3).
//! A *four* are four stones that one more makes exactly five in a row; a *straight four* are
//! four beside each other that can become five at either end; a *three* are three stones that
//! one more makes a straight four, by a move that is neither a foul nor five in a row. Whether
//! that move is a foul is decided by the same definitions, so a three may turn on another.

use super::Rule;
use super::board::{DIRECTIONS, Direction, Point, Stones};
use crate::game::Side;

/// How a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The last mover has five in a row and wins.
    Five,
    /// Black has six or more in a row, and loses.
    Overline,
    /// Black has made two fours at once, and loses.
    DoubleFour,
    /// Black has made two threes at once, and loses.
    DoubleThree,
    /// No point is left: a draw.
    FullBoard,
}

impl End {
    /// The reason in records.
    pub(super) fn name(self) -> &'static str {
        match self {
            End::Five => "five",
            End::Overline => "overline",
            End::DoubleFour => "double_four",
            End::DoubleThree => "double_three",
            End::FullBoard => "full_board",
        }
    }
}

/// Whether so many in a row win.
pub(super) fn wins(rule: Rule, side: Side, run: u32) -> bool {
    match (rule, side) {
        (Rule::Freestyle, _) | (Rule::Renju, Side::Second) => run >= 5,
        (Rule::Standard, _) | (Rule::Renju, Side::First) => run == 5,
    }
}

/// Whether so many in a row lose.
pub(super) fn loses(rule: Rule, side: Side, run: u32) -> bool {
    rule == Rule::Renju && side == Side::First && run > 5
}

/// What the stone just set on `point` has ended; a full board is not looked for.
#[inline]
pub(super) fn end(stones: &Stones, rule: Rule, side: Side, point: Point) -> Option<End> {
    let runs = DIRECTIONS.map(|direction| stones.run(side, point, direction));
    if runs.iter().any(|run| wins(rule, side, *run)) {
        return Some(End::Five);
    }
    if rule == Rule::Renju && side == Side::First {
        foul(stones, point, runs)
    } else {
        None
    }
}

/// The foul of a black stone that has made no five.
fn foul(stones: &Stones, point: Point, runs: [u32; 4]) -> Option<End> {
    if runs.iter().any(|run| *run > 5) {
        return Some(End::Overline);
    }
    let lines = DIRECTIONS.map(|direction| Line::new(stones, point, direction));
    if lines.iter().map(Line::fours).sum::<usize>() >= 2 {
        return Some(End::DoubleFour);
    }
    // Most moves make no two threes even where every next move may be played.
    let possible = |line: &&Line| line.straight_fours().next().is_some();
    if lines.iter().filter(possible).count() < 2 {
        return None;
    }
    let threes = lines.iter().zip(DIRECTIONS).filter(|(line, direction)| {
        line.straight_fours()
            .any(|steps| may_follow(stones, point.step(*direction, steps)))
    });
    (threes.take(2).count() == 2).then_some(End::DoubleThree)
}

/// Whether Black may go to this empty point, without a foul or five in a row. Each question has
/// one more stone than the one before; boards crowded on purpose have come to 46 of them.
fn may_follow(stones: &Stones, (x, y): (i32, i32)) -> bool {
    let (Ok(x), Ok(y)) = (u8::try_from(x), u8::try_from(y)) else {
        return false;
    };
    let point = Point::new(x, y);
    let mut after = stones.clone();
    after.set(Side::First, point);
    end(&after, Rule::Renju, Side::First, point).is_none()
}

/// The eleven points around a black stone on one line, as bits: the stone is bit 5.
struct Line {
    black: u32,
    /// Points of the board without a stone.
    empty: u32,
}

impl Line {
    fn new(stones: &Stones, point: Point, direction: Direction) -> Line {
        let mut line = Line { black: 0, empty: 0 };
        for bit in 0..11 {
            let place = point.step(direction, bit - 5);
            line.black |= u32::from(stones.has(Side::First, place)) << bit;
            line.empty |= u32::from(stones.is_empty(place)) << bit;
        }
        line
    }

    fn is_black(&self, bit: u32) -> bool {
        self.black >> bit & 1 != 0
    }

    fn is_empty(&self, bit: u32) -> bool {
        self.empty >> bit & 1 != 0
    }

    /// The fours that the stone belongs to: differing sets of four stones.
    fn fours(&self) -> usize {
        let four = |first: u32| {
            let window = 0b1_1111 << first;
            let stones = self.black & window;
            let is_four = stones.count_ones() == 4
                && self.empty & window != 0
                && !self.is_black(first - 1)
                && !self.is_black(first + 5);
            is_four.then_some(stones)
        };
        let mut fours: Vec<u32> = (1..=5).filter_map(four).collect();
        // A straight four is found from both ends, one after the other.
        fours.dedup();
        fours.len()
    }

    /// Steps from the stone to where one more makes a straight four with it.
    fn straight_fours(&self) -> impl Iterator<Item = i32> {
        (2..=5).filter_map(|first: u32| {
            let window = 0b1111 << first;
            let gap = self.empty & window;
            let is_three = (self.black & window).count_ones() == 3
                && gap != 0
                && self.is_empty(first - 1)
                && self.is_empty(first + 4)
                && !self.is_black(first - 2)
                && !self.is_black(first + 5);
            is_three.then(|| gap.trailing_zeros().cast_signed() - 5)
        })
    }
}
