//! Deals that two variants tried: how many each solved, at what cost, and whether the difference
//! in the number solved is more than luck.

use serde::{Deserialize, Serialize};
use statrs::distribution::{Binomial, DiscreteCDF};

use super::interval::{CONFIDENCE, Interval, clopper_pearson};

/// One try of a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tried {
    /// Moves of the solution; `None` where there is none.
    pub length: Option<u32>,
    /// States that were looked at.
    pub nodes: u64,
    /// Microseconds.
    pub time_us: u64,
}

/// The middle and the far end of some numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// The median; of an even number of values the mean of the two in the middle.
    pub median: f64,
    /// The 95th percentile by nearest rank: the smallest value that at least 95% do not exceed.
    pub p95: f64,
}

impl Spread {
    /// The spread of these values; `None` without one.
    #[must_use]
    pub fn of(mut values: Vec<u64>) -> Option<Spread> {
        values.sort_unstable();
        let last = values.len().checked_sub(1)?;
        let middle = [values[last / 2], values[values.len() / 2]];
        let rank = (95 * values.len()).div_ceil(100);
        Some(Spread {
            median: f64::midpoint(middle[0] as f64, middle[1] as f64),
            p95: values[rank - 1] as f64,
        })
    }
}

/// What a variant made of its deals.
#[derive(Clone, Debug, PartialEq)]
pub struct Solver {
    /// Deals solved.
    pub solved: u64,
    /// Deals tried.
    pub tried: u64,
    /// The 95% interval of the share solved.
    pub rate: Option<Interval>,
    /// Moves of the solutions.
    pub length: Option<Spread>,
    /// States of all deals, those without a solution too.
    pub nodes: Option<Spread>,
    /// Microseconds of all deals, those without a solution too.
    pub time_us: Option<Spread>,
}

impl Solver {
    /// The figures of these tries.
    pub fn of(tries: impl IntoIterator<Item = Tried>) -> Solver {
        let tries: Vec<Tried> = tries.into_iter().collect();
        let lengths = tries.iter().filter_map(|tried| tried.length);
        let lengths: Vec<u64> = lengths.map(u64::from).collect();
        let (solved, tried) = (lengths.len() as u64, tries.len() as u64);
        Solver {
            solved,
            tried,
            rate: clopper_pearson(solved, tried, CONFIDENCE),
            length: Spread::of(lengths),
            nodes: Spread::of(tries.iter().map(|tried| tried.nodes).collect()),
            time_us: Spread::of(tries.iter().map(|tried| tried.time_us).collect()),
        }
    }

    /// The share solved, unknown without a deal.
    #[must_use]
    pub fn solve_rate(&self) -> Option<f64> {
        (self.tried > 0).then(|| self.solved as f64 / self.tried as f64)
    }
}

/// McNemar's exact test, two-sided: how likely so uneven a split of the deals that only one of two
/// solved is, if both are equally good. 1 where there is no such deal. (McNemar 1947; exact by the
/// binomial distribution, twice the smaller tail.)
///
/// ```
/// use agon::stats::mcnemar;
///
/// assert_eq!(mcnemar(0, 0), 1.0);
/// assert!((mcnemar(1, 8) - 0.0390625).abs() < 1e-12);
/// ```
#[must_use]
pub fn mcnemar(only_one: u64, only_other: u64) -> f64 {
    let Ok(split) = Binomial::new(0.5, only_one + only_other) else {
        return 1.0;
    };
    (2.0 * split.cdf(only_one.min(only_other))).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_of_the_sample() {
        assert_eq!(Spread::of(Vec::new()), None);
        let spread = |values: &[u64]| Spread::of(values.to_vec()).map(|s| (s.median, s.p95));
        assert_eq!(spread(&[7]), Some((7.0, 7.0)));
        assert_eq!(spread(&[9, 1, 5, 2]), Some((3.5, 9.0)));
        assert_eq!(spread(&[3, 1, 2]), Some((2.0, 3.0)));
        let twenty: Vec<u64> = (1..=20).rev().collect();
        assert_eq!(spread(&twenty), Some((10.5, 19.0)));
        let hundred: Vec<u64> = (1..=100).collect();
        assert_eq!(spread(&hundred), Some((50.5, 95.0)));
    }

    #[test]
    fn unsolved_deals_cost_and_have_no_length() {
        let tried = |length, nodes| Tried {
            length,
            nodes,
            time_us: 10 * nodes,
        };
        let solver = Solver::of([tried(Some(80), 5), tried(None, 1000), tried(Some(90), 7)]);
        assert_eq!((solver.solved, solver.tried), (2, 3));
        assert_eq!(solver.solve_rate(), Some(2.0 / 3.0));
        assert_eq!(solver.length.map(|s| (s.median, s.p95)), Some((85.0, 90.0)));
        assert_eq!(solver.nodes.map(|s| (s.median, s.p95)), Some((7.0, 1000.0)));
        // By bisection of the binomial tails.
        let rate = solver.rate.expect("three deals");
        assert!((rate.low - 0.094_299_32).abs() < 1e-6 && (rate.high - 0.991_596_26).abs() < 1e-6);
        assert_eq!(Solver::of([]).solve_rate(), None);
    }

    /// By hand: twice the sum of the smaller tail's binomial coefficients over 2^n.
    #[test]
    fn mcnemar_is_exact() {
        for (one, other, p) in [
            (0, 1, 1.0),
            (0, 5, 2.0 / 32.0),
            (0, 10, 2.0 / 1024.0),
            (2, 8, 2.0 * 56.0 / 1024.0),
            (5, 5, 1.0),
            (5, 6, 1.0),
            (4, 6, 2.0 * 386.0 / 1024.0),
        ] {
            assert!((mcnemar(one, other) - p).abs() < 1e-12, "{one} {other}");
            assert!((mcnemar(other, one) - p).abs() < 1e-12, "{other} {one}");
        }
    }
}
