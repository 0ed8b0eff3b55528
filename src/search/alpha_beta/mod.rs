//! Iterative deepening alpha-beta: principal variation search with a transposition table,
//! and selective parts that are switches.
//!
//! With the selective parts off (`late_move_reductions`, `null_move`) the
//! result is that of plain negamax, and a test holds it to that.

mod force;
mod node;
mod observer;
mod options;
mod ordering;
mod path;
mod quiescence;

use observer::{Observer, Tracer};
pub use options::Options;
use ordering::{Buffers, Ordering};
use path::Path;

use super::noise::Noise;
use super::table::Table;
use super::trace::{Trace, TraceOptions};
use super::{BuiltIn, Control, Evaluator, Score, Search, SearchReport, Statistics};
use crate::game::{Game, History};

/// The deepest that a search goes.
const MAX_DEPTH: u32 = 200;

/// The search and what it keeps between the moves of a game.
pub struct AlphaBeta<G: BuiltIn> {
    options: Options,
    evaluator: G::Evaluator,
    table: Table<G::Move>,
    ordering: Ordering<G>,
    seed: u64,
    announced: Option<Announced<G::Move>>,
    /// Buffers for the moves of each ply, kept so that no node allocates.
    buffers: Vec<Buffers<G>>,
}

/// A win that a search has told of in this game.
#[derive(Clone, Copy, Debug)]
struct Announced<M> {
    /// The ply of the history where it was searched, the key of the position there, and the move.
    ply: usize,
    key: u64,
    mv: M,
    /// In how many plies from there.
    plies: u32,
}

impl<M: Copy + PartialEq> Announced<M> {
    /// In how many plies from the end of `history` it is due, if that is still the same game.
    fn due<G: Game<Move = M>>(self, history: &History<G>) -> Option<u32> {
        let since = u32::try_from(history.plies().checked_sub(self.ply)?).ok()?;
        let same = since.is_multiple_of(2)
            && history.keys()[self.ply] == self.key
            && history
                .moves()
                .get(self.ply)
                .is_none_or(|mv| *mv == self.mv);
        self.plies
            .checked_sub(since)
            .filter(|left| same && *left > 0)
    }
}

/// A move at the root.
#[derive(Clone, Copy, Debug)]
struct RootMove<M> {
    mv: M,
    noise: u32,
    /// The score one ply deep, by which the moves are sorted.
    score: Score,
}

/// The search of one move.
struct Run<'a, 'c, G: BuiltIn, O> {
    search: &'a mut AlphaBeta<G>,
    control: &'a mut Control<'c>,
    observer: O,
    history: History<G>,
    /// The ply of the history where the search began.
    root: usize,
    /// What the value in hand rests on beside its position.
    path: Path,
    statistics: Statistics,
    quiescence_nodes: u64,
    /// The move at the root, and its score, that was found to be better than the first one in the
    /// depth in hand.
    better: Option<(Score, usize)>,
}

/// The limits are spent: the search unwinds.
#[derive(Debug)]
struct Stopped;

/// Scores are exact between the two bounds.
#[derive(Clone, Copy, Debug)]
struct Window {
    alpha: Score,
    beta: Score,
}

impl Window {
    const FULL: Window = Window {
        alpha: Score(-Score::INFINITE.0),
        beta: Score::INFINITE,
    };

    /// A window that only tells whether a score is above `alpha`.
    fn above(alpha: Score) -> Window {
        let beta = Score(alpha.0 + 1);
        Window { alpha, beta }
    }

    /// The window around `score` that opens by `half` to both sides.
    fn around(score: Score, half: i32) -> Window {
        let bound = |s: i32| Score(s.clamp(-Score::INFINITE.0, Score::INFINITE.0));
        Window {
            alpha: bound(score.0.saturating_sub(half)),
            beta: bound(score.0.saturating_add(half)),
        }
    }

    /// The part of it that results can lie in `ply` plies from the root: the game is not lost
    /// there yet, and not won before the next ply.
    fn within_mate_distance(self, ply: u32) -> Window {
        Window {
            alpha: self.alpha.max(Score::loss_in(ply)),
            beta: self.beta.min(Score::win_in(ply + 1)),
        }
    }

    /// The same window, seen by the other side.
    fn turned(self) -> Window {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }
}

impl<G: BuiltIn> AlphaBeta<G> {
    /// A search with a table of its own.
    #[must_use]
    pub fn new(options: Options, evaluator: G::Evaluator) -> AlphaBeta<G> {
        AlphaBeta {
            table: Table::new(options.hash_mb),
            ordering: Ordering::new(),
            options,
            evaluator,
            seed: 0,
            announced: None,
            buffers: Vec::new(),
        }
    }

