//! `grid`: every value of a list against the base, the same number of pairs each.
//!
//! The plan that people know: fixed before play, on the same openings for every value. A
//! quadratic is fitted to all results, so that the answer rests on all of them and not on the
//! luckiest value.

use super::curve::Curve;
use super::zoom::{places, told};
use super::{Answer, Axis, Gain, Played, Proposal, TuneError, Tuner};
use crate::params::ParameterValues;

/// The method. See the module's text.
#[derive(Clone, Debug)]
pub struct Grid {
    axis: Axis,
    pairs: u32,
    values: Vec<f64>,
}

impl Grid {
    /// The values `values` of `axis`, or `points` equally spaced ones where there are none, with
    /// `pairs` pairs each. Values that round to the same one are played once, and the base's own
    /// value is not played against itself.
    ///
    /// # Errors
    /// [`TuneError::Outside`] for a value out of the range, [`TuneError::OnlyBase`] where no value
    /// differs from the base, [`TuneError::Budget`] for no pairs.
    pub fn new(axis: Axis, values: &[f64], points: u32, pairs: u32) -> Result<Grid, TuneError> {
        let outside = |value: &&f64| !(0.0..=1.0).contains(&axis.place(**value));
        if let Some(value) = values.iter().find(outside) {
            return Err(TuneError::Outside {
                name: axis.name().to_owned(),
                value: *value,
                low: axis.low(),
                high: axis.high(),
            });
        }
        let mut values = match values {
            [] => axis.spread(points),
            given => given
                .iter()
                .map(|value| axis.nearest(axis.place(*value)))
                .collect(),
        };
        values.sort_by(f64::total_cmp);
        values.dedup();
        values.retain(|value| *value != axis.base());
        if values.is_empty() {
            return Err(TuneError::OnlyBase {
                name: axis.name().to_owned(),
                step: axis.step(),
            });
        }
        if pairs == 0 {
            return Err(TuneError::Budget {
                games: 0,
                method: "grid",
                needed: 2 * values.len() as u32,
            });
        }
        Ok(Grid {
            axis,
            pairs,
            values,
        })
    }

    /// The values that meet the base, upwards.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    fn curve(&self, played: &[Played]) -> Curve {
        Curve::of_degree(&places(&self.axis, played), 2)
    }
}

impl Tuner for Grid {
    fn axes(&self) -> &[Axis] {
        std::slice::from_ref(&self.axis)
    }

    fn propose(&self, played: &[Played]) -> Vec<Proposal> {
        if !played.is_empty() {
            return Vec::new();
        }
        let against_base = |value: &f64| {
            Some(Proposal {
                candidate: self.axis.setting(*value).ok()?,
                base: self.axis.setting(self.axis.base()).ok()?,
                pairs: self.pairs,
            })
        };
        self.values.iter().filter_map(against_base).collect()
    }

    fn answer(&self, played: &[Played]) -> Answer {
        Answer::of_curve(&self.axis, &self.curve(played), told(played))
    }

    fn predict(&self, played: &[Played], setting: &ParameterValues) -> Option<Gain> {
        let place = self.axis.place(setting.get(self.axis.name()));
        let lead = self
            .curve(played)
            .lead(place, self.axis.place(self.axis.base()));
        (told(played) > 0).then(|| Gain::new(lead))
    }

    fn planned_pairs(&self) -> u64 {
        self.values.len() as u64 * u64::from(self.pairs)
    }

    fn planned_openings(&self) -> u64 {
        self.pairs.into()
    }
}
