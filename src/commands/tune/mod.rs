//! `agon tune`: a better value for a weight, found by playing games.

mod curve;
mod folder;
mod plan;
mod play;
mod rows;
mod simulate;
mod words;

pub(super) use folder::TUNE_FILE;
pub(super) use plan::describe;

use std::sync::Arc;
use std::time::Instant;

use super::interrupts::interrupts;
use super::session::Session;
use super::{Tried, say, try_engines};
use crate::cli::{TuneArgs, TuneCommand};
use crate::config;
use crate::error::{CommandError, status};
use crate::plan::TuningPlan;
use crate::results::{RunSpec, VerdictSpec};
use crate::search::StopFlag;
use play::{End, tune_by_plan};

pub(super) fn tune(args: &TuneArgs) -> Result<u8, CommandError> {
    match (&args.command, &args.config) {
        (Some(TuneCommand::Simulate(args)), _) => {
            simulate::simulate_tunings(args).map(|()| status::DONE)
        }
        (None, Some(config)) => {
            let began = Instant::now();
            let mut plan = config::load_tuning(config, &args.play.set)?;
            // Before engines are tried, and before anything is said to have begun: whoever sees
            // that may interrupt it.
            let asked = Arc::new(StopFlag::new());
            let interrupts = interrupts(&asked).map_err(CommandError::Signals)?;
            prepare(&mut plan, args.play.quiet, &asked)?;
            let session = Session {
                arena: plan.arena.as_ref(),
                workers: plan.workers,
                max_fault_share: plan.max_fault_share,
                args: &args.play,
                stop_at: args
                    .play
                    .stop_after
                    .and_then(|time| began.checked_add(time)),
                interrupts,
                asked,
            };
            match tune_by_plan(&plan, &args.play, session)? {
                End::Done => Ok(status::DONE),
                End::Interrupted => Ok(status::INTERRUPTED),
                End::Withdrawn(variants) => Err(CommandError::Faulty(variants)),
            }
        }
        (None, None) => Err(CommandError::Usage("name a config".to_owned())),
    }
}

/// Starts the base once, if it is another program, takes what it declares, and says what is
/// doubtful about the plan.
pub(super) fn prepare(
    plan: &mut TuningPlan,
    quiet: bool,
    stop: &StopFlag,
) -> Result<(), CommandError> {
    let run = RunSpec {
        name: plan.spec.name.clone(),
        game: plan.spec.game.clone(),
        seed: plan.spec.seed,
        variants: vec![plan.spec.base.clone()],
        pairings: Vec::new(),
        openings: plan.spec.openings.clone(),
        margin_ms: plan.spec.margin_ms,
        verdict: VerdictSpec::WinRate { at_least: 5000 },
        adjudication: plan.spec.adjudication,
        compare: plan.spec.compare,
    };
    let Tried { declared, .. } = try_engines(plan.arena.as_ref(), &run, quiet, stop)?;
    let of_base = declared.get(&plan.spec.base.name);
    config::declare(plan, of_base.map_or(&[], Vec::as_slice))?;
    if !quiet {
        let notes = plan.notes.iter().map(ToString::to_string);
        for note in notes.chain(plan::doubts(plan)?) {
            say(&format!("note: {note}"));
        }
    }
    Ok(())
}
