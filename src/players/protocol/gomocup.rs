//! The protocol of Gomocup and Piskvork, for five in a row.
//!
//! - A manager ends its lines with CR LF; engines end theirs with CR LF, LF or a lone CR.
//! - There is no greeting. `ABOUT` stands for one: every engine must answer it, with whatever it
//!   likes, and it needs no board.
//! - `START n` or `RECTSTART w,h` begins the first game, and is answered with `OK` or `ERROR`;
//!   `RESTART` begins a further one on the same board. Who answers `UNKNOWN` to it plays one game
//!   a process, and is started again.
//! - `INFO` is never answered, and may name anything: every option of a config becomes one.
//!   `timeout_turn`, `timeout_match`, `game_type` and `rule` come before the first move,
//!   `time_left` before every move. `max_node`, `max_depth` and `time_increment` are extensions,
//!   which Rapfi knows. A limit that does not hold is 2147483647. `max_memory` is sent only if a
//!   config says so: Rapfi takes 0 for 350 MB.
//! - An increment of the clock, and time that is added after so many moves, are unknown to the
//!   protocol: `time_left` grows.
//! - `BEGIN` asks for a move on the empty board, `TURN x,y` for an answer to a move, `BOARD … DONE`
//!   for one after an opening.
//! - There is no question whether an engine is ready, and nothing may be sent between a question
//!   and its answer: many engines do not read while they think.
//! - `SUGGEST x,y` in place of a move is answered with `PLAY x,y`; then comes the move.
//! - `MESSAGE`, `DEBUG` and `UNKNOWN` may come at any time. Of a message such as
//!   `Depth 12-25 | Eval 100 | Node 23K`, which is Rapfi's, depth, evaluation and nodes are kept.
//! - `ERROR` in place of a move says that there is none. Not so `ERROR Unknown command: 5`, by
//!   which Rapfi complains of the value of an `INFO` that it does not know.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use super::options::{DeclaredOption, OptionError, OptionKind};
use super::{GameText, Heard, Protocol, Said, Spend, Step, TurnText};
use crate::game::{Announcement, GomocupBoard};
use crate::search::Score;

/// A conversation with an engine of Gomocup.
#[derive(Debug, Default)]
pub struct Gomocup {
    /// The board that the engine was started with.
    board: Option<GomocupBoard>,
    /// What a config sets, by name.
    info: BTreeMap<String, String>,
    /// Whether the answer to `RESTART` is waited for.
    restarting: bool,
    /// Whether the engine was told of a limit of nodes or depth.
    limited: bool,
    /// The stones of the start position, each with a blank before it.
    start: String,
    /// The moves that the engine knows of, its own last answer included, each with a blank
    /// before it; `None` before its first turn of a game.
    known: Option<String>,
    /// Whether a move was asked for.
    asked: bool,
}

/// What stands for no limit.
const UNLIMITED: u64 = 2_147_483_647;

/// A depth that no search reaches.
const ANY_DEPTH: u32 = 99;

