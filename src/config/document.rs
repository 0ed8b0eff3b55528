//! The parsed file, with `--set` overrides put in, and places for messages.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::problem::{ConfigErrors, Problem};
use super::suggest::hint_for_serde;
use super::written::Written;
use crate::plan::Place;

/// A config's text and its overrides.
pub(super) struct Document {
    name: String,
    text: String,
    overrides: Vec<Override>,
}

struct Override {
    path: Vec<String>,
    /// The value as TOML.
    value: String,
    /// As the user wrote it.
    given: String,
}

/// The `[game.NAME]` table, kept apart because only the game knows its keys.
pub(super) struct WrittenGame {
    pub(super) name: Spanned<String>,
    pub(super) rules: toml::Value,
    /// Where each key of the rules stands.
    pub(super) keys: Vec<Spanned<String>>,
}

impl Document {
    pub(super) fn new(
        name: &str,
        text: String,
        overrides: &[String],
    ) -> Result<Document, ConfigErrors> {
        let overrides = overrides
            .iter()
            .map(|given| parse_override(given))
            .collect::<Result<_, _>>();
        let overrides = overrides.map_err(|problem| ConfigErrors::Problems(vec![problem]))?;
        Ok(Document {
            name: name.to_owned(),
            text,
            overrides,
        })
    }

    /// What is written, the game's table, and the choices that were made more than once: of each
    /// the first one is read, so that the other mistakes are found too.
    pub(super) fn read(&self) -> Result<(Written, WrittenGame, Vec<Problem>), ConfigErrors> {
        let failed = |error: &toml::de::Error| ConfigErrors::Problems(vec![self.syntax(error)]);
        let mut root = DeTable::parse(&self.text).map_err(|error| failed(&error))?;
        for index in 0..self.overrides.len() {
            self.apply(index, root.get_mut())
                .map_err(|p| ConfigErrors::Problems(vec![p]))?;
        }
        let game = self
            .take_game(root.get_mut())
            .map_err(|p| ConfigErrors::Problems(vec![p]))?;
        let choices = self.settle_choices(root.get_mut());
        let written =
            Written::deserialize(toml::de::Deserializer::from(root)).map_err(|error| {
                // What is told already needs no second message.
                let mut problems = choices.clone();
                let problem = self.syntax(&error);
                if !problems.iter().any(|known| known.place == problem.place) {
                    problems.push(problem);
                }
                ConfigErrors::Problems(problems)
            })?;
        Ok((written, game, choices))
    }

    /// Looks at the tables of which exactly one key must be given.
    fn settle_choices(&self, root: &mut DeTable<'_>) -> Vec<Problem> {
        let mut problems = Vec::new();
        for (name, value) in root.iter_mut() {
            if let ("tune", DeValue::Table(tune)) = (name.get_ref().as_ref(), value.get_mut()) {
                self.settle_tables(tune, &mut problems);
            }
            let DeValue::Array(engines) = value.get_mut() else {
                continue;
            };
            for engine in engines.iter_mut().filter(|_| name.get_ref() == "engine") {
                if let DeValue::Table(engine) = engine.get_mut() {
                    self.settle_tables(engine, &mut problems);
                }
            }
        }
        self.settle_tables(root, &mut problems);
        problems
    }

    fn settle_tables(&self, table: &mut DeTable<'_>, problems: &mut Vec<Problem>) {
        for (name, value) in table.iter_mut() {
            let name = name.get_ref().to_string();
            let span = value.span();
            let DeValue::Table(inner) = value.get_mut() else {
                continue;
            };
            if name == "role_limit" {
                for (role, limit) in inner.iter_mut() {
                    let name = format!("role_limit.{}", role.get_ref());
                    let span = limit.span();
                    if let DeValue::Table(limit) = limit.get_mut() {
                        self.settle(&name, "limit", span, limit, problems);
                    }
                }
            } else {
                self.settle(&name, &name, span, inner, problems);
            }
        }
    }

