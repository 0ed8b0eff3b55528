//! External engines that misbehave, in every way that we know, against the real program.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::common::{cell, until};
use crate::table::{Played, Table, head, list, quoted, scripted_engine};

/// No engine that plays at once needs so long, on however busy a machine.
pub const WIDE: &str = "time_ms = 20000";

/// A game that the engine of the script loses by a fault, and one that both play on, with the
/// engine started again.
fn one_fault(limit: &str, script: &[&str], termination: &str, detail: &str) {
    one_fault_in(Played::CHESS, limit, script, termination, detail);
}

/// The same in any game.
pub fn one_fault_in(played: Played, limit: &str, script: &[&str], termination: &str, detail: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let few = format!("few=1,{}", folder.path().join("few").display());
    let script = [script, &[few.as_str()]].concat();
    let table = Table::of_two_in(played, "margin_ms = 1000", limit, 1, &script);
    table.play(&[]).well();
    let games = table.games();
    assert_eq!(games.len(), 2, "{script:?}");
    let faulty: Vec<_> = games
        .iter()
        .filter(|game| cell(game, "termination").starts_with(termination))
        .collect();
    assert_eq!(faulty.len(), 1, "{script:?}: {games:?}");
    let game = faulty[0];
    let (side, result) = match cell(game, "first") {
        "bad" => ("first", "0-1"),
        _ => ("second", "1-0"),
    };
    let whole = format!("{termination}:{side}");
    assert_eq!(cell(game, "termination"), whole, "{script:?}");
    assert_eq!(cell(game, "result"), result, "{script:?}");
    let said = cell(game, "detail");
    assert!(said.contains(detail), "{script:?}: {said}");
    let other = games
        .iter()
        .find(|other| *other != game)
        .expect("two games");
    let end = cell(other, "termination");
    assert!(
        !end.contains(':'),
        "{script:?}: {end} {}",
        cell(other, "detail")
    );
    let summary = table.summary();
    let late = u8::from(termination == "time_forfeit").to_string();
    let wrong = u8::from(termination != "time_forfeit").to_string();
    assert_eq!(
        cell(&summary, "candidate_time_forfeits"),
        late,
        "{script:?}"
    );
    assert_eq!(cell(&summary, "candidate_faults"), wrong, "{script:?}");
    assert_eq!(cell(&summary, "base_faults"), "0", "{script:?}");
    assert_eq!(cell(&summary, "base_time_forfeits"), "0", "{script:?}");
}

#[test]
fn an_engine_that_does_not_answer_loses_that_game_on_time() {
    let limit = "time_ms = 1500";
    for script in [
        "go3:hang",
        "go3:silent",
        "go3:late=4000",
        "go2:deaf",
        "go2:flood=endless",
    ] {
        one_fault(
            limit,
            &[script],
            "time_forfeit",
            "with a limit of 1500000 µs",
        );
    }
    // Nobody knows how late it would have been, so no delay of the machine is an excuse.
    one_fault(
        "clock = \"2+0.1\"",
        &["go3:hang"],
        "time_forfeit",
        "and a margin of 1000000 µs",
    );
}

#[test]
fn b21_an_engine_that_goes_is_seen_at_once_under_every_limit() {
    for limit in [WIDE, "nodes = 100", "depth = 3", "clock = \"60+1\""] {
        one_fault(
            limit,
            &["go3:exit=7"],
            "disconnect",
            "it exited with status 7",
        );
        one_fault(limit, &["go3:close"], "disconnect", "it closed its pipes");
    }
    one_fault(
        WIDE,
        &["go3:signal=11"],
        "disconnect",
        "it was killed by signal 11",
    );
    one_fault(
        WIDE,
        &["go3:signal=9"],
        "disconnect",
        "it was killed by signal 9",
    );
    one_fault(
        WIDE,
        &["go3:exit=0"],
        "disconnect",
        "it exited with status 0",
    );
    let last_words = &["go3:stderr=300000", "go3:exit=1"];
    one_fault(WIDE, last_words, "disconnect", "its stderr ends with: eee");
}

