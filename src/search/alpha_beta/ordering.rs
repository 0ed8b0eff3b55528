//! Which moves are searched first.

use super::node::Node;
use super::observer::Observer;
use super::{Run, Stopped};
use crate::game::Side;
use crate::search::{BuiltIn, Evaluator};

/// What earlier nodes teach about the order of moves.
pub(super) struct Ordering<G: BuiltIn> {
    /// Per ply two moves that were too good for the opponent to allow.
    killers: Vec<[Option<G::Move>; 2]>,
    /// Per side and slot of [`BuiltIn::history_slot`] how often that was so.
    history: Vec<i32>,
}

/// How many moves are brought in order. Beyond them the order does not matter much, and
/// sorting hundreds of moves costs more than it saves.
const SORTED_MOVES: usize = 64;

/// The bound of a history value.
const HISTORY_MAX: i32 = 1 << 12;

impl<G: BuiltIn> Ordering<G> {
    pub(super) fn new() -> Ordering<G> {
        Ordering {
            killers: Vec::new(),
            history: vec![0; 2 * G::HISTORY_SLOTS],
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.killers.clear();
        self.history.fill(0);
    }

    /// Begins a search: `decay` of 256 parts of the history stay.
    pub(super) fn new_search(&mut self, decay: i32) {
        self.killers.clear();
        for value in &mut self.history {
            *value = *value * decay / 256;
        }
    }

    fn slot(side: Side, mv: G::Move) -> usize {
        side.index() * G::HISTORY_SLOTS + G::history_slot(mv)
    }

    fn killers(&self, ply: u32) -> [Option<G::Move>; 2] {
        self.killers.get(ply as usize).copied().unwrap_or_default()
    }

    fn add_killer(&mut self, ply: u32, mv: G::Move) {
        let ply = ply as usize;
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }

    fn add_history(&mut self, side: Side, mv: G::Move, depth: u32) {
        let bonus = depth.saturating_mul(depth).min(1024).cast_signed();
        let value = &mut self.history[Self::slot(side, mv)];
        // The nearer to the bound, the less is added.
        *value += bonus - *value * bonus / HISTORY_MAX;
    }
}

/// A move and what speaks for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked<M> {
    pub(super) mv: M,
    rank: i32,
}

/// The buffers of one node.
#[derive(Debug)]
pub(super) struct Buffers<G: BuiltIn> {
    pub(super) moves: Vec<G::Move>,
    ratings: Vec<i32>,
    pub(super) ranked: Vec<Ranked<G::Move>>,
}

impl<G: BuiltIn> Default for Buffers<G> {
    fn default() -> Buffers<G> {
        Buffers {
            moves: Vec::new(),
            ratings: Vec::new(),
            ranked: Vec::new(),
        }
    }
}

impl<G: BuiltIn> Buffers<G> {
    /// Ranks the moves that are listed by what `rate` appends for them, all in order.
    pub(super) fn sort_by_rating(&mut self, rate: impl FnOnce(&[G::Move], &mut Vec<i32>)) {
        self.ratings.clear();
        rate(&self.moves, &mut self.ratings);
        self.ranked.clear();
        let rated = self.moves.iter().zip(&self.ratings);
        self.ranked
            .extend(rated.map(|(&mv, &rank)| Ranked { mv, rank }));
        self.ranked.sort_by_key(|ranked| -ranked.rank);
    }

    /// Brings the best `count` moves to the front, in order.
    fn sort_front(&mut self, count: usize) {
        let best_first = |a: &Ranked<G::Move>, b: &Ranked<G::Move>| b.rank.cmp(&a.rank);
        if count == 0 {
            return;
        }
        if count < self.ranked.len() {
            self.ranked.select_nth_unstable_by(count - 1, best_first);
        }
        let count = count.min(self.ranked.len());
        self.ranked[..count].sort_by(best_first);
    }
}

impl<G: BuiltIn, O: Observer<G::Move>> Run<'_, '_, G, O> {
    /// The moves that are searched before the others are even listed: that of the table and
    /// the killers. Those that there are stand in front, each once.
    pub(super) fn early_moves(
        &self,
        node: &Node<'_, G>,
        first: Option<G::Move>,
    ) -> [Option<G::Move>; 3] {
        let killers = match self.search.options.killers {
            true => self.search.ordering.killers(node.ply),
            false => [None; 2],
        };
        let mut early = [first, None, None];
        let mut count = usize::from(first.is_some());
        for mv in killers.into_iter().flatten() {
            if node.position.is_legal(mv) && !early.contains(&Some(mv)) {
                early[count] = Some(mv);
                count += 1;
            }
        }
        early
    }

    /// Lists the moves of a node, the most promising first.
    pub(super) fn rank(
        &mut self,
        node: &Node<'_, G>,
        buffers: &mut Buffers<G>,
    ) -> Result<(), Stopped> {
        self.rate(node, buffers);
        let options = &self.search.options;
        let fine = match node.depth >= options.fine_depth {
            true => options.fine_moves.min(buffers.ranked.len()),
            false => 0,
        };
        buffers.sort_front(fine.max(SORTED_MOVES));
        for index in 0..fine {
            let mv = buffers.ranked[index].mv;
            buffers.ranked[index].rank = self.glance(node, mv)?.0;
        }
        buffers.ranked[..fine].sort_by_key(|ranked| -ranked.rank);
        Ok(())
    }

    /// Lists the moves of a node with their cheap ranks.
    fn rate(&self, node: &Node<'_, G>, buffers: &mut Buffers<G>) {
        let search = &self.search;
        let options = &search.options;
        let Buffers {
            moves,
            ratings,
            ranked,
        } = buffers;
        moves.clear();
        ratings.clear();
        ranked.clear();
        let evaluator = &search.evaluator;
        evaluator.candidates(node.state, node.position, moves);
        if options.rating {
            evaluator.rate_moves(node.state, node.position, moves, ratings);
        } else {
            ratings.resize(moves.len(), 0);
        }
        let weight = if options.history {
            options.history_weight
        } else {
            0
        };
        let side = node.position.side_to_move();
        let history = &search.ordering.history;
        let rank = |(&mv, &rating): (&G::Move, &i32)| {
            let value = history[Ordering::<G>::slot(side, mv)];
            let rank = rating + value * weight / 64;
            Ranked { mv, rank }
        };
        ranked.extend(moves.iter().zip(ratings.iter()).map(rank));
    }

    /// Notes that `mv` was too good for the opponent to allow the node.
    pub(super) fn cut(&mut self, node: &Node<'_, G>, mv: G::Move) {
        let ordering = &mut self.search.ordering;
        if self.search.options.killers {
            ordering.add_killer(node.ply, mv);
        }
        if self.search.options.history {
            ordering.add_history(node.position.side_to_move(), mv, node.depth);
        }
    }
}
