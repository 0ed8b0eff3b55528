//! Fox and Geese on the cross of 33 points.
//!
//! Thirteen geese (the first side, who begin) try to shut the fox in; a fox that cannot move has
//! lost. The fox takes geese by jumping over them, and wins when few are left or when the geese
//! cannot move. What differs from place to place is in [`FoxGeeseRules`]. "Fox and Geese" on a
//! draughts board with four geese is another game.
//!
//! A position is its rows from the top, of 3, 3, 7, 7, 7, 3 and 3 points, with `F`, `G` and digits
//! for runs of empty points; then `g` or `f` to move, and the plies since the last capture unless
//! there are none:
//!
//! ```text
//! 1F1/3/7/7/GGGGGGG/GGG/GGG g
//! ```
//!
//! A move is the point where it begins and every point where it lands: `d7d6` is a step, `d5d3` a
//! jump, `d5d3f3` a chain of two. Columns are `a` to `g` from the left, rows 1 to 7 from the
//! bottom, where the geese begin.

mod bench;
mod board;
mod evaluation;
mod keys;
mod moves;
mod notation;
mod reference;
mod rules;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use board::{Bits, POINTS, Point, SIZE, bit, point};
pub use evaluation::Siege;
use moves::All;
pub use moves::Move;
use rules::Ruling;
pub use rules::{FoxGeeseRules, NoProgress, Rule};

use crate::game::{
    Diagram, Game, History, NotationError, Outcome, Point as Symbol, Side, TwoPlayer,
};
use crate::search::{BuiltIn, Countdown, Repetition, SearchKind};
use crate::verify::{ReferenceOutcome, Verify};

/// A position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoxGeese {
    geese: Bits,
    key: u64,
    fox: Point,
    side: Side,
    /// Plies since the last capture.
    quiet: u16,
    ruling: Ruling,
}

/// Occurrences of a position that end the game.
const OCCURRENCES: usize = 3;

impl FoxGeese {
    fn from_parts(geese: Bits, fox: Point, side: Side, quiet: u16, ruling: Ruling) -> FoxGeese {
        FoxGeese {
            geese,
            key: keys::whole(geese, fox, side, |point| point),
            fox,
            side,
            quiet,
            ruling,
        }
    }

    /// The letter of the piece on a point, if there is one.
    fn letter(&self, point: Point) -> Option<char> {
        if point == self.fox {
            Some('F')
        } else {
            (self.geese & bit(point) != 0).then_some('G')
        }
    }

    /// The plies where the position has been before, the latest first. None comes back after a
    /// capture.
    fn earlier(&self, history: &History<FoxGeese>) -> impl Iterator<Item = usize> {
        let now = history.plies();
        let reversible = usize::from(self.quiet).min(now);
        let plies = (2..=reversible).step_by(2).map(move |back| now - back);
        plies.filter(move |ply| history.keys()[*ply] == self.key)
    }

    /// Whether the position is there for the third time.
    fn is_threefold(&self, history: &History<FoxGeese>) -> bool {
        self.earlier(history).nth(OCCURRENCES - 2).is_some()
    }

    /// The game that ends because nothing happens.
    fn without_progress(&self, reason: &str) -> Outcome {
        match self.ruling.no_progress_wins {
            NoProgress::Nobody => Outcome::draw(reason),
            NoProgress::Fox => Outcome::win(Side::Second, reason),
        }
    }
}

impl Game for FoxGeese {
    const NAME: &'static str = "fox_geese";
    const ROLES: [&'static str; 2] = ["geese", "fox"];
    type Rules = FoxGeeseRules;
    type Move = Move;

    fn check_rules(rules: &FoxGeeseRules) -> Result<(), String> {
        rules::start(rules).map(drop)
    }

    fn start(rules: &FoxGeeseRules) -> FoxGeese {
        rules::start(rules).expect("rules that have passed `check_rules`")
    }

    /// A position that is drawn has legal moves, as perft counts them.
    fn legal_moves(&self, moves: &mut Vec<Move>) {
        let All::Continue(()) = self.each_move(|mv| {
            moves.push(mv);
            All::Continue(())
        });
    }

    fn count_moves(&self) -> u64 {
        let mut count = 0;
        let All::Continue(()) = self.each_move(|_| {
            count += 1;
            All::Continue(())
        });
        count
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.allows(mv)
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        self.quiet = self.quiet.saturating_add(1);
        if self.side == Side::First {
            self.geese ^= bit(from) | bit(to);
            self.key ^= keys::goose(from) ^ keys::goose(to);
        } else {
            self.fox = to;
            self.key ^= keys::fox(from) ^ keys::fox(to);
            if !mv.is_step() {
                let taken = mv.taken();
                self.geese &= !taken;
                self.key = board::each(taken).fold(self.key, |key, at| key ^ keys::goose(at));
                self.quiet = 0;
            }
        }
        self.key ^= keys::side();
        self.side = self.side.other();
    }

    fn key(&self) -> u64 {
        self.key
    }

    /// Geese that may not go back know top from bottom; otherwise all eight symmetries count.
    fn symmetry_key(&self) -> u64 {
        let last = SIZE - 1;
        let symmetries = if self.ruling.geese_backward {
            0..8
        } else {
            0..2
        };
        let key = |symmetry: u8| {
            keys::whole(self.geese, self.fox, self.side, |at| {
                let (mut row, mut column) = (board::row(at), board::column(at));
                if symmetry & 1 != 0 {
                    column = last - column;
                }
                if symmetry & 2 != 0 {
                    row = last - row;
                }
                if symmetry & 4 != 0 {
                    (row, column) = (column, row);
                }
                point(row, column)
            })
        };
        symmetries.map(key).min().unwrap_or(self.key)
    }

    fn from_fen(text: &str, rules: &FoxGeeseRules) -> Result<FoxGeese, NotationError> {
        notation::parse_fen(text, rules)
    }

    fn to_fen(&self) -> String {
        notation::format_fen(self)
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let mv = notation::parse_move(text)?;
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
        let symbol = |row, column| {
            if !board::is_point(row, column) {
                return Symbol::Void;
            }
            let letter = self.letter(point(row, column));
            letter.map_or(Symbol::Empty, Symbol::Piece)
        };
        let row = |row| (0..SIZE).map(move |column| symbol(row, column));
        Diagram {
            columns: (0..SIZE)
                .map(|column| notation::column_name(column).to_string())
                .collect(),
            rows: (0..SIZE)
                .map(|row| notation::row_name(row).to_string())
                .collect(),
            points: (0..SIZE).flat_map(row).collect(),
        }
    }
}

impl TwoPlayer for FoxGeese {
    fn side_to_move(&self) -> Side {
        self.side
    }

