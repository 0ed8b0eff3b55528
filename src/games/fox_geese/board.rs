//! The cross of 33 points as bits, and the directions along its lines.

/// A set of points, one bit each: eight times the row, counted from the top, plus the column.
/// The eighth column does not exist, so that a step over the edge never comes back on the board.
pub(super) type Bits = u64;

/// A point, by the number of its bit.
pub(super) type Point = u8;

/// Rows, and columns.
pub(super) const SIZE: u8 = 7;

/// Numbers that tell points apart; not all of them are points.
pub(super) const POINTS: usize = 64;

/// The directions: right, down, left, up; then the diagonals down right, down left, up left,
/// up right. Each is what it adds to a point, modulo 64.
pub(super) const DIRECTIONS: [u32; 8] = [1, 8, 63, 56, 9, 7, 55, 57];

/// The number of directions that are no diagonals; they come first.
pub(super) const STRAIGHT: usize = 4;

/// The directions that lead towards the bottom row, where the geese come from: backward for them.
pub(super) const BACKWARD: [bool; 8] = [false, true, false, false, true, true, false, false];

/// Whether the board has a point there.
pub(super) const fn is_point(row: u8, column: u8) -> bool {
    row < SIZE && column < SIZE && (matches!(row, 2..=4) || matches!(column, 2..=4))
}

/// All points.
pub(super) const BOARD: Bits = points(false);

/// The points where diagonal lines meet: every second one, the centre among them.
pub(super) const CROSSINGS: Bits = points(true);

const fn points(crossings: bool) -> Bits {
    let mut set = 0;
    let mut row = 0;
    while row < SIZE {
        let mut column = 0;
        while column < SIZE {
            if is_point(row, column) && (!crossings || (row + column) % 2 == 0) {
                set |= 1 << (row * 8 + column);
            }
            column += 1;
        }
        row += 1;
    }
    set
}

/// The point in this row and column, each below [`SIZE`].
#[inline]
pub(super) const fn point(row: u8, column: u8) -> Point {
    row * 8 + column
}

/// The row of a point, from the top.
pub(super) const fn row(point: Point) -> u8 {
    point / 8
}

/// The column of a point, from the left.
pub(super) const fn column(point: Point) -> u8 {
    point % 8
}

/// The set of one point.
#[inline]
pub(super) const fn bit(point: Point) -> Bits {
    1 << point
}

/// The points of a set, in order.
pub(super) fn each(mut set: Bits) -> impl Iterator<Item = Point> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let point = set.trailing_zeros() as Point;
        set &= set - 1;
        Some(point)
    })
}

/// Every point of a set moved by a step; what leaves the board is gone.
#[inline]
pub(super) const fn step(set: Bits, direction: usize) -> Bits {
    set.rotate_left(DIRECTIONS[direction]) & BOARD
}

/// Every point of a set moved by a step in the opposite direction.
#[inline]
pub(super) const fn step_back(set: Bits, direction: usize) -> Bits {
    set.rotate_right(DIRECTIONS[direction]) & BOARD
}

/// The points that a step along a straight line leads to.
#[inline]
pub(super) const fn beside(set: Bits) -> Bits {
    step(set, 0) | step(set, 1) | step(set, 2) | step(set, 3)
}

/// The points that a step along a diagonal line leads to.
#[inline]
pub(super) const fn diagonally_beside(set: Bits) -> Bits {
    let set = set & CROSSINGS;
    step(set, 4) | step(set, 5) | step(set, 6) | step(set, 7)
}

/// Steps along straight lines from each point to the nearest one at the edge of the cross.
pub(super) static EDGE_DISTANCE: [u8; POINTS] = edge_distances();

const fn edge_distances() -> [u8; POINTS] {
    let mut distances = [0; POINTS];
    // Points at least so far from the edge.
    let mut inner = BOARD;
    while inner != 0 {
        let outside = !inner;
        let next = outside.rotate_left(1)
            | outside.rotate_left(8)
            | outside.rotate_right(1)
            | outside.rotate_right(8);
        inner &= !next;
        let mut point = 0;
        while point < POINTS {
            if inner >> point & 1 == 1 {
                distances[point] += 1;
            }
            point += 1;
        }
    }
    distances
}
