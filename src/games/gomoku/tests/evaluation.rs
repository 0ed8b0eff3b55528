//! The evaluation against slow words of the same, and the search against plain negamax.

use std::collections::{BTreeSet, HashMap};

use super::super::board::DIRECTIONS;
use super::super::judge::wins;
use super::super::patterns::{DOUBLE_FOUR, is_double};
use super::super::shapes::Shape;
use super::*;
use crate::params::{ParameterValues, Tunable};
use crate::search::{
    Control, Evaluator, Score, SearchKind, SearchLimits, SearchSpec, StopFlag, build, parameters,
};

/// A whole line as characters: `x` for own stones, `.` for empty points, `#` for all else.
type Line = Vec<char>;

/// Shapes by their words, on whole lines.
struct Slow {
    rule: Rule,
    side: Side,
    known: HashMap<(Line, usize), u8>,
}

impl Slow {
    /// What the stone at `place` of a line makes.
    fn shape(&mut self, line: &Line, place: usize) -> u8 {
        assert_eq!(line[place], 'x');
        if let Some(known) = self.known.get(&(line.clone(), place)) {
            return *known;
        }
        let shape = self.judge(line, place) as u8;
        self.known.insert((line.clone(), place), shape);
        shape
    }

    fn judge(&mut self, line: &Line, place: usize) -> Shape {
        let row = |line: &Line| {
            let from = (0..=place).rev().take_while(|at| line[*at] == 'x').last();
            let to = (place..line.len()).take_while(|at| line[*at] == 'x').last();
            (from.expect("a stone"), to.expect("a stone"))
        };
        let (from, to) = row(line);
        let length = u32::try_from(to - from + 1).expect("short");
        if wins(self.rule, self.side, length) {
            return Shape::Five;
        }
        if length > 5 {
            return Shape::Nothing;
        }
        // The fewest more stones that make five with this one, by what comes of the next.
        let mut next = Vec::new();
        for at in place.saturating_sub(5)..=(place + 5).min(line.len() - 1) {
            if line[at] == '.' {
                let mut after = line.clone();
                after[at] = 'x';
                next.push((at, self.shape(&after, place)));
            }
        }
        let points = |shape: Shape| -> BTreeSet<usize> {
            let makes = next.iter().filter(|(_, then)| *then == shape as u8);
            makes.map(|(at, _)| *at).collect()
        };
        let fives = points(Shape::Five);
        if fives.len() >= 2 {
            let ends = from > 0 && fives.contains(&(from - 1)) && fives.contains(&(to + 1));
            return if length == 4 && ends {
                Shape::OpenFour
            } else {
                Shape::DoubleFour
            };
        }
        if fives.len() == 1 {
            return Shape::Four;
        }
        let mut open = points(Shape::OpenFour).len();
        if wins(self.rule, self.side, 6) {
            open += points(Shape::DoubleFour).len();
        }
        match open {
            0 => {}
            1 => return Shape::BrokenThree,
            _ => return Shape::OpenThree,
        }
        for (shape, from) in [
            (Shape::Three, [Shape::Four, Shape::DoubleFour]),
            (Shape::OpenTwo, [Shape::BrokenThree, Shape::OpenThree]),
            (Shape::Two, [Shape::Three; 2]),
            (Shape::OpenOne, [Shape::OpenTwo; 2]),
            (Shape::One, [Shape::Two; 2]),
        ] {
            if from.iter().any(|from| !points(*from).is_empty()) {
                return shape;
            }
        }
        Shape::Nothing
    }

    /// The shapes of a point in all directions.
    fn shapes(&mut self, position: &Gomoku, point: Point) -> [usize; 4] {
        let size = i32::from(position.stones.size());
        let inside = |(x, y): (i32, i32)| (0..size).contains(&x) && (0..size).contains(&y);
        DIRECTIONS.map(|direction| {
            let back = (1..20).take_while(|steps| inside(point.step(direction, -steps)));
            let back = i32::try_from(back.count()).expect("short");
            let places = (-back..20).map(|steps| point.step(direction, steps));
            let letter = |place| match place {
                _ if position.stones.has(self.side, place) => 'x',
                _ if position.stones.is_empty(place) => '.',
                _ => '#',
            };
            let mut line: Line = places
                .take_while(|place| inside(*place))
                .map(letter)
                .collect();
            line[back.unsigned_abs() as usize] = 'x';
            usize::from(self.shape(&line, back.unsigned_abs() as usize))
        })
    }
}

