//! Gomoku, five in a row: freestyle, standard, and renju with its fouls.
//!
//! Black begins; who has five stones in a row wins, and a full board is a draw. What counts as
//! five is the rule's ([`Rule`]). A foul of Black's in renju is legal to play and loses at once.
//!
//! A position is written row by row from the top, `x` for a black stone, `o` for a white one and
//! a number for a run of empty points (when reading also `.` for each), then who is to move:
//!
//! ```text
//! 15/15/15/15/15/15/6o8/7x7/15/15/15/15/15/15/15 b
//! ```
//!
//! `b` or `w` must follow from the number of stones. A row of five or more says that the game is
//! over, and how. Two fours or threes do not, since the stone that made them might have been an
//! earlier one; so a game that has ended by them says it in a third field, `double_four` or
//! `double_three`.
//!
//! Moves are points: the column's letter from the left, then the row's number from the bottom, so
//! that `a1` is the lower left corner and `h8` the middle of 15x15. Gomocup's `x,y` are counted
//! from 0 from the upper left corner: there `a1` is `0,14`.

mod bench;
mod board;
mod evaluation;
mod judge;
mod keys;
mod notation;
mod patterns;
mod reference;
mod shapes;
#[cfg(test)]
mod tests;
mod vcf;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

pub use board::Point;
use board::{MAX_SIZE, POINTS, Stones};
pub use evaluation::Threats;
use judge::End;
pub use patterns::Patterns;
pub use vcf::{Vcf, vcf};

use crate::game::{
    Announcement, Diagram, Dialect, Game, GomocupBoard, History, NotationError, Outcome, Side,
    TwoPlayer,
};
use crate::search::{BuiltIn, SearchKind};
use crate::verify::{ReferenceOutcome, Verify};

/// What wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// Five or more in a row.
    #[default]
    Freestyle,
    /// Exactly five in a row; longer rows are nothing.
    Standard,
    /// Exactly five for Black, five or more for White. Black loses by a row of six or more, by
    /// two fours and by two threes at once, unless the same stone makes five.
    Renju,
}

impl Rule {
    /// The value of Gomocup's `INFO rule`.
    fn gomocup(self) -> u32 {
        match self {
            Rule::Freestyle => 0,
            Rule::Standard => 1,
            Rule::Renju => 4,
        }
    }
}

/// What can be chosen before a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GomokuRules {
    /// Rows and columns, from 5 to 20.
    pub size: u8,
    /// What wins.
    pub rule: Rule,
}

impl Default for GomokuRules {
    fn default() -> GomokuRules {
        GomokuRules {
            size: 15,
            rule: Rule::Freestyle,
        }
    }
}

/// A position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gomoku {
    stones: Stones,
    key: u64,
    /// Points without a stone.
    empty: u16,
    rule: Rule,
    side: Side,
    end: Option<End>,
}

impl Gomoku {
    /// A position that ended so far as `end` says, or by a full board.
    fn from_parts(stones: Stones, rule: Rule, side: Side, end: Option<End>) -> Gomoku {
        let empty = u16::try_from(stones.empty().count()).unwrap_or(u16::MAX);
        let end = end.or((empty == 0).then_some(End::FullBoard));
        Gomoku {
            key: keys::whole(&stones, rule, side, |point| point) ^ keys::end(end),
            stones,
            empty,
            rule,
            side,
            end,
        }
    }

    /// Takes the move if it is legal.
    fn checked(&self, mv: Point, text: &str) -> Result<Point, NotationError> {
        if self.is_legal(mv) {
            Ok(mv)
        } else {
            Err(NotationError::Illegal {
                text: text.to_owned(),
                position: self.to_fen(),
            })
        }
    }
}

