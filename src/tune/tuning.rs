//! The books of a tuning: what was asked, what was told.

use serde::{Deserialize, Serialize};

use super::{Answer, Proposal, TuneError, Tuner};
use crate::params::ParameterValues;
use crate::stats::{PairCounts, PairScore};

/// Two settings that are to meet, and on which pairs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// Its number in the tuning, from 0: a pure function of the plan and of earlier results.
    pub id: u32,
    /// The batch that it belongs to, from 0.
    pub batch: u32,
    /// The setting whose score is told: the tuned parameters only.
    pub candidate: ParameterValues,
    /// The setting that it meets.
    pub base: ParameterValues,
    /// Index of its first pair. Opening and seed of a pair follow from its index alone, so that
    /// trials with the same indices meet the same openings and random numbers.
    pub first_pair: u32,
    /// How many pairs, from there on.
    pub pairs: u32,
}

/// Scores of pairs in the order of the pairs, from a trial's first one on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PairScores(pub Vec<PairScore>);

impl PairScores {
    /// How often each score stands there.
    #[must_use]
    pub fn counts(&self) -> PairCounts {
        let mut counts = PairCounts::default();
        self.0.iter().for_each(|score| counts.add(*score));
        counts
    }
}

impl From<PairCounts> for PairScores {
    /// Pairs of which only the numbers are known, the worst first.
    fn from(counts: PairCounts) -> PairScores {
        let of = |(score, count): (PairScore, u64)| (0..count).map(move |_| score);
        let cells = PairScore::ALL.into_iter().zip(counts.0);
        PairScores(cells.flat_map(of).collect())
    }
}

/// What came out of a trial.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialResult {
    /// The trial.
    pub id: u32,
    /// Its whole pairs, as the candidate saw them. Fewer than were asked for are taken as they
    /// are, none at all too.
    pub pairs: PairScores,
}

/// A trial with its result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// What was asked.
    pub trial: Trial,
    /// What was told.
    pub pairs: PairScores,
}

/// What every two settings did to each other, over all their trials, in the order in which they
/// first met: the candidate, what it met, and the pairs as the candidate saw them.
#[must_use]
pub fn pairings(played: &[Played]) -> Vec<(ParameterValues, ParameterValues, PairCounts)> {
    let mut met: Vec<(ParameterValues, ParameterValues, PairCounts)> = Vec::new();
    for Played { trial, pairs } in played {
        let pairs = pairs.counts();
        let (one, other) = (&trial.candidate, &trial.base);
        let known = met.iter_mut().find(|(candidate, base, _)| {
            (candidate == one && base == other) || (candidate == other && base == one)
        });
        match known {
            Some((candidate, _, sum)) => {
                let pairs = if candidate == one {
                    pairs
                } else {
                    pairs.reversed()
                };
                for (cell, count) in sum.0.iter_mut().zip(pairs.0) {
                    *cell += count;
                }
            }
            None => met.push((one.clone(), other.clone(), pairs)),
        }
    }
    met
}

/// A tuning in progress.
///
/// ```
/// use agon::params::Parameter;
/// use agon::stats::PairCounts;
/// use agon::tune::{Axis, MethodSpec, TrialResult, Tuning, build};
///
/// let axis = Axis::whole(&Parameter::integer("weight", 3, 0, 20, "a weight"))?;
/// let mut tuning = Tuning::new(build(&MethodSpec::Zoom { games: 400 }, &[axis], 1)?);
/// while let [first, ..] = tuning.ask() {
///     // Here the pairs first.first_pair.. would be played.
///     let pairs = PairCounts([0, 0, first.pairs.into(), 0, 0]).into();
///     tuning.tell(&[TrialResult { id: first.id, pairs }])?;
/// }
/// assert_eq!(tuning.best().finding.name(), "no difference shown");
/// # Ok::<(), agon::tune::TuneError>(())
/// ```
#[derive(Debug)]
pub struct Tuning {
    tuner: Box<dyn Tuner>,
    played: Vec<Played>,
    outstanding: Vec<Trial>,
    next_id: u32,
    next_pair: u32,
    batches: u32,
}

impl Tuning {
    /// A tuning that has not begun.
    #[must_use]
    pub fn new(tuner: Box<dyn Tuner>) -> Tuning {
        let mut tuning = Tuning {
            tuner,
            played: Vec::new(),
            outstanding: Vec::new(),
            next_id: 0,
            next_pair: 0,
            batches: 0,
        };
        tuning.begin_batch();
        tuning
    }

    /// The method.
    #[must_use]
    pub fn tuner(&self) -> &dyn Tuner {
        self.tuner.as_ref()
    }

    /// The trials of the current batch whose results were not told yet: the same ones however
    /// often it is asked. Empty when the tuning has ended.
    #[must_use]
    pub fn ask(&self) -> &[Trial] {
        &self.outstanding
    }

    /// Takes results, in any order and number. When those of the whole batch are told, the next
    /// batch can be asked for. A result told again is passed over.
    ///
    /// # Errors
    /// A result of a trial that was never asked for, another one than was told before, or one
    /// with more pairs than were asked for; the results before it were taken.
    pub fn tell(&mut self, results: &[TrialResult]) -> Result<(), TuneError> {
        for result in results {
            self.take(result)?;
        }
        Ok(())
    }

    /// What the results say that were told so far.
    #[must_use]
    pub fn best(&self) -> Answer {
        self.tuner.answer(&self.played)
    }

    /// The trials with their results, by id: all that there is to save.
    #[must_use]
    pub fn played(&self) -> &[Played] {
        &self.played
    }

    fn take(&mut self, result: &TrialResult) -> Result<(), TuneError> {
        let id = result.id;
        let earlier = self.played.iter().find(|played| played.trial.id == id);
        if let Some(earlier) = earlier {
            return if earlier.pairs == result.pairs {
                Ok(())
            } else {
                Err(TuneError::ToldTwice(id))
            };
        }
        let place = self.outstanding.iter().position(|trial| trial.id == id);
        let trial = &self.outstanding[place.ok_or(TuneError::Unasked(id))?];
        if result.pairs.0.len() > trial.pairs as usize {
            return Err(TuneError::TooManyPairs {
                id,
                told: result.pairs.0.len() as u64,
                asked: trial.pairs,
            });
        }
        let trial = trial.clone();
        self.outstanding.retain(|other| other.id != id);
        // In order of their ids, whatever order they were told in.
        let place = self.played.partition_point(|played| played.trial.id < id);
        self.played.insert(
            place,
            Played {
                trial,
                pairs: result.pairs.clone(),
            },
        );
        if self.outstanding.is_empty() {
            self.begin_batch();
        }
        Ok(())
    }

    fn begin_batch(&mut self) {
        let proposals = self.tuner.propose(&self.played);
        let start = self.next_pair;
        for proposal in proposals {
            let Proposal {
                candidate,
                base,
                pairs,
            } = proposal;
            debug_assert!(pairs > 0 && candidate != base, "{candidate:?} {base:?}");
            // Two settings that meet again meet on other pairs.
            let same = |trial: &&Trial| {
                (trial.candidate == candidate && trial.base == base)
                    || (trial.candidate == base && trial.base == candidate)
            };
            let met = self.outstanding.iter().filter(same);
            let first_pair = start + met.map(|trial| trial.pairs).sum::<u32>();
            self.next_pair = self.next_pair.max(first_pair + pairs);
            self.outstanding.push(Trial {
                id: self.next_id,
                batch: self.batches,
                candidate,
                base,
                first_pair,
                pairs,
            });
            self.next_id += 1;
        }
        self.batches += 1;
    }
}
