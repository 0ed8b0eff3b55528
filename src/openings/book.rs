//! Opening books: which moves a built-in engine plays without a search.
//!
//! A text file with an entry a line; `start` is the start position, and the entries of a position
//! add up:
//!
//! ```text
//! # a comment
//! position | move | weight
//! ```
//!
//! A position that is not in the book is looked up as its mirror image
//! ([`Game::mirror_key`]). Which move is played, the game's seed and the ply decide, in
//! proportion to the weights.

use std::collections::HashMap;
use std::fmt;

use thiserror::Error;

use super::{SHOWN_LINES, START, TextError, decode, lines};
use crate::game::{Game, History, NotationError, TwoPlayer};
use crate::results::{BookEntry, BookSpec};
use crate::search::Noise;

/// The largest weight: the sum over all moves of a position stays a small number.
pub const LARGEST_WEIGHT: u32 = 1_000_000;

/// What is wrong with one line of a book.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BookError {
    /// It has not three fields.
    #[error("expected `position | move | weight`, found {found} fields")]
    Fields {
        /// How many fields there are.
        found: usize,
    },
    /// Its position or its move is none.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// Nobody moves there.
    #[error("the game is over in `{position}` ({reason})")]
    Over {
        /// The position.
        position: String,
        /// Why.
        reason: String,
    },
    /// Its weight is none.
    #[error("the weight is `{0}`, but must be a whole number from 1 to {LARGEST_WEIGHT}")]
    Weight(String),
    /// An earlier line has the same move of the same position.
    #[error("the move `{mv}` of this position stands in line {earlier} too")]
    Repeated {
        /// The move.
        mv: String,
        /// The earlier line.
        earlier: usize,
    },
}

/// All that is wrong with a book.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BookErrors {
    /// It is not text that can be read.
    Text(#[from] TextError),
    /// Bad lines, with their numbers from 1.
    Lines(Vec<(usize, BookError)>),
    /// There is no entry in it.
    Empty,
    /// The game has no books.
    NoBooks(&'static str),
}

impl fmt::Display for BookErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BookErrors::Text(error) => error.fmt(f),
            BookErrors::Empty => f.write_str("there is no entry in it"),
            BookErrors::NoBooks(game) => write!(f, "{game} has no opening books"),
            BookErrors::Lines(lines) => {
                for (index, (line, error)) in lines.iter().take(SHOWN_LINES).enumerate() {
                    let start = if index == 0 { "" } else { "\n" };
                    write!(f, "{start}line {line}: {error}")?;
                }
                match lines.len().saturating_sub(SHOWN_LINES) {
                    0 => Ok(()),
                    more => write!(
                        f,
                        "\nand {more} more lines; is this book for another game or other rules?"
                    ),
                }
            }
        }
    }
}

/// The moves of a position, with their weights.
#[derive(Clone, Debug)]
struct Place<M> {
    key: u64,
    moves: Vec<(M, u32)>,
}

/// A book to look positions up in.
#[derive(Clone, Debug)]
pub struct Book<G: Game> {
    /// Sorted by key.
    places: Vec<Place<G::Move>>,
}

impl<G: TwoPlayer> Book<G> {
    /// The book of a run.
    ///
    /// # Errors
    /// [`BookErrors`], with an entry's number in place of a line's: none in a book of [`read`]
    /// under the same rules.
    pub fn new(spec: &BookSpec, rules: &G::Rules) -> Result<Book<G>, BookErrors> {
        let lines: Vec<String> = spec.lines().collect();
        let numbered = lines.iter().enumerate();
        let reader = Reader::<G>::of(numbered.map(|(at, line)| (at + 1, line.as_str())), rules)?;
        let place = |(key, place): (u64, Read<G>)| {
            let moves = place.moves.into_iter();
            let moves = moves.map(|read| (read.mv, read.weight)).collect();
            Place { key, moves }
        };
        let mut places: Vec<Place<G::Move>> = reader.places.into_iter().map(place).collect();
        places.sort_by_key(|place| place.key);
        Ok(Book { places })
    }

    fn moves(&self, key: u64) -> Option<&[(G::Move, u32)]> {
        let found = self.places.binary_search_by_key(&key, |place| place.key);
        found.ok().map(|at| self.places[at].moves.as_slice())
    }

