//! A slow second implementation of the rules: characters on a board.
//!
//! It shares no table and no function with the fast one; do not make it do so.

use std::collections::BTreeSet;

const DIRECTIONS: [(isize, isize); 8] = [
    (-1, -1),
    (-1, 0),
    (-1, 1),
    (0, -1),
    (0, 1),
    (1, -1),
    (1, 0),
    (1, 1),
];

/// Rows of characters, the top row first: `Q`, `q`, `*`, and `.` for an empty square.
struct Board(Vec<Vec<char>>);

impl Board {
    fn read(placement: &str, size: usize) -> Result<Board, String> {
        let mut rows = Vec::new();
        for text in placement.split('/') {
            let mut row = Vec::new();
            let mut digits = String::new();
            for letter in text.chars().chain("/".chars()) {
                if letter.is_ascii_digit() {
                    digits.push(letter);
                    continue;
                }
                if !digits.is_empty() {
                    let empty: usize = digits.parse().map_err(|_| format!("run {digits}"))?;
                    row.extend(std::iter::repeat_n('.', empty));
                    digits.clear();
                }
                match letter {
                    'Q' | 'q' | '*' => row.push(letter),
                    '/' => {}
                    other => return Err(format!("letter {other}")),
                }
            }
            if row.len() != size {
                return Err(format!("row {text}"));
            }
            rows.push(row);
        }
        if rows.len() == size {
            Ok(Board(rows))
        } else {
            Err(format!("{} rows", rows.len()))
        }
    }

    fn at(&self, row: isize, column: isize) -> Option<char> {
        let row = self.0.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(column).ok()?).copied()
    }

    /// The empty squares in straight lines from a square.
    fn slides(&self, from: (usize, usize)) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for (down, right) in DIRECTIONS {
            let mut row = from.0.cast_signed() + down;
            let mut column = from.1.cast_signed() + right;
            while self.at(row, column) == Some('.') {
                found.push((row.unsigned_abs(), column.unsigned_abs()));
                row += down;
                column += right;
            }
        }
        found
    }

    fn name(&self, (row, column): (usize, usize)) -> String {
        let letters = "abcdefghij";
        format!("{}{}", &letters[column..=column], self.0.len() - row)
    }
}

/// The legal moves of a position, as text.
pub(super) fn moves(fen: &str, size: u8) -> Result<BTreeSet<String>, String> {
    let mut fields = fen.split(' ');
    let placement = fields.next().unwrap_or_default();
    let mut board = Board::read(placement, usize::from(size))?;
    let amazon = match fields.next() {
        Some("w") => 'Q',
        Some("b") => 'q',
        other => return Err(format!("side {other:?}")),
    };
    let mut found = BTreeSet::new();
    for row in 0..board.0.len() {
        for column in 0..board.0.len() {
            if board.0[row][column] != amazon {
                continue;
            }
            let from = (row, column);
            for to in board.slides(from) {
                board.0[from.0][from.1] = '.';
                board.0[to.0][to.1] = amazon;
                for arrow in board.slides(to) {
                    let (from, to, arrow) = (board.name(from), board.name(to), board.name(arrow));
                    found.insert(format!("{from}{to},{to}{arrow}"));
                }
                board.0[to.0][to.1] = '.';
                board.0[from.0][from.1] = amazon;
            }
        }
    }
    Ok(found)
}
