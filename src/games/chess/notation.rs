//! FEN and UCI moves, read more strictly than the crate does, and with a reason for each refusal.

use shakmaty::fen::{Fen, ParseFenError};
use shakmaty::san::{SanError, SanPlus};
use shakmaty::uci::UciMove;
use shakmaty::variant::VariantPosition;
use shakmaty::{CastlingMode, EnPassantMode, Move, Position, PositionErrorKinds};

use super::{Chess, ChessVariant};
use crate::game::{Game, NotationError};

/// Reads `board turn castling en-passant [checks] [halfmoves [fullmoves]]`.
pub(super) fn parse_fen(text: &str, variant: ChessVariant) -> Result<Chess, NotationError> {
    read_fen(text, variant).map_err(|reason| NotationError::Position {
        game: Chess::NAME,
        text: text.to_owned(),
        reason,
    })
}

fn read_fen(text: &str, variant: ChessVariant) -> Result<Chess, String> {
    let mut fields: Vec<&str> = text.split_ascii_whitespace().collect();
    // `3+3` stands before the counters, `+0+0` behind them.
    let checks = fields.iter().skip(4).position(|field| field.contains('+'));
    if checks.is_some() && variant != ChessVariant::ThreeCheck {
        return Err("checks are counted in `variant = \"three_check\"` only".to_owned());
    }
    let most = if variant == ChessVariant::ThreeCheck {
        7
    } else {
        6
    };
    if !(4..=most).contains(&fields.len()) {
        return Err(format!(
            "it has {} fields, not 4 to {most}: board, side to move, castling, en passant, and \
             the counters",
            fields.len()
        ));
    }
    check_board(fields[0])?;
    check_castling(fields[2])?;
    let counters = fields
        .iter()
        .enumerate()
        .skip(4)
        .filter(|(index, _)| checks != Some(*index - 4))
        .map(|(_, counter)| *counter);
    let counters: Vec<&str> = counters.collect();
    if counters.len() > 2 {
        return Err("there are three counters; two are expected".to_owned());
    }
    for counter in &counters {
        let digits = counter.bytes().all(|digit| digit.is_ascii_digit());
        if !digits || counter.parse::<u16>().is_err() {
            return Err(format!(
                "`{counter}` is no counter of moves (0 to {})",
                u16::MAX
            ));
        }
    }
    if counters.is_empty() {
        fields.extend(["0", "1"]);
    } else if counters.len() == 1 {
        fields.push("1");
    }
    let fen =
        Fen::from_ascii(fields.join(" ").as_bytes()).map_err(|error| refuse(&error, &fields))?;
    let setup = fen.into_setup();
    let position =
        VariantPosition::from_setup(variant.rulebook(), setup.clone(), variant.castling())
            .map_err(|error| refuse_position(error.kinds(), &fields, variant, setup))?;
    Ok(Chess::new(position, variant))
}

fn check_board(board: &str) -> Result<(), String> {
    let ranks: Vec<&str> = board.split('/').collect();
    if ranks.len() != 8 {
        return Err(format!("the board has {} ranks, not 8", ranks.len()));
    }
    for (rank, squares) in (1..=8).rev().zip(ranks) {
        let mut width = 0;
        for symbol in squares.chars() {
            width += match symbol {
                '1'..='8' => symbol.to_digit(10).unwrap_or_default(),
                _ if "pnbrqkPNBRQK".contains(symbol) => 1,
                _ => return Err(format!("`{symbol}` in rank {rank} is no piece")),
            };
        }
        if width != 8 {
            return Err(format!("rank {rank} has {width} squares, not 8"));
        }
    }
    Ok(())
}

fn check_castling(rights: &str) -> Result<(), String> {
    let repeated = |(index, right): (usize, char)| rights[..index].contains(right);
    let known = |right: char| matches!(right.to_ascii_lowercase(), 'k' | 'q' | 'a'..='h');
    if rights != "-" && !rights.chars().all(known) {
        return Err(format!(
            "castling is some of `KQkq`, rooks' files such as `HAha`, or `-`, not `{rights}`"
        ));
    }
    if rights.char_indices().any(repeated) {
        return Err(format!("castling `{rights}` says something twice"));
    }
    Ok(())
}

fn refuse(error: &ParseFenError, fields: &[&str]) -> String {
    match error {
        ParseFenError::InvalidTurn => {
            format!("the side to move is `w` or `b`, not `{}`", fields[1])
        }
        ParseFenError::InvalidCastling => {
            format!("castling `{}` names too many rooks", fields[2])
        }
        ParseFenError::InvalidEpSquare => {
            format!("en passant is a square or `-`, not `{}`", fields[3])
        }
        // Counters have been checked: only wrong checks can be taken for one.
        ParseFenError::InvalidRemainingChecks
        | ParseFenError::InvalidHalfmoveClock
        | ParseFenError::InvalidFen => {
            "checks are written `3+3` (left to give) or `+0+0` (given)".to_owned()
        }
        other => other.to_string(),
    }
}

