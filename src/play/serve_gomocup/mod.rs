//! A built-in engine that speaks Gomocup's protocol, as a manager or another agon asks it.
//!
//! `START`, `RESTART`, `BEGIN`, `TURN`, `BOARD`, `TAKEBACK`, `INFO`, `ABOUT` and `END` are
//! understood, `RECTSTART` if the board is a square. What is wrong is answered with `ERROR`, what
//! is unknown with `UNKNOWN`, and neither changes anything. `INFO` is never answered; beside the
//! protocol's own keys it takes `max_node`, `max_depth`, `time_increment`, `seed` and the
//! engine's declared parameters by name. Before each move comes a `MESSAGE` of its search.

mod game;
mod info;

use std::io::{self, BufRead};
use std::sync::Arc;
use std::thread;

use game::{Play, Stones};
use info::Info;

use super::own::Own;
use super::serve::{Output, say, sensible, to_search};
use crate::game::{Dialect, GomocupBoard, TwoPlayer};
use crate::params::ParameterValues;
use crate::search::{
    Control, Score, Search, SearchKind, SearchLimits, SearchReport, SearchSpec, StopFlag,
};

/// A search that runs on a thread of its own, and gives itself and its move back.
struct Running<G: TwoPlayer> {
    stop: Arc<StopFlag>,
    thread: thread::JoinHandle<(Box<dyn Search<G>>, G::Move)>,
}

/// The engine as the commands have set it.
struct Server<'a, G: TwoPlayer> {
    own: &'a Own<G>,
    /// The board of the command line's rules, until `INFO rule` and `START` say otherwise.
    board: GomocupBoard,
    info: Info,
    parameters: ParameterValues,
    evaluation: ParameterValues,
    seed: u64,
    search: Option<Box<dyn Search<G>>>,
    /// `None` before `START`.
    play: Option<Play<G>>,
    /// The lines of a `BOARD` that is not yet `DONE`.
    stones: Option<Stones>,
    running: Option<Running<G>>,
    output: Output,
}

/// Speaks Gomocup until `END` or the end of `input`. `board` is that of the rules.
///
/// # Errors
/// When `input` cannot be read. A reader of `output` that has left ends it without an error.
pub(super) fn serve<G: TwoPlayer>(
    board: GomocupBoard,
    own: &Own<G>,
    input: &mut dyn BufRead,
    output: Output,
) -> io::Result<()> {
    let mut server = Server {
        own,
        board,
        info: Info::default(),
        parameters: ParameterValues::defaults(&own.declared_search()),
        evaluation: ParameterValues::defaults(&own.declared_evaluation()),
        seed: 1,
        search: None,
        play: None,
        stones: None,
        running: None,
        output,
    };
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let ended = input.read_until(b'\n', &mut bytes)? == 0;
        let line = String::from_utf8_lossy(&bytes);
        let line = line.trim();
        if ended || line.eq_ignore_ascii_case("END") {
            server.finish(true);
            return Ok(());
        }
        if !line.is_empty() {
            // A search is not disturbed: its answer comes first.
            server.finish(false);
            server.command(line);
        }
    }
}

/// Text of others that can be said in a line.
fn printable(text: &str) -> String {
    text.chars().take(80).flat_map(char::escape_debug).collect()
}

