//! What comes after the last ply: tactical moves, until the position is quiet.

use super::node::{MAX_PLY, Node};
use super::observer::Observer;
use super::ordering::Buffers;
use super::{Run, Stopped, Window};
use crate::search::{BuiltIn, Evaluator, Score};

impl<G: BuiltIn, O: Observer<G::Move>> Run<'_, '_, G, O> {
    /// The value of a leaf: the position as it stands, or what its tactical moves make of it.
    /// In check it is not valued as it stands, and all moves count.
    pub(super) fn quiesce(&mut self, node: &Node<'_, G>, window: Window) -> Result<Score, Stopped> {
        let is_last = !self.search.options.quiescence || node.ply >= MAX_PLY;
        let in_check = !is_last && node.position.in_check();
        let mut best = -Score::INFINITE;
        if !in_check {
            best = self.search.evaluator.evaluate(node.state, node.position);
            if is_last || best >= window.beta {
                return Ok(best);
            }
        }
        let mut buffers = self.search.buffers.pop().unwrap_or_default();
        self.list_tactical(node, in_check, &mut buffers);
        let result = self.quiesce_moves(node, window, best, &buffers);
        self.search.buffers.push(buffers);
        result
    }

    /// Lists the moves that count, the best by the game's rating first.
    fn list_tactical(&self, node: &Node<'_, G>, in_check: bool, buffers: &mut Buffers<G>) {
        buffers.moves.clear();
        if in_check {
            node.position.legal_moves(&mut buffers.moves);
        } else {
            node.position.tactical_moves(&mut buffers.moves);
        }
        buffers.sort_by_rating(|moves, ratings| {
            let evaluator = &self.search.evaluator;
            evaluator.rate_moves(node.state, node.position, moves, ratings);
        });
    }

    fn quiesce_moves(
        &mut self,
        node: &Node<'_, G>,
        window: Window,
        mut best: Score,
        buffers: &Buffers<G>,
    ) -> Result<Score, Stopped> {
        for ranked in &buffers.ranked {
            if !self.control.enter_node() {
                return Err(Stopped);
            }
            self.quiescence_nodes += 1;
            let (position, state) = self.play(node, ranked.mv);
            self.history.push(ranked.mv, &position);
            let child = Node::after(node, &position, &state, 0);
            let rest = Window {
                alpha: best.max(window.alpha),
                ..window
            };
            let value = match self.certain(&position, &state, child.ply) {
                Some(score) => Ok(score),
                None => self.quiesce(&child, rest.turned()),
            };
            self.history.pop();
            best = best.max(-value?);
            if best >= window.beta {
                break;
            }
        }
        Ok(best)
    }
}
