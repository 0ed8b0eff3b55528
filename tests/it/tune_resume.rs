//! Tunings that are interrupted, killed and changed.

use std::fs;
use std::path::Path;

use crate::common::{Bench, Running, agon, cell, rows, talk, until};
use crate::table::{quoted, scripted_engine};
use crate::tuning::{CONFIRM, NOISE, NOISY, bench, outcome, text, zoom};

/// Where the games of a tuning's parts are, from the results.
const PARTS: [&str; 3] = ["batch-001", "batch-002", "confirm"];

fn part(name: &str) -> String {
    format!("t-1/turn-01-root_noise/{name}")
}

/// Plays the tuning in one go, in a folder of its own.
fn uninterrupted(bench: &Bench) -> Vec<String> {
    let alone = bench.folder.path().join("alone");
    agon()
        .arg("tune")
        .arg(bench.config())
        .args(["--quiet", "--results"])
        .arg(&alone)
        .assert()
        .code(0);
    outcome(&alone.join("t-1"))
}

fn tuning() -> Bench {
    bench(&text(&zoom(160), &format!("{NOISE}{CONFIRM}"), NOISY))
}

/// Stops the tuning by a signal once each of its parts has a game, and goes on each time.
fn stopped_by(signal: &str, status: Option<i32>) {
    let bench = tuning();
    let expected = uninterrupted(&bench);
    for name in PARTS {
        let mut run = bench.spawn("tune", &[]);
        until(name, || bench.rows_on_disk(&part(name)) >= 3);
        run.signal(signal);
        let ended = run.exit_status();
        // One that was nearly done may have ended; none ends in another way.
        assert!(
            ended == status || ended == Some(0),
            "{ended:?}: {}",
            run.talk()
        );
        if name == PARTS[0] {
            assert_eq!(ended, status, "{}", run.talk());
            // Nothing is made of half a batch.
            let folder = bench.results().join("t-1");
            for file in ["tune.csv", "tune-summary.csv", "winner.toml"] {
                assert!(!folder.join(file).exists(), "{file}");
            }
        }
    }
    if !bench.results().join("t-1/winner.toml").exists() {
        bench.start("tune", &["--quiet"]).assert().code(0);
    }
    assert_eq!(outcome(&bench.results().join("t-1")), expected);
    for name in PARTS {
        let games = bench.games(&part(name));
        let mut ids: Vec<&str> = games.iter().map(|row| cell(row, "id")).collect();
        ids.dedup();
        assert_eq!(ids.len(), games.len(), "each game is there once");
    }
    assert!(!bench.results().join("t-2").exists());
}

#[test]
fn an_interrupted_tuning_goes_on_as_if_nothing_had_been() {
    stopped_by("INT", Some(3));
}

#[test]
fn a_killed_tuning_goes_on_as_if_nothing_had_been() {
    stopped_by("KILL", None);
}

#[test]
fn a_tuning_whose_last_files_are_gone_writes_them_again_and_plays_nothing() {
    let bench = tuning();
    bench.start("tune", &["--quiet"]).assert().code(0);
    let folder = bench.results().join("t-1");
    let expected = outcome(&folder);
    let journals: Vec<String> = PARTS.map(|name| bench.journal(&part(name))).to_vec();
    for file in ["tune.csv", "tune-summary.csv", "winner.toml"] {
        fs::remove_file(folder.join(file)).expect("the file");
    }
    fs::remove_file(bench.results().join(part("confirm/summary.csv"))).expect("the file");
    bench.start("tune", &["--quiet"]).assert().code(0);
    assert_eq!(outcome(&folder), expected);
    assert_eq!(
        journals,
        PARTS.map(|name| bench.journal(&part(name))).to_vec()
    );
    // Now it is done, and the same command begins another one.
    bench.start("tune", &["--quiet"]).assert().code(0);
    assert!(bench.results().join("t-2/winner.toml").exists());
}

