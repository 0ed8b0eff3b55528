//! Where the time goes: a flame graph of a piece of work.

use std::fs::File;
use std::io;
use std::path::Path;

use thiserror::Error;

/// Samples a second: a prime, so that it does not beat with periodic work.
const FREQUENCY: i32 = 997;

/// Why there is no flame graph.
#[derive(Debug, Error)]
pub enum ProfileError {
    /// The sampling clock cannot be used.
    #[error("cannot sample this process")]
    Sampling(#[from] pprof::Error),
    /// The file cannot be written.
    #[error("cannot write the flame graph")]
    Write(#[from] io::Error),
}

/// Does `work` and writes a flame graph of the CPU time it took to `path`, as SVG.
///
/// # Errors
/// [`ProfileError`]; the file is created before the work begins, so that a path that cannot
/// be written costs no time.
pub fn profiled<T>(path: &Path, work: impl FnOnce() -> T) -> Result<T, ProfileError> {
    let file = File::create(path)?;
    let guard = pprof::ProfilerGuardBuilder::default()
        .frequency(FREQUENCY)
        .blocklist(&["libc", "libgcc", "pthread", "vdso"])
        .build()?;
    let result = work();
    guard.report().build()?.flamegraph(file)?;
    Ok(result)
}
