//! `agon tune simulate`: what a method of tuning finds where the truth is known.

use super::super::print;
use crate::cli::{MethodArg, TuneSimulateArgs};
use crate::error::CommandError;
use crate::report::aligned;
use crate::tune::{Landscape, MethodSpec, Simulation, Summary, TuneError, overall, simulate};

/// Values of the simulated grid, the base among them.
const GRID_POINTS: u32 = 9;

/// All numbers here come from the command line.
fn wrong(error: &TuneError) -> CommandError {
    CommandError::Usage(error.to_string())
}

pub(super) fn simulate_tunings(args: &TuneSimulateArgs) -> Result<(), CommandError> {
    if !(0.0..1.0).contains(&args.draws) {
        return Err(CommandError::Usage(format!(
            "--draws is {}; it must be at least 0 and below 1",
            args.draws
        )));
    }
    let games = args.games;
    let method = match args.method {
        MethodArg::Zoom => MethodSpec::Zoom { games },
        MethodArg::Grid => MethodSpec::Grid {
            values: Vec::new(),
            points: GRID_POINTS,
            pairs: games / 2 / (GRID_POINTS - 1),
        },
        MethodArg::Spsa => MethodSpec::Spsa { games },
        MethodArg::Random => MethodSpec::Random { games },
    };
    let spec = Simulation {
        method,
        draw_ratio: args.draws,
        confirm_games: args.confirm_games,
        replicates: args.replicates,
        seed: args.seed,
    };
    let mut summaries = Vec::new();
    for landscape in landscapes(&args.landscape)? {
        let replicates = simulate(&spec, landscape).map_err(|error| wrong(&error))?;
        let summary = Summary::of(&replicates).expect("one tuning at least");
        summaries.push((landscape.name(), summary));
    }
    print(&table(&spec, args, &summaries))
}

/// The landscapes of these names, each once.
fn landscapes(names: &[String]) -> Result<Vec<Landscape>, CommandError> {
    let mut found = Vec::new();
    for name in names {
        let known = Landscape::ALL.into_iter();
        let named: Vec<Landscape> = known
            .clone()
            .filter(|landscape| name == "all" || landscape.name() == name)
            .collect();
        if named.is_empty() {
            let all: Vec<&str> = known.map(Landscape::name).collect();
            let near = crate::config::nearest(name, all.iter().copied())
                .map_or(String::new(), |near| format!(" Did you mean `{near}`?"));
            return Err(CommandError::Usage(format!(
                "no landscape is called `{name}`.{near} Landscapes: {}, or all",
                all.join(", ")
            )));
        }
        found.extend(
            named
                .into_iter()
                .filter(|one| !found.contains(one))
                .collect::<Vec<_>>(),
        );
    }
    Ok(found)
}

fn table(spec: &Simulation, args: &TuneSimulateArgs, rows: &[(&str, Summary)]) -> String {
    let header = [
        "landscape",
        "default",
        "estimate",
        "±",
        "harm",
        "answer",
        "±",
        "harm",
        "none",
        "confirmed",
        "±",
        "harm",
        "covered",
        "games",
    ];
    let mut cells = vec![header.map(str::to_owned).to_vec()];
    let elo = |value: f64| format!("{value:.2}");
    let percent = |value: f64| format!("{:.1}%", 100.0 * value);
    let mut row = |name: &str, found: &Summary| {
        cells.push(vec![
            name.to_owned(),
            elo(found.default_regret),
            elo(found.estimate_regret),
            elo(found.estimate_error),
            percent(found.estimate_harm),
            elo(found.regret),
            elo(found.regret_error),
            percent(found.harm),
            percent(found.no_difference),
            elo(found.confirmed_regret),
            elo(found.confirmed_error),
            percent(found.confirmed_harm),
            found.coverage.map_or_else(|| "-".to_owned(), percent),
            found
                .median_confirm_games
                .map_or_else(|| "-".to_owned(), |games| format!("{games:.0}")),
        ]);
    };
    for (name, summary) in rows {
        row(name, summary);
    }
    // One landscape without effect is enough in a mean.
    let counted = rows
        .iter()
        .filter(|(name, _)| *name != Landscape::Linked.name());
    let summaries: Vec<Summary> = counted.map(|(_, summary)| *summary).collect();
    if let (Some(mean), true) = (overall(&summaries), rows.len() > 1) {
        row("mean", &mean);
    }
    format!(
        "method  {}, {} games a tuning\ngames   {:.0}% drawn; {} tunings a landscape, seed {}\n\n{}\
         default, estimate, answer, confirmed: Elo lost against the best value, on average, by the \
         default, by the\nvalue estimated best, by the answer (the default where no difference is \
         shown), and after the confirming\nmatch (the default where it is not passed). ±: one \
         standard error. harm: share that is more than 1 Elo\nbelow the default. none: no \
         difference shown. covered: intervals that contain the best value. games:\nmedian of the \
         confirming matches, of at most {} games.\n",
        spec.method.name(),
        args.games,
        100.0 * spec.draw_ratio,
        spec.replicates,
        spec.seed,
        aligned(&cells, 1),
        spec.confirm_games,
    )
}
