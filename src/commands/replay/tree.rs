//! A search tree as text, in the order in which it was searched.

use std::fmt::Write;

use super::score_text;
use crate::search::{Branches, End, Order, Round, Score, Step, Trace};

/// Every pass in a line, the tree of the last one that has a result, and that of a later one that
/// the limits ended.
pub(super) fn text(trace: &Trace<String>) -> String {
    let rounds = &trace.rounds;
    let mut text = String::new();
    if rounds.is_empty() {
        return text;
    }
    text += "\ndepth by depth\n";
    for round in rounds {
        writeln!(text, "  {}", round_text(round)).expect("a string takes every write");
    }
    let exact = rounds.iter().rfind(|round| round.is_exact());
    let unfinished = rounds.last().filter(|round| round.score.is_none());
    for round in exact.into_iter().chain(unfinished) {
        if round.branches.steps.is_empty() {
            continue;
        }
        let what = if round.is_exact() {
            "in the order of search; each score is for the side that moves"
        } else {
            "as far as it came"
        };
        writeln!(text, "\nthe tree of depth {}, {what}", round.depth)
            .expect("a string takes every write");
        branches(&mut text, &round.branches, 1);
    }
    text
}

fn round_text(round: &Round<String>) -> String {
    let result = match round.score {
        None => "not finished".to_owned(),
        Some(score) if score <= round.alpha => {
            format!("{} or less: searched again", score_text(score))
        }
        Some(score) if score >= round.beta => {
            format!("{} or more: searched again", score_text(score))
        }
        Some(score) => score_text(score),
    };
    let window = match (bounded(round.alpha), bounded(round.beta)) {
        (None, None) => String::new(),
        (alpha, beta) => format!(
            ", window {} to {}",
            alpha.unwrap_or_else(|| "any".to_owned()),
            beta.unwrap_or_else(|| "any".to_owned())
        ),
    };
    format!(
        "depth {}{window}: {result}, {} nodes",
        round.depth, round.nodes
    )
}

/// A bound that bounds something.
fn bounded(score: Score) -> Option<String> {
    (score.0.abs() < Score::INFINITE.0).then(|| score_text(score))
}

fn branches(text: &mut String, branches: &Branches<String>, level: usize) {
    let indent = "    ".repeat(level);
    let mut last = None;
    for step in &branches.steps {
        let again = last == Some(step.number) && step.number > 0;
        last = Some(step.number);
        writeln!(text, "{indent}{}", step_text(step, again)).expect("a string takes every write");
        self::branches(text, &step.branches, level + 1);
    }
    if branches.left_out > 0 {
        writeln!(
            text,
            "{indent}and {} more, none better, {} nodes",
            branches.left_out, branches.left_out_nodes
        )
        .expect("a string takes every write");
    }
}

fn step_text(step: &Step<String>, again: bool) -> String {
    let name = match &step.mv {
        Some(mv) if again => format!("{}. {mv} again", step.number),
        Some(mv) => format!("{}. {mv}", step.number),
        None => "pass".to_owned(),
    };
    let value = match step.value {
        None => "no value".to_owned(),
        Some(value) if value <= step.alpha => format!("<= {}", score_text(value)),
        Some(value) if value >= step.beta => format!(">= {}", score_text(value)),
        Some(value) => format!("= {}", score_text(value)),
    };
    let mut notes = Vec::new();
    match step.order {
        Order::Table => notes.push("table move".to_owned()),
        Order::Killer => notes.push("killer".to_owned()),
        Order::Pass => notes.push("null move".to_owned()),
        Order::Root | Order::Ranked => {}
    }
    if step.is_null_window() {
        notes.push("null window".to_owned());
    }
    if step.reduced > 0 && step.mv.is_some() {
        notes.push(format!("reduced by {}", step.reduced));
    }
    notes.push(end_text(step));
    format!(
        "{name}  {value}  depth {}, {} nodes  [{}]",
        step.depth,
        step.nodes,
        notes.join(", ")
    )
}

fn end_text(step: &Step<String>) -> String {
    match step.end {
        None => "not finished".to_owned(),
        Some(End::Certain) => "known for certain".to_owned(),
        Some(End::Leaf) => "leaf".to_owned(),
        Some(End::TableExact) => "score from the table".to_owned(),
        Some(End::TableBound) => "bound from the table".to_owned(),
        Some(End::MateDistance) => "cut: a shorter end is known".to_owned(),
        Some(End::NullMove) => "cut: even a pass refutes it".to_owned(),
        Some(End::AllMoves) => "all replies searched".to_owned(),
        Some(End::Cutoff { by }) => {
            let reply = step.branches.steps.iter().rfind(|reply| reply.number == by);
            match reply.and_then(|reply| reply.mv.as_ref()) {
                Some(mv) => format!("cut: reply {by}, {mv}, refutes it"),
                None => format!("cut: reply {by} refutes it"),
            }
        }
    }
}
