//! The range in which one parameter is tuned, on the parameter's own grid.

use super::TuneError;
use crate::params::{Parameter, ParameterKind, ParameterValues};

/// One parameter, the range to search, and the value that it has now.
///
/// Tuners think in `place`: 0 at the low end of the range, 1 at its high end. Values that are
/// played lie on the parameter's grid (its smallest value plus whole steps).
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    parameter: Parameter,
    low: f64,
    high: f64,
    base: f64,
    step: f64,
}

impl Axis {
    /// The range from `low` to `high`, its ends rounded inwards to the grid, around the value
    /// `base` that the base variant has.
    ///
    /// # Errors
    /// [`TuneError::Range`] for ends that the parameter does not take, or in the wrong order,
    /// [`TuneError::Base`] for a base value outside of them, [`TuneError::FewValues`] where the
    /// grid has fewer than two values in the range.
    pub fn new(parameter: &Parameter, low: f64, high: f64, base: f64) -> Result<Axis, TuneError> {
        let inside = |value: f64| (parameter.min..=parameter.max).contains(&value);
        if !(inside(low) && inside(high) && low < high) {
            return Err(TuneError::Range {
                name: parameter.name.clone(),
                low,
                high,
                allowed: parameter.allowed(),
            });
        }
        if !(low..=high).contains(&base) {
            return Err(TuneError::Base {
                name: parameter.name.clone(),
                base,
                low,
                high,
            });
        }
        let step = match parameter.kind {
            ParameterKind::Real if parameter.step > 0.0 => parameter.step,
            ParameterKind::Real => (high - low) / 1000.0,
            ParameterKind::Integer | ParameterKind::Switch => parameter.step.round().max(1.0),
        };
        let mut axis = Axis {
            parameter: parameter.clone(),
            low,
            high,
            base,
            step,
        };
        // So little over or under the grid is rounding.
        let slack = 1e-9;
        axis.low = axis.on_grid(((low - parameter.min) / step - slack).ceil());
        axis.high = axis.on_grid(((high - parameter.min) / step + slack).floor());
        if axis.low >= axis.high {
            return Err(TuneError::FewValues {
                name: parameter.name.clone(),
                low,
                high,
                step,
                found: usize::from(axis.low == axis.high),
                needed: 2,
            });
        }
        Ok(axis)
    }

    /// The whole range of a parameter around its default.
    ///
    /// # Errors
    /// As [`Axis::new`].
    pub fn whole(parameter: &Parameter) -> Result<Axis, TuneError> {
        Axis::new(parameter, parameter.min, parameter.max, parameter.default)
    }

    /// The same range around another base value, which lies in it.
    #[must_use]
    pub fn from_base(&self, base: f64) -> Axis {
        Axis {
            base,
            ..self.clone()
        }
    }

