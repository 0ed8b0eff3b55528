//! Stopping a run, and what stands on disk while it plays. Real signals to the real program.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use crate::common::{Bench, HEAD, cell, talk, until};

/// Sixteen games of about half a second each, two at once. The margin is wide, since the
/// machine may be busy.
const SHORT_GAMES: &str = "margin_ms = 60000\nworkers = 2\n";
const SHORT_REST: &str = "[limit]\ntime_ms = 10\n\
    [schedule.head_to_head]\ncandidate = \"new\"\nbase = \"old\"\npairs = 8\n\
    [[engine]]\nname = \"old\"\n[engine.search.alpha_beta]\nhash_mb = 1\n\
    [[engine]]\nname = \"new\"\nextends = \"old\"\n[engine.evaluation]\nt2 = 0.5\n";

/// Two pairings that take turns, one of quick games and one of games with an hour a move.
/// The three workers end four quick games, and then all of them sit in slow ones.
const SLOW_HEAD: &str = "margin_ms = 60000\nworkers = 3\n";
const SLOW_REST: &str = "[limit]\ntime_ms = 5\n\
    [schedule.gauntlet]\nbase = \"base\"\ncandidates = [\"quick\", \"slow\"]\npairs = 8\n\
    [[engine]]\nname = \"base\"\n[engine.search.alpha_beta]\nhash_mb = 1\n\
    [[engine]]\nname = \"slow\"\nextends = \"base\"\nlimit = { time_ms = 3600000 }\n\
    [[engine]]\nname = \"quick\"\nextends = \"base\"\n[engine.evaluation]\nt2 = 0.5\n";

/// The quick games that end.
const QUICK: usize = 4;

fn short_games() -> Bench {
    Bench::new(&format!("{SHORT_GAMES}{HEAD}{SHORT_REST}"))
}

fn slow_games() -> Bench {
    Bench::new(&format!("{SLOW_HEAD}{HEAD}{SLOW_REST}"))
}

fn ids(bench: &Bench) -> Vec<String> {
    let games = bench.games("t-1");
    games.iter().map(|row| cell(row, "id").to_owned()).collect()
}

#[test]
fn one_interrupt_finishes_the_games_in_play_and_the_same_command_goes_on() {
    let bench = short_games();
    let mut run = bench.spawn("run", &[]);
    until("two games on disk", || bench.rows_on_disk("t-1") >= 2);
    let before = bench.rows_on_disk("t-1");
    run.signal("INT");
    assert_eq!(run.exit_status(), Some(3), "{}", run.talk());
    let said = run.talk();
    assert!(said.contains("the games in play are finished"), "{said}");
    assert!(said.contains("the same command goes on"), "{said}");
    let kept = bench.journal("t-1");
    assert!(kept.ends_with('\n'));
    // Two games were in play, and none was begun after them.
    let after = ids(&bench).len();
    assert!(after >= before + 2, "{before} rows, then {after}: {said}");
    assert!(after < 16, "{said}");
    let path = bench.results().join("t-1/summary.csv");
    assert_eq!(cell(&crate::common::rows(&path)[0], "verdict"), "continue");

    let again = bench.start("run", &[]).assert().code(0);
    let said = talk(&again);
    assert!(
        said.contains(&format!("{after} of them done before")),
        "{said}"
    );
    let whole = bench.journal("t-1");
    assert!(whole.starts_with(&kept), "finished rows must not change");
    assert_eq!(whole.matches('\n').count(), 17, "no game is played twice");
    assert_eq!(ids(&bench).iter().collect::<HashSet<_>>().len(), 16);
}

#[test]
fn a_second_interrupt_stops_in_the_middle_of_a_move() {
    let bench = slow_games();
    let mut run = bench.spawn("run", &[]);
    until("the quick games", || bench.rows_on_disk("t-1") == QUICK);
    let kept = bench.journal("t-1");
    run.signal("INT");
    run.says("the games in play are finished");
    assert!(run.is_running(), "{}", run.talk());
    let start = Instant::now();
    run.signal("INT");
    assert_eq!(run.exit_status(), Some(3), "{}", run.talk());
    // The move in play has an hour; this allows for a busy machine.
    assert!(start.elapsed() < Duration::from_secs(30));
    assert!(run.talk().contains("stopping at once"), "{}", run.talk());
    assert_eq!(bench.journal("t-1"), kept, "a game given up is no row");

    let mut again = bench.spawn("run", &[]);
    again.says("4 of them done before");
    again.signal("INT");
    again.says("the games in play are finished");
    again.signal("INT");
    assert_eq!(again.exit_status(), Some(3), "{}", again.talk());
    assert_eq!(bench.journal("t-1"), kept);
}

#[test]
fn a_polite_kill_and_a_closed_terminal_stop_like_ctrl_c() {
    for signal in ["TERM", "HUP"] {
        let bench = slow_games();
        let mut run = bench.spawn("run", &[]);
        until("the quick games", || bench.rows_on_disk("t-1") == QUICK);
        run.signal(signal);
        run.says("the games in play are finished");
        run.signal(signal);
        assert_eq!(run.exit_status(), Some(3), "{signal}: {}", run.talk());
        assert_eq!(bench.rows_on_disk("t-1"), QUICK, "{signal}");
    }
}