    /// The move of a position in the game with this seed, `ply` plies after its start; `None`
    /// where the book has neither it nor its mirror image.
    #[must_use]
    pub fn choose(&self, position: &G, seed: u64, ply: usize) -> Option<G::Move> {
        let mirrored = || self.moves(position.mirror_key()?);
        let (moves, is_mirrored) = match self.moves(position.key()) {
            Some(moves) => (moves, false),
            None => (mirrored()?, true),
        };
        let total = moves.iter().map(|(_, weight)| weight).sum();
        let mut left = Noise::new(seed, ply).below(total);
        let chosen = moves.iter().find(|(_, weight)| {
            let is_it = left < *weight;
            left = left.saturating_sub(*weight);
            is_it
        });
        let mv = chosen.map(|(mv, _)| *mv)?;
        let mv = if is_mirrored {
            position.mirror_move(mv)
        } else {
            mv
        };
        // Two positions may share a key.
        position.is_legal(mv).then_some(mv)
    }
}

/// Reads and checks a book.
///
/// # Errors
/// [`BookErrors`] with every bad line.
pub fn read<G: TwoPlayer>(bytes: &[u8], rules: &G::Rules) -> Result<BookSpec, BookErrors> {
    let text = decode(bytes)?;
    let reader = Reader::<G>::of(lines(&text), rules)?;
    let mut entries = Vec::new();
    for Read { position, moves } in reader.places.into_values() {
        entries.extend(moves.into_iter().map(|read| BookEntry {
            position: position.clone(),
            mv: read.text,
            weight: read.weight,
        }));
    }
    entries.sort_by(|a, b| (&a.position, &a.mv).cmp(&(&b.position, &b.mv)));
    Ok(BookSpec { entries })
}

/// A position as it is read.
struct Read<G: Game> {
    /// As its first entry has it: counters of moves may differ.
    position: String,
    moves: Vec<ReadMove<G::Move>>,
}

struct ReadMove<M> {
    mv: M,
    text: String,
    weight: u32,
    line: usize,
}

struct Reader<'a, G: Game> {
    rules: &'a G::Rules,
    places: HashMap<u64, Read<G>>,
}

impl<'a, G: TwoPlayer> Reader<'a, G> {
    /// Reads all lines, which have their numbers.
    fn of<'l>(
        lines: impl Iterator<Item = (usize, &'l str)>,
        rules: &'a G::Rules,
    ) -> Result<Reader<'a, G>, BookErrors> {
        let places = HashMap::new();
        let mut reader = Reader { rules, places };
        let wrong = |(number, line)| Some((number, reader.line(number, line).err()?));
        let errors: Vec<(usize, BookError)> = lines.filter_map(wrong).collect();
        if !errors.is_empty() {
            Err(BookErrors::Lines(errors))
        } else if reader.places.is_empty() {
            Err(BookErrors::Empty)
        } else {
            Ok(reader)
        }
    }

    fn line(&mut self, line: usize, text: &str) -> Result<(), BookError> {
        let fields: Vec<&str> = text.split('|').map(str::trim).collect();
        let [place, mv, weight] = fields[..] else {
            let found = fields.len();
            return Err(BookError::Fields { found });
        };
        let position = match place {
            START => G::start(self.rules),
            fen => G::from_fen(fen, self.rules)?,
        };
        if let Some(outcome) = position.outcome(&History::new(position.clone())) {
            return Err(BookError::Over {
                position: place.to_owned(),
                reason: outcome.reason,
            });
        }
        let mv = position.parse_move(mv)?;
        let text = position.format_move(mv);
        let number = weight.parse().ok();
        let weight = number
            .filter(|weight| (1..=LARGEST_WEIGHT).contains(weight))
            .ok_or_else(|| BookError::Weight(weight.to_owned()))?;
        let place = self.places.entry(position.key()).or_insert_with(|| Read {
            position: position.to_fen(),
            moves: Vec::new(),
        });
        if let Some(earlier) = place.moves.iter().find(|other| other.mv == mv) {
            let earlier = earlier.line;
            return Err(BookError::Repeated { mv: text, earlier });
        }
        place.moves.push(ReadMove {
            mv,
            text,
            weight,
            line,
        });
        Ok(())
    }
}
