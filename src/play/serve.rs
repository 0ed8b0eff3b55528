//! A built-in engine on the other side of the table: it speaks UCI, or UCCI if the first word is
//! `ucci`, so that any program, an archived agon among them, can play against it.

mod ucci;

use std::io::{self, BufRead, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::game_loop::share;
use super::own::Own;
use crate::game::{Dialect, Game, History, NotationError, Side, TwoPlayer};
use crate::openings::replay_on;
use crate::params::{Parameter, ParameterKind, ParameterValues};
use crate::search::{
    Control, Score, Search, SearchKind, SearchLimits, SearchReport, SearchSpec, StopFlag, TimeLimit,
};

/// Where lines go: each is written whole and flushed, whoever writes it.
pub(super) type Output = Arc<Mutex<dyn Write + Send>>;

/// The engine as the commands have set it.
struct Server<'a, G: Game> {
    rules: &'a G::Rules,
    own: &'a Own<G>,
    parameters: ParameterValues,
    evaluation: ParameterValues,
    seed: u64,
    /// Built when it is first needed, and again after an option has changed.
    search: Option<Box<dyn Search<G>>>,
    position: G,
    history: History<G>,
    /// Whether the last position was refused: no move is made in another one.
    refused: bool,
    /// Where UCCI is spoken, not UCI.
    ucci: Option<ucci::Ucci<G>>,
    output: Output,
}

/// A search that runs on a thread of its own, and gives itself back.
struct Running<G: Game> {
    stop: Arc<StopFlag>,
    thread: thread::JoinHandle<Box<dyn Search<G>>>,
}

/// Speaks UCI or UCCI until `quit` or the end of `input`.
///
/// # Errors
/// When `input` cannot be read. A reader of `output` that has left ends it without an error.
pub(super) fn serve<G: TwoPlayer>(
    rules: &G::Rules,
    own: &Own<G>,
    input: &mut dyn BufRead,
    output: Output,
) -> io::Result<()> {
    let position = G::start(rules);
    let mut server = Server {
        rules,
        own,
        parameters: ParameterValues::defaults(&own.declared_search()),
        evaluation: ParameterValues::defaults(&own.declared_evaluation()),
        seed: 1,
        search: None,
        history: History::new(position.clone()),
        position,
        refused: false,
        ucci: None,
        output,
    };
    let mut running: Option<Running<G>> = None;
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        if input.read_until(b'\n', &mut bytes)? == 0 {
            break;
        }
        let line = String::from_utf8_lossy(&bytes);
        let mut words = line.split_whitespace();
        match words.next() {
            Some("quit") => break,
            Some("stop") => server.finish(running.take()),
            Some("isready") => server.say("readyok"),
            Some("uci") => server.greet(),
            Some("ucci") => server.greet_ucci(),
            Some(command @ ("setoption" | "ucinewgame" | "position" | "banmoves" | "go")) => {
                server.finish(running.take());
                let rest: Vec<&str> = words.collect();
                match command {
                    "setoption" if server.ucci.is_some() => server.set_ucci_option(&rest),
                    "setoption" => server.set_option(&rest),
                    "banmoves" => server.ban(&rest),
                    "ucinewgame" => server.new_game(),
                    "position" => server.set_position(&rest),
                    _ => running = server.go(&rest),
                }
            }
            // Unknown commands are passed over, as the protocol asks.
            _ => {}
        }
    }
    server.finish(running.take());
    if server.ucci.is_some() {
        server.say("bye");
    }
    Ok(())
}

pub(super) fn say(output: &Output, line: &str) {
    let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
    // Whoever has stopped reading will close our input too.
    drop(writeln!(output, "{line}").and_then(|()| output.flush()));
}

