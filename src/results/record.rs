//! Game records: what happened in one game, and its row in `games.csv`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::job::GameId;
use crate::game::Side;

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GameResult {
    /// The first side.
    #[serde(rename = "1-0")]
    FirstWins,
    /// The second side.
    #[serde(rename = "0-1")]
    SecondWins,
    /// Nobody.
    #[serde(rename = "1/2-1/2")]
    Draw,
}

impl GameResult {
    /// The result in which `winner` won; `None` is a draw.
    #[must_use]
    pub fn of(winner: Option<Side>) -> GameResult {
        match winner {
            Some(Side::First) => GameResult::FirstWins,
            Some(Side::Second) => GameResult::SecondWins,
            None => GameResult::Draw,
        }
    }

    /// Half points of `side`: 2 for a win, 1 for a draw, 0 for a loss.
    #[must_use]
    pub fn half_points(self, side: Side) -> u8 {
        match (self, side) {
            (GameResult::Draw, _) => 1,
            (GameResult::FirstWins, Side::First) | (GameResult::SecondWins, Side::Second) => 2,
            _ => 0,
        }
    }
}

/// What an engine did wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// It took longer for a move than its limit and the margin.
    TimeForfeit,
    /// It played a move that is not legal.
    IllegalMove,
    /// It did not start, or is not fit for the game.
    NoStart,
    /// It went away.
    Disconnect,
    /// It did not answer where no clock runs.
    Stall,
}

impl FaultKind {
    /// All kinds.
    pub const ALL: [FaultKind; 5] = [
        FaultKind::TimeForfeit,
        FaultKind::IllegalMove,
        FaultKind::NoStart,
        FaultKind::Disconnect,
        FaultKind::Stall,
    ];

    /// The name in records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::TimeForfeit => "time_forfeit",
            FaultKind::IllegalMove => "illegal_move",
            FaultKind::NoStart => "no_start",
            FaultKind::Disconnect => "disconnect",
            FaultKind::Stall => "stall",
        }
    }
}

/// Why the runner ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adjudication {
    /// Both sides agreed on who wins.
    Resign,
    /// Neither side saw anything.
    Draw,
    /// It was too long.
    Length,
}

impl Adjudication {
    /// All kinds.
    pub const ALL: [Adjudication; 3] = [
        Adjudication::Resign,
        Adjudication::Draw,
        Adjudication::Length,
    ];

    /// The name in records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Adjudication::Resign => "resign",
            Adjudication::Draw => "draw",
            Adjudication::Length => "length",
        }
    }
}

impl fmt::Display for Adjudication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a game ended. In text: the rule's word (`no_moves`), or the fault and the side
/// (`time_forfeit:first`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Termination {
    /// By a rule of the game.
    Rule(String),
    /// By the runner, as the config asks.
    Adjudicated(Adjudication),
    /// By a fault of one side, which loses.
    Fault {
        /// Who did it.
        by: Side,
        /// What it did.
        kind: FaultKind,
    },
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Termination::Rule(reason) => f.write_str(reason),
            Termination::Adjudicated(why) => write!(f, "adjudicated:{why}"),
            Termination::Fault {
                by: Side::First,
                kind,
            } => write!(f, "{}:first", kind.name()),
            Termination::Fault {
                by: Side::Second,
                kind,
            } => write!(f, "{}:second", kind.name()),
        }
    }
}

impl FromStr for Termination {
    type Err = String;

    fn from_str(text: &str) -> Result<Termination, String> {
        let Some((name, side)) = text.split_once(':') else {
            let word = !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || c == '_');
            return if word {
                Ok(Termination::Rule(text.to_owned()))
            } else {
                Err(format!("`{text}` is not a termination"))
            };
        };
        if name == "adjudicated" {
            let why = Adjudication::ALL.into_iter().find(|why| why.name() == side);
            return why
                .map(Termination::Adjudicated)
                .ok_or_else(|| format!("`{text}` is not a termination"));
        }
        let kind = FaultKind::ALL.into_iter().find(|kind| kind.name() == name);
        let by = match side {
            "first" => Some(Side::First),
            "second" => Some(Side::Second),
            _ => None,
        };
        match (kind, by) {
            (Some(kind), Some(by)) => Ok(Termination::Fault { by, kind }),
            _ => Err(format!("`{text}` is not a termination")),
        }
    }
}

