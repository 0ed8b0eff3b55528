//! Games and positions shown again, and the searches that were made there.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::{Bench, HEAD, agon, cell, talk};

/// Runs of the built-in engine against itself with another weight.
const ENGINES: &str = "[schedule.head_to_head]\ncandidate = \"new\"\nbase = \"old\"\npairs = 1\n\
    [[engine]]\nname = \"old\"\n[engine.search.alpha_beta]\n\
    [[engine]]\nname = \"new\"\nextends = \"old\"\nevaluation = { tempo = 0 }\n";

fn played(head: &str, limit: &str, more: &str) -> Bench {
    let engines = match head.contains("gomoku") {
        true => ENGINES.replace("tempo = 0", "turn = 1"),
        false => ENGINES.to_owned(),
    };
    let bench = Bench::new(&format!("{head}[limit]\n{limit}\n{engines}{more}"));
    bench.start("run", &["--quiet"]).assert().success();
    bench
}

/// `agon replay …`: its standard output.
fn replay(bench: &Bench, args: &[&str]) -> String {
    let done = agon()
        .arg("replay")
        .args(args)
        .arg("--results")
        .arg(bench.results())
        .assert()
        .success();
    String::from_utf8_lossy(&done.get_output().stdout).into_owned()
}

fn replay_json(bench: &Bench, args: &[&str]) -> Value {
    serde_json::from_str(&replay(bench, &[args, &["--json"]].concat())).expect("one JSON object")
}

/// What a refused `agon replay …` says, and its exit status.
fn refused(results: &Path, args: &[&str], status: i32) -> String {
    let ended = agon()
        .arg("replay")
        .args(args)
        .arg("--results")
        .arg(results)
        .assert()
        .code(status);
    talk(&ended)
}

/// Searches every `step`th move of both games again, and demands that they are those of the game.
fn is_as_recorded(bench: &Bench, step: usize) {
    for row in bench.games("t-1") {
        let id = cell(&row, "id");
        let plies: usize = cell(&row, "plies").parse().expect("a number");
        assert!(plies > 8, "{plies}");
        for ply in (0..plies).step_by(step) {
            let ply = ply.to_string();
            let shown = replay_json(bench, &["t-1", id, "--ply", &ply, "--plies", "1"]);
            let next: Vec<&str> = cell(&row, "moves").split(' ').collect();
            let recorded = next[ply.parse::<usize>().expect("a number")];
            let search = &shown["search"];
            assert_eq!(
                search["as_recorded"], true,
                "{id} {ply}: {recorded} {search}"
            );
            let mv = search["move"].as_str().expect("a move");
            assert!(recorded.starts_with(&format!("{mv}:")), "{recorded} {mv}");
        }
    }
}

#[test]
fn a_search_is_that_of_the_game() {
    // The table, the history and the noise of the game are in it.
    let noise = "[engine.search.alpha_beta]\nroot_noise = 3\n";
    is_as_recorded(&played(HEAD, "nodes = 400", noise), 5);
    is_as_recorded(&played(HEAD, "depth = 1", ""), 9);
}

#[test]
fn a_search_that_the_clock_ended_is_repeated_node_by_node() {
    let head = HEAD.replace("[game.amazons]\nsize = 8\n", "[game.gomoku]\nsize = 9\n");
    let head = head.replace("suite.txt", "start");
    is_as_recorded(&played(&head, "time_ms = 4", ""), 3);
    is_as_recorded(&played(HEAD, "time_ms = 3", ""), 7);
}

#[test]
fn a_game_is_shown_with_moves_board_and_tree() {
    let bench = played(HEAD, "nodes = 900", "");
    let rows = bench.games("t-1");
    let id = "000-000000-0";
    let row = rows
        .iter()
        .find(|row| cell(row, "id") == id)
        .expect("the game");
    let moves: Vec<&str> = cell(row, "moves").split(' ').collect();
    let end = replay(&bench, &["t-1", id]);
    assert!(end.contains("white new, black old"), "{end}");
    assert!(
        end.contains(&format!("after move {0} of {0}\n", moves.len())),
        "{end}"
    );
    assert!(end.contains("has won (no_moves)"), "{end}");
    assert!(end.contains("\n  a b c d e f g h\n"), "{end}");
    for (index, recorded) in moves.iter().enumerate() {
        let parts: Vec<&str> = recorded.split(':').collect();
        let start = format!("\n{:>4}  ", index + 1);
        let line = end.split(&start).nth(1).expect("the line").lines().next();
        let words: Vec<&str> = line.expect("the line").split_whitespace().collect();
        assert_eq!(words[1], parts[0]);
        if !parts[3].is_empty() {
            assert_eq!(words[words.len() - 2], parts[3], "{words:?}");
        }
    }
    // By its path too, in the middle of the game, where the late moves are null windows.
    let path = bench.results().join("t-1");
    let path = path.to_str().expect("UTF-8");
    let late = replay(
        &bench,
        &[path, id, "--ply", "20", "--nodes", "20000", "--width", "3"],
    );
    assert!(late.contains("after move 20 of"), "{late}");
    assert!(!late.contains("\n  21  "), "{late}");
    for part in [
        "search of `new` to 20000 nodes",
        "\nvariation  21. white ",
        "depth by depth\n  depth 1: ",
        "\n    1. ",
        "null window",
        "reduced by",
        "refutes it]",
        "all replies searched]",
        "more, none better, ",
    ] {
        assert!(late.contains(part), "{part}: {late}");
    }
    // The one board is the other.
    let inspected = agon()
        .args(["inspect", "amazons", "--rules", "size=8", "--position"])
        .arg(cell(row, "opening_fen"))
        .arg("--moves")
        .arg(format!(
            "{} {}",
            cell(row, "opening_moves"),
            moves[..20]
                .iter()
                .map(|mv| mv.split(':').next().unwrap_or_default())
                .collect::<Vec<_>>()
                .join(" ")
        ))
        .assert()
        .success();
    let inspected = String::from_utf8_lossy(&inspected.get_output().stdout).into_owned();
    let board = inspected.split("\n\n").next().expect("a board");
    assert!(late.contains(board), "{board}\n{late}");
}

