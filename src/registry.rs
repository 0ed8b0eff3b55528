//! THE list of games. A game is added by one line here: `two_player` where agon has an engine
//! of its own for it, `rules_only` where other programs play it, `solitaire` where one player
//! solves a deal.

use crate::game::TwoPlayer;
use crate::games::amazons::Amazons;
use crate::games::chess::Chess;
use crate::games::fox_geese::FoxGeese;
use crate::games::freecell::FreeCell;
use crate::games::gomoku::Gomoku;
use crate::games::xiangqi::Xiangqi;
use crate::play::{Arena, SolitaireArena, TwoPlayerArena};
use crate::search::Solvable;
use crate::verify::Verify;

/// One game: its name and what opens its arena.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name in configs and commands.
    pub name: &'static str,
    /// The names of its two roles.
    pub roles: [&'static str; 2],
    /// Whether agon has an engine of its own for it.
    pub has_own_engine: bool,
    open: fn(serde_json::Value) -> Result<Box<dyn Arena>, String>,
}

const GAMES: &[Entry] = &[
    two_player::<Amazons>(),
    rules_only::<Chess>(),
    two_player::<FoxGeese>(),
    solitaire::<FreeCell>(),
    two_player::<Gomoku>(),
    two_player::<Xiangqi>(),
];

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

/// A game that other programs play.
const fn rules_only<G: TwoPlayer>() -> Entry {
    Entry {
        name: G::NAME,
        roles: G::ROLES,
        has_own_engine: false,
        open: |rules| {
            let rules = serde_json::from_value(rules).map_err(|error| error.to_string())?;
            Ok(Box::new(TwoPlayerArena::<G>::rules_only(rules)?))
        },
    }
}

/// A solitaire with a built-in solver.
const fn solitaire<G: Solvable>() -> Entry {
    Entry {
        name: G::NAME,
        roles: G::ROLES,
        has_own_engine: false,
        open: |rules| {
            let rules = serde_json::from_value(rules).map_err(|error| error.to_string())?;
            Ok(Box::new(SolitaireArena::<G>::new(rules)?))
        },
    }
}

/// A game with a built-in engine.
const fn two_player<G: Verify>() -> Entry {
    Entry {
        name: G::NAME,
        roles: G::ROLES,
        has_own_engine: true,
        open: |rules| {
            let rules = serde_json::from_value(rules).map_err(|error| error.to_string())?;
            Ok(Box::new(TwoPlayerArena::<G>::new(rules)?))
        },
    }
}
