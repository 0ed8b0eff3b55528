//! The beam on deals whose solvability is known.

use rayon::prelude::*;

use super::*;
use crate::search::Unsolved;

/// Whether the solution passes the checker, and how long it is.
fn right(start: &FreeCell, moves: &[Move]) -> CheckedSolution {
    let text = written(start, moves);
    FreeCell::check_solution(&start.to_fen(), &text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn deals_that_can_be_solved_are() {
    let rows = solvability();
    let solvable: Vec<_> = rows.iter().filter(|row| &row[2] == "solvable").collect();
    assert_eq!(solvable.len(), 666);
    solvable.par_iter().step_by(6).for_each(|row| {
        let start = dealt(&row[0]);
        let solved = solve(&start, BeamOptions::default());
        let moves = solved
            .outcome
            .unwrap_or_else(|reason| panic!("deal {}: {reason:?}", &row[0]));
        let checked = right(&start, &moves);
        assert_eq!(checked.moves as usize, moves.len());
        assert!(moves.len() < 200, "deal {}: {} moves", &row[0], moves.len());
    });
}

#[test]
fn deals_that_cannot_be_solved_are_not() {
    let rows = solvability();
    let unsolvable: Vec<_> = rows.iter().filter(|row| &row[2] == "unsolvable").collect();
    assert_eq!(unsolvable.len(), 6);
    unsolvable.par_iter().for_each(|row| {
        let options = BeamOptions {
            nodes: 100_000,
            ..BeamOptions::default()
        };
        let solved = solve(&dealt(&row[0]), options);
        let reason = solved.outcome.expect_err("it cannot be solved");
        assert!(
            [Unsolved::Nodes, Unsolved::Exhausted].contains(&reason),
            "{reason:?}"
        );
        assert!(solved.states <= 100_000);
        assert!(!solved.nearest.is_empty());
        written(&dealt(&row[0]), &solved.nearest);
    });
}

#[test]
fn deal_11982_ends_as_not_solved() {
    let solved = solve(&dealt("11982"), BeamOptions::default());
    assert!(solved.outcome.is_err());
}

/// The same on any number of threads, with buffers that were used before or not.
#[test]
fn results_are_the_same_everywhere() {
    let solve_all = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads");
        pool.install(|| {
            (1..40_u32)
                .into_par_iter()
                .map_init(
                    || {
                        Beam::new(
                            BeamOptions {
                                width: 20,
                                ..BeamOptions::default()
                            },
                            weights(),
                        )
                    },
                    |beam, number| {
                        let start = FreeCell::deal(number).expect("a deal");
                        beam.solve(&start, &StopFlag::new(), &mut ())
                    },
                )
                .collect::<Vec<_>>()
        })
    };
    assert_eq!(solve_all(1), solve_all(2));
}

/// A solved child of the very last layer is seen, and there is none before it.
#[test]
fn the_last_layer_counts() {
    let start = dealt("1");
    let options = BeamOptions {
        growth: 1,
        ..BeamOptions::default()
    };
    let solved = solve(&start, options.clone());
    assert!(solved.outcome.is_ok());
    let deep_enough = BeamOptions {
        depth: solved.layers,
        ..options.clone()
    };
    assert_eq!(solve(&start, deep_enough), solved);
    let too_flat = BeamOptions {
        depth: solved.layers - 1,
        ..options
    };
    assert_eq!(solve(&start, too_flat).reason(), Some(Unsolved::Depth));
}

#[test]
fn what_is_solved_needs_no_move() {
    let end = read("-/-/-/-/-/-/-/- ; - - - - ; K K K K");
    assert!(end.is_solved() && legal(&end).is_empty());
    let solved = solve(&end, BeamOptions::default());
    assert_eq!((solved.outcome, solved.states), (Ok(Vec::new()), 0));
    let almost = read("KC/KD/KH/KS/-/-/-/- ; - - - - ; Q Q Q Q");
    let solved = solve(&almost, BeamOptions::default());
    assert_eq!(solved.outcome.map(|moves| moves.len()), Ok(4));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn solutions_of_random_deals_pass_the_checker(number in 1..=LARGEST_DEAL, forced_moves: bool) {
        let start = FreeCell::deal(number).expect("a deal");
        let options = BeamOptions { forced_moves, width: 32, nodes: 300_000, ..BeamOptions::default() };
        let solved = solve(&start, options);
        if let Ok(moves) = &solved.outcome {
            right(&start, moves);
        }
    }
}
