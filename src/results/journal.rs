//! The journal: `games.csv`, append-only, a row a game, in order of arrival.
//!
//! It is the only state of a run. A row counts once its newline is on disk; every total is
//! computed from the rows.

use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::record::GameRecord;
use super::row::{GameRow, RowError, RowStamp};
use super::run_dir::sync_folder;

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
    /// Another process plays this run.
    #[error("`{}` is in use by another agon", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
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

/// What a journal needs of its file. Tests put files in its place that fail.
pub trait JournalFile: fmt::Debug {
    /// All bytes of the file.
    ///
    /// # Errors
    /// The system's.
    fn read(&mut self) -> io::Result<Vec<u8>>;
    /// How many bytes the file has.
    ///
    /// # Errors
    /// The system's.
    fn length(&self) -> io::Result<u64>;
    /// Writes at the end; on an error a part of the bytes may stand there.
    ///
    /// # Errors
    /// The system's.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Drops all bytes from `length` on.
    ///
    /// # Errors
    /// The system's.
    fn shorten(&mut self, length: u64) -> io::Result<()>;
    /// Waits until what was written is on the device.
    ///
    /// # Errors
    /// The system's.
    fn sync(&mut self) -> io::Result<()>;
    /// Whether `path` names this very file. One that is removed or moved still takes writes.
    ///
    /// # Errors
    /// The system's.
    fn is_at(&self, path: &Path) -> io::Result<bool>;
}

/// A file of the system, opened to read and append.
impl JournalFile for File {
    fn read(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.seek(SeekFrom::Start(0))?;
        self.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn length(&self) -> io::Result<u64> {
        self.metadata().map(|data| data.len())
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)
    }

    fn shorten(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }

    fn is_at(&self, path: &Path) -> io::Result<bool> {
        let there = match std::fs::metadata(path) {
            Ok(there) => there,
            Err(error) => match error.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => return Ok(false),
                _ => return Err(error),
            },
        };
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let here = self.metadata()?;
            Ok((here.dev(), here.ino()) == (there.dev(), there.ino()))
        }
        #[cfg(not(unix))]
        Ok(there.is_file())
    }
}

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: Box<dyn JournalFile>,
    stamp: RowStamp,
    /// When the file was synced and looked for at its path.
    checked: Instant,
    dirty: bool,
    /// How many bytes the file has, as far as this process knows.
    length: u64,
    /// Why no row may follow: a part of one stands at the end, or rows may be lost.
    broken: Option<&'static str>,
}

impl Journal {
    /// How long a row may stand in the system's cache only, and the file be elsewhere unnoticed.
    const CHECK_EVERY: Duration = Duration::from_secs(1);

    /// Opens or creates the journal at `path`, reads its rows and sets a torn last row aside.
    ///
    /// # Errors
    /// [`JournalError::Row`] names the first row that is not a game of this run; nothing is
    /// changed on disk then.
    pub fn open(path: &Path, stamp: RowStamp) -> Result<(Journal, Recovered), JournalError> {
        Journal::open_checked(path, stamp, |_| Ok(()))
    }

