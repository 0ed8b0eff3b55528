//! A rule's error rates and length before anyone plays.
//!
//! A sequential test is simulated with the code that judges real matches, on all cores. Run
//! number i draws from stream i of one seed, so the figures do not depend on the number of
//! threads. The plain win-rate rule needs no simulation: its distribution is a convolution.

use rand::{Rng, RngExt as _};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::brownian::{Approximation, Brownian};
use super::elo::{LogisticElo, NormalizedElo};
use super::error::StatsError;
use super::game_model::GameModel;
use super::gate::WinRateRule;
use super::multinomial::MeanTest;
use super::pairs::{GameScore, Tally};
use super::sprt::{Sprt, UNCAPPED};
use super::stopped::hypothesis_score;
use super::{StopRule as _, Verdict};
use crate::results::{EloModel, OutcomeModel, SprtSpec, VerdictSpec};

/// Variance of a pair's score below which a simulation has nothing to draw.
const LEAST_VARIANCE: f64 = 1e-9;

/// How a rule does against one true difference.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OperatingPoint {
    /// The true difference.
    pub true_elo: LogisticElo,
    /// Its expected score.
    pub true_score: f64,
    /// The difference in units of one game's noise; unknown where there is no noise.
    pub true_nelo: Option<NormalizedElo>,
    /// Share of matches that accept H1.
    pub pass_rate: f64,
    /// Standard error of the pass rate; 0 where the rate is exact.
    pub pass_rate_error: f64,
    /// Share of matches that accept H0.
    pub fail_rate: f64,
    /// Share of matches undecided at the cap.
    pub inconclusive_rate: f64,
    /// Mean length.
    pub mean_games: f64,
    /// Standard error of the mean length.
    pub mean_games_error: f64,
    /// Half of the matches are no longer than this.
    pub median_games: f64,
    /// 95% of the matches are no longer than this.
    pub p95_games: f64,
    /// The closed approximation, without cap; the plain rule has none.
    pub approximation: Option<Approximation>,
    /// Matches simulated; 0 where the figures are exact.
    pub runs: u32,
}

/// The conditions of a simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conditions {
    /// Share of games drawn.
    pub draw_ratio: f64,
    /// How much more than half the first side of two equal engines scores.
    pub bias: f64,
    /// Matches to simulate, at least 1.
    pub runs: u32,
    /// Seed of the simulation.
    pub seed: u64,
}

/// Pairs that [`equal_engine`] plays at most, over all its matches.
const EQUAL_ENGINE_PAIRS: u64 = 4_000_000;

/// How often an equal engine passes a rule of this length when this share of games is drawn,
/// and the standard error of that: 0 for the plain rule, whose rate is exact. A sequential test
/// is simulated, with always the same seed.
///
/// # Errors
/// As [`operating_points`].
///
/// ```
/// use agon::stats::{VerdictSpec, equal_engine};
///
/// // 100 games at 0.55 without draws let 18% of equal engines in.
/// let (rate, error) = equal_engine(&VerdictSpec::WinRate { at_least: 5500 }, 50, 0.0)?;
/// assert!((rate - 0.184).abs() < 0.001 && error == 0.0);
/// # Ok::<(), agon::stats::StatsError>(())
/// ```
pub fn equal_engine(
    spec: &VerdictSpec,
    planned_pairs: u64,
    draw_ratio: f64,
) -> Result<(f64, f64), StatsError> {
    let runs = match spec {
        // Its ratio is found by iteration, a hundred times slower.
        VerdictSpec::Sprt(test) if test.model == EloModel::Normalized => 500,
        _ => (EQUAL_ENGINE_PAIRS / planned_pairs.max(1)).clamp(500, 10_000),
    };
    let conditions = Conditions {
        draw_ratio,
        bias: 0.0,
        runs: u32::try_from(runs).unwrap_or(u32::MAX),
        seed: 1,
    };
    let points = operating_points(spec, planned_pairs, &[LogisticElo(0.0)], &conditions)?;
    Ok((points[0].pass_rate, points[0].pass_rate_error))
}

/// How one simulated match ended.
#[derive(Clone, Copy, Debug)]
struct Match {
    verdict: Verdict,
    games: u64,
}