    /// The moves at the root, with their noise.
    fn roots(&self, moves: &[G::Move], ply: usize) -> Vec<RootMove<G::Move>> {
        let mut noise = Noise::new(self.seed, ply);
        let root = |mv: &G::Move| RootMove {
            mv: *mv,
            noise: noise.below(self.options.noise),
            score: Score::ZERO,
        };
        moves.iter().map(root).collect()
    }

    /// Searches these moves of a position while `observer` looks on, and gives it back.
    fn watched<O: Observer<G::Move>>(
        &mut self,
        position: &G,
        history: &History<G>,
        moves: &[G::Move],
        control: &mut Control<'_>,
        observer: O,
    ) -> (SearchReport<G::Move>, O) {
        let state = self.evaluator.reset(position);
        let is_choice = moves.len() > 1;
        if is_choice {
            self.table.new_search();
            self.ordering.new_search(self.options.history_decay);
        }
        let roots = self.roots(moves, history.plies());
        control.keep_back(self.options.time_kept);
        let mut run = Run {
            search: self,
            control,
            observer,
            history: history.clone(),
            root: history.plies(),
            path: Path::NONE,
            statistics: Statistics::default(),
            quiescence_nodes: 0,
            better: None,
        };
        let forced = match moves {
            [only] => run.won_at_once(position, *only),
            _ => None,
        };
        let forced = forced.or_else(|| run.forced_at_root(position, &state));
        let forced = forced.filter(|forced| moves.contains(&forced.mv));
        let due = run.due();
        let report = SearchReport::unsearched(moves[0]);
        let report = match forced {
            forced if !is_choice => run.counted(forced.unwrap_or(report)),
            Some(forced) if due.is_none_or(|due| forced.score >= Some(Score::win_in(due))) => {
                run.counted(forced)
            }
            forced => {
                let found = run.deepen(position, roots, report);
                let better = forced.filter(|forced| forced.score > found.score);
                better.map_or(found, |forced| run.counted(forced))
            }
        };
        let observer = run.observer;
        if let Some(score) = report.score.filter(|score| *score >= Score::PROVEN) {
            self.announced = Some(Announced {
                ply: history.plies(),
                key: position.key(),
                mv: report.mv,
                plies: score.plies_to_end().unwrap_or_default(),
            });
        }
        (report, observer)
    }
}

impl<G: BuiltIn> Search<G> for AlphaBeta<G> {
    fn new_game(&mut self, seed: u64) {
        self.seed = seed;
        self.announced = None;
        self.table.clear();
        self.ordering.clear();
    }

    fn candidates(&self, position: &G, moves: &mut Vec<G::Move>) {
        let state = self.evaluator.reset(position);
        self.evaluator.candidates(&state, position, moves);
    }

    fn search_among(
        &mut self,
        position: &G,
        history: &History<G>,
        moves: Vec<G::Move>,
        control: &mut Control<'_>,
    ) -> SearchReport<G::Move> {
        self.watched(position, history, &moves, control, ()).0
    }

    fn trace(
        &mut self,
        position: &G,
        history: &History<G>,
        control: &mut Control<'_>,
        options: TraceOptions,
    ) -> (SearchReport<G::Move>, Option<Trace<G::Move>>) {
        let tracer = Tracer::new(options);
        let mut moves = Vec::new();
        self.candidates(position, &mut moves);
        let (report, tracer) = self.watched(position, history, &moves, control, tracer);
        (report, Some(tracer.into_trace()))
    }
}