    /// As [`Journal::open`], with more that the rows must pass before anything is changed.
    ///
    /// # Errors
    /// As [`Journal::open`], [`JournalError::InUse`], and those of `check`.
    pub fn open_checked(
        path: &Path,
        stamp: RowStamp,
        check: impl FnOnce(&[(u64, GameRecord)]) -> Result<(), JournalError>,
    ) -> Result<(Journal, Recovered), JournalError> {
        let file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .map_err(|source| io_error("open", path, source))?;
        // Beside the lock of the folder, whose file somebody may have removed.
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(JournalError::InUse {
                    path: path.to_owned(),
                });
            }
            Err(TryLockError::Error(source)) => return Err(io_error("lock", path, source)),
        }
        Journal::open_file(path, Box::new(file), stamp, check)
    }

    /// As [`Journal::open`], with `file` as the file at `path`.
    ///
    /// # Errors
    /// As [`Journal::open`].
    pub fn open_file(
        path: &Path,
        mut file: Box<dyn JournalFile>,
        stamp: RowStamp,
        check: impl FnOnce(&[(u64, GameRecord)]) -> Result<(), JournalError>,
    ) -> Result<(Journal, Recovered), JournalError> {
        let failed = |doing| move |source| io_error(doing, path, source);
        let bytes = file.read().map_err(failed("read"))?;
        let whole = whole_lines(&bytes).len();
        let games = read_rows(path, &bytes[..whole], &stamp)?;
        if whole == 0 && !header().starts_with(&bytes) {
            // More than the beginning of a header: something that is no journal.
            return Err(no_header(path, &bytes));
        }
        check(&games)?;
        let mut recovered = Recovered { games, torn: None };
        if whole < bytes.len() {
            recovered.torn = Some(set_aside(path, &bytes[whole..])?);
            file.shorten(whole as u64).map_err(failed("shorten"))?;
        }
        let mut journal = Journal {
            path: path.to_owned(),
            file,
            stamp,
            checked: Instant::now(),
            dirty: true,
            length: whole as u64,
            broken: None,
        };
        if whole == 0 {
            journal.append_bytes(header())?;
        }
        journal.sync()?;
        sync_folder(path);
        Ok((journal, recovered))
    }

    /// Reads the whole rows of a journal that another process may be writing.
    ///
    /// # Errors
    /// As [`Journal::open`].
    pub fn read(path: &Path, stamp: &RowStamp) -> Result<Vec<(u64, GameRecord)>, JournalError> {
        let bytes = std::fs::read(path).map_err(|source| io_error("read", path, source))?;
        Journal::from_bytes(path, &bytes, stamp)
    }

    /// Gives out the games of a journal, pair by pair in the order of the schedule, each with its
    /// line. One of them is in memory at a time.
    ///
    /// # Errors
    /// As [`Journal::open`], and those of `each`.
    pub fn visit<E: From<JournalError>>(
        path: &Path,
        stamp: &RowStamp,
        mut each: impl FnMut(u64, &GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        let file = File::open(path).map_err(|source| io_error("read", path, source))?;
        let mut reader = csv::ReaderBuilder::new()
            .terminator(csv::Terminator::Any(b'\n'))
            .from_reader(file);
        let bad = |line, source| JournalError::Row {
            path: path.to_owned(),
            line,
            source,
        };
        let broken = |error: csv::Error| {
            let line = error.position().map_or(1, csv::Position::line);
            bad(line, RowError::Format(error.to_string()))
        };
        let headers = reader.headers().map_err(broken)?.clone();
        let at = |column| headers.iter().position(|name| name == column);
        let order = ["pair", "pairing", "leg", "attempt"].map(at);
        let mut record = csv::StringRecord::new();
        let mut places = Vec::new();
        loop {
            let place = reader.position().clone();
            if !reader.read_record(&mut record).map_err(broken)? {
                break;
            }
            let number = |at: Option<usize>| at.and_then(|at| record.get(at)?.parse::<u32>().ok());
            places.push((order.map(number), place));
        }
        places.sort_by_key(|(order, _)| *order);
        for (_, place) in places {
            let line = place.line();
            reader.seek(place).map_err(broken)?;
            reader.read_record(&mut record).map_err(broken)?;
            let row: GameRow = record.deserialize(Some(&headers)).map_err(broken)?;
            let game = row.into_record(stamp).map_err(|error| bad(line, error))?;
            each(line, &game)?;
        }
        Ok(())
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
        read_rows(path, whole_lines(bytes), stamp)
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

    /// Appends a game with one write, and checks the file if the last time is a second ago.
    ///
    /// # Errors
    /// [`JournalError::Io`]; what was written of the row is taken back where the system
    /// allows it, and is otherwise found as a torn row at the next start.
    pub fn append(&mut self, record: &GameRecord) -> Result<(), JournalError> {
        let row = encode(|writer| writer.serialize(GameRow::new(record, &self.stamp)));
        self.append_bytes(&row)?;
        self.sync_if_due()
    }

    fn append_bytes(&mut self, bytes: &[u8]) -> Result<(), JournalError> {
        if let Some(why) = self.broken {
            return Err(self.failed("write", io::Error::other(why)));
        }
        let before = self.file.length();
        if let Err(source) = self.file.append(bytes) {
            let taken_back = before.and_then(|length| self.file.shorten(length));
            if taken_back.is_err() {
                // A row after a part of one would make both unreadable.
                self.broken = Some("an earlier row was written in part only");
            }
            return Err(self.failed("write", source));
        }
        self.length += bytes.len() as u64;
        self.dirty = true;
        Ok(())
    }

    /// Once a second: syncs rows that have waited, and looks whether the file is still at its
    /// path.
    ///
    /// # Errors
    /// [`JournalError::Io`].
    pub fn sync_if_due(&mut self) -> Result<(), JournalError> {
        if self.checked.elapsed() >= Self::CHECK_EVERY {
            self.sync()
        } else {
            Ok(())
        }
    }

    /// Syncs rows that have waited, and looks whether the file is still at its path.
    ///
    /// # Errors
    /// [`JournalError::Io`].
    pub fn sync(&mut self) -> Result<(), JournalError> {
        if self.dirty {
            if let Err(source) = self.file.sync() {
                // A system may drop what it could not sync, and say so only once.
                self.broken = Some("earlier rows could not be synced");
                return Err(self.failed("sync", source));
            }
            self.dirty = false;
        }
        self.checked = Instant::now();
        let length = self.file.length();
        match self.file.is_at(&self.path) {
            Ok(true) if length.as_ref().is_ok_and(|length| *length != self.length) => {
                let why = "another program changed it while the run was playing";
                self.broken = Some(why);
                Err(self.failed("go on with", io::Error::other(why)))
            }
            Ok(true) => length
                .map(|_| ())
                .map_err(|source| self.failed("look at", source)),
            Ok(false) => {
                let why = "it was removed or replaced while the run was playing";
                Err(self.failed("go on with", io::Error::other(why)))
            }
            Err(source) => Err(self.failed("look for", source)),
        }
    }

    fn failed(&self, doing: &'static str, source: io::Error) -> JournalError {
        io_error(doing, &self.path, source)
    }
}

fn io_error(doing: &'static str, path: &Path, source: io::Error) -> JournalError {
    JournalError::Io {
        doing,
        path: path.to_owned(),
        source,
    }
}

/// What stands where the header should.
fn no_header(path: &Path, bytes: &[u8]) -> JournalError {
    let first = bytes.split(|byte| matches!(byte, b'\n' | b'\r')).next();
    let found = String::from_utf8_lossy(first.unwrap_or_default());
    let found: String = found
        .chars()
        .take(60)
        .flat_map(char::escape_debug)
        .collect();
    let names = header().trim_ascii_end();
    let why = if bytes.starts_with(b"\xEF\xBB\xBF") {
        "it begins with a byte order mark, so another program has saved it; save it as UTF-8 \
         without a mark"
            .to_owned()
    } else if bytes.starts_with(names) {
        "its lines do not end with a line feed alone, so another program has saved it; save it \
         with Unix line ends"
            .to_owned()
    } else if bytes.contains(&0) {
        "it has zero bytes, as UTF-16 text has; save it as UTF-8".to_owned()
    } else {
        format!("the header `{found}…` is not that of this version of agon")
    };
    JournalError::Row {
        path: path.to_owned(),
        line: 1,
        source: RowError::Format(why),
    }
}

/// The bytes up to the last line end.
fn whole_lines(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| *byte == b'\n');
    &bytes[..end.map_or(0, |at| at + 1)]
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
        return Err(no_header(path, bytes));
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
    for number in 1_u32.. {
        let aside = path.with_extension(format!("torn-{number}"));
        match OpenOptions::new().write(true).create_new(true).open(&aside) {
            Ok(mut file) => {
                let written = file.write_all(bytes).and_then(|()| file.sync_all());
                if let Err(source) = written {
                    // Half of it helps nobody: the whole is still in the journal.
                    drop(std::fs::remove_file(&aside));
                    return Err(io_error("write", &aside, source));
                }
                return Ok(aside);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(io_error("write", &aside, error)),
        }
    }
    unreachable!("a u32 of torn rows cannot stand in one folder")
}
