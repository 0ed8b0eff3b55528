//! Processes that an engine started and left behind, outside of its group.
//!
//! They carry the engine's mark in their environment, which children inherit. One that has
//! cleared its environment is known by another sign: when whoever started it ends, agon becomes
//! its parent, and it is none of agon's engines, all of which are marked. Where the system has
//! no `/proc`, none is found.

use std::fs;
use std::path::Path;

use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

/// The variable that marks an engine and all that it starts.
pub(super) const MARK: &str = "AGON_ENGINE";

/// From now on this process becomes the parent of whatever its engines leave behind, and ends
/// it. Only for a program that starts nothing but engines.
pub fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    {
        // Where the system refuses, what has cleared its environment is not found.
        let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    }
}

/// Kills what carries this mark, and the children of agon that carry none: the numbers of the
/// processes.
pub(super) fn kill(mark: &str) -> Vec<i32> {
    let wanted = format!("{MARK}={mark}");
    let Ok(processes) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    let adopting = is_adopting();
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
        let variables = || environment.split(|byte| *byte == 0);
        let marked = variables().any(|variable| variable == wanted.as_bytes());
        let orphan = || {
            if !adopting {
                return false;
            }
            let is_mark = |variable: &[u8]| {
                let name = variable.strip_prefix(MARK.as_bytes());
                name.is_some_and(|rest| rest.starts_with(b"="))
            };
            !variables().any(is_mark) && is_adopted(&process.path(), pid)
        };
        if (marked || orphan()) && kill_process(pid, Signal::KILL).is_ok() {
            killed.push(pid.as_raw_nonzero().get());
            // Only a child of ours can be waited for, and only then it is one.
            let _ = waitpid(Some(pid), WaitOptions::NOHANG);
        }
    }
    killed
}

#[cfg(target_os = "linux")]
fn is_adopting() -> bool {
    rustix::process::child_subreaper().is_ok_and(|reaper| reaper.is_some())
}

#[cfg(not(target_os = "linux"))]
fn is_adopting() -> bool {
    false
}

/// Whether agon is the parent of a process that it has not started: one that is being started
/// is a copy of agon itself until its program takes its place.
fn is_adopted(folder: &Path, pid: Pid) -> bool {
    let Ok(stat) = fs::read_to_string(folder.join("stat")) else {
        return false;
    };
    // The name, in parentheses, may hold anything. Behind it are the state and the parent.
    let fields = stat
        .rsplit_once(')')
        .map(|(_, rest)| rest.split_whitespace());
    let Some([state, parent]) =
        fields.and_then(|mut fields| Some([fields.next()?, fields.next()?]))
    else {
        return false;
    };
    let program = |folder: &Path| fs::read_link(folder.join("exe")).ok();
    let own = rustix::process::getpid();
    let is_child = parent.parse() == Ok(own.as_raw_nonzero().get());
    is_child && state != "Z" && pid != own && program(folder) != program(Path::new("/proc/self"))
}
