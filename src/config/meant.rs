//! What a config means: names resolved, values checked, `extends` followed, the plan made.

use std::collections::HashSet;
use std::path::Path;

use toml::Spanned;

use super::checker::{Checker, check_name};
use super::document::{Document, WrittenGame};
use super::problem::Problem;
use super::suggest::{self, hint_for_serde};
use super::written::{
    LARGEST, Whole, Written, WrittenEngine, WrittenSchedule, WrittenSprt, WrittenVerdict,
};
use super::{engines, notes};
use crate::executor::{cores, memory_mb};
use crate::openings::{DuplicateRule, Suite};
use crate::plan::{Note, Plan};
use crate::play::Arena;
use crate::registry;
use crate::results::{
    AdjudicationSpec, EngineKind, GameSpec, PairingSpec, RunSpec, SprtSpec, VariantSpec,
    VerdictSpec,
};
use crate::schedule::Shape;
use crate::stats::{self, StatsError};

/// Makes the plan, or reports all problems.
pub(super) fn plan(
    document: &Document,
    written: &Written,
    game: &WrittenGame,
    folder: &Path,
    choices: Vec<Problem>,
) -> Result<Plan, Vec<Problem>> {
    let mut checker = Checker {
        document,
        problems: choices,
    };
    check_name(&mut checker, &written.name, "the run's name");
    let seed = checker.whole("`seed`", &written.seed, 0..=LARGEST);
    let margin_ms = written
        .margin_ms
        .as_ref()
        .map_or(Some(DEFAULT_MARGIN_MS), |ms| {
            checker.whole("`margin_ms`", ms, 0..=LARGEST)
        });
    let arena = arena(&mut checker, game);
    let suite = arena
        .as_deref()
        .and_then(|arena| suite(&mut checker, &written.openings, arena, folder));
    let variants = engines::variants(&mut checker, written, arena.as_deref(), folder);
    let shape = shape(&mut checker, written, &variants);
    let verdict = verdict(&mut checker, written.verdict.as_ref());
    let workers = workers(&mut checker, written.workers.as_ref());
    let max_fault_share = fault_share(&mut checker, written.max_fault_share.as_ref());
    check_adjudication(&mut checker, &written.adjudication);
    check_memory(&mut checker, &variants, workers);
    checker.problems.sort_by_key(|problem| problem.at);
    let (
        Some(arena),
        Some((mut suite, file)),
        Some((shape, pairs)),
        Some(verdict),
        Some(workers),
        (Some(seed), Some(margin_ms)),
        [],
    ) = (
        arena,
        suite,
        shape,
        verdict,
        workers,
        (seed, margin_ms),
        checker.problems.as_slice(),
    )
    else {
        return Err(checker.problems);
    };
    let mut notes = Vec::new();
    let rule = written.duplicate_openings;
    if !suite.duplicates.is_empty() {
        let lines = suite.duplicates.clone();
        notes.push(Note::DuplicateOpenings { lines, rule });
    }
    if rule == DuplicateRule::Drop {
        suite.drop_duplicates();
    }
    let pairings = pairings(&shape, pairs, &variants, suite.openings.len(), &mut notes);
    notes::identical(&variants, &mut notes);
    notes::out_of_reach(&verdict, &pairings, &variants, &mut notes);
    notes::too_few_nodes(arena.as_ref(), &suite, &variants, &mut notes);
    if let Some(physical) = cores().physical.filter(|physical| workers > *physical) {
        notes.push(Note::SharedCores { workers, physical });
    }
    let spec = RunSpec {
        name: written.name.get_ref().clone(),
        game: GameSpec {
            name: arena.game().to_owned(),
            rules: arena.rules(),
        },
        seed,
        variants,
        pairings,
        openings: suite.openings,
        margin_ms,
        verdict,
        adjudication: *written.adjudication.get_ref(),
    };
    Ok(Plan {
        spec,
        arena,
        workers,
        max_fault_share,
        suite: file,
        suite_format: suite.format,
        duplicates: rule,
        shape,
        pairs_asked: pairs,
        notes,
    })
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

fn suite(
    checker: &mut Checker<'_>,
    openings: &Spanned<String>,
    arena: &dyn Arena,
    folder: &Path,
) -> Option<(Suite, Option<std::path::PathBuf>)> {
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
fn find_variant(
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

fn shape(
    checker: &mut Checker<'_>,
    written: &Written,
    variants: &[VariantSpec],
) -> Option<(Shape, u32)> {
    let schedule = &written.schedule;
    let mut find = |name: &Spanned<String>| find_variant(checker, name, variants, &written.engine);
    let (shape, pairs) = match schedule.get_ref() {
        WrittenSchedule::HeadToHead(written) => {
            let (candidate, base) = (find(&written.candidate), find(&written.base));
            let shape = candidate
                .zip(base)
                .map(|(candidate, base)| Shape::HeadToHead { candidate, base });
            (shape, &written.pairs)
        }
        WrittenSchedule::Gauntlet(written) => {
            let base = find(&written.base);
            let candidates = match &written.candidates {
                Some(names) => names.iter().map(&mut find).collect(),
                None => Some(
                    (0..variants.len())
                        .filter(|index| Some(*index) != base)
                        .collect(),
                ),
            };
            let shape = base
                .zip(candidates)
                .map(|(base, candidates)| Shape::Gauntlet { candidates, base });
            (shape, &written.pairs)
        }
        WrittenSchedule::RoundRobin(written) => {
            let variants = match &written.engines {
                Some(names) => names.iter().map(&mut find).collect(),
                None => Some((0..variants.len()).collect()),
            };
            (
                variants.map(|variants| Shape::RoundRobin { variants }),
                &written.pairs,
            )
        }
    };
    let pairs = checker.whole("`pairs`", pairs, 1..=MOST_PAIRS.into());
    let shape = shape?;
    let pairings = shape.pairings();
    // Engines with problems of their own are not among the variants.
    if pairings.is_empty() && variants.len() == written.engine.len() {
        checker.refuse(
            schedule.span(),
            "nobody meets anybody in this schedule".to_owned(),
            Some("name at least two engines".to_owned()),
        );
    }
    // Two engines of one name are told as such.
    let names: HashSet<&str> = written
        .engine
        .iter()
        .map(|engine| engine.get_ref().name.get_ref().as_str())
        .collect();
    let mut to_itself = pairings
        .iter()
        .filter(|(candidate, base)| candidate == base);
    if let Some((one, _)) = to_itself
        .next()
        .filter(|_| names.len() == written.engine.len())
    {
        let name = &variants[*one].name;
        checker.refuse(
            schedule.span(),
            format!("`{name}` would play itself"),
            Some("give the copy a name of its own, with `extends`".to_owned()),
        );
    }
    if (1..pairings.len()).any(|at| pairings[..at].contains(&pairings[at])) {
        checker.refuse(schedule.span(), "a pairing is named twice".to_owned(), None);
    }
    Some((shape, u32::try_from(pairs?).ok()?))
}

/// As many as game ids have digits for.
const MOST_PAIRS: u32 = 1_000_000;

fn verdict(
    checker: &mut Checker<'_>,
    written: Option<&Spanned<WrittenVerdict>>,
) -> Option<VerdictSpec> {
    let Some(written) = written else {
        return Some(VerdictSpec::WinRate {
            at_least: DEFAULT_AT_LEAST,
        });
    };
    let (spec, span) = match written.get_ref() {
        WrittenVerdict::WinRate(rule) => {
            let Some(at_least) = &rule.at_least else {
                return Some(VerdictSpec::WinRate {
                    at_least: DEFAULT_AT_LEAST,
                });
            };
            let rate = ten_thousandths(*at_least.get_ref());
            let at_least = checker.accept(at_least.span(), rate)?;
            (VerdictSpec::WinRate { at_least }, written.span())
        }
        WrittenVerdict::Sprt(test) => (VerdictSpec::Sprt(sprt(checker, test)?), test.elo0.span()),
    };
    let checked = stats::build(&spec, 1)
        .map(|_| spec)
        .map_err(|error| error.to_string());
    checker.accept(span, checked)
}

/// The test with its error rates checked, so that all mistakes are told at once.
fn sprt(checker: &mut Checker<'_>, test: &WrittenSprt) -> Option<SprtSpec> {
    let mut spec = SprtSpec {
        model: test.model,
        outcomes: test.outcomes,
        ..SprtSpec::logistic(*test.elo0.get_ref(), *test.elo1.get_ref())
    };
    let mut sound = true;
    for (name, written, rate) in [
        ("alpha", &test.alpha, &mut spec.alpha),
        ("beta", &test.beta, &mut spec.beta),
    ] {
        if let Some(written) = written {
            *rate = *written.get_ref();
            if !(*rate > 0.0 && *rate < 0.5) {
                let error = StatsError::ErrorRate { name, value: *rate };
                checker.refuse(written.span(), error.to_string(), None);
                sound = false;
            }
        }
    }
    let (elo0, elo1) = (spec.elo0, spec.elo1);
    if elo0 < elo1 || sound {
        return sound.then_some(spec);
    }
    let error = StatsError::Bounds { elo0, elo1 };
    checker.refuse(test.elo0.span(), error.to_string(), None);
    None
}

/// 0.55 over the planned games.
const DEFAULT_AT_LEAST: u32 = 5500;

/// A win rate as whole ten-thousandths, so that it compares exactly.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "in 0..=10000"
)]
pub(crate) fn ten_thousandths(rate: f64) -> Result<u32, String> {
    let scaled = (rate * 1e4).round();
    if !(0.0..=1e4).contains(&scaled) || (scaled - rate * 1e4).abs() > 1e-6 {
        return Err(format!(
            "`at_least` is {rate}, but must be from 0 to 1, with at most 4 decimals"
        ));
    }
    Ok(scaled as u32)
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
fn check_memory(checker: &mut Checker<'_>, variants: &[VariantSpec], workers: Option<usize>) {
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

/// The pairings with their planned pairs, cut where more would only repeat games.
fn pairings(
    shape: &Shape,
    pairs: u32,
    variants: &[VariantSpec],
    openings: usize,
    notes: &mut Vec<Note>,
) -> Vec<PairingSpec> {
    let distinct = u32::try_from(openings).unwrap_or(u32::MAX);
    let mut wraps = false;
    let planned = shape.pairings().into_iter().map(|(candidate, base)| {
        let repeats = variants[candidate].repeats_itself() && variants[base].repeats_itself();
        if pairs > distinct && repeats {
            let pairing = notes::pairing_name(variants, candidate, base);
            notes.push(Note::PairsCut {
                pairing,
                asked: pairs,
                planned: distinct,
            });
            return PairingSpec {
                candidate,
                base,
                pairs: distinct,
                first_pair: 0,
            };
        }
        wraps |= pairs > distinct;
        PairingSpec {
            candidate,
            base,
            pairs,
            first_pair: 0,
        }
    });
    let planned: Vec<PairingSpec> = planned.collect();
    if wraps {
        notes.push(Note::SuiteRepeats { openings, pairs });
    }
    planned
}