#[test]
fn b21_a_watchdog_ends_a_search_that_no_clock_limits() {
    for limit in ["nodes = 100", "depth = 3"] {
        for script in ["go3:hang", "go2:deaf"] {
            one_fault(limit, &[script], "stall", "no answer in time");
        }
    }
}

#[test]
fn b21_a_crash_is_one_even_where_a_child_keeps_the_pipes_open() {
    for limit in [WIDE, "depth = 1"] {
        one_fault(
            limit,
            &["child", "go2:signal=11"],
            "disconnect",
            "signal 11",
        );
    }
}

#[test]
fn b19_a_prompt_takes_no_answer_with_it() {
    let table = Table::of_two("margin_ms = 1000", WIDE, 1, &["prompt"]);
    table.play(&[]).well();
    for game in table.games() {
        let end = cell(&game, "termination");
        assert!(!end.contains(':'), "{end}: {}", cell(&game, "detail"));
    }
}

#[test]
fn b20_an_echo_of_an_answer_is_no_answer_to_the_next_question() {
    let plain = Table::of_two("margin_ms = 1000", WIDE, 1, &[]);
    plain.play(&[]).well();
    for script in ["go:echo=3", "go2:echo=3", "go3:echo=20"] {
        let table = Table::of_two("margin_ms = 1000", WIDE, 1, &[script]);
        table.play(&[]).well();
        assert_eq!(moves(&table), moves(&plain), "{script}");
    }
    // If nothing else comes, it is what it answers: the move of one that repeats itself.
    let again = ["go2:move=e2e4|e7e5", "go1:move=e2e4|e7e5"];
    let table = Table::of_two("margin_ms = 100", "time_ms = 300", 1, &again);
    table.play(&[]).well();
    for game in table.games() {
        let end = cell(&game, "termination");
        assert!(end.starts_with("illegal_move"), "{end}");
        assert!(cell(&game, "detail").contains("`e"));
    }
}

#[test]
fn options_without_end_take_no_memory() {
    let table = Table::of_two("", WIDE, 1, &["uci:options=2000"]);
    let ended = table.play(&[]);
    assert_eq!(ended.status, Some(69), "{}", ended.talk);
    let words = "`bad`";
    assert!(ended.talk.contains(words), "{}", ended.talk);
    assert!(
        ended.talk.contains("it declares more than 1000 options"),
        "{}",
        ended.talk
    );
    assert!(ended.peak_kib < 32 * 1024, "{} KiB", ended.peak_kib);
}

/// A round robin of two good engines and one that does not start: the two finish their games.
#[test]
fn b23_who_does_not_start_keeps_nobody_else_from_playing() {
    let command = quoted(&scripted_engine().display().to_string());
    let good = |seed: u8| format!("command = {command}\n[engine.options]\nSeed = {seed}");
    let bad = format!("command = {command}\nargs = {}", list(&["start:exit=3"]));
    let all = format!(
        "name = \"t\"\nopenings = \"start\"\nworkers = 2\ngame.chess = {{}}\n\
         limit = {{ {WIDE} }}\nschedule.round_robin = {{ pairs = 1 }}\n"
    );
    let (one, two) = (good(1), good(2));
    let table = Table::new(&all, &[("one", &one), ("bad", &bad), ("two", &two)]);
    let ended = table.play(&[]);
    assert_eq!(ended.status, Some(69), "{}", ended.talk);
    for words in [
        "engine `bad`: ",
        "status 3",
        "the others play without it",
        "engine `bad` did not start, and its games are not played",
    ] {
        assert!(ended.talk.contains(words), "{words}: {}", ended.talk);
    }
    let games = table.games();
    assert_eq!(games.len(), 2);
    for game in &games {
        assert!(!cell(game, "termination").contains(':'));
        assert_ne!(cell(game, "first"), "bad");
        assert_ne!(cell(game, "second"), "bad");
    }
    // Nobody else is there to play a gate.
    let table = Table::new(&head("chess", 1), &[("good", &one), ("bad", &bad)]);
    let ended = table.play(&[]);
    assert_eq!(ended.status, Some(69), "{}", ended.talk);
    assert!(ended.talk.contains("nothing was played"), "{}", ended.talk);
}

