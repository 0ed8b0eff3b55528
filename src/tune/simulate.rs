//! Whole tunings on simulated landscapes: what a method loses against the best value, how often it
//! ends worse than it began, and what the confirming match makes of that.
//!
//! Replicate number i draws from stream i of the seed, so that figures do not depend on the
//! number of threads. Any two methods meet the same landscapes.

use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::landscape::games;
use super::{
    Axis, Finding, Landscape, MethodSpec, PairScores, TrialResult, TuneError, Tuning, build,
};
use crate::params::Parameter;
use crate::stats::{GameModel, PairScore, Sprt, StopRule as _, Tally, Verdict};

/// Elo below the default from which a tuning did harm.
pub const HARM: f64 = 1.0;

/// What to simulate.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulation {
    /// The method with its budget.
    pub method: MethodSpec,
    /// Share of games drawn.
    pub draw_ratio: f64,
    /// Most games of a confirming match; it counts as failed if undecided there.
    pub confirm_games: u32,
    /// Tunings of each landscape.
    pub replicates: u32,
    /// Seed of everything.
    pub seed: u64,
}

/// One simulated tuning. Elo is lost against the best value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Replicate {
    /// Lost by the default.
    pub default_regret: f64,
    /// Lost by the value that was estimated best, whatever was found.
    pub estimate_regret: f64,
    /// Lost by the value that the answer proposes: the default, where no difference was shown.
    pub regret: f64,
    /// Lost after the confirming match: by the default again, where it was not passed.
    pub confirmed_regret: f64,
    /// What was found.
    pub finding: Finding,
    /// Whether the interval contains the best place; unknown where the method gives none.
    pub covered: Option<bool>,
    /// Games of the tuning.
    pub games: u64,
    /// Games of the confirming match; 0 where there was nothing to confirm.
    pub confirm_games: u64,
}

/// All tunings of a landscape, or of several.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// How many.
    pub replicates: usize,
    /// Mean loss of the default, in Elo.
    pub default_regret: f64,
    /// Mean loss of the value estimated best.
    pub estimate_regret: f64,
    /// Its standard error.
    pub estimate_error: f64,
    /// Mean loss of what the answer proposes.
    pub regret: f64,
    /// Its standard error.
    pub regret_error: f64,
    /// Mean loss after the confirming match.
    pub confirmed_regret: f64,
    /// Its standard error.
    pub confirmed_error: f64,
    /// Share whose best estimate is more than 1 Elo below the default.
    pub estimate_harm: f64,
    /// Share whose answer is.
    pub harm: f64,
    /// Share that still is after the confirming match.
    pub confirmed_harm: f64,
    /// Share in which no difference was shown.
    pub no_difference: f64,
    /// Share whose interval contains the best place; unknown where the method gives none.
    pub coverage: Option<f64>,
    /// Median games of the confirming matches that were played; unknown where none was.
    pub median_confirm_games: Option<f64>,
}

/// Simulates tunings of one landscape.
///
/// # Errors
/// A budget that the method cannot work with.
pub fn simulate(spec: &Simulation, landscape: Landscape) -> Result<Vec<Replicate>, TuneError> {
    // The first error is known without a game.
    build(&spec.method, &[axis()?], spec.seed)?;
    let replicates = (0..spec.replicates).into_par_iter();
    let found: Vec<Result<Replicate, TuneError>> = replicates
        .map(|replicate| one(spec, landscape, replicate))
        .collect();
    found.into_iter().collect()
}

/// A weight from 0 to 1 with a fine grid.
fn axis() -> Result<Axis, TuneError> {
    Axis::whole(&Parameter::real("x", 0.5, 0.0, 1.0, 1e-4, "simulated"))
}

fn one(spec: &Simulation, landscape: Landscape, replicate: u32) -> Result<Replicate, TuneError> {
    let mut rng = ChaCha8Rng::seed_from_u64(spec.seed);
    rng.set_stream(replicate.into());
    let (low, high) = Landscape::BEST;
    let best = match landscape {
        Landscape::Edge => 1.0,
        _ => low + (high - low) * rng.random::<f64>(),
    };
    let regret = |place: f64| landscape.regret(place, best);
    let axis = axis()?;
    // What the method leaves to chance has a seed of its own.
    let seed: u64 = rng.random();
    let mut tuning = Tuning::new(build(&spec.method, std::slice::from_ref(&axis), seed)?);
    loop {
        let play = |trial: &super::Trial| {
            let lead = regret(trial.base.get("x")) - regret(trial.candidate.get("x"));
            let model = games(lead, spec.draw_ratio);
            let pairs = (trial.first_pair..).take(trial.pairs as usize);
            let scores = pairs.map(|pair| match landscape {
                Landscape::Linked => {
                    let mut own = ChaCha8Rng::seed_from_u64(seed);
                    own.set_stream(pair.into());
                    draw(&model, &mut own)
                }
                _ => draw(&model, &mut rng),
            });
            TrialResult {
                id: trial.id,
                pairs: PairScores(scores.collect()),
            }
        };
        let results: Vec<TrialResult> = tuning.ask().iter().map(play).collect();
        if results.is_empty() {
            break;
        }
        tuning.tell(&results)?;
    }
    let answer = tuning.best();
    let estimate = &answer.estimates[0];
    let (old, new) = (regret(estimate.base), regret(estimate.value));
    let proposed = regret(answer.proposed(std::slice::from_ref(&axis)).get("x"));
    let mut confirmed_regret = old;
    let mut confirm_games = 0;
    if let Some(test) = answer.confirming_test() {
        let test = Sprt::new(test, u64::from(spec.confirm_games / 2).max(1))
            .expect("bounds from 0 to 100 Elo");
        let (verdict, tally) = confirm(&test, &games(old - new, spec.draw_ratio), &mut rng);
        confirm_games = tally.pairs.games();
        if verdict == Verdict::AcceptH1 {
            confirmed_regret = new;
        }
    }
    Ok(Replicate {
        default_regret: old,
        estimate_regret: new,
        regret: proposed,
        confirmed_regret,
        finding: answer.finding,
        covered: estimate
            .interval
            .map(|(low, high)| low <= best && best <= high),
        games: 2 * answer.pairs,
        confirm_games,
    })
}

