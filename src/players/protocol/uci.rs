//! The Universal Chess Interface, of April 2006, as engines really speak it.

use std::time::Duration;

use super::options::{DeclaredOption, OptionKind, declare};
use super::{Clocks, GameText, Heard, Protocol, Said, Spend, Step, TurnText};
use crate::game::{Announcement, Side};
use crate::search::Score;

/// A conversation in UCI.
#[derive(Debug, Default)]
pub struct Uci {
    declared: Vec<DeclaredOption>,
}

/// The commands of an engine; words before the first of them are passed over, as the protocol
/// asks.
const COMMANDS: [&str; 8] = [
    "id",
    "uciok",
    "readyok",
    "bestmove",
    "copyprotection",
    "registration",
    "info",
    "option",
];

/// What is never sent: less than this on a clock makes some engines stop for good.
pub(super) const LEAST_CLOCK_MS: u64 = 1;

/// The command of a line and the words after it.
fn command(line: &str) -> Option<(&str, std::str::SplitWhitespace<'_>)> {
    let mut words = line.split_whitespace();
    let command = words.find(|word| COMMANDS.contains(word))?;
    Some((command, words))
}

impl Protocol for Uci {
    fn greeting(&self) -> &'static str {
        "uci\n"
    }

    fn greeted(&mut self, line: &str) -> Step {
        match command(line) {
            Some(("uciok", _)) => return Step::Done,
            Some(("option", mut words)) => {
                if words.next() == Some("name")
                    && let Err(why) = declare(&mut self.declared, words)
                {
                    return Step::Refused(why);
                }
            }
            _ => {}
        }
        Step::More
    }

    fn declared(&self) -> &[DeclaredOption] {
        &self.declared
    }

    fn set_option(&mut self, name: &str, value: &str, out: &mut String) {
        let option = super::options::find(&self.declared, name).ok();
        let name = option.map_or(name, |option| option.name.as_str());
        *out += "setoption name ";
        *out += name;
        let value = match option.map(|option| &option.kind) {
            Some(OptionKind::Button) => None,
            Some(OptionKind::Text) if value.is_empty() => Some("<empty>"),
            _ => Some(value),
        };
        if let Some(value) = value {
            *out += " value ";
            *out += value;
        }
        *out += "\n";
    }

    fn game_options(&self, announcement: Announcement) -> Result<Vec<(String, String)>, String> {
        let mut wanted = Vec::new();
        for name in ["Ponder", "OwnBook", "UCI_AnalyseMode"] {
            if super::options::find(&self.declared, name).is_ok() {
                wanted.push((name.to_owned(), "false".to_owned()));
            }
        }
        uci_game(&self.declared, announcement, &mut wanted)?;
        Ok(wanted)
    }

    fn new_game(&mut self, game: &GameText<'_>, out: &mut String) {
        *out += "ucinewgame\n";
        position(game, "", out);
        *out += "isready\n";
    }

    fn ready(&mut self, line: &str) -> Step {
        match command(line) {
            Some(("readyok", _)) => Step::Done,
            _ => Step::More,
        }
    }

    fn position(&mut self, turn: &TurnText<'_>, out: &mut String) -> bool {
        position(&turn.game, turn.moves, out);
        *out += "isready\n";
        true
    }

    fn go(&mut self, turn: &TurnText<'_>, told: bool, out: &mut String) {
        if !told {
            position(&turn.game, turn.moves, out);
        }
        *out += "go";
        match turn.spend {
            Spend::Time(time) => write_figure(out, "movetime", ms(time).max(LEAST_CLOCK_MS)),
            Spend::Nodes(nodes) => write_figure(out, "nodes", nodes),
            Spend::Depth(depth) => write_figure(out, "depth", depth),
            Spend::Clock(clocks) => write_clocks(&clocks, out),
        }
        *out += "\n";
    }

    fn answer<'l>(&mut self, line: &'l str, said: &mut Said) -> Heard<'l> {
        match command(line) {
            Some(("bestmove", mut words)) => Heard::Move(words.next().unwrap_or_default()),
            Some(("info", words)) => {
                info(words, said);
                Heard::Talk
            }
            _ => Heard::Talk,
        }
    }

    fn farewell(&self) -> &'static str {
        "quit\n"
    }
}

