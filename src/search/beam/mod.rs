//! Beam search for solitaires: of each layer the best states are kept.
//!
//! Layer by layer every kept state makes its children. A child plays at once what costs nothing.
//! Children that are there already, in this layer or among the states kept of earlier ones, are
//! left out (states that were cut may come back). The best of the rest make the next layer. If
//! nothing is left, a wider beam begins again, until all that may be spent is spent.
//!
//! There is no randomness: under limits without a clock the same options give the same result on
//! every machine. What is kept of a state that has been expanded is its key and how it was
//! reached, so that memory is bounded by width times depth.

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
use keys::Keys;
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
}

/// Sees what the beam does. The one that sees nothing is `()`.
pub trait BeamObserver<G> {
    /// After each layer; `best` is the best state kept.
    fn layer(&mut self, layer: &Layer, best: Option<&G>);
}

impl<G> BeamObserver<G> for () {
    fn layer(&mut self, _layer: &Layer, _best: Option<&G>) {}
}

/// How a kept state was reached.
#[derive(Clone, Copy, Debug)]
struct Step<M> {
    parent: u32,
    mv: M,
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

/// A kept state and its place among all that were.
#[derive(Clone, Debug)]
struct Kept<G> {
    state: G,
    step: u32,
}

/// How one beam ended.
enum End<M> {
    Solved(Vec<M>),
    /// A wider one might do better.
    Narrow(Unsolved),
    /// No wider one will.
    Final(Unsolved),
}

/// The solver. Its buffers are used again from one position to the next.
#[derive(Debug)]
pub struct Beam<G: Solvable> {
    options: BeamOptions,
    heuristic: G::Heuristic,
    layer: Vec<Kept<G>>,
    next: Vec<Kept<G>>,
    candidates: Vec<Candidate<G::Move>>,
    moves: Vec<G::Move>,
    steps: Vec<Step<G::Move>>,
    /// The keys of all states kept.
    kept: Keys,
    /// The keys of this layer's candidates.
    seen: Keys,
    deadline: Option<Instant>,
    states: u64,
    layers: u32,
}

/// States kept between two looks at the clock.
const POLL_EVERY: usize = 32;

/// Children for which a state needs room until memory is looked at again.
const MOST_CHILDREN: usize = 64;

/// The step before the first.
const NO_STEP: u32 = u32::MAX;

/// Slots of the sets that stay from one position to the next.
const SLOTS_KEPT: usize = 1 << 17;

/// The bytes of a buffer, and of the one that takes its place if so many elements are added.
fn bytes<T>(buffer: &Vec<T>, more: usize) -> usize {
    let needed = buffer.len() + more;
    let grown = if needed > buffer.capacity() {
        needed.max(2 * buffer.capacity())
    } else {
        0
    };
    (buffer.capacity() + grown) * size_of::<T>()
}

impl<G: Solvable> Beam<G> {
    /// A solver with options that have been checked.
    #[must_use]
    pub fn new(options: BeamOptions, heuristic: G::Heuristic) -> Beam<G> {
        Beam {
            options,
            heuristic,
            layer: Vec::new(),
            next: Vec::new(),
            candidates: Vec::new(),
            moves: Vec::new(),
            steps: Vec::new(),
            kept: Keys::new(),
            seen: Keys::new(),
            deadline: None,
            states: 0,
            layers: 0,
        }
    }

    /// Looks for a solution.
    pub fn solve(
        &mut self,
        start: &G,
        stop: &StopFlag,
        observer: &mut impl BeamObserver<G>,
    ) -> Solved<G::Move> {
        let time = self.options.time_ms.map(Duration::from_millis);
        self.deadline = time.map(|time| Instant::now() + time);
        self.states = 0;
        self.layers = 0;
        let mut width = self.options.width;
        let mut restarts = 0;
        let outcome = loop {
            match self.search(start, width, stop, observer) {
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
                }
            }
        };
        let nearest = match &outcome {
            Ok(_) => Vec::new(),
            Err(_) => self.nearest(start),
        };
        Solved {
            outcome,
            nearest,
            states: self.states,
            width,
            layers: self.layers,
            restarts,
        }
    }

    /// Empties the buffers; large ones of an earlier position are given back.
    fn clear(&mut self, width: u32) {
        let width = width as usize;
        self.layer.clear();
        self.next.clear();
        self.candidates.clear();
        self.steps.clear();
        self.layer.shrink_to(width);
        self.next.shrink_to(width);
        self.candidates.shrink_to(32 * width);
        self.steps.shrink_to(SLOTS_KEPT);
        self.kept.reset(SLOTS_KEPT);
        self.seen.reset(SLOTS_KEPT);
    }

    /// Whether the memory allowed is enough where so many candidates and kept states are added. A
    /// buffer that grows is there twice for a moment.
    fn fits(&self, candidates: usize, kept: usize) -> bool {
        let now = bytes(&self.layer, 0)
            + bytes(&self.next, kept)
            + bytes(&self.candidates, candidates)
            + bytes(&self.steps, kept)
            + self.kept.bytes(kept)
            + self.seen.bytes(candidates);
        let is_numbered = self.steps.len() + kept < NO_STEP as usize;
        is_numbered && now as u64 <= u64::from(self.options.memory_mb) << 20
    }

