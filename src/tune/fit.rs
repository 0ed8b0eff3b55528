//! Logistic regression of who beats whom.
//!
//! Two settings with features φ(a) and φ(b) meet; the expected score of the first is
//! 1 / (1 + 10^(-d/400)) with d = β · (φ(a) - φ(b)) in Elo. The coefficients maximise the
//! likelihood, a draw being half a win and half a loss, under a prior so wide that it only keeps
//! the answer finite where one side won everything.
//!
//! The two games of a pair are linked, and draws make games quieter than wins and losses, so the
//! errors are scaled by the dispersion of the pairs as observed (quasi-likelihood: McCullagh and
//! Nelder, *Generalized Linear Models*, 2nd edition 1989, chapter 9).
//!
//! Pairs of the same index are linked too, whoever meets in them: they have the opening and the
//! random numbers in common. Where two settings play alike they are one game, told several
//! times. So the errors are also found from the sums of what the pairs of each index say
//! (cluster-robust, or sandwich, estimate: Liang and Zeger, *Longitudinal data analysis using
//! generalized linear models*, Biometrika 73, 1986, with the usual factor G / (G - p) for G indices
//! and p coefficients), and the larger of the two counts: few indices may look calmer than they
//! are.

use std::collections::BTreeMap;
use std::f64::consts::LN_10;

use statrs::distribution::{ContinuousCDF, FisherSnedecor};

use super::PairScores;
use crate::stats::{LogisticElo, PairCounts, inverse};

/// Elo to the unit of the logistic model.
const PER_ELO: f64 = LN_10 / 400.0;

/// Standard deviation of the prior on every coefficient, in Elo. It moves a coefficient that is
/// known to 40 Elo by 0.04%.
const PRIOR_ELO: f64 = 2000.0;

/// Dispersion of pairs before anything is known, and how many pairs that weighs: the
/// pseudo-counts 0.14, 0.19, 0.34, 0.19, 0.14 of the score intervals have this much.
const PRIOR_DISPERSION: (f64, f64) = (0.75, 2.5);

/// Share of the covariance of independent pairs that is added to the robust one to invert it.
const SHRINKAGE: f64 = 1e-3;

/// Newton steps; it converges in about six.
const MAX_STEPS: usize = 60;

/// What one setting did to another.
#[derive(Clone, Debug)]
pub(crate) struct Meeting {
    /// Features of the first setting less those of the second.
    difference: Vec<f64>,
    /// Index of the first pair.
    first_pair: u32,
    /// The pairs as the first setting saw them.
    pairs: PairScores,
    counts: PairCounts,
}

impl Meeting {
    /// Features of the first setting less those of the second, the index of the first pair, and
    /// the pairs as the first setting saw them.
    pub(crate) fn new(difference: Vec<f64>, first_pair: u32, pairs: &PairScores) -> Meeting {
        Meeting {
            difference,
            first_pair,
            counts: pairs.counts(),
            pairs: pairs.clone(),
        }
    }
}

/// Coefficients with their errors.
#[derive(Clone, Debug)]
pub(crate) struct Fit {
    /// Elo a unit of each feature.
    pub(crate) coefficients: Vec<f64>,
    /// Their covariance in Elo² if all pairs are independent.
    pub(crate) covariance: Vec<Vec<f64>>,
    /// Their covariance in Elo² if pairs of different indices are.
    robust: Vec<Vec<f64>>,
    /// How many indices there are.
    indices: usize,
}

impl Fit {
    /// Elo of a setting above another with features less by `difference`, and the standard
    /// error of that.
    pub(crate) fn lead(&self, difference: &[f64]) -> (f64, f64) {
        let lead = dot(&self.coefficients, difference);
        let variance = |covariance| dot(&times(covariance, difference), difference);
        let variance = variance(&self.covariance).max(variance(&self.robust));
        (lead, variance.max(0.0).sqrt())
    }

    /// Wald's test of all coefficients being 0: how often results without an effect differ as
    /// much. Its statistic over their number p is compared with F(p, G - p), which is a little
    /// more careful than chi-squared where there are few indices G.
    pub(crate) fn p_value(&self) -> f64 {
        let freedom = self.coefficients.len() as f64;
        let rest = (self.indices as f64 - freedom).max(1.0);
        let Ok(null) = FisherSnedecor::new(freedom, rest) else {
            return 1.0;
        };
        null.sf(self.wald().max(0.0) / freedom)
    }

