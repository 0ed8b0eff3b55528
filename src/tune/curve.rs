//! Strength as a polynomial of one parameter's place in its range, and where it is highest.

use super::PairScores;
use super::fit::{Fit, Meeting, fit};
use crate::stats::NORMAL_95;

/// A cubic term is believed from this many standard errors on.
const CUBIC_Z: f64 = 2.0;

/// Places at which the ends of an interval are looked for.
const PLACES: u32 = 1000;

/// Two places that met; the scores are those of the first.
#[derive(Clone, Debug)]
pub(crate) struct PlacePairs {
    pub(crate) place: f64,
    pub(crate) other: f64,
    /// Index of the first pair.
    pub(crate) first_pair: u32,
    pub(crate) pairs: PairScores,
}

/// Elo over the range, up to a constant.
#[derive(Clone, Debug)]
pub(crate) struct Curve {
    fit: Fit,
    best: f64,
    /// The places between which something was played: beyond, a polynomial is a guess.
    played: (f64, f64),
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
            let difference = (0..degree).map(|power| one[power] - other[power]);
            Meeting::new(difference.collect(), met.first_pair, &met.pairs)
        };
        let meetings: Vec<Meeting> = met.iter().map(meeting).collect();
        let mut curve = Curve {
            fit: fit(degree, &meetings),
            best: 0.5,
            played: span(met),
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
        let (third, error) = cubic.fit.lead(&[0.0, 0.0, 1.0]);
        let believed = third.abs() > CUBIC_Z * error;
        // A cubic has one maximum at most, so it is the nearest.
        match cubic.peak() {
            Some(_) if believed => cubic,
            _ => quadratic,
        }
    }

    /// The place of the maximum, among those between which something was played.
    pub(crate) fn best(&self) -> f64 {
        self.best
    }

    /// The lowest and the highest place that played; the whole range where nothing did.
    pub(crate) fn played(&self) -> (f64, f64) {
        self.played
    }

    /// Elo of `place` above `other`, and the standard error of that.
    pub(crate) fn lead(&self, place: f64, other: f64) -> (f64, f64) {
        let (one, other) = (powers(place), powers(other));
        let degree = self.fit.coefficients.len();
        let difference: Vec<f64> = (0..degree).map(|power| one[power] - other[power]).collect();
        self.fit.lead(&difference)
    }

    /// How unlikely the results are if the line is flat.
    pub(crate) fn flatness(&self) -> f64 {
        self.fit.p_value()
    }

    /// Slope in Elo over the range, and its standard error.
    fn slope(&self, place: f64) -> (f64, f64) {
        self.fit.lead(&slopes(place)[..self.fit.coefficients.len()])
    }

    /// The 95% confidence set of the maximum: see [`around`].
    pub(crate) fn interval(&self) -> (f64, f64) {
        around(self.best, self.played, |place| self.slope(place))
    }

    /// The maximum between the places that played, if there is one.
    fn peak(&self) -> Option<f64> {
        let c = &self.fit.coefficients;
        let (low, high) = (self.played.0 - 0.5, self.played.1 - 0.5);
        let x = match c.len() {
            2 if c[1] < 0.0 => (-c[0] / (2.0 * c[1])).clamp(low, high),
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
                if !(low..=high).contains(&x) {
                    return None;
                }
                x
            }
            _ => return None,
        };
        Some(x + 0.5).filter(|place| place.is_finite())
    }

    /// The end of what played that is higher.
    fn better_end(&self) -> f64 {
        let (low, high) = self.played;
        if self.lead(high, low).0 >= 0.0 {
            high
        } else {
            low
        }
    }
}

/// The 95% confidence set of a maximum, as far as it hangs together around its estimate: all
/// places at which a slope of 0 is not rejected (Fieller's theorem, of which the delta method is
/// the limit for small errors), ends of what `played` also where the curve still climbs towards
/// them. `slope` gives the slope at a place and its standard error.
pub(super) fn around(
    best: f64,
    played: (f64, f64),
    slope: impl Fn(f64) -> (f64, f64),
) -> (f64, f64) {
    let step = 1.0 / f64::from(PLACES);
    let possible = |place: f64| {
        let (slope, error) = slope(place);
        let climbs_out = (place <= played.0 && slope < 0.0) || (place >= played.1 && slope > 0.0);
        climbs_out || slope.abs() <= NORMAL_95 * error
    };
    let walk = |way: f64| {
        let places = (1..=PLACES).map(|index| best + way * f64::from(index) * step);
        let inside = places.map(|place| place.clamp(played.0, played.1));
        inside.take_while(|place| possible(*place)).last()
    };
    let (low, high) = (walk(-1.0), walk(1.0));
    (low.unwrap_or(best), high.unwrap_or(best))
}

/// The lowest and the highest place that met another; the whole range where none did.
fn span(met: &[PlacePairs]) -> (f64, f64) {
    let places = distinct_places(met);
    match places[..] {
        [low, .., high] => (low, high),
        _ => (0.0, 1.0),
    }
}

/// Number of different places that met.
fn distinct(met: &[PlacePairs]) -> usize {
    distinct_places(met).len()
}

/// The places that met another, upwards.
fn distinct_places(met: &[PlacePairs]) -> Vec<f64> {
    let played = met.iter().filter(|met| !met.pairs.0.is_empty());
    let mut places: Vec<f64> = played.flat_map(|met| [met.place, met.other]).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{LogisticElo, PairCounts};

    /// Pairs that score as the curve `elo` expects, a hundred thousand of them.
    fn exact(places: &[(f64, f64)], elo: impl Fn(f64) -> f64) -> Vec<PlacePairs> {
        let pairs = 100_000.0;
        let met = |(first_pair, (place, other)): (u32, &(f64, f64))| {
            let won = (LogisticElo(elo(*place) - elo(*other)).score() * pairs).round();
            PlacePairs {
                place: *place,
                other: *other,
                first_pair,
                pairs: PairCounts([(pairs - won) as u64, 0, 0, 0, won as u64]).into(),
            }
        };
        (0..).step_by(100_000).zip(places).map(met).collect()
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
            assert!(error > 0.0 && error < 2.0);
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
    fn nothing_is_said_beyond_what_played() {
        let near: Vec<(f64, f64)> = ROUND.iter().map(|(a, b)| (0.1 * a, 0.1 * b)).collect();
        let curve = Curve::of_degree(&exact(&near, |x| 300.0 * x), 2);
        assert!((curve.best() - 0.1).abs() < 1e-9, "{curve:?}");
        let (low, high) = curve.interval();
        assert!(low >= 0.0 && high <= 0.1 + 1e-9, "{low} {high}");
        let down = Curve::of_degree(&exact(&near, |x| -300.0 * x), 2);
        assert_eq!(down.best(), 0.0);
    }

    #[test]
    fn degenerate_counts_keep_the_curve_inside() {
        let all = |cells| {
            let met = |(place, other): &(f64, f64)| PlacePairs {
                place: *place,
                other: *other,
                first_pair: 0,
                pairs: PairCounts(cells).into(),
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
