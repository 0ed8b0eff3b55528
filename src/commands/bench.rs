//! `agon bench`: the default engine on fixed positions.

use std::fmt::Write;
use std::time::Duration;

use serde::Serialize;

use super::{open_game, own_engine, print, say};
use crate::cli::BenchArgs;
use crate::error::CommandError;
use crate::params::ParameterValues;
use crate::play::{Declares, OwnEngine};
use crate::profile::{ProfileError, profiled};
use crate::search::{BenchLimit, BenchReport, SearchKind, SearchSpec};

pub(super) fn bench(args: &BenchArgs) -> Result<(), CommandError> {
    let arena = open_game(&args.game, args.rules.as_deref())?;
    let own = own_engine(arena.as_ref(), "bench")?;
    let spec = engine(own, &args.set)?;
    let limit = match args.time_ms {
        Some(ms) => BenchLimit::Time(Duration::from_millis(ms)),
        None => BenchLimit::Depth(args.depth),
    };
    let work = || own.bench(&spec, limit);
    let report = match &args.profile {
        Some(path) => {
            let report = profiled(path, work).map_err(|error| match error {
                ProfileError::Write(source) => CommandError::file("write", path)(source),
                other => other.into(),
            })?;
            say(&format!("flame graph: {}", path.display()));
            report
        }
        None => work(),
    };
    print(&if args.json {
        json(&args.game, &report, limit)
    } else {
        table(&report, limit)
    })
}

/// [`BenchReport`] for programs, later versions of agon among them ([`crate::archive`]).
#[derive(Serialize)]
struct BenchJson<'a> {
    version: u32,
    agon: &'a str,
    game: &'a str,
    /// `None` with a time.
    depth: Option<u32>,
    #[serde(flatten)]
    report: &'a BenchReport,
}

fn json(game: &str, report: &BenchReport, limit: BenchLimit) -> String {
    let object = BenchJson {
        version: 1,
        agon: env!("CARGO_PKG_VERSION"),
        game,
        depth: match limit {
            BenchLimit::Depth(depth) => Some(depth),
            BenchLimit::Time(_) => None,
        },
        report,
    };
    serde_json::to_string(&object).expect("plain data serialises") + "\n"
}

/// The game's default engine with changes.
pub(super) fn engine(own: &dyn OwnEngine, changes: &[String]) -> Result<SearchSpec, CommandError> {
    configured(own, SearchKind::AlphaBeta, changes)
}

/// A kind of search with changes.
pub(super) fn configured(
    own: &dyn Declares,
    kind: SearchKind,
    changes: &[String],
) -> Result<SearchSpec, CommandError> {
    let search = own.search_parameters(kind);
    let terms = own.evaluation_parameters();
    let mut parameters = ParameterValues::defaults(&search);
    let mut evaluation = ParameterValues::defaults(&terms);
    for change in changes {
        let usage = |what: String| CommandError::Usage(format!("--set {change}: {what}"));
        let (name, text) = change
            .split_once('=')
            .ok_or_else(|| usage("write NAME=VALUE".to_owned()))?;
        let value = match text {
            "true" => 1.0,
            "false" => 0.0,
            _ => text
                .parse()
                .map_err(|_| usage(format!("`{text}` is no number and no switch")))?,
        };
        let set = if terms.iter().any(|term| term.name == name) {
            evaluation.set(&terms, name, value)
        } else {
            parameters.set(&search, name, value)
        };
        set.map_err(|error| {
            let known = search.iter().chain(&terms).map(|known| known.name.as_str());
            let near = crate::config::nearest(name, known)
                .filter(|near| *near != name)
                .map_or(String::new(), |near| format!(". Did you mean `{near}`?"));
            usage(format!("{error}{near}"))
        })?;
    }
    Ok(SearchSpec {
        kind,
        parameters,
        evaluation,
    })
}

fn table(report: &BenchReport, limit: BenchLimit) -> String {
    let percent = |share: Option<f64>| {
        share.map_or("unknown".to_owned(), |share| {
            format!("{:.1}%", 100.0 * share)
        })
    };
    let speed = |rate: Option<f64>| rate.map_or("unknown".to_owned(), |rate| format!("{rate:.0}"));
    let mut text = format!(
        "{:>5} {:>10} {:>8} {:>10}  {:<12} position\n",
        "depth", "nodes", "ms", "nodes/s", "move"
    );
    for found in &report.positions {
        writeln!(
            text,
            "{:>5} {:>10} {:>8} {:>10}  {:<12} {}",
            found.depth,
            found.nodes,
            found.elapsed.as_millis(),
            speed(found.nodes_per_second()),
            found.mv,
            found.position
        )
        .expect("a string takes every write");
    }
    let signature = match limit {
        BenchLimit::Depth(_) => " (the signature)",
        BenchLimit::Time(_) => "",
    };
    text + &format!(
        "\nnodes             {}{signature}\nnodes a second    {}\n\
         table hits        {} of probes\ncut-offs          {} of expanded nodes\n\
         by the first move {} of cut-offs\nquiescence        {} of nodes\n",
        report.nodes,
        speed(report.nodes_per_second()),
        percent(report.hit_rate()),
        percent(report.cutoff_rate()),
        percent(report.first_move_rate()),
        percent(report.quiescence_share())
    )
}
