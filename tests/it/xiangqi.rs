//! Xiangqi in its two languages, spoken by agon itself on both sides and by who counts wrong.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use crate::common::{agon, cell};
use crate::engines::moves;
use crate::table::{Table, quoted};

/// agon as a program that speaks this protocol.
fn own(protocol: &str) -> String {
    let agon = quoted(env!("CARGO_BIN_EXE_agon"));
    format!("command = {agon}\nargs = [\"engine\", \"xiangqi\"]\nprotocol = \"{protocol}\"")
}

fn head(limit: &str) -> String {
    format!(
        "name = \"t\"\nopenings = \"o.txt\"\nworkers = 1\nmargin_ms = 20000\ngame.xiangqi = {{}}\n\
         limit = {{ {limit} }}\nadjudication.max_plies = 60\n\
         schedule.head_to_head = {{ base = \"uci\", candidate = \"ucci\", pairs = 2 }}\n"
    )
}

/// Two openings: the start, and a position in which captures are near.
fn table(limit: &str, uci: &str, ucci: &str) -> Table {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let openings = "start | start | h3e3\nnear | r3ka3/3nan3/1c2b2cb/p1p1p2R1/7Pp/1C3N3/P1P1P3P/2C1B4/4A1r2/RN1AK1B2 b - - 0 1\n";
    fs::write(folder.path().join("o.txt"), openings).expect("its openings");
    Table::within(folder, &head(limit), &[("uci", uci), ("ucci", ucci)])
}

#[test]
fn b38_moves_are_translated_for_each_engine() {
    for limit in ["nodes = 2000", "depth = 2", "clock = \"2+0\""] {
        let table = table(limit, &own("uci"), &own("ucci"));
        table.play(&[]).well();
        let games = table.games();
        assert_eq!(games.len(), 4);
        for game in &games {
            let end = cell(game, "termination");
            assert!(
                !end.contains("illegal") && !end.contains("disconnect"),
                "{end}"
            );
            assert_eq!(cell(game, "detail"), "", "{end}");
            // What was searched is told in both languages.
            for side in ["first", "second"] {
                let nodes = cell(game, &format!("{side}_nodes_per_move"));
                assert!(
                    nodes.parse::<f64>().is_ok_and(|nodes| nodes > 10.0),
                    "{nodes}"
                );
            }
        }
        if !limit.starts_with("clock") {
            // One engine, which has no chance in it: both legs are one game.
            let moves = moves(&table);
            assert_eq!((&moves[0], &moves[2]), (&moves[1], &moves[3]), "{limit}");
            assert_ne!(moves[0], moves[2]);
        }
        let run = fs::read_to_string(table.path("results/t-1/run.json")).expect("the run");
        assert!(
            run.contains("\"protocol\": \"ucci\"") && run.contains("\"protocol\": \"uci\""),
            "{run}"
        );
    }
}

/// A program that says these lines when it is greeted, and plays one move for ever.
fn stub(folder: &tempfile::TempDir, greeting: &str, mv: &str) -> String {
    let path = folder.path().join("stub");
    let text = format!(
        "#!/bin/sh\nwhile read -r word rest; do case $word in\n  uci|ucci) printf '{greeting}';;\n  \
         isready) echo readyok;;\n  go) echo 'info depth 1 nodes 1000'; echo bestmove {mv};;\n  \
         quit) exit;;\nesac; done\n"
    );
    fs::write(&path, text).expect("a script");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("its mode");
    format!("command = {}", quoted(&path.display().to_string()))
}

#[test]
fn b38_who_counts_ranks_as_another_language_does_is_found_out_before_any_game() {
    let variant = "option name UCI_Variant type combo default xiangqi var xiangqi\\nuciok\\n";
    for (spoken, greeting, played, what) in [
        ("uci", variant, "h2e2", "uci writes `h3e3`"),
        ("ucci", "ucciok\\n", "h3e3", "ucci writes `h2e2`"),
        // A program for one game names no variant.
        ("uci", "uciok\\n", "h2e2", "uci writes `h3e3`"),
    ] {
        for limit in [
            "nodes = 1000",
            "time_ms = 200",
            "depth = 2",
            "clock = \"60+1\"",
        ] {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let stub = format!(
                "{}\nprotocol = \"{spoken}\"",
                stub(&folder, greeting, played)
            );
            let table = table(limit, &stub, "search.random = {}");
            let ended = table.play(&[]);
            assert_eq!(ended.status, Some(69), "{limit}: {}", ended.talk);
            let sample = format!("`{played}` at the start");
            let other = if spoken == "uci" { "ucci" } else { "uci" };
            let hint = format!("protocol = \"{other}\"");
            for words in [what, sample.as_str(), hint.as_str()] {
                assert!(ended.talk.contains(words), "{words}: {}", ended.talk);
            }
            assert!(!table.path("results/t-1/games.csv").exists());
        }
    }
}

/// What `agon engine GAME` answers to these lines.
fn answers(game: &str, lines: &str) -> Vec<String> {
    let done = agon()
        .args(["engine", game])
        .write_stdin(lines)
        .assert()
        .success();
    let text = String::from_utf8_lossy(&done.get_output().stdout).into_owned();
    text.lines().map(str::to_owned).collect()
}

fn best(answers: &[String]) -> Vec<&str> {
    let is_best = |line: &&String| line.contains("bestmove");
    answers.iter().filter(is_best).map(String::as_str).collect()
}

