//! How long threads were ready to run and had to wait for a processor, as Linux tells in
//! `/proc/…/schedstat`; elsewhere nothing is known.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::{Duration, Instant};

/// Threads whose waiting is looked at again and again.
#[derive(Debug, Default)]
pub struct DelayMeter {
    /// The process of which these are the threads, if they are all of one.
    process: Option<u32>,
    threads: Vec<Thread>,
}

/// One thread, as it was when last looked at.
#[derive(Debug)]
struct Thread {
    /// 0 for the thread that looks at itself.
    number: u32,
    schedstat: File,
    spent: Spent,
    /// What it was estimated to have waited since.
    estimate: Duration,
    /// The last estimate, if it would have run then: when, and how it had spent its life.
    ready: Option<(Instant, Spent)>,
    /// How long it has waited without running at all, as far as estimates have seen it.
    streak: Duration,
}

/// How a thread has spent its life, apart from sleep.
#[derive(Clone, Copy, Debug, Default)]
struct Spent {
    running: Duration,
    /// In a run queue. The system adds to it when the thread gets its processor, not before.
    waiting: Duration,
}

impl DelayMeter {
    /// The calling thread.
    #[must_use]
    pub fn of_this_thread() -> DelayMeter {
        let mut meter = DelayMeter::default();
        let file = File::open("/proc/thread-self/schedstat");
        file.into_iter().for_each(|file| meter.add(0, file));
        meter
    }

    /// All threads of a process.
    #[must_use]
    pub fn of_process(id: u32) -> DelayMeter {
        let mut meter = DelayMeter {
            process: Some(id),
            threads: Vec::new(),
        };
        meter.add_new_threads();
        meter
    }

    fn add(&mut self, number: u32, schedstat: File) {
        if let Some(spent) = spent(&schedstat) {
            self.threads.push(Thread {
                number,
                schedstat,
                spent,
                estimate: Duration::ZERO,
                ready: None,
                streak: Duration::ZERO,
            });
        }
    }

    /// Some engines begin a thread for every move.
    fn add_new_threads(&mut self) {
        let Some(id) = self.process else {
            return;
        };
        let threads = fs::read_dir(Path::new("/proc").join(id.to_string()).join("task"));
        for thread in threads.into_iter().flatten().filter_map(Result::ok) {
            let number = thread
                .file_name()
                .to_str()
                .and_then(|name| name.parse().ok());
            let Some(number) = number else { continue };
            if self.threads.iter().any(|known| known.number == number) {
                continue;
            }
            let file = File::open(thread.path().join("schedstat"));
            file.into_iter().for_each(|file| self.add(number, file));
        }
    }

    /// How long the threads have waited since the last look, as far as the system has told it:
    /// all of it for those that have run meanwhile; or the last [`DelayMeter::estimate`], if that
    /// is more: the system does not tell of threads that have ended, nor of waits for a disk.
    pub fn look(&mut self) -> Duration {
        let mut sum = InTurn::of(self.process);
        self.threads.retain_mut(|thread| {
            let now = spent(&thread.schedstat);
            let told = now.map_or(Duration::ZERO, |now| {
                now.waiting.saturating_sub(thread.spent.waiting)
            });
            sum.add(thread.number, told.max(thread.estimate));
            if let Some(now) = now {
                thread.spent = now;
                thread.estimate = Duration::ZERO;
                thread.ready = None;
                thread.streak = Duration::ZERO;
            }
            now.is_some()
        });
        sum.total()
    }

    /// What [`DelayMeter::look`] may come to once all threads have run. What a thread that waits
    /// at this moment has waited is not told yet; but if it would have run at the last estimate
    /// too, it has waited for as long in between as it did not run. Threads that the process has
    /// begun meanwhile are looked at too, from now on. This is no look.
    pub fn estimate(&mut self) -> Duration {
        let known = self.threads.len();
        self.add_new_threads();
        for thread in &mut self.threads[known..] {
            thread.spent = Spent::default();
        }
        let mut sum = InTurn::of(self.process);
        for thread in &mut self.threads {
            if let Some(now) = spent(&thread.schedstat) {
                let would_run = self.process.is_some_and(|id| would_run(id, thread.number));
                thread.estimate(now, would_run, Instant::now());
            }
            sum.add(thread.number, thread.estimate);
        }
        sum.total()
    }
}

impl Thread {
    fn estimate(&mut self, now: Spent, would_run: bool, at: Instant) {
        self.streak = match self.ready.filter(|_| would_run) {
            Some((before, then)) => {
                let ran = now.running.saturating_sub(then.running);
                let told = now.waiting.saturating_sub(then.waiting);
                let untold = (at - before).saturating_sub(ran + told);
                // What it waited before it ran is told.
                let earlier = if ran.is_zero() {
                    self.streak
                } else {
                    Duration::ZERO
                };
                earlier + untold
            }
            None => Duration::ZERO,
        };
        self.ready = would_run.then_some((at, now));
        self.estimate = now.waiting.saturating_sub(self.spent.waiting) + self.streak;
    }
}

