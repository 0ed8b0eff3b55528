//! The engines of a config: `extends` followed, parameters checked against what the search
//! and the evaluation declare.

use std::path::Path;

use toml::Spanned;

use super::checker::{Checker, check_name, limit, role_limits};
use super::written::{Value, Values, Written, WrittenEngine, WrittenSearch};
use super::{book, external, suggest};
use crate::params::{Parameter, ParameterError, ParameterKind, ParameterValues};
use crate::play::{Arena, Declares};
use crate::results::{BookSpec, EngineKind, ExternalSpec, LimitSpec, MoveLimit, VariantSpec};
use crate::search::{SearchKind, SearchSpec};

/// An engine with all that it inherits.
#[derive(Clone)]
struct Draft {
    search: Option<(SearchKind, ParameterValues)>,
    /// Instead of a search.
    external: Option<ExternalSpec>,
    evaluation: ParameterValues,
    book: Option<BookSpec>,
    limit: Option<MoveLimit>,
    role_limit: [Option<MoveLimit>; 2],
}

/// All engines, in file order. Problems are reported; what is returned then is incomplete, and
/// empty where the game is not known.
pub(super) fn variants(
    checker: &mut Checker<'_>,
    written: &Written,
    arena: Option<&dyn Arena>,
    folder: &Path,
) -> Vec<VariantSpec> {
    if !few_enough(checker, written) {
        return Vec::new();
    }
    check_names(checker, written);
    check_circles(checker, written);
    let run_limit = written
        .limit
        .as_ref()
        .and_then(|written| limit(checker, written));
    let Some(arena) = arena else {
        return Vec::new();
    };
    let run_role_limit = role_limits(checker, &written.role_limit, arena.roles());
    let mut variants = Vec::new();
    for engine in &written.engine {
        let engine = engine.get_ref();
        let Some(draft) = draft(checker, written, engine, arena, folder, &mut Vec::new()) else {
            continue;
        };
        let engine_kind = match (draft.external, draft.search) {
            (Some(external), _) => Some(EngineKind::External(external)),
            (None, Some((kind, parameters))) => Some(EngineKind::BuiltIn(SearchSpec {
                kind,
                parameters,
                evaluation: draft.evaluation,
            })),
            (None, None) => None,
        };
        let Some(engine_kind) = engine_kind else {
            if engine.extends.is_some() {
                // The engine that it goes back to lacks one too, and is told so.
                continue;
            }
            if engine.command.is_some() || engine.archived.is_some() {
                // What is wrong with the command has been said.
                continue;
            }
            let hint = "add a table such as [engine.search.alpha_beta], a `command`, or `extends`";
            let message = format!(
                "the engine `{}` has no search and no command",
                engine.name.get_ref()
            );
            checker.refuse(engine.name.span(), message, Some(hint.to_owned()));
            continue;
        };
        let of_role = |side: usize| {
            draft.role_limit[side]
                .or(draft.limit)
                .or(run_role_limit[side])
                .or(run_limit)
        };
        let (Some(first), Some(second)) = (of_role(0), of_role(1)) else {
            if !checker.problems.is_empty() && has_limit_written(written, engine) {
                continue;
            }
            let hint = "add `[limit]` with one of `time_ms`, `nodes`, `depth`";
            let message = format!("the engine `{}` has no limit", engine.name.get_ref());
            checker.refuse(engine.name.span(), message, Some(hint.to_owned()));
            continue;
        };
        variants.push(VariantSpec {
            name: engine.name.get_ref().clone(),
            engine: engine_kind,
            limit: LimitSpec { first, second },
            book: draft.book,
        });
    }
    variants
}

/// Whether a limit that may be this engine's is written: if it is refused, it is so there.
fn has_limit_written(written: &Written, engine: &WrittenEngine) -> bool {
    let own = engine.limit.is_some() || !engine.role_limit.is_empty();
    let run = written.limit.is_some() || !written.role_limit.is_empty();
    own || run || engine.extends.is_some()
}

/// How many engines a config may list. No run has time for so many, and what is compared
/// here engine by engine would take minutes for thousands.
const MOST_ENGINES: usize = 256;

fn few_enough(checker: &mut Checker<'_>, written: &Written) -> bool {
    let Some(first_too_many) = written.engine.get(MOST_ENGINES) else {
        return true;
    };
    let message = format!(
        "{} engines are listed, but a config may list at most {MOST_ENGINES}",
        written.engine.len()
    );
    let hint = "spread them over several runs".to_owned();
    checker.refuse(first_too_many.span(), message, Some(hint));
    false
}