    /// The smaller of both statistics.
    fn wald(&self) -> f64 {
        let wald = |covariance: &[Vec<f64>]| {
            let precision = inverse(covariance)?;
            let image = times(&precision, &self.coefficients);
            Some(dot(&image, &self.coefficients))
        };
        // Where all settings meet one and play the same games, the robust covariance has no
        // inverse: all indices say the same in different strength. A thousandth of the other
        // gives it one, and changes little in the directions that it knows.
        let mut robust = self.robust.clone();
        let cells = robust.iter_mut().flatten();
        for (cell, other) in cells.zip(self.covariance.iter().flatten()) {
            *cell += SHRINKAGE * other;
        }
        let (one, other) = (wald(&self.covariance), wald(&robust));
        one.unwrap_or(0.0).min(other.unwrap_or(0.0))
    }
}

/// Fits the coefficients of `features` features.
pub(crate) fn fit(features: usize, meetings: &[Meeting]) -> Fit {
    let mut beta = vec![0.0; features];
    let mut height = log_posterior(&beta, meetings);
    for _ in 0..MAX_STEPS {
        let Some(spread) = inverse(&information(&beta, meetings)) else {
            break;
        };
        let step = times(&spread, &gradient(&beta, meetings));
        // The likelihood is concave; a step that is too long is halved until it climbs.
        let mut scale = 1.0;
        let climbed = loop {
            let tried: Vec<f64> = beta.iter().zip(&step).map(|(b, s)| b + scale * s).collect();
            let there = log_posterior(&tried, meetings);
            if there >= height {
                beta = tried;
                break there;
            }
            scale /= 2.0;
            if scale < 1e-6 {
                break height;
            }
        };
        let longest = step.iter().fold(0.0f64, |most, part| most.max(part.abs()));
        height = climbed;
        if scale * longest < 1e-7 || scale < 1e-6 {
            break;
        }
    }
    let dispersion = dispersion(&beta, meetings);
    let mut covariance = inverse(&information(&beta, meetings)).unwrap_or_else(|| {
        let cell = |row, column| {
            if row == column {
                PRIOR_ELO * PRIOR_ELO
            } else {
                0.0
            }
        };
        let row = |row| (0..features).map(|column| cell(row, column)).collect();
        (0..features).map(row).collect()
    });
    let (robust, indices) = sandwich(&beta, meetings, &covariance);
    for cell in covariance.iter_mut().flatten() {
        *cell *= dispersion;
    }
    Fit {
        coefficients: beta,
        covariance,
        robust,
        indices,
    }
}

/// The cluster-robust covariance, `bread` being the inverse of the information, and the number of
/// clusters: indices of pairs.
fn sandwich(beta: &[f64], meetings: &[Meeting], bread: &[Vec<f64>]) -> (Vec<Vec<f64>>, usize) {
    let features = beta.len();
    let mut sums: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for meeting in meetings {
        let expected = 4.0 * expected(beta, meeting);
        for (index, score) in (meeting.first_pair..).zip(&meeting.pairs.0) {
            let excess = PER_ELO * (f64::from(score.half_points()) - expected) / 2.0;
            let sum = sums.entry(index).or_insert_with(|| vec![0.0; features]);
            for (part, difference) in sum.iter_mut().zip(&meeting.difference) {
                *part += excess * difference;
            }
        }
    }
    let count = sums.len() as f64;
    let factor = count / (count - features as f64).max(1.0);
    let mut covariance = vec![vec![0.0; features]; features];
    for sum in sums.values() {
        let image = times(bread, sum);
        for (row, left) in covariance.iter_mut().zip(&image) {
            for (cell, right) in row.iter_mut().zip(&image) {
                *cell += factor * left * right;
            }
        }
    }
    (covariance, sums.len())
}

/// Expected score of the first setting of a meeting.
fn expected(beta: &[f64], meeting: &Meeting) -> f64 {
    LogisticElo(dot(beta, &meeting.difference)).score()
}

/// Games and points of a meeting.
fn counts(meeting: &Meeting) -> (f64, f64) {
    let score = meeting.counts.score();
    (score.games as f64, score.half_points as f64 / 2.0)
}

