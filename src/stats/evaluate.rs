//! Counts from anywhere, evaluated: what `agon sprt --counts` prints.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Verdict;
use super::elo::{LogisticElo, NormalizedElo};
use super::error::StatsError;
use super::estimate::{Estimates, NORMAL_95};
use super::interval::{IntervalMethod, weighted_moments};
use super::pairs::{GameCounts, PairCounts, Tally};
use super::sprt::{Sprt, UNCAPPED};
use crate::results::{EloModel, OutcomeModel, SprtSpec};

/// Counts that come without their games: of pairs or of single games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Counts {
    /// LL, LD, DD or WL, WD, WW.
    Pairs(PairCounts),
    /// L, D, W.
    Games(GameCounts),
}

/// Why a list of counts cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CountsError {
    /// Not three and not five.
    #[error("found {0} counts; give five of pairs (LL,LD,DDWL,WD,WW) or three of games (L,D,W)")]
    Number(usize),
    /// Not a count.
    #[error("`{0}` is not a count; give whole numbers from 0 to {MAX_COUNT}")]
    NotACount(String),
}

/// More than any match; sums of counts stay exact.
const MAX_COUNT: u64 = 1_000_000_000_000;

impl FromStr for Counts {
    type Err = CountsError;

    fn from_str(text: &str) -> Result<Counts, CountsError> {
        let count = |cell: &str| {
            let cell = cell.trim();
            let count = cell.parse().ok().filter(|count| *count <= MAX_COUNT);
            count.ok_or_else(|| CountsError::NotACount(cell.to_owned()))
        };
        let cells = text
            .split(',')
            .map(count)
            .collect::<Result<Vec<u64>, CountsError>>()?;
        match *cells.as_slice() {
            [losses, draws, wins] => Ok(Counts::Games(GameCounts {
                losses,
                draws,
                wins,
            })),
            [ll, ld, even, wd, ww] => Ok(Counts::Pairs(PairCounts([ll, ld, even, wd, ww]))),
            _ => Err(CountsError::Number(cells.len())),
        }
    }
}

impl Counts {
    /// What one observation is.
    #[must_use]
    pub fn outcomes(&self) -> OutcomeModel {
        match self {
            Counts::Pairs(_) => OutcomeModel::Pentanomial,
            Counts::Games(_) => OutcomeModel::Trinomial,
        }
    }

    /// A tally with these counts in it and the other kind empty.
    fn tally(&self) -> Tally {
        match *self {
            Counts::Pairs(pairs) => Tally {
                pairs,
                ..Tally::default()
            },
            Counts::Games(games) => Tally {
                games,
                ..Tally::default()
            },
        }
    }
}

/// A test's design, its ratio and all estimates in one row. A missing figure is `None`.
///
/// This is the shape of `agon sprt --counts … --json`; `docs/sprt.md` lists the keys.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// What one observation is.
    pub outcomes: OutcomeModel,
    /// Pairs in the counts; unknown where they are of single games.
    pub pairs: Option<u64>,
    /// Games in the counts.
    pub games: u64,
    /// The scale of the hypotheses.
    pub model: EloModel,
    /// Elo of the null hypothesis.
    pub elo0: f64,
    /// Elo of the alternative.
    pub elo1: f64,
    /// Probability of accepting H1 when H0 holds.
    pub alpha: f64,
    /// Probability of accepting H0 when H1 holds.
    pub beta: f64,
    /// The log-likelihood ratio.
    pub llr: Option<f64>,
    /// H0 is accepted at or below this.
    #[serde(rename = "lower")]
    pub llr_lower: f64,
    /// H1 is accepted at or above this.
    #[serde(rename = "upper")]
    pub llr_upper: f64,
    /// What the ratio says, without a cap.
    pub verdict: Verdict,
    /// The score.
    pub win_rate: Option<f64>,
    /// The lower end of its 95% interval.
    pub win_rate_low: Option<f64>,
    /// The upper end.
    pub win_rate_high: Option<f64>,
    /// How the interval was made.
    pub interval_method: Option<IntervalMethod>,
    /// Logistic Elo of the score.
    pub elo: Option<LogisticElo>,
    /// The lower end of its 95% interval, that of the score transformed.
    pub elo_low: Option<LogisticElo>,
    /// The upper end.
    pub elo_high: Option<LogisticElo>,
    /// The lower end of the plain normal interval that other tools print. Too narrow for few
    /// pairs.
    pub elo_low_normal: Option<LogisticElo>,
    /// The upper end of the plain normal interval.
    pub elo_high_normal: Option<LogisticElo>,
    /// Normalised Elo.
    pub nelo: Option<NormalizedElo>,
    /// Half the width of its 95% interval.
    pub nelo_margin: Option<f64>,
    /// Likelihood of superiority.
    pub los: Option<f64>,
    /// Elo that takes the stopping of the test into account.
    pub elo_median_unbiased: Option<LogisticElo>,
    /// The lower end of its 95% interval.
    pub elo_median_unbiased_low: Option<LogisticElo>,
    /// The upper end.
    pub elo_median_unbiased_high: Option<LogisticElo>,
    /// Likelihood of superiority that takes the stopping into account.
    pub los_after_stop: Option<f64>,
}

