//! The rows of a run, held against the plan that they should be games of.

use std::collections::HashSet;
use std::path::Path;

use crate::error::CommandError;
use crate::game::Side;
use crate::play::{Arena, NOT_SOLVED};
use crate::registry;
use crate::results::{
    FaultKind, GameId, GameRecord, GameResult, GameSpec, JournalError, Place, RowError, RowStamp,
    RunFile, RunSpec, Termination,
};
use crate::schedule;
use crate::search::Unsolved;

/// What stands in every row of a run whose folder is called `id`.
pub(super) fn stamp(run: &RunFile, id: String) -> RowStamp {
    RowStamp {
        run: id,
        config: run.config_hash(),
        rules: run.spec.game.rules.to_string(),
    }
}

/// Refuses rows that are not games of this plan, with file and line.
pub(super) fn check_rows(
    arena: &dyn Arena,
    path: &Path,
    spec: &RunSpec,
    games: &[(u64, GameRecord)],
) -> Result<(), JournalError> {
    let mut seen = HashSet::new();
    let mut voids = HashSet::new();
    for (line, game) in games {
        let refuse = |what: &str| JournalError::Row {
            path: path.to_owned(),
            line: *line,
            source: RowError::Format(format!("game {}: {what}", game.id)),
        };
        let Some(Place { pairing, pair, leg }) = spec.places(game.id).next() else {
            return Err(refuse("the plan has no such game"));
        };
        let job = schedule::job(spec, pairing, pair, leg);
        let opening = &spec.openings[job.opening];
        let second = match game.id {
            GameId::Leg { .. } => spec.variants[job.second].name.as_str(),
            GameId::Deal { .. } => "",
        };
        let same = game.seed == job.seed
            && game.first == spec.variants[job.first].name
            && game.second == second
            && game.opening == opening.name
            && game.opening_fen == opening.fen
            && game.opening_moves == opening.moves;
        if !same {
            return Err(refuse("seed, engines or opening are not those of the plan"));
        }
        // Only a void game asks for another attempt at its pair.
        let of_pair = |attempt: u32| (pairing, pair, attempt);
        let asked_for =
            game.attempt == 1 || (game.attempt > 1 && voids.contains(&of_pair(game.attempt - 1)));
        if !asked_for {
            return Err(refuse("no earlier line is a void attempt at this pair"));
        }
        if game.void {
            voids.insert(of_pair(game.attempt));
        }
        ends_as_it_says(arena, spec, game).map_err(|what| refuse(&what))?;
        if !seen.insert((game.id, game.attempt)) {
            return Err(refuse("an earlier line has the same game"));
        }
    }
    Ok(())
}

/// The arena of a run's game.
pub(super) fn arena_of(spec: &RunSpec) -> Result<Box<dyn Arena>, CommandError> {
    let GameSpec { name, rules } = &spec.game;
    let entry = registry::find(name)
        .ok_or_else(|| CommandError::Input(format!("this agon has no game called `{name}`")))?;
    entry
        .open(rules.clone())
        .map_err(|error| CommandError::Input(format!("rules of {name}: {error}")))
}

/// Whether the moves are legal and lead to the end that the record says; what is wrong if not.
pub(super) fn ends_as_it_says(
    arena: &dyn Arena,
    spec: &RunSpec,
    game: &GameRecord,
) -> Result<(), String> {
    let played = game.moves.iter().map(|mv| mv.text.clone());
    let moves: Vec<String> = game.opening_moves.iter().cloned().chain(played).collect();
    let seen = arena
        .inspect(Some(&game.opening_fen), &moves)
        .map_err(|error| format!("column `moves`: {error}"))?;
    let follows = match (game.termination.clone(), seen.outcome) {
        (Termination::Adjudicated(why), None) => {
            let decided = spec.adjudication.decide(&game.moves, game.first_to_move);
            !game.void && decided == Some((why, game.result))
        }
        (Termination::Rule(reason), Some(outcome)) => {
            let is_solution = game.detail.is_empty() && game.first_to_move == Side::First;
            !game.void
                && reason == outcome.reason
                && game.result == GameResult::of(outcome.winner)
                && (is_solution || !arena.is_solitaire())
        }
        (Termination::Fault { by, kind }, None) => {
            let may_be_void = kind == FaultKind::TimeForfeit || !game.void;
            may_be_void && game.result == GameResult::of(Some(by.other()))
        }
        // How far a solver went, only it can say.
        (Termination::Rule(reason), None) if arena.is_solitaire() => {
            let known = Unsolved::ALL.iter().any(|why| why.word() == game.detail);
            let lost = known && game.result == GameResult::SecondWins;
            !game.void && reason == NOT_SOLVED && lost && game.first_to_move == Side::First
        }
        (Termination::Rule(_), None)
        | (Termination::Fault { .. } | Termination::Adjudicated(_), Some(_)) => false,
    };
    if follows {
        Ok(())
    } else {
        Err("result and termination do not follow from the moves".to_owned())
    }
}
