//! The arena of a game of two sides: text in, typed play, records out.

use std::collections::HashMap;
use std::time::Duration;

use cpu_time::ThreadTime;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::Serialize;

use super::game_loop::{PlayedGame, Seat, Terms, micros, play_game};
use super::{
    Arena, Declares, Interrupted, Own, OwnEngine, PositionError, Trial, Worker, pgn, trial,
};
use crate::game::{Diagram, Game, History, NotationError, Outcome, Side, TwoPlayer};
use crate::openings::book::{Book, BookErrors};
use crate::openings::{self, Suite, SuiteErrors};
use crate::perft::{Leaves, perft};
use crate::players::engine::{Engine, EnginePlayer};
use crate::players::{BuiltInPlayer, Player};
use crate::results::{BookSpec, EngineKind, GameRecord, Job, OpeningSpec, RunSpec, now};
use crate::search::StopFlag;
use crate::verify::Verify;

/// The arena of `G` under rules that have been checked.
#[derive(Debug)]
pub struct TwoPlayerArena<G: Game> {
    rules: G::Rules,
    own: Option<Own<G>>,
}

impl<G: Game> TwoPlayerArena<G> {
    /// An arena for these rules, without a built-in engine.
    ///
    /// # Errors
    /// A fragment that names what is not allowed.
    pub fn rules_only(rules: G::Rules) -> Result<TwoPlayerArena<G>, String> {
        G::check_rules(&rules)?;
        Ok(TwoPlayerArena { rules, own: None })
    }
}

impl<G: Verify> TwoPlayerArena<G> {
    /// An arena for these rules, with the game's built-in engine.
    ///
    /// # Errors
    /// A fragment that names what is not allowed.
    pub fn new(rules: G::Rules) -> Result<TwoPlayerArena<G>, String> {
        let own = Some(Own::new(rules.clone()));
        Ok(TwoPlayerArena {
            own,
            ..Self::rules_only(rules)?
        })
    }
}

/// A position as people and programs look at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inspection {
    /// The position's text.
    pub position: String,
    /// Who is to move.
    pub side: Side,
    /// All legal moves, in the game's notation, sorted; none once the game is over.
    pub legal_moves: Vec<String>,
    /// The outcome, if the game is over.
    pub outcome: Option<Outcome>,
    /// The board.
    pub diagram: Diagram,
}

/// [`Inspection`] as JSON.
#[derive(Serialize)]
struct InspectionJson<'a> {
    position: &'a str,
    side: Side,
    legal_moves: &'a [String],
    outcome: Option<OutcomeJson<'a>>,
}

#[derive(Serialize)]
struct OutcomeJson<'a> {
    winner: &'static str,
    reason: &'a str,
}

impl Inspection {
    /// `position`, `side` (`first`, `second`), `legal_moves`, `outcome` (null, or `winner`
    /// `first`, `second` or `draw`, and `reason`).
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        let outcome = self.outcome.as_ref().map(|outcome| OutcomeJson {
            winner: match outcome.winner {
                Some(Side::First) => "first",
                Some(Side::Second) => "second",
                None => "draw",
            },
            reason: &outcome.reason,
        });
        serde_json::to_value(InspectionJson {
            position: &self.position,
            side: self.side,
            legal_moves: &self.legal_moves,
            outcome,
        })
        .expect("plain data serialises")
    }
}

/// Plays moves from a position, the start where none is given. Before each move `before` sees
/// the position and how many moves led to it.
pub(super) fn play_moves<G: TwoPlayer>(
    rules: &G::Rules,
    fen: Option<&str>,
    moves: &[String],
    before: &mut dyn FnMut(&G, &History<G>, usize),
) -> Result<(G, History<G>), PositionError> {
    let mut position = match fen {
        None | Some(openings::START) => G::start(rules),
        Some(fen) => G::from_fen(fen, rules)?,
    };
    let mut history = History::new(position.clone());
    for (index, text) in moves.iter().enumerate() {
        if position.outcome(&history).is_some() {
            return Err(PositionError::Over {
                ply: index + 1,
                text: text.clone(),
            });
        }
        before(&position, &history, index);
        let mv = position.parse_move(text)?;
        position.play(mv);
        history.push(mv, &position);
    }
    Ok((position, history))
}

impl<G: TwoPlayer> TwoPlayerArena<G> {
    fn position(
        &self,
        fen: Option<&str>,
        moves: &[String],
    ) -> Result<(G, History<G>), PositionError> {
        play_moves(&self.rules, fen, moves, &mut |_, _, _| {})
    }
}

