//! The exact distribution of a score: one pair's outcomes, convolved with themselves.

/// Probability that `pairs` independent pairs score at least `at_least` / 10,000.
///
/// Each term is a sum of products of probabilities, so a small tail keeps its digits.
pub(crate) fn score_at_least(outcomes: &[f64; 5], pairs: u64, at_least: u32) -> f64 {
    let most = 4 * u128::from(pairs);
    let needed = (most * u128::from(at_least)).div_ceil(10_000);
    let distribution = half_points(outcomes, pairs);
    let reaching = (0u128..)
        .zip(&distribution)
        .filter(|(points, _)| *points >= needed);
    reaching
        .map(|(_, probability)| probability)
        .sum::<f64>()
        .min(1.0)
}

/// Probabilities of 0, 1, … 4 × `pairs` half points.
pub(crate) fn half_points(outcomes: &[f64; 5], pairs: u64) -> Vec<f64> {
    let mut distribution = vec![1.0];
    for _ in 0..pairs {
        let mut next = vec![0.0; distribution.len() + outcomes.len() - 1];
        for (points, &probability) in distribution.iter().enumerate() {
            for (gained, &outcome) in outcomes.iter().enumerate() {
                next[points + gained] += probability * outcome;
            }
        }
        distribution = next;
    }
    distribution
}