/// Evaluates `counts` under the test `spec`, whose `outcomes` are those of the counts.
///
/// # Errors
/// What [`Sprt::new`] refuses.
///
/// ```
/// use agon::stats::{Counts, SprtSpec, Verdict, evaluate};
///
/// let counts: Counts = "10,0,25,0,15".parse()?;
/// let found = evaluate(&counts, SprtSpec::logistic(0.0, 35.0))?;
/// assert_eq!(found.verdict, Verdict::Continue);
/// assert!((found.win_rate.unwrap_or(0.0) - 0.55).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn evaluate(counts: &Counts, spec: SprtSpec) -> Result<Evaluation, StatsError> {
    let spec = SprtSpec {
        outcomes: counts.outcomes(),
        ..spec
    };
    let sprt = Sprt::new(spec, UNCAPPED)?;
    let tally = counts.tally();
    let estimates = Estimates::with(&tally, spec.outcomes);
    let interval = estimates.win_rate.and_then(|rate| rate.interval);
    let stopped = sprt.median_unbiased(&tally);
    let (elo_low_normal, elo_high_normal) = match counts {
        Counts::Pairs(pairs) => normal_interval(pairs.0),
        Counts::Games(games) => normal_interval(games.cells()),
    };
    let (llr_lower, llr_upper) = sprt.bounds();
    Ok(Evaluation {
        outcomes: spec.outcomes,
        pairs: match counts {
            Counts::Pairs(pairs) => Some(pairs.pairs()),
            Counts::Games(_) => None,
        },
        games: tally.pairs.games() + tally.games.games(),
        model: spec.model,
        elo0: spec.elo0,
        elo1: spec.elo1,
        alpha: spec.alpha,
        beta: spec.beta,
        llr: sprt.llr(&tally),
        llr_lower,
        llr_upper,
        verdict: sprt.crossing(&tally),
        win_rate: estimates.win_rate.map(|rate| rate.value),
        win_rate_low: interval.map(|interval| interval.low),
        win_rate_high: interval.map(|interval| interval.high),
        interval_method: interval.map(|interval| interval.method),
        elo: estimates.elo.value,
        elo_low: estimates.elo.low,
        elo_high: estimates.elo.high,
        elo_low_normal,
        elo_high_normal,
        nelo: estimates.normalized_elo.and_then(|estimate| estimate.value),
        nelo_margin: estimates.normalized_elo.map(|estimate| estimate.margin),
        los: estimates.los,
        elo_median_unbiased: stopped.and_then(|stopped| stopped.elo.value),
        elo_median_unbiased_low: stopped.and_then(|stopped| stopped.elo.low),
        elo_median_unbiased_high: stopped.and_then(|stopped| stopped.elo.high),
        los_after_stop: stopped.map(|stopped| stopped.los),
    })
}

/// Elo at the ends of score ± 1.96 standard errors.
fn normal_interval<const K: usize>(counts: [u64; K]) -> (Option<LogisticElo>, Option<LogisticElo>) {
    let weights = counts.map(|count| count as f64);
    let total: f64 = weights.iter().sum();
    let (mean, variance) = weighted_moments(&weights);
    let half_width = NORMAL_95 * (variance / total).sqrt();
    // Without a game all of this is NaN, which no score is equal to: both ends are missing.
    (
        LogisticElo::from_score(mean - half_width),
        LogisticElo::from_score(mean + half_width),
    )
}
