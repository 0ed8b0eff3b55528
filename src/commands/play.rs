//! `agon run` and `agon gate`: play a plan, or go on with it, and write what came of it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use super::{effective::effective, interrupts::interrupts, print, say, try_engines};
use crate::cli::{GateArgs, PlayArgs, RunArgs};
use crate::config;
use crate::error::{CommandError, status};
use crate::executor::{Cores, Executor, LocalExecutor, cores};
use crate::openings;
use crate::plan::Plan;
use crate::play::Arena;
use crate::registry;
use crate::report::{
    ConsoleReporter, JsonReporter, Relay, Reporter, Summary, rate_run, summarise, summary_line,
    table, to_csv,
};
use crate::results::{
    FaultKind, GameRecord, GameResult, GameSpec, Journal, JournalError, RowError, RowStamp, RunDir,
    RunEvent, RunFile, RunSpec, Start, Termination, VerdictSpec, now, read_starts, sha256_file,
};
use crate::schedule;
use crate::search::StopFlag;
use crate::standing::Standing;
use crate::stats::Verdict;
use crate::tournament::{Ending, Tournament, standings};

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

pub(super) fn stamp(run: &RunFile, id: String) -> RowStamp {
    RowStamp {
        run: id,
        config: run.config_hash(),
        rules: run.spec.game.rules.to_string(),
    }
}

/// The identity of this program and plan.
fn run_file(plan: &Plan) -> Result<RunFile, CommandError> {
    let path = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("agon"));
    let program = sha256_file(&path).map_err(CommandError::file("read", &path))?;
    Ok(RunFile {
        version: RunFile::VERSION,
        agon: env!("CARGO_PKG_VERSION").to_owned(),
        program,
        spec: plan.spec.clone(),
    })
}

