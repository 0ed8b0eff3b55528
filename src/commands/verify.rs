//! `agon verify`: a game's rules and evaluation against a slow second implementation.

use super::{open_game, own_engine, print};
use crate::cli::VerifyArgs;
use crate::error::CommandError;

pub(super) fn verify(args: &VerifyArgs) -> Result<(), CommandError> {
    let arena = open_game(&args.game.game, args.game.rules.as_deref())?;
    let report = own_engine(arena.as_ref(), "verify")?.verify(args.positions, args.seed)?;
    print(&format!(
        "{}: the same in {} positions of {} random games (seed {}), {} moves compared as text, \
         and the evaluation carried along with a fresh one\n",
        args.game.game, report.positions, report.games, args.seed, report.moves
    ))
}
