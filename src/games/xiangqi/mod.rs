//! Xiangqi, Chinese chess.
//!
//! Red (the first side, upper case) begins. Who cannot move loses, in check or not. The generals
//! may not face each other on an open column. At the third occurrence of a position, whoever has
//! given check with every move since the first one loses, and otherwise the game is a draw; so it
//! is after many plies without a capture ([`XiangqiRules`]). Perpetual chases are not looked at.
//!
//! Positions are written in FEN, as engines of UCI and UCCI do, with `K`, `A`, `B` (elephant),
//! `N` (horse), `R` (chariot), `C`, `P`; `E` and `H` are read too. The last two fields are the
//! plies since a capture and the number of the move:
//!
//! ```text
//! rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1
//! ```
//!
//! Moves are from one square to another. Ranks are counted from Red's side, from 1 in UCI and
//! here (`h3e3`, `h10g8`), from 0 in UCCI (`h2e2`, `h9g7`).

mod activity;
mod bench;
mod board;
mod evaluation;
mod keys;
mod moves;
mod notation;
mod reference;
mod repetition;
mod tables;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

pub use board::Move;
use board::{Board, Kind, Piece, SQUARES, Square};
pub use evaluation::PieceSquares;

use crate::game::{
    Diagram, Dialect, Game, History, NotationError, Outcome, Point, Side, TwoPlayer,
};
use crate::search::{BuiltIn, Countdown, Repetition, SearchKind};
use crate::verify::{ReferenceOutcome, Verify};

/// What can be chosen before a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct XiangqiRules {
    /// Plies without a capture after which the game is a draw, from 1 to 1000.
    pub plies_without_capture: u16,
}

impl Default for XiangqiRules {
    /// Fifty moves, as Fairy-Stockfish and ElephantEye have it.
    fn default() -> XiangqiRules {
        XiangqiRules {
            plies_without_capture: 100,
        }
    }
}

/// A position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Xiangqi {
    board: Board,
    key: u64,
    side: Side,
    plies_since_capture: u16,
    /// The number of the move, counted as in chess.
    number: u16,
    rules: XiangqiRules,
}

impl Xiangqi {
    fn from_parts(
        board: Board,
        side: Side,
        plies_since_capture: u16,
        number: u16,
        rules: XiangqiRules,
    ) -> Xiangqi {
        Xiangqi {
            key: keys::whole(&board, side, |square| square),
            board,
            side,
            plies_since_capture,
            number,
            rules,
        }
    }

    /// Takes the move if it is legal.
    fn checked(&self, mv: Move, text: &str) -> Result<Move, NotationError> {
        if self.is_legal(mv) {
            Ok(mv)
        } else {
            Err(NotationError::Illegal {
                text: text.to_owned(),
                position: self.to_fen(),
            })
        }
    }

    fn has_moves(&self) -> bool {
        let found = self.board.each_legal(self.side, ControlFlow::Break);
        found.is_break()
    }
}

