//! The transposition table.

use super::Score;

/// What a stored score says of the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// It is the score.
    Exact,
    /// The score is at least this.
    Lower,
    /// The score is at most this.
    Upper,
    /// It says nothing: only the move is worth keeping.
    Nothing,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<M> {
    key: u64,
    /// When it was stored; see [`Table::oldest`].
    stamp: u16,
    score: i16,
    depth: u8,
    bound: Bound,
    /// The best move, if one is known.
    pub(super) mv: Option<M>,
}

impl<M> Entry<M> {
    /// The depth that the score comes from.
    pub(super) fn depth(&self) -> u32 {
        self.depth.into()
    }

    /// What the score says.
    pub(super) fn bound(&self) -> Bound {
        self.bound
    }

    /// The score for a position `ply` plies from the root. Proven scores are stored as
    /// counted from the position itself.
    pub(super) fn score(&self, ply: u32) -> Score {
        let score = Score(self.score.into());
        let ply = i32::try_from(ply).unwrap_or(0);
        if !score.is_proven() {
            score
        } else if score.0 > 0 {
            Score(score.0 - ply)
        } else {
            Score(score.0 + ply)
        }
    }
}

/// Entries in buckets of two: one keeps what came from the greatest depth, the other what
/// came last.
#[derive(Debug)]
pub(super) struct Table<M> {
    buckets: Vec<[Entry<M>; 2]>,
    /// Entries with an older stamp belong to an earlier game and count as empty, so that a
    /// new game need not write the whole table.
    oldest: u16,
    stamp: u16,
}

impl<M: Copy> Table<M> {
    /// A table of `megabytes` MB, rounded down, but of at least one bucket.
    pub(super) fn new(megabytes: u32) -> Table<M> {
        let size = size_of::<[Entry<M>; 2]>();
        let buckets = (megabytes as usize * 1024 * 1024 / size).max(1);
        Table {
            buckets: vec![[Self::EMPTY; 2]; buckets],
            oldest: 1,
            stamp: 1,
        }
    }

    const EMPTY: Entry<M> = Entry {
        key: 0,
        stamp: 0,
        score: 0,
        depth: 0,
        bound: Bound::Upper,
        mv: None,
    };

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        if self.stamp > u16::MAX / 2 {
            self.buckets.fill([Self::EMPTY; 2]);
            self.stamp = 0;
        }
        self.stamp += 1;
        self.oldest = self.stamp;
    }

    /// Begins a search: what earlier ones stored is the first to be replaced.
    pub(super) fn new_search(&mut self) {
        self.stamp = self.stamp.saturating_add(1);
    }

    fn bucket(&self, key: u64) -> usize {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "below the number of buckets"
        )]
        let index = ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize;
        index
    }

    /// What is stored for a position.
    pub(super) fn probe(&self, key: u64) -> Option<Entry<M>> {
        let bucket = &self.buckets[self.bucket(key)];
        let found = bucket
            .iter()
            .find(|e| e.key == key && e.stamp >= self.oldest);
        found.copied()
    }

    /// Stores a move that was best where the score holds on one path only.
    pub(super) fn store_move(&mut self, key: u64, mv: M) {
        let oldest = self.oldest;
        let index = self.bucket(key);
        let known = self.buckets[index]
            .iter_mut()
            .find(|e| e.key == key && e.stamp >= oldest);
        match known {
            Some(known) => known.mv = Some(mv),
            None => self.store(key, 0, 0, Score::ZERO, Bound::Nothing, Some(mv)),
        }
    }

    /// Stores the score of a position `ply` plies from the root.
    pub(super) fn store(
        &mut self,
        key: u64,
        depth: u32,
        ply: u32,
        score: Score,
        bound: Bound,
        mv: Option<M>,
    ) {
        let ply = i32::try_from(ply).unwrap_or(0);
        let from_here = match score {
            Score(s) if !score.is_proven() => s,
            Score(s) if s > 0 => s + ply,
            Score(s) => s - ply,
        };
        let (oldest, stamp) = (self.oldest, self.stamp);
        let index = self.bucket(key);
        let [deep, last] = &mut self.buckets[index];
        let entry = Entry {
            key,
            stamp,
            score: i16::try_from(from_here).unwrap_or(0),
            depth: u8::try_from(depth).unwrap_or(u8::MAX),
            bound,
            mv,
        };
        let live = |e: &Entry<M>| e.key == key && e.stamp >= oldest;
        if live(deep) {
            *deep = Entry {
                mv: mv.or(deep.mv),
                ..entry
            };
        } else if live(last) {
            *last = Entry {
                mv: mv.or(last.mv),
                ..entry
            };
        } else if deep.stamp < stamp || deep.depth <= entry.depth {
            if deep.stamp >= oldest {
                *last = *deep;
            }
            *deep = entry;
        } else {
            *last = entry;
        }
    }
}
