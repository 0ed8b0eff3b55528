//! Play: one game at a time, from a job to a record.
//!
//! Here the game's type ends: above [`Arena`] and [`Worker`] there are names and text only.

mod analysis;
mod arena;
mod clock;
mod game_loop;
mod own;
mod pgn;
mod serve;
mod serve_gomocup;
mod solitaire;
mod solving;
mod trial;

use thiserror::Error;

pub use analysis::{Analysis, Question};
pub use arena::{Inspection, TwoPlayerArena};
pub use own::Own;
pub use solitaire::{NOT_SOLVED, SOLVED, SolitaireArena};
pub use solving::{DealSolver, LayerSink, SolvedDeal, SolverLimits, Solving};
pub use trial::Trial;

use crate::game::{NotationError, Side};
use crate::openings::book::BookErrors;
use crate::openings::{Suite, SuiteErrors};
use crate::params::Parameter;
use crate::results::{BookSpec, GameRecord, Job, RunSpec};
use crate::search::{BenchLimit, BenchReport, SearchKind, SearchSpec, StopFlag};
use crate::verify::{VerifyError, VerifyReport};

/// A game that was given up because the run stops. It has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the game was interrupted")]
pub struct Interrupted;

/// Plays games of one run, one after the other, and owns the engines for it.
pub trait Worker: Send {
    /// Plays one game.
    ///
    /// # Errors
    /// [`Interrupted`] once `stop` is set.
    fn play(&mut self, job: &Job, stop: &StopFlag) -> Result<GameRecord, Interrupted>;
}

/// What a position text may be refused for on the command line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PositionError {
    /// The position or a move does not parse or is illegal.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// The game ended before all moves were played.
    #[error("the game is over before move {ply} (`{text}`)")]
    Over {
        /// The move's number, from 1.
        ply: usize,
        /// Its text.
        text: String,
    },
    /// The game is over, and something was asked of whoever is to move.
    #[error("the game is over here ({0})")]
    Ended(String),
}

/// All that a game's name gives, with its rules chosen.
pub trait Arena: Send + Sync {
    /// The game's name.
    fn game(&self) -> &'static str;
    /// The names of the first and the second side.
    fn roles(&self) -> [&'static str; 2];
    /// The rules as data.
    fn rules(&self) -> serde_json::Value;
    /// The game's built-in engine, if it has one.
    fn own(&self) -> Option<&dyn OwnEngine>;
    /// What agon's own searches of this game can be told, if it has any: its engine's, or its
    /// solver's.
    fn declares(&self) -> Option<&dyn Declares>;
    /// Whether it is a solitaire, of which two variants are compared on the same deals.
    fn is_solitaire(&self) -> bool {
        false
    }
    /// The solver of a solitaire.
    fn solving(&self) -> Option<&dyn Solving> {
        None
    }
    /// Reads and checks a suite of openings.
    ///
    /// # Errors
    /// All bad lines at once.
    fn read_suite(&self, bytes: &[u8]) -> Result<Suite, SuiteErrors>;
    /// Reads and checks an opening book.
    ///
    /// # Errors
    /// All bad lines at once.
    fn read_book(&self, bytes: &[u8]) -> Result<BookSpec, BookErrors>;
    /// The move that a book of this game gives in the game with this seed, which begins at the
    /// start or a text and has come to the position after these moves; `None` where it has none.
    ///
    /// # Errors
    /// As [`Arena::inspect`].
    fn book_move(
        &self,
        book: &BookSpec,
        fen: Option<&str>,
        moves: &[String],
        seed: u64,
    ) -> Result<Option<String>, PositionError>;
    /// A suite of one opening: the start position.
    fn start_suite(&self) -> Suite;
    /// Plays `plies` random moves from the start, of those that the built-in engine, if there is one,
    /// thinks worth a look; `None` if the game ended on the way.
    fn random_opening(&self, plies: u32, seed: u64) -> Option<Vec<String>>;
    /// A key that is equal for positions that a symmetry of the board maps onto each other.
    ///
    /// # Errors
    /// As [`Arena::inspect`].
    fn symmetry_key(&self, fen: Option<&str>, moves: &[String]) -> Result<u64, PositionError>;
    /// A worker for the games of a run.
    fn worker<'a>(&'a self, run: &'a RunSpec, number: usize) -> Box<dyn Worker + 'a>;
    /// Starts every external engine of a run once, and checks that it plays this game, takes
    /// its options and keeps to a limit of nodes, if it has one. No more are tried once `stop`
    /// is set.
    fn try_engines(&self, run: &RunSpec, stop: &StopFlag) -> Trial;
    /// Looks at a position: the start, or a text, and moves from there.
    ///
    /// # Errors
    /// [`PositionError`].
    fn inspect(&self, fen: Option<&str>, moves: &[String]) -> Result<Inspection, PositionError>;
    /// The number of move sequences of `depth` plies.
    ///
    /// # Errors
    /// [`PositionError`].
    fn perft(&self, fen: Option<&str>, depth: u32) -> Result<u64, PositionError>;
    /// Whether other programs have a PGN for the game, which [`Arena::pgn`] writes.
    fn has_pgn(&self) -> bool {
        false
    }
    /// A game of a run as PGN, an empty line at its end; `None` where the game has none.
    ///
    /// # Errors
    /// A position or a move that is none under these rules.
    fn pgn(&self, _run: &RunSpec, _game: &GameRecord) -> Result<Option<String>, NotationError> {
        Ok(None)
    }
}

/// The kinds of search of a game, and what each can be told.
pub trait Declares {
    /// The kinds.
    fn kinds(&self) -> &'static [SearchKind];
    /// The parameters of one of these kinds.
    fn search_parameters(&self, kind: SearchKind) -> Vec<Parameter>;
    /// The parameters of the evaluation.
    fn evaluation_parameters(&self) -> Vec<Parameter>;
}

/// A game's built-in engine as its name and parameters tell it, and the second rules that it
/// is verified with.
pub trait OwnEngine: Declares {
    /// Searches the game's bench positions.
    fn bench(&self, spec: &SearchSpec, limit: BenchLimit) -> BenchReport;
    /// Searches a position as this engine does in a game, and tells how.
    ///
    /// # Errors
    /// [`PositionError`].
    fn analyse(&self, question: &Question<'_>) -> Result<Analysis, PositionError>;
    /// Compares the rules and the evaluation with a slow second implementation, on
    /// `positions` positions of random games drawn from `seed`.
    ///
    /// # Errors
    /// The first difference.
    fn verify(&self, positions: u64, seed: u64) -> Result<VerifyReport, VerifyError>;
    /// Speaks UCI until `quit` or the end of `input`.
    ///
    /// # Errors
    /// When `input` cannot be read.
    fn serve(
        &self,
        input: &mut dyn std::io::BufRead,
        output: Box<dyn std::io::Write + Send>,
    ) -> std::io::Result<()>;
}

/// The name of a side in a game.
#[must_use]
pub fn role_name(arena: &dyn Arena, side: Side) -> &'static str {
    arena.roles()[side.index()]
}
