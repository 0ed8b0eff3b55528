//! An engine of UCI and of Gomocup that plays at once, and misbehaves when it is told to.
//!
//! It has two uses. It shows how to write an engine that agon can play: see [`Engine::obey`],
//! which is all that there is to it. And it is the opponent that agon is tested against: its
//! arguments are a script of what it does wrong, and when.
//!
//! ```text
//! scripted_engine [SCRIPT…]
//! ```
//!
//! Without a script it plays legal moves of chess (also chess960 and three-check) or of the
//! Game of the Amazons over UCI, and of gomoku over Gomocup's protocol, each a pure function of
//! the option `Seed`, the position and the number of the move. A script is a list of habits and
//! of deeds.
//!
//! Habits hold from the start:
//!
//! | habit | what it does |
//! | --- | --- |
//! | `crlf`, `cr` | ends lines with CR LF, or CR alone |
//! | `blanks` | indents, puts tabs and blanks between words, and blank lines between lines |
//! | `bom`, `ansi` | begins with a byte order mark; colours every line |
//! | `ignore` | ignores `quit`, the end of its input, SIGTERM, SIGINT and SIGHUP |
//! | `child`, `runaway` | leaves a child behind; a child in a session of its own |
//! | `orphan=SECONDS` | leaves a child behind without its session and environment, which sleeps so long |
//! | `prompt` | writes `> ` after every answer, without a line end |
//! | `errors` | says words of the protocol on stderr, all the time |
//! | `log=FILE` | writes to a file what it is sent |
//! | `few=N,FILE` | does the deeds of `go` N times at most; FILE, which must not be there, counts them |
//!
//! Deeds are written `moment:deed`. A moment is `start`, or the command that comes: `uci`,
//! `isready`, `ucinewgame`, `position`, `go`, `quit`; with a number, it is the command's n-th
//! time in this game (`go3`). Commands of Gomocup have the names of UCI's: `ABOUT` is `uci`,
//! `START` and `RESTART` are `isready`, whatever asks for a move is `go`, and `END` is `quit`.
//!
//! | deed | what it does |
//! | --- | --- |
//! | `exit=N`, `signal=N` | ends with a status, or by a signal |
//! | `hang` | never does anything again |
//! | `silent` | does not answer, and goes on |
//! | `deaf` | answers, and reads nothing any more |
//! | `close` | closes its output, and lives on |
//! | `late=MS`, `share=PERCENT` | answers late; after a share of `movetime` |
//! | `say=TEXT`, `after=TEXT` | says a line before its answer, or after it |
//! | `move=TEXT` | answers this move, `upper` for its own in capitals, `again` for the last one played; `A\|B` is A as the first side and B as the second |
//! | `nodes=N` | says that it searched so many nodes |
//! | `options=N` | first declares so many options more |
//! | `flood=N`, `flood=endless` | first says so many lines |
//! | `long=N` | first says a line of N bytes |
//! | `echo=MS` | says its answer once more, so much later |
//! | `pieces=MS` | answers in pieces, with pauses between them |
//! | `cut` | answers without a line end, and exits |
//! | `stderr=N` | writes N bytes to stderr |

use std::collections::HashMap;
use std::io::{BufRead, Write};
use std::thread::sleep;
use std::time::Duration;

use agon::game::{Dialect, Side, TwoPlayer};
use agon::games::amazons::{Amazons, AmazonsRules};
use agon::games::chess::{Chess, ChessRules, ChessVariant};
use agon::games::gomoku::{Gomoku, GomokuRules, Rule};
use rustix::process::{Signal, getpid, kill_process};

fn main() {
    let script = Script::from_arguments();
    let mut engine = Engine::new(&script);
    if script.has("ignore") {
        for signal in [
            signal_hook::consts::SIGTERM,
            signal_hook::consts::SIGINT,
            signal_hook::consts::SIGHUP,
        ] {
            // A handler that does nothing of use: it only raises a flag.
            signal_hook::flag::register(signal, std::sync::Arc::default()).expect("a handler");
        }
    }
    if script.has("child") {
        start(&["sleep", "300"]);
    }
    if let Some(seconds) = script.value("orphan") {
        start(&["env", "-i", "setsid", "sleep", seconds]);
    }
    if script.has("runaway") {
        start(&["setsid", "sleep", "300"]);
    }
    // Any word will do at the start: there is nothing to answer.
    engine.obey("start");
    for line in std::io::stdin().lock().split(b'\n') {
        let Ok(line) = line else { break };
        let line = String::from_utf8_lossy(&line);
        engine.obey(line.trim());
        if matches!(line.trim(), "quit" | "END") && !script.has("ignore") {
            return;
        }
    }
    if script.has("ignore") {
        hang();
    }
}