/// Plays a confirming match.
fn confirm(test: &Sprt, model: &GameModel, rng: &mut ChaCha8Rng) -> (Verdict, Tally) {
    let mut tally = Tally::default();
    loop {
        tally.pairs.add(draw(model, rng));
        let verdict = test.check(&tally);
        if !verdict.is_open() {
            return (verdict, tally);
        }
    }
}

/// Draws a pair.
fn draw(model: &GameModel, rng: &mut ChaCha8Rng) -> PairScore {
    let mut point: f64 = rng.random();
    for (score, probability) in PairScore::ALL.into_iter().zip(model.pair_probabilities()) {
        if point < probability {
            return score;
        }
        point -= probability;
    }
    PairScore::WonWon
}

impl Summary {
    /// Of these tunings; `None` without any.
    #[must_use]
    pub fn of(replicates: &[Replicate]) -> Option<Summary> {
        let count = replicates.len();
        let total = count as f64;
        let mean = |value: &dyn Fn(&Replicate) -> f64| {
            let mean = replicates.iter().map(value).sum::<f64>() / total;
            let squares = replicates.iter().map(|one| (value(one) - mean).powi(2));
            (mean, squares.sum::<f64>().sqrt() / total)
        };
        let share = |is: &dyn Fn(&Replicate) -> bool| mean(&|one| f64::from(u8::from(is(one)))).0;
        let (estimate_regret, estimate_error) = mean(&|one| one.estimate_regret);
        let (regret, regret_error) = mean(&|one| one.regret);
        let (confirmed_regret, confirmed_error) = mean(&|one| one.confirmed_regret);
        let mut lengths: Vec<u64> = replicates.iter().map(|one| one.confirm_games).collect();
        lengths.retain(|games| *games > 0);
        lengths.sort_unstable();
        (count > 0).then(|| Summary {
            replicates: count,
            default_regret: mean(&|one| one.default_regret).0,
            estimate_regret,
            estimate_error,
            regret,
            regret_error,
            confirmed_regret,
            confirmed_error,
            estimate_harm: share(&|one| one.estimate_regret > one.default_regret + HARM),
            harm: share(&|one| one.regret > one.default_regret + HARM),
            confirmed_harm: share(&|one| one.confirmed_regret > one.default_regret + HARM),
            no_difference: share(&|one| one.finding == Finding::NoDifferenceShown),
            coverage: (replicates.iter().all(|one| one.covered.is_some()))
                .then(|| share(&|one| one.covered == Some(true))),
            median_confirm_games: lengths.get(lengths.len() / 2).map(|games| *games as f64),
        })
    }
}

/// The mean of several landscapes' summaries, each with the same weight: the errors are those of
/// the means, the median is left out.
#[must_use]
pub fn overall(summaries: &[Summary]) -> Option<Summary> {
    let total = summaries.len() as f64;
    let mean = |value: fn(&Summary) -> f64| summaries.iter().map(value).sum::<f64>() / total;
    let error = |value: fn(&Summary) -> f64| {
        let squares = summaries.iter().map(|one| value(one).powi(2));
        squares.sum::<f64>().sqrt() / total
    };
    (!summaries.is_empty()).then(|| Summary {
        replicates: summaries.iter().map(|one| one.replicates).sum(),
        default_regret: mean(|one| one.default_regret),
        estimate_regret: mean(|one| one.estimate_regret),
        estimate_error: error(|one| one.estimate_error),
        regret: mean(|one| one.regret),
        regret_error: error(|one| one.regret_error),
        confirmed_regret: mean(|one| one.confirmed_regret),
        confirmed_error: error(|one| one.confirmed_error),
        estimate_harm: mean(|one| one.estimate_harm),
        harm: mean(|one| one.harm),
        confirmed_harm: mean(|one| one.confirmed_harm),
        no_difference: mean(|one| one.no_difference),
        coverage: summaries
            .iter()
            .all(|one| one.coverage.is_some())
            .then(|| mean(|one| one.coverage.unwrap_or_default())),
        median_confirm_games: None,
    })
}
