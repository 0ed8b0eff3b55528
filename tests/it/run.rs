//! Whole tournaments through the program.

use crate::common::{Bench, HEAD, cell, rows};

const ENGINES: &str = "[[engine]]\nname = \"old\"\n[engine.search.alpha_beta]\nhash_mb = 1\n\
    [[engine]]\nname = \"new\"\nextends = \"old\"\n[engine.evaluation]\nt2 = 0.5\n";
const SCHEDULE: &str = "[schedule.head_to_head]\ncandidate = \"new\"\nbase = \"old\"\npairs = 8\n";

fn config(limit: &str, engines: &str, verdict: &str) -> String {
    format!("{HEAD}[limit]\n{limit}\n{SCHEDULE}{verdict}\n{engines}")
}

/// A row without what may differ between two runs of one plan.
pub fn comparable(row: &[(String, String)]) -> Vec<String> {
    let differs = |column: &str| {
        column.contains("time_us")
            || column == "runner_delay_us"
            || column.contains("overrun")
            || column == "worker"
            || column == "started"
    };
    row.iter()
        .filter(|(column, _)| !differs(column))
        .map(|(column, value)| {
            if column != "moves" {
                return value.clone();
            }
            let untimed = |mv: &str| mv.rsplit_once(':').expect("a time").0.to_owned();
            value.split(' ').map(untimed).collect::<Vec<_>>().join(" ")
        })
        .collect()
}

