//! Confidence intervals of scores and shares.

use serde::{Deserialize, Serialize};
use statrs::distribution::{Beta, ContinuousCDF, Normal, StudentsT};

use super::pairs::PairCounts;

/// The confidence level of every interval that agon prints.
pub const CONFIDENCE: f64 = 0.95;

/// Below this many observations, and where all observations are equal, pseudo-counts join in.
const FEW: f64 = 50.0;

/// Degrees of freedom from which Student's t is expanded around the normal distribution.
const MANY: f64 = 1000.0;

/// Weight of the pseudo-counts, in observations.
const PRIOR_WEIGHT: f64 = 2.5;

/// How often each outcome of a pair comes up before anything is known.
const PAIR_PRIOR: [f64; 5] = [0.14, 0.19, 0.34, 0.19, 0.14];

/// The same prior seen game by game, its middle cell half drawn pairs and half split ones.
const GAME_PRIOR: [f64; 3] = [0.32, 0.36, 0.32];

/// How an interval was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IntervalMethod {
    /// Student-t on the observations.
    StudentT,
    /// Student-t with 2.5 pseudo-observations, for short matches and for equal outcomes only.
    StudentTPrior,
    /// Clopper-Pearson, exact for a share of yes-or-no results.
    ClopperPearson,
}

impl IntervalMethod {
    /// The words for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            IntervalMethod::StudentT => "Student-t",
            IntervalMethod::StudentTPrior => "Student-t with pseudo-counts",
            IntervalMethod::ClopperPearson => "Clopper-Pearson",
        }
    }
}

/// A confidence interval of a score or share, inside 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// How it was made.
    pub method: IntervalMethod,
}

/// Student-t interval of the mean of `counts` over equally spaced scores from 0 to 1, with one
/// degree of freedom less than observations. `None` below two observations.
///
/// A plain normal interval covers only 78 to 90% at 5 to 10 pairs, and has no width where all
/// pairs ended alike; the pseudo-counts mend both. The ends are clipped to 0 and 1.
pub(crate) fn student_t<const K: usize>(counts: [u64; K], confidence: f64) -> Option<Interval> {
    let total = counts.iter().sum::<u64>() as f64;
    let quantile = t_quantile(f64::midpoint(1.0, confidence), total - 1.0)?;
    let plain = counts.map(|count| count as f64);
    let (observed, variance) = weighted_moments(&plain);
    let few = total < FEW || variance == 0.0;
    let (weights, method) = if few {
        (with_prior(&plain), IntervalMethod::StudentTPrior)
    } else {
        (plain, IntervalMethod::StudentT)
    };
    let (mean, variance) = weighted_moments(&weights);
    let half_width = quantile * (variance / weights.iter().sum::<f64>()).sqrt();
    Some(Interval {
        low: (mean - half_width).min(observed).max(0.0),
        high: (mean + half_width).max(observed).min(1.0),
        method,
    })
}

/// The quantile of Student's t; `None` below one degree of freedom.
///
/// For many degrees of freedom the library's search does not end, and the expansion around the
/// normal quantile is exact to all digits (Abramowitz and Stegun, 26.7.5).
fn t_quantile(probability: f64, freedom: f64) -> Option<f64> {
    if freedom < MANY {
        return Some(
            StudentsT::new(0.0, 1.0, freedom)
                .ok()?
                .inverse_cdf(probability),
        );
    }
    let z = Normal::standard().inverse_cdf(probability);
    let (cube, fifth) = (z.powi(3), z.powi(5));
    let second = (5.0 * fifth + 16.0 * cube + 3.0 * z) / 96.0;
    Some(z + ((cube + z) / 4.0 + second / freedom) / freedom)
}

/// Clopper-Pearson interval of a share: `successes` of `trials`. `None` without a trial, or
/// with more successes than trials.
#[must_use]
pub fn clopper_pearson(successes: u64, trials: u64, confidence: f64) -> Option<Interval> {
    if trials == 0 || successes > trials || !(confidence > 0.0 && confidence < 1.0) {
        return None;
    }
    let (won, lost) = (successes as f64, (trials - successes) as f64);
    let tail = (1.0 - confidence) / 2.0;
    let low = match successes {
        0 => 0.0,
        _ => beta_quantile(won, lost + 1.0, tail)?,
    };
    let high = match trials - successes {
        0 => 1.0,
        // The upper quantile as one minus a lower one, which keeps the digits of a small tail.
        _ => 1.0 - beta_quantile(lost, won + 1.0, tail)?,
    };
    Some(Interval {
        low,
        high,
        method: IntervalMethod::ClopperPearson,
    })
}

/// The quantile of a beta distribution, by halving where the library's own search is coarse.
fn beta_quantile(shape_a: f64, shape_b: f64, probability: f64) -> Option<f64> {
    let beta = Beta::new(shape_a, shape_b).ok()?;
    let (mut low, mut high) = (0.0f64, 1.0f64);
    while high - low > f64::EPSILON * high {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        if beta.cdf(middle) < probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(f64::midpoint(low, high))
}

/// Variance of a pair's score, pseudo-counts joining in as they do for an interval.
pub(crate) fn pair_variance(pairs: PairCounts) -> f64 {
    let plain = pairs.0.map(|count| count as f64);
    let (_, variance) = weighted_moments(&plain);
    if (pairs.pairs() as f64) < FEW || variance == 0.0 {
        return weighted_moments(&with_prior(&plain)).1;
    }
    variance
}

/// Adds the pseudo-counts that fit the number of cells.
fn with_prior<const K: usize>(counts: &[f64; K]) -> [f64; K] {
    let prior: &[f64] = if K == PAIR_PRIOR.len() {
        &PAIR_PRIOR
    } else {
        &GAME_PRIOR
    };
    std::array::from_fn(|cell| counts[cell] + PRIOR_WEIGHT * prior[cell])
}

/// Mean and variance of weighted, equally spaced scores.
pub(crate) fn weighted_moments<const K: usize>(weights: &[f64; K]) -> (f64, f64) {
    let total: f64 = weights.iter().sum();
    super::multinomial::moments(&weights.map(|weight| weight / total))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_t_meet_where_the_expansion_begins() {
        for freedom in 1..1000 {
            let quantile = t_quantile(0.975, f64::from(freedom)).expect("freedom");
            assert!(quantile > 1.96 && quantile < 12.8, "{freedom}: {quantile}");
        }
        let below = t_quantile(0.975, MANY - 0.001).expect("freedom");
        let above = t_quantile(0.975, MANY).expect("freedom");
        assert!((below - above).abs() < 1e-8, "{below} {above}");
        // Tables: 12.706 for one degree of freedom, 2.0096 for 49.
        assert!((t_quantile(0.975, 1.0).expect("freedom") - 12.706_204_7).abs() < 1e-6);
        assert!((t_quantile(0.975, 49.0).expect("freedom") - 2.009_575_2).abs() < 1e-6);
        assert_eq!(t_quantile(0.975, 0.0), None);
    }
}
