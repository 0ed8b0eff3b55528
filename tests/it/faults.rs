//! What goes wrong in a run: an engine that panics, folders and disks that refuse.

use std::path::Path;

use agon::config;
use agon::error::CommandError;
use agon::executor::{Executor, LocalExecutor};
use agon::plan::Plan;
use agon::play::Arena;
use agon::report::Reporter;
use agon::results::{GameId, Journal, RowStamp, RunEvent};
use agon::schedule;
use agon::search::StopFlag;
use agon::tournament::{Ending, Tournament, TournamentError, standings};

use crate::common::{Bench, HEAD, talk};
use crate::hooked::Hooked;

const REST: &str = "[limit]\ndepth = 1\n\
    [schedule.head_to_head]\ncandidate = \"new\"\nbase = \"old\"\npairs = 8\n\
    [[engine]]\nname = \"old\"\n[engine.search.alpha_beta]\nhash_mb = 1\n\
    [[engine]]\nname = \"new\"\nextends = \"old\"\n[engine.evaluation]\nt2 = 0.5\n";

fn bench() -> Bench {
    Bench::new(&format!("{HEAD}{REST}"))
}

/// Engines that panic in one game of the schedule.
fn panics_in(arena: &dyn Arena, game: GameId) -> Hooked<'_> {
    Hooked::new(arena, move |job, _| {
        assert_ne!(job.id, game, "the test's engine fails");
        Ok(())
    })
}

/// Counts how often it hears of the end.
struct Ended(u32);

impl Reporter for Ended {
    fn event(&mut self, event: &RunEvent) {
        self.0 += u32::from(matches!(event, RunEvent::Ended { .. }));
    }
}

fn stamp(plan: &Plan) -> RowStamp {
    RowStamp {
        run: "t-1".to_owned(),
        config: "c".to_owned(),
        rules: plan.spec.game.rules.to_string(),
    }
}

/// Plays what the journal at `path` does not have yet: the pairs counted at the end.
fn play(plan: &Plan, arena: &dyn Arena, path: &Path) -> Result<(usize, Ending), TournamentError> {
    let (journal, recovered) = Journal::open(path, stamp(plan)).expect("a journal");
    assert_eq!(recovered.torn, None, "all rows are whole");
    let done = recovered.games.len() as u64;
    let games = recovered.games.iter().map(|(_, game)| game);
    let standings = standings(&plan.spec, games).expect("a rule");
    let mut reporter = Ended(0);
    let mut tournament = Tournament::new(&plan.spec, standings, journal, done, 2, &mut reporter);
    let stop = StopFlag::new();
    let interrupts = crossbeam::channel::never();
    LocalExecutor::new(arena, &plan.spec, 2, interrupts, &stop)
        .run(&mut tournament)
        .expect("threads start");
    let ended = tournament.end();
    // A progress bar must be cleared before an error is shown below it.
    assert_eq!(reporter.0, 1, "the end is told once");
    let (standings, ending) = ended?;
    Ok((standings[0].counted().len(), ending))
}

#[test]
fn a_panic_stops_the_run_and_loses_no_finished_game() {
    let config = format!("{HEAD}{REST}").replace("pairs = 8", "pairs = 24");
    let bench = Bench::with_openings(24, &config);
    let plan = config::load(&bench.config(), &[]).expect("a plan");
    let path = bench.folder.path().join("games.csv");
    for leg in [0, 1] {
        drop(std::fs::remove_file(&path));
        let job = schedule::job(&plan.spec, 0, 2, leg);
        let arena = panics_in(plan.arena.as_ref(), job.id);
        let error = play(&plan, &arena, &path).expect_err("an engine panicked");

        let name = |variant: usize| plan.spec.variants[variant].name.as_str();
        let TournamentError::Panicked {
            id,
            players,
            opening,
            seed,
            message,
        } = &error
        else {
            panic!("{error}");
        };
        assert_eq!((*id, *seed), (job.id, job.seed));
        assert_eq!(
            *players,
            format!("{} against {}", name(job.first), name(job.second))
        );
        assert_eq!(*opening, plan.spec.openings[job.opening].name);
        assert!(message.contains("the test's engine fails"), "{message}");
        let error = CommandError::from(error);
        assert_eq!(error.exit_status(), 70);
        let report = error.report();
        let seed = job.seed.to_string();
        for part in [job.id.to_string().as_str(), &seed, "same command goes on"] {
            assert!(report.contains(part), "{part}: {report}");
        }

        let text = std::fs::read_to_string(&path).expect("the journal");
        assert!(text.ends_with('\n'));
        let kept = Journal::read(&path, &stamp(&plan)).expect("whole rows");
        assert!(kept.iter().all(|(_, game)| game.id != job.id));
        // Play may be eight pairs ahead of the first unfinished one, which is this one: while
        // a panic is written to stderr the other worker goes on.
        assert!(kept.len() < 20, "the run stopped: {} games", kept.len());

        let ended = play(&plan, plan.arena.as_ref(), &path).expect("no panic");
        assert_eq!(ended, (24, Ending::Finished));
        let whole = std::fs::read_to_string(&path).expect("the journal");
        assert!(whole.starts_with(&text), "finished rows must not change");
        assert_eq!(whole.matches('\n').count(), 49, "no game is played twice");
    }
}

