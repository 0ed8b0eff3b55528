//! What one beam keeps, within the memory that is allowed.
//!
//! No buffer grows before it has been asked whether that fits, with the old one still there while
//! its content is copied. Sizes follow from what the beam has done, nothing else.

use super::keys::Keys;
use super::{Candidate, Solvable, Step, Unsolved};

/// Small things that are not reckoned one by one.
const FIXED: usize = 1 << 16;

/// What the system adds to an allocation.
const OVERHEAD: usize = 16;

/// The smallest buffer of candidates.
const FEWEST: usize = 64;

/// Buffers of a beam.
#[derive(Debug)]
pub(super) struct Buffers<G: Solvable> {
    width: usize,
    limit: usize,
    /// The states of the last layer; the best one first.
    pub(super) layer: Vec<G>,
    /// The layer that is made of the candidates.
    pub(super) next: Vec<G>,
    pub(super) candidates: Vec<Candidate<G::Move>>,
    pub(super) moves: Vec<G::Move>,
    /// By layer how its states were reached; the last are those of `layer`, unless that is empty.
    pub(super) steps: Vec<Vec<Step<G::Move>>>,
    step_bytes: usize,
    /// The keys of all states kept.
    pub(super) kept: Keys,
    /// The keys of this layer's candidates.
    seen: Keys,
    /// Whether candidates of this layer were left out.
    pub(super) is_cut: bool,
}

fn bytes<T>(buffer: &Vec<T>) -> usize {
    buffer.capacity() * size_of::<T>()
}

impl<G: Solvable> Buffers<G> {
    pub(super) fn new(width: u32, memory_mb: u32) -> Buffers<G> {
        let limit = u64::from(memory_mb) << 20;
        Buffers {
            width: width as usize,
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
            layer: Vec::new(),
            next: Vec::new(),
            candidates: Vec::new(),
            moves: Vec::new(),
            steps: Vec::new(),
            step_bytes: 0,
            kept: Keys::new(),
            seen: Keys::new(),
            is_cut: false,
        }
    }

    /// The layer before the first.
    pub(super) fn begin(&mut self, state: G) {
        self.kept.insert(state.key());
        self.layer.reserve_exact(1);
        self.layer.push(state);
    }

    pub(super) fn begin_layer(&mut self) {
        self.candidates.clear();
        self.seen.clear();
        self.is_cut = false;
    }

    fn taken(&self) -> usize {
        FIXED
            + bytes(&self.layer)
            + bytes(&self.next)
            + bytes(&self.candidates)
            + bytes(&self.moves)
            + bytes(&self.steps)
            + self.step_bytes
            + self.kept.bytes()
            + self.seen.bytes()
    }

    /// The bytes that may still be taken.
    fn spare(&self) -> usize {
        self.limit.saturating_sub(self.taken())
    }

    /// Notes the key of a child; `false` where it has been noted.
    #[inline]
    pub(super) fn see(&mut self, key: u64) -> Result<bool, Unsolved> {
        if self.seen.is_half_full() {
            self.room_to_see()?;
        }
        Ok(self.seen.insert(key))
    }

    #[cold]
    fn room_to_see(&mut self) -> Result<(), Unsolved> {
        let most = 2 * self.seen.bytes();
        if self.spare() < most {
            // The layer before the last, of which nothing is needed any more.
            self.next = Vec::new();
        }
        let spare = self.spare();
        if self.seen.room(1, spare) {
            Ok(())
        } else {
            Err(Unsolved::Memory)
        }
    }

    /// Adds a child that has been seen for the first time.
    #[inline]
    pub(super) fn add(&mut self, candidate: Candidate<G::Move>) -> Result<(), Unsolved> {
        if self.candidates.len() == self.candidates.capacity() {
            self.room_to_add()?;
        }
        self.candidates.push(candidate);
        Ok(())
    }

    /// Lets the candidates grow to four times the width; then, or if that does not fit, leaves the
    /// best of them.
    fn room_to_add(&mut self) -> Result<(), Unsolved> {
        let len = self.candidates.len();
        let most = (4 * self.width).max(FEWEST);
        let larger = (2 * len).clamp(FEWEST, most);
        if larger > len {
            let needed = larger * size_of::<Candidate<G::Move>>();
            if self.spare() < needed {
                self.next = Vec::new();
            }
            if self.spare() >= needed {
                self.candidates.reserve_exact(larger - len);
                return Ok(());
            }
        }
        if len > self.width {
            self.cut();
            return Ok(());
        }
        Err(Unsolved::Memory)
    }

    /// Leaves the best candidates, in any order. As keys differ there is only one choice, and
    /// those that were left out before the last one came would be left out now.
    pub(super) fn cut(&mut self) {
        if self.candidates.len() > self.width {
            self.candidates
                .select_nth_unstable_by_key(self.width, Candidate::order);
            self.candidates.truncate(self.width);
            self.is_cut = true;
        }
    }

    /// Makes room for a layer of all candidates; the steps to its states, of which there are none
    /// yet.
    pub(super) fn room_for_next(&mut self) -> Result<Vec<Step<G::Move>>, Unsolved> {
        let count = self.candidates.len();
        self.next.clear();
        if self.next.capacity() < count {
            self.next = Vec::new();
        }
        let states = if self.next.capacity() < count {
            count * size_of::<G>()
        } else {
            0
        };
        let steps = count * size_of::<Step<G::Move>>() + OVERHEAD;
        let list = if self.steps.len() == self.steps.capacity() {
            (2 * self.steps.len()).max(FEWEST)
        } else {
            0
        };
        let needed = states + steps + list * size_of::<Vec<Step<G::Move>>>();
        if self.spare() < needed + self.kept.wanted(count) {
            // Nobody asks any more what has been seen in this layer.
            self.seen = Keys::new();
        }
        let spare = self.spare().checked_sub(needed);
        if !spare.is_some_and(|spare| self.kept.room(count, spare)) {
            return Err(Unsolved::Memory);
        }
        self.next.reserve_exact(count);
        self.steps
            .reserve_exact(list.saturating_sub(self.steps.len()));
        self.step_bytes += steps;
        Ok(Vec::with_capacity(count))
    }

    /// Goes on to the layer that has been made.
    pub(super) fn next_layer(&mut self, steps: Vec<Step<G::Move>>) {
        if !steps.is_empty() {
            self.steps.push(steps);
        }
        std::mem::swap(&mut self.layer, &mut self.next);
        debug_assert!(self.taken() <= self.limit);
    }
}