/// Adds `UCI_Chess960` and `UCI_Variant` for the game, where they are declared.
///
/// # Errors
/// Why the engine cannot play it.
pub(super) fn uci_game(
    declared: &[DeclaredOption],
    announcement: Announcement,
    wanted: &mut Vec<(String, String)>,
) -> Result<(), String> {
    let chess960 = super::options::find(declared, "UCI_Chess960").is_ok();
    if announcement.chess960 && !chess960 {
        return Err("it does not declare UCI_Chess960, so it cannot play chess960".to_owned());
    }
    if chess960 {
        let value = announcement.chess960.to_string();
        wanted.push(("UCI_Chess960".to_owned(), value));
    }
    let offered = super::options::find(declared, "UCI_Variant").ok();
    let variant = announcement.uci_variant;
    match (variant, offered.map(|option| &option.kind)) {
        // A program for one game needs no such option.
        (_, None) => {}
        (None, Some(OptionKind::Combo(games))) if !games.iter().any(|game| game == "chess") => {}
        (variant, Some(kind)) => {
            let variant = variant.unwrap_or("chess");
            if let OptionKind::Combo(games) = kind
                && !games.iter().any(|game| game == variant)
            {
                return Err(format!(
                    "it does not play `{variant}`; its UCI_Variant offers {}",
                    games.join(", ")
                ));
            }
            wanted.push(("UCI_Variant".to_owned(), variant.to_owned()));
        }
    }
    Ok(())
}

pub(super) fn position(game: &GameText<'_>, moves: &str, out: &mut String) {
    if game.is_default_start {
        *out += "position startpos";
    } else {
        *out += "position fen ";
        *out += game.start;
    }
    if !moves.is_empty() {
        *out += " moves";
        *out += moves;
    }
    *out += "\n";
}

/// Whole milliseconds.
pub(super) fn ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Adds a word and its number. Every move passes here: the general formatter is avoided.
fn write_figure(out: &mut String, name: &str, number: impl itoa::Integer) {
    out.push(' ');
    *out += name;
    out.push(' ');
    *out += itoa::Buffer::new().format(number);
}

fn write_clocks(clocks: &Clocks, out: &mut String) {
    let [white, black] = Side::BOTH.map(|side| side.index());
    let left = clocks.left.map(|left| ms(left).max(LEAST_CLOCK_MS));
    write_figure(out, "wtime", left[white]);
    write_figure(out, "btime", left[black]);
    if clocks.increment.iter().any(|added| !added.is_zero()) {
        write_figure(out, "winc", ms(clocks.increment[white]));
        write_figure(out, "binc", ms(clocks.increment[black]));
    }
    if let Some(moves) = clocks.moves_to_go {
        write_figure(out, "movestogo", moves);
    }
}

/// Keeps the last value of what is known; the rest of a `string` is text, and the moves of a
/// `pv` are passed over. Lines of other than the first `multipv` do not count, nor do bounds.
pub(super) fn info(words: std::str::SplitWhitespace<'_>, said: &mut Said) {
    let mut words = words.peekable();
    let mut found = Said::default();
    while let Some(word) = words.next() {
        match word {
            "depth" => found.depth = words.peek().and_then(|word| word.parse().ok()),
            "nodes" => found.nodes = words.peek().and_then(|word| word.parse().ok()),
            "multipv" if words.peek().is_some_and(|word| *word != "1") => return,
            "score" => {
                let kind = words.next();
                if let Some(value) = kind.and_then(number) {
                    // As UCCI writes it.
                    found.score = Some(Score::heuristic(f64::from(value) / 100.0));
                    continue;
                }
                let value = words.peek().and_then(|word| number(word));
                found.score = match (kind, value) {
                    (Some("cp"), Some(value)) => Some(Score::heuristic(f64::from(value) / 100.0)),
                    (Some("mate"), Some(moves)) => Some(mate(moves)),
                    _ => None,
                };
            }
            "lowerbound" | "upperbound" => found.score = None,
            "string" | "message" | "popup" => break,
            _ => {}
        }
    }
    said.depth = found.depth.or(said.depth);
    said.nodes = found.nodes.or(said.nodes);
    said.score = found.score.or(said.score);
}

/// A number, with the plus sign that some engines write.
fn number(word: &str) -> Option<i32> {
    word.strip_prefix('+').unwrap_or(word).parse().ok()
}

