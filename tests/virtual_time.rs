//! Parallel play without waiting: an executor in which time is a number.
//!
//! B09 (fishtest #933): with several games at once, short games arrive first. Where one side
//! wins only long games, whoever counts in order of arrival favours the other. The run loop counts in
//! order of schedule, and these tests hold it to that: the same verdict for any number of
//! workers, and no bias.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::path::Path;

use agon::executor::{Director, Executor, ExecutorError, Flow, GameEvent, Next};
use agon::game::Side;
use agon::params::ParameterValues;
use agon::report::Reporter;
use agon::results::{
    EngineKind, GameId, GameRecord, GameResult, GameSpec, Job, Journal, LimitSpec, MoveLimit,
    OpeningSpec, Overrun, PairingSpec, RowStamp, RunSpec, SprtSpec, Termination, VariantSpec,
    VerdictSpec,
};
use agon::search::{SearchKind, SearchSpec};
use agon::stats::{GameScore, Sprt, StopRule, Tally, Verdict};
use agon::tournament::{Ending, Tournament, standings};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

const WORKERS: [usize; 3] = [1, 16, 128];

/// Which of the candidate's games take long; the others are its opponent's.
#[derive(Clone, Copy, Debug, PartialEq)]
enum LongGames {
    Won,
    Lost,
}

/// A game of two equal engines in which one side wins only long games: the candidate's score
/// and the duration. Both follow from the job's seed alone, as in a plan without clocks.
fn game(seed: u64, long: LongGames) -> (GameScore, u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let score = match rng.random_range(0..10) {
        0..4 => GameScore::Loss,
        4..6 => GameScore::Draw,
        _ => GameScore::Win,
    };
    let duration = match (score, long) {
        (GameScore::Draw, _) => 1_000..2_000,
        (GameScore::Win, LongGames::Won) | (GameScore::Loss, LongGames::Lost) => 1_500..2_500,
        (GameScore::Win, LongGames::Lost) | (GameScore::Loss, LongGames::Won) => 300..700,
    };
    (score, rng.random_range(duration))
}

/// A game in play. The heap gives the least: who ends first, and of those who began first.
type InPlay = Reverse<(u64, u64, usize)>;

/// Plays simulated games on virtual workers: what ends next is handed in next, at once.
struct VirtualTime<'a> {
    run: &'a RunSpec,
    workers: usize,
    long: LongGames,
    /// Whether the machine spoils a game.
    spoils: fn(&Job) -> bool,
    /// The games in order of arrival: pair and the candidate's score.
    arrived: Vec<(u32, GameScore)>,
    /// The same games, with their attempts.
    played: Vec<(GameId, u32)>,
}

impl Executor for VirtualTime<'_> {
    fn run(&mut self, director: &mut dyn Director) -> Result<(), ExecutorError> {
        let mut in_play: BinaryHeap<InPlay> = BinaryHeap::new();
        let mut free: Vec<usize> = (0..self.workers).rev().collect();
        let mut started = 0;
        let mut on: HashMap<usize, Job> = HashMap::new();
        let mut now = 0;
        let mut flow = Flow::Continue;
        loop {
            while flow == Flow::Continue
                && let Some(worker) = free.pop()
            {
                let Next::Job(job) = director.next() else {
                    free.push(worker);
                    break;
                };
                let (_, duration) = game(job.seed, self.long);
                in_play.push(Reverse((now + duration, started, worker)));
                started += 1;
                on.insert(worker, job);
            }
            // With nothing in play a `Wait` can never end.
            let Some(Reverse((time, _, worker))) = in_play.pop() else {
                return Ok(());
            };
            now = time;
            let job = on.remove(&worker).expect("a worker in play has a job");
            let (score, _) = game(job.seed, self.long);
            self.arrived.push((job.id.pair(), score));
            self.played.push((job.id, job.attempt));
            free.push(worker);
            let mut record = record(self.run, &job, score, worker);
            record.void = (self.spoils)(&job);
            match director.event(GameEvent::Finished(Box::new(record))) {
                Flow::Abort => return Ok(()),
                Flow::Drain => flow = Flow::Drain,
                Flow::Continue => {}
            }
        }
    }
}

fn record(run: &RunSpec, job: &Job, score: GameScore, worker: usize) -> GameRecord {
    let candidate = if job.id.leg() == 0 {
        Side::First
    } else {
        Side::Second
    };
    let winner = match score {
        GameScore::Loss => Some(candidate.other()),
        GameScore::Draw => None,
        GameScore::Win => Some(candidate),
    };
    let opening = &run.openings[job.opening];
    GameRecord {
        id: job.id,
        attempt: job.attempt,
        seed: job.seed,
        opening: opening.name.clone(),
        opening_fen: opening.fen.clone(),
        opening_moves: Vec::new(),
        first: run.variants[job.first].name.clone(),
        second: run.variants[job.second].name.clone(),
        first_to_move: Side::First,
        result: GameResult::of(winner),
        termination: Termination::Rule("no_moves".to_owned()),
        detail: String::new(),
        void: false,
        runner_delay_us: 0,
        moves: Vec::new(),
        overruns: [Overrun::default(); 2],
        cpu_time_us: None,
        worker,
        started: std::time::SystemTime::UNIX_EPOCH,
    }
}

