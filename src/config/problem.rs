//! What is wrong with a config, with its place.

use std::fmt;
use std::path::PathBuf;

use thiserror::Error;

/// Why a config gives no plan.
#[derive(Debug, Error)]
pub enum ConfigErrors {
    /// The file cannot be read.
    #[error("cannot read the config `{}`", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's word.
        source: std::io::Error,
    },
    /// What is wrong in it.
    #[error("{}", join(.0))]
    Problems(Vec<Problem>),
}

fn join(problems: &[Problem]) -> String {
    problems
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join("\n")
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where it stands in the text, in bytes from its start.
    pub at: usize,
    /// `file:line:column`, `--set path=value`, or the file alone.
    pub place: String,
    /// What was found and what was expected.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
}

impl Problem {
    /// A problem of the file as a whole.
    #[must_use]
    pub fn in_file(name: &str, message: String) -> Problem {
        Problem {
            at: 0,
            place: name.to_owned(),
            message,
            hint: None,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\n  hint: {hint}"),
            None => Ok(()),
        }
    }
}
