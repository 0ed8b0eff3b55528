//! FEN and move text as Fairy-Stockfish writes them.

use super::board::{Bits, MAX_SIZE, Square, bit, board, file, rank, square};
use super::moves::Move;
use super::{Amazons, AmazonsRules};
use crate::game::{Game, NotationError, Side};

/// The most amazons a side.
pub(super) const MAX_AMAZONS: u32 = 4;

fn position_error(text: &str, reason: impl Into<String>) -> NotationError {
    NotationError::Position {
        game: Amazons::NAME,
        text: text.to_owned(),
        reason: reason.into(),
    }
}

fn move_error(text: &str, reason: &str) -> NotationError {
    NotationError::Move {
        game: Amazons::NAME,
        text: text.to_owned(),
        reason: reason.to_owned(),
    }
}

/// Reads `board side [- - halfmoves fullmoves]`; what is missing at the end is `- - 0 1`.
pub(super) fn parse_fen(text: &str, rules: &AmazonsRules) -> Result<Amazons, NotationError> {
    let fail = |reason: String| position_error(text, reason);
    let mut fields = text.split_ascii_whitespace();
    let placement = fields.next().ok_or_else(|| fail("it is empty".into()))?;
    let (amazons, burnt) = parse_placement(placement, rules.size).map_err(fail)?;
    let side = match fields.next() {
        Some("w") => Side::First,
        Some("b") => Side::Second,
        Some(other) => {
            return Err(fail(format!(
                "the side to move is `w` or `b`, not `{other}`"
            )));
        }
        None => return Err(fail("the side to move is missing".into())),
    };
    for _ in 0..2 {
        if !matches!(fields.next(), Some("-") | None) {
            return Err(fail("the third and the fourth field are `-`".into()));
        }
    }
    let halfmoves = counter(fields.next(), 0).map_err(fail)?;
    let fullmove = counter(fields.next(), 1).map_err(fail)?;
    if fields.next().is_some() {
        return Err(fail("there are more than six fields".into()));
    }
    Ok(Amazons::from_parts(
        rules.size, amazons, burnt, side, halfmoves, fullmove,
    ))
}

fn counter(field: Option<&str>, missing: u16) -> Result<u16, String> {
    let Some(field) = field else {
        return Ok(missing);
    };
    match field.parse() {
        Ok(count) if field.bytes().all(|b| b.is_ascii_digit()) => Ok(count),
        _ => Err(format!(
            "`{}` is not a count of moves",
            field.escape_debug()
        )),
    }
}

/// The amazons of both sides and the burnt squares.
fn parse_placement(text: &str, size: u8) -> Result<([Bits; 2], Bits), String> {
    let rows = text.split('/').count();
    if rows != usize::from(size) {
        return Err(format!("it has {rows} rows, but the board has {size}"));
    }
    let mut sets = [0; 3];
    for (row, line) in (0..size).rev().zip(text.split('/')) {
        parse_row(line, row, size, &mut sets)?;
    }
    let [white, black, burnt] = sets;
    for (count, letter) in [(white.count_ones(), 'Q'), (black.count_ones(), 'q')] {
        if !(1..=MAX_AMAZONS).contains(&count) {
            return Err(format!(
                "a side has 1 to {MAX_AMAZONS} amazons, not {count} `{letter}`"
            ));
        }
    }
    Ok(([white, black], burnt))
}

fn parse_row(line: &str, row: u8, size: u8, sets: &mut [Bits; 3]) -> Result<(), String> {
    let number = row + 1;
    let mut column = 0;
    let mut run = 0;
    for letter in line.chars().chain(['/']) {
        if let Some(digit) = letter.to_digit(10) {
            run = run * 10 + digit;
            if run == 0 || run > u32::from(size) {
                return Err(format!("row {number} has a run of {run} empty squares"));
            }
            continue;
        }
        column += run;
        run = 0;
        let set = match letter {
            'Q' => 0,
            'q' => 1,
            '*' => 2,
            '/' => break,
            _ => {
                return Err(format!(
                    "`{}` is none of `Q`, `q`, `*`",
                    letter.escape_debug()
                ));
            }
        };
        if column < u32::from(size) {
            #[expect(clippy::cast_possible_truncation, reason = "below the size")]
            let file = column as u8;
            sets[set] |= bit(square(file, row));
        }
        column += 1;
    }
    if column == u32::from(size) {
        Ok(())
    } else {
        Err(format!(
            "row {number} has {column} squares, but the board has {size}"
        ))
    }
}

