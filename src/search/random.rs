//! A legal move at random: the opponent that everyone beats.

use super::noise::Noise;
use super::{Control, Search, SearchReport};
use crate::game::{Game, History};

/// Plays every legal move with the same probability.
#[derive(Debug, Default)]
pub struct Random {
    seed: u64,
}

impl Random {
    /// A player with seed 0, until a game begins.
    #[must_use]
    pub fn new() -> Random {
        Random::default()
    }
}

impl<G: Game> Search<G> for Random {
    fn new_game(&mut self, seed: u64) {
        self.seed = seed;
    }

    fn search_among(
        &mut self,
        _position: &G,
        history: &History<G>,
        moves: Vec<G::Move>,
        _control: &mut Control<'_>,
    ) -> SearchReport<G::Move> {
        let count = u32::try_from(moves.len()).unwrap_or(u32::MAX);
        let mv = moves[Noise::new(self.seed, history.plies()).below(count) as usize];
        SearchReport {
            score: None,
            searched: moves.len() > 1,
            ..SearchReport::unsearched(mv)
        }
    }
}
