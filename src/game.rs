//! What a game is: one position, its rules and its text.
//!
//! Everything above this module is written once for all games. A game knows nothing of
//! searches, players or tournaments.

use std::fmt::{self, Debug};
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use thiserror::Error;

/// Who plays which part by the rules of the game (white or black, geese or fox), whoever
/// moves first from an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The part that the rules name first.
    First,
    /// The part that the rules name second.
    Second,
}

impl Side {
    /// Both sides, in the order of the rules.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// The opponent.
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// 0 for the first side, 1 for the second.
    #[must_use]
    pub fn index(self) -> usize {
        match self {
            Side::First => 0,
            Side::Second => 1,
        }
    }
}

/// How a finished game ended by its rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The winner; `None` is a draw.
    pub winner: Option<Side>,
    /// Why, as one word of the game's own (`no_moves`, `five`, `threefold`).
    pub reason: String,
}

impl Outcome {
    /// `side` has won.
    #[must_use]
    pub fn win(side: Side, reason: &str) -> Outcome {
        Outcome {
            winner: Some(side),
            reason: reason.to_owned(),
        }
    }

    /// Nobody has won.
    #[must_use]
    pub fn draw(reason: &str) -> Outcome {
        Outcome {
            winner: None,
            reason: reason.to_owned(),
        }
    }
}

/// A text that is not a position or not a move of the game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotationError {
    /// The position's text does not parse or breaks a rule of the board.
    #[error("not a position of {game}: {reason} (in `{}`)", shorten(text))]
    Position {
        /// The game's name.
        game: &'static str,
        /// The text as given.
        text: String,
        /// What is wrong and what was expected.
        reason: String,
    },
    /// The move's text does not parse.
    #[error("not a move of {game}: {reason} (in `{}`)", shorten(text))]
    Move {
        /// The game's name.
        game: &'static str,
        /// The text as given.
        text: String,
        /// What is wrong and what was expected.
        reason: String,
    },
    /// The move parses, but it is not legal here.
    #[error("illegal move `{}` in `{position}`", shorten(text))]
    Illegal {
        /// The move's text.
        text: String,
        /// The position's text.
        position: String,
    },
}

/// The text for a message: printable, at most 120 characters.
fn shorten(text: &str) -> String {
    let printable: String = text
        .chars()
        .take(120)
        .flat_map(char::escape_debug)
        .collect();
    if text.chars().nth(120).is_some() {
        printable + "…"
    } else {
        printable
    }
}

/// One point of a [`Diagram`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// Not a part of the board.
    Void,
    /// An empty point.
    Empty,
    /// A piece, by its letter.
    Piece(char),
    /// A mark that is no piece (a burnt square).
    Mark(char),
}

/// A board as anything that draws one needs it: points row by row, top row first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// The names of the columns, left to right.
    pub columns: Vec<String>,
    /// The names of the rows, top to bottom.
    pub rows: Vec<String>,
    /// `rows.len() * columns.len()` points.
    pub points: Vec<Point>,
}

impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let margin = self
            .rows
            .iter()
            .map(|name| name.chars().count())
            .max()
            .unwrap_or(0);
        let column = self
            .columns
            .iter()
            .map(|name| name.chars().count())
            .max()
            .unwrap_or(1);
        for (row, points) in self
            .rows
            .iter()
            .zip(self.points.chunks(self.columns.len().max(1)))
        {
            let mut line = format!("{row:>margin$}");
            for point in points {
                let symbol = match point {
                    Point::Void => ' ',
                    Point::Empty => '.',
                    Point::Piece(letter) | Point::Mark(letter) => *letter,
                };
                line += &format!(" {symbol:>column$}");
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        let mut line = " ".repeat(margin);
        for name in &self.columns {
            line += &format!(" {name:>column$}");
        }
        writeln!(f, "{line}")
    }
}

/// What external engines must be told of a game's rules before they play it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Announcement {
    /// The value of UCI's `UCI_Variant`; `None` for chess, which needs none.
    pub uci_variant: Option<&'static str>,
    /// Whether castling is written as in chess960.
    pub chess960: bool,
    /// The board and rule of a Gomocup game; `None` where it is none.
    pub gomocup: Option<GomocupBoard>,
}

/// A board of Gomocup, and its rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GomocupBoard {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The value of `INFO rule`: 0 five or more, 1 exactly five, 4 renju, 8 caro.
    pub rule: u32,
}

