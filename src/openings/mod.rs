//! Opening suites: text files of openings, in one of three formats, which is found by the
//! content.
//!
//! agon's own has an opening a line:
//!
//! ```text
//! # a comment
//! name | start | moves separated by blanks
//! name | a position's text
//! name | a position's text | moves from there
//! ```
//!
//! EPD has a position a line ([`SuiteFormat::Epd`]), for every game by its own position texts.
//! PGN has games ([`SuiteFormat::Pgn`]), where the game has such a notation ([`crate::game::Pgn`]).
//!
//! Every line is checked before the first game; all bad lines are reported at once.

pub mod book;
mod epd;
mod pgn;
mod text;

use std::collections::HashMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use text::{TextError, decode};

use crate::game::{Game, History, NotationError, Pgn, Solitaire, TwoPlayer};
use crate::results::OpeningSpec;

/// The word for the start position.
pub const START: &str = "start";

/// A checked suite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suite {
    /// How the file is written.
    pub format: SuiteFormat,
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

/// How a suite is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SuiteFormat {
    /// agon's own: `name | position | moves`.
    #[default]
    Text,
    /// A position a line, opcodes behind it.
    Epd,
    /// Games with headers; each is an opening up to its last move.
    Pgn,
}

impl fmt::Display for SuiteFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SuiteFormat::Text => "text",
            SuiteFormat::Epd => "EPD",
            SuiteFormat::Pgn => "PGN",
        })
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
    /// It is not EPD.
    #[error("{0}")]
    Epd(String),
    /// It is not PGN.
    #[error("{0}")]
    Pgn(String),
    /// The game was played by other rules.
    #[error("the header Variant is `{0}`, which is not what these rules play")]
    Variant(String),
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
    /// The first line that is no comment is of no format.
    Unknown {
        /// The line, from 1.
        line: usize,
        /// Whether the game has PGN.
        pgn: bool,
    },
}

/// How many bad lines are shown; a suite of the wrong game is bad in all.
const SHOWN_LINES: usize = 10;

impl fmt::Display for SuiteErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SuiteErrors::Text(error) => error.fmt(f),
            SuiteErrors::Empty => f.write_str("there is no opening in it"),
            SuiteErrors::Unknown { line, pgn } => write!(
                f,
                "line {line}: neither `name | position | moves`, nor a position of EPD{}",
                if *pgn { ", nor PGN" } else { "" }
            ),
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
    let format = format_of(&text, G::PGN.is_some())?;
    let entries = match format {
        SuiteFormat::Text => by_line(&text, text_entry),
        SuiteFormat::Epd => by_line(&text, epd::entry),
        SuiteFormat::Pgn => pgn_entries(&text),
    };
    check(entries, format, Reader::<G>::new(rules, G::PGN, outcome))
}

/// Reads and checks a suite of a solitaire: agon's own format, where a line may also be a deal
/// and nothing else, which is then its name.
///
/// # Errors
/// [`SuiteErrors`] with every bad line.
pub fn read_deals<G: Solitaire>(bytes: &[u8], rules: &G::Rules) -> Result<Suite, SuiteErrors> {
    let text = decode(bytes).map_err(SuiteErrors::Text)?;
    if lines(&text).next().is_none() {
        return Err(SuiteErrors::Empty);
    }
    let entry = |line: usize, text: &str| {
        if text.contains('|') {
            return text_entry(line, text);
        }
        text_entry(line, &format!("{text} | {text}"))
    };
    let entries = by_line(&text, entry);
    check(
        entries,
        SuiteFormat::Text,
        Reader::<G>::new(rules, None, solved),
    )
}

/// Holds entries against the rules.
fn check<G: Game>(
    (entries, mut errors): Entries,
    format: SuiteFormat,
    mut reader: Reader<'_, G>,
) -> Result<Suite, SuiteErrors> {
    let mut suite = Suite {
        format,
        ..Suite::default()
    };
    for entry in entries {
        let line = entry.line;
        match reader.entry(suite.openings.len(), entry) {
            Ok((opening, earlier)) => {
                suite.openings.push(opening);
                suite
                    .duplicates
                    .extend(earlier.map(|earlier| Duplicate { line, earlier }));
            }
            Err(error) => errors.push(error),
        }
    }
    if !errors.is_empty() {
        errors.sort_by_key(|(line, _)| *line);
        Err(SuiteErrors::Lines(errors))
    } else if suite.openings.is_empty() {
        Err(SuiteErrors::Empty)
    } else {
        Ok(suite)
    }
}

