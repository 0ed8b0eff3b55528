//! The Game of the Amazons.
//!
//! An amazon moves like a chess queen and then shoots an arrow the same way, which burns a
//! square for ever. Who cannot move has lost. Rules and notation agree with
//! Fairy-Stockfish's `amazons`.

mod bench;
mod board;
mod distance;
mod evaluation;
mod keys;
mod mobility;
mod moves;
mod notation;
mod reference;
mod regions;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use board::{Bits, bit, square};
pub use evaluation::Territory;
pub use mobility::Mobility;
pub use moves::Move;
use regions::Regions;

use crate::game::{Diagram, Game, History, NotationError, Outcome, Point, Side, TwoPlayer};
use crate::search::{BuiltIn, SearchKind};
use crate::verify::Verify;

/// What can be chosen before a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AmazonsRules {
    /// Rows and columns: 10, or 8 for the small board.
    pub size: u8,
}

impl Default for AmazonsRules {
    fn default() -> AmazonsRules {
        AmazonsRules { size: 10 }
    }
}

/// A position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amazons {
    empty: Bits,
    amazons: [Bits; 2],
    key: u64,
    /// Plies since the start; as in Fairy-Stockfish nothing sets it back.
    halfmoves: u16,
    fullmove: u16,
    side: Side,
    size: u8,
}

impl Amazons {
    /// A position from sets of squares that do not overlap.
    fn from_parts(
        size: u8,
        amazons: [Bits; 2],
        burnt: Bits,
        side: Side,
        halfmoves: u16,
        fullmove: u16,
    ) -> Amazons {
        Amazons {
            empty: board::board(size) & !(amazons[0] | amazons[1] | burnt),
            amazons,
            key: keys::whole(size, side, amazons, burnt, |square| square),
            halfmoves,
            fullmove,
            side,
            size,
        }
    }

    /// The amazons of the side to move.
    #[inline]
    fn own(&self) -> Bits {
        self.amazons[self.side.index()]
    }

    fn burnt(&self) -> Bits {
        board::board(self.size) & !(self.empty | self.amazons[0] | self.amazons[1])
    }
}

impl Game for Amazons {
    const NAME: &'static str = "amazons";
    const ROLES: [&'static str; 2] = ["white", "black"];
    type Rules = AmazonsRules;
    type Move = Move;

    fn check_rules(rules: &AmazonsRules) -> Result<(), String> {
        match rules.size {
            8 | 10 => Ok(()),
            size => Err(format!("`size` is {size}, but must be 8 or 10")),
        }
    }

    fn start(rules: &AmazonsRules) -> Amazons {
        let size = rules.size;
        // Counted from the corners both boards look alike: a4 d1 on ten, a3 c1 on eight.
        let inset = if size == 8 { 2 } else { 3 };
        let white = [
            square(0, inset),
            square(inset, 0),
            square(size - 1 - inset, 0),
            square(size - 1, inset),
        ];
        let black = [
            square(0, size - 1 - inset),
            square(inset, size - 1),
            square(size - 1 - inset, size - 1),
            square(size - 1, size - 1 - inset),
        ];
        let set = |squares: [u8; 4]| squares.into_iter().fold(0, |set, s| set | bit(s));
        Amazons::from_parts(size, [set(white), set(black)], 0, Side::First, 0, 1)
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        self.append_moves(moves);
    }

    fn count_moves(&self) -> u64 {
        self.number_of_moves()
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.allows(mv)
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        let (from, to, arrow) = (mv.from(), mv.to(), mv.arrow());
        self.amazons[self.side.index()] ^= bit(from) | bit(to);
        self.empty = (self.empty | bit(from)) & !(bit(to) | bit(arrow));
        self.key ^= keys::amazon(self.side, from)
            ^ keys::amazon(self.side, to)
            ^ keys::burnt(arrow)
            ^ keys::side();
        self.halfmoves = self.halfmoves.saturating_add(1);
        if self.side == Side::Second {
            self.fullmove = self.fullmove.saturating_add(1);
        }
        self.side = self.side.other();
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn symmetry_key(&self) -> u64 {
        let last = self.size - 1;
        let burnt = self.burnt();
        (0..8)
            .map(|symmetry| {
                keys::whole(self.size, self.side, self.amazons, burnt, |sq| {
                    let (mut x, mut y) = (board::file(sq), board::rank(sq));
                    if symmetry & 1 != 0 {
                        x = last - x;
                    }
                    if symmetry & 2 != 0 {
                        y = last - y;
                    }
                    if symmetry & 4 != 0 {
                        (x, y) = (y, x);
                    }
                    square(x, y)
                })
            })
            .min()
            .unwrap_or(self.key)
    }

    fn from_fen(text: &str, rules: &AmazonsRules) -> Result<Amazons, NotationError> {
        notation::parse_fen(text, rules)
    }

    fn to_fen(&self) -> String {
        notation::format_fen(self)
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let mv = notation::parse_move(text, self.size)?;
        if self.allows(mv) {
            Ok(mv)
        } else {
            Err(NotationError::Illegal {
                text: text.to_owned(),
                position: self.to_fen(),
            })
        }
    }

    fn format_move(&self, mv: Move) -> String {
        notation::format_move(mv)
    }

    fn diagram(&self) -> Diagram {
        let points = (0..self.size).rev().flat_map(|row| {
            (0..self.size).map(move |column| match self.letter(square(column, row)) {
                None => Point::Empty,
                Some('*') => Point::Mark('*'),
                Some(letter) => Point::Piece(letter),
            })
        });
        Diagram {
            columns: (0..self.size)
                .map(|file| notation::column_name(file).to_string())
                .collect(),
            rows: (1..=self.size).rev().map(|row| row.to_string()).collect(),
            points: points.collect(),
        }
    }
}

impl TwoPlayer for Amazons {
    fn side_to_move(&self) -> Side {
        self.side
    }

    fn outcome(&self, _history: &History<Amazons>) -> Option<Outcome> {
        (!self.has_moves()).then(|| Outcome::win(self.side.other(), "no_moves"))
    }
}

impl BuiltIn for Amazons {
    type Evaluator = Territory;

    const HISTORY_SLOTS: usize = 1 << 14;

    fn history_slot(mv: Move) -> usize {
        usize::from(mv.from()) << 7 | usize::from(mv.to())
    }

    /// None where an amazon has a region of its own: there every move is one less, and a pass
    /// would be worth a move.
    fn pass(&self) -> Option<Amazons> {
        if Regions::new(self.amazons, self.empty).has_alone() {
            return None;
        }
        let mut passed = self.clone();
        passed.side = self.side.other();
        passed.key ^= keys::side();
        Some(passed)
    }

    fn bench_positions() -> Vec<Amazons> {
        let rules = AmazonsRules::default();
        let read = |fen: &&str| Amazons::from_fen(fen, &rules).expect("the bench's own text");
        bench::FENS.iter().map(read).collect()
    }

    fn search_defaults(kind: SearchKind) -> &'static [(&'static str, f64)] {
        match kind {
            // To pass is often the best move of a filled board (zugzwang).
            SearchKind::AlphaBeta => &[("null_move", 0.0)],
            SearchKind::Greedy | SearchKind::Random | SearchKind::Beam => &[],
        }
    }
}

impl Verify for Amazons {
    fn reference_moves(fen: &str, rules: &AmazonsRules) -> Result<BTreeSet<String>, String> {
        reference::moves(fen, rules.size)
    }
}
