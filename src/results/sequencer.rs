//! Puts games that arrive in any order back into whole pairs in schedule order.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::record::{Effort, FaultKind, GameRecord, GameResult, Overrun, Termination};
use crate::game::Side;

/// What statistics need of a game: the record without its moves.
#[derive(Clone, Debug, PartialEq)]
pub struct GameFacts {
    /// Index of its pair within the pairing.
    pub pair: u32,
    /// Which game of the pair: 0, or 1.
    pub leg: u8,
    /// Which attempt at its pair.
    pub attempt: u32,
    /// Whether the machine spoiled it, so that its pair is played again.
    pub void: bool,
    /// Who made the first move after the opening.
    pub first_to_move: Side,
    /// Who won.
    pub result: GameResult,
    /// Whose fault ended it, if one did.
    pub fault: Option<(Side, FaultKind)>,
    /// Moves after the opening.
    pub plies: u32,
    /// What each side spent, first side first.
    pub effort: [Effort; 2],
    /// Each side's overruns, first side first.
    pub overruns: [Overrun; 2],
    /// Microseconds of processor time, where it is known.
    pub cpu_time_us: Option<u64>,
    /// A hash of the moves after the opening, to tell repeated games.
    pub moves_hash: u64,
}

impl GameFacts {
    /// The facts of a record. Of a deal that a variant tried alone they are leg 0 of the pair of
    /// its place, until [`GameFacts::at`] puts them where a pairing has them.
    #[must_use]
    pub fn of(record: &GameRecord) -> GameFacts {
        let mut hasher = DefaultHasher::new();
        record.moves.iter().for_each(|mv| mv.text.hash(&mut hasher));
        GameFacts {
            pair: record.id.pair(),
            leg: record.id.leg(),
            attempt: record.attempt,
            void: record.void,
            first_to_move: record.first_to_move,
            result: record.result,
            fault: match record.termination {
                Termination::Fault { by, kind } => Some((by, kind)),
                Termination::Rule(_) | Termination::Adjudicated(_) => None,
            },
            plies: u32::try_from(record.moves.len()).unwrap_or(u32::MAX),
            effort: Side::BOTH.map(|side| record.effort(side)),
            overruns: record.overruns,
            cpu_time_us: record.cpu_time_us,
            moves_hash: hasher.finish(),
        }
    }

    /// The same facts as a leg of another pair.
    #[must_use]
    pub fn at(self, pair: u32, leg: u8) -> GameFacts {
        GameFacts { pair, leg, ..self }
    }

    /// The side that the candidate plays: the first in leg 0.
    #[must_use]
    pub fn candidate_side(&self) -> Side {
        if self.leg == 0 {
            Side::First
        } else {
            Side::Second
        }
    }

    /// The candidate's half points.
    #[must_use]
    pub fn candidate_half_points(&self) -> u8 {
        self.result.half_points(self.candidate_side())
    }
}

/// Two games of one opening with roles swapped: leg 0, leg 1.
pub type WholePair = [GameFacts; 2];

/// The pairs of one pairing, released as an unbroken run by index.
#[derive(Clone, Debug, Default)]
pub struct Sequencer {
    waiting: BTreeMap<u32, Waiting>,
    next: u32,
    voids: u64,
}

/// A pair that is not whole.
#[derive(Clone, Debug)]
struct Waiting {
    /// Which attempt at it is being played, from 1.
    attempt: u32,
    legs: [Option<GameFacts>; 2],
}

impl Default for Waiting {
    fn default() -> Waiting {
        Waiting {
            attempt: 1,
            legs: [None, None],
        }
    }
}

impl Sequencer {
    /// The index of the first pair that is not yet released.
    #[must_use]
    pub fn next_pair(&self) -> u32 {
        self.next
    }

    /// How many games have been added.
    #[must_use]
    pub fn games(&self) -> u64 {
        let legs = self.waiting.values().flat_map(|pair| &pair.legs);
        let waiting = legs.flatten().count() as u64;
        2 * u64::from(self.next) + waiting
    }

    /// Whether this game has been added, in the attempt that is being played.
    #[must_use]
    pub fn has(&self, pair: u32, leg: u8) -> bool {
        pair < self.next
            || self
                .waiting
                .get(&pair)
                .is_some_and(|pair| pair.legs[usize::from(leg)].is_some())
    }

    /// Which attempt at a pair is being played, from 1.
    #[must_use]
    pub fn attempt(&self, pair: u32) -> u32 {
        self.waiting.get(&pair).map_or(1, |pair| pair.attempt)
    }

    /// How many games were void.
    #[must_use]
    pub fn voids(&self) -> u64 {
        self.voids
    }

    /// Adds a finished game. A void one ends the attempt at its pair: both of its games are
    /// played again. A game of an attempt that is over does not count.
    pub fn add(&mut self, game: GameFacts) {
        self.voids += u64::from(game.void);
        if game.pair < self.next {
            return;
        }
        let pair = self.waiting.entry(game.pair).or_default();
        let attempt = game.attempt + u32::from(game.void);
        if attempt > pair.attempt {
            *pair = Waiting {
                attempt,
                legs: [None, None],
            };
        }
        if game.attempt == pair.attempt {
            let leg = usize::from(game.leg);
            pair.legs[leg] = Some(game);
        }
    }

    /// Takes the next pair of the schedule, if both of its games are there.
    pub fn take_next(&mut self) -> Option<WholePair> {
        let legs = &mut self.waiting.get_mut(&self.next)?.legs;
        let [Some(_), Some(_)] = legs else {
            return None;
        };
        let pair = [legs[0].take()?, legs[1].take()?];
        self.waiting.remove(&self.next);
        self.next += 1;
        Some(pair)
    }
}
