//! `starts.csv`: a row each time that a process begins to play a run, or goes on with it.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::run_dir::{RunDir, RunDirError};

const FILE: &str = "starts.csv";

/// What a start found: the machine, as far as results depend on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// When, UTC, RFC 3339.
    pub started: String,
    /// The version of agon.
    pub agon: String,
    /// Games played at once.
    pub workers: usize,
    /// Processors that the process may use.
    pub usable_cores: usize,
    /// Physical cores among them, where the system tells.
    pub physical_cores: Option<usize>,
}

impl RunDir {
    /// Adds a row to `starts.csv`.
    ///
    /// # Errors
    /// [`RunDirError::Io`].
    pub fn add_start(&self, start: &Start) -> Result<(), RunDirError> {
        let mut starts = read_starts(self.path());
        starts.push(start.clone());
        let mut writer = csv::Writer::from_writer(Vec::new());
        for start in &starts {
            writer
                .serialize(start)
                .expect("a row of plain fields serialises");
        }
        let bytes = writer.into_inner().expect("memory takes every write");
        self.write_whole(FILE, &bytes)
    }
}

/// The starts of the run in `dir`. They only serve warnings: rows that do not read are left
/// out, and a run of an older agon has none.
#[must_use]
pub fn read_starts(dir: &Path) -> Vec<Start> {
    let Ok(reader) = csv::Reader::from_path(dir.join(FILE)) else {
        return Vec::new();
    };
    reader.into_deserialize().filter_map(Result::ok).collect()
}