#[test]
fn rows_are_the_same_on_one_worker_and_on_two() {
    let bench = Bench::new(&config("nodes = 300", ENGINES, ""));
    for workers in ["workers=1", "workers=2"] {
        bench
            .start("run", &["--new", "--set", workers])
            .assert()
            .success();
    }
    let games = |run| {
        bench
            .games(run)
            .iter()
            .map(|row| comparable(row))
            .collect::<Vec<_>>()
    };
    let (one, two) = (games("t-1"), games("t-2"));
    assert_eq!(one.len(), 16);
    // The run's own name is the only other difference.
    let without_run = |games: Vec<Vec<String>>| {
        games
            .into_iter()
            .map(|mut row| {
                row.remove(1);
                row
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(without_run(one), without_run(two));
    let summary = |run: &str| {
        let row = rows(&bench.results().join(run).join("summary.csv")).remove(0);
        row.into_iter()
            .filter(|(column, _)| !column.contains("ms_per_move") && column != "time_ratio")
            .collect::<Vec<_>>()
    };
    assert_eq!(summary("t-1"), summary("t-2"));
}

#[test]
fn identical_variants_get_no_verdict_of_difference_and_a_warning() {
    let engines = "[[engine]]\nname = \"old\"\n[engine.search.alpha_beta]\nhash_mb = 1\n\
        [[engine]]\nname = \"new\"\nextends = \"old\"\n";
    let bench = Bench::new(&config("nodes = 300", engines, ""));
    bench.start("gate", &[]).assert().code(1);
    let summary = rows(&bench.results().join("t-1/summary.csv")).remove(0);
    assert_eq!(cell(&summary, "win_rate"), "0.5");
    assert_ne!(cell(&summary, "verdict"), "accept H1");
    assert!(
        cell(&summary, "warnings").contains("same engine"),
        "{summary:?}"
    );
}

#[test]
fn a_deeper_search_passes_the_gate_and_the_reverse_is_kept_out() {
    let engines = "[[engine]]\nname = \"old\"\n[engine.search.alpha_beta]\nhash_mb = 1\n\
        [[engine]]\nname = \"new\"\nextends = \"old\"\nlimit = { depth = 3 }\n";
    let sprt = "[verdict.sprt]\nelo0 = 0\nelo1 = 400\nalpha = 0.2\nbeta = 0.2\n";
    let bench = Bench::new(&config("depth = 1", engines, sprt));
    bench.start("gate", &[]).assert().code(0);
    let summary = rows(&bench.results().join("t-1/summary.csv")).remove(0);
    assert_eq!(cell(&summary, "verdict"), "accept H1");
    let swap = [
        "--set",
        "schedule.head_to_head.candidate=old",
        "--set",
        "schedule.head_to_head.base=new",
    ];
    bench.start("gate", &swap).assert().code(1);
    let summary = rows(&bench.results().join("t-2/summary.csv")).remove(0);
    assert_eq!(cell(&summary, "verdict"), "accept H0");
}

/// One ply more, everything else the same, by a test at the usual error rates. Depth 2 scores
/// about 74% against depth 1 on this board (300 pairs), so that either verdict takes some
/// twenty pairs of the hundred.
#[test]
fn depth_2_against_depth_1_gets_accept_h1_and_the_reverse_accept_h0() {
    let engines = "[[engine]]\nname = \"old\"\n[engine.search.alpha_beta]\nhash_mb = 1\n\
        [[engine]]\nname = \"new\"\nextends = \"old\"\nlimit = { depth = 2 }\n";
    let sprt = "[verdict.sprt]\nelo0 = 0\nelo1 = 70\nalpha = 0.05\nbeta = 0.05\n";
    let config = config("depth = 1", engines, sprt).replace("pairs = 8", "pairs = 100");
    let bench = Bench::with_openings(100, &config);
    let swap = [
        "--set",
        "schedule.head_to_head.candidate=old",
        "--set",
        "schedule.head_to_head.base=new",
    ];
    let directions = [
        (&[][..], "t-1", 0, "accept H1"),
        (&swap[..], "t-2", 1, "accept H0"),
    ];
    for (set, run, status, verdict) in directions {
        bench.start("gate", set).assert().code(status);
        let summary = rows(&bench.results().join(run).join("summary.csv")).remove(0);
        assert_eq!(cell(&summary, "verdict"), verdict);
        // Not by the last planned pair only, but with many to spare.
        let pairs: u32 = cell(&summary, "pairs").parse().expect("a number");
        assert!(pairs < 80, "{pairs} pairs");
    }
}

#[test]
fn an_unfinished_run_goes_on_and_plays_no_game_again() {
    let bench = Bench::new(&config("nodes = 300", ENGINES, ""));
    bench.start("run", &[]).assert().success();
    let whole = bench.games("t-1");
    // As a kill leaves it: some whole rows, and the next one cut in the middle.
    let path = bench.results().join("t-1/games.csv");
    let text = std::fs::read_to_string(&path).expect("the journal");
    let fifth_end = text.match_indices('\n').nth(5).expect("rows").0 + 1;
    std::fs::write(&path, &text[..fifth_end + 40]).expect("the journal");
    let kept = text[..fifth_end].to_owned();
    let output = bench.start("run", &[]).assert().success();
    let talk = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(talk.contains("5 of them done before"), "{talk}");
    assert!(talk.contains("set aside"), "{talk}");
    let after = std::fs::read_to_string(&path).expect("the journal");
    assert!(after.starts_with(&kept), "finished rows must not change");
    let games =
        |rows: &[Vec<(String, String)>]| rows.iter().map(|r| comparable(r)).collect::<Vec<_>>();
    assert_eq!(games(&bench.games("t-1")), games(&whole));
    // A finished run is never reused.
    bench.start("run", &[]).assert().success();
    assert!(bench.results().join("t-2/games.csv").exists());
}

#[test]
fn an_unfinished_run_of_another_plan_is_refused_until_new_is_asked_for() {
    let bench = Bench::new(&config("nodes = 300", ENGINES, ""));
    bench.start("run", &[]).assert().success();
    let path = bench.results().join("t-1/games.csv");
    let text = std::fs::read_to_string(&path).expect("the journal");
    let third_end = text.match_indices('\n').nth(3).expect("rows").0 + 1;
    std::fs::write(&path, &text[..third_end]).expect("the journal");
    let refused = bench
        .start("run", &["--set", "limit.nodes=200"])
        .assert()
        .code(73);
    let talk = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(
        talk.contains("300, now 200") && talk.contains("--new"),
        "{talk}"
    );
    bench
        .start("run", &["--set", "limit.nodes=200", "--new"])
        .assert()
        .success();
    assert_eq!(
        std::fs::read_to_string(&path).expect("the journal"),
        text[..third_end]
    );
}

#[test]
fn a_row_that_contradicts_the_plan_is_refused_with_its_line() {
    let bench = Bench::new(&config("nodes = 300", ENGINES, ""));
    bench.start("run", &[]).assert().success();
    let path = bench.results().join("t-1/games.csv");
    let text = std::fs::read_to_string(&path).expect("the journal");
    let lines: Vec<&str> = text.lines().collect();
    let doubled = [&lines[..3], &[lines[1]]].concat().join("\n") + "\n";
    std::fs::write(&path, &doubled).expect("the journal");
    let refused = bench.start("run", &[]).assert().code(65);
    let talk = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(talk.contains("games.csv:4"), "{talk}");
    assert_eq!(
        std::fs::read_to_string(&path).expect("the journal"),
        doubled
    );
}

#[test]
fn the_effective_config_is_the_same_run_again() {
    let bench = Bench::new(&config("nodes = 300", ENGINES, ""));
    bench.start("run", &[]).assert().success();
    let effective = bench.results().join("t-1/config.toml");
    let plan = agon::config::load(&effective, &[]).expect("the effective config reads back");
    let original = agon::config::load(&bench.config(), &[]).expect("the config");
    assert_eq!(plan.spec, original.spec);
}

#[test]
fn a_gate_reads_its_rows_back_to_the_same_answer() {
    let bench = Bench::new(&config("nodes = 300", ENGINES, ""));
    let played = bench.start("gate", &[]).assert();
    let code = played.get_output().status.code();
    let from = crate::common::agon()
        .args(["gate", "--from"])
        .arg(bench.results().join("t-1"))
        .assert();
    assert_eq!(from.get_output().status.code(), code);
    assert_eq!(from.get_output().stdout, played.get_output().stdout);
}

#[test]
fn a_plan_that_would_only_repeat_games_is_cut() {
    let bench = Bench::new(&config("nodes = 300", ENGINES, ""));
    let set = ["--set", "schedule.head_to_head.pairs=20"];
    let assert = bench.start("run", &set).assert().success();
    let talk = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(talk.contains("8 of 20 pairs are planned"), "{talk}");
    assert_eq!(bench.games("t-1").len(), 16);
}

/// What a hand or a disk may do to one row, each of which changes what the row says.
#[test]
fn a_row_that_does_not_follow_from_its_moves_is_refused() {
    let bench = Bench::new(&config("nodes = 300", ENGINES, ""));
    bench.start("run", &[]).assert().success();
    let dir = bench.results().join("t-1");
    let path = dir.join("games.csv");
    let whole = std::fs::read_to_string(&path).expect("the journal");
    let header: Vec<&str> = whole.lines().next().expect("a header").split(',').collect();
    let at = |name: &str| {
        header
            .iter()
            .position(|column| *column == name)
            .expect(name)
    };
    let mut reader = csv::Reader::from_path(&path).expect("the journal");
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    let result = &rows[2][at("result")];
    let other = if result == "1-0" { "0-1" } else { "1-0" };
    let loser = if result == "1-0" { "second" } else { "first" };
    let winner = if result == "1-0" { "first" } else { "second" };
    let moves: Vec<&str> = rows[2][at("moves")].split(' ').collect();
    let mut swapped = moves.clone();
    swapped.swap(0, 1);
    let swapped = swapped.join(" ");
    let changes = [
        ("result", other.to_owned()),
        ("result", "1/2-1/2".to_owned()),
        ("termination", "resign".to_owned()),
        ("termination", format!("time_forfeit:{winner}")),
        ("termination", format!("time_forfeit:{loser}")),
        ("first_mean_depth", "99.00".to_owned()),
        ("second_nodes_per_move", "nan".to_owned()),
        ("attempt", "2".to_owned()),
        ("attempt", "0".to_owned()),
        ("moves", swapped),
    ];
    for (column, value) in changes {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(&header).expect("memory");
        for (index, row) in rows.iter().enumerate() {
            let cells = row.iter().enumerate().map(|(cell, text)| {
                let changed = index == 2 && cell == at(column);
                if changed { value.as_str() } else { text }
            });
            writer.write_record(cells).expect("memory");
        }
        std::fs::write(&path, writer.into_inner().expect("memory")).expect("the journal");
        let refused = crate::common::agon()
            .args(["gate", "--from"])
            .arg(&dir)
            .assert()
            .code(65);
        let talk = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
        assert!(talk.contains("games.csv:4"), "{column} {value}: {talk}");
    }
}

/// A crash between the last game and the summary: the same command writes it and plays nothing.
#[test]
fn a_missing_summary_is_written_without_another_game() {
    let bench = Bench::new(&config("nodes = 300", ENGINES, ""));
    bench.start("run", &[]).assert().success();
    let dir = bench.results().join("t-1");
    let summary = std::fs::read(dir.join("summary.csv")).expect("the summary");
    let games = std::fs::read(dir.join("games.csv")).expect("the journal");
    std::fs::remove_file(dir.join("summary.csv")).expect("the summary");
    bench.start("run", &[]).assert().success();
    assert_eq!(
        std::fs::read(dir.join("summary.csv")).expect("the summary"),
        summary
    );
    assert_eq!(
        std::fs::read(dir.join("games.csv")).expect("the journal"),
        games
    );
    assert!(!bench.results().join("t-2").exists());
}

/// Games whose plan is lost are nobody's: another config must not adopt them.
#[test]
fn games_without_their_run_file_are_left_alone() {
    let bench = Bench::new(&config("nodes = 300", ENGINES, ""));
    bench.start("run", &[]).assert().success();
    let lost = bench.results().join("t-1/run.json");
    std::fs::remove_file(&lost).expect("run.json");
    let refused = bench.start("run", &["--set", "seed=3"]).assert().code(65);
    let talk = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(
        talk.contains("no run.json") && talk.contains("--new"),
        "{talk}"
    );
    assert!(!lost.exists());
    bench.start("run", &["--new"]).assert().success();
}

/// With an early stop the rows are the same up to the deciding pair, and so is the verdict.
#[test]
fn an_early_stop_decides_the_same_on_one_worker_and_on_two() {
    let engines = "[[engine]]\nname = \"old\"\n[engine.search.alpha_beta]\nhash_mb = 1\n\
        [[engine]]\nname = \"new\"\nextends = \"old\"\nlimit = { depth = 3 }\n";
    let sprt = "[verdict.sprt]\nelo0 = 0\nelo1 = 400\nalpha = 0.2\nbeta = 0.2\n";
    let bench = Bench::new(&config("depth = 1", engines, sprt));
    for workers in ["workers=1", "workers=2"] {
        bench
            .start("run", &["--new", "--set", workers])
            .assert()
            .success();
    }
    let counted = |run: &str| {
        let summary = rows(&bench.results().join(run).join("summary.csv")).remove(0);
        let deciding: u32 = cell(&summary, "deciding_pair")
            .parse()
            .expect("an early stop");
        assert!(
            deciding < 7,
            "it must stop before the last pair: {deciding}"
        );
        let games: Vec<Vec<String>> = bench
            .games(run)
            .iter()
            .filter(|game| cell(game, "pair").parse::<u32>().expect("a pair") <= deciding)
            .map(|game| {
                let mut row = comparable(game);
                // The run's own name.
                row.remove(1);
                row
            })
            .collect();
        let untimed = |(column, _): &(String, String)| {
            !column.contains("ms_per_move") && column != "time_ratio"
        };
        let summary: Vec<_> = summary.into_iter().filter(untimed).collect();
        (games, summary)
    };
    let (one, two) = (counted("t-1"), counted("t-2"));
    assert_eq!(one.0.len() % 2, 0);
    assert_eq!(one, two);
}
