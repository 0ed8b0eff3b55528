//! Configs: TOML to [`Plan`] or [`TuningPlan`], in two steps.
//!
//! `document` parses the file and puts `--set` overrides in; `written` is what can stand
//! in it; `meant` is what it means, `tuning` where it tunes. The first syntax or type error ends
//! the reading; errors of meaning are all reported at once. Every message has file, line and
//! column.

mod book;
mod checker;
mod common;
mod deals;
mod declared;
mod document;
mod engines;
mod external;
mod meant;
mod method;
mod notes;
mod problem;
mod suggest;
mod tuning;
mod written;

use std::path::{Path, PathBuf};

pub(crate) use declared::DRAWS;
pub use declared::declare;
pub(crate) use meant::ten_thousandths;
pub use problem::{ConfigErrors, Problem};
pub use suggest::nearest;

use crate::plan::{Plan, TuningPlan};
use document::Document;

/// What a config asks for.
#[derive(Debug)]
pub enum Loaded {
    /// A run.
    Run(Box<Plan>),
    /// A tuning.
    Tuning(Box<TuningPlan>),
}

/// Reads the config of a run and makes its plan. `overrides` are `path=value` of `--set`.
///
/// # Errors
/// [`ConfigErrors`]: the file cannot be read, or what is wrong in it.
pub fn load(path: &Path, overrides: &[String]) -> Result<Plan, ConfigErrors> {
    let (name, bytes, folder) = read(path)?;
    from_bytes(&name, &bytes, &folder, overrides)
}

/// As [`load`], of a tuning.
///
/// # Errors
/// [`ConfigErrors`].
pub fn load_tuning(path: &Path, overrides: &[String]) -> Result<TuningPlan, ConfigErrors> {
    let (name, bytes, folder) = read(path)?;
    tuning_from_bytes(&name, &bytes, &folder, overrides)
}

/// As [`load`], of whatever the config asks for: a tuning if it has `[tune]`.
///
/// # Errors
/// [`ConfigErrors`].
pub fn load_any(path: &Path, overrides: &[String]) -> Result<Loaded, ConfigErrors> {
    let (name, bytes, folder) = read(path)?;
    let document = document(&name, &bytes, overrides)?;
    let (written, ..) = document.read()?;
    if written.tune.is_some() {
        tuning_from_bytes(&name, &bytes, &folder, overrides)
            .map(|plan| Loaded::Tuning(Box::new(plan)))
    } else {
        from_bytes(&name, &bytes, &folder, overrides).map(|plan| Loaded::Run(Box::new(plan)))
    }
}

fn read(path: &Path) -> Result<(String, Vec<u8>, PathBuf), ConfigErrors> {
    let bytes = std::fs::read(path).map_err(|source| ConfigErrors::Unreadable {
        path: path.to_owned(),
        source,
    })?;
    let folder = path.parent().map_or_else(PathBuf::new, Path::to_owned);
    Ok((path.display().to_string(), bytes, folder))
}

fn document(name: &str, bytes: &[u8], overrides: &[String]) -> Result<Document, ConfigErrors> {
    let text = crate::openings::decode(bytes)
        .map_err(|error| ConfigErrors::Problems(vec![Problem::in_file(name, error.to_string())]))?;
    Document::new(name, text, overrides)
}

/// As [`load`], from the bytes of a file called `name` in `folder`.
///
/// # Errors
/// [`ConfigErrors`].
pub fn from_bytes(
    name: &str,
    bytes: &[u8],
    folder: &Path,
    overrides: &[String],
) -> Result<Plan, ConfigErrors> {
    let document = document(name, bytes, overrides)?;
    let (written, game, choices) = document.read()?;
    meant::plan(&document, &written, &game, folder, choices).map_err(ConfigErrors::Problems)
}

/// As [`load_tuning`], from the bytes of a file called `name` in `folder`.
///
/// # Errors
/// [`ConfigErrors`].
pub fn tuning_from_bytes(
    name: &str,
    bytes: &[u8],
    folder: &Path,
    overrides: &[String],
) -> Result<TuningPlan, ConfigErrors> {
    let document = document(name, bytes, overrides)?;
    let (written, game, choices) = document.read()?;
    tuning::plan(&document, &written, &game, folder, choices).map_err(ConfigErrors::Problems)
}
