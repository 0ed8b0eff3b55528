//! A built-in search as a player.

use super::{Fault, GameSetup, Player, Reply, Turn};
use crate::game::{Game, Side};
use crate::results::Searched;
use crate::search::{Control, Search};

/// Asks a search of agon's own.
pub struct BuiltInPlayer<G: Game> {
    search: Box<dyn Search<G>>,
}

impl<G: Game> BuiltInPlayer<G> {
    /// A player that asks `search`.
    #[must_use]
    pub fn new(search: Box<dyn Search<G>>) -> BuiltInPlayer<G> {
        BuiltInPlayer { search }
    }
}

/// The seed of a built-in search in a game: two players of one game must not draw the same noise.
#[must_use]
pub fn built_in_seed(game: u64, role: Side) -> u64 {
    game ^ ((role.index() as u64) << 53)
}

impl<G: Game> Player<G> for BuiltInPlayer<G> {
    fn new_game(&mut self, setup: &GameSetup<'_, G>) -> Result<(), Fault> {
        self.search.new_game(built_in_seed(setup.seed, setup.role));
        Ok(())
    }

    fn choose_move(&mut self, turn: &Turn<'_, G>) -> Result<Reply<G::Move>, Fault> {
        let mut control = Control::new(turn.limits, turn.stop);
        let report = self
            .search
            .search(turn.position, turn.history, &mut control);
        let searched = report.searched.then_some(Searched {
            depth: report.depth,
            nodes: report.nodes,
        });
        Ok(Reply {
            mv: report.mv,
            score: report.score,
            searched,
            spent: None,
        })
    }
}
