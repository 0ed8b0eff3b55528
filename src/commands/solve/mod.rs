//! `agon solve`: deals of a solitaire, one or many, and the check of a solution.

mod range;

use std::fmt::Write as _;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use cpu_time::ThreadTime;
use serde::Serialize;
use serde_json::{Value, json};

use super::bench::configured;
use super::interrupts::interrupts;
use super::{open_game, print};
use crate::cli::SolveArgs;
use crate::error::{CommandError, status};
use crate::game::{CheckedSolution, SolutionError};
use crate::play::{Arena, NOT_SOLVED, SolvedDeal, SolverLimits, Solving};
use crate::registry;
use crate::search::{Layer, SearchKind, SearchSpec, StopFlag, Unsolved};

/// Moves a line.
const A_LINE: usize = 10;

/// More bytes are no board and no solution.
const LARGEST_FILE: u64 = 1 << 20;

pub(super) fn solve(args: &SolveArgs) -> Result<u8, CommandError> {
    let arena = open_game(&args.game, None)?;
    let solving = solving(arena.as_ref())?;
    // The parser of the command line forgets `requires` where the group has another member.
    for (name, given) in [
        ("--workers", args.workers.is_some()),
        ("--out", args.out.is_some()),
    ] {
        if given && args.range.is_none() {
            let what =
                format!("{name} is for --range: one deal is solved by one thread and printed");
            return Err(CommandError::Usage(what));
        }
    }
    if let Some(range) = &args.range {
        let spec = spec(args, arena.as_ref(), solving)?;
        let numbers = range::parse(range, &solving.deals())?;
        return range::solve(args, solving, &spec, limits(args), numbers);
    }
    let text = match (&args.deal, &args.board) {
        (Some(text), _) => text.clone(),
        (None, Some(path)) => read(path)?,
        (None, None) => String::new(),
    };
    let position = solving.read_board(&text).map_err(|error| {
        CommandError::Input(format!(
            "{error}\nname a deal from {} to {}, write a position in quotes, or read a board with \
             --board FILE",
            solving.deals().start(),
            solving.deals().end()
        ))
    })?;
    if let Some(path) = &args.check {
        return check(args, solving, &position, &read(path)?);
    }
    let spec = spec(args, arena.as_ref(), solving)?;
    one(args, solving, &spec, &position)
}

/// The solver of a game that has one.
fn solving(arena: &dyn Arena) -> Result<&dyn Solving, CommandError> {
    arena.solving().ok_or_else(|| {
        let all = registry::games().iter();
        let solitaires = all.filter(|entry| {
            entry
                .open(serde_json::json!({}))
                .is_ok_and(|arena| arena.solving().is_some())
        });
        let names: Vec<&str> = solitaires.map(|entry| entry.name).collect();
        CommandError::Usage(format!(
            "{} is a game of two sides; solve is for solitaires: {}",
            arena.game(),
            names.join(", ")
        ))
    })
}

/// The bytes of a file or of standard input as text.
fn read(path: &Path) -> Result<String, CommandError> {
    let input: Box<dyn std::io::Read> = if path == Path::new("-") {
        Box::new(std::io::stdin())
    } else {
        Box::new(std::fs::File::open(path).map_err(CommandError::file("read", path))?)
    };
    let mut bytes = Vec::new();
    input
        .take(LARGEST_FILE + 1)
        .read_to_end(&mut bytes)
        .map_err(CommandError::file("read", path))?;
    if bytes.len() as u64 > LARGEST_FILE {
        let shown = path.display();
        let what = format!("`{shown}` has more than a megabyte: it is no board and no solution");
        return Err(CommandError::Input(what));
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.trim_start_matches('\u{feff}').to_owned())
}

