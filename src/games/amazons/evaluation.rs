//! The value of a position.
//!
//! Territory and mobility after Lieberum, "An evaluation function for the game of Amazons",
//! Theoretical Computer Science 349 (2005) 230-244, and three cheap terms about where the
//! amazons stand. Its unit is one square of territory.

use super::Amazons;
use super::board::{Bits, Square, file, queen_reach, rank, squares};
use super::distance::{KingTerms, QueenTerms};
use super::mobility::{ALPHA_UNIT, Amazon, Mobility};
use super::moves::Move;
use super::regions::Regions;
use crate::params::{Parameter, ParameterValues, Tunable};
use crate::search::{Evaluator, Proof, Score};

/// The evaluation with its weights.
#[derive(Clone, Debug)]
pub struct Territory {
    t1: f64,
    t2: f64,
    c1: f64,
    c2: f64,
    tempo: f64,
    mobility: f64,
    centre: f64,
    connectivity: f64,
    blocked: f64,
    /// The share of `t1` for each whole value of `w`.
    share: Vec<f64>,
    stages: bool,
    solver: u32,
    mobility_cut: f64,
}

/// The highest `w` that the table of shares tells apart: that of an empty board.
const MAX_W: usize = 100;

impl Tunable for Territory {
    fn parameters() -> Vec<Parameter> {
        let weight = |name, default, about| Parameter::real(name, default, 0.0, 10.0, 0.1, about);
        vec![
            weight("t1", 1.0, "weight of territory by queen distance"),
            weight("t2", 1.5, "weight of territory by king distance"),
            weight("c1", 1.0, "weight of nearness by queen distance"),
            weight("c2", 1.0, "weight of nearness by king distance"),
            Parameter::real(
                "tempo",
                0.1,
                0.0,
                0.2,
                0.02,
                "what a square that both sides reach equally soon counts for the side to move",
            ),
            Parameter::real(
                "mobility",
                128.0,
                0.0,
                1024.0,
                8.0,
                "weight of the penalty for amazons that are shut in",
            ),
            weight(
                "centre",
                1.0,
                "weight of amazons near the centre, while territory is open",
            ),
            Parameter::real(
                "connectivity",
                128.0,
                0.0,
                1024.0,
                8.0,
                "weight of territory that hangs together",
            ),
            weight("blocked", 1.0, "weight of blocked squares beside amazons"),
            Parameter::switch(
                "stages",
                true,
                "weigh t1 against t2, c1 and c2 by how open the position is; off: as they stand",
            ),
            Parameter::real(
                "stage_middle",
                17.0,
                0.0,
                100.0,
                1.0,
                "openness where t1 counts half",
            ),
            Parameter::real(
                "stage_slope",
                0.2,
                0.01,
                2.0,
                0.02,
                "how fast t1 takes over",
            ),
            Parameter::real(
                "t1_early",
                0.15,
                0.0,
                1.0,
                0.05,
                "share of t1 in the opening",
            ),
            Parameter::integer(
                "solver",
                100,
                0,
                10_000,
                "positions that may be looked at to count moves in separated territories; 0: off",
            ),
            Parameter::real(
                "mobility_cut",
                4.0,
                0.0,
                20.0,
                0.5,
                "move ordering: weight of the squares that a move takes from the opponent",
            ),
        ]
    }

    fn from_values(values: &ParameterValues) -> Territory {
        let (middle, slope) = (values.get("stage_middle"), values.get("stage_slope"));
        let early = values.get("t1_early");
        let share = |w: usize| {
            #[expect(clippy::cast_precision_loss, reason = "at most 100")]
            let logistic = 1.0 / (1.0 + (slope * (w as f64 - middle)).exp());
            // Rounded, so that the last bit of `exp` is the same on every machine.
            ((early + (1.0 - early) * logistic) * 65_536.0).round() / 65_536.0
        };
        Territory {
            t1: values.get("t1"),
            t2: values.get("t2"),
            c1: values.get("c1"),
            c2: values.get("c2"),
            tempo: values.get("tempo"),
            mobility: values.get("mobility"),
            centre: values.get("centre"),
            connectivity: values.get("connectivity"),
            blocked: values.get("blocked"),
            share: (0..=MAX_W).map(share).collect(),
            stages: values.switch("stages"),
            solver: values.integer("solver").unsigned_abs(),
            mobility_cut: values.get("mobility_cut"),
        }
    }
}

