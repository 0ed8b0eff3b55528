//! What `[tune]` means.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use toml::Spanned;

use super::checker::Checker;
use super::common::{Common, check_memory, find_variant, settle_suite, shared_cores, suite};
use super::declared::{builtin, check_tuning};
use super::document::{Document, WrittenGame};
use super::method::{method, settings_at_once};
use super::problem::Problem;
use super::written::{Written, WrittenConfirm, WrittenParameter};
use super::{notes, suggest};
use crate::openings::Suite;
use crate::plan::{Note, Parameterless, Place, TunePlaces, TuningPlan};
use crate::play::{Arena, Declares};
use crate::results::{EngineKind, GameSpec, VariantSpec};
use crate::tune::{ConfirmSpec, Home, TuneSpec, TunedSpec};

/// Rounds of a tuning that does not say.
const DEFAULT_ROUNDS: u64 = 2;

/// As many as game ids have digits for.
pub(super) const MOST_GAMES: u64 = 1_000_000;

/// Makes the plan of a tuning, or reports all problems.
pub(super) fn plan(
    document: &Document,
    written: &Written,
    game: &WrittenGame,
    folder: &Path,
    choices: Vec<Problem>,
) -> Result<TuningPlan, Vec<Problem>> {
    let mut checker = Checker {
        document,
        problems: choices,
    };
    let common = Common::read(&mut checker, written, game, folder);
    let Some(tune) = &written.tune else {
        let message = "nothing is tuned in this config: it has no [tune]";
        let hint = "add [tune] and a [[tune.parameter]]; without them, `agon run CONFIG` plays it";
        checker
            .problems
            .push(document.problem_of_file(message, hint));
        return Err(checker.problems);
    };
    for (name, span) in [
        ("schedule", written.schedule.as_ref().map(Spanned::span)),
        ("verdict", written.verdict.as_ref().map(Spanned::span)),
    ] {
        if let Some(span) = span {
            let message = format!("a tuning plans its games itself, and has no [{name}]");
            checker.refuse(span, message, Some("take it out".to_owned()));
        }
    }
    let at = tune.span();
    let tune = tune.get_ref();
    let base = find_variant(&mut checker, &tune.base, &common.variants, &written.engine)
        .map(|index| common.variants[index].clone());
    let method = method(&mut checker, tune.method.as_ref());
    let rounds = tune.rounds.as_ref().map_or(Some(DEFAULT_ROUNDS), |rounds| {
        checker.whole("`rounds`", rounds, 1..=100)
    });
    if tune.parameter.is_empty() {
        let message = "no parameter is tuned".to_owned();
        let hint = "add a table [[tune.parameter]] with name, low and high".to_owned();
        checker.refuse(at.clone(), message, Some(hint));
    }
    let wanted = common
        .arena
        .as_deref()
        .zip(base.as_ref())
        .map(|(arena, base)| wanted(&mut checker, arena, base, &tune.parameter));
    let confirm = tune.confirm.as_ref().map(|confirm| {
        common
            .arena
            .as_deref()
            .and_then(|arena| confirming(&mut checker, confirm.get_ref(), arena, folder))
    });
    let mut notes = Vec::new();
    let common_suite = common.suite.map(|(mut suite, file)| {
        settle_suite(&mut suite, written.duplicate_openings, &mut notes);
        (suite, file)
    });
    if let (Some(arena), Some((suite, _)), Some(Some((other, _, _))), Some(written)) =
        (&common.arena, &common_suite, &confirm, &tune.confirm)
    {
        let span = written.get_ref().openings.span();
        check_apart(&mut checker, arena.as_ref(), suite, other, span);
    }
    let problems_so_far = checker.problems.len();
    let (
        Some(arena),
        Some((suite, file)),
        Some(base),
        Some(method),
        Some(rounds),
        Some((undeclared, parameters)),
        (Some(seed), Some(margin_ms), Some(workers)),
        0,
    ) = (
        common.arena,
        common_suite,
        base,
        method,
        rounds,
        wanted,
        (common.seed, common.margin_ms, common.workers),
        problems_so_far,
    )
    else {
        checker.problems.sort_by_key(|problem| problem.at);
        return Err(checker.problems);
    };
    notes::too_few_nodes(
        arena.as_ref(),
        &suite,
        std::slice::from_ref(&base),
        &mut notes,
    );
    shared_cores(workers, &mut notes);
    let (confirm, confirm_suite) = match confirm.flatten() {
        Some((suite, file, pairs)) => {
            let pairs = confirming_pairs(&base, pairs, &suite, &mut notes);
            let openings = suite.openings;
            (Some(ConfirmSpec { openings, pairs }), file)
        }
        None => {
            notes.push(Note::Unconfirmed);
            (None, None)
        }
    };
    check_memory(
        &mut checker,
        &vec![base.clone(); settings_at_once(&method)],
        Some(workers),
    );
    let place = |span| document.place_of(span);
    let parameter_places = |of: fn(&WrittenParameter) -> std::ops::Range<usize>| -> Vec<Place> {
        let written = tune.parameter.iter();
        written.map(|one| place(of(one.get_ref()))).collect()
    };
    let places = TunePlaces {
        method: place(tune.method.as_ref().map_or(at.clone(), Spanned::span)),
        names: parameter_places(|written| written.name.span()),
        lows: parameter_places(|written| written.low.span()),
        confirm: place(tune.confirm.as_ref().map_or(at, Spanned::span)),
    };
    let mut plan = TuningPlan {
        spec: TuneSpec {
            name: written.name.get_ref().clone(),
            game: GameSpec {
                name: arena.game().to_owned(),
                rules: arena.rules(),
            },
            seed,
            base,
            method,
            rounds: u32::try_from(rounds).expect("at most 100"),
            parameters,
            openings: suite.openings,
            confirm,
            margin_ms,
            adjudication: *written.adjudication.get_ref(),
            compare: common.compare,
        },
        undeclared,
        arena,
        workers,
        max_fault_share: common.max_fault_share,
        suite: file,
        suite_format: suite.format,
        duplicates: written.duplicate_openings,
        confirm_suite,
        places,
        notes,
    };
    if plan.undeclared.is_empty() {
        checker.problems.extend(check_tuning(&mut plan));
    }
    checker.problems.sort_by_key(|problem| problem.at);
    if checker.problems.is_empty() {
        Ok(plan)
    } else {
        Err(checker.problems)
    }
}

