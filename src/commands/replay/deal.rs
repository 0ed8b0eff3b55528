//! A deal of a run: its solution, and the layers of the search that found it.

use serde_json::json;

use super::game::Shown;
use super::{board, print};
use crate::cli::ReplayArgs;
use crate::commands::solve::{TracedLayer, trace_text};
use crate::error::CommandError;
use crate::play::{SOLVED, SolvedDeal, SolverLimits};
use crate::results::{EngineKind, MoveLimit, MoveRecord, Termination, VariantSpec};
use crate::search::{Layer, SearchSpec, StopFlag};

/// A search of the deal.
struct Search {
    /// Who searches, in words.
    by: String,
    /// The states that it may make, where another search than that of the record was asked for.
    limit: Option<u64>,
    found: SolvedDeal,
    layers: Vec<TracedLayer>,
}

/// The states where nothing else is asked of another variant.
const DEFAULT_NODES: u64 = 1_000_000;

pub(super) fn replay(args: &ReplayArgs, shown: &Shown<'_>) -> Result<(), CommandError> {
    let search = search(args, shown)?;
    print(&if args.json {
        json(shown, &search)
    } else {
        text(shown, &search)
    })
}

fn search(args: &ReplayArgs, shown: &Shown<'_>) -> Result<Search, CommandError> {
    if args.depth.is_some() {
        let message = "--depth is for games of two sides; --nodes limits the states of a deal";
        return Err(CommandError::Usage(message.to_owned()));
    }
    if let Some((_, searcher)) = super::configured(args)? {
        let nodes = args.nodes.unwrap_or(DEFAULT_NODES);
        return solve(shown, searcher.name, &searcher.spec, nodes, Some(nodes));
    }
    let of_record = shown
        .game
        .moves
        .first()
        .and_then(|mv: &MoveRecord| mv.searched);
    let Some(VariantSpec {
        name,
        engine: EngineKind::BuiltIn(spec),
        limit,
        ..
    }) = shown
        .run
        .spec
        .variants
        .iter()
        .find(|one| one.name == shown.game.first)
    else {
        let message = format!("run.json has no solver called `{}`", shown.game.first);
        return Err(CommandError::Input(message));
    };
    let mut spec = spec.clone();
    if let MoveLimit::Depth(depth) = limit.first {
        let declared = shown.arena.declares();
        let declared = declared.map_or_else(Vec::new, |own| own.search_parameters(spec.kind));
        let depth = f64::from(depth).min(spec.parameters.get("depth"));
        spec.parameters
            .set(&declared, "depth", depth)
            .map_err(|error| CommandError::Input(error.to_string()))?;
    }
    // Whatever ended the search of the record, it ended with this state.
    let nodes = args.nodes.or(of_record.map(|searched| searched.nodes));
    let by = format!("`{name}`");
    solve(shown, by, &spec, nodes.unwrap_or(DEFAULT_NODES), args.nodes)
}

fn solve(
    shown: &Shown<'_>,
    by: String,
    spec: &SearchSpec,
    nodes: u64,
    limit: Option<u64>,
) -> Result<Search, CommandError> {
    let refused = |error: crate::play::PositionError| CommandError::Input(error.to_string());
    let game = shown.game;
    let start = shown
        .arena
        .inspect(Some(&game.opening_fen), &game.opening_moves)
        .map_err(refused)?;
    let solving = shown
        .arena
        .solving()
        .ok_or_else(|| CommandError::Input(format!("{} has no solver", shown.arena.game())))?;
    let limits = SolverLimits {
        nodes,
        time_ms: None,
    };
    let mut layers = Vec::new();
    let mut keep = |layer: &Layer, position| {
        layers.push(TracedLayer {
            layer: *layer,
            position,
        });
    };
    let found = solving
        .solver(spec, limits)
        .solve(&start.position, &StopFlag::new(), Some(&mut keep))
        .map_err(refused)?;
    Ok(Search {
        by,
        limit,
        found,
        layers,
    })
}

