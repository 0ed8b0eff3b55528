//! The value of a position: whose amazons are nearer to the empty squares.
//!
//! Territory after Lieberum, "An evaluation function for the game of Amazons", Theoretical
//! Computer Science 349 (2005) 230-244. Distances run through empty squares only.

use super::Amazons;
use super::board::{Bits, Fill, king_steps};
use super::moves::Move;
use crate::params::{Parameter, ParameterValues, Tunable};
use crate::search::{Evaluator, Score};

/// Empty squares by who is nearer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Nearer {
    /// Nearer to the first side's amazons.
    pub(super) first: Bits,
    /// Nearer to the second side's.
    pub(super) second: Bits,
    /// Reached by both in the same number of moves.
    pub(super) tie: Bits,
}

impl Nearer {
    /// Grows both sides' reach, one move a round, by `grow`.
    fn new(amazons: [Bits; 2], empty: Bits, grow: impl Fn(Bits) -> Bits) -> Nearer {
        let [mut first, mut second] = amazons;
        let mut open = empty;
        let mut nearer = Nearer::default();
        let (mut seen_first, mut seen_second) = (0, 0);
        while open != 0 && (first | second) != 0 {
            first = grow(first) & empty & !seen_first;
            second = grow(second) & empty & !seen_second;
            seen_first |= first;
            seen_second |= second;
            nearer.first |= first & open & !second;
            nearer.second |= second & open & !first;
            nearer.tie |= first & second & open;
            open &= !(first | second);
        }
        nearer
    }

    /// By queen moves.
    pub(super) fn by_queens(amazons: [Bits; 2], empty: Bits) -> Nearer {
        let fill = Fill::new(empty);
        Nearer::new(amazons, empty, |from| fill.spread(from))
    }

    /// By king moves.
    pub(super) fn by_kings(amazons: [Bits; 2], empty: Bits) -> Nearer {
        Nearer::new(amazons, empty, king_steps)
    }

    /// Squares of the first side less those of the second; a tie counts `tempo` for the side
    /// to move, whose `sign` is 1 or -1.
    fn balance(&self, tempo: f64, sign: f64) -> f64 {
        f64::from(self.first.count_ones()) - f64::from(self.second.count_ones())
            + sign * tempo * f64::from(self.tie.count_ones())
    }
}

/// The evaluation `t1 + 0.5 t2`, with weights.
#[derive(Clone, Debug)]
pub struct Territory {
    t1: f64,
    t2: f64,
    tempo: f64,
}

impl Tunable for Territory {
    fn parameters() -> Vec<Parameter> {
        vec![
            Parameter::real(
                "t1",
                1.0,
                0.0,
                5.0,
                0.05,
                "weight of territory by queen distance",
            ),
            Parameter::real(
                "t2",
                0.5,
                0.0,
                5.0,
                0.05,
                "weight of territory by king distance",
            ),
            Parameter::real(
                "tempo",
                0.1,
                0.0,
                0.2,
                0.02,
                "what a square that both sides reach equally soon counts for the side to move",
            ),
        ]
    }

    fn from_values(values: &ParameterValues) -> Territory {
        Territory {
            t1: values.get("t1"),
            t2: values.get("t2"),
            tempo: values.get("tempo"),
        }
    }
}

impl Evaluator<Amazons> for Territory {
    type State = ();

    fn reset(&self, _position: &Amazons) {}

    fn apply(&self, _state: &mut (), _before: &Amazons, _mv: Move, _after: &Amazons) {}

    fn evaluate(&self, _state: &(), position: &Amazons) -> Score {
        let sign = if position.side.index() == 0 {
            1.0
        } else {
            -1.0
        };
        let (amazons, empty) = (position.amazons, position.empty);
        let t1 = Nearer::by_queens(amazons, empty).balance(self.tempo, sign);
        let t2 = Nearer::by_kings(amazons, empty).balance(self.tempo, sign);
        Score::heuristic(sign * (self.t1 * t1 + self.t2 * t2))
    }
}
