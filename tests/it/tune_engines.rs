//! Tuning other programs: the numbers that they declare.

use std::fs;

use crate::common::{Bench, cell, rows, talk};
use crate::table::{quoted, scripted_engine};

/// A bench in chess, where the engine of the tests plays `script`.
fn bench(parameter: &str, method: &str, options: &str, script: &str) -> Bench {
    let engine = quoted(&scripted_engine().display().to_string());
    Bench::new(&format!(
        "name = \"t\"\nopenings = \"chess.epd\"\nworkers = 2\nlimit = {{ time_ms = 20000 }}\n\
         adjudication.max_plies = 30\n[game.chess]\n[tune]\nbase = \"other\"\nrounds = 1\n\
         method.{method}\n[[tune.parameter]]\n{parameter}\n[[engine]]\nname = \"other\"\n\
         command = {engine}\nargs = [{script}]\n[engine.options]\n{options}\n"
    ))
}

fn with_openings(bench: Bench) -> Bench {
    let suite = include_str!("../../openings/chess-55.epd");
    bench.write("chess.epd", suite);
    bench
}

/// Case B34 on the engine's own grid: whole numbers.
#[test]
fn whole_numbers_that_an_engine_declares_are_tuned_on_its_grid() {
    let log = tempfile::NamedTempFile::new().expect("a temporary file");
    let script = quoted(&format!("log={}", log.path().display()));
    let values = "grid = { values = [1, 1.4, 2, 2.6, 3, 4.2], pairs = 2 }";
    let bench = with_openings(bench(
        "name = \"threads\"\nlow = 1\nhigh = 6",
        values,
        "Threads = 2",
        &script,
    ));
    let run = bench.start("tune", &[]).assert().code(0);
    let said = talk(&run);
    assert!(said.contains("of 6 values 3 are played, 1, 3, 4"), "{said}");
    let folder = bench.results().join("t-1");
    let trials = rows(&folder.join("tune.csv"));
    let met: Vec<[&str; 3]> = trials
        .iter()
        .map(|row| ["parameter", "candidate", "base"].map(|column| cell(row, column)))
        .collect();
    assert_eq!(
        met,
        [
            ["Threads", "1", "2"],
            ["Threads", "3", "2"],
            ["Threads", "4", "2"]
        ]
    );
    // Each is sent as a whole number, and none that rounds to another.
    let sent = fs::read_to_string(log.path()).expect("a log");
    for value in 1..=4 {
        assert!(
            sent.contains(&format!("setoption name Threads value {value}\n")),
            "{sent}"
        );
    }
    assert!(!sent.contains("1.4") && !sent.contains("value 5"), "{sent}");
    let winner = fs::read_to_string(folder.join("winner.toml")).expect("a winner");
    assert!(winner.contains("Threads = \"2\""), "{winner}");
    assert!(winner.contains("command = "), "{winner}");
}

#[test]
fn the_declared_default_is_the_base_where_nothing_is_set() {
    let bench = with_openings(bench(
        "name = \"Hash\"\nlow = 1\nhigh = 64",
        "grid = { values = [8, 16, 32], pairs = 1 }",
        "",
        "",
    ));
    bench.start("tune", &["--quiet"]).assert().code(0);
    let summary = rows(&bench.results().join("t-1/tune-summary.csv"));
    assert_eq!(cell(&summary[0], "base"), "16.0");
    assert_eq!(rows(&bench.results().join("t-1/tune.csv")).len(), 2);
}

#[test]
fn options_that_are_no_numbers_are_refused_before_the_first_game() {
    let grid = "grid = { points = 3, pairs = 1 }";
    let wrong: [(&str, &str, &[&str]); 6] = [
        (
            "name = \"Hsh\"\nlow = 1\nhigh = 64",
            grid,
            &[
                "c.toml:12:8",
                "declares no option `Hsh`",
                "did you mean `Hash`?",
            ],
        ),
        (
            "name = \"Style\"\nlow = 1\nhigh = 64",
            grid,
            &["c.toml:12:8", "is no number", "Hash, Threads, Seed"],
        ),
        (
            "name = \"Hash\"\nlow = 1\nhigh = 4096",
            grid,
            &["c.toml:13:7", "a whole number from 1 to 1024"],
        ),
        (
            "name = \"Hash\"\nlow = 32\nhigh = 64",
            grid,
            &["c.toml:13:7", "the base has `Hash` at 16", "widen"],
        ),
        (
            "name = \"Threads\"\nlow = 1\nhigh = 4",
            "zoom = { games = 200 }",
            &["c.toml:13:7", "4 different values", "use method grid"],
        ),
        (
            "name = \"Hash\"\nlow = 1\nhigh = 64",
            "zoom = { games = 20 }",
            &["c.toml:10:1", "too few"],
        ),
    ];
    for (parameter, method, words) in wrong {
        let bench = with_openings(bench(parameter, method, "", ""));
        let run = bench.start("tune", &[]).assert().code(65);
        let said = talk(&run);
        for word in words {
            assert!(said.contains(word), "`{word}`: {said}");
        }
        assert!(!bench.results().exists(), "nothing is begun");
    }
}

#[test]
fn an_engine_that_fails_all_the_time_ends_the_tuning() {
    let bench = with_openings(bench(
        "name = \"Hash\"\nlow = 1\nhigh = 64",
        "grid = { values = [8, 32], pairs = 8 }",
        "",
        "\"go:move=e2e5\"",
    ));
    let run = bench.start("tune", &[]).assert().code(69);
    let said = talk(&run);
    assert!(said.contains("games by faults"), "{said}");
    let folder = bench.results().join("t-1");
    assert!(!folder.join("winner.toml").exists());
    assert!(
        !folder.join("tune-summary.csv").exists(),
        "nothing is made of faults"
    );
    // The same command finds the same.
    bench.start("tune", &["--quiet"]).assert().code(69);
}