    fn settle(
        &self,
        name: &str,
        kind: &str,
        span: Range<usize>,
        table: &mut DeTable<'_>,
        problems: &mut Vec<Problem>,
    ) {
        let Some((_, choices)) = CHOICES.iter().find(|(choice, _)| *choice == kind) else {
            return;
        };
        let mut keys: Vec<_> = table.keys().cloned().collect();
        keys.sort_by_key(|key| key.span().start);
        let given: Vec<&str> = keys.iter().map(|key| key.get_ref().as_ref()).collect();
        let what = match given.len() {
            1 => return,
            0 => "none is given".to_owned(),
            _ => format!("{} are given", given.join(", ")),
        };
        let message = format!("exactly one must be chosen in `{name}`, but {what}");
        let hint = format!("write one of {}", choices.join(", "));
        problems.push(self.problem(span, message, Some(hint)));
        keys.iter().skip(1).for_each(|other| {
            table.remove(other);
        });
    }

    /// A problem at a span of the text (or of an override).
    pub(super) fn problem(
        &self,
        span: Range<usize>,
        message: String,
        hint: Option<String>,
    ) -> Problem {
        Problem {
            at: span.start,
            place: self.place(&span),
            message,
            hint,
        }
    }

    /// Where a span is, for what is found out later.
    pub(super) fn place_of(&self, span: Range<usize>) -> Place {
        Place {
            at: span.start,
            text: self.place(&span),
        }
    }

    /// A problem of the whole file.
    pub(super) fn problem_of_file(&self, message: &str, hint: &str) -> Problem {
        Problem {
            at: 0,
            place: self.name.clone(),
            message: message.to_owned(),
            hint: Some(hint.to_owned()),
        }
    }

    /// Spans past the text's end belong to overrides: override `i` is at `len + 1 + i`.
    fn place(&self, span: &Range<usize>) -> String {
        if let Some(index) = span.start.checked_sub(self.text.len() + 1)
            && let Some(given) = self.overrides.get(index)
        {
            return format!("--set {}", given.given);
        }
        let before = self.text.get(..span.start).unwrap_or(&self.text);
        let line = 1 + before.matches('\n').count();
        let column = 1 + before
            .rsplit('\n')
            .next()
            .unwrap_or_default()
            .chars()
            .count();
        format!("{}:{line}:{column}", self.name)
    }

    fn syntax(&self, error: &toml::de::Error) -> Problem {
        let message = error.message().trim().replace('\n', ", ");
        let hint = hint_for_serde(&message);
        match error.span() {
            Some(span) => self.problem(span, message, hint),
            None => Problem {
                at: 0,
                place: self.name.clone(),
                message,
                hint,
            },
        }
    }

    fn apply<'a>(&'a self, index: usize, root: &mut DeTable<'a>) -> Result<(), Problem> {
        let given = &self.overrides[index];
        let at = self.text.len() + 1 + index;
        let refused =
            |message: String, hint: &str| self.problem(at..at, message, Some(hint.to_owned()));
        let mut value = DeValue::parse(&given.value)
            .map_err(|error| refused(error.message().to_owned(), "write a TOML value"))?;
        respan(&mut value, at);
        set(root, &given.path, Vec::new(), value, at)
            .map_err(|(message, hint)| refused(message, hint))
    }

    fn take_game(&self, root: &mut DeTable<'_>) -> Result<WrittenGame, Problem> {
        let hint = "add a table such as [game.amazons]";
        let Some((_, game)) = root.remove_entry("game") else {
            return Err(self.problem_of_file("no game is named", hint));
        };
        let span = game.span();
        let refused =
            |message: &str| self.problem(span.clone(), message.to_owned(), Some(hint.to_owned()));
        let DeValue::Table(table) = game.into_inner() else {
            return Err(refused("`game` must be a table"));
        };
        let mut games = table.into_iter();
        let (Some((name, rules)), None) = (games.next(), games.next()) else {
            let message = "exactly one game must be named".to_owned();
            return Err(self.problem(span.clone(), message, Some("keep one table".to_owned())));
        };
        let name = Spanned::new(name.span(), name.get_ref().to_string());
        let DeValue::Table(table) = rules.get_ref() else {
            return Err(refused("a game's rules must be a table"));
        };
        let keys = table
            .iter()
            .map(|(key, value)| {
                Spanned::new(
                    key.span().start..value.span().end,
                    key.get_ref().to_string(),
                )
            })
            .collect();
        let rules = toml::Value::deserialize(toml::de::ValueDeserializer::from(rules))
            .map_err(|error| self.syntax(&error))?;
        Ok(WrittenGame { name, rules, keys })
    }
}

