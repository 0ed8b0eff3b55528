//! The beam's limits, restarts and trace, on deals of FreeCell.

use super::*;
use crate::game::{Game, Solitaire};
use crate::games::freecell::FreeCell;
use crate::params::{ParameterValues, Tunable};

type Weights = <FreeCell as Solvable>::Heuristic;

fn beam(options: BeamOptions) -> Beam<FreeCell> {
    let values = ParameterValues::defaults(&Weights::parameters());
    Beam::new(options, Weights::from_values(&values))
}

fn deal(number: u32) -> FreeCell {
    FreeCell::deal(number).expect("a deal")
}

#[derive(Default)]
struct Seen {
    layers: Vec<Layer>,
    best: Vec<(u32, u64)>,
}

impl BeamObserver<FreeCell> for Seen {
    fn layer(&mut self, layer: &Layer, best: Option<&FreeCell>) {
        self.layers.push(*layer);
        self.best.extend(best.map(|best| (layer.width, best.key())));
    }
}

fn observed(number: u32, options: BeamOptions) -> (Solved<<FreeCell as Game>::Move>, Seen) {
    let mut seen = Seen::default();
    let solved = beam(options).solve(&deal(number), &StopFlag::new(), &mut seen);
    (solved, seen)
}

#[test]
fn the_trace_tells_every_layer() {
    let options = BeamOptions {
        width: 2,
        ..BeamOptions::default()
    };
    let (solved, seen) = observed(9, options.clone());
    assert!(solved.outcome.is_ok() && solved.restarts > 0);
    let made: u64 = seen.layers.iter().map(|layer| layer.candidates).sum();
    assert_eq!(made, solved.states);
    let last = seen.layers.last().expect("a layer");
    assert!(last.solved && last.width == solved.width && last.layer == solved.layers);
    assert_eq!(seen.layers.iter().filter(|layer| layer.solved).count(), 1);
    for layer in &seen.layers {
        assert!(layer.kept <= u64::from(layer.width));
        assert!(layer.kept + layer.duplicates <= layer.candidates);
        assert!(layer.worst <= layer.best);
    }
    // States that were kept are not kept again by the same beam.
    let mut best = seen.best.clone();
    best.sort_unstable();
    best.dedup();
    assert_eq!(best.len(), seen.best.len());
    // Widths double, and each begins with its first layer.
    let mut widths: Vec<u32> = seen.layers.iter().map(|layer| layer.width).collect();
    widths.dedup();
    assert!(
        widths.windows(2).all(|pair| pair[1] == 2 * pair[0]),
        "{widths:?}"
    );
    assert_eq!(widths.len() as u32, solved.restarts + 1);
    // And nobody who looks on changes anything.
    assert_eq!(
        beam(options).solve(&deal(9), &StopFlag::new(), &mut ()),
        solved
    );
}

/// The limit of memory too strikes at the same place whatever was searched before.
#[test]
fn a_beam_used_again_finds_the_same() {
    let mut reasons = Vec::new();
    for (width, memory_mb) in [(8, 200), (200, 1), (1000, 3), (1000, 5), (5000, 8)] {
        let options = BeamOptions {
            width,
            memory_mb,
            nodes: 400_000,
            ..BeamOptions::default()
        };
        let deals = [1, 11_982, 2, 36, 3, 617, 4, 1];
        let solve_all = |beam: &Beam<FreeCell>, deals: &[u32]| {
            let solved = deals
                .iter()
                .map(|number| beam.solve(&deal(*number), &StopFlag::new(), &mut ()));
            solved.collect::<Vec<_>>()
        };
        let used = beam(options.clone());
        let forward = solve_all(&used, &deals);
        let mut reversed = deals;
        reversed.reverse();
        let mut backward = solve_all(&used, &reversed);
        backward.reverse();
        assert_eq!(forward, backward);
        for (number, solved) in deals.iter().zip(&forward) {
            let fresh = solve_all(&beam(options.clone()), &[*number]);
            assert_eq!(
                fresh.first(),
                Some(solved),
                "deal {number} with {memory_mb} MB"
            );
        }
        reasons.extend(forward.iter().map(Solved::reason));
    }
    for reason in [None, Some(Unsolved::Memory)] {
        assert!(reasons.contains(&reason), "{reasons:?}");
    }
}

/// Candidates are cut before the layer ends where memory is short, which changes nothing.
#[test]
fn little_memory_changes_no_result_but_the_limit() {
    let solved = |memory_mb| {
        let options = BeamOptions {
            width: 2000,
            memory_mb,
            ..BeamOptions::default()
        };
        observed(5, options).0
    };
    let plenty = solved(1000);
    assert!(plenty.outcome.is_ok());
    let limits: Vec<u32> = (1..=40).collect();
    let enough = limits.partition_point(|mb| solved(*mb).outcome.is_err());
    assert!((2..20).contains(&enough), "{enough}");
    for memory_mb in [limits[enough], limits[enough] + 1, limits[enough] + 5] {
        assert_eq!(solved(memory_mb), plenty, "{memory_mb} MB");
    }
    assert_eq!(solved(1).reason(), Some(Unsolved::Memory));
}

