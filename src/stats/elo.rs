//! Elo in its two kinds, which are never mixed.

use std::f64::consts::LN_10;
use std::fmt;

use serde::{Deserialize, Serialize};

/// A rating difference on the usual scale: the expected score is 1 / (1 + 10^(-elo/400)).
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LogisticElo(pub f64);

impl LogisticElo {
    /// The difference at which `score` is expected. `None` at 0 and 1, where it has no bound.
    #[must_use]
    pub fn from_score(score: f64) -> Option<LogisticElo> {
        // The sum turns -0 into 0.
        (score > 0.0 && score < 1.0)
            .then(|| LogisticElo(400.0 * (score / (1.0 - score)).log10() + 0.0))
    }

    /// The expected score.
    #[must_use]
    pub fn score(self) -> f64 {
        1.0 / (1.0 + 10f64.powf(-self.0 / 400.0))
    }
}

/// A rating difference in units of one game's noise: (score - 1/2) / σ, times 800 / ln 10, with
/// σ the standard deviation of one game (for pairs, √2 times that of a pair's mean). It says how
/// many games a test needs whatever the draw ratio, and is not comparable with [`LogisticElo`].
///
/// Source: Michel Van den Bergh, "Normalized Elo", <https://www.cantate.be/Fishtest/normalized_elo.pdf>.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NormalizedElo(pub f64);

impl NormalizedElo {
    /// Normalised Elo per unit of (score - 1/2) / σ of one game.
    pub const PER_T: f64 = 800.0 / LN_10;
}

impl fmt::Display for LogisticElo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.1}", self.0)
    }
}

impl fmt::Display for NormalizedElo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.1}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fifty_five_per_cent_is_35_elo() {
        let elo = LogisticElo::from_score(0.55).expect("inside (0, 1)");
        assert!((elo.0 - 34.860_070_29).abs() < 1e-6);
        assert!((elo.score() - 0.55).abs() < 1e-12);
        assert_eq!(elo.to_string(), "+34.9");
    }

    #[test]
    fn certain_scores_have_no_elo() {
        assert_eq!(LogisticElo::from_score(0.0), None);
        assert_eq!(LogisticElo::from_score(1.0), None);
        let even = LogisticElo::from_score(0.5).expect("inside (0, 1)");
        assert!(even.0 == 0.0 && even.0.is_sign_positive());
    }
}