#[test]
fn a_signal_that_was_ignored_from_the_start_stays_ignored() {
    let bench = slow_games();
    let mut run = bench.spawn_by(&["sh", "-c", "trap '' HUP; exec \"$0\" \"$@\""], "run", &[]);
    until("the quick games", || bench.rows_on_disk("t-1") == QUICK);
    run.signal("HUP");
    // Both are pending at once, and a lower number is delivered first: HUP is 1, INT 2.
    run.signal("INT");
    run.says("the games in play are finished");
    assert!(!run.talk().contains("stopping at once"), "{}", run.talk());
    run.signal("INT");
    assert_eq!(run.exit_status(), Some(3), "{}", run.talk());
}

#[test]
fn a_file_that_may_not_grow_stops_the_run_like_a_full_disk() {
    let bench = short_games();
    // 16 blocks of 512 or 1,024 bytes: a few rows.
    let limited = &["sh", "-c", "ulimit -f 16; exec \"$0\" \"$@\""];
    let mut run = bench.spawn_by(limited, "run", &[]);
    assert_eq!(run.exit_status(), Some(75), "{}", run.talk());
    let said = run.talk();
    for part in [
        "t-1/games.csv",
        "File too large",
        "the same command goes on",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let kept = bench.journal("t-1");
    assert!(
        kept.ends_with('\n') && bench.rows_on_disk("t-1") < 16,
        "{said}"
    );
    bench.start("run", &[]).assert().code(0);
    assert!(bench.journal("t-1").starts_with(&kept));
    assert_eq!(bench.rows_on_disk("t-1"), 16);
}

#[test]
fn finished_games_are_on_disk_while_others_are_played() {
    let bench = slow_games();
    let mut run = bench.spawn("run", &[]);
    until("the quick games", || bench.rows_on_disk("t-1") == QUICK);
    assert!(run.is_running(), "{}", run.talk());
    // Of pairing 0, while pairing 1 began beside it and has no row.
    let quick = [
        "000-000000-0",
        "000-000000-1",
        "000-000001-0",
        "000-000001-1",
    ];
    assert_eq!(ids(&bench), quick);
}

#[test]
fn a_run_in_play_is_refused_to_another_process() {
    let bench = slow_games();
    let mut run = bench.spawn("run", &[]);
    until("the quick games", || bench.rows_on_disk("t-1") == QUICK);
    let kept = bench.journal("t-1");
    // If it is let in, it plays for hours.
    let mut second = bench.start("run", &[]);
    let refused = second.timeout(Duration::from_secs(60)).assert().code(73);
    let reason = talk(&refused);
    for part in ["t-1` is in use by another agon", "wait for it", "--new"] {
        assert!(reason.contains(part), "{part}: {reason}");
    }
    assert!(run.is_running(), "{}", run.talk());
    assert_eq!(bench.journal("t-1"), kept);
    assert!(!bench.results().join("t-2").exists());
    // The lock goes with the process, however it ends, and the run goes on.
    run.signal("KILL");
    assert_eq!(run.exit_status(), None);
    let mut again = bench.spawn("run", &[]);
    again.says("4 of them done before");
}

/// The second game of a run of two, during which the program stands still for more than a second.
fn game_with_a_halt(margin_ms: u32) -> Vec<(String, String)> {
    let head = format!("margin_ms = {margin_ms}\nworkers = 1\n");
    let rest = SHORT_REST
        .replace("pairs = 8", "pairs = 1")
        .replace("time_ms = 10", "time_ms = 60");
    let bench = Bench::with_openings(1, &format!("{head}{HEAD}{rest}"));
    let mut run = bench.spawn("run", &[]);
    until("the first game", || bench.rows_on_disk("t-1") == 1);
    run.signal("STOP");
    std::thread::sleep(Duration::from_millis(1100));
    run.signal("CONT");
    assert_eq!(run.exit_status(), Some(0), "{}", run.talk());
    bench.games("t-1").remove(1)
}

fn overruns(row: &[(String, String)], side: &str) -> (u32, u64) {
    let figure = |name: &str| cell(row, &format!("{side}_{name}")).parse::<u64>();
    let count = figure("overruns").expect("a number");
    let largest = figure("largest_overrun_us").expect("a number");
    (u32::try_from(count).expect("few"), largest)
}

#[test]
fn an_overrun_within_the_margin_is_counted_and_loses_nothing() {
    let row = game_with_a_halt(60_000);
    assert_eq!(cell(&row, "termination"), "no_moves");
    let [first, second] = ["first", "second"].map(|side| overruns(&row, side));
    // The move took the second and at most its limit, 60 ms.
    assert!(first.0 + second.0 >= 1);
    assert!(first.1.max(second.1) >= 900_000, "{first:?} {second:?}");
}

#[test]
fn an_overrun_beyond_the_margin_loses_the_game() {
    let row = game_with_a_halt(500);
    let [first, second] = ["first", "second"].map(|side| overruns(&row, side));
    let (loser, result) = if first.1 > second.1 {
        ("first", "0-1")
    } else {
        ("second", "1-0")
    };
    assert!(first.1.max(second.1) >= 900_000, "{first:?} {second:?}");
    assert_eq!(cell(&row, "termination"), format!("time_forfeit:{loser}"));
    assert_eq!(cell(&row, "result"), result);
}
