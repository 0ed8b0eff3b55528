//! What a config says of a solitaire: what is compared, and what of games of two sides it must
//! leave out.

use super::checker::Checker;
use super::written::{Written, WrittenLimit, WrittenVerdict};
use crate::play::Arena;
use crate::results::{AdjudicationSpec, Criterion, EloModel, OutcomeModel};

/// What decides between two solutions; `None` in games of two sides. Problems are reported.
pub(super) fn compare(
    checker: &mut Checker<'_>,
    written: &Written,
    arena: Option<&dyn Arena>,
) -> Option<Criterion> {
    let arena = arena?;
    if !arena.is_solitaire() {
        if let Some(compare) = &written.compare {
            let message = format!("`compare` is for solitaires, which {} is not", arena.game());
            checker.refuse(compare.span(), message, Some("take it out".to_owned()));
        }
        return None;
    }
    let game = arena.game();
    let mut refuse = |span, what: &str, hint: &str| {
        let message = format!("{what}, and {game} is a solitaire");
        checker.refuse(span, message, Some(hint.to_owned()));
    };
    let engines = written.engine.iter().map(|engine| engine.get_ref());
    let limits = engines.clone().flat_map(|engine| &engine.limit);
    for limit in written.limit.iter().chain(limits) {
        if let WrittenLimit::Clock(text) = limit.get_ref() {
            let hint = "give `time_ms`, `nodes` or `depth` a deal";
            refuse(text.span(), "a clock is for games of two sides", hint);
        }
    }
    let roles = engines.clone().flat_map(|engine| &engine.role_limit);
    if let Some((role, _)) = written.role_limit.iter().chain(roles).next() {
        let hint = "give `[limit]`, what a deal may take";
        refuse(role.span(), "`role_limit` is for games of two sides", hint);
    }
    if *written.adjudication.get_ref() != AdjudicationSpec::default() {
        let span = written.adjudication.span();
        refuse(
            span,
            "`adjudication` is for games of two sides",
            "take it out",
        );
    }
    for engine in engines {
        if let Some(program) = engine.command.as_ref().or(engine.archived.as_ref()) {
            let hint = "use [engine.search.beam]";
            refuse(
                program.span(),
                "no protocol of other programs has deals",
                hint,
            );
        }
    }
    let test = match written.verdict.as_ref().map(toml::Spanned::get_ref) {
        Some(WrittenVerdict::Sprt(test)) => Some(test),
        _ => None,
    };
    if let Some(test) = test.filter(|test| test.model == EloModel::Normalized) {
        let hint = "leave `model` out: logistic Elo is that of the share of deals won";
        let what = "normalized Elo is in units of a game's noise";
        refuse(test.elo0.span(), what, hint);
    }
    if let Some(test) = test.filter(|test| test.outcomes == OutcomeModel::Trinomial) {
        let hint = "leave `outcomes` out: a deal is one observation as it is";
        refuse(
            test.elo0.span(),
            "`outcomes = \"trinomial\"` is for single games",
            hint,
        );
    }
    let written = written.compare.as_ref();
    Some(written.map_or(Criterion::default(), |compare| *compare.get_ref()))
}
