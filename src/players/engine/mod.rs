//! External engines: a process that speaks a protocol, and the player that asks it.

mod lines;
mod player;
mod process;
mod runaways;
mod start_error;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

pub use lines::LineBuffer;
pub use player::{EnginePlayer, WORTH_A_LOOK};
pub use process::{Broken, Launch, Process};
pub use runaways::adopt_orphans;
pub use start_error::StartError;
use start_error::last_lines;

use super::protocol::{
    self, DeclaredOption, GameText, Heard, OptionKind, Protocol, Said, Step, TurnText,
};
use super::{DelayMeter, Fault};
use crate::game::Announcement;
use crate::results::{ExternalSpec, FaultKind, ProtocolKind};
use crate::search::StopFlag;

/// The processor time of a process and its threads, in the hundredths of a second of
/// `/proc/PID/stat`.
fn processor_time(id: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name, in parentheses, may hold anything; the fields after it are numbers.
    let fields = stat.rsplit_once(')')?.1.split_whitespace();
    let ticks: Vec<u64> = fields
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse().ok())
        .collect();
    let [user, system] = ticks[..] else {
        return None;
    };
    Some(Duration::from_millis(10 * (user + system)))
}

/// Why an engine is given up that wants to be started again where it was just started.
const AGAIN: &str = "it plays one game only, and not even that";

fn is_move(protocol: &mut dyn Protocol, line: &str) -> bool {
    matches!(protocol.answer(line, &mut Said::default()), Heard::Move(_))
}

/// So long before a move is too late its engine's threads are looked at: some engines begin a
/// thread for every move, which is gone, and what it waited with it, once the answer is there.
const LOOKS: [Duration; 4] = [
    Duration::from_millis(80),
    Duration::from_millis(60),
    Duration::from_millis(40),
    Duration::from_millis(20),
];

/// An answer that is this much later than it may be is still waited for: what the machine did to
/// it is known for certain once it is there.
const UNSEEN: Duration = Duration::from_millis(250);

/// However long the machine keeps an engine waiting, it is not waited for longer than this.
const MOST_EXCUSED: Duration = Duration::from_secs(5);

/// A running engine that has greeted.
pub struct Engine {
    launch: Launch,
    kind: ProtocolKind,
    process: Process,
    protocol: Box<dyn Protocol>,
    /// The options that are not at their defaults, by name.
    set: BTreeMap<String, String>,
    /// It gave a move that nobody had asked for: from now on it is asked whether it is ready
    /// before every move.
    unruly: bool,
    /// Its last answer in this game.
    last: String,
    /// What is being sent, kept for its space.
    text: String,
    /// Its threads' waiting.
    delay: DelayMeter,
    /// Its processor time when the game began.
    used: Option<Duration>,
}

/// An answer to a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move's text, as the engine wrote it.
    pub text: String,
    /// When it came.
    pub arrived: Instant,
    /// What it said of it.
    pub said: Said,
}

impl Engine {
    /// Starts and greets. The calling thread must live as long as the engine.
    ///
    /// # Errors
    /// [`StartError`].
    pub fn start(spec: &ExternalSpec, stop: &StopFlag) -> Result<Engine, StartError> {
        let launch = Launch::from(spec);
        let process = Process::spawn(&launch).map_err(|source| StartError::Spawn {
            launch: launch.to_string(),
            source,
        })?;
        let mut engine = Engine {
            launch,
            kind: spec.protocol,
            process,
            protocol: protocol::begin(spec.protocol),
            set: BTreeMap::new(),
            unruly: false,
            last: String::new(),
            text: String::new(),
            delay: DelayMeter::default(),
            used: None,
        };
        let greeting = engine.protocol.greeting();
        match engine.greet(greeting, Duration::from_millis(spec.start_ms), stop) {
            Ok(()) => Ok(engine),
            Err(broken) => Err(StartError::NoGreeting {
                launch: engine.launch.to_string(),
                greeting: greeting.trim().to_owned(),
                why: broken.to_string(),
                stderr: engine.process.stderr(),
            }),
        }
    }

    fn greet(&mut self, greeting: &str, patience: Duration, stop: &StopFlag) -> Result<(), Broken> {
        let deadline = Instant::now() + patience;
        self.process.send(greeting, deadline, stop)?;
        loop {
            let (line, arrived) = self.process.line(deadline, stop)?;
            if arrived > deadline {
                return Err(Broken::Late);
            }
            match self.protocol.greeted(line) {
                Step::More => {}
                Step::Done => return Ok(()),
                Step::Refused(why) => return Err(Broken::Gone(why)),
                Step::Again => return Err(Broken::Gone(AGAIN.to_owned())),
            }
        }
    }

    /// Whether it is what `spec` starts.
    #[must_use]
    pub fn is_started_by(&self, spec: &ExternalSpec) -> bool {
        self.kind == spec.protocol && self.launch == Launch::from(spec)
    }

    /// The options that it declares.
    #[must_use]
    pub fn declared(&self) -> &[DeclaredOption] {
        self.protocol.declared()
    }

