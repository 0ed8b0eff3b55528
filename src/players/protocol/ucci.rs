//! The Universal Chinese Chess Interface, version 3.0, as engines really speak it.
//!
//! - The first word must be `ucci`: some engines go at any other.
//! - `option NAME type …`: no keyword stands before the name, and a `label` cannot be set.
//! - Times are in seconds, rounded down but at least 1, unless the engine offers `usemillisec`,
//!   which is always set then. Fairy-Stockfish 11.1 does not offer it and counts milliseconds:
//!   what declares `UCI_Variant` is a UCI engine by birth, and is told milliseconds, the game's
//!   variant and `ucinewgame`. It is the only kind that may play another game than Xiangqi.
//! - There is no time for one move: it is a clock for one move, `time T movestogo 1`. A bare
//!   `time T` is a move's time to ElephantEye and a whole clock to Fairy-Stockfish. The latter keeps
//!   30 ms of every clock to itself and is told UCI's `movetime T`, which it keeps to.
//! - The mover's clock comes first: `time`, then `opptime`.
//! - Ranks are counted from 0, and a position is that after the last capture with the moves
//!   since then; both are up to the game ([`crate::game::Game::starts_afresh`]).
//! - `info` has depth, score and nodes on lines of their own; the score has no `cp` before it.
//! - `nobestmove` is an answer: there is no move. Offers of a draw and resignations behind a
//!   move are passed over.

use std::fmt::Write;
use std::time::Duration;

use super::options::{DeclaredOption, declare, find};
use super::uci::{LEAST_CLOCK_MS, info, ms, position, uci_game};
use super::{Clocks, GameText, Heard, Protocol, Said, Spend, Step, TurnText};
use crate::game::Announcement;

/// A conversation in UCCI.
#[derive(Debug, Default)]
pub struct Ucci {
    declared: Vec<DeclaredOption>,
    /// Whether times are in milliseconds.
    in_ms: bool,
    /// Whether the engine is one of UCI too.
    speaks_uci: bool,
}