impl Game for Xiangqi {
    const NAME: &'static str = "xiangqi";
    const ROLES: [&'static str; 2] = ["red", "black"];
    type Rules = XiangqiRules;
    type Move = Move;

    fn check_rules(rules: &XiangqiRules) -> Result<(), String> {
        match rules.plies_without_capture {
            1..=1000 => Ok(()),
            plies => Err(format!(
                "`plies_without_capture` is {plies}, but must be from 1 to 1000"
            )),
        }
    }

    fn start(rules: &XiangqiRules) -> Xiangqi {
        let mut board = Board::empty();
        let back = [
            Kind::Chariot,
            Kind::Horse,
            Kind::Elephant,
            Kind::Adviser,
            Kind::General,
            Kind::Adviser,
            Kind::Elephant,
            Kind::Horse,
            Kind::Chariot,
        ];
        let pieces = (0..).zip(back).map(|(column, kind)| (0, column, kind));
        let cannons = [1, 7].map(|column| (2, column, Kind::Cannon));
        let pawns = [0, 2, 4, 6, 8].map(|column| (3, column, Kind::Pawn));
        for (row, column, kind) in pieces.chain(cannons).chain(pawns) {
            let square = Square::new(row, column);
            board.set(Side::First, kind, square);
            board.set(Side::Second, kind, square.turned());
        }
        Xiangqi::from_parts(board, Side::First, 0, 1, *rules)
    }

    /// A position that is drawn has legal moves, as other programs count them.
    fn legal_moves(&self, moves: &mut Vec<Move>) {
        let ControlFlow::Continue(()) = self.board.each_legal(self.side, |mv| {
            moves.push(mv);
            ControlFlow::<std::convert::Infallible>::Continue(())
        });
    }

    fn count_moves(&self) -> u64 {
        let mut count = 0;
        let ControlFlow::Continue(()) = self.board.each_legal(self.side, |_| {
            count += 1;
            ControlFlow::<std::convert::Infallible>::Continue(())
        });
        count
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.board.is_legal(self.side, mv)
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        let piece = self.board.at(mv.from);
        let taken = self.board.make(mv);
        self.key ^= keys::piece(piece, mv.from)
            ^ keys::piece(piece, mv.to)
            ^ keys::piece(taken, mv.to)
            ^ keys::side();
        self.plies_since_capture = if taken == Piece::NONE {
            self.plies_since_capture.saturating_add(1)
        } else {
            0
        };
        if self.side == Side::Second {
            self.number = self.number.saturating_add(1);
        }
        self.side = self.side.other();
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn symmetry_key(&self) -> u64 {
        self.mirror_key()
            .map_or(self.key, |mirrored| mirrored.min(self.key))
    }

    fn mirror_key(&self) -> Option<u64> {
        Some(keys::whole(&self.board, self.side, Square::mirrored))
    }

    fn mirror_move(&self, mv: Move) -> Move {
        Move {
            from: mv.from.mirrored(),
            to: mv.to.mirrored(),
        }
    }

    fn from_fen(text: &str, rules: &XiangqiRules) -> Result<Xiangqi, NotationError> {
        notation::parse_fen(text, rules)
    }

    fn to_fen(&self) -> String {
        notation::format_fen(self)
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        self.parse_spelled(text, Dialect::Uci)
    }

    fn format_move(&self, mv: Move) -> String {
        notation::format_move(mv, Dialect::Uci)
    }

    fn spell_move(&self, mv: Move, dialect: Dialect) -> String {
        notation::format_move(mv, dialect)
    }

    fn parse_spelled(&self, text: &str, dialect: Dialect) -> Result<Move, NotationError> {
        self.checked(notation::parse_move(text, dialect)?, text)
    }

    /// In UCCI after every capture.
    fn starts_afresh(&self, mv: Move, dialect: Dialect) -> bool {
        dialect == Dialect::Ucci && self.board.at(mv.to) != Piece::NONE
    }

    fn diagram(&self) -> Diagram {
        let point = |square| {
            let letter = notation::piece_letter(self.board.at(square));
            letter.map_or(Point::Empty, Point::Piece)
        };
        let row = |row| (0..9).map(move |column| Square::new(row, column));
        Diagram {
            columns: (0..9)
                .map(|column| notation::column_name(column).to_string())
                .collect(),
            rows: (1..=10).rev().map(|rank| rank.to_string()).collect(),
            points: (0..10).rev().flat_map(row).map(point).collect(),
        }
    }
}

impl TwoPlayer for Xiangqi {
    fn side_to_move(&self) -> Side {
        self.side
    }

    /// No legal move ends the game before a repetition does, and that before the count of plies
    /// without a capture.
    fn outcome(&self, history: &History<Xiangqi>) -> Option<Outcome> {
        if !self.has_moves() {
            let reason = if self.board.is_in_check(self.side) {
                "checkmate"
            } else {
                "stalemate"
            };
            return Some(Outcome::win(self.side.other(), reason));
        }
        repetition::outcome(self, history).or_else(|| {
            let is_drawn = self.plies_since_capture >= self.rules.plies_without_capture;
            is_drawn.then(|| Outcome::draw("no_capture"))
        })
    }

    fn afresh(&self) -> Xiangqi {
        Xiangqi {
            plies_since_capture: 0,
            ..self.clone()
        }
    }
}

impl BuiltIn for Xiangqi {
    type Evaluator = PieceSquares;

    const HISTORY_SLOTS: usize = SQUARES * SQUARES;

    const COMES_BACK: bool = true;

    fn history_slot(mv: Move) -> usize {
        mv.from.index() * SQUARES + mv.to.index()
    }

    fn in_check(&self) -> bool {
        self.board.is_in_check(self.side)
    }

    /// Not in the ending: with one chariot, horse or cannon or none, having to move may be bad.
    fn pass(&self) -> Option<Xiangqi> {
        let strong = self.board.of(self.side).filter(|square| {
            let kind = self.board.at(*square).kind();
            matches!(kind, Kind::Chariot | Kind::Horse | Kind::Cannon)
        });
        if strong.take(2).count() < 2 {
            return None;
        }
        let mut passed = self.clone();
        passed.key ^= keys::side();
        passed.side = self.side.other();
        // No position from before comes back behind a pass.
        passed.plies_since_capture = 0;
        Some(passed)
    }

    fn repetition(&self, history: &History<Xiangqi>, root: usize) -> Option<Repetition> {
        repetition::in_search(self, history, root)
    }

    fn countdown(&self, history: &History<Xiangqi>) -> Option<Countdown> {
        let left = self
            .rules
            .plies_without_capture
            .saturating_sub(self.plies_since_capture);
        Some(Countdown {
            left: left.into(),
            since: history
                .plies()
                .saturating_sub(self.plies_since_capture.into()),
        })
    }

    /// The captures.
    fn tactical_moves(&self, moves: &mut Vec<Move>) {
        let ControlFlow::Continue(()) = self.board.each_capture(self.side, |mv| {
            moves.push(mv);
            ControlFlow::<std::convert::Infallible>::Continue(())
        });
    }

    /// The rating tells enough of a move, and there are many leaves.
    fn search_defaults(kind: SearchKind) -> &'static [(&'static str, f64)] {
        match kind {
            SearchKind::AlphaBeta => &[("fine_sort", 0.0), ("aspiration_window", 0.5)],
            SearchKind::Greedy | SearchKind::Random | SearchKind::Beam => &[],
        }
    }

    fn bench_positions() -> Vec<Xiangqi> {
        let rules = XiangqiRules::default();
        let read = |fen: &&str| Xiangqi::from_fen(fen, &rules).expect("the bench's own text");
        bench::FENS.iter().map(read).collect()
    }
}

impl Verify for Xiangqi {
    fn reference_moves(fen: &str, _rules: &XiangqiRules) -> Result<BTreeSet<String>, String> {
        reference::moves(fen)
    }

    const REFERENCE_OUTCOME: Option<ReferenceOutcome<Xiangqi>> =
        Some(|played, rules| reference::outcome(played, rules.plies_without_capture));
}
