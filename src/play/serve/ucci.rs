//! UCCI 3.0 in place of UCI: ranks from 0, options without keywords, moves that are banned.
//!
//! Times are in seconds until `usemillisec` is set. `time T movestogo 1` is one move's time; a bare
//! `time T` is all that is left, so that nothing is overstepped whichever is meant. An offer of a
//! draw is passed over.

use std::fmt::Write;
use std::time::{Duration, Instant};

use super::{HASH, Output, Server, say};
use crate::game::{Dialect, Game, TwoPlayer};
use crate::params::{Parameter, ParameterKind};
use crate::play::game_loop::share;
use crate::search::{SearchLimits, SearchReport, TimeLimit};

/// What UCCI adds to an engine's state.
pub(super) struct Ucci<G: Game> {
    /// Whether times are in milliseconds.
    in_ms: bool,
    /// The moves that must not be made in this position.
    pub(super) banned: Vec<G::Move>,
}

/// The only game of UCCI.
const GAME: &str = "xiangqi";

/// The answer where no move can be made.
pub(super) const NO_MOVE: &str = "nobestmove";

impl<G: TwoPlayer> Server<'_, G> {
    /// Speaks UCCI from here on, where the game is its own.
    pub(super) fn greet_ucci(&mut self) {
        if G::announcement(self.rules).uci_variant != Some(GAME) {
            return;
        }
        self.ucci = Some(Ucci {
            in_ms: false,
            banned: Vec::new(),
        });
        let version = env!("CARGO_PKG_VERSION");
        let mut text = format!(
            "id name agon {version} {GAME}\nid author the agon authors\n\
             option usemillisec type check default false\noption newgame type button\n\
             option seed type spin min 0 max 9007199254740991 default 1\n"
        );
        let search = self.own.declared_search();
        let hash = search.iter().filter(|parameter| parameter.name == HASH);
        for parameter in hash {
            text += &declaration("hashsize", parameter);
        }
        for parameter in self.parameters() {
            text += &declaration(&parameter.name, &parameter);
        }
        self.say(&(text + "ucciok"));
    }

    /// `NAME` or `NAME VALUE`.
    pub(super) fn set_ucci_option(&mut self, words: &[&str]) {
        let Some((name, value)) = words.split_first() else {
            return;
        };
        let value = value.join(" ");
        match name.to_ascii_lowercase().as_str() {
            "newgame" => self.new_game(),
            "usemillisec" => {
                if let Some(ucci) = &mut self.ucci {
                    ucci.in_ms = value == "true";
                }
            }
            "hashsize" => self.set(HASH, &value),
            _ => self.set(name, &value),
        }
    }

    /// `banmoves MOVE …`: holds until the next `position`.
    pub(super) fn ban(&mut self, words: &[&str]) {
        let mut banned = Vec::new();
        for text in words {
            match self.position.parse_spelled(text, Dialect::Ucci) {
                Ok(mv) => banned.push(mv),
                Err(error) => self.say(&format!("info string not banned: {error}")),
            }
        }
        if let Some(ucci) = &mut self.ucci {
            ucci.banned = banned;
        }
    }
}

fn declaration(name: &str, parameter: &Parameter) -> String {
    let Parameter {
        default, min, max, ..
    } = parameter;
    match parameter.kind {
        ParameterKind::Switch => {
            format!("option {name} type check default {}\n", *default != 0.0)
        }
        ParameterKind::Integer => {
            format!("option {name} type spin min {min} max {max} default {default}\n")
        }
        ParameterKind::Real => format!("option {name} type string default {default}\n"),
    }
}

impl<G: Game> Ucci<G> {
    /// `depth N`, `nodes N`, `time T [movestogo N | increment T]`, with words between that do not
    /// matter here.
    pub(super) fn limits(&self, words: &[&str]) -> SearchLimits {
        let start = Instant::now();
        let number = |name: &str| -> Option<u64> {
            let at = words.iter().position(|word| *word == name)?;
            words.get(at + 1)?.parse().ok()
        };
        let time = |name: &str| {
            let number = number(name)?;
            Some(match self.in_ms {
                true => Duration::from_millis(number),
                false => Duration::from_secs(number.min(u64::MAX / 1000)),
            })
        };
        let small = |name: &str| number(name).and_then(|number| u32::try_from(number).ok());
        let span = time("time").map(|left| match small("movestogo") {
            Some(1) => left,
            moves => share(left, time("increment").unwrap_or_default(), moves),
        });
        let deadline = span.and_then(|span| start.checked_add(span));
        SearchLimits {
            nodes: number("nodes").unwrap_or(u64::MAX),
            depth: small("depth").unwrap_or(u32::MAX),
            time: deadline.map(|deadline| TimeLimit { start, deadline }),
        }
    }
}

/// Tells a search's result: what was searched in two lines of `info`, and the move.
pub(super) fn answer<G: TwoPlayer>(
    output: &Output,
    position: &G,
    report: &SearchReport<G::Move>,
    time: Duration,
) {
    let mut text = String::new();
    if report.searched {
        let (ms, nodes) = (time.as_millis(), report.nodes);
        text += &format!("info time {ms} nodes {nodes}\ninfo depth {}", report.depth);
        if let Some(score) = report.score {
            write!(text, " score {}", score.0).expect("a string takes every write");
        }
        text += " pv";
        let mut line = position.clone();
        for mv in &report.pv {
            text += " ";
            text += &line.spell_move(*mv, Dialect::Ucci);
            line.play(*mv);
        }
        text += "\n";
    }
    text += "bestmove ";
    text += &position.spell_move(report.mv, Dialect::Ucci);
    say(output, &text);
}
