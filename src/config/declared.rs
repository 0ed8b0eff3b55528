//! Parameters of a tuning held against what the engine declares.

use super::problem::{ConfigErrors, Problem};
use super::suggest;
use crate::params::Parameter;
use crate::plan::{Parameterless, Place, TuningPlan};
use crate::players::protocol::{DeclaredOption, OptionKind};
use crate::results::{SprtSpec, VariantSpec, VerdictSpec};
use crate::stats;
use crate::tune::{Axis, Home, InTurn, MOST_CONFIRMED, TuneError, TuneSpec, TunedSpec, build};

/// The parameter of agon's own engine that is meant. A name that both search and evaluation have
/// is the evaluation's.
pub(super) fn builtin(
    wanted: &mut Parameterless,
    of_search: &[Parameter],
    of_evaluation: &[Parameter],
) -> Option<TunedSpec> {
    let among = |declared: &[Parameter], home| {
        let found = declared.iter().find(|one| one.name == wanted.name);
        found.map(|parameter| (parameter.clone(), home))
    };
    let (parameter, home) =
        among(of_evaluation, Home::Evaluation).or_else(|| among(of_search, Home::Search))?;
    Some(TunedSpec {
        home,
        parameter,
        low: wanted.low,
        high: wanted.high,
    })
}

/// Takes what the engine declares, and checks the tuning with it.
///
/// # Errors
/// All problems, each at its place in the config.
pub fn declare(plan: &mut TuningPlan, declared: &[DeclaredOption]) -> Result<(), ConfigErrors> {
    let mut problems = Vec::new();
    let wanted = std::mem::take(&mut plan.undeclared);
    for (one, place) in wanted.iter().zip(&plan.places.names) {
        match spin(one, declared, &plan.spec.base) {
            Ok(tuned) => plan.spec.parameters.push(tuned),
            Err((message, hint)) => problems.push(problem(place, message, Some(hint))),
        }
    }
    if problems.is_empty() && !wanted.is_empty() {
        problems = check_tuning(plan);
    }
    if problems.is_empty() {
        return Ok(());
    }
    Err(ConfigErrors::Problems(problems))
}

/// The option that is meant, as a parameter; what is wrong, and what to do, if it is none.
fn spin(
    wanted: &Parameterless,
    declared: &[DeclaredOption],
    base: &VariantSpec,
) -> Result<TunedSpec, (String, String)> {
    let name = &wanted.name;
    let is_spin = |option: &&DeclaredOption| matches!(option.kind, OptionKind::Spin { .. });
    let spins = || {
        let spins = declared.iter().filter(is_spin);
        spins.map(|option| option.name.as_str()).collect::<Vec<_>>()
    };
    let found = declared
        .iter()
        .find(|option| option.name.eq_ignore_ascii_case(name));
    let Some(option) = found else {
        let message = format!("the engine declares no option `{name}`");
        return Err((message, suggest::hint(name, spins())));
    };
    let OptionKind::Spin { min, max } = option.kind else {
        let message = format!("the engine's option `{}` is no number", option.name);
        return Err((message, format!("those are: {}", spins().join(", "))));
    };
    #[expect(clippy::cast_precision_loss, reason = "the ends of ranges")]
    let mut tuned = TunedSpec {
        home: Home::Option,
        parameter: Parameter {
            name: option.name.clone(),
            min: min as f64,
            max: max as f64,
            default: f64::NAN,
            ..Parameter::integer("", 0, 0, 0, "an option of the engine")
        },
        low: wanted.low,
        high: wanted.high,
    };
    let declared = option.default.as_deref().and_then(|text| text.parse().ok());
    let default = declared.or(tuned.value_in(base).filter(|value| !value.is_nan()));
    let Some(default) = default else {
        let message = format!(
            "the engine declares no default of its option `{}`",
            option.name
        );
        let hint = format!("set it in [engine.options] of `{}`", base.name);
        return Err((message, hint));
    };
    tuned.parameter.default = default;
    Ok(tuned)
}

fn problem(place: &Place, message: String, hint: Option<String>) -> Problem {
    Problem {
        at: place.at,
        place: place.text.clone(),
        message,
        hint,
    }
}

/// Without draws a match is the longest.
pub(crate) const DRAWS: f64 = 0.0;

/// What is wrong with the ranges, the method and the budget, now that the parameters are known.
pub(super) fn check_tuning(plan: &mut TuningPlan) -> Vec<Problem> {
    let (spec, places) = (&plan.spec, &plan.places);
    let mut problems = Vec::new();
    let mut axes: Vec<Axis> = Vec::new();
    for (tuned, (axis, place)) in spec
        .parameters
        .iter()
        .zip(spec.axes().into_iter().zip(&places.lows))
    {
        match axis {
            Ok(axis) => axes.push(axis),
            Err(error) => {
                let takes = tuned.parameter.allowed();
                let hint = format!("`{}` takes {takes}", tuned.parameter.name);
                problems.push(problem(place, error.to_string(), Some(hint)));
            }
        }
    }
    if !problems.is_empty() {
        return problems;
    }
    if let Err(error) = InTurn::new(spec.method.clone(), &axes, spec.rounds, spec.seed) {
        let (place, hint) = match &error {
            TuneError::FewValues { name, .. } => {
                let at = axes.iter().position(|axis| axis.name() == name);
                (&places.lows[at.unwrap_or(0)], None)
            }
            TuneError::Budget { .. } => (&places.method, Some("raise its games".to_owned())),
            TuneError::Outside { .. } => {
                let hint = "widen the range, or take the value out";
                (&places.method, Some(hint.to_owned()))
            }
            _ => (&places.method, None),
        };
        return vec![problem(place, error.to_string(), hint)];
    }
    if let Some(message) = passes_nobody(spec) {
        let hint = "raise `max_games`".to_owned();
        return vec![problem(&places.confirm, message, Some(hint))];
    }
    let groups = InTurn::groups(&spec.method, &axes);
    let needed = groups.iter().filter_map(|group| {
        let tuner = build(&spec.method, group, spec.seed).ok()?;
        Some(tuner.planned_openings())
    });
    let one_turn = needed.max().unwrap_or(0);
    let openings = spec.openings.len() as u64;
    if openings < one_turn && spec.base.repeats_itself() {
        let message = format!(
            "{one_turn} different openings are needed, and there are {openings}: with this limit a \
             game that is played again is the same game"
        );
        let hint = "give a longer suite, fewer games, `root_noise`, or a limit of time";
        return vec![problem(&places.method, message, Some(hint.to_owned()))];
    }
    Vec::new()
}

/// Says so where no confirming match can pass, however large the gain that it is planned for.
fn passes_nobody(spec: &TuneSpec) -> Option<String> {
    let pairs = u64::from(spec.confirm.as_ref()?.pairs);
    let test = VerdictSpec::Sprt(SprtSpec::logistic(0.0, MOST_CONFIRMED));
    let needed = stats::build(&test, pairs).ok()?.pairs_to_accept_h1();
    let needed = needed.filter(|needed| *needed > pairs)?;
    Some(format!(
        "a confirming match of at most {} games can pass nobody: one that wins every game needs {}",
        2 * pairs,
        2 * needed
    ))
}
