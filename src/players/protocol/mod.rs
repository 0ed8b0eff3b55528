//! Protocols: how an engine is talked to. Text in, text out; nothing here reads or waits.

mod gomocup;
mod options;
mod ucci;
mod uci;

use std::borrow::Cow;
use std::time::Duration;

pub use gomocup::Gomocup;
pub use options::{DeclaredOption, OptionError, OptionKind};
pub use ucci::Ucci;
pub use uci::Uci;

use crate::game::{Announcement, Side};
use crate::results::ProtocolKind;
use crate::search::Score;

/// A conversation that has not begun.
#[must_use]
pub fn begin(kind: ProtocolKind) -> Box<dyn Protocol> {
    match kind {
        ProtocolKind::Uci => Box::new(Uci::default()),
        ProtocolKind::Ucci => Box::new(Ucci::default()),
        ProtocolKind::Gomocup => Box::new(Gomocup::default()),
    }
}

/// Whether an answer that was waited for has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Not yet.
    More,
    /// Now.
    Done,
    /// It will not: the engine says why.
    Refused(String),
    /// Not from this process: it must be started again.
    Again,
}

/// What a line says while the engine thinks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard<'l> {
    /// Nothing that anybody waits for.
    Talk,
    /// The move, as the engine spells it.
    Move(&'l str),
    /// It must be sent this before it moves.
    Question(String),
}

/// A game as engines are told of it.
#[derive(Clone, Copy, Debug)]
pub struct GameText<'a> {
    /// The position that the moves lead on from, as [`crate::game::Game::spell_position`] writes
    /// it.
    pub start: &'a str,
    /// Whether that is the start position of the game's default rules.
    pub is_default_start: bool,
    /// What engines must be told of the rules.
    pub announcement: Announcement,
    /// What the engine may spend in this game.
    pub spend: Spend,
}

/// A turn as engines are told of it.
#[derive(Clone, Copy, Debug)]
pub struct TurnText<'a> {
    /// The game.
    pub game: GameText<'a>,
    /// All moves since the start, each with a blank before it, as
    /// [`crate::game::Game::spell_move`] writes them.
    pub moves: &'a str,
    /// What may be spent on the move.
    pub spend: Spend,
}

/// What an engine may spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spend {
    /// This long on every move.
    Time(Duration),
    /// So many nodes on every move.
    Nodes(u64),
    /// So many plies on every move.
    Depth(u32),
    /// What is left on the clocks.
    Clock(Clocks),
}

/// Both clocks as they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// The mover.
    pub side: Side,
    /// What is left to each side, first side first.
    pub left: [Duration; 2],
    /// What each side gets after a move.
    pub increment: [Duration; 2],
    /// Moves of the mover until time is added; `None` if it never is.
    pub moves_to_go: Option<u32>,
}

/// What an engine said of the move that it is thinking about: the last value of each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// The score, for the mover.
    pub score: Option<Score>,
}

/// One conversation with one engine.
pub trait Protocol: Send {
    /// What is sent first. Something must be answered to it.
    fn greeting(&self) -> &'static str;
    /// Takes a line of the engine's answer to the greeting.
    fn greeted(&mut self, line: &str) -> Step;
    /// The options that it declared.
    fn declared(&self) -> &[DeclaredOption];
    /// The option of this name.
    ///
    /// # Errors
    /// [`OptionError::Unknown`].
    fn option(&self, name: &str) -> Result<Cow<'_, DeclaredOption>, OptionError> {
        options::find(self.declared(), name).map(Cow::Borrowed)
    }
    /// Writes what sets an option, at once or when the next game begins; without a value its
    /// button is pressed.
    fn set_option(&mut self, name: &str, value: &str, out: &mut String);
    /// The options that this game and runner need, as far as the engine declares them.
    ///
    /// # Errors
    /// Why it cannot play this game, in words.
    fn game_options(&self, announcement: Announcement) -> Result<Vec<(String, String)>, String>;
    /// Writes what begins a game, and asks whether the engine is ready.
    fn new_game(&mut self, game: &GameText<'_>, out: &mut String);
    /// Takes a line while the engine gets ready.
    fn ready(&mut self, line: &str) -> Step;
    /// Writes the position of a turn, without asking for a move, and asks whether the engine is
    /// ready; `false` where the protocol has no such question.
    fn position(&mut self, turn: &TurnText<'_>, out: &mut String) -> bool;
    /// Writes a turn and asks for a move. `told`: the position was sent already.
    fn go(&mut self, turn: &TurnText<'_>, told: bool, out: &mut String);
    /// Takes a line while the engine thinks.
    fn answer<'l>(&mut self, line: &'l str, said: &mut Said) -> Heard<'l>;
    /// What is sent last.
    fn farewell(&self) -> &'static str;
}