impl Protocol for Gomocup {
    fn greeting(&self) -> &'static str {
        "ABOUT\r\n"
    }

    fn greeted(&mut self, line: &str) -> Step {
        match command(line) {
            ("MESSAGE" | "DEBUG", _) => Step::More,
            _ => Step::Done,
        }
    }

    fn declared(&self) -> &[DeclaredOption] {
        &[]
    }

    /// Any word is the name of an `INFO`.
    fn option(&self, name: &str) -> Result<Cow<'_, DeclaredOption>, OptionError> {
        let visible = |symbol: char| !symbol.is_whitespace() && !symbol.is_control();
        if name.is_empty() || !name.chars().all(visible) {
            return Err(OptionError::Unknown {
                name: name.to_owned(),
                declared: Vec::new(),
            });
        }
        Ok(Cow::Owned(DeclaredOption {
            name: name.to_ascii_lowercase(),
            kind: OptionKind::Text,
            default: None,
        }))
    }

    fn set_option(&mut self, name: &str, value: &str, _out: &mut String) {
        self.info.insert(name.to_owned(), value.to_owned());
    }

    fn game_options(&self, announcement: Announcement) -> Result<Vec<(String, String)>, String> {
        match announcement.gomocup {
            Some(_) => Ok(Vec::new()),
            None => Err("an engine of Gomocup plays five in a row only".to_owned()),
        }
    }

    fn new_game(&mut self, game: &GameText<'_>, out: &mut String) {
        self.start.clear();
        for stone in game.start.split_whitespace() {
            self.start.push(' ');
            self.start += stone;
        }
        self.known = None;
        self.asked = false;
        let board = game.announcement.gomocup;
        self.restarting = board.is_some() && self.board == board;
        self.board = board;
        let (width, height) = board.map_or((0, 0), |board| (board.width, board.height));
        if self.restarting {
            *out += "RESTART\r\n";
        } else if width == height {
            put(out, format_args!("START {width}"));
        } else {
            put(out, format_args!("RECTSTART {width},{height}"));
        }
        self.write_info(game, out);
    }

    fn ready(&mut self, line: &str) -> Step {
        match command(line) {
            ("OK", _) => {
                self.restarting = false;
                Step::Done
            }
            ("UNKNOWN", _) if self.restarting => Step::Again,
            ("ERROR", _) => Step::Refused(format!("it says: {line}")),
            _ => Step::More,
        }
    }

    fn position(&mut self, _turn: &TurnText<'_>, _out: &mut String) -> bool {
        false
    }

    fn go(&mut self, turn: &TurnText<'_>, _told: bool, out: &mut String) {
        let left = match turn.spend {
            Spend::Clock(clocks) => ms(clocks.left[clocks.side.index()]),
            _ => UNLIMITED,
        };
        put(out, format_args!("INFO time_left {left}"));
        // What has been played since the engine's own last move, if that is as it said.
        let news = match self.known.as_deref() {
            Some(known) => turn.moves.strip_prefix(known),
            None if self.start.is_empty() => Some(turn.moves),
            None => None,
        };
        match news.map(|news| news.strip_prefix(' ').unwrap_or(news)) {
            Some("") if self.known.is_none() => *out += "BEGIN\r\n",
            Some(mv) if !mv.is_empty() && !mv.contains(' ') => put(out, format_args!("TURN {mv}")),
            _ => self.write_board(turn.moves, out),
        }
        let known = self.known.get_or_insert_default();
        known.clear();
        *known += turn.moves;
        self.asked = true;
    }

    fn answer<'l>(&mut self, line: &'l str, said: &mut Said) -> Heard<'l> {
        match command(line) {
            ("MESSAGE", text) => {
                message(text, said);
                Heard::Talk
            }
            ("SUGGEST", text) if self.asked => match point(text) {
                Some((x, y)) => Heard::Question(format!("PLAY {x},{y}\r\n")),
                None => Heard::Move(line),
            },
            ("ERROR", text) if self.asked && !text.to_ascii_lowercase().contains("unknown") => {
                self.asked = false;
                Heard::Move(line)
            }
            _ if line.starts_with(|first: char| first.is_ascii_digit() || first == '-') => {
                if std::mem::take(&mut self.asked)
                    && let Some((x, y)) = point(line)
                    && let Some(known) = &mut self.known
                {
                    write!(known, " {x},{y}").expect("a string takes every write");
                }
                Heard::Move(line)
            }
            _ => Heard::Talk,
        }
    }

    fn farewell(&self) -> &'static str {
        "END\r\n"
    }
}

impl Gomocup {
    fn write_info(&mut self, game: &GameText<'_>, out: &mut String) {
        let (turn, all) = match game.spend {
            Spend::Time(time) => (ms(time).max(1), 0),
            Spend::Nodes(_) | Spend::Depth(_) => (UNLIMITED, 0),
            Spend::Clock(clocks) => {
                let left = ms(clocks.left[clocks.side.index()]).max(1);
                (left, left)
            }
        };
        put(out, format_args!("INFO timeout_turn {turn}"));
        put(out, format_args!("INFO timeout_match {all}"));
        if let Spend::Clock(clocks) = game.spend {
            let increment = ms(clocks.increment[clocks.side.index()]);
            if increment > 0 {
                put(out, format_args!("INFO time_increment {increment}"));
            }
        }
        // An opponent that is a program.
        *out += "INFO game_type 1\r\n";
        let rule = game.announcement.gomocup.map_or(0, |board| board.rule);
        put(out, format_args!("INFO rule {rule}"));
        let (nodes, depth) = match game.spend {
            Spend::Nodes(nodes) => (nodes, ANY_DEPTH),
            Spend::Depth(depth) => (0, depth),
            Spend::Time(_) | Spend::Clock(_) => (0, ANY_DEPTH),
        };
        let limited = (nodes, depth) != (0, ANY_DEPTH);
        if limited || self.limited {
            put(out, format_args!("INFO max_node {nodes}"));
            put(out, format_args!("INFO max_depth {depth}"));
        }
        self.limited = limited;
        for (name, value) in &self.info {
            put(out, format_args!("INFO {name} {value}"));
        }
    }

