//! Opening suites: text files of one opening a line.
//!
//! ```text
//! # a comment
//! name | start | moves separated by blanks
//! name | a position's text
//! name | a position's text | moves from there
//! ```
//!
//! Every line is checked before the first game; all bad lines are reported at once.

mod text;

use std::collections::HashMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use text::{TextError, decode};

use crate::game::{Game, History, NotationError, TwoPlayer};
use crate::results::OpeningSpec;

/// The word for the start position.
pub const START: &str = "start";

/// A checked suite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suite {
    /// The openings in file order.
    pub openings: Vec<OpeningSpec>,
    /// The lines whose position an earlier line has.
    pub duplicates: Vec<Duplicate>,
}

impl Suite {
    /// Leaves out the openings whose position an earlier one has.
    pub fn drop_duplicates(&mut self) {
        self.openings.retain(|opening| opening.same_as.is_none());
    }

    /// How many positions its openings end in.
    #[must_use]
    pub fn distinct(&self) -> usize {
        let first = |opening: &&OpeningSpec| opening.same_as.is_none();
        self.openings.iter().filter(first).count()
    }
}

/// A line whose position an earlier line has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// The later line, from 1.
    pub line: usize,
    /// The earlier line.
    pub earlier: usize,
}

/// What is done with an opening whose position an earlier one has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DuplicateRule {
    /// It is left out.
    #[default]
    Drop,
    /// It is played like any other.
    Keep,
}

/// What is wrong with one line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LineError {
    /// It has no `|` or too many.
    #[error("expected `name | position` or `name | position | moves`, found {found} fields")]
    Fields {
        /// How many fields there are.
        found: usize,
    },
    /// It has no name.
    #[error("the opening has no name")]
    NoName,
    /// A control character, which no row could hold.
    #[error("the line has the control character {0:?}")]
    Control(char),
    /// An earlier line has the same name.
    #[error("the name `{name}` stands in line {earlier} too")]
    RepeatedName {
        /// The name.
        name: String,
        /// The earlier line.
        earlier: usize,
    },
    /// Its position does not parse.
    #[error(transparent)]
    Position(NotationError),
    /// A move does not parse or is illegal.
    #[error("move {ply} (`{text}`): {source}")]
    Move {
        /// The move's number, from 1.
        ply: usize,
        /// Its text.
        text: String,
        /// What is wrong.
        source: NotationError,
    },
    /// Nothing is left to play.
    #[error("the game is over after {plies} moves ({reason})")]
    Over {
        /// After how many of the moves.
        plies: usize,
        /// Why.
        reason: String,
    },
}

/// All that is wrong with a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SuiteErrors {
    /// It is not text that can be read.
    Text(TextError),
    /// Bad lines, with their numbers from 1.
    Lines(Vec<(usize, LineError)>),
    /// There is no opening in it.
    Empty,
}

/// How many bad lines are shown; a suite of the wrong game is bad in all.
const SHOWN_LINES: usize = 10;

impl fmt::Display for SuiteErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SuiteErrors::Text(error) => error.fmt(f),
            SuiteErrors::Empty => f.write_str("there is no opening in it"),
            SuiteErrors::Lines(lines) => {
                for (index, (line, error)) in lines.iter().take(SHOWN_LINES).enumerate() {
                    write!(
                        f,
                        "{}line {line}: {error}",
                        if index == 0 { "" } else { "\n" }
                    )?;
                }
                match lines.len().saturating_sub(SHOWN_LINES) {
                    0 => Ok(()),
                    more => write!(
                        f,
                        "\nand {more} more lines; is this suite for another game or other rules?"
                    ),
                }
            }
        }
    }
}

/// Reads and checks a suite.
///
/// # Errors
/// [`SuiteErrors`] with every bad line.
pub fn read<G: TwoPlayer>(bytes: &[u8], rules: &G::Rules) -> Result<Suite, SuiteErrors> {
    let text = decode(bytes).map_err(SuiteErrors::Text)?;
    let mut reader = Reader::<G> {
        rules,
        names: HashMap::new(),
        keys: HashMap::new(),
    };
    let mut suite = Suite::default();
    let mut errors = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line_number = index + 1;
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match reader.line(line_number, suite.openings.len(), line) {
            Ok((opening, earlier)) => {
                suite.openings.push(opening);
                suite.duplicates.extend(earlier.map(|earlier| Duplicate {
                    line: line_number,
                    earlier,
                }));
            }
            Err(error) => errors.push((line_number, error)),
        }
    }
    if !errors.is_empty() {
        Err(SuiteErrors::Lines(errors))
    } else if suite.openings.is_empty() {
        Err(SuiteErrors::Empty)
    } else {
        Ok(suite)
    }
}

