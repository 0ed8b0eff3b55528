//! `summary.csv`: one row a pairing, computed from its counted games.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde::Serialize;

use super::deals::{DealsRow, deals};
use super::doubts::{other_faults, ratio, warnings};
use crate::game::Side;
use crate::results::{FaultKind, RunSpec, Start};
use crate::standing::Standing;
use crate::stats::{
    self, EffectiveSample, Estimates, Evidence, GameCounts, LogisticElo, Verdict, Warning,
};

/// One row. Empty cells are figures that are not known.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SummaryRow {
    /// Whose score it is.
    pub candidate: String,
    /// Whom it met.
    pub base: String,
    /// Counted games.
    pub games: u64,
    /// Counted pairs.
    pub pairs: u64,
    /// Pairs planned.
    pub pairs_planned: u32,
    /// Games won by the candidate.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost by the candidate.
    pub losses: u64,
    /// Pairs with 0 half points.
    pub pairs_0: u64,
    /// Pairs with 1 half point.
    pub pairs_1: u64,
    /// Pairs with 2 half points.
    pub pairs_2: u64,
    /// Pairs with 3 half points.
    pub pairs_3: u64,
    /// Pairs with 4 half points.
    pub pairs_4: u64,
    /// (wins + draws / 2) / games, of the candidate.
    pub win_rate: Option<f64>,
    /// Lower end of its 95% interval.
    pub win_rate_low: Option<f64>,
    /// Upper end of its 95% interval.
    pub win_rate_high: Option<f64>,
    /// How the interval was made.
    pub interval: Option<String>,
    /// Logistic Elo of the win rate.
    pub elo: Option<f64>,
    /// Lower end of its 95% interval.
    pub elo_low: Option<f64>,
    /// Upper end of its 95% interval.
    pub elo_high: Option<f64>,
    /// Logistic Elo without the bias of stopping early, after an early stop.
    pub elo_after_stop: Option<f64>,
    /// Lower end of its 95% interval.
    pub elo_after_stop_low: Option<f64>,
    /// Upper end of its 95% interval.
    pub elo_after_stop_high: Option<f64>,
    /// Likelihood that the candidate is stronger.
    pub los: Option<f64>,
    /// The name of the first side in this game.
    pub first_role: String,
    /// The name of the second side.
    pub second_role: String,
    /// The candidate's win rate on the first side.
    pub win_rate_first: Option<f64>,
    /// The candidate's win rate on the second side.
    pub win_rate_second: Option<f64>,
    /// The win rate of the first side, whoever had it.
    pub first_side_win_rate: Option<f64>,
    /// The win rate of the second side, whoever had it.
    pub second_side_win_rate: Option<f64>,
    /// The win rate of whoever made the first move after the opening.
    pub first_mover_win_rate: Option<f64>,
    /// Distinct pairs among the counted ones.
    pub distinct_pairs: u64,
    /// Distinct openings among the counted ones.
    pub distinct_openings: u64,
    /// Mean moves of a game, the opening left out.
    pub mean_plies: Option<f64>,
    /// Nodes per searched move of the candidate.
    pub candidate_nodes_per_move: Option<f64>,
    /// Nodes per searched move of the base.
    pub base_nodes_per_move: Option<f64>,
    /// Candidate over base.
    pub nodes_ratio: Option<f64>,
    /// Milliseconds per searched move of the candidate.
    pub candidate_ms_per_move: Option<f64>,
    /// Milliseconds per searched move of the base.
    pub base_ms_per_move: Option<f64>,
    /// Candidate over base.
    pub time_ratio: Option<f64>,
    /// Games that the candidate lost on time.
    pub candidate_time_forfeits: u64,
    /// Games that the base lost on time.
    pub base_time_forfeits: u64,
    /// Games that the candidate lost by other faults.
    pub candidate_faults: u64,
    /// Games that the base lost by other faults.
    pub base_faults: u64,
    /// Games that do not count, since the machine kept engines waiting.
    pub void_games: u64,
    /// Log-likelihood ratio, where a test decides.
    pub llr: Option<f64>,
    /// Accept H0 at or below.
    pub llr_lower: Option<f64>,
    /// Accept H1 at or above.
    pub llr_upper: Option<f64>,
    /// The rule that decides, in one line.
    pub rule: String,
    /// `accept H1`, `accept H0`, `continue` or `inconclusive`.
    pub verdict: String,
    /// Index of the pair that decided; rows of later pairs are kept and never counted.
    pub deciding_pair: Option<u64>,
    /// Doubts, separated by `; `.
    pub warnings: String,
}

