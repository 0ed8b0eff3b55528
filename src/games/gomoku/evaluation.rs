//! The value of a position: what each side could make with its next stone.
//!
//! Every empty point counts in each direction with the weight of the shape that a stone there
//! would make ([`super::shapes`]), and once more if it makes two things at once. A row on the
//! board is thus worth what can become of it: an open three has two points of an open four. The
//! unit is a point where a stone makes an open three.

use arrayvec::ArrayVec;

use super::board::{POINTS, Point};
use super::patterns::{DOUBLE_FOUR, DOUBLE_THREE, FOUR_THREE, Patterns, is_double};
use super::shapes::{SHAPES, Shape, Shapes};
use super::vcf::Solver;
use super::{Gomoku, Rule, judge};
use crate::game::Side;
use crate::params::{Parameter, ParameterValues, Tunable};
use crate::search::{Effort, Evaluator, Forced, Proof, Score};

/// The evaluation with its weights.
#[derive(Clone, Debug)]
pub struct Threats {
    shapes: &'static Shapes,
    /// By the number of a shape or double, in hundredths.
    weights: [i32; SHAPES],
    /// What the side to move has counts so many parts of 64.
    turn: i32,
    distance: u8,
    defences: bool,
    width: usize,
    vcf_nodes: u32,
    vcf_depth: u32,
    vcf_root_nodes: u32,
}

/// The declared weights: name, number, default, what it is for.
const WEIGHTS: [(&str, usize, f64, &str); 13] = [
    ("one", Shape::One as usize, 0.02, "that makes a closed one"),
    (
        "open_one",
        Shape::OpenOne as usize,
        0.05,
        "that makes an open one",
    ),
    ("two", Shape::Two as usize, 0.1, "that makes a closed two"),
    (
        "open_two",
        Shape::OpenTwo as usize,
        0.3,
        "that makes an open two",
    ),
    (
        "three",
        Shape::Three as usize,
        0.35,
        "that makes a closed three",
    ),
    (
        "broken_three",
        Shape::BrokenThree as usize,
        0.9,
        "that makes a three with one way to an open four",
    ),
    (
        "open_three",
        Shape::OpenThree as usize,
        1.0,
        "that makes an open three",
    ),
    ("four", Shape::Four as usize, 1.2, "that makes a four"),
    (
        "open_four",
        Shape::OpenFour as usize,
        6.0,
        "that makes an open four",
    ),
    ("five", Shape::Five as usize, 8.0, "that makes five"),
    (
        "double_three",
        DOUBLE_THREE,
        2.0,
        "that makes two threes at once",
    ),
    (
        "four_three",
        FOUR_THREE,
        4.0,
        "that makes a four and a three at once",
    ),
    (
        "double_four",
        DOUBLE_FOUR,
        6.0,
        "that makes two fours at once",
    ),
];

impl Tunable for Threats {
    fn parameters() -> Vec<Parameter> {
        let weight = |(name, _, default, about): (&str, usize, f64, &str)| {
            let about = format!("value of a point {about}");
            Parameter::real(name, default, 0.0, 50.0, 0.05, &about)
        };
        let mut all: Vec<Parameter> = WEIGHTS.into_iter().map(weight).collect();
        all.extend([
            Parameter::real(
                "turn",
                1.2,
                0.5,
                4.0,
                0.05,
                "factor of what the side to move has",
            ),
            Parameter::integer(
                "distance",
                2,
                1,
                20,
                "moves that are searched: at most so many steps from a stone",
            ),
            Parameter::integer(
                "width",
                16,
                1,
                400,
                "moves that are searched: at most so many, the best by what a stone makes and takes",
            ),
            Parameter::switch(
                "defences",
                true,
                "against a threat of five or of an open four search only what may stop it",
            ),
            Parameter::integer(
                "vcf_nodes",
                40,
                0,
                1_000_000,
                "positions in a search for a win by continuous fours within the tree; 0: off",
            ),
            Parameter::integer(
                "vcf_depth",
                1,
                0,
                20,
                "plies that must be left at a node for that",
            ),
            Parameter::integer(
                "vcf_root_nodes",
                20_000,
                0,
                100_000_000,
                "positions in a search for a win by continuous fours before each move; 0: off",
            ),
        ]);
        all
    }

