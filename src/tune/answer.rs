//! What a tuning says in the end.

use serde::{Deserialize, Serialize};

use super::axis::Axis;
use super::curve::Curve;
use crate::params::ParameterValues;
use crate::stats::{LogisticElo, SprtSpec, superiority};

/// Largest probability with which a parameter that does nothing may look as if it did something.
pub const FALSE_ALARM: f64 = 0.05;

/// The least gain, in logistic Elo, that a confirming match is designed for.
pub const LEAST_CONFIRMED: f64 = 10.0;

/// The largest one: a larger gain is shown soon by this test too, and is an overestimate more
/// often.
pub const MOST_CONFIRMED: f64 = 100.0;

/// An end of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edge {
    /// The low end.
    Low,
    /// The high end.
    High,
}

/// One parameter's part of an answer. All values are the parameter's own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The parameter.
    pub name: String,
    /// The value of the base variant.
    pub base: f64,
    /// Where strength is highest, not rounded to the grid.
    pub estimate: f64,
    /// The value to play: the nearest on the grid.
    pub value: f64,
    /// The 95% interval of the maximum, within the range searched; unknown for random search.
    pub interval: Option<(f64, f64)>,
    /// The end of the range at which the maximum lies: what is beyond was not searched.
    pub edge: Option<Edge>,
    /// The range searched.
    pub range: (f64, f64),
}

impl Estimate {
    /// The estimate at a place of an axis, of which `searched` was searched.
    pub(crate) fn new(
        axis: &Axis,
        place: f64,
        interval: Option<(f64, f64)>,
        searched: (f64, f64),
    ) -> Estimate {
        let value = axis.nearest(place);
        let (low, high) = (axis.nearest(searched.0), axis.nearest(searched.1));
        let edge = if value <= low {
            Some(Edge::Low)
        } else {
            (value >= high).then_some(Edge::High)
        };
        Estimate {
            name: axis.name().to_owned(),
            base: axis.base(),
            estimate: axis.at(place),
            value,
            interval: interval.map(|(low, high)| (axis.at(low), axis.at(high))),
            edge,
            range: (low, high),
        }
    }

    /// What to do about a maximum at the edge.
    #[must_use]
    pub fn advice(&self) -> Option<String> {
        let (low, high) = self.range;
        let (end, way, room) = match self.edge? {
            Edge::Low => ("low", "below", low - (high - low) / 2.0),
            Edge::High => ("high", "above", high + (high - low) / 2.0),
        };
        Some(format!(
            "`{}` is best at the {end} end of its range, {}: the true best value may lie {way} it. \
             Tune again with a wider range, for example to {room}",
            self.name, self.value
        ))
    }
}

/// Whether there is a value worth confirming.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finding {
    /// The values look better than the base; a match on other openings should confirm it.
    Better,
    /// The base itself looks best, on the grid.
    BaseIsBest,
    /// The gain is below its standard error, or the results do not differ more than those of a
    /// parameter without effect do in one tuning of twenty. Keep the base.
    NoDifferenceShown,
}

impl Finding {
    /// The words for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Finding::Better => "better",
            Finding::BaseIsBest => "base is best",
            Finding::NoDifferenceShown => "no difference shown",
        }
    }
}

/// The predicted gain over the base.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gain {
    /// Its size. It is the height of a maximum, so it is more often too large than too small.
    pub elo: LogisticElo,
    /// Its standard error in logistic Elo.
    pub error: f64,
}

impl Gain {
    /// An estimate and its standard error.
    pub(crate) fn new((elo, error): (f64, f64)) -> Gain {
        Gain {
            elo: LogisticElo(elo),
            error,
        }
    }
}

/// What a tuning says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// What was found.
    pub finding: Finding,
    /// One estimate a parameter, whatever was found.
    pub estimates: Vec<Estimate>,
    /// The predicted gain of the rounded values over the base; unknown before any game.
    pub gain: Option<Gain>,
    /// Probability by that gain and error that the values are better than the base, 0 to 1;
    /// unknown before any game. The confirming match is what should be believed.
    pub confidence: Option<f64>,
    /// Probability that a parameter without effect gives results that differ as much; unknown for
    /// random search and before any game.
    pub p_value: Option<f64>,
    /// Pairs that it rests on.
    pub pairs: u64,
}

impl Answer {
    /// Judges a gain against its error. `p_value` is how unlikely the results are if nothing has
    /// an effect.
    pub(crate) fn judge(
        estimates: Vec<Estimate>,
        gain: Option<(f64, f64)>,
        p_value: Option<f64>,
        pairs: u64,
    ) -> Answer {
        let p_value = p_value.filter(|_| pairs > 0);
        let gain = gain.filter(|_| pairs > 0);
        let shown = p_value.is_none_or(|p| p < FALSE_ALARM);
        let same = estimates.iter().all(|found| found.value == found.base);
        let finding = match gain {
            Some(_) if shown && same => Finding::BaseIsBest,
            Some((elo, error)) if shown && elo > 0.0 && elo >= error => Finding::Better,
            _ => Finding::NoDifferenceShown,
        };
        Answer {
            finding,
            estimates,
            confidence: gain.map(|(elo, error)| superiority(elo, error)),
            gain: gain.map(Gain::new),
            p_value,
            pairs,
        }
    }

    /// The answer of a curve over one parameter, whose maximum is at `curve.best()`.
    pub(crate) fn of_curve(axis: &Axis, curve: &Curve, pairs: u64) -> Answer {
        let estimate = Estimate::new(axis, curve.best(), Some(curve.interval()), curve.played());
        let gain = curve.lead(axis.place(estimate.value), axis.place(axis.base()));
        Answer::judge(vec![estimate], Some(gain), Some(curve.flatness()), pairs)
    }

    /// The values to go on with if nothing else is done: those found, or those of the base.
    ///
    /// # Panics
    /// Never: the names are those of the axes.
    #[must_use]
    pub fn proposed(&self, axes: &[Axis]) -> ParameterValues {
        let found = self.finding == Finding::Better;
        let value = |estimate: &Estimate| if found { estimate.value } else { estimate.base };
        let values: Vec<f64> = self.estimates.iter().map(value).collect();
        super::axis::settings(axes, &values).expect("values of the axes")
    }

    /// The confirming match: better than equal, planned for the predicted gain, 10 Elo at least
    /// and 100 at most. `None` where there is nothing to confirm.
    #[must_use]
    pub fn confirming_test(&self) -> Option<SprtSpec> {
        match (self.finding, self.gain) {
            (Finding::Better, Some(gain)) => {
                let elo1 = gain.elo.0.clamp(LEAST_CONFIRMED, MOST_CONFIRMED);
                Some(SprtSpec::logistic(0.0, elo1))
            }
            _ => None,
        }
    }
}
