//! Ratings of several variants: Bradley-Terry, a draw being half a win and half a loss.
//!
//! The ratings are the ones under which every variant's expected score, 1 / (1 + 10^(-d/400)) a
//! game, is the score it made. Their errors come from the noise of pairs as it was observed, not
//! from the model's, which would take the two games of a pair for independent: the covariance is
//! H⁻ B H⁻ with H the information of the model and B the variance of the scores (a "sandwich",
//! White 1982, <https://doi.org/10.2307/1912526>).

use std::f64::consts::LN_10;

use serde::{Deserialize, Serialize};

use super::elo::LogisticElo;
use super::estimate::{NORMAL_95, superiority};
use super::interval::pair_variance;
use super::linear::inverse;
use super::pairs::{PairCounts, PairScore, Score, Tally};

/// Elo to the model's own unit.
const PER_ELO: f64 = LN_10 / 400.0;

/// Newton steps of the fit; it converges in a handful.
const MAX_STEPS: usize = 100;

/// A fit further out than this has no bound: somebody won everything.
const FURTHEST_ELO: f64 = 4000.0;

/// What two variants did to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Encounter {
    /// Index of the variant whose counts these are.
    pub candidate: usize,
    /// Index of the other.
    pub base: usize,
    /// The candidate's counts.
    pub tally: Tally,
}

/// One variant's rating.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// Index of the variant.
    pub variant: usize,
    /// Elo against the mean of all variants.
    pub elo: LogisticElo,
    /// Half the width of its 95% interval.
    pub margin: f64,
    /// Its score over all games.
    pub score: Score,
}

/// `table[i][j]`: what variant i made against variant j; `None` where they were not to meet.
pub type CrossTable = Vec<Vec<Option<PairCounts>>>;

/// Ratings of all variants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ratings {
    /// The variants, best first.
    pub ratings: Vec<Rating>,
    /// `los[i][j]`: likelihood that variant i is better than variant j; `None` for i = j.
    pub los: Vec<Vec<Option<f64>>>,
    /// What everybody made against everybody.
    pub cross: CrossTable,
    /// Whether one drawn pair was added to each pairing, since without it some variant that won
    /// or lost everything would have no rating.
    pub regularized: bool,
}

/// One pairing as the fit sees it.
struct Link {
    one: usize,
    other: usize,
    games: f64,
    points: f64,
    /// Variance of the points, as observed.
    noise: f64,
}

/// What two variants made of one deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// Index of the variant whose score it is.
    pub candidate: usize,
    /// Index of the other.
    pub base: usize,
    /// The candidate's score.
    pub score: PairScore,
}

/// Fits ratings to what `variants` variants did to each other. `None` where the encounters fall
/// into groups that never met, or name a variant that is not there.
#[must_use]
pub fn rate(variants: usize, encounters: &[Encounter]) -> Option<Ratings> {
    rate_with(variants, encounters, |_, links| {
        laplacian(variants, links, |link| PER_ELO * PER_ELO * link.noise)
    })
}

/// As [`rate`], where a variant's one try of a deal counts against all that it meets there: the
/// errors are those of deals, not of pairings, which are not independent (a cluster-robust
/// sandwich, Liang and Zeger 1986, <https://doi.org/10.1093/biomet/73.1.13>). `deals` has the
/// meetings of the encounters, deal by deal.
#[must_use]
pub fn rate_deals(
    variants: usize,
    encounters: &[Encounter],
    deals: &[Vec<Meeting>],
) -> Option<Ratings> {
    rate_with(variants, encounters, |elos, links| {
        noise_of_deals(elos, links, deals)
    })
}

/// The variance of the scores' gradient, deal by deal; never less for a pairing than its own pairs
/// say, which is of weight where there are few or all are alike.
fn noise_of_deals(elos: &[f64], links: &[Link], deals: &[Vec<Meeting>]) -> Vec<Vec<f64>> {
    let variants = elos.len();
    let mut matrix = vec![vec![0.0; variants]; variants];
    let mut own = vec![vec![0.0; variants]; variants];
    let count = deals.len() as f64;
    let small_sample = count / (count - 1.0).max(1.0);
    for deal in deals {
        let mut gradient = vec![0.0; variants];
        for meeting in deal {
            let Meeting {
                candidate, base, ..
            } = *meeting;
            let expected = LogisticElo(elos[candidate] - elos[base]).score();
            let points = f64::from(meeting.score.half_points()) / 2.0;
            let excess = PER_ELO * (points - 2.0 * expected);
            gradient[candidate] += excess;
            gradient[base] -= excess;
            own[candidate.min(base)][candidate.max(base)] += small_sample * excess * excess;
        }
        for (row, one) in matrix.iter_mut().zip(&gradient) {
            for (entry, other) in row.iter_mut().zip(&gradient) {
                *entry += small_sample * one * other;
            }
        }
    }
    let missing = laplacian(variants, links, |link| {
        let known = own[link.one.min(link.other)][link.one.max(link.other)];
        (PER_ELO * PER_ELO * link.noise - known).max(0.0)
    });
    for (row, more) in matrix.iter_mut().zip(missing) {
        for (entry, more) in row.iter_mut().zip(more) {
            *entry += more;
        }
    }
    matrix
}