#[test]
fn a_torn_row_is_played_again() {
    let bench = tuning();
    let expected = uninterrupted(&bench);
    bench.start("tune", &["--quiet"]).assert().code(0);
    let folder = bench.results().join("t-1");
    fs::remove_file(folder.join("winner.toml")).expect("the file");
    // Only the last part can be torn: a part is begun when the one before it is done.
    let path = bench.results().join(part("confirm")).join("games.csv");
    let text = fs::read_to_string(&path).expect("a journal");
    fs::write(&path, &text[..text.len() - 40]).expect("a file");
    let run = bench.start("tune", &[]).assert().code(0);
    assert!(talk(&run).contains("cut off by a crash"), "{}", talk(&run));
    assert_eq!(outcome(&folder), expected);
}

#[test]
fn the_time_may_be_up() {
    let bench = tuning();
    let expected = uninterrupted(&bench);
    let run = bench
        .start("tune", &["--stop-after", "1ms"])
        .assert()
        .code(3);
    let said = talk(&run);
    assert!(said.contains("the same command goes on with"), "{said}");
    // Before the first batch is done there is nothing to tell.
    assert!(!said.contains("best so far"), "{said}");
    bench.start("tune", &["--quiet"]).assert().code(0);
    assert_eq!(outcome(&bench.results().join("t-1")), expected);
}

/// A start that stops at once leaves the tables as they were.
#[test]
fn no_table_loses_what_it_had() {
    let bench = tuning();
    let mut run = bench.spawn("tune", &[]);
    until("the match", || bench.rows_on_disk(&part("confirm")) >= 1);
    run.signal("INT");
    assert_ne!(run.exit_status(), None);
    let folder = bench.results().join("t-1");
    let table = || std::fs::read_to_string(folder.join("tune.csv")).expect("a table");
    let before = table();
    assert!(before.lines().count() > 10, "{before}");
    if !folder.join("winner.toml").exists() {
        bench
            .start("tune", &["--quiet", "--stop-after", "1ms"])
            .assert()
            .code(3);
    }
    assert_eq!(table(), before);
    // Its games are shown by the runs inside it, and that is said.
    let shown = agon()
        .args(["replay", "t-1", "000-000000-0", "--results"])
        .arg(bench.results())
        .assert()
        .code(64);
    let said = talk(&shown);
    assert!(said.contains("turn-01-root_noise/batch-001"), "{said}");
}

#[test]
fn a_changed_config_is_refused_while_the_tuning_is_unfinished() {
    let bench = tuning();
    bench
        .start("tune", &["--quiet", "--stop-after", "1ms"])
        .assert()
        .code(3);
    let changed = ["--quiet", "--set", "tune.parameter.root_noise.low=5"];
    let run = bench.start("tune", &changed).assert().code(73);
    let said = talk(&run);
    assert!(said.contains("parameters[0].low: 0.0, now 5.0"), "{said}");
    assert!(said.contains("--new"), "{said}");
    bench
        .start("tune", &["--quiet", "--new", "--set", "rounds=1"])
        .assert()
        .code(65);
    bench
        .start("tune", &["--quiet", "--new", "--set", "tune.rounds=1"])
        .assert()
        .code(0);
    assert!(bench.results().join("t-2/winner.toml").exists());
}

/// Runs and tunings of one name count together, and neither goes on with the other.
#[test]
fn a_run_and_a_tuning_of_one_name_leave_each_other_alone() {
    let bench = tuning();
    bench
        .start("tune", &["--quiet", "--stop-after", "1ms"])
        .assert()
        .code(3);
    let run = "name = \"t\"\nopenings = \"suite.txt\"\nlimit = { nodes = 60 }\n[game.amazons]\n\
        size = 8\n[schedule.head_to_head]\ncandidate = \"b\"\nbase = \"a\"\npairs = 2\n\
        [[engine]]\nname = \"a\"\n[engine.search.random]\n[[engine]]\nname = \"b\"\nextends = \"a\"\n";
    let path = bench.write("run.toml", run);
    let play = |command: &str, path: &Path, status: i32| {
        agon()
            .arg(command)
            .arg(path)
            .args(["--quiet", "--results"])
            .arg(bench.results())
            .assert()
            .code(status);
    };
    play("run", &path, 0);
    assert!(!bench.results().join("t-1/run.json").exists());
    assert!(bench.results().join("t-2/run.json").exists());
    play("tune", &bench.config(), 0);
    assert!(bench.results().join("t-3/winner.toml").exists());
}