impl<G: TwoPlayer> Arena for TwoPlayerArena<G> {
    fn game(&self) -> &'static str {
        G::NAME
    }

    fn roles(&self) -> [&'static str; 2] {
        G::ROLES
    }

    fn rules(&self) -> serde_json::Value {
        serde_json::to_value(&self.rules).expect("rules are plain data")
    }

    fn own(&self) -> Option<&dyn OwnEngine> {
        self.own.as_ref().map(|own| own as &dyn OwnEngine)
    }

    fn declares(&self) -> Option<&dyn Declares> {
        self.own.as_ref().map(|own| own as &dyn Declares)
    }

    fn read_suite(&self, bytes: &[u8]) -> Result<Suite, SuiteErrors> {
        openings::read::<G>(bytes, &self.rules)
    }

    fn read_book(&self, bytes: &[u8]) -> Result<BookSpec, BookErrors> {
        openings::book::read::<G>(bytes, &self.rules)
    }

    fn book_move(
        &self,
        book: &BookSpec,
        fen: Option<&str>,
        moves: &[String],
        seed: u64,
    ) -> Result<Option<String>, PositionError> {
        let (position, history) = self.position(fen, moves)?;
        let book = Book::<G>::new(book, &self.rules).ok();
        let chosen = book.and_then(|book| book.choose(&position, seed, history.plies()));
        Ok(chosen.map(|mv| position.format_move(mv)))
    }

    fn start_suite(&self) -> Suite {
        let fen = G::start(&self.rules).to_fen();
        let opening = OpeningSpec {
            name: openings::START.to_owned(),
            fen,
            moves: Vec::new(),
            same_as: None,
        };
        Suite {
            openings: vec![opening],
            ..Suite::default()
        }
    }

    fn random_opening(&self, plies: u32, seed: u64) -> Option<Vec<String>> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut position = G::start(&self.rules);
        let mut history = History::new(position.clone());
        let mut moves = Vec::new();
        let mut texts = Vec::new();
        for _ in 0..plies {
            if position.outcome(&history).is_some() {
                return None;
            }
            moves.clear();
            match &self.own {
                Some(own) => own.candidates(&position, &mut moves),
                None => position.legal_moves(&mut moves),
            }
            let index = random.next_u64() % moves.len() as u64;
            let mv = moves[usize::try_from(index).expect("an index into a list in memory")];
            texts.push(position.format_move(mv));
            position.play(mv);
            history.push(mv, &position);
        }
        position.outcome(&history).is_none().then_some(texts)
    }

    fn symmetry_key(&self, fen: Option<&str>, moves: &[String]) -> Result<u64, PositionError> {
        Ok(self.position(fen, moves)?.0.symmetry_key())
    }

    fn worker<'a>(&'a self, run: &'a RunSpec, number: usize) -> Box<dyn Worker + 'a> {
        Box::new(TwoPlayerWorker::<G> {
            rules: &self.rules,
            own: self.own.as_ref(),
            run,
            number,
            players: HashMap::new(),
            engines: Vec::new(),
        })
    }

    fn try_engines(&self, run: &RunSpec, stop: &StopFlag) -> Trial {
        trial::try_engines::<G>(run, &self.rules, stop)
    }

    fn inspect(&self, fen: Option<&str>, moves: &[String]) -> Result<Inspection, PositionError> {
        let (position, history) = self.position(fen, moves)?;
        let outcome = position.outcome(&history);
        let mut legal = Vec::new();
        if outcome.is_none() {
            position.legal_moves(&mut legal);
        }
        let mut legal_moves: Vec<String> = legal
            .into_iter()
            .map(|mv| position.format_move(mv))
            .collect();
        legal_moves.sort();
        Ok(Inspection {
            position: position.to_fen(),
            side: position.side_to_move(),
            legal_moves,
            outcome,
            diagram: position.diagram(),
        })
    }

    fn perft(&self, fen: Option<&str>, depth: u32) -> Result<u64, PositionError> {
        let (position, _) = self.position(fen, &[])?;
        Ok(perft(&position, depth, Leaves::Counted))
    }

    fn has_pgn(&self) -> bool {
        G::PGN.is_some()
    }

    fn pgn(&self, run: &RunSpec, game: &GameRecord) -> Result<Option<String>, NotationError> {
        G::PGN
            .map(|pgn| pgn::write(&pgn, &self.rules, run, game))
            .transpose()
    }
}

/// The players of one worker thread, by variant, kept between games. A variant has as many
/// as ever sat at one board at once: two if it plays itself.
struct TwoPlayerWorker<'a, G: TwoPlayer> {
    rules: &'a G::Rules,
    own: Option<&'a Own<G>>,
    run: &'a RunSpec,
    number: usize,
    players: HashMap<usize, Vec<BuiltInPlayer<G>>>,
    /// Engines that wait for a game, the one that waits longest first.
    engines: Vec<Engine>,
}

/// How often a pair is tried before the machine is no excuse any more.
const MOST_ATTEMPTS: u32 = 5;

/// How many engines may wait for a game in one worker.
const WAITING_ENGINES: usize = 4;

