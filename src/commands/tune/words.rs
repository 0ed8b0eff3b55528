//! A tuning in words.

use std::fmt::Write;

use super::rows::{Rows, TurnRow};
use crate::params::ParameterValues;
use crate::report::aligned;
use crate::stats::{Estimates, PairCounts, Tally};
use crate::tune::{Answer, Axis, Finding, InTurn, TuneSpec, TurnEvent, setting_name};

/// A number with at most four decimals.
pub(super) fn number(value: f64) -> String {
    ((value * 1e4).round() / 1e4).to_string()
}

/// The names of what is tuned at once.
pub(super) fn names(axes: &[Axis]) -> String {
    let names: Vec<&str> = axes.iter().map(Axis::name).collect();
    names.join(", ")
}

/// A setting: the value alone where it is one.
pub(super) fn setting(values: &ParameterValues) -> String {
    let all: Vec<f64> = values.iter().map(|(_, value)| value).collect();
    match all[..] {
        [value] => value.to_string(),
        _ => setting_name(values),
    }
}

/// What is about to be done.
pub(super) fn opening(spec: &TuneSpec) -> String {
    let range = |tuned: &crate::tune::TunedSpec| {
        format!(
            "`{}` from {} to {}",
            tuned.parameter.name,
            number(tuned.low),
            number(tuned.high)
        )
    };
    let ranges: Vec<String> = spec.parameters.iter().map(range).collect();
    format!(
        "tuning {} of {} by {}",
        ranges.join(", "),
        spec.base.name,
        spec.method.name()
    )
}

/// The estimate so far, after a batch.
pub(super) fn batch(turn: u32, what: &str, batch: u32, answer: &Answer) -> String {
    let found: Vec<String> = answer
        .estimates
        .iter()
        .map(|found| {
            let interval = found.interval.map_or(String::new(), |(low, high)| {
                format!(" ({} to {})", number(low), number(high))
            });
            format!("{}{interval}", number(found.estimate))
        })
        .collect();
    let base: Vec<String> = answer
        .estimates
        .iter()
        .map(|found| number(found.base))
        .collect();
    let gain = answer.gain.map_or(String::new(), |gain| {
        format!(
            ", {:+.1} ± {:.1} Elo against {}",
            gain.elo.0,
            gain.error,
            base.join(", ")
        )
    });
    format!(
        "turn {}, {what}, batch {}: best so far {}{gain}; {} games",
        turn + 1,
        batch + 1,
        found.join(", "),
        2 * answer.pairs
    )
}

/// How a turn has ended.
pub(super) fn turn(rows: &[TurnRow]) -> String {
    let Some(first) = rows.first() else {
        return String::new();
    };
    let mut text = format!("turn {}: {}", first.turn, finding(rows));
    let shown = first.finding != Finding::NoDifferenceShown.name();
    for advice in rows.iter().filter_map(|row| row.advice.as_ref()) {
        // Where nothing is shown, it may be chance that leads to an end of the range.
        let doubt = if shown { "" } else { "if it is no chance: " };
        text += &format!("\n  {doubt}{advice}");
    }
    text
}

