//! The generalised log-likelihood ratio of multinomial counts, exactly.
//!
//! Cell i of k holds outcomes worth a_i = i / (k - 1). Under each hypothesis the most likely
//! distribution q with the wanted mean (logistic Elo) or t-value (normalised Elo) is found; the
//! ratio is the sum of n_i ln(q1_i / q0_i). An empty cell counts as 1/1000, so that a one-sided
//! sample has a finite ratio and a test of it ends.
//!
//! Sources: Michel Van den Bergh, <https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf>
//! (proposition 1.1) and <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf> (4.1).

/// Beyond this, the likelihood under a t-value has several maxima and there is no single ratio.
pub const MAX_NORMALIZED_ELO: f64 = 200.0;

/// Beyond this, the score differs from 0 or 1 by less than any match can tell.
pub const MAX_LOGISTIC_ELO: f64 = 1000.0;

/// What an empty cell counts as.
const EMPTY_CELL: f64 = 1e-3;

/// Steps of a root or fixed point search. Each converges in a handful; this only bounds them.
const MAX_STEPS: usize = 200;

/// A fixed point is reached when no probability moves more.
const FINE_STEP: f64 = 1e-10;

/// A fixed point is taken for reached if no probability still moves more after all steps.
const COARSE_STEP: f64 = 1e-5;

/// Decrement of a root search that ends at the last bit.
const EXACT: f64 = 0.0;

/// Decrement from which one more Newton step leaves no error in a ratio: the loss of an
/// observation changes by at most about the decrement's square over the least share.
const CLOSE: f64 = 1e-10;

/// An observed distribution over `K` equally spaced scores, with no empty cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Observed<const K: usize> {
    /// Observations, the stand-ins for empty cells included.
    total: f64,
    /// Shares, all above 0.
    shares: [f64; K],
}

impl<const K: usize> Observed<K> {
    /// The distribution of `counts`, worst outcome first.
    pub(crate) fn new(counts: [u64; K]) -> Observed<K> {
        let filled = counts.map(|count| if count == 0 { EMPTY_CELL } else { count as f64 });
        let total = filled.iter().sum();
        Observed {
            total,
            shares: filled.map(|count| count / total),
        }
    }

    /// Observations, the stand-ins for empty cells included.
    pub(crate) fn total(&self) -> f64 {
        self.total
    }

    /// Mean and variance.
    pub(crate) fn moments(&self) -> (f64, f64) {
        moments(&self.shares)
    }

    /// Log-likelihood ratio of mean `score1` against mean `score0`, both inside (0, 1).
    pub(crate) fn mean_llr(&self, score0: f64, score1: f64) -> f64 {
        let loss = |score: f64| {
            let offsets = std::array::from_fn(|cell| value::<K>(cell) - score);
            self.log_loss(&offsets, secular_root(&self.shares, &offsets, 0.0, EXACT))
        };
        self.total * (loss(score0) - loss(score1))
    }

    /// Log-likelihood ratio of t-value `t1` against `t0`, a t-value being (mean - 1/2) / standard
    /// deviation. `None` where no maximum is found: with bounds within [`MAX_NORMALIZED_ELO`] that has
    /// happened only for millions of one-sided pairs and far bounds of the other sign.
    pub(crate) fn t_llr(&self, t0: f64, t1: f64) -> Option<f64> {
        Some(self.total * (self.t_loss(t0)? - self.t_loss(t1)?))
    }

    /// Σ p_i ln(p_i / q_i) for q_i = p_i / (1 + x b_i). At the root it is stationary in x, so an
    /// error of the root counts only squared.
    fn log_loss(&self, offsets: &[f64; K], root: f64) -> f64 {
        let terms = self.shares.iter().zip(offsets);
        terms
            .map(|(share, offset)| share * (root * offset).ln_1p())
            .sum()
    }