/// Whether the search is that of the record: moves, states and layers are the same.
fn as_recorded(shown: &Shown<'_>, search: &Search) -> Option<bool> {
    if search.limit.is_some() {
        return None;
    }
    let moves = shown.game.moves.iter().map(|mv| &mv.text);
    let searched = shown.game.moves.first().and_then(|mv| mv.searched);
    let effort = searched.map(|searched| (searched.nodes, searched.depth));
    let SolvedDeal { states, layers, .. } = search.found;
    // Where no move is legal, nothing was searched.
    let same = effort.is_none_or(|effort| effort == (states, layers));
    Some(moves.eq(&search.found.moves) && same)
}

fn text(shown: &Shown<'_>, search: &Search) -> String {
    let Shown {
        game, ply, arena, ..
    } = shown;
    let ended = if game.detail.is_empty() {
        format!("{} in {} moves", game.termination, game.moves.len())
    } else {
        format!("{} ({})", game.termination, game.detail)
    };
    let played: Vec<&str> = game.moves.iter().map(|mv| mv.text.as_str()).collect();
    let what = if game.termination == Termination::Rule(SOLVED.to_owned()) {
        "solution"
    } else {
        "moves to the best state of the last layer"
    };
    let mut text = format!(
        "deal {} of {}, opening {}: {}\n{ended}\n{what}: {}\n\nafter move {ply} of {}\n{}",
        game.id,
        shown.run.spec.name,
        game.opening,
        game.first,
        played.join(" "),
        game.moves.len(),
        board(*arena, &shown.seen),
    );
    let by = &search.by;
    text += &match (as_recorded(shown, search), search.limit) {
        (Some(true), _) => {
            format!(
                "\nsearch of {by}, as in the run: moves, states and layers are those of the record\n"
            )
        }
        (Some(false), _) => format!(
            "\nsearch of {by}, NOT as in the run: this build searches otherwise than the one that \
             solved\n"
        ),
        (None, limit) => format!(
            "\nsearch of {by} with {} states\n",
            limit.unwrap_or(DEFAULT_NODES)
        ),
    };
    let SolvedDeal {
        states,
        width,
        layers,
        restarts,
        ..
    } = search.found;
    let recorded = as_recorded(shown, search) == Some(true);
    let outcome = match search.found.reason {
        // It was stopped at the state where another limit had struck.
        Some(_) if recorded => format!("not solved ({})", game.detail),
        None => format!("solved in {} moves", search.found.moves.len()),
        Some(reason) => format!("not solved ({})", reason.word()),
    };
    text += &trace_text(&search.layers);
    text + &format!(
        "{outcome}: {states} states, width {width}, {layers} layers, {restarts} restarts\n"
    )
}

fn json(shown: &Shown<'_>, search: &Search) -> String {
    let Shown {
        run,
        game,
        ply,
        seen,
        ..
    } = shown;
    let texts =
        |moves: &[MoveRecord]| -> Vec<String> { moves.iter().map(|mv| mv.text.clone()).collect() };
    let searched = game.moves.first().and_then(|mv| mv.searched);
    let SolvedDeal {
        reason,
        moves,
        states,
        width,
        layers,
        restarts,
        ..
    } = &search.found;
    let object = json!({
        "run": run.spec.name,
        "id": game.id.to_string(),
        "game": run.spec.game.name,
        "variant": game.first,
        "opening": game.opening,
        "opening_fen": game.opening_fen,
        "opening_moves": game.opening_moves,
        "termination": game.termination.to_string(),
        "detail": game.detail,
        "moves": texts(&game.moves),
        "states": searched.map(|searched| searched.nodes),
        "layers": searched.map(|searched| searched.depth),
        "ply": ply,
        "position": seen.to_json(),
        "search": {
            "by": search.by,
            "limit": search.limit,
            "as_recorded": as_recorded(shown, search),
            "reason": reason.map(|reason| reason.word()),
            "moves": moves,
            "states": states,
            "width": width,
            "layers": layers,
            "restarts": restarts,
            "trace": search.layers,
        },
    });
    format!("{object}\n")
}
