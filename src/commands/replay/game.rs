//! A game of a run: its moves, a board, and the search that its engine made there.

use std::path::Path;

use serde::Serialize;

use super::find::{find_game, find_run, no_run};
use super::{
    Searcher, asked_limits, configured, limit_text, own_engine, print, repeatable, trace_options,
};
use crate::cli::ReplayArgs;
use crate::commands::rows::{arena_of, ends_as_it_says};
use crate::error::CommandError;
use crate::game::Side;
use crate::play::{Analysis, Arena, Inspection, Question};
use crate::results::{EngineKind, GameRecord, MoveLimit, MoveRecord, RunDir, RunFile, VariantSpec};
use crate::search::{SearchKind, SearchLimits, SearchSpec};

/// A game that was found, and where the board is shown.
pub(super) struct Shown<'a> {
    pub(super) run: &'a RunFile,
    pub(super) arena: &'a dyn Arena,
    pub(super) game: &'a GameRecord,
    pub(super) ply: usize,
    /// The opening's moves and the game's up to the board.
    pub(super) moves: Vec<String>,
    pub(super) seen: Inspection,
}

/// A search of the board that is shown.
#[derive(Serialize)]
pub(super) struct Searched {
    /// Who searches, in words.
    pub(super) by: String,
    /// The limit, in words; `None` where the search of the game is repeated.
    pub(super) limit: Option<String>,
    /// Whether it is the search of the game: move, score, depth and nodes are those of the
    /// record. `None` where a new search was asked for.
    pub(super) as_recorded: Option<bool>,
    #[serde(flatten)]
    pub(super) found: Analysis,
}

/// Finds a game and shows it.
pub(super) fn find(
    args: &ReplayArgs,
    run: &Path,
    id: &str,
    show: impl FnOnce(&Shown<'_>) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
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
    ends_as_it_says(arena, &run.spec, &game).map_err(|what| {
        let file = journal.display();
        CommandError::Input(format!("{file}:{line}: game {}: {what}", game.id))
    })?;
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
    show(&shown)
}

impl Shown<'_> {
    /// Prints the game, and the search of the board.
    pub(super) fn replay(&self, args: &ReplayArgs) -> Result<(), CommandError> {
        let search = self.search(args)?;
        let from_book = self.is_from_book(self.ply)?;
        print(&if args.json {
            self.json(search.as_ref(), from_book)
        } else {
            self.text(search.as_ref(), from_book)
        })
    }

    pub(super) fn variant(&self, side: Side) -> Option<&VariantSpec> {
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
        if asked_limits(args).is_none() && self.is_from_book(self.ply)? {
            return Ok(None);
        }
        let Some(VariantSpec {
            name,
            engine,
            limit,
            ..
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

    /// Whether the move after `ply` moves of the game is one of its engine's book.
    pub(super) fn is_from_book(&self, ply: usize) -> Result<bool, CommandError> {
        let side = match ply % 2 {
            0 => self.game.first_to_move,
            _ => self.game.first_to_move.other(),
        };
        let book = self.variant(side).and_then(|variant| variant.book.as_ref());
        let record = self.game.moves.get(ply);
        let (Some(book), Some(record)) = (book, record.filter(|mv| mv.searched.is_none())) else {
            return Ok(false);
        };
        let played = self.game.moves[..ply].iter().map(|mv| mv.text.clone());
        let moves: Vec<String> = self
            .game
            .opening_moves
            .iter()
            .cloned()
            .chain(played)
            .collect();
        let seed = crate::players::built_in_seed(self.game.seed, side);
        let chosen = self
            .arena
            .book_move(book, Some(&self.game.opening_fen), &moves, seed)
            .map_err(|error| CommandError::Input(error.to_string()))?;
        Ok(chosen.as_ref() == Some(&record.text))
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
        let mut own_moves = Vec::new();
        for ply in (self.ply % 2..self.ply).step_by(2) {
            if !self.is_from_book(ply)? {
                own_moves.push(ply);
            }
        }
        let earlier: Vec<(usize, SearchLimits)> = own_moves
            .iter()
            .map(|&ply| (opening + ply, as_spent(&self.game.moves[ply], limit)))
            .collect();
        let limits = match record {
            Some(record) => as_spent(record, limit),
            None => asked_limits(args)
                .or(limit.and_then(repeatable))
                .unwrap_or_else(|| super::to_depth(super::DEFAULT_DEPTH)),
        };
        let found = self.ask(args, &spec, &earlier, limits)?;
        let same_before = own_moves
            .iter()
            .map(|&ply| &self.game.moves[ply].text)
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