impl<G: TwoPlayer> Server<'_, G> {
    fn say(&self, line: &str) {
        say(&self.output, line);
    }

    /// Stops the search in play and waits for its answer.
    fn finish(&mut self, running: Option<Running<G>>) {
        let Some(running) = running else {
            return;
        };
        running.stop.stop();
        // A search that panicked is built anew.
        self.search = running.thread.join().ok();
    }

    fn greet(&self) {
        self.say(&format!(
            "id name agon {} {}\nid author the agon authors",
            env!("CARGO_PKG_VERSION"),
            G::NAME
        ));
        let variant = G::announcement(self.rules).uci_variant.unwrap_or(G::NAME);
        self.say(&format!(
            "option name UCI_Variant type combo default {variant} var {variant}"
        ));
        let hash = self.own.declared_search();
        for parameter in hash.iter().filter(|parameter| parameter.name == HASH) {
            self.say(&format!(
                "option name Hash type spin default {} min {} max {}",
                parameter.default, parameter.min, parameter.max
            ));
        }
        self.say("option name Seed type spin default 1 min 0 max 9007199254740991");
        for parameter in self.parameters() {
            self.say(&declaration(&parameter));
        }
        self.say("uciok");
    }

    /// What can be set by its own name.
    fn parameters(&self) -> Vec<Parameter> {
        let mut all = self.own.declared_search();
        all.retain(|parameter| parameter.name != HASH);
        all.extend(self.own.declared_evaluation());
        all
    }

    /// `name NAME value VALUE`.
    fn set_option(&mut self, words: &[&str]) {
        let at = |word: &str| words.iter().position(|other| *other == word);
        let value_at = at("value").unwrap_or(words.len());
        let name = words.get(1..value_at).unwrap_or_default().join(" ");
        let value = words.get(value_at + 1..).unwrap_or_default().join(" ");
        self.set(&name, &value);
    }

    fn set(&mut self, name: &str, value: &str) {
        if name.eq_ignore_ascii_case("UCI_Variant") {
            return;
        }
        if name.eq_ignore_ascii_case("Seed") {
            match value.parse() {
                Ok(seed) => self.seed = seed,
                Err(_) => self.say(&format!("info string `{value}` is no seed")),
            }
            self.search = None;
            return;
        }
        let name = if name.eq_ignore_ascii_case("Hash") {
            HASH
        } else {
            name
        };
        let number = match value {
            "true" => Some(1.0),
            "false" => Some(0.0),
            text => text.parse().ok(),
        };
        let search = self.own.declared_search();
        let evaluation = self.own.declared_evaluation();
        let is_search = |parameter: &Parameter| parameter.name.eq_ignore_ascii_case(name);
        let set = match number {
            None => Err(format!("`{value}` is no number and no switch")),
            Some(number) => match search.iter().find(|parameter| is_search(parameter)) {
                Some(found) => self.parameters.set(&search, &found.name, number),
                None => self.evaluation.set(&evaluation, name, number),
            }
            .map_err(|error| error.to_string()),
        };
        match set {
            Ok(()) => self.search = None,
            Err(why) => self.say(&format!("info string option {name}: {why}")),
        }
    }

    fn new_game(&mut self) {
        let seed = self.seed;
        self.search().new_game(seed);
    }

    fn search(&mut self) -> &mut Box<dyn Search<G>> {
        let (own, seed) = (self.own, self.seed);
        let spec = SearchSpec {
            kind: SearchKind::AlphaBeta,
            parameters: self.parameters.clone(),
            evaluation: self.evaluation.clone(),
        };
        self.search.get_or_insert_with(|| {
            let mut search = own.build(&spec);
            search.new_game(seed);
            search
        })
    }

    /// `startpos` or `fen …`, and `moves …`.
    fn set_position(&mut self, words: &[&str]) {
        let moves_at = words.iter().position(|word| *word == "moves");
        let (start, moves) = match moves_at {
            Some(at) => (&words[..at], &words[at + 1..]),
            None => (words, &[][..]),
        };
        let fen = match start.split_first() {
            Some((&"fen", fields)) => Some(fields.join(" ")),
            _ => None,
        };
        let moves: Vec<String> = moves.iter().map(|text| (*text).to_owned()).collect();
        let parse: fn(&G, &str) -> Result<G::Move, NotationError> = match &mut self.ucci {
            Some(ucci) => {
                ucci.banned.clear();
                |position, text| position.parse_spelled(text, Dialect::Ucci)
            }
            None => G::parse_move,
        };
        let found = replay_on::<G>(fen.as_deref(), &moves, self.rules, parse);
        self.refused = found.is_err();
        match found {
            Ok((_, (history, position))) => {
                self.history = history;
                self.position = position;
            }
            Err(error) => self.say(&format!("info string position not taken: {error}")),
        }
    }

    fn go(&mut self, words: &[&str]) -> Option<Running<G>> {
        let mut moves = Vec::new();
        if !self.refused {
            self.position.legal_moves(&mut moves);
        }
        let all = moves.len();
        let limits = match &self.ucci {
            Some(ucci) => {
                moves.retain(|mv| !ucci.banned.contains(mv));
                ucci.limits(words)
            }
            None => limits(words, self.position.side_to_move()),
        };
        let limits = sensible(limits);
        let some_are_banned = moves.len() < all;
        if moves.is_empty() {
            self.say(match self.ucci {
                Some(_) => ucci::NO_MOVE,
                None => "bestmove (none)",
            });
            return None;
        }
        self.search();
        let mut search = self.search.take()?;
        let stop = Arc::new(StopFlag::new());
        let (position, history) = to_search(&self.position, &self.history);
        let (flag, output) = (stop.clone(), self.output.clone());
        let tell = match self.ucci {
            Some(_) => ucci::answer,
            None => answer,
        };
        let thread = thread::spawn(move || {
            let start = Instant::now();
            let mut control = Control::new(limits, &flag);
            // Left to itself it knows which moves are worth a look.
            let report = match some_are_banned {
                true => search.search_among(&position, &history, moves, &mut control),
                false => search.search(&position, &history, &mut control),
            };
            tell(&output, &position, &report, start.elapsed());
            search
        });
        Some(Running { stop, thread })
    }
}