/// The engine proper.
struct Engine<'a> {
    script: &'a Script,
    /// Which engine it is: the option `Seed`.
    seed: u64,
    /// The options `UCI_Variant` and `UCI_Chess960`.
    variant: String,
    chess960: bool,
    /// The last `position`: its start, `None` for the usual one, and the moves from it.
    start: Option<String>,
    moves: Vec<String>,
    /// The rules of a game of Gomocup; `None` for a game of UCI.
    gomoku: Option<GomokuRules>,
    /// How often each command came in this game.
    times: HashMap<String, u32>,
    output: Output<'a>,
}

impl Engine<'_> {
    fn new(script: &Script) -> Engine<'_> {
        Engine {
            script,
            seed: 1,
            variant: "chess".to_owned(),
            chess960: false,
            start: None,
            moves: Vec::new(),
            gomoku: None,
            times: HashMap::new(),
            output: Output {
                script,
                begun: false,
            },
        }
    }

    /// Does what one line asks. An engine needs no more than these commands; whatever else it
    /// is sent it passes over.
    fn obey(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some(command) = words.first().copied() else {
            return;
        };
        self.script.log(line);
        if matches!(command, "ucinewgame" | "START" | "RESTART") {
            self.times.clear();
        }
        let moment = moment(command);
        let times = self.times.entry(moment.to_owned()).or_default();
        *times += 1;
        let deeds = self.script.deeds(moment, *times);
        self.output.before(&deeds);

        let answer = match command {
            // The greeting: who it is, what can be set, and `uciok`.
            "uci" => Some(GREETING.to_owned()),
            // `readyok`, once all that was sent before is done.
            "isready" => Some("readyok".to_owned()),
            // `setoption name NAME value VALUE`
            "setoption" => {
                self.set_option(&words);
                None
            }
            // `position startpos|fen FEN [moves MOVE…]`: the whole game, before every move.
            "position" => {
                self.set_position(&words[1..]);
                None
            }
            // `go movetime MS`, `go wtime MS btime MS …`, `go nodes N`, `go depth N`: one
            // `bestmove`, before the time is over. The lines before it are for the records.
            "go" => {
                let share = find(&deeds, "share").map_or(0, number);
                if let Some(at) = words.iter().position(|word| *word == "movetime") {
                    sleep(Duration::from_micros(10 * share * number(words[at + 1])));
                }
                let mv = self.answer(&deeds);
                let nodes = find(&deeds, "nodes").map_or(1, number);
                Some(format!(
                    "info depth 1 seldepth 1 score cp 0 nodes {nodes} time 0 pv {mv}\nbestmove {mv}"
                ))
            }
            _ => self.obey_gomocup(&words, &deeds),
        };
        self.output.answer(answer.as_deref(), &deeds);
    }

    /// Does what a line of Gomocup asks, and says what is answered.
    fn obey_gomocup(&mut self, words: &[&str], deeds: &[(&str, &str)]) -> Option<String> {
        match *words {
            // Anything; `name="…", version="…"` if it likes.
            ["ABOUT"] => Some("name=\"scripted engine\", version=\"1\"".to_owned()),
            ["START", size] => {
                self.gomoku = Some(GomokuRules {
                    size: size.parse().expect("a size"),
                    rule: Rule::Freestyle,
                });
                self.moves.clear();
                Some("OK".to_owned())
            }
            ["RESTART"] => {
                self.moves.clear();
                Some("OK".to_owned())
            }
            // Never answered.
            ["INFO", name, value] => {
                match (name, &mut self.gomoku) {
                    ("seed", _) => self.seed = number(value),
                    ("rule", Some(rules)) => {
                        rules.rule = match value {
                            "0" => Rule::Freestyle,
                            "1" => Rule::Standard,
                            _ => Rule::Renju,
                        }
                    }
                    _ => {}
                }
                None
            }
            // The stones of a game so far, `x,y,1` for its own, and then it is to move.
            ["BOARD"] => {
                self.moves.clear();
                None
            }
            [stone] if stone.matches(',').count() == 2 => {
                let mv = stone.rsplit_once(',').map(|(mv, _)| mv.to_owned());
                self.moves.extend(mv);
                None
            }
            // The opponent's move, or nothing new: one line with its own.
            ["TURN", mv] => {
                self.moves.push(mv.to_owned());
                self.turn(deeds)
            }
            ["BEGIN" | "DONE"] => self.turn(deeds),
            _ => None,
        }
    }

    /// Makes a move in a game of Gomocup.
    fn turn(&mut self, deeds: &[(&str, &str)]) -> Option<String> {
        let mv = self.answer(deeds);
        let nodes = find(deeds, "nodes").map_or(1, number);
        self.moves.push(mv.clone());
        Some(format!("MESSAGE Depth 1-1 | Eval 0 | Node {nodes}\n{mv}"))
    }

    /// Its move, or what the deeds make of it.
    fn answer(&self, deeds: &[(&str, &str)]) -> String {
        let (side, mv) = self.choose();
        let given = find(deeds, "move").map(|text| text.split_once('|').unwrap_or((text, text)));
        match given {
            Some(("upper", _)) => mv.to_uppercase(),
            Some(("again", _)) => self.moves.last().cloned().unwrap_or_default(),
            Some((first, _)) if side == Side::First => first.to_owned(),
            Some((_, second)) => second.to_owned(),
            None => mv,
        }
    }

    fn set_option(&mut self, words: &[&str]) {
        let at = |word: &str| words.iter().position(|other| *other == word);
        let (Some(name), Some(value)) = (at("name"), at("value")) else {
            return;
        };
        let text = words[value + 1..].join(" ");
        match words[name + 1..value].join(" ").to_lowercase().as_str() {
            "seed" => self.seed = number(&text),
            "uci_variant" => self.variant = text,
            "uci_chess960" => self.chess960 = text == "true",
            _ => {}
        }
    }

    fn set_position(&mut self, words: &[&str]) {
        let moves = words.iter().position(|word| *word == "moves");
        let (start, moves) = words.split_at(moves.unwrap_or(words.len()));
        self.start = match start.first() {
            Some(&"fen") => Some(start[1..].join(" ")),
            _ => None,
        };
        self.moves = moves.iter().skip(1).map(|mv| (*mv).to_owned()).collect();
    }

    /// The side to move, and its move.
    fn choose(&self) -> (Side, String) {
        if let Some(rules) = &self.gomoku {
            return self.choose_in::<Gomoku>(rules, Dialect::Gomocup);
        }
        match self.variant.as_str() {
            "amazons" => {
                let start = self.start.as_deref().unwrap_or_default();
                let rows = start.split_whitespace().next().unwrap_or_default();
                let size = u8::try_from(rows.matches('/').count() + 1).unwrap_or(10);
                let default = AmazonsRules::default();
                let size = if start.is_empty() { default.size } else { size };
                self.choose_in::<Amazons>(&AmazonsRules { size }, Dialect::Uci)
            }
            name => {
                let variant = match name {
                    "3check" => ChessVariant::ThreeCheck,
                    _ if self.chess960 => ChessVariant::Chess960,
                    _ => ChessVariant::Standard,
                };
                self.choose_in::<Chess>(&ChessRules { variant }, Dialect::Uci)
            }
        }
    }

    fn choose_in<G: TwoPlayer>(&self, rules: &G::Rules, dialect: Dialect) -> (Side, String) {
        let start = self.start.as_deref();
        let mut position = start.map_or_else(
            || G::start(rules),
            |fen| G::from_fen(fen, rules).expect("a position"),
        );
        for mv in &self.moves {
            let mv = position.parse_spelled(mv, dialect).expect("a legal move");
            position.play(mv);
        }
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let number = mix(position.key() ^ mix(self.seed ^ (self.moves.len() as u64) << 32));
        let side = position.side_to_move();
        match moves.len() as u64 {
            0 => (side, "(none)".to_owned()),
            count => {
                let index = usize::try_from(number % count).expect("less than a length");
                (side, position.spell_move(moves[index], dialect))
            }
        }
    }
}

