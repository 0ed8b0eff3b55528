//! The effective config: a run specification as TOML that agon reads back to the same run.

use std::collections::BTreeMap;

use toml::{Table, Value};

use crate::openings::DuplicateRule;
use crate::params::{Parameter, ParameterKind, ParameterValues};
use crate::plan::{Plan, TuningPlan};
use crate::play::Arena;
use crate::results::{
    AdjudicationSpec, Criterion, EngineKind, ExternalSpec, GameSpec, MoveLimit, VariantSpec,
    VerdictSpec,
};
use crate::schedule::Shape;
use crate::tune::{MethodSpec, TuneSpec, TunedSpec};

/// The config with every default written out. `openings` is what it says of the suite.
///
/// # Panics
/// When the plan is not plain data: a slip in the program.
#[must_use]
pub fn effective(plan: &Plan, openings: &str) -> String {
    let spec = &plan.spec;
    let mut root = head(&Head {
        name: &spec.name,
        seed: spec.seed,
        openings,
        duplicates: plan.duplicates,
        margin_ms: spec.margin_ms,
        max_fault_share: plan.max_fault_share,
        adjudication: spec.adjudication,
        compare: spec.compare,
        game: &spec.game,
    });
    root.insert("schedule".into(), schedule(plan));
    root.insert("verdict".into(), verdict(&spec.verdict));
    let engines = spec.variants.iter();
    let engines = engines.map(|variant| engine(plan.arena.as_ref(), variant));
    root.insert("engine".into(), Value::Array(engines.collect()));
    written("run", &root)
}

/// As [`effective`], of a tuning. `confirm` is what it says of the confirming match's suite.
///
/// # Panics
/// As [`effective`].
#[must_use]
pub fn effective_tuning(plan: &TuningPlan, openings: &str, confirm: &str) -> String {
    let spec = &plan.spec;
    let mut root = head(&Head {
        name: &spec.name,
        seed: spec.seed,
        openings,
        duplicates: plan.duplicates,
        margin_ms: spec.margin_ms,
        max_fault_share: plan.max_fault_share,
        adjudication: spec.adjudication,
        compare: spec.compare,
        game: &spec.game,
    });
    root.insert("tune".into(), tune(spec, confirm));
    let base = engine(plan.arena.as_ref(), &spec.base);
    root.insert("engine".into(), Value::Array(vec![base]));
    written("tuning", &root)
}

/// An engine's table, ready to paste into a config: without its limits, which are the config's.
///
/// # Panics
/// When the variant is not plain data: a slip in the program.
#[must_use]
pub fn engine_text(arena: &dyn Arena, variant: &VariantSpec) -> String {
    let mut engine = engine(arena, variant);
    if let Value::Table(engine) = &mut engine {
        engine.remove("role_limit");
    }
    let engines = Value::Array(vec![engine]);
    toml::to_string(&table([("engine", engines)])).expect("a table of plain values serialises")
}

/// What stands at the head of every effective config.
struct Head<'a> {
    name: &'a str,
    seed: u64,
    openings: &'a str,
    duplicates: DuplicateRule,
    margin_ms: u64,
    max_fault_share: f64,
    adjudication: AdjudicationSpec,
    compare: Option<Criterion>,
    game: &'a GameSpec,
}

fn head(at_head: &Head<'_>) -> Table {
    let whole = |number: u64| Value::Integer(i64::try_from(number).unwrap_or(i64::MAX));
    let rules = Value::try_from(&at_head.game.rules).expect("rules are tables of plain values");
    let entries = [
        ("name", at_head.name.into()),
        ("seed", whole(at_head.seed)),
        ("openings", at_head.openings.into()),
        (
            "duplicate_openings",
            Value::try_from(at_head.duplicates).expect("a word"),
        ),
        ("margin_ms", whole(at_head.margin_ms)),
        ("max_fault_share", at_head.max_fault_share.into()),
        (
            "adjudication",
            Value::try_from(at_head.adjudication).expect("tables of numbers"),
        ),
        ("game", table([(at_head.game.name.as_str(), rules)])),
    ];
    let mut head: Table = entries
        .map(|(key, value)| (key.to_owned(), value))
        .into_iter()
        .collect();
    if let Some(compare) = at_head.compare {
        head.insert("compare".to_owned(), compare.name().into());
    }
    head
}

fn written(what: &str, root: &Table) -> String {
    format!(
        "# The effective config of this {what}, made by agon {}: every default is written out.\n{}",
        env!("CARGO_PKG_VERSION"),
        toml::to_string(root).expect("a table of plain values serialises")
    )
}

fn tune(spec: &TuneSpec, openings: &str) -> Value {
    let whole = |number: u32| Value::Integer(number.into());
    let games = |games: u32| vec![("games", whole(games))];
    let keys = match &spec.method {
        MethodSpec::Zoom { games: number }
        | MethodSpec::Spsa { games: number }
        | MethodSpec::Random { games: number } => games(*number),
        MethodSpec::Grid {
            values,
            points,
            pairs,
        } => {
            let list = || values.iter().copied().map(Value::Float).collect();
            vec![
                if values.is_empty() {
                    ("points", whole(*points))
                } else {
                    ("values", Value::Array(list()))
                },
                ("pairs", whole(*pairs)),
            ]
        }
    };
    let keys = keys.into_iter().map(|(key, value)| (key.to_owned(), value));
    let parameter = |tuned: &TunedSpec| {
        table([
            ("name", tuned.parameter.name.clone().into()),
            ("low", tuned.low.into()),
            ("high", tuned.high.into()),
        ])
    };
    let mut tune = Table::new();
    let mut add = |key: &str, value: Value| tune.insert(key.to_owned(), value);
    add("base", spec.base.name.clone().into());
    add("rounds", whole(spec.rounds));
    add(
        "method",
        table([(spec.method.name(), Value::Table(keys.collect()))]),
    );
    add(
        "parameter",
        Value::Array(spec.parameters.iter().map(parameter).collect()),
    );
    if let Some(confirm) = &spec.confirm {
        let most = Value::Integer(2 * i64::from(confirm.pairs));
        add(
            "confirm",
            table([("openings", openings.into()), ("max_games", most)]),
        );
    }
    Value::Table(tune)
}