#[test]
fn another_engine_may_search_the_position() {
    let bench = played(HEAD, "nodes = 300", "");
    let config = bench.config();
    let config = config.to_str().expect("UTF-8");
    let at = ["t-1", "000-000000-0", "--ply", "6"];
    let by = |variant: &str| {
        let more = ["--config", config, "--variant", variant, "--depth", "1"];
        replay_json(&bench, &[&at[..], &more].concat())["search"].clone()
    };
    let (new, old) = (by("new"), by("old"));
    assert_eq!(new["as_recorded"], Value::Null);
    assert_eq!(new["limit"], "depth 1");
    assert_ne!(new["score"], old["score"], "another weight, another score");
    // Its own limit where none is asked for.
    let more = ["--config", config, "--variant", "old"];
    let own = replay_json(&bench, &[&at[..], &more].concat());
    assert_eq!(own["search"]["limit"], "300 nodes");
}

#[test]
fn what_is_not_there_is_told() {
    let bench = played(HEAD, "nodes = 50", "");
    let results = bench.results();
    let cases = [
        (
            &["t-2", "000-000000-0"][..],
            "Did you mean `t-1`? Runs in `",
        ),
        (&["t-1", "0-0-0"], "not a game id such as 000-000012-1"),
        (
            &["t-1", "000-000007-0"],
            "but 2 others from 000-000000-0 to 000-000000-1",
        ),
        (
            &["t-1", "000-000000-0", "--ply", "999"],
            "--ply is 999, but the game has ",
        ),
        (
            &["t-1", "000-000000-0", "--attempt", "2"],
            "1 attempts at game 000-000000-0, and none is number 2",
        ),
        (&["t-1"], "GAME"),
        (
            &["--position", "start"],
            "name the position's game with --game",
        ),
    ];
    for (args, expected) in cases {
        let told = refused(&results, args, 64);
        assert!(told.contains(expected), "{args:?}: {told}");
    }
    // A row that is no game, and one whose moves are none.
    let journal = results.join("t-1/games.csv");
    let good = fs::read_to_string(&journal).expect("a file");
    let first = good.lines().nth(1).expect("a row");
    let mv = first.rsplit(',').next().expect("moves");
    let mv = mv
        .split(' ')
        .next_back()
        .and_then(|mv| mv.split(':').next())
        .expect("a move");
    for (from, to, expected) in [
        (first, "nonsense", "games.csv:2: "),
        (mv, "j9j8", "games.csv:2: game 000-00000"),
    ] {
        assert!(good.contains(from), "{from}");
        fs::write(&journal, good.replacen(from, to, 1)).expect("a file");
        let id = first.split(',').next().expect("an id");
        let told = refused(&results, &["t-1", id], 65);
        assert!(told.contains(expected), "{told}");
    }
}

/// A row whose end does not follow from its moves is refused here as everywhere.
#[test]
fn a_row_that_contradicts_itself_is_refused() {
    let bench = played(HEAD, "nodes = 50", "");
    let journal = bench.results().join("t-1/games.csv");
    let good = fs::read_to_string(&journal).expect("a file");
    let row = good.lines().nth(1).expect("a row");
    let id = row.split(',').next().expect("an id");
    let result = if row.contains(",1-0,") {
        ",1-0,"
    } else {
        ",0-1,"
    };
    for (from, to) in [(result, ",1/2-1/2,"), (",no_moves,", ",foo,")] {
        let edited = good.replacen(row, &row.replacen(from, to, 1), 1);
        assert_ne!(edited, good, "{row}");
        fs::write(&journal, edited).expect("a file");
        let told = refused(&bench.results(), &["t-1", id], 65);
        assert!(told.contains("games.csv:2: "), "{told}");
    }
}