fn log_posterior(beta: &[f64], meetings: &[Meeting]) -> f64 {
    let prior = -dot(beta, beta) / (2.0 * PRIOR_ELO * PRIOR_ELO);
    let likelihood = meetings.iter().map(|meeting| {
        let (games, points) = counts(meeting);
        let lead = PER_ELO * dot(beta, &meeting.difference);
        // ln p = -ln(1 + e^-lead), and ln(1 - p) = ln p - lead, without overflow.
        let ln_loss = -(lead.max(0.0) + (-lead.abs()).exp().ln_1p());
        points * (ln_loss + lead) + (games - points) * ln_loss
    });
    prior + likelihood.sum::<f64>()
}

fn gradient(beta: &[f64], meetings: &[Meeting]) -> Vec<f64> {
    let mut gradient: Vec<f64> = beta.iter().map(|b| -b / (PRIOR_ELO * PRIOR_ELO)).collect();
    for meeting in meetings {
        let (games, points) = counts(meeting);
        let excess = PER_ELO * (points - games * expected(beta, meeting));
        for (part, difference) in gradient.iter_mut().zip(&meeting.difference) {
            *part += excess * difference;
        }
    }
    gradient
}

fn information(beta: &[f64], meetings: &[Meeting]) -> Vec<Vec<f64>> {
    let features = beta.len();
    let mut matrix = vec![vec![0.0; features]; features];
    for (index, row) in matrix.iter_mut().enumerate() {
        row[index] = 1.0 / (PRIOR_ELO * PRIOR_ELO);
    }
    for meeting in meetings {
        let (games, _) = counts(meeting);
        let score = expected(beta, meeting);
        let weight = PER_ELO * PER_ELO * games * score * (1.0 - score);
        for (row, left) in matrix.iter_mut().zip(&meeting.difference) {
            for (cell, right) in row.iter_mut().zip(&meeting.difference) {
                *cell += weight * left * right;
            }
        }
    }
    matrix
}