fn plan(seed: u64, verdict: VerdictSpec, pairs: u32) -> RunSpec {
    let variant = |name: &str| VariantSpec {
        name: name.to_owned(),
        engine: EngineKind::BuiltIn(SearchSpec {
            kind: SearchKind::Random,
            parameters: ParameterValues::default(),
            evaluation: ParameterValues::default(),
        }),
        limit: LimitSpec {
            first: MoveLimit::Nodes(1),
            second: MoveLimit::Nodes(1),
        },
        book: None,
    };
    RunSpec {
        name: "virtual".to_owned(),
        game: GameSpec {
            name: "coin".to_owned(),
            rules: serde_json::json!({}),
        },
        seed,
        variants: vec![variant("old"), variant("new")],
        pairings: vec![PairingSpec {
            candidate: 1,
            base: 0,
            pairs,
            first_pair: 0,
        }],
        openings: vec![OpeningSpec {
            name: "start".to_owned(),
            fen: "start".to_owned(),
            moves: Vec::new(),
            same_as: None,
        }],
        margin_ms: 0,
        verdict,
        adjudication: agon::results::AdjudicationSpec::default(),
        compare: None,
    }
}

/// What came of a run.
#[derive(Clone, Debug, PartialEq)]
struct Outcome {
    verdict: Verdict,
    /// Index of the pair that decided.
    deciding_pair: u64,
    tally: Tally,
}

/// Plays a run with the program's own run loop: its outcome, and the games in order of arrival.
fn play(run: &RunSpec, workers: usize, long: LongGames) -> (Outcome, Vec<(u32, GameScore)>) {
    let (outcome, executor) = play_spoiled(run, workers, long, |_| false);
    (outcome, executor.arrived)
}

/// As [`play`], on a machine that spoils games: the outcome, and the executor.
fn play_spoiled(
    run: &RunSpec,
    workers: usize,
    long: LongGames,
    spoils: fn(&Job) -> bool,
) -> (Outcome, VirtualTime<'_>) {
    // In memory where the system has such a folder: thousands of journals are synced.
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() {
        tempfile::tempdir_in(memory)
    } else {
        tempfile::tempdir()
    };
    let folder = folder.expect("a temporary folder");
    let stamp = RowStamp {
        run: "virtual-1".to_owned(),
        config: String::new(),
        rules: "{}".to_owned(),
    };
    let path = folder.path().join("games.csv");
    let (journal, _) = Journal::open(&path, stamp).expect("a new journal");
    let before = standings(run, []).expect("a valid rule");
    let mut reporter: Vec<Box<dyn Reporter + Send>> = Vec::new();
    let mut tournament = Tournament::new(run, before, journal, 0, workers, &mut reporter);
    let mut executor = VirtualTime {
        run,
        workers,
        long,
        spoils,
        arrived: Vec::new(),
        played: Vec::new(),
    };
    executor.run(&mut tournament).expect("nothing can fail");
    let (standings, ending) = tournament.end().expect("the run ends");
    assert_eq!(ending, Ending::Finished);
    let tally = *standings[0].tally();
    let outcome = Outcome {
        verdict: standings[0].verdict(),
        deciding_pair: tally.pairs.pairs() - 1,
        tally,
    };
    (outcome, executor)
}

#[test]
fn spoiled_pairs_are_played_again_and_no_game_twice() {
    let run = plan(5, VerdictSpec::WinRate { at_least: 5500 }, 200);
    let (clean, _) = play_spoiled(&run, 1, LongGames::Won, |_| false);
    let spoils = |job: &Job| job.attempt < 4 && (job.seed >> job.attempt).is_multiple_of(3);
    for workers in WORKERS {
        let (outcome, executor) = play_spoiled(&run, workers, LongGames::Won, spoils);
        // The last attempt counts, and its seeds are those of the first.
        assert_eq!(outcome, clean, "{workers} workers");
        let games: HashSet<_> = executor.played.iter().collect();
        assert!(executor.played.len() > 450, "{}", executor.played.len());
        assert_eq!(games.len(), executor.played.len(), "{workers} workers");
    }
}

/// A short test, and a cap that it hardly ever reaches.
const SPRT: SprtSpec = SprtSpec {
    elo0: 0.0,
    elo1: 70.0,
    alpha: 0.05,
    beta: 0.05,
    model: agon::stats::EloModel::Logistic,
    outcomes: agon::stats::OutcomeModel::Pentanomial,
};
const CAP: u32 = 600;

