//! A game of a run: its moves, a board, and the search that its engine made there.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{
    Searcher, analysis_text, asked_limits, board, configured, limit_text, own_engine, print,
    repeatable, score_text, trace_options,
};
use crate::cli::ReplayArgs;
use crate::commands::play::{arena_of, stamp};
use crate::config::nearest;
use crate::error::CommandError;
use crate::game::Side;
use crate::play::{Analysis, Arena, Inspection, Question, role_name};
use crate::results::{
    EngineKind, GameId, GameRecord, Journal, MoveLimit, MoveRecord, RunDir, RunFile, VariantSpec,
};
use crate::search::{Score, SearchKind, SearchLimits, SearchSpec};

/// A game that was found, and where the board is shown.
struct Shown<'a> {
    run: &'a RunFile,
    arena: &'a dyn Arena,
    game: &'a GameRecord,
    ply: usize,
    /// The opening's moves and the game's up to the board.
    moves: Vec<String>,
    seen: Inspection,
}

/// A search of the board that is shown.
#[derive(Serialize)]
struct Searched {
    /// Who searches, in words.
    by: String,
    /// The limit, in words; `None` where the search of the game is repeated.
    limit: Option<String>,
    /// Whether it is the search of the game: move, score, depth and nodes are those of the
    /// record. `None` where a new search was asked for.
    as_recorded: Option<bool>,
    #[serde(flatten)]
    found: Analysis,
}

pub(super) fn replay(args: &ReplayArgs, run: &Path, id: &str) -> Result<(), CommandError> {
    let dir = find_run(&args.results, run)?;
    let run = RunDir::read_run_file(&dir)?.ok_or_else(|| no_run(&dir, &args.results))?;
    let journal = dir.join("games.csv");
    let (line, game) = find_game(args, &dir, &run, id)?;
    let arena = arena_of(&run.spec)?;
    let arena = arena.as_ref();
    let played = game.moves.iter().map(|mv| mv.text.clone());
    let all: Vec<String> = game.opening_moves.iter().cloned().chain(played).collect();
    let inspect = |moves: &[String]| {
        arena
            .inspect(Some(&game.opening_fen), moves)
            .map_err(|error| {
                let file = journal.display();
                CommandError::Input(format!("{file}:{line}: game {}: {error}", game.id))
            })
    };
    // The whole game is checked, whatever is shown of it.
    inspect(&all)?;
    let ply = args.ply.unwrap_or(game.moves.len());
    if ply > game.moves.len() {
        return Err(CommandError::Usage(format!(
            "--ply is {ply}, but the game has {} moves after its opening",
            game.moves.len()
        )));
    }
    let moves = all[..game.opening_moves.len() + ply].to_vec();
    let seen = inspect(&moves)?;
    let shown = Shown {
        run: &run,
        arena,
        game: &game,
        ply,
        moves,
        seen,
    };
    let search = shown.search(args)?;
    print(&if args.json {
        shown.json(search.as_ref())
    } else {
        shown.text(search.as_ref())
    })
}

/// The folder of a run.
fn find_run(results: &Path, run: &Path) -> Result<PathBuf, CommandError> {
    let named = results.join(run);
    let known = |path: &PathBuf| path.join("run.json").exists() || path.join("games.csv").exists();
    [run.to_owned(), named]
        .into_iter()
        .find(known)
        .ok_or_else(|| no_run(run, results))
}

