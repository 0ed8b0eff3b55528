//! An opening book as a run holds it: plain data, in one order whatever the file's was.

use serde::{Deserialize, Serialize};

/// The entries of a book; those of a position stand together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BookSpec {
    /// The entries, by the text of the position and of the move.
    pub entries: Vec<BookEntry>,
}

/// A move of a position, and how often it is chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BookEntry {
    /// The position's text.
    pub position: String,
    /// The move, in the game's notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its share of the sum of the position's weights, from 1.
    pub weight: u32,
}

impl BookSpec {
    /// Whether some position has more moves than one: which is played depends on the seed.
    #[must_use]
    pub fn has_choice(&self) -> bool {
        let mut both = self.entries.windows(2);
        both.any(|both| both[0].position == both[1].position)
    }

    /// The lines of a file that reads as this book.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.entries.iter().map(|entry| {
            let BookEntry {
                position,
                mv,
                weight,
            } = entry;
            format!("{position} | {mv} | {weight}")
        })
    }
}
