//! Every reference row that must be met, walked.

use std::collections::HashMap;
use std::path::Path;

use agon::stats::{
    Counts, EloModel, Estimates, GameCounts, GameModel, OutcomeModel, PairCounts, Sprt, SprtSpec,
    StatsError, StopRule, Tally, Verdict, WinRateRule, clopper_pearson, evaluate,
};

/// One row by column name.
type Row = HashMap<String, String>;

/// All rows of a file under `tests/stats/`.
fn rows(file: &str) -> Vec<Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/stats")
        .join(file);
    let mut reader = csv::Reader::from_path(path).expect("the file is in the repository");
    reader
        .deserialize()
        .map(|row| row.expect("the file is well formed"))
        .collect()
}

/// A number, where the cell holds a finite one.
fn number(row: &Row, column: &str) -> Option<f64> {
    row[column]
        .parse()
        .ok()
        .filter(|number: &f64| number.is_finite())
}

/// A number that every row has.
fn given(row: &Row, column: &str) -> f64 {
    number(row, column).unwrap_or_else(|| panic!("{column} in {row:?}"))
}

/// The counts of a row of `sprt_reference.csv`, and what one observation is.
fn sample(row: &Row) -> (Tally, OutcomeModel) {
    let cell = |column: &str| row[column].parse().unwrap_or(0);
    let cells = ["ll_or_losses", "ld_or_draws", "dd_wl_or_wins", "wd", "ww"].map(cell);
    let mut tally = Tally::default();
    if row["kind"] == "pentanomial" {
        tally.pairs = PairCounts(cells);
        return (tally, OutcomeModel::Pentanomial);
    }
    tally.games = GameCounts {
        losses: cells[0],
        draws: cells[1],
        wins: cells[2],
    };
    (tally, OutcomeModel::Trinomial)
}

/// The test of a row, and its counts; `None` for the rows that are for information.
fn sprt(row: &Row) -> Option<(Sprt, Tally)> {
    let model = match row["elo_model"].as_str() {
        "logistic" => EloModel::Logistic,
        "normalized" => EloModel::Normalized,
        _ => return None,
    };
    let (tally, outcomes) = sample(row);
    let spec = SprtSpec {
        elo0: given(row, "elo0"),
        elo1: given(row, "elo1"),
        alpha: given(row, "alpha"),
        beta: given(row, "beta"),
        model,
        outcomes,
    };
    Some((Sprt::new(spec, u64::MAX).expect("a valid design"), tally))
}

#[test]
fn log_likelihood_ratios() {
    let mut walked = 0;
    for row in rows("sprt_reference.csv") {
        let Some((sprt, tally)) = sprt(&row) else {
            continue;
        };
        let found = sprt
            .llr(&tally)
            .unwrap_or_else(|| panic!("no ratio for {row:?}"));
        // Without a game the ratio is 0; the file has what the stand-ins for empty cells make.
        let wanted = if given(&row, "n_units") == 0.0 {
            0.0
        } else {
            given(&row, "llr_ref")
        };
        let tolerance = 1e-6 + 1e-8 * wanted.abs();
        assert!(
            (found - wanted).abs() <= tolerance,
            "case {}: {found} for {wanted}",
            row["case_id"]
        );
        let verdict = match row["verdict_ref"].as_str() {
            "H1" => Verdict::AcceptH1,
            "H0" => Verdict::AcceptH0,
            _ => Verdict::Continue,
        };
        assert_eq!(sprt.check(&tally), verdict, "case {}", row["case_id"]);
        let (lower, upper) = sprt.bounds();
        assert!((lower - given(&row, "llr_lower")).abs() < 1e-8);
        assert!((upper - given(&row, "llr_upper")).abs() < 1e-8);
        walked += 1;
    }
    assert_eq!(walked, 26 * 3 * 2 + 30 * 3 * 2);
}

#[test]
fn estimates() {
    for row in rows("sprt_reference.csv") {
        let (tally, outcomes) = sample(&row);
        let found = Estimates::with(&tally, outcomes);
        let normalized = found.normalized_elo;
        let columns = [
            ("score", found.win_rate.map(|rate| rate.value)),
            ("elo", found.elo.value.map(|elo| elo.0)),
            ("los_normal", found.los),
            (
                "nelo",
                normalized
                    .and_then(|estimate| estimate.value)
                    .map(|elo| elo.0),
            ),
            ("nelo_pm95", normalized.map(|estimate| estimate.margin)),
        ];
        for (column, found) in columns {
            let case = (&row["case_id"], column);
            match (found, number(&row, column)) {
                (Some(found), Some(wanted)) => {
                    let tolerance = 1e-6 * f64::max(1.0, wanted.abs() / 1e3);
                    assert!(
                        (found - wanted).abs() <= tolerance,
                        "{case:?}: {found}, {wanted}"
                    );
                }
                (None, None) => {}
                (found, wanted) => panic!("{case:?}: {found:?} for {wanted:?}"),
            }
        }
    }
}

