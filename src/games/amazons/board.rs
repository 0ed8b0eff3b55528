//! Sets of squares as bits, and the lines between them.
//!
//! Squares stand in rows of [`STRIDE`] bits, one more than the widest board has columns.
//! The spare bit of each row is never empty, so a step over the edge lands on it and the
//! mask of empty squares takes it away: no step needs a mask of its own.

/// A set of squares.
pub(super) type Bits = u128;
/// The index of a square, `rank * STRIDE + file`.
pub(super) type Square = u8;

/// The widest board.
pub(super) const MAX_SIZE: u8 = 10;
/// Bits a row.
pub(super) const STRIDE: u8 = MAX_SIZE + 1;

/// The steps of a queen as differences of indices; the first four lead upwards.
const STEPS: [(i8, i8); 8] = [
    (1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
    (-1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
];

/// For each direction of [`STEPS`] and each square the squares of the widest board that lie
/// on the ray from it, itself left out.
static RAYS: [[Bits; 128]; 8] = rays();

const fn rays() -> [[Bits; 128]; 8] {
    let mut rays = [[0; 128]; 8];
    let mut direction = 0;
    while direction < 8 {
        let (dx, dy) = STEPS[direction];
        let mut square = 0;
        while square < STRIDE * MAX_SIZE {
            let mut file = (square % STRIDE) as i8 + dx;
            let mut rank = (square / STRIDE) as i8 + dy;
            let on_board = square % STRIDE < MAX_SIZE;
            while on_board
                && file >= 0
                && rank >= 0
                && file < MAX_SIZE as i8
                && rank < MAX_SIZE as i8
            {
                let index = rank as u8 * STRIDE + file as u8;
                rays[direction][square as usize] |= 1 << index;
                file += dx;
                rank += dy;
            }
            square += 1;
        }
        direction += 1;
    }
    rays
}

/// The squares in one direction from a square on an empty board. The first four directions
/// lead to higher squares.
#[inline]
pub(super) fn ray(direction: usize, from: Square) -> Bits {
    RAYS[direction][usize::from(from & 127)]
}

/// The set of one square.
#[inline]
pub(super) fn bit(square: Square) -> Bits {
    SINGLE[usize::from(square & 127)]
}

/// The sets of one square: to look one up is faster than to shift 128 bits.
static SINGLE: [Bits; 128] = {
    let mut single = [0; 128];
    let mut square = 0;
    while square < 128 {
        single[square] = 1 << square;
        square += 1;
    }
    single
};

/// The square at `file` and `rank`, both from 0.
#[inline]
pub(super) const fn square(file: u8, rank: u8) -> Square {
    rank * STRIDE + file
}

/// The column of a square, from 0.
pub(super) const fn file(square: Square) -> u8 {
    square % STRIDE
}

/// The row of a square, from 0.
pub(super) const fn rank(square: Square) -> u8 {
    square / STRIDE
}

/// All squares of a board with `size` rows and columns.
pub(super) const fn board(size: u8) -> Bits {
    let row: Bits = (1 << size) - 1;
    let mut all = 0;
    let mut rank = 0;
    while rank < size {
        all |= row << (rank * STRIDE);
        rank += 1;
    }
    all
}

/// The squares that a queen on `from` reaches over `empty` squares.
#[inline]
pub(super) fn queen_reach(from: Square, empty: Bits) -> Bits {
    let from = usize::from(from & 127);
    let mut reach = 0;
    for rays in &RAYS[..4] {
        let ray = rays[from];
        let blocked = ray & !empty;
        // The bits below the lowest blocker; all when there is none.
        reach |= ray & blocked.wrapping_sub(1) & !blocked;
    }
    for rays in &RAYS[4..] {
        let ray = rays[from];
        let blocked = ray & !empty;
        // The bits above the highest blocker, which never is bit 127.
        reach |= ray & (Bits::MAX << (128 - blocked.leading_zeros()));
    }
    reach
}

/// `squares` and all one king's step from them, off the board too: the caller masks.
#[inline]
pub(super) fn king_steps(squares: Bits) -> Bits {
    let row = squares | squares << 1 | squares >> 1;
    row | row << STRIDE | row >> STRIDE
}

/// For each square the set of its neighbours.
static NEIGHBOURS: [Bits; 128] = neighbours();

const fn neighbours() -> [Bits; 128] {
    let mut neighbours = [0; 128];
    let mut square = 0;
    while square < 128 {
        let here = 1 << square;
        let row = here | here << 1 | here >> 1;
        let near = row | row << STRIDE | row >> STRIDE;
        neighbours[square] = near & board(MAX_SIZE) & !here;
        square += 1;
    }
    neighbours
}

/// The squares beside a square on the widest board.
#[inline]
pub(super) fn king_neighbours(square: Square) -> Bits {
    NEIGHBOURS[usize::from(square & 127)]
}

/// The king's steps between two squares on an empty board.
#[inline]
pub(super) fn king_distance(a: Square, b: Square) -> u8 {
    file(a).abs_diff(file(b)).max(rank(a).abs_diff(rank(b)))
}

/// For each square and each number of king's steps the squares that far away.
static RINGS: [[Bits; 16]; 128] = rings();

const fn rings() -> [[Bits; 16]; 128] {
    let mut rings = [[0; 16]; 128];
    let mut square = 0;
    while square < 128 {
        let mut inside: Bits = 1 << square;
        let mut steps = 1;
        while steps < MAX_SIZE as usize {
            let row = inside | inside << 1 | inside >> 1;
            let grown = (row | row << STRIDE | row >> STRIDE) & board(MAX_SIZE);
            rings[square][steps] = grown & !inside;
            inside |= grown;
            steps += 1;
        }
        square += 1;
    }
    rings
}

/// The squares `steps` king's steps from a square, on an empty board.
#[inline]
pub(super) fn ring(square: Square, steps: usize) -> Bits {
    RINGS[usize::from(square & 127)][steps & 15]
}

/// The squares of a set, lowest first.
#[inline]
pub(super) fn squares(set: Bits) -> Squares {
    #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
    Squares {
        low: set as u64,
        high: (set >> 64) as u64,
    }
}

/// Iterates over a set, in halves, which is faster than over 128 bits at once.
pub(super) struct Squares {
    low: u64,
    high: u64,
}

impl Iterator for Squares {
    type Item = Square;
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "at most 127")]
    fn next(&mut self) -> Option<Square> {
        if self.low != 0 {
            let square = self.low.trailing_zeros() as Square;
            self.low &= self.low - 1;
            Some(square)
        } else if self.high != 0 {
            let square = 64 + self.high.trailing_zeros() as Square;
            self.high &= self.high - 1;
            Some(square)
        } else {
            None
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = (self.low.count_ones() + self.high.count_ones()) as usize;
        (left, Some(left))
    }
}

/// The lines that [`Fill::spread`] runs along, made once for a set of empty squares.
pub(super) struct Fill {
    /// For each direction the squares that a slide of 1, 2, 4 and 8 steps may end on.
    open: [[Bits; 4]; 8],
}

/// Calls `slide` with the shift of each direction, as a constant, so that the compiler sees
/// shifts by constants.
macro_rules! each_direction {
    ($index:ident, $shift:ident, $body:expr) => {{
        macro_rules! up {
            ($n:literal, $by:literal) => {{
                let $index = $n;
                let $shift = |bits: Bits, times: u32| bits << ($by * times);
                $body
            }};
        }
        macro_rules! down {
            ($n:literal, $by:literal) => {{
                let $index = $n;
                let $shift = |bits: Bits, times: u32| bits >> ($by * times);
                $body
            }};
        }
        up!(0, 1);
        up!(1, 10);
        up!(2, 11);
        up!(3, 12);
        down!(4, 1);
        down!(5, 10);
        down!(6, 11);
        down!(7, 12);
    }};
}

impl Fill {
    /// The lines over `empty` squares.
    #[inline]
    pub(super) fn new(empty: Bits) -> Fill {
        let mut open = [[empty; 4]; 8];
        each_direction!(i, shift, {
            let one = empty;
            let two = one & shift(one, 1);
            let four = two & shift(two, 2);
            let eight = four & shift(four, 4);
            open[i] = [one, two, four, eight];
        });
        Fill { open }
    }

    /// The empty squares that queens on `from` reach, `from` itself left out where it is
    /// not reached.
    #[inline]
    pub(super) fn spread(&self, from: Bits) -> Bits {
        let mut reach = 0;
        each_direction!(i, shift, {
            let open = &self.open[i];
            let mut slide = from;
            slide |= open[0] & shift(slide, 1);
            slide |= open[1] & shift(slide, 2);
            slide |= open[2] & shift(slide, 4);
            slide |= open[3] & shift(slide, 8);
            reach |= slide;
        });
        reach & !from
    }
}
