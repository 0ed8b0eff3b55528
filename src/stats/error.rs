//! What can be wrong with a test's design.

use thiserror::Error;

use super::multinomial::{MAX_LOGISTIC_ELO, MAX_NORMALIZED_ELO};

/// Why a rule cannot be built. Each message names the value and what would be accepted.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum StatsError {
    /// The hypotheses are the wrong way round, equal, or not numbers.
    #[error("elo0 ({elo0}) must be below elo1 ({elo1}), and both must be finite")]
    Bounds {
        /// Elo of the null hypothesis.
        elo0: f64,
        /// Elo of the alternative.
        elo1: f64,
    },
    /// Normalised bounds so large that the likelihood has several maxima.
    #[error(
        "a normalized Elo bound of {bound} is beyond {MAX_NORMALIZED_ELO}, where the likelihood \
         has more than one maximum; use smaller bounds or model = \"logistic\""
    )]
    NormalizedTooLarge {
        /// The bound.
        bound: f64,
    },
    /// Logistic bounds that no match can tell apart.
    #[error("an Elo bound of {bound} is beyond {MAX_LOGISTIC_ELO}; use smaller bounds")]
    LogisticTooLarge {
        /// The bound.
        bound: f64,
    },
    /// An error rate outside the open interval.
    #[error("{name} is {value}; it must be above 0 and below 0.5")]
    ErrorRate {
        /// `alpha` or `beta`.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// A win rate nobody can reach, or that everybody does.
    #[error("a win rate of at least {0} ten-thousandths was asked for; it must be 1 to 10000")]
    Threshold(u32),
    /// A rule over no pairs decides nothing.
    #[error("the plan has no pairs, so nothing can be decided; plan at least one")]
    NoPairs,
    /// A simulation of games without chance.
    #[error(
        "with these draws and this bias every pair ends alike, so there is nothing to simulate; \
         use fewer draws or less bias"
    )]
    NoNoise,
    /// A rate that is not a rate.
    #[error("{name} is {value}; it must be from {min} to {max}")]
    OutOfRange {
        /// What was asked for.
        name: &'static str,
        /// Its value.
        value: f64,
        /// The least value accepted.
        min: f64,
        /// The greatest value accepted.
        max: f64,
    },
    /// A draw ratio that leaves less than nothing for wins or losses.
    #[error(
        "a draw ratio of {draw_ratio} cannot go with an expected score of {score} in one role; \
         it can be at most {max}"
    )]
    DrawRatio {
        /// The draw ratio.
        draw_ratio: f64,
        /// The expected score in that role.
        score: f64,
        /// The most that score allows.
        max: f64,
    },
}
