//! The folder of a tuning, `results/<name>-<n>/`, and the runs in it.

use std::path::Path;

use super::super::effective::{effective_tuning, engine_text};
use super::super::outcome::{is_told, write_outcome};
use super::super::session::{Played, Session, open, run_file};
use crate::cli::PlayArgs;
use crate::error::CommandError;
use crate::openings;
use crate::plan::TuningPlan;
use crate::play::Arena;
use crate::results::{LimitSpec, RunDir, RunFile, RunSpec, VariantSpec, VerdictSpec, differences};
use crate::standing::Standing;
use crate::tournament::Ending;
use crate::tune::{TuneFile, TurnEvent};

/// The file that says what is tuned.
pub(in crate::commands) const TUNE_FILE: &str = "tune.json";

/// Written last: the tuning is done.
const WINNER: &str = "winner.toml";

/// The tuning to go on with, or a new one.
pub(super) fn open_tuning(file: &TuneFile, args: &PlayArgs) -> Result<RunDir, CommandError> {
    loop {
        if !args.new
            && let Some(dir) = open_latest(file, args)?
        {
            return Ok(dir);
        }
        // Where another process took the number, its tuning is the latest now.
        if let Some(dir) = RunDir::claim_next(&args.results, &file.spec.name)? {
            dir.write_json(TUNE_FILE, file)?;
            return Ok(dir);
        }
    }
}

/// The latest tuning, if it is unfinished and made from the same plan.
fn open_latest(file: &TuneFile, args: &PlayArgs) -> Result<Option<RunDir>, CommandError> {
    let name = &file.spec.name;
    let Some(number) = RunDir::numbers(&args.results, name)?.last().copied() else {
        return Ok(None);
    };
    let path = RunDir::path_of(&args.results, name, number);
    if path.join(WINNER).exists() || path.join("run.json").exists() {
        // It is done, or a run.
        return Ok(None);
    }
    let found: Option<TuneFile> = RunDir::read_json(&path, TUNE_FILE)?;
    let differences = found.as_ref().map(|found| differences(found, file));
    if let Some(differences) = differences.filter(|found| !found.is_empty()) {
        return Err(CommandError::OtherPlan {
            run: path.display().to_string(),
            differences: differences.into_iter().take(12).collect(),
        });
    }
    let dir = RunDir::lock(&path)?;
    if found.is_none() {
        // A crash came before anything was played.
        dir.write_json(TUNE_FILE, file)?;
    }
    Ok(Some(dir))
}

/// Writes the files that say what is tuned, where they are not there yet.
pub(super) fn describe(plan: &TuningPlan, dir: &RunDir) -> Result<(), CommandError> {
    let write = |name: &str, text: &dyn Fn() -> String| {
        if dir.path().join(name).exists() {
            Ok(())
        } else {
            dir.write_whole(name, text().as_bytes())
        }
    };
    write("openings.txt", &|| openings::write(&plan.spec.openings))?;
    if let Some(confirm) = &plan.spec.confirm {
        write("confirm-openings.txt", &|| {
            openings::write(&confirm.openings)
        })?;
    }
    write("config.toml", &|| {
        effective_tuning(plan, "openings.txt", "confirm-openings.txt")
    })?;
    Ok(())
}

/// Writes the variant that a tuning ends with, as a fragment of a config.
pub(super) fn write_winner(
    plan: &TuningPlan,
    dir: &RunDir,
    variant: &VariantSpec,
    turns: &[TurnEvent],
) -> Result<(), CommandError> {
    let adopted = turns.iter().filter(|turn| turn.adopted()).count();
    let what = match adopted {
        0 => "nothing was adopted, so this is the base under another name".to_owned(),
        1 => "one change was adopted after its confirming match".to_owned(),
        more => format!("{more} changes were adopted, each after its confirming match"),
    };
    let text = format!(
        "# What {} ends with: {what}.\n# Paste it into a config, whose limits it plays by. It was \
         tuned with {}.\n{}",
        dir.id(),
        limits_text(plan.arena.as_ref(), variant),
        engine_text(plan.arena.as_ref(), variant)
    );
    dir.write_whole(WINNER, text.as_bytes())?;
    Ok(())
}

/// What a variant may spend, in words.
fn limits_text(arena: &dyn Arena, variant: &VariantSpec) -> String {
    let LimitSpec { first, second } = variant.limit;
    if first == second {
        return first.to_string();
    }
    let [first_role, second_role] = arena.roles();
    format!("{first} as {first_role} and {second} as {second_role}")
}

/// What came of a run within a tuning.
pub(super) struct SubRun {
    pub(super) standings: Vec<Standing>,
    pub(super) ending: Ending,
    /// It was on file whole: nothing was played.
    pub(super) on_file: bool,
}

/// Plays what is left of a run in this folder; one that is played is read.
pub(super) fn play_in(
    plan: &TuningPlan,
    session: &Session<'_>,
    program: &str,
    path: &Path,
    spec: RunSpec,
    quiet: bool,
) -> Result<SubRun, CommandError> {
    let run: RunFile = run_file(program, spec);
    let dir = RunDir::create_at(path)?;
    match RunDir::read_run_file(path)? {
        None => dir.write_run_file(&run)?,
        Some(found) => {
            let differences = found.differences(&run);
            if !differences.is_empty() {
                return Err(CommandError::OtherPlan {
                    run: path.display().to_string(),
                    differences: differences.into_iter().take(12).collect(),
                });
            }
        }
    }
    let opened = open(dir, &run, quiet)?;
    let played = opened.standings.iter().all(Standing::is_decided);
    if played && is_told(&run.spec, &opened.dir, &opened.standings) {
        return Ok(SubRun {
            standings: opened.standings,
            ending: Ending::Finished,
            on_file: true,
        });
    }
    let verdicts = matches!(run.spec.verdict, VerdictSpec::Sprt(_));
    let Played {
        dir,
        standings,
        ending,
    } = session.play(&run, opened, Vec::new(), verdicts)?;
    write_outcome(plan.arena.as_ref(), &run, &dir, &standings)?;
    Ok(SubRun {
        standings,
        ending,
        on_file: false,
    })
}
