//! Faults that other programs of this kind had, each under its number in our list of them.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::sync::Mutex;

use agon::config;
use agon::plan::Note;
use agon::play::Interrupted;
use agon::results::{GameId, Journal};
use agon::schedule;
use agon::tournament::Ending;

use crate::common::{Bench, HEAD, agon, cell, rows, talk, until};
use crate::hooked::{Hooked, play_on, stamp};

/// Two engines, and games of a few milliseconds.
fn quick(pairs: usize, more: &str) -> String {
    format!(
        "{HEAD}[limit]\nnodes = 20\n\
         [schedule.head_to_head]\ncandidate = \"new\"\nbase = \"old\"\npairs = {pairs}\n\
         [[engine]]\nname = \"old\"\n[engine.search.alpha_beta]\nhash_mb = 1\n\
         [[engine]]\nname = \"new\"\nextends = \"old\"\n{more}[engine.evaluation]\nt2 = 0.5\n"
    )
}

/// The bytes of every file in a folder.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = std::fs::read_dir(folder).expect("a folder");
    let file = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy();
        (name.into_owned(), std::fs::read(&path).expect("a file"))
    };
    files.map(file).collect()
}

/// B01: a run that goes on plays what is missing, and a finished one is left alone.
#[test]
fn b01_a_run_that_goes_on_plays_no_game_more_than_was_asked_for() {
    let bench = Bench::with_openings(20, &format!("workers = 1\n{}", quick(20, "")));
    bench.start("run", &[]).assert().success();
    let folder = bench.results().join("t-1");
    // As it is after a kill: seven pairs.
    let whole = bench.journal("t-1");
    let end = whole.match_indices('\n').nth(14).expect("rows").0 + 1;
    std::fs::write(folder.join("games.csv"), &whole[..end]).expect("the journal");
    std::fs::remove_file(folder.join("summary.csv")).expect("the summary");
    let said = talk(&bench.start("run", &[]).assert().success());
    assert!(said.contains("40 games, 14 of them done before"), "{said}");

    let games = rows(&folder.join("games.csv"));
    let ids: Vec<&str> = games.iter().map(|row| cell(row, "id")).collect();
    let expected = (0..20).flat_map(|pair| [0, 1].map(|leg| format!("000-{pair:06}-{leg}")));
    assert_eq!(ids, expected.collect::<Vec<_>>());
    let suite = std::fs::read_to_string(bench.folder.path().join("suite.txt")).expect("it");
    let openings = suite.lines().filter(|line| !line.starts_with('#'));
    for (opening, pair) in openings.zip(games.chunks(2)) {
        let name = opening.split(" | ").next().expect("a name");
        assert_eq!(
            [cell(&pair[0], "opening"), cell(&pair[1], "opening")],
            [name; 2]
        );
    }

    let before = contents(&folder);
    bench.start("run", &[]).assert().success();
    assert_eq!(contents(&folder), before, "a finished run is left alone");
    assert!(bench.results().join("t-2/summary.csv").exists());
}

/// B02: of a pair only one game is done. What is said of a run comes from whole pairs.
#[test]
fn b02_half_pairs_are_kept_and_counted_nowhere() {
    let slow = "role_limit = { black = { time_ms = 3600000 } }\n";
    let config = format!("margin_ms = 60000\nworkers = 20\n{}", quick(10, slow));
    let bench = Bench::with_openings(10, &config);
    let mut run = bench.spawn("run", &[]);
    until("the first halves", || bench.rows_on_disk("t-1") == 10);
    stop_at_once(&mut run);
    let kept = bench.journal("t-1");
    let games = bench.games("t-1");
    assert_eq!(games.len(), 10);
    assert!(games.iter().all(|row| cell(row, "leg") == "0"));
    let summary = rows(&bench.results().join("t-1/summary.csv")).remove(0);
    for column in [
        "games", "pairs", "wins", "draws", "losses", "pairs_0", "pairs_4",
    ] {
        assert_eq!(cell(&summary, column), "0", "{column}");
    }
    for column in ["win_rate", "elo"] {
        assert_eq!(cell(&summary, column), "", "{column}");
    }
    assert_eq!(cell(&summary, "verdict"), "continue");
    let from = bench.results().join("t-1");
    agon().args(["gate", "--from"]).arg(from).assert().code(2);

    let mut again = bench.spawn("run", &[]);
    again.says("20 games, 10 of them done before");
    stop_at_once(&mut again);
    assert_eq!(bench.journal("t-1"), kept, "no half is played again");
}

