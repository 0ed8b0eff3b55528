//! What configs of runs and of tunings have in common: the game, the suite, the engines, the
//! machine.

use std::path::{Path, PathBuf};

use toml::Spanned;

use super::checker::{Checker, check_name};
use super::deals;
use super::document::WrittenGame;
use super::engines;
use super::suggest::{self, hint_for_serde};
use super::written::{LARGEST, Whole, Written, WrittenEngine};
use crate::executor::{cores, memory_mb};
use crate::openings::{DuplicateRule, Suite};
use crate::plan::Note;
use crate::play::Arena;
use crate::registry;
use crate::results::{AdjudicationSpec, Criterion, EngineKind, VariantSpec};

/// What is common, as far as it could be read.
pub(super) struct Common {
    pub(super) seed: Option<u64>,
    pub(super) margin_ms: Option<u64>,
    pub(super) arena: Option<Box<dyn Arena>>,
    /// The suite and its file, which is `None` for the start position.
    pub(super) suite: Option<(Suite, Option<PathBuf>)>,
    pub(super) variants: Vec<VariantSpec>,
    pub(super) workers: Option<usize>,
    pub(super) max_fault_share: f64,
    /// What decides between two solutions of a deal; `None` in games of two sides.
    pub(super) compare: Option<Criterion>,
}

impl Common {
    /// Reads it, and tells what is wrong.
    pub(super) fn read(
        checker: &mut Checker<'_>,
        written: &Written,
        game: &WrittenGame,
        folder: &Path,
    ) -> Common {
        check_name(checker, &written.name, "the run's name");
        let seed = checker.whole("`seed`", &written.seed, 0..=LARGEST);
        let margin_ms = written
            .margin_ms
            .as_ref()
            .map_or(Some(DEFAULT_MARGIN_MS), |ms| {
                checker.whole("`margin_ms`", ms, 0..=LARGEST)
            });
        let arena = arena(checker, game);
        let suite = arena
            .as_deref()
            .and_then(|arena| suite(checker, &written.openings, arena, folder));
        let variants = engines::variants(checker, written, arena.as_deref(), folder);
        let workers = workers(checker, written.workers.as_ref());
        let max_fault_share = fault_share(checker, written.max_fault_share.as_ref());
        check_adjudication(checker, &written.adjudication);
        let compare = deals::compare(checker, written, arena.as_deref());
        Common {
            seed,
            margin_ms,
            arena,
            suite,
            variants,
            workers,
            max_fault_share,
            compare,
        }
    }
}

/// Drops duplicates by `rule`, and notes them and games that share cores.
pub(super) fn settle_suite(suite: &mut Suite, rule: DuplicateRule, notes: &mut Vec<Note>) {
    if !suite.duplicates.is_empty() {
        let lines = suite.duplicates.clone();
        notes.push(Note::DuplicateOpenings { lines, rule });
    }
    if rule == DuplicateRule::Drop {
        suite.drop_duplicates();
    }
}

/// Notes more games at once than cores.
pub(super) fn shared_cores(workers: usize, notes: &mut Vec<Note>) {
    if let Some(physical) = cores().physical.filter(|physical| workers > *physical) {
        notes.push(Note::SharedCores { workers, physical });
    }
}

/// A built-in search looks at the clock every few dozen nodes; what is left is the system's
/// scheduling. Of 652,798 moves at 20 ms on two cores with compilers at work beside them, 13,011
/// overran, and 22 went beyond 50 ms.
const DEFAULT_MARGIN_MS: u64 = 100;

fn arena(checker: &mut Checker<'_>, game: &WrittenGame) -> Option<Box<dyn Arena>> {
    let name = game.name.get_ref();
    let Some(entry) = registry::find(name) else {
        let known = registry::games().iter().map(|entry| entry.name);
        checker.refuse(
            game.name.span(),
            format!("unknown game `{name}`"),
            Some(suggest::hint(name, known)),
        );
        return None;
    };
    let rules = serde_json::to_value(&game.rules).expect("TOML is within JSON");
    match entry.open(rules) {
        Ok(arena) => Some(arena),
        Err(message) => {
            let quoted = |key: &&Spanned<String>| message.contains(&format!("`{}`", key.get_ref()));
            let span = game
                .keys
                .iter()
                .find(quoted)
                .map_or(game.name.span(), Spanned::span);
            let hint = hint_for_serde(&message);
            checker.refuse(span, format!("rules of {name}: {message}"), hint);
            None
        }
    }
}

