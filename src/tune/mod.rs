//! Tuning: which value of a parameter plays best, how sure that is, or that none is shown to.
//!
//! A [`Tuner`] is a method as two pure functions of what was played: the next batch of trials,
//! and the answer. [`Tuning`] keeps the books: `ask` for the trials that are to be played, `tell`
//! what came out, `best` for the answer so far. There is no other state, so a run is resumed by
//! telling a new [`Tuning`] the results that are on file. [`InTurn`] tunes several parameters one
//! after the other, each adopted only after a confirming match.
//!
//! Nothing here plays, reads or writes; numbers in, numbers out. A trial names its pairs by
//! index: opening and seed are a function of the pair's index alone, so that all settings meet
//! the same ones (common random numbers).
//!
//! Methods and their figures: `docs/tuning.md`.

mod answer;
mod axis;
mod check;
mod curve;
mod fit;
mod grid;
mod hill;
mod landscape;
mod random;
mod simulate;
mod spec;
mod spsa;
#[cfg(test)]
mod tests;
mod tuning;
mod turns;
mod zoom;

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use answer::{
    Answer, Edge, Estimate, FALSE_ALARM, Finding, Gain, LEAST_CONFIRMED, MOST_CONFIRMED,
};
pub use axis::{Axis, settings};
pub use check::{PlanCheck, check_plan};
pub use grid::Grid;
pub use landscape::Landscape;
pub use random::RandomSearch;
pub use simulate::{Replicate, Simulation, Summary, overall, simulate};
pub use spec::{ConfirmSpec, Home, TuneFile, TuneSpec, TunedSpec, setting_name};
pub use spsa::Spsa;
pub use tuning::{PairScores, Played, Trial, TrialResult, Tuning, pairings};
pub use turns::{InTurn, Step, TurnEvent};
pub use zoom::Zoom;

use crate::params::{ParameterError, ParameterValues};
use crate::stats::StatsError;

/// Two settings that are to meet.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// The setting whose score is told.
    pub candidate: ParameterValues,
    /// The setting that it meets.
    pub base: ParameterValues,
    /// Pairs to play.
    pub pairs: u32,
}

/// A method of tuning: pure functions of what was played.
pub trait Tuner: Send + Sync + fmt::Debug {
    /// The parameters that are tuned.
    fn axes(&self) -> &[Axis];

    /// The next batch, after `played`; empty when the budget is spent. Trials of one batch are
    /// played on the same openings, other than those of the same two settings.
    fn propose(&self, played: &[Played]) -> Vec<Proposal>;

    /// What `played` says.
    fn answer(&self, played: &[Played]) -> Answer;

    /// Elo of a setting above the base, as predicted from `played`: a point of the fitted curve.
    /// `None` for a method that fits none, and before any game.
    fn predict(&self, played: &[Played], setting: &ParameterValues) -> Option<Gain>;

    /// All pairs that will be played.
    fn planned_pairs(&self) -> u64;

    /// Pairs by index that will be used at most, trials of one batch sharing theirs: so many
    /// different openings are needed, unless games on the same one differ.
    fn planned_openings(&self) -> u64;
}

/// A method and its budget.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum MethodSpec {
    /// A round robin of five values, then batches around the best of the fitted curve.
    Zoom {
        /// Games in all.
        games: u32,
    },
    /// Values against the base, the same number of pairs each.
    Grid {
        /// The values; empty: `points` of the range, equally spaced.
        values: Vec<f64>,
        /// How many values, where none are given.
        points: u32,
        /// Pairs a value.
        pairs: u32,
    },
    /// Simultaneous perturbation, for several parameters at once.
    Spsa {
        /// Games in all.
        games: u32,
    },
    /// Random values against the base: what every other method has to beat.
    Random {
        /// Games in all.
        games: u32,
    },
}

impl MethodSpec {
    /// The method's name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            MethodSpec::Zoom { .. } => "zoom",
            MethodSpec::Grid { .. } => "grid",
            MethodSpec::Spsa { .. } => "spsa",
            MethodSpec::Random { .. } => "random",
        }
    }
}

