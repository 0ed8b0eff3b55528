//! Engines of others, from Debian packages, as people will use them. Where one is not
//! installed, its test says so and tests nothing; in CI it fails.

use std::io::Write as _;

use crate::common::cell;
use crate::table::{Table, head, quoted, scripted_engine};

/// Whether a program is installed; the package that has it.
fn is_there(program: &str, package: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&path).chain(["/usr/games".into()]);
    let found = folders.any(|folder| folder.join(program).is_file());
    if !found {
        let message = format!("`{program}` is missing: apt-get install {package}");
        assert!(std::env::var_os("CI").is_none(), "{message}");
        // Around the test harness, which shows no output of a test that passes.
        writeln!(
            std::io::stderr(),
            "SKIPPED a test of others' engines: {message}"
        )
        .expect("standard error");
    }
    found
}

#[test]
fn who_does_not_keep_to_a_limit_of_nodes_is_found_out_before_any_game() {
    // GNU Chess searches on until it is stopped, and Sjaak until it has had its time.
    for (program, package, lines) in [
        (
            "gnuchess",
            "gnuchess",
            "command = \"gnuchess\"\nargs = [\"-u\"]\nstall_ms = 3000",
        ),
        ("sjaakii", "sjaakii", "command = \"sjaakii\""),
    ] {
        if !is_there(program, package) {
            continue;
        }
        let built = quoted(&scripted_engine().display().to_string());
        let base = format!("command = {built}");
        let head = head("chess", 1).replace("time_ms = 20000", "nodes = 2000");
        let table = Table::new(&head, &[("good", &base), ("bad", lines)]);
        let ended = table.play(&[]);
        assert_eq!(ended.status, Some(69), "{}", ended.talk);
        let what = "does not keep to limits of nodes: asked to search 2000";
        assert!(ended.talk.contains(what), "{}", ended.talk);
        assert!(!table.path("results/t-1/games.csv").exists());
    }
}

/// Two games of `candidate` against `base`, each the lines of an engine; the terminations.
fn two_games(game: &str, limit: &str, base: &str, candidate: &str) -> Vec<String> {
    let head = format!(
        "name = \"t\"\nopenings = \"start\"\nworkers = 1\nmargin_ms = 20000\ngame.{game}\n\
         limit = {{ {limit} }}\n\
         schedule.head_to_head = {{ base = \"base\", candidate = \"candidate\", pairs = 1 }}\n"
    );
    let table = Table::new(&head, &[("base", base), ("candidate", candidate)]);
    table.play(&[]).well();
    let games = table.games();
    assert_eq!(games.len(), 2);
    for game in &games {
        let end = cell(game, "termination");
        assert!(!end.contains(':'), "{end}: {}", cell(game, "detail"));
        assert_ne!(cell(game, "plies"), "0");
        for side in ["first", "second"] {
            let time = cell(game, &format!("{side}_time_us"));
            assert!(time.parse::<u64>().is_ok_and(|us| us > 0), "{time}");
        }
    }
    games
        .iter()
        .map(|game| cell(game, "termination").to_owned())
        .collect()
}

#[test]
fn stockfish_plays_itself_and_repeats_itself() {
    if is_there("stockfish", "stockfish") {
        let engine = "command = \"stockfish\"\n[engine.options]\nThreads = 1\nHash = 8";
        let other = "command = \"stockfish\"\n[engine.options]\nHash = 4";
        two_games("chess = {}", "nodes = 500", engine, other);
    }
}

#[test]
fn ethereal_plays_under_depth() {
    // Version 12 has no `go nodes`.
    if is_there("ethereal-chess", "ethereal-chess") {
        let engine = "command = \"ethereal-chess\"\n[engine.options]\nHash = 4";
        let other = "command = \"ethereal-chess\"\n[engine.options]\nHash = 8";
        two_games("chess = {}", "depth = 2", engine, other);
    }
}