/// What a run of two games under a limit of 2,000 nodes ends with and says; its warnings.
fn under_nodes(script: &[&str]) -> (Option<i32>, String, String) {
    let table = Table::of_two("", "nodes = 2000", 1, script);
    let ended = table.play(&[]);
    let warnings = if ended.status == Some(0) {
        cell(&table.summary(), "warnings").to_owned()
    } else {
        String::new()
    };
    (ended.status, ended.talk, warnings)
}

#[test]
fn a_limit_of_nodes_is_probed_not_believed() {
    // It keeps to it, if softly.
    let (status, talk, warnings) = under_nodes(&["go:nodes=2400"]);
    assert_eq!(status, Some(0), "{talk}");
    assert!(!talk.contains("`bad` was asked"), "{talk}");
    assert!(!warnings.contains("bad said"), "{warnings}");
    // It answers before it has begun: a note, and a doubt about the result.
    let (status, talk, warnings) = under_nodes(&["go:nodes=6"]);
    assert_eq!(status, Some(0), "{talk}");
    let note = "`bad` was asked to search 2000 nodes and said that it used 6";
    assert!(talk.contains(note), "{talk}");
    assert!(
        warnings.contains("bad said 6 nodes a move under a limit of 2000"),
        "{warnings}"
    );
    // It searches on; for ever.
    for (deed, what) in [
        ("go:nodes=1000000", "it said that it used 1000000"),
        ("go:silent", "it had not moved after 3 s"),
    ] {
        let (status, talk, _) = under_nodes(&[deed]);
        assert_eq!(status, Some(69), "{talk}");
        for part in ["engine `bad`", "asked to search 2000", what, "`time_ms`"] {
            assert!(talk.contains(part), "{part}: {talk}");
        }
    }
}

#[test]
fn b22_an_illegal_move_costs_one_game() {
    let at = "illegal move";
    for (answer, detail) in [
        ("move=e1e8|e8e1", at),
        ("move=e7e5|e2e4", at),
        ("move=0000", "`0000`"),
        ("move=(none)", "`(none)`"),
        ("move=", "``"),
        ("move=zz99", "`zz99`"),
        ("move=upper", "not a move of chess"),
        ("move=e2e4q|e7e5q", "e"),
        ("move=e2e1k|e7e8k", "e"),
        ("move=\u{e9}\u{4e2d}\u{1F600}", "\u{e9}\u{4e2d}"),
    ] {
        one_fault(WIDE, &[&format!("go1:{answer}")], "illegal_move", detail);
    }
}

#[test]
fn b22_a_promotion_names_its_piece() {
    let table = Table::of_two("", WIDE, 1, &["go1:move=a7a8|h2h1"]);
    let config = fs::read_to_string(table.path("c.toml")).expect("its config");
    let config = config.replace("openings = \"start\"", "openings = \"o.epd\"");
    fs::write(table.path("c.toml"), config).expect("its config");
    fs::write(table.path("o.epd"), "4k3/P7/8/8/8/8/7p/4K3 w - -\n").expect("its openings");
    table.play(&[]).well();
    for game in table.games() {
        let end = cell(&game, "termination");
        assert!(end.starts_with("illegal_move:"), "{end}");
        let detail = cell(&game, "detail");
        assert!(
            detail.contains("a7a8") || detail.contains("h2h1"),
            "{detail}"
        );
        assert!(!cell(&game, "moves").contains("a7a8 "), "{game:?}");
    }
}

/// The moves of all games, without what was said of them.
pub fn moves(table: &Table) -> Vec<String> {
    let of_move = |word: &str| word.split(':').next().unwrap_or_default().to_owned();
    let of_game = |text: &str| text.split(' ').map(of_move).collect::<Vec<_>>().join(" ");
    let games = table.games();
    games
        .iter()
        .map(|game| of_game(cell(game, "moves")))
        .collect()
}

