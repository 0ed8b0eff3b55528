//! Elo after a sequential test stopped, without the bias of stopping.
//!
//! A test stops when luck has run one way, so the plain Elo of a stopped test is too far from
//! the middle of its hypotheses. Here all outcomes are ordered from failing early to passing
//! early, and the estimate is the Elo under which an outcome no better than the one seen has
//! probability 1/2: too high as often as too low.
//!
//! The test is taken for a Brownian motion of the approximate ratio
//! N (s1 - s0) (2 s - s0 - s1) / (2 σ²), with the observed σ² under every score; a ratio past
//! its bound is taken back to the bound in proportion.

use serde::{Deserialize, Serialize};

use super::brownian::Brownian;
use super::elo::{LogisticElo, NormalizedElo};
use super::estimate::EloEstimate;
use super::interval::CONFIDENCE;
use super::multinomial::Observed;
use super::pairs::Tally;
use super::sprt::Sprt;
use crate::results::{EloModel, OutcomeModel};

/// No estimate is sought beyond this; there the difference is unbounded.
const FURTHEST_ELO: f64 = 1000.0;

/// Estimates that take the stopping into account.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoppedEstimate {
    /// The median-unbiased Elo and its 95% interval. Missing where it lies beyond 1000.
    pub elo: EloEstimate,
    /// Likelihood of superiority: probability of an outcome no better, were both equal.
    pub los: f64,
}

/// A test's outcome as a place of a motion at a time.
struct Outcome {
    variance: f64,
    scores: (f64, f64),
    bounds: (f64, f64),
    time: f64,
    place: f64,
}

impl Sprt {
    /// Elo that takes the stopping rule into account; `None` without a game.
    #[must_use]
    pub fn median_unbiased(&self, tally: &Tally) -> Option<StoppedEstimate> {
        let outcome = match self.spec().outcomes {
            OutcomeModel::Pentanomial => Outcome::new(self, tally.pairs.0, 2.0),
            OutcomeModel::Trinomial => Outcome::new(self, tally.games.cells(), 1.0),
        }?;
        let tail = (1.0 - CONFIDENCE) / 2.0;
        Some(StoppedEstimate {
            elo: EloEstimate {
                value: outcome.elo_at(0.5),
                low: outcome.elo_at(1.0 - tail),
                high: outcome.elo_at(tail),
            },
            los: outcome.no_better(0.0),
        })
    }
}

impl Outcome {
    fn new<const K: usize>(sprt: &Sprt, counts: [u64; K], games: f64) -> Option<Outcome> {
        if counts.iter().all(|&count| count == 0) {
            return None;
        }
        let observed = Observed::new(counts);
        let (score, variance) = observed.moments();
        let deviation = (games * variance).sqrt();
        let scores = (
            hypothesis_score(sprt.spec().elo0, sprt.spec().model, deviation),
            hypothesis_score(sprt.spec().elo1, sprt.spec().model, deviation),
        );
        let (lower, upper) = sprt.bounds();
        let mut outcome = Outcome {
            variance,
            scores,
            bounds: (lower, upper),
            time: observed.total(),
            place: 0.0,
        };
        let drift = outcome.motion(score).drift;
        outcome.place = (drift * outcome.time).clamp(lower, upper);
        if drift * outcome.time != outcome.place {
            outcome.time = outcome.place / drift;
        }
        Some(outcome)
    }

    /// The motion of the ratio, were this the true score.
    fn motion(&self, score: f64) -> Brownian {
        let (score0, score1) = self.scores;
        let gap = score1 - score0;
        Brownian {
            lower: self.bounds.0,
            upper: self.bounds.1,
            drift: (score - f64::midpoint(score0, score1)) * gap / self.variance,
            variance: gap * gap / self.variance,
        }
    }

    /// Probability of an outcome no better than this one, were this the true Elo.
    fn no_better(&self, elo: f64) -> f64 {
        self.motion(LogisticElo(elo).score())
            .outcome_no_better(self.time, self.place)
    }

    /// The Elo under which an outcome no better has this probability.
    fn elo_at(&self, probability: f64) -> Option<LogisticElo> {
        let (mut low, mut high) = (-FURTHEST_ELO, FURTHEST_ELO);
        if self.no_better(low) <= probability || self.no_better(high) >= probability {
            return None;
        }
        while high - low > 1e-9 {
            let middle = f64::midpoint(low, high);
            if self.no_better(middle) > probability {
                low = middle;
            } else {
                high = middle;
            }
        }
        Some(LogisticElo(f64::midpoint(low, high)))
    }
}

/// The score that a hypothesis stands for, `deviation` being that of one game.
pub(crate) fn hypothesis_score(elo: f64, model: EloModel, deviation: f64) -> f64 {
    match model {
        EloModel::Logistic => LogisticElo(elo).score(),
        EloModel::Normalized => 0.5 + elo / NormalizedElo::PER_T * deviation,
    }
}
