//! Doubts about a result, each with what to do about it. Whoever prints them adds nothing.

use std::fmt;

use serde::{Deserialize, Serialize};

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
    /// An engine's searches are not what its limit of nodes says.
    NodeLimit {
        /// The variant.
        variant: String,
        /// What it was given a move.
        limit: u64,
        /// What it said it used a move.
        used: f64,
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
            Warning::NodeLimit { .. } => "node_limit",
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
            Warning::NodeLimit { variant, .. } => {
                format!("limit {variant} by time or depth if it does not know `nodes`")
            }
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
            Warning::NodeLimit {
                variant,
                limit,
                used,
            } => write!(
                f,
                "{variant} said {used:.0} nodes a move under a limit of {limit}"
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
