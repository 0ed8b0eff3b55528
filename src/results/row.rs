//! The row of `games.csv`: one list of fields, written and read by the same type.

use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::job::GameId;
use super::record::{GameRecord, GameResult, MoveRecord, Overrun};
use crate::game::Side;

/// A row as it stands in the file. Empty cells are figures that are not known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GameRow {
    id: String,
    run: String,
    config: String,
    pairing: Option<u32>,
    pair: u32,
    leg: Option<u8>,
    attempt: u32,
    opening: String,
    opening_fen: String,
    opening_moves: String,
    first: String,
    second: String,
    first_to_move: Side,
    result: GameResult,
    termination: String,
    detail: String,
    void: bool,
    plies: usize,
    first_nodes: u64,
    first_nodes_per_move: Option<String>,
    first_mean_depth: Option<String>,
    first_time_us: u64,
    first_overruns: u32,
    first_largest_overrun_us: u64,
    second_nodes: u64,
    second_nodes_per_move: Option<String>,
    second_mean_depth: Option<String>,
    second_time_us: u64,
    second_overruns: u32,
    second_largest_overrun_us: u64,
    seed: u64,
    rules: String,
    cpu_time_us: Option<u64>,
    runner_delay_us: u64,
    worker: usize,
    started: String,
    moves: String,
}

/// What every row of one run repeats, so that a row alone says where it belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowStamp {
    /// The run's directory name.
    pub run: String,
    /// The run's config hash.
    pub config: String,
    /// The game's rules as JSON.
    pub rules: String,
}

/// Why a row is not a game of this run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RowError {
    /// It is not a row of the format at all.
    #[error("{0}")]
    Format(String),
    /// A field has another value than this run or the rest of the row implies.
    #[error(
        "column `{column}` is `{found}`, but must be `{expected}`{}",
        edited(column)
    )]
    Contradiction {
        /// The column.
        column: &'static str,
        /// What stands there.
        found: String,
        /// What must stand there.
        expected: String,
    },
}

/// The config hash is that of `run.json`.
fn edited(column: &str) -> &'static str {
    if column == "config" {
        "; was run.json edited?"
    } else {
        ""
    }
}

fn figure(value: Option<f64>) -> Option<String> {
    value.map(|value| format!("{value:.2}"))
}

impl GameRow {
    pub(super) fn new(record: &GameRecord, stamp: &RowStamp) -> GameRow {
        let [first, second] = Side::BOTH.map(|side| record.effort(side));
        let mut moves = String::new();
        for mv in &record.moves {
            if !moves.is_empty() {
                moves.push(' ');
            }
            mv.write_to(&mut moves);
        }
        let (pairing, pair, leg) = match record.id {
            GameId::Leg { pairing, pair, leg } => (Some(pairing), pair, Some(leg)),
            GameId::Deal { place, .. } => (None, place, None),
        };
        GameRow {
            id: record.id.to_string(),
            run: stamp.run.clone(),
            config: stamp.config.clone(),
            pairing,
            pair,
            leg,
            attempt: record.attempt,
            opening: record.opening.clone(),
            opening_fen: record.opening_fen.clone(),
            opening_moves: record.opening_moves.join(" "),
            first: record.first.clone(),
            second: record.second.clone(),
            first_to_move: record.first_to_move,
            result: record.result,
            termination: record.termination.to_string(),
            detail: record.detail.clone(),
            void: record.void,
            plies: record.moves.len(),
            first_nodes: first.nodes,
            first_nodes_per_move: figure(first.nodes_per_move()),
            first_mean_depth: figure(first.mean_depth()),
            first_time_us: first.time_us,
            first_overruns: record.overruns[0].count,
            first_largest_overrun_us: record.overruns[0].largest_us,
            second_nodes: second.nodes,
            second_nodes_per_move: figure(second.nodes_per_move()),
            second_mean_depth: figure(second.mean_depth()),
            second_time_us: second.time_us,
            second_overruns: record.overruns[1].count,
            second_largest_overrun_us: record.overruns[1].largest_us,
            seed: record.seed,
            rules: stamp.rules.clone(),
            cpu_time_us: record.cpu_time_us,
            runner_delay_us: record.runner_delay_us,
            worker: record.worker,
            started: humantime::format_rfc3339_millis(record.started).to_string(),
            moves,
        }
    }

