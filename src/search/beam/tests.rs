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
    let (solved, seen) = observed(3, options.clone());
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
        beam(options).solve(&deal(3), &StopFlag::new(), &mut ()),
        solved
    );
}

#[test]
fn a_beam_used_again_finds_the_same() {
    let options = BeamOptions {
        width: 8,
        ..BeamOptions::default()
    };
    let mut used = beam(options.clone());
    for number in [1, 11_982, 2, 3, 1] {
        let again = used.solve(&deal(number), &StopFlag::new(), &mut ());
        let fresh = beam(options.clone()).solve(&deal(number), &StopFlag::new(), &mut ());
        assert_eq!(again, fresh);
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
    assert!(seen.layers.iter().all(|layer| layer.kept < 60_000));
}

/// What is kept of a state is small, whatever the game's state is.
#[test]
fn moves_are_kept_as_a_tree() {
    assert!(size_of::<Step<<FreeCell as Game>::Move>>() <= 12);
    assert!(size_of::<Candidate<<FreeCell as Game>::Move>>() <= 24);
    assert!(size_of::<FreeCell>() <= 512);
}
