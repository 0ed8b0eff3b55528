//! The run specification: all that decides which games are played and how they are judged.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::adjudication::AdjudicationSpec;
use super::book::BookSpec;
use super::deal::Criterion;
use crate::game::{Dialect, Side};
use crate::search::{SearchKind, SearchSpec};

/// What one side may spend on a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum MoveLimit {
    /// Wall-clock milliseconds a move.
    TimeMs(u64),
    /// Search nodes a move.
    Nodes(u64),
    /// Search depth in plies.
    Depth(u32),
    /// A clock for the whole game.
    Clock(ClockSpec),
}

/// A game clock: what each side has for its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockSpec {
    /// Moves until `base_ms` is added again; `None` if it never is.
    pub moves: Option<u32>,
    /// Milliseconds at the start.
    pub base_ms: u64,
    /// Milliseconds added after every move.
    pub increment_ms: u64,
}

impl std::fmt::Display for ClockSpec {
    /// As PGN writes it: `moves/seconds+increment`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let seconds = |ms: u64| {
            let text = format!("{}.{:03}", ms / 1000, ms % 1000);
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        };
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", seconds(self.base_ms))?;
        if self.increment_ms > 0 {
            write!(f, "+{}", seconds(self.increment_ms))?;
        }
        Ok(())
    }
}

impl std::str::FromStr for ClockSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<ClockSpec, String> {
        let refused = || {
            format!(
                "`{text}` is no clock: write seconds+increment, such as \"10+0.1\", or \
                 moves/seconds+increment, such as \"40/60+0.5\""
            )
        };
        let (moves, time) = match text.split_once('/') {
            Some((moves, time)) => {
                let moves: u32 = moves.trim().parse().map_err(|_| refused())?;
                (Some(moves).filter(|moves| *moves > 0), time)
            }
            None => (None, text),
        };
        let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
        let ms = |seconds: &str| {
            let seconds: f64 = seconds.trim().parse().map_err(|_| refused())?;
            if !(0.0..=1e7).contains(&seconds) {
                return Err(refused());
            }
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "in 0..=1e10"
            )]
            Ok((seconds * 1000.0).round() as u64)
        };
        let clock = ClockSpec {
            moves,
            base_ms: ms(base)?,
            increment_ms: ms(increment)?,
        };
        if clock.base_ms == 0 || (text.contains('/') && moves.is_none()) {
            return Err(refused());
        }
        Ok(clock)
    }
}

impl MoveLimit {
    /// Whether the same position and seed give the same move however fast the machine is.
    #[must_use]
    pub fn is_reproducible(self) -> bool {
        matches!(self, MoveLimit::Nodes(_) | MoveLimit::Depth(_))
    }
}

impl std::fmt::Display for MoveLimit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            MoveLimit::TimeMs(ms) => write!(f, "{ms} ms"),
            MoveLimit::Nodes(nodes) => write!(f, "{nodes} nodes"),
            MoveLimit::Depth(depth) => write!(f, "depth {depth}"),
            MoveLimit::Clock(clock) => write!(f, "clock {clock}"),
        }
    }
}

/// The limits of a variant in each role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitSpec {
    /// As the first side.
    pub first: MoveLimit,
    /// As the second side.
    pub second: MoveLimit,
}

impl LimitSpec {
    /// The limit as `side`.
    #[must_use]
    pub fn of(&self, side: Side) -> MoveLimit {
        match side {
            Side::First => self.first,
            Side::Second => self.second,
        }
    }
}

/// The game and its rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameSpec {
    /// [`crate::game::Game::NAME`].
    pub name: String,
    /// The game's rules as data.
    pub rules: serde_json::Value,
}

/// What plays under a variant's name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum EngineKind {
    /// A search of agon's own.
    BuiltIn(SearchSpec),
    /// Another program.
    External(ExternalSpec),
}

/// How an external engine is talked to, by the name in configs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProtocolKind {
    /// The Universal Chess Interface, with `UCI_Variant` for other games.
    #[default]
    Uci,
    /// The Universal Chinese Chess Interface.
    Ucci,
    /// The protocol of Gomocup and Piskvork, for five in a row.
    Gomocup,
}

impl ProtocolKind {
    /// The name in configs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ProtocolKind::Uci => "uci",
            ProtocolKind::Ucci => "ucci",
            ProtocolKind::Gomocup => "gomocup",
        }
    }

    /// How its engines spell moves.
    #[must_use]
    pub fn dialect(self) -> Dialect {
        match self {
            ProtocolKind::Uci => Dialect::Uci,
            ProtocolKind::Ucci => Dialect::Ucci,
            ProtocolKind::Gomocup => Dialect::Gomocup,
        }
    }
}

/// A program that plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExternalSpec {
    /// The program's path, resolved.
    pub program: String,
    /// SHA-256 of the file, so that a run does not go on with another program.
    pub sha256: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its working folder, resolved; `None` is agon's own.
    pub dir: Option<String>,
    /// Variables added to its environment.
    pub env: BTreeMap<String, String>,
    /// How it is talked to.
    pub protocol: ProtocolKind,
    /// Its options, by name.
    pub options: BTreeMap<String, String>,
    /// Milliseconds from its start to the end of its greeting.
    pub start_ms: u64,
    /// Milliseconds to be ready for a game.
    pub ready_ms: u64,
    /// Milliseconds for a move where no clock runs.
    pub stall_ms: u64,
}