/// The solver that is meant: the preset, then single changes.
fn spec(
    args: &SolveArgs,
    arena: &dyn Arena,
    solving: &dyn Solving,
) -> Result<SearchSpec, CommandError> {
    let mut changes = Vec::new();
    if let Some(name) = &args.preset {
        let preset = solving.presets().iter().find(|preset| preset.name == name);
        let preset = preset.ok_or_else(|| {
            let known = solving.presets().iter();
            let known: Vec<String> = known
                .map(|preset| format!("{} ({})", preset.name, preset.about))
                .collect();
            CommandError::Usage(format!(
                "no preset is called `{name}`; presets: {}",
                known.join(", ")
            ))
        })?;
        changes.extend(
            preset
                .values
                .iter()
                .map(|(name, value)| format!("{name}={value}")),
        );
    }
    changes.extend(args.width.map(|width| format!("width={width}")));
    changes.extend(args.set.iter().cloned());
    let declares = arena
        .declares()
        .expect("a game that can be solved has a solver");
    let spec = configured(declares, SearchKind::Beam, &changes)?;
    let value = |name| spec.parameters.integer(name);
    let (width, max_width) = (value("width"), value("max_width"));
    let is_given = |change: &String| {
        let name = change.split('=').next();
        name.is_some_and(|name| name.trim() == "max_width")
    };
    if max_width < width && changes.iter().any(is_given) {
        return Err(CommandError::Usage(format!(
            "max_width={max_width} is less than the width, {width}: write max_width={width} for no \
             wider beam, or a smaller --width"
        )));
    }
    Ok(spec)
}

fn limits(args: &SolveArgs) -> SolverLimits {
    let default = SolverLimits::default();
    SolverLimits {
        nodes: args.nodes.unwrap_or(default.nodes),
        time_ms: args.time_ms.or(default.time_ms),
    }
}

/// Whether a given solution is right.
fn check(
    args: &SolveArgs,
    solving: &dyn Solving,
    position: &str,
    moves: &str,
) -> Result<u8, CommandError> {
    let checked = solving.check_solution(position, moves);
    if args.json {
        print(&(checked_json(&checked).to_string() + "\n"))?;
    }
    let checked =
        checked.map_err(|error| CommandError::Input(format!("the solution is wrong: {error}")))?;
    if !args.json {
        let mut text = format!(
            "the solution is right: {} moves, {} cards moved\n",
            checked.moves, checked.pieces
        );
        if checked.guessed > 0 {
            text += &format!(
                "no number of cards was written for {} runs to empty columns; they were found by trial\n",
                checked.guessed
            );
        }
        print(&text)?;
    }
    Ok(status::DONE)
}

/// What came of a check, as JSON.
fn checked_json(checked: &Result<CheckedSolution, SolutionError>) -> Value {
    let wrong = |number: u32, mv: Option<&String>, position: &str, reason: &str| {
        json!({
            "version": 1, "status": "wrong", "number": number, "move": mv, "position": position,
            "reason": reason,
        })
    };
    match checked {
        Ok(checked) => json!({
            "version": 1, "status": "right", "moves": checked.moves,
            "cards_moved": checked.pieces, "guessed": checked.guessed,
        }),
        Err(SolutionError::Move {
            number,
            mv,
            position,
            reason,
        }) => wrong(*number, Some(mv), position, reason),
        Err(SolutionError::Unsolved {
            number,
            position,
            reason,
        }) => wrong(*number, None, position, reason),
        Err(SolutionError::Position(error)) => wrong(0, None, "", &error.to_string()),
    }
}

/// What came of a deal, as JSON.
#[derive(Serialize)]
struct SolvedJson<'a> {
    version: u32,
    game: &'a str,
    position: &'a str,
    status: &'static str,
    reason: Option<&'static str>,
    /// Of the solution, or to the state that came nearest.
    moves: &'a [String],
    cards_moved: u32,
    states: u64,
    width: u32,
    layers: u32,
    restarts: u32,
    /// Whether the last beam left out states whose children a wider one would have made.
    has_cut: bool,
    cpu_ms: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<&'a [TracedLayer]>,
}

#[derive(Serialize)]
pub(super) struct TracedLayer {
    #[serde(flatten)]
    pub(super) layer: Layer,
    /// The best state kept.
    pub(super) position: Option<String>,
}

/// How `solve` says what came of a deal.
fn word(reason: Option<Unsolved>) -> &'static str {
    if reason.is_none() {
        "solved"
    } else {
        NOT_SOLVED
    }
}

/// The solution has been replayed by the second implementation.
fn checked(solving: &dyn Solving, position: &str, found: &SolvedDeal) -> Result<(), CommandError> {
    if found.reason.is_some() {
        return Ok(());
    }
    match solving.check_solution(position, &found.moves.join(" ")) {
        Ok(_) => Ok(()),
        Err(source) => Err(CommandError::Solution {
            position: position.to_owned(),
            source,
        }),
    }
}

