//! The commands, one file each: a plan in, a report out.

mod archive;
mod bench;
mod check;
mod effective;
mod engine;
mod inspect;
mod interrupts;
mod openings;
mod outcome;
mod perft;
mod play;
mod replay;
mod rows;
mod session;
mod solve;
mod sprt;
mod tune;
mod verify;

use std::collections::BTreeMap;
use std::io::Write;

pub use effective::{effective, effective_tuning, engine_text};

use crate::cli::Command;
use crate::error::{CommandError, printable, status};
use crate::play::{Arena, OwnEngine, Trial};
use crate::players::engine::{StartError, adopt_orphans};
use crate::players::protocol::{DeclaredOption, OptionError};
use crate::registry;
use crate::results::RunSpec;
use crate::search::StopFlag;

/// Runs a command: the exit status.
///
/// # Errors
/// What ends it, with an exit status of its own.
pub fn run(command: Command) -> Result<u8, CommandError> {
    let done = |result: Result<(), CommandError>| result.map(|()| status::DONE);
    match command {
        Command::Run(args) => play::run(&args),
        Command::Gate(args) => play::gate(&args),
        Command::Check(args) => done(check::check(&args)),
        Command::Openings(command) => done(openings::openings(&command)),
        Command::Sprt(args) => done(sprt::sprt(&args)),
        Command::Tune(command) => tune::tune(&command),
        Command::Perft(args) => done(perft::perft(&args)),
        Command::Inspect(args) => done(inspect::inspect(&args)),
        Command::Verify(args) => done(verify::verify(&args)),
        Command::Engine(args) => done(engine::engine(&args)),
        Command::Bench(args) => done(bench::bench(&args)),
        Command::Archive(command) => done(archive::archive(&command)),
        Command::Replay(args) => done(replay::replay(&args)),
        Command::Solve(args) => solve::solve(&args),
    }
}

/// Writes results to stdout. A reader that has left is no error: results are in files too.
fn print(text: &str) -> Result<(), CommandError> {
    let mut out = std::io::stdout();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if !has_left(&error) => Err(error.into()),
        _ => Ok(()),
    }
}

/// Whether whoever read standard output is gone: a closed pipe, or a closed terminal, which
/// is a device whose writes fail.
fn has_left(error: &std::io::Error) -> bool {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        use std::os::unix::fs::FileTypeExt;
        let device = || -> std::io::Result<bool> {
            let file = std::fs::File::from(std::io::stdout().as_fd().try_clone_to_owned()?);
            Ok(file.metadata()?.file_type().is_char_device())
        };
        let full = error.kind() == std::io::ErrorKind::StorageFull;
        if !full && device().unwrap_or(false) {
            return true;
        }
    }
    error.kind() == std::io::ErrorKind::BrokenPipe
}

/// Writes talk to stderr.
fn say(text: &str) {
    drop(writeln!(std::io::stderr(), "{}", printable(text)));
}

/// The game's built-in engine, for a command that has nothing to do without one.
fn own_engine<'a>(arena: &'a dyn Arena, command: &str) -> Result<&'a dyn OwnEngine, CommandError> {
    arena.own().ok_or_else(|| {
        let game = arena.game();
        if arena.is_solitaire() {
            return CommandError::Usage(format!(
                "{game} is a solitaire, and {command} is for games of two sides; `agon solve {game}` \
                 runs its solver"
            ));
        }
        let with: Vec<&str> = registry::games()
            .iter()
            .filter(|entry| entry.has_own_engine)
            .map(|entry| entry.name)
            .collect();
        CommandError::Usage(format!(
            "{game} has no built-in engine and no second implementation of its rules, which \
             {command} needs; games with both: {}",
            with.join(", ")
        ))
    })
}

/// What is known of external engines once they were tried.
struct Tried {
    /// Variants that did not start, and why.
    absent: Vec<(usize, String)>,
    /// The options that each variant's program declares.
    declared: BTreeMap<String, Vec<DeclaredOption>>,
}

/// Starts every external engine once, before anything is played, and says what is doubtful. Those
/// that do not start are told with why, if there is something to play without them.
fn try_engines(
    arena: &dyn Arena,
    run: &RunSpec,
    quiet: bool,
    stop: &StopFlag,
) -> Result<Tried, CommandError> {
    adopt_orphans();
    let Trial {
        wrong,
        notes,
        declared,
    } = arena.try_engines(run, stop);
    if stop.is_stopped() {
        return Err(CommandError::StoppedEarly);
    }
    if !quiet {
        notes.iter().for_each(|note| say(&format!("note: {note}")));
    }
    let absent = |variant: usize| wrong.iter().any(|(gone, _)| *gone == variant);
    let playable = run
        .pairings
        .iter()
        .any(|pairing| !absent(pairing.candidate) && !absent(pairing.base));
    let only_absent = wrong.iter().all(|(_, error)| error.is_absence());
    let reasons: Vec<(usize, String)> = wrong
        .into_iter()
        .map(|(variant, error)| (variant, in_words(&error)))
        .collect();
    let name = |variant: usize| run.variants[variant].name.clone();
    if reasons.is_empty() || playable && only_absent {
        for (variant, why) in &reasons {
            let name = name(*variant);
            say(&format!(
                "engine `{name}`: {why}; the others play without it"
            ));
        }
        return Ok(Tried {
            absent: reasons,
            declared,
        });
    }
    let named = reasons
        .into_iter()
        .map(|(variant, why)| (name(variant), why));
    Err(CommandError::Engines(named.collect()))
}

fn in_words(error: &StartError) -> String {
    let mut what = error.to_string();
    if let StartError::Spawn { source, .. } = error {
        what += &format!(": {source}");
        if source.kind() == std::io::ErrorKind::NotFound {
            what += " (if the file is there, the interpreter in its first line is not)";
        }
    }
    if let StartError::Option {
        source: OptionError::Unknown { name, declared },
        ..
    } = error
    {
        let known = declared.iter().map(String::as_str);
        if let Some(near) = crate::config::nearest(name, known) {
            what += &format!("; did you mean `{near}`?");
        }
        what += &format!(" (declared: {})", declared.join(", "));
    }
    what
}

/// A game by name, with rules written as `key=value,…`.
fn open_game(name: &str, rules: Option<&str>) -> Result<Box<dyn Arena>, CommandError> {
    let entry = registry::find(name).ok_or_else(|| {
        let known = registry::games().iter().map(|entry| entry.name);
        let all: Vec<&str> = known.clone().collect();
        let near = crate::config::nearest(name, known)
            .map_or(String::new(), |near| format!(" Did you mean `{near}`?"));
        CommandError::Usage(format!(
            "no game is called `{name}`.{near} Games: {}",
            all.join(", ")
        ))
    })?;
    let mut object = serde_json::Map::new();
    for part in rules
        .unwrap_or_default()
        .split(',')
        .filter(|part| !part.trim().is_empty())
    {
        let (key, value) = part.split_once('=').ok_or_else(|| {
            CommandError::Usage(format!(
                "rules are written key=value,…, but `{part}` has no `=`"
            ))
        })?;
        let value = value.trim();
        let value = serde_json::from_str(value)
            .unwrap_or_else(|_| serde_json::Value::String(value.to_owned()));
        if object.insert(key.trim().to_owned(), value).is_some() {
            return Err(CommandError::Usage(format!(
                "the rule `{}` is given twice",
                key.trim()
            )));
        }
    }
    entry
        .open(object.into())
        .map_err(|error| CommandError::Usage(format!("rules of {name}: {error}")))
}
