//! Players: whoever is asked for a move in a game, behind one trait.
//!
//! A player's misbehaviour is a [`Fault`], a value; [`crate::play`] makes it a termination.

mod builtin;

pub use builtin::BuiltInPlayer;

use crate::game::{Game, History, Outcome, Side};
use crate::results::{FaultKind, Searched};
use crate::search::{Score, SearchLimits, StopFlag};

/// What a player is told before move 1.
#[derive(Debug)]
pub struct GameSetup<'a, G: Game> {
    /// The position after the opening.
    pub position: &'a G,
    /// The side that the player has.
    pub role: Side,
    /// The game's seed.
    pub seed: u64,
}

/// What a player is asked with.
#[derive(Debug)]
pub struct Turn<'a, G: Game> {
    /// The position, with at least one legal move.
    pub position: &'a G,
    /// How it came about; ends with `position`.
    pub history: &'a History<G>,
    /// What may be spent.
    pub limits: SearchLimits,
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
}

/// What a player did wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind.
    pub kind: FaultKind,
    /// The particulars, for a message.
    pub detail: String,
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
    /// The game has ended by its rules.
    fn game_over(&mut self, _outcome: &Outcome) {}
}
