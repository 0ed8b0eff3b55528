//! Doubts about a result, each with what to do about it.
//!
//! The functions here turn figures of a run into warnings. Whoever prints them adds nothing.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::pairs::{PairCounts, Score};

/// The candidate's nodes over the base's, from which a gain may be bought with nodes.
pub const NODE_RATIO: f64 = 3.0;

/// The candidate's time a move over the base's, from which it had more time.
pub const TIME_RATIO: f64 = 1.2;

/// The share of even pairs from which most of what is played says nothing.
const EVEN_SHARE: f64 = 0.8;

/// The score of one role from which the openings decide more than the engines.
const ROLE_SCORE: f64 = 0.75;

/// Pairs from which shares of pairs are worth a warning.
const ENOUGH_PAIRS: u64 = 20;

/// Share of its time that a worker may lose to other programs.
const LOST_TIME: f64 = 0.05;

/// A reason to doubt a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Warning {
    /// Games lost on time.
    Forfeits {
        /// The variant that lost them.
        variant: String,
        /// How many.
        count: u64,
        /// Of how many games.
        games: u64,
    },
    /// Games lost to crashes, stalls, illegal moves and the like.
    Crashes {
        /// The variant that lost them.
        variant: String,
        /// How many.
        count: u64,
        /// Of how many games.
        games: u64,
    },
    /// Many games were void, since the machine kept engines waiting.
    VoidGames {
        /// How many.
        count: u64,
        /// Counted games.
        games: u64,
    },
    /// Pairs with the same opening and moves.
    RepeatedPairs {
        /// Pairs played.
        pairs: u64,
        /// Pairs that differ.
        distinct: u64,
        /// Openings that differ.
        openings: u64,
    },
    /// One role wins so much that pairs are even whoever is stronger.
    RoleBias {
        /// Score of the first side over both variants.
        first_score: f64,
        /// Share of pairs that were even.
        even_share: f64,
    },
    /// More games at a time than cores.
    MoreThreadsThanCores {
        /// Games at a time.
        threads: usize,
        /// Cores that the process may use.
        cores: usize,
    },
    /// Other programs took the machine's time.
    Overloaded {
        /// Share of wall time in which workers that had work did not run.
        lost: f64,
    },
    /// A higher win rate for more effort.
    FalseProgress {
        /// Nodes a move, candidate over base.
        nodes: Option<f64>,
        /// Time a move, candidate over base.
        time: Option<f64>,
        /// Whether the limit is a depth, which bounds neither.
        depth_limited: bool,
    },
    /// More nodes in the same time: not a doubt, but where the gain may come from.
    SpeedUp {
        /// Nodes a move, candidate over base.
        nodes: f64,
        /// Time a move, candidate over base.
        time: f64,
    },
    /// The plan cannot let anybody pass; it may still fail a candidate.
    TooFewPairs {
        /// Pairs planned.
        planned: u64,
        /// Pairs needed even if all of them are won; `None` if no number is enough.
        needed: Option<u64>,
    },
    /// Both variants are the same.
    IdenticalVariants {
        /// One.
        candidate: String,
        /// The other.
        base: String,
    },
}

