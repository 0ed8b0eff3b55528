//! Run directories: `results/<name>-<n>/`, numbered from 1.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;
use thiserror::Error;

use super::spec::{PairingSpec, RunSpec};

/// The content of `run.json`: all that must be the same for a run to go on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunFile {
    /// Version of this format.
    pub version: u32,
    /// agon's version.
    pub agon: String,
    /// SHA-256 of the agon program, whose built-in engines play.
    pub program: String,
    /// What is played.
    pub spec: RunSpec,
}

impl RunFile {
    /// Version of the format that this agon writes.
    pub const VERSION: u32 = 1;

    /// The hash that stands in every row: the first 16 digits of the SHA-256 of `run.json`.
    #[must_use]
    pub fn config_hash(&self) -> String {
        plan_hash(self)
    }

    /// Where two runs differ, as `path: here, there`; empty if they are the same.
    #[must_use]
    pub fn differences(&self, other: &RunFile) -> Vec<String> {
        differences(self, other)
    }
}

/// The first 16 digits of the SHA-256 of a plan as JSON.
///
/// # Panics
/// When it is no plain data: a slip in the program.
#[must_use]
pub fn plan_hash(plan: &impl Serialize) -> String {
    let json = serde_json::to_vec(plan).expect("plain data serialises");
    let mut hash = sha256_hex(&json);
    hash.truncate(16);
    hash
}

/// Where two plans differ, as `path: here, there`; empty if they are the same.
///
/// # Panics
/// When they are no plain data: a slip in the program.
#[must_use]
pub fn differences<T: Serialize>(here: &T, there: &T) -> Vec<String> {
    let json = |plan: &T| serde_json::to_value(plan).expect("plain data serialises");
    let mut found = Vec::new();
    compare("", &json(here), &json(there), &mut found);
    found
}

