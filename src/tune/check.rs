//! Whether a plan of tuning can end with an answer, before anything is played.

use super::{Axis, LEAST_CONFIRMED};
use super::{MethodSpec, TuneError, build};
use crate::stats::{Conditions, LogisticElo, SprtSpec, StatsError, VerdictSpec, operating_points};

/// Simulated matches behind the figures on the confirming match.
const RUNS: u32 = 400;

/// What a plan costs, and whether its confirming match can be decided.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanCheck {
    /// Games of the tuning.
    pub games: u64,
    /// Different pairs that it needs: so many openings, where a pair cannot be played twice.
    pub openings: u64,
    /// Different values of each parameter in its range.
    pub values: Vec<(String, u64)>,
    /// The difference that the confirming match is planned for at least.
    pub confirm_elo: f64,
    /// Its mean length in games, where the difference is as large as that.
    pub confirm_games: f64,
    /// Share of such matches that pass within the cap.
    pub confirm_pass_rate: f64,
    /// Share of such matches that are undecided at the cap.
    pub confirm_open_rate: f64,
}

impl PlanCheck {
    /// What speaks against the plan, in words; nothing, if nothing does.
    #[must_use]
    pub fn doubts(&self, openings: u64, confirm_openings: u64, cap_games: u64) -> Vec<String> {
        let mut doubts = Vec::new();
        if openings < self.openings {
            doubts.push(format!(
                "{} pairs are planned and there are {openings} openings: with deterministic engines \
                 a pair that is played again says nothing new. Give more openings, or fewer games",
                self.openings
            ));
        }
        if self.confirm_open_rate > 0.2 {
            doubts.push(format!(
                "a confirming match of {cap_games} games is undecided in {:.0}% of cases where the \
                 gain is {} Elo; it takes {:.0} games on average. Allow more games",
                100.0 * self.confirm_open_rate,
                self.confirm_elo,
                self.confirm_games
            ));
        }
        if 2 * confirm_openings < cap_games {
            doubts.push(format!(
                "a confirming match may take {} pairs, and there are {confirm_openings} openings for \
                 it. Give more",
                cap_games / 2
            ));
        }
        doubts
    }
}

/// Checks a plan: that the method can work with the parameters and the budget, and how the
/// confirming match does within `cap_games` games of which `draw_ratio` are drawn.
///
/// # Errors
/// What [`build`] refuses, and [`TuneError::Confirm`] for a cap within which no match can pass or
/// a draw ratio that games cannot have.
pub fn check_plan(
    method: &MethodSpec,
    axes: &[Axis],
    cap_games: u64,
    draw_ratio: f64,
) -> Result<PlanCheck, TuneError> {
    let tuner = build(method, axes, 0)?;
    let test = SprtSpec::logistic(0.0, LEAST_CONFIRMED);
    let conditions = Conditions {
        draw_ratio,
        bias: 0.0,
        runs: RUNS,
        seed: 1,
    };
    let refused = |source: StatsError| TuneError::Confirm {
        games: cap_games,
        source,
    };
    let elo = [LogisticElo(LEAST_CONFIRMED)];
    let verdict = VerdictSpec::Sprt(test);
    let points = operating_points(&verdict, cap_games / 2, &elo, &conditions).map_err(refused)?;
    let point = points[0];
    Ok(PlanCheck {
        games: 2 * tuner.planned_pairs(),
        openings: tuner.planned_openings(),
        values: axes
            .iter()
            .map(|axis| (axis.name().to_owned(), axis.values()))
            .collect(),
        confirm_elo: LEAST_CONFIRMED,
        confirm_games: point
            .approximation
            .map_or(point.mean_games, |closed| closed.mean_games),
        confirm_pass_rate: point.pass_rate,
        confirm_open_rate: point.inconclusive_rate,
    })
}