fn evaluator() -> Threats {
    Threats::from_values(&ParameterValues::defaults(&Threats::parameters()))
}

/// A position in which stones crowd: each beside one before.
fn crowd(rules: &GomokuRules, seed: u64, stones: usize) -> Gomoku {
    let mut number = seed;
    let mut position = Gomoku::start(rules);
    for _ in 0..stones {
        let mut moves: Vec<Point> = position.stones.empty_near(2).collect();
        if moves.is_empty() {
            position.legal_moves(&mut moves);
        }
        number = number
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let index = usize::try_from(number >> 33).expect("31 bits") % moves.len();
        let mut after = position.clone();
        after.play(moves[index]);
        if after.end.is_none() {
            position = after;
        }
    }
    position
}

#[test]
fn shapes_agree_with_their_words() {
    for (size, rule, stones, games) in [
        (15, Rule::Freestyle, 40, 6),
        (15, Rule::Standard, 40, 6),
        (15, Rule::Renju, 40, 6),
        (20, Rule::Standard, 120, 1),
        (7, Rule::Renju, 25, 10),
        (5, Rule::Freestyle, 12, 10),
    ] {
        let mut slow = Side::BOTH.map(|side| Slow {
            rule,
            side,
            known: HashMap::new(),
        });
        for seed in 0..games {
            let rules = rules(size, rule);
            let evaluator = evaluator();
            let mut position = Gomoku::start(&rules);
            let mut state = evaluator.reset(&position);
            let whole = crowd(&rules, seed, stones);
            // The same stones, in another order: what is carried along must not depend on it.
            let mut left = Side::BOTH.map(|side| whole.stones.of(side).collect::<Vec<_>>());
            while let Some(mv) = left[position.side.index()].pop() {
                let before = position.clone();
                position.play(mv);
                evaluator.apply(&mut state, &before, mv, &position);
                assert_eq!(state, evaluator.reset(&position));
            }
            for side in Side::BOTH {
                let mut doubles = 0;
                for point in position.stones.empty() {
                    let found = state.shapes(side, point);
                    let expected = slow[side.index()].shapes(&position, point);
                    assert_eq!(
                        found,
                        expected,
                        "{rule:?} {side:?} {point:?} {}",
                        position.to_fen()
                    );
                    let fours = expected
                        .iter()
                        .filter(|shape| **shape >= Shape::Four as usize);
                    let two =
                        fours.count() >= 2 || expected.contains(&(Shape::DoubleFour as usize));
                    assert_eq!(state.double(side, point) == Some(DOUBLE_FOUR), two);
                    doubles += i16::from(two);
                }
                assert_eq!(state.counts(side)[DOUBLE_FOUR], doubles);
            }
        }
    }
}

#[test]
fn six_are_five_only_by_the_rule() {
    // Where Black's row has a gap, a stone makes six.
    let fen = "15/15/15/15/15/15/15/3xxx1xx6/15/15/15/15/15/15/oo1oo1o8 b";
    for (rule, shape) in [
        (Rule::Freestyle, Shape::Five),
        (Rule::Standard, Shape::Nothing),
        (Rule::Renju, Shape::Nothing),
    ] {
        let position = read(fen, rules(15, rule));
        let state = evaluator().reset(&position);
        let gap = position.parse_move("g8").expect("legal");
        assert_eq!(
            state.shapes(Side::First, gap)[0],
            shape as usize,
            "{rule:?}"
        );
        assert_eq!(
            state.count(Side::First, Shape::Five) > 0,
            rule == Rule::Freestyle
        );
    }
    // White's may be longer in renju.
    let white = "15/15/15/15/15/15/15/3ooo1oo6/15/15/15/15/15/15/xx1xx1x1x6 w";
    for (rule, five) in [
        (Rule::Freestyle, true),
        (Rule::Standard, false),
        (Rule::Renju, true),
    ] {
        let state = evaluator().reset(&read(white, rules(15, rule)));
        assert_eq!(state.count(Side::Second, Shape::Five) > 0, five, "{rule:?}");
    }
}

