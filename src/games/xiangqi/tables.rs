//! Where pieces go, made when the program is built: lines by what stands on them, leaps by square.

use super::board::{OFF, SQUARES};

/// What a piece sees along a row or column, as bits of its squares.
#[derive(Clone, Copy)]
pub(super) struct Line {
    /// The squares up to the first piece on either side, those pieces included.
    pub(super) slide: u16,
    /// The second piece on either side: what a cannon may take.
    pub(super) jump: u16,
}

/// By column and the occupied columns of the row.
pub(super) static ROW: [[Line; 512]; 9] = lines();

/// By row and the occupied rows of the column.
pub(super) static COLUMN: [[Line; 1024]; 10] = lines();

const fn lines<const LENGTH: usize, const OCCUPIED: usize>() -> [[Line; OCCUPIED]; LENGTH] {
    let mut lines = [[Line { slide: 0, jump: 0 }; OCCUPIED]; LENGTH];
    let mut place = 0;
    while place < LENGTH {
        let mut occupied = 0;
        while occupied < OCCUPIED {
            lines[place][occupied] = line(place, LENGTH, occupied);
            occupied += 1;
        }
        place += 1;
    }
    lines
}

const fn line(place: usize, length: usize, occupied: usize) -> Line {
    let mut line = Line { slide: 0, jump: 0 };
    let mut passed = 0;
    let mut at = place + 1;
    while at < length && passed < 2 {
        see(&mut line, &mut passed, at, occupied);
        at += 1;
    }
    passed = 0;
    at = place;
    while at > 0 && passed < 2 {
        at -= 1;
        see(&mut line, &mut passed, at, occupied);
    }
    line
}

/// Looks at one more square, behind `passed` pieces.
const fn see(line: &mut Line, passed: &mut u32, at: usize, occupied: usize) {
    let taken = occupied >> at & 1 != 0;
    if *passed == 0 {
        line.slide |= 1 << at;
    } else if taken {
        line.jump |= 1 << at;
    }
    if taken {
        *passed += 1;
    }
}

/// Squares, [`OFF`] where there are fewer.
type Leaps<const N: usize> = [[u8; N]; SQUARES];

/// A square that must be empty, and what can be reached over it.
#[derive(Clone, Copy)]
pub(super) struct Over<const N: usize> {
    /// The leg or the eye.
    pub(super) over: u8,
    /// The squares, [`OFF`] where there are fewer.
    pub(super) to: [u8; N],
}

/// One step in the palace.
pub(super) static GENERAL: Leaps<4> = palace(&[(0, 1), (0, -1), (1, 0), (-1, 0)]);

/// One diagonal step in the palace.
pub(super) static ADVISER: Leaps<4> = palace(&DIAGONALS);

/// Two diagonal steps on one's own side of the river.
pub(super) static ELEPHANT: [[Over<1>; 4]; SQUARES] = elephants();

/// Where a horse goes, and what its leg is.
pub(super) static HORSE: [[Over<2>; 4]; SQUARES] = horses(false);

/// From where a horse comes to a square, and what its leg is.
pub(super) static HORSE_FROM: [[Over<2>; 4]; SQUARES] = horses(true);

/// Where a pawn goes, by side.
pub(super) static PAWN: [Leaps<3>; 2] = [pawns(1), pawns(-1)];

const DIAGONALS: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

const fn square(row: i32, column: i32) -> u8 {
    if row < 0 || row > 9 || column < 0 || column > 8 {
        return OFF;
    }
    #[expect(clippy::cast_possible_truncation, reason = "below 90")]
    #[expect(clippy::cast_sign_loss, reason = "both are on the board")]
    let square = (row * 9 + column) as u8;
    square
}

const fn row_and_column(square: usize) -> (i32, i32) {
    #[expect(clippy::cast_possible_truncation, reason = "below 90")]
    #[expect(clippy::cast_possible_wrap, reason = "below 90")]
    let square = square as i32;
    (square / 9, square % 9)
}

const fn in_palace(row: i32, column: i32) -> bool {
    column >= 3 && column <= 5 && (row >= 0 && row <= 2 || row >= 7 && row <= 9)
}

const fn palace(steps: &[(i32, i32); 4]) -> Leaps<4> {
    let mut leaps = [[OFF; 4]; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let (row, column) = row_and_column(from);
        let mut step = 0;
        while step < 4 {
            let (to_row, to_column) = (row + steps[step].0, column + steps[step].1);
            if in_palace(row, column) && in_palace(to_row, to_column) {
                leaps[from][step] = square(to_row, to_column);
            }
            step += 1;
        }
        from += 1;
    }
    leaps
}

const fn elephants() -> [[Over<1>; 4]; SQUARES] {
    let nowhere = Over {
        over: OFF,
        to: [OFF],
    };
    let mut leaps = [[nowhere; 4]; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let (row, column) = row_and_column(from);
        let mut step = 0;
        while step < 4 {
            let (down, right) = DIAGONALS[step];
            let to_row = row + 2 * down;
            if (row < 5) == (to_row < 5) {
                leaps[from][step] = Over {
                    over: square(row + down, column + right),
                    to: [square(to_row, column + 2 * right)],
                };
            }
            step += 1;
        }
        from += 1;
    }
    leaps
}

/// The leg stands beside the horse; seen from the square it comes to, that is diagonally.
const fn horses(coming: bool) -> [[Over<2>; 4]; SQUARES] {
    let nowhere = Over {
        over: OFF,
        to: [OFF; 2],
    };
    let straight = [(1, 0), (-1, 0), (0, 1), (0, -1)];
    let mut leaps = [[nowhere; 4]; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let (row, column) = row_and_column(from);
        let mut step = 0;
        while step < 4 {
            let (down, right) = if coming {
                DIAGONALS[step]
            } else {
                straight[step]
            };
            let [first, second] = if coming {
                [(down, 2 * right), (2 * down, right)]
            } else if down == 0 {
                [(1, 2 * right), (-1, 2 * right)]
            } else {
                [(2 * down, 1), (2 * down, -1)]
            };
            leaps[from][step] = Over {
                over: square(row + down, column + right),
                to: [
                    square(row + first.0, column + first.1),
                    square(row + second.0, column + second.1),
                ],
            };
            step += 1;
        }
        from += 1;
    }
    leaps
}

const fn pawns(forward: i32) -> Leaps<3> {
    let mut leaps = [[OFF; 3]; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let (row, column) = row_and_column(from);
        leaps[from][0] = square(row + forward, column);
        let has_crossed = (row > 4) == (forward > 0);
        if has_crossed {
            leaps[from][1] = square(row, column + 1);
            leaps[from][2] = square(row, column - 1);
        }
        from += 1;
    }
    leaps
}