fn rate_with(
    variants: usize,
    encounters: &[Encounter],
    noise: impl Fn(&[f64], &[Link]) -> Vec<Vec<f64>>,
) -> Option<Ratings> {
    let cross = cross_table(variants, encounters)?;
    if !connected(&cross, |pairs| pairs.pairs() > 0) {
        return None;
    }
    // Without a chain of points from everybody to everybody, somebody's rating is unbounded.
    let scored = |pairs: PairCounts| pairs.score().half_points > 0;
    let regularized = !connected(&cross, scored);
    let links = links(&cross, regularized);
    let elos = fit(variants, &links)?;
    let covariance = covariance(&elos, &links, &noise(&elos, &links))?;
    let los = |one: usize, other: usize| {
        let variance =
            covariance[one][one] + covariance[other][other] - 2.0 * covariance[one][other];
        superiority(elos[one] - elos[other], variance.max(0.0).sqrt())
    };
    let mut ratings: Vec<Rating> = (0..variants)
        .map(|variant| Rating {
            variant,
            elo: LogisticElo(elos[variant]),
            margin: NORMAL_95 * covariance[variant][variant].max(0.0).sqrt(),
            score: total_score(&cross[variant]),
        })
        .collect();
    ratings.sort_by(|one, other| other.elo.0.total_cmp(&one.elo.0));
    let los = (0..variants)
        .map(|one| {
            (0..variants)
                .map(|other| (one != other).then(|| los(one, other)))
                .collect()
        })
        .collect();
    Some(Ratings {
        ratings,
        los,
        cross,
        regularized,
    })
}

/// Sums the encounters by who met whom, each seen from both sides. `None` where one names a
/// variant that is not there, or one variant twice.
#[must_use]
pub fn cross_table(variants: usize, encounters: &[Encounter]) -> Option<CrossTable> {
    let mut cross = vec![vec![None; variants]; variants];
    for encounter in encounters {
        let Encounter {
            candidate,
            base,
            tally,
        } = *encounter;
        if candidate >= variants || base >= variants || candidate == base {
            return None;
        }
        let sides = [
            (candidate, base, tally.pairs),
            (base, candidate, tally.pairs.reversed()),
        ];
        for (one, other, pairs) in sides {
            let sum: &mut PairCounts = cross[one][other].get_or_insert_default();
            for (cell, count) in sum.0.iter_mut().zip(pairs.0) {
                *cell += count;
            }
        }
    }
    Some(cross)
}

/// A variant's score over its row of the table.
fn total_score(row: &[Option<PairCounts>]) -> Score {
    let nothing = Score {
        half_points: 0,
        games: 0,
    };
    row.iter()
        .flatten()
        .map(PairCounts::score)
        .fold(nothing, |sum, score| Score {
            half_points: sum.half_points + score.half_points,
            games: sum.games + score.games,
        })
}

/// Whether steps along entries that `counts` lead from the first variant to all and back.
fn connected(cross: &[Vec<Option<PairCounts>>], counts: impl Fn(PairCounts) -> bool) -> bool {
    let reached = |forward: bool| {
        let mut seen = vec![false; cross.len()];
        let mut open: Vec<usize> = (0..cross.len().min(1)).collect();
        while let Some(here) = open.pop() {
            if std::mem::replace(&mut seen[here], true) {
                continue;
            }
            open.extend((0..cross.len()).filter(|&there| {
                let entry = if forward {
                    cross[here][there]
                } else {
                    cross[there][here]
                };
                !seen[there] && entry.is_some_and(&counts)
            }));
        }
        seen.into_iter().all(|seen| seen)
    };
    reached(true) && reached(false)
}