#[test]
fn a_panic_that_comes_again_stops_the_run_again() {
    let bench = bench();
    let plan = config::load(&bench.config(), &[]).expect("a plan");
    let path = bench.folder.path().join("games.csv");
    let first = schedule::job(&plan.spec, 0, 0, 0).id;
    let arena = panics_in(plan.arena.as_ref(), first);
    for _ in 0..3 {
        // The first game panics at each start, and the others are kept each time.
        let before = std::fs::read_to_string(&path).unwrap_or_default();
        let error = play(&plan, &arena, &path).expect_err("an engine panicked");
        assert!(error.to_string().contains("000-000000-0"), "{error}");
        let after = std::fs::read_to_string(&path).expect("the journal");
        assert!(after.starts_with(&before));
    }
}

#[test]
fn a_results_folder_that_cannot_be_is_named() {
    let bench = bench();
    let file = bench.write("results", "a file stands here");
    for command in ["run", "gate"] {
        for more in [&[][..], &["--new"]] {
            let said = talk(&bench.start(command, more).assert().code(75));
            assert!(said.contains(&format!("`{}`", file.display())), "{said}");
            assert!(said.contains("hint: mend the cause"), "{said}");
        }
    }
    let under = file.join("deeper");
    let mut program = crate::common::agon();
    let said = program
        .arg("run")
        .arg(bench.config())
        .arg("--results")
        .arg(&under);
    let said = talk(&said.assert().code(75));
    assert!(said.contains(&format!("`{}`", under.display())), "{said}");
    assert_eq!(
        std::fs::read_to_string(&file).expect("the file"),
        "a file stands here"
    );
}

#[test]
fn a_run_folder_whose_files_cannot_be_written_is_named() {
    let bench = bench();
    let run = bench.results().join("t-1");
    // Folders stand in the places of files, and a file in that of the run's folder.
    for (folder, named) in [("lock", "lock"), ("run.json", "run.json")] {
        std::fs::create_dir_all(run.join(folder)).expect("a folder");
        let said = talk(&bench.start("run", &[]).assert().code(75));
        let named = format!("`{}`", run.join(named).display());
        assert!(said.contains(&named), "{folder}: {said}");
        std::fs::remove_dir_all(&run).expect("a folder");
    }
    std::fs::write(&run, "").expect("a file");
    let said = talk(&bench.start("run", &[]).assert().code(75));
    assert!(said.contains(run.to_str().expect("text")), "{said}");
    std::fs::remove_file(&run).expect("a file");

    bench.start("run", &[]).assert().success();
    let journal = run.join("games.csv");
    std::fs::remove_file(&journal).expect("a file");
    std::fs::create_dir(&journal).expect("a folder");
    let said = talk(&bench.start("run", &[]).assert().code(75));
    assert!(said.contains(&format!("`{}`", journal.display())), "{said}");
}

/// A crash may come between any two of the files that a run begins with.
#[test]
fn a_run_whose_first_files_are_missing_gets_them_when_it_goes_on() {
    let bench = bench();
    bench.start("run", &[]).assert().success();
    let run = bench.results().join("t-1");
    let read = |name: &str| std::fs::read_to_string(run.join(name)).expect("a file of the run");
    let begins = ["run.json", "openings.txt", "config.toml"];
    let written = begins.map(read);
    for there in 0..begins.len() {
        for name in ["games.csv", "starts.csv"] {
            std::fs::remove_file(run.join(name)).expect("a file");
        }
        for name in &begins[there..] {
            std::fs::remove_file(run.join(name)).expect("a file");
        }
        bench.start("run", &[]).assert().success();
        assert_eq!(begins.map(read), written);
        assert_eq!(bench.rows_on_disk("t-1"), 16);
    }
    assert!(!bench.results().join("t-2").exists());
}

/// The system's limit on the size of a file stands for a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_stops_the_run_and_loses_no_finished_game() {
    let bench = bench();
    let script = "trap '' XFSZ; ulimit -f 32; exec \"$0\" \"$@\"";
    let mut program = assert_cmd::Command::new("sh");
    program.args(["-c", script, env!("CARGO_BIN_EXE_agon"), "run"]);
    program.arg(bench.config());
    program.arg("--results").arg(bench.results());
    let said = talk(&program.assert().code(75));
    assert!(said.contains("cannot write"), "{said}");
    assert!(said.contains("games.csv"), "{said}");
    assert!(said.contains("hint: mend the cause"), "{said}");
    let kept = bench.journal("t-1");
    assert!(kept.ends_with('\n'), "no part of a row is left");
    let rows = bench.rows_on_disk("t-1");
    assert!((1..16).contains(&rows), "{rows}");

    let said = talk(&bench.start("run", &[]).assert().success());
    assert!(
        said.contains(&format!("{rows} of them done before")),
        "{said}"
    );
    assert!(bench.journal("t-1").starts_with(&kept));
    assert_eq!(bench.rows_on_disk("t-1"), 16);
}