/// One move that an engine played, with what it said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveRecord {
    /// The move in the game's notation.
    pub text: String,
    /// The mover's score in hundredths of its unit; `None` where it gave none.
    pub score: Option<i32>,
    /// What was searched; `None` for a book move or a single legal move.
    pub searched: Option<Searched>,
    /// Wall-clock microseconds.
    pub time_us: u64,
}

/// The effort of a searched move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Searched {
    /// Depth in plies; 0 when no depth was finished.
    pub depth: u32,
    /// Nodes, quiescence included.
    pub nodes: u64,
}

impl MoveRecord {
    /// Adds `move:score:depth:nodes:µs`; what is not known is left empty. Rows are made of
    /// this, so it does without the general formatter.
    pub(super) fn write_to(&self, text: &mut String) {
        let mut buffer = itoa::Buffer::new();
        *text += &self.text;
        text.push(':');
        if let Some(score) = self.score {
            *text += buffer.format(score);
        }
        text.push(':');
        if let Some(Searched { depth, nodes }) = self.searched {
            *text += buffer.format(depth);
            text.push(':');
            *text += buffer.format(nodes);
        } else {
            text.push(':');
        }
        text.push(':');
        *text += buffer.format(self.time_us);
    }
}

impl fmt::Display for MoveRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write_to(&mut text);
        f.write_str(&text)
    }
}

impl FromStr for MoveRecord {
    type Err = String;

    fn from_str(text: &str) -> Result<MoveRecord, String> {
        fn number<T: FromStr>(part: &str, text: &str) -> Result<T, String> {
            part.parse()
                .map_err(|_| format!("`{part}` in move `{text}` is not a number"))
        }
        let parts: Vec<&str> = text.split(':').collect();
        let [mv, score, depth, nodes, time] = parts[..] else {
            return Err(format!(
                "`{text}` is not of the form move:score:depth:nodes:time"
            ));
        };
        if mv.is_empty() {
            return Err(format!("`{text}` has no move"));
        }
        let searched = match (depth, nodes) {
            ("", "") => None,
            _ => Some(Searched {
                depth: number(depth, text)?,
                nodes: number(nodes, text)?,
            }),
        };
        Ok(MoveRecord {
            text: mv.to_owned(),
            score: if score.is_empty() {
                None
            } else {
                Some(number(score, text)?)
            },
            searched,
            time_us: number(time, text)?,
        })
    }
}

/// What one side spent in a game. Derived from its moves; the unit of every statistic on
/// effort.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Moves played.
    pub moves: u32,
    /// Moves that were searched.
    pub searched: u32,
    /// Nodes of the searched moves.
    pub nodes: u64,
    /// Sum of the depths of the searched moves.
    pub depths: u64,
    /// Wall-clock microseconds of all moves.
    pub time_us: u64,
    /// Wall-clock microseconds of the searched moves.
    pub searched_time_us: u64,
}

impl Effort {
    /// Adds one move. What an engine says of itself may be any number: a sum that is too
    /// large stays at the largest.
    pub fn add_move(&mut self, mv: &MoveRecord) {
        let searched = mv.searched.map(|searched| Effort {
            searched: 1,
            nodes: searched.nodes,
            depths: searched.depth.into(),
            searched_time_us: mv.time_us,
            ..Effort::default()
        });
        self.add(&Effort {
            moves: 1,
            time_us: mv.time_us,
            ..searched.unwrap_or_default()
        });
    }

    /// Adds the effort of another game.
    pub fn add(&mut self, other: &Effort) {
        self.moves = self.moves.saturating_add(other.moves);
        self.searched = self.searched.saturating_add(other.searched);
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.depths = self.depths.saturating_add(other.depths);
        self.time_us = self.time_us.saturating_add(other.time_us);
        self.searched_time_us = self.searched_time_us.saturating_add(other.searched_time_us);
    }

