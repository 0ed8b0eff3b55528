//! How long threads were ready to run and had to wait for a processor, as Linux tells in
//! `/proc/…/schedstat`; elsewhere nothing is known.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::Duration;

/// Threads whose waiting is looked at again and again.
#[derive(Debug, Default)]
pub struct DelayMeter {
    /// The process of which these are the threads, if they are all of one.
    process: Option<u32>,
    /// Each thread's number and file, and the nanoseconds that it had waited when last looked
    /// at.
    threads: Vec<(u32, File, u64)>,
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

    fn add(&mut self, number: u32, file: File) {
        if let Some(waited) = waited(&file) {
            self.threads.push((number, file, waited));
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
            if self.threads.iter().any(|(known, ..)| *known == number) {
                continue;
            }
            let file = File::open(thread.path().join("schedstat"));
            file.into_iter().for_each(|file| self.add(number, file));
        }
    }

    /// As [`DelayMeter::look`], with the threads that the process has begun since: all that
    /// they have waited counts.
    pub fn look_at_all(&mut self) -> Duration {
        let known = self.threads.len();
        self.add_new_threads();
        for (_, _, before) in &mut self.threads[known..] {
            *before = 0;
        }
        self.look()
    }

    /// The longest that one of the threads has waited since the last look.
    pub fn look(&mut self) -> Duration {
        let mut longest = 0;
        // A thread that has ended waits no more.
        self.threads.retain_mut(|(_, file, before)| {
            let now = waited(file);
            if let Some(now) = now {
                longest = longest.max(now.saturating_sub(*before));
                *before = now;
            }
            now.is_some()
        });
        Duration::from_nanos(longest)
    }
}

/// The second number: nanoseconds spent in a run queue.
fn waited(file: &File) -> Option<u64> {
    let mut bytes = [0; 96];
    let count = file.read_at(&mut bytes, 0).ok()?;
    let text = std::str::from_utf8(&bytes[..count]).ok()?;
    text.split_whitespace().nth(1)?.parse().ok()
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
            let until = std::time::Instant::now() + Duration::from_millis(300);
            while std::time::Instant::now() < until {
                std::hint::spin_loop();
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..2 * cores {
                scope.spawn(spin);
            }
            spin();
        });
        assert!(meter.look() > Duration::from_millis(1));
        let mut late = DelayMeter {
            process: Some(std::process::id()),
            threads: Vec::new(),
        };
        assert_eq!(late.look(), Duration::ZERO);
        // This thread is new to it, and has waited.
        assert!(late.look_at_all() > Duration::from_millis(1));
        let mut others = DelayMeter::of_process(std::process::id());
        assert!(!others.threads.is_empty());
        assert!(others.look() < Duration::from_secs(1));
    }
}
