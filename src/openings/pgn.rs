//! PGN: games with headers, of which the moves are read and all else is passed over.
//!
//! This is a reader of the text only. The `pgn-reader` crate passes over what it does not know
//! without a word and tells no lines, so a suite with a mistyped move would be another suite; the
//! tests hold the two against each other.

use super::LineError;

/// A game as it is written.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct PgnGame {
    /// Its first line, from 1.
    pub(super) line: usize,
    /// Its headers.
    pub(super) tags: Vec<(String, String)>,
    /// Its moves with their lines.
    pub(super) moves: Vec<(usize, String)>,
}

impl PgnGame {
    /// The value of a header, unless it is unknown (`?`, `-`) or empty.
    pub(super) fn tag(&self, name: &str) -> Option<&str> {
        let known = |value: &&str| !matches!(*value, "" | "?" | "-");
        let found = self.tags.iter().find(|(tag, _)| tag == name);
        found.map(|(_, value)| value.trim()).filter(known)
    }
}

/// All games, and what is wrong with the text.
pub(super) fn games(text: &str) -> (Vec<PgnGame>, Vec<(usize, LineError)>) {
    let mut scanner = Scanner::default();
    for (index, line) in text.lines().enumerate() {
        scanner.line(index + 1, line);
    }
    scanner.end();
    (scanner.games, scanner.errors)
}

/// Whether a line begins with a header.
pub(super) fn is_header(line: &str) -> bool {
    line.strip_prefix('[')
        .is_some_and(|line| tag(line).is_some())
}

#[derive(Default)]
struct Scanner {
    games: Vec<PgnGame>,
    errors: Vec<(usize, LineError)>,
    game: Option<PgnGame>,
    /// The line of a `{` that is not closed yet.
    comment: Option<usize>,
    /// The lines of the `(` that are not closed yet.
    variations: Vec<usize>,
}

/// What ends a move or a number.
fn ends_token(symbol: char) -> bool {
    symbol.is_whitespace() || "{}()[];$!?.*".contains(symbol)
}

impl Scanner {
    fn refuse(&mut self, line: usize, reason: impl Into<String>) {
        self.errors.push((line, LineError::Pgn(reason.into())));
    }

    fn line(&mut self, number: usize, line: &str) {
        if self.comment.is_none() && line.starts_with('%') {
            return;
        }
        let mut rest = line;
        loop {
            if self.comment.is_some() {
                let Some(end) = rest.find('}') else {
                    return;
                };
                rest = &rest[end + 1..];
                self.comment = None;
            }
            rest = rest.trim_start();
            let Some(symbol) = rest.chars().next() else {
                return;
            };
            let behind = &rest[symbol.len_utf8()..];
            rest = match symbol {
                ';' => return,
                '{' => {
                    self.comment = Some(number);
                    behind
                }
                '(' => {
                    self.variations.push(number);
                    behind
                }
                ')' => {
                    if self.variations.pop().is_none() {
                        self.refuse(number, "`)` closes no variation");
                    }
                    behind
                }
                '[' => {
                    self.unclosed_variations();
                    match tag(behind) {
                        Some((name, value, behind)) => {
                            self.tag(number, name, value);
                            behind
                        }
                        None => {
                            self.refuse(
                                number,
                                "a header is written [Name \"value\"], with \\\" for a quote",
                            );
                            return;
                        }
                    }
                }
                '$' => behind.trim_start_matches(|digit: char| digit.is_ascii_digit()),
                '!' | '?' | '.' => behind,
                '*' => {
                    self.token(number, "*");
                    behind
                }
                '}' | ']' => {
                    self.refuse(number, format!("`{symbol}` closes nothing"));
                    behind
                }
                _ => {
                    let (token, behind) =
                        rest.split_at(rest.find(ends_token).unwrap_or(rest.len()));
                    self.token(number, token);
                    behind
                }
            };
        }
    }

    fn tag(&mut self, number: usize, name: String, value: String) {
        // Headers behind moves are those of the next game: this one has no result.
        if self
            .game
            .as_ref()
            .is_some_and(|game| !game.moves.is_empty())
        {
            self.games.extend(self.game.take());
        }
        let game = self.game.get_or_insert_with(|| PgnGame {
            line: number,
            ..PgnGame::default()
        });
        game.tags.push((name, value));
    }

