//! One game: turns, time, legality and faults, until it is over.

use std::time::{Duration, Instant};

use super::Interrupted;
use crate::game::{History, Side, TwoPlayer};
use crate::players::{GameSetup, Player, Reply, Turn};
use crate::results::{
    FaultKind, GameResult, LimitSpec, MoveLimit, MoveRecord, Overrun, Termination,
};
use crate::search::{SearchLimits, StopFlag, TimeLimit};

/// A side at the board.
pub(super) struct Seat<'a, G: TwoPlayer> {
    pub(super) player: &'a mut dyn Player<G>,
    pub(super) limit: LimitSpec,
}

/// What is the same for both sides of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    pub(super) seed: u64,
    pub(super) margin: Duration,
}

/// A finished game, before it has an id.
#[derive(Debug)]
pub(super) struct PlayedGame {
    pub(super) result: GameResult,
    pub(super) termination: Termination,
    pub(super) moves: Vec<MoveRecord>,
    pub(super) overruns: [Overrun; 2],
}

/// Plays from `history`'s last position, which is `position`, to the end.
pub(super) fn play_game<G: TwoPlayer>(
    mut position: G,
    mut history: History<G>,
    seats: &mut [Seat<'_, G>; 2],
    terms: Terms,
    stop: &StopFlag,
) -> Result<PlayedGame, Interrupted> {
    let mut game = PlayedGame {
        result: GameResult::Draw,
        termination: Termination::Rule(String::new()),
        moves: Vec::new(),
        overruns: [Overrun::default(); 2],
    };
    for side in Side::BOTH {
        let setup = GameSetup {
            position: &position,
            role: side,
            seed: terms.seed,
        };
        if let Err(fault) = seats[side.index()].player.new_game(&setup) {
            return Ok(game.lost_by(side, fault.kind));
        }
    }
    loop {
        if let Some(outcome) = position.outcome(&history) {
            seats
                .iter_mut()
                .for_each(|seat| seat.player.game_over(&outcome));
            game.result = GameResult::of(outcome.winner);
            game.termination = Termination::Rule(outcome.reason);
            return Ok(game);
        }
        let side = position.side_to_move();
        match take_turn(
            &position,
            &history,
            &mut seats[side.index()],
            side,
            terms,
            stop,
            &mut game,
        ) {
            Err(Interrupted) => return Err(Interrupted),
            Ok(Err(kind)) => return Ok(game.lost_by(side, kind)),
            Ok(Ok(mv)) => {
                position.play(mv);
                history.push(mv, &position);
            }
        }
    }
}

impl PlayedGame {
    fn lost_by(mut self, side: Side, kind: FaultKind) -> PlayedGame {
        self.result = GameResult::of(Some(side.other()));
        self.termination = Termination::Fault { by: side, kind };
        self
    }

    fn note_overrun(&mut self, side: Side, excess: Duration) {
        let overrun = &mut self.overruns[side.index()];
        overrun.count += 1;
        overrun.largest_us = overrun.largest_us.max(micros(excess));
    }
}

/// Asks one player and records the answer: a legal move, or the fault that loses the game.
fn take_turn<G: TwoPlayer>(
    position: &G,
    history: &History<G>,
    seat: &mut Seat<'_, G>,
    side: Side,
    terms: Terms,
    stop: &StopFlag,
    game: &mut PlayedGame,
) -> Result<Result<G::Move, FaultKind>, Interrupted> {
    let limit = seat.limit.of(side);
    let start = Instant::now();
    let turn = Turn {
        position,
        history,
        limits: search_limits(limit, start),
        stop,
    };
    let reply = seat.player.choose_move(&turn);
    let spent = start.elapsed();
    if stop.is_stopped() {
        return Err(Interrupted);
    }
    if let MoveLimit::TimeMs(ms) = limit {
        let limit = Duration::from_millis(ms);
        if spent > limit {
            game.note_overrun(side, spent - limit);
        }
        if spent > limit + terms.margin {
            return Ok(Err(FaultKind::TimeForfeit));
        }
    }
    let Reply {
        mv,
        score,
        searched,
    } = match reply {
        Ok(reply) => reply,
        Err(fault) => return Ok(Err(fault.kind)),
    };
    if !position.is_legal(mv) {
        return Ok(Err(FaultKind::IllegalMove));
    }
    let text = position.format_move(mv);
    let score = score.map(|score| score.0);
    game.moves.push(MoveRecord {
        text,
        score,
        searched,
        time_us: micros(spent),
    });
    Ok(Ok(mv))
}

fn search_limits(limit: MoveLimit, start: Instant) -> SearchLimits {
    match limit {
        MoveLimit::TimeMs(ms) => {
            let deadline = start + Duration::from_millis(ms);
            SearchLimits {
                time: Some(TimeLimit { start, deadline }),
                ..SearchLimits::NONE
            }
        }
        MoveLimit::Nodes(nodes) => SearchLimits {
            nodes,
            ..SearchLimits::NONE
        },
        MoveLimit::Depth(depth) => SearchLimits {
            depth,
            ..SearchLimits::NONE
        },
    }
}

pub(super) fn micros(span: Duration) -> u64 {
    u64::try_from(span.as_micros()).unwrap_or(u64::MAX)
}