/// Counted excess over half of the points, in games, and its standard error, over many runs.
/// The expected excess is 0 whatever the stopping rule (Wald), since the games are fair and
/// the rule sees them in an order that their results do not change.
fn excess(outcomes: &[Outcome]) -> (f64, f64) {
    let excess: Vec<f64> = outcomes
        .iter()
        .map(|outcome| {
            let score = outcome.tally.pairs.score();
            score.half_points as f64 / 2.0 - score.games as f64 / 2.0
        })
        .collect();
    let runs = excess.len() as f64;
    let mean = excess.iter().sum::<f64>() / runs;
    let variance = excess.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (runs - 1.0);
    (mean, (variance / runs).sqrt())
}

/// Alpha, and three standard errors of a rate so large.
fn bar(runs: usize) -> f64 {
    SPRT.alpha + 3.0 * (SPRT.alpha * (1.0 - SPRT.alpha) / runs as f64).sqrt()
}

fn rate_of(verdict: Verdict, verdicts: impl Iterator<Item = Verdict>) -> f64 {
    let verdicts: Vec<Verdict> = verdicts.collect();
    let found = verdicts.iter().filter(|&&found| found == verdict).count();
    found as f64 / verdicts.len() as f64
}

#[test]
fn b09_any_number_of_workers_gives_one_verdict_and_no_bias() {
    let seeds = 500;
    for long in [LongGames::Won, LongGames::Lost] {
        let outcomes = WORKERS.map(|workers| {
            (0..seeds)
                .into_par_iter()
                .map(|seed| play(&plan(seed, VerdictSpec::Sprt(SPRT), CAP), workers, long).0)
                .collect::<Vec<Outcome>>()
        });
        let [one, sixteen, many] = &outcomes;
        // Verdict, deciding pair and all counts.
        for (seed, outcome) in one.iter().enumerate() {
            assert_eq!(outcome, &sixteen[seed], "seed {seed}, 16 workers, {long:?}");
            assert_eq!(outcome, &many[seed], "seed {seed}, 128 workers, {long:?}");
        }
        let early = one
            .iter()
            .filter(|outcome| outcome.deciding_pair + 1 < CAP.into());
        assert!(early.count() > one.len() * 9 / 10, "most tests stop early");
        for (outcomes, workers) in outcomes.iter().zip(WORKERS) {
            let (mean, error) = excess(outcomes);
            assert!(
                mean.abs() < 3.0 * error,
                "{workers} workers: {mean} ± {error}"
            );
            let verdicts = || outcomes.iter().map(|outcome| outcome.verdict);
            let accepted = rate_of(Verdict::AcceptH1, verdicts());
            assert!(
                accepted <= bar(outcomes.len()),
                "{workers} workers: {accepted}"
            );
        }
    }
}

#[test]
fn b09_a_fixed_number_of_pairs_has_no_bias() {
    let rule = VerdictSpec::WinRate { at_least: 5500 };
    for workers in WORKERS {
        let outcomes: Vec<Outcome> = (0..200)
            .into_par_iter()
            .map(|seed| play(&plan(seed, rule, 40), workers, LongGames::Lost).0)
            .collect();
        assert!(outcomes.iter().all(|outcome| outcome.deciding_pair == 39));
        let (mean, error) = excess(&outcomes);
        assert!(
            mean.abs() < 3.0 * error,
            "{workers} workers: {mean} ± {error}"
        );
    }
}

/// The verdict of the same test by whoever counts pairs as they are complete.
fn by_arrival(arrived: &[(u32, GameScore)]) -> (Verdict, Tally) {
    let sprt = Sprt::new(SPRT, CAP.into()).expect("a valid design");
    let mut waiting: HashMap<u32, GameScore> = HashMap::new();
    let mut tally = Tally::default();
    for &(pair, score) in arrived {
        let Some(other) = waiting.remove(&pair) else {
            waiting.insert(pair, score);
            continue;
        };
        tally.add(other, score);
        let verdict = sprt.check(&tally);
        if verdict != Verdict::Continue {
            return (verdict, tally);
        }
    }
    (Verdict::Continue, tally)
}

/// The tests above can fail: counted by arrival, equal engines pass far too often where the
/// candidate's wins are short, and far too seldom where they are long.
#[test]
fn b09_counting_in_order_of_arrival_is_biased() {
    let rule = VerdictSpec::WinRate { at_least: 5500 };
    let seeds = 200;
    let accepted = |workers, long| {
        let verdicts: Vec<Verdict> = (0..seeds)
            .into_par_iter()
            .map(|seed| by_arrival(&play(&plan(seed, rule, CAP / 2), workers, long).1).0)
            .collect();
        (
            rate_of(Verdict::AcceptH1, verdicts.iter().copied()),
            rate_of(Verdict::AcceptH0, verdicts.iter().copied()),
        )
    };
    let (passed, _) = accepted(128, LongGames::Lost);
    assert!(passed > 5.0 * bar(seeds as usize), "{passed}");
    let (passed, failed) = accepted(128, LongGames::Won);
    assert!(passed == 0.0 && failed > 0.97, "{passed} {failed}");
    // One worker has no order of arrival but that of the schedule.
    let (passed, _) = accepted(1, LongGames::Lost);
    assert!(passed <= bar(seeds as usize), "{passed}");
}