/// A wider beam begins only where this one left out something that it would have looked at.
#[test]
fn the_last_layer_allowed_is_made_once_if_nothing_was_cut() {
    for (width, depth, restarts) in [(64, 1, 0), (4, 1, 0), (4, 2, 2), (64, 2, 0)] {
        let options = BeamOptions {
            width,
            depth,
            ..BeamOptions::default()
        };
        let (solved, seen) = observed(617, options);
        assert_eq!(solved.reason(), Some(Unsolved::Depth));
        assert_eq!(solved.restarts, restarts, "width {width}, depth {depth}");
        assert_eq!(seen.layers.len() as u32, depth * (restarts + 1));
        assert!(!solved.has_cut);
    }
}

/// The layer in which a limit strikes is told too.
#[test]
fn the_trace_tells_the_unfinished_layer() {
    let default = BeamOptions::default();
    for options in [
        BeamOptions {
            nodes: 5000,
            ..default.clone()
        },
        BeamOptions {
            width: 50_000,
            memory_mb: 3,
            ..default
        },
    ] {
        let (solved, seen) = observed(1, options);
        let made: u64 = seen.layers.iter().map(|layer| layer.candidates).sum();
        assert_eq!(made, solved.states);
        assert_eq!(seen.layers.len() as u32, solved.layers);
        let (last, others) = seen.layers.split_last().expect("layers");
        assert!(last.unfinished && !last.solved && last.kept == 0);
        assert!(others.iter().all(|layer| !layer.unfinished));
    }
}

#[test]
fn every_limit_is_kept_and_named() {
    let default = BeamOptions::default();
    let reason = |options: BeamOptions| {
        let (solved, seen) = observed(1, options);
        assert_eq!(solved.moves(), solved.nearest);
        assert!(!solved.nearest.is_empty());
        (solved.reason(), solved.states, seen.layers.len())
    };
    for nodes in [1, 7, 8, 9, 5000] {
        let (why, states, _) = reason(BeamOptions {
            nodes,
            ..default.clone()
        });
        assert_eq!((why, states), (Some(Unsolved::Nodes), nodes));
    }
    let flat = BeamOptions {
        depth: 5,
        growth: 1,
        ..default.clone()
    };
    assert_eq!(reason(flat).0, Some(Unsolved::Depth));
    let wide = BeamOptions {
        width: 100_000,
        max_width: 100_000,
        memory_mb: 1,
        ..default.clone()
    };
    assert_eq!(reason(wide).0, Some(Unsolved::Memory));
    let hasty = BeamOptions {
        time_ms: Some(0),
        ..default.clone()
    };
    assert_eq!(reason(hasty).0, Some(Unsolved::Time));
    let stop = StopFlag::new();
    stop.stop();
    let stopped = beam(default).solve(&deal(1), &stop, &mut ());
    assert_eq!(stopped.reason(), Some(Unsolved::Stopped));
}

/// A beam that left something out and may not be wider says so.
#[test]
fn an_exhausted_beam_tells_whether_it_cut() {
    let options = BeamOptions {
        width: 4,
        max_width: 4,
        ..BeamOptions::default()
    };
    let (solved, _) = observed(11_982, options);
    assert_eq!(solved.reason(), Some(Unsolved::Exhausted));
    assert!(solved.has_cut);
}

/// A beam that never cut anything is not made wider.
#[test]
fn a_beam_that_saw_everything_ends() {
    let start = "KC QC/KD QD/KH QH/KS QS/JC/JD/JH/JS ; - - - - ; T T T T";
    let position = FreeCell::from_fen(start, &Default::default()).expect("a position");
    let options = BeamOptions {
        depth: 3,
        ..BeamOptions::default()
    };
    assert!(
        beam(options)
            .solve(&position, &StopFlag::new(), &mut ())
            .outcome
            .is_ok()
    );
    let options = BeamOptions {
        width: 60_000,
        nodes: u64::MAX,
        ..BeamOptions::default()
    };
    let (solved, seen) = observed(146_692, options);
    assert_eq!(
        (solved.reason(), solved.restarts),
        (Some(Unsolved::Exhausted), 0)
    );
    assert!(!solved.has_cut);
    assert!(seen.layers.iter().all(|layer| layer.kept < 60_000));
}

/// What is kept of a state is small, whatever the game's state is.
#[test]
fn moves_are_kept_as_a_tree() {
    assert!(size_of::<Step<<FreeCell as Game>::Move>>() <= 12);
    assert!(size_of::<Candidate<<FreeCell as Game>::Move>>() <= 24);
    assert!(size_of::<FreeCell>() <= 512);
}
