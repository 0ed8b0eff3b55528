//! Processes that an engine started and left behind, outside of its group.
//!
//! They carry the engine's mark in their environment, which children inherit. Where the
//! system has no `/proc`, or a child has cleared its environment, they are not found.

use std::fs;

use rustix::process::{Pid, Signal, kill_process};

use super::process::MARK;

/// Kills what carries this mark: the numbers of the processes.
pub(super) fn kill(mark: &str) -> Vec<i32> {
    let wanted = format!("{MARK}={mark}");
    let Ok(processes) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    let mut killed = Vec::new();
    for process in processes.filter_map(Result::ok) {
        let number = process
            .file_name()
            .to_str()
            .and_then(|name| name.parse().ok());
        let Some(pid) = number.and_then(Pid::from_raw) else {
            continue;
        };
        // Another user's environment cannot be read, and is not ours to kill.
        let Ok(environment) = fs::read(process.path().join("environ")) else {
            continue;
        };
        let marked = environment
            .split(|byte| *byte == 0)
            .any(|variable| variable == wanted.as_bytes());
        if marked && kill_process(pid, Signal::KILL).is_ok() {
            killed.push(pid.as_raw_nonzero().get());
        }
    }
    killed
}
