//! A first evaluation: the stones on every five points in a row that only one side has entered.
//!
//! Such a window can still become five. Its value grows with the stones in it; windows with
//! stones of both sides are dead. Overlines and fouls are not looked at.

use super::Gomoku;
use super::board::{DIRECTIONS, POINTS, Point};
use crate::game::Side;
use crate::params::{Parameter, ParameterValues, Tunable};
use crate::search::{Evaluator, Score};

/// The evaluation with its weights. Its unit is a window with one stone in it.
#[derive(Clone, Debug)]
pub struct Windows {
    /// The value of a window with so many stones of one side alone.
    weights: [f64; 6],
    /// What it is worth to be the next to move.
    tempo: f64,
}

/// The stones in every window, and how many windows have how many stones of one side alone.
#[derive(Clone, Debug, PartialEq)]
pub struct WindowCounts {
    /// By direction and first point: the stones of the first side, and 8 times those of the
    /// second.
    stones: [[u8; POINTS]; 4],
    alone: [[i16; 6]; 2],
}

impl Tunable for Windows {
    fn parameters() -> Vec<Parameter> {
        let weight = |name, default, about| Parameter::real(name, default, 0.0, 250.0, 0.5, about);
        vec![
            weight("two", 6.0, "value of five points with two own stones"),
            weight("three", 25.0, "value of five points with three own stones"),
            weight("four", 100.0, "value of five points with four own stones"),
            weight("tempo", 15.0, "value of being the next to move"),
        ]
    }

    fn from_values(values: &ParameterValues) -> Windows {
        let [two, three, four] = ["two", "three", "four"].map(|name| values.get(name));
        Windows {
            weights: [0.0, 1.0, two, three, four, four],
            tempo: values.get("tempo"),
        }
    }
}

impl WindowCounts {
    /// Counts a stone in all windows that it stands in.
    fn add(&mut self, size: u8, side: Side, point: Point) {
        for (direction, window) in windows(size, point) {
            let stones = &mut self.stones[direction][window.index()];
            if let Some((owner, count)) = alone(*stones) {
                self.alone[owner.index()][count] -= 1;
            }
            *stones += match side {
                Side::First => 1,
                Side::Second => 8,
            };
            if let Some((owner, count)) = alone(*stones) {
                self.alone[owner.index()][count] += 1;
            }
        }
    }
}

/// Whose window it is, and how many stones it has; `None` if it is empty or dead.
fn alone(stones: u8) -> Option<(Side, usize)> {
    match (usize::from(stones & 7), usize::from(stones >> 3)) {
        (0, 0) => None,
        (count, 0) => Some((Side::First, count)),
        (0, count) => Some((Side::Second, count)),
        _ => None,
    }
}

/// The windows with this point: the number of the direction and the first point.
fn windows(size: u8, point: Point) -> impl Iterator<Item = (usize, Point)> {
    let on_board = move |(x, y): (i32, i32)| {
        let coordinate = |value| u8::try_from(value).ok().filter(|value| *value < size);
        Some((coordinate(x)?, coordinate(y)?))
    };
    let directions = DIRECTIONS.into_iter().enumerate();
    directions.flat_map(move |(number, direction)| {
        (0..5).filter_map(move |back| {
            on_board(point.step(direction, 4 - back))?;
            let (x, y) = on_board(point.step(direction, -back))?;
            Some((number, Point::new(x, y)))
        })
    })
}

impl Evaluator<Gomoku> for Windows {
    type State = WindowCounts;

    fn reset(&self, position: &Gomoku) -> WindowCounts {
        let mut counts = WindowCounts {
            stones: [[0; POINTS]; 4],
            alone: [[0; 6]; 2],
        };
        for side in Side::BOTH {
            for point in position.stones.of(side) {
                counts.add(position.stones.size(), side, point);
            }
        }
        counts
    }

    fn apply(&self, state: &mut WindowCounts, before: &Gomoku, mv: Point, _after: &Gomoku) {
        state.add(before.stones.size(), before.side, mv);
    }

    fn evaluate(&self, state: &WindowCounts, position: &Gomoku) -> Score {
        let [first, second] = state.alone;
        let mut value = 0.0;
        for (weight, (first, second)) in self.weights.iter().zip(first.iter().zip(second)) {
            value += weight * f64::from(first - second);
        }
        if position.side == Side::Second {
            value = -value;
        }
        Score::heuristic(value + self.tempo)
    }

    /// What the stone makes of windows, and what it takes away.
    fn rate_moves(
        &self,
        state: &WindowCounts,
        position: &Gomoku,
        moves: &[Point],
        ratings: &mut Vec<i32>,
    ) {
        let size = position.stones.size();
        ratings.extend(moves.iter().map(|mv| {
            let rating = |(direction, window): (usize, Point)| match alone(
                state.stones[direction][window.index()],
            ) {
                None => self.weights[1],
                Some((side, count)) if side == position.side => {
                    self.weights[(count + 1).min(5)] * OWN
                }
                Some((_, count)) => self.weights[(count + 1).min(5)],
            };
            let sum: f64 = windows(size, *mv).map(rating).sum();
            #[expect(clippy::cast_possible_truncation, reason = "20 windows at most")]
            let sum = (sum * 10.0) as i32;
            sum
        }));
    }
}

/// To make four comes before stopping the opponent's.
const OWN: f64 = 1.2;
