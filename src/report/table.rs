//! The final table on the console.

use std::fmt::Write;

use super::deals::write_lines;
use super::summary::{EqualPassRate, Summary, SummaryRow};
use crate::stats::Verdict;

/// A figure, or the word for one that is not known.
fn shown(value: Option<f64>, scale: f64, digits: usize, unit: &str) -> String {
    value.map_or_else(
        || "unknown".to_owned(),
        |value| format!("{:.digits$}{unit}", value * scale),
    )
}

/// The summaries as text for people: one block a pairing.
#[must_use]
pub fn table(summaries: &[Summary]) -> String {
    let mut text = String::new();
    for summary in summaries {
        block(&mut text, summary).expect("a string takes every write");
    }
    text
}

fn block(text: &mut String, summary: &Summary) -> std::fmt::Result {
    let row = &summary.row;
    let percent = |value| shown(value, 100.0, 1, "%");
    let plain = |value, digits| shown(value, 1.0, digits, "");
    writeln!(text, "{} against {}", row.candidate, row.base)?;
    if let Some(deals) = &summary.deals {
        writeln!(
            text,
            "  deals       {} of {}: {} better, {} equal, {} worse (by {})",
            row.pairs, row.pairs_planned, row.pairs_4, row.pairs_2, row.pairs_0, deals.compare
        )?;
    } else {
        writeln!(
            text,
            "  games       {} ({} won, {} drawn, {} lost) in {} of {} pairs",
            row.games, row.wins, row.draws, row.losses, row.pairs, row.pairs_planned
        )?;
        writeln!(
            text,
            "  pairs       {} {} {} {} {} (by half points, 0 to 4)",
            row.pairs_0, row.pairs_1, row.pairs_2, row.pairs_3, row.pairs_4
        )?;
    }
    let method = row.interval.as_deref().unwrap_or("no interval");
    writeln!(
        text,
        "  win rate    {} ({} to {}, 95%, {method})",
        percent(row.win_rate),
        percent(row.win_rate_low),
        percent(row.win_rate_high)
    )?;
    writeln!(
        text,
        "  Elo         {}, likelihood of superiority {}",
        elo(row.elo, row.elo_low, row.elo_high),
        likelihood(row.los)
    )?;
    let after_stop = [
        row.elo_after_stop,
        row.elo_after_stop_low,
        row.elo_after_stop_high,
    ];
    if after_stop.iter().any(Option::is_some) {
        let [value, low, high] = after_stop;
        writeln!(
            text,
            "              {} without the bias of an early stop (median-unbiased)",
            elo(value, low, high)
        )?;
    }
    match &summary.deals {
        Some(deals) => write_lines(text, deals)?,
        None => sides(text, row)?,
    }
    writeln!(text, "  rule        {}", row.rule)?;
    if let (Some(lower), Some(upper)) = (row.llr_lower, row.llr_upper) {
        writeln!(
            text,
            "  LLR         {} (bounds {lower:.2} and {upper:.2})",
            plain(row.llr, 2)
        )?;
    }
    if summary.deals.is_none() {
        writeln!(
            text,
            "              an equal engine passes this in {}",
            equal_pass_rate(summary.equal_pass_rate)
        )?;
    }
    writeln!(text, "  distance    {}", summary.other_verdict)?;
    writeln!(
        text,
        "  verdict     {}: {}",
        row.verdict,
        meaning(&row.verdict)
    )?;
    for warning in &summary.warnings {
        writeln!(
            text,
            "  warning     {warning}\n              {}",
            warning.hint()
        )?;
    }
    Ok(())
}

/// What a game of two sides has and a deal has not.
fn sides(text: &mut String, row: &SummaryRow) -> std::fmt::Result {
    let percent = |value| shown(value, 100.0, 1, "%");
    let plain = |value, digits| shown(value, 1.0, digits, "");
    let (first, second) = (&row.first_role, &row.second_role);
    writeln!(
        text,
        "  by role     {} as {first}, {} as {second}; {first} scored {}, {second} {}, who moved first {}",
        percent(row.win_rate_first),
        percent(row.win_rate_second),
        percent(row.first_side_win_rate),
        percent(row.second_side_win_rate),
        percent(row.first_mover_win_rate)
    )?;
    writeln!(
        text,
        "  nodes/move  {} against {} (ratio {})",
        plain(row.candidate_nodes_per_move, 0),
        plain(row.base_nodes_per_move, 0),
        plain(row.nodes_ratio, 2)
    )?;
    writeln!(
        text,
        "  ms/move     {} against {} (ratio {})",
        plain(row.candidate_ms_per_move, 2),
        plain(row.base_ms_per_move, 2),
        plain(row.time_ratio, 2)
    )?;
    Ok(())
}

/// A likelihood in percent, never rounded to a certainty.
fn likelihood(value: Option<f64>) -> String {
    match value {
        Some(value) if value >= 0.9995 => "above 99.9%".to_owned(),
        Some(value) if value < 0.0005 => "below 0.1%".to_owned(),
        value => shown(value, 100.0, 1, "%"),
    }
}

/// An Elo with its interval; a one-sided score has only a bound of it.
fn elo(value: Option<f64>, low: Option<f64>, high: Option<f64>) -> String {
    match (value, low, high) {
        (None, Some(low), None) => format!("above {low:.1} (95%)"),
        (None, None, Some(high)) => format!("below {high:.1} (95%)"),
        (value, low, high) => {
            let [value, low, high] = [value, low, high].map(|elo| shown(elo, 1.0, 1, ""));
            format!("{value} ({low} to {high})")
        }
    }
}

/// How often an equal engine passes, with what the figure is for.
fn equal_pass_rate(pass: Option<EqualPassRate>) -> String {
    let Some(EqualPassRate { rate, error, draws }) = pass else {
        return "an unknown share of runs".to_owned();
    };
    let (rate, error) = (100.0 * rate, 100.0 * error);
    let share = match (rate, error) {
        (rate, _) if rate < 0.05 => "less than 0.1%".to_owned(),
        (rate, error) if error > 0.0 => format!("{rate:.1}% (±{error:.1}, simulated)"),
        (rate, _) => format!("{rate:.1}%"),
    };
    format!(
        "{share} of runs of this length, with {:.0}% drawn and balanced openings",
        100.0 * draws
    )
}

/// The verdict in words.
fn meaning(verdict: &str) -> &'static str {
    let is = |known: Verdict| verdict == known.name();
    if is(Verdict::AcceptH1) {
        "the candidate passes"
    } else if is(Verdict::AcceptH0) {
        "the candidate does not pass"
    } else if is(Verdict::Inconclusive) {
        "all planned pairs are played, and they do not decide"
    } else {
        "not decided yet; the same command goes on"
    }
}