fn stop_at_once(run: &mut crate::common::Running) {
    run.signal("INT");
    run.says("the games in play are finished");
    run.signal("INT");
    assert_eq!(run.exit_status(), Some(3), "{}", run.talk());
}

/// B02: only the other halves are played, and then the pairs count.
#[test]
fn b02_a_half_pair_gets_its_other_half_and_no_more() {
    let bench = Bench::with_openings(10, &quick(10, ""));
    let plan = config::load(&bench.config(), &[]).expect("a plan");
    let path = bench.folder.path().join("games.csv");
    let open = || Journal::open(&path, stamp(&plan)).expect("a journal");
    let second_halves_wait = Hooked::new(plan.arena.as_ref(), |job, stop| {
        if job.id.leg() == 0 {
            return Ok(());
        }
        until("it is given up", || stop.is_stopped());
        Err(Interrupted)
    });
    let (interrupt, interrupts) = crossbeam::channel::unbounded();
    let (journal, _) = open();
    let (standings, ending) = std::thread::scope(|scope| {
        scope.spawn(|| {
            until("the first halves", || {
                let text = std::fs::read_to_string(&path).unwrap_or_default();
                text.matches('\n').count() == 11
            });
            interrupt
                .send(())
                .and_then(|()| interrupt.send(()))
                .expect("a run in play");
        });
        play_on(&plan, &second_halves_wait, &[], journal, 20, interrupts).expect("no fault")
    });
    assert_eq!(
        (standings[0].counted().len(), ending),
        (0, Ending::Interrupted)
    );

    let (journal, recovered) = open();
    let mut halves: Vec<GameId> = recovered.games.iter().map(|(_, game)| game.id).collect();
    halves.sort_unstable();
    let of_leg = |leg| {
        (0..10).map(move |pair| GameId::Leg {
            pairing: 0,
            pair,
            leg,
        })
    };
    assert_eq!(halves, of_leg(0).collect::<Vec<_>>());
    let played = Mutex::new(Vec::new());
    let noted = Hooked::new(plan.arena.as_ref(), |job, _| {
        assert_eq!(
            *job,
            schedule::job(&plan.spec, 0, job.id.pair(), job.id.leg())
        );
        played.lock().expect("no panic").push(job.id);
        Ok(())
    });
    let never = crossbeam::channel::never();
    let (standings, ending) =
        play_on(&plan, &noted, &recovered.games, journal, 2, never).expect("no fault");
    assert_eq!(
        (standings[0].counted().len(), ending),
        (10, Ending::Finished)
    );
    drop(noted);
    let mut played = played.into_inner().expect("no panic");
    played.sort_unstable();
    assert_eq!(played, of_leg(1).collect::<Vec<_>>());
}

/// What the rows of a run say of their openings.
fn openings(bench: &Bench, run: &str) -> Vec<Vec<String>> {
    let columns = ["id", "opening", "opening_fen", "opening_moves"];
    let row = |row: &Vec<(String, String)>| columns.map(|column| cell(row, column).to_owned());
    bench
        .games(run)
        .iter()
        .map(|game| row(game).to_vec())
        .collect()
}

/// The same lines with other ends.
fn with_line_ends(text: &str) -> Vec<(&'static str, Vec<u8>)> {
    let ends = ["\r\n", "\r", "\n"];
    let mut mixed = String::new();
    for (index, line) in text.lines().enumerate() {
        mixed = mixed + line + ends[index % 3];
    }
    vec![
        ("LF", text.into()),
        ("CR LF", text.replace('\n', "\r\n").into()),
        ("CR", text.replace('\n', "\r").into()),
        ("mixed", mixed.into()),
        ("no last line end", text.trim_end().into()),
        (
            "CR LF, no last",
            text.trim_end().replace('\n', "\r\n").into(),
        ),
    ]
}

/// B12.
#[test]
fn b12_line_ends_change_no_opening_and_no_config() {
    let bench = Bench::with_openings(3, "");
    let suite = std::fs::read_to_string(bench.folder.path().join("suite.txt")).expect("it");
    let suite = format!("# A comment, then a line of nothing.\n\n{suite}");
    let config = quick(3, "");
    let mut expected = None;
    let mut number = 0;
    for (file, text) in [("suite.txt", &suite), ("c.toml", &config)] {
        bench.write("suite.txt", &suite);
        bench.write("c.toml", &config);
        for (ends, bytes) in with_line_ends(text) {
            std::fs::write(bench.folder.path().join(file), bytes).expect("a file");
            bench.start("run", &["--new"]).assert().success();
            number += 1;
            let found = openings(&bench, &format!("t-{number}"));
            assert_eq!(found.len(), 6, "{file}, {ends}");
            assert_eq!(
                &found,
                expected.get_or_insert_with(|| found.clone()),
                "{file}, {ends}"
            );
        }
    }
}

