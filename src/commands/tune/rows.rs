//! What a tuning writes: `tune.csv`, `tune-summary.csv`, `tune-curve.csv`, and its events.

use serde::Serialize;

use super::curve::{CurveRow, curve};
use super::words::setting;
use crate::error::CommandError;
use crate::params::{Parameter, ParameterValues};
use crate::report::figure;
use crate::results::RunDir;
use crate::standing::Standing;
use crate::stats::{Estimates, LogisticElo};
use crate::tune::{Answer, Edge, Estimate, InTurn, Trial, TuneSpec, TurnEvent};

/// A row of `tune.csv`: two settings in one batch, as the candidate saw it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct TrialRow {
    config: String,
    turn: u32,
    parameter: String,
    batch: u32,
    candidate: String,
    base: String,
    first_pair: u32,
    pairs: u64,
    games: u64,
    score: Option<f64>,
    score_low: Option<f64>,
    score_high: Option<f64>,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    candidate_nodes_per_move: Option<f64>,
    base_nodes_per_move: Option<f64>,
    void_games: u64,
}

fn of_elo(elo: Option<LogisticElo>) -> Option<f64> {
    elo.and_then(|elo| figure(elo.0))
}

impl TrialRow {
    fn new(config: &str, turn: u32, trial: &Trial, standing: &Standing) -> TrialRow {
        let tally = standing.tally();
        let estimates = Estimates::of(tally);
        let interval = estimates.win_rate.as_ref();
        let interval = interval.and_then(|rate| rate.interval.as_ref());
        let [candidate, base] = standing.efforts();
        let parameters: Vec<&str> = trial.candidate.iter().map(|(name, _)| name).collect();
        TrialRow {
            config: config.to_owned(),
            turn: turn + 1,
            parameter: parameters.join(", "),
            batch: trial.batch + 1,
            candidate: setting(&trial.candidate),
            base: setting(&trial.base),
            first_pair: trial.first_pair,
            pairs: tally.pairs.pairs(),
            games: 2 * tally.pairs.pairs(),
            score: estimates
                .win_rate
                .as_ref()
                .and_then(|rate| figure(rate.value)),
            score_low: interval.and_then(|interval| figure(interval.low)),
            score_high: interval.and_then(|interval| figure(interval.high)),
            elo: of_elo(estimates.elo.value),
            elo_low: of_elo(estimates.elo.low),
            elo_high: of_elo(estimates.elo.high),
            candidate_nodes_per_move: candidate.nodes_per_move().and_then(figure),
            base_nodes_per_move: base.nodes_per_move().and_then(figure),
            void_games: standing.voids(),
        }
    }
}

/// What a confirming match said.
#[derive(Clone, Debug)]
pub(super) struct ConfirmRow {
    turn: u32,
    games: u64,
    score: Option<f64>,
    elo: Option<f64>,
    verdict: String,
}

impl ConfirmRow {
    pub(super) fn new(turn: u32, standing: &Standing) -> ConfirmRow {
        let tally = standing.tally();
        let elo = match standing.rule().after_stop(tally) {
            Some(stopped) if standing.is_decided() => stopped.elo.value,
            _ => Estimates::of(tally).elo.value,
        };
        ConfirmRow {
            turn,
            games: 2 * tally.pairs.pairs(),
            score: tally.pairs.score().value().and_then(figure),
            elo: of_elo(elo),
            verdict: standing.verdict().to_string(),
        }
    }
}

/// A row of `tune-summary.csv`: a parameter in a turn that has ended.
#[derive(Clone, Debug, Serialize)]
pub(super) struct TurnRow {
    config: String,
    pub(super) turn: u32,
    pub(super) parameter: String,
    pub(super) base: f64,
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) estimate: Option<f64>,
    pub(super) estimate_low: Option<f64>,
    pub(super) estimate_high: Option<f64>,
    pub(super) value: f64,
    pub(super) gain: Option<f64>,
    pub(super) gain_error: Option<f64>,
    pub(super) confidence: Option<f64>,
    pub(super) p_value: Option<f64>,
    pub(super) finding: &'static str,
    pub(super) edge: &'static str,
    pub(super) games: u64,
    pub(super) confirm_games: Option<u64>,
    pub(super) confirm_score: Option<f64>,
    pub(super) confirm_elo: Option<f64>,
    pub(super) confirm_verdict: Option<String>,
    pub(super) adopted: bool,
    /// What to do about an edge.
    #[serde(skip)]
    pub(super) advice: Option<String>,
}

/// An event: what is known after a batch.
#[derive(Clone, Debug, Serialize)]
pub(super) struct BatchEvent {
    turn: u32,
    batch: u32,
    answer: Answer,
}

