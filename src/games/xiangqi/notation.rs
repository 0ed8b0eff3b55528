//! The text of positions and moves, in the languages of UCI and UCCI.

use super::board::{Board, Kind, Move, Piece, Square};
use super::{Xiangqi, XiangqiRules};
use crate::game::{Dialect, Game, NotationError, Side};

/// Reads `board side - - plies_since_capture move_number`, of which all but the first two may
/// be missing.
pub(super) fn parse_fen(text: &str, rules: &XiangqiRules) -> Result<Xiangqi, NotationError> {
    read(text, rules).map_err(|reason| NotationError::Position {
        game: Xiangqi::NAME,
        text: text.to_owned(),
        reason,
    })
}

fn read(text: &str, rules: &XiangqiRules) -> Result<Xiangqi, String> {
    let mut fields = text.split_ascii_whitespace();
    let board = parse_board(fields.next().ok_or("it is empty")?)?;
    let side = match fields.next() {
        Some("w" | "r") => Side::First,
        Some("b") => Side::Second,
        Some(other) => {
            let other = other.escape_debug();
            return Err(format!("the side to move is `w` or `b`, not `{other}`"));
        }
        None => return Err("the side to move is missing".into()),
    };
    for name in ["third", "fourth"] {
        if let Some(field) = fields.next().filter(|field| *field != "-") {
            let field = field.escape_debug();
            return Err(format!("the {name} field is `-`, not `{field}`"));
        }
    }
    let plies = counter(fields.next(), "plies since the last capture", 0)?;
    let number = counter(fields.next(), "the number of the move", 1)?;
    if fields.next().is_some() {
        return Err("there are more than six fields".into());
    }
    check_pieces(&board)?;
    if board.is_in_check(side.other()) {
        let (letter, other) = (side_letter(side), side_letter(side.other()));
        return Err(format!(
            "`{letter}` is to move and could take the general of `{other}`"
        ));
    }
    Ok(Xiangqi::from_parts(board, side, plies, number, *rules))
}

/// A number from 0 to 65535, or what it is where it is missing.
fn counter(field: Option<&str>, what: &str, missing: u16) -> Result<u16, String> {
    let Some(field) = field else {
        return Ok(missing);
    };
    let plain = field.bytes().all(|byte| byte.is_ascii_digit());
    let value = field.parse().ok().filter(|_| plain);
    value.ok_or_else(|| {
        let field = field.escape_debug();
        format!(
            "{what}: expected a number from 0 to {}, not `{field}`",
            u16::MAX
        )
    })
}

fn parse_board(text: &str) -> Result<Board, String> {
    let rows = text.split('/').count();
    if rows != 10 {
        return Err(format!("it has {rows} rows, but the board has 10"));
    }
    let mut board = Board::empty();
    for (row, line) in (0..10).rev().zip(text.split('/')) {
        let mut column = 0;
        for letter in line.chars() {
            if let Some(run) = letter.to_digit(10).filter(|run| *run > 0) {
                column += run;
                continue;
            }
            let Some((side, kind)) = parse_piece(letter) else {
                let letter = letter.escape_debug();
                return Err(format!(
                    "`{letter}` is neither a piece nor a digit from 1 to 9"
                ));
            };
            if let Some(column) = u8::try_from(column).ok().filter(|column| *column < 9) {
                board.set(side, kind, Square::new(row, column));
            }
            column += 1;
        }
        if column != 9 {
            let rank = row + 1;
            return Err(format!(
                "rank {rank} has {column} squares, but the board has 9"
            ));
        }
    }
    Ok(board)
}

fn parse_piece(letter: char) -> Option<(Side, Kind)> {
    let side = if letter.is_ascii_uppercase() {
        Side::First
    } else {
        Side::Second
    };
    let kind = match letter.to_ascii_lowercase() {
        'k' => Kind::General,
        'a' => Kind::Adviser,
        'b' | 'e' => Kind::Elephant,
        'n' | 'h' => Kind::Horse,
        'r' => Kind::Chariot,
        'c' => Kind::Cannon,
        'p' => Kind::Pawn,
        _ => return None,
    };
    Some((side, kind))
}

/// Whether so many pieces of each kind can stand where they do.
fn check_pieces(board: &Board) -> Result<(), String> {
    for side in Side::BOTH {
        for kind in Kind::ALL {
            let piece = Piece::new(side, kind);
            let letter = letter(side, kind);
            let squares = || board.of(side).filter(|square| board.at(*square) == piece);
            let (count, most) = (squares().count(), kind.most());
            if kind == Kind::General && count != 1 {
                return Err(format!("there must be one `{letter}`, not {count}"));
            }
            if count > usize::from(most) {
                return Err(format!(
                    "there are {count} `{letter}`, more than the {most} of a set"
                ));
            }
            if let Some(square) = squares().find(|square| !can_stand(side, kind, *square)) {
                let name = format_square(square, Dialect::Uci);
                return Err(format!("`{letter}` can never stand on {name}"));
            }
        }
    }
    Ok(())
}

