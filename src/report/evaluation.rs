//! Counts from anywhere, evaluated, as text for people.

use crate::stats::{Counts, EloEstimate, EloModel, Evaluation, OutcomeModel, StopRule, Verdict};

/// A figure, or the word for one that is not known.
fn shown(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "unknown".to_owned(), |value| format!("{value:.digits$}"))
}

fn percent(value: Option<f64>) -> String {
    value.map_or_else(
        || "unknown".to_owned(),
        |value| format!("{:.1}%", 100.0 * value),
    )
}

/// The evaluation of `counts` under `rule`, one figure a line.
#[must_use]
pub fn evaluation_text(counts: &Counts, found: &Evaluation, rule: &dyn StopRule) -> String {
    let counted = match counts {
        Counts::Pairs(pairs) => {
            let [ll, ld, even, wd, ww] = pairs.0;
            let number = pairs.pairs();
            format!("{ll} {ld} {even} {wd} {ww} (pairs by half points, 0 to 4): {number} pairs")
        }
        Counts::Games(games) => {
            let [losses, draws, wins] = games.cells();
            format!("{losses} lost, {draws} drawn, {wins} won, as single games")
        }
    };
    let elo = |value, low, high| EloEstimate { value, low, high };
    let plain = elo(found.elo, found.elo_low, found.elo_high);
    let after_stop = elo(
        found.elo_median_unbiased,
        found.elo_median_unbiased_low,
        found.elo_median_unbiased_high,
    );
    let margin = found
        .nelo_margin
        .map_or(String::new(), |margin| format!(" ± {margin:.1}"));
    let mut lines = vec![("counts", format!("{counted}, {} games", found.games))];
    let mut line = |name, text| lines.push((name, text));
    let interval = match (found.win_rate_low, found.win_rate_high) {
        (Some(low), Some(high)) => {
            let method = found.interval_method.map_or("no interval", |m| m.name());
            format!(
                " [{}, {}] (95%, {method})",
                percent(Some(low)),
                percent(Some(high))
            )
        }
        _ => String::new(),
    };
    line("win rate", percent(found.win_rate) + &interval);
    let level = plain.low.or(plain.high).map_or("", |_| " (95%)");
    line("Elo", format!("{plain}{level}"));
    if !found.verdict.is_open() {
        line(
            "after stop",
            format!("{after_stop} (median-unbiased: a test stops when luck ran one way)"),
        );
    }
    line("nElo", shown(found.nelo.map(|nelo| nelo.0), 1) + &margin);
    line(
        "LOS",
        format!(
            "{} (likelihood that the candidate is stronger)",
            percent(found.los)
        ),
    );
    line("test", rule.describe());
    line(
        "LLR",
        format!(
            "{} (accept H0 at {:.2} or below, H1 at {:.2} or above)",
            shown(found.llr, 2),
            found.llr_lower,
            found.llr_upper
        ),
    );
    line("verdict", format!("{}: {}", found.verdict, meaning(found)));
    lines
        .iter()
        .map(|(name, text)| format!("{name:<11} {text}\n"))
        .collect()
}

/// The verdict in words.
fn meaning(found: &Evaluation) -> String {
    let scale = match found.model {
        EloModel::Logistic => "Elo",
        EloModel::Normalized => "normalized Elo",
    };
    match found.verdict {
        Verdict::AcceptH1 => format!("better than {} {scale}", found.elo0),
        Verdict::AcceptH0 => format!("not as good as {} {scale}", found.elo1),
        Verdict::Continue | Verdict::Inconclusive => match found.outcomes {
            OutcomeModel::Pentanomial => "more pairs are needed".to_owned(),
            OutcomeModel::Trinomial => "more games are needed".to_owned(),
        },
    }
}
