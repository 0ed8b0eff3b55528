//! What a search may spend, and how it is told to stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Set once, by whoever stops the work; asked by all who do it. Passed by reference, never
/// a global.
#[derive(Debug, Default)]
pub struct StopFlag(AtomicBool);

impl StopFlag {
    /// A flag that is not set.
    #[must_use]
    pub const fn new() -> StopFlag {
        StopFlag(AtomicBool::new(false))
    }

    /// Asks everyone to stop.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether to stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// What one search may spend. What does not bound it is at its maximum or `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchLimits {
    /// Nodes, quiescence included.
    pub nodes: u64,
    /// Depth in plies.
    pub depth: u32,
    /// When the move must be there, and from when the time counts.
    pub time: Option<TimeLimit>,
}

/// A span of wall-clock time for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLimit {
    /// When the clock began.
    pub start: Instant,
    /// When the move must be there.
    pub deadline: Instant,
}

impl SearchLimits {
    /// No bound at all.
    pub const NONE: SearchLimits = SearchLimits {
        nodes: u64::MAX,
        depth: u32::MAX,
        time: None,
    };
}

/// Nodes and time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Nodes, quiescence included.
    pub nodes: u64,
    /// Wall-clock time; zero in a search without a time limit.
    pub time: Duration,
}

impl Spent {
    /// What was spent since `before`.
    #[must_use]
    pub fn since(self, before: Spent) -> Spent {
        Spent {
            nodes: self.nodes - before.nodes,
            time: self.time.saturating_sub(before.time),
        }
    }

    /// `factor` times as much.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "an estimate"
    )]
    pub fn times(self, factor: f64) -> Spent {
        Spent {
            nodes: (self.nodes as f64 * factor) as u64,
            time: self.time.mul_f64(factor),
        }
    }
}

/// The limits of one search and what it has spent of them.
#[derive(Debug)]
pub struct Control<'a> {
    limits: SearchLimits,
    stop: &'a StopFlag,
    nodes: u64,
    stopped: bool,
    began: Instant,
}

impl<'a> Control<'a> {
    /// How many nodes pass between two looks at the clock and the stop flag.
    const POLL_EVERY: u64 = 64;

    /// A control with nothing spent.
    #[must_use]
    pub fn new(limits: SearchLimits, stop: &'a StopFlag) -> Control<'a> {
        Control {
            limits,
            stop,
            nodes: 0,
            stopped: false,
            began: Instant::now(),
        }
    }

    /// The limits.
    #[must_use]
    pub fn limits(&self) -> &SearchLimits {
        &self.limits
    }

    /// Nodes counted so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Keeps a share of the time back: the search stops that much before the deadline.
    pub fn keep_back(&mut self, share: f64) {
        if let Some(time) = &mut self.limits.time {
            let span = time.deadline.saturating_duration_since(time.start);
            time.deadline -= span.mul_f64(share.clamp(0.0, 1.0));
        }
    }

    /// What has been spent so far.
    #[must_use]
    pub fn spent(&self) -> Spent {
        Spent {
            nodes: self.nodes,
            // A search without a clock must not depend on one.
            time: match self.limits.time {
                Some(_) => self.began.elapsed(),
                None => Duration::ZERO,
            },
        }
    }

    /// Whether something that costs `cost` would end within the limits.
    #[must_use]
    pub fn affords(&self, cost: Spent) -> bool {
        let in_time = self.limits.time.is_none_or(|time| {
            let left = time.deadline.saturating_duration_since(Instant::now());
            cost.time <= left
        });
        in_time && cost.nodes <= self.limits.nodes.saturating_sub(self.nodes)
    }

    /// Asks for one more node. `false`: nothing is left, and the search unwinds; the node
    /// is not counted. Once false, always false.
    #[must_use]
    pub fn enter_node(&mut self) -> bool {
        if self.stopped || self.nodes >= self.limits.nodes {
            self.stopped = true;
            return false;
        }
        if self.nodes.is_multiple_of(Self::POLL_EVERY) && self.poll() {
            self.stopped = true;
            return false;
        }
        self.nodes += 1;
        true
    }

    /// Whether the search has been stopped.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    fn poll(&self) -> bool {
        self.stop.is_stopped()
            || self
                .limits
                .time
                .is_some_and(|time| Instant::now() >= time.deadline)
    }
}
