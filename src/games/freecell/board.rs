//! Columns, cells and foundations, with a key that does not know the order of columns and
//! cells.

use super::cards::{CARDS, Card};

/// Columns.
pub(super) const COLUMNS: usize = 8;

/// Cells.
pub(super) const CELLS: usize = 4;

/// The most cards that a column can hold. From a deal it is 19: a king as the seventh card, and
/// twelve on it. Positions from which the rules could reach more are refused.
pub(super) const LONGEST: usize = 20;

/// A column, bottom card first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Column {
    cards: [Card; LONGEST],
    /// Of each card: 16 times how many cards up to it lie in order, and the lowest rank up to it.
    notes: [u8; LONGEST],
    len: u8,
    ordered: u8,
    blockers: u8,
}

impl std::fmt::Debug for Column {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.cards()).finish()
    }
}

impl Column {
    const EMPTY: Column = Column {
        cards: [Card::NONE; LONGEST],
        notes: [0; LONGEST],
        len: 0,
        ordered: 0,
        blockers: 0,
    };

    /// The cards, the bottom one first.
    #[inline]
    pub(super) fn cards(&self) -> &[Card] {
        &self.cards[..usize::from(self.len)]
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len.into()
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The uppermost card, or [`Card::NONE`].
    #[inline]
    pub(super) fn top(&self) -> Card {
        self.cards().last().copied().unwrap_or(Card::NONE)
    }

    #[inline]
    pub(super) fn bottom(&self) -> Card {
        self.cards[0]
    }

    /// How many of the upper cards lie in order.
    #[inline]
    pub(super) fn run(&self) -> usize {
        let last = self.notes[..usize::from(self.len)].last();
        usize::from(last.copied().unwrap_or(0) >> 4)
    }

    /// How many cards lie in order on the one below them.
    #[inline]
    pub(super) fn ordered(&self) -> u8 {
        self.ordered
    }

    /// How many cards have a lower one below them.
    #[inline]
    pub(super) fn blockers(&self) -> u8 {
        self.blockers
    }

    #[inline]
    fn push(&mut self, card: Card) -> usize {
        let at = usize::from(self.len);
        let mut run = 1;
        let mut lowest = card.rank();
        if at > 0 {
            let note = self.notes[at - 1];
            let below = note & 15;
            if card.fits_on(self.cards[at - 1]) {
                run = (note >> 4) + 1;
                self.ordered += 1;
            }
            if below < lowest {
                lowest = below;
                self.blockers += 1;
            }
        }
        self.cards[at] = card;
        self.notes[at] = run << 4 | lowest;
        self.len += 1;
        at
    }

    #[inline]
    fn pop(&mut self) -> (Card, usize) {
        let at = usize::from(self.len) - 1;
        let card = self.cards[at];
        let note = self.notes[at];
        self.ordered -= u8::from(note >> 4 > 1);
        self.blockers -= u8::from(note & 15 < card.rank());
        self.cards[at] = Card::NONE;
        self.notes[at] = 0;
        self.len -= 1;
        (card, at)
    }
}

/// Where a card is that lies in no column.
const NOWHERE: u8 = 255;

/// Where all cards are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board {
    columns: [Column; COLUMNS],
    cells: [Card; CELLS],
    /// By suit the rank of the uppermost card, 0 for none.
    home: [u8; 4],
    /// By card: 32 times its column, and its place there; or [`NOWHERE`].
    places: [u8; CARDS],
    /// By column the exclusive or of its cards' numbers.
    hashes: [u64; COLUMNS],
    key: u64,
}

impl PartialEq for Board {
    /// Without the order of columns and cells.
    fn eq(&self, other: &Board) -> bool {
        let sorted = |board: &Board| {
            let mut columns = board.columns.map(|column| column.cards().to_vec());
            let mut cells = board.cells;
            columns.sort();
            cells.sort();
            (columns, cells, board.home)
        };
        sorted(self) == sorted(other)
    }
}

impl Eq for Board {}

impl Board {
    /// No card anywhere.
    pub(super) fn empty() -> Board {
        let mut board = Board {
            columns: [Column::EMPTY; COLUMNS],
            cells: [Card::NONE; CELLS],
            home: [0; 4],
            places: [NOWHERE; CARDS],
            hashes: [0; COLUMNS],
            key: 0,
        };
        for _ in 0..COLUMNS {
            board.key = board.key.wrapping_add(mix(0));
        }
        board
    }

    /// The same for boards that differ in the order of columns and cells only.
    #[inline]
    pub(super) fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    pub(super) fn columns(&self) -> &[Column; COLUMNS] {
        &self.columns
    }

    /// What is in the cells, [`Card::NONE`] where nothing is.
    #[inline]
    pub(super) fn cells(&self) -> [Card; CELLS] {
        self.cells
    }

    /// The first cell that is free.
    #[inline]
    pub(super) fn free_cell(&self) -> Option<usize> {
        self.cells.iter().position(|card| *card == Card::NONE)
    }

    #[inline]
    pub(super) fn free_cells(&self) -> usize {
        self.cells
            .iter()
            .map(|card| usize::from(*card == Card::NONE))
            .sum()
    }

