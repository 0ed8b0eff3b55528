//! Rules and evaluation against a slow second implementation.
//!
//! What is compared is text: the second implementation reads a position's FEN, lists the
//! moves as they are written, and shares no table and no function with the first.

use std::collections::BTreeSet;

use thiserror::Error;

use crate::game::{Game, History, Outcome};
use crate::params::Tunable;
use crate::search::SearchKind;
use crate::search::{
    BuiltIn, Control, Evaluator, Random, Search, SearchLimits, SearchSpec, StopFlag,
};

/// A game of at least one move, as text.
#[derive(Clone, Copy, Debug)]
pub struct Played<'a> {
    /// The first position.
    pub start: &'a str,
    /// The position before the last move.
    pub before: &'a str,
    /// All moves.
    pub moves: &'a [String],
}

impl Played<'_> {
    /// The last move; empty if there is none.
    #[must_use]
    pub fn last(&self) -> &str {
        self.moves.last().map_or("", String::as_str)
    }
}

/// How the last move ends a game, by the second implementation under these rules; an error says
/// what it cannot read.
pub type ReferenceOutcome<G> =
    fn(&Played<'_>, &<G as Game>::Rules) -> Result<Option<Outcome>, String>;

/// A game with a slow second implementation of its rules.
pub trait Verify: BuiltIn {
    /// The ends of games.
    const REFERENCE_OUTCOME: Option<ReferenceOutcome<Self>> = None;

    /// The legal moves of the position that `fen` describes, as text, by the second
    /// implementation; an error says what it cannot read.
    ///
    /// # Errors
    /// A text that the second implementation does not understand.
    fn reference_moves(fen: &str, rules: &Self::Rules) -> Result<BTreeSet<String>, String>;
}

/// What was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// Positions whose moves were compared.
    pub positions: u64,
    /// Moves compared.
    pub moves: u64,
    /// Games that ended.
    pub games: u64,
}

/// The first difference found.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum VerifyError {
    /// The two implementations list different moves.
    #[error("the moves differ in `{fen}`: missing {missing:?}, in excess {excess:?}")]
    Moves {
        /// The position.
        fen: String,
        /// Moves that only the reference lists, at most eight.
        missing: Vec<String>,
        /// Moves that only the game lists, at most eight.
        excess: Vec<String>,
    },
    /// The reference cannot read what the game wrote.
    #[error("the second implementation cannot read `{fen}`: {reason}")]
    Unreadable {
        /// The position.
        fen: String,
        /// What it does not understand.
        reason: String,
    },
    /// The two implementations say otherwise how a move ends the game.
    #[error("the ends differ after `{mv}` in `{fen}`: {found:?}, by the reference {expected:?}")]
    End {
        /// The position before the move.
        fen: String,
        /// The move.
        mv: String,
        /// The end, if it is one.
        found: Option<Outcome>,
        /// The end by the reference.
        expected: Option<Outcome>,
    },
    /// Something that follows from the position does not agree with it.
    #[error("{what} does not agree with `{fen}`")]
    Inconsistent {
        /// The position.
        fen: String,
        /// What disagrees.
        what: &'static str,
    },
}

/// Compares `positions` positions of random games from the start, drawn from `seed`.
///
/// In each: the moves as text with the second implementation; the number of moves; that
/// each is legal; the FEN read back; the key and the evaluation, both carried along the
/// game, with fresh ones. Of the move played, how it ends the game
/// ([`Verify::REFERENCE_OUTCOME`]).
///
/// # Errors
/// The first difference.
pub fn verify<G: Verify>(
    rules: &G::Rules,
    positions: u64,
    seed: u64,
) -> Result<VerifyReport, VerifyError> {
    let spec = SearchSpec::defaults::<G>(SearchKind::Greedy);
    let evaluator = G::Evaluator::from_values(&spec.evaluation);
    let mut report = VerifyReport::default();
    while report.positions < positions {
        let game = seed.wrapping_add(report.games);
        play_out::<G>(rules, &evaluator, game, positions, &mut report)?;
        report.games += 1;
    }
    Ok(report)
}