    /// The number of geese ends the game first, then a side that cannot move, a repetition, plies
    /// without a capture, and the length.
    fn outcome(&self, history: &History<FoxGeese>) -> Option<Outcome> {
        if self.has_few_geese() {
            return Some(Outcome::win(Side::Second, "few_geese"));
        }
        if !self.can_move() {
            return Some(Outcome::win(self.side.other(), "no_moves"));
        }
        let Ruling {
            threefold_repetition,
            plies_without_capture: most,
            max_plies,
            ..
        } = self.ruling;
        if threefold_repetition && self.is_threefold(history) {
            return Some(self.without_progress("threefold"));
        }
        if most > 0 && self.quiet >= most {
            return Some(self.without_progress("no_capture"));
        }
        (history.plies() >= max_plies.into()).then(|| Outcome::draw("max_plies"))
    }

    fn afresh(&self) -> FoxGeese {
        FoxGeese {
            quiet: 0,
            ..self.clone()
        }
    }
}

impl BuiltIn for FoxGeese {
    type Evaluator = Siege;

    const HISTORY_SLOTS: usize = POINTS * POINTS;

    const COMES_BACK: bool = true;

    fn history_slot(mv: Move) -> usize {
        usize::from(mv.from()) * POINTS + usize::from(mv.to())
    }

    fn repetition(&self, history: &History<FoxGeese>, root: usize) -> Option<Repetition> {
        if !self.ruling.threefold_repetition {
            return None;
        }
        let mut count = 1;
        let first = self.earlier(history).find(|ply| {
            count += 1;
            *ply >= root || count >= OCCURRENCES
        })?;
        Some(Repetition {
            winner: self.without_progress("threefold").winner,
            first,
            ends: count >= OCCURRENCES,
        })
    }

    /// Plies without a capture, or those of the whole game.
    fn countdown(&self, history: &History<FoxGeese>) -> Option<Countdown> {
        let now = history.plies();
        let plies = u32::try_from(now).unwrap_or(u32::MAX);
        let whole = Countdown {
            left: u32::from(self.ruling.max_plies).saturating_sub(plies),
            since: 0,
        };
        let most = self.ruling.plies_without_capture;
        let quiet = Countdown {
            left: most.saturating_sub(self.quiet).into(),
            since: now.saturating_sub(self.quiet.into()),
        };
        Some(if most > 0 && quiet.left < whole.left {
            quiet
        } else {
            whole
        })
    }

    /// The fox's jumps; where a jump threatens, the geese's moves that leave it none.
    fn tactical_moves(&self, moves: &mut Vec<Move>) {
        if self.has_few_geese() || !self.can_jump() {
            return;
        }
        if self.side == Side::Second {
            let All::Continue(()) = self.each_jump(&mut |mv| {
                moves.push(mv);
                All::Continue(())
            });
            return;
        }
        let All::Continue(()) = self.each_move(|mv| {
            let geese = self.geese ^ bit(mv.from()) ^ bit(mv.to());
            if self.landings(bit(self.fox), geese) == 0 {
                moves.push(mv);
            }
            All::Continue(())
        });
    }

    fn bench_positions() -> Vec<FoxGeese> {
        let rules = FoxGeeseRules::default();
        let read = |fen: &&str| FoxGeese::from_fen(fen, &rules).expect("the bench's own text");
        bench::FENS.iter().map(read).collect()
    }

    fn search_defaults(kind: SearchKind) -> &'static [(&'static str, f64)] {
        match kind {
            // Who is shut in, or shuts in, would often rather pass (zugzwang).
            // The cheap rating finds the first move as well as the evaluation does, and costs less.
            SearchKind::AlphaBeta => {
                &[("null_move", 0.0), ("fine_sort", 0.0), ("lmr_divisor", 1.8)]
            }
            SearchKind::Greedy | SearchKind::Random | SearchKind::Beam => &[],
        }
    }
}

impl Verify for FoxGeese {
    fn reference_moves(fen: &str, rules: &FoxGeeseRules) -> Result<BTreeSet<String>, String> {
        reference::moves(fen, rules)
    }

    const REFERENCE_OUTCOME: Option<ReferenceOutcome<FoxGeese>> = Some(reference::outcome);
}
