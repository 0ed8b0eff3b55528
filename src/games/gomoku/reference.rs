//! A slow second implementation of the rules: characters on a grid, lines cut out of it.
//!
//! It shares no table and no function with the fast one; do not make it do so.

use std::collections::BTreeSet;

use super::Rule;
use crate::game::{Outcome, Side};

const STEPS: [(isize, isize); 4] = [(0, 1), (1, 0), (1, 1), (-1, 1)];

/// Rows of characters, the top row first: `x`, `o`, and `.` for an empty point.
#[derive(Clone)]
struct Grid(Vec<Vec<char>>);

/// A line of the grid as characters, each with its place.
type Line = Vec<((usize, usize), char)>;

impl Grid {
    fn read(placement: &str, size: usize) -> Result<Grid, String> {
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
                    'x' | 'o' => row.push(letter),
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
            Ok(Grid(rows))
        } else {
            Err(format!("{} rows", rows.len()))
        }
    }

    fn at(&self, row: isize, column: isize) -> Option<char> {
        let row = self.0.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(column).ok()?).copied()
    }

    /// The whole line through a place, from one edge to the other.
    fn line(&self, place: (usize, usize), (down, right): (isize, isize)) -> Line {
        let (mut row, mut column) = (place.0.cast_signed(), place.1.cast_signed());
        while self.at(row - down, column - right).is_some() {
            row -= down;
            column -= right;
        }
        let mut line = Vec::new();
        while let Some(letter) = self.at(row, column) {
            line.push(((row.unsigned_abs(), column.unsigned_abs()), letter));
            row += down;
            column += right;
        }
        line
    }

    fn places(&self) -> Vec<(usize, usize)> {
        let size = self.0.len();
        let row = |row| (0..size).map(move |column| (row, column));
        (0..size).flat_map(row).collect()
    }

    fn with(&self, (row, column): (usize, usize), letter: char) -> Grid {
        let mut grid = self.clone();
        grid.0[row][column] = letter;
        grid
    }

    fn name(&self, (row, column): (usize, usize)) -> String {
        let letters = "abcdefghijklmnopqrst";
        format!("{}{}", &letters[column..=column], self.0.len() - row)
    }
}

/// The places in a row of stones like the one at `place`, that one included.
fn row_through(line: &Line, place: (usize, usize)) -> Vec<(usize, usize)> {
    let stone = line.iter().find(|(at, _)| *at == place).map(|(_, s)| *s);
    let parts = line.split(|(_, letter)| Some(*letter) != stone);
    let mut parts = parts.map(|part| part.iter().map(|(at, _)| *at).collect::<Vec<_>>());
    parts.find(|part| part.contains(&place)).unwrap_or_default()
}

fn is_five(letter: char, length: usize, rule: Rule) -> bool {
    let exactly = rule == Rule::Standard || (rule == Rule::Renju && letter == 'x');
    if exactly { length == 5 } else { length >= 5 }
}

/// What a stone has ended, by the words of the rules.
fn judge(grid: &Grid, place: (usize, usize), rule: Rule) -> Option<&'static str> {
    let letter = grid.0[place.0][place.1];
    let lines: Vec<Line> = STEPS.iter().map(|step| grid.line(place, *step)).collect();
    let lengths: Vec<usize> = lines.iter().map(|l| row_through(l, place).len()).collect();
    if lengths.iter().any(|length| is_five(letter, *length, rule)) {
        return Some("five");
    }
    if rule != Rule::Renju || letter == 'o' {
        return None;
    }
    if lengths.iter().any(|length| *length > 5) {
        return Some("overline");
    }
    let fours: usize = STEPS.iter().map(|step| fours(grid, place, *step)).sum();
    if fours >= 2 {
        return Some("double_four");
    }
    let is_three = |step: &&(isize, isize)| is_three(grid, place, **step);
    (STEPS.iter().filter(is_three).count() >= 2).then_some("double_three")
}

