//! `archive.json`: what was saved.

use serde::{Deserialize, Serialize};

use super::engine_file::Settings;
use crate::results::GameSpec;
use crate::search::Signature;

/// The content of `archive.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Version of this format.
    pub version: u32,
    /// agon's version.
    pub agon: String,
    /// The commit that its sources are of, with `+` where they were changed; `unknown` where it
    /// was built without a repository.
    pub commit: String,
    /// When it was saved, UTC.
    pub created: String,
    /// SHA-256 of the program.
    pub program: String,
    /// The game and its rules.
    pub game: GameSpec,
    /// The rules as the program is given them, `key=value,…`; `None` for the default ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// The parameters, as the program is given them.
    pub settings: Settings,
    /// What the program did on the game's fixed positions.
    pub signature: Signature,
}

impl Manifest {
    /// Version of the format that this agon writes.
    pub const VERSION: u32 = 1;

    /// Reads it; a fragment says what is wrong.
    pub(super) fn parse(bytes: &[u8]) -> Result<Manifest, String> {
        let manifest: Manifest =
            serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        if manifest.version != Manifest::VERSION {
            return Err(format!(
                "its format has the version {}, and this agon reads {}",
                manifest.version,
                Manifest::VERSION
            ));
        }
        Ok(manifest)
    }
}