    /// One beam.
    fn search(
        &mut self,
        start: &G,
        width: u32,
        stop: &StopFlag,
        observer: &mut impl BeamObserver<G>,
    ) -> End<G::Move> {
        self.clear(width);
        self.layers = 0;
        let mut state = start.clone();
        if self.options.forced_moves {
            state.play_forced(|_| {});
        }
        if state.is_solved() {
            return End::Solved(self.line(start, NO_STEP, None));
        }
        self.kept.insert(state.key());
        self.layer.push(Kept {
            state,
            step: NO_STEP,
        });
        let mut has_cut = false;
        while self.layers < self.options.depth {
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
            };
            match self.expand(&mut report, stop) {
                Ok(None) => {}
                Ok(Some((parent, mv))) => {
                    report.solved = true;
                    observer.layer(&report, None);
                    let step = self.layer[parent].step;
                    return End::Solved(self.line(start, step, Some(mv)));
                }
                Err(reason) => return End::Final(reason),
            }
            has_cut |= self.cut(width as usize);
            if !self.fits(0, self.candidates.len()) {
                return End::Final(Unsolved::Memory);
            }
            self.keep(&mut report);
            observer.layer(&report, self.layer.first().map(|kept| &kept.state));
            if self.layer.is_empty() {
                let reason = Unsolved::Exhausted;
                return if has_cut {
                    End::Narrow(reason)
                } else {
                    End::Final(reason)
                };
            }
        }
        End::Narrow(Unsolved::Depth)
    }

    /// Makes the children of a layer; the one that is solved, if there is one.
    fn expand(
        &mut self,
        report: &mut Layer,
        stop: &StopFlag,
    ) -> Result<Option<(usize, G::Move)>, Unsolved> {
        self.candidates.clear();
        self.seen.clear();
        for (parent, kept) in (0_u32..).zip(&self.layer) {
            if (parent as usize).is_multiple_of(POLL_EVERY) {
                if stop.is_stopped() {
                    return Err(Unsolved::Stopped);
                }
                if self
                    .deadline
                    .is_some_and(|deadline| Instant::now() >= deadline)
                {
                    return Err(Unsolved::Time);
                }
                if !self.fits(POLL_EVERY * MOST_CHILDREN, 0) {
                    return Err(Unsolved::Memory);
                }
            }
            self.moves.clear();
            kept.state.candidates(&mut self.moves);
            for &mv in &self.moves {
                if self.states >= self.options.nodes {
                    return Err(Unsolved::Nodes);
                }
                let mut child = kept.state.clone();
                child.play(mv);
                if self.options.forced_moves {
                    child.play_forced(|_| {});
                }
                self.states += 1;
                report.candidates += 1;
                if child.is_solved() {
                    return Ok(Some((parent as usize, mv)));
                }
                let key = child.key();
                if self.kept.contains(key) || !self.seen.insert(key) {
                    report.duplicates += 1;
                    continue;
                }
                self.candidates.push(Candidate {
                    value: self.heuristic.value(&child),
                    key,
                    parent,
                    mv,
                });
            }
        }
        Ok(None)
    }

    /// Leaves the best candidates, best first. Whether there were more.
    fn cut(&mut self, width: usize) -> bool {
        let is_cut = self.candidates.len() > width;
        if is_cut {
            self.candidates
                .select_nth_unstable_by_key(width, Candidate::order);
            self.candidates.truncate(width);
        }
        self.candidates.sort_unstable_by_key(Candidate::order);
        is_cut
    }

    /// Makes the next layer of the candidates.
    fn keep(&mut self, report: &mut Layer) {
        self.next.clear();
        for candidate in &self.candidates {
            let before = &self.layer[candidate.parent as usize];
            let mut state = before.state.clone();
            state.play(candidate.mv);
            if self.options.forced_moves {
                state.play_forced(|_| {});
            }
            self.kept.insert(candidate.key);
            let step = u32::try_from(self.steps.len()).expect("`fits` has looked");
            self.steps.push(Step {
                parent: before.step,
                mv: candidate.mv,
            });
            self.next.push(Kept { state, step });
        }
        report.kept = self.next.len() as u64;
        report.best = self.candidates.first().map(|best| best.value);
        report.worst = self.candidates.last().map(|worst| worst.value);
        std::mem::swap(&mut self.layer, &mut self.next);
    }

    /// The moves to the best state of the last layer kept; a legal one if none was kept.
    fn nearest(&mut self, start: &G) -> Vec<G::Move> {
        let last = u32::try_from(self.steps.len())
            .ok()
            .and_then(|len| len.checked_sub(1));
        let step = self.layer.first().map(|kept| kept.step).or(last);
        let mut moves = self.line(start, step.unwrap_or(NO_STEP), None);
        if moves.is_empty() {
            self.moves.clear();
            start.legal_moves(&mut self.moves);
            moves.extend(self.moves.first());
        }
        moves
    }

    /// All moves from the start to a kept state, then one more.
    fn line(&self, start: &G, step: u32, last: Option<G::Move>) -> Vec<G::Move> {
        let mut chosen: Vec<G::Move> = last.into_iter().collect();
        let mut at = step;
        while at != NO_STEP {
            let step = self.steps[at as usize];
            chosen.push(step.mv);
            at = step.parent;
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