#[test]
fn b19_b20_odd_habits_change_no_game() {
    let plain = Table::of_two("", WIDE, 1, &[]);
    plain.play(&[]).well();
    let expected = moves(&plain);
    assert_eq!(expected.len(), 2);
    let many: &[&[&str]] = &[
        &["crlf"],
        &["cr"],
        &["blanks", "crlf", "bom"],
        &["ansi", "errors"],
        &["go2:flood=1000000"],
        &["go:flood=50"],
        &["go:pieces=1"],
        &["go:long=200000"],
        &[
            "go2:stderr=1000000",
            "go3:stderr=1000000",
            "isready:stderr=1000000",
        ],
        &["isready:say=bestmove g2g4", "isready:after=bestmove g2g4"],
        &["position:say=bestmove f2f3"],
        &["go:after=bestmove f2f3"],
        &[
            "uci:say=option name",
            "uci:after=option name Late type spin default x min y max z",
        ],
        &[
            "uci:say=option name Ghost type nothing default",
            "uci:long=200000",
        ],
        &["uci:late=200", "isready:late=200"],
        &["child", "runaway", "ignore"],
        &["quit:hang"],
        &["quit:flood=endless"],
        &["quit:exit=3"],
    ];
    for script in many {
        let table = Table::of_two("", WIDE, 1, script);
        table.play(&[]).well();
        assert_eq!(moves(&table), expected, "{script:?}");
    }
}

#[test]
fn b19_a_last_line_without_its_end_is_read() {
    let table = Table::of_two("", WIDE, 1, &["go3:cut"]);
    table.play(&[]).well();
    for game in table.games() {
        // Its third move counts; then it is gone.
        let bad = u8::from(cell(&game, "second") == "bad");
        assert_eq!(cell(&game, "plies"), (6 + bad).to_string());
        assert!(cell(&game, "termination").starts_with("disconnect:"));
    }
}

#[test]
fn b23_an_engine_that_cannot_start_is_named_before_any_game() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    let program = |name: &str, bytes: &[u8], mode: u32| {
        fs::write(path(name), bytes).expect("a temporary file");
        fs::set_permissions(path(name), fs::Permissions::from_mode(mode)).expect("our file");
    };
    program("plain", b"#!/bin/sh\n", 0o644);
    program("lost", b"#!/nowhere/python\n", 0o755);
    // The head of a program for a machine that is not this one: number 243, big-endian.
    let mut foreign = vec![0; 64];
    foreign[..20].copy_from_slice(b"\x7fELF\x02\x02\x01\0\0\0\0\0\0\0\0\0\0\x02\0\xf3");
    program("foreign", &foreign, 0o755);
    program("leaves", b"#!/bin/sh\necho no net >&2\nexit 4\n", 0o755);
    let all = |name: &str| path(name).display().to_string();
    let scripted = scripted_engine().display().to_string();
    for (command, args, status, words) in [
        (all("missing"), "", 65, "cannot start"),
        (all(""), "", 65, "is a folder"),
        (all("plain"), "", 65, "is not executable"),
        (
            "no-such-program".to_owned(),
            "",
            65,
            "no program `no-such-program`",
        ),
        (all("lost"), "", 69, "No such file"),
        (all("foreign"), "", 69, "foreign"),
        (all("leaves"), "", 69, "no net"),
        (scripted.clone(), "start:exit=3", 69, "exited with status 3"),
        (scripted.clone(), "start:signal=6", 69, "killed by signal 6"),
        (scripted.clone(), "start:close", 69, "closed its pipes"),
        (scripted.clone(), "uci:silent", 69, "no answer in time"),
        (scripted.clone(), "uci:hang", 69, "no answer in time"),
        (
            scripted.clone(),
            "uci:flood=endless",
            69,
            "no answer in time",
        ),
    ] {
        let args = if args.is_empty() {
            list(&[])
        } else {
            list(&[args])
        };
        let good = format!("command = {}", quoted(&scripted));
        let bad = format!(
            "command = {}\nargs = {args}\nstart_ms = 2000",
            quoted(&command)
        );
        let table = Table::new(&head("chess", 1), &[("good", &good), ("bad", &bad)]);
        let ended = table.play(&[]);
        assert_eq!(
            ended.status,
            Some(status),
            "{command} {args}: {}",
            ended.talk
        );
        // A config's error has its line; the line has the command.
        let place = if status == 65 {
            "c.toml:"
        } else {
            "engine `bad`"
        };
        for part in [words, place] {
            assert!(
                ended.talk.contains(part),
                "{command} {args}: {part}: {}",
                ended.talk
            );
        }
        let journal = fs::read_to_string(table.path("results/t-1/games.csv"));
        assert!(
            journal.map_or(0, |text| text.lines().count()) <= 1,
            "{command}"
        );
        assert!(
            ended.peak_kib < 32 * 1024,
            "{command}: {} KiB",
            ended.peak_kib
        );
    }
}