/// The parameters that are to be tuned: those that the engine has still to declare, or those
/// that agon's own declares.
fn wanted(
    checker: &mut Checker<'_>,
    arena: &dyn Arena,
    base: &VariantSpec,
    written: &[Spanned<WrittenParameter>],
) -> (Vec<Parameterless>, Vec<TunedSpec>) {
    let mut undeclared = Vec::new();
    let mut parameters = Vec::new();
    let mut names = HashSet::new();
    for one in written.iter().map(Spanned::get_ref) {
        let name = one.name.get_ref();
        if !names.insert(name.to_ascii_lowercase()) {
            let message = format!("`{name}` is tuned twice");
            checker.refuse(one.name.span(), message, Some("keep one".to_owned()));
        }
        let mut wanted = Parameterless {
            name: name.clone(),
            home: Home::Option,
            low: *one.low.get_ref(),
            high: *one.high.get_ref(),
        };
        let EngineKind::BuiltIn(search) = &base.engine else {
            undeclared.push(wanted);
            continue;
        };
        let own = arena.declares();
        let of_search = own.map_or(Vec::new(), |own| own.search_parameters(search.kind));
        let of_evaluation = own.map_or_else(Vec::new, Declares::evaluation_parameters);
        match builtin(&mut wanted, &of_search, &of_evaluation) {
            Some(tuned) => parameters.push(tuned),
            None => {
                let known = of_evaluation.iter().chain(&of_search);
                let known: Vec<&str> = known.map(|parameter| parameter.name.as_str()).collect();
                let message = format!("`{}` has no parameter `{name}`", base.name);
                let hint = suggest::hint(name, known);
                checker.refuse(one.name.span(), message, Some(hint));
            }
        }
    }
    (undeclared, parameters)
}

/// The suite of the confirming match, its file, and its pairs.
fn confirming(
    checker: &mut Checker<'_>,
    written: &WrittenConfirm,
    arena: &dyn Arena,
    folder: &Path,
) -> Option<(Suite, Option<PathBuf>, u32)> {
    let games = checker.whole("`max_games`", &written.max_games, 2..=2 * MOST_GAMES);
    let (mut suite, file) = suite(checker, &written.openings, arena, folder)?;
    suite.drop_duplicates();
    Some((suite, file, u32::try_from(games? / 2).ok()?))
}

/// Pairs of the confirming match, cut where more would only repeat games.
fn confirming_pairs(base: &VariantSpec, asked: u32, suite: &Suite, notes: &mut Vec<Note>) -> u32 {
    let distinct = u32::try_from(suite.openings.len()).unwrap_or(u32::MAX);
    if asked <= distinct || !base.repeats_itself() {
        return asked;
    }
    notes.push(Note::PairsCut {
        pairing: "confirming match".to_owned(),
        asked,
        planned: distinct,
    });
    distinct
}

/// Refuses a confirming suite with a position of the tuning's own.
fn check_apart(
    checker: &mut Checker<'_>,
    arena: &dyn Arena,
    suite: &Suite,
    other: &Suite,
    span: std::ops::Range<usize>,
) {
    let keys = |suite: &Suite| -> Vec<u64> {
        let openings = suite.openings.iter();
        openings
            .filter_map(|one| arena.symmetry_key(Some(&one.fen), &one.moves).ok())
            .collect()
    };
    let met: HashSet<u64> = keys(suite).into_iter().collect();
    let shared = keys(other).iter().filter(|key| met.contains(key)).count();
    if shared > 0 {
        let message = format!(
            "{shared} of {} openings of the confirming match are among those of the tuning: it \
             would confirm what it was chosen for",
            other.openings.len()
        );
        let hint = "make others: agon openings make GAME --exclude THE-SUITE -o FILE".to_owned();
        checker.refuse(span, message, Some(hint));
    }
}
