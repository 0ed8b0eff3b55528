//! A slow second implementation of the rules: characters on a grid, every pair of squares tried.
//!
//! It shares no table and no function with the fast one; do not make it do so.

use std::collections::BTreeSet;

use crate::game::{Outcome, Side};
use crate::verify::Played;

/// Rows of characters, rank 1 first: FEN's letters, and `.` for an empty square.
#[derive(Clone, PartialEq)]
struct Grid(Vec<Vec<char>>);

/// A rank and a file, from 0.
type Place = (usize, usize);

fn is_red(letter: char) -> bool {
    letter.is_uppercase()
}

fn between(a: usize, b: usize) -> std::ops::Range<usize> {
    a.min(b) + 1..a.max(b)
}

impl Grid {
    fn read(placement: &str) -> Result<Grid, String> {
        let mut rows: Vec<Vec<char>> = Vec::new();
        for text in placement.split('/') {
            let mut row = Vec::new();
            for letter in text.chars() {
                match letter.to_digit(10) {
                    Some(empty) => row.extend((0..empty).map(|_| '.')),
                    None if "kabnrcp".contains(letter.to_ascii_lowercase()) => row.push(letter),
                    None => return Err(format!("letter {letter}")),
                }
            }
            rows.push(row);
        }
        rows.reverse();
        if rows.len() != 10 || rows.iter().any(|row| row.len() != 9) {
            return Err(format!("board {placement}"));
        }
        Ok(Grid(rows))
    }

    fn at(&self, (rank, file): Place) -> char {
        self.0[rank][file]
    }

    /// The places of the pieces that `is` accepts.
    fn places(&self, is: impl Fn(char) -> bool) -> Vec<Place> {
        let all = (0..10).flat_map(|rank| (0..9).map(move |file| (rank, file)));
        all.filter(|place| self.at(*place) != '.' && is(self.at(*place)))
            .collect()
    }

    fn after(&self, from: Place, to: Place) -> Grid {
        let mut grid = self.clone();
        grid.0[to.0][to.1] = self.at(from);
        grid.0[from.0][from.1] = '.';
        grid
    }

    /// How many pieces stand between two squares of a rank or file.
    fn pieces_between(&self, from: Place, to: Place) -> usize {
        let places: Vec<Place> = if from.0 == to.0 {
            between(from.1, to.1).map(|file| (from.0, file)).collect()
        } else {
            between(from.0, to.0).map(|rank| (rank, from.1)).collect()
        };
        places
            .iter()
            .filter(|place| self.at(**place) != '.')
            .count()
    }

    /// Whether the piece on `from` moves to `to` or takes there, its general left aside.
    fn goes(&self, from: Place, to: Place) -> bool {
        let (piece, target) = (self.at(from), self.at(to));
        if from == to || target != '.' && is_red(piece) == is_red(target) {
            return false;
        }
        let ranks = from.0.abs_diff(to.0);
        let files = from.1.abs_diff(to.1);
        let straight = ranks == 0 || files == 0;
        let own_palace = |place: Place| {
            let home = if is_red(piece) { 0..=2 } else { 7..=9 };
            home.contains(&place.0) && (3..=5).contains(&place.1)
        };
        match piece.to_ascii_lowercase() {
            'k' => ranks + files == 1 && own_palace(to),
            'a' => ranks == 1 && files == 1 && own_palace(to),
            'b' => {
                let eye = (from.0.midpoint(to.0), from.1.midpoint(to.1));
                let home = if is_red(piece) { 0..=4 } else { 5..=9 };
                ranks == 2 && files == 2 && self.at(eye) == '.' && home.contains(&to.0)
            }
            'n' => {
                let leg = if ranks == 2 {
                    (from.0.midpoint(to.0), from.1)
                } else {
                    (from.0, from.1.midpoint(to.1))
                };
                matches!((ranks, files), (1, 2) | (2, 1)) && self.at(leg) == '.'
            }
            'r' => straight && self.pieces_between(from, to) == 0,
            'c' => straight && self.pieces_between(from, to) == usize::from(target != '.'),
            _ => {
                let ahead = if is_red(piece) {
                    to.0 == from.0 + 1
                } else {
                    to.0 + 1 == from.0
                };
                let crossed = if is_red(piece) {
                    from.0 > 4
                } else {
                    from.0 < 5
                };
                ranks + files == 1 && (ahead || crossed && ranks == 0)
            }
        }
    }

