//! Why an engine cannot be used at all.

use thiserror::Error;

use crate::players::protocol::OptionError;

/// Why an engine cannot be used.
#[derive(Debug, Error)]
pub enum StartError {
    /// The system does not start it.
    #[error("cannot start `{launch}`")]
    Spawn {
        /// The command line.
        launch: String,
        /// The system's word.
        source: std::io::Error,
    },
    /// It did not greet.
    #[error("`{launch}` did not answer `{greeting}`: {why}{}", quoted(.stderr))]
    NoGreeting {
        /// The command line.
        launch: String,
        /// What it was sent.
        greeting: String,
        /// Late, or gone.
        why: String,
        /// The last that it said on stderr.
        stderr: String,
    },
    /// It cannot play this game.
    #[error("`{launch}` cannot play: {why}")]
    Unfit {
        /// The command line.
        launch: String,
        /// Why.
        why: String,
    },
    /// An option is not as it declares.
    #[error("`{launch}`: {source}")]
    Option {
        /// The command line.
        launch: String,
        /// Which, and what it takes.
        source: OptionError,
    },
    /// It spells moves as another protocol does.
    #[error(
        "`{launch}` played `{text}` at the start, which is no move as {spoken} spells them, but one \
             as {other} does: {spoken} writes `{meant}`; set `protocol = \"{other}\"`, or the option by \
             which the engine chooses its notation"
    )]
    Dialect {
        /// The command line.
        launch: String,
        /// The sample move, as it was spelled.
        text: String,
        /// The same move as it should be spelled.
        meant: String,
        /// The protocol that the config names.
        spoken: &'static str,
        /// The protocol whose spelling it is.
        other: &'static str,
    },
    /// It does not keep to a limit of nodes.
    #[error(
        "`{launch}` does not keep to limits of nodes: asked to search {asked}, {what}; limit it by \
             `time_ms` or `depth`"
    )]
    NoNodeLimit {
        /// The command line.
        launch: String,
        /// Nodes that it was asked to search.
        asked: u64,
        /// What it did.
        what: String,
    },
}

impl StartError {
    /// Whether the engine is not there at all, while what the config says of it may be right.
    #[must_use]
    pub fn is_absence(&self) -> bool {
        matches!(
            self,
            StartError::Spawn { .. } | StartError::NoGreeting { .. }
        )
    }
}

/// The last words of an engine, as a part of a message.
fn quoted(stderr: &str) -> String {
    match stderr.lines().last() {
        None => String::new(),
        Some(_) => format!("\nits stderr ends with:\n{}", last_lines(stderr, 10)),
    }
}

pub(super) fn last_lines(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let from = lines.len().saturating_sub(count);
    lines[from..].join("\n")
}