/// The name of a command in scripts.
fn moment(command: &str) -> &str {
    match command {
        "ABOUT" => "uci",
        "START" | "RESTART" => "isready",
        "BEGIN" | "TURN" | "DONE" => "go",
        "END" => "quit",
        other => other,
    }
}

/// What it declares. Values of every type, some with blanks.
const GREETING: &str = "id name scripted engine\n\
    id author the agon authors\n\
    option name Hash type spin default 16 min 1 max 1024\n\
    option name Threads type spin default 1 min 1 max 8\n\
    option name Seed type spin default 1 min 0 max 9007199254740991\n\
    option name Style type combo default Very Solid var Very Solid var Risky\n\
    option name Clear Hash type button\n\
    option name Book File type string default <empty>\n\
    option name UCI_Variant type combo default chess var chess var 3check var amazons\n\
    option name UCI_Chess960 type check default false\n\
    uciok";

/// Scrambles the bits of a number.
fn mix(mut number: u64) -> u64 {
    for factor in [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53] {
        number = (number ^ (number >> 33)).wrapping_mul(factor);
    }
    number ^ (number >> 33)
}

// From here on there is nothing that an engine should do.

/// The habits and deeds.
struct Script(Vec<String>);

impl Script {
    fn from_arguments() -> Script {
        Script(std::env::args().skip(1).collect())
    }