/// Variance of the pairs in units of that of two independent games without draws: Pearson's
/// statistic over the number of pairs, with a prior that keeps it above 0.
fn dispersion(beta: &[f64], meetings: &[Meeting]) -> f64 {
    let (prior, weight) = PRIOR_DISPERSION;
    let (mut squares, mut freedom) = (prior * weight, weight);
    for meeting in meetings {
        let score = expected(beta, meeting);
        // Of the half points of two games: 2 games, 2 half points each. A side that wins nearly
        // everything is taken for a little less sure, so that one upset does not decide.
        let variance = 8.0 * (score * (1.0 - score)).max(0.01);
        for (half_points, count) in (0u8..).zip(meeting.counts.0) {
            squares += count as f64 * (f64::from(half_points) - 4.0 * score).powi(2) / variance;
        }
        freedom += meeting.pairs.0.len() as f64;
    }
    squares / (freedom - beta.len() as f64).max(weight)
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

fn times(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| dot(row, vector)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met_on(first_pair: u32, difference: &[f64], cells: [u64; 5]) -> Meeting {
        Meeting::new(difference.to_vec(), first_pair, &PairCounts(cells).into())
    }

    fn met(difference: &[f64], cells: [u64; 5]) -> Meeting {
        met_on(0, difference, cells)
    }

    /// The same pairs told by ten pairings are no more than pairs told once.
    #[test]
    fn the_same_games_told_ten_times_are_told_once() {
        let cells = [30, 0, 40, 0, 50];
        let once = fit(1, &[met(&[1.0], cells)]);
        let often = fit(1, &vec![met(&[1.0], cells); 10]);
        let (lead, error) = often.lead(&[1.0]);
        assert!((lead / once.lead(&[1.0]).0 - 1.0).abs() < 0.01, "{often:?}");
        assert!(
            (error / once.lead(&[1.0]).1 - 1.0).abs() < 0.02,
            "{often:?}"
        );
        assert!(
            (often.p_value() / once.p_value() - 1.0).abs() < 0.1,
            "{often:?}"
        );
        // On other openings they are ten times as many.
        let apart: Vec<Meeting> = (0..10)
            .map(|place| met_on(120 * place, &[1.0], cells))
            .collect();
        let (_, apart) = fit(1, &apart).lead(&[1.0]);
        assert!(
            (apart * 10f64.sqrt() / error - 1.0).abs() < 0.05,
            "{apart} {error}"
        );
    }

    /// One coefficient and one kind of meeting have a closed form: the Elo of the score, and
    /// 1 / (games p (1 - p)) as its variance, the prior aside.
    #[test]
    fn one_coefficient_is_the_elo_of_the_score() {
        let meetings = [met(&[2.0], [100, 0, 250, 0, 150])];
        let found = fit(1, &meetings);
        let score = 0.55;
        let elo = LogisticElo::from_score(score).expect("inside").0;
        assert!(
            (found.coefficients[0] - elo / 2.0).abs() < 1e-3,
            "{found:?}"
        );
        // Pearson: the squares are 100 × 2.2² + 250 × 0.2² + 150 × 1.8² = 980, over 8 p (1 - p).
        let dispersion = (980.0 / (8.0 * 0.2475) + 0.75 * 2.5) / (500.0 + 2.5 - 1.0);
        let observed = super::dispersion(&found.coefficients, &meetings);
        assert!((observed - dispersion).abs() < 1e-4, "{observed}");
        let variance = dispersion / (1000.0 * 0.2475) / (2.0 * PER_ELO).powi(2);
        assert!(
            (found.covariance[0][0] / variance - 1.0).abs() < 1e-3,
            "{found:?}"
        );
    }

    /// As many coefficients as kinds of meeting: every score is met exactly, so the
    /// coefficients solve linear equations. Scores of 10/11, 1/2 and 1/11 are +400, 0 and -400.
    #[test]
    fn a_saturated_fit_meets_every_score() {
        let meetings = [
            met(&[1.0, 1.0], [0, 0, 2, 0, 9]),
            met(&[1.0, -1.0], [0, 0, 11, 0, 0]),
        ];
        let found = fit(2, &meetings);
        // β0 + β1 = 400 and β0 = β1; the prior pulls by a few Elo where games are so few.
        for coefficient in &found.coefficients {
            assert!((coefficient - 200.0).abs() < 2.0, "{found:?}");
        }
    }

    /// A published logistic regression: hours of study and passing an exam, 20 students
    /// (<https://en.wikipedia.org/wiki/Logistic_regression>, retrieved with the coefficients
    /// -4.0777 and 1.5046, standard errors 1.7610 and 0.6287). A student is a meeting with
    /// features (1, hours); the second game of the pair repeats the first.
    #[test]
    fn the_exam_example_has_its_published_coefficients() {
        let hours = [
            0.50, 0.75, 1.00, 1.25, 1.50, 1.75, 1.75, 2.00, 2.25, 2.50, 2.75, 3.00, 3.25, 3.50,
            4.00, 4.25, 4.50, 4.75, 5.00, 5.50,
        ];
        let passed = [0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1];
        let meetings: Vec<Meeting> = hours
            .iter()
            .zip(passed)
            .enumerate()
            .map(|(index, (hours, passed))| {
                met_on(index as u32, &[1.0, *hours], [1 - passed, 0, 0, 0, passed])
            })
            .collect();
        let found = fit(2, &meetings);
        let dispersion = dispersion(&found.coefficients, &meetings);
        let published = [(-4.0777, 1.7610), (1.5046, 0.6287)];
        for (index, (coefficient, error)) in published.into_iter().enumerate() {
            // The prior of 2000 Elo (11.5 in this unit) shrinks an intercept of such an error.
            let shrunk = found.coefficients[index] * PER_ELO / coefficient;
            assert!((shrunk - 1.0).abs() < 0.02, "{shrunk} of {coefficient}");
            // Each student is two games here: errors are smaller by √2, and scaled.
            let own = found.covariance[index][index] / dispersion * 2.0;
            let shrunk = own.sqrt() * PER_ELO / error;
            assert!((shrunk - 1.0).abs() < 0.03, "{shrunk} of {error}");
        }
    }

    #[test]
    fn degenerate_data_give_finite_fits() {
        let nothing = met(&[1.0, 1.0], [0; 5]);
        let won = met(&[1.0, 1.0], [0, 0, 0, 0, 500]);
        let drawn = met(&[-0.5, 1.0], [0, 0, 500, 0, 0]);
        for meetings in [
            vec![],
            vec![nothing],
            vec![won.clone()],
            vec![drawn.clone()],
            vec![won, drawn],
        ] {
            let found = fit(2, &meetings);
            let cells = found.covariance.iter().flatten();
            assert!(
                found
                    .coefficients
                    .iter()
                    .chain(cells)
                    .all(|x| x.is_finite())
            );
            assert!((0.0..=1.0).contains(&found.p_value()), "{found:?}");
            let (lead, error) = found.lead(&[1.0, 1.0]);
            assert!(lead.is_finite() && error > 0.0, "{lead} {error}");
        }
    }
}
