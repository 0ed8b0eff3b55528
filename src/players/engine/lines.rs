//! Lines out of whatever an engine writes: any line end, in pieces or many at once, with
//! escape sequences, broken UTF-8 or no end at all, in bounded memory.

use std::io;
use std::ops::Range;

/// The longest line that is kept, in bytes; what is longer is cut.
const LONGEST: usize = 64 * 1024;

/// The space that a buffer begins with, in bytes; it grows for longer lines only.
const AT_FIRST: usize = 16 * 1024;

/// Bytes that came and were not read as lines yet.
#[derive(Debug)]
pub struct LineBuffer {
    /// All of it may be written to.
    bytes: Vec<u8>,
    /// As large as it may become.
    longest: usize,
    /// What is unread: `bytes[from..to]`.
    from: usize,
    to: usize,
    /// Up to here there is no line end.
    searched: usize,
    /// The line that was gone to.
    current: Range<usize>,
    /// The beginning of the line was given out already: the rest is dropped.
    cutting: bool,
    /// Lines that were cut.
    cut: u64,
    /// A line that could not be given out as it stood.
    cleaned: String,
}

impl Default for LineBuffer {
    fn default() -> LineBuffer {
        LineBuffer::new()
    }
}

impl LineBuffer {
    /// An empty buffer for lines of at most 64 KiB.
    #[must_use]
    pub fn new() -> LineBuffer {
        LineBuffer::of_size(LONGEST)
    }

    /// An empty buffer for lines of at most `longest` bytes; what is longer is cut.
    #[must_use]
    pub fn of_size(longest: usize) -> LineBuffer {
        LineBuffer {
            bytes: vec![0; longest.clamp(1, AT_FIRST)],
            longest: longest.max(1),
            from: 0,
            to: 0,
            searched: 0,
            current: 0..0,
            cutting: false,
            cut: 0,
            cleaned: String::new(),
        }
    }

    /// How many lines were cut because they were too long.
    #[must_use]
    pub fn cut(&self) -> u64 {
        self.cut
    }

    /// Reads once into the free space: how many bytes came, 0 at the end of the stream.
    ///
    /// # Errors
    /// The reader's.
    pub fn fill(&mut self, read: impl FnOnce(&mut [u8]) -> io::Result<usize>) -> io::Result<usize> {
        if self.from == self.to {
            (self.from, self.to, self.searched) = (0, 0, 0);
        } else if self.to == self.bytes.len() && self.from > 0 {
            self.bytes.copy_within(self.from..self.to, 0);
            self.to -= self.from;
            self.searched -= self.from;
            self.from = 0;
        } else if self.to == self.bytes.len() {
            let size = (2 * self.to).min(self.longest);
            self.bytes.resize(size, 0);
        }
        let count = read(&mut self.bytes[self.to..])?;
        self.to += count;
        Ok(count)
    }

    /// Goes to the next whole line that is not blank; whether there is one.
    pub fn advance(&mut self) -> bool {
        while let Some(range) = self.next_range() {
            if !self.is_blank(&range) {
                self.current = range;
                return true;
            }
        }
        false
    }

    /// After the end of the stream: goes to what is left as the last line.
    pub fn advance_to_rest(&mut self) -> bool {
        let rest = self.from..self.to;
        self.from = self.to;
        let dropped = std::mem::take(&mut self.cutting);
        if dropped || self.is_blank(&rest) {
            return false;
        }
        self.current = rest;
        true
    }

    /// The line that was gone to, without its end and without blanks around it. Only until the
    /// next [`LineBuffer::fill`].
    pub fn current(&mut self) -> &str {
        self.text(self.current.clone())
    }

    fn is_blank(&self, range: &Range<usize>) -> bool {
        self.bytes[range.clone()]
            .iter()
            .all(u8::is_ascii_whitespace)
    }

    /// Forgets what has come.
    pub fn clear(&mut self) {
        // The rest of a line that broke off in the middle of a word is dropped too. Behind a blank
        // it is a line of its own: what was forgotten may be a prompt.
        let ended = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let forgotten = &self.bytes[self.from..self.to];
        let in_word = forgotten
            .last()
            .is_some_and(|byte| !byte.is_ascii_whitespace());
        self.cutting = in_word || self.cutting && !forgotten.iter().any(ended);
        (self.from, self.to, self.searched) = (0, 0, 0);
    }

    fn next_range(&mut self) -> Option<Range<usize>> {
        loop {
            let at = memchr::memchr2(b'\n', b'\r', &self.bytes[self.searched..self.to]);
            let Some(at) = at.map(|at| self.searched + at) else {
                self.searched = self.to;
                if self.from > 0 || self.to < self.longest {
                    return None;
                }
                // The buffer is one line that has not ended.
                let given_out = self.cutting;
                self.cutting = true;
                self.from = self.to;
                if given_out {
                    return None;
                }
                self.cut += 1;
                return Some(0..self.to);
            };
            let range = self.from..at;
            self.from = at + 1;
            self.searched = self.from;
            if !std::mem::take(&mut self.cutting) {
                return Some(range);
            }
        }
    }

