//! What two variants made of the same deals: the columns of `summary.csv` that only solitaires
//! have, and their lines on the console.

use std::fmt::Write;

use serde::Serialize;

use super::summary::figure;
use crate::game::Side;
use crate::results::GameFacts;
use crate::standing::{Standing, is_solved};
use crate::stats::{Solver, Spread, Tried, mcnemar};

/// The columns. Empty cells are figures that are not known.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DealsRow {
    /// What decides between two solutions: `length`, `nodes` or `time`.
    pub compare: String,
    /// Deals that the candidate solved.
    pub candidate_solved: u64,
    /// Its share of the deals.
    pub candidate_solve_rate: Option<f64>,
    /// Lower end of the share's 95% interval (Clopper-Pearson).
    pub candidate_solve_rate_low: Option<f64>,
    /// Upper end.
    pub candidate_solve_rate_high: Option<f64>,
    /// Deals that the base solved.
    pub base_solved: u64,
    /// Its share of the deals.
    pub base_solve_rate: Option<f64>,
    /// Lower end of the share's 95% interval.
    pub base_solve_rate_low: Option<f64>,
    /// Upper end.
    pub base_solve_rate_high: Option<f64>,
    /// Deals that only the candidate solved.
    pub solved_by_candidate_only: u64,
    /// Deals that only the base solved.
    pub solved_by_base_only: u64,
    /// McNemar's exact test, two-sided.
    pub mcnemar_p: f64,
    /// Median of the moves of the candidate's solutions.
    pub candidate_length_median: Option<f64>,
    /// Their 95th percentile.
    pub candidate_length_p95: Option<f64>,
    /// Median of the moves of the base's solutions.
    pub base_length_median: Option<f64>,
    /// Their 95th percentile.
    pub base_length_p95: Option<f64>,
    /// Median of the states that the candidate looked at for a deal.
    pub candidate_nodes_median: Option<f64>,
    /// Their 95th percentile.
    pub candidate_nodes_p95: Option<f64>,
    /// Median of the states that the base looked at for a deal.
    pub base_nodes_median: Option<f64>,
    /// Their 95th percentile.
    pub base_nodes_p95: Option<f64>,
    /// Median of the milliseconds of the candidate for a deal.
    pub candidate_ms_median: Option<f64>,
    /// Their 95th percentile.
    pub candidate_ms_p95: Option<f64>,
    /// Median of the milliseconds of the base for a deal.
    pub base_ms_median: Option<f64>,
    /// Their 95th percentile.
    pub base_ms_p95: Option<f64>,
}

fn tried(facts: &GameFacts) -> Tried {
    let effort = facts.effort[Side::First.index()];
    Tried {
        length: is_solved(facts).then_some(facts.plies),
        nodes: effort.nodes,
        time_us: effort.time_us,
    }
}

/// The columns of a pairing; `None` in games of two sides.
pub(super) fn deals(standing: &Standing) -> Option<DealsRow> {
    let compare = standing.compares()?.name().to_owned();
    let pairs = standing.counted();
    let [candidate, base] =
        [0, 1].map(|leg| Solver::of(pairs.iter().map(|pair| tried(&pair[leg]))));
    let only = |leg: usize| {
        let alone = pairs
            .iter()
            .filter(|pair| is_solved(&pair[leg]) && !is_solved(&pair[1 - leg]));
        alone.count() as u64
    };
    let rate = |solver: &Solver| solver.solve_rate().and_then(figure);
    let low = |solver: &Solver| solver.rate.as_ref().and_then(|rate| figure(rate.low));
    let high = |solver: &Solver| solver.rate.as_ref().and_then(|rate| figure(rate.high));
    let median = |spread: Option<Spread>, unit: f64| figure(spread?.median / unit);
    let p95 = |spread: Option<Spread>, unit: f64| figure(spread?.p95 / unit);
    Some(DealsRow {
        compare,
        candidate_solved: candidate.solved,
        candidate_solve_rate: rate(&candidate),
        candidate_solve_rate_low: low(&candidate),
        candidate_solve_rate_high: high(&candidate),
        base_solved: base.solved,
        base_solve_rate: rate(&base),
        base_solve_rate_low: low(&base),
        base_solve_rate_high: high(&base),
        solved_by_candidate_only: only(0),
        solved_by_base_only: only(1),
        mcnemar_p: figure(mcnemar(only(0), only(1))).unwrap_or(1.0),
        candidate_length_median: median(candidate.length, 1.0),
        candidate_length_p95: p95(candidate.length, 1.0),
        base_length_median: median(base.length, 1.0),
        base_length_p95: p95(base.length, 1.0),
        candidate_nodes_median: median(candidate.nodes, 1.0),
        candidate_nodes_p95: p95(candidate.nodes, 1.0),
        base_nodes_median: median(base.nodes, 1.0),
        base_nodes_p95: p95(base.nodes, 1.0),
        candidate_ms_median: median(candidate.time_us, 1000.0),
        candidate_ms_p95: p95(candidate.time_us, 1000.0),
        base_ms_median: median(base.time_us, 1000.0),
        base_ms_p95: p95(base.time_us, 1000.0),
    })
}

/// The lines of a pairing on the console.
pub(super) fn write_lines(text: &mut String, row: &DealsRow) -> std::fmt::Result {
    let shown = |value: Option<f64>, scale: f64, digits: usize| {
        value.map_or_else(
            || "unknown".to_owned(),
            |value| format!("{:.digits$}", value * scale),
        )
    };
    let percent = |value| shown(value, 100.0, 1);
    writeln!(
        text,
        "  solved      {} ({}%, {} to {}) against {} ({}%, {} to {})",
        row.candidate_solved,
        percent(row.candidate_solve_rate),
        percent(row.candidate_solve_rate_low),
        percent(row.candidate_solve_rate_high),
        row.base_solved,
        percent(row.base_solve_rate),
        percent(row.base_solve_rate_low),
        percent(row.base_solve_rate_high),
    )?;
    writeln!(
        text,
        "              {} by the candidate only, {} by the base only (p {:.3}, McNemar)",
        row.solved_by_candidate_only, row.solved_by_base_only, row.mcnemar_p
    )?;
    for (name, digits, [candidate, candidate_p95, base, base_p95]) in [
        (
            "moves/deal",
            1,
            [
                row.candidate_length_median,
                row.candidate_length_p95,
                row.base_length_median,
                row.base_length_p95,
            ],
        ),
        (
            "nodes/deal",
            0,
            [
                row.candidate_nodes_median,
                row.candidate_nodes_p95,
                row.base_nodes_median,
                row.base_nodes_p95,
            ],
        ),
        (
            "ms/deal",
            2,
            [
                row.candidate_ms_median,
                row.candidate_ms_p95,
                row.base_ms_median,
                row.base_ms_p95,
            ],
        ),
    ] {
        let shown = |value| shown(value, 1.0, digits);
        writeln!(
            text,
            "  {name:<11} median {} against {}, 95th percentile {} against {}",
            shown(candidate),
            shown(base),
            shown(candidate_p95),
            shown(base_p95)
        )?;
    }
    Ok(())
}
