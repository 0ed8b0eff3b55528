//! Iterative deepening alpha-beta with a transposition table.

use super::greedy::{ended, noise_bound, root_noise};
use super::noise::Noise;
use super::table::{Bound, Table};
use super::{BuiltIn, Control, Evaluator, Score, Search, SearchReport};
use crate::game::History;
use crate::params::{Parameter, ParameterValues, Tunable};

/// The deepest that a search goes.
const MAX_DEPTH: u32 = 120;

/// The parameters of the search.
#[derive(Clone, Debug)]
pub struct Options {
    hash_mb: u32,
    table: bool,
    /// The number of different amounts of root noise, 1 for none.
    noise: u32,
}

impl Tunable for Options {
    fn parameters() -> Vec<Parameter> {
        vec![
            Parameter::integer(
                "hash_mb",
                16,
                1,
                4096,
                "size of the transposition table in MB",
            ),
            Parameter::switch("table", true, "use the transposition table"),
            root_noise(),
        ]
    }

    fn from_values(values: &ParameterValues) -> Options {
        Options {
            hash_mb: values.integer("hash_mb").unsigned_abs(),
            table: values.switch("table"),
            noise: noise_bound(values.get("root_noise")),
        }
    }
}

/// The search and what it keeps between the moves of a game.
pub struct AlphaBeta<G: BuiltIn> {
    options: Options,
    evaluator: G::Evaluator,
    table: Table<G::Move>,
    seed: u64,
    /// Buffers for the moves of each ply, kept so that no node allocates.
    buffers: Vec<Vec<G::Move>>,
}

/// A move at the root.
#[derive(Clone, Copy, Debug)]
struct RootMove<M> {
    mv: M,
    noise: u32,
}

/// The search of one move.
struct Run<'a, 'c, G: BuiltIn> {
    search: &'a mut AlphaBeta<G>,
    control: &'a mut Control<'c>,
    history: History<G>,
}

/// The limits are spent: the search unwinds.
struct Stopped;

type Value = Result<Score, Stopped>;

impl<G: BuiltIn> AlphaBeta<G> {
    /// A search with a table of its own.
    #[must_use]
    pub fn new(options: Options, evaluator: G::Evaluator) -> AlphaBeta<G> {
        AlphaBeta {
            table: Table::new(options.hash_mb),
            options,
            evaluator,
            seed: 0,
            buffers: Vec::new(),
        }
    }
}

impl<G: BuiltIn> Search<G> for AlphaBeta<G> {
    fn new_game(&mut self, seed: u64) {
        self.seed = seed;
        self.table.clear();
    }

    fn search(
        &mut self,
        position: &G,
        history: &History<G>,
        control: &mut Control<'_>,
    ) -> SearchReport<G::Move> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut report = SearchReport::unsearched(moves[0]);
        if moves.len() == 1 {
            return report;
        }
        let mut noise = Noise::new(self.seed, history.plies());
        let bound = self.options.noise;
        let mut roots: Vec<RootMove<G::Move>> = moves
            .into_iter()
            .map(|mv| RootMove {
                mv,
                noise: noise.below(bound),
            })
            .collect();
        self.table.new_search();
        report.searched = true;
        let deepest = control.limits().depth.min(MAX_DEPTH);
        let mut run = Run {
            search: self,
            control,
            history: history.clone(),
        };
        for depth in 1..=deepest {
            let Ok((score, best)) = run.root(position, &roots, depth) else {
                break;
            };
            report.mv = roots[best].mv;
            report.score = Some(score);
            report.depth = depth;
            roots[..=best].rotate_right(1);
            if score.is_proven() {
                break;
            }
        }
        report.nodes = run.control.nodes();
        report.pv = vec![report.mv];
        report
    }
}

