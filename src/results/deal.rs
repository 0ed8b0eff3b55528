//! Deals that are tried alone: what is compared, and where a try stands in the schedule.

use serde::{Deserialize, Serialize};

use super::job::GameId;
use super::spec::RunSpec;

/// What decides between two solutions of one deal; the smaller number wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Criterion {
    /// Moves of the solution.
    #[default]
    Length,
    /// States that were looked at.
    Nodes,
    /// Processor time; wall-clock time where the system does not tell it.
    Time,
}

impl Criterion {
    /// The name in configs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Criterion::Length => "length",
            Criterion::Nodes => "nodes",
            Criterion::Time => "time",
        }
    }
}

/// A game of a pairing's schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Index of the pairing.
    pub pairing: usize,
    /// Index of the pair within it.
    pub pair: u32,
    /// 0 or 1; of a deal 0 is the candidate's try, 1 the base's.
    pub leg: u8,
}

impl RunSpec {
    /// Where a game counts, in schedule order: a game of two sides in one pairing, a deal in every
    /// pairing of the variant that tried it. Empty where the schedule has no such game.
    pub fn places(&self, id: GameId) -> impl Iterator<Item = Place> + '_ {
        let pairings = self.pairings.iter().enumerate();
        pairings.filter_map(move |(index, pairing)| {
            let (pair, leg) = match id {
                GameId::Leg {
                    pairing, pair, leg, ..
                } => {
                    (self.compare.is_none() && pairing as usize == index).then_some((pair, leg))?
                }
                GameId::Deal { variant, place } => {
                    let variants = [pairing.candidate, pairing.base];
                    let leg = variants.iter().position(|own| *own == variant as usize)?;
                    let pair = place.checked_sub(pairing.first_pair)?;
                    (self.compare.is_some()).then_some((pair, u8::try_from(leg).ok()?))?
                }
            };
            (pair < pairing.pairs).then_some(Place {
                pairing: index,
                pair,
                leg,
            })
        })
    }
}
