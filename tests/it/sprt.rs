//! `agon sprt`: counts against reference values, the table against simulations of others.

use std::path::Path;

use serde_json::Value;

use crate::common::{agon, cell, rows};

/// `agon sprt --counts …` with bounds, as JSON.
fn evaluate(counts: &str, elo0: &str, elo1: &str, model: &str) -> Value {
    let args = ["sprt", "--counts", counts, "--elo0", elo0, "--elo1", elo1];
    let run = agon()
        .args(args)
        .args(["--model", model, "--json"])
        .assert()
        .success();
    let text = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    serde_json::from_str(&text).expect("one JSON object")
}

/// What `agon sprt` says when it refuses, which is one line and status 64.
fn refused(args: &[&str]) -> String {
    let run = agon().arg("sprt").args(args).assert().code(64);
    let output = run.get_output();
    assert!(output.stdout.is_empty());
    let talk = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(talk.lines().count(), 1, "{talk}");
    assert!(talk.starts_with("error: "), "{talk}");
    talk
}

fn reference(file: &str) -> Vec<Vec<(String, String)>> {
    rows(
        &Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/stats")
            .join(file),
    )
}

/// A number, where the cell holds a finite one.
fn number(row: &[(String, String)], column: &str) -> Option<f64> {
    cell(row, column)
        .parse()
        .ok()
        .filter(|number: &f64| number.is_finite())
}

#[test]
fn counts_have_the_reference_values() {
    let mut walked = 0;
    for row in reference("sprt_reference.csv") {
        let model = cell(&row, "elo_model");
        // Every seventh row here; all of them are walked in tests/stats_reference.rs.
        let number_of_case = number(&row, "case_id").expect("a number") as u32;
        if model == "bayeselo" || !number_of_case.is_multiple_of(7) {
            continue;
        }
        let columns = ["ll_or_losses", "ld_or_draws", "dd_wl_or_wins", "wd", "ww"];
        let cells = columns.map(|column| cell(&row, column));
        let counts = cells.into_iter().filter(|count| !count.is_empty());
        let counts = counts.collect::<Vec<_>>().join(",");
        let found = evaluate(&counts, cell(&row, "elo0"), cell(&row, "elo1"), model);
        let empty = number(&row, "n_units") == Some(0.0);
        let llr = if empty {
            Some(0.0)
        } else {
            number(&row, "llr_ref")
        };
        let llr = llr.expect("every row has one");
        let close = |key: &str, wanted: f64, tolerance: f64| {
            let value = found[key].as_f64();
            assert!(
                value.is_some_and(|value| (value - wanted).abs() <= tolerance),
                "{counts}: {key} is {value:?} for {wanted}"
            );
        };
        close("llr", llr, 1e-6 + 1e-8 * llr.abs());
        close("lower", number(&row, "llr_lower").expect("a bound"), 1e-8);
        close("upper", number(&row, "llr_upper").expect("a bound"), 1e-8);
        for (key, column) in [("elo", "elo"), ("los", "los_normal")] {
            if let Some(wanted) = number(&row, column).filter(|_| !empty) {
                close(key, wanted, 1e-6);
            }
        }
        let verdict = match cell(&row, "verdict_ref") {
            "H1" => "accept H1",
            "H0" => "accept H0",
            _ => "continue",
        };
        assert_eq!(found["verdict"], verdict, "{counts}");
        assert_eq!(found["games"].as_f64(), number(&row, "n_games"));
        walked += 1;
    }
    assert!(walked > 40, "{walked}");
}

#[test]
fn json_has_the_documented_keys_and_null_for_the_unknown() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/sprt.md");
    let page = std::fs::read_to_string(page).expect("the page is in the repository");
    let found = evaluate("0,0,0,0,0", "0", "35", "logistic");
    for key in found.as_object().expect("an object").keys() {
        assert!(
            page.contains(&format!("| `{key}` |")),
            "{key} is not documented"
        );
    }
    assert_eq!(found["llr"], 0.0);
    assert_eq!((&found["pairs"], &found["games"]), (&0.into(), &0.into()));
    for unknown in ["elo", "elo_low", "elo_high", "nelo", "los", "win_rate"] {
        assert!(found.get(unknown).is_some_and(Value::is_null), "{unknown}");
    }
    let single = evaluate("10,20,15", "0", "35", "normalized");
    assert_eq!(
        (&single["pairs"], &single["games"]),
        (&Value::Null, &45.into())
    );
}

