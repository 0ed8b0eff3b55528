//! One game: turns, time, legality and faults, until it is over.

use std::time::{Duration, Instant};

use super::Interrupted;
use super::clock::Clock;
use crate::game::{History, Side, TwoPlayer};
use crate::players::engine::WORTH_A_LOOK;
use crate::players::{Budget, DelayMeter, Fault, GameSetup, Player, Reply, Turn};
use crate::results::{
    AdjudicationSpec, FaultKind, GameResult, LimitSpec, MoveLimit, MoveRecord, Overrun, Termination,
};
use crate::search::{SearchLimits, StopFlag, TimeLimit};

/// A side at the board.
pub(super) struct Seat<'a, G: TwoPlayer> {
    pub(super) player: &'a mut dyn Player<G>,
    pub(super) limit: LimitSpec,
    /// How long a move may take where no clock runs.
    pub(super) stall: Option<Duration>,
}

impl<G: TwoPlayer> Seat<'_, G> {
    fn budget(&self, side: Side, clock: &Clock, margin: Duration) -> Budget {
        let limit = self.limit.of(side);
        let span = match clock.allowed(side, limit) {
            Some(allowed) => allowed + margin,
            None => self.stall.unwrap_or(DEFAULT_STALL),
        };
        Budget {
            limit,
            span,
            left: clock.left(),
            increment: clock.increment(),
            moves_to_go: clock.moves_to_go(side),
        }
    }
}

/// What is the same for both sides of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    pub(super) seed: u64,
    pub(super) margin: Duration,
    /// Which ends are decided early.
    pub(super) adjudication: AdjudicationSpec,
    /// Whether a late move that the machine explains makes the game void.
    pub(super) may_be_void: bool,
}

/// How long a move may take where no clock runs and nobody has said.
const DEFAULT_STALL: Duration = Duration::from_secs(60);

/// What is measured during a game.
struct Watch {
    clock: Clock,
    /// This thread's waiting.
    delay: DelayMeter,
}

/// A finished game, before it has an id.
#[derive(Debug)]
pub(super) struct PlayedGame {
    pub(super) result: GameResult,
    pub(super) termination: Termination,
    /// The particulars of a fault.
    pub(super) detail: String,
    /// Whether the machine explains the fault.
    pub(super) void: bool,
    /// The longest that this thread waited for a processor during a move.
    pub(super) runner_delay: Duration,
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
        detail: String::new(),
        void: false,
        runner_delay: Duration::ZERO,
        moves: Vec::new(),
        overruns: [Overrun::default(); 2],
    };
    let first_to_move = position.side_to_move();
    let limits = Side::BOTH.map(|side| seats[side.index()].limit.of(side));
    let mut watch = Watch {
        clock: Clock::new(limits),
        delay: DelayMeter::of_this_thread(),
    };
    for side in Side::BOTH {
        let seat = &mut seats[side.index()];
        let setup = GameSetup {
            position: &position,
            history: &history,
            role: side,
            seed: terms.seed,
            budget: seat.budget(side, &watch.clock, terms.margin),
            stop,
        };
        if let Err(fault) = seat.player.new_game(&setup) {
            if stop.is_stopped() {
                return Err(Interrupted);
            }
            return Ok(game.lost_by(side, &fault));
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
            &mut watch,
            terms,
            stop,
            &mut game,
        ) {
            Err(Interrupted) => return Err(Interrupted),
            Ok(Err(fault)) => return Ok(game.lost_by(side, &fault)),
            Ok(Ok(mv)) => {
                position.play(mv);
                history.push(mv, &position);
                let decided = terms.adjudication.decide(&game.moves, first_to_move);
                // The rules come first.
                if let Some((why, result)) =
                    decided.filter(|_| position.outcome(&history).is_none())
                {
                    game.result = result;
                    game.termination = Termination::Adjudicated(why);
                    return Ok(game);
                }
            }
        }
    }
}

