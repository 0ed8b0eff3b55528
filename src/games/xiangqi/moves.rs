//! Legal moves and checks.
//!
//! A move that is otherwise allowed is illegal if one's own general could be taken after it,
//! the other general's look down an open column included. Few moves can do that: those of the
//! general, those of pieces that stand in the way of an attack, and, in check or in front of a
//! bare cannon, all. Only those are made and looked at.

use std::ops::ControlFlow;

use super::board::{Board, Kind, Move, OFF, Piece, Square, places};
use super::tables::{ADVISER, COLUMN, ELEPHANT, GENERAL, HORSE, HORSE_FROM, Line, PAWN, ROW};
use crate::game::Side;

/// Which moves may expose the general.
struct Danger {
    /// All of them.
    any: bool,
    /// Those from these squares, as bits.
    from: u128,
}

impl Board {
    /// Visits the legal moves of a side until one breaks off.
    #[inline]
    pub(super) fn each_legal<B>(
        &self,
        side: Side,
        visit: impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.each::<false, B>(side, visit)
    }

    /// Visits the legal captures of a side, in the order of [`Board::each_legal`].
    #[inline]
    pub(super) fn each_capture<B>(
        &self,
        side: Side,
        visit: impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.each::<true, B>(side, visit)
    }

    #[inline]
    fn each<const CAPTURES: bool, B>(
        &self,
        side: Side,
        mut visit: impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let danger = self.danger(side);
        for from in self.of(side) {
            let kind = self.at(from).kind();
            let is_general = kind == Kind::General;
            let is_tested = danger.any || is_general || danger.from >> from.0 & 1 != 0;
            self.each_target_of::<CAPTURES, B>(side, kind, from, |to| {
                let mv = Move { from, to };
                if is_tested && !self.is_safe(side, mv) {
                    return ControlFlow::Continue(());
                }
                visit(mv)
            })?;
        }
        ControlFlow::Continue(())
    }

    /// Whether a side may make this move.
    pub(super) fn is_legal(&self, side: Side, mv: Move) -> bool {
        let piece = self.at(mv.from);
        piece.side() == Some(side)
            && self
                .each_target(side, piece.kind(), mv.from, |to| {
                    if to == mv.to {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    }
                })
                .is_break()
            && self.is_safe(side, mv)
    }

    /// Whether a side's general is attacked, by the other general too.
    #[inline]
    pub(super) fn is_in_check(&self, side: Side) -> bool {
        let by = side.other();
        let [general, chariot, cannon, horse, pawn] = [
            Kind::General,
            Kind::Chariot,
            Kind::Cannon,
            Kind::Horse,
            Kind::Pawn,
        ]
        .map(|kind| Piece::new(by, kind));
        let square = self.general(side);
        let (row, column) = (square.row(), square.column());
        let along_row = self.along_row(square);
        let along_column = self.along_column(square);
        let (row_enemies, column_enemies) = (self.row(by, row), self.column(by, column));
        let in_row = |bits: u16| places(bits).map(move |at| self.at(Square::new(row, at)));
        let in_column = |bits: u16| places(bits).map(move |at| self.at(Square::new(at, column)));
        if in_row(along_row.slide & row_enemies).any(|piece| piece == chariot)
            || in_column(along_column.slide & column_enemies)
                .any(|piece| piece == chariot || piece == general)
            || in_row(along_row.jump & row_enemies).any(|piece| piece == cannon)
            || in_column(along_column.jump & column_enemies).any(|piece| piece == cannon)
        {
            return true;
        }
        // In its palace every pawn of the enemy's has crossed the river.
        let ahead = match side {
            Side::First => square.0 + 9,
            Side::Second => square.0 - 9,
        };
        if [ahead, square.0 - 1, square.0 + 1]
            .into_iter()
            .any(|at| self.at(Square(at)) == pawn)
        {
            return true;
        }
        HORSE_FROM[square.index()].iter().any(|way| {
            self.at(Square(way.over)) == Piece::NONE
                && way.to.iter().any(|from| self.at(Square(*from)) == horse)
        })
    }

    /// Whether the general is safe after a move.
    #[inline]
    fn is_safe(&self, side: Side, mv: Move) -> bool {
        let mut after = self.clone();
        after.make(mv);
        !after.is_in_check(side)
    }

    /// Which moves may expose a side's general.
    #[inline]
    fn danger(&self, side: Side) -> Danger {
        let mut danger = Danger {
            any: self.is_in_check(side),
            from: 0,
        };
        let general = self.general(side);
        let (row, column) = (general.row(), general.column());
        let occupied = self.row(Side::First, row) | self.row(Side::Second, row);
        let row_start = row * 9;
        self.ways(
            side,
            occupied,
            column,
            |at| Square(row_start + at),
            &mut danger,
        );
        let occupied = self.column(Side::First, column) | self.column(Side::Second, column);
        self.ways(
            side,
            occupied,
            row,
            |at| Square(at * 9 + column),
            &mut danger,
        );
        let horse = Piece::new(side.other(), Kind::Horse);
        for way in &HORSE_FROM[general.index()] {
            if way.to.iter().any(|from| self.at(Square(*from)) == horse) {
                danger.from |= 1 << way.over;
            }
        }
        danger
    }