    fn has(&self, habit: &str) -> bool {
        self.0.iter().any(|item| item == habit)
    }

    /// The value of a habit that has one.
    fn value(&self, habit: &str) -> Option<&str> {
        let pairs = self.0.iter().filter_map(|item| item.split_once('='));
        pairs
            .filter(|(name, _)| *name == habit)
            .map(|(_, value)| value)
            .next()
    }

    /// The deeds, with their values, at the `times`-th time of a command.
    fn deeds<'a>(&'a self, command: &str, times: u32) -> Vec<(&'a str, &'a str)> {
        let of_now = |item: &'a String| {
            let (moment, deed) = item.split_once(':')?;
            let count = moment.strip_prefix(command)?;
            let now = count.is_empty() || count.parse() == Ok(times);
            now.then(|| deed.split_once('=').unwrap_or((deed, "")))
        };
        let mut deeds: Vec<_> = self.0.iter().filter_map(of_now).collect();
        let few = self.0.iter().find_map(|item| item.strip_prefix("few="));
        if let Some(few) = few.filter(|_| command == "go" && !deeds.is_empty()) {
            let (most, file) = few.split_once(',').expect("N,FILE");
            let done = std::fs::metadata(file).map_or(0, |data| data.len());
            if done < number(most) {
                append(file, "x");
            } else {
                deeds.clear();
            }
        }
        deeds
    }

    fn log(&self, line: &str) {
        for file in self.0.iter().filter_map(|item| item.strip_prefix("log=")) {
            append(file, &format!("{line}\n"));
        }
    }
}

fn append(file: &str, text: &str) {
    let file = std::fs::File::options()
        .append(true)
        .create(true)
        .open(file);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .expect("a file that can be written");
}

fn find<'a>(deeds: &[(&'a str, &'a str)], wanted: &str) -> Option<&'a str> {
    let deed = deeds.iter().find(|(deed, _)| *deed == wanted)?;
    Some(deed.1)
}

fn number(text: &str) -> u64 {
    text.parse().expect("a number")
}

/// Starts a program, and leaves it alone. It has the same stdout.
#[expect(clippy::zombie_processes, reason = "it is to be left behind")]
fn start(words: &[&str]) {
    std::process::Command::new(words[0])
        .args(&words[1..])
        .spawn()
        .expect("a program of every Unix");
}

fn hang() -> ! {
    loop {
        sleep(Duration::from_secs(1000));
    }
}

/// Its stdout, and what it does there instead of answering.
struct Output<'a> {
    script: &'a Script,
    begun: bool,
}

