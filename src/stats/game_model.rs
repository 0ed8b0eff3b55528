//! A simple model of two engines' games, for error rates before anyone has played.

use serde::{Deserialize, Serialize};

use super::error::StatsError;
use super::pairs::{GameScore, PairScore};

/// Two engines whose games are independent given the roles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameModel {
    score: f64,
    draw_ratio: f64,
    bias: f64,
}

impl GameModel {
    /// The candidate's expected `score` over both roles, the share of games drawn, and the
    /// openings' `bias`: with 0.2, the first side of two equal engines scores 0.7.
    ///
    /// # Errors
    /// Values outside 0 to 1 (bias: -0.5 to 0.5), and a draw ratio that leaves less than nothing
    /// for the wins or losses of one role.
    pub fn new(score: f64, draw_ratio: f64, bias: f64) -> Result<GameModel, StatsError> {
        for (name, value, min, max) in [
            ("score", score, 0.0, 1.0),
            ("draw ratio", draw_ratio, 0.0, 1.0),
            ("opening bias", bias, -0.5, 0.5),
            ("score as first", score + bias, 0.0, 1.0),
            ("score as second", score - bias, 0.0, 1.0),
        ] {
            if !(value >= min && value <= max) {
                return Err(StatsError::OutOfRange {
                    name,
                    value,
                    min,
                    max,
                });
            }
        }
        let model = GameModel {
            score,
            draw_ratio,
            bias,
        };
        for score in model.role_scores() {
            let max = 2.0 * score.min(1.0 - score);
            // A decimal fraction such as 0.7 - 0.5 is off by rounding; so much is let through.
            if draw_ratio > max + 1e-12 {
                return Err(StatsError::DrawRatio {
                    draw_ratio,
                    score,
                    max,
                });
            }
        }
        Ok(model)
    }

    /// The candidate's expected score.
    #[must_use]
    pub fn score(&self) -> f64 {
        self.score
    }

    /// The share of games drawn.
    #[must_use]
    pub fn draw_ratio(&self) -> f64 {
        self.draw_ratio
    }

    /// How much more than half the first side of two equal engines scores.
    #[must_use]
    pub fn bias(&self) -> f64 {
        self.bias
    }

    /// The expected score as first and as second.
    fn role_scores(&self) -> [f64; 2] {
        [self.score + self.bias, self.score - self.bias]
    }

    /// Probabilities of loss, draw and win, as first and as second.
    #[must_use]
    pub fn game_probabilities(&self) -> [[f64; 3]; 2] {
        self.role_scores().map(|score| {
            let half_drawn = self.draw_ratio / 2.0;
            let loss = (1.0 - score - half_drawn).max(0.0);
            [loss, self.draw_ratio, (score - half_drawn).max(0.0)]
        })
    }

    /// Probabilities of the five pair outcomes.
    #[must_use]
    pub fn pair_probabilities(&self) -> [f64; 5] {
        let [first, second] = self.game_probabilities();
        let mut pairs = [0.0; 5];
        for leg0 in GameScore::ALL {
            for leg1 in GameScore::ALL {
                let both = first[leg0 as usize] * second[leg1 as usize];
                pairs[usize::from(PairScore::of_legs(leg0, leg1).half_points())] += both;
            }
        }
        pairs
    }
}
