//! A slow second implementation of the rules: characters on a grid of seven by seven, every pair
//! of places tried.
//!
//! It shares no table and no function with the fast one; do not make it do so.

use std::collections::BTreeSet;

use super::{FoxGeeseRules, NoProgress, Rule};
use crate::game::{Outcome, Side};
use crate::verify::Played;

/// A row from the top and a column from the left.
type Place = (i32, i32);

/// The pieces, and who is to move.
#[derive(Clone, PartialEq)]
struct Grid {
    /// Seven rows of seven characters: `F`, `G`, `.`, and blanks beside the cross.
    rows: Vec<Vec<char>>,
    fox_moves: bool,
}

impl Grid {
    fn read(text: &str) -> Result<(Grid, usize), String> {
        let fields: Vec<&str> = text.split(' ').collect();
        let (placement, side, quiet) = match fields[..] {
            [placement, side] => (placement, side, 0),
            [placement, side, quiet] => {
                let plies = quiet.parse().map_err(|_| format!("plies {quiet}"))?;
                (placement, side, plies)
            }
            _ => return Err(format!("fields of {text}")),
        };
        let fox_moves = match side {
            "f" => true,
            "g" => false,
            other => return Err(format!("side {other}")),
        };
        let mut rows = Vec::new();
        for text in placement.split('/') {
            let mut row = String::new();
            for letter in text.chars() {
                match letter.to_digit(10) {
                    Some(empty) => row += &".".repeat(empty as usize),
                    None if "FG".contains(letter) => row.push(letter),
                    None => return Err(format!("letter {letter}")),
                }
            }
            if row.len() == 3 {
                row = format!("  {row}  ");
            }
            if row.len() != 7 {
                return Err(format!("row {text}"));
            }
            rows.push(row.chars().collect());
        }
        Ok((Grid { rows, fox_moves }, quiet))
    }

    fn at(&self, (row, column): Place) -> char {
        let inside = |index| usize::try_from(index).ok();
        let row = inside(row).and_then(|row| self.rows.get(row));
        let letter = row.and_then(|row| row.get(inside(column)?));
        letter.copied().unwrap_or(' ')
    }

    fn set(&mut self, (row, column): Place, letter: char) {
        if let (Ok(row), Ok(column)) = (usize::try_from(row), usize::try_from(column)) {
            self.rows[row][column] = letter;
        }
    }

    fn places(&self, letter: char) -> Vec<Place> {
        let all = (0..7).flat_map(|row| (0..7).map(move |column| (row, column)));
        all.filter(|place| self.at(*place) == letter).collect()
    }

    fn geese(&self) -> usize {
        self.places('G').len()
    }

    /// The places beside one, by the lines that the rules know.
    fn neighbours(&self, place: Place, rules: &FoxGeeseRules) -> Vec<Place> {
        let mut found = Vec::new();
        for (down, right) in (-1..=1).flat_map(|down| (-1..=1).map(move |right| (down, right))) {
            let along = match (down, right) {
                (0, 0) => false,
                (0, _) | (_, 0) => true,
                // Diagonal lines go through the centre, and through every second place from it.
                _ => rules.diagonals && (place.0 - 3 + place.1 - 3) % 2 == 0,
            };
            let next = (place.0 + down, place.1 + right);
            if along && self.at(next) != ' ' {
                found.push(next);
            }
        }
        found
    }

    /// The places that a fox on `from` can jump to, each with the goose between.
    fn jumps(&self, from: Place, rules: &FoxGeeseRules) -> Vec<(Place, Place)> {
        let over = self.neighbours(from, rules);
        let geese = over.into_iter().filter(|place| self.at(*place) == 'G');
        let behind = |over: Place| (2 * over.0 - from.0, 2 * over.1 - from.1);
        geese
            .map(|over| (behind(over), over))
            .filter(|(to, _)| self.at(*to) == '.')
            .collect()
    }

    /// Appends the lines of places that begin like `line`, the fox being at its end.
    fn chains(&self, line: &[Place], rules: &FoxGeeseRules, found: &mut Vec<Vec<Place>>) {
        let Some(&at) = line.last() else {
            return;
        };
        let jumps = self.jumps(at, rules);
        let has_jumped = line.len() > 1;
        let is_over = has_jumped && (rules.rule != Rule::MultiJump || self.is_won_by_count(rules));
        if is_over || has_jumped && (jumps.is_empty() || !rules.forced_capture) {
            found.push(line.to_vec());
        }
        if is_over {
            return;
        }
        for (to, over) in jumps {
            let mut after = self.clone();
            after.set(at, '.');
            after.set(over, '.');
            after.set(to, 'F');
            after.chains(&[line, &[to]].concat(), rules, found);
        }
    }

