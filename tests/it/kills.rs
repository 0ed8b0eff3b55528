//! A tournament that is killed again and again: real SIGKILLs to the real program.

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::common::{Bench, HEAD, Running, cell, rows, talk};
use crate::run::comparable;

/// Games of a few milliseconds, which differ from one to the next: one engine plays at random.
pub const REST: &str = "[limit]\nnodes = 20\n\
    [schedule.gauntlet]\nbase = \"old\"\npairs = PAIRS\n\
    [[engine]]\nname = \"old\"\n[engine.search.random]\n\
    [[engine]]\nname = \"new\"\n[engine.search.alpha_beta]\nhash_mb = 1\n\
    [[engine]]\nname = \"other\"\nextends = \"new\"\nlimit = { nodes = 40 }\n";

/// A gauntlet of two candidates: four games for each of the `pairs`.
pub fn quick_games(pairs: usize) -> Bench {
    let rest = REST.replace("PAIRS", &pairs.to_string());
    Bench::with_openings(pairs, &format!("workers = 2\n{HEAD}{rest}"))
}

/// What must be the same in two runs of one plan: the rows, the summary, the ratings.
#[derive(Debug, PartialEq)]
pub struct Outcome {
    rows: Vec<Vec<String>>,
    summary: Vec<Vec<(String, String)>>,
    ratings: Option<String>,
}

impl Outcome {
    /// The outcome of the run in this folder.
    pub fn of(folder: &Path) -> Outcome {
        let mut games = rows(&folder.join("games.csv"));
        games.sort();
        let mut ids: Vec<&str> = games.iter().map(|row| cell(row, "id")).collect();
        ids.dedup();
        assert_eq!(ids.len(), games.len(), "each game is there once");
        let mut summary = rows(&folder.join("summary.csv"));
        let timed = |column: &str| column.contains("ms_per_move") || column == "time_ratio";
        for row in &mut summary {
            row.retain(|(column, _)| !timed(column));
        }
        Outcome {
            rows: games.iter().map(|row| comparable(row)).collect(),
            summary,
            ratings: std::fs::read_to_string(folder.join("ratings.csv")).ok(),
        }
    }
}

/// Plays the plan without interruption, takes its folder away, and says what came of it.
pub fn uninterrupted(bench: &Bench) -> Outcome {
    bench.start("run", &["--quiet"]).assert().success();
    let folder = bench.results().join("t-1");
    let outcome = Outcome::of(&folder);
    std::fs::remove_dir_all(folder).expect("the folder");
    outcome
}

/// Waits without the long naps of `until`, so that kills come at every moment.
fn soon(run: &mut Running, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() && run.is_running() {
        assert!(start.elapsed() < Duration::from_secs(120), "{}", run.talk());
        std::thread::sleep(Duration::from_micros(200));
    }
}

/// What the kills met.
#[derive(Debug, Default)]
struct Met {
    kills: usize,
    /// Before the first row of this start.
    early: usize,
    /// After the first row of this start.
    in_play: usize,
    torn: usize,
    temporary: usize,
    before_the_first_row: usize,
}

/// Kills the run at `kills` random moments, goes on each time, and lets the last start end.
fn kill_and_go_on(pairs: usize, kills: usize, seed: u64) {
    let began = Instant::now();
    let bench = quick_games(pairs);
    let expected = uninterrupted(&bench);
    let alone = began.elapsed();
    let folder = bench.results().join("t-1");
    let total = 4 * pairs;
    assert_eq!(expected.rows.len(), total);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut met = Met::default();
    let mut kept = String::new();
    while met.kills < kills {
        let before = bench.rows_on_disk("t-1");
        let mut run = bench.spawn("run", &[]);
        if met.kills % 3 == 0 {
            // Anywhere from its very start.
            std::thread::sleep(Duration::from_micros(random.random_range(0..60_000)));
        } else {
            let share = (total - before) / (kills - met.kills + 1);
            let rows = before + random.random_range(1..=share.max(1));
            soon(&mut run, || bench.rows_on_disk("t-1") >= rows);
            std::thread::sleep(Duration::from_micros(random.random_range(0..4_000)));
        }
        assert!(run.is_running(), "it ended before the kill: {}", run.talk());
        run.signal("KILL");
        assert_eq!(run.exit_status(), None, "{}", run.talk());
        met.kills += 1;
        let journal = bench.journal("t-1");
        let whole = journal.rfind('\n').map_or(0, |at| at + 1);
        assert!(journal.starts_with(&kept), "finished rows must not change");
        if bench.rows_on_disk("t-1") > before {
            met.in_play += 1;
        } else {
            met.early += 1;
        }
        met.torn += usize::from(whole < journal.len());
        met.temporary += temporary(&folder);
        met.before_the_first_row += usize::from(journal.matches('\n').count() < 2);
        kept = journal[..whole].to_owned();
    }
    let done = bench.rows_on_disk("t-1");
    let end = talk(&bench.start("run", &[]).assert().success());
    assert!(
        end.contains(&format!("{done} of them done before")),
        "{end}"
    );
    assert_eq!(Outcome::of(&folder), expected);
    assert_eq!(temporary(&folder), 0, "temporary files are left");
    assert!(met.in_play > 0, "no kill came during play: {met:?}");
    let said = format!(
        "{total} games, {alone:.1?} without a kill; {met:?}, {done} games done at the last start, \
         {:.1?} in all\n",
        began.elapsed()
    );
    drop(std::io::stderr().write_all(said.as_bytes()));
}

/// Temporary files of writes that were killed.
fn temporary(folder: &Path) -> usize {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_ours = |name: std::ffi::OsString| name.to_string_lossy().starts_with(".agon-");
    files.filter(|file| is_ours(file.file_name())).count()
}

#[test]
fn a_few_kills_change_no_result() {
    kill_and_go_on(24, 6, 1);
}

/// `cargo test --test it -- --ignored --nocapture fifty_kills`
#[test]
#[ignore = "takes a minute"]
fn fifty_kills_change_no_result() {
    kill_and_go_on(150, 50, 2);
}
