//! The search of one node.

use super::observer::{Entry, Observer};
use super::ordering::Buffers;
use super::path::Path;
use super::{Run, Stopped, Window};
use crate::search::greedy::{ended, result};
use crate::search::table::Bound;
use crate::search::trace::{End, Order};
use crate::search::{BuiltIn, Evaluator, Score};

pub(super) type State<G> = <<G as BuiltIn>::Evaluator as Evaluator<G>>::State;

/// The plies from the root where a search that its extensions keep alive ends.
pub(super) const MAX_PLY: u32 = 240;

/// A position in the tree.
pub(super) struct Node<'n, G: BuiltIn> {
    pub(super) position: &'n G,
    pub(super) state: &'n State<G>,
    /// Plies left.
    pub(super) depth: u32,
    /// Plies from the root.
    pub(super) ply: u32,
    after_pass: bool,
}

impl<'n, G: BuiltIn> Node<'n, G> {
    /// The root.
    pub(super) fn root(position: &'n G, state: &'n State<G>, depth: u32) -> Node<'n, G> {
        Node {
            position,
            state,
            depth,
            ply: 0,
            after_pass: false,
        }
    }

    /// The position after a move of `before`.
    pub(super) fn after(
        before: &Node<'_, G>,
        position: &'n G,
        state: &'n State<G>,
        depth: u32,
    ) -> Node<'n, G> {
        Node {
            position,
            state,
            depth,
            ply: before.ply + 1,
            after_pass: false,
        }
    }
}

impl<G: BuiltIn, O: Observer<G::Move>> Run<'_, '_, G, O> {
    /// Searches move `index` of a node: in a zero window, reduced, where the options say so,
    /// and again where that shows it to be better. The value is for the side that moves.
    pub(super) fn move_value(
        &mut self,
        node: &Node<'_, G>,
        mv: G::Move,
        index: usize,
        window: Window,
    ) -> Result<Score, Stopped> {
        let options = &self.search.options;
        let reduced = options
            .reductions
            .as_ref()
            .map_or(0, |r| r.plies(node.depth, index));
        let narrow = match options.pvs && index > 0 {
            true => Window::above(window.alpha),
            false => window,
        };
        if reduced > 0 {
            let value = self.child(node, mv, reduced, narrow)?;
            if value <= window.alpha {
                return Ok(value);
            }
        }
        let value = self.child(node, mv, 0, narrow)?;
        let known = narrow.beta >= window.beta;
        if known || value <= window.alpha || value >= window.beta {
            return Ok(value);
        }
        self.child(node, mv, 0, window)
    }

    /// Plays `mv` and searches the position after it, `reduced` plies less deep; the value
    /// for the side that moves.
    pub(super) fn child(
        &mut self,
        node: &Node<'_, G>,
        mv: G::Move,
        reduced: u32,
        window: Window,
    ) -> Result<Score, Stopped> {
        let (position, state) = self.play(node, mv);
        self.history.push(mv, &position);
        let child = Node::after(node, &position, &state, node.depth - 1 - reduced);
        let value = self.watched(Some(mv), reduced, child, window);
        self.history.pop();
        value
    }

    /// The value of the position after a move, or a pass, for the side that moves; `window` is
    /// that side's.
    fn watched(
        &mut self,
        mv: Option<G::Move>,
        reduced: u32,
        after: Node<'_, G>,
        window: Window,
    ) -> Result<Score, Stopped> {
        if O::WATCHES {
            let entry = Entry {
                mv,
                depth: after.depth,
                reduced,
                window,
            };
            self.observer.enter(entry, self.control.nodes());
        }
        let value = self.node(after, window.turned()).map(|score| -score);
        if O::WATCHES {
            let value = value.as_ref().ok().copied();
            self.observer.leave(value, self.control.nodes());
        }
        value
    }

    /// Tells whoever watches how the node in hand comes to its value.
    fn ends(&mut self, end: End) {
        if O::WATCHES {
            self.observer.end(end);
        }
    }

    /// The position after a move and its state.
    pub(super) fn play(&self, node: &Node<'_, G>, mv: G::Move) -> (G, State<G>) {
        let mut position = node.position.clone();
        position.play(mv);
        let mut state = node.state.clone();
        let evaluator = &self.search.evaluator;
        evaluator.apply(&mut state, node.position, mv, &position);
        debug_assert_eq!(
            state,
            evaluator.reset(&position),
            "the incremental state is that of the position"
        );
        (position, state)
    }