/// Writes what [`parse_fen`] reads.
pub(super) fn format_fen(position: &Amazons) -> String {
    let mut fen = String::with_capacity(80);
    let mut run = 0;
    let flush = |run: &mut u32, fen: &mut String| {
        if *run > 0 {
            *fen += &run.to_string();
            *run = 0;
        }
    };
    for row in (0..position.size).rev() {
        for column in 0..position.size {
            match position.letter(square(column, row)) {
                None => run += 1,
                Some(letter) => {
                    flush(&mut run, &mut fen);
                    fen.push(letter);
                }
            }
        }
        flush(&mut run, &mut fen);
        if row > 0 {
            fen.push('/');
        }
    }
    let side = match position.side {
        Side::First => 'w',
        Side::Second => 'b',
    };
    format!(
        "{fen} {side} - - {} {}",
        position.halfmoves, position.fullmove
    )
}

impl Amazons {
    /// What stands on a square of the board; `None` if it is empty.
    pub(super) fn letter(&self, square: Square) -> Option<char> {
        let set = bit(square);
        if self.empty & set != 0 {
            None
        } else if self.amazons[0] & set != 0 {
            Some('Q')
        } else if self.amazons[1] & set != 0 {
            Some('q')
        } else {
            Some('*')
        }
    }
}

/// The name of a column.
pub(super) fn column_name(file: u8) -> char {
    char::from(b'a' + file)
}

fn square_name(square: Square) -> String {
    format!("{}{}", column_name(file(square)), rank(square) + 1)
}

/// Writes `d1d7,d7g7`.
pub(super) fn format_move(mv: Move) -> String {
    let to = square_name(mv.to());
    format!(
        "{}{to},{to}{}",
        square_name(mv.from()),
        square_name(mv.arrow())
    )
}

/// Reads a square at the head of `text`, which it shortens.
fn take_square(text: &mut &str, size: u8) -> Option<Square> {
    let letter = *text.as_bytes().first()?;
    let file = letter.checked_sub(b'a').filter(|file| *file < size)?;
    let digits = text[1..]
        .bytes()
        .take(2)
        .take_while(u8::is_ascii_digit)
        .count();
    let rank: u8 = text[1..=digits].parse().ok()?;
    if text[1..].starts_with('0') || !(1..=size.min(MAX_SIZE)).contains(&rank) {
        return None;
    }
    *text = &text[digits + 1..];
    Some(square(file, rank - 1))
}

/// Reads a move; whether it is legal is not asked.
pub(super) fn parse_move(text: &str, size: u8) -> Result<Move, NotationError> {
    let fail = |reason| move_error(text, reason);
    let shape = "expected from, to, comma, to, arrow, as in `d1d7,d7g7`";
    let (mut step, mut shot) = text.split_once(',').ok_or_else(|| fail(shape))?;
    let next = |part: &mut &str| take_square(part, size).ok_or_else(|| fail(shape));
    let (from, to) = (next(&mut step)?, next(&mut step)?);
    let (source, arrow) = (next(&mut shot)?, next(&mut shot)?);
    if !step.is_empty() || !shot.is_empty() {
        return Err(fail(shape));
    }
    if source != to {
        return Err(fail(
            "the arrow is shot from the square that the amazon went to",
        ));
    }
    if from == to {
        return Err(fail("the amazon must leave its square"));
    }
    debug_assert!(board(size) & bit(arrow) != 0);
    Ok(Move::new(from, to, arrow))
}
