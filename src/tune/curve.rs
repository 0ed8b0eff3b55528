//! Strength as a polynomial of one parameter's place in its range, and where it is highest.

use super::fit::{Fit, Meeting, fit};
use crate::stats::{NORMAL_95, PairCounts};

/// A cubic term is believed from this many standard errors on.
const CUBIC_Z: f64 = 2.0;

/// Places at which the ends of an interval are looked for.
const PLACES: u32 = 1000;

/// Two places that met; the counts are those of the first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacePairs {
    pub(crate) place: f64,
    pub(crate) other: f64,
    pub(crate) pairs: PairCounts,
}

/// Elo over the range, up to a constant.
#[derive(Clone, Debug)]
pub(crate) struct Curve {
    fit: Fit,
    best: f64,
}

/// x, x², x³ with the middle of the range as origin, which keeps the equations well conditioned.
fn powers(place: f64) -> [f64; 3] {
    let x = place - 0.5;
    [x, x * x, x * x * x]
}

/// Their derivatives.
fn slopes(place: f64) -> [f64; 3] {
    let x = place - 0.5;
    [1.0, 2.0 * x, 3.0 * x * x]
}

impl Curve {
    /// A polynomial of at most `degree` (1 to 3) and of no more than the places can tell.
    pub(crate) fn of_degree(met: &[PlacePairs], degree: usize) -> Curve {
        let degree = degree.min(distinct(met).saturating_sub(1)).clamp(1, 3);
        let meeting = |met: &PlacePairs| {
            let (one, other) = (powers(met.place), powers(met.other));
            Meeting {
                difference: (0..degree).map(|power| one[power] - other[power]).collect(),
                pairs: met.pairs,
            }
        };
        let meetings: Vec<Meeting> = met.iter().map(meeting).collect();
        let mut curve = Curve {
            fit: fit(degree, &meetings),
            best: 0.5,
        };
        curve.best = curve.peak().unwrap_or_else(|| curve.better_end());
        curve
    }

    /// A quadratic, or a cubic where its third coefficient is more than two standard errors from
    /// 0 and it has a maximum in the range.
    pub(crate) fn quadratic_or_cubic(met: &[PlacePairs]) -> Curve {
        let quadratic = Curve::of_degree(met, 2);
        if distinct(met) < 5 {
            return quadratic;
        }
        let cubic = Curve::of_degree(met, 3);
        let (third, variance) = (cubic.fit.coefficients[2], cubic.fit.covariance[2][2]);
        let believed = third.abs() > CUBIC_Z * variance.sqrt();
        // A cubic has one maximum at most, so it is the nearest.
        match cubic.peak() {
            Some(_) if believed => cubic,
            _ => quadratic,
        }
    }

    /// The place of the maximum.
    pub(crate) fn best(&self) -> f64 {
        self.best
    }

    /// Elo of `place` above `other`, and the standard error of that.
    pub(crate) fn lead(&self, place: f64, other: f64) -> (f64, f64) {
        let (one, other) = (powers(place), powers(other));
        let degree = self.fit.coefficients.len();
        let difference: Vec<f64> = (0..degree).map(|power| one[power] - other[power]).collect();
        self.fit.lead(&difference)
    }

    /// Wald's statistic for a flat line, and its degrees of freedom.
    pub(crate) fn flatness(&self) -> (f64, usize) {
        (self.fit.wald(), self.fit.coefficients.len())
    }

    /// Slope in Elo over the range, and its standard error.
    fn slope(&self, place: f64) -> (f64, f64) {
        self.fit.lead(&slopes(place)[..self.fit.coefficients.len()])
    }

    /// The 95% confidence set of the maximum: see [`around`].
    pub(crate) fn interval(&self) -> (f64, f64) {
        around(self.best, |place| self.slope(place))
    }

    /// The maximum inside the range, if there is one.
    fn peak(&self) -> Option<f64> {
        let c = &self.fit.coefficients;
        let x = match c.len() {
            2 if c[1] < 0.0 => (-c[0] / (2.0 * c[1])).clamp(-0.5, 0.5),
            3 => {
                // The root of c0 + 2 c1 x + 3 c2 x² where the second derivative is negative, in
                // the form that holds for a small c2 too.
                let discriminant = c[1] * c[1] - 3.0 * c[0] * c[2];
                let x = if discriminant < 0.0 {
                    return None;
                } else if c[1] <= 0.0 {
                    c[0] / (discriminant.sqrt() - c[1])
                } else {
                    -(c[1] + discriminant.sqrt()) / (3.0 * c[2])
                };
                if !(-0.5..=0.5).contains(&x) {
                    return None;
                }
                x
            }
            _ => return None,
        };
        Some(x + 0.5).filter(|place| place.is_finite())
    }

    /// The end of the range that is higher.
    fn better_end(&self) -> f64 {
        if self.lead(1.0, 0.0).0 >= 0.0 {
            1.0
        } else {
            0.0
        }
    }
}