    fn text(&mut self, range: Range<usize>) -> &str {
        let bytes = &self.bytes[range];
        match std::str::from_utf8(bytes) {
            Ok(text) if memchr::memchr2(ESCAPE, BOM, bytes).is_none() => trim(text),
            _ => {
                let text = String::from_utf8_lossy(bytes);
                self.cleaned = without_escapes(&text);
                trim(&self.cleaned)
            }
        }
    }
}

const ESCAPE: u8 = 0x1b;

/// The first byte of a byte order mark (and of other characters, which do no harm).
const BOM: u8 = 0xEF;

fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || c.is_control() || c == '\u{FEFF}')
}

/// The text without terminal escape sequences: `ESC [ … letter`, and `ESC` with one more.
fn without_escapes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != '\u{1b}' {
            plain.push(character);
            continue;
        }
        if characters.next() == Some('[') {
            // Parameters, then the letter that ends the sequence.
            characters.find(|c| ('@'..='~').contains(c));
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(buffer: &mut LineBuffer, mut text: &[u8]) {
        let count = buffer
            .fill(|space| io::Read::read(&mut text, space))
            .expect("memory reads");
        assert!(text.is_empty(), "{count} bytes fitted");
    }

    fn lines(buffer: &mut LineBuffer) -> Vec<String> {
        std::iter::from_fn(|| buffer.advance().then(|| buffer.current().to_owned())).collect()
    }

    #[test]
    fn every_line_end_ends_a_line_and_blank_lines_are_passed_over() {
        let mut buffer = LineBuffer::new();
        fill(&mut buffer, b"a\nb\r\nc\rd\r\n\n \r\n\te \nf");
        assert_eq!(lines(&mut buffer), ["a", "b", "c", "d", "e"]);
        assert!(buffer.advance_to_rest());
        assert_eq!(buffer.current(), "f");
        assert!(!buffer.advance_to_rest());
    }

    #[test]
    fn b19_a_line_in_pieces_is_joined() {
        let mut buffer = LineBuffer::new();
        for piece in ["be", "stm", "ove e2", "e4"] {
            fill(&mut buffer, piece.as_bytes());
            assert!(!buffer.advance());
        }
        fill(&mut buffer, b"\r");
        assert_eq!(lines(&mut buffer), ["bestmove e2e4"]);
        fill(&mut buffer, b"\nnext\n");
        assert_eq!(lines(&mut buffer), ["next"]);
    }

    #[test]
    fn b19_a_line_without_end_is_cut_and_the_next_one_is_whole() {
        let mut buffer = LineBuffer::new();
        let mut seen = Vec::new();
        let long = [b"info ".as_slice(), &[b'x'; 200_000], b"\nbestmove a1a2\n"].concat();
        for piece in long.chunks(4096) {
            fill(&mut buffer, piece);
            seen.extend(lines(&mut buffer));
        }
        assert_eq!(seen.len(), 2);
        assert_eq!(seen[0].len(), LONGEST);
        assert_eq!(seen[1], "bestmove a1a2");
        assert_eq!(buffer.cut(), 1);
    }

    #[test]
    fn escapes_marks_and_broken_bytes_do_not_hide_a_line() {
        let mut buffer = LineBuffer::new();
        fill(
            &mut buffer,
            b"\xEF\xBB\xBFuciok\n\x1b[1;31mid\x1b[0m name x\n\xFFinfo \xFE\n\x1bMhi\n",
        );
        assert_eq!(
            lines(&mut buffer),
            ["uciok", "id name x", "\u{FFFD}info \u{FFFD}", "hi"]
        );
    }

    #[test]
    fn a_prompt_that_was_forgotten_takes_no_answer_with_it() {
        let mut buffer = LineBuffer::new();
        fill(&mut buffer, b"bestmove a1a2\n> ");
        buffer.clear();
        fill(&mut buffer, b"bestmove a1a3\n");
        assert!(buffer.advance());
        assert_eq!(buffer.current(), "bestmove a1a3");
    }

    #[test]
    fn what_was_forgotten_in_the_middle_of_a_line_stays_forgotten() {
        let mut buffer = LineBuffer::new();
        fill(&mut buffer, b"bestmove a1a2\nbestm");
        buffer.clear();
        fill(&mut buffer, b"ove a1a3\nreadyok\n");
        assert_eq!(lines(&mut buffer), ["readyok"]);
    }

    proptest::proptest! {
        /// However the bytes are cut into reads, the lines are the same.
        #[test]
        fn reads_do_not_change_lines(
            text in "[a\\r\\n\\x1b\\[m ]{0,60}",
            sizes in proptest::collection::vec(1_usize..9, 1..20),
        ) {
            let mut whole = LineBuffer::new();
            fill(&mut whole, text.as_bytes());
            let mut expected = lines(&mut whole);
            expected.extend(whole.advance_to_rest().then(|| whole.current().to_owned()));
            let (mut buffer, mut found, mut rest) = (LineBuffer::new(), Vec::new(), text.as_bytes());
            for size in sizes.iter().cycle() {
                if rest.is_empty() {
                    break;
                }
                let (piece, more) = rest.split_at((*size).min(rest.len()));
                fill(&mut buffer, piece);
                found.extend(lines(&mut buffer));
                rest = more;
            }
            found.extend(buffer.advance_to_rest().then(|| buffer.current().to_owned()));
            proptest::prop_assert_eq!(found, expected);
        }
    }
}
