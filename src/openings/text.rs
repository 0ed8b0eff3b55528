//! Text files from other systems: byte order marks, line ends, encodings.

use thiserror::Error;

/// A file that is not UTF-8 text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TextError {
    /// It begins with another encoding's mark.
    #[error("it is {0} text; save it as UTF-8")]
    Encoding(&'static str),
    /// A byte that is not UTF-8.
    #[error("line {line} is not UTF-8 text (byte {byte:#04x}); save the file as UTF-8")]
    NotUtf8 {
        /// The line, from 1.
        line: usize,
        /// The first bad byte.
        byte: u8,
    },
}

/// The byte order mark.
const MARK: char = '\u{FEFF}';

/// Decodes UTF-8, drops byte order marks, and makes every line end (`\r\n`, lone `\r`) a
/// `\n`. Files that were joined have marks further on too.
///
/// # Errors
/// [`TextError`] names the encoding or the line.
pub fn decode(bytes: &[u8]) -> Result<String, TextError> {
    let encoding = match bytes {
        [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..] => Some("UTF-32"),
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => Some("UTF-16"),
        _ => encoding_by_zeros(bytes),
    };
    if let Some(encoding) = encoding {
        return Err(TextError::Encoding(encoding));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let before = &bytes[..at];
        let ends = |at: usize| match before[at] {
            b'\n' => true,
            b'\r' => before.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        let line = 1 + (0..before.len()).filter(|at| ends(*at)).count();
        TextError::NotUtf8 {
            line,
            byte: bytes[at],
        }
    })?;
    Ok(text
        .replace(MARK, "")
        .replace("\r\n", "\n")
        .replace('\r', "\n"))
}

/// The encoding of a text without a mark: its digits, blanks and line ends have zeros beside
/// them, one in UTF-16 and three in UTF-32. A few zeros are stray characters.
fn encoding_by_zeros(bytes: &[u8]) -> Option<&'static str> {
    let seen = &bytes[..bytes.len().min(4096)];
    let zeros = seen.iter().filter(|byte| **byte == 0).count();
    match (8 * zeros).checked_div(seen.len()) {
        None | Some(0) => None,
        Some(1..=4) => Some("UTF-16"),
        Some(_) => Some("UTF-32"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_end_and_mark_reads_the_same() {
        for text in [
            "a\nb\n",
            "a\r\nb\r\n",
            "a\rb\r",
            "\u{FEFF}a\r\nb\n",
            "\u{FEFF}a\n\u{FEFF}b\n",
        ] {
            assert_eq!(decode(text.as_bytes()).as_deref(), Ok("a\nb\n"), "{text:?}");
        }
    }

    #[test]
    fn other_encodings_are_named() {
        let utf16: Vec<u8> = "a b".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let marked = [vec![0xFF, 0xFE], utf16.clone()].concat();
        assert_eq!(decode(&marked), Err(TextError::Encoding("UTF-16")));
        assert_eq!(decode(&utf16), Err(TextError::Encoding("UTF-16")));
        // Whatever the first characters are, and in either order of bytes.
        for text in ["é b\n1 2", "棋 | start\n", "\n\na | start"] {
            for order in [u16::to_le_bytes, u16::to_be_bytes] {
                let bytes: Vec<u8> = text.encode_utf16().flat_map(order).collect();
                assert_eq!(decode(&bytes), Err(TextError::Encoding("UTF-16")), "{text}");
            }
            let bytes: Vec<u8> = text
                .chars()
                .flat_map(|c| u32::from(c).to_le_bytes())
                .collect();
            assert_eq!(decode(&bytes), Err(TextError::Encoding("UTF-32")), "{text}");
        }
        assert_eq!(
            decode(b"a\rb\r\nc\n\xFF"),
            Err(TextError::NotUtf8 {
                line: 4,
                byte: 0xFF
            })
        );
        assert_eq!(
            decode(b"ok\n\xFF"),
            Err(TextError::NotUtf8 {
                line: 2,
                byte: 0xFF
            })
        );
    }
}
