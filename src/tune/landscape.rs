//! Simulated landscapes: how strength depends on a parameter whose truth is known.

use serde::{Deserialize, Serialize};

use crate::stats::{GameModel, LogisticElo};

/// Elo over a range from 0 to 1, the default being 0.5. Unless said otherwise the best place is
/// drawn from 0.2 to 0.8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Landscape {
    /// A parabola, 30 Elo lost at a distance of half the range.
    Quad30,
    /// A parabola, 100 Elo lost there.
    Quad100,
    /// A parabola, 300 Elo lost there.
    Quad300,
    /// Steep below the best place (900 Elo times the distance squared) and gentle above (200).
    Skew,
    /// 1,600 Elo times the fourth power of the distance: flat around the best place.
    Quartic,
    /// Flat within 0.15 of the best place, and 300 Elo a unit of distance beyond.
    Cliff,
    /// Rises by 60 Elo towards its high end.
    Edge,
    /// Does nothing.
    Flat,
    /// Does nothing, and the games of a pair are the same games, whichever values meet in it: what
    /// common random numbers make of a parameter without effect.
    Linked,
}

impl Landscape {
    /// All of them.
    pub const ALL: [Landscape; 9] = [
        Landscape::Quad30,
        Landscape::Quad100,
        Landscape::Quad300,
        Landscape::Skew,
        Landscape::Quartic,
        Landscape::Cliff,
        Landscape::Edge,
        Landscape::Flat,
        Landscape::Linked,
    ];

    /// Where best places lie.
    pub const BEST: (f64, f64) = (0.2, 0.8);

    /// The name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Landscape::Quad30 => "quad30",
            Landscape::Quad100 => "quad100",
            Landscape::Quad300 => "quad300",
            Landscape::Skew => "skew",
            Landscape::Quartic => "quartic",
            Landscape::Cliff => "cliff",
            Landscape::Edge => "edge",
            Landscape::Flat => "flat",
            Landscape::Linked => "linked",
        }
    }

    /// Elo lost at `place` against the best place, which is `best` where it is not given by the
    /// landscape; from 0 upwards.
    #[must_use]
    pub fn regret(self, place: f64, best: f64) -> f64 {
        let ahead = place - best;
        match self {
            Landscape::Quad30 => 120.0 * ahead * ahead,
            Landscape::Quad100 => 400.0 * ahead * ahead,
            Landscape::Quad300 => 1200.0 * ahead * ahead,
            Landscape::Skew if ahead < 0.0 => 900.0 * ahead * ahead,
            Landscape::Skew => 200.0 * ahead * ahead,
            Landscape::Quartic => 1600.0 * ahead.powi(4),
            Landscape::Cliff => 300.0 * (ahead.abs() - 0.15).max(0.0),
            Landscape::Edge => 60.0 * (1.0 - place),
            Landscape::Flat | Landscape::Linked => 0.0,
        }
    }
}

impl Landscape {
    /// Whether something can be lost on it.
    #[must_use]
    pub fn is_uneven(self) -> bool {
        !matches!(self, Landscape::Flat | Landscape::Linked)
    }
}

/// Games between settings that differ by `elo`. `draw_ratio` is the share of games drawn, less
/// where so many draws cannot go with such a score.
pub(super) fn games(elo: f64, draw_ratio: f64) -> GameModel {
    let score = LogisticElo(elo).score();
    let draws = draw_ratio.min(2.0 * score.min(1.0 - score)).max(0.0);
    GameModel::new(score, draws, 0.0).expect("draws that the score allows")
}