#[test]
fn b24_names_with_blanks_accents_and_chinese_are_names() {
    let odd = "an \u{e9}t\u{e9} of \u{4e2d}\u{6587} & 'quotes'";
    let folder = tempfile::Builder::new()
        .prefix(odd)
        .tempdir()
        .expect("a folder");
    let engine = folder.path().join("my engine");
    fs::copy(scripted_engine(), &engine).expect("a copy");
    fs::write(
        folder.path().join("an opening.epd"),
        "4k3/8/8/8/8/8/4P3/4K3 w - -\n",
    )
    .expect("a file");
    fs::create_dir(folder.path().join("work dir")).expect("a folder");
    let log = "log=what it \u{e9} was sent";
    let good = "command = \"./my engine\"\ndir = \"work dir/\"";
    let bad = format!(
        "command = \"./my engine\"\ndir = \"work dir\"\nargs = {}",
        list(&[log])
    );
    let head = head("chess", 1)
        .replace("\"start\"", "\"an opening.epd\"")
        .replace("bad", odd);
    let table = Table::within(folder, &head, &[("good", good), (odd, &bad)]);
    table.play(&["--new"]).well();
    let games = table.games();
    assert!(games.iter().any(|game| cell(game, "first") == odd));
    let sent = fs::read_to_string(table.path("work dir").join("what it \u{e9} was sent"));
    assert!(sent.expect("its log").contains("position fen 4k3/8"));
}

#[test]
fn b26_a_move_over_its_limit_is_counted_and_beyond_the_margin_it_loses() {
    let within = Table::of_two("margin_ms = 60000", "time_ms = 100", 1, &["go2:late=300"]);
    within.play(&[]).well();
    for game in within.games() {
        let side = if cell(&game, "first") == "bad" {
            "first"
        } else {
            "second"
        };
        assert!(!cell(&game, "termination").contains(':'), "{game:?}");
        let count: u32 = cell(&game, &format!("{side}_overruns"))
            .parse()
            .expect("a number");
        let most: u64 = cell(&game, &format!("{side}_largest_overrun_us"))
            .parse()
            .expect("a number");
        assert!(count >= 1 && most >= 190_000, "{count} {most}");
    }
    // Whatever the machine did to it, three seconds are not explained by a busy processor
    // unless it was idle for most of them.
    one_fault(
        "time_ms = 1000",
        &["go2:late=3500"],
        "time_forfeit",
        "limit of 1000000 µs",
    );
}

#[test]
fn b25_an_engine_that_uses_most_of_its_time_loses_no_game_by_it() {
    let table = Table::of_two(
        "margin_ms = 1000",
        "time_ms = 50",
        1,
        &["go1:share=80", "go2:share=80"],
    );
    table.play(&[]).well();
    let games = table.games();
    assert!(
        games
            .iter()
            .all(|game| !cell(game, "termination").contains(':')),
        "{games:?}"
    );
}

#[test]
fn b27_no_clock_is_sent_below_its_floor() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let log = folder.path().join("log");
    let log_it = format!("log={}", log.display());
    // Half a second, and every move takes 300 ms: from the second on, each is an overrun.
    let script = [
        "go1:late=300",
        "go2:late=300",
        "go3:late=300",
        "go4:late=300",
        &log_it,
    ];
    let table = Table::of_two("margin_ms = 60000", "clock = \"0.5\"", 1, &script);
    table.play(&[]).well();
    for game in table.games() {
        assert!(!cell(&game, "termination").contains(':'), "{game:?}");
    }
    let sent = fs::read_to_string(log).expect("its log");
    let gos: Vec<&str> = sent
        .lines()
        .filter(|line| line.starts_with("go "))
        .collect();
    for words in gos
        .iter()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
    {
        let clocks: Vec<i64> = words[1..]
            .chunks(2)
            .filter(|pair| pair[0].ends_with("time"))
            .map(|pair| pair[1].parse().expect("a number"))
            .collect();
        assert_eq!(clocks.len(), 2, "{words:?}");
        assert!(clocks.iter().all(|ms| (1..=500).contains(ms)), "{words:?}");
    }
    assert!(gos.iter().any(|line| line.contains("time 1")), "{gos:?}");
}

