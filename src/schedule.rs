//! The schedule: which games a run plays, in which order. A pure function of the run
//! specification.
//!
//! Pairings take turns: pair 0 of each, then pair 1 of each. Pair `i` of every pairing has
//! opening `i` (modulo the suite) and the same seeds, so that all candidates meet the same
//! openings in the same order under common random numbers. A pairing whose `first_pair` is not
//! 0 begins later in that order.

use std::collections::HashSet;

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

/// All games of a run, in schedule order. A deal that a variant tries for several pairings comes
/// once, where it is asked for first. Who tries a deal first takes turns, since the second may find
/// the machine's caches warm.
pub fn jobs(run: &RunSpec) -> impl Iterator<Item = Job> + '_ {
    let longest = run
        .pairings
        .iter()
        .map(|pairing| pairing.pairs)
        .max()
        .unwrap_or(0);
    let mut tried = HashSet::new();
    let all = (0..longest).flat_map(move |pair| {
        let planned = run
            .pairings
            .iter()
            .enumerate()
            .filter(move |(_, p)| pair < p.pairs);
        planned.flat_map(move |(index, _)| {
            let legs = match run.compare {
                Some(_) if pair % 2 == 1 => [1, 0],
                _ => [0, 1],
            };
            legs.map(|leg| job(run, index, pair, leg))
        })
    });
    all.filter(move |job| run.compare.is_none() || tried.insert(job.id))
}

/// One game of the schedule; where deals are tried alone, the candidate's try for leg 0, the
/// base's for leg 1.
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
    let (place, opening) = (spec.place_of(pair), run.opening_of(spec, pair));
    let few = "few pairings and variants";
    if run.compare.is_some() {
        return Job {
            id: GameId::Deal {
                variant: u32::try_from(first).expect(few),
                place,
            },
            attempt: 1,
            opening,
            first,
            second: first,
            seed: game_seed(run.seed, place, 0),
        };
    }
    Job {
        id: GameId::Leg {
            pairing: u32::try_from(pairing).expect(few),
            pair,
            leg,
        },
        attempt: 1,
        opening,
        first,
        second,
        seed: game_seed(run.seed, place, leg),
    }
}

/// The number of games of a run.
#[must_use]
pub fn games(run: &RunSpec) -> u64 {
    if run.compare.is_some() {
        return jobs(run).count() as u64;
    }
    run.pairings
        .iter()
        .map(|pairing| 2 * u64::from(pairing.pairs))
        .sum()
}
