//! Lines of an engine's output: the same whatever the reads, in bounded memory.

use agon::players::engine::LineBuffer;

/// The longest line that is kept: short, so that lines are cut.
const LONGEST: usize = 24;

/// What the marks of an input stand for.
enum Piece {
    Bytes(Vec<u8>),
    /// Forget what has come.
    Clear,
}

/// Bytes as they stand, but `0xFD` forgets, and `0xFC` is where a read ends.
fn pieces(data: &[u8]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut bytes: Vec<u8> = Vec::new();
    for byte in data {
        if !matches!(byte, 0xFC | 0xFD) {
            bytes.push(*byte);
            continue;
        }
        pieces.push(Piece::Bytes(std::mem::take(&mut bytes)));
        if *byte == 0xFD {
            pieces.push(Piece::Clear);
        }
    }
    pieces.push(Piece::Bytes(bytes));
    pieces
}

/// Reads all pieces in reads of at most `size` bytes: the lines, and how many were cut.
fn read(buffer: &mut LineBuffer, pieces: &[Piece], size: usize) -> (Vec<String>, u64) {
    let mut lines = Vec::new();
    for piece in pieces {
        let mut rest = match piece {
            Piece::Bytes(bytes) => bytes.as_slice(),
            Piece::Clear => {
                buffer.clear();
                continue;
            }
        };
        while !rest.is_empty() {
            let count = buffer.fill(|space| {
                assert!(!space.is_empty(), "there is always room for a read");
                let count = rest.len().min(space.len()).min(size);
                space[..count].copy_from_slice(&rest[..count]);
                Ok(count)
            });
            rest = &rest[count.expect("memory reads")..];
            while buffer.advance() {
                lines.push(buffer.current().to_owned());
            }
        }
    }
    if buffer.advance_to_rest() {
        lines.push(buffer.current().to_owned());
    }
    assert!(!buffer.advance(), "nothing is left");
    (lines, buffer.cut())
}

/// The lines as they should be, byte by byte, before they are cleaned; and how many are cut.
fn expected(pieces: &[Piece]) -> (Vec<Vec<u8>>, u64) {
    let mut lines: Vec<Vec<u8>> = Vec::new();
    let (mut line, mut dropped, mut cut) = (Vec::<u8>::new(), false, 0);
    let mut end = |line: &mut Vec<u8>| {
        let line = std::mem::take(line);
        if !line.iter().all(u8::is_ascii_whitespace) {
            lines.push(line);
        }
    };
    for piece in pieces {
        match piece {
            Piece::Clear => {
                // Behind a blank what comes is a line of its own.
                dropped |= line.last().is_some_and(|byte| !byte.is_ascii_whitespace());
                line.clear();
            }
            Piece::Bytes(bytes) => {
                for byte in bytes {
                    match byte {
                        b'\n' | b'\r' => {
                            end(&mut line);
                            dropped = false;
                        }
                        _ if dropped => {}
                        other => {
                            line.push(*other);
                            if line.len() == LONGEST {
                                end(&mut line);
                                (dropped, cut) = (true, cut + 1);
                            }
                        }
                    }
                }
            }
        }
    }
    end(&mut line);
    (lines, cut)
}

/// The first byte is the size of the reads, the rest is read.
pub fn run(data: &[u8]) -> bool {
    let Some((size, data)) = data.split_first() else {
        return false;
    };
    let pieces = pieces(data);
    let (whole, cut) = expected(&pieces);
    let (lines, found_cut) = read(
        &mut LineBuffer::of_size(LONGEST),
        &pieces,
        usize::from(*size) + 1,
    );
    assert_eq!(found_cut, cut, "lines that are cut");
    let at_once = read(&mut LineBuffer::of_size(LONGEST), &pieces, usize::MAX);
    assert_eq!(at_once, (lines.clone(), cut));
    assert_eq!(lines.len(), whole.len());
    for (line, bytes) in lines.iter().zip(whole) {
        assert!(!line.contains(['\n', '\r', '\u{1b}']), "{line:?}");
        // Broken bytes become characters of three.
        assert!(line.len() <= 3 * LONGEST);
        assert_eq!(line, line.trim());
        if bytes.iter().all(|byte| matches!(byte, b' '..=b'~')) {
            assert_eq!(line.as_bytes(), bytes.trim_ascii());
        }
    }
    !lines.is_empty()
}