fn no_run(run: &Path, results: &Path) -> CommandError {
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

/// The game of this id, with its line: the attempt that is asked for, or the last.
fn find_game(
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

impl Shown<'_> {
    fn variant(&self, side: Side) -> Option<&VariantSpec> {
        let name = self.game.variant(side);
        self.run.spec.variants.iter().find(|one| one.name == name)
    }

    /// The search of the board, if there is one to show.
    fn search(&self, args: &ReplayArgs) -> Result<Option<Searched>, CommandError> {
        let side = self.seen.side;
        if self.seen.outcome.is_some() {
            return Ok(None);
        }
        if let Some((arena, searcher)) = configured(args)? {
            if arena.game() != self.arena.game() {
                return Err(CommandError::Usage(format!(
                    "the game is {}, and the config's {}",
                    self.arena.game(),
                    arena.game()
                )));
            }
            return self.anew(args, &searcher).map(Some);
        }
        let Some(VariantSpec {
            name,
            engine,
            limit,
        }) = self.variant(side)
        else {
            return Ok(None);
        };
        match engine {
            EngineKind::BuiltIn(spec) if asked_limits(args).is_some() => {
                let searcher = Searcher {
                    name: format!("`{name}`"),
                    spec: spec.clone(),
                    limits: Some(*limit),
                };
                self.anew(args, &searcher).map(Some)
            }
            EngineKind::BuiltIn(spec) => match self.game.moves.get(self.ply) {
                Some(record) => self.again(args, name, spec, Some(record)).map(Some),
                None if args.search => self.again(args, name, spec, None).map(Some),
                None => Ok(None),
            },
            EngineKind::External(_) if args.search => {
                let searcher = Searcher::default_of(self.arena)?;
                self.anew(args, &searcher).map(Some)
            }
            EngineKind::External(_) => Ok(None),
        }
    }

    /// A new search from an empty table.
    fn anew(&self, args: &ReplayArgs, searcher: &Searcher) -> Result<Searched, CommandError> {
        let limits = searcher.limits(args, self.seen.side);
        let found = self.ask(args, &searcher.spec, &[], limits)?;
        Ok(Searched {
            by: searcher.name.clone(),
            limit: Some(limit_text(limits)),
            as_recorded: None,
            found,
        })
    }

    /// The search of the game once more, after those of the engine's earlier moves.
    fn again(
        &self,
        args: &ReplayArgs,
        name: &str,
        spec: &SearchSpec,
        record: Option<&MoveRecord>,
    ) -> Result<Searched, CommandError> {
        let side = self.seen.side;
        let limit = self.variant(side).map(|variant| variant.limit.of(side));
        let spec = self.to_the_last_node(spec)?;
        let opening = self.game.opening_moves.len();
        let own_moves = (self.ply % 2..self.ply).step_by(2);
        let earlier: Vec<(usize, SearchLimits)> = own_moves
            .clone()
            .map(|ply| (opening + ply, as_spent(&self.game.moves[ply], limit)))
            .collect();
        let limits = match record {
            Some(record) => as_spent(record, limit),
            None => asked_limits(args)
                .or(limit.and_then(repeatable))
                .unwrap_or_else(|| super::to_depth(super::DEFAULT_DEPTH)),
        };
        let found = self.ask(args, &spec, &earlier, limits)?;
        let same_before = own_moves
            .map(|ply| &self.game.moves[ply].text)
            .eq(&found.earlier);
        let as_recorded = record.map(|record| same_before && is_of(record, &found));
        Ok(Searched {
            by: format!("`{name}`"),
            limit: record.is_none().then(|| limit_text(limits)),
            as_recorded,
            found,
        })
    }

    /// The engine of a game that was ended by its limits, without its habit to begin no depth
    /// that it may not finish: that it began it is known from the nodes that it spent.
    fn to_the_last_node(&self, spec: &SearchSpec) -> Result<SearchSpec, CommandError> {
        let mut spec = spec.clone();
        if spec.kind == SearchKind::AlphaBeta {
            let declared = own_engine(self.arena, "replay")?.search_parameters(spec.kind);
            spec.parameters
                .set(&declared, "depth_growth", 0.0)
                .map_err(|error| CommandError::Input(error.to_string()))?;
        }
        Ok(spec)
    }

    fn ask(
        &self,
        args: &ReplayArgs,
        spec: &SearchSpec,
        earlier: &[(usize, SearchLimits)],
        limits: SearchLimits,
    ) -> Result<Analysis, CommandError> {
        let question = Question {
            spec,
            fen: Some(&self.game.opening_fen),
            moves: &self.moves,
            earlier,
            seed: crate::players::built_in_seed(self.game.seed, self.seen.side),
            limits,
            trace: trace_options(args),
        };
        own_engine(self.arena, "replay")?
            .analyse(&question)
            .map_err(|error| CommandError::Input(error.to_string()))
    }

    fn text(&self, search: Option<&Searched>) -> String {
        let Shown {
            arena, game, ply, ..
        } = self;
        let [first, second] = Side::BOTH.map(|side| role_name(*arena, side));
        let mut text = format!(
            "game {} of {}, opening {}: {first} {}, {second} {}\n{} ({}) after {} moves\n",
            game.id,
            self.run.spec.name,
            game.opening,
            game.first,
            game.second,
            serde_json::to_value(game.result)
                .ok()
                .and_then(|result| result.as_str().map(str::to_owned))
                .unwrap_or_default(),
            game.termination,
            game.moves.len()
        );
        if !game.detail.is_empty() {
            text += &format!("{}\n", game.detail);
        }
        if !game.opening_moves.is_empty() {
            text += &format!("opening moves: {}\n", game.opening_moves.join(" "));
        }
        text += &self.move_list();
        text += &format!("\nafter move {ply} of {}\n", game.moves.len());
        text += &board(*arena, &self.seen);
        match search {
            Some(search) => {
                text += &format!("\n{}\n", self.heading(search));
                text += &analysis_text(*arena, self.seen.side, *ply, &search.found);
            }
            None => text += &self.why_not(),
        }
        text
    }

    fn move_list(&self) -> String {
        let moves = &self.game.moves[..self.ply];
        if moves.is_empty() {
            return String::new();
        }
        let width = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0).max(4);
        let of_moves = width(&mut moves.iter().map(|mv| mv.text.chars().count()));
        let roles = Side::BOTH.map(|side| role_name(self.arena, side));
        let of_roles = width(&mut roles.iter().map(|role| role.chars().count()));
        let mut text = format!(
            "\n ply  {:<of_roles$}  {:<of_moves$}  {:>11}  {:>5}  {:>9}  {:>9}\n",
            "side", "move", "score", "depth", "nodes", "ms"
        );
        let mut side = self.game.first_to_move;
        for (index, mv) in moves.iter().enumerate() {
            let score = mv
                .score
                .map_or(String::new(), |score| score_text(Score(score)));
            let (depth, nodes) = mv.searched.map_or_else(Default::default, |searched| {
                (searched.depth.to_string(), searched.nodes.to_string())
            });
            #[expect(clippy::cast_precision_loss, reason = "microseconds of a move")]
            let ms = mv.time_us as f64 / 1000.0;
            writeln!(
                text,
                "{:>4}  {:<of_roles$}  {:<of_moves$}  {score:>11}  {depth:>5}  {nodes:>9}  {ms:>9.2}",
                index + 1,
                role_name(self.arena, side),
                mv.text,
            )
            .expect("a string takes every write");
            side = side.other();
        }
        text
    }

    fn heading(&self, search: &Searched) -> String {
        let by = &search.by;
        match (search.as_recorded, &search.limit) {
            (Some(true), _) => format!(
                "search of {by}, as in the game: move, score, depth and nodes are those of the record"
            ),
            (Some(false), _) => format!(
                "search of {by}, NOT as in the game: this build searches otherwise than the one \
                 that played"
            ),
            (None, limit) => {
                let limit = limit.clone().unwrap_or_default();
                format!("search of {by} to {limit}")
            }
        }
    }

    /// Why no search is shown.
    fn why_not(&self) -> String {
        let side = self.seen.side;
        let name = self.game.variant(side);
        let built_in = self
            .variant(side)
            .is_some_and(|variant| matches!(variant.engine, EngineKind::BuiltIn(_)));
        match (&self.seen.outcome, built_in, self.arena.own()) {
            (Some(_), ..) => String::new(),
            (None, true, _) => "nothing was searched here; --search does\n".to_owned(),
            (None, false, Some(_)) => format!(
                "`{name}` is another program; --search shows what agon's default engine thinks\n"
            ),
            (None, false, None) => format!(
                "`{name}` is another program, and {} has no built-in engine\n",
                self.arena.game()
            ),
        }
    }

    fn json(&self, search: Option<&Searched>) -> String {
        let game = self.game;
        let moves: Vec<serde_json::Value> = game.moves[..self.ply]
            .iter()
            .map(|mv| {
                serde_json::json!({
                    "move": mv.text,
                    "score": mv.score,
                    "depth": mv.searched.map(|searched| searched.depth),
                    "nodes": mv.searched.map(|searched| searched.nodes),
                    "us": mv.time_us,
                })
            })
            .collect();
        let object = serde_json::json!({
            "run": self.run.spec.name,
            "id": game.id.to_string(),
            "attempt": game.attempt,
            "game": self.run.spec.game.name,
            "first": game.first,
            "second": game.second,
            "first_to_move": game.first_to_move,
            "opening": game.opening,
            "opening_fen": game.opening_fen,
            "opening_moves": game.opening_moves,
            "result": game.result,
            "termination": game.termination.to_string(),
            "plies": game.moves.len(),
            "ply": self.ply,
            "moves": moves,
            "position": self.seen.to_json(),
            "search": search,
        });
        format!("{object}\n")
    }
}

/// The limits under which a search ends where the recorded one did.
fn as_spent(record: &MoveRecord, limit: Option<MoveLimit>) -> SearchLimits {
    SearchLimits {
        // A single legal move needs none; another build may think otherwise, and shall end.
        nodes: record.searched.map_or(1, |searched| searched.nodes),
        depth: match limit {
            Some(MoveLimit::Depth(depth)) => depth,
            _ => u32::MAX,
        },
        time: None,
    }
}

/// Whether a search is the one of the record.
fn is_of(record: &MoveRecord, found: &Analysis) -> bool {
    let effort = record
        .searched
        .map(|searched| (searched.depth, searched.nodes));
    record.text == found.mv
        && record.score == found.score.map(|score| score.0)
        && effort == found.searched.then_some((found.depth, found.nodes))
}
