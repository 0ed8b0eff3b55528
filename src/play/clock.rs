//! Game clocks.

use std::time::Duration;

use crate::game::Side;
use crate::results::{ClockSpec, MoveLimit};

/// The clocks of a game, as far as there are any.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    /// First side first; `None` where a limit a move holds.
    specs: [Option<ClockSpec>; 2],
    left: [Duration; 2],
    /// Moves that each side has made.
    made: [u32; 2],
}

impl Clock {
    /// The clocks before the first move.
    pub(super) fn new(limits: [MoveLimit; 2]) -> Clock {
        let specs = limits.map(|limit| match limit {
            MoveLimit::Clock(clock) => Some(clock),
            _ => None,
        });
        let base = |spec: Option<ClockSpec>| spec.map_or(0, |clock| clock.base_ms);
        Clock {
            specs,
            left: specs.map(|spec| Duration::from_millis(base(spec))),
            made: [0; 2],
        }
    }

    /// What is left to each side, first side first; zero where no clock runs.
    pub(super) fn left(&self) -> [Duration; 2] {
        self.left
    }

    /// Whether a clock runs for this side.
    pub(super) fn runs(&self, side: Side) -> bool {
        self.specs[side.index()].is_some()
    }

    /// What each side gets after a move.
    pub(super) fn increment(&self) -> [Duration; 2] {
        let of = |spec: Option<ClockSpec>| spec.map_or(0, |clock| clock.increment_ms);
        self.specs.map(|spec| Duration::from_millis(of(spec)))
    }

    /// Moves of the side until time is added to its clock; `None` if it never is.
    pub(super) fn moves_to_go(&self, side: Side) -> Option<u32> {
        let made = self.made[side.index()];
        let session = self.specs[side.index()]?.moves?;
        Some(session - made % session)
    }

    /// The side has moved in this time. What it took beyond its clock is gone, but is no debt.
    pub(super) fn moved(&mut self, side: Side, spent: Duration) {
        let index = side.index();
        self.made[index] += 1;
        let Some(spec) = self.specs[index] else {
            return;
        };
        let mut left = self.left[index].saturating_sub(spent);
        left += Duration::from_millis(spec.increment_ms);
        if spec
            .moves
            .is_some_and(|moves| self.made[index].is_multiple_of(moves))
        {
            left += Duration::from_millis(spec.base_ms);
        }
        self.left[index] = left;
    }

    /// What the side may spend now; `None` where no time limit holds.
    pub(super) fn allowed(&self, side: Side, limit: MoveLimit) -> Option<Duration> {
        match limit {
            MoveLimit::TimeMs(ms) => Some(Duration::from_millis(ms)),
            MoveLimit::Clock(_) => Some(self.left[side.index()]),
            MoveLimit::Nodes(_) | MoveLimit::Depth(_) => None,
        }
    }
}