/// The languages of engines: each spells moves and positions in its own way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// UCI: as the game itself writes them.
    #[default]
    Uci,
    /// UCCI: ranks of a board with ten of them are counted from 0.
    Ucci,
    /// Gomocup: a move is `x,y`, both counted from 0; a position is the moves that make it.
    Gomocup,
}

/// One position of a game, with its rules and its text.
pub trait Game: Clone + Debug + Send + Sync + 'static {
    /// The name in configs, records and commands.
    const NAME: &'static str;
    /// The names of the two roles, as configs and summaries write them.
    const ROLES: [&'static str; 2];
    /// What can be chosen before a game (board size, variant). It stands in the config, in
    /// the run's hash and in every record.
    type Rules: Clone + Debug + PartialEq + Default + Send + Sync + Serialize + DeserializeOwned;
    /// One move.
    type Move: Copy + Eq + Debug + Send + Sync;

    /// Whether rules that parse are rules that can be played; the reason if not.
    ///
    /// # Errors
    /// A fragment that names the value and what is allowed.
    fn check_rules(rules: &Self::Rules) -> Result<(), String>;
    /// What external engines must be told of these rules.
    fn announcement(_rules: &Self::Rules) -> Announcement {
        Announcement {
            uci_variant: Some(Self::NAME),
            ..Announcement::default()
        }
    }
    /// The rules of a Gomocup game on this board: what [`Game::announcement`] makes of them, back.
    ///
    /// # Errors
    /// A fragment that says why there are none.
    fn gomocup_rules(_board: GomocupBoard) -> Result<Self::Rules, String> {
        Err(format!("{} is not a game of Gomocup", Self::NAME))
    }
    /// The start position. `rules` have passed [`Game::check_rules`].
    fn start(rules: &Self::Rules) -> Self;
    /// Appends all legal moves; none when the game is over by the position alone. The
    /// caller owns and reuses the buffer.
    fn legal_moves(&self, moves: &mut Vec<Self::Move>);
    /// The number of legal moves. Games that can count faster than they list override it.
    fn count_moves(&self) -> u64 {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.len() as u64
    }
    /// Whether `mv` is legal here. Cheap: hash and killer moves are asked first.
    fn is_legal(&self, mv: Self::Move) -> bool;
    /// Plays a legal move.
    fn play(&mut self, mv: Self::Move);
    /// Zobrist key of every state that matters, the side to move too.
    fn key(&self) -> u64;
    /// A key that is the same for positions that a symmetry of the board maps onto each
    /// other (side to move and roles kept).
    fn symmetry_key(&self) -> u64 {
        self.key()
    }
    /// The key of the position's mirror image; `None` in games that have no such symmetry.
    fn mirror_key(&self) -> Option<u64> {
        None
    }
    /// The mirror image of a move of this position's mirror image.
    fn mirror_move(&self, mv: Self::Move) -> Self::Move {
        mv
    }
    /// Reads a position.
    ///
    /// # Errors
    /// [`NotationError::Position`] for every text that is not a position under these rules.
    fn from_fen(text: &str, rules: &Self::Rules) -> Result<Self, NotationError>;
    /// Writes the position so that [`Game::from_fen`] reads it back.
    fn to_fen(&self) -> String;
    /// Reads a move and checks that it is legal here.
    ///
    /// # Errors
    /// [`NotationError::Move`] or [`NotationError::Illegal`].
    fn parse_move(&self, text: &str) -> Result<Self::Move, NotationError>;
    /// Writes a legal move so that [`Game::parse_move`] reads it back. Without blanks.
    fn format_move(&self, mv: Self::Move) -> String;
    /// Writes a legal move for an engine that speaks `dialect`. Without blanks.
    fn spell_move(&self, mv: Self::Move, _dialect: Dialect) -> String {
        self.format_move(mv)
    }
    /// Reads a move of an engine that speaks `dialect` and checks that it is legal here.
    ///
    /// # Errors
    /// As [`Game::parse_move`].
    fn parse_spelled(&self, text: &str, _dialect: Dialect) -> Result<Self::Move, NotationError> {
        self.parse_move(text)
    }
    /// Writes the position for an engine that speaks `dialect`. For Gomocup: the stones as moves
    /// in the order in which they were set, with blanks between them, the last by the side that
    /// is not to move; empty for the empty board.
    fn spell_position(&self, _dialect: Dialect) -> String {
        self.to_fen()
    }
    /// Whether an engine that speaks `dialect` is told the position after `mv` in place of all
    /// moves up to it. UCCI asks for that after every capture.
    fn starts_afresh(&self, _mv: Self::Move, _dialect: Dialect) -> bool {
        false
    }
    /// The board for people to look at.
    fn diagram(&self) -> Diagram;
}

