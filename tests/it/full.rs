//! A disk that is really full: results on a small file system in memory.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{Bench, agon, rows, talk, until};
use crate::kills::{Outcome, quick_games, uninterrupted};
use crate::vanish::disk_status;

/// What the file system gives out at once.
const PAGE: u64 = 4096;

/// The pages of a small file system.
const PAGES: u64 = 1024;

/// A small file system, unmounted at the end, most of which a file without sense takes up.
struct Disk {
    at: PathBuf,
    filler: File,
}

/// Set where a test runs in a namespace of its own.
const IN_NAMESPACE: &str = "AGON_TEST_IN_NAMESPACE";

/// Whether a small disk can be mounted here. Where the user may not, the test runs once more in
/// a namespace in which he may; where that is forbidden too, it is skipped, and says so.
fn can_mount(test: &str) -> bool {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let reason = match Disk::mount(folder.path(), 1) {
        Ok(_) => return true,
        Err(reason) => reason,
    };
    let unshare = || {
        let mut unshare = Command::new("unshare");
        unshare.args(["--map-root-user", "--mount"]);
        unshare
    };
    let inside = std::env::var_os(IN_NAMESPACE).is_some();
    if !inside
        && unshare()
            .arg("true")
            .status()
            .is_ok_and(|status| status.success())
    {
        let program = std::env::current_exe().expect("this program");
        let status = unshare()
            .arg(program)
            .args(["--exact", &format!("full::{test}"), "--nocapture"])
            .env(IN_NAMESPACE, "1")
            .status();
        assert!(
            status.expect("unshare runs").success(),
            "{test} failed in its namespace"
        );
        return false;
    }
    // The machine that tests every change must test this; another may not be able to.
    let must = std::env::var_os("CI").is_some_and(|value| value == "true");
    assert!(!must, "cannot mount a small disk: {reason}");
    let said = format!(
        "{test} is skipped, for want of a small disk: {}\n",
        reason.trim()
    );
    drop(std::io::stderr().write_all(said.as_bytes()));
    false
}

impl Disk {
    /// Mounts one with so many free pages at `at`, or says why not.
    fn mount(at: &Path, free: u64) -> Result<Disk, String> {
        std::fs::create_dir_all(at).expect("a folder");
        let options = format!("size={},huge=never", PAGES * PAGE);
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &options, "tmpfs"])
            .arg(at)
            .output();
        match mounted {
            Ok(output) if output.status.success() => {
                let filler = File::create(at.join("filler")).expect("a file");
                let mut disk = Disk {
                    at: at.to_owned(),
                    filler,
                };
                disk.leave(free);
                Ok(disk)
            }
            Ok(output) => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Makes so many pages more free.
    fn grow(&mut self, pages: u64) {
        let length = self.filler.metadata().expect("its length").len();
        self.filler.set_len(length - pages * PAGE).expect("room");
    }

    /// Leaves so many pages free.
    fn leave(&mut self, free: u64) {
        let page = [1; PAGE as usize];
        while self.filler.write(&page).is_ok_and(|written| written > 0) {}
        self.grow(free);
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Lazily: a program that the test has just killed may still hold a file.
        drop(Command::new("umount").arg("-l").arg(&self.at).status());
    }
}

/// The file that a message says could not be written.
fn named(said: &str) -> String {
    let line = said.lines().find(|line| line.starts_with("error: cannot "));
    let line = line.unwrap_or_else(|| panic!("no file is named: {said}"));
    let path = line.split('`').nth(1).unwrap_or_else(|| panic!("{said}"));
    let name = Path::new(path).file_name().expect("a name");
    name.to_string_lossy().into_owned()
}

/// From no room at all, a page more each time: whatever file the disk is full at, the run stops
/// and says so, and the same command goes on.
#[test]
fn a_disk_that_is_full_at_any_file_stops_the_run_and_loses_nothing() {
    if !can_mount("a_disk_that_is_full_at_any_file_stops_the_run_and_loses_nothing") {
        return;
    }
    let bench = quick_games(12);
    let expected = uninterrupted(&bench);
    let mut disk = Disk::mount(&bench.results(), 0).expect("a small disk");
    // A page that no run may have: with 0 pages the file system has no limit.
    let run = bench.results().join("t-1");
    let mut full_at = BTreeSet::new();
    let mut stops = 0;
    loop {
        let before = bench.journal("t-1");
        let assert = bench.start("run", &[]).assert();
        let said = talk(&assert);
        let after = bench.journal("t-1");
        let whole = before.rfind('\n').map_or(0, |at| at + 1);
        assert!(after.starts_with(&before[..whole]), "rows must not change");
        if assert.get_output().status.success() {
            break;
        }
        assert_eq!(
            assert.get_output().status.code(),
            Some(disk_status()),
            "{said}"
        );
        assert!(said.contains("No space left"), "{said}");
        assert!(said.contains("the same command goes on"), "{said}");
        full_at.insert(named(&said));
        stops += 1;
        assert!(stops < 200, "{full_at:?} {said}");
        disk.grow(1);
    }
    assert_eq!(Outcome::of(&run), expected);
    for file in [
        "run.json",
        "openings.txt",
        "config.toml",
        "starts.csv",
        "games.csv",
    ] {
        assert!(full_at.contains(file), "{file}: {full_at:?}");
    }
    assert!(!bench.results().join("t-2").exists());
    let said = format!("48 games, {stops} stops for a full disk, at {full_at:?}\n");
    drop(std::io::stderr().write_all(said.as_bytes()));
}

