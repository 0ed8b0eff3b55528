//! The text of positions and moves.

use super::board::{self, DIRECTIONS, Point, SIZE, bit, point, step};
use super::moves::{MOST_JUMPS, Move};
use super::rules::Ruling;
use super::{FoxGeese, FoxGeeseRules};
use crate::game::{Game, NotationError, Side};

/// Reads `board side`, and the plies since a capture if they are there.
pub(super) fn parse_fen(text: &str, rules: &FoxGeeseRules) -> Result<FoxGeese, NotationError> {
    read(text, Ruling::new(rules)).map_err(|reason| NotationError::Position {
        game: FoxGeese::NAME,
        text: text.to_owned(),
        reason,
    })
}

pub(super) fn read(text: &str, ruling: Ruling) -> Result<FoxGeese, String> {
    let mut fields = text.split_ascii_whitespace();
    let (geese, fox) = parse_board(fields.next().ok_or("it is empty")?)?;
    let side = match fields.next() {
        Some("g") => Side::First,
        Some("f") => Side::Second,
        Some(other) => {
            let other = other.escape_debug();
            return Err(format!("the side to move is `g` or `f`, not `{other}`"));
        }
        None => return Err("the side to move is missing".into()),
    };
    let quiet = match fields.next() {
        None => 0,
        Some(field) => {
            let plain = field.bytes().all(|byte| byte.is_ascii_digit());
            let value = field.parse().ok().filter(|_| plain);
            value.ok_or_else(|| {
                let (field, most) = (field.escape_debug(), u16::MAX);
                format!("plies since a capture: expected a number from 0 to {most}, not `{field}`")
            })?
        }
    };
    if fields.next().is_some() {
        return Err("there are more than three fields".into());
    }
    Ok(FoxGeese::from_parts(geese, fox, side, quiet, ruling))
}

fn parse_board(text: &str) -> Result<(board::Bits, Point), String> {
    let rows = text.split('/').count();
    if rows != usize::from(SIZE) {
        return Err(format!("it has {rows} rows, but the board has {SIZE}"));
    }
    let (mut geese, mut foxes) = (0, 0);
    for (row, line) in (0..SIZE).zip(text.split('/')) {
        let columns: Vec<u8> = (0..SIZE)
            .filter(|column| board::is_point(row, *column))
            .collect();
        let mut at = 0;
        for letter in line.chars() {
            let run = letter.to_digit(10).filter(|run| *run > 0);
            let set = match (letter, run) {
                (_, Some(run)) => {
                    at += run as usize;
                    continue;
                }
                ('G', _) => &mut geese,
                ('F', _) => &mut foxes,
                _ => {
                    let letter = letter.escape_debug();
                    return Err(format!(
                        "`{letter}` is neither `G`, `F` nor a digit from 1 to 9"
                    ));
                }
            };
            if let Some(column) = columns.get(at) {
                *set |= bit(point(row, *column));
            }
            at += 1;
        }
        if at != columns.len() {
            let (row, has) = (row + 1, columns.len());
            return Err(format!(
                "row {row} has {at} points, but the board has {has}"
            ));
        }
    }
    if foxes.count_ones() != 1 {
        return Err(format!("there must be one `F`, not {}", foxes.count_ones()));
    }
    let count = geese.count_ones();
    if count as usize > MOST_JUMPS {
        return Err(format!("there are {count} `G`, more than {MOST_JUMPS}"));
    }
    Ok((geese, foxes.trailing_zeros() as Point))
}

/// Writes what [`parse_fen`] reads. The plies since a capture are left out if there are none.
pub(super) fn format_fen(position: &FoxGeese) -> String {
    let mut fen = String::with_capacity(48);
    for row in 0..SIZE {
        let mut run = 0;
        for column in (0..SIZE).filter(|column| board::is_point(row, *column)) {
            let Some(letter) = position.letter(point(row, column)) else {
                run += 1;
                continue;
            };
            if run > 0 {
                fen += &run.to_string();
                run = 0;
            }
            fen.push(letter);
        }
        if run > 0 {
            fen += &run.to_string();
        }
        fen.push(if row + 1 < SIZE { '/' } else { ' ' });
    }
    fen.push(match position.side {
        Side::First => 'g',
        Side::Second => 'f',
    });
    if position.quiet > 0 {
        fen += &format!(" {}", position.quiet);
    }
    fen
}

/// The name of a column.
pub(super) fn column_name(column: u8) -> char {
    char::from(b'a' + column)
}

/// The name of a row, counted from the bottom.
pub(super) fn row_name(row: u8) -> char {
    char::from(b'0' + SIZE - row)
}

fn push_point(text: &mut String, point: Point) {
    text.push(column_name(board::column(point)));
    text.push(row_name(board::row(point)));
}

/// Writes the point where a move begins and every point where it lands: `d7d6`, `d5d3f3`.
pub(super) fn format_move(mv: Move) -> String {
    let mut text = String::with_capacity(6);
    push_point(&mut text, mv.from());
    if mv.is_step() {
        push_point(&mut text, mv.to());
    }
    let mut at = bit(mv.from());
    for direction in mv.directions() {
        at = step(step(at, direction), direction);
        push_point(&mut text, at.trailing_zeros() as Point);
    }
    text
}

/// Reads two points or more; whether the move is legal is not asked.
pub(super) fn parse_move(text: &str) -> Result<Move, NotationError> {
    points(text)
        .and_then(|points| through(&points))
        .ok_or_else(|| NotationError::Move {
            game: FoxGeese::NAME,
            text: text.to_owned(),
            reason: "expected a step between two points beside each other, as in `d7d6`, or the \
                     points of jumps over one point each, as in `d5d3f3`"
                .to_owned(),
        })
}

/// The points of a text, each a letter and a digit.
fn points(text: &str) -> Option<Vec<Point>> {
    let bytes = text.as_bytes();
    if !bytes.len().is_multiple_of(2) {
        return None;
    }
    let point = |pair: &[u8]| {
        let column = pair[0].checked_sub(b'a')?;
        let row = SIZE.checked_sub(pair[1].checked_sub(b'0')?)?;
        board::is_point(row, column).then(|| point(row, column))
    };
    bytes.chunks_exact(2).map(point).collect()
}

/// The move through these points.
fn through(points: &[Point]) -> Option<Move> {
    let (from, landings) = points.split_first()?;
    let mut directions = Vec::new();
    let mut at = bit(*from);
    for landing in landings {
        let target = bit(*landing);
        let mut all = 0..DIRECTIONS.len();
        if landings.len() == 1 && all.clone().any(|d| step(at, d) == target) {
            return Some(Move::step(*from, *landing));
        }
        directions.push(all.find(|d| step(step(at, *d), *d) == target)?);
        at = target;
    }
    if directions.is_empty() || directions.len() > MOST_JUMPS {
        return None;
    }
    Move::jumps(*from, &directions)
}
