//! What other programs, and hands, do to a run: files edited, saved or removed, readers that do
//! not read, two starts at once.

use std::fs;
use std::io::Write as _;
use std::os::fd::AsRawFd as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Bench, HEAD, reset_signals, talk, until};

const REST: &str = "[limit]\nnodes = 300\n\
    [schedule.head_to_head]\ncandidate = \"new\"\nbase = \"old\"\npairs = 8\n\
    [[engine]]\nname = \"old\"\n[engine.search.alpha_beta]\nhash_mb = 1\n\
    [[engine]]\nname = \"new\"\nextends = \"old\"\n[engine.evaluation]\nt2 = 0.5\n";

/// Sixteen quick games.
fn quick() -> Bench {
    Bench::new(&format!("workers = 2\n{HEAD}{REST}"))
}

/// Games that last, so that something can happen meanwhile.
fn slow() -> Bench {
    Bench::new(
        &format!("workers = 2\nmargin_ms = 60000\n{HEAD}{REST}")
            .replace("nodes = 300", "time_ms = 20"),
    )
}

/// A finished run, and the path of its `games.csv`.
fn finished() -> (Bench, std::path::PathBuf) {
    let bench = quick();
    bench.start("run", &[]).assert().success();
    let games = bench.results().join("t-1/games.csv");
    (bench, games)
}