/// B13.
#[test]
fn b13_a_byte_order_mark_is_skipped_and_other_encodings_are_named() {
    let bench = Bench::with_openings(3, &quick(3, ""));
    bench.start("run", &[]).assert().success();
    let expected = openings(&bench, "t-1");
    let utf16 = |text: &str, big: bool| -> Vec<u8> {
        let bytes = |word: u16| {
            if big {
                word.to_be_bytes()
            } else {
                word.to_le_bytes()
            }
        };
        text.encode_utf16().flat_map(bytes).collect()
    };
    let mut number = 1;
    for file in ["suite.txt", "c.toml"] {
        let path = bench.folder.path().join(file);
        let text = std::fs::read_to_string(&path).expect("a file");
        let marked = format!("\u{FEFF}{text}");
        std::fs::write(&path, &marked).expect("a file");
        bench.start("run", &["--new"]).assert().success();
        number += 1;
        assert_eq!(openings(&bench, &format!("t-{number}")), expected, "{file}");
        let utf32 = marked
            .chars()
            .flat_map(|c| (c as u32).to_le_bytes())
            .collect();
        for (bytes, encoding) in [
            (utf16(&marked, false), "UTF-16"),
            (utf16(&marked, true), "UTF-16"),
            (utf16(&text, false), "UTF-16"),
            (utf16(&text, true), "UTF-16"),
            (utf32, "UTF-32"),
        ] {
            std::fs::write(&path, bytes).expect("a file");
            let said = talk(&bench.start("run", &["--new"]).assert().code(65));
            assert!(
                said.contains(file) && said.contains(encoding),
                "{file}: {said}"
            );
        }
        std::fs::write(&path, text).expect("a file");
    }
    assert!(!bench.results().join("t-4").exists());
}

/// The problem of a config.
fn problem(text: &str) -> String {
    match config::from_bytes("c.toml", text.as_bytes(), Path::new("."), &[]) {
        Ok(plan) => panic!("accepted: {plan:?}"),
        Err(error) => error.to_string(),
    }
}

/// A config that needs no file.
fn plain() -> String {
    quick(1, "").replace("suite.txt", "start")
}

/// B28.
#[test]
fn b28_options_that_the_engine_does_not_know_are_refused() {
    let text = plain();
    let cases = [
        (
            "hash_mb = 1",
            "hahs_mb = 1",
            "14:1",
            &["`hahs_mb`", "did you mean `hash_mb`"][..],
        ),
        (
            "hash_mb = 1",
            "HASH_MB = 1",
            "14:1",
            &["`HASH_MB`", "did you mean `hash_mb`"],
        ),
        (
            "hash_mb = 1",
            "hash_mb = 0",
            "14:11",
            &["`hash_mb`", "from 1 to"],
        ),
        (
            "hash_mb = 1",
            "hash_mb = 1.5",
            "14:11",
            &["`hash_mb`", "whole number"],
        ),
        (
            "hash_mb = 1",
            "hash_mb = \"1\"",
            "14:11",
            &["`hash_mb` of engine `old`", "from 1 to 4096"],
        ),
        ("t2 = 0.5", "T3 = 0.5", "19:1", &["`T3`", "did you mean `t"]),
        ("t2 = 0.5", "t2 = 1e9", "19:6", &["`t2`", "from"]),
        (
            "nodes = 20",
            "ndoes = 20",
            "6:1",
            &["`ndoes`", "did you mean `nodes`"],
        ),
        (
            "name = \"new\"",
            "nam = \"new\"",
            "16:1",
            &["`nam`", "did you mean `name`"],
        ),
    ];
    for (good, bad, place, parts) in cases {
        let message = problem(&text.replace(good, bad));
        assert!(
            message.contains(&format!("c.toml:{place}:")),
            "{bad}: {message}"
        );
        for part in parts {
            assert!(message.contains(part), "{bad}: {part}: {message}");
        }
    }
    let same = text.replace("t2 = 0.5\n", "");
    let plan = config::from_bytes("c.toml", same.as_bytes(), Path::new("."), &[]).expect("a plan");
    let identical = |note: &Note| matches!(note, Note::IdenticalVariants { .. });
    assert!(plan.notes.iter().any(identical), "{:?}", plan.notes);
}

