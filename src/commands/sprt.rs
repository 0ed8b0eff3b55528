//! `agon sprt`: a sequential test's error rates and length before anyone plays, and counts from
//! anywhere evaluated under it.

use super::{print, say};
use crate::cli::{ModelArg, OutcomesArg, SimulationArgs, SprtArgs};
use crate::config::ten_thousandths;
use crate::error::CommandError;
use crate::report::{evaluation_text, operating_csv, operating_rows, operating_table};
use crate::stats::{
    Conditions, Counts, EloModel, GameModel, LogisticElo, OutcomeModel, Sprt, SprtSpec, StatsError,
    StopRule, UNCAPPED, VerdictSpec, WinRateRule, approximation, evaluate, hypothesis_elos,
    operating_points,
};

/// Pairs of the plain win-rate rule where no cap is given: the usual 100 games.
const RULE_PAIRS: u64 = 50;

/// Simulated games from which it takes long enough to say so.
const MANY_GAMES: f64 = 1e9;

pub(super) fn sprt(args: &SprtArgs) -> Result<(), CommandError> {
    let spec = SprtSpec {
        alpha: args.alpha,
        beta: args.beta,
        model: match args.model {
            ModelArg::Logistic => EloModel::Logistic,
            ModelArg::Normalized => EloModel::Normalized,
        },
        outcomes: match args.simulation.outcomes {
            OutcomesArg::Pentanomial => OutcomeModel::Pentanomial,
            OutcomesArg::Trinomial => OutcomeModel::Trinomial,
        },
        ..SprtSpec::logistic(args.elo0, args.elo1)
    };
    match &args.counts {
        Some(counts) => evaluate_counts(counts, spec, args.json),
        None => simulate(spec, &args.simulation),
    }
}

/// All numbers here come from the command line.
fn wrong(error: &StatsError) -> CommandError {
    CommandError::Usage(error.to_string())
}

fn evaluate_counts(text: &str, spec: SprtSpec, json: bool) -> Result<(), CommandError> {
    let counts: Counts = text
        .parse()
        .map_err(|error| CommandError::Usage(format!("--counts: {error}")))?;
    let spec = SprtSpec {
        outcomes: counts.outcomes(),
        ..spec
    };
    let found = evaluate(&counts, spec).map_err(|error| wrong(&error))?;
    if json {
        let json = serde_json::to_string(&found).expect("plain data serialises");
        return print(&(json + "\n"));
    }
    let test = Sprt::new(spec, UNCAPPED).map_err(|error| wrong(&error))?;
    print(&evaluation_text(&counts, &found, &test))
}

fn simulate(spec: SprtSpec, args: &SimulationArgs) -> Result<(), CommandError> {
    let at_least = ten_thousandths(args.at_least).map_err(CommandError::Usage)?;
    let cap = args.pairs.map(u64::from);
    let rule_pairs = cap.unwrap_or(RULE_PAIRS);
    let test = Sprt::new(spec, cap.unwrap_or(UNCAPPED)).map_err(|error| wrong(&error))?;
    let rule = WinRateRule::new(at_least, rule_pairs).map_err(|error| wrong(&error))?;
    let elos = true_elos(&spec, args).map_err(|error| wrong(&error))?;
    warn_of_length(&spec, &elos, args).map_err(|error| wrong(&error))?;
    let conditions = Conditions {
        draw_ratio: args.draws,
        bias: args.bias,
        runs: args.runs,
        seed: args.seed,
    };
    let points = |verdict, pairs| {
        operating_points(&verdict, pairs, &elos, &conditions).map_err(|error| wrong(&error))
    };
    let tested = points(VerdictSpec::Sprt(spec), test.planned_pairs())?;
    let ruled = points(VerdictSpec::WinRate { at_least }, rule_pairs)?;
    let rows = operating_rows(&tested, &ruled);
    if let Some(path) = &args.csv {
        std::fs::write(path, operating_csv(&rows)).map_err(CommandError::file("write", path))?;
    }
    print(&format!(
        "test   {}\nrule   {}\ngames  {:.0}% drawn, the first of two equal engines scores {:.0}%; \
         {} simulated tests a row, seed {}\n\n{}",
        test.describe(),
        rule.describe(),
        100.0 * args.draws,
        100.0 * (0.5 + args.bias),
        args.runs,
        args.seed,
        operating_table(&rows)
    ))
}

/// The true differences asked for, or some around and between the hypotheses, as far as games
/// with such draws and bias can have them.
fn true_elos(spec: &SprtSpec, args: &SimulationArgs) -> Result<Vec<LogisticElo>, StatsError> {
    let possible = |elo: LogisticElo| GameModel::new(elo.score(), args.draws, args.bias);
    if !args.elo.is_empty() {
        let asked: Vec<LogisticElo> = args.elo.iter().copied().map(LogisticElo).collect();
        return asked
            .into_iter()
            .map(|elo| possible(elo).map(|_| elo))
            .collect();
    }
    let [LogisticElo(elo0), LogisticElo(elo1)] = hypothesis_elos(spec, args.draws, args.bias)?;
    let gap = elo1 - elo0;
    let places = [-1.0, -0.5, 0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0];
    let around = places.map(|place| LogisticElo(elo0 + place * gap));
    let found: Vec<LogisticElo> = around
        .into_iter()
        .filter(|elo| possible(*elo).is_ok())
        .collect();
    match found.first() {
        // No difference is possible: the null hypothesis says why.
        None => possible(LogisticElo(elo0)).map(|_| found),
        Some(_) => Ok(found),
    }
}

/// Says so before a long silence.
fn warn_of_length(
    spec: &SprtSpec,
    elos: &[LogisticElo],
    args: &SimulationArgs,
) -> Result<(), StatsError> {
    let most = args
        .pairs
        .map_or(f64::INFINITY, |pairs| 2.0 * f64::from(pairs));
    let mut games = 0.0;
    for elo in elos {
        let closed = approximation(*spec, *elo, args.draws, args.bias)?;
        games += closed.mean_games.min(most) * f64::from(args.runs);
    }
    if games > MANY_GAMES {
        say(&format!(
            "note: about {:.0} million games are to be simulated; --runs, --pairs or --elo make it fewer",
            games / 1e6
        ));
    }
    Ok(())
}
