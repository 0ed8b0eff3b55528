//! Configs: TOML to [`Plan`], in two steps.
//!
//! `document` parses the file and puts `--set` overrides in; `written` is what can stand
//! in it; `meant` is what it means. The first syntax or type error ends the reading; errors
//! of meaning are all reported at once. Every message has file, line and column.

mod checker;
mod document;
mod engines;
mod external;
mod meant;
mod notes;
mod problem;
mod suggest;
mod written;

use std::path::{Path, PathBuf};

pub(crate) use meant::ten_thousandths;
pub use problem::{ConfigErrors, Problem};
pub use suggest::nearest;

use crate::plan::Plan;
use document::Document;

/// Reads a config and makes its plan. `overrides` are `path=value` of `--set`.
///
/// # Errors
/// [`ConfigErrors`]: the file cannot be read, or what is wrong in it.
pub fn load(path: &Path, overrides: &[String]) -> Result<Plan, ConfigErrors> {
    let bytes = std::fs::read(path).map_err(|source| ConfigErrors::Unreadable {
        path: path.to_owned(),
        source,
    })?;
    let folder = path.parent().map_or_else(PathBuf::new, Path::to_owned);
    from_bytes(&path.display().to_string(), &bytes, &folder, overrides)
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
    let text = crate::openings::decode(bytes)
        .map_err(|error| ConfigErrors::Problems(vec![Problem::in_file(name, error.to_string())]))?;
    let document = Document::new(name, text, overrides)?;
    let (written, game, choices) = document.read()?;
    meant::plan(&document, &written, &game, folder, choices).map_err(ConfigErrors::Problems)
}
