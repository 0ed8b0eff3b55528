//! A game's record as PGN, for other programs to read.
//!
//! A searched move carries a comment in two forms, since tools differ in which they read:
//! `+0.35/12 0.052s, n=3400` as match programs write it, the score being the mover's, and
//! `[%eval 0.35,12] [%emt 0:00:00.052]`, the score being that of the side that the rules name
//! first. Where a clock runs, `[%clk 0:00:09.948]` is what is left on the mover's after the move.

use std::time::Duration;

use super::clock::Clock;
use crate::game::{NotationError, Pgn, Side, TwoPlayer};
use crate::results::{GameId, GameRecord, GameResult, MoveLimit, MoveRecord, RunSpec, Termination};
use crate::search::Score;

/// The game with its headers and moves, an empty line at its end.
///
/// # Errors
/// A position or a move that is none under these rules.
pub(super) fn write<G: TwoPlayer>(
    pgn: &Pgn<G>,
    rules: &G::Rules,
    run: &RunSpec,
    game: &GameRecord,
) -> Result<String, NotationError> {
    let mut text = String::new();
    for (name, value) in headers::<G>(pgn, rules, run, game) {
        text += &format!("[{name} \"{}\"]\n", escape(&value));
    }
    text.push('\n');
    text += &movetext(pgn, rules, run, game)?.text;
    text += "\n\n";
    Ok(text)
}

fn headers<G: TwoPlayer>(
    pgn: &Pgn<G>,
    rules: &G::Rules,
    run: &RunSpec,
    game: &GameRecord,
) -> Vec<(&'static str, String)> {
    let started = humantime::format_rfc3339_seconds(game.started).to_string();
    let date = started.get(..10).unwrap_or_default().replace('-', ".");
    let variant = (pgn.variant)(rules);
    let mut headers = vec![
        ("Event", run.name.clone()),
        ("Site", "?".to_owned()),
        ("Date", date),
        ("Round", round(game.id)),
        ("White", game.first.clone()),
        ("Black", game.second.clone()),
        ("Result", result(game.result).to_owned()),
    ];
    headers.extend(variant.map(|name| ("Variant", name.to_owned())));
    if variant.is_some() || game.opening_fen != G::start(rules).to_fen() {
        headers.push(("SetUp", "1".to_owned()));
        headers.push(("FEN", game.opening_fen.clone()));
    }
    let plies = game.opening_moves.len() + game.moves.len();
    headers.extend([
        ("PlyCount", plies.to_string()),
        ("GameId", game.id.to_string()),
        ("Opening", game.opening.clone()),
    ]);
    match Side::BOTH.map(|side| limit(run, game, side)) {
        [first, second] if first == second => headers.push(("TimeControl", first)),
        [first, second] => {
            headers.extend([("WhiteTimeControl", first), ("BlackTimeControl", second)]);
        }
    }
    headers.push(("Termination", ending::<G>(&game.termination)));
    headers
}

/// The pair and the leg, from 1.
fn round(id: GameId) -> String {
    match id {
        GameId::Leg { pair, leg, .. } => format!("{}.{}", pair + 1, leg + 1),
        GameId::Deal { place, .. } => (place + 1).to_string(),
    }
}

fn result(result: GameResult) -> &'static str {
    match result {
        GameResult::FirstWins => "1-0",
        GameResult::SecondWins => "0-1",
        GameResult::Draw => "1/2-1/2",
    }
}

/// What the side of a game might spend, if its variant is one of the run.
fn limit_of(run: &RunSpec, game: &GameRecord, side: Side) -> Option<MoveLimit> {
    let name = game.variant(side);
    let variant = run.variants.iter().find(|variant| variant.name == name);
    variant.map(|variant| variant.limit.of(side))
}

/// A time a move as PGN writes it, one move in so many seconds; another limit in words.
fn limit(run: &RunSpec, game: &GameRecord, side: Side) -> String {
    match limit_of(run, game, side) {
        None => "?".to_owned(),
        Some(MoveLimit::TimeMs(ms)) => {
            let fraction = format!("{:03}", ms % 1000);
            let seconds = format!("{}.{fraction}", ms / 1000);
            format!("1/{}", seconds.trim_end_matches('0').trim_end_matches('.'))
        }
        Some(MoveLimit::Clock(clock)) => clock.to_string(),
        Some(other) => other.to_string(),
    }
}

/// `fifty moves`, `time forfeit by black`.
fn ending<G: TwoPlayer>(termination: &Termination) -> String {
    match termination {
        Termination::Rule(reason) => reason.replace('_', " "),
        Termination::Adjudicated(why) => format!("adjudication: {why}"),
        Termination::Fault { by, kind } => {
            let what = kind.name().replace('_', " ");
            format!("{what} by {}", G::ROLES[by.index()])
        }
    }
}

