//! Run folders that go away during play, and what killed writes leave in them.

use std::time::{Duration, Instant};

use crate::common::{Bench, HEAD, Running, cell, until};

/// Games of about a second, two at once.
const SLOW: &str = "margin_ms = 60000\nworkers = 2\n";
const REST: &str = "[limit]\ntime_ms = 20\n\
    [schedule.head_to_head]\ncandidate = \"new\"\nbase = \"old\"\npairs = 2\n\
    [[engine]]\nname = \"old\"\n[engine.search.alpha_beta]\nhash_mb = 1\n\
    [[engine]]\nname = \"new\"\nextends = \"old\"\n[engine.evaluation]\nt2 = 0.5\n";

/// The status of results that cannot be written.
pub fn disk_status() -> i32 {
    75
}

/// A run with a row on disk and games in play.
fn in_play(bench: &Bench) -> Running {
    let run = bench.spawn("run", &[]);
    until("a game on disk", || bench.rows_on_disk("t-1") >= 1);
    run
}

/// The run ends soon, with the status of a disk that failed, and names the file and the cause.
fn assert_noticed(bench: &Bench, run: &mut Running, since: Instant) {
    assert_eq!(run.exit_status(), Some(disk_status()), "{}", run.talk());
    // It looks every second; this allows for a busy machine.
    assert!(since.elapsed() < Duration::from_secs(30));
    let said = run.talk();
    let file = bench.results().join("t-1/games.csv");
    for part in [
        &format!("cannot go on with `{}`", file.display()),
        "it was removed or replaced while the run was playing",
        "the same command goes on",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

fn slow_games() -> Bench {
    let openings = "pairs = 16";
    Bench::with_openings(
        16,
        &format!("{SLOW}{HEAD}{}", REST.replace("pairs = 2", openings)),
    )
}

#[test]
fn a_run_whose_folder_is_removed_stops() {
    let bench = slow_games();
    let mut run = in_play(&bench);
    let since = Instant::now();
    std::fs::remove_dir_all(bench.results().join("t-1")).expect("the folder");
    assert_noticed(&bench, &mut run, since);
    assert!(!bench.results().join("t-1").exists());
}

/// Moves with an hour each: nothing is written when the folder goes, and it is noticed.
#[test]
fn a_run_that_finishes_no_game_notices_too() {
    let bench = Bench::new(&format!(
        "{SLOW}{HEAD}{}",
        REST.replace("time_ms = 20", "time_ms = 3600000")
    ));
    let mut run = bench.spawn("run", &[]);
    run.says("2 at once");
    let since = Instant::now();
    std::fs::remove_dir_all(bench.results().join("t-1")).expect("the folder");
    assert_noticed(&bench, &mut run, since);
}

#[test]
fn a_run_whose_folder_is_moved_or_replaced_stops_and_goes_on_when_it_is_back() {
    for replaced in [false, true] {
        let bench = slow_games();
        let mut run = in_play(&bench);
        let [here, there] = ["t-1", "elsewhere"].map(|name| bench.results().join(name));
        let since = Instant::now();
        std::fs::rename(&here, &there).expect("the folder");
        if replaced {
            std::fs::create_dir(&here).expect("a folder");
            std::fs::copy(there.join("games.csv"), here.join("games.csv")).expect("a copy");
        }
        assert_noticed(&bench, &mut run, since);
        let rows = bench.rows_on_disk("elsewhere");
        assert!((1..32).contains(&rows), "{rows}");
        if replaced {
            std::fs::remove_dir_all(&here).expect("the folder");
        }
        std::fs::rename(&there, &here).expect("the folder");
        let kept = bench.journal("t-1");

        let mut again = bench.spawn("run", &[]);
        again.says(&format!("{rows} of them done before"));
        until("another game", || bench.rows_on_disk("t-1") > rows);
        again.signal("INT");
        assert_eq!(again.exit_status(), Some(3), "{}", again.talk());
        let whole = bench.journal("t-1");
        assert!(whole.starts_with(&kept), "finished rows must not change");
        let games = bench.games("t-1");
        let mut ids: Vec<&str> = games.iter().map(|row| cell(row, "id")).collect();
        ids.dedup();
        assert_eq!(ids.len(), games.len(), "no game is there twice");
    }
}

/// What a kill inside a write leaves is removed at the next start, and nothing else is.
#[test]
fn temporary_files_of_killed_writes_are_removed() {
    let quick = REST.replace("time_ms = 20", "nodes = 20");
    let bench = Bench::new(&format!("{HEAD}{quick}"));
    let run = bench.results().join("t-1");
    std::fs::create_dir_all(run.join(".agon-folder.tmp")).expect("a folder");
    let ours = [".agon-aB3dE6.tmp", ".agon-000000.tmp"];
    let others = [
        ".agon-short.tmp",
        ".agon-toolong.tmp",
        ".agon-aB-dE6.tmp",
        ".agon-aB3dE6.tmp2",
        "x.agon-aB3dE6.tmp",
        "notes.tmp",
        ".tmpaB3dE6",
    ];
    for name in ours.iter().chain(&others) {
        std::fs::write(run.join(name), "left").expect("a file");
    }
    bench.start("run", &[]).assert().success();
    for name in ours {
        assert!(!run.join(name).exists(), "{name} is left");
    }
    for name in others {
        assert!(run.join(name).exists(), "{name} is gone");
    }
    assert!(run.join(".agon-folder.tmp").is_dir());
}