/// The program and all that it starts as a process group of their own.
fn in_a_group(bench: &Bench) -> Running {
    bench.spawn_by(&["setsid"], "tune", &[])
}

/// Case B04: Ctrl-C reaches the whole process group in the middle of games. No engine is given a
/// loss for it, and what the tuning makes of its games is the same.
#[test]
fn an_interrupt_of_the_whole_group_costs_no_engine_a_game() {
    let engine = quoted(&scripted_engine().display().to_string());
    let engines = format!(
        "[[engine]]\nname = \"other\"\ncommand = {engine}\nargs = [\"go:late=15\"]\n\
         limit = {{ time_ms = 20000 }}\n[engine.options]\nSeed = 3\n"
    );
    let tune = "base = \"other\"\nmethod.grid = { values = [2, 3], pairs = 6 }\n";
    let parameter = "[[tune.parameter]]\nname = \"seed\"\nlow = 0\nhigh = 9\n";
    let config = text(tune, parameter, &engines).replace("size = 8", "size = 10");
    let bench = bench(&config.replace("openings = \"suite.txt\"", "openings = \"ten.txt\""));
    ten(&bench);
    let expected = uninterrupted(&bench);
    let games = "t-1/turn-01-Seed/batch-001";
    let mut run = in_a_group(&bench);
    until("two games", || bench.rows_on_disk(games) >= 2);
    signal_group(&bench);
    assert_eq!(run.exit_status(), Some(3), "{}", run.talk());
    let whole = bench.rows_on_disk(games);
    assert!(whole < 12, "{}", run.talk());
    for row in bench.games(games) {
        assert!(!cell(&row, "termination").contains(':'), "{row:?}");
    }
    assert!(!bench.results().join("t-1/tune.csv").exists());
    bench.start("tune", &["--quiet"]).assert().code(0);
    assert_eq!(outcome(&bench.results().join("t-1")), expected);
    let faults = rows(&bench.results().join(games).join("summary.csv"));
    assert!(
        faults
            .iter()
            .all(|row| cell(row, "candidate_faults") == "0")
    );
}

/// Openings for the board that the engine of the tests knows.
fn ten(bench: &Bench) {
    agon()
        .args([
            "openings", "make", "amazons", "--count", "20", "--plies", "4", "--games", "0",
        ])
        .args(["--min-score", "0", "-o"])
        .arg(bench.folder.path().join("ten.txt"))
        .assert()
        .success();
}

/// Interrupts every process of the group that plays in this bench.
fn signal_group(bench: &Bench) {
    let results = bench.results();
    let mine = |entry: &Path| -> Option<String> {
        let words = fs::read(entry.join("cmdline")).ok()?;
        let words = String::from_utf8_lossy(&words).into_owned();
        words
            .contains(&results.display().to_string())
            .then_some(())?;
        Some(entry.file_name()?.to_string_lossy().into_owned())
    };
    let found: Vec<String> = fs::read_dir("/proc")
        .expect("processes")
        .filter_map(|entry| mine(&entry.ok()?.path()))
        .collect();
    let [leader] = &found[..] else {
        panic!("one process plays here: {found:?}");
    };
    let status = std::process::Command::new("kill")
        .args(["-INT", "--", &format!("-{leader}")])
        .status()
        .expect("kill runs");
    assert!(status.success());
}