impl<G: BuiltIn> Run<'_, '_, G> {
    /// The best root move and its score.
    fn root(
        &mut self,
        position: &G,
        roots: &[RootMove<G::Move>],
        depth: u32,
    ) -> Result<(Score, usize), Stopped> {
        let state = self.search.evaluator.reset(position);
        let mut alpha = -Score::INFINITE;
        let mut best = 0;
        for (index, root) in roots.iter().enumerate() {
            // The child must beat alpha less the noise that is added to its score.
            let bar = match alpha {
                alpha if alpha.is_proven() => alpha,
                Score(alpha) => Score(alpha.saturating_sub_unsigned(root.noise)),
            };
            let value = self.child(position, &state, root.mv, depth, 0, bar, Score::INFINITE)?;
            let score = value.with_noise(root.noise);
            if score > alpha {
                alpha = score;
                best = index;
            }
        }
        Ok((alpha, best))
    }

    /// Plays `mv` and searches the position after it; the value for the side that played.
    #[expect(
        clippy::too_many_arguments,
        reason = "the arguments of a node and a move"
    )]
    fn child(
        &mut self,
        position: &G,
        state: &<G::Evaluator as Evaluator<G>>::State,
        mv: G::Move,
        depth: u32,
        ply: u32,
        alpha: Score,
        beta: Score,
    ) -> Value {
        let mut after = position.clone();
        after.play(mv);
        let mut state = state.clone();
        self.search
            .evaluator
            .apply(&mut state, position, mv, &after);
        self.history.push(mv, &after);
        let value = self.node(&after, &state, depth - 1, ply + 1, -beta, -alpha);
        self.history.pop();
        value.map(|score| -score)
    }

    /// The value of a position for the side to move, exact within `alpha..beta`.
    fn node(
        &mut self,
        position: &G,
        state: &<G::Evaluator as Evaluator<G>>::State,
        depth: u32,
        ply: u32,
        alpha: Score,
        beta: Score,
    ) -> Value {
        if !self.control.enter_node() {
            return Err(Stopped);
        }
        if let Some(score) = ended(position, &self.history, ply) {
            return Ok(score);
        }
        if depth == 0 {
            return Ok(self.search.evaluator.evaluate(state, position));
        }
        let stored = match self.search.options.table {
            true => self.search.table.probe(position.key()),
            false => None,
        };
        if let Some(entry) = &stored
            && entry.depth() >= depth
        {
            let score = entry.score(ply);
            match entry.bound() {
                Bound::Exact => return Ok(score),
                Bound::Lower if score >= beta => return Ok(score),
                Bound::Upper if score <= alpha => return Ok(score),
                Bound::Lower | Bound::Upper => {}
            }
        }
        let first = stored
            .and_then(|e| e.mv)
            .filter(|mv| position.is_legal(*mv));
        let mut moves = self.search.buffers.pop().unwrap_or_default();
        let result = self.best(position, state, depth, ply, alpha, beta, first, &mut moves);
        self.search.buffers.push(moves);
        let (score, mv) = result?;
        if self.search.options.table {
            let bound = match score {
                score if score >= beta => Bound::Lower,
                score if score > alpha => Bound::Exact,
                _ => Bound::Upper,
            };
            let mv = if bound == Bound::Upper { None } else { mv };
            self.search
                .table
                .store(position.key(), depth, ply, score, bound, mv);
        }
        Ok(score)
    }

    /// Searches the moves of a node, `first` before all others.
    #[expect(
        clippy::too_many_arguments,
        reason = "the arguments of a node and its moves"
    )]
    fn best(
        &mut self,
        position: &G,
        state: &<G::Evaluator as Evaluator<G>>::State,
        depth: u32,
        ply: u32,
        mut alpha: Score,
        beta: Score,
        first: Option<G::Move>,
        moves: &mut Vec<G::Move>,
    ) -> Result<(Score, Option<G::Move>), Stopped> {
        let mut best = (-Score::INFINITE, None);
        moves.clear();
        let mut next = 0;
        let mut pending = first;
        loop {
            let mv = match pending.take() {
                Some(mv) => mv,
                None => {
                    if moves.is_empty() {
                        position.legal_moves(moves);
                    }
                    let Some(mv) = moves.get(next) else { break };
                    next += 1;
                    if Some(*mv) == first {
                        continue;
                    }
                    *mv
                }
            };
            let score = self.child(position, state, mv, depth, ply, alpha, beta)?;
            if score > best.0 {
                best = (score, Some(mv));
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        Ok(best)
    }
}
