//! `agon tune CONFIG`, end to end.

use std::fs;
use std::path::{Path, PathBuf};

use agon::config;

use crate::common::{Bench, agon, cell, rows, talk};

/// A one-ply player whose moves are mostly random; less of that is better, at once and by far.
pub const NOISY: &str = "[[engine]]\nname = \"noisy\"\n[engine.search.greedy]\nroot_noise = 45.0\n";

/// What is tuned of it.
pub const NOISE: &str = "[[tune.parameter]]\nname = \"root_noise\"\nlow = 0\nhigh = 50\n";

/// A confirming match on openings of its own.
pub const CONFIRM: &str = "[tune.confirm]\nopenings = \"other.txt\"\nmax_games = 80\n";

/// The table [tune], its tables, and the engines.
pub fn text(tune: &str, tables: &str, engines: &str) -> String {
    format!(
        "name = \"t\"\nopenings = \"suite.txt\"\nworkers = 2\nlimit = {{ nodes = 60 }}\n\
         [game.amazons]\nsize = 8\n[tune]\n{tune}{tables}{engines}"
    )
}

/// A bench with 40 openings, and 40 others for the confirming match.
pub fn bench(config: &str) -> Bench {
    let bench = Bench::with_openings(40, config);
    let folder = bench.folder.path();
    agon()
        .args([
            "openings", "make", "amazons", "--rules", "size=8", "--seed", "2",
        ])
        .args([
            "--count",
            "40",
            "--plies",
            "4",
            "--games",
            "0",
            "--min-score",
            "0",
        ])
        .arg("--exclude")
        .arg(folder.join("suite.txt"))
        .arg("-o")
        .arg(folder.join("other.txt"))
        .assert()
        .success();
    bench
}

pub fn zoom(games: u32) -> String {
    format!("base = \"noisy\"\nmethod.zoom = {{ games = {games} }}\n")
}

/// The files that say what came of a tuning, as they stand.
pub fn outcome(folder: &Path) -> Vec<String> {
    [
        "tune.csv",
        "tune-summary.csv",
        "tune-curve.csv",
        "winner.toml",
    ]
    .iter()
    .map(|name| {
        let path = folder.join(name);
        fs::read_to_string(&path).unwrap_or_else(|_| panic!("{} is there", path.display()))
    })
    .collect()
}

