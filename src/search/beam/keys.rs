//! A set of keys that grows when it is told to.

/// Keys of positions: open addressing, half full if there is memory enough.
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

    /// The bytes of the table.
    pub(super) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<u64>()
    }

    #[inline]
    pub(super) fn is_half_full(&self) -> bool {
        2 * self.len >= self.slots.len()
    }

    /// The slots with which so many more keys fill half of the table.
    fn half(&self, more: usize) -> usize {
        let needed = 2 * (self.len + more);
        needed.next_power_of_two().max(self.slots.len())
    }

    /// The bytes of the table that takes this one's place when so many keys come; 0 if none does.
    pub(super) fn wanted(&self, more: usize) -> usize {
        match self.half(more) {
            slots if slots > self.slots.len() => slots * size_of::<u64>(),
            _ => 0,
        }
    }

    /// Makes room for so many more keys with a table of at most so many bytes, beside this one.
    /// Without enough of them the table becomes fuller, to seven eighths; `false` if that does
    /// not do.
    pub(super) fn room(&mut self, more: usize, spare: usize) -> bool {
        let mut slots = self.half(more);
        while slots > self.slots.len() && slots * size_of::<u64>() > spare {
            slots /= 2;
        }
        if 8 * (self.len + more) > 7 * slots {
            return false;
        }
        if slots > self.slots.len() {
            self.grow(slots);
        }
        true
    }

    pub(super) fn clear(&mut self) {
        if self.len > 0 {
            self.slots.fill(EMPTY);
            self.len = 0;
        }
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

    /// Adds a key, for which there must be room; `false` where it is there.
    #[inline]
    pub(super) fn insert(&mut self, key: u64) -> bool {
        let key = key.max(1);
        let at = self.slot(key);
        if self.slots[at] != EMPTY {
            return false;
        }
        self.slots[at] = key;
        self.len += 1;
        true
    }

    fn grow(&mut self, slots: usize) {
        let larger = vec![EMPTY; slots];
        let old = std::mem::replace(&mut self.slots, larger);
        for key in old.into_iter().filter(|key| *key != EMPTY) {
            let at = self.slot(key);
            self.slots[at] = key;
        }
    }
}