/// Whether a piece can ever come to a square. A pawn behind its line is let pass, as composed
/// positions have it.
fn can_stand(side: Side, kind: Kind, square: Square) -> bool {
    // As its own side sees it.
    let seen = match side {
        Side::First => square,
        Side::Second => square.turned(),
    };
    let (row, column) = (seen.row(), seen.column());
    let in_palace = row < 3 && (3..6).contains(&column);
    match kind {
        Kind::General => in_palace,
        Kind::Adviser => matches!((row, column), (0 | 2, 3 | 5) | (1, 4)),
        Kind::Elephant => matches!((row, column), (0 | 4, 2 | 6) | (2, 0 | 4 | 8)),
        Kind::Pawn | Kind::Horse | Kind::Chariot | Kind::Cannon => true,
    }
}

/// Writes what [`parse_fen`] reads.
pub(super) fn format_fen(position: &Xiangqi) -> String {
    let mut fen = String::with_capacity(80);
    for row in (0..10).rev() {
        let mut run = 0;
        for column in 0..9 {
            let piece = position.board.at(Square::new(row, column));
            if piece == Piece::NONE {
                run += 1;
                continue;
            }
            if run > 0 {
                fen += &run.to_string();
                run = 0;
            }
            fen.extend(piece_letter(piece));
        }
        if run > 0 {
            fen += &run.to_string();
        }
        fen.push(if row > 0 { '/' } else { ' ' });
    }
    let side = side_letter(position.side);
    let (plies, number) = (position.plies_since_capture, position.number);
    fen + &format!("{side} - - {plies} {number}")
}

/// The letter of what stands on a square, if anything does.
pub(super) fn piece_letter(piece: Piece) -> Option<char> {
    piece.side().map(|side| letter(side, piece.kind()))
}

fn letter(side: Side, kind: Kind) -> char {
    let letter = match kind {
        Kind::General => 'k',
        Kind::Adviser => 'a',
        Kind::Elephant => 'b',
        Kind::Horse => 'n',
        Kind::Chariot => 'r',
        Kind::Cannon => 'c',
        Kind::Pawn => 'p',
    };
    match side {
        Side::First => letter.to_ascii_uppercase(),
        Side::Second => letter,
    }
}

fn side_letter(side: Side) -> char {
    match side {
        Side::First => 'w',
        Side::Second => 'b',
    }
}

/// The number of the lowest rank.
fn lowest_rank(dialect: Dialect) -> u8 {
    match dialect {
        Dialect::Ucci => 0,
        Dialect::Uci | Dialect::Gomocup => 1,
    }
}

/// The name of a column.
pub(super) fn column_name(column: u8) -> char {
    char::from(b'a' + column)
}

fn format_square(square: Square, dialect: Dialect) -> String {
    let rank = square.row() + lowest_rank(dialect);
    format!("{}{rank}", column_name(square.column()))
}

/// Writes `h3e3`, for UCCI `h2e2`.
pub(super) fn format_move(mv: Move, dialect: Dialect) -> String {
    format_square(mv.from, dialect) + &format_square(mv.to, dialect)
}

/// Reads two squares; whether the move is legal is not asked.
pub(super) fn parse_move(text: &str, dialect: Dialect) -> Result<Move, NotationError> {
    let read = || {
        let (from, rest) = parse_square(text, dialect)?;
        let (to, rest) = parse_square(rest, dialect)?;
        rest.is_empty().then_some(Move { from, to })
    };
    read().ok_or_else(|| {
        let [low, high] = [Square::new(0, 0), Square::new(9, 8)];
        let [low, high] = [low, high].map(|square| format_square(square, dialect));
        NotationError::Move {
            game: Xiangqi::NAME,
            text: text.to_owned(),
            reason: format!("expected two squares from `{low}` to `{high}`, as in `{low}{high}`"),
        }
    })
}

/// A square and what follows it.
fn parse_square(text: &str, dialect: Dialect) -> Option<(Square, &str)> {
    let letter = *text.as_bytes().first()?;
    let column = letter.checked_sub(b'a').filter(|column| *column < 9)?;
    let rest = &text[1..];
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = rest.split_at(digits);
    if digits.len() > 1 && digits.starts_with('0') {
        return None;
    }
    let rank: u8 = digits.parse().ok()?;
    let row = rank.checked_sub(lowest_rank(dialect))?;
    (row < 10).then(|| (Square::new(row, column), rest))
}