/// The suite of this name, and its file.
pub(super) fn suite(
    checker: &mut Checker<'_>,
    openings: &Spanned<String>,
    arena: &dyn Arena,
    folder: &Path,
) -> Option<(Suite, Option<PathBuf>)> {
    if openings.get_ref() == crate::openings::START {
        return Some((arena.start_suite(), None));
    }
    let path = folder.join(openings.get_ref());
    let shown = path.display();
    let bytes = match std::fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) => {
            let hint = "the path is taken from the config's folder; `start` is the start position";
            checker.refuse(
                openings.span(),
                format!("cannot read the openings `{shown}`: {error}"),
                Some(hint.to_owned()),
            );
            return None;
        }
    };
    match arena.read_suite(&bytes) {
        Ok(suite) => Some((suite, Some(path))),
        Err(errors) => {
            let errors = errors.to_string().replace('\n', "\n  ");
            checker.refuse(
                openings.span(),
                format!("openings `{shown}`:\n  {errors}"),
                None,
            );
            None
        }
    }
}

/// The index of a named variant. One that is written, but not among the variants, has a
/// problem of its own.
pub(super) fn find_variant(
    checker: &mut Checker<'_>,
    name: &Spanned<String>,
    variants: &[VariantSpec],
    written: &[Spanned<WrittenEngine>],
) -> Option<usize> {
    let found = variants
        .iter()
        .position(|variant| variant.name == *name.get_ref());
    let known: Vec<&str> = written
        .iter()
        .map(|engine| engine.get_ref().name.get_ref().as_str())
        .collect();
    if found.is_none() && !known.contains(&name.get_ref().as_str()) {
        let hint = suggest::hint(name.get_ref(), known);
        checker.refuse(
            name.span(),
            format!("no engine is called `{}`", name.get_ref()),
            Some(hint),
        );
    }
    found
}

/// A share that no sound engine reaches, nor a machine that is a little too busy.
const DEFAULT_FAULT_SHARE: f64 = 0.2;

fn fault_share(checker: &mut Checker<'_>, written: Option<&Spanned<f64>>) -> f64 {
    let share = written.map_or(DEFAULT_FAULT_SHARE, |share| *share.get_ref());
    if let Some(written) = written.filter(|_| !(0.0..=1.0).contains(&share)) {
        let message = "`max_fault_share` must be from 0 to 1; 1 lets faults go on".to_owned();
        checker.refuse(written.span(), message, None);
    }
    share
}

fn workers(checker: &mut Checker<'_>, written: Option<&Spanned<Whole>>) -> Option<usize> {
    let Some(written) = written else {
        return Some(cores().usable);
    };
    let workers = checker.whole("`workers`", written, 1..=1024)?;
    usize::try_from(workers).ok()
}

/// Refuses rules that would end every game at once.
fn check_adjudication(checker: &mut Checker<'_>, written: &Spanned<AdjudicationSpec>) {
    let AdjudicationSpec {
        resign,
        draw,
        max_plies,
    } = written.get_ref();
    for (name, number) in [
        ("resign.moves", resign.map(|rule| rule.moves)),
        ("draw.moves", draw.map(|rule| rule.moves)),
        ("max_plies", *max_plies),
    ] {
        if number == Some(0) {
            let message = format!("`adjudication.{name}` must be at least 1");
            checker.refuse(written.span(), message, None);
        }
    }
}

/// What no machine is asked for.
const EVERY_MACHINE_MB: f64 = 256.0;

/// Refuses tables that this machine cannot hold: every worker has one for every variant.
pub(super) fn check_memory(
    checker: &mut Checker<'_>,
    variants: &[VariantSpec],
    workers: Option<usize>,
) {
    let hash_mb = |variant: &VariantSpec| {
        let EngineKind::BuiltIn(search) = &variant.engine else {
            return 0.0;
        };
        let mut parameters = search.parameters.iter();
        parameters
            .find(|(name, _)| *name == "hash_mb")
            .map_or(0.0, |(_, mb)| mb)
    };
    #[expect(clippy::cast_precision_loss, reason = "at most 1024")]
    let workers = workers.unwrap_or(0) as f64;
    let wanted = workers * variants.iter().map(hash_mb).sum::<f64>();
    if wanted <= EVERY_MACHINE_MB {
        return;
    }
    #[expect(clippy::cast_precision_loss, reason = "megabytes")]
    let machine = memory_mb().map_or(f64::INFINITY, |mb| mb as f64);
    if wanted > machine {
        let message = format!(
            "the tables of {} engines for {workers} games at once take {wanted} MB, more than the \
             {machine} MB of this machine",
            variants.len()
        );
        let problem = checker
            .document
            .problem_of_file(&message, "lower `hash_mb` or `workers`");
        checker.problems.push(problem);
    }
}
