//! The evaluation: what pieces are worth, where they stand, and what they do there.
//!
//! All weights are in pawns that have not crossed the river.

use super::Xiangqi;
use super::activity::Activity;
use super::board::{Board, Kind, Move, PIECES, Piece, SQUARES, Square};
use crate::game::{Side, TwoPlayer};
use crate::params::{Parameter, ParameterValues, Tunable};
use crate::search::{Evaluator, Score};

/// The evaluation with its weights.
#[derive(Clone, Debug)]
pub struct PieceSquares {
    /// The value of each piece on each square for Red, in hundredths.
    values: Box<[[i32; SQUARES]; PIECES]>,
    activity: Activity,
    /// What it is worth to be the next to move, in hundredths.
    tempo: i32,
}

/// Name, default, and what it is.
const WEIGHTS: [(&str, f64, &str); 13] = [
    ("adviser", 2.0, "value of an adviser"),
    ("elephant", 2.0, "value of an elephant"),
    ("horse", 4.0, "value of a horse"),
    ("chariot", 9.0, "value of a chariot"),
    ("cannon", 4.5, "value of a cannon"),
    ("pawn", 1.0, "value of a pawn"),
    (
        "pawn_crossed",
        1.0,
        "value of a pawn's crossing of the river",
    ),
    (
        "pawn_advance",
        0.1,
        "value of a step of a pawn's across the river, but to the last rank",
    ),
    (
        "pawn_centre",
        0.2,
        "value of a step of a pawn's, once across, to the middle",
    ),
    (
        "horse_centre",
        0.15,
        "value of a step of a horse's to the middle of the board",
    ),
    (
        "chariot_out",
        0.3,
        "value of a chariot's leaving its corner",
    ),
    (
        "general_home",
        0.2,
        "value of a step of the general's to its first rank",
    ),
    ("tempo", 0.1, "value of being the next to move"),
];

impl Tunable for PieceSquares {
    fn parameters() -> Vec<Parameter> {
        let weight = |&(name, default, about): &(&str, f64, &str)| {
            Parameter::real(name, default, -5.0, 20.0, 0.05, about)
        };
        let standing = WEIGHTS.iter().map(weight);
        standing.chain(Activity::parameters()).collect()
    }

    fn from_values(values: &ParameterValues) -> PieceSquares {
        let hundredths = |name| {
            #[expect(clippy::cast_possible_truncation, reason = "declared from -5 to 20")]
            let value = (values.get(name) * 100.0).round() as i32;
            value
        };
        let mut table = Box::new([[0; SQUARES]; PIECES]);
        for kind in Kind::ALL {
            for square in Square::all() {
                let value = value(kind, square, &hundredths);
                let [red, black] = Side::BOTH.map(|side| Piece::new(side, kind).index());
                table[red][square.index()] = value;
                table[black][square.turned().index()] = -value;
            }
        }
        PieceSquares {
            values: table,
            activity: Activity::new(hundredths),
            tempo: hundredths("tempo"),
        }
    }
}

/// The value of a red piece on a square, in hundredths.
fn value(kind: Kind, square: Square, weight: &impl Fn(&'static str) -> i32) -> i32 {
    let (row, column) = (i32::from(square.row()), i32::from(square.column()));
    // From 0 at the edge to 4 in the middle.
    let inward = 4 - (column - 4).abs();
    match kind {
        Kind::General => -row * weight("general_home"),
        Kind::Adviser => weight("adviser"),
        Kind::Elephant => weight("elephant"),
        Kind::Horse => {
            let middle = inward.min(row.min(9 - row));
            weight("horse") + middle * weight("horse_centre")
        }
        Kind::Chariot => {
            let is_out = row > 0 || inward > 0;
            weight("chariot") + i32::from(is_out) * weight("chariot_out")
        }
        Kind::Cannon => weight("cannon"),
        Kind::Pawn if row < 5 => weight("pawn"),
        Kind::Pawn => {
            let steps = if row < 9 { row - 5 } else { 0 };
            weight("pawn")
                + weight("pawn_crossed")
                + steps * weight("pawn_advance")
                + inward * weight("pawn_centre")
        }
    }
}

impl PieceSquares {
    fn of(&self, piece: Piece, square: Square) -> i32 {
        if piece == Piece::NONE {
            0
        } else {
            self.values[piece.index()][square.index()]
        }
    }

    /// What a move changes for Red.
    fn change(&self, board: &Board, mv: Move) -> i32 {
        let piece = board.at(mv.from);
        self.of(piece, mv.to) - self.of(piece, mv.from) - self.of(board.at(mv.to), mv.to)
    }
}

impl Evaluator<Xiangqi> for PieceSquares {
    /// The value of where the pieces stand for Red, in hundredths.
    type State = i32;

    fn reset(&self, position: &Xiangqi) -> i32 {
        let board = &position.board;
        let pieces = Side::BOTH.into_iter().flat_map(|side| board.of(side));
        pieces.map(|square| self.of(board.at(square), square)).sum()
    }

    fn apply(&self, state: &mut i32, before: &Xiangqi, mv: Move, _after: &Xiangqi) {
        *state += self.change(&before.board, mv);
    }

    fn evaluate(&self, state: &i32, position: &Xiangqi) -> Score {
        let side = position.side_to_move();
        let standing = match side {
            Side::First => *state,
            Side::Second => -*state,
        };
        let [own, enemy] = [side, side.other()].map(|side| self.activity.of(&position.board, side));
        let value = standing + own - enemy;
        let max = Score::HEURISTIC_MAX.0;
        Score((value + self.tempo).clamp(-max, max))
    }

    /// Captures first, the most valuable victim by the least valuable attacker; then the moves
    /// to better squares.
    fn rate_moves(&self, _state: &i32, position: &Xiangqi, moves: &[Move], ratings: &mut Vec<i32>) {
        let board = &position.board;
        ratings.extend(moves.iter().map(|mv| {
            if board.at(mv.to) != Piece::NONE {
                let victim = self.of(board.at(mv.to), mv.to).abs();
                let attacker = self.of(board.at(mv.from), mv.from).abs();
                return CAPTURE + victim * 16 - attacker;
            }
            match position.side_to_move() {
                Side::First => self.change(board, *mv),
                Side::Second => -self.change(board, *mv),
            }
        }));
    }
}

/// Above every rating of another move.
const CAPTURE: i32 = 100_000;
