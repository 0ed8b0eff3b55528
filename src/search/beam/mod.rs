//! Beam search for solitaires: of each layer the best states are kept.
//!
//! Layer by layer every kept state makes its children. A child plays at once what costs nothing.
//! Children that are there already, in this layer or among the states kept of earlier ones, are
//! left out (states that were cut may come back). The best of the rest make the next layer. If
//! nothing is left, a wider beam begins again, until all that may be spent is spent.
//!
//! There is no randomness: under limits without a clock the same options give the same result on
//! every machine. What is kept of a state that has been expanded is its key and how it was
//! reached, so that memory is bounded by width times depth. Every search begins with empty buffers
//! and asks before each of them grows, so that the limit of memory strikes at the same place
//! whatever was searched before.

mod buffers;
mod keys;
mod options;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::StopFlag;
use crate::game::Solitaire;
use crate::params::Tunable;
use buffers::Buffers;
pub use options::BeamOptions;

/// Values positions of a solitaire: higher is nearer to the solution.
pub trait Heuristic<G>: Send + Sync {
    /// The value of a position.
    fn value(&self, position: &G) -> i32;
}

/// A solitaire with what the beam needs.
pub trait Solvable: Solitaire {
    /// Values positions; its parameters are the solver's weights.
    type Heuristic: Heuristic<Self> + Tunable;

    /// Plays moves that cost nothing and lose nothing, and tells them.
    fn play_forced(&mut self, _played: impl FnMut(Self::Move)) {}

    /// Appends the moves that are worth a look.
    fn candidates(&self, moves: &mut Vec<Self::Move>) {
        self.legal_moves(moves);
    }

    /// Named sets of parameters and weights.
    fn presets() -> &'static [Preset] {
        &[]
    }
}

/// A named set of parameters and weights.
#[derive(Clone, Debug)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// What it is for, one line.
    pub about: &'static str,
    /// Parameters of the beam and weights that differ from the default.
    pub values: &'static [(&'static str, f64)],
}

/// Why the beam ended without a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unsolved {
    /// All states were made that may be.
    Nodes,
    /// The time is over.
    Time,
    /// The last layer allowed is reached.
    Depth,
    /// The next layer or a wider beam needs more memory than is allowed.
    Memory,
    /// No state had a child that was new. With a beam that never cut anything this is all there
    /// is, but hash keys may collide: it is no proof.
    Exhausted,
    /// Somebody stopped it.
    Stopped,
}

impl Unsolved {
    /// All reasons that a record can have.
    pub const ALL: [Unsolved; 5] = [
        Unsolved::Nodes,
        Unsolved::Time,
        Unsolved::Depth,
        Unsolved::Memory,
        Unsolved::Exhausted,
    ];

    /// The word for it in tables.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Unsolved::Nodes => "nodes",
            Unsolved::Time => "time",
            Unsolved::Depth => "depth",
            Unsolved::Memory => "memory",
            Unsolved::Exhausted => "exhausted",
            Unsolved::Stopped => "stopped",
        }
    }
}

/// What a search for a solution found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solved<M> {
    /// The moves, those that were forced too; or why there are none.
    pub outcome: Result<Vec<M>, Unsolved>,
    /// Where there is no solution: the moves to the best state of the last layer kept. Empty only
    /// where no move is legal.
    pub nearest: Vec<M>,
    /// The states made: children whose key was computed, with all restarts.
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

impl<M> Solved<M> {
    /// Why there is no solution; `None` where there is one.
    #[must_use]
    pub fn reason(&self) -> Option<Unsolved> {
        self.outcome.as_ref().err().copied()
    }

    /// The solution, or how near the search came.
    #[must_use]
    pub fn moves(&self) -> &[M] {
        self.outcome.as_ref().unwrap_or(&self.nearest)
    }
}

/// One layer as the observer sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layer {
    /// The width of the beam.
    pub width: u32,
    /// Its number, from 1.
    pub layer: u32,
    /// Children made.
    pub candidates: u64,
    /// Those among them that were there already.
    pub duplicates: u64,
    /// States kept.
    pub kept: u64,
    /// The value of the best state kept; `None` where none is.
    pub best: Option<i32>,
    /// The value of the worst state kept.
    pub worst: Option<i32>,
    /// Whether a child was solved; the layer ends with it.
    pub solved: bool,
    /// Whether a limit struck in it: other children were not made, and none is kept.
    pub unfinished: bool,
}