impl Warning {
    /// A short name, for a cell of a table.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Warning::Forfeits { .. } => "forfeits",
            Warning::Crashes { .. } => "crashes",
            Warning::VoidGames { .. } => "void_games",
            Warning::RepeatedPairs { .. } => "repeated_pairs",
            Warning::RoleBias { .. } => "role_bias",
            Warning::MoreThreadsThanCores { .. } => "more_threads_than_cores",
            Warning::Overloaded { .. } => "overloaded",
            Warning::FalseProgress { .. } => "false_progress",
            Warning::SpeedUp { .. } => "speed_up",
            Warning::TooFewPairs { .. } => "too_few_pairs",
            Warning::IdenticalVariants { .. } => "identical_variants",
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Warning::Forfeits { variant, .. } => format!(
                "look at {variant}'s largest overrun in games.csv, then raise `margin_ms` or run \
                 fewer games at a time"
            ),
            Warning::Crashes { variant, .. } => format!(
                "look for {variant}'s faults in the column `termination` of games.csv; the score says \
                 more about stability than about strength"
            ),
            Warning::RepeatedPairs { openings, .. } => format!(
                "use more than {openings} openings, or switch root noise on; repeats add nothing"
            ),
            Warning::RoleBias { .. } => {
                "choose more balanced openings (`agon openings` filters by the first side's score)"
                    .to_owned()
            }
            Warning::VoidGames { .. } => {
                "play fewer games at a time, stop other programs, or raise `margin_ms`".to_owned()
            }
            Warning::MoreThreadsThanCores { cores, .. } => {
                format!("play at most {cores} games at a time, or times are not comparable")
            }
            Warning::Overloaded { .. } => {
                "stop other programs, play fewer games at a time, or limit by nodes, which a busy machine \
                 cannot bend"
                    .to_owned()
            }
            Warning::FalseProgress { .. } => {
                "confirm the gain under a time limit before you take it".to_owned()
            }
            Warning::SpeedUp { .. } => {
                "the gain is real at this time limit; a node-limited run shows what is left without \
                 the speed"
                    .to_owned()
            }
            Warning::TooFewPairs { needed, .. } => match needed {
                Some(needed) => format!(
                    "plan at least {needed} distinct pairs (many more for close engines), add \
                     openings, or widen the bounds"
                ),
                None => "widen the bounds; no number of pairs can pass these".to_owned(),
            },
            Warning::IdenticalVariants { candidate, .. } => {
                format!("check what {candidate} was meant to change")
            }
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::Forfeits {
                variant,
                count,
                games,
            } => {
                write!(f, "{variant} lost {count} of {games} games on time")
            }
            Warning::Crashes {
                variant,
                count,
                games,
            } => {
                write!(
                    f,
                    "{variant} lost {count} of {games} games to faults of its own"
                )
            }
            Warning::VoidGames { count, games } => write!(
                f,
                "{count} games beside the {games} counted ones were void, since the machine kept \
                 engines waiting"
            ),
            Warning::RepeatedPairs {
                pairs, distinct, ..
            } => {
                write!(
                    f,
                    "{distinct} distinct pairs of {pairs}: the others repeat them"
                )
            }
            Warning::RoleBias {
                first_score,
                even_share,
            } => write!(
                f,
                "the first side scored {:.0}%, and {:.0}% of the pairs were even",
                100.0 * first_score,
                100.0 * even_share
            ),
            Warning::MoreThreadsThanCores { threads, cores } => {
                write!(f, "{threads} games at a time on {cores} cores")
            }
            Warning::Overloaded { lost } => {
                write!(
                    f,
                    "workers waited for the processor {:.0}% of the time",
                    100.0 * lost
                )
            }
            Warning::FalseProgress {
                nodes,
                time,
                depth_limited,
            } => {
                write!(f, "the win rate rose")?;
                if let Some(nodes) = nodes {
                    write!(f, ", with {nodes:.1} times the nodes a move")?;
                }
                // Times differ from run to run; a limit that bounds nothing does not.
                match (depth_limited, time) {
                    (true, _) => write!(f, " under a depth limit, which bounds no effort")?,
                    (false, Some(time)) => write!(f, " and {time:.1} times the time")?,
                    (false, None) => {}
                }
                write!(f, ": the gain may vanish at equal time")
            }
            Warning::SpeedUp { nodes, .. } => {
                write!(
                    f,
                    "a speed-up: {nodes:.1} times the nodes a move in equal time"
                )
            }
            Warning::TooFewPairs { planned, needed } => match needed {
                Some(needed) => write!(
                    f,
                    "{planned} pairs cannot pass anybody: the rule needs {needed} even if all are \
                     won"
                ),
                None => write!(f, "no number of pairs can pass anybody by this rule"),
            },
            Warning::IdenticalVariants { candidate, base } => {
                write!(
                    f,
                    "{candidate} and {base} are the same engine with the same settings"
                )
            }
        }
    }
}

/// Effort of the candidate beside that of the base.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// Nodes a move, candidate over base; unknown for engines that do not say.
    pub nodes: Option<f64>,
    /// Time a move, candidate over base.
    pub time: Option<f64>,
    /// Whether the limit is a depth.
    pub depth_limited: bool,
}

/// Whether a risen win rate was bought: more than `NODE_RATIO` times the nodes in more than
/// `TIME_RATIO` times the time, or any gain under a depth limit. So many nodes in equal time
/// are a speed-up.
#[must_use]
pub fn effort_warning(score: Score, effort: &Effort) -> Option<Warning> {
    let Effort {
        nodes,
        time,
        depth_limited,
    } = *effort;
    let rose = score.value().is_some_and(|score| score > 0.5);
    if !rose {
        return None;
    }
    let many_nodes = nodes.is_some_and(|ratio| ratio > NODE_RATIO);
    let more_time = time.is_some_and(|ratio| ratio > TIME_RATIO);
    if depth_limited || (many_nodes && more_time) {
        return Some(Warning::FalseProgress {
            nodes,
            time,
            depth_limited,
        });
    }
    match (nodes, time) {
        (Some(nodes), Some(time)) if nodes > TIME_RATIO && time <= TIME_RATIO => {
            Some(Warning::SpeedUp { nodes, time })
        }
        _ => None,
    }
}

/// Whether the openings decide so much that pairs carry little: of at least 20 pairs, four in
/// five were even while one role took three points in four.
#[must_use]
pub fn role_bias_warning(pairs: &PairCounts, first: Score) -> Option<Warning> {
    let first_score = first.value()?;
    let even_share = pairs.0[2] as f64 / pairs.pairs() as f64;
    let biased = first_score >= ROLE_SCORE || first_score <= 1.0 - ROLE_SCORE;
    (pairs.pairs() >= ENOUGH_PAIRS && biased && even_share >= EVEN_SHARE).then_some(
        Warning::RoleBias {
            first_score,
            even_share,
        },
    )
}

