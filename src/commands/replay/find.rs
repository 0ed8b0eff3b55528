//! Where a game of a run is.

use std::path::{Path, PathBuf};

use crate::cli::ReplayArgs;
use crate::commands::rows::stamp;
use crate::commands::tune::TUNE_FILE;
use crate::config::nearest;
use crate::error::CommandError;
use crate::results::{GameId, GameRecord, Journal, RunFile};

/// The folder of a run.
pub(super) fn find_run(results: &Path, run: &Path) -> Result<PathBuf, CommandError> {
    let named = results.join(run);
    let known = |path: &PathBuf| path.join("run.json").exists() || path.join("games.csv").exists();
    [run.to_owned(), named]
        .into_iter()
        .find(known)
        .ok_or_else(|| no_run(run, results))
}

/// There is no such run.
pub(super) fn no_run(run: &Path, results: &Path) -> CommandError {
    let named = [run.to_owned(), results.join(run)];
    if let Some(folder) = named.iter().find(|folder| folder.join(TUNE_FILE).exists()) {
        return CommandError::Usage(format!(
            "`{}` is a tuning; its games are in the runs inside it, such as {}",
            folder.display(),
            first_run(folder)
                .unwrap_or_else(|| folder.join("turn-01-NAME/batch-001"))
                .display()
        ));
    }
    let entries = std::fs::read_dir(results).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter(|entry| entry.path().join("run.json").exists())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let run = run.to_string_lossy();
    let near = nearest(&run, names.iter().map(String::as_str))
        .map_or(String::new(), |near| format!(" Did you mean `{near}`?"));
    let results = results.display();
    let known = if names.is_empty() {
        format!("`{results}` has none; name another folder with --results")
    } else {
        format!("Runs in `{results}`: {}", names.join(", "))
    };
    CommandError::Usage(format!("no run is called `{run}`.{near} {known}"))
}

/// The first run inside a tuning.
fn first_run(tuning: &Path) -> Option<PathBuf> {
    let folders = |path: &Path| {
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        let mut all: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        all.sort();
        all
    };
    let turns = folders(tuning).into_iter();
    let mut runs = turns.flat_map(|turn| folders(&turn));
    runs.find(|run| run.join("run.json").exists())
}

/// The game of this id, with its line: the attempt that is asked for, or the last.
pub(super) fn find_game(
    args: &ReplayArgs,
    dir: &Path,
    run: &RunFile,
    id: &str,
) -> Result<(u64, GameRecord), CommandError> {
    let wanted: GameId = id.parse().map_err(CommandError::Usage)?;
    let journal = dir.join("games.csv");
    let path = dir
        .canonicalize()
        .map_err(CommandError::file("find", dir))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let games = Journal::read(&journal, &stamp(run, name.into_owned()))?;
    let count = games.len();
    let (first, last) = (
        games.iter().map(|(_, game)| game.id).min(),
        games.iter().map(|(_, game)| game.id).max(),
    );
    let attempts: Vec<u32> = games
        .iter()
        .filter(|(_, game)| game.id == wanted)
        .map(|(_, game)| game.attempt)
        .collect();
    let attempt = args.attempt.or(attempts.iter().max().copied());
    let is_wanted = |game: &GameRecord| game.id == wanted && Some(game.attempt) == attempt;
    if let Some(found) = games.into_iter().find(|(_, game)| is_wanted(game)) {
        return Ok(found);
    }
    let file = journal.display();
    Err(CommandError::Usage(
        match (first.zip(last), &attempts[..]) {
            (Some((first, last)), []) => format!(
                "`{file}` has no game {wanted}, but {count} others from {first} to {last}; the \
             column `id` has them all"
            ),
            (None, _) => format!("`{file}` has no games yet"),
            (Some(_), attempts) => format!(
                "`{file}` has {} attempts at game {wanted}, and none is number {}",
                attempts.len(),
                attempt.unwrap_or_default()
            ),
        },
    ))
}
