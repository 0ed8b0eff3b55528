//! Archived engines: an agon program and the parameters of one variant in a folder of their own,
//! kept so that they play later as they do today, and so that somebody can tell whether they do.
//!
//! This module knows files and a program that it starts. It knows no game: what the parameters
//! mean, the archived program decides.

mod engine_file;
mod manifest;
mod program;
mod save;
#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

pub use engine_file::Settings;
pub use manifest::Manifest;
pub use program::{ProgramError, signature_of};
pub use save::{NewArchive, save};

use crate::results::{folder_name_problem, sha256_file};

/// The folder of all archives, from the current one.
pub const FOLDER: &str = "results/archive";

/// The files of an archive.
const PROGRAM: &str = "agon";
const ENGINE: &str = "engine.toml";
const MANIFEST: &str = "archive.json";

/// What can be wrong with an archive.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// The name can be no folder's.
    #[error("the archive's name {0}")]
    Name(&'static str),
    /// The name is taken.
    #[error("`{}` is there already", .0.display())]
    Exists(PathBuf),
    /// No archive has this name.
    #[error("no archive is called `{name}` in `{}`", folder.display())]
    Missing {
        /// The name.
        name: String,
        /// Where it was looked for.
        folder: PathBuf,
        /// The names that there are.
        known: Vec<String>,
    },
    /// A file does not say what it should.
    #[error("`{}`: {reason}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The program does not run.
    #[error("`{}` {source}", path.display())]
    Program {
        /// The program.
        path: PathBuf,
        /// What is wrong with it.
        source: ProgramError,
    },
    /// The archive is not what was saved.
    #[error("the archive `{name}` is not what was saved:\n  {}", .differences.join("\n  "))]
    Changed {
        /// The archive's name.
        name: String,
        /// What differs.
        differences: Vec<String>,
    },
    /// The system refused.
    #[error("cannot {doing} `{}`", path.display())]
    Io {
        /// What was tried.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's word.
        source: io::Error,
    },
}

/// What a failed system call becomes.
fn failed(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> ArchiveError + use<> {
    let path = path.to_owned();
    move |source| ArchiveError::Io {
        doing,
        path,
        source,
    }
}

/// An archive on disk.
#[derive(Clone, Debug)]
pub struct Archive {
    path: PathBuf,
    manifest: Manifest,
}

impl Archive {
    /// The archive of this name.
    ///
    /// # Errors
    /// [`ArchiveError::Missing`], or what [`Archive::at`] says.
    pub fn open(folder: &Path, name: &str) -> Result<Archive, ArchiveError> {
        if folder_name_problem(name).is_none() && folder.join(name).is_dir() {
            return Archive::at(&folder.join(name));
        }
        Err(ArchiveError::Missing {
            name: name.to_owned(),
            folder: folder.to_owned(),
            known: names(folder)?,
        })
    }

    /// The archive in this folder.
    ///
    /// # Errors
    /// [`ArchiveError::Format`] or [`ArchiveError::Io`].
    pub fn at(path: &Path) -> Result<Archive, ArchiveError> {
        let file = path.join(MANIFEST);
        let bytes = std::fs::read(&file).map_err(failed("read", &file))?;
        let manifest = Manifest::parse(&bytes)
            .map_err(|reason| ArchiveError::Format { path: file, reason })?;
        let path = path.to_owned();
        Ok(Archive { path, manifest })
    }

    /// What was saved.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The archived program.
    #[must_use]
    pub fn program(&self) -> PathBuf {
        self.path.join(PROGRAM)
    }

    /// The archive's name.
    #[must_use]
    pub fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or(self.path.as_os_str());
        name.to_string_lossy().into_owned()
    }

    /// The parameters as they stand in the archive now.
    ///
    /// # Errors
    /// [`ArchiveError::Format`] or [`ArchiveError::Io`].
    pub fn settings(&self) -> Result<Settings, ArchiveError> {
        let path = self.path.join(ENGINE);
        let text = std::fs::read_to_string(&path).map_err(failed("read", &path))?;
        let game = &self.manifest.game;
        engine_file::read(&text, game).map_err(|reason| ArchiveError::Format { path, reason })
    }

    /// What is no longer as it was saved, of what can be told without running the program.
    ///
    /// # Errors
    /// [`ArchiveError::Format`] or [`ArchiveError::Io`].
    pub fn damage(&self) -> Result<Vec<String>, ArchiveError> {
        let program = self.program();
        let found = sha256_file(&program).map_err(failed("read", &program))?;
        let mut differences = self.manifest.settings.differences(&self.settings()?);
        let expected = &self.manifest.program;
        if found != *expected {
            let shown = program.display();
            let what =
                format!("the program `{shown}` has the SHA-256 {found}, saved as {expected}");
            differences.insert(0, what);
        }
        Ok(differences)
    }

    /// Runs the archived program on the fixed positions again: where it differs from what was
    /// saved, position by position. A program that has been changed is not run.
    ///
    /// # Errors
    /// [`ArchiveError::Changed`] for what [`Archive::damage`] finds, and what goes wrong with
    /// files and the program.
    pub fn verify(&self) -> Result<(), ArchiveError> {
        let mut differences = self.damage()?;
        if differences.is_empty() {
            let expected = &self.manifest.signature;
            let program = self.program();
            let game = &self.manifest.game.name;
            let Manifest {
                rules, settings, ..
            } = &self.manifest;
            let found = signature_of(&program, game, rules.as_deref(), settings, expected.depth)
                .map_err(|source| ArchiveError::Program {
                    path: program,
                    source,
                })?;
            differences = expected.differences(&found, "saved as");
        }
        if differences.is_empty() {
            return Ok(());
        }
        Err(ArchiveError::Changed {
            name: self.name(),
            differences,
        })
    }
}

/// The names of the archives of a folder, sorted; none where the folder is missing.
///
/// # Errors
/// [`ArchiveError::Io`].
pub fn names(folder: &Path) -> Result<Vec<String>, ArchiveError> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed("list", folder)(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(failed("list", folder))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() && !name.starts_with('.') {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}
