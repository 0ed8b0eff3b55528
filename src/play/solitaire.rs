//! The arena of a solitaire: a variant tries a deal for itself, and the try is the record.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;

use super::game_loop::micros;
use super::{
    Arena, Declares, Inspection, Interrupted, OwnEngine, PositionError, Solving, Trial, Worker,
};
use crate::game::{Game, Outcome, Side};
use crate::openings::book::BookErrors;
use crate::openings::{self, Suite, SuiteErrors};
use crate::params::{Parameter, Tunable};
use crate::perft::{Leaves, perft};
use crate::results::{
    BookSpec, EngineKind, GameRecord, GameResult, Job, MoveLimit, MoveRecord, OpeningSpec, Overrun,
    RunSpec, Searched, Termination, VariantSpec, now,
};
use crate::search::{Beam, BeamOptions, SearchKind, Solvable, Solved, StopFlag, Unsolved};

/// The arena of `G` under rules that have been checked.
#[derive(Debug)]
pub struct SolitaireArena<G: Game> {
    pub(super) rules: G::Rules,
}

/// How the record of a deal says that it was solved.
pub const SOLVED: &str = "solved";

/// How it says that it was not; the reason is its detail. Nobody says that it cannot be.
pub const NOT_SOLVED: &str = "not_solved";

impl<G: Solvable> SolitaireArena<G> {
    /// An arena for these rules.
    ///
    /// # Errors
    /// A fragment that names what is not allowed.
    pub fn new(rules: G::Rules) -> Result<SolitaireArena<G>, String> {
        G::check_rules(&rules)?;
        Ok(SolitaireArena { rules })
    }

    fn position(&self, fen: Option<&str>, moves: &[String]) -> Result<G, PositionError> {
        let mut position = match fen {
            None | Some(openings::START) => G::start(&self.rules),
            Some(fen) => G::from_fen(fen, &self.rules)?,
        };
        for (index, text) in moves.iter().enumerate() {
            if position.is_solved() {
                return Err(PositionError::Over {
                    ply: index + 1,
                    text: text.clone(),
                });
            }
            let mv = position.parse_move(text)?;
            position.play(mv);
        }
        Ok(position)
    }
}

impl<G: Solvable> Declares for SolitaireArena<G> {
    fn kinds(&self) -> &'static [SearchKind] {
        &SearchKind::OF_SOLITAIRES
    }

    fn search_parameters(&self, _kind: SearchKind) -> Vec<Parameter> {
        BeamOptions::parameters()
    }

    fn evaluation_parameters(&self) -> Vec<Parameter> {
        G::Heuristic::parameters()
    }
}

impl<G: Solvable> Arena for SolitaireArena<G> {
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
        None
    }

    fn declares(&self) -> Option<&dyn Declares> {
        Some(self)
    }

    fn is_solitaire(&self) -> bool {
        true
    }

    fn solving(&self) -> Option<&dyn Solving> {
        Some(self)
    }

    fn read_suite(&self, bytes: &[u8]) -> Result<Suite, SuiteErrors> {
        openings::read_deals::<G>(bytes, &self.rules)
    }

    fn read_book(&self, _bytes: &[u8]) -> Result<BookSpec, BookErrors> {
        Err(BookErrors::NoBooks(G::NAME))
    }

    fn book_move(
        &self,
        _book: &BookSpec,
        _fen: Option<&str>,
        _moves: &[String],
        _seed: u64,
    ) -> Result<Option<String>, PositionError> {
        Ok(None)
    }

    fn start_suite(&self) -> Suite {
        let opening = OpeningSpec {
            name: openings::START.to_owned(),
            fen: G::start(&self.rules).to_fen(),
            moves: Vec::new(),
            same_as: None,
        };
        Suite {
            openings: vec![opening],
            ..Suite::default()
        }
    }

    /// Deals have numbers; nothing is played to make one.
    fn random_opening(&self, _plies: u32, _seed: u64) -> Option<Vec<String>> {
        None
    }

    fn symmetry_key(&self, fen: Option<&str>, moves: &[String]) -> Result<u64, PositionError> {
        Ok(self.position(fen, moves)?.symmetry_key())
    }

    fn worker<'a>(&'a self, run: &'a RunSpec, number: usize) -> Box<dyn Worker + 'a> {
        Box::new(SolverWorker::<G> {
            rules: &self.rules,
            run,
            number,
            solvers: HashMap::new(),
        })
    }

    fn try_engines(&self, _run: &RunSpec, _stop: &StopFlag) -> Trial {
        Trial::default()
    }

    fn inspect(&self, fen: Option<&str>, moves: &[String]) -> Result<Inspection, PositionError> {
        let position = self.position(fen, moves)?;
        let outcome = position
            .is_solved()
            .then(|| Outcome::win(Side::First, SOLVED));
        let mut legal = Vec::new();
        if outcome.is_none() {
            position.legal_moves(&mut legal);
        }
        let mut legal_moves: Vec<String> =
            legal.iter().map(|mv| position.format_move(*mv)).collect();
        legal_moves.sort();
        Ok(Inspection {
            position: position.to_fen(),
            side: Side::First,
            legal_moves,
            outcome,
            diagram: position.diagram(),
        })
    }

    fn perft(&self, fen: Option<&str>, depth: u32) -> Result<u64, PositionError> {
        let position = self.position(fen, &[])?;
        Ok(perft(&position, depth, Leaves::Counted))
    }
}

