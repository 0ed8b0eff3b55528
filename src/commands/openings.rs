//! `agon openings`: makes suites of balanced openings, and checks suites.

use std::collections::HashSet;
use std::io::Write as _;
use std::path::Path;

use indicatif::ProgressBar;
use rayon::prelude::*;
use tempfile::NamedTempFile;

use super::{open_game, print, say};
use crate::cli::{CheckSuiteArgs, MakeArgs, OpeningsCommand};
use crate::error::CommandError;
use crate::openings::{START, Suite};
use crate::params::ParameterValues;
use crate::play::Arena;
use crate::results::{
    AdjudicationSpec, EngineKind, GameId, GameSpec, Job, LimitSpec, MoveLimit, OpeningSpec,
    PairingSpec, RunSpec, VariantSpec, VerdictSpec, game_seed, make_readable,
};
use crate::search::{SearchKind, SearchSpec, StopFlag};

pub(super) fn openings(command: &OpeningsCommand) -> Result<(), CommandError> {
    match command {
        OpeningsCommand::Make(args) => make(args),
        OpeningsCommand::Check(args) => check(args),
    }
}

fn read(arena: &dyn Arena, path: &Path) -> Result<Suite, CommandError> {
    let shown = path.display();
    let bytes = std::fs::read(path)
        .map_err(|error| CommandError::Input(format!("cannot read `{shown}`: {error}")))?;
    arena
        .read_suite(&bytes)
        .map_err(|errors| CommandError::Input(format!("`{shown}`: {errors}")))
}

fn check(args: &CheckSuiteArgs) -> Result<(), CommandError> {
    let arena = open_game(&args.game.game, args.game.rules.as_deref())?;
    let suite = read(arena.as_ref(), &args.file)?;
    for duplicate in &suite.duplicates {
        let (line, earlier) = (duplicate.line, duplicate.earlier);
        say(&format!(
            "{}:{line}: the same position as line {earlier}",
            args.file.display()
        ));
    }
    print(&format!(
        "{} openings, {} duplicates, read as {}\n",
        suite.distinct(),
        suite.duplicates.len(),
        suite.format
    ))
}

/// How many random openings are tried for each one wanted.
const TRIES: u64 = 200;

/// How many openings are judged between two looks at whether there are enough.
const BATCH: usize = 16;

fn make(args: &MakeArgs) -> Result<(), CommandError> {
    let bounds = args.min_score..=args.max_score;
    if bounds.is_empty() || !(0.0..=1.0).contains(&args.min_score) || args.max_score > 1.0 {
        return Err(CommandError::Usage(format!(
            "--min-score {} and --max-score {} must be from 0 to 1, the lower first",
            args.min_score, args.max_score
        )));
    }
    let arena = open_game(&args.game.game, args.game.rules.as_deref())?;
    if arena.is_solitaire() {
        let game = arena.game();
        return Err(CommandError::Usage(format!(
            "{game} is a solitaire: its openings are deals, a number a line"
        )));
    }
    // Before minutes of work it is known that the file can be written.
    let folder = match args.output.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let file = NamedTempFile::new_in(folder).map_err(CommandError::file("write", &args.output))?;
    let arena = arena.as_ref();
    let mut keys = HashSet::new();
    for path in &args.exclude {
        for opening in read(arena, path)?.openings {
            keys.insert(key(arena, Some(&opening.fen), &opening.moves)?);
        }
    }
    let judge = if args.games == 0 {
        None
    } else {
        Some(judge(arena, args)?)
    };
    let count = args.count as usize;
    let mut lines = Vec::new();
    // Hidden where standard error is no terminal.
    let progress = ProgressBar::new(u64::from(args.count));
    let tries = u64::from(args.count) * TRIES;
    for from in (0..tries).step_by(BATCH) {
        let mut candidates = Vec::new();
        for number in from..from + BATCH as u64 {
            let seed = game_seed(args.seed, u32::try_from(number).unwrap_or(u32::MAX), 0);
            let Some(moves) = arena.random_opening(args.plies, seed) else {
                continue;
            };
            if keys.insert(key(arena, None, &moves)?) {
                candidates.push(moves);
            }
        }
        let fits = |moves: &Vec<String>| {
            judge.as_ref().is_none_or(|judge| {
                bounds.contains(&first_mover_score(arena, judge, moves, args.games))
            })
        };
        let fitting: Vec<bool> = candidates.par_iter().map(fits).collect();
        for (moves, fits) in candidates.iter().zip(fitting) {
            if lines.len() < count && fits {
                let name = format!("r{:04}", lines.len() + 1);
                lines.push(format!("{name} | {START} | {}", moves.join(" ")));
            }
        }
        progress.set_position(lines.len() as u64);
        if lines.len() == count {
            progress.finish_and_clear();
            return save(args, file, &lines);
        }
    }
    Err(CommandError::Input(format!(
        "only {} of {} openings were found in {tries} tries; widen the bounds or raise --plies",
        lines.len(),
        args.count
    )))
}