/// The pairings, each once.
fn links(cross: &[Vec<Option<PairCounts>>], regularized: bool) -> Vec<Link> {
    let mut links = Vec::new();
    for (one, row) in cross.iter().enumerate() {
        for (other, entry) in row.iter().enumerate().skip(one + 1) {
            let Some(mut pairs) = entry.filter(|pairs| pairs.pairs() > 0) else {
                continue;
            };
            if regularized {
                pairs.0[2] += 1;
            }
            links.push(Link {
                one,
                other,
                games: pairs.games() as f64,
                points: pairs.score().half_points as f64 / 2.0,
                // A pair's score is half its points.
                noise: 4.0 * pairs.pairs() as f64 * pair_variance(pairs),
            });
        }
    }
    links
}

/// Newton's method on the log-likelihood, the mean held at 0.
fn fit(variants: usize, links: &[Link]) -> Option<Vec<f64>> {
    let mut elos = vec![0.0; variants];
    for _ in 0..MAX_STEPS {
        let mut gradient = vec![0.0; variants];
        for link in links {
            let expected = LogisticElo(elos[link.one] - elos[link.other]).score();
            let excess = PER_ELO * (link.points - link.games * expected);
            gradient[link.one] += excess;
            gradient[link.other] -= excess;
        }
        let inverse = inverse(&information(&elos, links))?;
        let steps: Vec<f64> = inverse.iter().map(|row| dot(row, &gradient)).collect();
        let longest = steps
            .iter()
            .fold(0.0f64, |longest, step| longest.max(step.abs()));
        // The likelihood is concave, but a full step from far away can overshoot.
        let scale = if longest > 200.0 {
            200.0 / longest
        } else {
            1.0
        };
        for (elo, step) in elos.iter_mut().zip(&steps) {
            *elo += scale * step;
        }
        if longest < 1e-9 {
            return Some(elos);
        }
    }
    elos.iter()
        .all(|elo| elo.abs() < FURTHEST_ELO)
        .then_some(elos)
}

/// Information of the model, with a rank-one term that holds the mean.
fn information(elos: &[f64], links: &[Link]) -> Vec<Vec<f64>> {
    let weight = |link: &Link| {
        let expected = LogisticElo(elos[link.one] - elos[link.other]).score();
        PER_ELO * PER_ELO * link.games * expected * (1.0 - expected)
    };
    let mut matrix = laplacian(elos.len(), links, weight);
    // Of the size of the other entries, so that the matrix stays well conditioned.
    let hold = matrix
        .iter()
        .enumerate()
        .map(|(index, row)| row[index])
        .sum::<f64>()
        / (elos.len() * elos.len()) as f64;
    for row in &mut matrix {
        for entry in row {
            *entry += hold;
        }
    }
    matrix
}

/// Covariance of the ratings, which sum to 0.
fn covariance(elos: &[f64], links: &[Link], noise: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let inverse = inverse(&information(elos, links))?;
    Some(product(&product(&inverse, noise), &inverse))
}