/// Waits that come one after the other: that of the first thread of a process, which reads what
/// it is sent, and the longest of those that work for it.
#[derive(Debug, Default)]
struct InTurn {
    first: Option<u32>,
    of_first: Duration,
    longest_other: Duration,
}

impl InTurn {
    fn of(process: Option<u32>) -> InTurn {
        InTurn {
            first: process,
            ..InTurn::default()
        }
    }

    fn add(&mut self, thread: u32, waited: Duration) {
        if self.first == Some(thread) {
            self.of_first = waited;
        } else {
            self.longest_other = self.longest_other.max(waited);
        }
    }

    fn total(&self) -> Duration {
        self.of_first + self.longest_other
    }
}

/// Whether a thread of a process runs, or waits for a processor or for a page of its memory from
/// the disk.
fn would_run(process: u32, thread: u32) -> bool {
    fs::read_to_string(format!("/proc/{process}/task/{thread}/stat")).is_ok_and(|stat| {
        // The name, in parentheses, may hold anything.
        let state = stat.rsplit_once(')').map(|(_, rest)| rest.trim_start());
        state.is_some_and(|state| state.starts_with(['R', 'D']))
    })
}

/// The first two numbers, both in nanoseconds.
fn spent(schedstat: &File) -> Option<Spent> {
    let mut bytes = [0; 96];
    let count = schedstat.read_at(&mut bytes, 0).ok()?;
    let text = std::str::from_utf8(&bytes[..count]).ok()?;
    let mut numbers = text.split_whitespace().map(str::parse);
    let mut next = || numbers.next()?.ok().map(Duration::from_nanos);
    Some(Spent {
        running: next()?,
        waiting: next()?,
    })
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    #[test]
    fn waiting_grows_while_more_threads_run_than_there_are_processors() {
        let mut meter = DelayMeter::of_this_thread();
        assert_eq!(meter.threads.len(), 1);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let spin = || {
            let until = Instant::now() + Duration::from_millis(300);
            while Instant::now() < until {
                std::hint::spin_loop();
            }
        };
        let began = Instant::now();
        // Other tests' threads are known to it; those below are new.
        let mut late = DelayMeter::of_process(std::process::id());
        let mut estimate = Duration::ZERO;
        std::thread::scope(|scope| {
            for _ in 0..2 * cores {
                scope.spawn(spin);
            }
            spin();
            // Threads that are new to it have waited, or wait still.
            late.estimate();
            std::thread::sleep(Duration::from_millis(1));
            estimate = late.estimate();
        });
        assert!(meter.look() > Duration::from_millis(1));
        assert!(estimate > Duration::from_millis(1), "{estimate:?}");
        // The wait of the process's first thread, which runs the tests, and the longest one beside it.
        assert!(estimate <= 2 * began.elapsed());
        let mut others = DelayMeter::of_process(std::process::id());
        assert!(!others.threads.is_empty());
        assert!(others.look() < Duration::from_secs(1));
    }

    #[test]
    fn a_sleeper_waits_for_no_processor() {
        let mut child = std::process::Command::new("sleep")
            .arg("60")
            .spawn()
            .expect("sleep");
        std::thread::sleep(Duration::from_millis(120));
        let mut meter = DelayMeter::of_process(child.id());
        let waited = meter.estimate();
        assert!(waited < Duration::from_millis(120), "{waited:?}");
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(meter.estimate(), waited);
        child.kill().expect("it runs");
        child.wait().expect("it ends");
        // One whose threads are gone waits no more.
        // What was known of one whose threads are gone is told once.
        assert_eq!(meter.look(), waited);
        assert_eq!(meter.look(), Duration::ZERO);
        assert!(meter.threads.is_empty());
        assert_eq!(meter.estimate(), Duration::ZERO);
    }

    #[test]
    fn sleep_is_no_waiting_and_waiting_is_counted_once() {
        let ms = Duration::from_millis;
        let spent = |running, waiting| Spent {
            running: ms(running),
            waiting: ms(waiting),
        };
        let began = Instant::now();
        let schedstat = || File::open("/proc/thread-self/schedstat").expect("Linux");
        let thread = || Thread {
            number: 1,
            schedstat: schedstat(),
            spent: spent(10, 5),
            estimate: Duration::ZERO,
            ready: None,
            streak: Duration::ZERO,
        };
        // It slept for half a second, and computes since.
        let mut sleeper = thread();
        sleeper.estimate(spent(11, 5), false, began + ms(500));
        sleeper.estimate(spent(20, 5), true, began + ms(520));
        assert_eq!(sleeper.estimate, Duration::ZERO);
        sleeper.estimate(spent(40, 5), true, began + ms(540));
        assert_eq!(sleeper.estimate, Duration::ZERO);
        // It waits, and is told of it only when it has run.
        let mut waiter = thread();
        waiter.estimate(spent(10, 5), true, began + ms(30));
        waiter.estimate(spent(10, 5), true, began + ms(50));
        waiter.estimate(spent(10, 5), true, began + ms(70));
        assert_eq!(waiter.estimate, ms(40));
        waiter.estimate(spent(12, 70), true, began + ms(90));
        assert_eq!(waiter.estimate, ms(65));
    }
}
