//! Jobs: one game each, as plain data.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::game::Side;

/// Names one game of the schedule: a pure function of it, the same in every run of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum GameId {
    /// One of the two games of a pair.
    Leg {
        /// Index of the pairing.
        pairing: u32,
        /// Index of the pair within the pairing.
        pair: u32,
        /// 0: the candidate plays the first side; 1: the second.
        leg: u8,
    },
    /// A deal that one variant tries for itself, whoever it is compared with.
    Deal {
        /// Index of the variant.
        variant: u32,
        /// Which of all pairs that the openings and the seed give
        /// ([`super::PairingSpec::place_of`]).
        place: u32,
    },
}

impl GameId {
    /// The index of the pair within the pairing; of a deal its place.
    #[must_use]
    pub fn pair(self) -> u32 {
        match self {
            GameId::Leg { pair, .. } => pair,
            GameId::Deal { place, .. } => place,
        }
    }

    /// 0 or 1; of a deal 0, until it stands in a pair.
    #[must_use]
    pub fn leg(self) -> u8 {
        match self {
            GameId::Leg { leg, .. } => leg,
            GameId::Deal { .. } => 0,
        }
    }
}

impl fmt::Display for GameId {
    /// Zero-padded, so that ids sort as text in schedule order within a pairing or a variant.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameId::Leg { pairing, pair, leg } => write!(f, "{pairing:03}-{pair:06}-{leg}"),
            GameId::Deal { variant, place } => write!(f, "v{variant:03}-{place:06}"),
        }
    }
}

impl std::str::FromStr for GameId {
    type Err = String;

    fn from_str(text: &str) -> Result<GameId, String> {
        let refused = || {
            format!(
                "`{text}` is not a game id such as 000-000012-1, or v001-000012 for a deal that \
                 a variant tried"
            )
        };
        let number = |part: &str| {
            part.parse::<u32>()
                .map_err(|error| format!("`{part}` in game id `{text}`: {error}"))
        };
        let parts: Vec<&str> = text.split('-').collect();
        let id = match (text.strip_prefix('v'), &parts[..]) {
            (Some(_), [variant, place]) => GameId::Deal {
                variant: number(&variant[1..])?,
                place: number(place)?,
            },
            (None, [pairing, pair, leg]) => GameId::Leg {
                pairing: number(pairing)?,
                pair: number(pair)?,
                leg: u8::try_from(number(leg)?)
                    .ok()
                    .filter(|leg| *leg < 2)
                    .ok_or_else(refused)?,
            },
            _ => return Err(refused()),
        };
        if id.to_string() != text {
            return Err(refused());
        }
        Ok(id)
    }
}

/// One game to play. Variants and openings are indices into the run specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// Which game of the schedule.
    pub id: GameId,
    /// 1, and one more for each time that the machine spoiled the pair.
    pub attempt: u32,
    /// The opening.
    pub opening: usize,
    /// The variant that plays the first side.
    pub first: usize,
    /// The variant that plays the second side; where a deal is tried alone, the same.
    pub second: usize,
    /// The game's seed: a function of the run's seed, the pair and the leg, the same for
    /// every pairing.
    pub seed: u64,
}

impl Job {
    /// The variant that plays `side`.
    #[must_use]
    pub fn variant(&self, side: Side) -> usize {
        match side {
            Side::First => self.first,
            Side::Second => self.second,
        }
    }
}

/// The seed of a game. Splitmix64's finaliser over the three numbers (Steele, Lea, Flood
/// 2014), so that neighbouring pairs have unrelated seeds.
#[must_use]
pub fn game_seed(run_seed: u64, pair: u32, leg: u8) -> u64 {
    let mut seed = run_seed;
    for word in [u64::from(pair), u64::from(leg)] {
        seed = mix(seed
            .wrapping_add(0x9E37_79B9_7F4A_7C15)
            .wrapping_add(mix(word)));
    }
    // Results are read by tools that keep numbers as doubles: 53 bits survive them.
    seed >> 11
}

fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_read_back_and_sort_in_schedule_order() {
        let mut ids: Vec<GameId> = [(0, 12, 1), (0, 3, 0), (2, 0, 0), (0, 3, 1)]
            .map(|(pairing, pair, leg)| GameId::Leg { pairing, pair, leg })
            .to_vec();
        ids.extend(
            [(1, 2), (0, 12), (0, 3)].map(|(variant, place)| GameId::Deal { variant, place }),
        );
        let mut texts: Vec<String> = ids.iter().map(ToString::to_string).collect();
        ids.sort();
        texts.sort();
        assert_eq!(
            texts,
            ids.iter().map(ToString::to_string).collect::<Vec<_>>()
        );
        for id in ids {
            assert_eq!(id.to_string().parse::<GameId>(), Ok(id));
        }
    }

    #[test]
    fn only_ids_as_written_are_ids() {
        for text in [
            "",
            "0-1-0",
            "000-000001-2",
            "000-000001",
            "000-000001-0-0",
            "x-000001-0",
            "000-+00001-0",
            "v0-0",
            "v000-000001-0",
            "v+00-000001",
            "000-000001",
            "v",
            "vé-000001",
        ] {
            assert!(text.parse::<GameId>().is_err(), "{text}");
        }
    }

    #[test]
    fn seeds_differ_by_pair_and_leg() {
        let mut seeds: Vec<u64> = (0..1000)
            .flat_map(|pair| [game_seed(7, pair, 0), game_seed(7, pair, 1)])
            .collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 2000);
        assert_ne!(game_seed(7, 0, 0), game_seed(8, 0, 0));
    }
}