    /// The parameter's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.parameter.name
    }

    /// The lowest value of the range that is on the grid.
    #[must_use]
    pub fn low(&self) -> f64 {
        self.low
    }

    /// The highest value of the range that is on the grid.
    #[must_use]
    pub fn high(&self) -> f64 {
        self.high
    }

    /// The value that the base variant has; it may be off the grid.
    #[must_use]
    pub fn base(&self) -> f64 {
        self.base
    }

    /// The distance of neighbouring values.
    #[must_use]
    pub fn step(&self) -> f64 {
        self.step
    }

    /// Number of different values in the range, two at least.
    #[must_use]
    pub fn values(&self) -> u64 {
        ((self.high - self.low) / self.step).round() as u64 + 1
    }

    /// Where `value` lies: 0 at the low end, 1 at the high end.
    #[must_use]
    pub fn place(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }

    /// The value at a place, not rounded.
    #[must_use]
    pub fn at(&self, place: f64) -> f64 {
        self.low + place * (self.high - self.low)
    }

    /// The value of the grid in the range that is nearest to `place`.
    #[must_use]
    pub fn nearest(&self, place: f64) -> f64 {
        let value = self.at(place.clamp(0.0, 1.0));
        let low = ((self.low - self.parameter.min) / self.step).round();
        let index = ((value - self.parameter.min) / self.step).round();
        self.on_grid(index.clamp(low, low + (self.values() - 1) as f64))
    }

    /// At most `count` equally spaced values from end to end, each once.
    #[must_use]
    pub fn spread(&self, count: u32) -> Vec<f64> {
        let last = f64::from(count.max(2) - 1);
        let mut values: Vec<f64> = (0..count)
            .map(|index| self.nearest(f64::from(index) / last))
            .collect();
        values.dedup();
        values
    }

    /// The value of the grid next to `value`, towards the high end or the low one, as far as the
    /// range goes.
    #[must_use]
    pub fn neighbour(&self, value: f64, upwards: bool) -> f64 {
        let way = if upwards { self.step } else { -self.step };
        self.nearest(self.place(value + way))
    }

    /// The parameter at `value`, as a value set.
    ///
    /// # Errors
    /// A value that the parameter does not take.
    pub fn setting(&self, value: f64) -> Result<ParameterValues, TuneError> {
        settings(std::slice::from_ref(self), &[value])
    }

    /// The `index`th value of the parameter's grid, in the decimal digits that people write: 3
    /// steps of 0.1 are 0.3, not 0.30000000000000004.
    fn on_grid(&self, index: f64) -> f64 {
        let value = self.parameter.min + index * self.step;
        let digits = 10f64.powi(12 - self.step.log10().floor().clamp(-12.0, 12.0) as i32);
        let clean = (value * digits).round() / digits;
        if clean.is_finite() { clean } else { value }
    }
}

/// The parameters of all axes at these values, in the same order.
///
/// # Errors
/// A value that its parameter does not take.
pub fn settings(axes: &[Axis], values: &[f64]) -> Result<ParameterValues, TuneError> {
    let mut set = ParameterValues::default();
    for (axis, value) in axes.iter().zip(values) {
        set.set(std::slice::from_ref(&axis.parameter), axis.name(), *value)?;
    }
    Ok(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_people_write_them() {
        let weight = Parameter::real("w", 0.3, 0.0, 1.0, 0.1, "");
        let axis = Axis::whole(&weight).expect("a range");
        assert_eq!(axis.nearest(0.31), 0.3);
        assert_eq!(axis.values(), 11);
        assert_eq!(axis.spread(5), [0.0, 0.3, 0.5, 0.8, 1.0]);
        assert_eq!(axis.neighbour(1.0, true), 1.0);
        assert_eq!(axis.neighbour(0.3, false), 0.2);
    }

    #[test]
    fn ends_are_rounded_inwards_and_values_come_once() {
        let weight = Parameter::integer("w", 3, 0, 100, "");
        let axis = Axis::new(&weight, 0.5, 3.5, 2.0).expect("a range");
        assert_eq!((axis.low(), axis.high(), axis.values()), (1.0, 3.0, 3));
        assert_eq!(axis.spread(9), [1.0, 2.0, 3.0]);
        assert_eq!(axis.place(3.0), 1.0);
    }

    #[test]
    fn ranges_that_cannot_be_are_refused() {
        let weight = Parameter::integer("w", 3, 0, 5, "");
        let wrong = [
            Axis::new(&weight, 0.0, 9.0, 3.0),
            Axis::new(&weight, 4.0, 1.0, 3.0),
            Axis::new(&weight, f64::NAN, 4.0, 3.0),
        ];
        for error in wrong {
            assert!(matches!(error, Err(TuneError::Range { .. })), "{error:?}");
        }
        let error = Axis::new(&weight, 0.0, 2.0, 3.0).expect_err("base outside");
        assert!(error.to_string().contains("`w`"), "{error}");
        let error = Axis::new(&weight, 2.2, 2.8, 2.5).expect_err("no value");
        assert!(
            matches!(error, TuneError::FewValues { found: 0, .. }),
            "{error:?}"
        );
    }
}
