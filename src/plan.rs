//! The plan: a validated run, as the program sees a config.

mod tuning;

use std::fmt;

pub use tuning::{Parameterless, Place, TunePlaces, TuningPlan};

use crate::openings::{Duplicate, DuplicateRule, SuiteFormat};
use crate::play::Arena;
use crate::results::RunSpec;
use crate::schedule::Shape;

/// A run that can be played.
pub struct Plan {
    /// Which games are played and how they are judged.
    pub spec: RunSpec,
    /// The game with its rules.
    pub arena: Box<dyn Arena>,
    /// How many games are played at once.
    pub workers: usize,
    /// A variant that loses more than this share of its games by faults plays no more.
    pub max_fault_share: f64,
    /// The opening file as the config names it, resolved; `None` for the start position.
    pub suite: Option<std::path::PathBuf>,
    /// How that file is written.
    pub suite_format: SuiteFormat,
    /// What is done with openings whose position an earlier one has.
    pub duplicates: DuplicateRule,
    /// The schedule's shape.
    pub shape: Shape,
    /// Pairs a pairing as asked for, before any cut.
    pub pairs_asked: u32,
    /// What the user should know before play.
    pub notes: Vec<Note>,
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan")
            .field("spec", &self.spec)
            .field("workers", &self.workers)
            .field("notes", &self.notes)
            .finish_non_exhaustive()
    }
}

/// What the user should know before play.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// The suite is shorter than the schedule.
    SuiteRepeats {
        /// Distinct openings.
        openings: usize,
        /// Planned pairs of the longest pairing.
        pairs: u32,
    },
    /// The schedule was cut, since further pairs would only repeat games.
    PairsCut {
        /// The pairing, as `candidate against base`.
        pairing: String,
        /// Pairs asked for.
        asked: u32,
        /// Pairs planned.
        planned: u32,
    },
    /// Lines of the suite that have the position of an earlier line.
    DuplicateOpenings {
        /// The lines.
        lines: Vec<Duplicate>,
        /// What is done with them.
        rule: DuplicateRule,
    },
    /// Two variants are the same but for their names.
    IdenticalVariants {
        /// One.
        first: String,
        /// The other.
        second: String,
    },
    /// The verdict asked for cannot be reached.
    OutOfReach {
        /// The pairing, as `candidate against base`.
        pairing: String,
        /// Pairs planned.
        planned: u32,
        /// Pairs that are needed even if the candidate wins every game.
        needed: u64,
    },
    /// A node limit below the number of moves of an opening.
    NoDepthFinished {
        /// The variant.
        variant: String,
        /// Its limit.
        nodes: u64,
        /// Legal moves of the first opening.
        moves: usize,
    },
    /// A tuning without a confirming match.
    Unconfirmed,
    /// More games at once than physical cores.
    SharedCores {
        /// Games at once.
        workers: usize,
        /// Physical cores.
        physical: usize,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::SuiteRepeats { openings, pairs } => {
                let times = f64::from(*pairs) / *openings as f64;
                let s = if *openings == 1 { "" } else { "s" };
                write!(
                    f,
                    "{openings} opening{s} for {pairs} pairs: each is used {times:.1} times; \
                     a longer suite gives more information"
                )
            }
            Note::PairsCut {
                pairing,
                asked,
                planned,
            } => write!(
                f,
                "{pairing}: {planned} of {asked} pairs are planned, since further pairs would \
                 only repeat games (no clock, no noise); use a suite of {asked} openings, set \
                 `root_noise`, or limit by time"
            ),
            Note::DuplicateOpenings { lines, rule } => {
                let shown: Vec<String> = lines
                    .iter()
                    .take(10)
                    .map(|Duplicate { line, earlier }| format!("line {line} as line {earlier}"))
                    .collect();
                let more = if lines.len() > 10 { ", …" } else { "" };
                let what = match rule {
                    DuplicateRule::Drop => "are left out",
                    DuplicateRule::Keep => "are kept (`duplicate_openings`)",
                };
                write!(
                    f,
                    "{} openings have the position of an earlier one and {what}: {}{more}",
                    lines.len(),
                    shown.join(", ")
                )
            }
            Note::IdenticalVariants { first, second } => write!(
                f,
                "`{first}` and `{second}` are the same engine with the same limits: no \
                 difference can be found between them"
            ),
            Note::OutOfReach {
                pairing,
                planned,
                needed,
            } => write!(
                f,
                "{pairing}: nobody can pass; that needs at least {needed} distinct pairs even if \
                 every game is won, and {planned} are planned"
            ),
            Note::NoDepthFinished {
                variant,
                nodes,
                moves,
            } => write!(
                f,
                "`{variant}` has {nodes} nodes a move, but the first opening has {moves} legal \
                 moves: no depth is finished, and the first legal move is played; raise `nodes`"
            ),
            Note::Unconfirmed => write!(
                f,
                "there is no [tune.confirm]: the values are compared, and none is adopted"
            ),
            Note::SharedCores { workers, physical } => write!(
                f,
                "{workers} games at once share {physical} physical cores; with a time limit, \
                 set `workers = {physical}`"
            ),
        }
    }
}
