//! What pieces do where they stand: where they can go, and what they do to the enemy's general.

use std::convert::Infallible;
use std::ops::ControlFlow;

use super::board::{Board, Kind, Piece, Square};
use crate::game::Side;
use crate::params::Parameter;

/// The weights, in hundredths.
#[derive(Clone, Debug)]
pub(super) struct Activity {
    horse: i32,
    chariot: i32,
    cannon: i32,
    palace: i32,
    hollow_cannon: i32,
    bare_general: i32,
}

/// Name, default in pawns, and what it is.
const WEIGHTS: [(&str, f64, &str); 6] = [
    (
        "horse_mobility",
        0.05,
        "value of a square that a horse can go to",
    ),
    (
        "chariot_mobility",
        0.02,
        "value of a square that a chariot can go to",
    ),
    (
        "cannon_mobility",
        0.01,
        "value of a square that a cannon can go to",
    ),
    (
        "palace_attack",
        0.05,
        "value of a square of the enemy's palace that a horse, chariot, cannon or pawn can go to",
    ),
    (
        "hollow_cannon",
        0.8,
        "value of a cannon in front of the enemy's general with nothing between",
    ),
    (
        "bare_general",
        0.1,
        "value of each of one's chariots, horses and cannons for each adviser that the enemy lacks",
    ),
];

impl Activity {
    pub(super) fn parameters() -> impl Iterator<Item = Parameter> {
        WEIGHTS
            .iter()
            .map(|&(name, default, about)| Parameter::real(name, default, -2.0, 5.0, 0.01, about))
    }

    /// `hundredths` gives the value of a parameter.
    pub(super) fn new(hundredths: impl Fn(&'static str) -> i32) -> Activity {
        Activity {
            horse: hundredths("horse_mobility"),
            chariot: hundredths("chariot_mobility"),
            cannon: hundredths("cannon_mobility"),
            palace: hundredths("palace_attack"),
            hollow_cannon: hundredths("hollow_cannon"),
            bare_general: hundredths("bare_general"),
        }
    }

    /// The value for one side, in hundredths.
    pub(super) fn of(&self, board: &Board, side: Side) -> i32 {
        let general = board.general(side.other());
        let mut value = 0;
        let mut strong = 0;
        for from in board.of(side) {
            let kind = board.at(from).kind();
            let mobility = match kind {
                Kind::Horse => self.horse,
                Kind::Chariot => self.chariot,
                Kind::Cannon => self.cannon,
                Kind::Pawn => 0,
                Kind::General | Kind::Adviser | Kind::Elephant => continue,
            };
            strong += i32::from(kind != Kind::Pawn);
            let (mut goes, mut attacks) = (0, 0);
            if matches!(kind, Kind::Chariot | Kind::Cannon) {
                let (in_row, in_column) = board.line_targets(side, kind, from);
                goes = (in_row.count_ones() + in_column.count_ones()).cast_signed();
                if palace_rows(side.other()) >> from.row() & 1 != 0 {
                    attacks += (in_row & PALACE_COLUMNS).count_ones().cast_signed();
                }
                if PALACE_COLUMNS >> from.column() & 1 != 0 {
                    attacks += (in_column & palace_rows(side.other()))
                        .count_ones()
                        .cast_signed();
                }
            } else {
                let ControlFlow::Continue(()) = board.each_target(side, kind, from, |to| {
                    goes += 1;
                    attacks += i32::from(is_in_palace(to, side.other()));
                    ControlFlow::<Infallible>::Continue(())
                });
            }
            value += goes * mobility + attacks * self.palace;
            if kind == Kind::Cannon && is_hollow(board, from, general) {
                value += self.hollow_cannon;
            }
        }
        let adviser = Piece::new(side.other(), Kind::Adviser);
        let advisers = board.of(side.other()).filter(|at| board.at(*at) == adviser);
        let lacking = i32::from(Kind::Adviser.most()) - advisers.map(|_| 1).sum::<i32>();
        value + lacking * strong * self.bare_general
    }
}

/// The columns of both palaces, as bits.
const PALACE_COLUMNS: u16 = 0b000_111_000;

/// The rows of a side's palace, as bits.
fn palace_rows(side: Side) -> u16 {
    match side {
        Side::First => 0b111,
        Side::Second => 0b111 << 7,
    }
}

fn is_in_palace(square: Square, side: Side) -> bool {
    palace_rows(side) >> square.row() & PALACE_COLUMNS >> square.column() & 1 != 0
}

/// Whether a cannon stands on the general's column with nothing between.
fn is_hollow(board: &Board, cannon: Square, general: Square) -> bool {
    cannon.column() == general.column()
        && board.along_column(cannon).slide & 1 << general.row() != 0
}
