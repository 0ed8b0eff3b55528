//! `agon inspect`: a position as people and programs see it.

use std::fmt::Write;

use super::{open_game, print};
use crate::cli::InspectArgs;
use crate::error::CommandError;
use crate::play::role_name;

pub(super) fn inspect(args: &InspectArgs) -> Result<(), CommandError> {
    let arena = open_game(&args.game.game, args.game.rules.as_deref())?;
    let moves = args.moves.iter().flat_map(|moves| moves.split_whitespace());
    let moves: Vec<String> = moves.map(str::to_owned).collect();
    let seen = arena
        .inspect(args.position.as_deref(), &moves)
        .map_err(|error| CommandError::Input(error.to_string()))?;
    if args.json {
        return print(&format!("{}\n", seen.to_json()));
    }
    let mut text = format!("{}\n{}\n", seen.diagram, seen.position);
    let side = role_name(arena.as_ref(), seen.side);
    let written = match &seen.outcome {
        Some(outcome) => {
            let who = outcome.winner.map_or("a draw".to_owned(), |winner| {
                format!("{} has won", role_name(arena.as_ref(), winner))
            });
            writeln!(text, "{who} ({})", outcome.reason)
        }
        None => writeln!(
            text,
            "{side} to move, {} legal moves\n{}",
            seen.legal_moves.len(),
            seen.legal_moves.join(" ")
        ),
    };
    written.expect("a string takes every write");
    print(&text)
}
