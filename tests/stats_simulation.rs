//! Error rates and lengths of the rules, against simulations made by other programs.

#![expect(
    clippy::print_stdout,
    reason = "the slow tests print the figures that the guide quotes"
)]

use std::collections::HashMap;
use std::path::Path;

use agon::stats::{
    Conditions, EloModel, LogisticElo, OperatingPoint, OutcomeModel, SprtSpec, VerdictSpec,
    operating_points,
};

/// A cap that no simulated match reaches.
const UNCAPPED: u64 = 10_000_000;

/// A row of `sprt_operating_characteristics.csv` by column name.
type Row = HashMap<String, f64>;

fn rows() -> Vec<Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/stats/sprt_operating_characteristics.csv");
    let mut reader = csv::Reader::from_path(path).expect("the file is in the repository");
    let mut rows: Vec<Row> = reader
        .deserialize()
        .map(|row| row.expect("the file is well formed"))
        .collect();
    // The file has no column for it: alpha and beta are 0.01 in its last two rows, else 0.05.
    let strict = rows.len() - 2;
    for (index, row) in rows.iter_mut().enumerate() {
        row.insert("alpha".to_owned(), if index < strict { 0.05 } else { 0.01 });
    }
    rows
}

fn sprt(elo0: f64, elo1: f64, alpha: f64, outcomes: OutcomeModel) -> VerdictSpec {
    VerdictSpec::Sprt(SprtSpec {
        elo0,
        elo1,
        alpha,
        beta: alpha,
        model: EloModel::Logistic,
        outcomes,
    })
}

/// One simulated cell.
fn point(spec: &VerdictSpec, elo: f64, draw_ratio: f64, bias: f64, runs: u32) -> OperatingPoint {
    let conditions = Conditions {
        draw_ratio,
        bias,
        runs,
        seed: 2026,
    };
    let points = operating_points(spec, UNCAPPED, &[LogisticElo(elo)], &conditions);
    points.expect("a possible cell")[0]
}

/// Simulates the rows of at most `longest` games and compares them, adding the errors of so few
/// runs to the tolerances of the file, which suppose 20,000.
fn compare(runs: u32, longest: f64) {
    for row in rows().iter().filter(|row| row["mean_games"] <= longest) {
        let outcomes = match row["units"] {
            5.0 => OutcomeModel::Pentanomial,
            _ => OutcomeModel::Trinomial,
        };
        let (true_elo, elo1) = (row["true_elo_logistic"], row["elo1"]);
        let alpha = row["alpha"];
        let spec = sprt(row["elo0"], elo1, alpha, outcomes);
        let (draw_ratio, bias) = (row["draw_ratio"], row["first_player_bias_score"]);
        let found = point(&spec, true_elo, draw_ratio, bias, runs);
        println!(
            "{true_elo:6.2} of [{}, {elo1}] d {draw_ratio} b {bias}: pass {:.5} for {:.5}, games \
             {:.1} for {:.1}, closed {:?}",
            row["elo0"],
            found.pass_rate,
            row["p_accept"],
            found.mean_games,
            row["mean_games"],
            found.approximation
        );
        let few = if runs < 20_000 { 3.0 } else { 0.0 };
        let midpoint = (0.3..0.7).contains(&row["p_accept"]);
        let pass_tolerance = if midpoint { 0.010 } else { 0.006 } + few * found.pass_rate_error;
        assert!(
            (found.pass_rate - row["p_accept"]).abs() <= pass_tolerance,
            "{row:?} {found:?}"
        );
        let relative = if elo1 - row["elo0"] <= 20.0 {
            0.03
        } else {
            0.02
        };
        let games_tolerance = relative * row["mean_games"] + few * found.mean_games_error;
        assert!(
            (found.mean_games - row["mean_games"]).abs() <= games_tolerance,
            "{row:?} {found:?}"
        );
    }
}

#[test]
fn operating_characteristics_of_the_short_tests() {
    compare(3_000, 700.0);
}

#[test]
#[ignore = "minutes on two cores; run with --release"]
fn operating_characteristics_of_all_tests() {
    compare(20_000, f64::INFINITY);
}

/// Equal engines pass at most alpha, candidates at H1 fail at most beta, within three errors.
fn error_rates(runs: u32, cells: &[(f64, f64, f64)]) {
    for &(elo1, draw_ratio, bias) in cells {
        let spec = sprt(0.0, elo1, 0.05, OutcomeModel::Pentanomial);
        let equal = point(&spec, 0.0, draw_ratio, bias, runs);
        let better = point(&spec, elo1, draw_ratio, bias, runs);
        println!(
            "[0, {elo1}] d {draw_ratio} b {bias}: false accept {:.4} ±{:.4}, false reject {:.4} \
             ±{:.4}, games {:.0} and {:.0}",
            equal.pass_rate,
            equal.pass_rate_error,
            better.fail_rate,
            better.pass_rate_error,
            equal.mean_games,
            better.mean_games
        );
        let bar = 0.05 + 3.0 * (0.05 * 0.95 / f64::from(runs)).sqrt();
        assert!(
            equal.pass_rate <= bar && better.fail_rate <= bar,
            "{equal:?} {better:?}"
        );
        assert_eq!(equal.inconclusive_rate, 0.0);
    }
}

#[test]
fn error_rates_keep_their_promise() {
    error_rates(2_000, &[(35.0, 0.3, 0.2)]);
}

#[test]
#[ignore = "a minute on two cores; run with --release"]
fn error_rates_keep_their_promise_at_length() {
    let mut cells = Vec::new();
    for elo1 in [35.0, 20.0] {
        for (draw_ratio, bias) in [(0.0, 0.0), (0.0, 0.3), (0.3, 0.0), (0.3, 0.2), (0.6, 0.1)] {
            cells.push((elo1, draw_ratio, bias));
        }
    }
    error_rates(40_000, &cells);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let spec = sprt(0.0, 35.0, 0.05, OutcomeModel::Pentanomial);
    let simulate = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("a pool");
        pool.install(|| point(&spec, 10.0, 0.3, 0.1, 200))
    };
    assert_eq!(simulate(1), simulate(3));
}

#[test]
fn a_capped_test_is_often_inconclusive() {
    let spec = sprt(0.0, 34.86, 0.05, OutcomeModel::Pentanomial);
    let conditions = Conditions {
        draw_ratio: 0.0,
        bias: 0.0,
        runs: 2_000,
        seed: 7,
    };
    let capped =
        operating_points(&spec, 200, &[LogisticElo(0.0)], &conditions).expect("a possible cell")[0];
    // STATISTICS.md: at 400 games 54% of the tests without draws are undecided.
    assert!((capped.inconclusive_rate - 0.54).abs() < 0.04, "{capped:?}");
    assert!(capped.mean_games <= 400.0 && capped.p95_games == 400.0);
    let sum = capped.pass_rate + capped.fail_rate + capped.inconclusive_rate;
    assert!((sum - 1.0).abs() < 1e-12);
}

#[test]
fn the_plain_rule_is_exact() {
    let conditions = Conditions {
        draw_ratio: 0.0,
        bias: 0.3,
        runs: 0,
        seed: 0,
    };
    let rule = VerdictSpec::WinRate { at_least: 5500 };
    let found = operating_points(&rule, 50, &[LogisticElo(0.0)], &conditions).expect("possible")[0];
    // STATISTICS.md: .130 for a first-mover edge of 0.3.
    assert!((found.pass_rate - 0.130).abs() < 5e-4, "{found:?}");
    assert_eq!((found.runs, found.mean_games), (0, 100.0));
}