impl Territory {
    /// The share of `t1` at openness `w`, between the whole values in a straight line.
    fn share(&self, w: f64) -> f64 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "0 to 100"
        )]
        let below = (w as usize).min(MAX_W - 1);
        #[expect(clippy::cast_precision_loss, reason = "at most 100")]
        let part = w - below as f64;
        self.share[below] + (self.share[below + 1] - self.share[below]) * part.min(1.0)
    }

    /// Territory, for the first side.
    fn territory(&self, queen: &QueenTerms, position: &Amazons, tempo: f64) -> f64 {
        let balance = |first: Bits, second: Bits, ties: u32| {
            f64::from(first.count_ones()) - f64::from(second.count_ones()) + tempo * f64::from(ties)
        };
        let t1 = balance(queen.first, queen.second, queen.ties);
        let (near, far) = if self.stages {
            let share = self.share(queen.w);
            (share, (1.0 - share) / 3.0)
        } else {
            (1.0, 1.0)
        };
        let mut value = near * self.t1 * t1 + far * self.c1 * queen.c1;
        if far * (self.t2 + self.c2) > 0.0 {
            let king = KingTerms::new(position.amazons, position.empty);
            let t2 = balance(king.first, king.second, king.ties);
            value += far * (self.t2 * t2 + self.c2 * king.c2);
        }
        value
    }

    /// The four terms about the amazons, for the first side. Each is at most about 1, so that
    /// its weight is what the whole term can be worth, in squares of territory. Mobility, centre
    /// and blocked squares count while the position is open.
    fn amazons(&self, queen: &QueenTerms, state: &Mobility, size: u8) -> f64 {
        let openness = queen.w / OPEN_W;
        let sum = |term: &dyn Fn(&Amazon) -> f64| {
            let side = |side: usize| state.of(side).iter().map(term).sum::<f64>();
            side(0) - side(1)
        };
        let mut value = 0.0;
        if self.mobility > 0.0 {
            value -= self.mobility * (queen.w * sum(&shut_in) / MOST_SHUT_IN);
        }
        if self.centre > 0.0 {
            value += self.centre * openness * sum(&|a| centrality(a.square, size)) / 4.0;
        }
        if self.blocked > 0.0 {
            value += self.blocked * openness * sum(&|a| f64::from(a.liberties)) / 32.0;
        }
        if self.connectivity > 0.0 {
            let balance = links(queen.first) - links(queen.second);
            value += self.connectivity * (balance / MOST_LINKS);
        }
        value
    }
}

/// `w` of the start position.
const OPEN_W: f64 = 70.0;

/// Four amazons that cannot move, 1/2 each, in the most open position: about 2 times 64. A power
/// of two, so that to divide by it costs no precision.
const MOST_SHUT_IN: f64 = 128.0;

/// The links of a territory of 128 squares, 4 a square: more than any. A power of two as well.
const MOST_LINKS: f64 = 512.0;

/// Lieberum's penalty for an amazon of little mobility, without the factor `w`.
fn shut_in(amazon: &Amazon) -> f64 {
    let alpha = f64::from(amazon.alpha) / f64::from(ALPHA_UNIT);
    1.0 / (alpha + 2.0)
}

/// 1 in the middle of the board, 0 in its corners.
fn centrality(square: Square, size: u8) -> f64 {
    let last = f64::from(size - 1);
    let from_middle = |index: u8| (2.0 * f64::from(index) - last).abs();
    1.0 - (from_middle(file(square)) + from_middle(rank(square))) / (2.0 * last)
}

/// The pairs of neighbouring squares in a territory.
fn links(territory: Bits) -> f64 {
    let pairs = (territory & territory << 1).count_ones()
        + (territory & territory << 10).count_ones()
        + (territory & territory << 11).count_ones()
        + (territory & territory << 12).count_ones();
    f64::from(pairs)
}

impl Evaluator<Amazons> for Territory {
    type State = Mobility;

    fn reset(&self, position: &Amazons) -> Mobility {
        Mobility::new(position)
    }

    fn apply(&self, state: &mut Mobility, _before: &Amazons, mv: Move, after: &Amazons) {
        state.apply(mv, after);
    }

    fn evaluate(&self, state: &Mobility, position: &Amazons) -> Score {
        let sign = if position.side.index() == 0 {
            1.0
        } else {
            -1.0
        };
        let queen = QueenTerms::new(state.reach(), position.empty);
        let territory = self.territory(&queen, position, sign * self.tempo);
        Score::heuristic(sign * (territory + self.amazons(&queen, state, position.size)))
    }

    fn prove(&self, _state: &Mobility, position: &Amazons) -> Option<Proof> {
        if self.solver == 0 {
            return None;
        }
        let regions = Regions::new(position.amazons, position.empty);
        regions.race(position.side.index(), position.empty, self.solver)
    }

    /// The squares that the opponent's amazons lose from what they reach, weighed, and the
    /// room around the amazon's new square.
    fn rate_moves(
        &self,
        state: &Mobility,
        position: &Amazons,
        moves: &[Move],
        ratings: &mut Vec<i32>,
    ) {
        let opponent = position.side.other().index();
        let own = position.side.index();
        #[expect(clippy::cast_possible_truncation, reason = "at most 20")]
        let cut = (self.mobility_cut * 16.0) as i32;
        // What it is worth to burn a square, and to stand on it.
        let mut burnt = [0; 128];
        for amazon in state.of(opponent) {
            amazon.losses(|square, lost| burnt[usize::from(square)] += cut * lost);
        }
        let mut stood = burnt;
        for amazon in state.of(own) {
            amazon.losses(|square, lost| burnt[usize::from(square)] -= 16 * lost);
        }
        for square in squares(state.reach()[own]) {
            let reach = queen_reach(square, position.empty);
            stood[usize::from(square)] += 16 * reach.count_ones().cast_signed();
        }
        let rating = |mv: &Move| stood[usize::from(mv.to())] + burnt[usize::from(mv.arrow())];
        ratings.extend(moves.iter().map(rating));
    }
}
