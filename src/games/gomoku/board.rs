//! Points, directions and stones: a board as a row of bits a rank and colour.

use crate::game::Side;

/// The largest board.
pub(super) const MAX_SIZE: u8 = 20;

/// The points of the largest board.
pub(super) const POINTS: usize = 400;

/// A point of the board. A move is the point that a stone is set on.
///
/// Columns and rows are counted from 0, from the left and from the top, as Gomocup does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(u16);

impl Point {
    /// The point in this column and row, both below 20.
    #[inline]
    pub(super) fn new(x: u8, y: u8) -> Point {
        debug_assert!(x < MAX_SIZE && y < MAX_SIZE);
        Point(u16::from(y) * u16::from(MAX_SIZE) + u16::from(x))
    }

    /// The point with this number.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "below 400")]
    pub(super) fn from_index(index: usize) -> Point {
        debug_assert!(index < POINTS);
        Point(index as u16)
    }

    /// The column, from the left.
    #[inline]
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "below 20")]
    pub fn x(self) -> u8 {
        (self.0 % u16::from(MAX_SIZE)) as u8
    }

    /// The row, from the top.
    #[inline]
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "below 20")]
    pub fn y(self) -> u8 {
        (self.0 / u16::from(MAX_SIZE)) as u8
    }

    /// A number below [`POINTS`], the same on boards of all sizes.
    #[inline]
    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The point so many steps away; it may lie off the board.
    #[inline]
    pub(super) fn step(self, (dx, dy): Direction, steps: i32) -> (i32, i32) {
        (
            i32::from(self.x()) + steps * dx,
            i32::from(self.y()) + steps * dy,
        )
    }
}

/// Columns and rows that a step goes.
pub(super) type Direction = (i32, i32);

/// The four directions of a line.
pub(super) const DIRECTIONS: [Direction; 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// The stones of both colours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stones {
    /// Bit `x` of row `y`, black first.
    rows: [[u32; MAX_SIZE as usize]; 2],
    size: u8,
}

impl Stones {
    /// An empty board.
    pub(super) fn none(size: u8) -> Stones {
        let rows = [[0; MAX_SIZE as usize]; 2];
        Stones { rows, size }
    }

    /// Rows and columns.
    #[inline]
    pub(super) fn size(&self) -> u8 {
        self.size
    }

    /// Sets a stone on an empty point.
    #[inline]
    pub(super) fn set(&mut self, side: Side, point: Point) {
        self.rows[side.index()][usize::from(point.y())] |= 1 << point.x();
    }

    /// Whether a stone of this colour stands there; never off the board.
    #[inline]
    pub(super) fn has(&self, side: Side, (x, y): (i32, i32)) -> bool {
        let row = usize::try_from(y)
            .ok()
            .and_then(|y| self.rows[side.index()].get(y));
        let bits = u32::try_from(x).ok().and_then(|x| row?.checked_shr(x));
        bits.is_some_and(|bits| bits & 1 != 0)
    }

    /// Whose stone stands on a point of the board.
    #[inline]
    pub(super) fn at(&self, point: Point) -> Option<Side> {
        let of = |side: &Side| self.rows[side.index()][usize::from(point.y())] >> point.x() & 1;
        Side::BOTH.into_iter().find(|side| of(side) != 0)
    }

    /// Whether it is a point of the board without a stone.
    #[inline]
    pub(super) fn is_empty(&self, (x, y): (i32, i32)) -> bool {
        let board = 0..i32::from(self.size);
        board.contains(&x)
            && board.contains(&y)
            && Side::BOTH.into_iter().all(|side| !self.has(side, (x, y)))
    }

    /// The empty points of a row, as bits.
    #[inline]
    fn empty_in(&self, y: u8) -> u32 {
        let row = usize::from(y);
        ((1 << self.size) - 1) & !(self.rows[0][row] | self.rows[1][row])
    }

    /// The empty points, row by row from the top.
    pub(super) fn empty(&self) -> impl Iterator<Item = Point> {
        (0..self.size).flat_map(|y| columns(self.empty_in(y)).map(move |x| Point::new(x, y)))
    }

    /// The empty points at most `distance` steps of a king from a stone, row by row from the top.
    pub(super) fn empty_near(&self, distance: u8) -> impl Iterator<Item = Point> {
        let mut near = [0; MAX_SIZE as usize];
        for y in 0..usize::from(self.size) {
            let taken = self.rows[0][y] | self.rows[1][y];
            let wide = (0..=distance).fold(0, |wide, step| {
                wide | taken.unbounded_shl(step.into()) | taken.unbounded_shr(step.into())
            });
            let from = y.saturating_sub(distance.into());
            let to = (y + usize::from(distance)).min(usize::from(self.size) - 1);
            for row in &mut near[from..=to] {
                *row |= wide;
            }
        }
        (0..self.size).flat_map(move |y| {
            columns(self.empty_in(y) & near[usize::from(y)]).map(move |x| Point::new(x, y))
        })
    }

    /// The points with stones of a colour, row by row from the top.
    pub(super) fn of(&self, side: Side) -> impl Iterator<Item = Point> {
        let row = move |y| self.rows[side.index()][usize::from(y)];
        (0..self.size).flat_map(move |y| columns(row(y)).map(move |x| Point::new(x, y)))
    }

    /// How many stones of a colour there are.
    pub(super) fn count(&self, side: Side) -> u32 {
        let rows = self.rows[side.index()].iter();
        rows.map(|row| row.count_ones()).sum()
    }

    /// How many stones of this colour stand beside each other on a line through the point,
    /// which has one of them.
    #[inline]
    pub(super) fn run(&self, side: Side, point: Point, direction: Direction) -> u32 {
        let beside = |sign: i32| {
            (1..i32::from(MAX_SIZE))
                .take_while(|steps| self.has(side, point.step(direction, sign * steps)))
                .fold(0, |count, _| count + 1)
        };
        1 + beside(1) + beside(-1)
    }
}

/// The numbers of the bits that are set, from the lowest.
#[inline]
fn columns(mut bits: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        if bits == 0 {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "below 32")]
        let x = bits.trailing_zeros() as u8;
        bits &= bits - 1;
        Some(x)
    })
}