/// The sets of four stones on a line, `place` among them, that one more makes five.
fn fours(grid: &Grid, place: (usize, usize), step: (isize, isize)) -> usize {
    let mut sets = BTreeSet::new();
    for (gap, _) in grid.line(place, step).iter().filter(|(_, s)| *s == '.') {
        let five = row_through(&grid.with(*gap, 'x').line(place, step), *gap);
        if five.len() == 5 && five.contains(&place) {
            sets.insert(five.into_iter().filter(|at| at != gap).collect::<Vec<_>>());
        }
    }
    sets.len()
}

/// Whether one more stone on the line, rightly set, makes a straight four with `place`.
fn is_three(grid: &Grid, place: (usize, usize), step: (isize, isize)) -> bool {
    let line = grid.line(place, step);
    let gaps = line.iter().filter(|(_, stone)| *stone == '.');
    gaps.map(|(gap, _)| *gap).any(|gap| {
        let after = grid.with(gap, 'x');
        let line = after.line(place, step);
        let four = row_through(&line, gap);
        if four.len() != 4 || !four.contains(&place) {
            return false;
        }
        let ends = line.iter().filter(|(at, stone)| {
            let five = || row_through(&after.with(*at, 'x').line(place, step), *at);
            *stone == '.'
                && four.iter().all(|of_four| five().contains(of_four))
                && five().len() == 5
        });
        ends.count() == 2 && judge(&after, gap, Rule::Renju).is_none()
    })
}

/// The position of a text, the letter to move, and whether the game is over.
fn read(fen: &str, size: u8, rule: Rule) -> Result<(Grid, char, bool), String> {
    let fields: Vec<&str> = fen.split(' ').collect();
    let grid = Grid::read(fields[0], usize::from(size))?;
    let letter = match fields.get(1) {
        Some(&"b") => 'x',
        Some(&"w") => 'o',
        other => return Err(format!("side {other:?}")),
    };
    let ended = |place: &(usize, usize)| {
        let stone = grid.0[place.0][place.1];
        let rows = STEPS.map(|step| row_through(&grid.line(*place, step), *place).len());
        let overline = rule == Rule::Renju && stone == 'x' && rows.iter().any(|row| *row > 5);
        stone != '.' && (overline || rows.iter().any(|row| is_five(stone, *row, rule)))
    };
    let full = !grid.0.iter().flatten().any(|stone| *stone == '.');
    let over = full || fields.len() > 2 || grid.places().iter().any(ended);
    Ok((grid, letter, over))
}

/// The legal moves of a position, as text.
pub(super) fn moves(fen: &str, size: u8, rule: Rule) -> Result<BTreeSet<String>, String> {
    let (grid, _, over) = read(fen, size, rule)?;
    let empty = |place: &(usize, usize)| !over && grid.0[place.0][place.1] == '.';
    let places = grid.places().into_iter().filter(empty);
    Ok(places.map(|place| grid.name(place)).collect())
}

/// How a legal move ends the game.
pub(super) fn outcome(
    fen: &str,
    mv: &str,
    size: u8,
    rule: Rule,
) -> Result<Option<Outcome>, String> {
    let (grid, letter, _) = read(fen, size, rule)?;
    let mut places = grid.places().into_iter();
    let place = places.find(|place| grid.name(*place) == mv);
    let place = place.ok_or_else(|| format!("move {mv}"))?;
    let after = grid.with(place, letter);
    let mover = if letter == 'x' {
        Side::First
    } else {
        Side::Second
    };
    Ok(match judge(&after, place, rule) {
        Some("five") => Some(Outcome::win(mover, "five")),
        Some(foul) => Some(Outcome::win(Side::Second, foul)),
        None if after.0.iter().flatten().all(|stone| *stone != '.') => {
            Some(Outcome::draw("full_board"))
        }
        None => None,
    })
}