/// Whoever sits at the board.
enum Seated<'a, G: Game> {
    BuiltIn(BuiltInPlayer<G>),
    External(Box<EnginePlayer<'a, G>>),
}

impl<G: TwoPlayer> Seated<'_, G> {
    fn as_player(&mut self) -> &mut dyn Player<G> {
        match self {
            Seated::BuiltIn(player) => player,
            Seated::External(player) => player.as_mut(),
        }
    }
}

impl<'a, G: TwoPlayer> TwoPlayerWorker<'a, G> {
    /// Takes the player of a variant out of the store, or makes it.
    fn take_player(&mut self, variant: usize) -> Seated<'a, G> {
        match &self.run.variants[variant].engine {
            EngineKind::BuiltIn(spec) => {
                let waiting = self.players.entry(variant).or_default().pop();
                let make = || {
                    let own = self
                        .own
                        .expect("a config that names a search the game does not have is refused");
                    let book = self.run.variants[variant].book.as_ref().map(|book| {
                        Book::new(book, self.rules)
                            .expect("books are checked when the plan is made")
                    });
                    BuiltInPlayer::new(own.build(spec)).with_book(book)
                };
                Seated::BuiltIn(waiting.unwrap_or_else(make))
            }
            EngineKind::External(spec) => {
                let waiting = self
                    .engines
                    .iter()
                    .rposition(|engine| engine.is_started_by(spec));
                let engine = waiting.map(|index| self.engines.remove(index));
                Seated::External(Box::new(EnginePlayer::new(spec, self.rules, engine)))
            }
        }
    }

    /// Keeps a player for the next game.
    fn put_back(&mut self, variant: usize, player: Seated<'a, G>) {
        match player {
            Seated::BuiltIn(player) => self.players.entry(variant).or_default().push(player),
            Seated::External(player) => self.engines.extend(player.into_engine()),
        }
        if self.engines.len() > WAITING_ENGINES {
            self.engines.remove(0).quit();
        }
    }
}

impl<G: TwoPlayer> Drop for TwoPlayerWorker<'_, G> {
    fn drop(&mut self) {
        self.engines.drain(..).for_each(Engine::quit);
    }
}

impl<G: TwoPlayer> Worker for TwoPlayerWorker<'_, G> {
    fn play(&mut self, job: &Job, stop: &StopFlag) -> Result<GameRecord, Interrupted> {
        let started = now();
        let processor = ThreadTime::try_now().ok();
        let opening = &self.run.openings[job.opening];
        let (_, (history, position)) =
            openings::replay::<G>(Some(&opening.fen), &opening.moves, self.rules)
                .expect("openings are checked when the plan is made");
        let first_to_move = position.side_to_move();
        let mut players = Side::BOTH.map(|side| self.take_player(job.variant(side)));
        let terms = Terms {
            seed: job.seed,
            margin: Duration::from_millis(self.run.margin_ms),
            adjudication: self.run.adjudication,
            may_be_void: job.attempt < MOST_ATTEMPTS,
        };
        let played = {
            let [first, second] = &mut players;
            let limit = |side| self.run.variants[job.variant(side)].limit;
            let stall = |side| match &self.run.variants[job.variant(side)].engine {
                EngineKind::BuiltIn(_) => None,
                EngineKind::External(spec) => Some(Duration::from_millis(spec.stall_ms)),
            };
            let mut seats = [
                Seat {
                    player: first.as_player(),
                    limit: limit(Side::First),
                    stall: stall(Side::First),
                },
                Seat {
                    player: second.as_player(),
                    limit: limit(Side::Second),
                    stall: stall(Side::Second),
                },
            ];
            play_game(position, history, &mut seats, terms, stop)
        };
        let mut processor_time = processor.and_then(|began| began.try_elapsed().ok());
        for player in &mut players {
            let used = player.as_player().processor_time();
            processor_time = processor_time.zip(used).map(|(sum, used)| sum + used);
        }
        for (player, side) in players.into_iter().zip(Side::BOTH) {
            self.put_back(job.variant(side), player);
        }
        let PlayedGame {
            result,
            termination,
            detail,
            void,
            runner_delay,
            moves,
            overruns,
        } = played?;
        let name = |side| self.run.variants[job.variant(side)].name.clone();
        Ok(GameRecord {
            id: job.id,
            attempt: job.attempt,
            seed: job.seed,
            opening: opening.name.clone(),
            opening_fen: opening.fen.clone(),
            opening_moves: opening.moves.clone(),
            first: name(Side::First),
            second: name(Side::Second),
            first_to_move,
            result,
            termination,
            detail,
            void,
            runner_delay_us: micros(runner_delay),
            moves,
            overruns,
            cpu_time_us: processor_time.map(micros),
            worker: self.number,
            started,
        })
    }
}