/// The tables of which exactly one key must be given, and those keys.
const CHOICES: [(&str, &[&str]); 5] = [
    ("method", &["zoom", "grid", "spsa", "random"]),
    ("limit", &["time_ms", "nodes", "depth", "clock"]),
    ("schedule", &["head_to_head", "gauntlet", "round_robin"]),
    ("search", &["alpha_beta", "greedy", "random"]),
    ("verdict", &["win_rate", "sprt"]),
];

/// Whether exactly one key of the table with these names may be given, so that another choice
/// takes the place of the one that is there.
fn is_choice(names: &[&str]) -> bool {
    match names {
        [.., "role_limit", _] => true,
        [.., last] => CHOICES.iter().any(|(choice, _)| choice == last),
        [] => false,
    }
}

/// Sets `path` within the table with these names, making the tables on the way;
/// `engine.NAME.…` reaches into the list of engines by name. An error comes with its hint.
fn set<'a>(
    table: &mut DeTable<'a>,
    path: &'a [String],
    mut names: Vec<&'a str>,
    value: Spanned<DeValue<'a>>,
    at: usize,
) -> Result<(), (String, &'static str)> {
    let [step, rest @ ..] = path else {
        return Err((
            "the path names no key".to_owned(),
            "write --set path=value, such as --set limit.nodes=500",
        ));
    };
    if is_choice(&names) {
        let others = table.keys().filter(|key| *key.get_ref() != step.as_str());
        let others: Vec<_> = others.cloned().collect();
        others.iter().for_each(|other| {
            table.remove(other);
        });
    }
    let key = Spanned::new(at..at, step.as_str().into());
    if rest.is_empty() {
        table.insert(key, value);
        return Ok(());
    }
    let entry = table
        .entry(key)
        .or_insert_with(|| Spanned::new(at..at, DeValue::Table(DeTable::new())));
    match entry.get_mut() {
        DeValue::Table(inner) => {
            names.push(step);
            set(inner, rest, names, value, at)
        }
        DeValue::Array(items) => {
            let [name, rest @ ..] = rest else {
                return Err((format!("`{step}` is a list"), "name one of its entries"));
            };
            let has_name = |item: &DeValue<'_>| {
                item.get("name").and_then(|n| n.get_ref().as_str()) == Some(name)
            };
            let named = items.iter_mut().find_map(|item| match item.get_mut() {
                entry if !has_name(entry) => None,
                DeValue::Table(entry) => Some(entry),
                _ => None,
            });
            let Some(entry) = named else {
                let message = format!("no entry of `{step}` is called `{name}`");
                return Err((message, "use the `name` of one of its entries"));
            };
            set(entry, rest, Vec::new(), value, at)
        }
        _ => Err((format!("`{step}` is no table"), "check the path")),
    }
}

/// Gives a value and all in it the place of its override.
fn respan(value: &mut Spanned<DeValue<'_>>, at: usize) {
    let mut inner =
        std::mem::replace(value, Spanned::new(at..at, DeValue::Boolean(false))).into_inner();
    match &mut inner {
        DeValue::Array(items) => items.iter_mut().for_each(|item| respan(item, at)),
        DeValue::Table(table) => table.iter_mut().for_each(|(_, item)| respan(item, at)),
        _ => {}
    }
    *value = Spanned::new(at..at, inner);
}

/// `path=value`: the value is TOML, or else a plain string.
fn parse_override(given: &str) -> Result<Override, Problem> {
    let refused = |message: &str| Problem {
        at: 0,
        place: format!("--set {given}"),
        message: message.to_owned(),
        hint: Some("write --set path=value, such as --set limit.nodes=500".to_owned()),
    };
    let (path, value) = given
        .split_once('=')
        .ok_or_else(|| refused("there is no `=`"))?;
    let path: Vec<String> = path
        .trim()
        .split('.')
        .map(|step| step.trim().to_owned())
        .collect();
    if path.iter().any(String::is_empty) {
        return Err(refused("a step of the path is empty"));
    }
    let value = value.trim();
    let value = match DeValue::parse(value) {
        Ok(_) => value.to_owned(),
        Err(_) => toml::Value::String(value.to_owned()).to_string(),
    };
    Ok(Override {
        path,
        value,
        given: given.to_owned(),
    })
}
