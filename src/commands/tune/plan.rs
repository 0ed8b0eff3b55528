//! The plan of a tuning in words, and what is doubtful about it.

use std::fmt::Write;

use super::words::number;
use crate::config::DRAWS;
use crate::error::CommandError;
use crate::plan::TuningPlan;
use crate::tune::{Axis, Grid, InTurn, MethodSpec, PlanCheck, TuneError, check_plan};

/// What is wrong by now is a slip: configs were checked.
fn slip(error: TuneError) -> CommandError {
    CommandError::Input(error.to_string())
}

/// What is tuned at once, with its check.
fn checks(plan: &TuningPlan) -> Result<Vec<(Vec<Axis>, PlanCheck)>, CommandError> {
    let spec = &plan.spec;
    let axes: Vec<Axis> = spec
        .axes()
        .into_iter()
        .collect::<Result<_, _>>()
        .map_err(slip)?;
    let check = |group: Vec<Axis>| {
        let check = check_plan(&spec.method, &group, spec.most_confirming_games(), DRAWS);
        Ok((group, check.map_err(slip)?))
    };
    InTurn::groups(&spec.method, &axes)
        .into_iter()
        .map(check)
        .collect()
}

/// What speaks against the plan, and values that are not played.
pub(super) fn doubts(plan: &TuningPlan) -> Result<Vec<String>, CommandError> {
    let spec = &plan.spec;
    let mut doubts: Vec<String> = Vec::new();
    let openings = spec.openings.len() as u64;
    let games = spec.most_confirming_games();
    let others = spec
        .confirm
        .as_ref()
        .map_or(games, |confirm| confirm.openings.len() as u64);
    for (group, check) in checks(plan)? {
        for axis in &group {
            doubts.extend(unplayed(&spec.method, axis));
        }
        let new = check.doubts(openings, others, games);
        for doubt in new {
            if !doubts.contains(&doubt) {
                doubts.push(doubt);
            }
        }
    }
    Ok(doubts)
}

/// Says which values of a grid are played, where others round to them or to the base's.
fn unplayed(method: &MethodSpec, axis: &Axis) -> Option<String> {
    let MethodSpec::Grid {
        values,
        points,
        pairs,
    } = method
    else {
        return None;
    };
    let grid = Grid::new(axis.clone(), values, *points, *pairs).ok()?;
    let asked = values.len().max(*points as usize);
    let played = grid.values();
    if played.len() == asked {
        return None;
    }
    let texts: Vec<String> = played.iter().map(|value| number(*value)).collect();
    Some(format!(
        "`{}`: of {asked} values {} are played, {}; the others round, in steps of {}, to one of these \
         or to the base's own {}",
        axis.name(),
        played.len(),
        texts.join(", "),
        number(axis.step()),
        number(axis.base())
    ))
}

/// The plan in words.
pub(crate) fn describe(plan: &TuningPlan) -> Result<String, CommandError> {
    let spec = &plan.spec;
    let suite = |path: &Option<std::path::PathBuf>| {
        path.as_ref()
            .map_or("start".to_owned(), |path| path.display().to_string())
    };
    let checks = checks(plan)?;
    let mut text = format!(
        "tuning      {} (seed {})\ngame        {} {}\nopenings    {} from {} ({})\n\
         concurrency {} games at once\nbase        {}\nmethod      {}, {} games a turn; at most {} \
         turns a parameter\n",
        spec.name,
        spec.seed,
        spec.game.name,
        spec.game.rules,
        spec.openings.len(),
        suite(&plan.suite),
        plan.suite_format,
        plan.workers,
        spec.base.name,
        spec.method.name(),
        checks
            .iter()
            .map(|(_, check)| check.games)
            .max()
            .unwrap_or(0),
        spec.rounds
    );
    for (group, check) in &checks {
        for axis in group {
            writeln!(
                text,
                "parameter   {} from {} to {} in steps of {}: {} values, the base has {}; {} games \
                 on {} openings",
                axis.name(),
                number(axis.low()),
                number(axis.high()),
                number(axis.step()),
                axis.values(),
                number(axis.base()),
                check.games,
                check.openings
            )
            .expect("a string takes every write");
        }
    }
    if let (Some(confirm), Some((_, check))) = (&spec.confirm, checks.first()) {
        writeln!(
            text,
            "confirming  {} openings from {}; at most {} games. A gain of {} Elo takes {:.0} games \
             on average without draws; it passes in {:.0}% and is undecided in {:.0}% of matches of \
             this length",
            confirm.openings.len(),
            suite(&plan.confirm_suite),
            spec.most_confirming_games(),
            number(check.confirm_elo),
            check.confirm_games,
            100.0 * check.confirm_pass_rate,
            100.0 * check.confirm_open_rate,
        )
        .expect("a string takes every write");
    }
    Ok(text)
}
