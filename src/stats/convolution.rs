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
        .sum::<f64>()
        .min(1.0)
}

/// Ends of a distribution that are less likely than this are cut off: no figure has so many
/// digits, and a long match would spend most of its time on them.
const NEGLIGIBLE: f64 = 1e-100;

/// A number of half points, and the probabilities of it, of one more, and so on, as far as they
/// are worth a thought.
fn half_points(outcomes: &[f64; 5], pairs: u64) -> (u64, Vec<f64>) {
    let mut least = 0;
    let mut distribution = vec![1.0];
    for _ in 0..pairs {
        let mut next = vec![0.0; distribution.len() + outcomes.len() - 1];
        for (points, &probability) in distribution.iter().enumerate() {
            for (gained, &outcome) in outcomes.iter().enumerate() {
                next[points + gained] += probability * outcome;
            }
        }
        let counts = |probability: &f64| *probability >= NEGLIGIBLE;
        let from = next.iter().position(counts).unwrap_or(0);
        let to = next
            .iter()
            .rposition(counts)
            .map_or(next.len(), |last| last + 1);
        least += from as u64;
        distribution = next[from..to].to_vec();
    }
    (least, distribution)
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