/// One random game, every position of it compared.
fn play_out<G: Verify>(
    rules: &G::Rules,
    evaluator: &G::Evaluator,
    seed: u64,
    positions: u64,
    report: &mut VerifyReport,
) -> Result<(), VerifyError> {
    let mut random = Random::new();
    Search::<G>::new_game(&mut random, seed);
    let stop = StopFlag::new();
    let mut position = G::start(rules);
    let mut history = History::new(position.clone());
    let mut state = evaluator.reset(&position);
    let start = position.to_fen();
    let mut moves = Vec::new();
    while report.positions < positions {
        report.moves += compare_moves(&position, rules)?;
        report.positions += 1;
        compare_state(&position, rules, evaluator, &state)?;
        if position.outcome(&history).is_some() {
            break;
        }
        let mut control = Control::new(SearchLimits::NONE, &stop);
        let mv = random.search(&position, &history, &mut control).mv;
        let before = position.clone();
        position.play(mv);
        evaluator.apply(&mut state, &before, mv, &position);
        history.push(mv, &position);
        moves.push(before.format_move(mv));
        let played = Played {
            start: &start,
            before: &before.to_fen(),
            moves: &moves,
        };
        compare_end::<G>(&played, &position.outcome(&history), rules)?;
    }
    Ok(())
}

/// Compares how the last move has ended the game.
fn compare_end<G: Verify>(
    played: &Played<'_>,
    found: &Option<Outcome>,
    rules: &G::Rules,
) -> Result<(), VerifyError> {
    let Some(reference) = G::REFERENCE_OUTCOME else {
        return Ok(());
    };
    let fen = played.before.to_owned();
    match reference(played, rules) {
        Ok(expected) if expected == *found => Ok(()),
        Ok(expected) => Err(VerifyError::End {
            fen,
            mv: played.last().to_owned(),
            found: found.clone(),
            expected,
        }),
        Err(reason) => Err(VerifyError::Unreadable { fen, reason }),
    }
}

/// Compares the moves of a position and returns their number.
fn compare_moves<G: Verify>(position: &G, rules: &G::Rules) -> Result<u64, VerifyError> {
    let fen = position.to_fen();
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let found: BTreeSet<String> = moves.iter().map(|mv| position.format_move(*mv)).collect();
    let expected = match G::reference_moves(&fen, rules) {
        Ok(expected) => expected,
        Err(reason) => return Err(VerifyError::Unreadable { fen, reason }),
    };
    let some = |set: &BTreeSet<String>, other: &BTreeSet<String>| {
        set.difference(other).take(8).cloned().collect::<Vec<_>>()
    };
    if found != expected {
        return Err(VerifyError::Moves {
            missing: some(&expected, &found),
            excess: some(&found, &expected),
            fen,
        });
    }
    let inconsistent = |what| VerifyError::Inconsistent {
        fen: fen.clone(),
        what,
    };
    if found.len() != moves.len() || position.count_moves() != moves.len() as u64 {
        return Err(inconsistent("the number of moves"));
    }
    if !moves.iter().all(|mv| position.is_legal(*mv)) {
        return Err(inconsistent("the legality of a listed move"));
    }
    let read_back = |text: &String| position.parse_move(text).ok();
    if !found
        .iter()
        .all(|text| read_back(text).is_some_and(|mv| moves.contains(&mv)))
    {
        return Err(inconsistent("a move read back"));
    }
    Ok(moves.len() as u64)
}

/// Compares what is carried along a game with the same made afresh.
fn compare_state<G: Verify>(
    position: &G,
    rules: &G::Rules,
    evaluator: &G::Evaluator,
    state: &<G::Evaluator as Evaluator<G>>::State,
) -> Result<(), VerifyError> {
    let fen = position.to_fen();
    let inconsistent = |what| VerifyError::Inconsistent {
        fen: fen.clone(),
        what,
    };
    let Ok(fresh) = G::from_fen(&fen, rules) else {
        return Err(inconsistent("the position read back"));
    };
    if fresh.to_fen() != fen {
        return Err(inconsistent("the text of the position read back"));
    }
    if fresh.key() != position.key() {
        return Err(inconsistent("the key"));
    }
    let fresh_state = evaluator.reset(&fresh);
    if fresh_state != *state {
        return Err(inconsistent("the incremental state of the evaluation"));
    }
    if evaluator.evaluate(&fresh_state, &fresh) != evaluator.evaluate(state, position) {
        return Err(inconsistent("the evaluation"));
    }
    Ok(())
}