/// All journals of a tuning.
fn journals(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(journals(&path));
        } else if path.ends_with("games.csv") {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn a_spoiled_parameter_is_found_confirmed_and_ready_to_paste() {
    let bench = bench(&text(&zoom(160), &format!("{NOISE}{CONFIRM}"), NOISY));
    let run = bench.start("tune", &[]).assert().code(0);
    let (said, shown) = (
        talk(&run),
        String::from_utf8_lossy(&run.get_output().stdout).into_owned(),
    );
    let folder = bench.results().join("t-1");
    let row = &rows(&folder.join("tune-summary.csv"))[0];
    assert_eq!(cell(row, "parameter"), "root_noise");
    assert_eq!(
        (cell(row, "base"), cell(row, "finding")),
        ("45.0", "better"),
        "{said}"
    );
    let value: f64 = cell(row, "value").parse().expect("a number");
    assert!(value <= 10.0, "{said}");
    assert_eq!(cell(row, "confirm_verdict"), "accept H1", "{said}");
    assert_eq!(cell(row, "adopted"), "true");
    // It is at the end of what the parameter takes, and that is said, in the file too.
    assert_eq!(cell(row, "edge"), "low");
    assert!(shown.contains("it cannot go further"), "{shown}");
    assert!(
        said.contains("turn 1, root_noise, batch 1: best so far"),
        "{said}"
    );
    assert!(
        shown.contains(&format!("the base is now root_noise={value}")),
        "{shown}"
    );

    // Every trial with its pairs, its interval, and what it searched.
    let trials = rows(&folder.join("tune.csv"));
    let games: u64 = trials
        .iter()
        .map(|row| cell(row, "games").parse::<u64>().expect("games"))
        .sum();
    assert_eq!(games, 160);
    for row in &trials {
        assert_ne!(cell(row, "candidate"), cell(row, "base"));
        for column in ["score_low", "score_high", "candidate_nodes_per_move"] {
            assert!(!cell(row, column).is_empty(), "{column}: {row:?}");
        }
    }
    // Every trial of a batch met the same openings with the same seeds.
    let first = rows(&journals(&folder)[0]);
    let of = |pairing: &str| -> Vec<[String; 4]> {
        let mut met: Vec<[String; 4]> = first
            .iter()
            .filter(|row| cell(row, "pairing") == pairing)
            .map(|row| {
                ["pair", "leg", "opening", "seed"].map(|column| cell(row, column).to_owned())
            })
            .collect();
        met.sort();
        met
    };
    assert!(!of("0").is_empty());
    assert_eq!(of("0"), of("9"));
    // The second batch goes on in the openings, and the match has others.
    let opening = |journal: &Path| -> Vec<String> {
        rows(journal)
            .iter()
            .map(|row| cell(row, "opening_moves").to_owned())
            .collect()
    };
    let all = journals(&folder);
    assert_eq!(all.len(), 3);
    for later in &all[1..] {
        assert!(
            opening(later)
                .iter()
                .all(|one| !opening(&all[0]).contains(one)),
            "{later:?}"
        );
    }

    // The winner loads when it is pasted, differs from the base in the one value, and has the
    // limit of the config that it stands in, whatever it was tuned with.
    let winner = fs::read_to_string(folder.join("winner.toml")).expect("a winner");
    assert!(winner.contains("tuned with 60 nodes"), "{winner}");
    let pasted = format!(
        "name = \"p\"\nopenings = \"suite.txt\"\nlimit = {{ nodes = 70 }}\n[game.amazons]\nsize = 8\n\
         [schedule.head_to_head]\ncandidate = \"noisy tuned\"\nbase = \"noisy\"\npairs = 4\n\
         {NOISY}{winner}"
    );
    let path = bench.write("pasted.toml", &pasted);
    let plan = config::load(&path, &[]).expect("it loads");
    let [base, tuned] = &plan.spec.variants[..] else {
        panic!("two variants");
    };
    assert_eq!(base.limit, tuned.limit);
    let json = |variant| serde_json::to_value(variant).expect("plain data");
    let (mut base, tuned) = (json(base), json(tuned));
    assert_ne!(base["engine"], tuned["engine"]);
    base["engine"]["built_in"]["parameters"]["root_noise"] = value.into();
    assert_eq!(base["engine"], tuned["engine"]);

    // What is done is not done again; the effective config is the same tuning.
    fs::copy(folder.join("config.toml"), folder.join("again.toml")).expect("a copy");
    let other = bench.results().join("other");
    agon()
        .arg("tune")
        .arg(folder.join("again.toml"))
        .args(["--quiet", "--results"])
        .arg(&other)
        .assert()
        .code(0);
    assert_eq!(outcome(&other.join("t-1")), outcome(&folder));
}

#[test]
fn one_worker_and_two_give_the_same_rows() {
    let bench = bench(&text(&zoom(160), &format!("{NOISE}{CONFIRM}"), NOISY));
    for workers in ["workers=1", "workers=2"] {
        let more = ["--quiet", "--new", "--set", workers];
        bench.start("tune", &more).assert().code(0);
    }
    let [one, two] = ["t-1", "t-2"].map(|name| bench.results().join(name));
    let numbered = |folder: &Path| {
        let id = folder
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        outcome(folder)
            .iter()
            .map(|text| text.replace(&id, "t-N"))
            .collect::<Vec<_>>()
    };
    assert_eq!(numbered(&one), numbered(&two));
}

/// Case B34, and its kind: what rounds to one value is played once, and the base not at all.
#[test]
fn values_that_round_to_one_are_played_once_and_it_is_said() {
    let tune = "base = \"noisy\"\n\
        method.grid = { values = [0, 0.1, 0.2, 20, 20.1, 44.9, 45], pairs = 3 }\n";
    let bench = bench(&text(tune, NOISE, NOISY));
    let run = bench.start("tune", &[]).assert().code(0);
    let said = talk(&run);
    assert!(said.contains("of 7 values 2 are played, 0, 20"), "{said}");
    assert!(said.contains("in steps of 0.5"), "{said}");
    assert!(said.contains("there is no [tune.confirm]"), "{said}");
    let folder = bench.results().join("t-1");
    let trials = rows(&folder.join("tune.csv"));
    let met: Vec<[&str; 3]> = trials
        .iter()
        .map(|row| ["candidate", "base", "pairs"].map(|column| cell(row, column)))
        .collect();
    assert_eq!(met, [["0", "45", "3"], ["20", "45", "3"]]);
    // Without a match nothing is adopted, however good it looks.
    let row = &rows(&folder.join("tune-summary.csv"))[0];
    assert_eq!(
        (cell(row, "adopted"), cell(row, "confirm_verdict")),
        ("false", "")
    );
    let estimate: f64 = cell(row, "estimate").parse().expect("a number");
    assert!((0.0..=50.0).contains(&estimate), "{estimate}");
}

/// Case B35: coin flips. A parameter that only limits of time ask for, at a limit of nodes, and
/// noise, so that luck has its chance.
#[test]
fn a_parameter_without_effect_is_not_moved() {
    let tune = "base = \"plain\"\nmethod.grid = { values = [0, 0.1, 0.3, 0.5, 0.7], pairs = 20 }\n";
    let parameter = "[[tune.parameter]]\nname = \"time_kept\"\nlow = 0\nhigh = 0.8\n";
    let engine = "[[engine]]\nname = \"plain\"\n[engine.search.alpha_beta]\nhash_mb = 1\n\
        root_noise = 20.0\n";
    let bench = bench(&text(tune, &format!("{parameter}{CONFIRM}"), engine));
    let run = bench.start("tune", &[]).assert().code(0);
    let shown = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    assert!(shown.contains("no difference shown"), "{shown}");
    assert!(shown.contains("the base is kept: time_kept=0.2"), "{shown}");
    let folder = bench.results().join("t-1");
    let trials = rows(&folder.join("tune.csv"));
    assert_eq!(trials.len(), 5);
    for row in &trials {
        assert_eq!(cell(row, "pairs"), "20");
        let ends = ["score_low", "score", "score_high"].map(|column| cell(row, column).to_owned());
        let [low, score, high] = ends.map(|text| text.parse::<f64>().expect("a number"));
        assert!(low < score && score < high, "{row:?}");
    }
    // Luck had its chance.
    assert!(trials.iter().any(|row| cell(row, "score") != "0.5"));
    let row = &rows(&folder.join("tune-summary.csv"))[0];
    assert_eq!(cell(row, "finding"), "no difference shown");
    assert_eq!(
        (cell(row, "adopted"), cell(row, "confirm_games")),
        ("false", "")
    );
    let winner = fs::read_to_string(folder.join("winner.toml")).expect("a winner");
    assert!(winner.contains("nothing was adopted"), "{winner}");
    assert!(winner.contains("time_kept = 0.2"), "{winner}");
}

#[test]
fn parameters_take_turns_until_a_round_changes_nothing() {
    let tune = "base = \"noisy\"\nrounds = 3\nmethod.grid = { values = [0, 20], pairs = 12 }\n";
    let second = "[[tune.parameter]]\nname = \"blocked\"\nlow = 0\nhigh = 20\n";
    let two = format!("{NOISE}{second}");
    let bench = bench(&text(tune, &format!("{two}{CONFIRM}"), NOISY));
    let refused = bench.start("tune", &[]).assert().code(65);
    assert!(talk(&refused).contains("`blocked`"), "{}", talk(&refused));
    let fits = text(tune, &format!("{two}{CONFIRM}"), NOISY)
        .replace("high = 20", "high = 10")
        .replace("values = [0, 20]", "points = 3");
    bench.write("c.toml", &fits);
    bench.start("tune", &["--quiet"]).assert().code(0);
    let summary = rows(&bench.results().join("t-1/tune-summary.csv"));
    let turns: Vec<&str> = summary.iter().map(|row| cell(row, "parameter")).collect();
    assert_eq!(turns[..2], ["root_noise", "blocked"], "{summary:?}");
    // The second parameter is tuned on what the first left behind.
    assert_eq!(cell(&summary[0], "adopted"), "true", "{summary:?}");
    let trials = rows(
        &bench
            .results()
            .join("t-1/turn-02-blocked/batch-001/summary.csv"),
    );
    assert!(!trials.is_empty());
    let run = fs::read_to_string(
        bench
            .results()
            .join("t-1/turn-02-blocked/batch-001/run.json"),
    )
    .expect("a run");
    let run: serde_json::Value = serde_json::from_str(&run).expect("JSON");
    let value = &run["spec"]["variants"][0]["engine"]["built_in"]["parameters"]["root_noise"];
    assert_eq!(value.to_string(), cell(&summary[0], "value"));
    // Nobody has a turn again unless another one changed something since.
    for (index, turn) in summary.iter().enumerate().skip(2) {
        let since = &summary[index - 1];
        assert_eq!(cell(since, "adopted"), "true", "{turn:?}");
    }
    assert!(summary.len() <= 6);
}

#[test]
fn several_weights_at_once_and_random_values_play_too() {
    let two = format!("{NOISE}[[tune.parameter]]\nname = \"t1\"\nlow = 0\nhigh = 10\n");
    let spsa = "base = \"noisy\"\nmethod.spsa = { games = 200 }\nrounds = 1\n";
    let bench = bench(&text(spsa, &format!("{two}{CONFIRM}"), NOISY));
    bench.start("tune", &["--quiet"]).assert().code(0);
    let summary = rows(&bench.results().join("t-1/tune-summary.csv"));
    assert_eq!(summary.len(), 2);
    assert!(
        bench
            .results()
            .join("t-1/turn-01-all/batch-001/games.csv")
            .exists()
    );
    let more = [
        "--quiet",
        "--set",
        "tune.method.random.games=80",
        "--set",
        "name=r",
    ];
    bench.start("tune", &more).assert().code(0);
    let summary = rows(&bench.results().join("r-1/tune-summary.csv"));
    assert_eq!(cell(&summary[0], "estimate_low"), "");
}

#[test]
fn a_program_can_follow_a_tuning() {
    let bench = bench(&text(&zoom(160), &format!("{NOISE}{CONFIRM}"), NOISY));
    let run = bench.start("tune", &["--json", "--quiet"]).assert().code(0);
    assert_eq!(talk(&run), "");
    let shown = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    let events: Vec<serde_json::Value> = shown
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let of = |name: &str| -> Vec<&serde_json::Value> {
        let named = events.iter().filter(|event| event["event"] == name);
        named.collect()
    };
    assert!(events.iter().all(|event| event["version"] == 1));
    // Two batches and a match, each a run.
    assert_eq!((of("started").len(), of("ended").len()), (3, 3));
    let batches = of("tune_batch");
    assert_eq!(batches.len(), 2);
    assert_eq!(batches[1]["answer"]["pairs"], 80);
    assert_eq!(batches[1]["answer"]["estimates"][0]["name"], "root_noise");
    assert_eq!(of("tune_turn")[0]["adopted"], true);
    let last = events.last().expect("events");
    assert_eq!(last["event"], "tuning");
    assert_eq!(last["base"]["root_noise"], last["turns"][0]["value"]);
}