fn table<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Table(
        entries
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect(),
    )
}

fn schedule(plan: &Plan) -> Value {
    let name = |index: &usize| Value::String(plan.spec.variants[*index].name.clone());
    let names = |indices: &[usize]| Value::Array(indices.iter().map(name).collect());
    let pairs = Value::Integer(plan.pairs_asked.into());
    match &plan.shape {
        Shape::HeadToHead { candidate, base } => table([(
            "head_to_head",
            table([
                ("candidate", name(candidate)),
                ("base", name(base)),
                ("pairs", pairs),
            ]),
        )]),
        Shape::Gauntlet { candidates, base } => table([(
            "gauntlet",
            table([
                ("candidates", names(candidates)),
                ("base", name(base)),
                ("pairs", pairs),
            ]),
        )]),
        Shape::RoundRobin { variants } => table([(
            "round_robin",
            table([("engines", names(variants)), ("pairs", pairs)]),
        )]),
    }
}

fn verdict(spec: &VerdictSpec) -> Value {
    match spec {
        VerdictSpec::WinRate { at_least } => {
            let at_least = Value::Float(f64::from(*at_least) / 1e4);
            table([("win_rate", table([("at_least", at_least)]))])
        }
        VerdictSpec::Sprt(test) => {
            let test = Value::try_from(test).expect("a test is a table of plain values");
            table([("sprt", test)])
        }
    }
}

fn engine(arena: &dyn Arena, variant: &VariantSpec) -> Value {
    let [first, second] = arena.roles();
    // A solitaire has one limit.
    let (at, limits) = if arena.is_solitaire() {
        ("limit", limit(variant.limit.first))
    } else {
        let by_role = [
            (first, limit(variant.limit.first)),
            (second, limit(variant.limit.second)),
        ];
        ("role_limit", table(by_role))
    };
    let name = Value::String(variant.name.clone());
    let search = match &variant.engine {
        EngineKind::BuiltIn(search) => search,
        EngineKind::External(spec) => return external(name, spec, limits),
    };
    let own = arena.declares();
    let declared = own.map(|own| own.search_parameters(search.kind));
    let parameters = Value::Table(values(&search.parameters, &declared.unwrap_or_default()));
    let declared = own.map(|own| own.evaluation_parameters());
    let evaluation = Value::Table(values(&search.evaluation, &declared.unwrap_or_default()));
    let mut engine = table([
        ("name", name),
        ("search", table([(search.kind.name(), parameters)])),
        ("evaluation", evaluation),
        (at, limits),
    ]);
    if let (Some(book), Value::Table(engine)) = (&variant.book, &mut engine) {
        let lines = book.lines().map(Value::String).collect();
        engine.insert("book".to_owned(), Value::Array(lines));
    }
    engine
}

fn external(name: Value, spec: &ExternalSpec, limits: Value) -> Value {
    fn plain(value: &impl serde::Serialize) -> Value {
        Value::try_from(value).expect("plain data serialises")
    }
    let ms = |ms: u64| Value::Integer(i64::try_from(ms).unwrap_or(i64::MAX));
    let mut written = Table::new();
    let mut add = |key: &str, value: Value| {
        written.insert(key.to_owned(), value);
    };
    add("name", name);
    add("command", spec.program.clone().into());
    add("args", plain(&spec.args));
    if let Some(dir) = &spec.dir {
        add("dir", dir.clone().into());
    }
    add("protocol", plain(&spec.protocol));
    for (key, value) in [
        ("start_ms", spec.start_ms),
        ("ready_ms", spec.ready_ms),
        ("stall_ms", spec.stall_ms),
    ] {
        add(key, ms(value));
    }
    add("env", plain(&spec.env));
    add("options", plain(&spec.options));
    add("role_limit", limits);
    Value::Table(written)
}

fn limit(limit: MoveLimit) -> Value {
    if let MoveLimit::Clock(clock) = limit {
        return table([("clock", clock.to_string().into())]);
    }
    Value::try_from(limit).expect("a limit is a table of one number")
}

/// Parameters as TOML: switches, whole numbers and others each in their way.
pub(super) fn values(values: &ParameterValues, declared: &[Parameter]) -> Table {
    let kinds: BTreeMap<&str, ParameterKind> =
        declared.iter().map(|p| (p.name.as_str(), p.kind)).collect();
    let value = |(name, value): (&str, f64)| {
        #[expect(clippy::cast_possible_truncation, reason = "declared ranges are i32")]
        let value = match kinds.get(name) {
            Some(ParameterKind::Switch) => Value::Boolean(value != 0.0),
            Some(ParameterKind::Integer) => Value::Integer(value as i64),
            _ => Value::Float(value),
        };
        (name.to_owned(), value)
    };
    values.iter().map(value).collect()
}