/// The parameter that UCI calls `Hash`.
const HASH: &str = "hash_mb";

fn declaration(parameter: &Parameter) -> String {
    let Parameter {
        name,
        default,
        min,
        max,
        ..
    } = parameter;
    match parameter.kind {
        ParameterKind::Switch => {
            format!("option name {name} type check default {}", *default != 0.0)
        }
        ParameterKind::Integer => {
            format!("option name {name} type spin default {default} min {min} max {max}")
        }
        // UCI has no fractions: a text, whose range is checked when it is set.
        ParameterKind::Real => format!("option name {name} type string default {default}"),
    }
}

/// What is searched where somebody asks for a move: if our own rules have ended the game and others
/// go on, nothing is counted that came before.
pub(super) fn to_search<G: TwoPlayer>(position: &G, history: &History<G>) -> (G, History<G>) {
    if position.outcome(history).is_none() {
        return (position.clone(), history.clone());
    }
    let afresh = position.afresh();
    (afresh.clone(), History::new(afresh))
}

/// The limits, if they let anything be searched; if not, one ply, so that the move is no accident.
pub(super) fn sensible(limits: SearchLimits) -> SearchLimits {
    let no_time = |time: TimeLimit| time.deadline <= time.start;
    if limits.depth == 0 || limits.nodes == 0 || limits.time.is_some_and(no_time) {
        return SearchLimits {
            depth: 1,
            ..SearchLimits::NONE
        };
    }
    limits
}

fn limits(words: &[&str], side: Side) -> SearchLimits {
    let start = Instant::now();
    let number = |name: &str| -> Option<u64> {
        let at = words.iter().position(|word| *word == name)?;
        words.get(at + 1)?.parse().ok()
    };
    let ms = |name: &str| number(name).map(Duration::from_millis);
    let by_side = |names: [&str; 2]| ms(names[side.index()]);
    let left = by_side(["wtime", "btime"]);
    let increment = by_side(["winc", "binc"]).unwrap_or_default();
    let moves_to_go = number("movestogo").and_then(|moves| u32::try_from(moves).ok());
    let time = ms("movetime").or_else(|| left.map(|left| share(left, increment, moves_to_go)));
    SearchLimits {
        nodes: number("nodes").unwrap_or(u64::MAX),
        depth: number("depth")
            .and_then(|depth| u32::try_from(depth).ok())
            .unwrap_or(u32::MAX),
        time: time.map(|time| TimeLimit {
            start,
            deadline: start + time,
        }),
    }
}

fn answer<G: TwoPlayer>(
    output: &Output,
    position: &G,
    report: &SearchReport<G::Move>,
    time: Duration,
) {
    let best = format!("bestmove {}", position.format_move(report.mv));
    if !report.searched {
        // Nothing to tell: whoever counts nodes a move must not count it.
        say(output, &best);
        return;
    }
    let score = match report.score {
        Some(score) if score >= Score::PROVEN => {
            format!(" score mate {}", (Score::WIN.0 - score.0 + 1) / 2)
        }
        Some(score) if score <= -Score::PROVEN => {
            format!(" score mate -{}", (Score::WIN.0 + score.0) / 2)
        }
        Some(score) => format!(" score cp {}", score.0),
        None => String::new(),
    };
    let mut line = position.clone();
    let mut pv = String::new();
    for mv in &report.pv {
        pv += " ";
        pv += &line.format_move(*mv);
        line.play(*mv);
    }
    let (depth, nodes, ms) = (report.depth, report.nodes, time.as_millis());
    let info = format!("info depth {depth}{score} nodes {nodes} time {ms} pv{pv}");
    say(output, &format!("{info}\n{best}"));
}
