//! The user's errors and the one table of exit statuses.
//!
//! | status | meaning |
//! | --- | --- |
//! | 0 | done, or the gate let the candidate in |
//! | 1 | the gate kept the candidate out |
//! | 2 | the gate could not tell |
//! | 3 | interrupted; the same command goes on (`solve`: the rows written are kept, and it begins again) |
//! | 4 | `solve` found no solution within its limits |
//! | 64 | the command line is wrong |
//! | 65 | a config, an opening, a solution or another input is wrong; an archived engine is not what was saved |
//! | 69 | an engine cannot start, cannot play the game, or lost too many games by faults |
//! | 70 | a fault of agon: a built-in engine panicked, or two implementations of rules differ |
//! | 73 | the run cannot go on as asked: other plan, or in use; an archive has this name already |
//! | 74 | a file, standard output or another device failed |
//! | 75 | the results cannot be written (a full disk, a folder that is gone, no permission): what is written is kept, and the same command goes on |

use std::error::Error as _;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::archive::ArchiveError;
use crate::config::{ConfigErrors, nearest};
use crate::executor::ExecutorError;
use crate::game::SolutionError;
use crate::profile::ProfileError;
use crate::results::{JournalError, RunDirError};
use crate::stats::StatsError;
use crate::tournament::{TournamentError, Withdrawal};
use crate::verify::VerifyError;

/// Exit statuses that are no errors.
pub mod status {
    /// Done, or the gate let the candidate in.
    pub const DONE: u8 = 0;
    /// The gate kept the candidate out.
    pub const KEPT_OUT: u8 = 1;
    /// The gate could not tell.
    pub const CANNOT_TELL: u8 = 2;
    /// Interrupted; the same command goes on.
    pub const INTERRUPTED: u8 = 3;
    /// No solution was found.
    pub const NOT_SOLVED: u8 = 4;
    /// The command line is wrong.
    pub const USAGE: u8 = 64;
}

