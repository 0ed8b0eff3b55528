//! How many games this process may play at once.

use std::collections::HashSet;
use std::num::NonZero;
use std::thread;

/// The processors that this process may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cores {
    /// Threads that can run at once, affinity and quota respected.
    pub usable: usize,
    /// Distinct physical cores among the processors of the affinity mask, where the system
    /// tells.
    pub physical: Option<usize>,
}

/// Asks the system.
#[must_use]
pub fn cores() -> Cores {
    let usable = thread::available_parallelism().map_or(1, NonZero::get);
    Cores {
        usable,
        physical: physical(),
    }
}

/// Linux: the allowed processors, grouped by who shares a core with whom.
fn physical() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let allowed = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    let mut siblings = HashSet::new();
    for cpu in cpu_list(allowed.trim())? {
        let path = format!("/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list");
        siblings.insert(std::fs::read_to_string(path).ok()?);
    }
    (!siblings.is_empty()).then_some(siblings.len())
}

/// `0-2,5` as 0, 1, 2, 5.
fn cpu_list(text: &str) -> Option<Vec<usize>> {
    let mut cpus = Vec::new();
    for part in text.split(',') {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        cpus.extend(from.parse::<usize>().ok()?..=to.parse::<usize>().ok()?);
    }
    Some(cpus)
}

/// The machine's memory in megabytes (2^20 bytes), where the system tells.
#[must_use]
pub fn memory_mb() -> Option<u64> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find(|line| line.starts_with("MemTotal:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024)
}

#[cfg(test)]
mod tests {
    use super::cpu_list;

    #[test]
    fn lists_of_processors_read() {
        assert_eq!(cpu_list("0-2,5"), Some(vec![0, 1, 2, 5]));
        assert_eq!(cpu_list("7"), Some(vec![7]));
        assert_eq!(cpu_list("all"), None);
    }
}