impl<G: TwoPlayer> Server<'_, G> {
    fn say(&self, line: &str) {
        say(&self.output, line);
    }

    /// Says `OK`, or what is wrong.
    fn done(&self, result: Result<(), String>) {
        match result {
            Ok(()) => self.say("OK"),
            Err(wrong) => self.say(&format!("ERROR {wrong}")),
        }
    }

    /// Waits for the search in play, told to stop or not, and plays its move.
    fn finish(&mut self, stop: bool) {
        let Some(running) = self.running.take() else {
            return;
        };
        if stop {
            running.stop.stop();
        }
        // A search that panicked is built anew, and has left no move.
        if let Ok((search, mv)) = running.thread.join() {
            self.search = Some(search);
            if let Some(play) = &mut self.play {
                play.push(mv);
            }
        }
    }

    fn command(&mut self, line: &str) {
        let (word, rest) = line
            .split_once(char::is_whitespace)
            .map_or((line, ""), |(word, rest)| (word, rest.trim()));
        let word = word.to_ascii_uppercase();
        if let Some(stones) = &mut self.stones {
            if word != "DONE" {
                stones.add(line);
                return;
            }
            let stones = self.stones.take().unwrap_or_default();
            let set = self.set(&stones);
            return self.answer(set);
        }
        match word.as_str() {
            "START" => {
                let started = self.start(rest, rest);
                self.done(started);
            }
            "RECTSTART" => {
                let started = match rest.split_once(',') {
                    Some((width, height)) => self.start(width.trim(), height.trim()),
                    None => Err("expected `RECTSTART width,height`".to_owned()),
                };
                self.done(started);
            }
            "RESTART" => {
                let begun = self.begin();
                self.done(begun);
            }
            "BEGIN" => {
                let set = self.set(&Stones::default());
                self.answer(set);
            }
            "TURN" => {
                let taken = self.turn(rest);
                self.answer(taken);
            }
            "BOARD" => self.stones = Some(Stones::default()),
            "TAKEBACK" => {
                let taken = self.take_back(rest);
                self.done(taken);
            }
            "INFO" => self.inform(rest),
            "ABOUT" => self.say(&format!(
                "name=\"agon {}\", version=\"{}\", author=\"the agon authors\"",
                G::NAME,
                env!("CARGO_PKG_VERSION")
            )),
            _ => self.say(&format!("UNKNOWN {}", printable(line))),
        }
    }

    /// The rules as they were told so far.
    fn rules(&self) -> Result<G::Rules, String> {
        let rules = G::gomocup_rules(self.board)?;
        G::check_rules(&rules)?;
        Ok(rules)
    }

    fn start(&mut self, width: &str, height: &str) -> Result<(), String> {
        let side = |text: &str| {
            let number: Result<u32, _> = text.parse();
            number.map_err(|_| format!("`{}` is no size of a board", printable(text)))
        };
        let board = GomocupBoard {
            width: side(width)?,
            height: side(height)?,
            ..self.board
        };
        // The rule comes by `INFO`, mostly after this: the size alone is looked at.
        let rules = G::gomocup_rules(GomocupBoard { rule: 0, ..board })?;
        G::check_rules(&rules)?;
        self.board = board;
        self.play = Some(Play::new(&rules));
        self.new_game();
        Ok(())
    }

    /// A new game on the same board.
    fn begin(&mut self) -> Result<(), String> {
        if self.play.is_none() {
            return Err("there was no START".to_owned());
        }
        self.play = Some(Play::new(&self.rules()?));
        self.new_game();
        Ok(())
    }

    fn new_game(&mut self) {
        let seed = self.seed;
        if let Some(search) = &mut self.search {
            search.new_game(seed);
        }
    }

    /// Sets stones on the empty board.
    fn set(&mut self, stones: &Stones) -> Result<(), String> {
        if self.play.is_none() {
            return Err("there was no START".to_owned());
        }
        let mut play = Play::new(&self.rules()?);
        for mv in stones.moves()? {
            play.take(mv)?;
        }
        self.play = Some(play);
        Ok(())
    }

    /// The opponent's move.
    fn turn(&mut self, text: &str) -> Result<(), String> {
        let rules = self.rules()?;
        let play = self.play.as_mut().ok_or("there was no START")?;
        if play.history.plies() == 0 {
            // The rule may have come after `START`.
            *play = Play::new(&rules);
        }
        play.take(text)
    }

    fn take_back(&mut self, text: &str) -> Result<(), String> {
        let play = self.play.as_mut().ok_or("there was no START")?;
        play.take_back(text)
    }

    fn inform(&mut self, text: &str) {
        let Some((key, value)) = text.split_once(char::is_whitespace) else {
            return;
        };
        let (key, value) = (key.to_ascii_lowercase(), value.trim());
        if self.info.set(&key, value) {
            return;
        }
        let number: Option<u64> = value.parse().ok();
        match key.as_str() {
            "rule" => {
                if let Some(rule) = number.and_then(|rule| u32::try_from(rule).ok()) {
                    self.board.rule = rule;
                }
            }
            "max_memory" => {
                if let Some(bytes) = number.filter(|bytes| *bytes > 0) {
                    // Half of it is the table's.
                    let megabytes = (bytes / 2 / (1 << 20)).clamp(1, 4096);
                    let megabytes = u16::try_from(megabytes).unwrap_or(u16::MAX);
                    self.set_parameter("hash_mb", megabytes.into());
                }
            }
            "seed" => {
                if let Some(seed) = number {
                    self.seed = seed;
                    self.search = None;
                }
            }
            _ => {
                let value = match value {
                    "true" => Some(1.0),
                    "false" => Some(0.0),
                    text => text.parse().ok(),
                };
                if let Some(value) = value {
                    self.set_parameter(&key, value);
                }
            }
        }
    }

    /// Sets a parameter, if there is one of this name that may have this value.
    fn set_parameter(&mut self, name: &str, value: f64) {
        let declared = [self.own.declared_search(), self.own.declared_evaluation()];
        let values = [&mut self.parameters, &mut self.evaluation];
        for (declared, values) in declared.iter().zip(values) {
            let before = values.clone();
            if values.set(declared, name, value).is_ok() && *values != before {
                self.search = None;
            }
        }
    }

    /// Searches the answer, if all went well.
    fn answer(&mut self, taken: Result<(), String>) {
        let limits = self.info.limits();
        match taken.and_then(|()| self.go(limits)) {
            Ok(running) => self.running = Some(running),
            Err(wrong) => self.say(&format!("ERROR {wrong}")),
        }
    }

    fn go(&mut self, limits: SearchLimits) -> Result<Running<G>, String> {
        let play = self.play.as_ref().ok_or("there was no START")?;
        if play.is_over() {
            return Err("the game is over".to_owned());
        }
        let (position, history) = to_search(&play.position, &play.history);
        let mut search = self.search.take().unwrap_or_else(|| {
            let mut search = self.own.build(&SearchSpec {
                kind: SearchKind::AlphaBeta,
                parameters: self.parameters.clone(),
                evaluation: self.evaluation.clone(),
            });
            search.new_game(self.seed);
            search
        });
        let stop = Arc::new(StopFlag::new());
        let (flag, output) = (stop.clone(), self.output.clone());
        let thread = thread::spawn(move || {
            let mut control = Control::new(sensible(limits), &flag);
            let report = search.search(&position, &history, &mut control);
            say(&output, &reply(&position, &report));
            (search, report.mv)
        });
        Ok(Running { stop, thread })
    }
}

/// The move, after a line of how it was found.
fn reply<G: TwoPlayer>(position: &G, report: &SearchReport<G::Move>) -> String {
    let mv = position.spell_move(report.mv, Dialect::Gomocup);
    let Some(score) = report.score.filter(|_| report.searched) else {
        return mv;
    };
    let eval = match score {
        Score(score) if score >= Score::PROVEN.0 => format!("+M{}", Score::WIN.0 - score),
        Score(score) if score <= -Score::PROVEN.0 => format!("-M{}", Score::WIN.0 + score),
        Score(score) => score.to_string(),
    };
    let (depth, nodes) = (report.depth, report.nodes);
    let moves = report.pv.len();
    format!("MESSAGE Depth {depth}-{moves} | Eval {eval} | Node {nodes}\n{mv}")
}