/// A run that is ready to go on: its directory, its journal, and what is played already.
struct Opened {
    dir: RunDir,
    journal: Journal,
    standings: Vec<Standing>,
    games_done: u64,
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
    let absent = try_engines(plan, args.quiet, &asked)?;
    let run = run_file(plan)?;
    let Opened {
        dir,
        journal,
        standings,
        games_done,
    } = open_run(&run, args)?;
    describe(plan, &dir)?;
    dir.add_start(&this_start(plan.workers))?;
    let stop = StopFlag::new();
    let mut reporters: Vec<Box<dyn Reporter + Send>> = Vec::new();
    if !args.quiet {
        reporters.push(Box::new(ConsoleReporter::new()));
    }
    if args.json {
        reporters.push(Box::new(JsonReporter::new(std::io::stdout())));
    }
    let mut reporter = Relay::start(reporters).map_err(CommandError::Thread)?;
    reporter.event(&RunEvent::Started {
        dir: dir.path().display().to_string(),
        games_planned: schedule::games(&run.spec),
        games_done,
        workers: plan.workers,
        may_end_early: matches!(run.spec.verdict, VerdictSpec::Sprt(_)),
    });
    let workers = plan.workers;
    let mut tournament = Tournament::new(
        &run.spec,
        standings,
        journal,
        games_done,
        workers,
        &mut reporter,
    )
    .max_fault_share(plan.max_fault_share)
    .without(absent)
    .stop_at(args.stop_after.and_then(|time| began.checked_add(time)));
    let arena = plan.arena.as_ref();
    let executed =
        LocalExecutor::new(arena, &run.spec, workers, interrupts, &stop).run(&mut tournament);
    let ended = tournament.end();
    drop(reporter);
    executed?;
    let (standings, ending) = ended?;
    write_pgn(arena, &run, &dir)?;
    let summaries = summaries(&run.spec, &standings, &read_starts(dir.path()));
    dir.write_whole("summary.csv", &to_csv(&summaries))?;
    let ratings = rate_run(&run.spec, &standings);
    if let Some(ratings) = &ratings {
        dir.write_whole("ratings.csv", &ratings.to_csv())?;
    }
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

/// Writes all games so far as PGN, in schedule order, where other programs have one for the game.
fn write_pgn(arena: &dyn Arena, run: &RunFile, dir: &RunDir) -> Result<(), CommandError> {
    if !arena.has_pgn() {
        return Ok(());
    }
    let journal = dir.path().join("games.csv");
    dir.write_parts("games.pgn", |put| {
        Journal::visit(&journal, &stamp(run, dir.id()), |line, game| {
            let written = arena.pgn(&run.spec, game).map_err(|error| {
                CommandError::Input(format!("{}:{line}: {error}", journal.display()))
            })?;
            Ok(put(written.unwrap_or_default().as_bytes())?)
        })
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

fn summaries(spec: &RunSpec, standings: &[Standing], starts: &[Start]) -> Vec<Summary> {
    standings
        .iter()
        .map(|standing| summarise(spec, standing, starts))
        .collect()
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
    let told = decided && is_told(&run.spec, &opened);
    Ok((!told).then_some(opened))
}

/// Whether the files that say what came of a run say what its rows say. A crash or a full disk
/// may have come between the last game and them, and an earlier interrupt have left older ones.
fn is_told(spec: &RunSpec, opened: &Opened) -> bool {
    let dir = opened.dir.path();
    let says = |name: &str, bytes: Vec<u8>| std::fs::read(dir.join(name)).ok() == Some(bytes);
    let summaries = summaries(spec, &opened.standings, &read_starts(dir));
    let ratings = rate_run(spec, &opened.standings);
    says("summary.csv", to_csv(&summaries))
        && ratings.is_none_or(|ratings| says("ratings.csv", ratings.to_csv()))
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

fn open(dir: RunDir, run: &RunFile, quiet: bool) -> Result<Opened, CommandError> {
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

/// Refuses rows that are not games of this plan, with file and line.
fn check_rows(
    arena: &dyn Arena,
    path: &Path,
    spec: &RunSpec,
    games: &[(u64, GameRecord)],
) -> Result<(), JournalError> {
    let mut seen = HashSet::new();
    let mut voids = HashSet::new();
    for (line, game) in games {
        let refuse = |what: &str| JournalError::Row {
            path: path.to_owned(),
            line: *line,
            source: RowError::Format(format!("game {}: {what}", game.id)),
        };
        let Some(pairing) = spec.pairings.get(game.id.pairing as usize) else {
            return Err(refuse("the plan has no such pairing"));
        };
        if game.id.pair >= pairing.pairs {
            return Err(refuse("the plan has no such pair"));
        }
        let job = schedule::job(spec, game.id.pairing as usize, game.id.pair, game.id.leg);
        let opening = &spec.openings[job.opening];
        let same = game.seed == job.seed
            && game.first == spec.variants[job.first].name
            && game.second == spec.variants[job.second].name
            && game.opening == opening.name
            && game.opening_fen == opening.fen
            && game.opening_moves == opening.moves;
        if !same {
            return Err(refuse("seed, engines or opening are not those of the plan"));
        }
        // Only a void game asks for another attempt at its pair.
        let of_pair = |attempt: u32| (game.id.pairing, game.id.pair, attempt);
        let asked_for =
            game.attempt == 1 || (game.attempt > 1 && voids.contains(&of_pair(game.attempt - 1)));
        if !asked_for {
            return Err(refuse("no earlier line is a void attempt at this pair"));
        }
        if game.void {
            voids.insert(of_pair(game.attempt));
        }
        ends_as_it_says(arena, spec, game).map_err(|what| refuse(&what))?;
        if !seen.insert((game.id, game.attempt)) {
            return Err(refuse("an earlier line has the same game"));
        }
    }
    Ok(())
}

/// The arena of a run's game.
pub(super) fn arena_of(spec: &RunSpec) -> Result<Box<dyn Arena>, CommandError> {
    let GameSpec { name, rules } = &spec.game;
    let entry = registry::find(name)
        .ok_or_else(|| CommandError::Input(format!("this agon has no game called `{name}`")))?;
    entry
        .open(rules.clone())
        .map_err(|error| CommandError::Input(format!("rules of {name}: {error}")))
}

/// Whether the moves are legal and lead to the end that the record says; what is wrong if not.
fn ends_as_it_says(arena: &dyn Arena, spec: &RunSpec, game: &GameRecord) -> Result<(), String> {
    let played = game.moves.iter().map(|mv| mv.text.clone());
    let moves: Vec<String> = game.opening_moves.iter().cloned().chain(played).collect();
    let seen = arena
        .inspect(Some(&game.opening_fen), &moves)
        .map_err(|error| format!("column `moves`: {error}"))?;
    let follows = match (game.termination.clone(), seen.outcome) {
        (Termination::Adjudicated(why), None) => {
            let decided = spec.adjudication.decide(&game.moves, game.first_to_move);
            !game.void && decided == Some((why, game.result))
        }
        (Termination::Rule(reason), Some(outcome)) => {
            !game.void && reason == outcome.reason && game.result == GameResult::of(outcome.winner)
        }
        (Termination::Fault { by, kind }, None) => {
            let may_be_void = kind == FaultKind::TimeForfeit || !game.void;
            may_be_void && game.result == GameResult::of(Some(by.other()))
        }
        (Termination::Rule(_), None)
        | (Termination::Fault { .. } | Termination::Adjudicated(_), Some(_)) => false,
    };
    if follows {
        Ok(())
    } else {
        Err("result and termination do not follow from the moves".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Side;
    use crate::results::{AdjudicationSpec, FaultKind, GameId, MoveRecord, Overrun};

    fn record(pairing: u32, pair: u32, leg: u8) -> GameRecord {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        GameRecord {
            id: GameId { pairing, pair, leg },
            attempt: 1,
            seed: 1,
            opening: "start".to_owned(),
            opening_fen: start.to_owned(),
            opening_moves: vec!["e2e4".to_owned()],
            first: "a".to_owned(),
            second: "b".to_owned(),
            first_to_move: Side::Second,
            result: GameResult::FirstWins,
            termination: Termination::Fault {
                by: Side::Second,
                kind: FaultKind::TimeForfeit,
            },
            detail: String::new(),
            void: false,
            runner_delay_us: 0,
            moves: ["e7e5", "g1f3"]
                .map(|text| MoveRecord {
                    text: text.to_owned(),
                    score: Some(-35),
                    searched: None,
                    time_us: 51_700,
                })
                .to_vec(),
            overruns: [Overrun::default(); 2],
            cpu_time_us: None,
            worker: 0,
            started: now(),
        }
    }

    #[test]
    fn games_are_written_as_pgn_in_schedule_order() {
        let results = tempfile::tempdir().expect("a temporary folder");
        let arena = registry::find("chess")
            .expect("listed")
            .open(serde_json::json!({}))
            .expect("the default rules");
        let run = RunFile {
            version: RunFile::VERSION,
            agon: "0".to_owned(),
            program: "0".to_owned(),
            spec: RunSpec {
                name: "t".to_owned(),
                game: GameSpec {
                    name: "chess".to_owned(),
                    rules: arena.rules(),
                },
                seed: 1,
                variants: Vec::new(),
                pairings: Vec::new(),
                openings: Vec::new(),
                margin_ms: 0,
                verdict: VerdictSpec::WinRate { at_least: 5500 },
                adjudication: AdjudicationSpec::default(),
            },
        };
        let dir = RunDir::create_next(results.path(), &run)
            .expect("a folder")
            .expect("a run of its own");
        let path = dir.path().join("games.csv");
        let (mut journal, _) = Journal::open(&path, stamp(&run, dir.id())).expect("a journal");
        for (pairing, pair, leg) in [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0)] {
            let game = record(pairing, pair, leg);
            journal.append(&game).expect("a row");
        }
        write_pgn(arena.as_ref(), &run, &dir).expect("legal moves");
        let text = std::fs::read_to_string(dir.path().join("games.pgn")).expect("the file");
        let ids: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("[GameId \"")?.strip_suffix("\"]"))
            .collect();
        let order = [
            "000-000000-0",
            "000-000000-1",
            "001-000000-0",
            "000-000001-0",
        ];
        assert_eq!(ids, order);
        let movetext = "1. e4 {book} 1... e5 {-0.35 0.052s [%eval 0.35] [%emt 0:00:00.052]} 2. Nf3\n\
            {-0.35 0.052s [%eval -0.35] [%emt 0:00:00.052]} 1-0\n\n";
        assert!(text.contains(movetext), "{text}");
        assert!(
            text.contains("[Termination \"time forfeit by black\"]"),
            "{text}"
        );
        assert!(text.ends_with("1-0\n\n"), "{text}");
    }
}