/// Writes a suite so that [`read`] gives the same openings.
#[must_use]
pub fn write(openings: &[OpeningSpec]) -> String {
    openings
        .iter()
        .map(|opening| {
            let line = format!(
                "{} | {} | {}",
                opening.name,
                opening.fen,
                opening.moves.join(" ")
            );
            line.trim_end_matches([' ', '|']).to_owned() + "\n"
        })
        .collect()
}

struct Reader<'a, G: Game> {
    rules: &'a G::Rules,
    names: HashMap<String, usize>,
    /// By the position's key: the line and the index of the first opening that ends in it.
    keys: HashMap<u64, (usize, usize)>,
}

impl<G: TwoPlayer> Reader<'_, G> {
    /// The opening of a line, and the earlier line that has its position.
    fn line(
        &mut self,
        number: usize,
        index: usize,
        line: &str,
    ) -> Result<(OpeningSpec, Option<usize>), LineError> {
        if let Some(control) = line.chars().find(|c| c.is_control() && *c != '\t') {
            return Err(LineError::Control(control));
        }
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let (name, fen, moves) = match fields[..] {
            [name, fen] => (name, fen, ""),
            [name, fen, moves] => (name, fen, moves),
            _ => {
                return Err(LineError::Fields {
                    found: fields.len(),
                });
            }
        };
        if name.is_empty() {
            return Err(LineError::NoName);
        }
        if name.contains('\t') {
            return Err(LineError::Control('\t'));
        }
        if let Some(earlier) = self.names.insert(name.to_owned(), number) {
            return Err(LineError::RepeatedName {
                name: name.to_owned(),
                earlier,
            });
        }
        let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        let fen = if fen == START { None } else { Some(fen) };
        let (start, history) = replay::<G>(fen, &moves, self.rules)?;
        let position = history.1;
        let earlier = self.keys.get(&position.key()).copied();
        self.keys.entry(position.key()).or_insert((number, index));
        let opening = OpeningSpec {
            name: name.to_owned(),
            fen: start.to_fen(),
            moves: spell(&start, history.0.moves()),
            same_as: earlier.map(|(_, index)| index),
        };
        Ok((opening, earlier.map(|(line, _)| line)))
    }
}

/// Plays an opening's moves: the start, and the history with the position that it ends with.
///
/// # Errors
/// The first move that is not legal, or that comes after the end of the game.
pub fn replay<G: TwoPlayer>(
    fen: Option<&str>,
    moves: &[String],
    rules: &G::Rules,
) -> Result<(G, (History<G>, G)), LineError> {
    let start = match fen {
        None => G::start(rules),
        Some(fen) => G::from_fen(fen, rules).map_err(LineError::Position)?,
    };
    let mut history = History::new(start.clone());
    let mut position = start.clone();
    for (index, text) in moves.iter().enumerate() {
        not_over(&position, &history)?;
        let mv = position
            .parse_move(text)
            .map_err(|source| LineError::Move {
                ply: index + 1,
                text: text.clone(),
                source,
            })?;
        position.play(mv);
        history.push(mv, &position);
    }
    not_over(&position, &history)?;
    Ok((start, (history, position)))
}

fn not_over<G: TwoPlayer>(position: &G, history: &History<G>) -> Result<(), LineError> {
    match position.outcome(history) {
        None => Ok(()),
        Some(outcome) => Err(LineError::Over {
            plies: history.plies(),
            reason: outcome.reason,
        }),
    }
}

/// The moves in the game's own spelling.
fn spell<G: Game>(start: &G, moves: &[G::Move]) -> Vec<String> {
    let mut position = start.clone();
    moves
        .iter()
        .map(|mv| {
            let text = position.format_move(*mv);
            position.play(*mv);
            text
        })
        .collect()
}
