//! Sizes, switches and limits of the beam.

use crate::params::{Parameter, ParameterValues, Tunable};

/// How the beam searches and how much it may spend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BeamOptions {
    /// The states kept of each layer, at first.
    pub width: u32,
    /// The most states kept of a layer, after restarts.
    pub max_width: u32,
    /// How many times wider a restart is; 1: there is none.
    pub growth: u32,
    /// The most layers.
    pub depth: u32,
    /// The most states that are made, all restarts together.
    pub nodes: u64,
    /// The most milliseconds, if there is a limit; results under one may differ between runs.
    pub time_ms: Option<u64>,
    /// The most memory, in MB.
    pub memory_mb: u32,
    /// Whether moves that cost nothing are played at once.
    pub forced_moves: bool,
}

impl Default for BeamOptions {
    fn default() -> BeamOptions {
        BeamOptions {
            width: 64,
            max_width: 65_536,
            growth: 2,
            depth: 150,
            nodes: 20_000_000,
            time_ms: None,
            memory_mb: 200,
            forced_moves: true,
        }
    }
}

impl Tunable for BeamOptions {
    /// What a config can say of the beam; states and time are the variant's limit.
    fn parameters() -> Vec<Parameter> {
        let BeamOptions {
            width,
            max_width,
            growth,
            depth,
            memory_mb,
            forced_moves,
            ..
        } = BeamOptions::default();
        let whole = |name, default: u32, min, max, about| {
            let default = i32::try_from(default).unwrap_or(i32::MAX);
            Parameter::integer(name, default, min, max, about)
        };
        vec![
            whole(
                "width",
                width,
                1,
                1_000_000,
                "states kept of each layer, at first",
            ),
            whole(
                "max_width",
                max_width,
                1,
                1_000_000,
                "the most states kept of a layer, after restarts; at least the width",
            ),
            whole(
                "growth",
                growth,
                1,
                100,
                "how many times wider a restart is; 1: there is none",
            ),
            whole("depth", depth, 1, 10_000, "the most layers"),
            whole(
                "memory_mb",
                memory_mb,
                1,
                1_000_000,
                "the most memory, in MB",
            ),
            Parameter::switch(
                "forced_moves",
                forced_moves,
                "play moves that cost nothing at once",
            ),
        ]
    }

    fn from_values(values: &ParameterValues) -> BeamOptions {
        let count = |name| values.integer(name).unsigned_abs();
        let width = count("width");
        BeamOptions {
            width,
            max_width: count("max_width").max(width),
            growth: count("growth"),
            depth: count("depth"),
            nodes: u64::MAX,
            time_ms: None,
            memory_mb: count("memory_mb"),
            forced_moves: values.switch("forced_moves"),
        }
    }
}