/// B29.
#[test]
fn b29_a_suite_that_cannot_be_read_is_one_clear_error() {
    let bench = Bench::with_openings(2, &quick(2, ""));
    let suite = std::fs::read(bench.folder.path().join("suite.txt")).expect("it");
    std::fs::create_dir(bench.folder.path().join("folder")).expect("a folder");
    bench.write(
        "games.pgn",
        "[Event \"x\"]\n[White \"a\"]\n\n1. e4 e5 1-0\n",
    );
    let key = "openings = \"suite.txt\"\n";
    let cases = [
        ("", "c.toml", "missing field `openings`"),
        ("openings = 3\n", "c.toml:2:12", "expected a string"),
        ("openings = \"none.txt\"\n", "c.toml:2:12", "none.txt"),
        ("openings = \"folder\"\n", "c.toml:2:12", "folder"),
        ("openings = \"\"\n", "c.toml:2:12", "openings"),
        ("openings = \"games.pgn\"\n", "c.toml:2:12", "line 1"),
        // No process may read all of its own memory.
        #[cfg(target_os = "linux")]
        (
            "openings = \"/proc/self/mem\"\n",
            "c.toml:2:12",
            "/proc/self/mem",
        ),
    ];
    for (line, place, part) in cases {
        bench.write("c.toml", &quick(2, "").replace(key, line));
        let said = talk(&bench.start("run", &[]).assert().code(65));
        assert!(
            said.contains(place) && said.contains(part),
            "{line}: {said}"
        );
        assert!(!said.contains("panicked"), "{said}");
        assert_eq!(said.matches("error: ").count(), 1, "{said}");
        assert!(!bench.results().exists());
    }
    // A suite is known by what is in it, not by its name.
    for name in ["suite.xyz", "suite"] {
        std::fs::write(bench.folder.path().join(name), &suite).expect("a suite");
        let line = format!("openings = \"{name}\"\n");
        bench.write("c.toml", &quick(2, "").replace(key, &line));
        bench.start("run", &["--new"]).assert().success();
    }
    assert_eq!(openings(&bench, "t-1"), openings(&bench, "t-2"));
}

/// A reader of CSV by the words of RFC 4180, and no other code of ours.
fn rfc_4180(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut field) = (Vec::new(), Vec::new(), String::new());
    let mut quoted = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => field.extend(chars.next()),
            '"' => {
                assert!(quoted || field.is_empty(), "a bare quote after {field}");
                quoted = !quoted;
            }
            ',' if !quoted => row.push(std::mem::take(&mut field)),
            '\n' if !quoted => {
                row.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut row));
            }
            _ => field.push(c),
        }
    }
    assert!(!quoted && row.is_empty() && field.is_empty());
    rows
}

/// B30.
#[test]
fn b30_odd_names_survive_every_file() {
    let long = "x".repeat(300);
    let names = [
        "base",
        "a \"quoted\" name",
        r"back\slash \n",
        "comma, semicolon; [bracket] | {brace}",
        "=1+1",
        "'single' # no comment",
        "Zoë 国象 🏆",
        &long,
    ];
    let quote = |name: &str| toml::Value::String(name.to_owned()).to_string();
    let mut config = format!("{HEAD}[limit]\nnodes = 20\n[schedule.gauntlet]\npairs = 1\n");
    config += &format!("base = {}\n", quote(names[0]));
    for name in names {
        config += &format!("[[engine]]\nname = {}\n", quote(name));
        config += "[engine.search.alpha_beta]\nhash_mb = 1\n";
    }
    let bench = Bench::with_openings(1, &config);
    bench.start("run", &[]).assert().success();
    let folder = bench.results().join("t-1");
    let read = |file: &str| {
        let text = std::fs::read_to_string(folder.join(file)).expect("a file");
        let mut rows = rfc_4180(&text);
        let header = rows.remove(0);
        assert!(rows.iter().all(|row| row.len() == header.len()));
        let named = rows
            .into_iter()
            .map(|row| header.iter().cloned().zip(row).collect());
        named.collect::<Vec<Vec<(String, String)>>>()
    };
    let mut games = read("games.csv");
    games.sort();
    let mut summary = read("summary.csv");
    let candidates = &names[1..];
    summary.sort_by_key(|row| {
        candidates
            .iter()
            .position(|name| *name == cell(row, "candidate"))
    });
    for (index, name) in candidates.iter().enumerate() {
        let [first, second] = [&games[2 * index], &games[2 * index + 1]];
        assert_eq!(
            [cell(first, "first"), cell(first, "second")],
            [name, names[0]]
        );
        assert_eq!(
            [cell(second, "first"), cell(second, "second")],
            [names[0], name]
        );
        let row = &summary[index];
        assert_eq!(
            [cell(row, "candidate"), cell(row, "base")],
            [name, names[0]]
        );
    }
    let rated = read("ratings.csv");
    let mut rated: Vec<&str> = rated.iter().map(|row| cell(row, "variant")).collect();
    let mut expected = names.to_vec();
    rated.sort_unstable();
    expected.sort_unstable();
    assert_eq!(rated, expected);
    let effective = config::load(&folder.join("config.toml"), &[]).expect("it reads back");
    let original = config::load(&bench.config(), &[]).expect("a plan");
    assert_eq!(effective.spec, original.spec);
    // The rows read back, too: the same command finds a finished run.
    bench.start("run", &[]).assert().success();
    assert!(bench.results().join("t-2").exists());
}

