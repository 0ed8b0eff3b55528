//! Rows that are cut: by a disk that is full, by one that fails, by a crash.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use agon::config;
use agon::error::CommandError;
use agon::plan::Plan;
use agon::results::{GameRecord, Journal, JournalError, JournalFile, Recovered, RowStamp};
use agon::tournament::TournamentError;

use crate::common::{Bench, HEAD};
use crate::hooked::{Hooked, play_on, stamp};

const REST: &str = "[limit]\nnodes = 20\n\
    [schedule.head_to_head]\ncandidate = \"new\"\nbase = \"old\"\npairs = 24\n\
    [[engine]]\nname = \"old\"\n[engine.search.alpha_beta]\nhash_mb = 1\n\
    [[engine]]\nname = \"new\"\nextends = \"old\"\n[engine.evaluation]\nt2 = 0.5\n";

/// What a file does wrong.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// There is room for so many bytes more, and what was written can be taken back or not.
    Full { room: usize, taken_back: bool },
    /// So many syncs succeed.
    Sync { good: usize },
}

/// A file with a fault. It does not wait for the device.
#[derive(Debug)]
struct Faulty {
    file: File,
    fault: Fault,
}

impl Faulty {
    fn at(path: &Path, fault: Fault) -> Box<Faulty> {
        let options = File::options()
            .read(true)
            .append(true)
            .create(true)
            .open(path);
        let file = options.expect("a file");
        Box::new(Faulty { file, fault })
    }
}

impl JournalFile for Faulty {
    fn read(&mut self) -> io::Result<Vec<u8>> {
        self.file.read()
    }

    fn length(&self) -> io::Result<u64> {
        self.file.length()
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Fault::Full { room, .. } = &mut self.fault else {
            return self.file.append(bytes);
        };
        let fits = bytes.len().min(*room);
        *room -= fits;
        self.file.append(&bytes[..fits])?;
        if fits < bytes.len() {
            // Somebody makes room at once.
            *room = usize::MAX;
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(())
    }

    fn shorten(&mut self, length: u64) -> io::Result<()> {
        match self.fault {
            Fault::Full {
                taken_back: false, ..
            } => Err(io::ErrorKind::Other.into()),
            _ => self.file.shorten(length),
        }
    }

    fn sync(&mut self) -> io::Result<()> {
        if let Fault::Sync { good } = &mut self.fault {
            *good = good
                .checked_sub(1)
                .ok_or_else(|| io::Error::other("the device failed"))?;
        }
        Ok(())
    }

    fn is_at(&self, path: &Path) -> io::Result<bool> {
        self.file.is_at(path)
    }
}

/// Three rows, and what they stand for.
struct Rows {
    folder: tempfile::TempDir,
    stamp: RowStamp,
    records: Vec<GameRecord>,
    /// The whole file.
    whole: Vec<u8>,
    /// Where the header and each row ends.
    ends: Vec<usize>,
}

impl Rows {
    /// Rows of games that a real run played, cut to two moves so that there are fewer bytes.
    fn new() -> Rows {
        let bench = Bench::with_openings(24, &format!("{HEAD}{REST}"));
        let plan = config::load(&bench.config(), &[]).expect("a plan");
        let path = bench.folder.path().join("played.csv");
        let (journal, _) = Journal::open(&path, stamp(&plan)).expect("a journal");
        play(&plan, &[], journal, || {}).expect("no fault");
        let played = Journal::read(&path, &stamp(&plan)).expect("whole rows");
        let mut records: Vec<GameRecord> = played.into_iter().map(|(_, game)| game).collect();
        records.truncate(3);
        records.iter_mut().for_each(|game| game.moves.truncate(2));
        let (whole, stamp) = (Vec::new(), stamp(&plan));
        // In memory where there is such a place: a disk would be waited for thousands of times.
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        let folder = folder.expect("a temporary folder");
        let mut rows = Rows {
            folder,
            stamp,
            records,
            whole,
            ends: Vec::new(),
        };
        let (mut journal, _) = rows.open();
        for record in &rows.records {
            journal.append(record).expect("a row");
        }
        rows.whole = rows.on_disk();
        let ends = rows.whole.iter().enumerate();
        let ends = ends.filter(|(_, byte)| **byte == b'\n');
        rows.ends = ends.map(|(at, _)| at + 1).collect();
        assert_eq!(rows.ends.len(), 4);
        rows
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("games.csv")
    }