/// The value of a position by the definition, over all legal moves.
fn negamax(evaluator: &Threats, position: &Gomoku, depth: u32, ply: u32) -> Score {
    if let Some(outcome) = end_of(position) {
        return match outcome.winner {
            None => Score::ZERO,
            Some(side) if side == position.side => Score::win_in(ply),
            Some(_) => Score::loss_in(ply),
        };
    }
    let state = evaluator.reset(position);
    if ply > 0
        && let Some(proof) = evaluator.prove(&state, position)
    {
        return proof.score(ply);
    }
    if depth == 0 {
        return evaluator.evaluate(&state, position);
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let value = |mv: Point| {
        let mut after = position.clone();
        after.play(mv);
        -negamax(evaluator, &after, depth - 1, ply + 1)
    };
    moves.into_iter().map(value).max().expect("a move")
}

/// With moves anywhere and no search for fours, the moves that are left out against threats
/// change no value.
#[test]
fn without_selective_parts_the_search_equals_negamax() {
    let mut spec = SearchSpec::defaults::<Gomoku>(SearchKind::AlphaBeta);
    let declared = parameters::<Gomoku>(SearchKind::AlphaBeta);
    for part in ["late_move_reductions", "null_move"] {
        spec.parameters.set(&declared, part, 0.0).expect(part);
    }
    let of_evaluation = Threats::parameters();
    for (name, value) in [
        ("vcf_nodes", 0.0),
        ("vcf_root_nodes", 0.0),
        ("distance", 20.0),
        ("width", 400.0),
    ] {
        spec.evaluation
            .set(&of_evaluation, name, value)
            .expect(name);
    }
    let evaluator = Threats::from_values(&spec.evaluation);
    let (mut compared, mut threats, mut proven) = (0, 0, 0);
    for rule in RULES {
        for seed in 0..30 {
            let position = crowd(&rules(6, rule), seed, 16);
            if position.end.is_some() || position.empty < 2 {
                continue;
            }
            let state = evaluator.reset(&position);
            let mut moves = Vec::new();
            evaluator.candidates(&state, &position, &mut moves);
            threats += usize::from(moves.len() < usize::from(position.empty));
            if moves.len() == 1 {
                continue;
            }
            for depth in 1..=3 {
                let limits = SearchLimits {
                    depth,
                    ..SearchLimits::NONE
                };
                let stop = StopFlag::new();
                let history = History::new(position.clone());
                let mut search = build::<Gomoku>(&spec);
                let mut control = Control::new(limits, &stop);
                let found = search.search(&position, &history, &mut control);
                let expected = negamax(&evaluator, &position, depth, 0);
                // A search that has proven its result goes no deeper.
                if found.depth == depth {
                    let fen = position.to_fen();
                    assert_eq!(found.score, Some(expected), "{rule:?} depth {depth}: {fen}");
                    compared += 1;
                    proven += usize::from(expected.is_proven());
                }
            }
        }
    }
    assert!(
        compared > 100 && threats > 20 && proven > 5,
        "{compared} {threats} {proven}"
    );
}

#[test]
fn candidates_are_near_stones_and_never_none() {
    let evaluator = evaluator();
    let candidates = |position: &Gomoku| {
        let mut moves = Vec::new();
        evaluator.candidates(&evaluator.reset(position), position, &mut moves);
        assert!(moves.iter().all(|mv| position.is_legal(*mv)));
        let mut texts: Vec<String> = moves.iter().map(|mv| position.format_move(*mv)).collect();
        texts.sort_unstable();
        texts
    };
    let start = Gomoku::start(&GomokuRules::default());
    assert_eq!(
        candidates(&start),
        ["g7", "g8", "g9", "h7", "h8", "h9", "i7", "i8", "i9"]
    );
    let corner = play(&start, "a15");
    let expected = ["a13", "a14", "b13", "b14", "b15", "c13", "c14", "c15"];
    assert_eq!(candidates(&corner), expected);
    // Black's open three must be met: on the row, or by a four, of which there is none.
    let three = play(&start, "g8 a1 h8 o1 i8");
    assert_eq!(candidates(&three), ["f8", "j8"]);
    // Black's four leaves one answer, and five is made where it can be.
    assert_eq!(candidates(&play(&three, "f8 j8")), ["k8"]);
    assert_eq!(candidates(&play(&three, "a15 j8 k8")), ["f8"]);
    for seed in 0..40 {
        let position = crowd(&rules(5, Rule::Renju), seed, 40);
        assert!(!candidates(&position).is_empty());
    }
    assert!(is_double(Shape::OpenFour as usize) && !is_double(Shape::Four as usize));
}
