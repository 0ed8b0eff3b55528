//! A simple model of two engines' games, for error rates before anyone has played.

use serde::{Deserialize, Serialize};

use super::elo::{LogisticElo, NormalizedElo};
use super::error::StatsError;
use super::multinomial::moments;
use super::pairs::{GameScore, PairScore};
use super::stopped::hypothesis_score;
use crate::results::{EloModel, OutcomeModel, SprtSpec};

/// Rounds of the search for the score of a normalised difference; it converges in a handful.
const ROUNDS: usize = 100;

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

    /// Variance of the observation that a test takes for one, and how many games it is. A test
    /// of single games knows nothing of roles.
    pub(crate) fn noise(&self, outcomes: OutcomeModel) -> (f64, f64) {
        match outcomes {
            OutcomeModel::Pentanomial => (moments(&self.pair_probabilities()).1, 2.0),
            OutcomeModel::Trinomial => {
                let [first, second] = self.game_probabilities();
                let game: [f64; 3] =
                    std::array::from_fn(|cell| f64::midpoint(first[cell], second[cell]));
                (moments(&game).1, 1.0)
            }
        }
    }

    /// Standard deviation of one game, as a test on these observations sees it.
    fn deviation(&self, outcomes: OutcomeModel) -> f64 {
        let (variance, games) = self.noise(outcomes);
        (games * variance).sqrt()
    }

    /// The lead in normalised Elo, as a test on these observations sees it; unknown for a lead
    /// without noise.
    #[must_use]
    pub fn normalized_elo(&self, outcomes: OutcomeModel) -> Option<NormalizedElo> {
        let (lead, deviation) = (self.score - 0.5, self.deviation(outcomes));
        if lead == 0.0 {
            return Some(NormalizedElo(0.0));
        }
        (deviation > 0.0).then(|| NormalizedElo(lead / deviation * NormalizedElo::PER_T))
    }
}

/// The true differences at which the two hypotheses of a test hold: its own bounds in logistic
/// Elo, and in normalised Elo the leads that are so large in units of these games' noise.
///
/// # Errors
/// What [`GameModel::new`] refuses at such a lead.
pub fn hypothesis_elos(
    spec: &SprtSpec,
    draw_ratio: f64,
    bias: f64,
) -> Result<[LogisticElo; 2], StatsError> {
    let [elo0, elo1] = [spec.elo0, spec.elo1].map(|elo| {
        if spec.model == EloModel::Logistic {
            return Ok(LogisticElo(elo));
        }
        // The noise depends on the lead, but little.
        let mut score = 0.5;
        for _ in 0..ROUNDS {
            let model = GameModel::new(score, draw_ratio, bias)?;
            score = hypothesis_score(elo, spec.model, model.deviation(spec.outcomes));
        }
        Ok(LogisticElo::from_score(score).unwrap_or(LogisticElo(0.0)))
    });
    Ok([elo0?, elo1?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalised_hypotheses_hold_where_the_lead_is_so_large() {
        let spec = SprtSpec {
            model: EloModel::Normalized,
            ..SprtSpec::logistic(-20.0, 60.0)
        };
        for outcomes in [OutcomeModel::Pentanomial, OutcomeModel::Trinomial] {
            let spec = SprtSpec { outcomes, ..spec };
            let elos = hypothesis_elos(&spec, 0.3, 0.1).expect("possible games");
            for (elo, wanted) in elos.into_iter().zip([-20.0, 60.0]) {
                let model = GameModel::new(elo.score(), 0.3, 0.1).expect("possible games");
                let found = model.normalized_elo(outcomes).expect("noise");
                assert!((found.0 - wanted).abs() < 1e-9, "{found} for {wanted}");
            }
        }
        let plain = SprtSpec::logistic(0.0, 35.0);
        let elos = hypothesis_elos(&plain, 0.3, 0.1).expect("possible games");
        assert_eq!(elos, [LogisticElo(0.0), LogisticElo(35.0)]);
    }
}
