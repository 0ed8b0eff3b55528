//! What can stand in a config: the shape of the file, before it means anything.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Unexpected, Visitor};
use toml::Spanned;

use crate::openings::DuplicateRule;
use crate::results::{AdjudicationSpec, Criterion, EloModel, OutcomeModel, ProtocolKind};

/// The whole file, without `[game.NAME]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    pub(super) name: Spanned<String>,
    #[serde(default = "default_seed")]
    pub(super) seed: Spanned<Whole>,
    pub(super) openings: Spanned<String>,
    #[serde(default)]
    pub(super) duplicate_openings: DuplicateRule,
    pub(super) limit: Option<Spanned<WrittenLimit>>,
    #[serde(default)]
    pub(super) role_limit: BTreeMap<Spanned<String>, Spanned<WrittenLimit>>,
    pub(super) margin_ms: Option<Spanned<Whole>>,
    pub(super) workers: Option<Spanned<Whole>>,
    pub(super) max_fault_share: Option<Spanned<f64>>,
    #[serde(default = "no_adjudication")]
    pub(super) adjudication: Spanned<AdjudicationSpec>,
    pub(super) compare: Option<Spanned<Criterion>>,
    pub(super) schedule: Option<Spanned<WrittenSchedule>>,
    pub(super) verdict: Option<Spanned<WrittenVerdict>>,
    pub(super) tune: Option<Spanned<WrittenTune>>,
    #[serde(default)]
    pub(super) engine: Vec<Spanned<WrittenEngine>>,
}

fn no_adjudication() -> Spanned<AdjudicationSpec> {
    Spanned::new(0..0, AdjudicationSpec::default())
}

fn default_seed() -> Spanned<Whole> {
    Spanned::new(0..0, Whole(1))
}

/// `[limit]`: exactly one of its keys.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum WrittenLimit {
    TimeMs(Spanned<Whole>),
    Nodes(Spanned<Whole>),
    Depth(Spanned<Whole>),
    Clock(Spanned<String>),
}

/// The largest whole number that TOML is sure to hold. The parser takes larger ones, which no
/// effective config could repeat.
pub(super) const LARGEST: u64 = i64::MAX.unsigned_abs();

/// A whole number of any size: what is allowed is a question of meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Whole(pub(super) i128);

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Whole, D::Error> {
        struct WholeVisitor;
        impl Visitor<'_> for WholeVisitor {
            type Value = Whole;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number")
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Whole, E> {
                Ok(Whole(value.into()))
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<Whole, E> {
                Ok(Whole(value.into()))
            }

            fn visit_i128<E: Error>(self, value: i128) -> Result<Whole, E> {
                Ok(Whole(value))
            }

            fn visit_u128<E: Error>(self, value: u128) -> Result<Whole, E> {
                Ok(Whole(i128::try_from(value).unwrap_or(i128::MAX)))
            }
        }
        deserializer.deserialize_any(WholeVisitor)
    }
}

/// `[[engine]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenEngine {
    pub(super) name: Spanned<String>,
    pub(super) extends: Option<Spanned<String>>,
    pub(super) search: Option<Spanned<WrittenSearch>>,
    pub(super) command: Option<Spanned<String>>,
    pub(super) archived: Option<Spanned<String>>,
    pub(super) book: Option<Spanned<WrittenBook>>,
    pub(super) args: Option<Vec<Spanned<String>>>,
    pub(super) dir: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) env: BTreeMap<Spanned<String>, Spanned<String>>,
    pub(super) protocol: Option<ProtocolKind>,
    #[serde(default)]
    pub(super) options: BTreeMap<Spanned<String>, Spanned<OptionValue>>,
    pub(super) start_ms: Option<Spanned<Whole>>,
    pub(super) ready_ms: Option<Spanned<Whole>>,
    pub(super) stall_ms: Option<Spanned<Whole>>,
    #[serde(default)]
    pub(super) evaluation: Values,
    pub(super) limit: Option<Spanned<WrittenLimit>>,
    #[serde(default)]
    pub(super) role_limit: BTreeMap<Spanned<String>, Spanned<WrittenLimit>>,
}