/// Sees what the beam does. The one that sees nothing is `()`.
pub trait BeamObserver<G> {
    /// After each layer; `best` is the best state kept.
    fn layer(&mut self, layer: &Layer, best: Option<&G>);
}

impl<G> BeamObserver<G> for () {
    fn layer(&mut self, _layer: &Layer, _best: Option<&G>) {}
}

/// A child before it is known whether it is kept.
#[derive(Clone, Copy, Debug)]
struct Candidate<M> {
    value: i32,
    key: u64,
    /// Among the states of the layer before.
    parent: u32,
    mv: M,
}

impl<M> Candidate<M> {
    fn order(&self) -> (Reverse<i32>, u64) {
        (Reverse(self.value), self.key)
    }
}

/// How a kept state was reached.
#[derive(Clone, Copy, Debug)]
struct Step<M> {
    /// Among the states of the layer before.
    parent: u32,
    mv: M,
}

/// How one beam ended.
enum End<M> {
    Solved(Vec<M>),
    /// A wider one might do better.
    Narrow(Unsolved),
    /// No wider one will.
    Final(Unsolved),
}

/// The solver.
#[derive(Debug)]
pub struct Beam<G: Solvable> {
    options: BeamOptions,
    heuristic: G::Heuristic,
}

/// States kept between two looks at the clock.
const POLL_EVERY: usize = 32;

impl<G: Solvable> Beam<G> {
    /// A solver with options that have been checked.
    #[must_use]
    pub fn new(options: BeamOptions, heuristic: G::Heuristic) -> Beam<G> {
        Beam { options, heuristic }
    }

    /// Looks for a solution.
    pub fn solve(
        &self,
        start: &G,
        stop: &StopFlag,
        observer: &mut impl BeamObserver<G>,
    ) -> Solved<G::Move> {
        let time = self.options.time_ms.map(Duration::from_millis);
        let mut width = self.options.width;
        let mut search = Search {
            options: &self.options,
            heuristic: &self.heuristic,
            deadline: time.map(|time| Instant::now() + time),
            buffers: Buffers::new(width, self.options.memory_mb),
            has_cut: false,
            states: 0,
            layers: 0,
        };
        let mut restarts = 0;
        let outcome = loop {
            match search.beam(start, width, stop, observer) {
                End::Solved(moves) => break Ok(moves),
                End::Final(reason) => break Err(reason),
                End::Narrow(reason) => {
                    let wider = width.saturating_mul(self.options.growth);
                    let wider = wider.min(self.options.max_width);
                    if wider <= width {
                        break Err(reason);
                    }
                    width = wider;
                    restarts += 1;
                    search.buffers = Buffers::new(width, self.options.memory_mb);
                }
            }
        };
        let nearest = match &outcome {
            Ok(_) => Vec::new(),
            Err(_) => search.nearest(start),
        };
        Solved {
            outcome,
            nearest,
            states: search.states,
            width,
            layers: search.layers,
            restarts,
            has_cut: search.has_cut,
        }
    }
}

/// The search for one position's solution.
struct Search<'a, G: Solvable> {
    options: &'a BeamOptions,
    heuristic: &'a G::Heuristic,
    deadline: Option<Instant>,
    buffers: Buffers<G>,
    /// Whether a layer was cut whose children were made.
    has_cut: bool,
    states: u64,
    layers: u32,
}

