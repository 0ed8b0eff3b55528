//! The schedule: which games a run plays, in which order. A pure function of the run
//! specification.
//!
//! Pairings take turns: pair 0 of each, then pair 1 of each. Pair `i` of every pairing has
//! opening `i` (modulo the suite) and the same seeds, so that all candidates meet the same
//! openings in the same order under common random numbers. A pairing whose `first_pair` is not
//! 0 begins later in that order.

use crate::results::{GameId, Job, RunSpec, game_seed};

/// Who meets whom: the shapes of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One candidate against one base.
    HeadToHead {
        /// The candidate.
        candidate: usize,
        /// The base.
        base: usize,
    },
    /// Every candidate against one base.
    Gauntlet {
        /// The candidates.
        candidates: Vec<usize>,
        /// The base.
        base: usize,
    },
    /// Everyone against everyone.
    RoundRobin {
        /// The variants; the later of two is the candidate.
        variants: Vec<usize>,
    },
}

impl Shape {
    /// The pairings as (candidate, base).
    #[must_use]
    pub fn pairings(&self) -> Vec<(usize, usize)> {
        match self {
            Shape::HeadToHead { candidate, base } => vec![(*candidate, *base)],
            Shape::Gauntlet { candidates, base } => candidates
                .iter()
                .map(|candidate| (*candidate, *base))
                .collect(),
            Shape::RoundRobin { variants } => {
                let later = |at: usize| variants[at + 1..].iter();
                let with = |at: usize| later(at).map(move |candidate| (*candidate, variants[at]));
                (0..variants.len()).flat_map(with).collect()
            }
        }
    }
}

/// All games of a run, in schedule order.
pub fn jobs(run: &RunSpec) -> impl Iterator<Item = Job> + '_ {
    let longest = run
        .pairings
        .iter()
        .map(|pairing| pairing.pairs)
        .max()
        .unwrap_or(0);
    (0..longest).flat_map(move |pair| {
        let planned = run
            .pairings
            .iter()
            .enumerate()
            .filter(move |(_, p)| pair < p.pairs);
        planned.flat_map(move |(index, _)| [0, 1].map(|leg| job(run, index, pair, leg)))
    })
}

/// One game of the schedule.
///
/// # Panics
/// When the run has no such pairing or no opening: plans have been checked.
#[must_use]
pub fn job(run: &RunSpec, pairing: usize, pair: u32, leg: u8) -> Job {
    let spec = run.pairings[pairing];
    let (first, second) = if leg == 0 {
        (spec.candidate, spec.base)
    } else {
        (spec.base, spec.candidate)
    };
    Job {
        id: GameId {
            pairing: u32::try_from(pairing).expect("few pairings"),
            pair,
            leg,
        },
        attempt: 1,
        opening: run.opening_of(spec, pair),
        first,
        second,
        seed: game_seed(run.seed, spec.place_of(pair), leg),
    }
}

/// The number of games of a run.
#[must_use]
pub fn games(run: &RunSpec) -> u64 {
    run.pairings
        .iter()
        .map(|pairing| 2 * u64::from(pairing.pairs))
        .sum()
}