    /// Whether a side's general can be taken, or looks at the other.
    fn in_check(&self, red: bool) -> bool {
        let general = self.places(|letter| letter == if red { 'K' } else { 'k' })[0];
        let other = self.places(|letter| letter == if red { 'k' } else { 'K' })[0];
        let facing = general.1 == other.1 && self.pieces_between(general, other) == 0;
        let enemies = self.places(|letter| is_red(letter) != red);
        facing || enemies.into_iter().any(|from| self.goes(from, general))
    }

    /// The legal moves of a side.
    fn moves(&self, red: bool) -> Vec<(Place, Place)> {
        let mut moves = Vec::new();
        for from in self.places(|letter| is_red(letter) == red) {
            for to in (0..10).flat_map(|rank| (0..9).map(move |file| (rank, file))) {
                if self.goes(from, to) && !self.after(from, to).in_check(red) {
                    moves.push((from, to));
                }
            }
        }
        moves
    }
}

fn name((rank, file): Place) -> String {
    let letters = "abcdefghi";
    format!("{}{}", &letters[file..=file], rank + 1)
}

/// The squares of a move's text.
fn places(text: &str) -> Result<(Place, Place), String> {
    let place = |text: &str| {
        let file = "abcdefghi".find(text.chars().next()?)?;
        let rank = text[1..].parse::<usize>().ok()?.checked_sub(1)?;
        (rank < 10).then_some((rank, file))
    };
    let both = || {
        let second = text.rfind(char::is_alphabetic)?;
        Some((place(&text[..second])?, place(&text[second..])?))
    };
    both().ok_or_else(|| format!("move {text}"))
}

/// The position of a text, whether Red is to move, and the plies since a capture.
fn read(fen: &str) -> Result<(Grid, bool, usize), String> {
    let fields: Vec<&str> = fen.split(' ').collect();
    let [board, side, "-", "-", plies, _] = fields[..] else {
        return Err(format!("fields of {fen}"));
    };
    let red = match side {
        "w" => true,
        "b" => false,
        other => return Err(format!("side {other}")),
    };
    let plies = plies.parse().map_err(|_| format!("plies {plies}"))?;
    Ok((Grid::read(board)?, red, plies))
}

/// The legal moves of a position, as text.
pub(super) fn moves(fen: &str) -> Result<BTreeSet<String>, String> {
    let (grid, red, _) = read(fen)?;
    let moves = grid.moves(red).into_iter();
    Ok(moves.map(|(from, to)| name(from) + &name(to)).collect())
}

/// How a game stands after its last move, by the words of the rules.
pub(super) fn outcome(played: &Played<'_>, most_plies: u16) -> Result<Option<Outcome>, String> {
    let (mut grid, mut red, mut quiet) = read(played.start)?;
    let mut seen = vec![(grid.clone(), red)];
    for text in played.moves {
        let (from, to) = places(text)?;
        quiet = if grid.at(to) == '.' { quiet + 1 } else { 0 };
        grid = grid.after(from, to);
        red = !red;
        seen.push((grid.clone(), red));
    }
    let side = |red| if red { Side::First } else { Side::Second };
    if grid.moves(red).is_empty() {
        let reason = match grid.in_check(red) {
            true => "checkmate",
            false => "stalemate",
        };
        return Ok(Some(Outcome::win(side(!red), reason)));
    }
    let now = seen.last().cloned();
    let same: Vec<usize> = (0..seen.len())
        .filter(|ply| now.as_ref() == Some(&seen[*ply]))
        .collect();
    if same.len() >= 3 {
        // Who is to move in a position has been checked by the move before it, or not.
        let since = &seen[same[0] + 1..];
        let checks = |by: bool| {
            let mut after = since.iter().filter(|(_, to_move)| *to_move != by);
            after.all(|(grid, to_move)| grid.in_check(*to_move))
        };
        return Ok(Some(match (checks(true), checks(false)) {
            (true, false) => Outcome::win(Side::Second, "perpetual_check"),
            (false, true) => Outcome::win(Side::First, "perpetual_check"),
            _ => Outcome::draw("threefold"),
        }));
    }
    Ok((quiet >= usize::from(most_plies)).then(|| Outcome::draw("no_capture")))
}
