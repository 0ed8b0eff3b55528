//! `agon run` and `agon gate`: play a plan, or go on with it, and write what came of it.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::effective::effective;
use super::interrupts::interrupts;
use super::outcome::{is_told, summaries, write_outcome};
use super::rows::{arena_of, check_rows, stamp};
use super::session::{Opened, Played, Session, open, program, run_file};
use super::{print, say, try_engines};
use crate::cli::{GateArgs, PlayArgs, RunArgs};
use crate::config;
use crate::error::{CommandError, status};
use crate::openings;
use crate::plan::Plan;
use crate::report::{summary_line, table};
use crate::results::{Journal, RunDir, RunFile, RunSpec, read_starts};
use crate::search::StopFlag;
use crate::standing::Standing;
use crate::stats::Verdict;
use crate::tournament::{Ending, standings};

pub(super) fn run(args: &RunArgs) -> Result<u8, CommandError> {
    let plan = config::load(&args.config, &args.play.set)?;
    match play(&plan, &args.play)?.1 {
        Ending::Finished => Ok(status::DONE),
        Ending::Interrupted => Ok(status::INTERRUPTED),
        Ending::Withdrawn(variants) => Err(CommandError::Faulty(variants)),
    }
}

pub(super) fn gate(args: &GateArgs) -> Result<u8, CommandError> {
    let standings = match (&args.from, &args.config) {
        (Some(dir), _) => read_back(dir, args.play.json)?,
        (None, Some(config)) => {
            let plan = config::load(config, &args.play.set)?;
            one_pairing(&plan.spec)?;
            let (standings, ending) = play(&plan, &args.play)?;
            match ending {
                Ending::Finished => standings,
                Ending::Interrupted => return Ok(status::INTERRUPTED),
                Ending::Withdrawn(variants) => {
                    let candidate = plan.spec.pairings[0].candidate;
                    let of_candidate = variants.iter().any(|gone| gone.variant == candidate);
                    let only_candidate = of_candidate && variants.len() == 1;
                    say(&CommandError::Faulty(variants).report());
                    return Ok(if only_candidate {
                        status::KEPT_OUT
                    } else {
                        status::CANNOT_TELL
                    });
                }
            }
        }
        (None, None) => return Err(CommandError::Usage("name a config".to_owned())),
    };
    Ok(match standings[0].verdict() {
        Verdict::AcceptH1 => status::DONE,
        Verdict::AcceptH0 => status::KEPT_OUT,
        Verdict::Continue | Verdict::Inconclusive => status::CANNOT_TELL,
    })
}

fn one_pairing(spec: &RunSpec) -> Result<(), CommandError> {
    if spec.pairings.len() == 1 {
        Ok(())
    } else {
        Err(CommandError::NotAGate(spec.pairings.len()))
    }
}

/// Evaluates a run directory's rows again.
fn read_back(path: &Path, json: bool) -> Result<Vec<Standing>, CommandError> {
    let run = RunDir::read_run_file(path)?
        .ok_or_else(|| CommandError::Input(format!("`{}` is no run directory", path.display())))?;
    one_pairing(&run.spec)?;
    let standings = standings_on_disk(&run, path)?;
    let summaries = summaries(&run.spec, &standings, &read_starts(path));
    print(&if json {
        summary_line(&summaries, None)
    } else {
        table(&summaries)
    })?;
    Ok(standings)
}

/// The standings of a run that another process may be playing.
fn standings_on_disk(run: &RunFile, path: &Path) -> Result<Vec<Standing>, CommandError> {
    let id = path.canonicalize()?;
    let id = id
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    let journal = path.join("games.csv");
    let games = if journal.exists() {
        Journal::read(&journal, &stamp(run, id.unwrap_or_default()))?
    } else {
        Vec::new()
    };
    check_rows(arena_of(&run.spec)?.as_ref(), &journal, &run.spec, &games)?;
    Ok(standings(&run.spec, games.iter().map(|(_, game)| game))?)
}

