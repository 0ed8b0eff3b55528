//! What `INFO` says of the limits.

use std::time::{Duration, Instant};

use crate::play::game_loop::share;
use crate::search::{SearchLimits, TimeLimit};

/// What stands for no limit.
const UNLIMITED: u64 = 2_147_483_647;

/// What is meant by a turn "as fast as possible".
const FAST: Duration = Duration::from_millis(10);

/// The turn of a manager that says nothing of time, which is the protocol's own default.
const DEFAULT_TURN: Duration = Duration::from_secs(30);

/// What `INFO` has said of the limits.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Info {
    turn_ms: Option<u64>,
    match_ms: Option<u64>,
    left_ms: Option<u64>,
    increment_ms: u64,
    nodes: Option<u64>,
    depth: Option<u32>,
}

impl Info {
    /// Takes a limit; `false` if the key is another one's.
    pub(super) fn set(&mut self, key: &str, value: &str) -> bool {
        let number: Option<u64> = value.parse().ok();
        let bound = number.filter(|number| (1..UNLIMITED).contains(number));
        match key {
            "timeout_turn" => self.turn_ms = number,
            "timeout_match" => self.match_ms = bound,
            "time_left" => self.left_ms = number.filter(|left| *left < UNLIMITED),
            "time_increment" => self.increment_ms = number.unwrap_or(0),
            "max_node" => self.nodes = bound,
            "max_depth" => self.depth = bound.and_then(|depth| u32::try_from(depth).ok()),
            _ => return false,
        }
        true
    }

    /// What the next move may spend. The clock runs from here.
    pub(super) fn limits(&self) -> SearchLimits {
        let start = Instant::now();
        let turn = match self.turn_ms {
            None => DEFAULT_TURN,
            Some(0) => FAST,
            Some(ms) => Duration::from_millis(ms.min(UNLIMITED)),
        };
        let left = self.match_ms.map(|all| self.left_ms.unwrap_or(all));
        let increment = Duration::from_millis(self.increment_ms.min(UNLIMITED));
        let fair = left.map(|left| share(Duration::from_millis(left), increment, None));
        let mut time = fair.map_or(turn, |fair| fair.min(turn));
        let mut is_limited = time < Duration::from_millis(UNLIMITED);
        if !is_limited && self.nodes.or(self.depth.map(u64::from)).is_none() {
            (time, is_limited) = (DEFAULT_TURN, true);
        }
        SearchLimits {
            nodes: self.nodes.unwrap_or(u64::MAX),
            depth: self.depth.unwrap_or(u32::MAX),
            time: is_limited.then(|| TimeLimit {
                start,
                deadline: start + time,
            }),
        }
    }
}
