//! The effective config: a run specification as TOML that agon reads back to the same run.

use std::collections::BTreeMap;

use toml::{Table, Value};

use crate::params::{Parameter, ParameterKind, ParameterValues};
use crate::plan::Plan;
use crate::results::{EngineKind, ExternalSpec, MoveLimit, VariantSpec, VerdictSpec};
use crate::schedule::Shape;

/// The config with every default written out. `openings` is what it says of the suite.
///
/// # Panics
/// When the plan is not plain data: a slip in the program.
#[must_use]
pub fn effective(plan: &Plan, openings: &str) -> String {
    let spec = &plan.spec;
    let mut root = Table::new();
    root.insert("name".into(), spec.name.clone().into());
    root.insert(
        "seed".into(),
        i64::try_from(spec.seed).unwrap_or(i64::MAX).into(),
    );
    root.insert("openings".into(), openings.into());
    let duplicates = Value::try_from(plan.duplicates).expect("a word");
    root.insert("duplicate_openings".into(), duplicates);
    root.insert(
        "margin_ms".into(),
        i64::try_from(spec.margin_ms).unwrap_or(i64::MAX).into(),
    );
    root.insert("max_fault_share".into(), plan.max_fault_share.into());
    let adjudication = Value::try_from(spec.adjudication).expect("tables of numbers");
    root.insert("adjudication".into(), adjudication);
    let rules = Value::try_from(&spec.game.rules).expect("rules are tables of plain values");
    root.insert("game".into(), table([(spec.game.name.as_str(), rules)]));
    root.insert("schedule".into(), schedule(plan));
    root.insert("verdict".into(), verdict(&spec.verdict));
    let engines = spec.variants.iter().map(|variant| engine(plan, variant));
    root.insert("engine".into(), Value::Array(engines.collect()));
    format!(
        "# The effective config of this run, made by agon {}: every default is written out.\n{}",
        env!("CARGO_PKG_VERSION"),
        toml::to_string(&root).expect("a table of plain values serialises")
    )
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

fn engine(plan: &Plan, variant: &VariantSpec) -> Value {
    let [first, second] = plan.arena.roles();
    let limits = [
        (first, limit(variant.limit.first)),
        (second, limit(variant.limit.second)),
    ];
    let name = Value::String(variant.name.clone());
    let search = match &variant.engine {
        EngineKind::BuiltIn(search) => search,
        EngineKind::External(spec) => return external(name, spec, table(limits)),
    };
    let own = plan.arena.own();
    let declared = own.map(|own| own.search_parameters(search.kind));
    let parameters = Value::Table(values(&search.parameters, &declared.unwrap_or_default()));
    let declared = own.map(|own| own.evaluation_parameters());
    let evaluation = Value::Table(values(&search.evaluation, &declared.unwrap_or_default()));
    table([
        ("name", name),
        ("search", table([(search.kind.name(), parameters)])),
        ("evaluation", evaluation),
        ("role_limit", table(limits)),
    ])
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
