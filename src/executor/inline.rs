//! Plays every game on the calling thread, one after the other.

use super::{Director, Executor, ExecutorError, Flow, GameEvent, Next};
use crate::play::Worker;
use crate::search::StopFlag;

/// One game at a time, here.
pub struct InlineExecutor<'a> {
    worker: Box<dyn Worker + 'a>,
}

impl<'a> InlineExecutor<'a> {
    /// An executor with this worker.
    #[must_use]
    pub fn new(worker: Box<dyn Worker + 'a>) -> InlineExecutor<'a> {
        InlineExecutor { worker }
    }
}

impl Executor for InlineExecutor<'_> {
    fn run(&mut self, director: &mut dyn Director) -> Result<(), ExecutorError> {
        let stop = StopFlag::new();
        // With no game in play a `Wait` can never end.
        while let Next::Job(job) = director.next() {
            let Ok(record) = self.worker.play(&job, &stop) else {
                break;
            };
            if director.event(GameEvent::Finished(Box::new(record))) != Flow::Continue {
                break;
            }
        }
        Ok(())
    }
}
