//! `agon check`: everything short of playing, and the plan in words.

use std::fmt::Write;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use indicatif::HumanDuration;

use super::{interrupts::interrupts, print, say, try_engines, tune};
use crate::cli::ConfigArgs;
use crate::config::{self, Loaded};
use crate::error::CommandError;
use crate::game::Side;
use crate::plan::Plan;
use crate::play::{Arena, Worker};
use crate::results::{LimitSpec, MoveLimit, PairingSpec, RunSpec, VariantSpec, VerdictSpec};
use crate::schedule;
use crate::search::StopFlag;
use crate::stats;

pub(super) fn check(args: &ConfigArgs) -> Result<(), CommandError> {
    let asked = Arc::new(StopFlag::new());
    let _interrupts = interrupts(&asked).map_err(CommandError::Signals)?;
    let plan = match config::load_any(&args.config, &args.set)? {
        Loaded::Run(plan) => *plan,
        Loaded::Tuning(mut plan) => {
            tune::prepare(&mut plan, false, &asked)?;
            return print(&tune::describe(&plan)?);
        }
    };
    plan.notes
        .iter()
        .for_each(|note| say(&format!("note: {note}")));
    let absent = try_engines(plan.arena.as_ref(), &plan.spec, false, &asked)?.absent;
    if !absent.is_empty() {
        let name = |variant: usize| plan.spec.variants[variant].name.clone();
        let absent = absent
            .into_iter()
            .map(|(variant, why)| (name(variant), why));
        return Err(CommandError::Engines(absent.collect()));
    }
    print(&describe(&plan)?)
}

fn describe(plan: &Plan) -> Result<String, CommandError> {
    let spec = &plan.spec;
    let suite = plan.suite.as_ref().map_or("start".to_owned(), |path| {
        format!("{} ({})", path.display(), plan.suite_format)
    });
    let mut text = format!(
        "run         {} (seed {})\ngame        {} {}\nopenings    {} from {suite}\n\
         concurrency {} games at once\ngames       {}\n",
        spec.name,
        spec.seed,
        spec.game.name,
        spec.game.rules,
        spec.openings.len(),
        plan.workers,
        schedule::games(spec)
    );
    for pairing in &spec.pairings {
        text += &describe_pairing(plan, pairing)?;
    }
    let estimate =
        estimate(plan).map_or("unknown".to_owned(), |time| HumanDuration(time).to_string());
    writeln!(
        text,
        "time        about {estimate} if every game is played (by a short trial game a pairing)"
    )
    .expect("a string takes every write");
    Ok(text)
}

fn describe_pairing(plan: &Plan, pairing: &PairingSpec) -> Result<String, CommandError> {
    let rule = stats::build(&plan.spec.verdict, pairing.pairs.into())?;
    let reach = match rule.pairs_to_accept_h1() {
        Some(_) if matches!(plan.spec.verdict, VerdictSpec::WinRate { .. }) => {
            "comes when all pairs are played".to_owned()
        }
        Some(needed) if needed <= pairing.pairs.into() => {
            format!("can be reached: {needed} pairs won twice are enough")
        }
        Some(needed) => {
            format!("CANNOT be reached: to pass takes at least {needed} distinct pairs")
        }
        None => "CANNOT be reached by any number of pairs".to_owned(),
    };
    let [candidate, base] = [pairing.candidate, pairing.base].map(|v| &plan.spec.variants[v]);
    let limits = |variant: &VariantSpec| {
        let LimitSpec { first, second } = variant.limit;
        if first == second {
            return first.to_string();
        }
        let [as_first, as_second] = plan.arena.roles();
        format!("{first} as {as_first}, {second} as {as_second}")
    };
    Ok(format!(
        "pairing     {} ({}) against {} ({}): {} pairs\n  rule      {}\n  verdict   {reach}\n",
        candidate.name,
        limits(candidate),
        base.name,
        limits(base),
        pairing.pairs,
        rule.describe()
    ))
}

/// How long all trial games of a plan may take together.
const TRIAL_TIME: Duration = Duration::from_secs(3);

