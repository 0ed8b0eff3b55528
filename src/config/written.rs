//! What can stand in a config: the shape of the file, before it means anything.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, Visitor};
use toml::Spanned;

use crate::openings::DuplicateRule;
use crate::results::{ClockSpec, EloModel, MoveLimit, OutcomeModel, ProtocolKind};

/// The whole file, without `[game.NAME]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    pub(super) name: Spanned<String>,
    #[serde(default = "default_seed")]
    pub(super) seed: Spanned<u64>,
    pub(super) openings: Spanned<String>,
    #[serde(default)]
    pub(super) duplicate_openings: DuplicateRule,
    pub(super) limit: Option<Spanned<WrittenLimit>>,
    #[serde(default)]
    pub(super) role_limit: BTreeMap<Spanned<String>, Spanned<WrittenLimit>>,
    pub(super) margin_ms: Option<Spanned<u64>>,
    pub(super) workers: Option<Spanned<usize>>,
    pub(super) max_fault_share: Option<Spanned<f64>>,
    pub(super) schedule: Spanned<WrittenSchedule>,
    pub(super) verdict: Option<Spanned<WrittenVerdict>>,
    #[serde(default)]
    pub(super) engine: Vec<Spanned<WrittenEngine>>,
}

fn default_seed() -> Spanned<u64> {
    Spanned::new(0..0, 1)
}

/// `[limit]`: exactly one of its keys.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum WrittenLimit {
    TimeMs(u64),
    Nodes(u64),
    Depth(u32),
    Clock(String),
}

impl WrittenLimit {
    pub(super) fn meant(&self) -> Result<MoveLimit, String> {
        let (amount, limit) = match *self {
            WrittenLimit::TimeMs(ms) => (ms, MoveLimit::TimeMs(ms)),
            WrittenLimit::Nodes(nodes) => (nodes, MoveLimit::Nodes(nodes)),
            WrittenLimit::Depth(depth) => (depth.into(), MoveLimit::Depth(depth)),
            WrittenLimit::Clock(ref text) => {
                let clock: ClockSpec = text.parse()?;
                (clock.base_ms, MoveLimit::Clock(clock))
            }
        };
        if amount == 0 {
            Err("a limit must be at least 1".to_owned())
        } else if amount > LARGEST {
            Err(format!("a limit must be at most {LARGEST}"))
        } else {
            Ok(limit)
        }
    }
}

/// The largest whole number that TOML is sure to hold. The parser takes larger ones, which no
/// effective config could repeat.
pub(super) const LARGEST: u64 = i64::MAX.unsigned_abs();

/// `[[engine]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenEngine {
    pub(super) name: Spanned<String>,
    pub(super) extends: Option<Spanned<String>>,
    pub(super) search: Option<Spanned<WrittenSearch>>,
    pub(super) command: Option<Spanned<String>>,
    pub(super) args: Option<Vec<Spanned<String>>>,
    pub(super) dir: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) env: BTreeMap<Spanned<String>, Spanned<String>>,
    pub(super) protocol: Option<ProtocolKind>,
    #[serde(default)]
    pub(super) options: BTreeMap<Spanned<String>, Spanned<OptionValue>>,
    pub(super) start_ms: Option<Spanned<u64>>,
    pub(super) ready_ms: Option<Spanned<u64>>,
    pub(super) stall_ms: Option<Spanned<u64>>,
    #[serde(default)]
    pub(super) evaluation: Values,
    pub(super) limit: Option<Spanned<WrittenLimit>>,
    #[serde(default)]
    pub(super) role_limit: BTreeMap<Spanned<String>, Spanned<WrittenLimit>>,
}

/// `[engine.search.KIND]`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum WrittenSearch {
    AlphaBeta(Values),
    Greedy(Values),
    Random(Values),
}

/// Parameters by name; which names exist, the engine knows.
pub(super) type Values = BTreeMap<Spanned<String>, Spanned<Value>>;

/// A parameter's value: a number, or a switch as 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value {
    Number(f64),
    Switch(bool),
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        struct ValueVisitor;
        impl Visitor<'_> for ValueVisitor {
            type Value = Value;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, true or false")
            }

            fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
                Ok(Value::Switch(value))
            }

            #[expect(
                clippy::cast_precision_loss,
                reason = "ranges of parameters are far below 2^53"
            )]
            fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
                Ok(Value::Number(value as f64))
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
                Ok(Value::Number(value))
            }
        }
        deserializer.deserialize_any(ValueVisitor)
    }
}

/// The value of an engine's option, as it is sent: a text, a number or a switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OptionValue(pub(super) String);

impl<'de> Deserialize<'de> for OptionValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OptionValue, D::Error> {
        struct OptionVisitor;
        impl Visitor<'_> for OptionVisitor {
            type Value = OptionValue;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text, a number, true or false")
            }

            fn visit_bool<E: Error>(self, value: bool) -> Result<OptionValue, E> {
                Ok(OptionValue(value.to_string()))
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<OptionValue, E> {
                Ok(OptionValue(value.to_string()))
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<OptionValue, E> {
                Ok(OptionValue(value.to_string()))
            }

            fn visit_str<E: Error>(self, value: &str) -> Result<OptionValue, E> {
                Ok(OptionValue(value.to_owned()))
            }
        }
        deserializer.deserialize_any(OptionVisitor)
    }
}

/// `[schedule.KIND]`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum WrittenSchedule {
    HeadToHead(WrittenHeadToHead),
    Gauntlet(WrittenGauntlet),
    RoundRobin(WrittenRoundRobin),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenHeadToHead {
    pub(super) candidate: Spanned<String>,
    pub(super) base: Spanned<String>,
    pub(super) pairs: Spanned<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenGauntlet {
    pub(super) base: Spanned<String>,
    /// All others where it is not given.
    pub(super) candidates: Option<Vec<Spanned<String>>>,
    pub(super) pairs: Spanned<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenRoundRobin {
    /// All where it is not given.
    pub(super) engines: Option<Vec<Spanned<String>>>,
    pub(super) pairs: Spanned<u32>,
}

/// `[verdict.KIND]`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum WrittenVerdict {
    WinRate(WrittenWinRate),
    Sprt(WrittenSprt),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenWinRate {
    #[serde(default = "default_at_least")]
    pub(super) at_least: f64,
}

fn default_at_least() -> f64 {
    0.55
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenSprt {
    pub(super) elo0: f64,
    pub(super) elo1: f64,
    #[serde(default = "default_error")]
    pub(super) alpha: f64,
    #[serde(default = "default_error")]
    pub(super) beta: f64,
    #[serde(default)]
    pub(super) model: EloModel,
    #[serde(default)]
    pub(super) outcomes: OutcomeModel,
}

fn default_error() -> f64 {
    0.05
}
