//! What can be chosen before a game.

use serde::{Deserialize, Serialize};

use super::FoxGeese;
use super::notation;
use crate::game::{History, TwoPlayer};

/// How the fox captures, and whether the number of geese ends the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// One jump a turn; the fox wins when few geese are left.
    #[default]
    SingleJumpTerm,
    /// One jump a turn; the number of geese ends nothing.
    SingleJump,
    /// A turn is a chain of jumps, which may stop after each of them; the fox wins, and its chain
    /// ends, when few geese are left.
    MultiJump,
}

/// Who wins when a position comes back or nothing is captured for long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoProgress {
    /// It is a draw.
    #[default]
    Nobody,
    /// The fox: the geese must make progress.
    Fox,
}

/// What can be chosen before a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FoxGeeseRules {
    /// How the fox captures.
    pub rule: Rule,
    /// The position that a game begins with, and who moves first in it.
    pub start: String,
    /// Whether pieces also go along the diagonal lines, which join every second point.
    pub diagonals: bool,
    /// Whether geese may step back, towards the bottom row.
    pub geese_backward: bool,
    /// Whether the fox must capture when it can, in `multi_jump` as long as it can.
    pub forced_capture: bool,
    /// The fox wins when no more geese than this are left, from 0 to 16. Without effect in
    /// `single_jump`.
    pub fox_wins_at: u8,
    /// Whether the third occurrence of a position ends the game.
    pub threefold_repetition: bool,
    /// Plies without a capture that end the game, up to 1000; 0: they never do.
    pub plies_without_capture: u16,
    /// Plies after which a game is a draw, from 1 to 10000.
    pub max_plies: u16,
    /// Who wins by a repetition or by plies without a capture.
    pub no_progress_wins: NoProgress,
}

impl Default for FoxGeeseRules {
    fn default() -> FoxGeeseRules {
        FoxGeeseRules {
            rule: Rule::default(),
            start: "1F1/3/7/7/GGGGGGG/GGG/GGG g".to_owned(),
            diagonals: false,
            geese_backward: true,
            forced_capture: false,
            fox_wins_at: 4,
            threefold_repetition: true,
            plies_without_capture: 100,
            max_plies: 400,
            no_progress_wins: NoProgress::default(),
        }
    }
}

/// The rules without the start, as every position carries them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ruling {
    pub(super) rule: Rule,
    pub(super) diagonals: bool,
    pub(super) geese_backward: bool,
    pub(super) forced_capture: bool,
    pub(super) fox_wins_at: u8,
    pub(super) threefold_repetition: bool,
    pub(super) no_progress_wins: NoProgress,
    pub(super) plies_without_capture: u16,
    pub(super) max_plies: u16,
}

impl Ruling {
    pub(super) fn new(rules: &FoxGeeseRules) -> Ruling {
        Ruling {
            rule: rules.rule,
            diagonals: rules.diagonals,
            geese_backward: rules.geese_backward,
            forced_capture: rules.forced_capture,
            fox_wins_at: rules.fox_wins_at,
            threefold_repetition: rules.threefold_repetition,
            no_progress_wins: rules.no_progress_wins,
            plies_without_capture: rules.plies_without_capture,
            max_plies: rules.max_plies,
        }
    }
}

/// The start position, if these are rules that can be played; the reason if not.
pub(super) fn start(rules: &FoxGeeseRules) -> Result<FoxGeese, String> {
    let within = |name: &str, value: u16, low: u16, high: u16| {
        if (low..=high).contains(&value) {
            Ok(())
        } else {
            Err(format!(
                "`{name}` is {value}, but must be from {low} to {high}"
            ))
        }
    };
    within("fox_wins_at", rules.fox_wins_at.into(), 0, 16)?;
    within(
        "plies_without_capture",
        rules.plies_without_capture,
        0,
        1000,
    )?;
    within("max_plies", rules.max_plies, 1, 10_000)?;
    let start = notation::read(&rules.start, Ruling::new(rules))
        .map_err(|reason| format!("`start` is not a position: {reason}"))?;
    match start.outcome(&History::new(start.clone())) {
        None => Ok(start),
        Some(outcome) => Err(format!(
            "`start` is a game that is over ({})",
            outcome.reason
        )),
    }
}