/// `book`: a file, its lines, or `false` for none.
#[derive(Debug)]
pub(super) enum WrittenBook {
    None,
    File(String),
    Lines(Vec<String>),
}

impl<'de> Deserialize<'de> for WrittenBook {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<WrittenBook, D::Error> {
        struct BookVisitor;
        impl<'de> Visitor<'de> for BookVisitor {
            type Value = WrittenBook;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a file's path, a list of lines, or false for no book")
            }

            fn visit_bool<E: Error>(self, value: bool) -> Result<WrittenBook, E> {
                if value {
                    return Err(E::invalid_value(Unexpected::Bool(value), &self));
                }
                Ok(WrittenBook::None)
            }

            fn visit_str<E: Error>(self, value: &str) -> Result<WrittenBook, E> {
                Ok(WrittenBook::File(value.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<WrittenBook, A::Error> {
                let mut lines = Vec::new();
                while let Some(line) = seq.next_element()? {
                    lines.push(line);
                }
                Ok(WrittenBook::Lines(lines))
            }
        }
        deserializer.deserialize_any(BookVisitor)
    }
}

/// `[engine.search.KIND]`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum WrittenSearch {
    AlphaBeta(Values),
    Greedy(Values),
    Random(Values),
    Beam(Values),
}

/// Parameters by name; which names exist, the engine knows.
pub(super) type Values = BTreeMap<Spanned<String>, Spanned<Value>>;

/// A parameter's value: a number, or a switch as 0 or 1.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Number(f64),
    Switch(bool),
    /// No value of a parameter; the message names what is.
    Text(String),
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

            fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
                Ok(Value::Text(value.to_owned()))
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
    pub(super) pairs: Spanned<Whole>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenGauntlet {
    pub(super) base: Spanned<String>,
    /// All others where it is not given.
    pub(super) candidates: Option<Vec<Spanned<String>>>,
    pub(super) pairs: Spanned<Whole>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenRoundRobin {
    /// All where it is not given.
    pub(super) engines: Option<Vec<Spanned<String>>>,
    pub(super) pairs: Spanned<Whole>,
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
    pub(super) at_least: Option<Spanned<f64>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenSprt {
    pub(super) elo0: Spanned<f64>,
    pub(super) elo1: Spanned<f64>,
    pub(super) alpha: Option<Spanned<f64>>,
    pub(super) beta: Option<Spanned<f64>>,
    #[serde(default)]
    pub(super) model: EloModel,
    #[serde(default)]
    pub(super) outcomes: OutcomeModel,
}

/// `[tune]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenTune {
    pub(super) base: Spanned<String>,
    pub(super) method: Option<Spanned<WrittenMethod>>,
    pub(super) rounds: Option<Spanned<Whole>>,
    #[serde(default)]
    pub(super) parameter: Vec<Spanned<WrittenParameter>>,
    pub(super) confirm: Option<Spanned<WrittenConfirm>>,
}

/// `[tune.method.KIND]`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum WrittenMethod {
    Zoom(WrittenGames),
    Grid(WrittenGrid),
    Spsa(WrittenGames),
    Random(WrittenGames),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenGames {
    pub(super) games: Spanned<Whole>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenGrid {
    #[serde(default)]
    pub(super) values: Vec<Spanned<f64>>,
    pub(super) points: Option<Spanned<Whole>>,
    pub(super) pairs: Spanned<Whole>,
}

/// `[[tune.parameter]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenParameter {
    pub(super) name: Spanned<String>,
    pub(super) low: Spanned<f64>,
    pub(super) high: Spanned<f64>,
}

/// `[tune.confirm]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenConfirm {
    pub(super) openings: Spanned<String>,
    pub(super) max_games: Spanned<Whole>,
}