/// B30.
#[test]
fn b30_names_that_no_file_can_hold_are_refused_with_their_place() {
    let bad = [
        (r#""a\nb""#, "control character"),
        (r#""a\rb""#, "control character"),
        (r#""a\tb""#, "control character"),
        (r#""a\u001Bb""#, "control character"),
        (r#""a\u0085b""#, "control character"),
        (r#""""#, "empty"),
        (r#""  ""#, "empty"),
    ];
    let text = plain();
    for (name, part) in bad {
        for (good, place) in [("\"t\"", "1:8"), ("\"new\"", "16:8")] {
            // The last place is where the name is given.
            let (before, after) = text.rsplit_once(&format!("name = {good}")).expect("a name");
            let message = problem(&format!("{before}name = {name}{after}"));
            assert!(
                message.contains(&format!("c.toml:{place}: ")),
                "{name}: {message}"
            );
            assert!(message.contains(part), "{name}: {message}");
        }
    }
    let twice = problem(&text.replace("name = \"new\"", "name = \"old\""));
    assert!(
        twice.contains("c.toml:16:8: two engines are called `old`"),
        "{twice}"
    );
    for path in ["a/b", "..", ".hidden", r"a\\b"] {
        let message = problem(&text.replace("name = \"t\"", &format!("name = \"{path}\"")));
        assert!(
            message.contains("c.toml:1:8: ") && message.contains("folder"),
            "{message}"
        );
    }
}

/// B40: a reader that leaves ends no run.
#[test]
fn b40_a_pipe_that_is_closed_early_loses_no_result() {
    let bench = Bench::with_openings(8, &quick(8, ""));
    for (number, first_line) in [(1, true), (2, false)] {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_agon"))
            .args(["run", "--new"])
            .arg(bench.config())
            .arg("--results")
            .arg(bench.results())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        let mut said = BufReader::new(child.stderr.take().expect("a pipe"));
        if first_line {
            let mut line = String::new();
            said.read_line(&mut line).expect("a line");
            assert!(line.contains("t-1") || line.starts_with("note: "), "{line}");
        }
        drop(said);
        assert_eq!(child.wait().expect("it ends").code(), Some(0));
        let run = format!("t-{number}");
        assert_eq!(bench.games(&run).len(), 16);
        assert!(bench.results().join(&run).join("summary.csv").exists());
    }
}

/// B40: a line an event, as it happens, and nothing for terminals only.
#[test]
fn b40_a_file_or_a_pipe_gets_a_plain_line_an_event_while_the_run_plays() {
    let slow = "role_limit = { black = { time_ms = 3600000 } }\n";
    let config = format!("margin_ms = 60000\nworkers = 8\n{}", quick(4, slow));
    let bench = Bench::with_openings(4, &config);
    let mut run = bench.spawn("run", &[]);
    let lines = |talk: &str| {
        talk.lines()
            .filter(|line| line.starts_with("game "))
            .count()
    };
    until("a line a game", || lines(&run.talk()) == 4);
    assert!(run.is_running());
    let said = run.talk();
    assert!(said.ends_with('\n'));
    for row in bench.games("t-1") {
        let line = format!("game {}: new - old ", cell(&row, "id"));
        assert_eq!(said.matches(&line).count(), 1, "{line}: {said}");
    }
    stop_at_once(&mut run);
    assert!(!run.talk().contains('\u{1b}'), "{}", run.talk());

    bench.write("c.toml", &quick(4, ""));
    let whole = bench.start("run", &["--new"]).assert().success();
    let output = whole.get_output();
    assert_eq!(lines(&talk(&whole)), 8);
    for bytes in [&output.stdout, &output.stderr] {
        assert!(!bytes.contains(&0x1b) && !bytes.contains(&b'\r'));
    }
    let table = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        table.contains("verdict") && !table.contains("game 0"),
        "{table}"
    );
}