/// The 95% confidence set of a maximum, as far as it hangs together around its estimate: all
/// places at which a slope of 0 is not rejected (Fieller's theorem, of which the delta method is
/// the limit for small errors), ends of the range also where the curve still climbs towards them.
/// `slope` gives the slope at a place and its standard error.
pub(super) fn around(best: f64, slope: impl Fn(f64) -> (f64, f64)) -> (f64, f64) {
    let step = 1.0 / f64::from(PLACES);
    let possible = |place: f64| {
        let (slope, error) = slope(place);
        let climbs_out = (place <= 0.0 && slope < 0.0) || (place >= 1.0 && slope > 0.0);
        climbs_out || slope.abs() <= NORMAL_95 * error
    };
    let walk = |way: f64| {
        let places = (1..=PLACES).map(|index| best + way * f64::from(index) * step);
        let inside = places.map(|place| place.clamp(0.0, 1.0));
        inside.take_while(|place| possible(*place)).last()
    };
    let (low, high) = (walk(-1.0), walk(1.0));
    (low.unwrap_or(best), high.unwrap_or(best))
}

/// Number of different places that met.
fn distinct(met: &[PlacePairs]) -> usize {
    let played = met.iter().filter(|met| met.pairs.pairs() > 0);
    let mut places: Vec<f64> = played.flat_map(|met| [met.place, met.other]).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    places.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::LogisticElo;

    /// Pairs that score as the curve `elo` expects, a million of them.
    fn exact(places: &[(f64, f64)], elo: impl Fn(f64) -> f64) -> Vec<PlacePairs> {
        let pairs = 1_000_000.0;
        let met = |(place, other): &(f64, f64)| {
            let won = (LogisticElo(elo(*place) - elo(*other)).score() * pairs).round();
            PlacePairs {
                place: *place,
                other: *other,
                pairs: PairCounts([(pairs - won) as u64, 0, 0, 0, won as u64]),
            }
        };
        places.iter().map(met).collect()
    }

    const ROUND: [(f64, f64); 5] = [
        (0.0, 0.5),
        (0.25, 0.75),
        (0.5, 1.0),
        (0.0, 1.0),
        (0.25, 0.5),
    ];

    #[test]
    fn a_parabola_gives_its_vertex() {
        for vertex in [0.2, 0.5, 0.77] {
            let met = exact(&ROUND, |x| -120.0 * (x - vertex).powi(2));
            let curve = Curve::quadratic_or_cubic(&met);
            assert!(
                (curve.best() - vertex).abs() < 2e-3,
                "{vertex} {}",
                curve.best()
            );
            let (low, high) = curve.interval();
            assert!(
                low <= vertex && vertex <= high && high - low < 0.1,
                "{low} {high}"
            );
            let (lead, error) = curve.lead(curve.best(), 1.0);
            assert!((lead - 120.0 * (1.0 - vertex).powi(2)).abs() < 1.0);
            assert!(error > 0.0 && error < 1.0);
        }
    }

    #[test]
    fn a_cubic_gives_its_maximum() {
        // -x(x - 1)(x + 1) rises from 0 to 1/√3.
        let met = exact(&ROUND, |x| 300.0 * (x - x.powi(3)));
        let best = Curve::quadratic_or_cubic(&met).best();
        assert!((best - 1.0 / 3f64.sqrt()).abs() < 2e-3, "{best}");
    }

    #[test]
    fn slopes_end_at_an_end() {
        let up = Curve::quadratic_or_cubic(&exact(&ROUND, |x| 60.0 * x));
        assert!((up.best() - 1.0).abs() < 1e-9 && up.interval().1 == 1.0);
        let down = Curve::quadratic_or_cubic(&exact(&ROUND, |x| -60.0 * x));
        assert!(down.best().abs() < 1e-9 && down.interval().0 == 0.0);
        let cup = Curve::quadratic_or_cubic(&exact(&ROUND, |x| 60.0 * (x - 0.4).powi(2)));
        assert_eq!(cup.best(), 1.0);
    }

    #[test]
    fn degenerate_counts_keep_the_curve_inside() {
        let all = |cells| {
            let met = |(place, other): &(f64, f64)| PlacePairs {
                place: *place,
                other: *other,
                pairs: PairCounts(cells),
            };
            ROUND.iter().map(met).collect::<Vec<_>>()
        };
        for cells in [[0; 5], [0, 0, 0, 0, 40], [40, 0, 0, 0, 0], [0, 0, 40, 0, 0]] {
            let curve = Curve::quadratic_or_cubic(&all(cells));
            let (low, high) = curve.interval();
            assert!((0.0..=1.0).contains(&curve.best()), "{curve:?}");
            assert!(0.0 <= low && low <= curve.best() && curve.best() <= high && high <= 1.0);
            let (lead, error) = curve.lead(curve.best(), 0.5);
            assert!(lead.is_finite() && error.is_finite());
        }
        assert!((0.0..=1.0).contains(&Curve::quadratic_or_cubic(&[]).best()));
    }
}