    /// Looks both ways along a line for pieces that attack over others.
    #[inline]
    fn ways(
        &self,
        side: Side,
        occupied: u16,
        place: u8,
        square: impl Fn(u8) -> Square,
        danger: &mut Danger,
    ) {
        let below = occupied & ((1 << place) - 1);
        let above = occupied & !((2 << place) - 1);
        let next_above = |bits: u16| bits.trailing_zeros();
        let next_below = |bits: u16| bits.checked_ilog2().unwrap_or(16);
        self.way(side, above, next_above, &square, danger);
        self.way(side, below, next_below, &square, danger);
    }

    /// Looks at the next three pieces on the way.
    #[inline]
    fn way(
        &self,
        side: Side,
        mut bits: u16,
        next: impl Fn(u16) -> u32,
        square: &impl Fn(u8) -> Square,
        danger: &mut Danger,
    ) {
        let enemy = side.other();
        let [general, chariot, cannon] =
            [Kind::General, Kind::Chariot, Kind::Cannon].map(|kind| Piece::new(enemy, kind));
        let mut passed = 0_u128;
        for count in 0..3 {
            if bits == 0 {
                return;
            }
            let place = next(bits);
            bits ^= 1 << place;
            #[expect(clippy::cast_possible_truncation, reason = "below 16")]
            let at = square(place as u8);
            let piece = self.at(at);
            match count {
                // Whatever comes between would be its screen.
                0 if piece == cannon => danger.any = true,
                1 if piece == chariot || piece == general => danger.from |= passed,
                2 if piece == cannon => danger.from |= passed,
                _ => {}
            }
            passed |= 1 << at.0;
        }
    }

    /// What is seen from a square along its row.
    #[inline]
    pub(super) fn along_row(&self, square: Square) -> Line {
        let row = square.row();
        let occupied = self.row(Side::First, row) | self.row(Side::Second, row);
        ROW[usize::from(square.column())][usize::from(occupied & 511)]
    }

    /// What is seen from a square along its column.
    #[inline]
    pub(super) fn along_column(&self, square: Square) -> Line {
        let column = square.column();
        let occupied = self.column(Side::First, column) | self.column(Side::Second, column);
        COLUMN[usize::from(square.row())][usize::from(occupied & 1023)]
    }

    /// Visits the squares that a piece goes to, whatever that does to its own general.
    #[inline]
    pub(super) fn each_target<B>(
        &self,
        side: Side,
        kind: Kind,
        from: Square,
        visit: impl FnMut(Square) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.each_target_of::<false, B>(side, kind, from, visit)
    }

    /// The columns of its row and the rows of its column that a chariot or a cannon goes to, as
    /// bits.
    #[inline]
    pub(super) fn line_targets(&self, side: Side, kind: Kind, from: Square) -> (u16, u16) {
        let (row, column) = (from.row(), from.column());
        let enemy = side.other();
        let targets = |line: Line, own: u16, enemies: u16| {
            if kind == Kind::Chariot {
                line.slide & !own
            } else {
                line.slide & !(own | enemies) | line.jump & enemies
            }
        };
        let in_row = targets(
            self.along_row(from),
            self.row(side, row),
            self.row(enemy, row),
        );
        let in_column = targets(
            self.along_column(from),
            self.column(side, column),
            self.column(enemy, column),
        );
        (in_row, in_column)
    }

    #[inline]
    fn each_target_of<const CAPTURES: bool, B>(
        &self,
        side: Side,
        kind: Kind,
        from: Square,
        mut visit: impl FnMut(Square) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut leap = |to: u8| {
            let to = Square(to);
            let taken = match to.0 {
                OFF => Some(side),
                _ => self.at(to).side(),
            };
            if taken == Some(side) || CAPTURES && taken.is_none() {
                return ControlFlow::Continue(());
            }
            visit(to)
        };
        match kind {
            Kind::General => GENERAL[from.index()].into_iter().try_for_each(leap),
            Kind::Adviser => ADVISER[from.index()].into_iter().try_for_each(leap),
            Kind::Pawn => PAWN[side.index()][from.index()]
                .into_iter()
                .try_for_each(leap),
            Kind::Elephant => ELEPHANT[from.index()]
                .iter()
                .filter(|way| self.at(Square(way.over)) == Piece::NONE)
                .try_for_each(|way| leap(way.to[0])),
            Kind::Horse => HORSE[from.index()]
                .iter()
                .filter(|way| self.at(Square(way.over)) == Piece::NONE)
                .try_for_each(|way| way.to.into_iter().try_for_each(&mut leap)),
            Kind::Chariot | Kind::Cannon => {
                let (row, column) = (from.row(), from.column());
                let (mut in_row, mut in_column) = self.line_targets(side, kind, from);
                if CAPTURES {
                    let enemy = side.other();
                    in_row &= self.row(enemy, row);
                    in_column &= self.column(enemy, column);
                }
                places(in_row).try_for_each(|at| visit(Square::new(row, at)))?;
                places(in_column).try_for_each(|at| visit(Square::new(at, column)))
            }
        }
    }
}
