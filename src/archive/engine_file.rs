//! `engine.toml`: the game and the parameters of an archived engine, in the words of a config.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use crate::results::GameSpec;

/// A value for every parameter, as text: what the program is given on its command line and as
/// options.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Of the search.
    pub search: BTreeMap<String, String>,
    /// Of the evaluation.
    pub evaluation: BTreeMap<String, String>,
}

/// The parameter that UCI calls `Hash`.
const HASH: &str = "hash_mb";

impl Settings {
    /// All names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let both = self.search.iter().chain(&self.evaluation);
        both.map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The options of the built-in engine as a UCI engine.
    #[must_use]
    pub fn uci_options(&self) -> BTreeMap<String, String> {
        let option = |(name, value): (&str, &str)| {
            let name = if name == HASH { "Hash" } else { name };
            (name.to_owned(), value.to_owned())
        };
        self.iter().map(option).collect()
    }

    /// Where `now` differs, a line each.
    #[must_use]
    pub fn differences(&self, now: &Settings) -> Vec<String> {
        let mut found = Vec::new();
        for (table, saved, now) in [
            ("search", &self.search, &now.search),
            ("evaluation", &self.evaluation, &now.evaluation),
        ] {
            let mut names: Vec<&String> = saved.keys().chain(now.keys()).collect();
            names.sort();
            names.dedup();
            for name in names {
                let what = match (saved.get(name), now.get(name)) {
                    (Some(saved), Some(now)) if saved != now => {
                        format!("is {now} in engine.toml, saved as {saved}")
                    }
                    (Some(saved), None) => format!("is not in engine.toml, saved as {saved}"),
                    (None, Some(now)) => format!("is {now} in engine.toml, but was not saved"),
                    _ => continue,
                };
                found.push(format!("{table}.{name} {what}"));
            }
        }
        found
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    game: BTreeMap<String, Table>,
    engine: Vec<Engine>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Engine {
    name: String,
    search: Search,
    evaluation: Table,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Search {
    alpha_beta: Table,
}

/// The file of an engine.
///
/// # Panics
/// When rules are no table: a slip in the program.
pub(super) fn write(name: &str, game: &GameSpec, search: Table, evaluation: Table) -> String {
    let rules = Table::try_from(&game.rules).expect("rules are tables of plain values");
    let file = File {
        game: BTreeMap::from([(game.name.clone(), rules)]),
        engine: vec![Engine {
            name: name.to_owned(),
            search: Search { alpha_beta: search },
            evaluation,
        }],
    };
    format!(
        "# An archived engine with every parameter written out; [[engine]] can stand in a config.\n{}",
        toml::to_string(&file).expect("a table of plain values serialises")
    )
}

/// The parameters of the file's engine; a fragment says what is wrong.
pub(super) fn read(text: &str, game: &GameSpec) -> Result<Settings, String> {
    let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
    let [engine] = &file.engine[..] else {
        return Err(format!("it has {} engines, not one", file.engine.len()));
    };
    let rules = |rules: &Table| serde_json::to_value(rules).ok();
    let same = file.game.len() == 1
        && file.game.get(&game.name).and_then(rules).as_ref() == Some(&game.rules);
    if !same {
        let saved = &game.rules;
        return Err(format!(
            "its game is not the one that was saved, {} with the rules {saved}",
            game.name
        ));
    }
    Ok(Settings {
        search: texts(&engine.search.alpha_beta)?,
        evaluation: texts(&engine.evaluation)?,
    })
}

fn texts(table: &Table) -> Result<BTreeMap<String, String>, String> {
    let text = |(name, value): (&String, &Value)| {
        let text = match value {
            Value::Boolean(on) => on.to_string(),
            Value::Integer(number) => number.to_string(),
            Value::Float(number) => number.to_string(),
            _ => return Err(format!("`{name}` is neither a number nor true or false")),
        };
        Ok((name.clone(), text))
    };
    table.iter().map(text).collect()
}
