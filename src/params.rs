//! Tunable parameters: one declaration feeds the config check, an engine's options and the
//! tuner's bounds.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What values a [`Parameter`] takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ParameterKind {
    /// Any number in the range.
    Real,
    /// Whole numbers in the range.
    Integer,
    /// `true` (1) or `false` (0).
    Switch,
}

/// One declared parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// The name in configs; for external engines the option's name.
    pub name: String,
    /// What values it takes.
    pub kind: ParameterKind,
    /// The value where a config is silent.
    pub default: f64,
    /// Smallest value allowed.
    pub min: f64,
    /// Largest value allowed.
    pub max: f64,
    /// The smallest step that makes a difference: 1 for whole numbers.
    pub step: f64,
    /// What it does, one line.
    pub about: String,
}

impl Parameter {
    /// A real number in `min..=max`.
    #[must_use]
    pub fn real(name: &str, default: f64, min: f64, max: f64, step: f64, about: &str) -> Parameter {
        let kind = ParameterKind::Real;
        Parameter {
            name: name.into(),
            kind,
            default,
            min,
            max,
            step,
            about: about.into(),
        }
    }

    /// A whole number in `min..=max`.
    #[must_use]
    pub fn integer(name: &str, default: i32, min: i32, max: i32, about: &str) -> Parameter {
        Parameter {
            kind: ParameterKind::Integer,
            ..Parameter::real(name, default.into(), min.into(), max.into(), 1.0, about)
        }
    }

    /// A switch.
    #[must_use]
    pub fn switch(name: &str, default: bool, about: &str) -> Parameter {
        Parameter {
            kind: ParameterKind::Switch,
            ..Parameter::real(name, f64::from(u8::from(default)), 0.0, 1.0, 1.0, about)
        }
    }

    /// What may be written, for messages.
    #[must_use]
    pub fn allowed(&self) -> String {
        match self.kind {
            ParameterKind::Real => format!("a number from {} to {}", self.min, self.max),
            ParameterKind::Integer => format!("a whole number from {} to {}", self.min, self.max),
            ParameterKind::Switch => "true or false".to_owned(),
        }
    }
}

/// A value that its declaration does not allow.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ParameterError {
    /// No parameter has this name.
    #[error("unknown parameter `{name}`")]
    Unknown {
        /// The name as written.
        name: String,
        /// All names that exist.
        known: Vec<String>,
    },
    /// The value is of the wrong kind or out of range.
    #[error("`{name}` is {value}, but must be {allowed}")]
    Value {
        /// The parameter's name.
        name: String,
        /// The value as written.
        value: String,
        /// What is allowed.
        allowed: String,
    },
}

/// A value for every declared parameter.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ParameterValues(BTreeMap<String, f64>);

impl ParameterValues {
    /// Every parameter at its default.
    #[must_use]
    pub fn defaults(declared: &[Parameter]) -> ParameterValues {
        ParameterValues(
            declared
                .iter()
                .map(|p| (p.name.clone(), p.default))
                .collect(),
        )
    }

    /// Sets one value, checked against its declaration.
    ///
    /// # Errors
    /// [`ParameterError::Unknown`] for a name that is not declared, [`ParameterError::Value`]
    /// for a value out of range, not whole where it must be, or not finite.
    pub fn set(
        &mut self,
        declared: &[Parameter],
        name: &str,
        value: f64,
    ) -> Result<(), ParameterError> {
        let Some(parameter) = declared.iter().find(|p| p.name == name) else {
            let known = declared.iter().map(|p| p.name.clone()).collect();
            return Err(ParameterError::Unknown {
                name: name.to_owned(),
                known,
            });
        };
        let whole = parameter.kind == ParameterKind::Real || value.fract() == 0.0;
        if !whole || !(parameter.min..=parameter.max).contains(&value) {
            return Err(ParameterError::Value {
                name: name.to_owned(),
                value: value.to_string(),
                allowed: parameter.allowed(),
            });
        }
        self.0.insert(name.to_owned(), value);
        Ok(())
    }

    /// The value of a declared parameter.
    ///
    /// # Panics
    /// When `name` was not declared where these values were made: a slip in the program.
    #[must_use]
    pub fn get(&self, name: &str) -> f64 {
        match self.0.get(name) {
            Some(value) => *value,
            None => panic!("parameter `{name}` is not declared"),
        }
    }

    /// The value of a declared whole number.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "declared ranges are i32")]
    pub fn integer(&self, name: &str) -> i32 {
        self.get(name) as i32
    }

    /// The value of a declared switch.
    #[must_use]
    pub fn switch(&self, name: &str) -> bool {
        self.get(name) != 0.0
    }

    /// All names and values, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, f64)> {
        self.0.iter().map(|(name, value)| (name.as_str(), *value))
    }
}

/// Something made from parameter values.
pub trait Tunable: Sized {
    /// All parameters, in the order in which they are shown.
    fn parameters() -> Vec<Parameter>;
    /// Builds it from a value for every parameter.
    fn from_values(values: &ParameterValues) -> Self;
}
