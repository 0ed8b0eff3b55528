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
        // Without a mark: ASCII letters in UTF-16 have a zero in every other byte.
        [0, b' '..=b'~', 0, b' '..=b'~', ..] | [b' '..=b'~', 0, b' '..=b'~', 0, ..] => {
            Some("UTF-16")
        }
        _ => None,
    };
    if let Some(encoding) = encoding {
        return Err(TextError::Encoding(encoding));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let before = &bytes[..at];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
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
        assert_eq!(
            decode(b"ok\n\xFF"),
            Err(TextError::NotUtf8 {
                line: 2,
                byte: 0xFF
            })
        );
    }
}