    fn on_disk(&self) -> Vec<u8> {
        std::fs::read(self.path()).expect("the journal")
    }

    fn aside(&self) -> Option<Vec<u8>> {
        std::fs::read(self.folder.path().join("games.torn-1")).ok()
    }

    fn open(&self) -> (Journal, Recovered) {
        // A file that does not wait for the device: thousands of these are opened.
        let file = Faulty::at(&self.path(), Fault::Sync { good: 9 });
        Journal::open_file(&self.path(), file, self.stamp.clone(), |_| Ok(())).expect("a journal")
    }

    /// The folder as a fault at byte `cut` finds it: the bytes before.
    fn begin(&self, cut: usize) {
        drop(std::fs::remove_file(
            self.folder.path().join("games.torn-1"),
        ));
        std::fs::write(self.path(), &self.whole[..cut]).expect("the journal");
    }

    /// A start after the fault finds every whole row, sets `torn` aside, and plays the rest.
    fn recovers(&self, torn: &[u8], what: &str) {
        let kept = self.ends[1..]
            .iter()
            .filter(|end| **end <= self.on_disk().len());
        let kept = kept.count();
        let (mut journal, recovered) = self.open();
        let found: Vec<&GameRecord> = recovered.games.iter().map(|(_, game)| game).collect();
        assert!(found.into_iter().eq(&self.records[..kept]), "{what}");
        assert_eq!(recovered.torn.is_some(), !torn.is_empty(), "{what}");
        assert_eq!(self.aside().unwrap_or_default(), torn, "{what}");
        for record in &self.records[kept..] {
            journal.append(record).expect("there is room again");
        }
        assert_eq!(self.on_disk(), self.whole, "{what}");
    }
}

#[test]
fn a_row_that_is_cut_at_any_byte_by_a_full_disk_is_recovered() {
    let rows = Rows::new();
    let start = rows.ends[2];
    for taken_back in [true, false] {
        for cut in start..rows.whole.len() {
            let what = format!("at {cut}, taken back: {taken_back}");
            rows.begin(start);
            let room = cut - start;
            let file = Faulty::at(&rows.path(), Fault::Full { room, taken_back });
            let (mut journal, recovered) =
                Journal::open_file(&rows.path(), file, rows.stamp.clone(), |_| Ok(()))
                    .expect("a journal");
            assert_eq!(recovered.games.len(), 2);
            let error = journal.append(&rows.records[2]).expect_err("no room");
            assert!(error.to_string().contains("games.csv"), "{error}");
            let report = CommandError::from(error).report();
            assert!(report.contains("no storage space"), "{report}");
            let left = if taken_back { start } else { cut };
            assert_eq!(rows.on_disk(), rows.whole[..left], "{what}");
            if !taken_back {
                // A row behind a part of one would be lost with it, though it would fit.
                journal.append(&rows.records[2]).expect_err("a torn row");
                assert_eq!(rows.on_disk(), rows.whole[..left], "{what}");
            }
            drop(journal);
            rows.recovers(&rows.whole[start..left], &what);
        }
    }
}

#[test]
fn a_header_that_is_cut_at_any_byte_by_a_full_disk_is_recovered() {
    let rows = Rows::new();
    for taken_back in [true, false] {
        for cut in 0..rows.ends[0] {
            let what = format!("at {cut}, taken back: {taken_back}");
            rows.begin(0);
            let fault = Fault::Full {
                room: cut,
                taken_back,
            };
            let file = Faulty::at(&rows.path(), fault);
            let error = Journal::open_file(&rows.path(), file, rows.stamp.clone(), |_| Ok(()))
                .expect_err("no room for the header");
            assert!(error.to_string().contains("games.csv"), "{error}");
            let left = if taken_back { 0 } else { cut };
            assert_eq!(rows.on_disk(), rows.whole[..left], "{what}");
            rows.recovers(&rows.whole[..left], &what);
        }
    }
}

#[test]
fn a_file_that_a_crash_cut_at_any_byte_is_recovered() {
    let rows = Rows::new();
    for cut in (0..rows.ends[0]).chain(rows.ends[2]..rows.whole.len()) {
        rows.begin(cut);
        let before = rows.ends.iter().rfind(|end| **end <= cut).unwrap_or(&0);
        let torn = rows.whole[*before..cut].to_vec();
        rows.recovers(&torn, &format!("at {cut}"));
    }
}

/// Plays what `done` lacks with two workers; `begins` is called as each game begins.
fn play(
    plan: &Plan,
    done: &[(u64, GameRecord)],
    journal: Journal,
    begins: impl Fn() + Sync + Send,
) -> Result<(), TournamentError> {
    let arena = Hooked::new(plan.arena.as_ref(), |_, _| {
        begins();
        Ok(())
    });
    let never = crossbeam::channel::never();
    play_on(plan, &arena, done, journal, 2, never).map(|_| ())
}

/// Plays with a fault, then without: the message and how many rows the fault left.
fn play_through(fault: Fault, slowly: bool) -> (String, usize) {
    let bench = Bench::with_openings(24, &format!("{HEAD}{REST}"));
    let plan = config::load(&bench.config(), &[]).expect("a plan");
    let path = bench.folder.path().join("games.csv");
    let file = Faulty::at(&path, fault);
    let (journal, _) =
        Journal::open_file(&path, file, stamp(&plan), |_| Ok(())).expect("a journal");
    let begun = AtomicUsize::new(0);
    let begins = || {
        begun.fetch_add(1, Ordering::Relaxed);
        if slowly {
            std::thread::sleep(std::time::Duration::from_millis(200));
        }
    };
    let error = play(&plan, &[], journal, begins).expect_err("a fault");
    let begun = begun.into_inner();
    assert!(begun < 48, "no new games are begun, but {begun} were");
    let error = CommandError::from(error);
    let left = std::fs::read(&path).expect("the journal");

    let (journal, recovered) = Journal::open(&path, stamp(&plan)).expect("a journal");
    play(&plan, &recovered.games, journal, || {}).expect("no fault");
    let whole = std::fs::read(&path).expect("the journal");
    let kept = left.iter().rposition(|byte| *byte == b'\n').expect("rows") + 1;
    assert!(whole.starts_with(&left[..kept]), "rows must not change");
    let games = Journal::read(&path, &stamp(&plan)).expect("whole rows");
    let mut ids: Vec<_> = games.iter().map(|(_, game)| game.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!((games.len(), ids.len()), (48, 48));
    (error.report(), recovered.games.len())
}

#[test]
fn a_full_disk_stops_new_games_and_each_game_is_there_once_in_the_end() {
    for taken_back in [true, false] {
        // The header, some rows and a part of one.
        let fault = Fault::Full {
            room: 10_000,
            taken_back,
        };
        let (report, rows) = play_through(fault, false);
        for part in ["cannot write", "games.csv`", "no storage space", "goes on"] {
            assert!(report.contains(part), "{part}: {report}");
        }
        assert!((1..20).contains(&rows), "{rows}");
    }
}

#[test]
fn a_sync_that_fails_stops_the_run_and_names_the_file() {
    // The first sync is that of the start; the next is a second later.
    let (report, rows) = play_through(Fault::Sync { good: 1 }, true);
    for part in ["cannot sync", "games.csv`", "the device failed", "goes on"] {
        assert!(report.contains(part), "{part}: {report}");
    }
    assert!(rows > 0);
}

#[test]
fn no_row_follows_one_that_could_not_be_synced() {
    let rows = Rows::new();
    rows.begin(rows.ends[2]);
    let file = Faulty::at(&rows.path(), Fault::Sync { good: 1 });
    let (mut journal, _) =
        Journal::open_file(&rows.path(), file, rows.stamp.clone(), |_| Ok(())).expect("a journal");
    journal.append(&rows.records[2]).expect("a row");
    let error = journal.sync().expect_err("the device failed");
    assert!(matches!(error, JournalError::Io { doing: "sync", .. }));
    journal
        .append(&rows.records[2])
        .expect_err("rows may be lost");
    assert_eq!(rows.on_disk(), rows.whole);
}