impl Game for Gomoku {
    const NAME: &'static str = "gomoku";
    const ROLES: [&'static str; 2] = ["black", "white"];
    type Rules = GomokuRules;
    type Move = Point;

    fn check_rules(rules: &GomokuRules) -> Result<(), String> {
        match rules.size {
            5..=MAX_SIZE => Ok(()),
            size => Err(format!(
                "`size` is {size}, but must be from 5 to {MAX_SIZE}"
            )),
        }
    }

    fn announcement(rules: &GomokuRules) -> Announcement {
        Announcement {
            uci_variant: Some(Gomoku::NAME),
            gomocup: Some(GomocupBoard {
                width: rules.size.into(),
                height: rules.size.into(),
                rule: rules.rule.gomocup(),
            }),
            ..Announcement::default()
        }
    }

    fn gomocup_rules(board: GomocupBoard) -> Result<GomokuRules, String> {
        let GomocupBoard {
            width,
            height,
            rule: number,
        } = board;
        if width != height {
            return Err(format!("boards are squares, not {width}x{height}"));
        }
        let mut known = [Rule::Freestyle, Rule::Standard, Rule::Renju].into_iter();
        let rule = known.find(|rule| rule.gomocup() == number);
        Ok(GomokuRules {
            size: u8::try_from(width).unwrap_or(u8::MAX),
            rule: rule.ok_or_else(|| format!("rule {number} is none of 0, 1, 4"))?,
        })
    }

    fn start(rules: &GomokuRules) -> Gomoku {
        Gomoku::from_parts(Stones::none(rules.size), rules.rule, Side::First, None)
    }

    fn legal_moves(&self, moves: &mut Vec<Point>) {
        if self.end.is_none() {
            moves.extend(self.stones.empty());
        }
    }

    fn count_moves(&self) -> u64 {
        match self.end {
            None => self.empty.into(),
            Some(_) => 0,
        }
    }

    fn is_legal(&self, mv: Point) -> bool {
        self.end.is_none() && self.stones.is_empty(mv.step((0, 0), 0))
    }

    #[inline]
    fn play(&mut self, mv: Point) {
        self.stones.set(self.side, mv);
        self.empty -= 1;
        self.end = judge::end(&self.stones, self.rule, self.side, mv)
            .or((self.empty == 0).then_some(End::FullBoard));
        self.key ^= keys::stone(self.side, mv) ^ keys::side() ^ keys::end(self.end);
        self.side = self.side.other();
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn symmetry_key(&self) -> u64 {
        let last = self.stones.size() - 1;
        let turned = |symmetry: u8| {
            keys::whole(&self.stones, self.rule, self.side, |point| {
                let (mut x, mut y) = (point.x(), point.y());
                if symmetry & 1 != 0 {
                    x = last - x;
                }
                if symmetry & 2 != 0 {
                    y = last - y;
                }
                if symmetry & 4 != 0 {
                    (x, y) = (y, x);
                }
                Point::new(x, y)
            })
        };
        let least = (0..8).map(turned).min().unwrap_or(self.key);
        least ^ keys::end(self.end)
    }

    fn from_fen(text: &str, rules: &GomokuRules) -> Result<Gomoku, NotationError> {
        notation::parse_fen(text, rules)
    }

    fn to_fen(&self) -> String {
        notation::format_fen(self)
    }

    fn parse_move(&self, text: &str) -> Result<Point, NotationError> {
        self.checked(notation::parse_move(text, self.stones.size())?, text)
    }

    fn format_move(&self, mv: Point) -> String {
        notation::format_move(mv, self.stones.size())
    }

    fn spell_move(&self, mv: Point, dialect: Dialect) -> String {
        match dialect {
            Dialect::Gomocup => notation::spell_move(mv),
            Dialect::Uci | Dialect::Ucci => self.format_move(mv),
        }
    }

    fn parse_spelled(&self, text: &str, dialect: Dialect) -> Result<Point, NotationError> {
        match dialect {
            Dialect::Gomocup => {
                self.checked(notation::parse_spelled(text, self.stones.size())?, text)
            }
            Dialect::Uci | Dialect::Ucci => self.parse_move(text),
        }
    }

    fn spell_position(&self, dialect: Dialect) -> String {
        match dialect {
            Dialect::Gomocup => notation::spell_position(&self.stones),
            Dialect::Uci | Dialect::Ucci => self.to_fen(),
        }
    }

    fn diagram(&self) -> Diagram {
        let size = self.stones.size();
        let point = |x, y| match self.stones.at(Point::new(x, y)) {
            None => crate::game::Point::Empty,
            Some(side) => crate::game::Point::Piece(notation::stone_letter(side)),
        };
        Diagram {
            columns: (0..size)
                .map(|x| notation::column_name(x).to_string())
                .collect(),
            rows: (1..=size).rev().map(|row| row.to_string()).collect(),
            points: (0..size)
                .flat_map(|y| (0..size).map(move |x| point(x, y)))
                .collect(),
        }
    }
}

impl TwoPlayer for Gomoku {
    fn side_to_move(&self) -> Side {
        self.side
    }

    fn outcome(&self, _history: &History<Gomoku>) -> Option<Outcome> {
        let end = self.end?;
        let winner = match end {
            End::Five => Some(self.side.other()),
            End::Overline | End::DoubleFour | End::DoubleThree => Some(Side::Second),
            End::FullBoard => None,
        };
        let reason = end.name().to_owned();
        Some(Outcome { winner, reason })
    }
}

impl BuiltIn for Gomoku {
    type Evaluator = Threats;

    const HISTORY_SLOTS: usize = POINTS;

    fn history_slot(mv: Point) -> usize {
        mv.index()
    }

    /// None for Black in renju, where every move may be a foul.
    fn pass(&self) -> Option<Gomoku> {
        if self.rule == Rule::Renju && self.side == Side::First {
            return None;
        }
        let mut passed = self.clone();
        passed.side = self.side.other();
        passed.key ^= keys::side();
        Some(passed)
    }

    fn search_defaults(kind: SearchKind) -> &'static [(&'static str, f64)] {
        match kind {
            // Moves come in good order, and few of the later ones matter.
            SearchKind::AlphaBeta => &[
                ("lmr_from", 3.0),
                ("lmr_depth", 2.0),
                ("lmr_base", 0.8),
                ("lmr_divisor", 1.8),
            ],
            SearchKind::Greedy | SearchKind::Random | SearchKind::Beam => &[],
        }
    }

    fn bench_positions() -> Vec<Gomoku> {
        let rules = GomokuRules::default();
        let read = |fen: &&str| Gomoku::from_fen(fen, &rules).expect("the bench's own text");
        bench::FENS.iter().map(read).collect()
    }
}

impl Verify for Gomoku {
    fn reference_moves(fen: &str, rules: &GomokuRules) -> Result<BTreeSet<String>, String> {
        reference::moves(fen, rules.size, rules.rule)
    }

    const REFERENCE_OUTCOME: Option<ReferenceOutcome<Gomoku>> = Some(|played, rules| {
        reference::outcome(played.before, played.last(), rules.size, rules.rule)
    });
}
