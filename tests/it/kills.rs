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
    /// Rows that a kill cut.
    torn: usize,
    /// Rows that the test cut after a kill, as a loss of power does.
    cut: usize,
    /// Temporary files that a kill left.
    temporary: usize,
}

/// Kills the run at `kills` random moments, goes on each time, and lets the last start end.
fn kill_and_go_on(pairs: usize, kills: usize, seed: u64) -> Met {
    let began = Instant::now();
    let bench = quick_games(pairs);
    let expected = uninterrupted(&bench);
    let alone = began.elapsed();
    let folder = bench.results().join("t-1");
    let total = 4 * pairs;
    assert_eq!(expected.rows.len(), total);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut met = Met::default();
    let (mut kept, mut left) = (String::new(), String::new());
    while met.kills < kills {
        let before = bench.rows_on_disk("t-1");
        let mut run = bench.spawn("run", &[]);
        let share = (total - before) / (kills - met.kills + 1);
        if met.kills % 3 == 0 {
            // Anywhere from its very start.
            let (start, wait) = (Instant::now(), random.random_range(0..60_000));
            let late = || start.elapsed() >= Duration::from_micros(wait);
            soon(&mut run, || {
                late() || bench.rows_on_disk("t-1") >= before + share
            });
        } else {
            let rows = before + random.random_range(1..=share.max(1));
            soon(&mut run, || bench.rows_on_disk("t-1") >= rows);
            std::thread::sleep(Duration::from_micros(random.random_range(0..4_000)));
        }
        if !run.is_running() {
            // This process was held up for long.
            break;
        }
        run.signal("KILL");
        if run.exit_status().is_some() {
            break;
        }
        met.kills += 1;
        let journal = bench.journal("t-1");
        let whole = journal.rfind('\n').map_or(0, |at| at + 1);
        assert!(journal.starts_with(&kept), "finished rows must not change");
        if bench.rows_on_disk("t-1") > before {
            met.in_play += 1;
        } else {
            met.early += 1;
        }
        // A kill may come before the last start has set aside what the test cut.
        met.torn += usize::from(whole < journal.len() && journal != left);
        met.temporary += temporary(&folder);
        kept = journal[..whole].to_owned();
        if met.kills % 5 == 0 && whole == journal.len() && bench.rows_on_disk("t-1") > 0 {
            // Rows are of plain letters: every byte is one.
            let last = kept[..whole - 1].rfind('\n').expect("a header") + 1;
            let end = random.random_range(last + 1..whole);
            let path = folder.join("games.csv");
            std::fs::write(path, &kept[..end]).expect("the journal");
            kept.truncate(last);
            met.cut += 1;
        }
        left = bench.journal("t-1");
    }
    let done = bench.rows_on_disk("t-1");
    if !folder.join("summary.csv").exists() {
        let end = talk(&bench.start("run", &[]).assert().success());
        assert!(
            end.contains(&format!("{done} of them done before")),
            "{end}"
        );
    }
    assert_eq!(Outcome::of(&folder), expected);
    assert_eq!(temporary(&folder), 0, "temporary files are left");
    let aside = files(&folder).filter(|name| name.starts_with("games.torn-"));
    assert_eq!(
        aside.count(),
        met.torn + met.cut,
        "each part of a row is kept"
    );
    let said = format!(
        "{total} games, {alone:.1?} without a kill; {met:?}, {done} games done at the last start, \
         {:.1?} in all\n",
        began.elapsed()
    );
    drop(std::io::stderr().write_all(said.as_bytes()));
    met
}

/// The names of the files in a folder.
fn files(folder: &Path) -> impl Iterator<Item = String> {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files.map(|file| file.file_name().to_string_lossy().into_owned())
}

/// Temporary files of writes that were killed.
fn temporary(folder: &Path) -> usize {
    files(folder)
        .filter(|name| name.starts_with(".agon-"))
        .count()
}

#[test]
fn a_few_kills_change_no_result() {
    assert!(kill_and_go_on(24, 6, 1).kills > 0);
}

/// `cargo test --test it -- --ignored --nocapture fifty_kills`
#[test]
#[ignore = "takes a quarter of a minute"]
fn fifty_kills_change_no_result() {
    let met = kill_and_go_on(150, 50, 2);
    assert_eq!(met.kills, 50);
    assert!(met.early > 0 && met.in_play > 25 && met.cut > 0, "{met:?}");
}
