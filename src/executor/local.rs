//! Plays games on threads of this process, one game a thread.
//!
//! Workers take jobs from one short queue, so that none of them waits for the director
//! between two games and none holds a job that another could play.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::Duration;

use crossbeam::channel::{Receiver, Sender, bounded, never, select, tick, unbounded};

use super::{Director, Executor, ExecutorError, Flow, GameEvent, Next};
use crate::play::{Arena, Worker};
use crate::results::{GameRecord, Job, RunSpec};
use crate::search::StopFlag;

/// Games in parallel on this machine.
pub struct LocalExecutor<'a> {
    arena: &'a dyn Arena,
    run: &'a RunSpec,
    workers: usize,
    interrupts: Receiver<()>,
    stop: &'a StopFlag,
}

/// What a worker reports.
enum Report {
    Finished(Box<GameRecord>),
    Interrupted,
    Panicked { job: Job, message: String },
}

impl<'a> LocalExecutor<'a> {
    /// How often the director hears a [`GameEvent::Tick`].
    const TICK: Duration = Duration::from_millis(250);

    /// An executor with `workers` threads. A message on `interrupts` is a
    /// [`GameEvent::Interrupt`]; `stop` is set when games in play are to be given up.
    #[must_use]
    pub fn new(
        arena: &'a dyn Arena,
        run: &'a RunSpec,
        workers: usize,
        interrupts: Receiver<()>,
        stop: &'a StopFlag,
    ) -> LocalExecutor<'a> {
        LocalExecutor {
            arena,
            run,
            workers,
            interrupts,
            stop,
        }
    }
}

impl Executor for LocalExecutor<'_> {
    fn run(&mut self, director: &mut dyn Director) -> Result<(), ExecutorError> {
        let (jobs, queue) = bounded(self.workers);
        let (reports, inbox) = unbounded();
        thread::scope(|scope| {
            for number in 0..self.workers {
                let (queue, reports) = (queue.clone(), reports.clone());
                let (arena, run, stop) = (self.arena, self.run, self.stop);
                thread::Builder::new()
                    .name(format!("worker-{number}"))
                    .spawn_scoped(scope, move || {
                        work(|| arena.worker(run, number), &queue, &reports, stop);
                    })
                    .map_err(|source| ExecutorError::NoThread { number, source })?;
            }
            let mut desk = Desk {
                jobs,
                queue,
                in_play: 0,
                flow: Flow::Continue,
            };
            desk.direct(director, &inbox, &self.interrupts, self.stop);
            Ok(())
        })
    }
}

/// The directing thread's side of the channels.
struct Desk {
    jobs: Sender<Job>,
    queue: Receiver<Job>,
    /// Jobs sent and not yet reported.
    in_play: usize,
    flow: Flow,
}

impl Desk {
    fn direct(
        &mut self,
        director: &mut dyn Director,
        inbox: &Receiver<Report>,
        interrupts: &Receiver<()>,
        stop: &StopFlag,
    ) {
        let ticks = tick(LocalExecutor::TICK);
        let mut interrupts = interrupts.clone();
        let mut done = false;
        loop {
            while !done && self.flow == Flow::Continue && !self.jobs.is_full() {
                match director.next() {
                    Next::Job(job) => {
                        self.in_play += 1;
                        self.jobs
                            .send(job)
                            .expect("the desk holds a receiver of its own");
                    }
                    Next::Wait => break,
                    Next::Done => done = true,
                }
            }
            if self.in_play == 0 && (done || self.flow != Flow::Continue) {
                return;
            }
            let event = select! {
                recv(inbox) -> report => {
                    self.in_play -= 1;
                    match report.expect("workers live until the desk drops their queue") {
                        Report::Finished(record) => GameEvent::Finished(record),
                        Report::Panicked { job, message } => GameEvent::Panicked { job, message },
                        Report::Interrupted => continue,
                    }
                }
                recv(interrupts) -> message => {
                    if message.is_err() {
                        // Nobody is left who could interrupt.
                        interrupts = never();
                        continue;
                    }
                    GameEvent::Interrupt
                }
                recv(ticks) -> _ => GameEvent::Tick,
            };
            self.follow(director.event(event), stop);
        }
    }

    fn follow(&mut self, flow: Flow, stop: &StopFlag) {
        if flow == Flow::Continue || self.flow == Flow::Abort {
            return;
        }
        self.flow = flow;
        // Jobs that no worker has taken are taken back.
        while self.queue.try_recv().is_ok() {
            self.in_play -= 1;
        }
        if flow == Flow::Abort {
            stop.stop();
        }
    }
}

/// A worker's life: its engines are built on its own thread.
fn work<'a>(
    build: impl Fn() -> Box<dyn Worker + 'a>,
    queue: &Receiver<Job>,
    reports: &Sender<Report>,
    stop: &StopFlag,
) {
    let mut worker = None;
    while let Ok(job) = queue.recv() {
        let played = catch_unwind(AssertUnwindSafe(|| {
            worker.get_or_insert_with(&build).play(&job, stop)
        }));
        let report = match played {
            Ok(Ok(record)) => Report::Finished(Box::new(record)),
            Ok(Err(_)) => Report::Interrupted,
            Err(panic) => {
                worker = None;
                Report::Panicked {
                    job,
                    message: panic_message(panic.as_ref()),
                }
            }
        };
        if reports.send(report).is_err() {
            return;
        }
    }
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned())
}