    /// The value of a position for the side to move, exact within the window.
    fn node(&mut self, mut node: Node<'_, G>, mut window: Window) -> Result<Score, Stopped> {
        if !self.control.enter_node() {
            return Err(Stopped);
        }
        if let Some(score) = self.certain(node.position, node.state, node.ply) {
            self.ends(End::Certain);
            return Ok(score);
        }
        if self.search.options.mate_distance {
            window = window.within_mate_distance(node.ply);
            if window.alpha >= window.beta {
                self.ends(End::MateDistance);
                return Ok(window.alpha);
            }
        }
        if self.search.options.check_extension && node.position.in_check() {
            node.depth += 1;
        }
        if node.depth == 0 || node.ply >= MAX_PLY {
            if let Some(score) = self.forced(&node, window)? {
                self.ends(End::Certain);
                return Ok(score);
            }
            self.ends(End::Leaf);
            return self.quiesce(&node, window);
        }
        let stored = self.probe(&node);
        let mut within = window;
        if let Some((bound, score)) = stored.and_then(|(known, _)| known) {
            let end = match bound {
                Bound::Exact => Some(End::TableExact),
                Bound::Lower if score >= window.beta => Some(End::TableBound),
                Bound::Upper if score <= window.alpha => Some(End::TableBound),
                Bound::Lower | Bound::Upper | Bound::Nothing => None,
            };
            if let Some(end) = end {
                self.ends(end);
                return Ok(score);
            }
            if score.is_proven() {
                // What is left to find is better than this.
                match bound {
                    Bound::Lower => within.alpha = within.alpha.max(score),
                    _ => within.beta = within.beta.min(score),
                }
            }
        }
        if let Some(score) = self.forced(&node, within)? {
            self.ends(End::Certain);
            self.store(&node, window, score, None);
            return Ok(score);
        }
        if let Some(score) = self.null_move(&node, window)? {
            self.ends(End::NullMove);
            return Ok(score);
        }
        let first = stored.and_then(|(_, mv)| mv);
        let outer = self.path;
        let mut buffers = self.search.buffers.pop().unwrap_or_default();
        let result = self.expand(&node, within, first, &mut buffers);
        self.search.buffers.push(buffers);
        let (mut score, mut mv) = result?;
        if within.alpha > window.alpha && score <= within.alpha {
            (score, mv) = (within.alpha, first);
            self.ends(End::TableBound);
        } else if within.beta < window.beta && score >= within.beta {
            score = within.beta;
            self.ends(End::TableBound);
        }
        let path = self.path.before(self.history.plies());
        self.path = outer.and(path);
        if path == Path::NONE {
            self.store(&node, window, score, mv);
        } else {
            self.store_move(&node, window, score, mv);
        }
        Ok(score)
    }

    /// The value of a position that needs no search.
    pub(super) fn certain(&mut self, position: &G, state: &State<G>, ply: u32) -> Option<Score> {
        if let Some(found) = position.repetition(&self.history, self.root) {
            self.path = self.path.and(Path::from(found.first));
            let score = result(found.winner, position.side_to_move(), ply);
            return Some(if found.ends { score } else { score.unproven() });
        }
        if let Some(score) = ended(position, &self.history, ply) {
            if let Some(count) = position.countdown(&self.history)
                && count.left == 0
            {
                self.path = self.path.and(Path::counted_from(count.since));
            }
            return Some(score);
        }
        let proof = self.search.evaluator.prove(state, position)?;
        Some(proof.score(ply))
    }

    /// What the table knows: the score, where its depth suffices, and a move.
    #[expect(clippy::type_complexity, reason = "a score and a move, both optional")]
    fn probe(&mut self, node: &Node<'_, G>) -> Option<(Option<(Bound, Score)>, Option<G::Move>)> {
        if !self.search.options.table {
            return None;
        }
        self.statistics.probes += 1;
        let entry = self.search.table.probe(node.position.key())?;
        self.statistics.hits += 1;
        let score = entry.score(node.ply);
        let bound = match entry.bound() {
            bound if entry.depth() >= node.depth => Some(bound),
            // What is proven is so at every depth, but a deeper search may find a shorter way.
            Bound::Exact | Bound::Lower if score >= Score::PROVEN => Some(Bound::Lower),
            Bound::Exact | Bound::Upper if score <= -Score::PROVEN => Some(Bound::Upper),
            _ => None,
        };
        // No value is worth anything beyond the end of a count.
        let reach = score
            .plies_to_end()
            .map_or(node.depth + 1, |plies| plies - node.ply);
        let in_time = bound.is_some()
            && node
                .position
                .countdown(&self.history)
                .is_none_or(|count| count.left >= reach);
        let known = bound.filter(|_| in_time).map(|bound| (bound, score));
        let mv = entry.mv.filter(|mv| node.position.is_legal(*mv));
        Some((known, mv))
    }