/// What the engine answers up to its move, which nothing hurries.
fn unhurried(lines: &str) -> Vec<String> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(["engine", "xiangqi"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(lines.as_bytes()).expect("it reads");
    let output = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut said = Vec::new();
    for line in output.lines() {
        said.push(line.expect("text"));
        if best(&said).len() == 1 {
            break;
        }
    }
    drop(input);
    child.wait().expect("it ends");
    said
}

/// Where only agon's own rules have ended the game, a manager that goes on gets its move; where no
/// move is legal, none.
#[test]
fn a_server_plays_on_while_a_move_is_legal() {
    let to_and_fro = "a1a2 a10a9 a2a1 a9a10 ".repeat(3);
    let old = "2ba1k3/9/9/9/9/9/9/9/4K4/3R5 w - - 130 90";
    let mated = "3k5/3R5/3R5/9/9/9/9/9/9/4K4 b - - 0 1";
    for (position, moves) in [
        (format!("startpos moves {to_and_fro}"), true),
        (format!("fen {old}"), true),
        (format!("fen {old} moves d1d2"), true),
        (format!("fen {mated}"), false),
        (format!("fen {}", mated.replace(" 0 1", " 120 1")), false),
    ] {
        for limit in ["nodes 3000", "depth 0", "nodes 0", "movetime 0"] {
            let said = unhurried(&format!("uci\nposition {position}\ngo {limit}\n"));
            let best = best(&said);
            assert_eq!(best.len(), 1);
            assert_eq!(best[0] != "bestmove (none)", moves, "{position}: {said:?}");
            let searched = said.iter().any(|line| line.starts_with("info depth "));
            assert_eq!(searched, moves, "{position} {limit}: {said:?}");
        }
        let ucci = position.replace("a1a2 a10a9 a2a1 a9a10", "a0a1 a9a8 a1a0 a8a9");
        let ucci = ucci.replace("d1d2", "d0d1");
        for limit in ["nodes 3000", "depth 0", "time 0"] {
            let said = unhurried(&format!("ucci\nposition {ucci}\ngo {limit}\n"));
            let none = said.iter().any(|line| line == "nobestmove");
            assert_eq!(none, !moves, "{ucci} {limit}: {said:?}");
        }
    }
    // A mate in two is found at any limit: a check on the open column.
    let mating = "3k5/9/9/9/r8/9/9/9/R8/4K4 w - - 0 1";
    for limit in ["depth 0", "nodes 0", "movetime 0"] {
        let said = unhurried(&format!("uci\nposition fen {mating}\ngo {limit}\n"));
        assert_eq!(best(&said), ["bestmove a2d2"], "{limit}");
    }
}

#[test]
fn agon_is_an_engine_of_ucci() {
    let greeting = answers("xiangqi", "ucci\nquit\n");
    assert!(greeting[0].starts_with("id name agon"));
    assert_eq!(greeting.last().map(String::as_str), Some("bye"));
    assert_eq!(greeting[greeting.len() - 2], "ucciok");
    for option in [
        "option usemillisec type check default false",
        "option hashsize type spin min 1 max 4096 default 16",
        "option null_move type check default true",
    ] {
        assert!(
            greeting.iter().any(|line| line == option),
            "{option}: {greeting:?}"
        );
    }
    // One move is left: all others are banned.
    let near = "position fen 3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1";
    let script = format!(
        "ucci\nsetoption usemillisec true\nsetoption seed 3\nsetoption hashsize 1\nsetoption nothing 1\nisready\n\
         {near}\ngo depth 2\n{near} moves a0a9\ngo nodes 500\n\
         position fen 3k5/9/9/9/9/9/9/9/3R5/4K4 b\ngo depth 3\n\
         position fen 4k4/9/9/9/9/9/4R4/9/9/3K5 b\ngo depth 3\nbanmoves e9d9 e9f9\ngo depth 1\n\
         position fen 3k5/9/9/9/9/9/9/9/9/4K4 w\nbanmoves e0e1 z9\ngo depth 1\ngo time 50 movestogo 1\n\
         banmoves e0e1 e0f0\ngo depth 1\n\
         position startpos moves h3e3\ngo depth 1\nposition startpos moves h2e2\ngo time 200 increment 10 opptime 5\nquit\n"
    );
    let said = answers("xiangqi", &script);
    let found = best(&said);
    assert_eq!(found.len(), 10, "{said:?}");
    assert!(found[0].starts_with("bestmove a0"), "{found:?}");
    assert_eq!(found[2], "nobestmove", "a mate");
    assert!(found[3].starts_with("bestmove e9"));
    assert_eq!(
        &found[5..8],
        ["bestmove e0f0", "bestmove e0f0", "nobestmove"]
    );
    assert_eq!(found[8], "nobestmove", "ranks from 1 are refused");
    assert!(said.iter().any(|line| line.contains("not banned")));
    assert!(said.iter().any(|line| line.contains("option nothing")));
    // It is the game's language only, and `uci` is what it was.
    assert_eq!(answers("amazons", "ucci\nquit\n"), Vec::<String>::new());
    let uci = answers(
        "xiangqi",
        "uci\nposition startpos moves h3e3\ngo depth 1\nquit\n",
    );
    assert!(uci.iter().any(|line| line == "uciok"));
    assert_eq!(best(&uci).len(), 1);
    assert_ne!(uci.last().map(String::as_str), Some("bye"));
}
