//! The plain win-rate rule: a score of at least so much over all planned pairs.

use super::convolution::score_at_least;
use super::error::StatsError;
use super::pairs::Tally;
use super::{Evidence, GameModel, StopRule, StoppedEstimate, Verdict};

/// Decides once, at the planned number of pairs, on exact fractions.
///
/// Looking earlier would let far more equal engines through: 59% instead of 18% for 100 games
/// at 0.55 watched after every pair from the tenth on.
#[derive(Clone, Copy, Debug)]
pub struct WinRateRule {
    at_least: u32,
    planned_pairs: u64,
}

impl WinRateRule {
    /// Asks for a score of at least `at_least` / 10,000 over `planned_pairs` pairs.
    ///
    /// # Errors
    /// A threshold outside 1 to 10,000, and a plan without pairs.
    pub fn new(at_least: u32, planned_pairs: u64) -> Result<WinRateRule, StatsError> {
        if at_least == 0 || at_least > 10_000 {
            return Err(StatsError::Threshold(at_least));
        }
        if planned_pairs == 0 {
            return Err(StatsError::NoPairs);
        }
        Ok(WinRateRule {
            at_least,
            planned_pairs,
        })
    }

    /// The score asked for, in ten-thousandths.
    #[must_use]
    pub fn at_least(&self) -> u32 {
        self.at_least
    }

    /// How often a candidate whose games follow `model` passes.
    #[must_use]
    pub fn pass_rate(&self, model: &GameModel) -> f64 {
        score_at_least(
            &model.pair_probabilities(),
            self.planned_pairs,
            self.at_least,
        )
    }
}

impl StopRule for WinRateRule {
    fn check(&self, tally: &Tally) -> Verdict {
        let score = tally.pairs.score();
        if tally.pairs.pairs() < self.planned_pairs {
            return Verdict::Continue;
        }
        match score.at_least(self.at_least) {
            Some(true) => Verdict::AcceptH1,
            Some(false) => Verdict::AcceptH0,
            None => Verdict::Continue,
        }
    }

    fn evidence(&self, tally: &Tally) -> Evidence {
        Evidence::WinRate {
            score: tally.pairs.score(),
            at_least: self.at_least,
        }
    }

    fn planned_pairs(&self) -> u64 {
        self.planned_pairs
    }

    fn pairs_to_accept_h1(&self) -> Option<u64> {
        Some(self.planned_pairs)
    }

    fn pairs_to_accept_h0(&self) -> Option<u64> {
        Some(self.planned_pairs)
    }

    fn after_stop(&self, _tally: &Tally) -> Option<StoppedEstimate> {
        None
    }

    fn describe(&self) -> String {
        format!(
            "win rate of at least {} over {} pairs, decided at the end",
            f64::from(self.at_least) / 10_000.0,
            self.planned_pairs
        )
    }
}
