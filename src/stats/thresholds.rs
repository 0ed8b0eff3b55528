//! The figures of a run from which its result is doubted.

use super::pairs::{PairCounts, Score};
use super::warning::Warning;

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

/// The nodes that an engine says over its limit, from which it does not keep to it. Soft limits,
/// which are looked at between iterations, were seen to end at 1.25.
pub const NODES_OVER: f64 = 1.5;

/// As [`NODES_OVER`], for an engine that answers before it has begun. Positions that are decided
/// or have one move only need few nodes, but no whole game is of those.
pub const NODES_UNDER: f64 = 0.1;

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

/// Whether an engine's nodes a searched move are far from its limit.
#[must_use]
pub fn node_limit_warning(variant: &str, limit: u64, used: f64) -> Option<Warning> {
    let share = used / limit.max(1) as f64;
    let kept = (NODES_UNDER..=NODES_OVER).contains(&share);
    (!kept).then(|| Warning::NodeLimit {
        variant: variant.to_owned(),
        limit,
        used,
    })
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
        // A soft limit, an exact one, one that is not known, and one that is passed over.
        assert_eq!(node_limit_warning("new", 10_000, 12_263.0), None);
        assert_eq!(node_limit_warning("new", 10_000, 9_000.0), None);
        assert!(node_limit_warning("new", 10_000, 6.0).is_some());
        assert!(node_limit_warning("new", 10_000, 1e6).is_some());
    }
}
