//! `agon check`: everything short of playing, and the plan in words.

use std::fmt::Write;
use std::time::{Duration, Instant};

use indicatif::HumanDuration;

use super::{print, say};
use crate::cli::ConfigArgs;
use crate::config;
use crate::error::CommandError;
use crate::plan::Plan;
use crate::results::{LimitSpec, PairingSpec, VariantSpec, VerdictSpec};
use crate::schedule;
use crate::search::StopFlag;
use crate::stats;

pub(super) fn check(args: &ConfigArgs) -> Result<(), CommandError> {
    let plan = config::load(&args.config, &args.set)?;
    plan.notes
        .iter()
        .for_each(|note| say(&format!("note: {note}")));
    print(&describe(&plan)?)
}

fn describe(plan: &Plan) -> Result<String, CommandError> {
    let spec = &plan.spec;
    let suite = plan
        .suite
        .as_ref()
        .map_or("start".to_owned(), |p| p.display().to_string());
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
        "time        about {estimate} if every game is played (by one trial game a pairing)"
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
        Some(needed) => format!("CANNOT be reached: at least {needed} distinct pairs are needed"),
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

/// The time for all games, from one game of each pairing that is played and thrown away.
fn estimate(plan: &Plan) -> Option<Duration> {
    let stop = StopFlag::new();
    let mut worker = plan.arena.worker(&plan.spec, 0);
    let mut total = Duration::ZERO;
    for (index, pairing) in plan.spec.pairings.iter().enumerate() {
        let job = schedule::job(&plan.spec, index, 0, 0);
        let start = Instant::now();
        worker.play(&job, &stop).ok()?;
        total += start.elapsed() * 2 * pairing.pairs;
    }
    Some(total / u32::try_from(plan.workers).ok()?)
}
