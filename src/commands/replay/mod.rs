//! `agon replay`: a game or a position again, and what an engine searches there.

mod deal;
mod find;
mod game;
mod position;
mod show;
mod tree;

use std::fmt::Write;

use super::archive::{built_in, engines_of};
use super::{open_game, own_engine, print};
use crate::cli::ReplayArgs;
use crate::error::CommandError;
use crate::game::Side;
use crate::play::{Analysis, Arena, Inspection, role_name};
use crate::results::{LimitSpec, MoveLimit};
use crate::search::{Score, SearchLimits, SearchSpec, TraceOptions};

pub(super) fn replay(args: &ReplayArgs) -> Result<(), CommandError> {
    match (&args.run, &args.id) {
        (Some(run), Some(id)) => game::find(args, run, id, |shown| {
            if shown.arena.is_solitaire() {
                deal::replay(args, shown)
            } else {
                shown.replay(args)
            }
        }),
        _ => position::replay(args),
    }
}

/// How much of the tree is asked for.
fn trace_options(args: &ReplayArgs) -> TraceOptions {
    TraceOptions {
        plies: args.plies,
        steps: args.width as usize,
    }
}

/// The limit that is asked for, if one is.
fn asked_limits(args: &ReplayArgs) -> Option<SearchLimits> {
    let nodes = args.nodes.map(|nodes| SearchLimits {
        nodes,
        ..SearchLimits::NONE
    });
    nodes.or(args.depth.map(to_depth))
}

/// The depth where nothing says how far to search.
const DEFAULT_DEPTH: u32 = 3;

fn to_depth(depth: u32) -> SearchLimits {
    SearchLimits {
        depth,
        ..SearchLimits::NONE
    }
}

/// A limit of a config for one move; `None` for time, in which no search can be repeated.
fn repeatable(limit: MoveLimit) -> Option<SearchLimits> {
    match limit {
        MoveLimit::Nodes(nodes) => Some(SearchLimits {
            nodes,
            ..SearchLimits::NONE
        }),
        MoveLimit::Depth(depth) => Some(to_depth(depth)),
        MoveLimit::TimeMs(_) | MoveLimit::Clock(_) => None,
    }
}

/// A game, and who searches its positions.
type InGame = (Box<dyn Arena>, Searcher);

/// Who searches a position anew.
struct Searcher {
    /// Its name in words.
    name: String,
    spec: SearchSpec,
    limits: Option<LimitSpec>,
}

impl Searcher {
    /// The default engine of a game.
    fn default_of(arena: &dyn Arena) -> Result<Searcher, CommandError> {
        Ok(Searcher {
            name: "the default engine".to_owned(),
            spec: super::bench::engine(own_engine(arena, "a search")?, &[])?,
            limits: None,
        })
    }

    /// The limits for `side`: those asked for, the variant's own, or a small depth.
    fn limits(&self, args: &ReplayArgs, side: Side) -> SearchLimits {
        let own = self.limits.and_then(|limits| repeatable(limits.of(side)));
        asked_limits(args)
            .or(own)
            .unwrap_or_else(|| to_depth(DEFAULT_DEPTH))
    }
}

/// The engine that a config's variant is, and its game.
fn configured(args: &ReplayArgs) -> Result<Option<InGame>, CommandError> {
    let (Some(path), Some(variant)) = (&args.config, &args.variant) else {
        return Ok(None);
    };
    let (arena, engines) = engines_of(path, &[])?;
    let shown = path.display().to_string();
    let spec = built_in(&engines, variant, &shown)?.clone();
    let found = engines.iter().find(|one| one.name == *variant);
    let searcher = Searcher {
        name: format!("`{variant}` of {shown}"),
        spec,
        limits: found.map(|found| found.limit),
    };
    Ok(Some((arena, searcher)))
}

/// The board, the position's text, and who is to move.
fn board(arena: &dyn Arena, seen: &Inspection) -> String {
    let turn = match &seen.outcome {
        Some(outcome) => {
            let who = outcome.winner.map_or("a draw".to_owned(), |winner| {
                format!("{} has won", role_name(arena, winner))
            });
            format!("{who} ({})", outcome.reason)
        }
        None => format!(
            "{} to move, {} legal moves",
            role_name(arena, seen.side),
            seen.legal_moves.len()
        ),
    };
    format!("{}\n{}\n{turn}\n", seen.diagram, seen.position)
}

/// A limit in words.
fn limit_text(limits: SearchLimits) -> String {
    match limits {
        SearchLimits { nodes, .. } if nodes < u64::MAX => format!("{nodes} nodes"),
        SearchLimits { depth, .. } => format!("depth {depth}"),
    }
}

/// A search as text: the result, the variation, the tree.
fn analysis_text(arena: &dyn Arena, side: Side, plies: usize, found: &Analysis) -> String {
    if !found.searched {
        return format!("{}: nothing was searched\n", found.mv);
    }
    let score = found.score.map_or("no score".to_owned(), score_text);
    let mut text = format!(
        "best {} {score}, depth {}, {} nodes",
        found.mv, found.depth, found.nodes
    );
    if found.quiescence_nodes > 0 {
        write!(text, " ({} of them quiescence)", found.quiescence_nodes)
            .expect("a string takes every write");
    }
    text += "\nvariation";
    let mut mover = side;
    for (index, mv) in found.pv.iter().enumerate() {
        write!(
            text,
            "  {}. {} {mv}",
            plies + index + 1,
            role_name(arena, mover)
        )
        .expect("a string takes every write");
        mover = mover.other();
    }
    text += "\n";
    match &found.trace {
        Some(trace) => text += &tree::text(trace),
        None => text += "this search has no tree\n",
    }
    text
}

/// A score for people: in units, or how far a proven end is.
fn score_text(score: Score) -> String {
    let Score(hundredths) = score;
    if score.is_proven() {
        let plies = Score::WIN.0 - hundredths.abs();
        let what = if hundredths > 0 { "win" } else { "loss" };
        return format!("{what} in {plies}");
    }
    format!("{:+.2}", f64::from(hundredths) / 100.0)
}
