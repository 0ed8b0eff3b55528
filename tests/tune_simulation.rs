//! Methods of tuning on simulated landscapes: the bars of issue 7, and that each of them beats
//! random search.

#![expect(
    clippy::print_stdout,
    reason = "the slow test prints the figures that the guide quotes"
)]

use agon::tune::{Landscape, MethodSpec, Replicate, Simulation, Summary, overall, simulate};

const GAMES: u32 = 2000;

fn methods() -> [MethodSpec; 3] {
    [
        MethodSpec::Zoom { games: GAMES },
        MethodSpec::Grid {
            values: Vec::new(),
            points: 9,
            pairs: GAMES / 16,
        },
        MethodSpec::Spsa { games: GAMES },
    ]
}

const RANDOM: MethodSpec = MethodSpec::Random { games: GAMES };

fn simulation(method: MethodSpec, replicates: u32, confirm_games: u32) -> Simulation {
    Simulation {
        method,
        draw_ratio: 0.3,
        confirm_games,
        replicates,
        seed: 2026,
    }
}

/// The landscapes on which something can be lost.
fn uneven() -> impl Iterator<Item = Landscape> {
    let all = Landscape::ALL.into_iter();
    all.filter(|landscape| landscape.is_uneven())
}

fn summaries(spec: &Simulation, landscapes: impl Iterator<Item = Landscape>) -> Vec<Summary> {
    landscapes
        .map(|landscape| {
            let found = simulate(spec, landscape).expect("a plan that can be");
            let summary = Summary::of(&found).expect("replicates");
            println!(
                "{:7} {:8} {summary:?}",
                spec.method.name(),
                landscape.name()
            );
            summary
        })
        .collect()
}

/// The mean losses of both and their difference in standard errors, over all landscapes: the
/// method's answer against the value that random search estimates best.
fn lead_over(random: &Summary, method: &Summary) -> f64 {
    let error = random.estimate_error.hypot(method.regret_error);
    (random.estimate_regret - method.regret) / error
}

/// One-sided p < 0.01.
const Z: f64 = 2.326;

#[test]
fn each_method_beats_random_search() {
    let mean = |method| {
        let spec = simulation(method, 40, 2);
        overall(&summaries(&spec, uneven())).expect("landscapes")
    };
    let random = mean(RANDOM);
    for method in methods() {
        let name = method.name();
        let lead = lead_over(&random, &mean(method));
        assert!(lead > Z, "{name}: {lead} standard errors");
    }
}

#[test]
fn a_parameter_without_effect_shows_no_difference() {
    let spec = simulation(MethodSpec::Zoom { games: GAMES }, 100, 4000);
    // 5% are false alarms by design; 14% of 100 would be four standard errors more.
    for found in summaries(&spec, [Landscape::Flat, Landscape::Linked].into_iter()) {
        assert!(found.no_difference > 0.86, "{found:?}");
    }
}

#[test]
fn figures_do_not_depend_on_the_number_of_threads() {
    let spec = simulation(MethodSpec::Zoom { games: 600 }, 9, 1000);
    let with = |threads: usize| -> Vec<Replicate> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.expect("threads");
        pool.install(|| simulate(&spec, Landscape::Skew).expect("a plan"))
    };
    assert_eq!(with(1), with(3));
}

/// The figures of the guide, and the bars: 200 replicates or more, 2,000 games, 30% drawn.
#[test]
#[ignore = "minutes; run with --release"]
fn the_default_method_meets_its_bars() {
    let spec = simulation(MethodSpec::Zoom { games: GAMES }, 400, 20_000);
    let all = summaries(&spec, Landscape::ALL.into_iter());
    let bars = [
        (Landscape::Quad100, 0.4),
        (Landscape::Quad300, 0.2),
        (Landscape::Quad30, 1.6),
        (Landscape::Skew, 2.2),
        (Landscape::Edge, 2.0),
    ];
    for (landscape, bar) in bars {
        let place = Landscape::ALL.iter().position(|one| *one == landscape);
        let found = &all[place.expect("one of all")];
        assert!(found.regret <= bar, "{landscape:?}: {found:?}");
        assert!(found.estimate_regret <= bar, "{landscape:?}: {found:?}");
    }
    // On the page's landscapes: those that cannot harm would flatter it.
    let page = Landscape::ALL.len() - 1;
    let mean = overall(&all[..page]).expect("landscapes");
    assert!(mean.harm <= 0.05 && mean.estimate_harm <= 0.05, "{mean:?}");
    assert!(mean.confirmed_harm <= 0.01, "{mean:?}");
    let spec = simulation(RANDOM, 400, 20_000);
    let random = overall(&summaries(&spec, uneven())).expect("landscapes");
    for method in methods() {
        let spec = simulation(method, 400, 20_000);
        let found = overall(&summaries(&spec, uneven())).expect("landscapes");
        let lead = lead_over(&random, &found);
        println!(
            "{}: {lead:.1} standard errors ahead of random search",
            spec.method.name()
        );
        assert!(lead > Z, "{found:?}");
    }
}
