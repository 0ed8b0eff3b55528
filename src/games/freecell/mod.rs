//! FreeCell, the solitaire with open cards, by Microsoft's numbers of deals.
//!
//! 52 cards lie open in eight columns. Four cells hold a card each. A card goes on one of the
//! other colour that is one higher, on an empty column, into a free cell, or home, where each suit is
//! built from the ace. A run of cards goes from column to column at once, as many as could go one by
//! one over free cells and empty columns: (cells + 1) · 2^(empty columns), the target not counted.
//!
//! A position is the number of a deal, or its columns with `/` between them, bottom card first, and,
//! where cards are elsewhere, the cells and the foundations (clubs, diamonds, hearts, spades):
//!
//! ```text
//! 11982
//! JD KD 2S/2D KC/-/4H/QS/-/-/KH ; TD - - 9C ; 7 9 5 A
//! ```
//!
//! Moves are written as Freecell Solver writes them: `5a` from column 5 to the first cell, `b3`,
//! `2h` (home), `36` for the run that fits, `36v4` for four cards to an empty column (the number is
//! hexadecimal).

mod board;
mod cards;
mod checker;
mod deal;
mod heuristic;
mod moves;
mod notation;
#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use board::Board;
pub use deal::LARGEST_DEAL;
pub use heuristic::Progress;
pub use moves::Move;

use crate::game::{CheckedSolution, Diagram, Game, NotationError, Solitaire, SolutionError};
use crate::search::{Preset, Solvable};

const NAME: &str = "freecell";

/// There is nothing to choose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FreeCellRules {}

/// A position. Positions that differ in the order of columns and cells only are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FreeCell {
    board: Board,
}

impl Game for FreeCell {
    const NAME: &'static str = NAME;
    /// One player, who tries each deal for each of two variants.
    const ROLES: [&'static str; 2] = ["solver", "deal"];
    type Rules = FreeCellRules;
    type Move = Move;

    fn check_rules(_rules: &FreeCellRules) -> Result<(), String> {
        Ok(())
    }

    /// Deal 1.
    fn start(_rules: &FreeCellRules) -> FreeCell {
        FreeCell {
            board: deal::deal(1),
        }
    }

    /// Of moves that lead to the same position, one.
    fn legal_moves(&self, moves: &mut Vec<Move>) {
        self.board.list_moves(moves);
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.board.check(mv).is_ok()
    }

    fn play(&mut self, mv: Move) {
        self.board.make(mv);
    }

    fn key(&self) -> u64 {
        self.board.key()
    }

    fn from_fen(text: &str, _rules: &FreeCellRules) -> Result<FreeCell, NotationError> {
        notation::parse_position(text).map(|board| FreeCell { board })
    }

    fn to_fen(&self) -> String {
        notation::format_position(&self.board)
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        notation::parse_move(&self.board, text)
    }

    fn format_move(&self, mv: Move) -> String {
        notation::format_move(&self.board, mv)
    }

    /// The columns from above, cells and foundations in the first row.
    fn diagram(&self) -> Diagram {
        notation::diagram(&self.board)
    }
}

impl Solitaire for FreeCell {
    const DEALS: RangeInclusive<u32> = 1..=LARGEST_DEAL;

    fn deal(number: u32) -> Option<FreeCell> {
        Self::DEALS.contains(&number).then(|| FreeCell {
            board: deal::deal(number),
        })
    }

    fn is_solved(&self) -> bool {
        self.board.is_solved()
    }

    fn pieces(mv: Move) -> u32 {
        mv.count.into()
    }

    fn read_board(text: &str) -> Result<FreeCell, NotationError> {
        notation::read_board(text).map(|board| FreeCell { board })
    }

    fn check_solution(position: &str, moves: &str) -> Result<CheckedSolution, SolutionError> {
        checker::check(position, moves)
    }
}

impl Solvable for FreeCell {
    type Heuristic = Progress;

    fn presets() -> &'static [Preset] {
        &heuristic::PRESETS
    }

    /// Brings home what is of no use elsewhere, and all cards once none lies on a lower one.
    #[inline]
    fn play_forced(&mut self, mut played: impl FnMut(Move)) {
        while let Some(mv) = self.board.free_move() {
            self.board.make(mv);
            played(mv);
        }
    }
}
