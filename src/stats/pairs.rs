//! What is counted: games, pairs, and the exact score.
//!
//! Everything is the candidate's view. The two games of a pair share an opening and are
//! strongly linked, so a test counts pairs by their half points; drawn-drawn and won-lost
//! pairs are one cell, since both say the same about strength. Single games are kept beside
//! them, for the table that people read and for the trinomial test.

use serde::{Deserialize, Serialize};

/// The candidate's result in one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GameScore {
    /// Lost: no half point.
    Loss,
    /// Drawn: one half point.
    Draw,
    /// Won: two half points.
    Win,
}

impl GameScore {
    /// All results, worst first.
    pub const ALL: [GameScore; 3] = [GameScore::Loss, GameScore::Draw, GameScore::Win];

    /// Half points: 0, 1 or 2.
    #[must_use]
    pub fn half_points(self) -> u8 {
        match self {
            GameScore::Loss => 0,
            GameScore::Draw => 1,
            GameScore::Win => 2,
        }
    }
}

/// The candidate's half points in one pair, from 0 (both lost) to 4 (both won).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PairScore {
    /// Both lost.
    LostLost,
    /// One lost, one drawn.
    LostDrawn,
    /// Both drawn, or one won and one lost.
    Even,
    /// One won, one drawn.
    WonDrawn,
    /// Both won.
    WonWon,
}

impl PairScore {
    /// All outcomes, worst first: the order of the cells of [`PairCounts`].
    pub const ALL: [PairScore; 5] = [
        PairScore::LostLost,
        PairScore::LostDrawn,
        PairScore::Even,
        PairScore::WonDrawn,
        PairScore::WonWon,
    ];

    /// The outcome of a pair with these two legs.
    #[must_use]
    pub fn of_legs(leg0: GameScore, leg1: GameScore) -> PairScore {
        PairScore::ALL[usize::from(leg0.half_points() + leg1.half_points())]
    }

    /// Half points: 0 to 4.
    #[must_use]
    pub fn half_points(self) -> u8 {
        self as u8
    }
}

/// An exact score: half points out of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    /// Half points won: two for a win, one for a draw.
    pub half_points: u64,
    /// Games played.
    pub games: u64,
}

impl Score {
    /// The score as a number from 0 to 1, unknown without a game.
    #[must_use]
    pub fn value(self) -> Option<f64> {
        (self.games > 0).then(|| self.half_points as f64 / (2.0 * self.games as f64))
    }

    /// Whether the score is at least `ten_thousandths` / 10,000, compared as fractions of whole
    /// numbers: 549/1000 is below 0.55 and 550/1000 is not. `None` without a game.
    #[must_use]
    pub fn at_least(self, ten_thousandths: u32) -> Option<bool> {
        let (won, asked) = (
            u128::from(self.half_points) * 10_000,
            u128::from(ten_thousandths) * 2 * u128::from(self.games),
        );
        (self.games > 0).then_some(won >= asked)
    }
}

/// How often each pair outcome came up: LL, LD, DD or WL, WD, WW.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairCounts(pub [u64; 5]);

impl PairCounts {
    /// Counts one more pair.
    pub fn add(&mut self, pair: PairScore) {
        self.0[usize::from(pair.half_points())] += 1;
    }

    /// Number of pairs.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Number of games, two a pair.
    #[must_use]
    pub fn games(&self) -> u64 {
        2 * self.pairs()
    }

    /// The exact score.
    #[must_use]
    pub fn score(&self) -> Score {
        let half_points = (0..)
            .zip(self.0)
            .map(|(points, count)| points * count)
            .sum();
        Score {
            half_points,
            games: self.games(),
        }
    }

    /// The same pairs seen by the other side.
    #[must_use]
    pub fn reversed(&self) -> PairCounts {
        let mut cells = self.0;
        cells.reverse();
        PairCounts(cells)
    }
}

/// Games lost, drawn and won.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameCounts {
    /// Games lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games won.
    pub wins: u64,
}

impl GameCounts {
    /// Counts one more game.
    pub fn add(&mut self, game: GameScore) {
        match game {
            GameScore::Loss => self.losses += 1,
            GameScore::Draw => self.draws += 1,
            GameScore::Win => self.wins += 1,
        }
    }

    /// Number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.losses + self.draws + self.wins
    }

    /// The exact score.
    #[must_use]
    pub fn score(&self) -> Score {
        Score {
            half_points: self.draws + 2 * self.wins,
            games: self.games(),
        }
    }

    /// The share of games drawn, unknown without a game.
    #[must_use]
    pub fn draw_ratio(&self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| self.draws as f64 / games as f64)
    }

    /// Losses, draws, wins: the cells in order of half points.
    #[must_use]
    pub fn cells(&self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }

    /// The same games seen by the other side.
    #[must_use]
    pub fn reversed(&self) -> GameCounts {
        GameCounts {
            losses: self.wins,
            draws: self.draws,
            wins: self.losses,
        }
    }
}

/// All that a stop rule sees of a pairing: its whole pairs, and the games in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// The pairs.
    pub pairs: PairCounts,
    /// The games of those pairs.
    pub games: GameCounts,
}

impl Tally {
    /// Counts one more pair by its two legs.
    pub fn add(&mut self, leg0: GameScore, leg1: GameScore) {
        self.pairs.add(PairScore::of_legs(leg0, leg1));
        self.games.add(leg0);
        self.games.add(leg1);
    }

    /// A tally of `pairs` pairs in which every game ended with `game`: the extreme cases.
    #[must_use]
    pub fn uniform(game: GameScore, pairs: u64) -> Tally {
        let mut tally = Tally::default();
        tally.add(game, game);
        let cells = tally.pairs.0.map(|count| count * pairs);
        let games = [0, 1, 2].map(|cell| tally.games.cells()[cell] * pairs);
        Tally {
            pairs: PairCounts(cells),
            games: GameCounts {
                losses: games[0],
                draws: games[1],
                wins: games[2],
            },
        }
    }

    /// The same games seen by the other side.
    #[must_use]
    pub fn reversed(&self) -> Tally {
        Tally {
            pairs: self.pairs.reversed(),
            games: self.games.reversed(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn won_and_lost_counts_as_two_draws() {
        let mut tally = Tally::default();
        tally.add(GameScore::Win, GameScore::Loss);
        tally.add(GameScore::Draw, GameScore::Draw);
        tally.add(GameScore::Win, GameScore::Draw);
        assert_eq!(tally.pairs, PairCounts([0, 0, 2, 1, 0]));
        assert_eq!(tally.games.cells(), [1, 3, 2]);
        assert_eq!(tally.pairs.score(), tally.games.score());
        assert_eq!(tally.reversed().pairs, PairCounts([0, 1, 2, 0, 0]));
    }

    #[test]
    fn thresholds_compare_as_exact_fractions() {
        let score = |wins: u64, games| Score {
            half_points: 2 * wins,
            games,
        };
        assert_eq!(score(549, 1000).at_least(5500), Some(false));
        assert_eq!(score(550, 1000).at_least(5500), Some(true));
        assert_eq!(score(0, 0).at_least(5500), None);
        assert_eq!(score(0, 0).value(), None);
        let huge = Score {
            half_points: u64::MAX,
            games: u64::MAX,
        };
        assert_eq!(huge.at_least(5000), Some(true));
    }

    #[test]
    fn uniform_tallies_are_all_of_one_kind() {
        let all_won = Tally::uniform(GameScore::Win, 7);
        assert_eq!(all_won.pairs, PairCounts([0, 0, 0, 0, 7]));
        assert_eq!(all_won.games.cells(), [0, 0, 14]);
    }
}
