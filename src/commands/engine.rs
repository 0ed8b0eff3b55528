//! `agon engine`: a built-in engine that speaks UCI.

use super::{open_game, own_engine};
use crate::cli::GameArgs;
use crate::error::CommandError;

pub(super) fn engine(args: &GameArgs) -> Result<(), CommandError> {
    let arena = open_game(&args.game, args.rules.as_deref())?;
    let own = own_engine(arena.as_ref(), "engine")?;
    own.serve(&mut std::io::stdin().lock(), Box::new(std::io::stdout()))?;
    Ok(())
}
