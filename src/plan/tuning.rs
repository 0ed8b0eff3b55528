//! The plan of a tuning.

use std::fmt;
use std::path::PathBuf;

use super::Note;
use crate::openings::{DuplicateRule, SuiteFormat};
use crate::play::Arena;
use crate::tune::{Home, TuneSpec};

/// A tuning that can be played, once the engine has said what it declares, if it is another
/// program.
pub struct TuningPlan {
    /// Which games are played and what is made of them. [`TuneSpec::parameters`] is empty while
    /// `undeclared` is not.
    pub spec: TuneSpec,
    /// Parameters that the engine has still to declare.
    pub undeclared: Vec<Parameterless>,
    /// The game with its rules.
    pub arena: Box<dyn Arena>,
    /// How many games are played at once.
    pub workers: usize,
    /// A variant that loses more than this share of its games by faults plays no more.
    pub max_fault_share: f64,
    /// The opening file as the config names it, resolved; `None` for the start position.
    pub suite: Option<PathBuf>,
    /// How that file is written.
    pub suite_format: SuiteFormat,
    /// What is done with openings whose position an earlier one has.
    pub duplicates: DuplicateRule,
    /// The confirming match's opening file, resolved.
    pub confirm_suite: Option<PathBuf>,
    /// Where what is said in the config.
    pub places: TunePlaces,
    /// What the user should know before play.
    pub notes: Vec<Note>,
}

impl fmt::Debug for TuningPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TuningPlan")
            .field("spec", &self.spec)
            .field("undeclared", &self.undeclared)
            .field("workers", &self.workers)
            .field("notes", &self.notes)
            .finish_non_exhaustive()
    }
}

/// A parameter by its name alone, with the range to search.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameterless {
    /// The name.
    pub name: String,
    /// Where the variant has it.
    pub home: Home,
    /// The low end of the range.
    pub low: f64,
    /// The high end.
    pub high: f64,
}

/// A place in a config.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Bytes from its start.
    pub at: usize,
    /// `file:line:column`, or `--set path=value`.
    pub text: String,
}

/// Where what is said in a config.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TunePlaces {
    /// The method.
    pub method: Place,
    /// Names of the parameters.
    pub names: Vec<Place>,
    /// Low ends of their ranges.
    pub lows: Vec<Place>,
    /// The confirming match.
    pub confirm: Place,
}