    fn write_board(&self, moves: &str, out: &mut String) {
        *out += "BOARD\r\n";
        let stones = || self.start.split(' ').chain(moves.split(' '));
        let stones = || stones().filter(|stone| !stone.is_empty());
        let count = stones().count();
        for (index, stone) in stones().enumerate() {
            // The last is the opponent's.
            let owner = 1 + (count - index) % 2;
            put(out, format_args!("{stone},{owner}"));
        }
        *out += "DONE\r\n";
    }
}

/// Adds a line.
fn put(out: &mut String, line: std::fmt::Arguments<'_>) {
    write!(out, "{line}\r\n").expect("a string takes every write");
}

/// Milliseconds, below what stands for no limit.
fn ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).map_or(UNLIMITED - 1, |ms| ms.min(UNLIMITED - 1))
}

/// The first word of a line, if it is of capitals, and what follows it.
fn command(line: &str) -> (&str, &str) {
    let end = line.find(|symbol: char| !symbol.is_ascii_uppercase());
    let (word, rest) = line.split_at(end.unwrap_or(line.len()));
    (word, rest.trim())
}

/// `x,y`, with blanks wherever.
fn point(text: &str) -> Option<(u32, u32)> {
    let (x, y) = text.split_once(',')?;
    Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
}

/// `Depth 12-25 | Eval 100 | Node 23K`: fields with bars between them.
fn message(text: &str, said: &mut Said) {
    if !text.contains('|') {
        return;
    }
    for field in text.split('|') {
        let mut words = field.split_whitespace();
        let (Some(name), Some(value)) = (words.next(), words.next()) else {
            continue;
        };
        match name {
            "Depth" => {
                let depth = value.split('-').next().and_then(|depth| depth.parse().ok());
                said.depth = depth.or(said.depth);
            }
            "Eval" => said.score = eval(value).or(said.score),
            "Node" | "Nodes" => said.nodes = count(value).or(said.nodes),
            _ => {}
        }
    }
}

/// An evaluation, or `+M7`, `-M8`: the plies to the end.
fn eval(text: &str) -> Option<Score> {
    if let Some(plies) = text.strip_prefix("+M") {
        return plies.parse().ok().map(Score::win_in);
    }
    if let Some(plies) = text.strip_prefix("-M") {
        return plies.parse().ok().map(Score::loss_in);
    }
    let value: i32 = text.parse().ok()?;
    Some(Score::heuristic(f64::from(value) / 100.0))
}

