//! A set of keys that is emptied without giving its memory back.

/// Keys of positions: open addressing, at most half full.
#[derive(Debug)]
pub(super) struct Keys {
    slots: Vec<u64>,
    len: usize,
}

/// What an empty slot holds. That key itself is taken for its neighbour.
const EMPTY: u64 = 0;

impl Keys {
    pub(super) fn new() -> Keys {
        Keys {
            slots: vec![EMPTY; 1024],
            len: 0,
        }
    }

    /// The bytes, with those of the table that takes its place if so many keys are added.
    pub(super) fn bytes(&self, more: usize) -> usize {
        let needed = (2 * (self.len + more)).next_power_of_two();
        let grown = if needed > self.slots.len() { needed } else { 0 };
        (self.slots.capacity() + grown) * size_of::<u64>()
    }

    pub(super) fn clear(&mut self) {
        if self.len > 0 {
            self.slots.fill(EMPTY);
            self.len = 0;
        }
    }

    /// Makes a large set small again.
    pub(super) fn reset(&mut self, most: usize) {
        if self.slots.len() > most {
            self.slots.truncate(most);
            self.slots.shrink_to_fit();
        }
        self.clear();
    }

    #[inline]
    fn slot(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = (key >> 20) as usize & mask;
        while self.slots[at] != EMPTY && self.slots[at] != key {
            at = (at + 1) & mask;
        }
        at
    }

    #[inline]
    pub(super) fn contains(&self, key: u64) -> bool {
        self.slots[self.slot(key.max(1))] != EMPTY
    }

    /// Adds a key; `false` where it is there.
    #[inline]
    pub(super) fn insert(&mut self, key: u64) -> bool {
        let key = key.max(1);
        let at = self.slot(key);
        if self.slots[at] != EMPTY {
            return false;
        }
        self.slots[at] = key;
        self.len += 1;
        if 2 * self.len > self.slots.len() {
            self.grow();
        }
        true
    }

    fn grow(&mut self) {
        let larger = vec![EMPTY; 2 * self.slots.len()];
        let old = std::mem::replace(&mut self.slots, larger);
        for key in old.into_iter().filter(|key| *key != EMPTY) {
            let at = self.slot(key);
            self.slots[at] = key;
        }
    }
}