    fn from_values(values: &ParameterValues) -> Threats {
        #[expect(clippy::cast_possible_truncation, reason = "declared bounds")]
        let parts = |name: &str, of: f64| (values.get(name) * of).round() as i32;
        let mut weights = [0; SHAPES];
        for (name, number, ..) in WEIGHTS {
            weights[number] = parts(name, 100.0);
        }
        Threats {
            shapes: Shapes::get(),
            weights,
            turn: parts("turn", 64.0),
            distance: u8::try_from(values.integer("distance")).unwrap_or(u8::MAX),
            defences: values.switch("defences"),
            width: values.integer("width").unsigned_abs() as usize,
            vcf_depth: values.integer("vcf_depth").unsigned_abs(),
            vcf_nodes: values.integer("vcf_nodes").unsigned_abs(),
            vcf_root_nodes: values.integer("vcf_root_nodes").unsigned_abs(),
        }
    }
}

impl Threats {
    /// What a side has, in hundredths.
    fn value(&self, patterns: &Patterns, side: Side) -> i32 {
        let counts = patterns.counts(side).iter().zip(&self.weights);
        counts
            .map(|(count, weight)| i32::from(*count) * weight)
            .sum()
    }

    /// What a side's stone on a point is worth, in hundredths.
    fn point_value(&self, patterns: &Patterns, side: Side, point: Point) -> i32 {
        let shapes = patterns.shapes(side, point).into_iter();
        let double = patterns.double(side, point);
        shapes
            .chain(double)
            .map(|number| self.weights[number])
            .sum()
    }

    /// Keeps the best of the moves after the first `before`, in their order.
    fn narrow(&self, state: &Patterns, position: &Gomoku, moves: &mut Vec<Point>, before: usize) {
        if moves.len() - before <= self.width {
            return;
        }
        let rate = |point| {
            let rating = self.rating(state, position.side, point);
            (std::cmp::Reverse(rating), point)
        };
        let mut rated: ArrayVec<_, POINTS> = moves.drain(before..).map(rate).collect();
        rated.select_nth_unstable(self.width);
        moves.extend(rated[..self.width].iter().map(|(_, point)| *point));
        moves[before..].sort_unstable();
    }

    /// What a stone makes, and what it takes from the opponent, in hundredths.
    fn rating(&self, patterns: &Patterns, side: Side, point: Point) -> i32 {
        let makes = self.point_value(patterns, side, point) * self.turn / 64;
        makes + self.point_value(patterns, side.other(), point)
    }

    /// The moves that may stop the opponent's next open fours and double fours on one line:
    /// fours, and stones on those lines that leave no two ways to five. After any other move the
    /// opponent has won. `None` where nothing has to be stopped.
    fn defences(&self, patterns: &Patterns, position: &Gomoku) -> Option<Vec<Point>> {
        let (own, other) = (position.side, position.side.other());
        // A white stone may make Black's next move a foul, wherever it stands.
        if position.rule == Rule::Renju && other == Side::First {
            return None;
        }
        let mut common: Option<Vec<Point>> = None;
        let mut spoilers = Vec::new();
        for threat in patterns.double_threats(other) {
            for (direction, shape) in patterns.shapes(other, threat).into_iter().enumerate() {
                if !is_double(shape) {
                    continue;
                }
                spoilers.clear();
                patterns.spoilers(
                    self.shapes,
                    position,
                    other,
                    threat,
                    direction,
                    &mut spoilers,
                );
                match &mut common {
                    None => common = Some(spoilers.clone()),
                    Some(common) => common.retain(|point| spoilers.contains(point)),
                }
            }
        }
        let mut moves = common?;
        moves.extend(patterns.fours(own));
        moves.sort_unstable();
        moves.dedup();
        if moves.is_empty() {
            moves.extend(patterns.double_threats(other));
        }
        Some(moves)
    }
}