#[test]
fn b28_options_are_checked_before_any_game() {
    let command = format!(
        "command = {}",
        quoted(&scripted_engine().display().to_string())
    );
    for (options, words) in [
        ("Threds = 2", vec!["`Threds`", "did you mean `Threads`?"]),
        ("Hash = 4096", vec!["`Hash` is `4096`", "from 1 to 1024"]),
        (
            "Hash = \"much\"",
            vec!["`Hash` is `much`", "a whole number"],
        ),
        ("Style = \"Solid\"", vec!["one of Very Solid, Risky"]),
        ("UCI_Chess960 = 3", vec!["true or false"]),
    ] {
        let bad = format!("{command}\n[engine.options]\n{options}");
        let table = Table::new(&head("chess", 1), &[("good", &command), ("bad", &bad)]);
        let ended = table.play(&[]);
        assert_eq!(ended.status, Some(69), "{options}: {}", ended.talk);
        for part in words.into_iter().chain(["engine `bad`"]) {
            assert!(ended.talk.contains(part), "{part}: {}", ended.talk);
        }
        assert!(!table.path("results/t-1/summary.csv").exists());
    }
    // A name in another case is the same option, and is sent as declared.
    let folder = tempfile::tempdir().expect("a temporary folder");
    let log = folder.path().join("log");
    let log_it = format!("log={}", log.display());
    let bad = format!(
        "{command}\nargs = {}\n[engine.options]\nhASH = 32\nthreads = 2\n\"style\" = \"Risky\"\n\"clear hash\" = true",
        list(&[&log_it])
    );
    let table = Table::new(&head("chess", 1), &[("good", &command), ("bad", &bad)]);
    table.play(&[]).well();
    let sent = fs::read_to_string(log).expect("its log");
    for line in [
        "setoption name Threads value 2\nsetoption name Hash value 32\n",
        "setoption name Style value Risky\n",
        "setoption name Clear Hash\n",
    ] {
        assert!(sent.contains(line), "{line}: {sent}");
    }
}

#[test]
fn b28_two_variants_that_are_the_same_are_doubted() {
    let command = format!(
        "command = {}",
        quoted(&scripted_engine().display().to_string())
    );
    let table = Table::new(&head("chess", 1), &[("good", &command), ("bad", &command)]);
    let ended = table.play(&[]).well();
    let warnings = cell(&table.summary(), "warnings").to_owned();
    assert!(
        warnings.contains("are the same engine"),
        "{warnings}; {}",
        ended.talk
    );
}

#[test]
fn b31_live_events_files_and_summary_count_alike() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let few = format!("few=3,{}", folder.path().join("few").display());
    let table = Table::of_two("margin_ms = 300", "time_ms = 700", 5, &["go2:hang", &few]);
    table.play(&["--json"]).well();
    let lost = |termination: &str| termination.starts_with("time_forfeit:");
    let in_file = table
        .games()
        .iter()
        .filter(|game| lost(cell(game, "termination")))
        .count();
    assert_eq!(in_file, 3);
    let out = fs::read_to_string(table.path("out")).expect("its events");
    let events: Vec<serde_json::Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let live = events
        .iter()
        .filter(|event| event["event"] == "game_finished")
        .filter(|event| event["termination"].as_str().is_some_and(lost))
        .count();
    assert_eq!(live, 3);
    let last = events.last().expect("a last event");
    assert_eq!(last["pairings"][0]["candidate_time_forfeits"], 3);
    assert_eq!(last["pairings"][0]["base_time_forfeits"], 0);
    assert_eq!(cell(&table.summary(), "candidate_time_forfeits"), "3");
}

