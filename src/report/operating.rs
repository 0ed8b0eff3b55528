//! A test's error rates and length by true difference, beside those of the plain rule.

use serde::Serialize;

use super::columns::aligned;
use crate::stats::OperatingPoint;

/// One true difference. `docs/sprt.md` explains the columns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OperatingRow {
    /// The true difference in logistic Elo.
    pub true_elo: f64,
    /// The same in units of one game's noise.
    pub true_nelo: Option<f64>,
    /// Its expected score.
    pub true_score: f64,
    /// Simulated tests.
    pub runs: u32,
    /// Share of them that accept H1.
    pub pass_rate: f64,
    /// Its standard error.
    pub pass_rate_error: f64,
    /// Share that accept H0.
    pub fail_rate: f64,
    /// Share that reach the cap undecided.
    pub inconclusive_rate: f64,
    /// Mean length in games.
    pub mean_games: f64,
    /// Its standard error.
    pub mean_games_error: f64,
    /// Half of the tests are no longer.
    pub median_games: f64,
    /// 95% of the tests are no longer.
    pub p95_games: f64,
    /// Probability of accepting H1 by the closed approximation, without cap.
    pub closed_pass_rate: Option<f64>,
    /// Mean length by the closed approximation, without cap.
    pub closed_mean_games: Option<f64>,
    /// Exact probability of passing the plain win-rate rule.
    pub win_rate_pass_rate: f64,
    /// Games of the plain win-rate rule.
    pub win_rate_games: f64,
}

/// The points of a test and those of the plain rule, side by side.
///
/// # Panics
/// Never for points of the same true differences.
#[must_use]
pub fn operating_rows(test: &[OperatingPoint], rule: &[OperatingPoint]) -> Vec<OperatingRow> {
    debug_assert_eq!(test.len(), rule.len());
    let row = |(test, rule): (&OperatingPoint, &OperatingPoint)| OperatingRow {
        // The sum turns -0 into 0.
        true_elo: test.true_elo.0 + 0.0,
        true_nelo: test.true_nelo.map(|nelo| nelo.0),
        true_score: test.true_score,
        runs: test.runs,
        pass_rate: test.pass_rate,
        pass_rate_error: test.pass_rate_error,
        fail_rate: test.fail_rate,
        inconclusive_rate: test.inconclusive_rate,
        mean_games: test.mean_games,
        mean_games_error: test.mean_games_error,
        median_games: test.median_games,
        p95_games: test.p95_games,
        closed_pass_rate: test.approximation.map(|closed| closed.pass_rate),
        closed_mean_games: test.approximation.map(|closed| closed.mean_games),
        win_rate_pass_rate: rule.pass_rate,
        win_rate_games: rule.mean_games,
    };
    test.iter().zip(rule).map(row).collect()
}

/// The rows as CSV.
#[must_use]
pub fn operating_csv(rows: &[OperatingRow]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer
            .serialize(row)
            .expect("a row of plain fields serialises");
    }
    writer.into_inner().expect("memory takes every write")
}

/// The rows as text for people, with a legend.
#[must_use]
pub fn operating_table(rows: &[OperatingRow]) -> String {
    let header = [
        "Elo", "nElo", "score", "pass", "±", "fail", "open", "games", "±", "median", "95%",
        "~pass", "~games", "rule",
    ];
    let mut cells = vec![header.map(str::to_owned).to_vec()];
    let percent = |value: f64| format!("{:.2}%", 100.0 * value);
    let games = |value: f64| format!("{value:.0}");
    let known = |value: Option<f64>, shown: &dyn Fn(f64) -> String| {
        value.map_or_else(|| "unknown".to_owned(), shown)
    };
    for row in rows {
        cells.push(vec![
            format!("{:.1}", row.true_elo),
            known(row.true_nelo, &|nelo| format!("{nelo:.1}")),
            format!("{:.1}%", 100.0 * row.true_score),
            percent(row.pass_rate),
            format!("{:.2}", 100.0 * row.pass_rate_error),
            percent(row.fail_rate),
            percent(row.inconclusive_rate),
            games(row.mean_games),
            format!("{:.1}", row.mean_games_error),
            games(row.median_games),
            games(row.p95_games),
            known(row.closed_pass_rate, &percent),
            known(row.closed_mean_games, &games),
            percent(row.win_rate_pass_rate),
        ]);
    }
    let rule_games = rows.first().map_or(0.0, |row| row.win_rate_games);
    format!(
        "{}\
         Elo, nElo, score: the true difference. pass, fail, open: share of simulated tests that \
         accept H1,\naccept H0, or end undecided at the cap. games: their mean length, then the \
         median and the length that\n95% of them keep to. ±: one standard error. ~: the closed \
         approximation, without cap, some per cent\nshort in games. rule: share of matches that \
         pass the win-rate rule, exact, always {rule_games:.0} games.\n",
        aligned(&cells, 0)
    )
}