/// What was found, in one line.
fn finding(rows: &[TurnRow]) -> String {
    let pairs = |of: fn(&TurnRow) -> f64| {
        let texts: Vec<String> = rows
            .iter()
            .map(|row| format!("{} {}", row.parameter, number(of(row))))
            .collect();
        texts.join(", ")
    };
    let Some(first) = rows.first() else {
        return String::new();
    };
    let (value, base) = (pairs(|row| row.value), pairs(|row| row.base));
    let gain = match (first.gain, first.gain_error) {
        (Some(gain), Some(error)) => format!("{gain:+.1} ± {error:.1} Elo"),
        _ => "unknown".to_owned(),
    };
    let sure = first.confidence.map_or(String::new(), |share| {
        format!(", {:.1}% sure", 100.0 * share)
    });
    let p_value = first
        .p_value
        .map_or(String::new(), |p| format!(", p {p:.4}"));
    match first.finding {
        "better" => {
            let confirmed = match (&first.confirm_verdict, first.confirm_games) {
                (Some(verdict), Some(games)) => format!(
                    "; the confirming match says {verdict} after {games} games{}: {}",
                    first
                        .confirm_elo
                        .map_or(String::new(), |elo| format!(" ({elo:+.1} Elo)")),
                    if first.adopted {
                        "adopted"
                    } else {
                        "not adopted"
                    }
                ),
                _ => "; no confirming match, so it is not adopted".to_owned(),
            };
            format!("{value} is better than {base}: {gain}{sure}{p_value}{confirmed}")
        }
        "base is best" => format!("{base} is best, the base's own{p_value}; nothing changes"),
        other if first.value.to_bits() == first.base.to_bits() && rows.len() == 1 => {
            format!("{other}: {base}, the base's own, looks best{p_value}; the base is kept")
        }
        other => format!(
            "{other}: {value} looks best, {gain} against {base}{sure}{p_value}; the base is kept"
        ),
    }
}

/// All that was found: what each value did, and what came of each turn.
pub(super) fn report(rows: &Rows, turns: &InTurn) -> String {
    let mut text = String::new();
    for event in turns.events() {
        let of_turn = rows.of_turn(event);
        if let [row] = &of_turn[..] {
            writeln!(text, "{} in turn {}", row.parameter, row.turn)
                .expect("a string takes every write");
            text += &values(event);
            if let (Some(estimate), Some(low), Some(high)) =
                (row.estimate, row.estimate_low, row.estimate_high)
            {
                writeln!(
                    text,
                    "  the fitted curve is highest at {} (95%: {} to {})",
                    number(estimate),
                    number(low),
                    number(high)
                )
                .expect("a string takes every write");
            }
        }
        text += &turn(&of_turn);
        text += "\n\n";
    }
    let base = turns.base();
    let changed = turns.events().iter().any(TurnEvent::adopted);
    text += &match (turns.events().is_empty(), changed) {
        (true, _) => "no turn has ended yet\n".to_owned(),
        (_, true) => format!("the base is now {}\n", setting_name(&base)),
        (_, false) => format!("the base is kept: {}\n", setting_name(&base)),
    };
    text
}

/// Every value of a turn with all its games.
fn values(event: &TurnEvent) -> String {
    let mut found: Vec<(f64, PairCounts)> = Vec::new();
    let mut add = |values: &ParameterValues, pairs: PairCounts| {
        let Some((_, value)) = values.iter().next() else {
            return;
        };
        let place = found.iter().position(|(known, _)| *known == value);
        let place = place.unwrap_or_else(|| {
            found.push((value, PairCounts::default()));
            found.len() - 1
        });
        for (cell, count) in found[place].1.0.iter_mut().zip(pairs.0) {
            *cell += count;
        }
    };
    for played in &event.played {
        let pairs = played.pairs.counts();
        add(&played.trial.candidate, pairs);
        add(&played.trial.base, pairs.reversed());
    }
    found.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut cells = vec![
        ["value", "pairs", "score", "95%"]
            .map(str::to_owned)
            .to_vec(),
    ];
    for (value, pairs) in found {
        let tally = Tally {
            pairs,
            ..Tally::default()
        };
        let rate = Estimates::of(&tally).win_rate;
        let percent = |share: f64| format!("{:.1}%", 100.0 * share);
        cells.push(vec![
            value.to_string(),
            pairs.pairs().to_string(),
            rate.as_ref()
                .map_or("-".to_owned(), |rate| percent(rate.value)),
            rate.and_then(|rate| rate.interval)
                .map_or("unknown".to_owned(), |interval| {
                    format!("{} to {}", percent(interval.low), percent(interval.high))
                }),
        ]);
    }
    aligned(&cells, 0)
}
