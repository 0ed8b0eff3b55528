//! The text of positions and moves, and Gomocup's.

use super::board::{Point, Stones};
use super::judge::{self, End};
use super::{Gomoku, GomokuRules, Rule};
use crate::game::{Game, NotationError, Side};

fn position_error(text: &str, reason: impl Into<String>) -> NotationError {
    NotationError::Position {
        game: Gomoku::NAME,
        text: text.to_owned(),
        reason: reason.into(),
    }
}

fn move_error(text: &str, reason: impl Into<String>) -> NotationError {
    NotationError::Move {
        game: Gomoku::NAME,
        text: text.to_owned(),
        reason: reason.into(),
    }
}

/// Reads `board side [end]`.
pub(super) fn parse_fen(text: &str, rules: &GomokuRules) -> Result<Gomoku, NotationError> {
    let fail = |reason: String| position_error(text, reason);
    let mut fields = text.split_ascii_whitespace();
    let placement = fields.next().ok_or_else(|| fail("it is empty".into()))?;
    let stones = parse_placement(placement, rules.size).map_err(fail)?;
    let side = match fields.next() {
        Some("b") => Side::First,
        Some("w") => Side::Second,
        Some(other) => {
            return Err(fail(format!(
                "the side to move is `b` or `w`, not `{other}`"
            )));
        }
        None => return Err(fail("the side to move is missing".into())),
    };
    let (black, white) = (stones.count(Side::First), stones.count(Side::Second));
    let to_move = match black.checked_sub(white) {
        Some(0) => Side::First,
        Some(1) => Side::Second,
        _ => {
            return Err(fail(format!(
                "Black begins and moves alternate, but there are {black} black stones and {white} white ones"
            )));
        }
    };
    if side != to_move {
        let letter = side_letter(to_move);
        return Err(fail(format!(
            "with {black} black and {white} white stones `{letter}` is to move"
        )));
    }
    let end = match fields.next() {
        None => None,
        Some(name) => Some(foul(name, &stones, rules.rule, side).map_err(fail)?),
    };
    if fields.next().is_some() {
        return Err(fail("there are more than three fields".into()));
    }
    let end = match (end, row_end(&stones, rules.rule, side).map_err(fail)?) {
        (Some(_), Some(other)) => {
            let name = other.name();
            return Err(fail(format!("the game has ended by `{name}` before")));
        }
        (foul, row) => foul.or(row),
    };
    Ok(Gomoku::from_parts(stones, rules.rule, side, end))
}

/// The foul that a position's third field names: one that the stones alone do not show. There
/// must be a stone that made it.
fn foul(name: &str, stones: &Stones, rule: Rule, side: Side) -> Result<End, String> {
    let shown = [End::DoubleFour, End::DoubleThree];
    let named = shown.into_iter().find(|end| end.name() == name);
    let Some(end) = named.filter(|_| rule == Rule::Renju && side == Side::Second) else {
        return Err(format!(
            "the third field is `double_four` or `double_three`, for a foul of Black's in renju \
             that has ended the game, not `{}`",
            name.escape_debug()
        ));
    };
    let made = |point| judge::end(stones, rule, Side::First, point) == Some(end);
    if stones.of(Side::First).any(made) {
        Ok(end)
    } else {
        Err(format!("no black stone makes a `{name}`"))
    }
}

/// The end that rows of five and more show, with `side` to move.
fn row_end(stones: &Stones, rule: Rule, side: Side) -> Result<Option<End>, String> {
    let last = side.other();
    let any = |side: Side, ends: fn(Rule, Side, u32) -> bool| {
        let ends = |point| {
            super::board::DIRECTIONS
                .iter()
                .any(|direction| ends(rule, side, stones.run(side, point, *direction)))
        };
        stones.of(side).any(ends)
    };
    if any(side, judge::wins) || any(side, judge::loses) {
        return Err(format!(
            "`{}` is to move, but a row of its own has ended the game before",
            side_letter(side)
        ));
    }
    Ok(if any(last, judge::wins) {
        Some(End::Five)
    } else if any(last, judge::loses) {
        Some(End::Overline)
    } else {
        None
    })
}

fn parse_placement(text: &str, size: u8) -> Result<Stones, String> {
    let rows = text.split('/').count();
    if rows != usize::from(size) {
        return Err(format!("it has {rows} rows, but the board has {size}"));
    }
    let mut stones = Stones::none(size);
    for (y, line) in (0..size).zip(text.split('/')) {
        parse_row(line, y, &mut stones)?;
    }
    Ok(stones)
}

