//! Solving the deals of a solitaire, as text.

use std::ops::RangeInclusive;

use super::{PositionError, SolitaireArena};
use crate::game::{CheckedSolution, Game, NotationError, Solitaire, SolutionError};
use crate::params::Tunable;
use crate::search::{
    Beam, BeamObserver, BeamOptions, Layer, Preset, SearchSpec, Solvable, StopFlag, Unsolved,
};

/// What may be asked of a solitaire's solver.
pub trait Solving: Sync {
    /// The numbers of its deals.
    fn deals(&self) -> RangeInclusive<u32>;
    /// Named sets of parameters and weights.
    fn presets(&self) -> &'static [Preset];
    /// Reads a deal's number, a position, or a board as other programs write it, and writes it as
    /// a position.
    ///
    /// # Errors
    /// A text that is none of these.
    fn read_board(&self, text: &str) -> Result<String, NotationError>;
    /// A solver.
    fn solver(&self, spec: &SearchSpec, limits: SolverLimits) -> Box<dyn DealSolver>;
    /// Replays a solution of a position by the second implementation of the rules.
    ///
    /// # Errors
    /// [`SolutionError`].
    fn check_solution(&self, position: &str, moves: &str)
    -> Result<CheckedSolution, SolutionError>;
}

/// What the solver may spend on a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolverLimits {
    /// States.
    pub nodes: u64,
    /// Milliseconds, if there is a limit.
    pub time_ms: Option<u64>,
}

impl Default for SolverLimits {
    fn default() -> SolverLimits {
        let BeamOptions { nodes, time_ms, .. } = BeamOptions::default();
        SolverLimits { nodes, time_ms }
    }
}

/// Sees a layer and the position of its best state.
pub type LayerSink<'a> = &'a mut dyn FnMut(&Layer, Option<String>);

/// Solves one deal after the other.
pub trait DealSolver {
    /// Looks for a solution; `trace` sees each layer.
    ///
    /// # Errors
    /// A text that is no position.
    fn solve(
        &mut self,
        position: &str,
        stop: &StopFlag,
        trace: Option<LayerSink<'_>>,
    ) -> Result<SolvedDeal, PositionError>;
}

/// What came of a deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolvedDeal {
    /// Why there is no solution; `None` where there is one.
    pub reason: Option<Unsolved>,
    /// The moves of the solution, or those to the state that came nearest.
    pub moves: Vec<String>,
    /// The cards that these move.
    pub cards: u32,
    /// The states made, with all restarts.
    pub states: u64,
    /// The width of the last beam.
    pub width: u32,
    /// The layers of the last beam.
    pub layers: u32,
    /// How often it began with a wider beam.
    pub restarts: u32,
    /// Whether the last beam left out states whose children a wider one would have made.
    pub has_cut: bool,
}

impl<G: Solvable> Solving for SolitaireArena<G> {
    fn deals(&self) -> RangeInclusive<u32> {
        G::DEALS
    }

    fn presets(&self) -> &'static [Preset] {
        G::presets()
    }

    fn read_board(&self, text: &str) -> Result<String, NotationError> {
        G::read_board(text).map(|position| position.to_fen())
    }

    fn solver(&self, spec: &SearchSpec, limits: SolverLimits) -> Box<dyn DealSolver> {
        let options = BeamOptions {
            nodes: limits.nodes,
            time_ms: limits.time_ms,
            ..BeamOptions::from_values(&spec.parameters)
        };
        let heuristic = G::Heuristic::from_values(&spec.evaluation);
        Box::new(Solver::<G> {
            beam: Beam::new(options, heuristic),
            rules: self.rules.clone(),
        })
    }

    fn check_solution(
        &self,
        position: &str,
        moves: &str,
    ) -> Result<CheckedSolution, SolutionError> {
        G::check_solution(position, moves)
    }
}

struct Solver<G: Solvable> {
    beam: Beam<G>,
    rules: G::Rules,
}

/// Writes the best state of each layer down.
struct Written<'a>(LayerSink<'a>);

impl<G: Game> BeamObserver<G> for Written<'_> {
    fn layer(&mut self, layer: &Layer, best: Option<&G>) {
        (self.0)(layer, best.map(Game::to_fen));
    }
}

impl<G: Solvable> DealSolver for Solver<G> {
    fn solve(
        &mut self,
        position: &str,
        stop: &StopFlag,
        trace: Option<LayerSink<'_>>,
    ) -> Result<SolvedDeal, PositionError> {
        let mut state = G::from_fen(position, &self.rules)?;
        let solved = match trace {
            Some(sink) => self.beam.solve(&state, stop, &mut Written(sink)),
            None => self.beam.solve(&state, stop, &mut ()),
        };
        let mut moves = Vec::new();
        let mut cards = 0;
        for mv in solved.moves() {
            moves.push(state.format_move(*mv));
            cards += <G as Solitaire>::pieces(*mv);
            state.play(*mv);
        }
        Ok(SolvedDeal {
            reason: solved.reason(),
            moves,
            cards,
            states: solved.states,
            width: solved.width,
            layers: solved.layers,
            restarts: solved.restarts,
            has_cut: solved.has_cut,
        })
    }
}
