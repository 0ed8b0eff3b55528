//! Strength over several parameters: a quadratic in each, added up, without interactions.

use super::curve::around;
use super::fit::{Fit, Meeting, fit};
use super::{Axis, Played};
use crate::params::ParameterValues;

/// Elo over all ranges, up to a constant.
#[derive(Clone, Debug)]
pub(crate) struct Hill {
    axes: usize,
    fit: Fit,
}

/// x and x² of every place, the middle of its range as origin.
fn features(places: &[f64]) -> Vec<f64> {
    places
        .iter()
        .flat_map(|place| [place - 0.5, (place - 0.5).powi(2)])
        .collect()
}

impl Hill {
    /// Fits all results.
    pub(crate) fn fit(axes: &[Axis], played: &[Played]) -> Hill {
        let places = |values: &ParameterValues| -> Vec<f64> {
            axes.iter()
                .map(|axis| axis.place(values.get(axis.name())))
                .collect()
        };
        let meeting = |played: &Played| {
            let trial = &played.trial;
            let difference = difference(&places(&trial.candidate), &places(&trial.base));
            Meeting::new(difference, trial.first_pair, &played.pairs)
        };
        let meetings: Vec<Meeting> = played.iter().map(meeting).collect();
        Hill {
            axes: axes.len(),
            fit: fit(2 * axes.len(), &meetings),
        }
    }

    /// Elo of `places` above `others`, and the standard error of that.
    pub(crate) fn lead(&self, places: &[f64], others: &[f64]) -> (f64, f64) {
        self.fit.lead(&difference(places, others))
    }

    /// How unlikely the results are if no parameter has an effect.
    pub(crate) fn flatness(&self) -> f64 {
        self.fit.p_value()
    }

    /// The 95% confidence set of the maximum along one axis, and `place` with it.
    pub(crate) fn interval(&self, axis: usize, place: f64) -> (f64, f64) {
        let (slope, bend) = (
            self.fit.coefficients[2 * axis],
            self.fit.coefficients[2 * axis + 1],
        );
        let ahead = if bend < 0.0 {
            0.5 - slope / (2.0 * bend)
        } else {
            0.5 + slope.signum()
        };
        let (low, high) = around(ahead.clamp(0.0, 1.0), (0.0, 1.0), |place| {
            let mut slopes = vec![0.0; 2 * self.axes];
            slopes[2 * axis] = 1.0;
            slopes[2 * axis + 1] = 2.0 * (place - 0.5);
            self.fit.lead(&slopes)
        });
        (low.min(place), high.max(place))
    }
}

fn difference(places: &[f64], others: &[f64]) -> Vec<f64> {
    let (one, other) = (features(places), features(others));
    one.iter()
        .zip(&other)
        .map(|(one, other)| one - other)
        .collect()
}
