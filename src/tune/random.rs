//! Random search: values drawn at random against the base, and the one that scored best.
//!
//! The baseline: a method that does not beat it does not learn from its games.

use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;

use super::zoom::told;
use super::{Answer, Axis, Estimate, Gain, Grid, Played, Proposal, TuneError, Tuner};
use crate::params::ParameterValues;
use crate::stats::{Estimates, LogisticElo, NORMAL_95, Tally};

/// Values that are drawn.
const VALUES: u32 = 10;

/// The method. See the module's text.
#[derive(Clone, Debug)]
pub struct RandomSearch(Grid);

impl RandomSearch {
    /// Ten values of `axis` by `seed`, `games` games in all.
    ///
    /// # Errors
    /// [`TuneError::Budget`] for less than a pair a value.
    pub fn new(axis: Axis, games: u32, seed: u64) -> Result<RandomSearch, TuneError> {
        if games < 2 * VALUES {
            return Err(TuneError::Budget {
                games,
                method: "random",
                needed: 2 * VALUES,
            });
        }
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let values: Vec<f64> = (0..VALUES).map(|_| axis.nearest(rng.random())).collect();
        // On a coarse grid some are one, and the others get their games.
        let different = Grid::new(axis.clone(), &values, VALUES, 1)?.values().len();
        let pairs = games / 2 / different as u32;
        Grid::new(axis, &values, VALUES, pairs).map(RandomSearch)
    }
}

impl Tuner for RandomSearch {
    fn axes(&self) -> &[Axis] {
        self.0.axes()
    }

    fn propose(&self, played: &[Played]) -> Vec<Proposal> {
        self.0.propose(played)
    }

    fn answer(&self, played: &[Played]) -> Answer {
        let axis = &self.axes()[0];
        let score = |played: &&Played| played.pairs.counts().score().value().unwrap_or(0.0);
        let best = played
            .iter()
            .max_by(|one, other| score(one).total_cmp(&score(other)));
        let value = best.map_or(axis.base(), |best| best.trial.candidate.get(axis.name()));
        let estimate = Estimate::new(axis, axis.place(value), None, (0.0, 1.0));
        let gain = best.and_then(|best| {
            let tally = Tally {
                pairs: best.pairs.counts(),
                ..Tally::default()
            };
            let interval = Estimates::of(&tally).win_rate?.interval?;
            let elo = |score: f64| LogisticElo::from_score(score.clamp(1e-3, 1.0 - 1e-3));
            let (low, high) = (elo(interval.low)?.0, elo(interval.high)?.0);
            Some((elo(score(&best))?.0, (high - low) / (2.0 * NORMAL_95)))
        });
        Answer::judge(vec![estimate], gain, None, told(played))
    }

    fn predict(&self, _: &[Played], _: &ParameterValues) -> Option<Gain> {
        None
    }

    fn planned_pairs(&self) -> u64 {
        self.0.planned_pairs()
    }

    fn planned_openings(&self) -> u64 {
        self.0.planned_openings()
    }
}