    /// The loss of the most likely distribution with t-value `t`.
    ///
    /// Drawish counts have more than one local maximum, so the search starts from several
    /// distributions: the uniform one, from which it fails least often, the observed one, the
    /// most likely with mean 1/2, and the middles between them. The best maximum counts.
    fn t_loss(&self, t: f64) -> Option<f64> {
        let uniform = [1.0 / K as f64; K];
        let even_offsets = std::array::from_fn(|cell| value::<K>(cell) - 0.5);
        let even = self.tilted(
            &even_offsets,
            secular_root(&self.shares, &even_offsets, 0.0, EXACT),
        );
        let between = |one: [f64; K], other: [f64; K]| {
            std::array::from_fn(|cell| f64::midpoint(one[cell], other[cell]))
        };
        let starts = [
            uniform,
            self.shares,
            even,
            between(uniform, self.shares),
            between(uniform, even),
        ];
        // Whole steps swing around some maxima for ever; half steps come to rest there.
        [1.0, 0.5].iter().find_map(|&stride| {
            let losses = starts
                .iter()
                .filter_map(|&start| self.t_fixed_point(t, start, stride));
            losses.min_by(f64::total_cmp)
        })
    }

    /// q_i = p_i / (1 + x b_i).
    fn tilted(&self, offsets: &[f64; K], root: f64) -> [f64; K] {
        std::array::from_fn(|cell| self.shares[cell] / (1.0 + root * offsets[cell]))
    }

    /// Iterates the stationarity condition of the constraint mean - 1/2 - tσ = 0, linearised at
    /// the current distribution. Gives the loss of the distribution where it comes to rest.
    ///
    /// The loss is stationary there, so the last step counts only squared; next to a pole the
    /// steps end in rounding noise, which [`COARSE_STEP`] lets pass.
    fn t_fixed_point(&self, t: f64, start: [f64; K], stride: f64) -> Option<f64> {
        let (mut current, mut loss, mut moved) = (start, 0.0, 1.0);
        for _ in 0..MAX_STEPS {
            let (mean, variance) = moments(&current);
            let deviation = variance.sqrt();
            let offsets = std::array::from_fn(|cell| {
                let distance = (mean - value::<K>(cell)) / deviation;
                value::<K>(cell) - 0.5 - t * deviation * (1.0 + distance * distance) / 2.0
            });
            if !has_both_signs(&offsets) {
                return None;
            }
            let root = secular_root(&self.shares, &offsets, 0.0, EXACT);
            let next = self.tilted(&offsets, root);
            let steps = next
                .iter()
                .zip(&current)
                .map(|(new, old)| (new - old).abs());
            moved = steps.fold(0.0, f64::max);
            loss = self.log_loss(&offsets, root);
            for (share, new) in current.iter_mut().zip(next) {
                *share += stride * (new - *share);
            }
            if moved < FINE_STEP {
                break;
            }
        }
        (moved < COARSE_STEP).then_some(loss)
    }
}

/// A test of one mean against another that is asked after every observation: it starts each
/// search at the root before it.
#[derive(Clone, Debug)]
pub(crate) struct MeanTest<const K: usize> {
    offsets: [[f64; K]; 2],
    roots: [f64; 2],
}

impl<const K: usize> MeanTest<K> {
    /// A test of mean `score1` against `score0`, both inside (0, 1).
    pub(crate) fn new(score0: f64, score1: f64) -> MeanTest<K> {
        let offsets = |score| std::array::from_fn(|cell| value::<K>(cell) - score);
        MeanTest {
            offsets: [offsets(score0), offsets(score1)],
            roots: [0.0; 2],
        }
    }

    /// The ratio of these counts; equal to [`Observed::mean_llr`] but for rounding.
    pub(crate) fn llr(&mut self, counts: [u64; K]) -> f64 {
        let observed = Observed::new(counts);
        for (root, offsets) in self.roots.iter_mut().zip(&self.offsets) {
            *root = secular_root(&observed.shares, offsets, *root, CLOSE);
        }
        // One plain logarithm a cell in place of two that keep the digits of small arguments:
        // a simulation spends most of its time here, and is far too short to need those digits.
        let ln_ratio = |cell: usize| {
            let [weight0, weight1] = [0, 1].map(|h| 1.0 + self.roots[h] * self.offsets[h][cell]);
            (weight0 / weight1).ln()
        };
        let cells = observed.shares.iter().enumerate();
        observed.total
            * cells
                .map(|(cell, share)| share * ln_ratio(cell))
                .sum::<f64>()
    }
}

/// The score of a cell.
fn value<const K: usize>(cell: usize) -> f64 {
    cell as f64 / (K - 1) as f64
}