fn play(plan: &Plan, args: &PlayArgs) -> Result<(Vec<Standing>, Ending), CommandError> {
    let began = Instant::now();
    if !args.quiet {
        plan.notes
            .iter()
            .for_each(|note| say(&format!("note: {note}")));
    }
    // Before engines are tried, and before the run is said to have begun: whoever sees that may
    // interrupt it.
    let asked = Arc::new(StopFlag::new());
    let interrupts = interrupts(&asked).map_err(CommandError::Signals)?;
    let arena = plan.arena.as_ref();
    let absent = try_engines(arena, &plan.spec, args.quiet, &asked)?.absent;
    let run = run_file(&program()?, plan.spec.clone());
    let opened = open_run(&run, args)?;
    describe(plan, &opened.dir)?;
    let session = Session {
        arena,
        workers: plan.workers,
        max_fault_share: plan.max_fault_share,
        args,
        stop_at: args.stop_after.and_then(|time| began.checked_add(time)),
        interrupts,
        asked,
    };
    let played = session.play(&run, opened, absent, true)?;
    // Whoever insists now may end the program while it writes its last files.
    drop(session);
    let Played {
        dir,
        standings,
        ending,
        ..
    } = played;
    let (summaries, ratings) = write_outcome(arena, &run, &dir, &standings)?;
    if args.json {
        print(&summary_line(&summaries, ratings.as_ref()))?;
    } else {
        print(&table(&summaries))?;
        ratings.map_or(Ok(()), |ratings| print(&ratings.table()))?;
    }
    if !args.quiet {
        let shown = dir.path().display();
        say(&match &ending {
            Ending::Finished => format!("results: {shown}"),
            Ending::Interrupted => format!("stopped; the same command goes on with {shown}"),
            Ending::Withdrawn(_) => format!("results, as far as there are any: {shown}"),
        });
    }
    Ok((standings, ending))
}

/// The run to go on with, or a new one.
fn open_run(run: &RunFile, args: &PlayArgs) -> Result<Opened, CommandError> {
    loop {
        if !args.new
            && let Some(opened) = open_latest(run, &args.results, args.quiet)?
        {
            return Ok(opened);
        }
        // Where another process took the number, its run is the latest now.
        if let Some(dir) = RunDir::create_next(&args.results, run)? {
            return open(dir, run, args.quiet);
        }
    }
}

/// The latest run, if it is unfinished and made from the same plan.
fn open_latest(run: &RunFile, results: &Path, quiet: bool) -> Result<Option<Opened>, CommandError> {
    let name = &run.spec.name;
    let Some(number) = RunDir::numbers(results, name)?.last().copied() else {
        return Ok(None);
    };
    let path = RunDir::path_of(results, name, number);
    if path.join("tune.json").exists() {
        return Ok(None);
    }
    let Some(found) = RunDir::read_run_file(&path)? else {
        // A crash came before anything was played.
        let dir = RunDir::lock(&path)?;
        dir.write_run_file(run)?;
        return open(dir, run, quiet).map(Some);
    };
    let differences = found.differences(run);
    if !differences.is_empty() {
        let finished = standings_on_disk(&found, &path)?
            .iter()
            .all(Standing::is_decided);
        if finished {
            return Ok(None);
        }
        let differences = differences.into_iter().take(12).collect();
        return Err(CommandError::OtherPlan {
            run: path.display().to_string(),
            differences,
        });
    }
    let opened = open(RunDir::lock(&path)?, run, quiet)?;
    let decided = opened.standings.iter().all(Standing::is_decided);
    let told = decided && is_told(&run.spec, &opened.dir, &opened.standings);
    Ok((!told).then_some(opened))
}

/// Writes the files that say what is played, where they are not there yet: the run is new, or
/// a crash or a full disk came between them.
fn describe(plan: &Plan, dir: &RunDir) -> Result<(), CommandError> {
    let write = |name: &str, text: &dyn Fn() -> String| {
        if dir.path().join(name).exists() {
            Ok(())
        } else {
            dir.write_whole(name, text().as_bytes())
        }
    };
    write("openings.txt", &|| openings::write(&plan.spec.openings))?;
    write("config.toml", &|| effective(plan, "openings.txt"))?;
    Ok(())
}