fn save(args: &MakeArgs, mut file: NamedTempFile, lines: &[String]) -> Result<(), CommandError> {
    let rules = args
        .game
        .rules
        .as_deref()
        .map_or(String::new(), |rules| format!(" ({rules})"));
    let judged = if args.games == 0 {
        "Nobody has judged whom they favour.".to_owned()
    } else {
        format!(
            "The first mover scored {} to {} in {} games of the default engine of agon {} at \
             depth {} with root noise {}.",
            args.min_score,
            args.max_score,
            args.games,
            env!("CARGO_PKG_VERSION"),
            args.depth,
            args.noise
        )
    };
    let header = format!(
        "# {} openings for {}{rules}: {} random plies, seed {}.\n# {judged}\n\
         # No two are equal under a symmetry of the board.\n",
        lines.len(),
        args.game.game,
        args.plies,
        args.seed,
    );
    let text = header + &lines.join("\n") + "\n";
    file.write_all(text.as_bytes())
        .map_err(CommandError::file("write", &args.output))?;
    make_readable(file.path()).map_err(CommandError::file("write", &args.output))?;
    file.persist(&args.output)
        .map_err(|error| CommandError::file("write", &args.output)(error.error))?;
    say(&format!(
        "{} openings written to {}",
        lines.len(),
        args.output.display()
    ));
    Ok(())
}

fn key(arena: &dyn Arena, fen: Option<&str>, moves: &[String]) -> Result<u64, CommandError> {
    arena
        .symmetry_key(fen, moves)
        .map_err(|error| CommandError::Input(error.to_string()))
}

/// The default engine with root noise against itself.
fn judge(arena: &dyn Arena, args: &MakeArgs) -> Result<RunSpec, CommandError> {
    let kind = SearchKind::AlphaBeta;
    let own = arena.own().ok_or_else(|| {
        CommandError::Usage(format!(
            "{} has no built-in engine to judge openings with; with `--games 0` they are not judged",
            arena.game()
        ))
    })?;
    let declared = own.search_parameters(kind);
    let mut parameters = ParameterValues::defaults(&declared);
    for (name, value) in [("root_noise", args.noise), ("hash_mb", 1.0)] {
        parameters
            .set(&declared, name, value)
            .map_err(|error| CommandError::Usage(error.to_string()))?;
    }
    let limit = MoveLimit::Depth(args.depth);
    let evaluation = ParameterValues::defaults(&own.evaluation_parameters());
    Ok(RunSpec {
        name: "judge".to_owned(),
        game: GameSpec {
            name: arena.game().to_owned(),
            rules: arena.rules(),
        },
        seed: args.seed,
        variants: vec![VariantSpec {
            name: "judge".to_owned(),
            engine: EngineKind::BuiltIn(SearchSpec {
                kind,
                parameters,
                evaluation,
            }),
            limit: LimitSpec {
                first: limit,
                second: limit,
            },
            book: None,
        }],
        pairings: vec![PairingSpec {
            candidate: 0,
            base: 0,
            pairs: 1,
            first_pair: 0,
        }],
        openings: Vec::new(),
        margin_ms: 0,
        verdict: VerdictSpec::WinRate { at_least: 5000 },
        adjudication: AdjudicationSpec::default(),
        compare: None,
    })
}

/// The score of whoever moves first after the opening.
fn first_mover_score(arena: &dyn Arena, judge: &RunSpec, moves: &[String], games: u32) -> f64 {
    let fen = arena.start_suite().openings[0].fen.clone();
    let opening = OpeningSpec {
        name: "candidate".to_owned(),
        fen,
        moves: moves.to_vec(),
        same_as: None,
    };
    let run = RunSpec {
        openings: vec![opening],
        ..judge.clone()
    };
    let mut worker = arena.worker(&run, 0);
    let mut half_points = 0;
    for game in 0..games {
        let job = Job {
            id: GameId::Leg {
                pairing: 0,
                pair: game,
                leg: 0,
            },
            attempt: 1,
            opening: 0,
            first: 0,
            second: 0,
            seed: game_seed(run.seed, game, 1),
        };
        let record = worker
            .play(&job, &StopFlag::new())
            .expect("nobody stops these games");
        half_points += u32::from(record.result.half_points(record.first_to_move));
    }
    f64::from(half_points) / f64::from(2 * games.max(1))
}