/// The rule's figures for each true difference.
///
/// # Errors
/// A rule that cannot be built, and games that cannot be: see [`GameModel::new`].
pub fn operating_points(
    spec: &VerdictSpec,
    planned_pairs: u64,
    true_elos: &[LogisticElo],
    conditions: &Conditions,
) -> Result<Vec<OperatingPoint>, StatsError> {
    let Conditions {
        draw_ratio,
        bias,
        runs,
        seed,
    } = *conditions;
    let points = true_elos.par_iter().map(|elo| {
        let model = GameModel::new(elo.score(), draw_ratio, bias)?;
        Ok(match *spec {
            VerdictSpec::WinRate { at_least } => {
                exact_point(&WinRateRule::new(at_least, planned_pairs)?, *elo, &model)
            }
            VerdictSpec::Sprt(spec) => {
                let sprt = Sprt::new(spec, planned_pairs)?;
                check_noise(&model)?;
                simulated_point(&sprt, *elo, &model, runs.max(1), seed)
            }
        })
    });
    // By way of all results, so that of several errors the first is the one that is told.
    let points: Vec<Result<OperatingPoint, StatsError>> = points.collect();
    points.into_iter().collect()
}

/// The closed approximation of a sequential test against one true difference, without cap.
///
/// # Errors
/// What [`operating_points`] refuses.
pub fn approximation(
    spec: SprtSpec,
    true_elo: LogisticElo,
    draw_ratio: f64,
    bias: f64,
) -> Result<Approximation, StatsError> {
    let sprt = Sprt::new(spec, UNCAPPED)?;
    let model = GameModel::new(true_elo.score(), draw_ratio, bias)?;
    check_noise(&model)?;
    Ok(approximate(&sprt, &model))
}

/// Where every pair ends alike, a test may never end.
fn check_noise(model: &GameModel) -> Result<(), StatsError> {
    let (variance, _) = model.noise(OutcomeModel::Pentanomial);
    if variance > LEAST_VARIANCE {
        Ok(())
    } else {
        Err(StatsError::NoNoise)
    }
}

/// The figures of the plain rule.
fn exact_point(rule: &WinRateRule, true_elo: LogisticElo, model: &GameModel) -> OperatingPoint {
    let pass_rate = rule.pass_rate(model);
    let games = 2.0 * rule.planned_pairs() as f64;
    OperatingPoint {
        true_elo,
        true_score: model.score(),
        true_nelo: model.normalized_elo(OutcomeModel::Pentanomial),
        pass_rate,
        pass_rate_error: 0.0,
        fail_rate: 1.0 - pass_rate,
        inconclusive_rate: 0.0,
        mean_games: games,
        mean_games_error: 0.0,
        median_games: games,
        p95_games: games,
        approximation: None,
        runs: 0,
    }
}

/// The figures of a sequential test over `runs` matches.
fn simulated_point(
    sprt: &Sprt,
    true_elo: LogisticElo,
    model: &GameModel,
    runs: u32,
    seed: u64,
) -> OperatingPoint {
    let mut matches: Vec<Match> = (0..runs)
        .into_par_iter()
        .map(|run| simulate(sprt, model, seed, run))
        .collect();
    matches.sort_unstable_by_key(|played| played.games);
    let total = f64::from(runs);
    let share = |verdict| {
        matches
            .iter()
            .filter(|played| played.verdict == verdict)
            .count() as f64
            / total
    };
    let pass_rate = share(Verdict::AcceptH1);
    let mean_games = matches
        .iter()
        .map(|played| played.games as f64)
        .sum::<f64>()
        / total;
    let squares = matches
        .iter()
        .map(|played| (played.games as f64 - mean_games).powi(2));
    let quantile = |share: f64| {
        let rank = (share * total).ceil() as usize;
        matches[rank.clamp(1, matches.len()) - 1].games as f64
    };
    OperatingPoint {
        true_elo,
        true_score: model.score(),
        true_nelo: model.normalized_elo(sprt.spec().outcomes),
        pass_rate,
        pass_rate_error: (pass_rate * (1.0 - pass_rate) / total).sqrt(),
        fail_rate: share(Verdict::AcceptH0),
        inconclusive_rate: share(Verdict::Inconclusive),
        mean_games,
        mean_games_error: squares.sum::<f64>().sqrt() / total,
        median_games: quantile(0.5),
        p95_games: quantile(0.95),
        approximation: Some(approximate(sprt, model)),
        runs,
    }
}