    fn store(&mut self, node: &Node<'_, G>, window: Window, score: Score, mv: Option<G::Move>) {
        if !self.search.options.table {
            return;
        }
        let (bound, mv) = match score {
            score if score >= window.beta => (Bound::Lower, mv),
            score if score > window.alpha => (Bound::Exact, mv),
            _ => (Bound::Upper, None),
        };
        let key = node.position.key();
        let table = &mut self.search.table;
        table.store(key, node.depth, node.ply, score, bound, mv);
    }

    /// Keeps the best move of a node whose value holds on this path only, for the order of moves.
    fn store_move(
        &mut self,
        node: &Node<'_, G>,
        window: Window,
        score: Score,
        mv: Option<G::Move>,
    ) {
        if let Some(mv) = mv.filter(|_| score > window.alpha)
            && self.search.options.table
        {
            self.search.table.store_move(node.position.key(), mv);
        }
    }

    /// A bound from passing, where even that is too good for the opponent to allow.
    fn null_move(&mut self, node: &Node<'_, G>, window: Window) -> Result<Option<Score>, Stopped> {
        let Some(saved) = self.search.options.null_move else {
            return Ok(None);
        };
        let beta = window.beta;
        if node.after_pass || node.depth <= saved + 1 || beta.is_proven() {
            return Ok(None);
        }
        let evaluator = &self.search.evaluator;
        if node.position.in_check() || evaluator.evaluate(node.state, node.position) < beta {
            return Ok(None);
        }
        let Some(position) = node.position.pass() else {
            return Ok(None);
        };
        let state = evaluator.reset(&position);
        let passed = Node {
            position: &position,
            state: &state,
            depth: node.depth - 1 - saved,
            ply: node.ply + 1,
            after_pass: true,
        };
        let outer = self.path;
        let value = self.watched(None, saved, passed, Window::above(Score(beta.0 - 1)))?;
        let cuts = value >= beta && !value.is_proven();
        if !cuts {
            self.path = outer;
        }
        Ok(cuts.then_some(beta))
    }

    /// Searches the moves of a node, `first` before all others, and leaves in `self.path` what
    /// the value rests on: a move that cuts speaks for itself, otherwise all do.
    fn expand(
        &mut self,
        node: &Node<'_, G>,
        window: Window,
        first: Option<G::Move>,
        buffers: &mut Buffers<G>,
    ) -> Result<(Score, Option<G::Move>), Stopped> {
        self.statistics.expanded += 1;
        let mut best = (-Score::INFINITE, None);
        let mut alpha = window.alpha;
        let mut path = Path::NONE;
        let mut searched = 0;
        let mut next = 0;
        let early = self.early_moves(node, first);
        loop {
            let mv = if let Some(mv) = early.get(searched).copied().flatten() {
                if O::WATCHES {
                    let is_first = searched == 0 && first.is_some();
                    let order = if is_first {
                        Order::Table
                    } else {
                        Order::Killer
                    };
                    self.observer.order(order);
                }
                mv
            } else {
                if next == 0 {
                    self.rank(node, buffers)?;
                }
                let Some(ranked) = buffers.ranked.get(next) else {
                    break;
                };
                next += 1;
                if early.contains(&Some(ranked.mv)) {
                    continue;
                }
                let mv = ranked.mv;
                if O::WATCHES {
                    self.observer.order(Order::Ranked);
                }
                mv
            };
            let rest = Window { alpha, ..window };
            self.path = Path::NONE;
            let score = self.move_value(node, mv, searched, rest)?;
            if score > best.0 {
                best = (score, Some(mv));
            }
            alpha = alpha.max(score);
            if alpha >= window.beta {
                self.statistics.cutoffs += 1;
                self.statistics.first_cutoffs += u64::from(searched == 0);
                self.cut(node, mv);
                self.ends(End::Cutoff { by: searched + 1 });
                return Ok(best);
            }
            path = path.and(self.path);
            searched += 1;
        }
        self.path = path;
        self.ends(End::AllMoves);
        Ok(best)
    }

    /// Makes a move and values the position after it as it stands, for the side that moves.
    pub(super) fn glance(&mut self, node: &Node<'_, G>, mv: G::Move) -> Result<Score, Stopped> {
        if !self.control.enter_node() {
            return Err(Stopped);
        }
        let (position, state) = self.play(node, mv);
        self.history.push(mv, &position);
        let outer = self.path;
        let value = self
            .certain(&position, &state, node.ply + 1)
            .unwrap_or_else(|| self.search.evaluator.evaluate(&state, &position));
        self.path = outer;
        self.history.pop();
        Ok(-value)
    }
}