/// Whatever ends a command with an error.
#[derive(Debug, Error)]
pub enum CommandError {
    /// The command line makes no sense.
    #[error("{0}")]
    Usage(String),
    /// The config gives no plan.
    #[error(transparent)]
    Config(#[from] ConfigErrors),
    /// Another input is wrong.
    #[error("{0}")]
    Input(String),
    /// An unfinished run was made from something else.
    #[error("`{run}` is unfinished, and was started from another plan:\n  {}", .differences.join("\n  "))]
    OtherPlan {
        /// The run's directory.
        run: String,
        /// Where the plans differ.
        differences: Vec<String>,
    },
    /// The gate's config does not compare two variants.
    #[error("a gate needs exactly one pairing, but the plan has {0}")]
    NotAGate(usize),
    /// External engines that cannot play.
    #[error("{}", .0.iter().map(|(variant, what)| format!("engine `{variant}`: {what}")).collect::<Vec<_>>().join("\n"))]
    Engines(Vec<(String, String)>),
    /// The user stopped the command before anything was played.
    #[error("stopped while the engines were tried; nothing was played")]
    StoppedEarly,
    /// Variants that lost too many games by faults, or did not start.
    #[error("{}", .0.iter().map(faulty).collect::<Vec<_>>().join("\n"))]
    Faulty(Vec<Withdrawal>),
    /// A rule that decides nothing.
    #[error(transparent)]
    Stats(#[from] StatsError),
    /// A run directory.
    #[error(transparent)]
    RunDir(#[from] RunDirError),
    /// The journal.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The run stopped.
    #[error(transparent)]
    Tournament(#[from] TournamentError),
    /// Two implementations of a game's rules differ.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// The solver's solution is none.
    #[error("the solution of `{position}` is wrong")]
    Solution {
        /// The position.
        position: String,
        /// What the checker says.
        source: SolutionError,
    },
    /// An archive.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// There is no flame graph.
    #[error(transparent)]
    Profile(#[from] ProfileError),
    /// The executor.
    #[error(transparent)]
    Executor(#[from] ExecutorError),
    /// A file that the user named cannot be read or written.
    #[error("cannot {doing} `{}`", path.display())]
    File {
        /// What was tried.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's word.
        source: std::io::Error,
    },
    /// No signal can be heard, so that nobody could stop the run.
    #[error("cannot listen to signals")]
    Signals(#[source] std::io::Error),
    /// The system gives no thread to show progress from.
    #[error("cannot start a thread")]
    Thread(#[source] std::io::Error),
    /// Standard output failed.
    #[error("cannot write to standard output")]
    Output(#[from] std::io::Error),
}

fn faulty(gone: &Withdrawal) -> String {
    let Withdrawal {
        name,
        faults,
        games,
        detail,
        ..
    } = gone;
    if *faults == 0 {
        return format!("engine `{name}` did not start, and its games are not played: {detail}");
    }
    let last = if detail.is_empty() {
        String::new()
    } else {
        format!("; the last: {detail}")
    };
    format!("engine `{name}` lost {faults} of {games} games by faults and plays no more{last}")
}

/// The text with its control characters written out, but for line ends and tabs: what a file
/// holds must not speak to a terminal.
pub(crate) fn printable(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() && !matches!(character, '\n' | '\t') {
            plain.extend(character.escape_default());
        } else {
            plain.push(character);
        }
    }
    plain
}

impl CommandError {
    /// What a failed read or write of a file becomes.
    pub(crate) fn file(
        doing: &'static str,
        path: &Path,
    ) -> impl FnOnce(std::io::Error) -> CommandError + use<> {
        let path = path.to_owned();
        move |source| CommandError::File {
            doing,
            path,
            source,
        }
    }

    /// The exit status, by the table above.
    #[must_use]
    pub fn exit_status(&self) -> u8 {
        match self {
            CommandError::Usage(_)
            | CommandError::Archive(ArchiveError::Name(_) | ArchiveError::Missing { .. }) => {
                status::USAGE
            }
            CommandError::Config(_)
            | CommandError::Input(_)
            | CommandError::NotAGate(_)
            | CommandError::Stats(_)
            | CommandError::Archive(ArchiveError::Format { .. } | ArchiveError::Changed { .. })
            | CommandError::Journal(JournalError::Row { .. })
            | CommandError::RunDir(
                RunDirError::Format { .. }
                | RunDirError::NoRunFile { .. }
                | RunDirError::NoJournal { .. },
            ) => 65,
            CommandError::StoppedEarly => status::INTERRUPTED,
            CommandError::Engines(_)
            | CommandError::Faulty(_)
            | CommandError::Archive(ArchiveError::Program { .. }) => 69,
            CommandError::Tournament(TournamentError::Panicked { .. })
            | CommandError::Verify(_)
            | CommandError::Solution { .. }
            | CommandError::Profile(ProfileError::Sampling(_)) => 70,
            CommandError::OtherPlan { .. }
            | CommandError::Archive(ArchiveError::Exists(_))
            | CommandError::RunDir(RunDirError::InUse { .. })
            | CommandError::Journal(JournalError::InUse { .. }) => 73,
            CommandError::RunDir(RunDirError::Io { .. })
            | CommandError::Journal(JournalError::Io { .. })
            | CommandError::Tournament(TournamentError::Journal(_)) => 75,
            CommandError::Executor(_)
            | CommandError::Signals(_)
            | CommandError::Thread(_)
            | CommandError::Profile(ProfileError::Write(_))
            | CommandError::Archive(ArchiveError::Io { .. })
            | CommandError::File { .. }
            | CommandError::Output(_) => 74,
        }
    }

    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            CommandError::Config(ConfigErrors::Unreadable { .. }) => {
                Some("name a config file, such as configs/quickstart.toml")
            }
            CommandError::OtherPlan { .. } => {
                Some("undo the change to go on, or start the next number with --new")
            }
            CommandError::RunDir(RunDirError::InUse { .. })
            | CommandError::Journal(JournalError::InUse { .. }) => {
                Some("wait for it, stop it, or start the next number with --new")
            }
            CommandError::RunDir(RunDirError::NoRunFile { .. }) => {
                Some("nothing was changed; put run.json back, or start the next number with --new")
            }
            CommandError::RunDir(RunDirError::NoJournal { .. }) => {
                Some("nothing was changed; put games.csv back, or start the next number with --new")
            }
            CommandError::RunDir(RunDirError::Format { .. }) => {
                Some("start the next number with --new")
            }
            CommandError::Engines(_) => {
                Some("nothing was played; mend the engine's table in the config")
            }
            CommandError::Faulty(_) => Some(
                "see `detail` in games.csv, mend the engine and start the next number with --new, or raise `max_fault_share`",
            ),
            CommandError::NotAGate(_) => Some("use [schedule.head_to_head]"),
            CommandError::Journal(JournalError::Row { .. }) => {
                Some("nothing was changed; put the line right, or start the next number with --new")
            }
            CommandError::Tournament(TournamentError::Journal(_))
            | CommandError::Journal(JournalError::Io { .. })
            | CommandError::RunDir(RunDirError::Io { .. }) => {
                Some("mend the cause; what was written is kept, and the same command goes on")
            }
            CommandError::Archive(ArchiveError::Exists(_)) => {
                Some("archives are never overwritten: choose another name, or remove it")
            }
            CommandError::Archive(ArchiveError::Changed { .. }) => {
                Some("put back what was changed, or save the engine again under another name")
            }
            CommandError::Archive(ArchiveError::Program { .. }) => Some(
                "it must be executable, and needs the machine and libraries that it was built \
                     for; if it cannot be mended, save the engine again under another name",
            ),
            CommandError::Verify(_) | CommandError::Solution { .. } => {
                Some("this is a fault of agon; please report the position")
            }
            CommandError::Tournament(TournamentError::Panicked { .. }) => Some(
                "this is a fault of agon; the finished games are kept, and the same command goes on",
            ),
            _ => None,
        }
    }

    /// The whole message: the error, its causes, the hint.
    #[must_use]
    pub fn report(&self) -> String {
        let mut text = format!("error: {self}");
        let mut cause = self.source();
        while let Some(error) = cause {
            let what = error.to_string();
            // Some errors have their cause in their own words.
            if !text.contains(&what) {
                text += &format!("\ncaused by: {what}");
            }
            cause = error.source();
        }
        if let CommandError::Archive(ArchiveError::Missing { name, known, .. }) = self {
            text += &match (nearest(name, known.iter().map(String::as_str)), &known[..]) {
                (_, []) => "\nhint: `agon archive save NAME GAME` makes one".to_owned(),
                (Some(near), _) => format!("\nhint: did you mean `{near}`? ({})", known.join(", ")),
                (None, _) => format!("\nhint: known names: {}", known.join(", ")),
            };
        }
        if let Some(hint) = self.hint() {
            text += &format!("\nhint: {hint}");
        }
        printable(&text)
    }
}