/// B05: a one-sided score has no Elo, only a bound of it, and four pairs decide nothing.
#[test]
fn b05_four_pairs_reach_no_verdict() {
    for (counts, known, unknown) in [
        ("0,0,0,0,4", "elo_low", "elo_high"),
        ("4,0,0,0,0", "elo_high", "elo_low"),
    ] {
        let found = evaluate(counts, "0", "35", "logistic");
        assert_eq!(found["verdict"], "continue");
        assert!(
            found["elo"].is_null() && found[unknown].is_null(),
            "{found}"
        );
        assert!(found[known].is_number(), "{found}");
    }
    let nearly = evaluate("0,0,0,1,3", "0", "35", "logistic");
    assert!(nearly["elo"].is_number() && nearly["verdict"] == "continue");
    assert_eq!(
        evaluate("0,0,0,0,40", "0", "35", "logistic")["verdict"],
        "accept H1"
    );
    assert_eq!(
        evaluate("40,0,0,0,0", "0", "35", "logistic")["verdict"],
        "accept H0"
    );
    let text = agon()
        .args([
            "sprt",
            "--counts",
            "0,0,0,0,4",
            "--elo0",
            "0",
            "--elo1",
            "35",
        ])
        .assert()
        .success();
    let text = String::from_utf8_lossy(&text.get_output().stdout).into_owned();
    assert!(
        text.contains("above ") && text.contains("continue"),
        "{text}"
    );
}

#[test]
fn what_cannot_be_evaluated_is_refused_in_one_line() {
    let counts = |counts, more: &[&str]| {
        refused(&[&["--counts", counts, "--elo0", "0", "--elo1", "35"], more].concat())
    };
    assert!(counts("1,2,3,4", &[]).contains("found 4 counts"));
    assert!(counts("1,-2,3", &[]).contains("`-2` is not a count"));
    assert!(counts("-1,2,3", &[]).contains("`-1` is not a count"));
    assert!(counts("1,two,3", &[]).contains("`two` is not a count"));
    assert!(counts("1,2.5,3", &[]).contains("not a count"));
    assert!(counts("", &[]).contains("not a count"));
    assert!(counts("1,2,3", &["--alpha", "0.5", "--beta", "0.5"]).contains("alpha is 0.5"));
    assert!(counts("1,2,3", &["--beta", "0"]).contains("beta is 0"));
    assert!(counts("1,2,3", &["--alpha", "NaN"]).contains("alpha"));
    let with = |more: &[&str]| refused(&[&["--counts", "1,2,3"], more].concat());
    assert!(with(&["--elo0", "35", "--elo1", "35"]).contains("must be below elo1"));
    assert!(with(&["--elo0", "35", "--elo1", "0"]).contains("must be below elo1"));
    assert!(with(&["--elo0", "0", "--elo1", "inf"]).contains("finite"));
    let far = with(&["--elo0", "0", "--elo1", "201", "--model", "normalized"]);
    assert!(far.contains("beyond 200"), "{far}");
}

#[test]
fn what_cannot_be_simulated_is_refused_in_one_line() {
    let with = |more: &[&str]| refused(&[&["--elo0", "0", "--elo1", "35"], more].concat());
    assert!(with(&["--draws", "1.5"]).contains("draw ratio"));
    assert!(with(&["--draws", "-0.1"]).contains("draw ratio"));
    assert!(with(&["--bias", "0.6"]).contains("bias"));
    assert!(with(&["--draws", "0.9", "--elo", "0,400"]).contains("at most"));
    assert!(with(&["--at-least", "0.55555"]).contains("4 decimals"));
    assert!(with(&["--at-least", "0"]).contains("1 to 10000"));
    // Without chance a test between symmetric bounds would never end.
    assert!(refused(&["--elo0", "-5", "--elo1", "5", "--draws", "1"]).contains("ends alike"));
    assert!(with(&["--bias", "0.5", "--elo", "0"]).contains("ends alike"));
    // Mistakes of the command line's form are clap's to tell.
    for form in [
        &["--elo0", "0"][..],
        &["--elo0", "0", "--elo1", "35", "--json"],
        &["--elo0", "0", "--elo1", "35", "--pairs", "0"],
        &["--elo0", "0", "--elo1", "35", "--runs", "0"],
        &["--elo0", "0", "--elo1", "x"],
        &[
            "--elo0", "0", "--elo1", "35", "--counts", "1,2,3", "--draws", "0.3",
        ],
    ] {
        agon().arg("sprt").args(form).assert().code(64);
    }
}

/// A row of the table as CSV, by its true Elo.
fn simulate(more: &[&str], threads: &str) -> (String, Vec<Vec<(String, String)>>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("table.csv");
    let run = agon()
        .env("RAYON_NUM_THREADS", threads)
        .arg("sprt")
        .args(more)
        .arg("--csv")
        .arg(&path)
        .assert()
        .success();
    let text = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    assert!(!text.contains("NaN") && !text.contains("inf "), "{text}");
    (text, rows(&path))
}

