//! EPD: a position a line, with opcodes behind it.
//!
//! ```text
//! rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - id "open game"; hmvc 0; fmvn 2;
//! ```

use super::{Entry, LineError, Name};

/// The opening of a line.
pub(super) fn entry(line: usize, text: &str) -> Result<Entry, LineError> {
    let (position, rest) = split(text);
    let opcodes = opcodes(rest)?;
    let operand = |name: &str| {
        let found = opcodes.iter().find(|(opcode, _)| opcode == name);
        found.map(|(_, operand)| operand.as_str())
    };
    let mut fields: Vec<&str> = position.split_whitespace().collect();
    // With counters of its own a position is as it stands.
    if fields.len() >= FIELDS && !fields[FIELDS..].iter().any(|field| is_number(field)) {
        match (operand("hmvc"), operand("fmvn")) {
            (None, None) => {}
            (halfmoves, fullmove) => {
                fields.extend([halfmoves.unwrap_or("0"), fullmove.unwrap_or("1")]);
            }
        }
    }
    let name = operand("id").and_then(super::clean_name);
    Ok(Entry {
        line,
        name: Name::Made(name.unwrap_or_else(|| format!("line {line}"))),
        fen: Some(fields.join(" ")),
        ..Entry::default()
    })
}

/// Board, side, castling and en passant: the fields that every EPD has.
const FIELDS: usize = 4;

fn is_number(field: &str) -> bool {
    field.bytes().all(|digit| digit.is_ascii_digit())
}

/// The position and the opcodes: the first field behind the fourth that begins with a letter is
/// an opcode.
fn split(text: &str) -> (&str, &str) {
    let mut fields = 0;
    let mut between = true;
    for (at, symbol) in text.char_indices() {
        if symbol.is_whitespace() {
            between = true;
        } else if between {
            if fields >= FIELDS && symbol.is_ascii_alphabetic() {
                return text.split_at(at);
            }
            between = false;
            fields += 1;
        }
    }
    (text, "")
}

/// The opcodes with their operands, quotes taken off.
fn opcodes(text: &str) -> Result<Vec<(String, String)>, LineError> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let end = rest
            .find(|symbol: char| symbol.is_whitespace() || symbol == ';')
            .unwrap_or(rest.len());
        let (name, behind) = rest.split_at(end);
        let mut quoted = false;
        let end = behind.find(|symbol: char| {
            quoted ^= symbol == '"';
            symbol == ';' && !quoted
        });
        let (operand, behind) = behind.split_at(end.unwrap_or(behind.len()));
        if operand.matches('"').count() % 2 == 1 {
            return Err(LineError::Epd(format!(
                "the text of the opcode `{name}` has no closing quote"
            )));
        }
        let operand = operand.trim().trim_matches('"').trim();
        found.push((name.to_owned(), operand.to_owned()));
        rest = behind.trim_start_matches(';').trim_start();
    }
    Ok(found)
}