/// Mean and variance of a distribution over the cells.
pub(crate) fn moments<const K: usize>(shares: &[f64; K]) -> (f64, f64) {
    let mean: f64 = (0..K).map(|cell| shares[cell] * value::<K>(cell)).sum();
    let square = |cell| (value::<K>(cell) - mean) * (value::<K>(cell) - mean);
    (mean, (0..K).map(|cell| shares[cell] * square(cell)).sum())
}

/// Whether a mean of 0 is possible: without it the constraint has no solution.
fn has_both_signs<const K: usize>(offsets: &[f64; K]) -> bool {
    offsets.iter().any(|&offset| offset < 0.0) && offsets.iter().any(|&offset| offset > 0.0)
}

/// Solves Σ p_i b_i / (1 + x b_i) = 0, whose left side falls from +∞ to -∞ between the poles.
///
/// At the root every q_i = p_i / (1 + x b_i) is at most 1, which keeps the bracket off the poles
/// by as much as double precision can resolve, however small a share is. The search ends with
/// the Newton step whose decrement (left side)² / |slope| is at most `enough`.
fn secular_root<const K: usize>(
    shares: &[f64; K],
    offsets: &[f64; K],
    guess: f64,
    enough: f64,
) -> f64 {
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    for (&share, &offset) in shares.iter().zip(offsets) {
        if offset > 0.0 {
            low = low.max((share - 1.0) / offset);
        } else if offset < 0.0 {
            high = high.min((share - 1.0) / offset);
        }
    }
    let mut root = if guess > low && guess < high {
        guess
    } else {
        0.0
    };
    for _ in 0..MAX_STEPS {
        let (mut sum, mut slope) = (0.0, 0.0);
        for (&share, &offset) in shares.iter().zip(offsets) {
            let ratio = offset / (1.0 + root * offset);
            sum += share * ratio;
            slope -= share * ratio * ratio;
        }
        if sum > 0.0 {
            low = root;
        } else {
            high = root;
        }
        let newton = root - sum / slope;
        let inside = newton > low && newton < high;
        let next = if inside {
            newton
        } else {
            low + (high - low) / 2.0
        };
        let moved = (next - root).abs();
        root = next;
        if inside && sum * sum <= -slope * enough {
            break;
        }
        if moved <= 1e-14 * (1.0 + root.abs()) {
            break;
        }
    }
    root
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_next_to_its_pole_is_found() {
        let observed = Observed::new([0, 0, 0, 0, 100_000_000]);
        let llr = observed.mean_llr(0.5, 0.55);
        // All probability on a win and the rest on a loss: n ln(0.55 / 0.5), nearly.
        assert!((llr / (1e8 * 1.1f64.ln()) - 1.0).abs() < 1e-6, "{llr}");
    }

    #[test]
    fn remembered_roots_change_nothing() {
        let mut test = MeanTest::new(0.5, 0.55);
        let mut counts = [0; 5];
        for step in 0..300usize {
            counts[(step * step / 7) % 5] += 1;
            let (found, wanted) = (test.llr(counts), Observed::new(counts).mean_llr(0.5, 0.55));
            assert!(
                (found - wanted).abs() < 1e-9,
                "{counts:?}: {found} for {wanted}"
            );
        }
        // One-sided matches too, where roots lie next to their poles.
        for cell in [0, 1, 4] {
            let (mut test, mut counts) = (MeanTest::new(0.5, 0.55), [0; 5]);
            for _ in 0..300 {
                counts[cell] += 1;
                let (found, wanted) = (test.llr(counts), Observed::new(counts).mean_llr(0.5, 0.55));
                assert!(
                    (found - wanted).abs() < 1e-9,
                    "{counts:?}: {found} for {wanted}"
                );
            }
        }
    }

    #[test]
    fn swapping_the_hypotheses_changes_the_sign() {
        let observed = Observed::new([3, 14, 15, 9, 26]);
        assert_eq!(observed.mean_llr(0.5, 0.6), -observed.mean_llr(0.6, 0.5));
        let forth = observed.t_llr(0.0, 0.3).expect("small bounds");
        let back = observed.t_llr(0.3, 0.0).expect("small bounds");
        assert_eq!(forth, -back);
    }
}