impl Output<'_> {
    /// What comes before an answer, or instead of it.
    fn before(&mut self, deeds: &[(&str, &str)]) {
        if self.script.has("errors") {
            let words = "uciok\nreadyok\nbestmove e2e4\noption name Ghost type check";
            drop(writeln!(std::io::stderr(), "{words}"));
        }
        for (deed, value) in deeds {
            match *deed {
                "exit" => std::process::exit(value.parse().expect("a status")),
                "signal" => {
                    let signal = Signal::from_named_raw(value.parse().expect("a signal"));
                    // Twice: a handler may let the first one pass.
                    for _ in 0..2 {
                        kill_process(getpid(), signal.expect("a signal")).expect("it is us");
                    }
                    hang();
                }
                "hang" => hang(),
                "close" => {
                    let nowhere = std::fs::File::options().write(true).open("/dev/null");
                    rustix::stdio::dup2_stdout(nowhere.expect("it is always there"))
                        .expect("a file for another");
                }
                "late" => sleep(Duration::from_millis(number(value))),
                "say" => self.write(&self.encoded(value)),
                "flood" => {
                    let line = self.encoded("info depth 1 seldepth 1 score cp 0 nodes 1 pv a1a1");
                    let block = line.repeat(1000);
                    let mut left: usize = value.parse().unwrap_or(usize::MAX);
                    while left > 0 {
                        let lines = left.min(1000);
                        self.write(&block[..lines * line.len()]);
                        left -= lines;
                    }
                }
                "options" => {
                    for index in 0..number(value) {
                        let text = "x".repeat(2000);
                        let line = format!("option name O{index} type string default {text}");
                        self.write(&self.encoded(&line));
                    }
                }
                "long" => {
                    let length = value.parse().expect("a length");
                    self.write(&self.encoded(&format!("info string {}", "x".repeat(length))));
                }
                "stderr" => {
                    let bytes = "e".repeat(value.parse().expect("a length"));
                    // The reader may be gone.
                    drop(writeln!(std::io::stderr(), "{bytes}"));
                }
                _ => {}
            }
        }
    }

    fn answer(&mut self, text: Option<&str>, deeds: &[(&str, &str)]) {
        let text = text.filter(|_| find(deeds, "silent").is_none());
        let mut bytes = Vec::new();
        // One write: what comes after an answer comes with it.
        for part in text.into_iter().chain(find(deeds, "after")) {
            bytes.extend(self.encoded(part));
        }
        if self.script.has("prompt") && !bytes.is_empty() {
            bytes.extend(b"> ");
        }
        if find(deeds, "cut").is_some() {
            bytes.pop();
            self.write(&bytes);
            std::process::exit(0);
        }
        let again = find(deeds, "echo").map(|pause| (pause, bytes.clone()));
        match find(deeds, "pieces") {
            _ if bytes.is_empty() => {}
            None => self.write(&bytes),
            Some(pause) => {
                for piece in bytes.chunks(7) {
                    self.write(piece);
                    sleep(Duration::from_millis(number(pause)));
                }
            }
        }
        if let Some((pause, bytes)) = again {
            sleep(Duration::from_millis(number(pause)));
            self.write(&bytes);
        }
        if find(deeds, "deaf").is_some() {
            hang();
        }
    }

    /// The lines as the habits write them.
    fn encoded(&self, text: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        for line in text.split('\n') {
            let line = if self.script.has("blanks") {
                format!(" \t{} \t\n", line.replace(' ', " \t "))
            } else {
                line.to_owned()
            };
            let line = if self.script.has("ansi") {
                format!("\u{1b}[1;32m{line}\u{1b}[0m")
            } else {
                line
            };
            bytes.extend_from_slice(line.as_bytes());
            bytes.extend_from_slice(match () {
                () if self.script.has("crlf") => b"\r\n",
                () if self.script.has("cr") => b"\r",
                () => b"\n",
            });
        }
        bytes
    }

    /// Writes at once: what is left in a buffer is never seen.
    fn write(&mut self, bytes: &[u8]) {
        let mut stdout = std::io::stdout().lock();
        let mark: &[u8] = if self.script.has("bom") && !self.begun {
            b"\xEF\xBB\xBF"
        } else {
            b""
        };
        self.begun = true;
        let written = stdout
            .write_all(&[mark, bytes].concat())
            .and_then(|()| stdout.flush());
        if written.is_err() && !self.script.has("ignore") {
            // Nobody reads any more.
            std::process::exit(0);
        }
    }
}