fn check_names(checker: &mut Checker<'_>, written: &Written) {
    if written.engine.len() < 2 && written.tune.is_none() {
        let hint = "add [[engine]] tables with a name and a search each";
        let problem = checker
            .document
            .problem_of_file("fewer than two engines are listed", hint);
        checker.problems.push(problem);
    }
    for (index, engine) in written.engine.iter().enumerate() {
        let name = &engine.get_ref().name;
        check_name(checker, name, "an engine's name");
        let earlier = &written.engine[..index];
        if earlier
            .iter()
            .any(|other| other.get_ref().name.get_ref() == name.get_ref())
        {
            let message = format!("two engines are called `{}`", name.get_ref());
            checker.refuse(name.span(), message, Some("names must differ".to_owned()));
        }
    }
}

/// Reports each circle of `extends` once, at its first engine in the file.
fn check_circles(checker: &mut Checker<'_>, written: &Written) {
    let index_of = |name: &str| {
        let named = |engine: &Spanned<WrittenEngine>| engine.get_ref().name.get_ref() == name;
        written.engine.iter().position(named)
    };
    let parent_of = |index: usize| written.engine[index].get_ref().extends.as_ref();
    for start in 0..written.engine.len() {
        let mut chain = vec![start];
        while let Some(next) = chain
            .last()
            .and_then(|&last| index_of(parent_of(last)?.get_ref()))
        {
            if chain.contains(&next) {
                break;
            }
            chain.push(next);
        }
        let back = chain
            .last()
            .and_then(|&last| index_of(parent_of(last)?.get_ref()));
        let first_of_circle = back == Some(start) && chain.iter().all(|&index| index >= start);
        if let Some(extends) = parent_of(start).filter(|_| first_of_circle) {
            let name = |&index: &usize| written.engine[index].get_ref().name.get_ref().as_str();
            let names: Vec<&str> = chain.iter().chain([&start]).map(name).collect();
            let message = format!("`extends` goes round in a circle: {}", names.join(" → "));
            let hint = "let one of them stand on its own".to_owned();
            checker.refuse(extends.span(), message, Some(hint));
        }
    }
}

/// Follows `extends` to its root and lays the engine's own keys over what it inherits.
fn draft(
    checker: &mut Checker<'_>,
    written: &Written,
    engine: &WrittenEngine,
    arena: &dyn Arena,
    folder: &Path,
    seen: &mut Vec<String>,
) -> Option<Draft> {
    let name = engine.name.get_ref().as_str();
    seen.push(name.to_owned());
    let mut draft = match &engine.extends {
        None => Draft {
            search: None,
            external: None,
            evaluation: ParameterValues::defaults(&evaluation_parameters(arena)),
            book: None,
            limit: None,
            role_limit: [None; 2],
        },
        Some(parent) => {
            let parent_engine = find_parent(checker, written, parent, seen)?;
            // The parent's own problems are reported when its own turn comes.
            let mut quiet = Checker {
                document: checker.document,
                problems: Vec::new(),
            };
            self::draft(&mut quiet, written, parent_engine, arena, folder, seen)?
        }
    };
    if let Some(command) = &engine.command {
        draft.search = None;
        draft.external = external::with_command(checker, name, command, folder);
    }
    if let Some(archived) = &engine.archived {
        draft.search = None;
        draft.external = external::archived(checker, engine, archived, arena, folder);
    }
    if let Some(search) = &engine.search {
        draft.external = None;
        if engine.command.is_some() || engine.archived.is_some() {
            let message = "an engine has a search or a command, not both".to_owned();
            checker.refuse(
                search.span(),
                message,
                Some("take one of them out".to_owned()),
            );
        }
        let (kind, values) = match search.get_ref() {
            WrittenSearch::AlphaBeta(values) => (SearchKind::AlphaBeta, values),
            WrittenSearch::Greedy(values) => (SearchKind::Greedy, values),
            WrittenSearch::Random(values) => (SearchKind::Random, values),
            WrittenSearch::Beam(values) => (SearchKind::Beam, values),
        };
        let Some(own) = arena.declares() else {
            refuse_search(checker, search, arena);
            return None;
        };
        if !own.kinds().contains(&kind) {
            let known: Vec<&str> = own.kinds().iter().map(|kind| kind.name()).collect();
            let message = format!("{} has no search `{}`", arena.game(), kind.name());
            let hint = format!("it has {}", known.join(", "));
            checker.refuse(search.span(), message, Some(hint));
            return None;
        }
        let declared = own.search_parameters(kind);
        let mut parameters = match draft.search.take() {
            Some((inherited, parameters)) if inherited == kind => parameters,
            _ => ParameterValues::defaults(&declared),
        };
        set_values(checker, name, &mut parameters, &declared, values);
        draft.search = Some((kind, parameters));
    }
    match &mut draft.external {
        Some(spec) => {
            external::apply(checker, spec, engine, folder);
            if let Some(name) = engine.evaluation.keys().next() {
                let message = "another program has no [engine.evaluation] of agon's".to_owned();
                let hint = "its own parameters stand in [engine.options]".to_owned();
                checker.refuse(name.span(), message, Some(hint));
                return None;
            }
        }
        None => {
            if let Some(key) = external::keys(engine)
                .filter(|_| engine.command.is_none() && engine.archived.is_none())
            {
                let message = format!("`{key}` is for an engine with a `command`");
                let hint = "add the program's `command`, or take it out".to_owned();
                checker.refuse(engine.name.span(), message, Some(hint));
            }
        }
    }
    let is_another = draft.external.is_some() || engine.command.is_some();
    draft.book = book::of_engine(checker, engine, draft.book, is_another, arena, folder);
    if let (None, Some((name, _))) = (arena.declares(), engine.evaluation.iter().next()) {
        let message = format!("{} has no built-in engine to tune", arena.game());
        let hint = "leave [engine.evaluation] out".to_owned();
        checker.refuse(name.span(), message, Some(hint));
        return None;
    }
    let declared = evaluation_parameters(arena);
    set_values(
        checker,
        name,
        &mut draft.evaluation,
        &declared,
        &engine.evaluation,
    );
    if let Some(written) = &engine.limit {
        draft.limit = limit(checker, written);
        // A limit of one's own counts in both roles unless it is given by role.
        draft.role_limit = [None; 2];
    }
    let own = role_limits(checker, &engine.role_limit, arena.roles());
    for (inherited, own) in draft.role_limit.iter_mut().zip(own) {
        *inherited = own.or(*inherited);
    }
    Some(draft)
}