fn parse_row(line: &str, y: u8, stones: &mut Stones) -> Result<(), String> {
    let size = stones.size();
    let number = size - y;
    let mut x = 0;
    let mut run = 0;
    for letter in line.chars().chain(['/']) {
        if let Some(digit) = letter.to_digit(10) {
            run = run * 10 + digit;
            if run == 0 || run > u32::from(size) {
                return Err(format!("row {number} has a run of {run} empty points"));
            }
            continue;
        }
        x += run;
        run = 0;
        let side = match letter {
            'x' => Some(Side::First),
            'o' => Some(Side::Second),
            '.' => None,
            '/' => break,
            _ => {
                return Err(format!(
                    "`{}` is none of `x`, `o`, `.`",
                    letter.escape_debug()
                ));
            }
        };
        if let Some(side) = side
            && let Ok(x) = u8::try_from(x)
            && x < size
        {
            stones.set(side, Point::new(x, y));
        }
        x += 1;
    }
    if x == u32::from(size) {
        Ok(())
    } else {
        Err(format!(
            "row {number} has {x} points, but the board has {size}"
        ))
    }
}

/// Writes what [`parse_fen`] reads.
pub(super) fn format_fen(position: &Gomoku) -> String {
    let size = position.stones.size();
    let mut fen = String::with_capacity(80);
    let mut run = 0;
    let flush = |run: &mut u32, fen: &mut String| {
        if *run > 0 {
            *fen += &run.to_string();
            *run = 0;
        }
    };
    for y in 0..size {
        if y > 0 {
            fen.push('/');
        }
        for x in 0..size {
            match position.stones.at(Point::new(x, y)) {
                None => run += 1,
                Some(side) => {
                    flush(&mut run, &mut fen);
                    fen.push(stone_letter(side));
                }
            }
        }
        flush(&mut run, &mut fen);
    }
    fen.push(' ');
    fen.push(side_letter(position.side));
    if let Some(end @ (End::DoubleFour | End::DoubleThree)) = position.end {
        fen.push(' ');
        fen += end.name();
    }
    fen
}

/// The letter of a stone.
pub(super) fn stone_letter(side: Side) -> char {
    match side {
        Side::First => 'x',
        Side::Second => 'o',
    }
}

fn side_letter(side: Side) -> char {
    match side {
        Side::First => 'b',
        Side::Second => 'w',
    }
}

/// The name of a column.
pub(super) fn column_name(x: u8) -> char {
    char::from(b'a' + x)
}

/// Writes `h8`.
pub(super) fn format_move(mv: Point, size: u8) -> String {
    format!("{}{}", column_name(mv.x()), size - mv.y())
}

/// Reads a point; whether it is empty is not asked.
pub(super) fn parse_move(text: &str, size: u8) -> Result<Point, NotationError> {
    let read = || {
        let letter = *text.as_bytes().first()?;
        let x = letter.checked_sub(b'a').filter(|x| *x < size)?;
        let row = number(&text[1..]).filter(|row| (1..=size).contains(row))?;
        Some(Point::new(x, size - row))
    };
    read().ok_or_else(|| {
        let corner = format_move(Point::new(size - 1, 0), size);
        move_error(text, format!("expected a point from `a1` to `{corner}`"))
    })
}

/// Writes `7,7` as Gomocup does.
pub(super) fn spell_move(mv: Point) -> String {
    format!("{},{}", mv.x(), mv.y())
}

/// Reads Gomocup's `x,y`, with blanks around each number; whether it is empty is not asked.
pub(super) fn parse_spelled(text: &str, size: u8) -> Result<Point, NotationError> {
    let read = || {
        let (x, y) = text.split_once(',')?;
        let below = |text: &str| number(text.trim()).filter(|place| *place < size);
        Some(Point::new(below(x)?, below(y)?))
    };
    read().ok_or_else(|| {
        let last = size - 1;
        move_error(
            text,
            format!("expected column and row from `0,0` to `{last},{last}`"),
        )
    })
}

/// A number as it is written: digits only, without zeros before it.
fn number(text: &str) -> Option<u8> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    let value = text.parse().ok().filter(|_| plain)?;
    (text == "0" || !text.starts_with('0')).then_some(value)
}

/// The stones as moves in turn. In which order they were set is not known: each colour's go row
/// by row.
pub(super) fn spell_position(stones: &Stones) -> String {
    let mut white = stones.of(Side::Second);
    let mut moves = Vec::new();
    for black in stones.of(Side::First) {
        moves.push(spell_move(black));
        moves.extend(white.next().map(spell_move));
    }
    moves.join(" ")
}
