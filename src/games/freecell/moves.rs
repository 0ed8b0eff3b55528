//! Moves: a card, or a run of cards from column to column.

use super::board::Board;
use super::cards::Card;

/// A place that cards go from or to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Place {
    /// Below 8.
    Column(u8),
    /// Below 4.
    Cell(u8),
    /// The foundations.
    Home,
}

/// One move of a solver: so many cards from one place to another. More than one go from column
/// to column only, as if one by one over free cells and empty columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    pub(super) from: Place,
    pub(super) to: Place,
    pub(super) count: u8,
}

/// Something that is counted with few bits.
#[expect(clippy::cast_possible_truncation, reason = "at most 52")]
fn small(number: usize) -> u8 {
    number as u8
}

impl Board {
    /// How many cards of a run may go to a column at once, where `free` cells are free and
    /// `empty` columns, the target not counted: each of them holds one card, and each empty column
    /// doubles what can be moved.
    #[inline]
    pub(super) fn most_at_once(free: usize, empty: usize) -> usize {
        (free + 1) << empty
    }

    /// Appends a move for each position that one move leads to; of moves that differ in the empty
    /// column or the free cell only, the first.
    pub(super) fn list_moves(&self, moves: &mut Vec<Move>) {
        let free = self.free_cells();
        let free_cell = self.free_cell();
        let empty_count = self.empty_columns();
        let empty = self.columns().iter().position(|column| column.is_empty());
        let mut add = |from, to, count: usize| {
            moves.push(Move {
                from,
                to,
                count: small(count),
            });
        };
        for (index, column) in self.columns().iter().enumerate() {
            let top = column.top();
            if top == Card::NONE {
                continue;
            }
            let from = Place::Column(small(index));
            if self.is_next(top) {
                add(from, Place::Home, 1);
            }
            let run = column.run();
            for (target, onto) in self.columns().iter().enumerate() {
                let below = onto.top();
                if target == index || below == Card::NONE || below.rank() <= top.rank() {
                    continue;
                }
                let count = usize::from(below.rank() - top.rank());
                if count <= run
                    && count <= Board::most_at_once(free, empty_count)
                    && column.cards()[column.len() - count].fits_on(below)
                {
                    add(from, Place::Column(small(target)), count);
                }
            }
            if let Some(target) = empty {
                // A whole column on an empty one changes nothing.
                let most = Board::most_at_once(free, empty_count - 1);
                for count in 1..=run.min(most).min(column.len() - 1) {
                    add(from, Place::Column(small(target)), count);
                }
            }
            if let Some(cell) = free_cell {
                add(from, Place::Cell(small(cell)), 1);
            }
        }
        for (cell, card) in self.cells().into_iter().enumerate() {
            if card == Card::NONE {
                continue;
            }
            let from = Place::Cell(small(cell));
            if self.is_next(card) {
                add(from, Place::Home, 1);
            }
            for (target, onto) in self.columns().iter().enumerate() {
                if !onto.is_empty() && card.fits_on(onto.top()) {
                    add(from, Place::Column(small(target)), 1);
                }
            }
            if let Some(target) = empty {
                add(from, Place::Column(small(target)), 1);
            }
        }
    }

    /// Why a move is not allowed, if it is not.
    ///
    /// # Errors
    /// The reason.
    pub(super) fn check(&self, mv: Move) -> Result<(), String> {
        let count = usize::from(mv.count);
        let cards: &[Card] = match mv.from {
            Place::Column(at) => {
                let column = &self.columns()[usize::from(at)];
                if count == 0 || count > column.len() {
                    return Err(format!("column {} has {} cards", at + 1, column.len()));
                }
                if count > column.run() {
                    return Err(format!(
                        "the last {count} cards of column {} are no run",
                        at + 1
                    ));
                }
                &column.cards()[column.len() - count..]
            }
            Place::Cell(at) => match self.cells()[usize::from(at)] {
                Card::NONE => return Err("the cell is free".to_owned()),
                card => &[card],
            },
            Place::Home => return Err("no card leaves its foundation".to_owned()),
        };
        if cards.len() != count {
            return Err("a cell holds one card".to_owned());
        }
        let first = cards[0];
        match mv.to {
            Place::Home if count != 1 => Err("cards go home one by one".to_owned()),
            Place::Home if !self.is_next(first) => {
                Err(format!("{first} is not the next of its suit"))
            }
            Place::Home => Ok(()),
            Place::Cell(_) if count != 1 => Err("a cell holds one card".to_owned()),
            Place::Cell(at) if self.cells()[usize::from(at)] != Card::NONE => {
                Err("the cell is taken".to_owned())
            }
            Place::Cell(_) => Ok(()),
            Place::Column(at) => {
                let onto = &self.columns()[usize::from(at)];
                let mut empty = self.empty_columns();
                if onto.is_empty() {
                    empty -= 1;
                } else if !first.fits_on(onto.top()) {
                    return Err(format!("{first} does not fit on {}", onto.top()));
                }
                if mv.from == mv.to {
                    return Err("it goes where it is".to_owned());
                }
                let most = Board::most_at_once(self.free_cells(), empty);
                if count > most {
                    return Err(format!(
                        "{count} cards, but only {most} can be moved at once"
                    ));
                }
                Ok(())
            }
        }
    }

    /// Makes a move that is allowed.
    #[inline]
    pub(super) fn make(&mut self, mv: Move) {
        match (mv.from, mv.to) {
            (Place::Column(from), Place::Column(to)) => {
                let (from, to) = (usize::from(from), usize::from(to));
                self.shift(from, to, mv.count.into());
            }
            (Place::Column(from), Place::Cell(cell)) => {
                let card = self.pop(from.into());
                self.put_in_cell(cell.into(), card);
            }
            (Place::Column(from), Place::Home) => {
                let card = self.pop(from.into());
                self.bring_home(card);
            }
            (Place::Cell(cell), Place::Column(to)) => {
                let card = self.take_from_cell(cell.into());
                self.push(to.into(), card);
            }
            (Place::Cell(cell), Place::Home) => {
                let card = self.take_from_cell(cell.into());
                self.bring_home(card);
            }
            (Place::Cell(from), Place::Cell(to)) => {
                let card = self.take_from_cell(from.into());
                self.put_in_cell(to.into(), card);
            }
            (Place::Home, _) => {}
        }
    }

    /// A move that brings home a card that is of no use elsewhere, if there is one; any card, once
    /// none lies on a lower one.
    #[inline]
    pub(super) fn free_move(&self) -> Option<Move> {
        let tops = self.columns().map(|column| column.top());
        let mut sorted = None;
        let mut is_free = |card: Card| {
            self.is_next(card)
                && (self.is_safe(card) || *sorted.get_or_insert_with(|| self.is_sorted()))
        };
        let home = |from| Move {
            from,
            to: Place::Home,
            count: 1,
        };
        if let Some(at) = tops.into_iter().position(&mut is_free) {
            return Some(home(Place::Column(small(at))));
        }
        let at = self.cells().into_iter().position(is_free)?;
        Some(home(Place::Cell(small(at))))
    }
}
