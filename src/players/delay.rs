//! How long threads were ready to run and had to wait for a processor, as Linux tells in
//! `/proc/…/schedstat`; elsewhere nothing is known.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::Duration;

/// Threads whose waiting is looked at again and again.
#[derive(Debug, Default)]
pub struct DelayMeter {
    /// Each thread's file, and the nanoseconds that it had waited when last looked at.
    threads: Vec<(File, u64)>,
}

impl DelayMeter {
    /// The calling thread.
    #[must_use]
    pub fn of_this_thread() -> DelayMeter {
        let file = File::open("/proc/thread-self/schedstat").ok();
        DelayMeter::of(file.into_iter())
    }

    /// All threads that a process has now.
    #[must_use]
    pub fn of_process(id: u32) -> DelayMeter {
        let threads = fs::read_dir(Path::new("/proc").join(id.to_string()).join("task"));
        let open = |thread: fs::DirEntry| File::open(thread.path().join("schedstat")).ok();
        let files = threads.into_iter().flatten().filter_map(Result::ok);
        DelayMeter::of(files.filter_map(open))
    }

    fn of(files: impl Iterator<Item = File>) -> DelayMeter {
        DelayMeter {
            threads: files
                .filter_map(|file| waited(&file).map(|waited| (file, waited)))
                .collect(),
        }
    }

    /// The longest that one of the threads has waited since the last look.
    pub fn look(&mut self) -> Duration {
        let mut longest = 0;
        for (file, before) in &mut self.threads {
            // A thread that has ended waits no more.
            let now = waited(file).unwrap_or(*before);
            longest = longest.max(now.saturating_sub(*before));
            *before = now;
        }
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
        let mut others = DelayMeter::of_process(std::process::id());
        assert!(!others.threads.is_empty());
        assert!(others.look() < Duration::from_secs(1));
    }
}
