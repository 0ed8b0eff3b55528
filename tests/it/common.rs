//! Folders, configs and the program, for the tests beside this file.

use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

use assert_cmd::Command;

/// The program.
pub fn agon() -> Command {
    Command::cargo_bin("agon").expect("the program is built with the tests")
}

/// A folder with a suite of eight openings and a config.
pub struct Bench {
    pub folder: tempfile::TempDir,
}

/// A small board, so that games are short.
pub const HEAD: &str = "name = \"t\"\nopenings = \"suite.txt\"\n[game.amazons]\nsize = 8\n";

impl Bench {
    pub fn new(config: &str) -> Bench {
        Bench::with_openings(8, config)
    }

    /// A bench whose suite has `count` openings, whoever they favour.
    pub fn with_openings(count: usize, config: &str) -> Bench {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let suite = folder.path().join("suite.txt");
        let count = count.to_string();
        let make = [
            "openings", "make", "amazons", "--rules", "size=8", "--count",
        ];
        let wide = ["--plies", "4", "--games", "0", "--min-score", "0", "-o"];
        agon()
            .args(make)
            .arg(count)
            .args(wide)
            .arg(&suite)
            .assert()
            .success();
        let bench = Bench { folder };
        bench.write("c.toml", config);
        bench
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).expect("a temporary file");
        path
    }

    pub fn config(&self) -> PathBuf {
        self.folder.path().join("c.toml")
    }

    pub fn results(&self) -> PathBuf {
        self.folder.path().join("results")
    }

    /// `agon COMMAND c.toml --results results …`
    pub fn start(&self, command: &str, more: &[&str]) -> Command {
        let mut program = agon();
        program
            .arg(command)
            .arg(self.config())
            .arg("--results")
            .arg(self.results())
            .args(more);
        program
    }

    /// `agon COMMAND c.toml --results results …` in the background.
    pub fn spawn(&self, command: &str, more: &[&str]) -> Running {
        self.spawn_by(&[], command, more)
    }

    /// As [`Bench::spawn`], started by another program, whose arguments it follows.
    pub fn spawn_by(&self, starter: &[&str], command: &str, more: &[&str]) -> Running {
        let (talk, file) = tempfile::NamedTempFile::new_in(self.folder.path())
            .and_then(|file| Ok((file.reopen()?, file)))
            .expect("a temporary file");
        let words = [
            reset_signals(),
            starter,
            &[env!("CARGO_BIN_EXE_agon"), command],
        ]
        .concat();
        let child = std::process::Command::new(words[0])
            .args(&words[1..])
            .arg(self.config())
            .arg("--results")
            .arg(self.results())
            .args(more)
            .stdout(std::process::Stdio::null())
            .stderr(talk)
            .spawn()
            .expect("the program starts");
        Running { child, talk: file }
    }

    /// The journal of a run as it stands, if it is there.
    pub fn journal(&self, run: &str) -> String {
        std::fs::read_to_string(self.results().join(run).join("games.csv")).unwrap_or_default()
    }

    /// The rows of a run's journal that have their line end.
    pub fn rows_on_disk(&self, run: &str) -> usize {
        self.journal(run).matches('\n').count().saturating_sub(1)
    }

    /// The rows of a run's `games.csv`, each as (column, value), sorted by id.
    pub fn games(&self, run: &str) -> Vec<Vec<(String, String)>> {
        let mut rows = rows(&self.results().join(run).join("games.csv"));
        rows.sort();
        rows
    }
}

/// What starts a program with signals that it hears. Tests may run where some are ignored (in a
/// shell's background, under `nohup`), a program takes that over from whoever starts it, and agon
/// respects it.
pub fn reset_signals() -> &'static [&'static str] {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    // HUP, INT and TERM are 1, 2 and 15.
    if mask.is_some_and(|mask| mask & (1 | 1 << 1 | 1 << 14) != 0) {
        &["env", "--default-signal=HUP,INT,TERM"]
    } else {
        &[]
    }
}

/// What the program said on stderr.
pub fn talk(assert: &assert_cmd::assert::Assert) -> String {
    String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
}

/// The rows of a CSV file.
pub fn rows(path: &Path) -> Vec<Vec<(String, String)>> {
    let mut reader = csv::Reader::from_path(path).expect("a CSV file");
    let headers = reader.headers().expect("a header").clone();
    let pairs = |row: csv::StringRecord| {
        headers
            .iter()
            .map(str::to_owned)
            .zip(row.iter().map(str::to_owned))
            .collect()
    };
    reader
        .records()
        .map(|row| pairs(row.expect("a row")))
        .collect()
}

/// The value of a column.
pub fn cell<'a>(row: &'a [(String, String)], column: &str) -> &'a str {
    &row.iter()
        .find(|(name, _)| name == column)
        .expect("the column is there")
        .1
}

/// Asks again and again, for two minutes.
pub fn until(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(120), "never: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The program in the background. It is killed if the test ends before it.
pub struct Running {
    child: Child,
    talk: tempfile::NamedTempFile,
}

impl Running {
    /// What it has said on stderr so far.
    pub fn talk(&self) -> String {
        std::fs::read_to_string(self.talk.path()).expect("its stderr")
    }

    /// Waits for these words on stderr.
    pub fn says(&mut self, words: &str) {
        until(words, || {
            let talk = self.talk();
            assert!(
                talk.contains(words) || self.is_running(),
                "it ended without `{words}`: {talk}"
            );
            self.talk().contains(words)
        });
    }

    /// Sends a signal, `INT` for Ctrl-C.
    pub fn signal(&self, name: &str) {
        let status = std::process::Command::new("kill")
            .arg(format!("-{name}"))
            .arg(self.child.id().to_string())
            .status()
            .expect("kill runs");
        assert!(status.success(), "kill -{name}");
    }

    pub fn is_running(&mut self) -> bool {
        self.ended().is_none()
    }

    fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().expect("a child of this process")
    }

    /// Waits for its end: the exit status, `None` if a signal killed it.
    pub fn exit_status(&mut self) -> Option<i32> {
        until("it ends", || !self.is_running());
        self.ended().expect("it has ended").code()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It has ended already, unless the test has failed.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