#[test]
fn median_unbiased_elo_after_a_stop() {
    for row in rows("sprt_reference.csv") {
        let Some((sprt, tally)) = sprt(&row) else {
            continue;
        };
        let Some(found) = sprt.median_unbiased(&tally) else {
            assert_eq!(given(&row, "n_units"), 0.0);
            continue;
        };
        let columns = [
            ("sprt_elo_median_unbiased", found.elo.value),
            ("sprt_elo_lo95", found.elo.low),
            ("sprt_elo_hi95", found.elo.high),
        ];
        for (column, found) in columns {
            // fishtest stops at 1000; here such an end is open.
            let wanted = Some(given(&row, column)).filter(|elo| elo.abs() < 1000.0);
            let found = found.map(|elo| elo.0);
            let near = match (found, wanted) {
                (Some(found), Some(wanted)) => (found - wanted).abs() <= 1e-3,
                (found, wanted) => found == wanted,
            };
            assert!(
                near,
                "case {} {column}: {found:?}, {wanted:?}",
                row["case_id"]
            );
        }
        assert!(
            (found.los - given(&row, "sprt_los")).abs() <= 1e-6,
            "case {}",
            row["case_id"]
        );
    }
}

#[test]
fn plain_normal_intervals() {
    for row in rows("sprt_reference.csv") {
        let (tally, outcomes) = sample(&row);
        let counts = match outcomes {
            OutcomeModel::Pentanomial => Counts::Pairs(tally.pairs),
            OutcomeModel::Trinomial => Counts::Games(tally.games),
        };
        let found = evaluate(&counts, SprtSpec::logistic(0.0, 5.0)).expect("a valid design");
        for (found, column) in [
            (found.elo_low_normal, "elo_lo95"),
            (found.elo_high_normal, "elo_hi95"),
        ] {
            let near = match (found.map(|elo| elo.0), number(&row, column)) {
                (Some(found), Some(wanted)) => (found - wanted).abs() <= 1e-6,
                (found, wanted) => found == wanted,
            };
            assert!(
                near,
                "case {} {column}: {found:?}, {}",
                row["case_id"], row[column]
            );
        }
    }
}

#[test]
fn normalized_bounds_beyond_200_are_refused() {
    for row in rows("sprt_extreme_normalized.csv") {
        let (elo0, elo1) = (given(&row, "nelo0"), given(&row, "nelo1"));
        let counts: Vec<u64> = row["counts_low_to_high"]
            .split(' ')
            .map(|count| count.parse().expect("a count"))
            .collect();
        let spec = SprtSpec {
            elo0,
            elo1,
            alpha: 0.05,
            beta: 0.05,
            model: EloModel::Normalized,
            outcomes: match counts.len() {
                5 => OutcomeModel::Pentanomial,
                _ => OutcomeModel::Trinomial,
            },
        };
        let built = Sprt::new(spec, 1000);
        if elo0.abs().max(elo1.abs()) > 200.0 {
            let refused = matches!(built, Err(StatsError::NormalizedTooLarge { .. }));
            assert!(refused, "{row:?}");
        } else {
            let cells = counts.try_into().expect("the only such row counts pairs");
            let tally = Tally {
                pairs: PairCounts(cells),
                ..Tally::default()
            };
            let found = built.expect("within 200").llr(&tally).expect("a ratio");
            assert!(
                (found - given(&row, "llr_continuation")).abs() < 1e-6,
                "{found}"
            );
        }
    }
}

#[test]
fn clopper_pearson_intervals() {
    for row in rows("binomial_reference.csv") {
        let count = |column: &str| row[column].parse().expect("a count");
        let (wins, trials) = (count("wins"), count("n"));
        let interval = clopper_pearson(wins, trials, given(&row, "confidence")).expect("trials");
        for (found, column) in [
            (interval.low, "clopper_pearson_lo"),
            (interval.high, "clopper_pearson_hi"),
        ] {
            let wanted = given(&row, column);
            assert!(
                (found - wanted).abs() <= 1e-9,
                "{wins} of {trials}: {found}, {wanted}"
            );
        }
    }
}

#[test]
fn pass_rates_of_the_plain_rule() {
    for row in rows("gate_fixed_n.csv") {
        let model = GameModel::new(given(&row, "true_score"), given(&row, "draw_ratio"), 0.0)
            .expect("a possible model");
        let pairs = given(&row, "games") as u64 / 2;
        let rule = WinRateRule::new(5500, pairs).expect("a valid rule");
        let (found, wanted) = (
            rule.pass_rate(&model),
            given(&row, "p_accept_score_ge_55pct"),
        );
        assert!((found - wanted).abs() <= 1e-9 * wanted, "{row:?}: {found}");
    }
}

#[test]
fn the_test_of_0_against_35_elo_needs_31_pairs() {
    let spec = SprtSpec {
        elo0: 0.0,
        elo1: 35.0,
        alpha: 0.05,
        beta: 0.05,
        model: EloModel::Logistic,
        outcomes: OutcomeModel::Pentanomial,
    };
    let sprt = Sprt::new(spec, 30).expect("a valid design");
    assert_eq!(sprt.pairs_to_accept_h1(), Some(31));
    assert_eq!(sprt.pairs_to_accept_h0(), Some(28));
}
