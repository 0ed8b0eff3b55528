//! What the counts say of strength: win rate, Elo, normalised Elo, likelihood of superiority.
//!
//! An unknown figure is `None`, never 0, NaN or infinite.

use std::fmt;

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

use super::elo::{LogisticElo, NormalizedElo};
use super::interval::{CONFIDENCE, Interval, student_t, weighted_moments};
use super::pairs::Tally;
use crate::results::OutcomeModel;

/// Two-sided 95% point of the normal distribution.
pub(crate) const NORMAL_95: f64 = 1.959_963_984_540_054;

/// A score with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WinRate {
    /// (wins + draws / 2) / games.
    pub value: f64,
    /// The 95% interval; unknown below two observations.
    pub interval: Option<Interval>,
}

/// Logistic Elo with its interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EloEstimate {
    /// The difference; unknown where every game was won or every game lost.
    pub value: Option<LogisticElo>,
    /// The lower end; without one, nothing bounds the difference from below.
    pub low: Option<LogisticElo>,
    /// The upper end; without one, nothing bounds the difference from above.
    pub high: Option<LogisticElo>,
}

/// Normalised Elo with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NormalizedEstimate {
    /// The difference; unknown where all outcomes are equal and not even.
    pub value: Option<NormalizedElo>,
    /// Half the width of the 95% interval, which the results do not change.
    pub margin: f64,
}

/// All estimates of one pairing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimates {
    /// The score; unknown without a game.
    pub win_rate: Option<WinRate>,
    /// Its Elo.
    pub elo: EloEstimate,
    /// Its normalised Elo; unknown without a game.
    pub normalized_elo: Option<NormalizedEstimate>,
    /// Likelihood of superiority: Φ((score - 1/2) / standard error); unknown without a game.
    /// Where all outcomes are equal it is 0, 1/2 or 1, which says more than it knows.
    pub los: Option<f64>,
}

impl Estimates {
    /// The estimates from pairs, the observations of a paired match.
    #[must_use]
    pub fn of(tally: &Tally) -> Estimates {
        Estimates::with(tally, OutcomeModel::Pentanomial)
    }

    /// The estimates from pairs or from single games.
    #[must_use]
    pub fn with(tally: &Tally, outcomes: OutcomeModel) -> Estimates {
        match outcomes {
            OutcomeModel::Pentanomial => estimates(tally.pairs.0, 2.0),
            OutcomeModel::Trinomial => estimates(tally.games.cells(), 1.0),
        }
    }
}

/// Estimates of `counts` over equally spaced scores, each observation being `games` games.
fn estimates<const K: usize>(counts: [u64; K], games: f64) -> Estimates {
    let total = counts.iter().sum::<u64>() as f64;
    if total == 0.0 {
        return Estimates {
            win_rate: None,
            elo: EloEstimate::default(),
            normalized_elo: None,
            los: None,
        };
    }
    let (score, variance) = weighted_moments(&counts.map(|count| count as f64));
    // Every game won leaves rounding behind in the mean; a score is never outside 0 to 1.
    let score = score.clamp(0.0, 1.0);
    let interval = student_t(counts, CONFIDENCE);
    let elo_at = |end: fn(&Interval) -> f64| {
        interval
            .as_ref()
            .and_then(|interval| LogisticElo::from_score(end(interval)))
    };
    let t_value = t_value(score - 0.5, (games * variance).sqrt());
    Estimates {
        win_rate: Some(WinRate {
            value: score,
            interval,
        }),
        elo: EloEstimate {
            value: LogisticElo::from_score(score),
            low: elo_at(|interval| interval.low),
            high: elo_at(|interval| interval.high),
        },
        normalized_elo: Some(NormalizedEstimate {
            value: t_value.map(|t| NormalizedElo(t * NormalizedElo::PER_T)),
            margin: NORMAL_95 * NormalizedElo::PER_T / (games * total).sqrt(),
        }),
        los: Some(superiority(score - 0.5, (variance / total).sqrt())),
    }
}

/// `lead` in units of `deviation`; 0 without a lead, unknown for a lead without deviation.
fn t_value(lead: f64, deviation: f64) -> Option<f64> {
    if lead == 0.0 {
        Some(0.0)
    } else {
        (deviation > 0.0).then(|| lead / deviation)
    }
}

/// Probability that the true lead is above 0, the lead being normal with this error.
pub(crate) fn superiority(lead: f64, error: f64) -> f64 {
    match t_value(lead, error) {
        Some(z) => Normal::standard().cdf(z),
        None if lead > 0.0 => 1.0,
        None => 0.0,
    }
}

impl fmt::Display for EloEstimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.value, self.low, self.high) {
            (Some(value), Some(low), Some(high)) => write!(f, "{value} [{low}, {high}]"),
            (Some(value), Some(low), None) => write!(f, "{value} [above {low}]"),
            (Some(value), None, Some(high)) => write!(f, "{value} [below {high}]"),
            (Some(value), None, None) => write!(f, "{value} [unknown]"),
            (None, Some(low), None) => write!(f, "above {low}"),
            (None, None, Some(high)) => write!(f, "below {high}"),
            (None, ..) => write!(f, "unknown"),
        }
    }
}
