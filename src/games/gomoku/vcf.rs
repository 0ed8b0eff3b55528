//! Victory by continuous fours: the attacker makes only fours and fives.
//!
//! Every move of the attacker makes a four or five. To a four with one point of five the defender
//! must answer there; two such points win. If that answer makes a four of the defender's, the
//! attacker must play on its point of five, and only if that is a four too (or win by five
//! first). The length of a win is the number of the attacker's moves, the five included. In renju
//! the attacker's fouls are no moves, and a defender whose only answer is a foul has lost.
//!
//! Lengths are tried one after the other, so that the first win found is a shortest one.

use super::Gomoku;
use super::board::Point;
use super::judge::End;
use super::patterns::{DOUBLE_FOUR, Patterns};
use super::shapes::{Shape, Shapes};
use crate::game::Game;

/// What a search for continuous fours has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Vcf {
    /// The side to move wins: its moves and the answers, from the first to the five. A defender
    /// in renju who can answer by a foul only makes it the last.
    Won(Vec<Point>),
    /// There is no such win.
    Lost,
    /// The search was ended before it knew.
    Unknown,
}

impl Vcf {
    /// The winning line.
    #[must_use]
    pub fn line(self) -> Option<Vec<Point>> {
        match self {
            Vcf::Won(line) => Some(line),
            Vcf::Lost | Vcf::Unknown => None,
        }
    }

    /// The attacker's moves in the line.
    #[must_use]
    pub fn attacker_moves(&self) -> Option<usize> {
        match self {
            Vcf::Won(line) => Some(line.len().div_ceil(2)),
            Vcf::Lost | Vcf::Unknown => None,
        }
    }
}

/// Searches a win of the side to move by continuous fours, the shortest first, in at most
/// `nodes` positions. Nobody has won one that is over.
#[must_use]
pub fn vcf(position: &Gomoku, nodes: u64) -> Vcf {
    if position.end.is_some() {
        return Vcf::Lost;
    }
    let shapes = Shapes::get();
    let mut left = nodes;
    let mut enter = || {
        let enters = left > 0;
        left -= u64::from(enters);
        enters
    };
    Solver::new(shapes, &mut enter).solve(position, &Patterns::new(shapes, position))
}

/// How an attack with so many moves left ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Attack {
    Wins,
    /// No number of moves would be enough.
    Fails,
    /// More moves might be enough.
    RunsOut,
    Stopped,
}

/// The search, and what it remembers.
pub(super) struct Solver<'a> {
    shapes: &'static Shapes,
    enter: &'a mut dyn FnMut() -> bool,
    /// By a part of the key: positions that are not won with so many moves left.
    visited: Vec<(u64, u32)>,
    /// The winning line, from its end.
    line: Vec<Point>,
}

/// Moves left of a position that is not won with any number of them.
const ANY: u32 = u32::MAX;

/// Entries of the table of visited positions, at first and at most.
const FEW: usize = 1 << 6;
const MANY: usize = 1 << 16;