    fn token(&mut self, number: usize, token: &str) {
        if !self.variations.is_empty() {
            return;
        }
        let game = self.game.get_or_insert_with(|| PgnGame {
            line: number,
            ..PgnGame::default()
        });
        match token {
            "1-0" | "0-1" | "1/2-1/2" | "*" => self.games.extend(self.game.take()),
            _ if token.bytes().all(|digit| digit.is_ascii_digit()) => {}
            _ => game.moves.push((number, token.to_owned())),
        }
    }

    fn unclosed_variations(&mut self) {
        if let Some(line) = self.variations.first().copied() {
            self.variations.clear();
            self.refuse(line, "the variation that begins here is not closed");
        }
    }

    fn end(&mut self) {
        if let Some(line) = self.comment {
            self.refuse(line, "the comment that begins here is not closed");
        }
        self.unclosed_variations();
        self.games.extend(self.game.take());
    }
}

/// Name and value of a header behind its `[`, and what is behind it.
fn tag(text: &str) -> Option<(String, String, &str)> {
    let text = text.trim_start();
    let end = text.find(|symbol: char| !symbol.is_ascii_alphanumeric() && symbol != '_')?;
    let (name, value) = text.split_at(end);
    let quoted = value.trim_start().strip_prefix('"')?;
    let mut value = String::new();
    let mut symbols = quoted.char_indices();
    let end = loop {
        match symbols.next()? {
            (at, '"') => break at + 1,
            (_, '\\') => value.push(symbols.next()?.1),
            (_, symbol) => value.push(symbol),
        }
    };
    let behind = quoted[end..].trim_start().strip_prefix(']')?;
    (!name.is_empty()).then(|| (name.to_owned(), value, behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(usize, Vec<String>)> {
        let (games, errors) = games(text);
        assert_eq!(errors, [], "{text}");
        let moves = |game: PgnGame| game.moves.into_iter().map(|(_, text)| text).collect();
        games
            .into_iter()
            .map(|game| (game.line, moves(game)))
            .collect()
    }

    #[test]
    fn moves_are_found_among_all_that_stands_around_them() {
        let text = "; a comment to the line's end: e4\n\
            % an escape: e4\n\
            [Event \"1. d4 {in a header}\"]\n\
            [White \"A \\\"b\\\" \\\\\"]\n\
            \n\
            {before [e4] (e5)} 1.e4 $1 e5!? {two\nlines; of it} 2. Nf3 (2.f4 exf4 (2... d5 {)}) ) 2...Nc6?\n\
            % e5\n\
            3 . O-O ; a6\n\
            12.e8=Q+ 1-0\n\
            [Event \"no result\"]\n\n1. d4\n\
            [Event \"no moves\"]\n*\n\
            1. c4 c5 1/2-1/2";
        let found = read(text);
        let expected: [(usize, &[&str]); 4] = [
            (3, &["e4", "e5", "Nf3", "Nc6", "O-O", "e8=Q+"]),
            (11, &["d4"]),
            (14, &[]),
            (16, &["c4", "c5"]),
        ];
        let expected: Vec<(usize, Vec<String>)> = expected
            .iter()
            .map(|(line, moves)| (*line, moves.iter().map(|mv| (*mv).to_owned()).collect()))
            .collect();
        assert_eq!(found, expected);
        assert_eq!(games(text).0[0].tag("White"), Some("A \"b\" \\"));
    }

    #[test]
    fn broken_text_is_refused_with_its_line() {
        for (text, line, reason) in [
            ("1. e4\n{ no end", 2, "comment"),
            ("1. e4 (1. d4\n[Event \"x\"]\n*", 1, "variation"),
            ("1. e4 )", 1, "`)`"),
            ("1. e4 }", 1, "`}`"),
            ("[Event \"x]\n1. e4", 1, "header"),
            ("[Event x]\n1. e4", 1, "header"),
            ("[Event \"x\"\n1. e4", 1, "header"),
            ("[\"x\"]\n1. e4", 1, "header"),
        ] {
            let errors = games(text).1;
            assert_eq!(errors.len(), 1, "{text}: {errors:?}");
            assert_eq!(errors[0].0, line, "{text}");
            assert!(errors[0].1.to_string().contains(reason), "{text}");
        }
    }
}