impl<G: BuiltIn, O: Observer<G::Move>> Run<'_, '_, G, O> {
    /// Searches deeper and deeper until something ends it.
    fn deepen(
        &mut self,
        position: &G,
        mut roots: Vec<RootMove<G::Move>>,
        mut report: SearchReport<G::Move>,
    ) -> SearchReport<G::Move> {
        report.searched = true;
        let due = self.due();
        let deepest = self.control.limits().depth.min(MAX_DEPTH);
        for depth in 1..=deepest {
            let before = self.control.spent();
            let Ok((score, best)) = self.aspire(position, &mut roots, depth, report.score) else {
                // The first move was the best so far: what has beaten it is better.
                if let Some((score, best)) = self.better.filter(|_| depth > 1) {
                    report.mv = roots[best].mv;
                    report.score = Some(score);
                    report.pv = self.variation(position, report.mv, depth);
                }
                break;
            };
            report.mv = roots[best].mv;
            report.score = Some(score);
            report.depth = depth;
            report.pv = self.variation(position, report.mv, depth);
            roots[..=best].rotate_right(1);
            if depth == 1 {
                // A stable sort: the best move, with its noise, stays in front.
                roots[1..].sort_by_key(|root| -root.score);
            }
            let cost = self.control.spent().since(before);
            let next = cost.times(self.search.options.growth);
            let plies = score.plies_to_end();
            let owes = due.is_some_and(|due| score < Score::win_in(due));
            // Far beyond the end of the shortest win there is none.
            if owes && plies.is_none_or(|plies| depth < 2 * plies) {
                // What has been announced is not given up while anything can be spent.
                continue;
            }
            // A shorter win than this, or a longer loss, may be found by looking deeper.
            let settled = |plies| !G::COMES_BACK || plies <= depth;
            if plies.is_some_and(settled) || !self.control.affords(next) {
                break;
            }
        }
        self.counted(report)
    }

    /// In how many plies the win is due that was announced.
    fn due(&self) -> Option<u32> {
        let announced = self.search.announced?;
        announced.due(&self.history)
    }

    /// The report with what the search has counted.
    fn counted(&self, report: SearchReport<G::Move>) -> SearchReport<G::Move> {
        SearchReport {
            nodes: self.control.nodes(),
            quiescence_nodes: self.quiescence_nodes,
            statistics: self.statistics,
            ..report
        }
    }

    /// One depth, first in a window around the last score.
    fn aspire(
        &mut self,
        position: &G,
        roots: &mut [RootMove<G::Move>],
        depth: u32,
        last: Option<Score>,
    ) -> Result<(Score, usize), Stopped> {
        self.better = None;
        let mut window = Window::FULL;
        let mut half = i32::MAX;
        if let (Some(aspiration), Some(last)) = (self.search.options.aspiration, last)
            && depth > 2
        {
            half = aspiration.0;
            window = Window::around(last, half);
        }
        loop {
            if O::WATCHES {
                self.observer.begin(depth, window, self.control.nodes());
            }
            let found = self.root(position, roots, depth, window);
            if O::WATCHES {
                let score = found.as_ref().ok().map(|(score, _)| *score);
                self.observer.finish(score, self.control.nodes());
            }
            let (score, best) = found?;
            let low = score <= window.alpha && window.alpha > -Score::INFINITE;
            let high = score >= window.beta && window.beta < Score::INFINITE;
            if !low && !high {
                return Ok((score, best));
            }
            half = half.saturating_mul(4);
            let wider = Window::around(score, half);
            if low {
                window.alpha = wider.alpha;
            } else {
                window.beta = wider.beta;
            }
        }
    }

    /// The best root move and its score.
    fn root(
        &mut self,
        position: &G,
        roots: &mut [RootMove<G::Move>],
        depth: u32,
        window: Window,
    ) -> Result<(Score, usize), Stopped> {
        let state = self.search.evaluator.reset(position);
        let node = node::Node::root(position, &state, depth);
        let mut best = (-Score::INFINITE, 0);
        for (index, root) in roots.iter_mut().enumerate() {
            let RootMove { mv, noise, .. } = *root;
            let alpha = best.0.max(window.alpha);
            // The move must beat alpha less the noise that is added to its score.
            let less = |score: Score| match score {
                score if score.is_proven() => score,
                Score(score) => Score(score.saturating_sub_unsigned(noise)),
            };
            // One ply deep, each score is wanted: it costs no more than a bound.
            let value = if depth == 1 {
                self.child(&node, mv, 0, Window::FULL)?
            } else {
                let window = Window {
                    alpha: less(alpha),
                    beta: less(window.beta),
                };
                self.move_value(&node, mv, index, window)?
            };
            let score = value.with_noise(noise);
            if depth == 1 {
                root.score = score;
            }
            if score > best.0 {
                best = (score, index);
                if index > 0 && score > window.alpha {
                    self.better = Some(best);
                }
            }
            if score >= window.beta {
                break;
            }
        }
        Ok(best)
    }

    /// The line that the table remembers.
    fn variation(&self, position: &G, first: G::Move, depth: u32) -> Vec<G::Move> {
        let mut line = vec![first];
        let mut position = position.clone();
        position.play(first);
        while line.len() < depth as usize {
            let stored = self.search.table.probe(position.key());
            let Some(mv) = stored.and_then(|entry| entry.mv) else {
                break;
            };
            if !position.is_legal(mv) {
                break;
            }
            position.play(mv);
            line.push(mv);
        }
        line
    }
}
