//! Takes events to reporters on a thread of its own, so that a reader that does not read cannot
//! hold up a run.

use std::thread;
use std::time::Duration;

use crossbeam::channel::{Receiver, Sender, bounded, unbounded};

use super::Reporter;
use crate::results::RunEvent;

/// How many events may wait for a reader. What comes while so many wait is not shown.
const WAITING: usize = 10_000;

/// How long the last events may take to be shown.
const PATIENCE: Duration = Duration::from_secs(5);

/// Hands events on, and never waits.
pub struct Relay {
    events: Option<Sender<RunEvent>>,
    /// Closed when all events have been shown.
    shown: Receiver<()>,
}

impl Relay {
    /// Starts a thread that shows events to these reporters.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(mut reporters: Vec<Box<dyn Reporter + Send>>) -> std::io::Result<Relay> {
        // A bounded channel would take the space for all of them at once.
        let (events, inbox) = unbounded::<RunEvent>();
        let (done, shown) = bounded(0);
        thread::Builder::new()
            .name("reports".to_owned())
            .spawn(move || {
                for event in inbox {
                    for reporter in &mut reporters {
                        reporter.event(&event);
                    }
                }
                drop(done);
            })?;
        Ok(Relay {
            events: Some(events),
            shown,
        })
    }
}

impl Reporter for Relay {
    fn event(&mut self, event: &RunEvent) {
        // So many wait: the reader does not read.
        let open = self.events.as_ref().filter(|events| events.len() < WAITING);
        if let Some(events) = open {
            // Without a receiver a reporter has panicked, and said so.
            drop(events.send(event.clone()));
        }
    }
}

/// Waits until everything is shown, but not for a reader that does not read.
impl Drop for Relay {
    fn drop(&mut self) {
        self.events = None;
        let _ = self.shown.recv_timeout(PATIENCE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Shows(Sender<u64>);

    impl Reporter for Shows {
        fn event(&mut self, event: &RunEvent) {
            if let RunEvent::Ended { games_done, .. } = event {
                let _ = self.0.send(*games_done);
            }
        }
    }

    fn event(games_done: u64) -> RunEvent {
        RunEvent::Ended {
            games_done,
            finished: true,
            error: None,
        }
    }

    #[test]
    fn everything_is_shown_in_order_before_the_relay_is_gone() {
        let (sender, shown) = crossbeam::channel::unbounded();
        let mut relay = Relay::start(vec![Box::new(Shows(sender))]).expect("a thread");
        (0..100).for_each(|number| relay.event(&event(number)));
        drop(relay);
        assert_eq!(
            shown.try_iter().collect::<Vec<_>>(),
            (0..100).collect::<Vec<_>>()
        );
    }

    #[test]
    fn a_reader_that_does_not_read_holds_nobody_up() {
        // A rendezvous that never comes.
        let (sender, _unread) = bounded(0);
        let mut relay = Relay::start(vec![Box::new(Shows(sender))]).expect("a thread");
        let all = 3 * WAITING as u64;
        (0..all).for_each(|number| relay.event(&event(number)));
        let waiting = relay.events.as_ref().map(Sender::len);
        assert_eq!(waiting, Some(WAITING));
        relay.events = None;
        assert!(relay.shown.recv_timeout(Duration::from_millis(50)).is_err());
        // Dropping it would wait for the patience that a user has.
        std::mem::forget(relay);
    }
}