impl PlayedGame {
    fn lost_by(mut self, side: Side, fault: &Fault) -> PlayedGame {
        let kind = fault.kind;
        self.result = GameResult::of(Some(side.other()));
        self.termination = Termination::Fault { by: side, kind };
        self.detail = in_one_line(&fault.detail);
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
    Watch { clock, delay }: &mut Watch,
    terms: Terms,
    stop: &StopFlag,
    game: &mut PlayedGame,
) -> Result<Result<G::Move, Fault>, Interrupted> {
    let side = position.side_to_move();
    let budget = seat.budget(side, clock, terms.margin);
    let start = Instant::now();
    let turn = Turn {
        position,
        history,
        limits: search_limits(&budget, side, start),
        budget,
        stop,
    };
    let reply = seat.player.choose_move(&turn);
    if stop.is_stopped() {
        return Err(Interrupted);
    }
    let told = reply.as_ref().ok().and_then(|reply| reply.spent);
    let spent = told.unwrap_or_else(|| start.elapsed());
    let mut waited = Duration::ZERO;
    if spent >= WORTH_A_LOOK {
        let runner = delay.look();
        game.runner_delay = game.runner_delay.max(runner);
        waited = seat.player.hindrance().waited;
        // An answer may have lain there; without one, nothing kept the engine but its own waits.
        if reply.is_ok() {
            waited += runner;
        }
        // The two may be the same moments.
        waited = waited.min(spent);
    }
    if let Some(allowed) = clock.allowed(side, budget.limit) {
        // A fault of another kind is what it is, however long it took.
        let counts = reply
            .as_ref()
            .map_or_else(|fault| fault.kind == FaultKind::TimeForfeit, |_| true);
        if counts && spent > allowed {
            game.note_overrun(side, spent - allowed);
        }
        let excess = spent.saturating_sub(allowed + terms.margin);
        // One that never answers is waited for until that is longer than it was kept waiting.
        let explained = waited >= excess;
        // Where the pair cannot be played again, a move that the machine has delayed is a move.
        let taken = explained && !terms.may_be_void && reply.is_ok();
        if counts && !excess.is_zero() && !taken {
            game.void = explained && terms.may_be_void;
            return Ok(Err(Fault {
                kind: FaultKind::TimeForfeit,
                detail: format!(
                    "{} µs for a move with a limit of {} µs and a margin of {} µs, {} µs of them \
                     without a processor",
                    micros(spent),
                    micros(allowed),
                    micros(terms.margin),
                    micros(waited)
                ),
            }));
        }
    }
    let Reply {
        mv,
        score,
        searched,
        spent: _,
    } = match reply {
        Ok(reply) => reply,
        Err(fault) => return Ok(Err(fault)),
    };
    if !position.is_legal(mv) {
        return Ok(Err(Fault {
            kind: FaultKind::IllegalMove,
            detail: format!("a move that is not legal in `{}`", position.to_fen()),
        }));
    }
    clock.moved(side, spent);
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

/// The text without line ends and other control characters, at most 500 characters of it.
fn in_one_line(text: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().take(500).map(plain).collect()
}

/// A clock is for the whole game: an even share of what is left, and most of the increment.
const MOVES_AHEAD: u32 = 30;

pub(super) fn share(left: Duration, increment: Duration, moves_to_go: Option<u32>) -> Duration {
    let moves = moves_to_go.unwrap_or(MOVES_AHEAD).clamp(2, MOVES_AHEAD);
    (left / moves + increment * 3 / 4).min(left * 3 / 4)
}

fn search_limits(budget: &Budget, side: Side, start: Instant) -> SearchLimits {
    let timed = |time: Duration| SearchLimits {
        time: Some(TimeLimit {
            start,
            deadline: start + time,
        }),
        ..SearchLimits::NONE
    };
    match budget.limit {
        MoveLimit::TimeMs(ms) => timed(Duration::from_millis(ms)),
        MoveLimit::Clock(_) => {
            let of = side.index();
            timed(share(
                budget.left[of],
                budget.increment[of],
                budget.moves_to_go,
            ))
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::game::Game;
    use crate::games::amazons::{Amazons, AmazonsRules};

    /// Plays the first legal move, and sleeps before some of its moves.
    struct Sleeper {
        /// Milliseconds by the number of the move, from 0.
        sleeps: BTreeMap<u32, u64>,
        /// What it does instead of a move, at which of its moves.
        fault: Option<(u32, FaultKind)>,
        asked: u32,
        endings: u32,
    }

    impl Sleeper {
        fn new(sleeps: &[(u32, u64)]) -> Sleeper {
            Sleeper {
                sleeps: sleeps.iter().copied().collect(),
                fault: None,
                asked: 0,
                endings: 0,
            }
        }
    }

    impl Player<Amazons> for Sleeper {
        fn new_game(&mut self, _setup: &GameSetup<'_, Amazons>) -> Result<(), Fault> {
            Ok(())
        }

        fn choose_move(
            &mut self,
            turn: &Turn<'_, Amazons>,
        ) -> Result<Reply<<Amazons as Game>::Move>, Fault> {
            let number = self.asked;
            self.asked += 1;
            if let Some(ms) = self.sleeps.get(&number) {
                std::thread::sleep(Duration::from_millis(*ms));
            }
            if let Some((_, kind)) = self.fault.filter(|(at, _)| *at == number) {
                let detail = "as the test wants".to_owned();
                return Err(Fault { kind, detail });
            }
            let mut moves = Vec::new();
            turn.position.legal_moves(&mut moves);
            Ok(Reply {
                mv: moves[0],
                score: None,
                searched: None,
                spent: None,
            })
        }

        fn game_over(&mut self, _outcome: &crate::game::Outcome) {
            self.endings += 1;
        }
    }

    /// Far above what a busy machine adds to a move that takes no time.
    const LIMIT_MS: u64 = 400;
    const MARGIN_MS: u64 = 400;

    /// A game on the small board under a time limit for both.
    fn play(players: &mut [Sleeper; 2], margin_ms: u64) -> Result<PlayedGame, Interrupted> {
        let rules = AmazonsRules { size: 8 };
        let position = Amazons::start(&rules);
        let history = History::new(position.clone());
        let limit = LimitSpec {
            first: MoveLimit::TimeMs(LIMIT_MS),
            second: MoveLimit::TimeMs(LIMIT_MS),
        };
        let [first, second] = players;
        let mut seats = [
            Seat {
                player: first as &mut dyn Player<Amazons>,
                limit,
                stall: None,
            },
            Seat {
                player: second,
                limit,
                stall: None,
            },
        ];
        let terms = Terms {
            seed: 1,
            margin: Duration::from_millis(margin_ms),
            adjudication: AdjudicationSpec::default(),
            may_be_void: false,
        };
        play_game(position, history, &mut seats, terms, &StopFlag::new())
    }

    /// Players of which `side` sleeps and the other does not.
    fn sleeping(side: Side, sleeps: &[(u32, u64)]) -> [Sleeper; 2] {
        let of = |seat| Sleeper::new(if seat == side { sleeps } else { &[] });
        Side::BOTH.map(of)
    }

    #[test]
    fn overruns_within_the_margin_are_counted_and_lose_nothing() {
        for side in Side::BOTH {
            let mut players = sleeping(side, &[(0, 500), (1, 300), (3, 600)]);
            let game = play(&mut players, 60_000).expect("nobody stops it");
            assert!(matches!(game.termination, Termination::Rule(_)));
            let overrun = game.overruns[side.index()];
            assert_eq!(overrun.count, 2);
            let largest = Duration::from_micros(overrun.largest_us);
            assert!(largest >= Duration::from_millis(200), "{largest:?}");
            assert!(largest < Duration::from_millis(600), "{largest:?}");
            assert_eq!(game.overruns[side.other().index()], Overrun::default());
            assert_eq!(players.each_ref().map(|player| player.endings), [1, 1]);
        }
    }

    #[test]
    fn an_overrun_beyond_the_margin_loses_the_game() {
        for side in Side::BOTH {
            let mut players = sleeping(side, &[(0, 500), (2, 1000)]);
            let game = play(&mut players, MARGIN_MS).expect("nobody stops it");
            let name = ["first", "second"][side.index()];
            assert_eq!(game.termination.to_string(), format!("time_forfeit:{name}"));
            assert_eq!(game.result, GameResult::of(Some(side.other())));
            let overrun = game.overruns[side.index()];
            assert_eq!(overrun.count, 2, "the first overrun and the one that lost");
            assert!(overrun.largest_us >= 600_000, "{overrun:?}");
            assert_eq!(game.overruns[side.other().index()], Overrun::default());
            // The move that came too late is no move of the game.
            let before = game.moves.len() - usize::from(side == Side::Second);
            assert_eq!(before, 4);
        }
    }

    #[test]
    fn a_fault_of_the_player_loses_the_game_of_whoever_did_it() {
        for side in Side::BOTH {
            for kind in FaultKind::ALL {
                let mut players = sleeping(side, &[]);
                players[side.index()].fault = Some((1, kind));
                let game = play(&mut players, MARGIN_MS).expect("nobody stops it");
                assert_eq!(game.termination, Termination::Fault { by: side, kind });
                assert_eq!(game.result, GameResult::of(Some(side.other())));
            }
        }
    }

    #[test]
    fn a_limit_without_a_clock_has_no_overruns() {
        let rules = AmazonsRules { size: 8 };
        let position = Amazons::start(&rules);
        let history = History::new(position.clone());
        let limit = LimitSpec {
            first: MoveLimit::Depth(1),
            second: MoveLimit::Nodes(1),
        };
        let [mut first, mut second] = sleeping(Side::First, &[(0, 50)]);
        let mut seats = [
            Seat {
                player: &mut first as &mut dyn Player<Amazons>,
                limit,
                stall: None,
            },
            Seat {
                player: &mut second,
                limit,
                stall: None,
            },
        ];
        let terms = Terms {
            seed: 1,
            margin: Duration::ZERO,
            adjudication: AdjudicationSpec::default(),
            may_be_void: false,
        };
        let game = play_game(position, history, &mut seats, terms, &StopFlag::new())
            .expect("nobody stops it");
        assert!(matches!(game.termination, Termination::Rule(_)));
        assert_eq!(game.overruns, [Overrun::default(); 2]);
    }
}
