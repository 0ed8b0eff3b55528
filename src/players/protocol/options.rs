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

impl DeclaredOption {
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
pub(in crate::players) fn find<'a>(
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
