//! Runs within the test's process, in which a test decides what happens before each game.

use agon::executor::{Executor, LocalExecutor};
use agon::game::NotationError;
use agon::openings::book::BookErrors;
use agon::openings::{Suite, SuiteErrors};
use agon::plan::Plan;
use agon::play::{
    Arena, Declares, Inspection, Interrupted, OwnEngine, PositionError, Trial, Worker,
};
use agon::report::Reporter;
use agon::results::{BookSpec, GameRecord, Job, Journal, RowStamp, RunEvent, RunSpec};
use agon::search::StopFlag;
use agon::standing::Standing;
use agon::tournament::{Ending, Tournament, TournamentError, standings};
use crossbeam::channel::Receiver;

type Hook<'a> = dyn Fn(&Job, &StopFlag) -> Result<(), Interrupted> + Send + Sync + 'a;

/// Plays as the arena inside does, after the hook.
pub struct Hooked<'a> {
    arena: &'a dyn Arena,
    hook: Box<Hook<'a>>,
}

impl<'a> Hooked<'a> {
    /// Calls `hook` on the worker's thread before each game.
    pub fn new(
        arena: &'a dyn Arena,
        hook: impl Fn(&Job, &StopFlag) -> Result<(), Interrupted> + Sync + Send + 'a,
    ) -> Hooked<'a> {
        Hooked {
            arena,
            hook: Box::new(hook),
        }
    }
}

struct HookedWorker<'a> {
    worker: Box<dyn Worker + 'a>,
    hook: &'a Hook<'a>,
}

impl Worker for HookedWorker<'_> {
    fn play(&mut self, job: &Job, stop: &StopFlag) -> Result<GameRecord, Interrupted> {
        (self.hook)(job, stop)?;
        self.worker.play(job, stop)
    }
}

impl Arena for Hooked<'_> {
    fn worker<'a>(&'a self, run: &'a RunSpec, number: usize) -> Box<dyn Worker + 'a> {
        Box::new(HookedWorker {
            worker: self.arena.worker(run, number),
            hook: self.hook.as_ref(),
        })
    }

    fn game(&self) -> &'static str {
        self.arena.game()
    }

    fn roles(&self) -> [&'static str; 2] {
        self.arena.roles()
    }

    fn rules(&self) -> serde_json::Value {
        self.arena.rules()
    }

    fn own(&self) -> Option<&dyn OwnEngine> {
        self.arena.own()
    }

    fn declares(&self) -> Option<&dyn Declares> {
        self.arena.declares()
    }

    fn is_solitaire(&self) -> bool {
        self.arena.is_solitaire()
    }

    fn try_engines(&self, run: &RunSpec, stop: &StopFlag) -> Trial {
        self.arena.try_engines(run, stop)
    }

    fn read_suite(&self, bytes: &[u8]) -> Result<Suite, SuiteErrors> {
        self.arena.read_suite(bytes)
    }

    fn read_book(&self, bytes: &[u8]) -> Result<BookSpec, BookErrors> {
        self.arena.read_book(bytes)
    }

    fn book_move(
        &self,
        book: &BookSpec,
        fen: Option<&str>,
        moves: &[String],
        seed: u64,
    ) -> Result<Option<String>, PositionError> {
        self.arena.book_move(book, fen, moves, seed)
    }

    fn start_suite(&self) -> Suite {
        self.arena.start_suite()
    }

    fn random_opening(&self, plies: u32, seed: u64) -> Option<Vec<String>> {
        self.arena.random_opening(plies, seed)
    }

    fn symmetry_key(&self, fen: Option<&str>, moves: &[String]) -> Result<u64, PositionError> {
        self.arena.symmetry_key(fen, moves)
    }

    fn inspect(&self, fen: Option<&str>, moves: &[String]) -> Result<Inspection, PositionError> {
        self.arena.inspect(fen, moves)
    }

    fn perft(&self, fen: Option<&str>, depth: u32) -> Result<u64, PositionError> {
        self.arena.perft(fen, depth)
    }

    fn has_pgn(&self) -> bool {
        self.arena.has_pgn()
    }

    fn pgn(&self, run: &RunSpec, game: &GameRecord) -> Result<Option<String>, NotationError> {
        self.arena.pgn(run, game)
    }
}

/// Tells nobody.
struct Nobody;

impl Reporter for Nobody {
    fn event(&mut self, _: &RunEvent) {}
}

/// What stands in the rows of a run that has no folder of its own.
pub fn stamp(plan: &Plan) -> RowStamp {
    RowStamp {
        run: "t-1".to_owned(),
        config: "c".to_owned(),
        rules: plan.spec.game.rules.to_string(),
    }
}

/// Plays what `done` lacks.
pub fn play_on(
    plan: &Plan,
    arena: &dyn Arena,
    done: &[(u64, GameRecord)],
    journal: Journal,
    workers: usize,
    interrupts: Receiver<()>,
) -> Result<(Vec<Standing>, Ending), TournamentError> {
    let games = done.iter().map(|(_, game)| game);
    let standings = standings(&plan.spec, games).expect("a rule");
    let (mut nobody, count) = (Nobody, done.len() as u64);
    let mut tournament =
        Tournament::new(&plan.spec, standings, journal, count, workers, &mut nobody);
    let stop = StopFlag::new();
    LocalExecutor::new(arena, &plan.spec, workers, interrupts, &stop)
        .run(&mut tournament)
        .expect("threads start");
    tournament.end()
}
