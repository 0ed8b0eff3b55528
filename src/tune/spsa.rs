//! `spsa`: simultaneous perturbation stochastic approximation, for several parameters at once.
//!
//! In every step all parameters move at once, each up or down by chance; the moved setting meets
//! its mirror image, and the estimate goes towards the winner. The constants are of the range:
//! c = 0.2 and r = 0.02 at the end, decaying with 0.101 and 0.602, the stability constant a tenth
//! of the steps (Spall 1998, *Implementation of the simultaneous perturbation algorithm*; in the
//! form of fishtest, where a pair moves a parameter by r c (wins - losses)). fishtest's own
//! defaults, c of a twentieth of the range and r = 0.002, hardly leave the start within 30,000
//! games.
//!
//! The estimate of the best setting is that of the method; its gain, error and interval come from
//! a curve without interactions that is fitted to all games afterwards.

use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;

use super::hill::Hill;
use super::zoom::told;
use super::{Answer, Axis, Estimate, Gain, Played, Proposal, TuneError, Tuner, settings};
use crate::params::ParameterValues;

/// Perturbation at the end, as a share of the range.
const C_END: f64 = 0.2;

/// Gain at the end: a over c².
const R_END: f64 = 0.02;

/// Decay of the perturbation.
const GAMMA: f64 = 0.101;

/// Decay of the gain.
const ALPHA: f64 = 0.602;

/// Share of the steps in which the gain is held back.
const STABILITY: f64 = 0.1;

/// Perturbations that are played side by side from one estimate, and pairs of each.
const SIDE_BY_SIDE: (u32, u32) = (4, 2);

/// Fewest steps from which the method makes sense.
const FEWEST_STEPS: u32 = 10;

/// The method. See the module's text.
#[derive(Clone, Debug)]
pub struct Spsa {
    axes: Vec<Axis>,
    steps: u32,
    seed: u64,
}

impl Spsa {
    /// Over `axes` with about `games` games in all: whole steps of 16 games.
    ///
    /// # Errors
    /// [`TuneError::OneParameter`] without a parameter, [`TuneError::Budget`] for less than ten
    /// steps.
    pub fn new(axes: Vec<Axis>, games: u32, seed: u64) -> Result<Spsa, TuneError> {
        let games_a_step = 2 * SIDE_BY_SIDE.0 * SIDE_BY_SIDE.1;
        let steps = games / games_a_step;
        if axes.is_empty() {
            let method = "spsa";
            return Err(TuneError::OneParameter { method, given: 0 });
        }
        if steps < FEWEST_STEPS {
            return Err(TuneError::Budget {
                games,
                method: "spsa",
                needed: FEWEST_STEPS * games_a_step,
            });
        }
        Ok(Spsa { axes, steps, seed })
    }

    /// The perturbation of a step, from 0.
    fn perturbation(&self, step: u32) -> f64 {
        C_END * (f64::from(self.steps) / f64::from(step + 1)).powf(GAMMA)
    }

    /// The gain of a step, from 0.
    fn gain(&self, step: u32) -> f64 {
        let hold = STABILITY * f64::from(self.steps);
        let a_end = R_END * C_END * C_END;
        let decay = (hold + f64::from(self.steps)) / (hold + f64::from(step + 1));
        a_end * decay.powf(ALPHA) / self.perturbation(step).powi(2)
    }

    /// Directions of the perturbations of a step: up or down, for each perturbation and axis.
    fn directions(&self, step: u32) -> Vec<Vec<f64>> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(step.into());
        let mut sign = || if rng.random::<bool>() { 1.0 } else { -1.0 };
        (0..SIDE_BY_SIDE.0)
            .map(|_| self.axes.iter().map(|_| sign()).collect())
            .collect()
    }

    /// The estimate after `played`, as places: not rounded.
    fn estimate(&self, played: &[Played]) -> Vec<f64> {
        let mut places: Vec<f64> = self
            .axes
            .iter()
            .map(|axis| axis.place(axis.base()))
            .collect();
        for batch in played.chunk_by(|one, other| one.trial.batch == other.trial.batch) {
            let step = batch[0].trial.batch;
            let size = self.gain(step) * self.perturbation(step);
            let directions = self.directions(step);
            for played in batch {
                let number = played.trial.id % SIDE_BY_SIDE.0;
                let score = played.pairs.counts().score();
                // Wins less losses: half points less one a game.
                let won = score.half_points as f64 - score.games as f64;
                for (place, sign) in places.iter_mut().zip(&directions[number as usize]) {
                    *place += size * won * sign;
                }
            }
            for place in &mut places {
                *place = place.clamp(0.0, 1.0);
            }
        }
        places
    }
}

impl Tuner for Spsa {
    fn axes(&self) -> &[Axis] {
        &self.axes
    }

    fn propose(&self, played: &[Played]) -> Vec<Proposal> {
        let step = played.last().map_or(0, |last| last.trial.batch + 1);
        if step >= self.steps {
            return Vec::new();
        }
        let (estimate, reach) = (self.estimate(played), self.perturbation(step));
        let perturbed = |directions: &Vec<f64>| {
            let side = |way: f64| {
                let place = |(index, axis): (usize, &Axis)| {
                    moved(axis, estimate[index], way * directions[index], reach)
                };
                let values: Vec<f64> = self.axes.iter().enumerate().map(place).collect();
                settings(&self.axes, &values).ok()
            };
            Some(Proposal {
                candidate: side(1.0)?,
                base: side(-1.0)?,
                pairs: SIDE_BY_SIDE.1,
            })
        };
        self.directions(step).iter().filter_map(perturbed).collect()
    }

    fn answer(&self, played: &[Played]) -> Answer {
        let found = self.estimate(played);
        let hill = Hill::fit(&self.axes, played);
        let estimates: Vec<Estimate> = (0..)
            .zip(self.axes.iter().zip(&found))
            .map(|(index, (axis, place))| {
                Estimate::new(axis, *place, Some(hill.interval(index, *place)), (0.0, 1.0))
            })
            .collect();
        let place = |value: fn(&Estimate) -> f64| -> Vec<f64> {
            let each = estimates.iter().zip(&self.axes);
            each.map(|(found, axis)| axis.place(value(found))).collect()
        };
        let gain = hill.lead(&place(|found| found.value), &place(|found| found.base));
        let flatness = hill.flatness();
        Answer::judge(estimates, Some(gain), Some(flatness), told(played))
    }

    fn predict(&self, played: &[Played], setting: &ParameterValues) -> Option<Gain> {
        let places = |value: &dyn Fn(&Axis) -> f64| -> Vec<f64> {
            self.axes
                .iter()
                .map(|axis| axis.place(value(axis)))
                .collect()
        };
        let one = places(&|axis| setting.get(axis.name()));
        let lead = Hill::fit(&self.axes, played).lead(&one, &places(&Axis::base));
        (told(played) > 0).then(|| Gain::new(lead))
    }

    fn planned_pairs(&self) -> u64 {
        u64::from(self.steps) * u64::from(SIDE_BY_SIDE.0 * SIDE_BY_SIDE.1)
    }

    fn planned_openings(&self) -> u64 {
        // Directions may repeat within a step, with one parameter always.
        self.planned_pairs()
    }
}

/// The value of the grid that is `reach` away from `place` in the direction `way`. Both sides of
/// a perturbation are one step of the grid from the estimate at least, so that they differ.
fn moved(axis: &Axis, place: f64, way: f64, reach: f64) -> f64 {
    let step = axis.step() / (axis.high() - axis.low());
    axis.nearest(place + way * reach.max(step))
}