/// A number, perhaps in thousands and more: `23K`.
fn count(text: &str) -> Option<u64> {
    let factor = match text.chars().last()? {
        'K' => 1_000,
        'M' => 1_000_000,
        'G' => 1_000_000_000,
        _ => return text.parse().ok(),
    };
    let number: u64 = text[..text.len() - 1].parse().ok()?;
    number.checked_mul(factor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Side;
    use crate::players::protocol::Clocks;

    /// Answers of Rapfi, put together.
    const RAPFI: &str = include_str!("transcripts/rapfi.gomocup");

    fn game(start: &str, spend: Spend) -> GameText<'_> {
        GameText {
            start,
            is_default_start: false,
            announcement: Announcement {
                gomocup: Some(GomocupBoard {
                    width: 15,
                    height: 15,
                    rule: 1,
                }),
                ..Announcement::default()
            },
            spend,
        }
    }

    const SECOND: Spend = Spend::Time(Duration::from_secs(1));

    /// What is sent, a line each, with bars between them.
    fn lines(text: &str) -> String {
        assert!(text.ends_with("\r\n") && !text.replace("\r\n", "").contains(['\r', '\n']));
        text.trim_end().replace("\r\n", "|")
    }

    fn begins(gomocup: &mut Gomocup, game: &GameText<'_>) -> String {
        let mut out = String::new();
        gomocup.new_game(game, &mut out);
        lines(&out)
    }

    fn goes(gomocup: &mut Gomocup, game: GameText<'_>, moves: &str) -> String {
        let mut out = String::new();
        let spend = game.spend;
        assert!(!gomocup.position(&TurnText { game, moves, spend }, &mut out));
        gomocup.go(&TurnText { game, moves, spend }, false, &mut out);
        lines(&out)
    }

    #[test]
    fn rapfi_plays_a_game() {
        let mut told = RAPFI.lines().filter(|line| !line.starts_with('#'));
        let mut gomocup = Gomocup::default();
        assert!(told.any(|line| gomocup.greeted(line) == Step::Done));
        let game = game("", SECOND);
        assert_eq!(
            begins(&mut gomocup, &game),
            "START 15|INFO timeout_turn 1000|INFO timeout_match 0|INFO game_type 1|INFO rule 1"
        );
        assert!(told.any(|line| gomocup.ready(line) == Step::Done));
        let mut moves = String::new();
        let mut answers = Vec::new();
        for (sent, reply) in [("BEGIN", " 8,8"), ("TURN 8,8", " 6,6"), ("TURN 6,6", "")] {
            let expected = format!("INFO time_left 2147483647|{sent}");
            assert_eq!(goes(&mut gomocup, game, &moves), expected);
            let mut said = Said::default();
            let mv = told.find_map(|line| match gomocup.answer(line, &mut said) {
                Heard::Move(mv) => Some(mv),
                _ => None,
            });
            answers.push((mv, said.depth, said.nodes, said.score.map(|score| score.0)));
            moves += &format!(" {}{reply}", mv.unwrap_or_default());
        }
        assert_eq!(
            answers,
            [
                (Some("7,7"), Some(1), Some(225), Some(0)),
                (Some("9,7"), Some(12), Some(23_000), Some(100)),
                // Commands that it does not know are no answer; the deadline is one.
                (None, None, None, None)
            ]
        );
    }

    #[test]
    fn an_opening_is_a_board_with_the_last_stone_the_opponents() {
        let mut gomocup = Gomocup::default();
        let empty = game("", SECOND);
        begins(&mut gomocup, &empty);
        let time = "INFO time_left 2147483647|";
        assert_eq!(
            goes(&mut gomocup, empty, " 7,7 8,8 6,6"),
            format!("{time}BOARD|7,7,2|8,8,1|6,6,2|DONE")
        );
        let mut said = Said::default();
        assert_eq!(gomocup.answer("5,5", &mut said), Heard::Move("5,5"));
        assert_eq!(
            goes(&mut gomocup, empty, " 7,7 8,8 6,6 5,5 0,14"),
            format!("{time}TURN 0,14")
        );
        // An answer that was not what was played: the whole board.
        assert_eq!(gomocup.answer("1,1", &mut said), Heard::Move("1,1"));
        let moves = " 7,7 8,8 6,6 5,5 0,14 2,2 3,3";
        assert!(goes(&mut gomocup, empty, moves).contains("|BOARD|7,7,2|"));
        // A game that starts from stones.
        let set_up = game("7,7 8,8", SECOND);
        assert!(begins(&mut gomocup, &set_up).starts_with("RESTART|INFO"));
        assert_eq!(
            goes(&mut gomocup, set_up, ""),
            format!("{time}BOARD|7,7,1|8,8,2|DONE")
        );
        gomocup.answer("0,0", &mut said);
        assert_eq!(
            goes(&mut gomocup, set_up, " 0,0 1,0"),
            format!("{time}TURN 1,0")
        );
        // One move is a turn, even the first.
        begins(&mut gomocup, &empty);
        assert_eq!(goes(&mut gomocup, empty, " 7,7"), format!("{time}TURN 7,7"));
    }

    #[test]
    fn limits_and_options_are_info() {
        let mut gomocup = Gomocup::default();
        gomocup.set_option("thread_num", "2", &mut String::new());
        let begun = begins(&mut gomocup, &game("", Spend::Nodes(5000)));
        assert_eq!(
            begun,
            "START 15|INFO timeout_turn 2147483647|INFO timeout_match 0|INFO game_type 1|\
             INFO rule 1|INFO max_node 5000|INFO max_depth 99|INFO thread_num 2"
        );
        let begun = begins(&mut gomocup, &game("", Spend::Depth(4)));
        assert!(begun.ends_with("INFO max_node 0|INFO max_depth 4|INFO thread_num 2"));
        let clock = Spend::Clock(Clocks {
            side: Side::Second,
            left: [Duration::from_secs(9), Duration::from_millis(2500)],
            increment: [Duration::ZERO, Duration::from_millis(100)],
            moves_to_go: None,
        });
        let begun = begins(&mut gomocup, &game("", clock));
        assert_eq!(
            begun,
            "RESTART|INFO timeout_turn 2500|INFO timeout_match 2500|INFO time_increment 100|\
             INFO game_type 1|INFO rule 1|INFO max_node 0|INFO max_depth 99|INFO thread_num 2"
        );
        let begun = goes(&mut gomocup, game("", clock), "");
        assert_eq!(begun, "INFO time_left 2500|BEGIN");
        let mut wide = game("", SECOND);
        wide.announcement.gomocup = Some(GomocupBoard {
            width: 20,
            height: 15,
            rule: 0,
        });
        assert!(begins(&mut gomocup, &wide).starts_with("RECTSTART 20,15|"));
        assert!(!begins(&mut gomocup, &wide).contains("max_node"));
        assert!(gomocup.option("a b").is_err() && gomocup.option("Folder").is_ok());
        assert!(gomocup.game_options(Announcement::default()).is_err());
    }

    #[test]
    fn what_is_not_understood_is_told_apart() {
        let mut gomocup = Gomocup::default();
        assert_eq!(gomocup.greeted("MESSAGE loading"), Step::More);
        assert_eq!(gomocup.greeted("DEBUG"), Step::More);
        assert_eq!(gomocup.greeted("UNKNOWN command"), Step::Done);
        let game = game("", SECOND);
        begins(&mut gomocup, &game);
        assert_eq!(gomocup.ready("UNKNOWN INFO game_type"), Step::More);
        let error = "ERROR Unsupported board size!";
        assert_eq!(
            gomocup.ready(error),
            Step::Refused(format!("it says: {error}"))
        );
        assert_eq!(gomocup.ready("OK - everything is good"), Step::Done);
        begins(&mut gomocup, &game);
        assert_eq!(gomocup.ready("UNKNOWN command"), Step::Again);
        let mut said = Said::default();
        goes(&mut gomocup, game, "");
        let question = gomocup.answer("SUGGEST 7, 8", &mut said);
        assert_eq!(question, Heard::Question("PLAY 7,8\r\n".to_owned()));
        assert_eq!(gomocup.answer("7,8", &mut said), Heard::Move("7,8"));
        assert!(goes(&mut gomocup, game, " 7,8 9,9").ends_with("|TURN 9,9"));
        for line in [
            "UNKNOWN",
            "ERROR unknown command",
            "DEBUG 1,1",
            "MESSAGE 1,1",
        ] {
            assert_eq!(gomocup.answer(line, &mut said), Heard::Talk, "{line}");
        }
        assert_eq!(gomocup.answer("7.5", &mut said), Heard::Move("7.5"));
        for line in ["ERROR", "ERROR no move"] {
            assert_eq!(
                gomocup.answer(line, &mut said),
                Heard::Talk,
                "not asked: {line}"
            );
            goes(&mut gomocup, game, " 7,8 9,9");
            assert_eq!(gomocup.answer(line, &mut said), Heard::Move(line));
        }
        assert_eq!(said, Said::default());
        gomocup.answer("MESSAGE Depth 9-9 | Eval -M8 | Node 3M", &mut said);
        assert_eq!(said.score, Some(Score::loss_in(8)));
        assert_eq!(said.nodes, Some(3_000_000));
    }
}