/// Whether the plan can reach a verdict at all: `needed` is the rule's
/// [`super::StopRule::pairs_to_accept_h1`].
#[must_use]
pub fn reach_warning(planned: u64, needed: Option<u64>) -> Option<Warning> {
    let reachable = needed.is_some_and(|needed| needed <= planned);
    (!reachable).then_some(Warning::TooFewPairs { planned, needed })
}

/// Whether games share cores.
#[must_use]
pub fn threads_warning(threads: usize, cores: usize) -> Option<Warning> {
    (threads > cores).then_some(Warning::MoreThreadsThanCores { threads, cores })
}

/// Whether workers with work to do were kept waiting: processor seconds against wall seconds.
#[must_use]
pub fn load_warning(processor_seconds: f64, busy_wall_seconds: f64) -> Option<Warning> {
    if !(busy_wall_seconds > 0.0 && processor_seconds >= 0.0) {
        return None;
    }
    let lost = 1.0 - processor_seconds / busy_wall_seconds;
    (lost > LOST_TIME).then_some(Warning::Overloaded { lost })
}

/// Warnings about the games that a variant lost without losing on the board.
#[must_use]
pub fn fault_warnings(variant: &str, forfeits: u64, crashes: u64, games: u64) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if forfeits > 0 {
        let variant = variant.to_owned();
        warnings.push(Warning::Forfeits {
            variant,
            count: forfeits,
            games,
        });
    }
    if crashes > 0 {
        let variant = variant.to_owned();
        warnings.push(Warning::Crashes {
            variant,
            count: crashes,
            games,
        });
    }
    warnings
}

/// Many void games: more than one in fifty.
#[must_use]
pub fn void_warning(count: u64, games: u64) -> Option<Warning> {
    (count > 0 && count * 50 > games).then_some(Warning::VoidGames { count, games })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROSE: Score = Score {
        half_points: 120,
        games: 100,
    };

    fn effort(nodes: f64, time: f64, depth_limited: bool) -> Effort {
        Effort {
            nodes: Some(nodes),
            time: Some(time),
            depth_limited,
        }
    }

    fn name(score: Score, effort: &Effort) -> Option<&'static str> {
        effort_warning(score, effort).map(|warning| warning.name())
    }

    #[test]
    fn a_gain_bought_with_nodes_and_time_is_false_progress() {
        assert_eq!(name(ROSE, &effort(3.1, 1.3, false)), Some("false_progress"));
        assert_eq!(name(ROSE, &effort(3.1, 1.2, false)), Some("speed_up"));
        assert_eq!(name(ROSE, &effort(3.0, 1.3, false)), None);
        assert_eq!(name(ROSE, &effort(1.0, 1.0, true)), Some("false_progress"));
        assert_eq!(name(ROSE, &effort(1.0, 1.0, false)), None);
        let fell = Score {
            half_points: 80,
            ..ROSE
        };
        assert_eq!(name(fell, &effort(9.0, 9.0, true)), None);
        assert_eq!(name(ROSE, &Effort::default()), None);
    }

    #[test]
    fn even_pairs_of_lopsided_openings_are_told() {
        let (first, balanced) = (
            Score {
                half_points: 180,
                games: 100,
            },
            Score {
                half_points: 100,
                games: 100,
            },
        );
        let pairs = PairCounts([0, 2, 45, 3, 0]);
        assert!(role_bias_warning(&pairs, first).is_some());
        // Drawn pairs from balanced openings are no fault of the openings.
        assert_eq!(role_bias_warning(&pairs, balanced), None);
        assert_eq!(role_bias_warning(&PairCounts([0, 0, 5, 0, 0]), first), None);
        assert_eq!(
            role_bias_warning(
                &PairCounts::default(),
                Score {
                    half_points: 0,
                    games: 0
                }
            ),
            None
        );
    }

    #[test]
    fn unreachable_plans_are_told() {
        assert_eq!(reach_warning(31, Some(31)), None);
        assert!(reach_warning(30, Some(31)).is_some());
        assert!(reach_warning(30, None).is_some());
    }

    #[test]
    fn machines_and_faults() {
        assert_eq!(threads_warning(2, 2), None);
        assert!(threads_warning(3, 2).is_some());
        assert_eq!(load_warning(99.0, 100.0), None);
        assert_eq!(load_warning(0.0, 0.0), None);
        assert!(load_warning(80.0, 100.0).is_some());
        assert_eq!(fault_warnings("new", 1, 2, 10).len(), 2);
        assert_eq!(fault_warnings("new", 0, 0, 10), []);
    }
}
