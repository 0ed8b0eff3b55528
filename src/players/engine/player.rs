//! An external engine as a player.

use std::time::{Duration, Instant};

use super::{Answer, Engine};
use crate::game::{Game, History, NotationError, Side, TwoPlayer};
use crate::players::protocol::{Clocks, GameText, Said, Spend, TurnText};
use crate::players::{Budget, Fault, GameSetup, Hindrance, Player, Reply, Turn};
use crate::results::{ExternalSpec, FaultKind, MoveLimit, Searched};

/// Moves that took less are not looked at for what the machine did to them.
pub const WORTH_A_LOOK: Duration = Duration::from_millis(1);

/// Asks a process for moves. It is started when the first game begins, and again after every
/// fault.
pub struct EnginePlayer<'a, G: Game> {
    spec: &'a ExternalSpec,
    rules: &'a G::Rules,
    engine: Option<Engine>,
    /// An engine that has failed. It is killed after the game, since that takes a while, and
    /// the time of its last move is still to be taken.
    failed: Option<Engine>,
    /// The start of the game (of what the engine is told of it), and the moves from there, each
    /// with a blank before it.
    start: String,
    is_default_start: bool,
    moves: String,
    /// How many moves of the history were written, and the position after them.
    written: usize,
    position: Option<G>,
    /// How long it waited for a processor during its last move.
    waited: Duration,
    /// Its last answer, if that was no legal move.
    refused: Option<String>,
}

impl<'a, G: TwoPlayer> EnginePlayer<'a, G> {
    /// A player of this variant. `engine` is one that was started by the same command, if
    /// there is one.
    #[must_use]
    pub fn new(
        spec: &'a ExternalSpec,
        rules: &'a G::Rules,
        engine: Option<Engine>,
    ) -> EnginePlayer<'a, G> {
        EnginePlayer {
            spec,
            rules,
            engine,
            failed: None,
            start: String::new(),
            is_default_start: false,
            moves: String::new(),
            written: 0,
            position: None,
            waited: Duration::ZERO,
            refused: None,
        }
    }

    /// Its last answer, if that was no legal move.
    #[must_use]
    pub fn refused(&self) -> Option<&str> {
        self.refused.as_deref()
    }

    /// The engine, if it is running and well.
    #[must_use]
    pub fn into_engine(self) -> Option<Engine> {
        self.engine
    }

    /// Writes what was played since the last turn.
    fn write_moves(&mut self, history: &History<G>) {
        let dialect = self.spec.protocol.dialect();
        let start = || history.start().clone();
        let mut position = self.position.take().unwrap_or_else(start);
        for mv in &history.moves()[self.written..] {
            let starts_afresh = position.starts_afresh(*mv, dialect);
            if !starts_afresh {
                self.moves.push(' ');
                self.moves += &position.spell_move(*mv, dialect);
            }
            position.play(*mv);
            if starts_afresh {
                self.moves.clear();
                self.start = position.spell_position(dialect);
                self.is_default_start = false;
            }
        }
        self.written = history.plies();
        self.position = Some(position);
    }

    fn game_text(&self, spend: Spend) -> GameText<'_> {
        GameText {
            start: &self.start,
            is_default_start: self.is_default_start,
            announcement: G::announcement(self.rules),
            spend,
        }
    }

    fn ask(&mut self, turn: &Turn<'_, G>) -> Result<Reply<G::Move>, Fault> {
        let spend = spend(&turn.budget, turn.position.side_to_move());
        let late = match turn.budget.limit {
            MoveLimit::TimeMs(_) | MoveLimit::Clock(_) => FaultKind::TimeForfeit,
            MoveLimit::Nodes(_) | MoveLimit::Depth(_) => FaultKind::Stall,
        };
        let mut engine = self.engine.take().ok_or_else(|| Fault {
            kind: FaultKind::NoStart,
            detail: "it is not running".to_owned(),
        })?;
        let mut start = Instant::now();
        let text = TurnText {
            game: self.game_text(spend),
            moves: &self.moves,
            spend,
        };
        let dialect = self.spec.protocol.dialect();
        let is_legal = |text: &str| turn.position.parse_spelled(text, dialect).is_ok();
        let span = turn.budget.span;
        let answer = engine.ask(&text, &mut start, span, late, &is_legal, turn.stop);
        // For quick moves the look would cost more than the move, and say nothing.
        if start.elapsed() >= WORTH_A_LOOK {
            self.waited = engine.waited();
        }
        // A faulty engine is never asked again: no late answer can reach another move.
        let answer = answer.and_then(|answer| {
            let mv = turn.position.parse_spelled(&answer.text, dialect);
            let mv = mv.map_err(|error| {
                self.refused = Some(answer.text.to_owned());
                let mut detail = format!("`{}`: {error}", answer.text);
                if !matches!(error, NotationError::Illegal { .. }) {
                    detail += &format!(", in `{}`", turn.position.to_fen());
                }
                Fault {
                    kind: FaultKind::IllegalMove,
                    detail,
                }
            })?;
            Ok((mv, answer))
        });
        let place = if answer.is_ok() {
            &mut self.engine
        } else {
            &mut self.failed
        };
        *place = Some(engine);
        let (mv, Answer { arrived, said, .. }) = answer?;
        Ok(Reply {
            mv,
            score: said.score,
            searched: searched(&said),
            spent: Some(arrived.saturating_duration_since(start)),
        })
    }
}

fn searched(said: &Said) -> Option<Searched> {
    said.nodes.map(|nodes| Searched {
        depth: said.depth.unwrap_or(0),
        nodes,
    })
}

fn spend(budget: &Budget, side: Side) -> Spend {
    match budget.limit {
        MoveLimit::TimeMs(ms) => Spend::Time(Duration::from_millis(ms)),
        MoveLimit::Nodes(nodes) => Spend::Nodes(nodes),
        MoveLimit::Depth(depth) => Spend::Depth(depth),
        MoveLimit::Clock(_) => Spend::Clock(Clocks {
            side,
            left: budget.left,
            increment: budget.increment,
            moves_to_go: budget.moves_to_go,
        }),
    }
}

impl<G: TwoPlayer> Player<G> for EnginePlayer<'_, G> {
    fn new_game(&mut self, setup: &GameSetup<'_, G>) -> Result<(), Fault> {
        let start = setup.history.start();
        self.start = start.spell_position(self.spec.protocol.dialect());
        self.is_default_start =
            *self.rules == G::Rules::default() && start.to_fen() == G::start(self.rules).to_fen();
        self.moves.clear();
        self.written = 0;
        self.position = None;
        self.write_moves(setup.history);
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => Engine::start(self.spec, setup.stop).map_err(|error| Fault {
                kind: FaultKind::NoStart,
                detail: error.to_string(),
            })?,
        };
        let mut engine = engine;
        let spend = spend(&setup.budget, setup.position.side_to_move());
        engine.new_game(self.spec, &self.game_text(spend), setup.stop)?;
        self.engine = Some(engine);
        Ok(())
    }

    fn choose_move(&mut self, turn: &Turn<'_, G>) -> Result<Reply<G::Move>, Fault> {
        self.write_moves(turn.history);
        self.ask(turn)
    }

    fn hindrance(&mut self) -> Hindrance {
        Hindrance {
            waited: self.waited,
        }
    }

    fn processor_time(&mut self) -> Option<Duration> {
        self.engine.as_ref()?.used()
    }
}
