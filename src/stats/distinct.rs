//! How much of a sample is new: repeated pairs say nothing that the first did not.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::warning::Warning;

/// How many of the pairs, and of the openings, differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EffectiveSample {
    /// Pairs played.
    pub pairs: u64,
    /// Pairs that differ in opening, roles or moves.
    pub distinct_pairs: u64,
    /// Openings played.
    pub distinct_openings: u64,
    /// How often the most frequent pair was played.
    pub most_repeated: u64,
}

impl EffectiveSample {
    /// Counts pairs given as (hash of the opening, hash of opening, roles and all moves).
    #[must_use]
    pub fn count(pairs: impl IntoIterator<Item = (u64, u64)>) -> EffectiveSample {
        let (mut openings, mut games) = (HashMap::new(), HashMap::new());
        for (opening, pair) in pairs {
            *openings.entry(opening).or_insert(0u64) += 1;
            *games.entry(pair).or_insert(0u64) += 1;
        }
        EffectiveSample {
            pairs: games.values().sum(),
            distinct_pairs: games.len() as u64,
            distinct_openings: openings.len() as u64,
            most_repeated: games.values().copied().max().unwrap_or(0),
        }
    }

    /// Pairs that repeat an earlier one.
    #[must_use]
    pub fn repeated(&self) -> u64 {
        self.pairs - self.distinct_pairs
    }

    /// Whether every pair is new.
    #[must_use]
    pub fn is_all_new(&self) -> bool {
        self.repeated() == 0
    }

    /// The doubt that repeats raise.
    #[must_use]
    pub fn warning(&self) -> Option<Warning> {
        (!self.is_all_new()).then_some(Warning::RepeatedPairs {
            pairs: self.pairs,
            distinct: self.distinct_pairs,
            openings: self.distinct_openings,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_pairs_of_one_opening_are_one() {
        let sample = EffectiveSample::count((0..20).map(|_| (1, 7)));
        assert_eq!(
            (sample.pairs, sample.distinct_pairs, sample.most_repeated),
            (20, 1, 20)
        );
        assert_eq!(sample.distinct_openings, 1);
        assert!(sample.warning().is_some());
    }

    #[test]
    fn new_pairs_raise_no_doubt() {
        let sample = EffectiveSample::count((0..20).map(|pair| (pair % 5, pair)));
        assert!(sample.is_all_new());
        assert_eq!(sample.distinct_openings, 5);
        assert_eq!(sample.warning(), None);
        assert_eq!(EffectiveSample::count([]).warning(), None);
    }
}
