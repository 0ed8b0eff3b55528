//! What happens in a run, told to whoever shows it. One direction only: nothing that reads
//! an event can change the run.

use serde::Serialize;

use super::job::GameId;
use super::record::GameResult;

/// Where a pairing stands after a counted pair.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairingStanding {
    /// The candidate's name.
    pub candidate: String,
    /// The base's name.
    pub base: String,
    /// Pairs counted, in schedule order.
    pub pairs: u64,
    /// Pairs planned.
    pub planned: u64,
    /// Pairs by the candidate's half points, 0 to 4.
    pub counts: [u64; 5],
    /// The candidate's score in 0..=1.
    pub score: Option<f64>,
    /// The log-likelihood ratio with its lower and upper bound, where a test is running.
    pub llr: Option<(f64, f64, f64)>,
    /// The verdict once there is one.
    pub verdict: Option<String>,
}

/// One event of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "event")]
pub enum RunEvent {
    /// Play begins or goes on.
    Started {
        /// The run's directory.
        dir: String,
        /// Games of the plan.
        games_planned: u64,
        /// Games that an earlier start has finished.
        games_done: u64,
        /// Games played at once.
        workers: usize,
        /// Whether a verdict may end the run before all games are played.
        may_end_early: bool,
    },
    /// A game has ended and its row is written.
    GameFinished {
        /// The game's id.
        id: String,
        /// The variant on the first side.
        first: String,
        /// The variant on the second side.
        second: String,
        /// Who won.
        result: GameResult,
        /// Why it ended.
        termination: String,
        /// Moves after the opening.
        plies: usize,
        /// Games finished so far, earlier starts included.
        games_done: u64,
        /// Games that may still be played.
        games_left: u64,
        /// The pairing after this game.
        standing: PairingStanding,
    },
    /// A pairing has its verdict; no further game of it counts.
    Decided {
        /// The pairing.
        standing: PairingStanding,
    },
    /// A variant lost too many games by faults, and plays no more.
    Withdrawn {
        /// The variant.
        variant: String,
        /// Games that it lost by faults.
        faults: u64,
        /// All its games, without void ones.
        games: u64,
        /// The particulars of its last fault, if it was in this start of the run.
        detail: String,
    },
    /// The run was asked to stop.
    Stopping {
        /// Who asked.
        reason: StopReason,
        /// Whether the games in play are finished first.
        finishing_games: bool,
    },
    /// No game is in play any more.
    Ended {
        /// Games finished so far.
        games_done: u64,
        /// Whether every pairing has its verdict.
        finished: bool,
        /// What stopped the run, if it was neither its end nor the user.
        error: Option<String>,
    },
}

/// Why a run stops before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// A signal, such as Ctrl-C.
    Interrupt,
    /// The time that the user gave it is over.
    TimeIsUp,
}

/// The id as events write it.
impl From<GameId> for String {
    fn from(id: GameId) -> String {
        id.to_string()
    }
}
