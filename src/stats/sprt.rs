//! The sequential probability ratio test.
//!
//! The ratio is the exact generalised one of the `multinomial` module, and the bounds are Wald's:
//! accept H1 at ln((1 - β) / α), accept H0 at ln(β / (1 - α)). The rule looks after every pair
//! and forgets at the planned number of pairs, where it says inconclusive.

use serde::{Deserialize, Serialize};

use super::elo::{LogisticElo, NormalizedElo};
use super::error::StatsError;
use super::multinomial::{MAX_LOGISTIC_ELO, MAX_NORMALIZED_ELO, Observed};
use super::pairs::{GameScore, Tally};
use super::{Evidence, StopRule, StoppedEstimate, Verdict};
use crate::results::{EloModel, OutcomeModel, SprtSpec};

/// As a number of planned pairs: play until the test decides.
pub const UNCAPPED: u64 = u64::MAX;

/// No match is this long; a search for the pairs that a verdict needs ends here.
const LONGEST_SEARCH: u64 = 1 << 40;

/// The log-likelihood ratio and what it is measured against.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Llr {
    /// The ratio; 0 without a game, unknown if the likelihood has no maximum.
    pub value: Option<f64>,
    /// H0 is accepted at or below this.
    pub lower: f64,
    /// H1 is accepted at or above this.
    pub upper: f64,
    /// The test's design: hypotheses, error rates, models.
    pub test: SprtSpec,
}

/// A sequential probability ratio test with a cap.
#[derive(Clone, Copy, Debug)]
pub struct Sprt {
    spec: SprtSpec,
    planned_pairs: u64,
    lower: f64,
    upper: f64,
}

impl Sprt {
    /// A test over at most `planned_pairs` pairs.
    ///
    /// # Errors
    /// Bounds in the wrong order or too far out, and error rates outside (0, 0.5).
    pub fn new(spec: SprtSpec, planned_pairs: u64) -> Result<Sprt, StatsError> {
        let SprtSpec {
            elo0,
            elo1,
            alpha,
            beta,
            ..
        } = spec;
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err(StatsError::Bounds { elo0, elo1 });
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(StatsError::ErrorRate { name, value });
            }
        }
        for bound in [elo0, elo1] {
            match spec.model {
                EloModel::Normalized if bound.abs() > MAX_NORMALIZED_ELO => {
                    return Err(StatsError::NormalizedTooLarge { bound });
                }
                EloModel::Logistic if bound.abs() > MAX_LOGISTIC_ELO => {
                    return Err(StatsError::LogisticTooLarge { bound });
                }
                EloModel::Normalized | EloModel::Logistic => {}
            }
        }
        if planned_pairs == 0 {
            return Err(StatsError::NoPairs);
        }
        Ok(Sprt {
            spec,
            planned_pairs,
            lower: (beta / (1.0 - alpha)).ln(),
            upper: ((1.0 - beta) / alpha).ln(),
        })
    }

    /// The test's design.
    #[must_use]
    pub fn spec(&self) -> &SprtSpec {
        &self.spec
    }

    /// The log-likelihood ratio at or below which H0 is accepted, and that for H1.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        (self.lower, self.upper)
    }

    /// The log-likelihood ratio: 0 without a game.
    #[must_use]
    pub fn llr(&self, tally: &Tally) -> Option<f64> {
        match self.spec.outcomes {
            OutcomeModel::Pentanomial => self.llr_of(tally.pairs.0, 2.0),
            OutcomeModel::Trinomial => self.llr_of(tally.games.cells(), 1.0),
        }
    }

    /// The ratio of `counts`, each observation being `games` games.
    pub(crate) fn llr_of<const K: usize>(&self, counts: [u64; K], games: f64) -> Option<f64> {
        if counts.iter().all(|&count| count == 0) {
            return Some(0.0);
        }
        let observed = Observed::new(counts);
        match self.spec.model {
            EloModel::Logistic => {
                let score = |elo| LogisticElo(elo).score();
                Some(observed.mean_llr(score(self.spec.elo0), score(self.spec.elo1)))
            }
            EloModel::Normalized => {
                let t_value = |elo: f64| elo / NormalizedElo::PER_T * games.sqrt();
                observed.t_llr(t_value(self.spec.elo0), t_value(self.spec.elo1))
            }
        }
    }

    /// What the ratio says, the cap left out.
    #[must_use]
    pub fn crossing(&self, tally: &Tally) -> Verdict {
        self.crossed(self.llr(tally))
    }

    /// What a ratio says, the cap left out.
    fn crossed(&self, llr: Option<f64>) -> Verdict {
        match llr {
            Some(llr) if llr >= self.upper => Verdict::AcceptH1,
            Some(llr) if llr <= self.lower => Verdict::AcceptH0,
            _ => Verdict::Continue,
        }
    }

    /// What a ratio after these games says.
    pub(crate) fn judge(&self, llr: Option<f64>, tally: &Tally) -> Verdict {
        match self.crossed(llr) {
            Verdict::Continue if tally.pairs.pairs() >= self.planned_pairs => Verdict::Inconclusive,
            verdict => verdict,
        }
    }

    /// The fewest pairs, all ending with `game`, that give `verdict`.
    fn fewest_pairs(&self, game: GameScore, verdict: Verdict) -> Option<u64> {
        let decided = |pairs| self.crossing(&Tally::uniform(game, pairs)) == verdict;
        let mut high = 1;
        while !decided(high) {
            if high >= LONGEST_SEARCH {
                return None;
            }
            high *= 2;
        }
        let mut low = high / 2;
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if decided(middle) {
                high = middle;
            } else {
                low = middle;
            }
        }
        Some(high)
    }
}

impl StopRule for Sprt {
    fn check(&self, tally: &Tally) -> Verdict {
        self.judge(self.llr(tally), tally)
    }

    fn evidence(&self, tally: &Tally) -> Evidence {
        Evidence::Sprt(Llr {
            value: self.llr(tally),
            lower: self.lower,
            upper: self.upper,
            test: self.spec,
        })
    }

    fn planned_pairs(&self) -> u64 {
        self.planned_pairs
    }

    fn pairs_to_accept_h1(&self) -> Option<u64> {
        self.fewest_pairs(GameScore::Win, Verdict::AcceptH1)
    }

    fn pairs_to_accept_h0(&self) -> Option<u64> {
        self.fewest_pairs(GameScore::Loss, Verdict::AcceptH0)
    }

    fn after_stop(&self, tally: &Tally) -> Option<StoppedEstimate> {
        match self.crossing(tally) {
            Verdict::AcceptH1 | Verdict::AcceptH0 => self.median_unbiased(tally),
            Verdict::Continue | Verdict::Inconclusive => None,
        }
    }

    fn describe(&self) -> String {
        let SprtSpec {
            elo0,
            elo1,
            alpha,
            beta,
            ..
        } = self.spec;
        let model = match self.spec.model {
            EloModel::Logistic => "logistic",
            EloModel::Normalized => "normalized",
        };
        let outcomes = match self.spec.outcomes {
            OutcomeModel::Pentanomial => "pairs",
            OutcomeModel::Trinomial => "single games",
        };
        let cap = match self.planned_pairs {
            UNCAPPED => "no cap".to_owned(),
            pairs => format!("at most {pairs} pairs"),
        };
        format!(
            "SPRT of {elo0} against {elo1} {model} Elo on {outcomes}, alpha {alpha}, beta {beta}, \
             LLR bounds [{:.2}, {:.2}], {cap}",
            self.lower, self.upper
        )
    }
}
