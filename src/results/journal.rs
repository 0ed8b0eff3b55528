//! The journal: `games.csv`, append-only, a row a game, in order of arrival.
//!
//! It is the only state of a run. A row counts once its newline is on disk; every total is
//! computed from the rows.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::record::GameRecord;
use super::row::{GameRow, RowError, RowStamp};

/// What can be wrong with a journal on disk.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The system refused to read or write it.
    #[error("cannot {doing} `{}`", path.display())]
    Io {
        /// What was tried.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's word.
        source: io::Error,
    },
    /// A row is not a game of this run.
    #[error("{}:{line}: {source}", path.display())]
    Row {
        /// The file.
        path: PathBuf,
        /// The row's line, counted from 1.
        line: u64,
        /// What is wrong with it.
        source: RowError,
    },
}

/// What [`Journal::open`] found.
#[derive(Debug, Default)]
pub struct Recovered {
    /// The whole rows with their lines, in file order.
    pub games: Vec<(u64, GameRecord)>,
    /// Where a torn last row was set aside, if there was one.
    pub torn: Option<PathBuf>,
}

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    stamp: RowStamp,
    synced: Instant,
    dirty: bool,
    /// A part of a row stands at the end, and the system did not take it back.
    torn: bool,
}

impl Journal {
    /// How long a row may stand in the system's cache only.
    const SYNC_EVERY: Duration = Duration::from_secs(1);

    /// Opens or creates the journal at `path`, reads its rows and sets a torn last row aside.
    ///
    /// # Errors
    /// [`JournalError::Row`] names the first row that is not a game of this run; nothing is
    /// changed on disk then.
    pub fn open(path: &Path, stamp: RowStamp) -> Result<(Journal, Recovered), JournalError> {
        let failed = |doing| {
            move |source| JournalError::Io {
                doing,
                path: path.to_owned(),
                source,
            }
        };
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .map_err(failed("open"))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed("read"))?;
        let whole = bytes
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |at| at + 1);
        let games = read_rows(path, &bytes[..whole], &stamp)?;
        let mut recovered = Recovered { games, torn: None };
        if whole < bytes.len() {
            recovered.torn = Some(set_aside(path, &bytes[whole..])?);
            file.set_len(whole as u64).map_err(failed("shorten"))?;
            file.seek(SeekFrom::End(0)).map_err(failed("shorten"))?;
        }
        if whole == 0 {
            file.write_all(header()).map_err(failed("write"))?;
        }
        file.sync_all().map_err(failed("sync"))?;
        let journal = Journal {
            path: path.to_owned(),
            file,
            stamp,
            synced: Instant::now(),
            dirty: false,
            torn: false,
        };
        Ok((journal, recovered))
    }

    /// Reads the whole rows of a journal that another process may be writing.
    ///
    /// # Errors
    /// As [`Journal::open`].
    pub fn read(path: &Path, stamp: &RowStamp) -> Result<Vec<(u64, GameRecord)>, JournalError> {
        let bytes = std::fs::read(path).map_err(|source| JournalError::Io {
            doing: "read",
            path: path.to_owned(),
            source,
        })?;
        Journal::from_bytes(path, &bytes, stamp)
    }

    /// As [`Journal::read`], from the bytes of a journal; `path` is for messages.
    ///
    /// # Errors
    /// [`JournalError::Row`].
    pub fn from_bytes(
        path: &Path,
        bytes: &[u8],
        stamp: &RowStamp,
    ) -> Result<Vec<(u64, GameRecord)>, JournalError> {
        let whole = bytes
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |at| at + 1);
        read_rows(path, &bytes[..whole], stamp)
    }

    /// The bytes of a journal of these games.
    #[must_use]
    pub fn to_bytes<'a>(
        games: impl IntoIterator<Item = &'a GameRecord>,
        stamp: &RowStamp,
    ) -> Vec<u8> {
        let mut bytes = header().to_vec();
        for game in games {
            bytes.extend(encode(|writer| writer.serialize(GameRow::new(game, stamp))));
        }
        bytes
    }

    /// Appends a game with one write, and syncs the file if the last time is a second ago.
    ///
    /// # Errors
    /// [`JournalError::Io`]; what was written of the row is taken back where the system
    /// allows it, and is otherwise found as a torn row at the next start.
    pub fn append(&mut self, record: &GameRecord) -> Result<(), JournalError> {
        if self.torn {
            // A row after a part of one would make both unreadable.
            let source = io::Error::other("an earlier row was written in part only");
            return Err(self.failed("write", source));
        }
        let row = encode(|writer| writer.serialize(GameRow::new(record, &self.stamp)));
        let before = self.file.metadata().map(|data| data.len());
        if let Err(source) = self.file.write_all(&row) {
            let taken_back = before.and_then(|length| self.file.set_len(length));
            self.torn = taken_back.is_err();
            return Err(self.failed("write", source));
        }
        self.dirty = true;
        self.sync_if_due()
    }

    /// Syncs the file if rows have waited for a second.
    ///
    /// # Errors
    /// [`JournalError::Io`].
    pub fn sync_if_due(&mut self) -> Result<(), JournalError> {
        if self.dirty && self.synced.elapsed() >= Self::SYNC_EVERY {
            self.sync()
        } else {
            Ok(())
        }
    }

    /// Syncs the file.
    ///
    /// # Errors
    /// [`JournalError::Io`].
    pub fn sync(&mut self) -> Result<(), JournalError> {
        self.file
            .sync_data()
            .map_err(|source| self.failed("sync", source))?;
        self.dirty = false;
        self.synced = Instant::now();
        Ok(())
    }

    fn failed(&self, doing: &'static str, source: io::Error) -> JournalError {
        JournalError::Io {
            doing,
            path: self.path.clone(),
            source,
        }
    }
}

