//! A run in its folder, opened and played: what `run`, `gate` and `tune` have in common.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use crossbeam::channel::Receiver;

use super::rows::{arena_of, check_rows, stamp};
use super::say;
use crate::cli::PlayArgs;
use crate::error::CommandError;
use crate::executor::{Cores, Executor, LocalExecutor, cores};
use crate::play::Arena;
use crate::report::{ConsoleReporter, JsonReporter, Relay, Reporter};
use crate::results::{
    GameRecord, Journal, RunDir, RunEvent, RunFile, RunSpec, Start, VerdictSpec, now, sha256_file,
};
use crate::schedule;
use crate::search::StopFlag;
use crate::standing::Standing;
use crate::tournament::{Ending, Tournament, standings};

/// SHA-256 of this program.
pub(super) fn program() -> Result<String, CommandError> {
    let path = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("agon"));
    sha256_file(&path).map_err(CommandError::file("read", &path))
}

/// The identity of a program and what it plays.
pub(super) fn run_file(program: &str, spec: RunSpec) -> RunFile {
    RunFile {
        version: RunFile::VERSION,
        agon: env!("CARGO_PKG_VERSION").to_owned(),
        program: program.to_owned(),
        spec,
    }
}

/// A run that is ready to go on: its directory, its journal, and what is played already.
pub(super) struct Opened {
    pub(super) dir: RunDir,
    pub(super) journal: Journal,
    pub(super) standings: Vec<Standing>,
    pub(super) games_done: u64,
}

/// Reads what is played of a run, and has its journal ready for more.
pub(super) fn open(dir: RunDir, run: &RunFile, quiet: bool) -> Result<Opened, CommandError> {
    let path = dir.path().join("games.csv");
    let arena = arena_of(&run.spec)?;
    let check = |games: &[(u64, GameRecord)]| check_rows(arena.as_ref(), &path, &run.spec, games);
    let (journal, recovered) = Journal::open_checked(&path, stamp(run, dir.id()), check)?;
    if let Some(torn) = recovered.torn.as_ref().filter(|_| !quiet) {
        say(&format!(
            "note: the last line of {} was cut off by a crash; it is set aside in {}, and a \
             game in it is played again",
            path.display(),
            torn.display()
        ));
    }
    let games_done = recovered.games.len() as u64;
    let standings = standings(&run.spec, recovered.games.iter().map(|(_, game)| game))?;
    Ok(Opened {
        dir,
        journal,
        standings,
        games_done,
    })
}

/// What this process finds.
fn this_start(workers: usize) -> Start {
    let Cores { usable, physical } = cores();
    Start {
        started: humantime::format_rfc3339_millis(now()).to_string(),
        agon: env!("CARGO_PKG_VERSION").to_owned(),
        workers,
        usable_cores: usable,
        physical_cores: physical,
    }
}

/// How all runs of one command are played.
pub(super) struct Session<'a> {
    pub(super) arena: &'a dyn Arena,
    /// Games at once.
    pub(super) workers: usize,
    pub(super) max_fault_share: f64,
    pub(super) args: &'a PlayArgs,
    /// When no game is begun any more.
    pub(super) stop_at: Option<Instant>,
    pub(super) interrupts: Receiver<()>,
    /// Set by the first interrupt.
    pub(super) asked: Arc<StopFlag>,
}

/// What came of playing a run.
pub(super) struct Played {
    pub(super) dir: RunDir,
    pub(super) standings: Vec<Standing>,
    pub(super) ending: Ending,
}

impl Session<'_> {
    /// Whether the user or the time asks to stop. A run may have ended all the same.
    pub(super) fn is_stopping(&self) -> bool {
        self.asked.is_stopped() || self.stop_at.is_some_and(|time| Instant::now() >= time)
    }

    /// Plays what is left of a run, without the variants that are absent. `verdicts`: whether its
    /// verdicts are worth a line each.
    pub(super) fn play(
        &self,
        run: &RunFile,
        opened: Opened,
        absent: Vec<(usize, String)>,
        verdicts: bool,
    ) -> Result<Played, CommandError> {
        let (spec, workers) = (&run.spec, self.workers);
        opened.dir.add_start(&this_start(workers))?;
        let mut reporters: Vec<Box<dyn Reporter + Send>> = Vec::new();
        if !self.args.quiet {
            let mut console = ConsoleReporter::new();
            console.show_verdicts(verdicts);
            reporters.push(Box::new(console));
        }
        if self.args.json {
            reporters.push(Box::new(JsonReporter::new(std::io::stdout())));
        }
        let mut reporter = Relay::start(reporters).map_err(CommandError::Thread)?;
        reporter.event(&RunEvent::Started {
            dir: opened.dir.path().display().to_string(),
            games_planned: schedule::games(spec),
            games_done: opened.games_done,
            workers,
            may_end_early: matches!(spec.verdict, VerdictSpec::Sprt(_)),
        });
        let mut tournament = Tournament::new(
            spec,
            opened.standings,
            opened.journal,
            opened.games_done,
            workers,
            &mut reporter,
        )
        .max_fault_share(self.max_fault_share)
        .without(absent)
        .stop_at(self.stop_at);
        let stop = StopFlag::new();
        let interrupts = self.interrupts.clone();
        let executed =
            LocalExecutor::new(self.arena, spec, workers, interrupts, &stop).run(&mut tournament);
        let ended = tournament.end();
        // All events are shown before anything else is said.
        drop(reporter);
        executed?;
        let (standings, ending) = ended?;
        Ok(Played {
            dir: opened.dir,
            standings,
            ending,
        })
    }
}