/// A header's value as it stands between quotes.
fn escape(value: &str) -> String {
    let mut escaped = String::new();
    for symbol in value.chars() {
        match symbol {
            '"' | '\\' => escaped.extend(['\\', symbol]),
            _ if symbol.is_control() => escaped.push(' '),
            _ => escaped.push(symbol),
        }
    }
    escaped
}

/// The movetext, the result as its last word.
fn movetext<G: TwoPlayer>(
    pgn: &Pgn<G>,
    rules: &G::Rules,
    run: &RunSpec,
    game: &GameRecord,
) -> Result<Wrapped, NotationError> {
    let mut position = G::from_fen(&game.opening_fen, rules)?;
    let fields = game.opening_fen.split_whitespace();
    let mut number: u64 = fields
        .last()
        .and_then(|last| last.parse().ok())
        .unwrap_or(1);
    let book = game.opening_moves.iter().map(|text| (text, None));
    let played = game.moves.iter().map(|mv| (&mv.text, Some(mv)));
    let mut clock =
        Clock::new(Side::BOTH.map(|side| limit_of(run, game, side).unwrap_or(MoveLimit::Depth(0))));
    let mut words = Wrapped::default();
    for (text, played) in book.chain(played) {
        let side = position.side_to_move();
        let mv = position.parse_move(text)?;
        // The comment before a move of the second side makes its number necessary.
        words.put(|word| {
            push_number(word, number);
            *word += match side {
                Side::First => ".",
                Side::Second => "...",
            };
        });
        words.put(|word| *word += &(pgn.format_move)(&position, mv));
        match played {
            None => words.put(|word| *word += "{book}"),
            Some(played) => {
                clock.moved(side, Duration::from_micros(played.time_us));
                let left = clock.runs(side).then(|| clock.left()[side.index()]);
                comment(&mut words, played, side, left);
            }
        }
        position.play(mv);
        number += u64::from(side == Side::Second);
    }
    words.put(|word| *word += result(game.result));
    Ok(words)
}

/// `H:MM:SS.mmm`
fn push_hours(text: &mut String, ms: u64) {
    push_number(text, ms / 3_600_000);
    for (separator, number, digits) in [
        (':', ms / 60_000 % 60, 2),
        (':', ms / 1000 % 60, 2),
        ('.', ms % 1000, 3),
    ] {
        text.push(separator);
        push_padded(text, number, digits);
    }
}

/// A move's comment, in words that a line end may stand between. Numbers are written without
/// the general formatter: this is most of what a game's record costs.
fn comment(words: &mut Wrapped, mv: &MoveRecord, side: Side, left: Option<Duration>) {
    let ms = (mv.time_us + 500) / 1000;
    words.put(|word| {
        word.push('{');
        if let Some(score) = mv.score {
            push_for_mover(word, Score(score), "+");
            if let Some(searched) = mv.searched {
                word.push('/');
                push_number(word, searched.depth);
            }
            word.push(' ');
        }
        push_number(word, ms / 1000);
        word.push('.');
        push_padded(word, ms % 1000, 3);
        word.push('s');
        if let Some(searched) = mv.searched {
            *word += ", n=";
            push_number(word, searched.nodes);
        }
    });
    if let Some(score) = mv.score {
        words.put(|word| {
            *word += "[%eval ";
            push_for_first(
                word,
                match side {
                    Side::First => Score(score),
                    Side::Second => -Score(score),
                },
            );
            if let Some(searched) = mv.searched {
                word.push(',');
                push_number(word, searched.depth);
            }
            word.push(']');
        });
    }
    words.put(|word| {
        *word += "[%emt ";
        push_hours(word, ms);
        *word += if left.is_some() { "]" } else { "]}" };
    });
    if let Some(left) = left {
        words.put(|word| {
            *word += "[%clk ";
            push_hours(word, u64::try_from(left.as_millis()).unwrap_or(u64::MAX));
            *word += "]}";
        });
    }
}

/// Plies to the end of a proven score.
fn plies(score: Score) -> u32 {
    Score::WIN.0.abs_diff(score.0.abs())
}

/// `+0.35`, `0.00`, `-M4`: a proven end counts plies.
fn push_for_mover(text: &mut String, score: Score, plus: &str) {
    *text += match score.0 {
        0 => "",
        1.. => plus,
        _ => "-",
    };
    if score.is_proven() {
        text.push('M');
        push_number(text, plies(score));
    } else {
        let size = score.0.unsigned_abs();
        push_number(text, size / 100);
        text.push('.');
        push_padded(text, u64::from(size % 100), 2);
    }
}

