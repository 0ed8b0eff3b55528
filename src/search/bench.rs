//! The search on fixed positions at a fixed depth: a signature and its speed.

#![expect(clippy::cast_precision_loss, reason = "rates of counts")]

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::{BuiltIn, Control, SearchLimits, SearchSpec, Statistics, StopFlag, build};
use crate::game::History;

/// What [`bench()`] measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BenchReport {
    /// Positions searched.
    pub positions: u64,
    /// To this depth.
    pub depth: u32,
    /// All nodes: the signature. It changes exactly when the search does.
    pub nodes: u64,
    /// The nodes of the quiescence search among them.
    pub quiescence_nodes: u64,
    /// How the search went about it.
    pub statistics: Statistics,
    /// Wall-clock time.
    pub elapsed: Duration,
}

impl BenchReport {
    /// Nodes a second; `None` where no time passed.
    #[must_use]
    pub fn nodes_per_second(&self) -> Option<f64> {
        share(self.nodes as f64, self.elapsed.as_secs_f64())
    }

    /// Questions to the transposition table that found the position, of all; `None` without
    /// a question.
    #[must_use]
    pub fn hit_rate(&self) -> Option<f64> {
        share(self.statistics.hits as f64, self.statistics.probes as f64)
    }

    /// Nodes that a move cut off, of all whose moves were searched.
    #[must_use]
    pub fn cutoff_rate(&self) -> Option<f64> {
        let statistics = &self.statistics;
        share(statistics.cutoffs as f64, statistics.expanded as f64)
    }

    /// Cut-offs by the first move, of all cut-offs.
    #[must_use]
    pub fn first_move_rate(&self) -> Option<f64> {
        let statistics = &self.statistics;
        share(statistics.first_cutoffs as f64, statistics.cutoffs as f64)
    }

    /// Nodes of the quiescence search, of all.
    #[must_use]
    pub fn quiescence_share(&self) -> Option<f64> {
        share(self.quiescence_nodes as f64, self.nodes as f64)
    }
}

fn share(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

/// Searches the game's bench positions, each as the first move of a new game.
#[must_use]
pub fn bench<G: BuiltIn>(spec: &SearchSpec, depth: u32) -> BenchReport {
    let positions = G::bench_positions();
    let stop = StopFlag::new();
    let mut search = build::<G>(spec);
    let limits = SearchLimits {
        depth,
        ..SearchLimits::NONE
    };
    let mut report = BenchReport {
        positions: positions.len() as u64,
        depth,
        nodes: 0,
        quiescence_nodes: 0,
        statistics: Statistics::default(),
        elapsed: Duration::ZERO,
    };
    let began = Instant::now();
    for position in positions {
        search.new_game(0);
        let history = History::new(position.clone());
        let mut control = Control::new(limits, &stop);
        let found = search.search(&position, &history, &mut control);
        report.nodes += found.nodes;
        report.quiescence_nodes += found.quiescence_nodes;
        report.statistics.add(found.statistics);
    }
    report.elapsed = began.elapsed();
    report
}