/// The lines that are neither empty nor a comment, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let numbered = text.lines().enumerate();
    numbered
        .map(|(index, line)| (index + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// The comment that says that a suite is in agon's own format: without it a name may look like
/// the beginning of another one.
const OWN_FORMAT: &str = "# name | position | moves";

/// The format, by the first line that is no comment, or by [`OWN_FORMAT`].
fn format_of(text: &str, pgn: bool) -> Result<SuiteFormat, SuiteErrors> {
    if text.lines().next().map(str::trim_end) == Some(OWN_FORMAT) {
        return Ok(SuiteFormat::Text);
    }
    let Some((line, first)) = lines(text).next() else {
        return Err(SuiteErrors::Empty);
    };
    let mut words = first.split_whitespace();
    let word = words.next().unwrap_or_default();
    let board = word.matches('/').count() >= 2 && !word.contains('|');
    let number = first.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let numbered = number.len() < first.len() && number.trim_start().starts_with('.');
    if board && (matches!(words.next(), Some("w" | "b")) || !first.contains('|')) {
        Ok(SuiteFormat::Epd)
    } else if pgn && (pgn::is_header(first) || first.starts_with(['{', ';', '%'])) {
        Ok(SuiteFormat::Pgn)
    } else if first.contains('|') {
        Ok(SuiteFormat::Text)
    } else if pgn && (first.starts_with('[') || numbered) {
        Ok(SuiteFormat::Pgn)
    } else {
        Err(SuiteErrors::Unknown { line, pgn })
    }
}

/// An opening as a file has it, before anything of it is played.
#[derive(Default)]
struct Entry {
    line: usize,
    name: Name,
    variant: Option<String>,
    /// `None` is the start position.
    fen: Option<String>,
    moves: Vec<String>,
    /// The lines of the moves, where they have lines of their own.
    lines: Vec<usize>,
    /// Whether the moves are those of PGN.
    pgn: bool,
}

/// An opening's name.
enum Name {
    /// It was written for this suite, and must differ from the others.
    Given(String),
    /// It was written for something else, and is made to differ.
    Made(String),
}

impl Default for Name {
    fn default() -> Name {
        Name::Made(String::new())
    }
}

type Entries = (Vec<Entry>, Vec<(usize, LineError)>);

fn by_line(text: &str, read: impl Fn(usize, &str) -> Result<Entry, LineError>) -> Entries {
    let mut found: Entries = (Vec::new(), Vec::new());
    for (number, line) in lines(text) {
        match read(number, line) {
            Ok(entry) => found.0.push(entry),
            Err(error) => found.1.push((number, error)),
        }
    }
    found
}

fn text_entry(line: usize, text: &str) -> Result<Entry, LineError> {
    if let Some(control) = text.chars().find(|c| c.is_control() && *c != '\t') {
        return Err(LineError::Control(control));
    }
    let fields: Vec<&str> = text.split('|').map(str::trim).collect();
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
    Ok(Entry {
        line,
        name: Name::Given(name.to_owned()),
        fen: (fen != START).then(|| fen.to_owned()),
        moves: moves.split_whitespace().map(str::to_owned).collect(),
        ..Entry::default()
    })
}

fn pgn_entries(text: &str) -> Entries {
    let (games, errors) = pgn::games(text);
    let entry = |(index, game): (usize, pgn::PgnGame)| {
        let players = game.tag("White").zip(game.tag("Black"));
        let parts = [
            game.tag("Event").map(str::to_owned),
            game.tag("Round").map(|round| format!("round {round}")),
            players.map(|(white, black)| format!("{white}-{black}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let name = clean_name(&parts.join(", "));
        let is_set_up = game.tag("SetUp") != Some("0");
        Entry {
            line: game.line,
            name: Name::Made(name.unwrap_or_else(|| format!("game {}", index + 1))),
            variant: game.tag("Variant").map(str::to_owned),
            fen: game.tag("FEN").filter(|_| is_set_up).map(str::to_owned),
            lines: game.moves.iter().map(|(line, _)| *line).collect(),
            moves: game.moves.into_iter().map(|(_, text)| text).collect(),
            pgn: true,
        }
    };
    (games.into_iter().enumerate().map(entry).collect(), errors)
}

/// A name from another program's file that agon's own format can hold; `None` if nothing is left.
fn clean_name(name: &str) -> Option<String> {
    let plain = |symbol: char| match symbol {
        '|' => '/',
        control if control.is_control() => ' ',
        other => other,
    };
    let name: String = name.chars().map(plain).collect();
    let words: Vec<&str> = name.split_whitespace().collect();
    let name = words.join(" ").trim_start_matches(['#', ' ']).to_owned();
    (!name.is_empty()).then_some(name)
}

/// Writes a suite so that [`read`] gives the same openings.
#[must_use]
pub fn write(openings: &[OpeningSpec]) -> String {
    let line = |opening: &OpeningSpec| {
        let line = format!(
            "{} | {} | {}",
            opening.name,
            opening.fen,
            opening.moves.join(" ")
        );
        line.trim_end_matches([' ', '|']).to_owned() + "\n"
    };
    format!("{OWN_FORMAT}\n") + &openings.iter().map(line).collect::<String>()
}

/// Why nothing is left to play; `None` where there is something.
type Over<G> = fn(&G, &History<G>) -> Option<String>;

fn outcome<G: TwoPlayer>(position: &G, history: &History<G>) -> Option<String> {
    Some(position.outcome(history)?.reason)
}

fn solved<G: Solitaire>(position: &G, _history: &History<G>) -> Option<String> {
    position.is_solved().then(|| "solved".to_owned())
}

struct Reader<'a, G: Game> {
    rules: &'a G::Rules,
    pgn: Option<Pgn<G>>,
    over: Over<G>,
    names: HashMap<String, usize>,
    /// By the position's key: the line and the index of the first opening that ends in it.
    keys: HashMap<u64, (usize, usize)>,
}

impl<G: Game> Reader<'_, G> {
    fn new(rules: &G::Rules, pgn: Option<Pgn<G>>, over: Over<G>) -> Reader<'_, G> {
        Reader {
            rules,
            pgn,
            over,
            names: HashMap::new(),
            keys: HashMap::new(),
        }
    }

    /// The opening of an entry, and the earlier line that has its position.
    fn entry(
        &mut self,
        index: usize,
        entry: Entry,
    ) -> Result<(OpeningSpec, Option<usize>), (usize, LineError)> {
        let line = entry.line;
        let name = self.name(line, entry.name).map_err(|error| (line, error))?;
        if let (Some(variant), Some(pgn)) = (&entry.variant, &self.pgn)
            && !(pgn.is_variant)(self.rules, variant)
        {
            return Err((line, LineError::Variant(variant.clone())));
        }
        let parse = match &self.pgn {
            Some(Pgn { parse_move, .. }) if entry.pgn => *parse_move,
            _ => G::parse_move,
        };
        let fen = entry.fen.as_deref();
        let played = replay_until(fen, &entry.moves, self.rules, parse, self.over);
        let (start, (history, position)) = played.map_err(|error| {
            let at = match &error {
                LineError::Move { ply, .. } => entry.lines.get(ply - 1),
                LineError::Over { plies, .. } => entry.lines.get(plies.saturating_sub(1)),
                _ => None,
            };
            (at.copied().unwrap_or(line), error)
        })?;
        let earlier = self.keys.get(&position.key()).copied();
        self.keys.entry(position.key()).or_insert((line, index));
        let opening = OpeningSpec {
            name,
            fen: start.to_fen(),
            moves: spell(&start, history.moves()),
            same_as: earlier.map(|(_, index)| index),
        };
        Ok((opening, earlier.map(|(line, _)| line)))
    }

    /// A name that no earlier opening has.
    fn name(&mut self, line: usize, name: Name) -> Result<String, LineError> {
        let name = match name {
            Name::Given(name) if name.contains('\t') => return Err(LineError::Control('\t')),
            Name::Given(name) => match self.names.get(&name) {
                Some(&earlier) => return Err(LineError::RepeatedName { name, earlier }),
                None => name,
            },
            Name::Made(name) if self.names.contains_key(&name) => {
                let mut unique = format!("{name} (line {line})");
                while self.names.contains_key(&unique) {
                    unique += "'";
                }
                unique
            }
            Name::Made(name) => name,
        };
        self.names.insert(name.clone(), line);
        Ok(name)
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
    replay_until(fen, moves, rules, G::parse_move, outcome)
}

/// As [`replay`], with the moves as `parse` reads them, and as long as there are legal ones: whether
/// the game is over is for others to say.
///
/// # Errors
/// When the position or a move is not good.
pub(crate) fn replay_on<G: TwoPlayer>(
    fen: Option<&str>,
    moves: &[String],
    rules: &G::Rules,
    parse: fn(&G, &str) -> Result<G::Move, NotationError>,
) -> Result<(G, (History<G>, G)), LineError> {
    replay_until(fen, moves, rules, parse, |_, _| None)
}

/// As [`replay`], of a solitaire.
///
/// # Errors
/// As [`replay`].
pub fn replay_deal<G: Solitaire>(
    fen: Option<&str>,
    moves: &[String],
    rules: &G::Rules,
) -> Result<(G, (History<G>, G)), LineError> {
    replay_until(fen, moves, rules, G::parse_move, solved)
}

fn replay_until<G: Game>(
    fen: Option<&str>,
    moves: &[String],
    rules: &G::Rules,
    parse: fn(&G, &str) -> Result<G::Move, NotationError>,
    over: Over<G>,
) -> Result<(G, (History<G>, G)), LineError> {
    let start = match fen {
        None => G::start(rules),
        Some(fen) => G::from_fen(fen, rules).map_err(LineError::Position)?,
    };
    let mut history = History::new(start.clone());
    let mut position = start.clone();
    for (index, text) in moves.iter().enumerate() {
        not_over(&position, &history, over)?;
        let mv = parse(&position, text).map_err(|source| LineError::Move {
            ply: index + 1,
            text: text.clone(),
            source,
        })?;
        position.play(mv);
        history.push(mv, &position);
    }
    not_over(&position, &history, over)?;
    Ok((start, (history, position)))
}

fn not_over<G: Game>(position: &G, history: &History<G>, over: Over<G>) -> Result<(), LineError> {
    match over(position, history) {
        None => Ok(()),
        Some(reason) => Err(LineError::Over {
            plies: history.plies(),
            reason,
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
