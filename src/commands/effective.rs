//! The effective config: a run specification as TOML that agon reads back to the same run.

use std::collections::BTreeMap;

use toml::{Table, Value};

use crate::params::{Parameter, ParameterKind, ParameterValues};
use crate::plan::Plan;
use crate::results::{EngineKind, MoveLimit, VariantSpec, VerdictSpec};
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
    let EngineKind::BuiltIn(search) = &variant.engine;
    let declared = plan.arena.search_parameters(search.kind);
    let parameters = values(&search.parameters, &declared);
    let evaluation = values(&search.evaluation, &plan.arena.evaluation_parameters());
    let [first, second] = plan.arena.roles();
    let limits = [
        (first, limit(variant.limit.first)),
        (second, limit(variant.limit.second)),
    ];
    table([
        ("name", Value::String(variant.name.clone())),
        ("search", table([(search.kind.name(), parameters)])),
        ("evaluation", evaluation),
        ("role_limit", table(limits)),
    ])
}

fn limit(limit: MoveLimit) -> Value {
    Value::try_from(limit).expect("a limit is a table of one number")
}

fn values(values: &ParameterValues, declared: &[Parameter]) -> Value {
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
    Value::Table(values.iter().map(value).collect())
}