/// A disk that fills up between the last game and what is said of it.
#[test]
fn a_disk_that_is_full_at_the_end_keeps_the_summary_for_the_next_start() {
    if !can_mount("a_disk_that_is_full_at_the_end_keeps_the_summary_for_the_next_start") {
        return;
    }
    let bench = quick_games(12);
    let expected = uninterrupted(&bench);
    for name in ["ratings.csv", "summary.csv"] {
        let mut disk = Disk::mount(&bench.results(), 200).expect("a small disk");
        let run = bench.results().join("t-1");
        bench.start("run", &[]).assert().success();
        for missing in ["ratings.csv", "summary.csv"] {
            let path = run.join(missing);
            std::fs::remove_file(&path).expect("the file");
            if missing == name {
                // The write of a file that cannot take its name is one that fails.
                std::fs::create_dir(&path).expect("a folder");
                std::fs::write(path.join("x"), "").expect("a file");
            }
        }
        let journal = bench.journal("t-1");
        let said = talk(&bench.start("run", &[]).assert().code(disk_status()));
        assert_eq!(named(&said), name, "{said}");
        std::fs::remove_dir_all(run.join(name)).expect("the folder");
        for missing in ["ratings.csv", "summary.csv"] {
            drop(std::fs::remove_file(run.join(missing)));
        }
        // One page is for the row of the start, and after it for one of the two files.
        disk.leave(1);
        let said = talk(&bench.start("run", &[]).assert().code(disk_status()));
        assert!(said.contains("No space left"), "{said}");
        assert!(
            ["ratings.csv", "summary.csv"].contains(&named(&said).as_str()),
            "{said}"
        );
        disk.grow(1);
        bench.start("run", &[]).assert().success();
        assert_eq!(Outcome::of(&run), expected, "{name}");
        assert_eq!(bench.journal("t-1"), journal, "no game is played again");
        assert!(!bench.results().join("t-2").exists());
    }
}

/// Endings of games that the plan of `quick_games` played, with the moves up to there.
fn endings(bench: &Bench, count: usize) -> String {
    bench.start("run", &["--quiet"]).assert().success();
    let folder = bench.results().join("t-1");
    let mut suite = String::new();
    for (index, game) in rows(&folder.join("games.csv"))
        .iter()
        .take(count)
        .enumerate()
    {
        let cell = |column| crate::common::cell(game, column);
        let moves: Vec<&str> = cell("moves").split(' ').collect();
        let moves = moves[..moves.len() - 2].iter();
        let moves = moves.map(|mv| mv.split(':').next().expect("a move"));
        suite += &format!(
            "e{index} | {} | {}",
            cell("opening_fen"),
            cell("opening_moves")
        );
        moves.for_each(|mv| suite = format!("{suite} {mv}"));
        suite.push('\n');
    }
    std::fs::remove_dir_all(folder).expect("the folder");
    suite
}

/// The first opening is the start position, where a search of 60 plies never ends; the others
/// are over in two plies or a few more.
fn endless_first_pair(workers: usize) -> Bench {
    let bench = quick_games(10);
    let suite = format!("endless | start\n{}", endings(&bench, 39));
    bench.write("suite.txt", &suite);
    bench.write(
        "c.toml",
        &format!(
            "name = \"t\"\nopenings = \"suite.txt\"\nworkers = {workers}\n[game.amazons]\nsize = 8\n\
             [limit]\ndepth = 60\n\
             [schedule.head_to_head]\ncandidate = \"new\"\nbase = \"old\"\npairs = 40\n\
             [[engine]]\nname = \"old\"\n[engine.search.alpha_beta]\nhash_mb = 1\n\
             [[engine]]\nname = \"new\"\nextends = \"old\"\n[engine.evaluation]\nt2 = 0.5\n"
        ),
    );
    bench
}

/// B03 (a): games are on disk in the order in which they end, whatever game before them never
/// does; a kill costs those in play, and the next start finds the others.
#[test]
fn b03_an_endless_game_holds_back_no_other_and_a_kill_loses_only_games_in_play() {
    let bench = endless_first_pair(8);
    let mut run = bench.spawn("run", &[]);
    until("fifty games", || bench.rows_on_disk("t-1") >= 50);
    run.signal("KILL");
    assert_eq!(run.exit_status(), None);
    let kept = bench.journal("t-1");
    let done = bench.rows_on_disk("t-1");
    assert!(!kept.contains("000-000000-"), "the first pair never ends");
    let mut again = bench.spawn("run", &[]);
    again.says(&format!("{done} of them done before"));
    assert!(bench.journal("t-1").starts_with(&kept));
    again.signal("INT");
    again.says("the games in play are finished");
    again.signal("INT");
    assert_eq!(again.exit_status(), Some(3), "{}", again.talk());
    bench.games("t-1");
}

/// B03 (b): the disk fills while a game is played that never ends.
#[test]
fn b03_a_full_disk_ends_an_endless_game_too() {
    if !can_mount("b03_a_full_disk_ends_an_endless_game_too") {
        return;
    }
    let bench = endless_first_pair(8);
    let mut disk = Disk::mount(&bench.results(), 16).expect("a small disk");
    let (mut before, mut stops) = (0, 0);
    while stops < 4 {
        let mut program = bench.start("run", &[]);
        let program = program.timeout(std::time::Duration::from_secs(120));
        let said = talk(&program.assert().code(disk_status()));
        assert!(said.contains("No space left"), "{said}");
        disk.grow(1);
        if named(&said) == "games.csv" {
            stops += 1;
            let done = bench.rows_on_disk("t-1");
            assert!(done >= before, "{done} rows");
            before = done;
        }
    }
    assert!(before > 0);
    // Every row reads, and each game is there once.
    let from = bench.results().join("t-1");
    agon().args(["gate", "--from"]).arg(from).assert().code(2);
}