    /// The record, if every derived column agrees with the moves and the stamp.
    pub(super) fn into_record(self, stamp: &RowStamp) -> Result<GameRecord, RowError> {
        self.check_line_breaks()?;
        let id: GameId = self.id.parse().map_err(RowError::Format)?;
        let moves: Vec<MoveRecord> = self
            .moves
            .split(' ')
            .filter(|text| !text.is_empty())
            .map(str::parse)
            .collect::<Result<_, String>>()
            .map_err(RowError::Format)?;
        let started = humantime::parse_rfc3339(&self.started)
            .map_err(|error| RowError::Format(format!("column `started`: {error}")))?;
        let record = GameRecord {
            id,
            attempt: self.attempt,
            seed: self.seed,
            opening: self.opening.clone(),
            opening_fen: self.opening_fen.clone(),
            opening_moves: self
                .opening_moves
                .split(' ')
                .filter(|text| !text.is_empty())
                .map(str::to_owned)
                .collect(),
            first: self.first.clone(),
            second: self.second.clone(),
            first_to_move: self.first_to_move,
            result: self.result,
            termination: self.termination.parse().map_err(RowError::Format)?,
            detail: self.detail.clone(),
            void: self.void,
            runner_delay_us: self.runner_delay_us,
            moves,
            overruns: [
                Overrun {
                    count: self.first_overruns,
                    largest_us: self.first_largest_overrun_us,
                },
                Overrun {
                    count: self.second_overruns,
                    largest_us: self.second_largest_overrun_us,
                },
            ],
            cpu_time_us: self.cpu_time_us,
            worker: self.worker,
            started,
        };
        self.check_against(&GameRow::new(&record, stamp))?;
        Ok(record)
    }

    /// A row is one line, so that a torn one is told from a whole one. Only texts of free form
    /// can hold a line break and still be what they should.
    fn check_line_breaks(&self) -> Result<(), RowError> {
        for (column, text) in [
            ("opening", &self.opening),
            ("opening_fen", &self.opening_fen),
            ("opening_moves", &self.opening_moves),
            ("first", &self.first),
            ("second", &self.second),
            ("moves", &self.moves),
        ] {
            if text.contains(['\n', '\r']) {
                let message = format!("column `{column}` holds a line break");
                return Err(RowError::Format(message));
            }
        }
        Ok(())
    }

    /// Compares the columns that follow from others.
    fn check_against(&self, expected: &GameRow) -> Result<(), RowError> {
        fn check<T: PartialEq + std::fmt::Debug>(
            column: &'static str,
            found: &T,
            expected: &T,
        ) -> Result<(), RowError> {
            if found == expected {
                return Ok(());
            }
            Err(RowError::Contradiction {
                column,
                found: format!("{found:?}").replace('"', ""),
                expected: format!("{expected:?}").replace('"', ""),
            })
        }
        check("run", &self.run, &expected.run)?;
        check("config", &self.config, &expected.config)?;
        check("rules", &self.rules, &expected.rules)?;
        check("attempt", &self.attempt, &expected.attempt.max(1))?;
        check("pairing", &self.pairing, &expected.pairing)?;
        check("pair", &self.pair, &expected.pair)?;
        check("leg", &self.leg, &expected.leg)?;
        check(
            "opening_moves",
            &self.opening_moves,
            &expected.opening_moves,
        )?;
        check("plies", &self.plies, &expected.plies)?;
        check("first_nodes", &self.first_nodes, &expected.first_nodes)?;
        check("second_nodes", &self.second_nodes, &expected.second_nodes)?;
        for (column, found, expected) in [
            (
                "first_nodes_per_move",
                &self.first_nodes_per_move,
                &expected.first_nodes_per_move,
            ),
            (
                "first_mean_depth",
                &self.first_mean_depth,
                &expected.first_mean_depth,
            ),
            (
                "second_nodes_per_move",
                &self.second_nodes_per_move,
                &expected.second_nodes_per_move,
            ),
            (
                "second_mean_depth",
                &self.second_mean_depth,
                &expected.second_mean_depth,
            ),
        ] {
            check(column, found, expected)?;
        }
        check(
            "first_time_us",
            &self.first_time_us,
            &expected.first_time_us,
        )?;
        check(
            "second_time_us",
            &self.second_time_us,
            &expected.second_time_us,
        )?;
        check("started", &self.started, &expected.started)?;
        check("moves", &self.moves, &expected.moves)
    }
}

/// The present moment in whole milliseconds, as rows keep it.
#[must_use]
pub fn now() -> SystemTime {
    let since = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    let millis = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
    SystemTime::UNIX_EPOCH + Duration::from_millis(millis)
}