/// How often an equal engine passes a rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EqualPassRate {
    /// Share of runs of the planned length.
    pub rate: f64,
    /// Its standard error; 0 where the rate is exact.
    pub error: f64,
    /// The share of games drawn that it is for.
    pub draws: f64,
}

/// One row and its warnings with their hints.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The row.
    pub row: SummaryRow,
    /// More columns, where deals are compared.
    pub deals: Option<DealsRow>,
    /// The doubts.
    pub warnings: Vec<Warning>,
    /// How often an equal engine passes the rule at this length and draw rate, from balanced
    /// openings.
    pub equal_pass_rate: Option<EqualPassRate>,
    /// How far the verdict is from the other one, in words.
    pub other_verdict: String,
}

/// Rounded so that the file reads well; no figure is known to more digits.
pub(crate) fn figure(value: f64) -> Option<f64> {
    value.is_finite().then(|| (value * 1e4).round() / 1e4)
}

/// The summary of one pairing. `roles` are the names of the two sides in this game.
#[must_use]
pub fn summarise(
    run: &RunSpec,
    standing: &Standing,
    starts: &[Start],
    roles: [&str; 2],
) -> Summary {
    let tally = standing.tally();
    let estimates = Estimates::of(tally);
    let interval = estimates
        .win_rate
        .as_ref()
        .and_then(|rate| rate.interval.as_ref());
    let elo = |elo: Option<LogisticElo>| elo.and_then(|elo| figure(elo.0));
    let [candidate_effort, base_effort] = standing.efforts();
    let nodes = [candidate_effort, base_effort].map(|effort| effort.nodes_per_move());
    let time = [candidate_effort, base_effort].map(|effort| effort.ms_per_move());
    let [first, second] = Side::BOTH.map(|side| standing.counts_as(side));
    let sample = sample(run, standing);
    let evidence = standing.rule().evidence(tally);
    let llr = evidence.llr();
    let stopped = match standing.verdict() {
        Verdict::AcceptH1 | Verdict::AcceptH0 => standing.rule().after_stop(tally),
        Verdict::Continue | Verdict::Inconclusive => None,
    };
    let faults = other_faults(standing);
    let forfeits = standing.faults(FaultKind::TimeForfeit);
    let name = |variant: usize| run.variants[variant].name.clone();
    let warnings = warnings(run, standing, &sample, starts);
    let games = tally.games.games();
    let plies: u64 = standing.games().map(|game| u64::from(game.plies)).sum();
    #[expect(clippy::cast_precision_loss, reason = "counts far below 2^53")]
    let mean_plies = (games > 0)
        .then(|| plies as f64 / games as f64)
        .and_then(figure);
    // Both tries of a deal have the one result of their comparison.
    let per_pair = if standing.compares().is_some() { 2 } else { 1 };
    let [pairs_0, pairs_1, pairs_2, pairs_3, pairs_4] = tally.pairs.0;
    // A deal has no sides.
    let by_role = |counts: &GameCounts| match standing.compares() {
        None => counts.score().value().and_then(figure),
        Some(_) => None,
    };
    let row = SummaryRow {
        candidate: name(standing.pairing.candidate),
        base: name(standing.pairing.base),
        games: games / per_pair,
        pairs: tally.pairs.pairs(),
        pairs_planned: standing.pairing.pairs,
        wins: tally.games.wins / per_pair,
        draws: tally.games.draws / per_pair,
        losses: tally.games.losses / per_pair,
        pairs_0,
        pairs_1,
        pairs_2,
        pairs_3,
        pairs_4,
        win_rate: estimates
            .win_rate
            .as_ref()
            .and_then(|rate| figure(rate.value)),
        win_rate_low: interval.and_then(|interval| figure(interval.low)),
        win_rate_high: interval.and_then(|interval| figure(interval.high)),
        interval: interval.map(|interval| interval.method.name().to_owned()),
        elo: elo(estimates.elo.value),
        elo_low: elo(estimates.elo.low),
        elo_high: elo(estimates.elo.high),
        elo_after_stop: elo(stopped.and_then(|stopped| stopped.elo.value)),
        elo_after_stop_low: elo(stopped.and_then(|stopped| stopped.elo.low)),
        elo_after_stop_high: elo(stopped.and_then(|stopped| stopped.elo.high)),
        // Without an interval the likelihood would say more than is known.
        los: interval.and(estimates.los).and_then(figure),
        first_role: roles[0].to_owned(),
        second_role: roles[1].to_owned(),
        win_rate_first: by_role(&first),
        win_rate_second: by_role(&second),
        first_side_win_rate: by_role(&standing.first_side_counts()),
        second_side_win_rate: by_role(&standing.first_side_counts().reversed()),
        first_mover_win_rate: by_role(&standing.first_mover_counts()),
        distinct_pairs: sample.distinct_pairs,
        distinct_openings: sample.distinct_openings,
        mean_plies,
        candidate_nodes_per_move: nodes[0].and_then(figure),
        base_nodes_per_move: nodes[1].and_then(figure),
        nodes_ratio: ratio(nodes[0], nodes[1]).and_then(figure),
        candidate_ms_per_move: time[0].and_then(figure),
        base_ms_per_move: time[1].and_then(figure),
        time_ratio: ratio(time[0], time[1]).and_then(figure),
        candidate_time_forfeits: forfeits[0],
        base_time_forfeits: forfeits[1],
        candidate_faults: faults[0],
        base_faults: faults[1],
        void_games: standing.voids(),
        llr: llr.and_then(|llr| llr.value).and_then(figure),
        llr_lower: llr.and_then(|llr| figure(llr.lower)),
        llr_upper: llr.and_then(|llr| figure(llr.upper)),
        rule: standing.rule().describe(),
        verdict: standing.verdict().to_string(),
        deciding_pair: standing
            .is_decided()
            .then(|| tally.pairs.pairs().saturating_sub(1)),
        warnings: warnings
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join("; "),
    };
    Summary {
        row,
        deals: deals(standing),
        warnings,
        equal_pass_rate: equal_pass_rate(run, standing),
        other_verdict: other_verdict(&evidence, standing),
    }
}