    /// Checks a variant's options, and whether it plays this game: the options that are to be
    /// set, by declared names.
    ///
    /// # Errors
    /// [`StartError::Unfit`] or [`StartError::Option`].
    pub fn check(
        &self,
        spec: &ExternalSpec,
        announcement: Announcement,
    ) -> Result<BTreeMap<String, String>, StartError> {
        let launch = || self.launch.to_string();
        let of_game =
            self.protocol
                .game_options(announcement)
                .map_err(|why| StartError::Unfit {
                    launch: launch(),
                    why,
                })?;
        let mut wanted: BTreeMap<String, String> = BTreeMap::new();
        // The variant's own come last, and win.
        let of_game = of_game.iter().map(|(name, value)| (name, value));
        for (name, value) in of_game.chain(&spec.options) {
            let option = self
                .protocol
                .option(name)
                .and_then(|option| option.check(value).map(|()| option))
                .map_err(|source| StartError::Option {
                    launch: launch(),
                    source,
                })?;
            wanted.insert(option.into_owned().name, value.clone());
        }
        Ok(wanted)
    }

    /// Begins a game: sets what differs from the last one, and waits until it is ready. A
    /// process that can play no further game is started again.
    ///
    /// # Errors
    /// A [`Fault`]; the engine is of no more use then.
    pub fn new_game(
        &mut self,
        spec: &ExternalSpec,
        game: &GameText<'_>,
        stop: &StopFlag,
    ) -> Result<(), Fault> {
        let wanted = self.check(spec, game.announcement).map_err(|error| Fault {
            kind: FaultKind::NoStart,
            detail: error.to_string(),
        })?;
        if self.keeps_what_was_set(&wanted) {
            self.start_again(spec, stop)?;
        }
        let mut ready = self.get_ready(spec, game, &wanted, stop);
        if matches!(ready, Ok(Step::Again)) {
            self.start_again(spec, stop)?;
            ready = self.get_ready(spec, game, &wanted, stop);
        }
        let broken = match ready {
            Ok(Step::Done | Step::More) => None,
            Ok(Step::Again) => Some(Broken::Gone(AGAIN.to_owned())),
            Ok(Step::Refused(why)) => Some(Broken::Gone(why)),
            Err(broken) => Some(broken),
        };
        if let Some(broken) = broken {
            return Err(self.fault(&broken, FaultKind::Stall, "to be ready"));
        }
        self.set = wanted;
        self.last.clear();
        self.delay = DelayMeter::of_process(self.process.id());
        self.used = processor_time(self.process.id());
        Ok(())
    }

    /// Sends what begins a game, and waits for the answer.
    fn get_ready(
        &mut self,
        spec: &ExternalSpec,
        game: &GameText<'_>,
        wanted: &BTreeMap<String, String>,
        stop: &StopFlag,
    ) -> Result<Step, Broken> {
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        self.write_options(wanted, &mut text);
        self.protocol.new_game(game, &mut text);
        let ready = self.sync(&text, Duration::from_millis(spec.ready_ms), stop);
        self.text = text;
        ready
    }

    /// Whether an option was set that is not wanted now and has no default to go back to.
    fn keeps_what_was_set(&self, wanted: &BTreeMap<String, String>) -> bool {
        self.set.keys().any(|name| {
            let option = self.protocol.option(name).ok();
            !wanted.contains_key(name)
                && option.is_some_and(|option| {
                    option.default.is_none() && option.kind != OptionKind::Button
                })
        })
    }

    fn start_again(&mut self, spec: &ExternalSpec, stop: &StopFlag) -> Result<(), Fault> {
        let fresh = Engine::start(spec, stop).map_err(|error| Fault {
            kind: FaultKind::NoStart,
            detail: error.to_string(),
        })?;
        std::mem::replace(self, fresh).quit();
        Ok(())
    }

    /// How long one of its threads was ready to run and had to wait, since the last look.
    pub fn waited(&mut self) -> Duration {
        self.delay.look()
    }

    /// The processor time that it has used since the game began, where the system tells.
    #[must_use]
    pub fn used(&self) -> Option<Duration> {
        processor_time(self.process.id())?.checked_sub(self.used?)
    }

