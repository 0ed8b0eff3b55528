//! What a config means: names resolved, values checked, `extends` followed, the plan made.

use std::collections::HashSet;
use std::path::Path;

use toml::Spanned;

use super::checker::Checker;
use super::common::{Common, check_memory, find_variant, settle_suite, shared_cores};
use super::document::{Document, WrittenGame};
use super::notes;
use super::problem::Problem;
use super::suggest::hint_for_serde;
use super::written::{Written, WrittenSchedule, WrittenSprt, WrittenVerdict};
use crate::plan::{Note, Plan};
use crate::results::{GameSpec, PairingSpec, RunSpec, SprtSpec, VariantSpec, VerdictSpec};
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
    let Common {
        seed,
        margin_ms,
        arena,
        suite,
        variants,
        workers,
        max_fault_share,
        compare,
    } = Common::read(&mut checker, written, game, folder);
    if let Some(tune) = &written.tune {
        let hint = "`agon tune CONFIG` plays it; for a run, take [tune] out".to_owned();
        let message = "this config tunes: it plans games of its own".to_owned();
        checker.refuse(tune.span(), message, Some(hint));
    }
    let shape = shape(&mut checker, written, &variants);
    let verdict = verdict(&mut checker, written.verdict.as_ref());
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
    settle_suite(&mut suite, rule, &mut notes);
    let pairings = pairings(&shape, pairs, &variants, suite.openings.len(), &mut notes);
    notes::identical(&variants, &mut notes);
    notes::out_of_reach(&verdict, &pairings, &variants, &mut notes);
    notes::too_few_nodes(arena.as_ref(), &suite, &variants, &mut notes);
    shared_cores(workers, &mut notes);
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
        compare,
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

fn shape(
    checker: &mut Checker<'_>,
    written: &Written,
    variants: &[VariantSpec],
) -> Option<(Shape, u32)> {
    let Some(schedule) = &written.schedule else {
        if written.tune.is_none() {
            let message = "missing field `schedule`".to_owned();
            let hint = hint_for_serde(&message);
            checker.refuse(0..0, message, hint);
        }
        return None;
    };
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
