//! The archived program at work: it is asked for its signature as anybody could ask it.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use thiserror::Error;

use super::Settings;
use crate::search::Signature;

/// Why a program gives no signature.
#[derive(Debug, Error)]
pub enum ProgramError {
    /// It does not start.
    #[error("does not start")]
    Spawn(#[source] io::Error),
    /// It ended with an error.
    #[error("ended with {status}: {said}")]
    Failed {
        /// How.
        status: String,
        /// What it said.
        said: String,
    },
    /// It said something else.
    #[error("does not write what `bench --json` does: {0}")]
    Output(String),
}

/// The signature of a program's engine with these parameters: `bench GAME --json --depth DEPTH`,
/// and `--rules=RULES` where they are not the default ones.
///
/// # Errors
/// [`ProgramError`].
pub fn signature_of(
    program: &Path,
    game: &str,
    rules: Option<&str>,
    settings: &Settings,
    depth: u32,
) -> Result<Signature, ProgramError> {
    let sets = settings
        .iter()
        .flat_map(|(name, value)| ["--set".to_owned(), format!("{name}={value}")]);
    let output = Command::new(program)
        .args(["bench", game, "--json", "--depth", &depth.to_string()])
        .args(rules.map(|rules| format!("--rules={rules}")))
        .args(sets)
        .stdin(Stdio::null())
        .output()
        .map_err(ProgramError::Spawn)?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(ProgramError::Failed {
            status: output.status.to_string(),
            said: said.trim().chars().take(1000).collect(),
        });
    }
    serde_json::from_slice(&output.stdout).map_err(|error| ProgramError::Output(error.to_string()))
}
