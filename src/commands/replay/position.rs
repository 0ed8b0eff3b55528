//! Positions that are given, or those of a suite.

use serde::Serialize;

use super::{
    Searcher, analysis_text, board, configured, limit_text, open_game, own_engine, print,
    trace_options,
};
use crate::cli::ReplayArgs;
use crate::error::CommandError;
use crate::play::{Analysis, Arena, Question};
use crate::results::OpeningSpec;

/// A position as one JSON object.
#[derive(Serialize)]
struct PositionJson<'a> {
    name: &'a str,
    fen: &'a str,
    moves: &'a [String],
    position: serde_json::Value,
    limit: Option<String>,
    search: Option<&'a Analysis>,
}

pub(super) fn replay(args: &ReplayArgs) -> Result<(), CommandError> {
    let (arena, searcher) = match configured(args)? {
        Some((arena, searcher)) => (arena, Some(searcher)),
        None => {
            let game = args.game.as_deref().ok_or_else(|| {
                CommandError::Usage(
                    "name the position's game with --game, or --config and --variant".to_owned(),
                )
            })?;
            let arena = open_game(game, args.rules.as_deref())?;
            // A game that agon cannot search still has boards.
            let searcher = match arena.own() {
                Some(_) => Some(Searcher::default_of(arena.as_ref())?),
                None => None,
            };
            (arena, searcher)
        }
    };
    for (index, opening) in positions(args, arena.as_ref())?.iter().enumerate() {
        if index > 0 && !args.json {
            print("\n")?;
        }
        print(&show(args, arena.as_ref(), searcher.as_ref(), opening)?)?;
    }
    Ok(())
}

/// What is to be shown.
fn positions(args: &ReplayArgs, arena: &dyn Arena) -> Result<Vec<OpeningSpec>, CommandError> {
    let Some(path) = &args.suite else {
        let moves = args.moves.iter().flat_map(|moves| moves.split_whitespace());
        return Ok(vec![OpeningSpec {
            name: String::new(),
            fen: args.position.clone().unwrap_or_default(),
            moves: moves.map(str::to_owned).collect(),
            same_as: None,
        }]);
    };
    let bytes = std::fs::read(path).map_err(CommandError::file("read", path))?;
    let suite = arena.read_suite(&bytes).map_err(|errors| {
        let errors = errors.to_string().replace('\n', "\n  ");
        CommandError::Input(format!("`{}`:\n  {errors}", path.display()))
    })?;
    let mut found = suite.openings;
    if let Some(name) = &args.name {
        let known: Vec<String> = found.iter().map(|one| one.name.clone()).collect();
        found.retain(|one| one.name == *name);
        if found.is_empty() {
            let near = crate::config::nearest(name, known.iter().map(String::as_str));
            let near = near.map_or(String::new(), |near| format!(" Did you mean `{near}`?"));
            return Err(CommandError::Usage(format!(
                "no position of `{}` is called `{name}`.{near} Positions: {}",
                path.display(),
                known.join(", ")
            )));
        }
    }
    Ok(found)
}

fn show(
    args: &ReplayArgs,
    arena: &dyn Arena,
    searcher: Option<&Searcher>,
    opening: &OpeningSpec,
) -> Result<String, CommandError> {
    let OpeningSpec {
        name, fen, moves, ..
    } = opening;
    let refused = |error: crate::play::PositionError| CommandError::Input(error.to_string());
    let seen = arena.inspect(Some(fen), moves).map_err(refused)?;
    let searcher = searcher.filter(|_| seen.outcome.is_none());
    let limits = searcher.map(|searcher| searcher.limits(args, seen.side));
    let found = match searcher.zip(limits) {
        None => None,
        Some((searcher, limits)) => {
            let question = Question {
                spec: &searcher.spec,
                fen: Some(fen),
                moves,
                earlier: &[],
                seed: 0,
                limits,
                trace: trace_options(args),
            };
            let own = own_engine(arena, "replay")?;
            Some(own.analyse(&question).map_err(refused)?)
        }
    };
    if args.json {
        let object = PositionJson {
            name,
            fen,
            moves,
            position: seen.to_json(),
            limit: limits.map(limit_text),
            search: found.as_ref(),
        };
        return Ok(serde_json::to_string(&object).expect("plain data serialises") + "\n");
    }
    let mut text = String::new();
    if !name.is_empty() {
        text += &format!("{name}\n");
    }
    text += &board(arena, &seen);
    match (searcher, limits, found) {
        (Some(searcher), Some(limits), Some(found)) => {
            let limit = limit_text(limits);
            text += &format!(
                "\nsearch of {} to {limit}, from an empty table\n",
                searcher.name
            );
            text += &analysis_text(arena, seen.side, moves.len(), &found);
        }
        _ if arena.is_solitaire() => {
            text += &format!("`agon solve {} --trace` runs its solver\n", arena.game());
        }
        _ if seen.outcome.is_none() => {
            text += &format!("{} has no built-in engine to search it\n", arena.game());
        }
        _ => {}
    }
    Ok(text)
}