/// One CSV record or more as bytes.
fn encode(fill: impl FnOnce(&mut csv::Writer<&mut Vec<u8>>) -> csv::Result<()>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = csv::WriterBuilder::new()
        .has_headers(false)
        .from_writer(&mut bytes);
    fill(&mut writer)
        .and_then(|()| Ok(writer.flush()?))
        .expect("a row of plain fields serialises");
    drop(writer);
    bytes
}

/// The header line, from the row's own fields.
fn header() -> &'static [u8] {
    static HEADER: LazyLock<Vec<u8>> =
        LazyLock::new(|| encode(|writer| writer.write_record(columns())));
    &HEADER
}

/// The column names, taken from the serialised form of a row, so that there is one list.
fn columns() -> Vec<String> {
    let example = GameRecord::example();
    let stamp = RowStamp {
        run: String::new(),
        config: String::new(),
        rules: String::new(),
    };
    let mut bytes = Vec::new();
    let mut writer = csv::Writer::from_writer(&mut bytes);
    writer
        .serialize(GameRow::new(&example, &stamp))
        .expect("a row of plain fields serialises");
    writer.flush().expect("memory takes every write");
    drop(writer);
    let mut reader = csv::Reader::from_reader(bytes.as_slice());
    let headers = reader.headers().expect("a written header reads back");
    headers.iter().map(str::to_owned).collect()
}

fn read_rows(
    path: &Path,
    bytes: &[u8],
    stamp: &RowStamp,
) -> Result<Vec<(u64, GameRecord)>, JournalError> {
    if bytes.is_empty() {
        return Ok(Vec::new());
    }
    let bad = |line, source| JournalError::Row {
        path: path.to_owned(),
        line,
        source,
    };
    if !bytes.starts_with(header()) {
        let found = bytes
            .split(|byte| *byte == b'\n')
            .next()
            .unwrap_or_default();
        let found: String = String::from_utf8_lossy(found).chars().take(60).collect();
        return Err(bad(
            1,
            RowError::Format(format!(
                "the header `{found}…` is not that of this version of agon"
            )),
        ));
    }
    let mut reader = csv::ReaderBuilder::new()
        .terminator(csv::Terminator::Any(b'\n'))
        .from_reader(bytes);
    let mut rows = reader.deserialize::<GameRow>();
    let mut games = Vec::new();
    while let Some(row) = rows.next() {
        // A row is one line: where the next one begins, this one has ended.
        let line = rows.reader().position().line() - 1;
        let row = row.map_err(|error| {
            let line = error.position().map_or(line, csv::Position::line);
            bad(line, RowError::Format(error.to_string()))
        })?;
        let record = row.into_record(stamp).map_err(|error| bad(line, error))?;
        games.push((line, record));
    }
    Ok(games)
}

/// Writes the bytes of a torn row beside the journal, under a name that is free.
fn set_aside(path: &Path, bytes: &[u8]) -> Result<PathBuf, JournalError> {
    let failed = |path: PathBuf| {
        move |source| JournalError::Io {
            doing: "write",
            path,
            source,
        }
    };
    for number in 1_u32.. {
        let aside = path.with_extension(format!("torn-{number}"));
        match OpenOptions::new().write(true).create_new(true).open(&aside) {
            Ok(mut file) => {
                file.write_all(bytes).map_err(failed(aside.clone()))?;
                return Ok(aside);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(failed(aside)(error)),
        }
    }
    unreachable!("a u32 of torn rows cannot stand in one folder")
}