    /// The legal moves as lines of places.
    fn moves(&self, rules: &FoxGeeseRules) -> Vec<Vec<Place>> {
        let mut found = Vec::new();
        if self.is_won_by_count(rules) {
            return found;
        }
        if self.fox_moves {
            for fox in self.places('F') {
                self.chains(&[fox], rules, &mut found);
            }
            if rules.forced_capture && !found.is_empty() {
                return found;
            }
        }
        for from in self.places(if self.fox_moves { 'F' } else { 'G' }) {
            for to in self.neighbours(from, rules) {
                let back = to.0 > from.0 && !self.fox_moves && !rules.geese_backward;
                if self.at(to) == '.' && !back {
                    found.push(vec![from, to]);
                }
            }
        }
        found
    }

    fn is_won_by_count(&self, rules: &FoxGeeseRules) -> bool {
        rules.rule != Rule::SingleJump && self.geese() <= usize::from(rules.fox_wins_at)
    }

    /// The position after a move.
    fn after(&self, line: &[Place]) -> Grid {
        let mut grid = self.clone();
        for pair in line.windows(2) {
            let ((from_row, from_column), to) = (pair[0], pair[1]);
            let piece = grid.at(pair[0]);
            if (from_row - to.0).abs().max((from_column - to.1).abs()) == 2 {
                grid.set(((from_row + to.0) / 2, (from_column + to.1) / 2), '.');
            }
            grid.set(pair[0], '.');
            grid.set(to, piece);
        }
        grid.fox_moves = !self.fox_moves;
        grid
    }
}

/// A move's text.
fn name(line: &[Place]) -> String {
    let letters = ["a", "b", "c", "d", "e", "f", "g"];
    let place = |(row, column): &Place| {
        let letter = usize::try_from(*column).map_or("?", |column| letters[column]);
        format!("{letter}{}", 7 - row)
    };
    line.iter().map(place).collect()
}

/// The legal moves of a position, as text.
pub(super) fn moves(fen: &str, rules: &FoxGeeseRules) -> Result<BTreeSet<String>, String> {
    let (grid, _) = Grid::read(fen)?;
    Ok(grid.moves(rules).iter().map(|line| name(line)).collect())
}

/// How a game stands after its last move, by the words of the rules.
pub(super) fn outcome(
    played: &Played<'_>,
    rules: &FoxGeeseRules,
) -> Result<Option<Outcome>, String> {
    let (mut grid, mut quiet) = Grid::read(played.start)?;
    let mut seen = vec![grid.clone()];
    for text in played.moves {
        let line = grid
            .moves(rules)
            .into_iter()
            .find(|line| name(line) == *text);
        let line = line.ok_or_else(|| format!("move {text}"))?;
        let after = grid.after(&line);
        quiet = if after.geese() < grid.geese() {
            0
        } else {
            quiet + 1
        };
        grid = after;
        seen.push(grid.clone());
    }
    if grid.is_won_by_count(rules) {
        return Ok(Some(Outcome::win(Side::Second, "few_geese")));
    }
    if grid.moves(rules).is_empty() {
        let winner = if grid.fox_moves {
            Side::First
        } else {
            Side::Second
        };
        return Ok(Some(Outcome::win(winner, "no_moves")));
    }
    let no_progress = |reason: &str| match rules.no_progress_wins {
        NoProgress::Nobody => Outcome::draw(reason),
        NoProgress::Fox => Outcome::win(Side::Second, reason),
    };
    let occurrences = seen.iter().filter(|other| **other == grid).count();
    Ok(if rules.threefold_repetition && occurrences >= 3 {
        Some(no_progress("threefold"))
    } else if rules.plies_without_capture > 0 && quiet >= usize::from(rules.plies_without_capture) {
        Some(no_progress("no_capture"))
    } else {
        let is_long = played.moves.len() >= usize::from(rules.max_plies);
        is_long.then(|| Outcome::draw("max_plies"))
    })
}