#[test]
fn key_positions_are_searched_in_turn() {
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/openings/amazons-key.txt");
    let ask = |more: &[&str]| {
        let done = agon()
            .args(["replay", "--game", "amazons", "--suite", suite])
            .args(more)
            .assert()
            .success();
        String::from_utf8_lossy(&done.get_output().stdout).into_owned()
    };
    let lines = ask(&["--nodes", "60", "--plies", "0", "--json"]);
    let positions: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let text = fs::read_to_string(suite).expect("the suite");
    let names = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let names: Vec<&str> = names.filter_map(|line| line.split(" |").next()).collect();
    let found: Vec<&str> = positions
        .iter()
        .filter_map(|one| one["name"].as_str())
        .collect();
    assert_eq!(found, names);
    for position in &positions {
        assert!(
            position["search"]["nodes"]
                .as_u64()
                .is_some_and(|nodes| nodes <= 60)
        );
        let legal = position["position"]["legal_moves"]
            .as_array()
            .expect("moves");
        assert!(legal.contains(&position["search"]["move"]), "{position}");
    }
    let one = ask(&["--name", "opening-wing", "--nodes", "60"]);
    assert!(one.starts_with("opening-wing\n") && one.matches("search of").count() == 1);
    assert!(
        one.contains("the default engine to 60 nodes, from an empty table"),
        "{one}"
    );
    let none = agon()
        .args([
            "replay",
            "--game",
            "amazons",
            "--suite",
            suite,
            "--name",
            "opening-wng",
        ])
        .assert()
        .code(64);
    assert!(talk(&none).contains("Did you mean `opening-wing`?"));
}

#[test]
fn a_position_is_searched_as_the_bench_searches_it() {
    // The trace changes nothing: the nodes are those of the bench, which has none.
    let bench = agon()
        .args(["bench", "gomoku", "--depth", "3", "--json"])
        .assert()
        .success();
    let bench: Value = serde_json::from_slice(&bench.get_output().stdout).expect("JSON");
    let positions = bench["positions"].as_array().expect("positions");
    assert!(positions.len() > 3);
    for position in positions {
        let fen = position["position"].as_str().expect("a text");
        let done = agon()
            .args([
                "replay",
                "--game",
                "gomoku",
                "--position",
                fen,
                "--json",
                "--plies",
                "4",
            ])
            .assert()
            .success();
        let shown: Value = serde_json::from_slice(&done.get_output().stdout).expect("JSON");
        for part in ["nodes", "move", "score", "depth"] {
            assert_eq!(shown["search"][part], position[part], "{part}: {fen}");
        }
    }
}

#[test]
fn ended_games_and_games_without_an_engine_still_have_boards() {
    let board = |args: &[&str]| {
        let done = agon().arg("replay").args(args).assert().success();
        String::from_utf8_lossy(&done.get_output().stdout).into_owned()
    };
    let chess = board(&[
        "--game",
        "chess",
        "--position",
        "start",
        "--moves",
        "e2e4 e7e5",
    ]);
    assert!(
        chess.contains("\n5 . . . . p . . .\n4 . . . . P . . .\n"),
        "{chess}"
    );
    assert!(
        chess.contains("white to move, 29 legal moves\nchess has no built-in engine"),
        "{chess}"
    );
    let moves = "a1 a2 b1 b2 c1 c2 d1 d2 e1";
    let ended = board(&["--game", "gomoku", "--position", "start", "--moves", moves]);
    assert!(ended.ends_with("black has won (five)\n"), "{ended}");
    let moves = "e2e4 e7e6 e4e5 e6e5";
    let refused = agon()
        .args([
            "replay",
            "--game",
            "chess",
            "--position",
            "start",
            "--moves",
            moves,
        ])
        .assert()
        .code(65);
    assert!(talk(&refused).contains("illegal move `e6e5`"));
}

#[cfg(target_os = "linux")]
#[test]
fn games_of_other_programs_have_boards_and_moves() {
    let table = crate::table::Table::of_two("", "nodes = 50", 1, &[]);
    table.play(&[]).well();
    let results = table.path("results");
    let run = fs::read_dir(&results)
        .expect("a folder")
        .next()
        .expect("a run")
        .expect("an entry");
    let run = run.file_name().to_string_lossy().into_owned();
    let show = |more: &[&str]| {
        agon()
            .args(["replay", &run, "000-000000-0", "--ply", "2", "--results"])
            .arg(&results)
            .args(more)
            .assert()
    };
    let shown = show(&[]).success();
    let shown = String::from_utf8_lossy(&shown.get_output().stdout).into_owned();
    assert!(shown.contains("after move 2 of "), "{shown}");
    assert!(
        shown.contains("is another program, and chess has no built-in engine"),
        "{shown}"
    );
    assert!(shown.contains("\n  a b c d e f g h\n"), "{shown}");
    assert!(talk(&show(&["--search"]).code(64)).contains("chess has no built-in engine"));
}