#[test]
fn a_journal_that_is_changed_in_place_during_play_stops_the_run() {
    let bench = slow();
    let mut run = bench.spawn("run", &[]);
    until("two games", || bench.rows_on_disk("t-1") >= 2);
    let path = bench.results().join("t-1/games.csv");
    // As an editor does that saves the file under its own name.
    let header = bench.journal("t-1").lines().next().map(str::to_owned);
    fs::write(&path, header.expect("a header") + "\n").expect("it can be saved");
    assert_eq!(run.exit_status(), Some(75), "{}", run.talk());
    let said = run.talk();
    for part in [
        "t-1/games.csv",
        "another program changed it while the run was playing",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn a_refusal_changes_nothing_even_where_the_last_row_is_torn() {
    let (bench, path) = finished();
    let good = bench.journal("t-1");
    let (bad, line) = {
        let mut rows: Vec<&str> = good.lines().collect();
        let second = rows[2];
        rows.truncate(6);
        rows.push(second);
        (rows.join("\n") + "\n000-0000", "games.csv:7")
    };
    fs::write(&path, &bad).expect("a file");
    let refused = bench.start("run", &[]).assert().code(65);
    let said = talk(&refused);
    assert!(
        said.contains(line) && said.contains("the same game"),
        "{said}"
    );
    assert!(said.contains("nothing was changed"), "{said}");
    assert!(!said.contains("set aside"), "{said}");
    assert_eq!(bench.journal("t-1"), bad);
    assert!(!path.with_extension("torn-1").exists());
}

#[test]
fn an_illegal_move_in_a_row_is_named_with_its_number() {
    let (bench, path) = finished();
    let good = bench.journal("t-1");
    let row = good.lines().nth(1).expect("a row");
    // The last column holds the moves; its first one is played twice.
    let moves = row.rsplit(',').next().expect("the moves");
    let first = row.rsplit('"').nth(1).unwrap_or(moves);
    let mv = first.split(' ').next().expect("a move");
    let bad = good.replacen(&format!("{mv} "), &format!("{mv} {mv} "), 1);
    fs::write(&path, bad).expect("a file");
    let said = talk(&bench.start("run", &[]).assert().code(65));
    assert!(said.contains("games.csv:2"), "{said}");
}

#[test]
fn games_that_are_gone_or_saved_by_another_program_are_refused() {
    let (bench, path) = finished();
    let good = bench.journal("t-1");
    let bytes = good.as_bytes();
    let with_mark = [b"\xEF\xBB\xBF", bytes].concat();
    let utf16: Vec<u8> = good.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let cases: [(&str, Vec<u8>, &str); 5] = [
        ("CR", good.replace('\n', "\r").into(), "Unix line ends"),
        ("CRLF", good.replace('\n', "\r\n").into(), "Unix line ends"),
        ("mark", with_mark, "byte order mark"),
        ("UTF-16", utf16, "UTF-16"),
        (
            "other",
            b"something else".to_vec(),
            "is not that of this version",
        ),
    ];
    for (name, bytes, part) in cases {
        fs::write(&path, &bytes).expect("a file");
        let said = talk(&bench.start("run", &[]).assert().code(65));
        assert!(
            said.contains("games.csv:1:") && said.contains(part),
            "{name}: {said}"
        );
        assert_eq!(fs::read(&path).expect("a file"), bytes, "{name}");
        assert!(!path.with_extension("torn-1").exists(), "{name}");
    }
    fs::remove_file(&path).expect("a file");
    let said = talk(&bench.start("run", &[]).assert().code(65));
    for part in [
        "t-1` has been played, but its games.csv is gone",
        "put games.csv back",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!path.exists());
}

#[test]
fn an_edited_run_file_is_refused_without_a_panic() {
    let (bench, games) = finished();
    let path = bench.results().join("t-1/run.json");
    let good = fs::read_to_string(&path).expect("run.json");
    let bad = good.replacen("\"candidate\": 1", "\"candidate\": 99", 1);
    assert_ne!(bad, good);
    fs::write(&path, bad).expect("a file");
    for gone in [false, true] {
        if gone {
            // Without rows nothing else holds the file against what was played.
            fs::remove_file(&games).expect("a file");
            fs::remove_file(bench.results().join("t-1/starts.csv")).expect("a file");
        }
        let said = talk(&bench.start("run", &[]).assert().code(65));
        assert!(
            said.contains("names a variant that it does not have"),
            "{said}"
        );
    }
}

#[test]
fn a_run_whose_lock_file_was_removed_still_belongs_to_one_process() {
    let bench = slow();
    let mut run = bench.spawn("run", &[]);
    until("a game", || bench.rows_on_disk("t-1") >= 1);
    fs::remove_file(bench.results().join("t-1/lock")).expect("a file");
    let refused = bench
        .start("run", &[])
        .timeout(Duration::from_secs(60))
        .assert();
    let refused = refused.code(73);
    assert!(
        talk(&refused).contains("is in use by another agon"),
        "{}",
        talk(&refused)
    );
    run.signal("KILL");
    assert_eq!(run.exit_status(), None);
}

#[test]
fn of_two_starts_at_once_one_plays_and_the_other_is_refused() {
    for _ in 0..5 {
        let bench = quick();
        let mut both = [bench.spawn("run", &[]), bench.spawn("run", &[])];
        let mut statuses = both.each_mut().map(|run| run.exit_status());
        statuses.sort_unstable();
        let second = bench.results().join("t-2").exists();
        // A start after the end of the other is a run of its own.
        let fits = match statuses {
            [Some(0), Some(73)] => !second,
            [Some(0), Some(0)] => bench.rows_on_disk("t-1") == 16,
            _ => false,
        };
        let said = both.each_ref().map(crate::common::Running::talk);
        assert!(fits, "{statuses:?} {said:?}");
    }
}

/// A pipe that nobody reads fills up; the run must not wait for it.
#[test]
fn a_reader_that_does_not_read_holds_up_neither_the_run_nor_a_signal() {
    let bench = slow();
    let words = [
        reset_signals(),
        &[env!("CARGO_BIN_EXE_agon"), "run", "--json"],
    ]
    .concat();
    let mut run = Command::new(words[0])
        .args(&words[1..])
        .arg(bench.config())
        .arg("--results")
        .arg(bench.results())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .expect("the program starts");
    // What is never read, filled before the program gets to it.
    let fill = |number: i32| {
        let mut pipe = fs::File::options()
            .write(true)
            .open(format!("/proc/self/fd/{number}"))
            .expect("the pipe");
        // A pipe holds 64 KiB; this blocks for ever once it is full.
        std::thread::spawn(move || drop(pipe.write_all(&[b'\n'; 1 << 20])));
    };
    let pipes = (run.stdout.take(), run.stderr.take());
    let (Some(stdout), Some(stderr)) = &pipes else {
        panic!("both are pipes");
    };
    fill(stdout.as_raw_fd());
    fill(stderr.as_raw_fd());
    until("four games", || bench.rows_on_disk("t-1") >= 4);
    let id = run.id().to_string();
    let kill = |signal: &str| {
        let status = Command::new("kill").args([signal, &id]).status();
        assert!(status.is_ok_and(|status| status.success()));
    };
    kill("-INT");
    kill("-INT");
    // It waits five seconds for the reader, and then for its last words; a further signal ends
    // that.
    let since = Instant::now();
    let ended = loop {
        std::thread::sleep(Duration::from_millis(500));
        kill("-INT");
        if run.try_wait().expect("a child").is_some() {
            break true;
        }
        if since.elapsed() > Duration::from_secs(60) {
            break false;
        }
    };
    drop(run.kill());
    drop(run.wait());
    assert!(ended, "it never ended");
    assert!(bench.rows_on_disk("t-1") >= 4);
    bench.start("run", &["--quiet"]).assert().code(0);
    assert_eq!(bench.rows_on_disk("t-1"), 16);
}