impl BatchEvent {
    pub(super) fn new(turn: u32, batch: u32, answer: &Answer) -> BatchEvent {
        BatchEvent {
            turn: turn + 1,
            batch: batch + 1,
            answer: answer.clone(),
        }
    }
}

/// The last event of a tuning.
#[derive(Debug, Serialize)]
pub(super) struct TuningEvent {
    turns: Vec<TurnRow>,
    base: ParameterValues,
}

/// All rows of a tuning so far.
#[derive(Debug)]
pub(super) struct Rows {
    /// The hash of `tune.json`.
    config: String,
    /// What each parameter takes at all.
    bounds: Vec<(String, f64, f64)>,
    trials: Vec<TrialRow>,
    pub(super) confirms: Vec<ConfirmRow>,
}

impl Rows {
    pub(super) fn new(config: String, spec: &TuneSpec) -> Rows {
        let bounds = spec.parameters.iter().map(|tuned| {
            let Parameter { name, min, max, .. } = &tuned.parameter;
            (name.clone(), *min, *max)
        });
        Rows {
            config,
            bounds: bounds.collect(),
            trials: Vec::new(),
            confirms: Vec::new(),
        }
    }

    /// Takes what came of a trial.
    pub(super) fn add(&mut self, turn: u32, trial: &Trial, standing: &Standing) {
        let row = TrialRow::new(&self.config, turn, trial, standing);
        self.trials.push(row);
    }

    /// The rows of a turn that has ended: one a parameter.
    pub(super) fn of_turn(&self, event: &TurnEvent) -> Vec<TurnRow> {
        let confirm = self.confirms.iter().find(|row| row.turn == event.turn);
        let answer = &event.answer;
        let row = |found: &Estimate| TurnRow {
            config: self.config.clone(),
            turn: event.turn + 1,
            parameter: found.name.clone(),
            base: found.base,
            low: found.range.0,
            high: found.range.1,
            estimate: figure(found.estimate),
            estimate_low: found.interval.and_then(|(low, _)| figure(low)),
            estimate_high: found.interval.and_then(|(_, high)| figure(high)),
            value: found.value,
            // Adding 0 makes -0.0 the 0.0 that it is.
            gain: answer.gain.and_then(|gain| figure(gain.elo.0 + 0.0)),
            gain_error: answer.gain.and_then(|gain| figure(gain.error)),
            confidence: answer.confidence.and_then(figure),
            p_value: answer.p_value.and_then(figure),
            finding: answer.finding.name(),
            edge: match found.edge {
                Some(Edge::Low) => "low",
                Some(Edge::High) => "high",
                None => "",
            },
            games: 2 * answer.pairs,
            confirm_games: confirm.map(|row| row.games),
            confirm_score: confirm.and_then(|row| row.score),
            confirm_elo: confirm.and_then(|row| row.elo),
            confirm_verdict: confirm.map(|row| row.verdict.clone()),
            adopted: event.adopted(),
            advice: self.advice(found),
        };
        answer.estimates.iter().map(row).collect()
    }

    /// What to do about a maximum at an end of the range.
    fn advice(&self, found: &Estimate) -> Option<String> {
        let edge = found.edge?;
        let (name, min, max) = self.bounds.iter().find(|(name, ..)| *name == found.name)?;
        let at_end = match edge {
            Edge::Low => found.range.0 <= *min,
            Edge::High => found.range.1 >= *max,
        };
        if at_end {
            return Some(format!(
                "`{name}` is best at {}, where what it takes ends: it cannot go further",
                found.value
            ));
        }
        found.advice()
    }

    pub(super) fn event(&self, turns: &InTurn) -> TuningEvent {
        let events = turns.events().iter();
        TuningEvent {
            turns: events.flat_map(|event| self.of_turn(event)).collect(),
            base: turns.base(),
        }
    }

    /// Writes the tables.
    pub(super) fn write(
        &self,
        dir: &RunDir,
        spec: &TuneSpec,
        turns: &InTurn,
    ) -> Result<(), CommandError> {
        let summary: Vec<TurnRow> = self.event(turns).turns;
        let events = turns.events().iter();
        let curve: Vec<CurveRow> = events
            .flat_map(|event| curve(&self.config, spec, event))
            .collect();
        write(dir, "tune.csv", &self.trials)?;
        write(dir, "tune-curve.csv", &curve)?;
        write(dir, "tune-summary.csv", &summary)?;
        Ok(())
    }
}

/// Writes rows as CSV; no file where there are none.
fn write<T: Serialize>(dir: &RunDir, name: &str, rows: &[T]) -> Result<(), CommandError> {
    if rows.is_empty() {
        return Ok(());
    }
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer
            .serialize(row)
            .expect("a row of plain fields serialises");
    }
    let bytes = writer.into_inner().expect("memory takes every write");
    Ok(dir.write_whole(name, &bytes)?)
}
