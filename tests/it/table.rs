//! A table at which external engines play: a folder, a config, the program as a child process,
//! and what it left.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{cell, reset_signals, rows, until};

/// The variable by which engines of a test, and whatever they start, are known again.
const MARK: &str = "AGON_TEST_TABLE";

/// More than any run at such a table takes, on however busy a machine.
const LONGEST: Duration = Duration::from_secs(240);

/// The engine of the project's own. `cargo test` builds it with the tests.
pub fn scripted_engine() -> PathBuf {
    let program = Path::new(env!("CARGO_BIN_EXE_agon"));
    let path = program.with_file_name("examples").join("scripted_engine");
    assert!(
        path.exists(),
        "`{}` is missing; run `cargo build --examples`",
        path.display()
    );
    path
}

/// A text as TOML writes it.
pub fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// Arguments as TOML writes them.
pub fn list(texts: &[&str]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    format!("[{}]", texts.join(", "))
}

/// A game and the language in which it is played.
#[derive(Clone, Copy)]
pub struct Played {
    pub game: &'static str,
    pub protocol: &'static str,
}

impl Played {
    pub const CHESS: Played = Played {
        game: "chess",
        protocol: "uci",
    };
    pub const GOMOKU: Played = Played {
        game: "gomoku",
        protocol: "gomocup",
    };
}

pub struct Table {
    pub folder: tempfile::TempDir,
    name: String,
}

/// A run that has ended.
pub struct Ended {
    /// Its exit status; `None` if a signal ended it.
    pub status: Option<i32>,
    /// What it said on stderr.
    pub talk: String,
    /// The most memory that it had, in KiB.
    pub peak_kib: u64,
}

impl Ended {
    /// It ended well, in little memory.
    pub fn well(self) -> Ended {
        assert_eq!(self.status, Some(0), "{}", self.talk);
        assert!(self.peak_kib < 32 * 1024, "{} KiB", self.peak_kib);
        self
    }
}

impl Table {
    /// A table whose config is `head`, and then `engines`, each a name and its lines.
    pub fn new(head: &str, engines: &[(&str, &str)]) -> Table {
        Table::within(
            tempfile::tempdir().expect("a temporary folder"),
            head,
            engines,
        )
    }

    pub fn within(folder: tempfile::TempDir, head: &str, engines: &[(&str, &str)]) -> Table {
        let name = folder.path().display().to_string();
        let mut text = head.to_owned();
        for (engine, lines) in engines {
            // Keys of the engine come before its tables.
            let (keys, tables) = lines.split_once("\n[").unwrap_or((lines, ""));
            text += &format!("\n[[engine]]\nname = {}\n{keys}\n", quoted(engine));
            if keys.contains("command") {
                text += &format!("env = {{ {MARK} = {} }}\n", quoted(&name));
            }
            if !tables.is_empty() {
                text += &format!("[{tables}\n");
            }
        }
        fs::write(folder.path().join("c.toml"), text).expect("a temporary file");
        Table { folder, name }
    }

    /// One pairing in chess of a good engine and one with this script, without anything that
    /// is the same in both: as many pairs as asked for from the start position.
    pub fn of_two(more: &str, limit: &str, pairs: u32, script: &[&str]) -> Table {
        Table::of_two_in(Played::CHESS, more, limit, pairs, script)
    }