/// One configured engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariantSpec {
    /// The unique name.
    pub name: String,
    /// What plays.
    pub engine: EngineKind,
    /// What it may spend.
    pub limit: LimitSpec,
    /// The moves that it plays without a search, of a search of agon's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book: Option<BookSpec>,
}

impl VariantSpec {
    /// Whether nothing but the name tells it from another one: engine, limits and book.
    #[must_use]
    pub fn plays_as(&self, other: &VariantSpec) -> bool {
        let VariantSpec {
            name: _,
            engine,
            limit,
            book,
        } = self;
        *engine == other.engine && *limit == other.limit && *book == other.book
    }

    /// Whether the same position and seed give the same move, and other seeds the same too:
    /// two games of such variants from one opening are one game.
    #[must_use]
    pub fn repeats_itself(&self) -> bool {
        let EngineKind::BuiltIn(search) = &self.engine else {
            // Only the engine knows.
            return false;
        };
        // A solver has no chance in it: that a clock ends it makes no second try of a deal new.
        if search.kind == SearchKind::Beam {
            return true;
        }
        // One ply takes as long as it takes.
        let reproducible = search.kind == SearchKind::Greedy
            || Side::BOTH
                .iter()
                .all(|side| self.limit.of(*side).is_reproducible());
        let has_choice = self.book.as_ref().is_some_and(BookSpec::has_choice);
        reproducible && !search.uses_seed() && !has_choice
    }
}

/// Two variants that meet, as indices into [`RunSpec::variants`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairingSpec {
    /// Whose score is reported.
    pub candidate: usize,
    /// Whom it is measured against.
    pub base: usize,
    /// Planned pairs.
    pub pairs: u32,
    /// Where its pairs begin among all that the openings and the seed give: its pair `i` has the
    /// opening and the seeds of pair `first_pair + i`.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub first_pair: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl PairingSpec {
    /// Which of all pairs that the openings and the seed give a pair of this pairing is.
    #[must_use]
    pub fn place_of(&self, pair: u32) -> u32 {
        self.first_pair.wrapping_add(pair)
    }
}

/// One opening of the suite.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpeningSpec {
    /// Its name in the suite.
    pub name: String,
    /// The position that it begins with.
    pub fen: String,
    /// Moves from there, in the game's notation.
    pub moves: Vec<String>,
    /// The index of the earlier opening that ends in the same position, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<usize>,
}

/// The scale of a sequential test's hypotheses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EloModel {
    /// Bounds are expected scores: 34.86 is a score of 0.55.
    #[default]
    Logistic,
    /// Bounds are in units of one game's noise; at most 200.
    Normalized,
}

/// What a sequential test takes for one observation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeModel {
    /// A pair of games on one opening: five outcomes. Right whatever the openings.
    #[default]
    Pentanomial,
    /// A single game: three outcomes. Too cautious where one role wins more than the other.
    Trinomial,
}

/// The design of a sequential probability ratio test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SprtSpec {
    /// Elo of the null hypothesis.
    pub elo0: f64,
    /// Elo of the alternative.
    pub elo1: f64,
    /// Probability of accepting H1 when H0 holds.
    pub alpha: f64,
    /// Probability of accepting H0 when H1 holds.
    pub beta: f64,
    /// The scale of `elo0` and `elo1`.
    #[serde(default)]
    pub model: EloModel,
    /// What one observation is.
    #[serde(default)]
    pub outcomes: OutcomeModel,
}

impl SprtSpec {
    /// A test in logistic Elo on pairs, with error rates of 5%.
    #[must_use]
    pub fn logistic(elo0: f64, elo1: f64) -> SprtSpec {
        SprtSpec {
            elo0,
            elo1,
            alpha: 0.05,
            beta: 0.05,
            model: EloModel::Logistic,
            outcomes: OutcomeModel::Pentanomial,
        }
    }
}

/// The rule that decides a pairing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum VerdictSpec {
    /// The score over all planned pairs is at least `at_least` (a decimal fraction in units
    /// of 1/10 000, so that it compares exactly).
    WinRate {
        /// The score in ten-thousandths: 5500 is 0.55.
        at_least: u32,
    },
    /// A sequential probability ratio test, at most over the planned pairs.
    Sprt(SprtSpec),
}

/// All that decides which games are played and how they are judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSpec {
    /// The run's name.
    pub name: String,
    /// The game and its rules.
    pub game: GameSpec,
    /// The run's seed.
    pub seed: u64,
    /// All variants that play.
    pub variants: Vec<VariantSpec>,
    /// Who meets whom.
    pub pairings: Vec<PairingSpec>,
    /// The openings, in the order in which they are used.
    pub openings: Vec<OpeningSpec>,
    /// Wall-clock milliseconds that a move may take beyond a time limit before it loses.
    pub margin_ms: u64,
    /// What decides.
    pub verdict: VerdictSpec,
    /// Which games end before the rules end them.
    #[serde(default)]
    pub adjudication: AdjudicationSpec,
    /// What decides between two solutions of a deal; `None` in games of two sides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compare: Option<Criterion>,
}

impl RunSpec {
    /// The index of the opening of a pair of this pairing; the suite begins again where it is
    /// shorter.
    #[must_use]
    pub fn opening_of(&self, pairing: PairingSpec, pair: u32) -> usize {
        pairing.place_of(pair) as usize % self.openings.len()
    }
}