fn refuse_position(
    kinds: PositionErrorKinds,
    fields: &[&str],
    variant: ChessVariant,
    setup: shakmaty::Setup,
) -> String {
    let as_chess960 =
        || VariantPosition::from_setup(variant.rulebook(), setup, CastlingMode::Chess960).is_ok();
    let reasons = [
        (PositionErrorKinds::EMPTY_BOARD, "the board is empty"),
        (PositionErrorKinds::MISSING_KING, "a king is missing"),
        (
            PositionErrorKinds::TOO_MANY_KINGS,
            "a side has two or more kings",
        ),
        (
            PositionErrorKinds::PAWNS_ON_BACKRANK,
            "a pawn stands on the first or last rank",
        ),
        (
            PositionErrorKinds::OPPOSITE_CHECK,
            "the side that has just moved is in check",
        ),
        (
            PositionErrorKinds::IMPOSSIBLE_CHECK,
            "no move can have given this check",
        ),
        (
            PositionErrorKinds::TOO_MUCH_MATERIAL,
            "a side has more pieces than promotion can give",
        ),
        (
            PositionErrorKinds::VARIANT,
            "both sides have given all their checks",
        ),
    ];
    if let Some((_, reason)) = reasons.iter().find(|(kind, _)| kinds.contains(*kind)) {
        (*reason).to_owned()
    } else if kinds.contains(PositionErrorKinds::INVALID_CASTLING_RIGHTS) {
        let castling = fields[2];
        if variant == ChessVariant::Standard && as_chess960() {
            format!("castling `{castling}` from these squares needs `variant = \"chess960\"`")
        } else {
            format!("castling `{castling}` has no king and rook on their squares")
        }
    } else {
        format!(
            "en passant on `{}` has no pawn that can have passed it",
            fields[3]
        )
    }
}

/// The en passant square stands there only if a pawn can take on it.
pub(super) fn format_fen(position: &VariantPosition) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// Reads a move; on the way to a legal one nothing is allocated.
pub(super) fn parse_move(text: &str, position: &VariantPosition) -> Result<Move, NotationError> {
    let fail = |reason: &str| NotationError::Move {
        game: Chess::NAME,
        text: text.to_owned(),
        reason: reason.to_owned(),
    };
    let uci = match UciMove::from_ascii(text.as_bytes()) {
        Ok(uci @ UciMove::Normal { .. }) => uci,
        Ok(UciMove::Null) => return Err(fail("a player may not pass")),
        Ok(UciMove::Put { .. }) | Err(_) => {
            return Err(fail("expected two squares, such as `e2e4` or `e7e8q`"));
        }
    };
    if text.bytes().any(|letter| letter.is_ascii_uppercase()) {
        return Err(fail(
            "squares and promotions are lower-case, such as `e7e8q`",
        ));
    }
    let Ok(mv) = uci.to_move(position) else {
        return Err(NotationError::Illegal {
            text: text.to_owned(),
            position: format_fen(position),
        });
    };
    if UciMove::from_move(mv, position.castles().mode()) != uci {
        return Err(fail(match position.castles().mode() {
            CastlingMode::Standard => "castling is written as the king's move, such as `e1g1`",
            CastlingMode::Chess960 => "castling is written as king takes rook, such as `e1h1`",
        }));
    }
    Ok(mv)
}

pub(super) fn format_move(mv: Move, position: &VariantPosition) -> String {
    UciMove::from_move(mv, position.castles().mode()).to_string()
}

/// Reads a move of PGN. Castling may be written with zeros, a promotion without `=`; the signs of
/// check and mate are not looked at.
pub(super) fn parse_san(text: &str, position: &VariantPosition) -> Result<Move, NotationError> {
    let fail = |reason: &str| NotationError::Move {
        game: Chess::NAME,
        text: text.to_owned(),
        reason: reason.to_owned(),
    };
    let mut usual = text.to_owned();
    if usual.starts_with("0-0") {
        usual = usual.replace('0', "O");
    }
    let bare = usual.trim_end_matches(['+', '#']).len();
    if let [.., b'1' | b'8', b'Q' | b'R' | b'B' | b'N'] = usual.as_bytes()[..bare] {
        usual.insert(bare - 1, '=');
    }
    let Ok(SanPlus { san, .. }) = SanPlus::from_ascii(usual.as_bytes()) else {
        return Err(fail("expected a move such as `Nf3`, `exd5` or `O-O`"));
    };
    san.to_move(position).map_err(|error| match error {
        SanError::AmbiguousSan => fail("more than one piece can make it"),
        SanError::IllegalSan => NotationError::Illegal {
            text: text.to_owned(),
            position: format_fen(position),
        },
    })
}