/// Whether Black's stone there is a foul in renju.
fn is_foul(position: &Gomoku, point: Point) -> bool {
    if position.rule != Rule::Renju || position.side != Side::First {
        return false;
    }
    let mut stones = position.stones.clone();
    stones.set(Side::First, point);
    judge::end(&stones, position.rule, Side::First, point)
        .is_some_and(|end| end != judge::End::Five)
}

impl Evaluator<Gomoku> for Threats {
    type State = Patterns;

    fn reset(&self, position: &Gomoku) -> Patterns {
        Patterns::new(self.shapes, position)
    }

    fn apply(&self, state: &mut Patterns, before: &Gomoku, mv: Point, _after: &Gomoku) {
        state.set(self.shapes, before, before.side, mv);
    }

    fn evaluate(&self, state: &Patterns, position: &Gomoku) -> Score {
        let own = self.value(state, position.side) * self.turn / 64;
        let value = own - self.value(state, position.side.other());
        let max = Score::HEURISTIC_MAX.0;
        Score(value.clamp(-max, max))
    }

    /// A five to make, two to stop, and an open four or two fours to make while the opponent
    /// has no five.
    fn prove(&self, state: &Patterns, position: &Gomoku) -> Option<Proof> {
        let (own, other) = (position.side, position.side.other());
        if state.count(own, Shape::Five) > 0 {
            return Some(Proof::win(1));
        }
        if state.count(other, Shape::Five) > 0 {
            return state.has_two_fives(other).then(|| Proof::loss(2));
        }
        let wins = state.has_double_threat(own)
            && (position.rule != Rule::Renju
                || state
                    .double_threats(own)
                    .any(|point| !is_foul(position, point)));
        wins.then(|| Proof::win(3))
    }

    fn candidates(&self, state: &Patterns, position: &Gomoku, moves: &mut Vec<Point>) {
        let (own, other) = (position.side, position.side.other());
        let before = moves.len();
        if self.defences {
            for side in [own, other] {
                if state.count(side, Shape::Five) > 0 {
                    moves.extend(state.fives(side));
                    return;
                }
            }
            if state.has_double_threat(other)
                && let Some(defences) = self.defences(state, position)
            {
                moves.extend(defences);
                return;
            }
        }
        moves.extend(position.stones.empty_near(self.distance));
        if moves.len() > before {
            self.narrow(state, position, moves, before);
            return;
        }
        let middle = i32::from(position.stones.size() / 2);
        let near = |x: u8| (i32::from(x) - middle).abs() <= 1;
        let empty = || position.stones.empty();
        moves.extend(empty().filter(|point| near(point.x()) && near(point.y())));
        if moves.len() == before {
            moves.extend(empty());
        }
    }

    fn force(
        &self,
        state: &Patterns,
        position: &Gomoku,
        effort: Effort,
        enter: &mut dyn FnMut() -> bool,
    ) -> Option<Forced<Point>> {
        let (nodes, least) = match effort {
            Effort::Root => (self.vcf_root_nodes, 1),
            // What takes two moves is proven without a search.
            Effort::Inner(depth) if depth >= self.vcf_depth => (self.vcf_nodes, 2),
            Effort::Inner(_) => return None,
        };
        if nodes == 0 || state.fours(position.side).take(least).count() < least {
            return None;
        }
        let mut left = nodes;
        let mut enter = || {
            left -= u32::from(left > 0);
            left > 0 && enter()
        };
        let solver = Solver::new(self.shapes, &mut enter);
        let line = solver.solve(position, state).line()?;
        // Who answers by a foul could have let the five come.
        let plies = u32::try_from(line.len()).ok()? | 1;
        Some(Forced { plies, line })
    }

    /// What the stone makes, and what it takes from the opponent. Black's fouls come last.
    fn rate_moves(
        &self,
        state: &Patterns,
        position: &Gomoku,
        moves: &[Point],
        ratings: &mut Vec<i32>,
    ) {
        let own = position.side;
        ratings.extend(moves.iter().map(|&mv| {
            if state.double(own, mv).is_some() && is_foul(position, mv) {
                return FOUL;
            }
            self.rating(state, own, mv)
        }));
    }
}

/// The rating of a foul.
const FOUL: i32 = -1_000_000;
