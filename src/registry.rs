//! THE list of games. A game is added by one line here.

use crate::games::amazons::Amazons;
use crate::play::{Arena, TwoPlayerArena};
use crate::verify::Verify;

/// One game: its name and what opens its arena.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name in configs and commands.
    pub name: &'static str,
    open: fn(serde_json::Value) -> Result<Box<dyn Arena>, String>,
}

const GAMES: &[Entry] = &[two_player::<Amazons>()];

/// All games.
#[must_use]
pub fn games() -> &'static [Entry] {
    GAMES
}

/// The game of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Entry> {
    GAMES.iter().find(|entry| entry.name == name)
}

impl Entry {
    /// The game under these rules; an empty object is the default rules.
    ///
    /// # Errors
    /// A fragment that names what is wrong with the rules.
    pub fn open(&self, rules: serde_json::Value) -> Result<Box<dyn Arena>, String> {
        (self.open)(rules)
    }
}

const fn two_player<G: Verify>() -> Entry {
    Entry {
        name: G::NAME,
        open: |rules| {
            let rules = serde_json::from_value(rules).map_err(|error| error.to_string())?;
            Ok(Box::new(TwoPlayerArena::<G>::new(rules)?))
        },
    }
}