/// A trial game is played with a limit of at most this, and its time scaled up.
const TRIAL_MS: u64 = 10;
/// As [`TRIAL_MS`], for a whole game.
const TRIAL_CLOCK_MS: u64 = 300;
/// As [`TRIAL_MS`], in nodes a move.
const TRIAL_NODES: u64 = 3000;

/// The time for all games, from a trial game of each pairing under small limits, which is
/// thrown away; `None` if that took too long.
fn estimate(plan: &Plan) -> Option<Duration> {
    let mut run = plan.spec.clone();
    let scales: Vec<[f64; 2]> = run
        .variants
        .iter_mut()
        .map(|variant| {
            // How soon a deal is solved has little to do with its limit.
            if plan.arena.is_solitaire() {
                return [1.0; 2];
            }
            let LimitSpec { first, second } = &mut variant.limit;
            [shorten(first), shorten(second)]
        })
        .collect();
    let stop = StopFlag::new();
    let (done, waiting) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let stop = &stop;
        scope.spawn(move || {
            if waiting.recv_timeout(TRIAL_TIME) == Err(mpsc::RecvTimeoutError::Timeout) {
                stop.stop();
            }
        });
        let total = total_time(plan.arena.as_ref(), &run, &scales, stop);
        drop(done);
        Some(total? / u32::try_from(plan.workers).ok()?)
    })
}

/// Makes a limit small: how much longer a move of the real one takes.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn shorten(limit: &mut MoveLimit) -> f64 {
    let (limit, most) = match limit {
        MoveLimit::TimeMs(ms) => (ms, TRIAL_MS),
        MoveLimit::Nodes(nodes) => (nodes, TRIAL_NODES),
        // A clock is made as much shorter as its base is.
        MoveLimit::Clock(clock) => {
            let real = clock.base_ms;
            let trial = real.min(TRIAL_CLOCK_MS);
            clock.increment_ms = clock.increment_ms * trial / real;
            clock.base_ms = trial;
            return real as f64 / trial as f64;
        }
        // A depth cannot be scaled.
        MoveLimit::Depth(_) => return 1.0,
    };
    let real = *limit;
    *limit = real.min(most);
    real as f64 / *limit as f64
}

/// The time of all games on one worker, from the pairings that there was time to try.
fn total_time(
    arena: &dyn Arena,
    run: &RunSpec,
    scales: &[[f64; 2]],
    stop: &StopFlag,
) -> Option<Duration> {
    let mut worker = arena.worker(run, 0);
    if run.compare.is_some() {
        return time_of_tries(worker.as_mut(), run, stop);
    }
    let mut total = Duration::ZERO;
    let mut tried = 0;
    for (index, pairing) in run.pairings.iter().enumerate() {
        let job = schedule::job(run, index, 0, 0);
        let Ok(game) = worker.play(&job, stop) else {
            break;
        };
        tried += pairing.pairs;
        for side in Side::BOTH {
            let played = Duration::from_micros(game.effort(side).time_us);
            let scale = scales[job.variant(side)][side.index()];
            let games = 2.0 * f64::from(pairing.pairs);
            let time = Duration::try_from_secs_f64(played.as_secs_f64() * scale * games).ok()?;
            total = total.checked_add(time)?;
        }
    }
    let all: u32 = run.pairings.iter().map(|pairing| pairing.pairs).sum();
    let scale = (tried > 0).then(|| f64::from(all) / f64::from(tried))?;
    Duration::try_from_secs_f64(total.as_secs_f64() * scale).ok()
}

/// So many tries tell the time of all.
const TRIES: usize = 100;

/// The time of all tries of deals, from the first ones that there was time for.
fn time_of_tries(worker: &mut dyn Worker, run: &RunSpec, stop: &StopFlag) -> Option<Duration> {
    let all = schedule::games(run);
    let (mut tried, mut total) = (0_u32, Duration::ZERO);
    for job in schedule::jobs(run).take(TRIES) {
        let Ok(game) = worker.play(&job, stop) else {
            break;
        };
        tried += 1;
        total += Duration::from_micros(game.effort(Side::First).time_us);
    }
    #[expect(clippy::cast_precision_loss, reason = "counts far below 2^53")]
    let scale = (tried > 0).then(|| all as f64 / f64::from(tried))?;
    Duration::try_from_secs_f64(total.as_secs_f64() * scale).ok()
}