/// Why a tuning cannot be.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum TuneError {
    /// The ends of a range.
    #[error(
        "the range of `{name}`, {low} to {high}, must go upwards, and both ends must be {allowed}"
    )]
    Range {
        /// The parameter.
        name: String,
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
        /// What the parameter takes.
        allowed: String,
    },
    /// A base value outside of its range.
    #[error(
        "the base has `{name}` at {base}, outside of the range {low} to {high}; widen the range so \
         that it contains the base"
    )]
    Base {
        /// The parameter.
        name: String,
        /// The base's value.
        base: f64,
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
    },
    /// A grid that is too coarse.
    #[error(
        "`{name}` has {found} different values from {low} to {high} in steps of {step}, and this \
         method needs {needed}; {}",
        if *found < 2 { "widen the range" } else { "use method grid, or widen the range" }
    )]
    FewValues {
        /// The parameter.
        name: String,
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
        /// The grid's step.
        step: f64,
        /// Values in the range.
        found: usize,
        /// Values needed.
        needed: usize,
    },
    /// A value outside of the range.
    #[error("`{name}` is to be tried at {value}, outside of the range {low} to {high}")]
    Outside {
        /// The parameter.
        name: String,
        /// The value.
        value: f64,
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
    },
    /// Values that are all the base's own.
    #[error(
        "every value of `{name}` is the base's own after rounding to steps of {step}, so there is \
         nothing to play; give other values"
    )]
    OnlyBase {
        /// The parameter.
        name: String,
        /// The grid's step.
        step: f64,
    },
    /// A budget that is too small.
    #[error("{games} games are too few for {method}, which needs at least {needed}")]
    Budget {
        /// Games planned.
        games: u32,
        /// The method.
        method: &'static str,
        /// The fewest games.
        needed: u32,
    },
    /// A method for one parameter was given several, or none.
    #[error("{method} tunes one parameter at a time, and was given {given}")]
    OneParameter {
        /// The method.
        method: &'static str,
        /// How many were given.
        given: usize,
    },
    /// A confirming match that cannot be.
    #[error("a confirming match of at most {games} games cannot be planned")]
    Confirm {
        /// Its cap.
        games: u64,
        /// Why.
        source: StatsError,
    },
    /// A value that a parameter does not take.
    #[error(transparent)]
    Value(#[from] ParameterError),
    /// A result that nobody asked for.
    #[error("a result of trial {0} was told, which was not asked for")]
    Unasked(u32),
    /// A trial that was told twice, differently.
    #[error("trial {0} was told twice, with different results")]
    ToldTwice(u32),
    /// More pairs than were asked for.
    #[error("{told} pairs of trial {id} were told, but {asked} were asked for")]
    TooManyPairs {
        /// The trial.
        id: u32,
        /// Pairs told.
        told: u64,
        /// Pairs asked for.
        asked: u32,
    },
}

/// Builds the method over these parameters. `seed` decides what a method leaves to chance.
///
/// # Errors
/// What the method cannot work with: see [`TuneError`].
pub fn build(method: &MethodSpec, axes: &[Axis], seed: u64) -> Result<Box<dyn Tuner>, TuneError> {
    let one = || match axes {
        [axis] => Ok(axis.clone()),
        _ => Err(TuneError::OneParameter {
            method: method.name(),
            given: axes.len(),
        }),
    };
    Ok(match method {
        MethodSpec::Zoom { games } => Box::new(Zoom::new(one()?, *games)?),
        MethodSpec::Grid {
            values,
            points,
            pairs,
        } => Box::new(Grid::new(one()?, values, *points, *pairs)?),
        MethodSpec::Spsa { games } => Box::new(Spsa::new(axes.to_vec(), *games, seed)?),
        MethodSpec::Random { games } => Box::new(RandomSearch::new(one()?, *games, seed)?),
    })
}