    /// The same in any game.
    pub fn of_two_in(
        played: Played,
        more: &str,
        limit: &str,
        pairs: u32,
        script: &[&str],
    ) -> Table {
        let engine = quoted(&scripted_engine().display().to_string());
        let protocol = played.protocol;
        let head = format!("{}{more}\n", head(played.game, pairs));
        let good = format!(
            "command = {engine}\nprotocol = \"{protocol}\"\nlimit = {{ {limit} }}\n\
             [engine.options]\nSeed = 1"
        );
        let bad = format!(
            "command = {engine}\nprotocol = \"{protocol}\"\nargs = {}\nlimit = {{ {limit} }}\n\
             start_ms = 20000\nready_ms = 3000\nstall_ms = 3000\n[engine.options]\nSeed = 2",
            list(script)
        );
        Table::new(&head, &[("good", &good), ("bad", &bad)])
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The program, about to play.
    pub fn command(&self, more: &[&str]) -> Command {
        let agon = env!("CARGO_BIN_EXE_agon");
        let mut command = match reset_signals() {
            [] => Command::new(agon),
            [program, arguments @ ..] => {
                let mut command = Command::new(program);
                command.args(arguments).arg(agon);
                command
            }
        };
        let file = |name: &str| fs::File::create(self.path(name)).expect("a temporary file");
        command
            .arg("run")
            .arg(self.path("c.toml"))
            .arg("--results")
            .arg(self.path("results"))
            .args(more)
            .stdin(Stdio::null())
            .stdout(file("out"))
            .stderr(file("err"));
        command
    }

    /// Plays to the end.
    pub fn play(&self, more: &[&str]) -> Ended {
        let child = self.command(more).spawn().expect("the program starts");
        self.wait(child)
    }

    /// Waits for a run to end, looks at its memory meanwhile, and at what it leaves behind.
    pub fn wait(&self, mut child: Child) -> Ended {
        let start = Instant::now();
        let mut peak_kib = 0;
        let status = loop {
            peak_kib = peak_kib.max(high_water(child.id()));
            if let Some(status) = child.try_wait().expect("a child of this process") {
                break status;
            }
            if start.elapsed() > LONGEST {
                drop(child.kill());
                panic!("it hangs: {}", self.talk());
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        self.is_deserted();
        Ended {
            status: status.code(),
            talk: self.talk(),
            peak_kib,
        }
    }

    pub fn talk(&self) -> String {
        fs::read_to_string(self.path("err")).unwrap_or_default()
    }

    /// No engine and nothing that one started is left three seconds later.
    pub fn is_deserted(&self) {
        let start = Instant::now();
        let mut left = self.left();
        while !left.is_empty() && start.elapsed() < Duration::from_secs(3) {
            std::thread::sleep(Duration::from_millis(20));
            left = self.left();
        }
        assert!(left.is_empty(), "left running: {left:?}");
    }

    /// The processes of this table's engines.
    pub fn left(&self) -> Vec<(u32, String)> {
        let wanted = format!("{MARK}={}", self.name);
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        processes
            .map(|process| process.path())
            .filter(|path| {
                let environment = fs::read(path.join("environ")).unwrap_or_default();
                environment
                    .split(|byte| *byte == 0)
                    .any(|variable| variable == wanted.as_bytes())
            })
            .filter_map(|path| {
                let line = fs::read(path.join("cmdline")).unwrap_or_default();
                let number = path.file_name()?.to_str()?.parse().ok()?;
                Some((number, String::from_utf8_lossy(&line).replace('\0', " ")))
            })
            .collect()
    }

    /// Waits until an engine runs.
    pub fn is_in_play(&self) {
        until("a game", || {
            let journal = fs::read_to_string(self.path("results/t-1/games.csv"));
            journal.is_ok_and(|text| text.lines().count() > 1) && !self.left().is_empty()
        });
    }

    /// The games that are not void, by their ids.
    pub fn games(&self) -> Vec<Vec<(String, String)>> {
        let mut games = rows(&self.path("results/t-1/games.csv"));
        let void = |game: &Vec<(String, String)>| cell(game, "void") == "true";
        let spoiled: Vec<(String, String)> = games
            .iter()
            .filter(|game| void(game))
            .map(|game| {
                (
                    cell(game, "pair").to_owned(),
                    cell(game, "attempt").to_owned(),
                )
            })
            .collect();
        games.retain(|game| {
            let of = (
                cell(game, "pair").to_owned(),
                cell(game, "attempt").to_owned(),
            );
            !spoiled.contains(&of)
        });
        games.sort();
        games
    }

    pub fn summary(&self) -> Vec<(String, String)> {
        rows(&self.path("results/t-1/summary.csv")).remove(0)
    }
}

/// The head of a config: a game and a pairing of `good` and `bad`, one game at a time.
pub fn head(game: &str, pairs: u32) -> String {
    format!(
        "name = \"t\"\nopenings = \"start\"\nworkers = 1\ngame.{game} = {{}}\n\
         limit = {{ time_ms = 20000 }}\n\
         schedule.head_to_head = {{ base = \"good\", candidate = \"bad\", pairs = {pairs} }}\n"
    )
}

fn high_water(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM"));
    let figure = line.and_then(|line| line.split_whitespace().nth(1));
    figure.and_then(|text| text.parse().ok()).unwrap_or(0)
}