fn evaluation_parameters(arena: &dyn Arena) -> Vec<Parameter> {
    arena
        .declares()
        .map_or_else(Vec::new, Declares::evaluation_parameters)
}

/// Says that a game has no search of agon's own.
fn refuse_search(checker: &mut Checker<'_>, search: &Spanned<WrittenSearch>, arena: &dyn Arena) {
    let game = arena.game();
    let message = format!("{game} has no built-in engine; [engine.search] needs one");
    let hint = format!("{game} is played by other programs: name one in place of the search");
    checker.refuse(search.span(), message, Some(hint));
}

fn find_parent<'a>(
    checker: &mut Checker<'_>,
    written: &'a Written,
    parent: &Spanned<String>,
    seen: &[String],
) -> Option<&'a WrittenEngine> {
    let name = parent.get_ref();
    if seen.contains(name) {
        // [`check_circles`] has said so.
        return None;
    }
    let found = written
        .engine
        .iter()
        .find(|engine| engine.get_ref().name.get_ref() == name);
    if found.is_none() {
        let known: Vec<&str> = written
            .engine
            .iter()
            .map(|engine| engine.get_ref().name.get_ref().as_str())
            .collect();
        let hint = suggest::hint(name, known);
        checker.refuse(
            parent.span(),
            format!("no engine is called `{name}`"),
            Some(hint),
        );
    }
    found.map(Spanned::get_ref)
}

fn set_values(
    checker: &mut Checker<'_>,
    engine: &str,
    values: &mut ParameterValues,
    declared: &[Parameter],
    written: &Values,
) {
    for (name, value) in written {
        let parameter = declared
            .iter()
            .find(|parameter| parameter.name == *name.get_ref());
        let switch = parameter.is_some_and(|p| p.kind == ParameterKind::Switch);
        let number = match value.get_ref() {
            Value::Text(_) => None,
            Value::Number(_) if switch => None,
            Value::Number(number) => Some(*number),
            Value::Switch(on) if switch || parameter.is_none() => Some(f64::from(u8::from(*on))),
            Value::Switch(_) => None,
        };
        let Some(number) = number else {
            let allowed = parameter.map_or("a number".to_owned(), Parameter::allowed);
            let message = format!(
                "`{}` of engine `{engine}` must be {allowed}",
                name.get_ref()
            );
            checker.refuse(value.span(), message, None);
            continue;
        };
        match values.set(declared, name.get_ref(), number) {
            Ok(()) => {}
            Err(ParameterError::Unknown {
                name: unknown,
                known,
            }) => {
                let hint = suggest::hint(&unknown, known.iter().map(String::as_str));
                checker.refuse(
                    name.span(),
                    format!("unknown parameter `{unknown}` of engine `{engine}`"),
                    Some(hint),
                );
            }
            Err(error) => {
                let message = format!("{error} (engine `{engine}`)");
                checker.refuse(value.span(), message, None);
            }
        }
    }
}
