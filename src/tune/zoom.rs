//! `zoom`: a round robin over the range, then batches around the best of the fitted curve.
//!
//! 1. 40% of the budget: all pairings of five equally spaced values.
//! 2. The rest in batches of 100 games between values of a window, 0.3 of the range to either
//!    side of the best so far, as far as the range goes: its low end against the value three
//!    quarters up, and the value a quarter up against its high end. The curve is fitted to all results anew after each batch.
//!
//! Values meet each other, not a common opponent: a game between two values measures the
//! difference of both with the noise of one game. The curve is a quadratic, and a cubic where the
//! results demand it (`Curve::quadratic_or_cubic`).

use super::curve::{Curve, PlacePairs};
use super::{Answer, Axis, Gain, Played, Proposal, TuneError, Tuner};
use crate::params::ParameterValues;

/// Values of the round robin.
const VALUES: u32 = 5;

/// Share of the budget that the round robin gets.
const FIRST_SHARE: f64 = 0.4;

/// Half the width of the window, as a share of the range.
const WINDOW: f64 = 0.3;

/// Pairs in a batch of the second stage.
const BATCH: u32 = 50;

/// Fewest games: two pairs for every pairing of the round robin, and one batch.
const FEWEST_GAMES: u32 = 2 * (2 * VALUES * (VALUES - 1) / 2 + BATCH);

/// The method. See the module's text.
#[derive(Clone, Debug)]
pub struct Zoom {
    axis: Axis,
    pairs: u32,
    values: Vec<f64>,
}

impl Zoom {
    /// Over `axis`, with `games` games in all (an odd one is not played).
    ///
    /// # Errors
    /// [`TuneError::FewValues`] for a range with fewer than five values on its grid,
    /// [`TuneError::Budget`] for too few games.
    pub fn new(axis: Axis, games: u32) -> Result<Zoom, TuneError> {
        let values = axis.spread(VALUES);
        if values.len() < VALUES as usize {
            return Err(TuneError::FewValues {
                name: axis.name().to_owned(),
                low: axis.low(),
                high: axis.high(),
                step: axis.step(),
                found: values.len(),
                needed: VALUES as usize,
            });
        }
        if games < FEWEST_GAMES {
            return Err(TuneError::Budget {
                games,
                method: "zoom",
                needed: FEWEST_GAMES,
            });
        }
        Ok(Zoom {
            axis,
            pairs: games / 2,
            values,
        })
    }

    fn curve(&self, played: &[Played]) -> Curve {
        Curve::quadratic_or_cubic(&places(&self.axis, played))
    }

    /// Two values that are to meet.
    fn proposal(&self, candidate: f64, base: f64, pairs: u32) -> Option<Proposal> {
        let setting = |value| self.axis.setting(value).ok();
        (pairs > 0 && candidate != base).then_some(())?;
        Some(Proposal {
            candidate: setting(candidate)?,
            base: setting(base)?,
            pairs,
        })
    }

    fn round_robin(&self) -> Vec<Proposal> {
        let mut proposals = Vec::new();
        for (index, one) in self.values.iter().enumerate() {
            for other in &self.values[index + 1..] {
                proposals.extend(self.proposal(*other, *one, self.each()));
            }
        }
        proposals
    }

    /// Values of the window around `best` that are to meet.
    fn window(&self, best: f64, pairs: u32) -> Vec<Proposal> {
        // Near an end it is moved inwards, not cut: short arms tell little.
        let low = best.clamp(WINDOW, 1.0 - WINDOW) - WINDOW;
        let value = |share: f64| self.axis.nearest(low + share * 2.0 * WINDOW);
        let first = self.proposal(value(0.75), value(0.0), pairs - pairs / 2);
        let second = self.proposal(value(1.0), value(0.25), pairs / 2);
        // Five values at least: these are more than a step of the grid apart.
        first.into_iter().chain(second).collect()
    }

    /// Pairs of each pairing of the round robin.
    fn each(&self) -> u32 {
        let pairings = VALUES * (VALUES - 1) / 2;
        (FIRST_SHARE * f64::from(self.pairs) / f64::from(pairings)).round() as u32
    }
}

/// What was played, by place in the range.
pub(super) fn places(axis: &Axis, played: &[Played]) -> Vec<PlacePairs> {
    let place = |played: &Played| PlacePairs {
        place: axis.place(played.trial.candidate.get(axis.name())),
        other: axis.place(played.trial.base.get(axis.name())),
        first_pair: played.trial.first_pair,
        pairs: played.pairs.clone(),
    };
    played.iter().map(place).collect()
}

/// Pairs that were told.
pub(super) fn told(played: &[Played]) -> u64 {
    let pairs = played.iter().map(|played| played.pairs.0.len());
    pairs.sum::<usize>() as u64
}

impl Tuner for Zoom {
    fn axes(&self) -> &[Axis] {
        std::slice::from_ref(&self.axis)
    }

    fn propose(&self, played: &[Played]) -> Vec<Proposal> {
        if played.is_empty() {
            return self.round_robin();
        }
        let asked: u32 = played.iter().map(|played| played.trial.pairs).sum();
        match self.pairs.saturating_sub(asked) {
            0 => Vec::new(),
            left => self.window(self.curve(played).best(), left.min(BATCH)),
        }
    }

    fn answer(&self, played: &[Played]) -> Answer {
        Answer::of_curve(&self.axis, &self.curve(played), told(played))
    }

    fn predict(&self, played: &[Played], setting: &ParameterValues) -> Option<Gain> {
        let place = self.axis.place(setting.get(self.axis.name()));
        let lead = self
            .curve(played)
            .lead(place, self.axis.place(self.axis.base()));
        (told(played) > 0).then(|| Gain::new(lead))
    }

    fn planned_pairs(&self) -> u64 {
        self.pairs.into()
    }

    fn planned_openings(&self) -> u64 {
        let later = self.pairs - self.each() * VALUES * (VALUES - 1) / 2;
        // The two pairings of a batch share theirs.
        let batches = later / BATCH * BATCH.div_ceil(2) + (later % BATCH).div_ceil(2);
        u64::from(self.each() + batches)
    }
}
