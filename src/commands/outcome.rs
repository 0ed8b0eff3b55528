//! The files that say what came of a run.

use super::rows::stamp;
use crate::error::CommandError;
use crate::play::Arena;
use crate::registry;
use crate::report::{RunRatings, Summary, rate_run, summarise, to_csv};
use crate::results::{Journal, RunDir, RunFile, RunSpec, Start, read_starts};
use crate::standing::Standing;

/// Writes the summary, the ratings and the games of a run.
pub(super) fn write_outcome(
    arena: &dyn Arena,
    run: &RunFile,
    dir: &RunDir,
    standings: &[Standing],
) -> Result<(Vec<Summary>, Option<RunRatings>), CommandError> {
    write_pgn(arena, run, dir)?;
    let summaries = summaries(&run.spec, standings, &read_starts(dir.path()));
    dir.write_whole("summary.csv", &to_csv(&summaries))?;
    let ratings = rate_run(&run.spec, standings);
    if let Some(ratings) = &ratings {
        dir.write_whole("ratings.csv", &ratings.to_csv())?;
    }
    Ok((summaries, ratings))
}

/// Writes all games so far as PGN, in schedule order, where other programs have one for the game.
fn write_pgn(arena: &dyn Arena, run: &RunFile, dir: &RunDir) -> Result<(), CommandError> {
    if !arena.has_pgn() {
        return Ok(());
    }
    let journal = dir.path().join("games.csv");
    dir.write_parts("games.pgn", |put| {
        Journal::visit(&journal, &stamp(run, dir.id()), |line, game| {
            let written = arena.pgn(&run.spec, game).map_err(|error| {
                CommandError::Input(format!("{}:{line}: {error}", journal.display()))
            })?;
            Ok(put(written.unwrap_or_default().as_bytes())?)
        })
    })
}

/// The summary of every pairing.
pub(super) fn summaries(spec: &RunSpec, standings: &[Standing], starts: &[Start]) -> Vec<Summary> {
    let roles = registry::find(&spec.game.name).map_or(["first", "second"], |game| game.roles);
    standings
        .iter()
        .map(|standing| summarise(spec, standing, starts, roles))
        .collect()
}

/// Whether the files that say what came of a run say what its rows say. A crash or a full disk
/// may have come between the last game and them, and an earlier interrupt have left older ones.
pub(super) fn is_told(spec: &RunSpec, dir: &RunDir, standings: &[Standing]) -> bool {
    let dir = dir.path();
    let says = |name: &str, bytes: Vec<u8>| std::fs::read(dir.join(name)).ok() == Some(bytes);
    let summaries = summaries(spec, standings, &read_starts(dir));
    let ratings = rate_run(spec, standings);
    says("summary.csv", to_csv(&summaries))
        && ratings.is_none_or(|ratings| says("ratings.csv", ratings.to_csv()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Side;
    use crate::results::{
        AdjudicationSpec, FaultKind, GameId, GameRecord, GameResult, GameSpec, MoveRecord, Overrun,
        Termination, VerdictSpec, now,
    };

    fn record(pairing: u32, pair: u32, leg: u8) -> GameRecord {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        GameRecord {
            id: GameId::Leg { pairing, pair, leg },
            attempt: 1,
            seed: 1,
            opening: "start".to_owned(),
            opening_fen: start.to_owned(),
            opening_moves: vec!["e2e4".to_owned()],
            first: "a".to_owned(),
            second: "b".to_owned(),
            first_to_move: Side::Second,
            result: GameResult::FirstWins,
            termination: Termination::Fault {
                by: Side::Second,
                kind: FaultKind::TimeForfeit,
            },
            detail: String::new(),
            void: false,
            runner_delay_us: 0,
            moves: ["e7e5", "g1f3"]
                .map(|text| MoveRecord {
                    text: text.to_owned(),
                    score: Some(-35),
                    searched: None,
                    time_us: 51_700,
                })
                .to_vec(),
            overruns: [Overrun::default(); 2],
            cpu_time_us: None,
            worker: 0,
            started: now(),
        }
    }

    #[test]
    fn games_are_written_as_pgn_in_schedule_order() {
        let results = tempfile::tempdir().expect("a temporary folder");
        let arena = registry::find("chess")
            .expect("listed")
            .open(serde_json::json!({}))
            .expect("the default rules");
        let run = RunFile {
            version: RunFile::VERSION,
            agon: "0".to_owned(),
            program: "0".to_owned(),
            spec: RunSpec {
                name: "t".to_owned(),
                game: GameSpec {
                    name: "chess".to_owned(),
                    rules: arena.rules(),
                },
                seed: 1,
                variants: Vec::new(),
                pairings: Vec::new(),
                openings: Vec::new(),
                margin_ms: 0,
                verdict: VerdictSpec::WinRate { at_least: 5500 },
                adjudication: AdjudicationSpec::default(),
                compare: None,
            },
        };
        let dir = RunDir::create_next(results.path(), &run)
            .expect("a folder")
            .expect("a run of its own");
        let path = dir.path().join("games.csv");
        let (mut journal, _) = Journal::open(&path, stamp(&run, dir.id())).expect("a journal");
        for (pairing, pair, leg) in [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0)] {
            let game = record(pairing, pair, leg);
            journal.append(&game).expect("a row");
        }
        write_pgn(arena.as_ref(), &run, &dir).expect("legal moves");
        let text = std::fs::read_to_string(dir.path().join("games.pgn")).expect("the file");
        let ids: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("[GameId \"")?.strip_suffix("\"]"))
            .collect();
        let order = [
            "000-000000-0",
            "000-000000-1",
            "001-000000-0",
            "000-000001-0",
        ];
        assert_eq!(ids, order);
        let movetext = "1. e4 {book} 1... e5 {-0.35 0.052s [%eval 0.35] [%emt 0:00:00.052]} 2. Nf3\n\
            {-0.35 0.052s [%eval -0.35] [%emt 0:00:00.052]} 1-0\n\n";
        assert!(text.contains(movetext), "{text}");
        assert!(
            text.contains("[Termination \"time forfeit by black\"]"),
            "{text}"
        );
        assert!(text.ends_with("1-0\n\n"), "{text}");
    }
}