/// The rows as CSV.
#[must_use]
pub fn to_csv(summaries: &[Summary]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for summary in summaries {
        let written = match &summary.deals {
            None => writer.serialize(&summary.row),
            Some(deals) => writer.serialize((&summary.row, deals)),
        };
        written.expect("a row of plain fields serialises");
    }
    writer.into_inner().expect("memory takes every write")
}

fn sample(run: &RunSpec, standing: &Standing) -> EffectiveSample {
    EffectiveSample::count(standing.counted().iter().map(|[leg0, leg1]| {
        let opening = run.opening_of(standing.pairing, leg0.pair);
        let opening = run.openings[opening].same_as.unwrap_or(opening) as u64;
        let mut hasher = DefaultHasher::new();
        (opening, leg0.moves_hash, leg1.moves_hash).hash(&mut hasher);
        (opening, hasher.finish())
    }))
}

fn equal_pass_rate(run: &RunSpec, standing: &Standing) -> Option<EqualPassRate> {
    // The model is of two games a pair.
    if standing.compares().is_some() {
        return None;
    }
    let draws = standing.tally().games.draw_ratio().unwrap_or(0.0);
    let (rate, error) =
        stats::equal_engine(&run.verdict, standing.pairing.pairs.into(), draws).ok()?;
    Some(EqualPassRate { rate, error, draws })
}

/// How far the other verdict was, in the rule's own measure.
#[expect(clippy::cast_precision_loss, reason = "counts far below 2^53")]
fn other_verdict(evidence: &Evidence, standing: &Standing) -> String {
    match evidence {
        Evidence::WinRate { score, at_least } => {
            let planned = 2 * u64::from(standing.pairing.pairs);
            let needed = (planned * u64::from(*at_least)).div_ceil(5000);
            let left = 2 * planned.saturating_sub(score.games);
            // A deal is won, even or lost as a whole: four half points, by two.
            let (step, left) = match standing.compares() {
                None => (1, format!("{} games to play", left / 2)),
                Some(_) => (2, format!("{} deals to try", left / 4)),
            };
            let points = |half_points: u64| half_points as f64 / (2 * step) as f64;
            if planned > score.games {
                return format!(
                    "{} of the {} points that the plan asks for, {left}",
                    points(score.half_points),
                    points(needed),
                );
            }
            let (gap, side) = if score.half_points >= needed {
                let spare = (score.half_points - needed) / step + 1;
                (spare * step, "fewer would have failed")
            } else {
                let missing = (needed - score.half_points).div_ceil(step);
                (missing * step, "more would have passed")
            };
            format!(
                "{} points, {} needed; {} {side}",
                points(score.half_points),
                points(needed),
                points(gap)
            )
        }
        Evidence::Sprt(llr) => {
            let Some(value) = llr.value else {
                return "unknown".to_owned();
            };
            let to_pass = format!("{:.2} short of accept H1", llr.upper - value);
            let to_fail = format!("{:.2} above accept H0", value - llr.lower);
            match standing.verdict() {
                Verdict::AcceptH1 => format!("the LLR is {to_fail}"),
                Verdict::AcceptH0 => format!("the LLR is {to_pass}"),
                Verdict::Continue | Verdict::Inconclusive => {
                    format!("the LLR is {to_pass} and {to_fail}")
                }
            }
        }
    }
}