impl<'a> Solver<'a> {
    /// A search that asks `enter` before each position.
    pub(super) fn new(shapes: &'static Shapes, enter: &'a mut dyn FnMut() -> bool) -> Solver<'a> {
        Solver {
            shapes,
            enter,
            visited: Vec::new(),
            line: Vec::new(),
        }
    }

    /// Whether the side to move of a position that is not over wins.
    pub(super) fn solve(mut self, position: &Gomoku, patterns: &Patterns) -> Vcf {
        // More moves than half the points nobody has.
        for left in 1..=u32::from(position.empty).div_ceil(2) {
            match self.attack(position, patterns, left) {
                Attack::Wins => {
                    self.line.reverse();
                    return Vcf::Won(self.line);
                }
                Attack::Fails => return Vcf::Lost,
                Attack::Stopped => return Vcf::Unknown,
                Attack::RunsOut => {}
            }
        }
        Vcf::Lost
    }

    fn attack(&mut self, position: &Gomoku, patterns: &Patterns, left: u32) -> Attack {
        let (own, other) = (position.side, position.side.other());
        if patterns.count(own, Shape::Five) > 0 {
            self.line.extend(patterns.fives(own).next());
            return Attack::Wins;
        }
        let mut moves: Vec<Point> = match patterns.count(other, Shape::Five) {
            0 => patterns.fours(own).collect(),
            _ if patterns.has_two_fives(other) => Vec::new(),
            _ => patterns.fives(other).collect(),
        };
        moves.retain(|point| patterns.makes_four(own, *point));
        if moves.is_empty() {
            return Attack::Fails;
        }
        if left <= 1 {
            return Attack::RunsOut;
        }
        let key = position.key();
        match self.remembered(key) {
            Some(ANY) => return Attack::Fails,
            Some(known) if known >= left => return Attack::RunsOut,
            _ => {}
        }
        moves.sort_by_key(|point| match patterns.double(own, *point) {
            Some(DOUBLE_FOUR) => 0,
            _ if patterns
                .shapes(own, *point)
                .contains(&(Shape::OpenFour as usize)) =>
            {
                0
            }
            Some(_) => 1,
            None => 2,
        });
        let mut result = Attack::Fails;
        for mv in moves {
            match self.four(position, patterns, mv, left) {
                Attack::Fails => {}
                Attack::RunsOut => result = Attack::RunsOut,
                end @ (Attack::Wins | Attack::Stopped) => return end,
            }
        }
        self.remember(key, if result == Attack::Fails { ANY } else { left });
        result
    }

    /// The attacker's four on `mv`.
    fn four(&mut self, position: &Gomoku, patterns: &Patterns, mv: Point, left: u32) -> Attack {
        if !(self.enter)() {
            return Attack::Stopped;
        }
        let mut after = position.clone();
        after.play(mv);
        if after.end.is_some() {
            // A foul, or the last point of the board.
            return Attack::Fails;
        }
        let mut then = patterns.clone();
        then.set(self.shapes, position, position.side, mv);
        let mut fives = then.fives(position.side);
        let (Some(answer), second) = (fives.next(), fives.next()) else {
            return Attack::Fails;
        };
        drop(fives);
        if let Some(second) = second {
            self.line.extend([second, answer, mv]);
            return Attack::Wins;
        }
        let mut answered = after.clone();
        answered.play(answer);
        match answered.end {
            None => {}
            Some(End::Five | End::FullBoard) => return Attack::Fails,
            Some(End::Overline | End::DoubleFour | End::DoubleThree) => {
                self.line.extend([answer, mv]);
                return Attack::Wins;
            }
        }
        if !(self.enter)() {
            return Attack::Stopped;
        }
        then.set(self.shapes, &after, after.side, answer);
        let end = self.attack(&answered, &then, left - 1);
        if end == Attack::Wins {
            self.line.extend([answer, mv]);
        }
        end
    }

    fn remembered(&self, key: u64) -> Option<u32> {
        let (found, left) = self.visited.get(self.slot(key)?)?;
        (*found == key).then_some(*left)
    }

    fn remember(&mut self, key: u64, left: u32) {
        if self.visited.is_empty() {
            self.visited.resize(FEW, (0, 0));
        }
        if let Some(slot) = self.slot(key) {
            let (found, known) = self.visited[slot];
            if known > 0 && found != key && self.visited.len() < MANY {
                self.grow();
            }
        }
        if let Some(slot) = self.slot(key) {
            self.visited[slot] = (key, left);
        }
    }

    /// Four times the room.
    fn grow(&mut self) {
        let size = 4 * self.visited.len();
        let old = std::mem::replace(&mut self.visited, vec![(0, 0); size]);
        for (key, left) in old.into_iter().filter(|(_, left)| *left > 0) {
            if let Some(slot) = self.slot(key) {
                self.visited[slot] = (key, left);
            }
        }
    }

    fn slot(&self, key: u64) -> Option<usize> {
        // The size is a power of two.
        let mask = (self.visited.len() as u64).checked_sub(1)?;
        usize::try_from(key & mask).ok()
    }
}