    /// Threads come before the hash, whose memory some engines spread over them.
    fn write_options(&mut self, wanted: &BTreeMap<String, String>, text: &mut String) {
        let mut changes: Vec<(&str, Cow<'_, str>)> = Vec::new();
        for name in self.set.keys().filter(|name| !wanted.contains_key(*name)) {
            let option = self.protocol.option(name).ok();
            let default = option.and_then(|option| option.into_owned().default);
            changes.extend(default.map(|default| (name.as_str(), default.into())));
        }
        for (name, value) in wanted {
            if self.set.get(name) != Some(value) {
                changes.push((name, value.into()));
            }
        }
        let rank = |name: &str| match name.to_ascii_lowercase().as_str() {
            "threads" => 0,
            "hash" => 1,
            _ => 2,
        };
        changes.sort_by_key(|(name, _)| rank(name));
        for (name, value) in changes {
            self.protocol.set_option(name, &value, text);
        }
    }

    /// Sends a text that ends with the question whether it is ready, and waits for the answer.
    /// A move that comes meanwhile was not asked for.
    fn sync(&mut self, text: &str, patience: Duration, stop: &StopFlag) -> Result<Step, Broken> {
        self.forget_unasked();
        let deadline = Instant::now() + patience;
        self.process.send(text, deadline, stop)?;
        loop {
            let (line, arrived) = self.process.line(deadline, stop)?;
            if arrived > deadline {
                return Err(Broken::Late);
            }
            if is_move(&mut *self.protocol, line) {
                self.unruly = true;
                continue;
            }
            match self.protocol.ready(line) {
                Step::More => {}
                step => return Ok(step),
            }
        }
    }

    /// Drops what has come since the last answer.
    fn forget_unasked(&mut self) {
        let protocol = &mut self.protocol;
        let (moves, all) = self.process.drain(|line| is_move(&mut **protocol, line));
        self.unruly |= moves > 0 || !all;
    }

    /// Asks for a move, and waits for it for `span`. An answer that is the last one once more,
    /// and no `is_legal` move now, is an echo that comes late: if no other follows, it is the
    /// answer.
    ///
    /// # Errors
    /// A [`Fault`]: `late` where it does not answer; the engine is of no more use then.
    pub fn ask(
        &mut self,
        turn: &TurnText<'_>,
        start: &mut Instant,
        span: Duration,
        late: FaultKind,
        is_legal: &dyn Fn(&str) -> bool,
        stop: &StopFlag,
    ) -> Result<Answer, Fault> {
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        let mut told = false;
        if self.unruly && self.protocol.position(turn, &mut text) {
            told = true;
            let ready = self.sync(&text, span, stop);
            if let Err(broken) = ready {
                return Err(self.fault(&broken, FaultKind::Stall, "to be ready"));
            }
            text.clear();
        }
        self.forget_unasked();
        self.protocol.go(turn, told, &mut text);
        *start = Instant::now();
        let deadline = *start + span;
        let answer = self.wait_for_move(&text, *start, deadline, is_legal, stop);
        self.text = text;
        if let Ok(answer) = &answer {
            self.last.clone_from(&answer.text);
        }
        answer.map_err(|broken| self.fault(&broken, late, "to move"))
    }

    fn wait_for_move(
        &mut self,
        text: &str,
        began: Instant,
        deadline: Instant,
        is_legal: &dyn Fn(&str) -> bool,
        stop: &StopFlag,
    ) -> Result<Answer, Broken> {
        self.process.send(text, deadline, stop)?;
        let mut said = Said::default();
        let mut echo = None;
        let mut looks = LOOKS.iter().filter_map(|early| {
            let at = deadline.checked_sub(*early)?;
            (at > began).then_some(at)
        });
        let mut patience = looks.next().unwrap_or(deadline);
        loop {
            let late = match self.process.line(patience, stop) {
                Ok((line, arrived)) => {
                    match self.protocol.answer(line, &mut said) {
                        Heard::Talk => {}
                        Heard::Move(mv) => {
                            let answer = Answer {
                                text: mv.to_owned(),
                                arrived,
                                said,
                            };
                            if echo.is_some() || mv != self.last || is_legal(mv) {
                                return Ok(answer);
                            }
                            self.unruly = true;
                            echo = Some(answer);
                        }
                        Heard::Question(reply) => self.process.send(&reply, deadline, stop)?,
                    }
                    arrived > patience
                }
                Err(Broken::Late) => true,
                Err(broken) => return echo.ok_or(broken),
            };
            if late {
                let waited = self.delay.estimate();
                let next = looks.find(|at| *at > patience).unwrap_or(deadline);
                if patience < deadline {
                    patience = next;
                    continue;
                }
                if let Some(echo) = echo {
                    return Ok(echo);
                }
                // As much more as the machine has kept it waiting: an answer by then is late,
                // and excused.
                patience = deadline + waited.clamp(UNSEEN, MOST_EXCUSED);
                if Instant::now() >= patience {
                    return Err(Broken::Late);
                }
            }
        }
    }

    fn fault(&mut self, broken: &Broken, late: FaultKind, to: &str) -> Fault {
        let (kind, mut detail) = match broken {
            Broken::Late => (late, format!("no answer in time when asked {to}")),
            Broken::Gone(how) => (FaultKind::Disconnect, how.clone()),
            Broken::Stopped => (FaultKind::Stall, broken.to_string()),
        };
        let stderr = self.process.stderr();
        if kind != FaultKind::TimeForfeit && !stderr.is_empty() {
            detail += &format!("; its stderr ends with: {}", last_lines(&stderr, 3));
        }
        Fault { kind, detail }
    }

    /// Lets it go, and sees to it that it goes.
    pub fn quit(self) {
        self.process.quit(self.protocol.farewell());
    }
}