impl<G: Solvable> Search<'_, G> {
    /// One beam, with empty buffers of its width.
    fn beam(
        &mut self,
        start: &G,
        width: u32,
        stop: &StopFlag,
        observer: &mut impl BeamObserver<G>,
    ) -> End<G::Move> {
        self.layers = 0;
        self.has_cut = false;
        let mut state = start.clone();
        if self.options.forced_moves {
            state.play_forced(|_| {});
        }
        if state.is_solved() {
            return End::Solved(self.line(start, 0, None));
        }
        self.buffers.begin(state);
        while self.layers < self.options.depth {
            self.has_cut |= self.buffers.is_cut;
            self.layers += 1;
            let mut report = Layer {
                width,
                layer: self.layers,
                candidates: 0,
                duplicates: 0,
                kept: 0,
                best: None,
                worst: None,
                solved: false,
                unfinished: false,
            };
            let found = match self.expand(&mut report, stop) {
                Ok(None) => self.keep(&mut report).map(|()| None),
                other => other,
            };
            match found {
                Ok(None) => {}
                Ok(Some((parent, mv))) => {
                    report.solved = true;
                    observer.layer(&report, None);
                    return End::Solved(self.line(start, parent, Some(mv)));
                }
                Err(reason) => {
                    report.unfinished = true;
                    observer.layer(&report, None);
                    return End::Final(reason);
                }
            }
            observer.layer(&report, self.buffers.layer.first());
            if self.buffers.layer.is_empty() {
                return self.end(Unsolved::Exhausted);
            }
        }
        self.end(Unsolved::Depth)
    }

    /// The end of a beam that a wider one differs from only if this one left something out.
    fn end(&self, reason: Unsolved) -> End<G::Move> {
        if self.has_cut {
            End::Narrow(reason)
        } else {
            End::Final(reason)
        }
    }

    /// Makes the children of a layer; the one that is solved, if there is one.
    fn expand(
        &mut self,
        report: &mut Layer,
        stop: &StopFlag,
    ) -> Result<Option<(usize, G::Move)>, Unsolved> {
        let buffers = &mut self.buffers;
        buffers.begin_layer();
        for parent in 0..buffers.layer.len() {
            if parent.is_multiple_of(POLL_EVERY) {
                if stop.is_stopped() {
                    return Err(Unsolved::Stopped);
                }
                if self
                    .deadline
                    .is_some_and(|deadline| Instant::now() >= deadline)
                {
                    return Err(Unsolved::Time);
                }
            }
            buffers.moves.clear();
            buffers.layer[parent].candidates(&mut buffers.moves);
            for at in 0..buffers.moves.len() {
                if self.states >= self.options.nodes {
                    return Err(Unsolved::Nodes);
                }
                let mv = buffers.moves[at];
                let mut child = buffers.layer[parent].clone();
                child.play(mv);
                if self.options.forced_moves {
                    child.play_forced(|_| {});
                }
                self.states += 1;
                report.candidates += 1;
                if child.is_solved() {
                    return Ok(Some((parent, mv)));
                }
                let key = child.key();
                if buffers.kept.contains(key) || !buffers.see(key)? {
                    report.duplicates += 1;
                    continue;
                }
                buffers.add(Candidate {
                    value: self.heuristic.value(&child),
                    key,
                    parent: u32::try_from(parent).expect("a width has 32 bits"),
                    mv,
                })?;
            }
        }
        Ok(None)
    }

    /// Makes the next layer of the best candidates.
    fn keep(&mut self, report: &mut Layer) -> Result<(), Unsolved> {
        let buffers = &mut self.buffers;
        buffers.cut();
        buffers.candidates.sort_unstable_by_key(Candidate::order);
        let mut steps = buffers.room_for_next()?;
        for candidate in &buffers.candidates {
            let mut state = buffers.layer[candidate.parent as usize].clone();
            state.play(candidate.mv);
            if self.options.forced_moves {
                state.play_forced(|_| {});
            }
            buffers.kept.insert(candidate.key);
            steps.push(Step {
                parent: candidate.parent,
                mv: candidate.mv,
            });
            buffers.next.push(state);
        }
        report.kept = buffers.next.len() as u64;
        report.best = buffers.candidates.first().map(|best| best.value);
        report.worst = buffers.candidates.last().map(|worst| worst.value);
        buffers.next_layer(steps);
        Ok(())
    }

    /// The moves to the best state of the last layer kept; a legal one if none was kept.
    fn nearest(&self, start: &G) -> Vec<G::Move> {
        let mut moves = self.line(start, 0, None);
        if moves.is_empty() {
            let mut legal = Vec::new();
            start.legal_moves(&mut legal);
            moves.extend(legal.first());
        }
        moves
    }

    /// All moves from the start to a state of the last layer that has any, then one more.
    fn line(&self, start: &G, state: usize, last: Option<G::Move>) -> Vec<G::Move> {
        let mut chosen: Vec<G::Move> = last.into_iter().collect();
        let mut at = state;
        for layer in self.buffers.steps.iter().rev() {
            let step = layer[at];
            chosen.push(step.mv);
            at = step.parent as usize;
        }
        let mut state = start.clone();
        let mut moves = Vec::new();
        let forced = |state: &mut G, moves: &mut Vec<G::Move>| {
            if self.options.forced_moves {
                state.play_forced(|mv| moves.push(mv));
            }
        };
        forced(&mut state, &mut moves);
        for mv in chosen.into_iter().rev() {
            state.play(mv);
            moves.push(mv);
            forced(&mut state, &mut moves);
        }
        moves
    }
}
