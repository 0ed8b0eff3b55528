//! The bench of Amazons with a flame graph, and nodes and depth in one second.
//!
//! `cargo run --release --example bench -- DEPTH [OUT.SVG]`

use std::path::Path;
use std::time::{Duration, Instant};

use agon::game::{Game, History};
use agon::games::amazons::Amazons;
use agon::profile::profiled;
use agon::search::{
    BuiltIn, Control, SearchKind, SearchLimits, SearchSpec, StopFlag, TimeLimit, bench, build,
};

#[expect(clippy::print_stdout, reason = "the result")]
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let depth = arguments
        .first()
        .map_or(4, |text| text.parse().expect("a depth"));
    let spec = SearchSpec::defaults::<Amazons>(SearchKind::AlphaBeta);
    let work = || bench::<Amazons>(&spec, depth);
    let report = match arguments.get(1) {
        Some(path) => profiled(Path::new(path), work).expect("a flame graph"),
        None => work(),
    };
    println!("{report:?}");
    println!(
        "nodes/s {:.0} hits {:.3} cut-offs {:.3} by the first move {:.3}",
        report.nodes_per_second().unwrap_or(0.0),
        report.hit_rate().unwrap_or(0.0),
        report.cutoff_rate().unwrap_or(0.0),
        report.first_move_rate().unwrap_or(0.0),
    );
    let stop = StopFlag::new();
    let mut search = build::<Amazons>(&spec);
    for index in [0, 2, 4, 6] {
        let position = Amazons::bench_positions().swap_remove(index);
        let history = History::new(position.clone());
        let start = Instant::now();
        let deadline = start + Duration::from_secs(1);
        let limits = SearchLimits {
            time: Some(TimeLimit { start, deadline }),
            ..SearchLimits::NONE
        };
        search.new_game(0);
        let found = search.search(&position, &history, &mut Control::new(limits, &stop));
        let elapsed = start.elapsed();
        println!(
            "{} depth {} nodes {} in {elapsed:?}: {:.0}/s, {} {:?}",
            position.to_fen(),
            found.depth,
            found.nodes,
            f64::from(u32::try_from(found.nodes).unwrap_or(0)) / elapsed.as_secs_f64(),
            position.format_move(found.mv),
            found.score,
        );
    }
}
