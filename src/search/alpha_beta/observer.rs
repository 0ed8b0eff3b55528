//! What watches a search. Whether anything does is a part of the search's type, so that a search
//! that nobody watches has no code for it.

use super::Window;
use crate::search::Score;
use crate::search::trace::{Branches, End, Order, Round, Step, Trace, TraceOptions};

/// Is told what a search does, and changes nothing. Nodes are those that the whole search has
/// counted so far.
pub(super) trait Observer<M> {
    /// Whether anything is to be told.
    const WATCHES: bool;
    /// A pass over the moves at the root begins.
    fn begin(&mut self, depth: u32, window: Window, nodes: u64);
    /// It has ended; without a score the limits ended it.
    fn finish(&mut self, score: Option<Score>, nodes: u64);
    /// So many nodes of it belong to no move.
    fn aside(&mut self, nodes: u64);
    /// Why the next move of the node in hand comes now.
    fn order(&mut self, order: Order);
    /// A move is tried.
    fn enter(&mut self, entry: Entry<M>, nodes: u64);
    /// How the position after it comes to its value.
    fn end(&mut self, end: End);
    /// The try has ended, with the value for the side that moves.
    fn leave(&mut self, value: Option<Score>, nodes: u64);
}

/// A try of a move as it begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<M> {
    /// `None` is a pass.
    pub(super) mv: Option<M>,
    pub(super) depth: u32,
    pub(super) reduced: u32,
    /// For the side that moves.
    pub(super) window: Window,
}

/// Nobody watches.
impl<M> Observer<M> for () {
    const WATCHES: bool = false;
    fn begin(&mut self, _: u32, _: Window, _: u64) {}
    fn finish(&mut self, _: Option<Score>, _: u64) {}
    fn aside(&mut self, _: u64) {}
    fn order(&mut self, _: Order) {}
    fn enter(&mut self, _: Entry<M>, _: u64) {}
    fn end(&mut self, _: End) {}
    fn leave(&mut self, _: Option<Score>, _: u64) {}
}

/// Writes the first plies down.
pub(super) struct Tracer<M> {
    options: TraceOptions,
    trace: Trace<M>,
    root: Place<M>,
    /// The tries in hand, the root's first.
    open: Vec<Open<M>>,
    /// How many more there are below those.
    below: u32,
}

/// A try in hand; `step.nodes` are those counted before it.
struct Open<M> {
    step: Step<M>,
    place: Place<M>,
}

/// Where a node is in the list of its moves.
struct Place<M> {
    /// Why the next move comes now.
    order: Order,
    number: usize,
    last: Option<M>,
    /// The best value of those without a lower bound.
    best: Score,
}

impl<M> Place<M> {
    fn new(order: Order) -> Place<M> {
        Place {
            order,
            number: 0,
            last: None,
            best: -Score::INFINITE,
        }
    }
}

impl<M: Copy + PartialEq> Tracer<M> {
    pub(super) fn new(options: TraceOptions) -> Tracer<M> {
        Tracer {
            options,
            trace: Trace { rounds: Vec::new() },
            root: Place::new(Order::Root),
            open: Vec::new(),
            below: 0,
        }
    }

    pub(super) fn into_trace(self) -> Trace<M> {
        self.trace
    }

    fn place(&mut self) -> &mut Place<M> {
        match self.open.last_mut() {
            Some(open) => &mut open.place,
            None => &mut self.root,
        }
    }
}

impl<M: Copy + PartialEq> Observer<M> for Tracer<M> {
    const WATCHES: bool = true;

    fn begin(&mut self, depth: u32, window: Window, nodes: u64) {
        self.root = Place::new(Order::Root);
        self.trace.rounds.push(Round {
            depth,
            alpha: window.alpha,
            beta: window.beta,
            score: None,
            nodes,
            branches: Branches::default(),
        });
    }

    fn finish(&mut self, score: Option<Score>, nodes: u64) {
        if let Some(round) = self.trace.rounds.last_mut() {
            round.score = score;
            round.nodes = nodes - round.nodes;
            if round.nodes == 0 {
                self.trace.rounds.pop();
            }
        }
    }

    fn aside(&mut self, nodes: u64) {
        if let Some(round) = self.trace.rounds.last_mut() {
            round.branches.left_out_nodes += nodes;
        }
    }

    fn order(&mut self, order: Order) {
        if self.below == 0 {
            self.place().order = order;
        }
    }

    fn enter(&mut self, entry: Entry<M>, nodes: u64) {
        if self.below > 0 || self.open.len() >= self.options.plies as usize {
            self.below += 1;
            return;
        }
        let place = self.place();
        let (number, order) = match entry.mv {
            None => (0, Order::Pass),
            Some(_) => {
                place.number += usize::from(place.last != entry.mv);
                place.last = entry.mv;
                (place.number, place.order)
            }
        };
        let Window { alpha, beta } = entry.window;
        let step = Step {
            number,
            mv: entry.mv,
            order,
            depth: entry.depth,
            reduced: entry.reduced,
            alpha,
            beta,
            value: None,
            nodes,
            end: None,
            branches: Branches::default(),
        };
        let place = Place::new(Order::Ranked);
        self.open.push(Open { step, place });
    }

    fn end(&mut self, end: End) {
        if self.below == 0
            && let Some(open) = self.open.last_mut()
        {
            open.step.end = Some(end);
        }
    }

    fn leave(&mut self, value: Option<Score>, nodes: u64) {
        if self.below > 0 {
            self.below -= 1;
            return;
        }
        let Some(Open { mut step, .. }) = self.open.pop() else {
            return;
        };
        step.value = value;
        step.nodes = nodes - step.nodes;
        let most = self.options.steps;
        let (branches, place) = match (self.open.last_mut(), self.trace.rounds.last_mut()) {
            (Some(Open { step, place }), _) => (&mut step.branches, place),
            (None, Some(round)) => (&mut round.branches, &mut self.root),
            (None, None) => return,
        };
        let least = step.alpha.max(place.best);
        let better = value.is_none_or(|value| value > least);
        if step.alpha == -Score::INFINITE {
            place.best = place.best.max(value.unwrap_or(place.best));
        }
        let again = branches
            .steps
            .last()
            .is_some_and(|last| last.number == step.number);
        if branches.steps.len() < most || better || again {
            branches.steps.push(step);
        } else {
            branches.left_out += 1;
            branches.left_out_nodes += step.nodes;
        }
    }
}
