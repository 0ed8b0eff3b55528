//! Folders, configs and the program, for the tests beside this file.

use std::path::{Path, PathBuf};

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
        let folder = tempfile::tempdir().expect("a temporary folder");
        let suite = folder.path().join("suite.txt");
        let make = [
            "openings", "make", "amazons", "--rules", "size=8", "--count", "8", "--plies", "4",
        ];
        let wide = ["--games", "2", "--min-score", "0", "--max-score", "1", "-o"];
        agon().args(make).args(wide).arg(&suite).assert().success();
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

    /// The rows of a run's `games.csv`, each as (column, value), sorted by id.
    pub fn games(&self, run: &str) -> Vec<Vec<(String, String)>> {
        let mut rows = rows(&self.results().join(run).join("games.csv"));
        rows.sort();
        rows
    }
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