    /// Nodes per searched move.
    #[must_use]
    pub fn nodes_per_move(&self) -> Option<f64> {
        ratio(self.nodes, self.searched)
    }

    /// Mean depth of the searched moves.
    #[must_use]
    pub fn mean_depth(&self) -> Option<f64> {
        ratio(self.depths, self.searched)
    }

    /// Wall-clock milliseconds per searched move.
    #[must_use]
    pub fn ms_per_move(&self) -> Option<f64> {
        ratio(self.searched_time_us, self.searched).map(|us| us / 1000.0)
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts far below 2^53")]
fn ratio(sum: u64, count: u32) -> Option<f64> {
    (count > 0).then(|| sum as f64 / f64::from(count))
}

/// One finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// Which game of the schedule.
    pub id: GameId,
    /// Which attempt at its pair.
    pub attempt: u32,
    /// The game's seed.
    pub seed: u64,
    /// The opening's name.
    pub opening: String,
    /// The position that the opening begins with.
    pub opening_fen: String,
    /// The opening's moves.
    pub opening_moves: Vec<String>,
    /// The name of the variant on the first side.
    pub first: String,
    /// The name of the variant on the second side.
    pub second: String,
    /// Who moved first after the opening.
    pub first_to_move: Side,
    /// Who won.
    pub result: GameResult,
    /// Why the game ended.
    pub termination: Termination,
    /// The particulars of a fault, in one line; empty otherwise.
    pub detail: String,
    /// Whether the machine explains the fault: the game does not count, and its pair is played
    /// again.
    pub void: bool,
    /// The longest that this worker waited for a processor during a move, in microseconds.
    pub runner_delay_us: u64,
    /// The moves after the opening.
    pub moves: Vec<MoveRecord>,
    /// The largest time over the limit of each side, in microseconds, and how often.
    pub overruns: [Overrun; 2],
    /// Microseconds of processor time that the game took, both engines and all; `None` where
    /// engines are other processes.
    pub cpu_time_us: Option<u64>,
    /// Which worker played it.
    pub worker: usize,
    /// When it began.
    pub started: std::time::SystemTime,
}

/// How a side exceeded its time limit within the margin (or, once, beyond it).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overrun {
    /// Moves that took longer than the limit.
    pub count: u32,
    /// The largest excess in microseconds.
    pub largest_us: u64,
}

impl GameRecord {
    /// A record of no game, from which the column names are read.
    pub(super) fn example() -> GameRecord {
        GameRecord {
            id: GameId::Leg {
                pairing: 0,
                pair: 0,
                leg: 0,
            },
            attempt: 1,
            seed: 0,
            opening: String::new(),
            opening_fen: String::new(),
            opening_moves: Vec::new(),
            first: String::new(),
            second: String::new(),
            first_to_move: Side::First,
            result: GameResult::Draw,
            termination: Termination::Rule("example".to_owned()),
            detail: String::new(),
            void: false,
            runner_delay_us: 0,
            moves: Vec::new(),
            overruns: [Overrun::default(); 2],
            cpu_time_us: None,
            worker: 0,
            started: std::time::SystemTime::UNIX_EPOCH,
        }
    }

    /// What `side` spent. All moves of a deal are those of the one who tried it, the first side.
    #[must_use]
    pub fn effort(&self, side: Side) -> Effort {
        if let GameId::Deal { .. } = self.id {
            let mut effort = Effort::default();
            let moves = self.moves.iter().filter(|_| side == Side::First);
            moves.for_each(|mv| effort.add_move(mv));
            return effort;
        }
        let skip = usize::from(side != self.first_to_move);
        let mut effort = Effort::default();
        self.moves
            .iter()
            .skip(skip)
            .step_by(2)
            .for_each(|mv| effort.add_move(mv));
        effort
    }

    /// The name of the variant on `side`.
    #[must_use]
    pub fn variant(&self, side: Side) -> &str {
        match side {
            Side::First => &self.first,
            Side::Second => &self.second,
        }
    }
}
