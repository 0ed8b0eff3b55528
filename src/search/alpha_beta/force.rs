//! Wins that a search of the game's own finds.

use super::node::{Node, State};
use super::observer::{Entry, Observer};
use super::{Run, Stopped, Window};
use crate::search::trace::{End, Order};
use crate::search::{BuiltIn, Effort, Evaluator, Forced, Score, SearchReport};

impl<G: BuiltIn, O: Observer<G::Move>> Run<'_, '_, G, O> {
    /// The score of a node that the side to move can force a win in. Its nodes count as those of
    /// the quiescence search.
    pub(super) fn forced(
        &mut self,
        node: &Node<'_, G>,
        window: Window,
    ) -> Result<Option<Score>, Stopped> {
        let evaluator = &self.search.evaluator;
        if node.depth == 0 && evaluator.evaluate(node.state, node.position) >= window.beta {
            return Ok(None);
        }
        let forced = self.force(node.position, node.state, Effort::Inner(node.depth))?;
        Ok(forced.map(|forced| Score::win_in(node.ply + forced.plies)))
    }

    /// A win that can be forced from the root, told as a pass over the root's moves of its own.
    pub(super) fn forced_at_root(
        &mut self,
        position: &G,
        state: &State<G>,
    ) -> Option<SearchReport<G::Move>> {
        self.told(|run| run.force(position, state, Effort::Root).ok().flatten())
    }

    /// A move that wins the game as it is made, told in the same way.
    pub(super) fn won_at_once(
        &mut self,
        position: &G,
        mv: G::Move,
    ) -> Option<SearchReport<G::Move>> {
        let mut after = position.clone();
        after.play(mv);
        self.history.push(mv, &after);
        let outcome = after.outcome(&self.history);
        self.history.pop();
        let wins = outcome.is_some_and(|outcome| outcome.winner == Some(position.side_to_move()));
        let line = vec![mv];
        self.told(|run| (wins && run.control.enter_node()).then_some(Forced { plies: 1, line }))
    }

    /// Asks for a win, and tells whoever watches.
    fn told(
        &mut self,
        ask: impl FnOnce(&mut Self) -> Option<Forced<G::Move>>,
    ) -> Option<SearchReport<G::Move>> {
        if O::WATCHES {
            self.observer.begin(1, Window::FULL, self.control.nodes());
            self.observer.order(Order::Root);
        }
        let before = self.control.nodes();
        let forced = ask(self);
        let score = forced.as_ref().map(|forced| Score::win_in(forced.plies));
        if O::WATCHES {
            match &forced {
                Some(forced) => {
                    let entry = Entry {
                        mv: forced.line.first().copied(),
                        depth: 0,
                        reduced: 0,
                        window: Window::FULL,
                    };
                    self.observer.enter(entry, before);
                    self.observer.end(End::Certain);
                    self.observer.leave(score, self.control.nodes());
                }
                None => self.observer.aside(self.control.nodes() - before),
            }
            self.observer.finish(score, self.control.nodes());
        }
        let Forced { line, .. } = forced?;
        Some(SearchReport {
            score,
            depth: 1,
            searched: true,
            pv: line.clone(),
            ..SearchReport::unsearched(*line.first()?)
        })
    }

    fn force(
        &mut self,
        position: &G,
        state: &State<G>,
        effort: Effort,
    ) -> Result<Option<Forced<G::Move>>, Stopped> {
        let (control, nodes) = (&mut *self.control, &mut self.quiescence_nodes);
        let mut enter = || {
            let enters = control.enter_node();
            *nodes += u64::from(enters);
            enters
        };
        let forced = self
            .search
            .evaluator
            .force(state, position, effort, &mut enter);
        match self.control.is_stopped() {
            true => Err(Stopped),
            false => Ok(forced),
        }
    }
}