/// A run of engines that ignore everything and leave children, one of them behind a shell.
fn stubborn() -> Table {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let engine = scripted_engine().display().to_string();
    let wrapper = folder.path().join("wrapper");
    // The shell stays between agon and the engine.
    let script = "#!/bin/sh\ntrap '' TERM INT HUP\n\"$@\"\nexit $?\n";
    fs::write(&wrapper, script).expect("a temporary file");
    fs::set_permissions(&wrapper, fs::Permissions::from_mode(0o755)).expect("our file");
    let args = ["ignore", "child", "runaway", "go:late=20"];
    let wrapped = [&[engine.as_str()], &args[..]].concat();
    let good = format!(
        "command = \"./wrapper\"\nargs = {}\n[engine.options]\nSeed = 1",
        list(&wrapped)
    );
    let bad = format!(
        "command = {}\nargs = {}\n[engine.options]\nSeed = 2",
        quoted(&engine),
        list(&[&args[..], &["direct"]].concat())
    );
    let head = head("chess", 500)
        .replace("\"start\"", "\"o.epd\"")
        .replace("workers = 1", "workers = 2");
    fs::write(folder.path().join("o.epd"), "7k/5Q2/8/8/8/8/8/K7 w - -\n").expect("its openings");
    Table::within(folder, &head, &[("good", &good), ("bad", &bad)])
}

/// Processes whose command line has this word.
fn with_word(word: &str) -> Vec<i32> {
    let processes = fs::read_dir("/proc").expect("Linux");
    let found = processes.filter_map(|process| {
        let process = process.ok()?;
        let number = process.file_name().to_str()?.parse().ok()?;
        let line = fs::read(process.path().join("cmdline")).ok()?;
        let mut words = line.split(|byte| *byte == 0);
        words
            .any(|found| found == word.as_bytes())
            .then_some(number)
    });
    found.collect()
}

#[test]
fn b39_an_orphan_without_any_mark_is_found() {
    // A number that nobody else waits for.
    let seconds = format!("300.{}", std::process::id());
    let orphan = format!("orphan={seconds}");
    let table = Table::of_two("margin_ms = 1000", WIDE, 1, &[&orphan]);
    table.play(&[]).well();
    let left = with_word(&seconds);
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn b39_nothing_is_left_if_the_user_stops_while_engines_are_tried() {
    let table = Table::of_two("", WIDE, 1, &["runaway", "child", "uci:silent"]);
    let child = table.command(&[]).spawn().expect("the program starts");
    until("the engine is there", || table.left().len() >= 3);
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.expect("kill runs").success());
    let ended = table.wait(child);
    assert_eq!(ended.status, Some(3), "{}", ended.talk);
    assert!(ended.talk.contains("nothing was played"), "{}", ended.talk);
    assert!(table.left().is_empty(), "{:?}", table.left());
}

#[test]
fn b39_nothing_is_left_however_the_run_ends() {
    for (signals, status) in [
        (&["INT"][..], Some(3)),
        (&["TERM", "TERM"], Some(3)),
        (&["KILL"], None),
    ] {
        let table = stubborn();
        let child = table.command(&[]).spawn().expect("the program starts");
        table.is_in_play();
        for (number, signal) in signals.iter().enumerate() {
            if number > 0 {
                until("the first signal is seen", || {
                    table.talk().contains("finished")
                });
            }
            let id = child.id().to_string();
            let sent = Command::new("kill")
                .args([&format!("-{signal}"), &id])
                .status();
            assert!(sent.expect("kill runs").success());
        }
        if status.is_some() {
            let ended = table.wait(child);
            assert_eq!(ended.status, status, "{signals:?}: {}", ended.talk);
            continue;
        }
        // Killed outright: the system ends what agon has started itself. What those have
        // started is out of its reach.
        let mut child = child;
        child.wait().expect("a child of this process");
        let direct = || {
            let of_agon = |line: &str| line.contains(" direct") || line.contains("/wrapper");
            table.left().iter().any(|(_, line)| of_agon(line))
        };
        let start = std::time::Instant::now();
        while direct() && start.elapsed().as_secs() < 3 {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let left = table.left();
        let any = direct();
        for (number, _) in &left {
            let killed = Command::new("kill")
                .arg("-KILL")
                .arg(number.to_string())
                .status();
            drop(killed);
        }
        assert!(!any, "{left:?}");
    }
}
