//! Executors: what runs jobs. They know neither the schedule nor a verdict.
//!
//! One [`Director`] decides what is played next and owns all state of a run; it is called
//! from one thread only. Workers talk to that thread over channels.

mod cores;
mod inline;
mod local;

use thiserror::Error;

pub use cores::{Cores, cores, memory_mb};
pub use inline::InlineExecutor;
pub use local::LocalExecutor;

use crate::results::{GameRecord, Job};

/// What a director wants done next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Play this game.
    Job(Job),
    /// Nothing now; ask again after the next event.
    Wait,
    /// Nothing any more.
    Done,
}

/// How an executor goes on after an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// As before.
    Continue,
    /// Finish the games in play and start none.
    Drain,
    /// Give up the games in play.
    Abort,
}

/// What has happened.
#[derive(Debug)]
pub enum GameEvent {
    /// A game has ended.
    Finished(Box<GameRecord>),
    /// A built-in engine panicked: a fault of the program, not a result.
    Panicked {
        /// The game.
        job: Job,
        /// The panic's message.
        message: String,
    },
    /// The user asked to stop.
    Interrupt,
    /// Time has passed.
    Tick,
}

/// The one object that decides what is played and takes what comes back.
pub trait Director {
    /// The next thing to do.
    fn next(&mut self) -> Next;
    /// Takes an event.
    fn event(&mut self, event: GameEvent) -> Flow;
}

/// What stops an executor.
#[derive(Debug, Error)]
pub enum ExecutorError {
    /// The system gave no thread.
    #[error("cannot start worker {number}")]
    NoThread {
        /// The worker.
        number: usize,
        /// The system's word.
        source: std::io::Error,
    },
}

/// Runs jobs until the director is done.
pub trait Executor {
    /// Runs to the end.
    ///
    /// # Errors
    /// [`ExecutorError`] when it cannot run at all.
    fn run(&mut self, director: &mut dyn Director) -> Result<(), ExecutorError>;
}