/// Milliseconds of this thread's CPU time.
fn cpu_ms(began: Option<ThreadTime>) -> f64 {
    let spent = began.and_then(|began| began.try_elapsed().ok());
    spent.map_or(0.0, |spent| spent.as_secs_f64() * 1000.0)
}

fn one(
    args: &SolveArgs,
    solving: &dyn Solving,
    spec: &SearchSpec,
    position: &str,
) -> Result<u8, CommandError> {
    let asked = Arc::new(StopFlag::new());
    let _interrupts = interrupts(&asked).map_err(CommandError::Signals)?;
    let mut solver = solving.solver(spec, limits(args));
    let began = ThreadTime::try_now().ok();
    let mut layers = Vec::new();
    let mut keep = |layer: &Layer, position| {
        layers.push(TracedLayer {
            layer: *layer,
            position,
        });
    };
    let found = solver
        .solve(position, &asked, args.trace.then_some(&mut keep))
        .map_err(|error| CommandError::Input(error.to_string()))?;
    let cpu_ms = cpu_ms(began);
    checked(solving, position, &found)?;
    print(&if args.json {
        let object = SolvedJson {
            version: 1,
            game: &args.game,
            position,
            status: word(found.reason),
            reason: found.reason.map(Unsolved::word),
            moves: &found.moves,
            cards_moved: found.cards,
            states: found.states,
            width: found.width,
            layers: found.layers,
            restarts: found.restarts,
            has_cut: found.has_cut,
            cpu_ms,
            trace: args.trace.then_some(&layers),
        };
        serde_json::to_string(&object).expect("plain data serialises") + "\n"
    } else {
        trace_text(&layers) + &text(&found, cpu_ms)
    })?;
    Ok(match found.reason {
        None => status::DONE,
        Some(Unsolved::Stopped) => status::INTERRUPTED,
        Some(_) => status::NOT_SOLVED,
    })
}

/// A line a layer. All lines begin with `#`, so that what is printed is a solution that can be
/// checked.
pub(super) fn trace_text(layers: &[TracedLayer]) -> String {
    if layers.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "# {:>7} {:>5} {:>9} {:>10} {:>7} {:>8} {:>8}  best state\n",
        "width", "layer", "children", "duplicates", "kept", "best", "worst"
    );
    let value = |value: Option<i32>| {
        value.map_or("-".to_owned(), |value| {
            format!("{:.2}", f64::from(value) / 100.0)
        })
    };
    for TracedLayer { layer, position } in layers {
        writeln!(
            text,
            "# {:>7} {:>5} {:>9} {:>10} {:>7} {:>8} {:>8}  {}",
            layer.width,
            layer.layer,
            layer.candidates,
            layer.duplicates,
            layer.kept,
            value(layer.best),
            value(layer.worst),
            match position {
                Some(position) => position,
                None if layer.solved => "solved",
                None if layer.unfinished => "unfinished",
                None => "-",
            }
        )
        .expect("a string takes every write");
    }
    text
}

/// The solution and a line about it.
fn text(found: &SolvedDeal, cpu_ms: f64) -> String {
    let SolvedDeal {
        states,
        width,
        layers,
        restarts,
        ..
    } = found;
    let effort = format!(
        "{states} states, width {width}, {layers} layers, {restarts} restarts, {cpu_ms:.1} ms of CPU"
    );
    let Some(reason) = found.reason else {
        let mut text = String::new();
        for moves in found.moves.chunks(A_LINE) {
            text += &format!("{}\n", moves.join(" "));
        }
        let (moves, cards) = (found.moves.len(), found.cards);
        return text + &format!("# solved: {moves} moves, {cards} cards moved; {effort}\n");
    };
    let why = match reason {
        Unsolved::Nodes => "all states that may be made were made; --nodes allows more",
        Unsolved::Time => "the time is over; --time-ms allows more",
        Unsolved::Depth => "the last layer allowed was reached; --set depth=N allows more",
        Unsolved::Memory => "more memory is needed than is allowed; --set memory_mb=N allows more",
        Unsolved::Exhausted if found.has_cut => {
            "the beam ran dry: no state had a new child; max_width or growth allows no wider one, and \
             this one left states out"
        }
        Unsolved::Exhausted => {
            "the beam ran dry: no state had a new child, and none was left out (a wider beam is of no use; \
             but keys may collide, so it proves nothing)"
        }
        Unsolved::Stopped => "it was stopped",
    };
    format!("# not solved ({}): {why}\n# {effort}\n", reason.word())
}
