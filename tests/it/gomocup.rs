//! Engines that speak Gomocup's protocol, good ones and bad ones, against the real program.

use std::fs;

use crate::common::cell;
use crate::engines::{WIDE, moves, one_fault_in};
use crate::table::{Played, Table, list, quoted, scripted_engine};

/// What is told of a move that never came.
const MARGIN: &str = "and a margin of 1000000 µs";

#[test]
fn an_engine_that_falls_silent_loses_that_game_on_time_and_is_killed() {
    // It has said something of its thinking, and is deaf to `END`. `Table` looks for what is
    // left of it.
    let silent = &["go3:say=MESSAGE thinking 7,7", "go3:hang", "ignore"];
    for limit in ["time_ms = 1000", "clock = \"1+0.1\""] {
        one_fault_in(Played::GOMOKU, limit, silent, "time_forfeit", MARGIN);
    }
    let only_talk = &["go3:silent", "go3:after=DEBUG 1,1"];
    let limit = "time_ms = 1000";
    one_fault_in(Played::GOMOKU, limit, only_talk, "time_forfeit", MARGIN);
}

#[test]
fn b22_an_illegal_move_costs_one_game() {
    for (answer, detail) in [
        ("again", "illegal move"),
        ("15,0", "`15,0`"),
        ("99,0", "from `0,0` to `14,14`"),
        ("-1,3", "`-1,3`"),
        ("7,", "`7,`"),
        ("7", "`7`"),
        ("7,7,7", "`7,7,7`"),
        ("ERROR no move", "`ERROR no move`"),
    ] {
        let script = [format!("go3:move={answer}")];
        let script = [script[0].as_str()];
        one_fault_in(Played::GOMOKU, WIDE, &script, "illegal_move", detail);
    }
}

#[test]
fn an_engine_that_goes_is_seen_at_once() {
    for limit in [WIDE, "nodes = 100", "clock = \"60+1\""] {
        let exit = &["go3:exit=7"];
        one_fault_in(Played::GOMOKU, limit, exit, "disconnect", "status 7");
    }
}

#[test]
fn odd_habits_change_no_game() {
    let game = |script: &[&str]| Table::of_two_in(Played::GOMOKU, "", WIDE, 1, script);
    let plain = game(&[]);
    plain.play(&[]).well();
    let expected = moves(&plain);
    assert_eq!(expected.len(), 2);
    let many: &[&[&str]] = &[
        &["crlf"],
        &["cr"],
        &["blanks", "crlf", "bom"],
        &["ansi", "errors"],
        &["go:say=MESSAGE 7,7\nDEBUG 7,7\nUNKNOWN"],
        &["go1:say=ERROR Unknown command: 5"],
        &["go2:flood=100000"],
        &["go:pieces=1"],
        &["isready:say=MESSAGE loading"],
        &["child", "runaway", "ignore"],
        &["quit:hang"],
    ];
    for script in many {
        let table = game(script);
        table.play(&[]).well();
        assert_eq!(moves(&table), expected, "{script:?}");
    }
}

/// What an engine is sent in a game of ours against it.
fn sent(game: &str, opening: &str, limit: &str) -> (Table, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("o.txt"), format!("one | {opening}\n")).expect("its openings");
    let log = folder.path().join("log").display().to_string();
    let program = format!(
        "command = {}\nprotocol = \"gomocup\"\nargs = {}\n[engine.options]\nSeed = 2",
        quoted(&scripted_engine().display().to_string()),
        list(&[&format!("log={log}")])
    );
    let head = format!(
        "name = \"t\"\nopenings = \"o.txt\"\nworkers = 1\nmargin_ms = 20000\ngame.gomoku = {game}\n\
         limit = {{ {limit} }}\n\
         schedule.head_to_head = {{ base = \"own\", candidate = \"program\", pairs = 1 }}\n"
    );
    let engines = [("own", "search.greedy = {}"), ("program", &program)];
    let table = Table::within(folder, &head, &engines);
    table.play(&[]).well();
    let sent = fs::read_to_string(log).expect("its log");
    (table, sent)
}

#[test]
fn openings_are_boards_and_rules_are_told() {
    let limit = "clock = \"60+1\"";
    let opening = "20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/x18o b | k10 l11 k11";
    let (table, sent) = sent("{ size = 20, rule = \"standard\" }", opening, limit);
    for lines in [
        "ABOUT\nSTART 20\nINFO timeout_turn 60000\nINFO timeout_match 60000\nINFO time_increment 1000\n",
        "\nINFO game_type 1\nINFO rule 1\n",
        // White is to move: black stones are the opponent's.
        "BOARD\n0,19,2\n19,19,1\n10,10,2\n11,9,1\n10,9,2\nDONE\n",
        // Black moves after White's first.
        "BOARD\n0,19,1\n19,19,2\n10,10,1\n11,9,2\n10,9,1\n",
        "\nRESTART\n",
        "\nTURN ",
    ] {
        assert!(sent.contains(lines), "{lines}: {sent}");
    }
    assert_eq!(sent.matches("\nBOARD\n").count(), 2, "{sent}");
    assert_eq!(sent.matches("\nBEGIN\n").count(), 0);
    for game in table.games() {
        let end = cell(&game, "termination");
        assert_eq!(end, "five", "{}", cell(&game, "detail"));
    }
}

#[test]
fn an_opening_that_a_foul_has_ended_is_refused() {
    // Two open threes of Black's through h8.
    let opening = "15/15/15/15/15/7x7/7x7/5xx8/15/15/15/15/15/15/oooo11 b | h8 a15";
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("o.txt"), format!("one | {opening}\n")).expect("its openings");
    let head = "name = \"t\"\nopenings = \"o.txt\"\nworkers = 1\ngame.gomoku = { rule = \"renju\" }\n\
         limit = { nodes = 10 }\n\
         schedule.head_to_head = { base = \"a\", candidate = \"b\", pairs = 1 }\n";
    let engines = [("a", "search.greedy = {}"), ("b", "search.random = {}")];
    let table = Table::within(folder, head, &engines);
    let ended = table.play(&[]);
    assert_eq!(ended.status, Some(65), "{}", ended.talk);
    assert!(ended.talk.contains("double_three"), "{}", ended.talk);
}
