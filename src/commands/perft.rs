//! `agon perft`: counts move sequences.

use super::{open_game, print};
use crate::cli::PerftArgs;
use crate::error::CommandError;

pub(super) fn perft(args: &PerftArgs) -> Result<(), CommandError> {
    let arena = open_game(&args.game, args.rules.as_deref())?;
    let count = arena
        .perft(args.position.as_deref(), args.depth)
        .map_err(|error| CommandError::Input(error.to_string()))?;
    print(&format!("{count}\n"))
}
