//! The exact distribution of a score: one pair's outcomes, convolved with themselves.

/// Probability that `pairs` independent pairs score at least `at_least` / 10,000.
///
/// Each term is a sum of products of probabilities, so a small tail keeps its digits.
pub(crate) fn score_at_least(outcomes: &[f64; 5], pairs: u64, at_least: u32) -> f64 {
    let most = 4 * u128::from(pairs);
    let needed = (most * u128::from(at_least)).div_ceil(10_000);
    let (least, distribution) = half_points(outcomes, pairs);
    let reaching = (u128::from(least)..)
        .zip(&distribution)
        .filter(|(points, _)| *points >= needed);
    reaching
        .map(|(_, probability)| probability)
        // The sum of nothing is -0.
        .fold(0.0, |sum, probability| sum + probability)
        .min(1.0)
}

/// Ends of a distribution that are less likely than this are cut off: no figure has so many
/// digits, and a long match would spend most of its time on them.
const NEGLIGIBLE: f64 = 1e-100;

/// A number of half points, and the probabilities of it, of one more, and so on, as far as they
/// are worth a thought.
type Distribution = (u64, Vec<f64>);

/// The half points of `pairs` pairs, by doubling the number of pairs.
fn half_points(outcomes: &[f64; 5], pairs: u64) -> Distribution {
    let mut all = (0, vec![1.0]);
    let mut power = (0, outcomes.to_vec());
    let mut left = pairs;
    while left > 0 {
        if left % 2 == 1 {
            all = sum(&all, &power);
        }
        left /= 2;
        if left > 0 {
            power = sum(&power, &power);
        }
    }
    all
}

/// The distribution of the sum of two independent numbers.
fn sum(one: &Distribution, other: &Distribution) -> Distribution {
    let mut both = vec![0.0; one.1.len() + other.1.len() - 1];
    for (place, &probability) in one.1.iter().enumerate() {
        for (entry, &factor) in both[place..].iter_mut().zip(&other.1) {
            *entry += probability * factor;
        }
    }
    let counts = |probability: &f64| *probability >= NEGLIGIBLE;
    let from = both.iter().position(counts).unwrap_or(0);
    let to = both
        .iter()
        .rposition(counts)
        .map_or(both.len(), |last| last + 1);
    (one.0 + other.0 + from as u64, both[from..to].to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cut_ends_leave_the_figures_as_they_are() {
        let outcomes = [0.14, 0.19, 0.34, 0.19, 0.14];
        let (least, distribution) = half_points(&outcomes, 2_000);
        assert!(least > 0 && distribution.len() < 8_000);
        assert!((distribution.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let mean: f64 = (least..)
            .zip(&distribution)
            .map(|(points, probability)| points as f64 * probability)
            .sum();
        assert!((mean - 4_000.0).abs() < 1e-6, "{mean}");
        // Whoever wins all of two pairs of three outcomes in ten does so in 9 of 100 matches.
        assert!((score_at_least(&[0.7, 0.0, 0.0, 0.0, 0.3], 2, 10_000) - 0.09).abs() < 1e-15);
        assert_eq!(score_at_least(&[1.0, 0.0, 0.0, 0.0, 0.0], 50, 1), 0.0);
    }
}