#[test]
fn stockfish_meets_ethereal_on_a_clock() {
    if is_there("stockfish", "stockfish") && is_there("ethereal-chess", "ethereal-chess") {
        let (base, candidate) = ("command = \"stockfish\"", "command = \"ethereal-chess\"");
        two_games("chess = {}", "clock = \"2+0.02\"", base, candidate);
    }
}

#[test]
fn gnu_chess_crashes_when_it_quits_and_loses_nothing_by_it() {
    if is_there("gnuchess", "gnuchess") && is_there("stockfish", "stockfish") {
        let candidate = "command = \"gnuchess\"\nargs = [\"-u\"]";
        two_games(
            "chess = {}",
            "time_ms = 20",
            "command = \"stockfish\"",
            candidate,
        );
    }
}

#[test]
fn sjaak_is_deaf_while_it_thinks_and_still_goes() {
    if is_there("sjaakii", "sjaakii") && is_there("stockfish", "stockfish") {
        let candidate = "command = \"sjaakii\"";
        two_games(
            "chess = {}",
            "time_ms = 30",
            "command = \"stockfish\"",
            candidate,
        );
    }
}

#[test]
fn fairy_stockfish_plays_chess960_and_three_check() {
    if is_there("fairy-stockfish", "fairy-stockfish") {
        let base = "command = \"fairy-stockfish\"\n[engine.options]\nHash = 4";
        let candidate = "command = \"fairy-stockfish\"\n[engine.options]\nHash = 8";
        two_games(
            "chess = { variant = \"chess960\" }",
            "nodes = 300",
            base,
            candidate,
        );
        let ends = two_games(
            "chess = { variant = \"3check\" }",
            "nodes = 300",
            base,
            candidate,
        );
        assert_eq!(ends.len(), 2);
    }
}

#[test]
fn fairy_stockfish_plays_xiangqi_in_two_languages() {
    if is_there("fairy-stockfish", "fairy-stockfish") {
        let uci = "command = \"fairy-stockfish\"\n[engine.options]\nHash = 4";
        let ucci = "command = \"fairy-stockfish\"\nprotocol = \"ucci\"\n[engine.options]\nHash = 4";
        for limit in ["nodes = 300", "time_ms = 10"] {
            for end in two_games("xiangqi = {}", limit, uci, ucci) {
                assert!(XIANGQI_ENDS.contains(&end.as_str()), "{end}");
            }
        }
    }
}

#[test]
fn agon_meets_fairy_stockfish_in_both_languages() {
    if is_there("fairy-stockfish", "fairy-stockfish") {
        let agon = quoted(env!("CARGO_BIN_EXE_agon"));
        for protocol in ["uci", "ucci"] {
            let own = format!(
                "command = {agon}\nargs = [\"engine\", \"xiangqi\"]\nprotocol = \"{protocol}\""
            );
            let other = format!(
                "command = \"fairy-stockfish\"\nprotocol = \"{protocol}\"\n[engine.options]\nHash = 4"
            );
            for end in two_games("xiangqi = {}", "nodes = 300", &other, &own) {
                assert!(XIANGQI_ENDS.contains(&end.as_str()), "{end}");
            }
        }
    }
}

#[test]
fn sjaak_plays_xiangqi() {
    if is_there("sjaakii", "sjaakii") {
        let built_in = "search.alpha_beta = { hash_mb = 1 }";
        for end in two_games(
            "xiangqi = {}",
            "time_ms = 20",
            built_in,
            "command = \"sjaakii\"",
        ) {
            assert!(XIANGQI_ENDS.contains(&end.as_str()), "{end}");
        }
    }
}

/// How games of Xiangqi end by the rules.
const XIANGQI_ENDS: [&str; 5] = [
    "checkmate",
    "stalemate",
    "perpetual_check",
    "threefold",
    "no_capture",
];

#[test]
fn a_built_in_engine_meets_itself_as_a_program() {
    let agon = quoted(env!("CARGO_BIN_EXE_agon"));
    let program = format!("command = {agon}\nargs = [\"engine\", \"amazons\"]");
    let built_in = "search.alpha_beta = { hash_mb = 1 }";
    two_games("amazons = {}", "nodes = 300", built_in, &program);
}