fn compare(
    path: &str,
    here: &serde_json::Value,
    there: &serde_json::Value,
    found: &mut Vec<String>,
) {
    use serde_json::Value;
    match (here, there) {
        (Value::Object(a), Value::Object(b)) => {
            let mut keys: Vec<&String> = a.keys().chain(b.keys()).collect();
            keys.sort();
            keys.dedup();
            for key in keys {
                let path = if path.is_empty() {
                    key.clone()
                } else {
                    format!("{path}.{key}")
                };
                let none = Value::Null;
                compare(
                    &path,
                    a.get(key).unwrap_or(&none),
                    b.get(key).unwrap_or(&none),
                    found,
                );
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (index, (a, b)) in a.iter().zip(b).enumerate() {
                compare(&format!("{path}[{index}]"), a, b, found);
            }
        }
        (Value::Array(a), Value::Array(b)) => {
            found.push(format!("{path}: {} entries, now {}", a.len(), b.len()));
        }
        _ if here == there => {}
        _ => found.push(format!("{path}: {here}, now {there}")),
    }
}

/// Refuses a run file whose indices lead nowhere: somebody has edited it.
fn checked(run: RunFile) -> Result<RunFile, serde_json::Error> {
    let variants = run.spec.variants.len();
    let named = |pairing: &PairingSpec| pairing.candidate < variants && pairing.base < variants;
    let why = if run.spec.openings.is_empty() {
        "it has no openings"
    } else if !run.spec.pairings.iter().all(named) {
        "a pairing names a variant that it does not have"
    } else {
        return Ok(run);
    };
    Err(serde::de::Error::custom(why))
}

/// The SHA-256 of bytes in lower-case hexadecimal.
#[must_use]
pub fn sha256_hex(bytes: &[u8]) -> String {
    in_hex(&Sha256::digest(bytes))
}

/// The SHA-256 of a file, read in pieces: programs may be large.
///
/// # Errors
/// The system's.
pub fn sha256_file(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut bytes = vec![0; 64 * 1024];
    loop {
        match file.read(&mut bytes) {
            Ok(0) => return Ok(in_hex(&hash.finalize())),
            Ok(count) => hash.update(&bytes[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn in_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Makes a temporary file, which is private, as readable as any other.
///
/// # Errors
/// The system's.
pub fn make_readable(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o644))?;
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

/// Makes new names in the folder of the file at `path` survive a loss of power, where the system
/// can: not every file system syncs folders, and the names are right without it as long as the
/// system stands.
pub(super) fn sync_folder(path: &Path) {
    #[cfg(unix)]
    if let Some(folder) = path.parent() {
        drop(File::open(folder).and_then(|folder| folder.sync_all()));
    }
    #[cfg(not(unix))]
    let _ = path;
}

/// Temporary files of this module have this before and that after six letters and digits.
const TEMPORARY: [&str; 2] = [".agon-", ".tmp"];
const TEMPORARY_LETTERS: usize = 6;

fn temporary_in(folder: &Path) -> io::Result<NamedTempFile> {
    let [prefix, suffix] = TEMPORARY;
    tempfile::Builder::new()
        .prefix(prefix)
        .suffix(suffix)
        .rand_bytes(TEMPORARY_LETTERS)
        .tempfile_in(folder)
}

fn is_temporary(name: &str) -> bool {
    let [prefix, suffix] = TEMPORARY;
    let middle = name
        .strip_prefix(prefix)
        .and_then(|rest| rest.strip_suffix(suffix));
    middle.is_some_and(|middle| {
        middle.len() == TEMPORARY_LETTERS && middle.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// What can be wrong with a run directory.
#[derive(Debug, Error)]
pub enum RunDirError {
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
    /// `run.json` is not one of this version of agon.
    #[error("`{}` is not a run of this version of agon", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// Games are there, and what they are games of is not.
    #[error("`{}` has a games.csv, but no run.json that says what was played", path.display())]
    NoRunFile {
        /// The directory.
        path: PathBuf,
    },
    /// The run was played, and its games are gone.
    #[error("`{}` has been played, but its games.csv is gone", path.display())]
    NoJournal {
        /// The directory.
        path: PathBuf,
    },
    /// Another process plays this run.
    #[error("`{}` is in use by another agon", path.display())]
    InUse {
        /// The directory.
        path: PathBuf,
    },
}

/// One run's directory, locked while this value lives.
#[derive(Debug)]
pub struct RunDir {
    path: PathBuf,
    _lock: File,
}

impl RunDir {
    /// The numbers of the runs of `name` under `results`, in ascending order.
    ///
    /// # Errors
    /// [`RunDirError::Io`] when `results` cannot be listed; a missing folder has no runs.
    pub fn numbers(results: &Path, name: &str) -> Result<Vec<u32>, RunDirError> {
        let failed = |source| RunDirError::Io {
            doing: "list",
            path: results.to_owned(),
            source,
        };
        let entries = match fs::read_dir(results) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed(error)),
        };
        let mut numbers = Vec::new();
        for entry in entries {
            let file_name = entry.map_err(failed)?.file_name();
            let number = file_name
                .to_str()
                .and_then(|entry| entry.strip_prefix(name)?.strip_prefix('-'))
                .and_then(|number| {
                    number
                        .parse::<u32>()
                        .ok()
                        .filter(|n| n.to_string() == number)
                });
            numbers.extend(number);
        }
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// The path of run `number`.
    #[must_use]
    pub fn path_of(results: &Path, name: &str, number: u32) -> PathBuf {
        results.join(format!("{name}-{number}"))
    }

    /// Creates the next run of `run.spec.name` and writes its `run.json`; `None` if another
    /// process took the number at the same moment.
    ///
    /// # Errors
    /// [`RunDirError::Io`].
    pub fn create_next(results: &Path, run: &RunFile) -> Result<Option<RunDir>, RunDirError> {
        let dir = RunDir::claim_next(results, &run.spec.name)?;
        if let Some(dir) = &dir {
            dir.write_run_file(run)?;
        }
        Ok(dir)
    }

    /// Creates the next folder of `name`, empty; `None` if another process took the number at the
    /// same moment.
    ///
    /// # Errors
    /// [`RunDirError::Io`].
    pub fn claim_next(results: &Path, name: &str) -> Result<Option<RunDir>, RunDirError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| RunDirError::Io {
                doing: "create",
                path,
                source,
            }
        };
        fs::create_dir_all(results).map_err(failed(results))?;
        let number = Self::numbers(results, name)?
            .last()
            .map_or(1, |last| last.saturating_add(1));
        let path = Self::path_of(results, name, number);
        match fs::create_dir(&path) {
            Ok(()) => Self::lock(&path).map(Some),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
            Err(error) => Err(failed(&path)(error)),
        }
    }

    /// Opens an existing run directory for this process alone, and removes the temporary files
    /// that a crash left in it.
    ///
    /// # Errors
    /// [`RunDirError::InUse`] or [`RunDirError::Io`].
    pub fn lock(path: &Path) -> Result<RunDir, RunDirError> {
        let lock_path = path.join("lock");
        let failed = |source| RunDirError::Io {
            doing: "open",
            path: lock_path.clone(),
            source,
        };
        let lock = File::options()
            .write(true)
            .create(true)
            .truncate(false)
            .open(&lock_path)
            .map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => {
                let dir = RunDir {
                    path: path.to_owned(),
                    _lock: lock,
                };
                dir.remove_temporary()?;
                Ok(dir)
            }
            Err(fs::TryLockError::WouldBlock) => Err(RunDirError::InUse {
                path: path.to_owned(),
            }),
            Err(fs::TryLockError::Error(source)) => Err(RunDirError::Io {
                doing: "lock",
                path: lock_path,
                source,
            }),
        }
    }

    /// Removes what [`RunDir::write_whole`] leaves when the process is killed in it. Nobody else
    /// writes here while this process holds the lock.
    fn remove_temporary(&self) -> Result<(), RunDirError> {
        let failed = |doing, path: &Path| {
            let path = path.to_owned();
            move |source| RunDirError::Io {
                doing,
                path,
                source,
            }
        };
        for entry in fs::read_dir(&self.path).map_err(failed("list", &self.path))? {
            let entry = entry.map_err(failed("list", &self.path))?;
            let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
            if is_file && entry.file_name().to_str().is_some_and(is_temporary) {
                fs::remove_file(entry.path()).map_err(failed("remove", &entry.path()))?;
            }
        }
        Ok(())
    }

    /// Reads `run.json` of the directory at `path`; `None` if a crash came before it was
    /// written, so that nothing has been played.
    ///
    /// # Errors
    /// [`RunDirError::NoRunFile`], [`RunDirError::Format`] or [`RunDirError::Io`].
    pub fn read_run_file(path: &Path) -> Result<Option<RunFile>, RunDirError> {
        let played = path.join("games.csv").exists();
        let dir = path;
        let path = path.join("run.json");
        match fs::read(&path) {
            Ok(_) if !played && dir.join("starts.csv").exists() => Err(RunDirError::NoJournal {
                path: dir.to_owned(),
            }),
            Ok(bytes) => serde_json::from_slice(&bytes)
                .and_then(checked)
                .map(Some)
                .map_err(|source| RunDirError::Format { path, source }),
            Err(error) if error.kind() == io::ErrorKind::NotFound && played => {
                Err(RunDirError::NoRunFile {
                    path: dir.to_owned(),
                })
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(RunDirError::Io {
                doing: "read",
                path,
                source,
            }),
        }
    }

    /// Creates a folder of a run within another one, and those above it, unless it is there; for
    /// this process alone.
    ///
    /// # Errors
    /// [`RunDirError::InUse`] or [`RunDirError::Io`].
    pub fn create_at(path: &Path) -> Result<RunDir, RunDirError> {
        fs::create_dir_all(path).map_err(|source| RunDirError::Io {
            doing: "create",
            path: path.to_owned(),
            source,
        })?;
        sync_folder(path);
        Self::lock(path)
    }

    /// Reads a file of plain data in the directory at `path`; `None` if it is not there.
    ///
    /// # Errors
    /// [`RunDirError::Format`] or [`RunDirError::Io`].
    pub fn read_json<T: DeserializeOwned>(
        path: &Path,
        name: &str,
    ) -> Result<Option<T>, RunDirError> {
        let path = path.join(name);
        match fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes)
                .map(Some)
                .map_err(|source| RunDirError::Format { path, source }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(RunDirError::Io {
                doing: "read",
                path,
                source,
            }),
        }
    }

    /// Writes plain data as a file of the directory.
    ///
    /// # Errors
    /// [`RunDirError::Io`].
    ///
    /// # Panics
    /// When it is no plain data: a slip in the program.
    pub fn write_json(&self, name: &str, content: &impl Serialize) -> Result<(), RunDirError> {
        let mut json = serde_json::to_vec_pretty(content).expect("plain data serialises");
        json.push(b'\n');
        self.write_whole(name, &json)
    }

    /// Writes `run.json`.
    ///
    /// # Errors
    /// [`RunDirError::Io`].
    pub fn write_run_file(&self, run: &RunFile) -> Result<(), RunDirError> {
        self.write_json("run.json", run)
    }

    /// Writes a file of the directory under a temporary name, syncs it and renames it, so
    /// that a reader sees the old or the new file, never a part.
    ///
    /// # Errors
    /// [`RunDirError::Io`].
    pub fn write_whole(&self, name: &str, bytes: &[u8]) -> Result<(), RunDirError> {
        self.write_parts(name, |put| put(bytes))
    }

    /// As [`RunDir::write_whole`], of parts that `fill` gives to the function that it is given.
    ///
    /// # Errors
    /// [`RunDirError::Io`], and those of `fill`.
    pub fn write_parts<E: From<RunDirError>>(
        &self,
        name: &str,
        fill: impl FnOnce(&mut dyn FnMut(&[u8]) -> Result<(), RunDirError>) -> Result<(), E>,
    ) -> Result<(), E> {
        let path = self.path.join(name);
        let failed = |source| RunDirError::Io {
            doing: "write",
            path: path.clone(),
            source,
        };
        let mut file = io::BufWriter::new(temporary_in(&self.path).map_err(failed)?);
        fill(&mut |bytes| file.write_all(bytes).map_err(failed))?;
        let file = file
            .into_inner()
            .map_err(|error| failed(error.into_error()))?;
        file.as_file().sync_all().map_err(failed)?;
        make_readable(file.path()).map_err(failed)?;
        file.persist(&path).map_err(|error| failed(error.error))?;
        sync_folder(&path);
        Ok(())
    }

    /// The directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The directory's own name, `<name>-<n>`.
    #[must_use]
    pub fn id(&self) -> String {
        self.path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporary_files_are_known_by_their_names() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for _ in 0..100 {
            let file = temporary_in(folder.path()).expect("a temporary file");
            let name = file.path().file_name().and_then(|name| name.to_str());
            assert!(name.is_some_and(is_temporary), "{name:?}");
        }
    }
}
