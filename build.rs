//! Tells the program which commit its sources are of.

use std::path::Path;
use std::process::Command;

/// What the program is made of. Commits that touch nothing of it leave the program as it is, byte
/// for byte, so that unfinished runs go on with it.
const SOURCES: [&str; 5] = ["src", "Cargo.toml", "Cargo.lock", "build.rs", ".cargo"];

fn main() {
    // The log of HEAD grows with every commit; a change of the sources builds again anyway.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"]);
    let watched = SOURCES.into_iter().chain(log.as_deref());
    for path in watched.filter(|path| Path::new(path).exists()) {
        println!("cargo::rerun-if-changed={path}");
    }
    let commit = commit().unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=AGON_COMMIT={commit}");
}

/// The last commit that touched the sources, with `+` where they are not as it left them.
fn commit() -> Option<String> {
    let of_sources = |words: &[&str]| git(&[words, &["--"], &SOURCES].concat());
    let commit = of_sources(&["log", "-1", "--format=%H"])?;
    let changes = of_sources(&["--no-optional-locks", "status", "--porcelain"])?;
    let mark = if changes.is_empty() { "" } else { "+" };
    (!commit.is_empty()).then(|| commit + mark)
}

/// What git says; `None` where there is no git or no repository.
fn git(words: &[&str]) -> Option<String> {
    let output = Command::new("git").args(words).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