/// The matrix of a sum of weight × (x_one - x_other)².
fn laplacian(variants: usize, links: &[Link], weight: impl Fn(&Link) -> f64) -> Vec<Vec<f64>> {
    let mut matrix = vec![vec![0.0; variants]; variants];
    for link in links {
        let weight = weight(link);
        matrix[link.one][link.one] += weight;
        matrix[link.other][link.other] += weight;
        matrix[link.one][link.other] -= weight;
        matrix[link.other][link.one] -= weight;
    }
    matrix
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// Product of two matrices, the second symmetric.
fn product(one: &[Vec<f64>], other: &[Vec<f64>]) -> Vec<Vec<f64>> {
    one.iter()
        .map(|row| other.iter().map(|column| dot(row, column)).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    use super::*;
    use crate::stats::Estimates;

    fn met(candidate: usize, base: usize, cells: [u64; 5]) -> Encounter {
        Encounter {
            candidate,
            base,
            tally: Tally {
                pairs: PairCounts(cells),
                ..Tally::default()
            },
        }
    }

    /// Six equal variants try the same deals once each: all meetings of a variant share its tries.
    /// 95% intervals must cover the truth, 0, in about 95 of 100 cases.
    #[test]
    fn shared_tries_do_not_shrink_the_intervals() {
        let mut random = ChaCha8Rng::seed_from_u64(9);
        let pairings: Vec<(usize, usize)> = (0..6)
            .flat_map(|one| (one + 1..6).map(move |other| (one, other)))
            .collect();
        let (mut covered, mut naive) = (0, 0);
        for _ in 0..100 {
            let mut encounters: Vec<Encounter> = pairings
                .iter()
                .map(|(one, other)| met(*one, *other, [0; 5]))
                .collect();
            let mut deals = Vec::new();
            for _ in 0..100 {
                let costs = [0; 6].map(|_: u32| random.next_u32() % 50);
                let meet = |encounter: &mut Encounter| {
                    let (one, other) = (costs[encounter.candidate], costs[encounter.base]);
                    let score = match one.cmp(&other) {
                        std::cmp::Ordering::Less => PairScore::WonWon,
                        std::cmp::Ordering::Equal => PairScore::Even,
                        std::cmp::Ordering::Greater => PairScore::LostLost,
                    };
                    encounter.tally.pairs.add(score);
                    Meeting {
                        candidate: encounter.candidate,
                        base: encounter.base,
                        score,
                    }
                };
                deals.push(encounters.iter_mut().map(meet).collect());
            }
            let covers = |found: Option<Ratings>| {
                let found = found.expect("they met").ratings;
                let inside = |rating: &&Rating| rating.elo.0.abs() <= rating.margin;
                found.iter().filter(inside).count()
            };
            covered += covers(rate_deals(6, &encounters, &deals));
            naive += covers(rate(6, &encounters));
        }
        assert!((552..=588).contains(&covered), "{covered} of 600");
        assert!(naive < 480, "{naive} of 600");
    }

    #[test]
    fn two_variants_differ_by_the_elo_of_their_score() {
        let encounter = met(0, 1, [100, 0, 250, 0, 150]);
        let found = rate(2, &[encounter]).expect("they met");
        let estimate = Estimates::of(&encounter.tally);
        let gap = found.ratings[0].elo.0 - found.ratings[1].elo.0;
        assert!((gap - estimate.elo.value.expect("a score inside").0).abs() < 1e-6);
        let los = found.los[0][1].expect("they met");
        // The estimate takes the score for normal, the ratings the Elo.
        assert!((los - estimate.los.expect("games")).abs() < 1e-3);
        assert!((los + found.los[1][0].expect("they met") - 1.0).abs() < 1e-12);
        let (low, high) = (
            estimate.elo.low.expect("low").0,
            estimate.elo.high.expect("high").0,
        );
        // The gap's margin is twice that of a rating against the mean of two.
        assert!((2.0 * found.ratings[0].margin - (high - low) / 2.0).abs() < 0.1);
    }

    #[test]
    fn even_pairs_of_lopsided_openings_leave_no_noise() {
        let split = rate(2, &[met(0, 1, [0, 2, 96, 2, 0])]).expect("they met");
        let noisy = rate(2, &[met(0, 1, [25, 0, 50, 0, 25])]).expect("they met");
        assert!(split.ratings[0].margin < noisy.ratings[0].margin / 4.0);
    }

    #[test]
    fn a_consistent_round_robin_is_recovered() {
        // Odds of 1.5 twice make odds of 2.25: 9 points of 13 for the first against the last.
        let found = rate(
            3,
            &[
                met(0, 1, [0, 0, 80, 0, 20]),
                met(1, 2, [0, 0, 80, 0, 20]),
                met(2, 0, [5, 0, 8, 0, 0]),
            ],
        )
        .expect("all met");
        let order: Vec<usize> = found.ratings.iter().map(|rating| rating.variant).collect();
        assert_eq!(order, [0, 1, 2]);
        let gap = found.ratings[0].elo.0 - found.ratings[1].elo.0;
        assert!((gap - 400.0 * 1.5f64.log10()).abs() < 1e-6, "{gap}");
        assert!(
            found
                .ratings
                .iter()
                .map(|rating| rating.elo.0)
                .sum::<f64>()
                .abs()
                < 1e-6
        );
        assert!(!found.regularized);
        assert_eq!(found.cross[0][2], Some(PairCounts([0, 0, 8, 0, 5])));
    }

    #[test]
    fn who_wins_everything_is_rated_with_one_drawn_pair() {
        let found = rate(2, &[met(0, 1, [0, 0, 0, 0, 8])]).expect("they met");
        assert!(found.regularized);
        assert!(found.ratings[0].elo.0 > 200.0 && found.ratings[0].elo.0.is_finite());
    }

    #[test]
    fn variants_that_never_met_have_no_ratings() {
        assert_eq!(rate(3, &[met(0, 1, [1, 1, 1, 1, 1])]), None);
        assert_eq!(rate(2, &[]), None);
        assert_eq!(rate(2, &[met(0, 2, [1, 1, 1, 1, 1])]), None);
    }
}