impl Protocol for Ucci {
    fn greeting(&self) -> &'static str {
        "ucci\n"
    }

    fn greeted(&mut self, line: &str) -> Step {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("ucciok") => {
                let declares = |name| find(&self.declared, name).is_ok();
                self.speaks_uci = declares("UCI_Variant");
                self.in_ms = self.speaks_uci || declares("usemillisec");
                return Step::Done;
            }
            Some("option") => {
                if let Err(why) = declare(&mut self.declared, words) {
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
        let option = find(&self.declared, name).ok();
        let name = option.map_or(name, |option| option.name.as_str());
        *out += "setoption ";
        *out += name;
        let is_button = option.is_some_and(DeclaredOption::is_button);
        if !is_button && !value.is_empty() {
            *out += " ";
            *out += value;
        }
        *out += "\n";
    }

    fn game_options(&self, announcement: Announcement) -> Result<Vec<(String, String)>, String> {
        let mut wanted = Vec::new();
        for (name, value) in [("usemillisec", "true"), ("ponder", "false")] {
            if find(&self.declared, name).is_ok() {
                wanted.push((name.to_owned(), value.to_owned()));
            }
        }
        if self.speaks_uci {
            uci_game(&self.declared, announcement, &mut wanted)?;
        } else if announcement.uci_variant != Some("xiangqi") {
            return Err("an engine that speaks UCCI plays xiangqi only".to_owned());
        }
        Ok(wanted)
    }

    fn new_game(&mut self, game: &GameText<'_>, out: &mut String) {
        // Whoever does not know the option passes over it.
        *out += if self.speaks_uci {
            "ucinewgame\n"
        } else {
            "setoption newgame\n"
        };
        position(game, "", out);
        *out += "isready\n";
    }

    fn ready(&mut self, line: &str) -> Step {
        match line.split_whitespace().next() {
            Some("readyok") => Step::Done,
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
        let written = match turn.spend {
            Spend::Time(time) if self.speaks_uci => {
                write!(out, "go movetime {}", self.time(time))
            }
            Spend::Time(time) => write!(out, "go time {} movestogo 1", self.time(time)),
            Spend::Nodes(nodes) => write!(out, "go nodes {nodes}"),
            Spend::Depth(depth) => write!(out, "go depth {depth}"),
            Spend::Clock(clocks) => self.write_clocks(&clocks, out),
        };
        written.expect("a string takes every write");
        *out += "\n";
    }

    fn answer<'l>(&mut self, line: &'l str, said: &mut Said) -> Heard<'l> {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("bestmove") => Heard::Move(words.next().unwrap_or_default()),
            Some(none @ "nobestmove") => Heard::Move(none),
            Some("info") => {
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

impl Ucci {
    /// A time in the engine's unit, at least 1.
    fn time(&self, time: Duration) -> u64 {
        if self.in_ms {
            ms(time).max(LEAST_CLOCK_MS)
        } else {
            time.as_secs().max(1)
        }
    }

    /// An increment in the engine's unit.
    fn increment(&self, time: Duration) -> u64 {
        if self.in_ms { ms(time) } else { time.as_secs() }
    }

    fn write_clocks(&self, clocks: &Clocks, out: &mut String) -> std::fmt::Result {
        let [mover, other] = [clocks.side, clocks.side.other()].map(|side| side.index());
        write!(out, "go time {}", self.time(clocks.left[mover]))?;
        match clocks.moves_to_go {
            Some(moves) => write!(out, " movestogo {moves}")?,
            None => write!(
                out,
                " increment {}",
                self.increment(clocks.increment[mover])
            )?,
        }
        write!(out, " opptime {}", self.time(clocks.left[other]))?;
        match clocks.moves_to_go {
            // When the other side gets its time is not known here.
            Some(_) => Ok(()),
            None => write!(
                out,
                " oppincrement {}",
                self.increment(clocks.increment[other])
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Side;
    use crate::search::Score;

    /// Fairy-Stockfish 11.1 (Debian), asked for chess and a position of Xiangqi.
    const FAIRY: &str = include_str!("transcripts/fairy-stockfish-11.1.ucci");
    /// Answers of ElephantEye, put together.
    const ELEPHANT_EYE: &str = include_str!("transcripts/elephanteye.ucci");

    const XIANGQI: Announcement = Announcement {
        uci_variant: Some("xiangqi"),
        chess960: false,
        gomocup: None,
    };

    fn greeted(transcript: &str) -> (Ucci, impl Iterator<Item = &str>) {
        let mut lines = transcript.lines().filter(|line| !line.starts_with('#'));
        let mut ucci = Ucci::default();
        assert!(lines.any(|line| ucci.greeted(line) == Step::Done));
        (ucci, lines)
    }

    /// A move, and the depth, nodes and score that were said before it.
    type Answered<'t> = (&'t str, Option<u32>, Option<u64>, Option<i32>);

    /// Every move of the rest.
    fn answers<'t>(ucci: &mut Ucci, lines: impl Iterator<Item = &'t str>) -> Vec<Answered<'t>> {
        let mut said = Said::default();
        let mut found = Vec::new();
        for line in lines {
            if let Heard::Move(mv) = ucci.answer(line, &mut said) {
                let Said {
                    depth,
                    nodes,
                    score,
                } = std::mem::take(&mut said);
                found.push((mv, depth, nodes, score.map(|score| score.0)));
            }
        }
        found
    }

    fn text(ucci: &mut Ucci, moves: &str, spend: Spend) -> String {
        let game = GameText {
            start: "4k4/9/9 w",
            is_default_start: moves.is_empty(),
            announcement: XIANGQI,
            spend,
        };
        let mut out = String::new();
        ucci.go(&TurnText { game, moves, spend }, false, &mut out);
        out
    }

    #[test]
    fn elephant_eye_is_understood() {
        let (mut ucci, mut lines) = greeted(ELEPHANT_EYE);
        let names: Vec<&str> = ucci.declared().iter().map(|option| &*option.name).collect();
        assert_eq!(
            names,
            ["usemillisec", "ponder", "hashsize", "style", "newgame"]
        );
        assert_eq!(
            ucci.game_options(XIANGQI),
            Ok(vec![
                ("usemillisec".to_owned(), "true".to_owned()),
                ("ponder".to_owned(), "false".to_owned())
            ])
        );
        let refused = ucci.game_options(Announcement::default());
        assert_eq!(
            refused,
            Err("an engine that speaks UCCI plays xiangqi only".to_owned())
        );
        let mut out = String::new();
        ucci.set_option("HashSize", "32", &mut out);
        ucci.set_option("newgame", "true", &mut out);
        assert_eq!(out, "setoption hashsize 32\nsetoption newgame\n");
        assert!(lines.any(|line| ucci.ready(line) == Step::Done));
        assert_eq!(
            answers(&mut ucci, lines),
            [
                ("g3g4", Some(6), Some(77_803), Some(3)),
                ("nobestmove", None, None, None)
            ]
        );
    }

    #[test]
    fn fairy_stockfish_is_a_uci_engine_at_heart() {
        let (mut ucci, mut lines) = greeted(FAIRY);
        assert!(find(ucci.declared(), "Clear_Hash").is_ok_and(DeclaredOption::is_button));
        let chess = ucci.game_options(Announcement::default());
        assert_eq!(
            chess,
            Ok([
                ("ponder", "false"),
                ("UCI_Chess960", "false"),
                ("UCI_Variant", "chess")
            ]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .to_vec())
        );
        assert!(ucci.game_options(XIANGQI).is_ok());
        assert!(lines.any(|line| ucci.ready(line) == Step::Done));
        assert_eq!(
            answers(&mut ucci, lines),
            [
                ("b0c2", Some(4), Some(453), Some(212)),
                ("h0g2", Some(9), Some(20_576), Some(242)),
                ("d7d5", Some(7), Some(1702), Some(-5)),
                ("(none)", Some(0), None, Some(0))
            ]
        );
        let time = Spend::Time(Duration::from_millis(300));
        assert!(text(&mut ucci, "", time).ends_with("\ngo movetime 300\n"));
    }

    #[test]
    fn times_are_in_the_engines_unit() {
        let clocks = |moves_to_go| {
            Spend::Clock(Clocks {
                side: Side::Second,
                left: [Duration::from_millis(1500), Duration::from_millis(2999)],
                increment: [Duration::from_millis(100), Duration::from_millis(1100)],
                moves_to_go,
            })
        };
        let (mut seconds, _) = greeted("ucciok");
        let (mut ms, _) = greeted("option usemillisec type check\nucciok");
        let short = Spend::Time(Duration::from_micros(300));
        let cases = [
            (short, "time 1 movestogo 1", "time 1 movestogo 1"),
            (
                Spend::Time(Duration::from_millis(1999)),
                "time 1 movestogo 1",
                "time 1999 movestogo 1",
            ),
            (
                clocks(None),
                "time 2 increment 1 opptime 1 oppincrement 0",
                "time 2999 increment 1100 opptime 1500 oppincrement 100",
            ),
            (
                clocks(Some(7)),
                "time 2 movestogo 7 opptime 1",
                "time 2999 movestogo 7 opptime 1500",
            ),
            (Spend::Nodes(9), "nodes 9", "nodes 9"),
            (Spend::Depth(3), "depth 3", "depth 3"),
        ];
        for (spend, in_seconds, in_ms) in cases {
            let moves = " h2e2 h9g7";
            let position = "position fen 4k4/9/9 w moves h2e2 h9g7\n";
            assert_eq!(
                text(&mut seconds, moves, spend),
                format!("{position}go {in_seconds}\n")
            );
            assert_eq!(
                text(&mut ms, moves, spend),
                format!("{position}go {in_ms}\n")
            );
        }
        assert_eq!(
            text(&mut ms, "", Spend::Depth(1)),
            "position startpos\ngo depth 1\n"
        );
    }

    #[test]
    fn scores_have_no_unit() {
        let (mut ucci, _) = greeted("ucciok");
        let mut said = Said::default();
        for line in [
            "info time 31 nodes 77803",
            "info depth 6 score -250 pv g3g4 h7h1",
            "info message score 7 nodes 1",
        ] {
            assert_eq!(ucci.answer(line, &mut said), Heard::Talk);
        }
        let expected = Said {
            depth: Some(6),
            nodes: Some(77_803),
            score: Some(Score(-250)),
        };
        assert_eq!(said, expected);
        let resigns = ucci.answer("bestmove g3g4 resign", &mut said);
        assert_eq!(resigns, Heard::Move("g3g4"));
    }
}
