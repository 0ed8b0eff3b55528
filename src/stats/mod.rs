//! Statistics of pair outcomes: numbers in, numbers out. Never sees a move.
//!
//! A [`StopRule`] is built from the run's verdict table and shown the whole pairs played so far,
//! in schedule order: an order that depends on how long games take would favour the side whose
//! wins are short. The caller freezes the verdict at its first crossing.
//!
//! All rates and formulas name their source where they stand; `tests/stats_*.rs` hold them
//! against values computed by independent programs.

mod brownian;
mod convolution;
mod deals;
mod distinct;
mod elo;
mod error;
mod estimate;
mod evaluate;
mod game_model;
mod gate;
mod interval;
mod linear;
mod multinomial;
mod operating;
mod pairs;
mod ratings;
mod sprt;
mod stopped;
mod thresholds;
mod warning;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use crate::results::{EloModel, OutcomeModel, SprtSpec, VerdictSpec};
pub use brownian::Approximation;
pub use deals::{Solver, Spread, Tried, mcnemar};
pub use distinct::EffectiveSample;
pub use elo::{LogisticElo, NormalizedElo};
pub use error::StatsError;
pub use estimate::{EloEstimate, Estimates, NormalizedEstimate, WinRate};
pub(crate) use estimate::{NORMAL_95, superiority};
pub use evaluate::{Counts, CountsError, Evaluation, evaluate};
pub use game_model::{GameModel, hypothesis_elos};
pub use gate::WinRateRule;
pub use interval::{CONFIDENCE, Interval, IntervalMethod, clopper_pearson};
pub(crate) use linear::inverse;
pub use multinomial::{MAX_LOGISTIC_ELO, MAX_NORMALIZED_ELO};
pub use operating::{Conditions, OperatingPoint, approximation, equal_engine, operating_points};
pub use pairs::{GameCounts, GameScore, PairCounts, PairScore, Score, Tally};
pub use ratings::{CrossTable, Encounter, Meeting, Rating, Ratings, cross_table, rate, rate_deals};
pub use sprt::{Llr, Sprt, UNCAPPED};
pub use stopped::StoppedEstimate;
pub use thresholds::{
    Effort, effort_warning, fault_warnings, load_warning, node_limit_warning, reach_warning,
    role_bias_warning, threads_warning, void_warning,
};
pub use warning::Warning;

/// What a stop rule says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Verdict {
    /// The candidate is better: it passes.
    #[serde(rename = "accept H1")]
    AcceptH1,
    /// It is not: it fails.
    #[serde(rename = "accept H0")]
    AcceptH0,
    /// Not decided yet; play on.
    #[serde(rename = "continue")]
    Continue,
    /// All planned pairs are played and nothing is decided. Not a pass.
    #[serde(rename = "inconclusive")]
    Inconclusive,
}

impl Verdict {
    /// Whether play goes on.
    #[must_use]
    pub fn is_open(self) -> bool {
        self == Verdict::Continue
    }

    /// The words for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Verdict::AcceptH1 => "accept H1",
            Verdict::AcceptH0 => "accept H0",
            Verdict::Continue => "continue",
            Verdict::Inconclusive => "inconclusive",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a rule's verdict rests on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// The score beside the score asked for.
    WinRate {
        /// The score so far.
        score: Score,
        /// The score asked for, in ten-thousandths.
        at_least: u32,
    },
    /// The log-likelihood ratio beside its bounds.
    Sprt(Llr),
}

impl Evidence {
    /// The log-likelihood ratio with its bounds and model, if the rule has one.
    #[must_use]
    pub fn llr(&self) -> Option<&Llr> {
        match self {
            Evidence::WinRate { .. } => None,
            Evidence::Sprt(llr) => Some(llr),
        }
    }
}

/// Decides a pairing.
pub trait StopRule: Send + Sync + fmt::Debug {
    /// What the pairs played so far say, [`Verdict::Continue`] being an answer only below
    /// [`StopRule::planned_pairs`].
    fn check(&self, tally: &Tally) -> Verdict;

    /// What [`StopRule::check`] rests on, to be shown.
    fn evidence(&self, tally: &Tally) -> Evidence;

    /// The most pairs that are played.
    fn planned_pairs(&self) -> u64;

    /// The fewest pairs that can pass a candidate, all of them won twice. Beyond
    /// [`StopRule::planned_pairs`], or with `None`, the plan cannot pass anybody.
    fn pairs_to_accept_h1(&self) -> Option<u64>;

    /// The fewest pairs that can fail a candidate, all of them lost twice.
    fn pairs_to_accept_h0(&self) -> Option<u64>;

    /// The rule in one line, with its bounds and length.
    fn describe(&self) -> String;

    /// Elo without the bias of stopping early; `None` where the rule does not, or has not.
    fn after_stop(&self, tally: &Tally) -> Option<StoppedEstimate>;
}

/// Whether a verdict says that one variant is stronger than the other. A test of -35 against 0
/// Elo says so where it accepts H0, one of 0 against 35 where it accepts H1.
#[must_use]
pub fn claims_difference(spec: &VerdictSpec, verdict: Verdict) -> bool {
    match (verdict, spec) {
        (Verdict::AcceptH1, VerdictSpec::WinRate { at_least }) => *at_least > 5000,
        (Verdict::AcceptH1, VerdictSpec::Sprt(test)) => test.elo1 > 0.0,
        (Verdict::AcceptH0, VerdictSpec::WinRate { at_least }) => *at_least < 5000,
        (Verdict::AcceptH0, VerdictSpec::Sprt(test)) => test.elo0 < 0.0,
        (Verdict::Continue | Verdict::Inconclusive, _) => false,
    }
}

/// Builds the rule that `spec` asks for, over at most `planned_pairs` pairs.
///
/// # Errors
/// A design that cannot decide anything, or whose ratio would have no value.
///
/// ```
/// use agon::stats::{GameScore, Tally, Verdict, VerdictSpec, build};
///
/// let rule = build(&VerdictSpec::WinRate { at_least: 5500 }, 1)?;
/// let mut tally = Tally::default();
/// assert_eq!(rule.check(&tally), Verdict::Continue);
/// tally.add(GameScore::Win, GameScore::Draw);
/// assert_eq!(rule.check(&tally), Verdict::AcceptH1);
/// # Ok::<(), agon::stats::StatsError>(())
/// ```
pub fn build(spec: &VerdictSpec, planned_pairs: u64) -> Result<Box<dyn StopRule>, StatsError> {
    Ok(match *spec {
        VerdictSpec::WinRate { at_least } => Box::new(WinRateRule::new(at_least, planned_pairs)?),
        VerdictSpec::Sprt(spec) => Box::new(Sprt::new(spec, planned_pairs)?),
    })
}