/// Mate in so many of the winner's moves; negative: the mover is mated.
fn mate(moves: i32) -> Score {
    let moves = i64::from(moves);
    let plies = u32::try_from(if moves > 0 { 2 * moves - 1 } else { -2 * moves });
    let plies = plies.unwrap_or(u32::MAX);
    if moves > 0 {
        Score::win_in(plies)
    } else {
        Score::loss_in(plies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn greeted(lines: &str) -> (Uci, bool) {
        let mut uci = Uci::default();
        let done = lines.lines().any(|line| uci.greeted(line) == Step::Done);
        (uci, done)
    }

    #[test]
    fn options_of_every_type_are_read_with_blanks_in_names_and_values() {
        let (mut uci, done) = greeted(
            "Engine 1.0 by someone\n\nid name Engine\njoho option name Clear  Hash type button\n\
             option name Mobility (Middle Game) type spin default -5 min -100 max 100\n\
             option name Style type combo default Very Solid var Very Solid var Risky\n\
             option name Log File type string default <empty>\n\
             option name Ponder type check default true\noption name  type check\noption\n  uciok ",
        );
        assert!(done);
        let shown: Vec<String> = uci
            .declared()
            .iter()
            .map(|option| format!("{}|{:?}|{:?}", option.name, option.kind, option.default))
            .collect();
        assert_eq!(
            shown,
            [
                "Clear Hash|Button|None",
                "Mobility (Middle Game)|Spin { min: -100, max: 100 }|Some(\"-5\")",
                "Style|Combo([\"Very Solid\", \"Risky\"])|Some(\"Very Solid\")",
                "Log File|Text|Some(\"\")",
                "Ponder|Check|Some(\"true\")",
            ]
        );
        let mut sent = String::new();
        uci.set_option("clear hash", "true", &mut sent);
        uci.set_option("Log File", "", &mut sent);
        uci.set_option("style", "Risky", &mut sent);
        assert_eq!(
            sent,
            "setoption name Clear Hash\nsetoption name Log File value <empty>\n\
             setoption name Style value Risky\n"
        );
    }

    #[test]
    fn the_last_value_of_each_figure_counts_whatever_the_order_of_the_lines() {
        // Cut from GNU Chess, Blunders, Sunfish and Toga.
        let cases = [
            (
                "info depth 4 score cp +42 time 0 nodes 34\ninfo time 53 nodes 50000 nps 0\n\
                 info hashfull 7\nbestmove g1f3 ponder b8c6",
                (Some(4), Some(50_000), Some(42), "g1f3"),
            ),
            (
                "info depth 3 score cp 30 nodes 9\ninfo depth 4 nodes 20 score cp 42 upperbound\n\
                 bestmove e2e4",
                (Some(4), Some(20), Some(30), "e2e4"),
            ),
            (
                "info multipv 2 depth 9 score cp 1 nodes 1\ninfo string depth 99 nodes 1\n\
                 joho info  depth  1 \t score  mate  -2  nodes 1 pv a1a2 string nodes 7\n\
                 joho bestmove \t e7e8q   ponder   0000 ",
                (Some(1), Some(1), Some(-32_000 + 4), "e7e8q"),
            ),
            ("bestmove", (None, None, None, "")),
            (
                "info depth x nodes -3 score\nbestmove (none)",
                (None, None, None, "(none)"),
            ),
        ];
        for (lines, (depth, nodes, score, mv)) in cases {
            let (mut uci, mut said) = (Uci::default(), Said::default());
            let answers = lines.lines().map(|line| uci.answer(line, &mut said));
            assert_eq!(answers.last(), Some(Heard::Move(mv)), "{lines}");
            let score = score.map(Score);
            assert_eq!(
                said,
                Said {
                    depth,
                    nodes,
                    score
                },
                "{lines}"
            );
        }
    }

    #[test]
    fn a_turn_is_a_position_and_a_go_in_one_text() {
        let game = GameText {
            start: "8/8 w",
            is_default_start: true,
            announcement: Announcement::default(),
            spend: Spend::Depth(3),
        };
        let clocks = Clocks {
            side: Side::Second,
            left: [Duration::from_millis(1500), Duration::from_micros(300)],
            increment: [Duration::ZERO; 2],
            moves_to_go: Some(7),
        };
        let text = |game: GameText<'_>, moves: &str, spend: Spend| {
            let mut out = String::new();
            Uci::default().go(&TurnText { game, moves, spend }, false, &mut out);
            out
        };
        assert_eq!(
            text(game, " e2e4 e7e5", Spend::Time(Duration::from_millis(10))),
            "position startpos moves e2e4 e7e5\ngo movetime 10\n"
        );
        let other = GameText {
            is_default_start: false,
            ..game
        };
        assert_eq!(
            text(other, "", Spend::Nodes(9)),
            "position fen 8/8 w\ngo nodes 9\n"
        );
        // B27: what is left is never sent as less than a millisecond.
        assert_eq!(
            text(game, "", Spend::Clock(clocks)),
            "position startpos\ngo wtime 1500 btime 1 movestogo 7\n"
        );
    }
}