    #[inline]
    pub(super) fn empty_columns(&self) -> usize {
        self.columns
            .iter()
            .map(|column| usize::from(column.is_empty()))
            .sum()
    }

    /// By suit the rank of the uppermost card at home.
    #[inline]
    pub(super) fn home(&self) -> [u8; 4] {
        self.home
    }

    /// How many cards lie on this one; 0 where it is in no column.
    #[inline]
    pub(super) fn above(&self, card: Card) -> usize {
        let place = self.places[card.index()];
        if place == NOWHERE {
            return 0;
        }
        let column = &self.columns[usize::from(place >> 5)];
        column.len() - 1 - usize::from(place & 31)
    }

    /// Whether the card is the next of its suit.
    #[inline]
    pub(super) fn is_next(&self, card: Card) -> bool {
        card != Card::NONE && self.home[card.suit()] + 1 == card.rank()
    }

    #[inline]
    pub(super) fn is_solved(&self) -> bool {
        self.home == [13; 4]
    }

    /// Whether no card lies on a lower one: then all can go home without another move.
    #[inline]
    pub(super) fn is_sorted(&self) -> bool {
        self.columns.iter().all(|column| column.blockers == 0)
    }

    /// Whether a card that may go home is of no use elsewhere: each card that could lie on it is
    /// at home, or may go there as soon as it is free. (Both of the other colour that are one
    /// lower are at home; or those two lower, and the other of its own colour three lower.)
    #[inline]
    pub(super) fn is_safe(&self, card: Card) -> bool {
        let rank = card.rank();
        // Suits in the order C D H S: the other of the same colour is 3 less.
        let twin = self.home[3 - card.suit()];
        let others = if card.is_red() { [0, 3] } else { [1, 2] };
        let least = self.home[others[0]].min(self.home[others[1]]);
        rank <= least + 1 || rank <= least + 2 && rank <= twin + 3
    }

    /// Sets how far a suit is at home.
    pub(super) fn set_home(&mut self, suit: usize, rank: u8) {
        self.home[suit] = rank;
    }

    /// Puts a card on a column, whatever lies there. There must be room.
    #[inline]
    pub(super) fn push(&mut self, column: usize, card: Card) {
        let before = self.hashes[column];
        self.lay(column, card);
        self.rehash(column, before);
    }

    /// Takes the uppermost card of a column that is not empty.
    #[inline]
    pub(super) fn pop(&mut self, column: usize) -> Card {
        let before = self.hashes[column];
        let (card, at) = self.columns[column].pop();
        self.places[card.index()] = NOWHERE;
        self.hashes[column] ^= IN_COLUMN[card.index()][at];
        self.rehash(column, before);
        card
    }

    /// Moves the upper cards of a column to another, in their order. There must be room.
    #[inline]
    pub(super) fn shift(&mut self, from: usize, to: usize, count: usize) {
        let before = [from, to].map(|column| self.hashes[column]);
        let source = self.columns[from];
        let start = source.len() - count;
        for &card in &source.cards()[start..] {
            self.lay(to, card);
        }
        for _ in 0..count {
            let (card, at) = self.columns[from].pop();
            self.hashes[from] ^= IN_COLUMN[card.index()][at];
        }
        self.rehash(from, before[0]);
        self.rehash(to, before[1]);
    }

    #[inline]
    fn lay(&mut self, column: usize, card: Card) {
        let at = self.columns[column].push(card);
        #[expect(clippy::cast_possible_truncation, reason = "below 256")]
        let place = (column << 5 | at) as u8;
        self.places[card.index()] = place;
        self.hashes[column] ^= IN_COLUMN[card.index()][at];
    }

    #[inline]
    fn rehash(&mut self, column: usize, before: u64) {
        let after = mix(self.hashes[column]);
        self.key = self.key.wrapping_sub(mix(before)).wrapping_add(after);
    }

    /// Puts a card into a cell that is free.
    #[inline]
    pub(super) fn put_in_cell(&mut self, cell: usize, card: Card) {
        self.cells[cell] = card;
        self.key = self.key.wrapping_add(IN_CELL[card.index()]);
    }

    /// Takes the card out of a cell that is not free.
    #[inline]
    pub(super) fn take_from_cell(&mut self, cell: usize) -> Card {
        let card = std::mem::replace(&mut self.cells[cell], Card::NONE);
        self.key = self.key.wrapping_sub(IN_CELL[card.index()]);
        card
    }

    /// Notes that the next card of a suit has come home.
    #[inline]
    pub(super) fn bring_home(&mut self, card: Card) {
        self.home[card.suit()] = card.rank();
    }
}

const fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A number for each card at each place of a column.
static IN_COLUMN: [[u64; LONGEST]; CARDS] = {
    let mut table = [[0; LONGEST]; CARDS];
    let mut card = 0;
    while card < CARDS {
        let mut at = 0;
        while at < LONGEST {
            table[card][at] = mix((card * LONGEST + at) as u64 + 1000);
            at += 1;
        }
        card += 1;
    }
    table
};

/// A number for each card in a cell.
static IN_CELL: [u64; CARDS] = {
    let mut table = [0; CARDS];
    let mut card = 0;
    while card < CARDS {
        table[card] = mix(card as u64 + 1);
        card += 1;
    }
    table
};
