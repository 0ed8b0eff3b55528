//! The search on fixed positions at a fixed depth: a signature and its speed.

#![expect(clippy::cast_precision_loss, reason = "rates of counts")]

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::{
    BuiltIn, Control, Random, Score, Search, SearchLimits, SearchSpec, Statistics, StopFlag,
    TimeLimit, build,
};
use crate::game::History;

/// How far each position is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BenchLimit {
    /// To a depth in plies: the nodes are a signature of the search.
    Depth(u32),
    /// With so much time as a game's move has: how deep it comes shows its speed.
    Time(Duration),
}

/// The search of one position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BenchedPosition {
    /// The position's text.
    pub position: String,
    /// The last finished depth in plies.
    pub depth: u32,
    /// Nodes, quiescence included.
    pub nodes: u64,
    /// Wall-clock time.
    #[serde(rename = "us", with = "micros")]
    pub elapsed: Duration,
    /// The move found.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its score; `None` where no depth was finished.
    pub score: Option<Score>,
}

/// What a search does on the fixed positions at one depth. It changes exactly when the search does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signature {
    /// The depth in plies.
    pub depth: u32,
    /// The positions, in order.
    pub positions: Vec<SignedPosition>,
}

/// One position of a [`Signature`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignedPosition {
    /// The position's text.
    pub position: String,
    /// Nodes, quiescence included.
    pub nodes: u64,
    /// The move found.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its score.
    pub score: Option<Score>,
}

impl Signature {
    /// All nodes.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.positions.iter().map(|position| position.nodes).sum()
    }

    /// Where `now` is another one, a line a position; `was` says what this one is to it.
    #[must_use]
    pub fn differences(&self, now: &Signature, was: &str) -> Vec<String> {
        let mut lines = Vec::new();
        for (name, old, new) in [
            ("depth", u64::from(self.depth), u64::from(now.depth)),
            (
                "positions",
                self.positions.len() as u64,
                now.positions.len() as u64,
            ),
        ] {
            if old != new {
                lines.push(format!("{name}: {new}, {was} {old}"));
            }
        }
        for (index, (old, new)) in self.positions.iter().zip(&now.positions).enumerate() {
            if old == new {
                continue;
            }
            let mut parts = Vec::new();
            if old.position != new.position {
                parts.push(format!("it is `{}` now", new.position));
            }
            if old.nodes != new.nodes {
                parts.push(format!("{} nodes, {was} {}", new.nodes, old.nodes));
            }
            if old.mv != new.mv {
                parts.push(format!("move {}, {was} {}", new.mv, old.mv));
            }
            if old.score != new.score {
                let score = |score: Option<Score>| {
                    score.map_or("none".to_owned(), |score| score.0.to_string())
                };
                let (old, new) = (score(old.score), score(new.score));
                parts.push(format!("score {new}, {was} {old}"));
            }
            let position = &old.position;
            lines.push(format!(
                "position {} (`{position}`): {}",
                index + 1,
                parts.join("; ")
            ));
        }
        lines
    }
}

/// What [`bench()`] measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BenchReport {
    /// The positions, in order.
    pub positions: Vec<BenchedPosition>,
    /// All nodes. To a fixed depth they are the signature: it changes exactly when the search
    /// does.
    pub nodes: u64,
    /// The nodes of the quiescence search among them.
    pub quiescence_nodes: u64,
    /// How the search went about it.
    pub statistics: Statistics,
    /// Wall-clock time.
    #[serde(rename = "us", with = "micros")]
    pub elapsed: Duration,
}

/// A time in microseconds, as the other files have it.
mod micros {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
        u64::try_from(time.as_micros())
            .unwrap_or(u64::MAX)
            .serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        u64::deserialize(from).map(Duration::from_micros)
    }
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

impl BenchReport {
    /// The signature, of a bench to this depth.
    #[must_use]
    pub fn signature(&self, depth: u32) -> Signature {
        let sign = |found: &BenchedPosition| SignedPosition {
            position: found.position.clone(),
            nodes: found.nodes,
            mv: found.mv.clone(),
            score: found.score,
        };
        Signature {
            depth,
            positions: self.positions.iter().map(sign).collect(),
        }
    }
}

impl BenchedPosition {
    /// Nodes a second; `None` where no time passed.
    #[must_use]
    pub fn nodes_per_second(&self) -> Option<f64> {
        share(self.nodes as f64, self.elapsed.as_secs_f64())
    }
}

fn share(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

impl BenchLimit {
    fn limits(self) -> SearchLimits {
        match self {
            BenchLimit::Depth(depth) => SearchLimits {
                depth,
                ..SearchLimits::NONE
            },
            BenchLimit::Time(span) => {
                let start = Instant::now();
                let deadline = start + span;
                SearchLimits {
                    time: Some(TimeLimit { start, deadline }),
                    ..SearchLimits::NONE
                }
            }
        }
    }
}

/// Seeds and plies of the random games whose ends are searched where the rules are not the
/// default: its fixed positions are none of theirs.
const PLAYOUTS: [(u64, u32); 6] = [(1, 4), (2, 8), (3, 12), (4, 16), (5, 24), (6, 32)];

/// What is searched under these rules.
fn positions<G: BuiltIn>(rules: &G::Rules) -> Vec<G> {
    if *rules == G::Rules::default() {
        return G::bench_positions();
    }
    let played = PLAYOUTS.iter().map(|(seed, plies)| {
        let mut random = Random::new();
        Search::<G>::new_game(&mut random, *seed);
        let stop = StopFlag::new();
        let mut position = G::start(rules);
        let mut history = History::new(position.clone());
        for _ in 0..*plies {
            let mut control = Control::new(SearchLimits::NONE, &stop);
            let mv = random.search(&position, &history, &mut control).mv;
            let mut after = position.clone();
            after.play(mv);
            history.push(mv, &after);
            if after.outcome(&history).is_some() {
                break;
            }
            position = after;
        }
        position
    });
    std::iter::once(G::start(rules)).chain(played).collect()
}

/// Searches the game's bench positions, or others under rules that are not the default, each as
/// the first move of a new game.
#[must_use]
pub fn bench<G: BuiltIn>(rules: &G::Rules, spec: &SearchSpec, limit: BenchLimit) -> BenchReport {
    let stop = StopFlag::new();
    let mut search = build::<G>(spec);
    let mut report = BenchReport {
        positions: Vec::new(),
        nodes: 0,
        quiescence_nodes: 0,
        statistics: Statistics::default(),
        elapsed: Duration::ZERO,
    };
    for position in positions::<G>(rules) {
        search.new_game(0);
        let history = History::new(position.clone());
        let began = Instant::now();
        let mut control = Control::new(limit.limits(), &stop);
        let found = search.search(&position, &history, &mut control);
        let elapsed = began.elapsed();
        report.nodes += found.nodes;
        report.quiescence_nodes += found.quiescence_nodes;
        report.statistics.add(found.statistics);
        report.elapsed += elapsed;
        report.positions.push(BenchedPosition {
            position: position.to_fen(),
            depth: found.depth,
            nodes: found.nodes,
            elapsed,
            mv: position.format_move(found.mv),
            score: found.score,
        });
    }
    report
}