/// `0.35`, `-1.20`, `#-2`: a proven end counts moves.
fn push_for_first(text: &mut String, score: Score) {
    if score.is_proven() {
        *text += if score.0 < 0 { "#-" } else { "#" };
        push_number(text, plies(score).div_ceil(2).max(1));
    } else {
        push_for_mover(text, score, "");
    }
}

fn push_number(text: &mut String, number: impl itoa::Integer) {
    *text += itoa::Buffer::new().format(number);
}

/// A number in at least `digits` digits.
fn push_padded(text: &mut String, number: u64, digits: usize) {
    let mut buffer = itoa::Buffer::new();
    let number = buffer.format(number);
    for _ in number.len()..digits {
        text.push('0');
    }
    *text += number;
}

/// The longest line of the movetext.
const WIDTH: usize = 79;

/// Words in lines of at most [`WIDTH`] characters.
#[derive(Debug, Default)]
struct Wrapped {
    text: String,
    /// Of the last line.
    width: usize,
}

impl Wrapped {
    /// Adds the word that `write` writes at the end of the text.
    fn put(&mut self, write: impl FnOnce(&mut String)) {
        let before = self.text.len();
        if before > 0 {
            self.text.push(' ');
        }
        let start = self.text.len();
        write(&mut self.text);
        let length = self.text[start..].chars().count();
        if self.width == 0 || self.width + 1 + length <= WIDTH {
            self.width += usize::from(before > 0) + length;
        } else {
            self.text.replace_range(before..start, "\n");
            self.width = length;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::Searched;

    fn comment_of(score: Option<i32>, depth: Option<u32>, time_us: u64, side: Side) -> String {
        let record = MoveRecord {
            text: "e2e4".to_owned(),
            score,
            searched: depth.map(|depth| Searched { depth, nodes: 3400 }),
            time_us,
        };
        written(&record, side, None)
    }

    /// The comment on one line.
    fn written(record: &MoveRecord, side: Side, left: Option<Duration>) -> String {
        let mut words = Wrapped::default();
        comment(&mut words, record, side, left);
        words.text.replace('\n', " ")
    }

    #[test]
    fn comments_have_the_movers_score_and_the_first_sides() {
        let first = comment_of(Some(35), Some(12), 51_700, Side::First);
        assert_eq!(
            first,
            "{+0.35/12 0.052s, n=3400 [%eval 0.35,12] [%emt 0:00:00.052]}"
        );
        let second = comment_of(Some(1205), Some(7), 3_723_004_000, Side::Second);
        assert_eq!(
            second,
            "{+12.05/7 3723.004s, n=3400 [%eval -12.05,7] [%emt 1:02:03.004]}"
        );
        let draw = comment_of(Some(0), Some(1), 0, Side::Second);
        assert!(draw.contains("{0.00/1 0.000s") && draw.contains("[%eval 0.00,1]"));
        assert_eq!(
            comment_of(None, None, 1000, Side::First),
            "{0.001s [%emt 0:00:00.001]}"
        );
        assert_eq!(
            comment_of(Some(-7), None, 1000, Side::Second),
            "{-0.07 0.001s [%eval 0.07] [%emt 0:00:00.001]}"
        );
    }

    #[test]
    fn what_is_left_on_a_clock_comes_last() {
        let record = MoveRecord {
            text: "e2e4".to_owned(),
            score: None,
            searched: None,
            time_us: 52_000,
        };
        let left = Duration::from_micros(9_948_700);
        assert_eq!(
            written(&record, Side::First, Some(left)),
            "{0.052s [%emt 0:00:00.052] [%clk 0:00:09.948]}"
        );
    }

    #[test]
    fn proven_ends_count_plies_for_match_programs_and_moves_for_others() {
        for (score, side, mover, eval) in [
            (Score::win_in(5), Side::First, "+M5/", "#3,"),
            (Score::win_in(5), Side::Second, "+M5/", "#-3,"),
            (Score::loss_in(4), Side::First, "-M4/", "#-2,"),
            (Score::loss_in(0), Side::Second, "-M0/", "#1,"),
        ] {
            let comment = comment_of(Some(score.0), Some(9), 0, side);
            assert!(comment.contains(mover), "{comment}");
            assert!(comment.contains(&format!("[%eval {eval}9]")), "{comment}");
        }
    }

    #[test]
    fn limits_and_names_are_written_as_pgn_has_them() {
        assert_eq!(escape("a \"b\" \\ c\u{7}é"), "a \\\"b\\\" \\\\ c é");
        let mut words = Wrapped::default();
        for long in ["x".repeat(39), "é".repeat(39)].iter().cycle().take(5) {
            words.put(|word| *word += long);
        }
        let lengths: Vec<usize> = words.text.lines().map(|l| l.chars().count()).collect();
        assert_eq!(lengths, [79, 79, 39]);
        assert!(!words.text.contains(" \n") && !words.text.ends_with(['\n', ' ']));
    }
}
