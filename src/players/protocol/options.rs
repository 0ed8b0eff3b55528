//! The options of an engine, as it declares them, and values checked against them.

use thiserror::Error;

/// What an option takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check,
    /// A whole number.
    Spin {
        /// The least.
        min: i64,
        /// The most.
        max: i64,
    },
    /// One of these.
    Combo(Vec<String>),
    /// Nothing: it is pressed.
    Button,
    /// Any text.
    Text,
}

/// An option that an engine declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredOption {
    /// Its name, as the engine spells it.
    pub name: String,
    /// What it takes.
    pub kind: OptionKind,
    /// Its value before anybody sets it.
    pub default: Option<String>,
}

/// Why an option cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// The engine declares no such option.
    #[error("it declares no option `{name}`")]
    Unknown {
        /// The name asked for.
        name: String,
        /// All that it declares.
        declared: Vec<String>,
    },
    /// The value is not one that the option takes.
    #[error("option `{name}` is `{value}`, but must be {expected}")]
    Value {
        /// The option.
        name: String,
        /// The value.
        value: String,
        /// What it takes, in words.
        expected: String,
    },
}

/// More options than this, or longer declarations, no engine has; both together bound the memory
/// that a greeting can take.
const MOST_OPTIONS: usize = 1000;
const LONGEST_DECLARATION: usize = 4096;

/// Adds the option of a line to those that an engine has declared; one that is too long is
/// passed over.
///
/// # Errors
/// What is wrong with an engine that declares so many.
pub(super) fn declare<'a>(
    declared: &mut Vec<DeclaredOption>,
    words: impl Iterator<Item = &'a str> + Clone,
) -> Result<(), String> {
    if declared.len() >= MOST_OPTIONS {
        return Err(format!("it declares more than {MOST_OPTIONS} options"));
    }
    if words.clone().map(|word| word.len() + 1).sum::<usize>() <= LONGEST_DECLARATION {
        declared.extend(DeclaredOption::parse(words));
    }
    Ok(())
}

impl DeclaredOption {
    /// Reads `NAME type … default … min … max … var …`: names and values may hold blanks.
    /// `None` where it is no option, or one that can only be shown.
    pub(super) fn parse<'a>(words: impl Iterator<Item = &'a str>) -> Option<DeclaredOption> {
        let mut parts: Vec<(&str, String)> = vec![("name", String::new())];
        for word in words {
            if word.contains(char::is_control) {
                // Nothing that could not be sent back.
                return None;
            }
            let has_type = parts.iter().any(|(key, _)| *key == "type");
            let key = match word {
                "type" if !has_type => Some("type"),
                "default" if has_type => Some("default"),
                "min" if has_type => Some("min"),
                "max" if has_type => Some("max"),
                "var" if has_type => Some("var"),
                _ => None,
            };
            match (key, parts.last_mut()) {
                (Some(key), _) => parts.push((key, String::new())),
                (None, Some((_, text))) => {
                    if !text.is_empty() {
                        *text += " ";
                    }
                    *text += word;
                }
                (None, None) => {}
            }
        }
        let part = |wanted: &str| {
            let found = parts.iter().find(|(key, _)| *key == wanted);
            found.map(|(_, text)| text.clone())
        };
        let number = |wanted: &str| part(wanted).and_then(|text| text.parse::<i64>().ok());
        let name = part("name").filter(|name| !name.is_empty())?;
        let kind = match part("type")?.as_str() {
            "check" => OptionKind::Check,
            "spin" => OptionKind::Spin {
                min: number("min").unwrap_or(i64::MIN),
                max: number("max").unwrap_or(i64::MAX),
            },
            "combo" => OptionKind::Combo(
                parts
                    .iter()
                    .filter(|(key, _)| *key == "var")
                    .map(|(_, text)| text.clone())
                    .collect(),
            ),
            "button" => OptionKind::Button,
            "label" => return None,
            _ => OptionKind::Text,
        };
        let default = part("default").map(|text| {
            if text == "<empty>" {
                String::new()
            } else {
                text
            }
        });
        Some(DeclaredOption {
            name,
            kind,
            default,
        })
    }

    /// Whether it takes no value, but is pressed.
    #[must_use]
    pub fn is_button(&self) -> bool {
        self.kind == OptionKind::Button
    }

    /// Whether the option takes this value.
    ///
    /// # Errors
    /// [`OptionError::Value`].
    pub fn check(&self, value: &str) -> Result<(), OptionError> {
        let (fits, expected) = match &self.kind {
            OptionKind::Check => (
                ["true", "false"].contains(&value),
                "true or false".to_owned(),
            ),
            OptionKind::Spin { min, max } => (
                value
                    .parse()
                    .is_ok_and(|number: i64| (*min..=*max).contains(&number)),
                format!("a whole number from {min} to {max}"),
            ),
            OptionKind::Combo(choices) => (
                choices.iter().any(|choice| choice == value),
                format!("one of {}", choices.join(", ")),
            ),
            OptionKind::Button => (
                ["", "true"].contains(&value),
                "true, which presses the button".to_owned(),
            ),
            OptionKind::Text => (
                !value.chars().any(char::is_control),
                "a text without control characters".to_owned(),
            ),
        };
        if fits {
            return Ok(());
        }
        Err(OptionError::Value {
            name: self.name.clone(),
            value: value.to_owned(),
            expected,
        })
    }
}

/// The option of this name, whatever its case.
pub(super) fn find<'a>(
    declared: &'a [DeclaredOption],
    name: &str,
) -> Result<&'a DeclaredOption, OptionError> {
    let same = |option: &&DeclaredOption| option.name.eq_ignore_ascii_case(name);
    declared
        .iter()
        .find(same)
        .ok_or_else(|| OptionError::Unknown {
            name: name.to_owned(),
            declared: declared.iter().map(|option| option.name.clone()).collect(),
        })
}