/// How other programs write a game as PGN.
pub struct Pgn<G: Game> {
    /// The header `Variant` of games under these rules; `None` where they carry none.
    pub variant: fn(&G::Rules) -> Option<&'static str>,
    /// Whether a header `Variant` of this value may stand for these rules.
    pub is_variant: fn(&G::Rules, &str) -> bool,
    /// Reads a move of the movetext and checks that it is legal here.
    pub parse_move: fn(&G, &str) -> Result<G::Move, NotationError>,
    /// Writes a legal move for the movetext.
    pub format_move: fn(&G, G::Move) -> String,
}

/// A game of two sides that move in turn.
pub trait TwoPlayer: Game {
    /// The game's PGN, if other programs have one for it.
    const PGN: Option<Pgn<Self>> = None;
    /// Who is to move.
    fn side_to_move(&self) -> Side;
    /// The outcome, if the game is over. `history` ends with this position.
    fn outcome(&self, history: &History<Self>) -> Option<Outcome>;
    /// The position as if it were the first of a game: nothing is counted that would draw it.
    #[must_use]
    fn afresh(&self) -> Self {
        self.clone()
    }
}

/// A game of one player, who wants to come to a solved position.
pub trait Solitaire: Game {
    /// The numbers of its deals.
    const DEALS: RangeInclusive<u32>;
    /// The deal of a number; `None` outside [`Solitaire::DEALS`].
    fn deal(number: u32) -> Option<Self>;
    /// Whether there is nothing left to do.
    fn is_solved(&self) -> bool;
    /// How many pieces a move moves.
    fn pieces(_mv: Self::Move) -> u32 {
        1
    }
    /// Reads a position in the format of a file: as [`Game::from_fen`], or as other programs write
    /// it.
    ///
    /// # Errors
    /// As [`Game::from_fen`].
    fn read_board(text: &str) -> Result<Self, NotationError>;
    /// Replays the text of a solution from the text of a position, by a second implementation of the
    /// rules.
    ///
    /// # Errors
    /// The first move that is not allowed, or what is not solved at the end.
    fn check_solution(position: &str, moves: &str) -> Result<CheckedSolution, SolutionError>;
}

/// A solution that is right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckedSolution {
    /// Its moves.
    pub moves: u32,
    /// The pieces moved, one by one.
    pub pieces: u32,
    /// Moves that may be read in more than one way, where only another one than the usual leads to
    /// the end.
    pub guessed: u32,
}

/// Why a solution is none.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SolutionError {
    /// The position to start from is none.
    #[error(transparent)]
    Position(#[from] NotationError),
    /// A move that is not allowed.
    #[error("move {number} (`{}`): {reason}; before it: {position}", shorten(mv))]
    Move {
        /// Its number, from 1.
        number: u32,
        /// Its text.
        mv: String,
        /// The position before it.
        position: String,
        /// What is wrong.
        reason: String,
    },
    /// All moves are allowed, but they do not solve it.
    #[error("not solved after {number} moves: {reason}; at the end: {position}")]
    Unsolved {
        /// The number of moves.
        number: u32,
        /// The last position.
        position: String,
        /// What is left.
        reason: String,
    },
}

/// What has been played up to the current position, for the rules that look back.
#[derive(Clone, Debug)]
pub struct History<G: Game> {
    start: G,
    moves: Vec<G::Move>,
    keys: Vec<u64>,
}

impl<G: Game> History<G> {
    /// A history that begins (and so far ends) with `start`.
    pub fn new(start: G) -> History<G> {
        let keys = vec![start.key()];
        History {
            start,
            moves: Vec::new(),
            keys,
        }
    }

    /// Adds a move and the position after it.
    pub fn push(&mut self, mv: G::Move, after: &G) {
        self.moves.push(mv);
        self.keys.push(after.key());
    }

    /// Takes the last move back.
    pub fn pop(&mut self) {
        if self.moves.pop().is_some() {
            self.keys.pop();
        }
    }

    /// The first position.
    pub fn start(&self) -> &G {
        &self.start
    }

    /// The moves played since the first position.
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// The keys of all positions, the first and the current one included.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// The number of moves since the first position.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }
}