/// Plays one match.
fn simulate(sprt: &Sprt, model: &GameModel, seed: u64, run: u32) -> Match {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(run.into());
    let probabilities = model.game_probabilities();
    let mut judge = Judge::new(sprt);
    let mut tally = Tally::default();
    loop {
        let legs = probabilities.map(|game| draw(&game, &mut rng));
        // A test of single games looks after each of them.
        if sprt.spec().outcomes == OutcomeModel::Trinomial {
            let mut midway = tally;
            midway.games.add(legs[0]);
            let verdict = judge.check(&midway);
            if !verdict.is_open() {
                let games = midway.games.games();
                return Match { verdict, games };
            }
        }
        tally.add(legs[0], legs[1]);
        let verdict = judge.check(&tally);
        if !verdict.is_open() {
            let games = tally.games.games();
            return Match { verdict, games };
        }
    }
}

/// Draws a result with these probabilities of loss, draw and win.
fn draw(probabilities: &[f64; 3], rng: &mut impl Rng) -> GameScore {
    let point: f64 = rng.random();
    if point < probabilities[0] {
        GameScore::Loss
    } else if point < probabilities[0] + probabilities[1] {
        GameScore::Draw
    } else {
        GameScore::Win
    }
}

/// The test's own check, which for logistic Elo remembers the last roots: the next ones are near.
enum Judge<'a> {
    Pairs(&'a Sprt, MeanTest<5>),
    Games(&'a Sprt, MeanTest<3>),
    Plain(&'a Sprt),
}

impl<'a> Judge<'a> {
    fn new(sprt: &'a Sprt) -> Judge<'a> {
        let spec = sprt.spec();
        let (score0, score1) = (
            LogisticElo(spec.elo0).score(),
            LogisticElo(spec.elo1).score(),
        );
        match (spec.model, spec.outcomes) {
            (EloModel::Normalized, _) => Judge::Plain(sprt),
            (EloModel::Logistic, OutcomeModel::Pentanomial) => {
                Judge::Pairs(sprt, MeanTest::new(score0, score1))
            }
            (EloModel::Logistic, OutcomeModel::Trinomial) => {
                Judge::Games(sprt, MeanTest::new(score0, score1))
            }
        }
    }

    fn check(&mut self, tally: &Tally) -> Verdict {
        match self {
            Judge::Pairs(sprt, test) => sprt.judge(Some(test.llr(tally.pairs.0)), tally),
            Judge::Games(sprt, test) => sprt.judge(Some(test.llr(tally.games.cells())), tally),
            Judge::Plain(sprt) => sprt.check(tally),
        }
    }
}

/// The closed approximation: h = (2s - s0 - s1) / (s1 - s0), pass (1 - e^(-ha)) / (e^(-hb) -
/// e^(-ha)), length (2/h) (b P + a (1 - P)) σ² / (s1 - s0)². 3 to 4% short in length.
fn approximate(sprt: &Sprt, model: &GameModel) -> Approximation {
    // A test of single games takes them for independent: its noise is that of the pairs, and its
    // own idea of a game's variance sets the pace of its ratio.
    let (pair_variance, _) = model.noise(OutcomeModel::Pentanomial);
    let (believed, games) = model.noise(sprt.spec().outcomes);
    let score_of = |elo| hypothesis_score(elo, sprt.spec().model, (games * believed).sqrt());
    let (score0, score1) = (score_of(sprt.spec().elo0), score_of(sprt.spec().elo1));
    let gap = score1 - score0;
    let (lower, upper) = sprt.bounds();
    let motion = Brownian {
        lower,
        upper,
        drift: (model.score() - f64::midpoint(score0, score1)) * gap / believed,
        variance: gap * gap / (believed * believed) * pair_variance * (2.0 / games),
    };
    let (pass_rate, time) = motion.passage();
    Approximation {
        pass_rate,
        mean_games: time * games,
    }
}
