//! The curve that was fitted in a turn: `tune-curve.csv`.

use serde::Serialize;

use super::words::names;
use crate::report::figure;
use crate::tune::{Axis, TuneSpec, TurnEvent, build};

/// Points of a fitted curve.
const CURVE_POINTS: u32 = 41;

/// A row of `tune-curve.csv`: a point of the curve fitted in a turn.
#[derive(Clone, Debug, Serialize)]
pub(super) struct CurveRow {
    config: String,
    turn: u32,
    parameter: String,
    value: f64,
    elo: Option<f64>,
    elo_error: Option<f64>,
}

/// The axis of a turn that tuned one parameter, around the base that it had.
fn axis_of(spec: &TuneSpec, event: &TurnEvent) -> Option<Axis> {
    let [found] = &event.answer.estimates[..] else {
        return None;
    };
    let axes = spec.axes().into_iter().filter_map(Result::ok);
    let axis = axes.into_iter().find(|axis| axis.name() == found.name)?;
    Some(axis.from_base(found.base))
}

/// Points of the curve that was fitted in a turn, where there is one.
pub(super) fn curve(config: &str, spec: &TuneSpec, event: &TurnEvent) -> Vec<CurveRow> {
    let Some(axis) = axis_of(spec, event) else {
        return Vec::new();
    };
    let seed = spec.seed.wrapping_add(event.turn.into());
    let Ok(tuner) = build(&spec.method, std::slice::from_ref(&axis), seed) else {
        return Vec::new();
    };
    let point = |value: f64| {
        let lead = tuner.predict(&event.played, &axis.setting(value).ok()?)?;
        Some(CurveRow {
            config: config.to_owned(),
            turn: event.turn + 1,
            parameter: names(std::slice::from_ref(&axis)),
            value,
            // Never -0.
            elo: figure(lead.elo.0).map(|elo| elo + 0.0),
            elo_error: figure(lead.error),
        })
    };
    let values = axis.spread(CURVE_POINTS).into_iter();
    values.filter_map(point).collect()
}
