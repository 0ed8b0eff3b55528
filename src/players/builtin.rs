//! A built-in search as a player.

use super::{Fault, GameSetup, Player, Reply, Turn};
use crate::game::{Game, Side, TwoPlayer};
use crate::openings::book::Book;
use crate::results::Searched;
use crate::search::{Control, Search};

/// Asks a search of agon's own.
pub struct BuiltInPlayer<G: Game> {
    search: Box<dyn Search<G>>,
    /// What is played without a search.
    book: Option<Book<G>>,
    /// That of the game in play.
    seed: u64,
}

impl<G: Game> BuiltInPlayer<G> {
    /// A player that asks `search`.
    #[must_use]
    pub fn new(search: Box<dyn Search<G>>) -> BuiltInPlayer<G> {
        BuiltInPlayer {
            search,
            book: None,
            seed: 0,
        }
    }

    /// The same player with a book.
    #[must_use]
    pub fn with_book(self, book: Option<Book<G>>) -> BuiltInPlayer<G> {
        BuiltInPlayer { book, ..self }
    }
}

/// The seed of a built-in search in a game: two players of one game must not draw the same noise.
#[must_use]
pub fn built_in_seed(game: u64, role: Side) -> u64 {
    game ^ ((role.index() as u64) << 53)
}

impl<G: TwoPlayer> Player<G> for BuiltInPlayer<G> {
    fn new_game(&mut self, setup: &GameSetup<'_, G>) -> Result<(), Fault> {
        self.seed = built_in_seed(setup.seed, setup.role);
        self.search.new_game(self.seed);
        Ok(())
    }

    fn choose_move(&mut self, turn: &Turn<'_, G>) -> Result<Reply<G::Move>, Fault> {
        let ply = turn.history.plies();
        let book = self.book.as_ref();
        if let Some(mv) = book.and_then(|book| book.choose(turn.position, self.seed, ply)) {
            return Ok(Reply {
                mv,
                score: None,
                searched: None,
                spent: None,
            });
        }
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