#[test]
fn the_table_agrees_with_the_simulations_of_others() {
    let runs = 4000;
    let (text, table) = simulate(
        &[
            "--elo0",
            "0",
            "--elo1",
            "34.8602",
            "--draws",
            "0.6",
            "--elo",
            "0,17.387,34.8602",
            "--runs",
            "4000",
        ],
        "2",
    );
    assert!(
        text.contains("no cap") && text.contains("60% drawn"),
        "{text}"
    );
    let reference = reference("sprt_operating_characteristics.csv");
    assert_eq!(table.len(), 3);
    for row in &table {
        let figure = |column| number(row, column).expect("a figure");
        let is_same = |wanted: &&Vec<(String, String)>| {
            let same = |column, value: f64| {
                number(wanted, column).is_some_and(|wanted| (wanted - value).abs() < 1e-3)
            };
            same("units", 5.0)
                && same("elo0", 0.0)
                && same("elo1", 34.8602)
                && same("draw_ratio", 0.6)
                && same("true_elo_logistic", figure("true_elo"))
        };
        let wanted = reference.iter().find(is_same).expect("the cell is there");
        // The bars of the table, and three errors of so few runs.
        let pass = number(wanted, "p_accept").expect("a rate");
        let off = (figure("pass_rate") - pass).abs();
        assert!(off < 0.006 + 3.0 * figure("pass_rate_error"), "{row:?}");
        let games = number(wanted, "mean_games").expect("games");
        let off = (figure("mean_games") - games).abs();
        assert!(
            off < 0.02 * games + 3.0 * figure("mean_games_error"),
            "{row:?}"
        );
        // The closed form is 3 to 4% short of longer tests; of these, a little more.
        assert!((figure("closed_pass_rate") - pass).abs() < 0.01, "{row:?}");
        assert!(
            (figure("closed_mean_games") / games - 1.0).abs() < 0.10,
            "{row:?}"
        );
        assert_eq!(figure("runs"), f64::from(runs));
        let sum = figure("pass_rate") + figure("fail_rate") + figure("inconclusive_rate");
        assert!((sum - 1.0).abs() < 1e-12 && figure("inconclusive_rate") == 0.0);
    }
}

#[test]
fn the_number_of_threads_changes_no_figure() {
    let args = [
        "--elo0", "0", "--elo1", "60", "--draws", "0.3", "--runs", "300",
    ];
    let (one, three) = (simulate(&args, "1"), simulate(&args, "3"));
    assert_eq!(one, three);
    assert_eq!(one.1.len(), 9);
    let other_seed = simulate(&[&args[..], &["--seed", "2"]].concat(), "2");
    assert_ne!(one.1, other_seed.1);
}

#[test]
fn a_cap_holds_for_the_test_and_sets_the_length_of_the_plain_rule() {
    let args = [
        "--elo0", "0", "--elo1", "34.86", "--pairs", "200", "--elo", "0", "--runs", "2000",
    ];
    let (text, table) = simulate(&args, "2");
    assert!(text.contains("at most 200 pairs"), "{text}");
    let figure = |column| number(&table[0], column).expect("a figure");
    // STATISTICS.md: at 400 games 54% are undecided, and 2.6% of equal engines reach 55%.
    assert!((figure("inconclusive_rate") - 0.54).abs() < 0.04);
    assert!((figure("win_rate_pass_rate") - 0.026).abs() < 5e-4);
    assert_eq!(figure("win_rate_games"), 400.0);
    assert!(figure("p95_games") <= 400.0);
    // Without a cap the rule is shown over 100 games: 18.4% of equal engines pass it.
    let (_, table) = simulate(
        &["--elo0", "0", "--elo1", "200", "--elo", "0", "--runs", "50"],
        "2",
    );
    let rate = number(&table[0], "win_rate_pass_rate").expect("a figure");
    assert!((rate - 0.184).abs() < 5e-4, "{rate}");
}

#[test]
fn normalised_bounds_hold_at_the_true_differences_of_the_table() {
    let args = [
        "--elo0",
        "0",
        "--elo1",
        "100",
        "--model",
        "normalized",
        "--draws",
        "0.5",
        "--runs",
        "500",
    ];
    let (_, table) = simulate(&args, "2");
    let nelo: Vec<f64> = table
        .iter()
        .map(|row| number(row, "true_nelo").expect("a figure"))
        .collect();
    for bound in [0.0, 100.0] {
        assert!(
            nelo.iter().any(|nelo| (nelo - bound).abs() < 1e-6),
            "{nelo:?}"
        );
    }
    let at_bound = |bound: f64| {
        let row = table
            .iter()
            .zip(&nelo)
            .find(|(_, nelo)| (*nelo - bound).abs() < 1e-6);
        number(row.expect("the bound is there").0, "pass_rate").expect("a rate")
    };
    assert!(at_bound(0.0) < 0.05 + 0.03 && at_bound(100.0) > 0.95 - 0.03);
}
