//! Players: whoever is asked for a move in a game, behind one trait.
//!
//! A player's misbehaviour is a [`Fault`], a value; [`crate::play`] makes it a termination.

mod builtin;
mod delay;
pub mod engine;
pub mod protocol;

pub use builtin::{BuiltInPlayer, built_in_seed};
pub use delay::DelayMeter;

use std::time::Duration;

use crate::game::{Game, History, Outcome, Side};
use crate::results::{FaultKind, MoveLimit, Searched};
use crate::search::{Score, SearchLimits, StopFlag};

/// What a player is told before move 1.
#[derive(Debug)]
pub struct GameSetup<'a, G: Game> {
    /// The position after the opening.
    pub position: &'a G,
    /// The opening; ends with `position`.
    pub history: &'a History<G>,
    /// The side that the player has.
    pub role: Side,
    /// The game's seed.
    pub seed: u64,
    /// What it may spend on its first move.
    pub budget: Budget,
    /// When it is set, the game is given up.
    pub stop: &'a StopFlag,
}

/// What a player may spend, and when it is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The rule.
    pub limit: MoveLimit,
    /// How long an answer is waited for: the time that is left and the margin, or what a move
    /// may take where no clock runs.
    pub span: Duration,
    /// What is left on each side's clock, first side first; zero where none runs.
    pub left: [Duration; 2],
    /// What each side's clock gets after a move.
    pub increment: [Duration; 2],
    /// Moves of the mover until time is added to its clock.
    pub moves_to_go: Option<u32>,
}

/// What a player is asked with.
#[derive(Debug)]
pub struct Turn<'a, G: Game> {
    /// The position, with at least one legal move.
    pub position: &'a G,
    /// How it came about; ends with `position`.
    pub history: &'a History<G>,
    /// What a search of agon's own may spend.
    pub limits: SearchLimits,
    /// What may be spent, and when the player is given up.
    pub budget: Budget,
    /// When it is set, any answer will do: the game is given up.
    pub stop: &'a StopFlag,
}

/// A player's answer.
#[derive(Clone, Copy, Debug)]
pub struct Reply<M> {
    /// The move.
    pub mv: M,
    /// The player's score of it, for itself.
    pub score: Option<Score>,
    /// The effort; `None` where nothing was searched.
    pub searched: Option<Searched>,
    /// How long it took, where the player knows better than whoever asks.
    pub spent: Option<Duration>,
}

/// What a player did wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind.
    pub kind: FaultKind,
    /// The particulars, for a message.
    pub detail: String,
}

/// What the machine did to a player, where that is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hindrance {
    /// How long it was ready to think and had no processor, during its last move.
    pub waited: Duration,
}

/// Whoever is asked for a move.
pub trait Player<G: Game>: Send {
    /// A new game begins.
    ///
    /// # Errors
    /// A [`Fault`] loses the game.
    fn new_game(&mut self, setup: &GameSetup<'_, G>) -> Result<(), Fault>;
    /// Chooses a move.
    ///
    /// # Errors
    /// A [`Fault`] loses the game.
    fn choose_move(&mut self, turn: &Turn<'_, G>) -> Result<Reply<G::Move>, Fault>;
    /// What the machine did to it during its last move, besides what it did to the thread that
    /// asked. It is asked for moves of a millisecond and more.
    fn hindrance(&mut self) -> Hindrance {
        Hindrance::default()
    }
    /// The processor time that it has used in this game; `None` where it is not known, zero
    /// where it is that of the thread that asks.
    fn processor_time(&mut self) -> Option<Duration> {
        Some(Duration::ZERO)
    }
    /// The game has ended by its rules.
    fn game_over(&mut self, _outcome: &Outcome) {}
}