/// The solvers of one worker thread, by variant.
struct SolverWorker<'a, G: Solvable> {
    rules: &'a G::Rules,
    run: &'a RunSpec,
    number: usize,
    solvers: HashMap<usize, Beam<G>>,
}

/// The solver of a variant, within its limit.
fn solver<G: Solvable>(variant: &VariantSpec) -> Beam<G> {
    let EngineKind::BuiltIn(spec) = &variant.engine else {
        panic!("a config with another program for a solitaire is refused");
    };
    let mut options = BeamOptions::from_values(&spec.parameters);
    match variant.limit.first {
        MoveLimit::Nodes(nodes) => options.nodes = nodes,
        MoveLimit::TimeMs(ms) => options.time_ms = Some(ms),
        MoveLimit::Depth(depth) => options.depth = options.depth.min(depth),
        MoveLimit::Clock(_) => panic!("a config with a clock for a solitaire is refused"),
    }
    Beam::new(options, G::Heuristic::from_values(&spec.evaluation))
}

impl<G: Solvable> Worker for SolverWorker<'_, G> {
    fn play(&mut self, job: &Job, stop: &StopFlag) -> Result<GameRecord, Interrupted> {
        let started = now();
        let processor = ThreadTime::try_now().ok();
        let opening = &self.run.openings[job.opening];
        let variant = &self.run.variants[job.first];
        let (_, (_, position)) =
            openings::replay_deal::<G>(Some(&opening.fen), &opening.moves, self.rules)
                .expect("openings are checked when the plan is made");
        let beam = self
            .solvers
            .entry(job.first)
            .or_insert_with(|| solver(variant));
        let clock = Instant::now();
        let solved = beam.solve(&position, stop, &mut ());
        let took = clock.elapsed();
        let over = match variant.limit.first {
            MoveLimit::TimeMs(ms) => took.saturating_sub(Duration::from_millis(ms)),
            _ => Duration::ZERO,
        };
        let overrun = Overrun {
            count: u32::from(!over.is_zero()),
            largest_us: micros(over),
        };
        let (result, termination, detail) = match solved.reason() {
            Some(Unsolved::Stopped) => return Err(Interrupted),
            None => (GameResult::FirstWins, SOLVED, String::new()),
            Some(reason) => (GameResult::SecondWins, NOT_SOLVED, reason.word().to_owned()),
        };
        Ok(GameRecord {
            id: job.id,
            attempt: job.attempt,
            seed: job.seed,
            opening: opening.name.clone(),
            opening_fen: opening.fen.clone(),
            opening_moves: opening.moves.clone(),
            first: variant.name.clone(),
            second: String::new(),
            first_to_move: Side::First,
            result,
            termination: Termination::Rule(termination.to_owned()),
            detail,
            void: false,
            runner_delay_us: 0,
            moves: move_records(position, &solved, took),
            overruns: [overrun, Overrun::default()],
            cpu_time_us: processor
                .and_then(|began| began.try_elapsed().ok())
                .map(micros),
            worker: self.number,
            started,
        })
    }
}

/// The moves of the solution or, where there is none, those to the best state of the last layer.
/// The first carries all that was searched: the layers as its depth, the states as its nodes, the
/// time.
fn move_records<G: Solvable>(
    mut position: G,
    solved: &Solved<G::Move>,
    took: Duration,
) -> Vec<MoveRecord> {
    let mut records = Vec::new();
    for mv in solved.moves() {
        records.push(MoveRecord {
            text: position.format_move(*mv),
            score: None,
            searched: None,
            time_us: 0,
        });
        position.play(*mv);
    }
    if let Some(first) = records.first_mut() {
        first.searched = Some(Searched {
            depth: solved.layers,
            nodes: solved.states,
        });
        first.time_us = micros(took);
    }
    records
}
