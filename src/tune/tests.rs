//! All methods by one suite: books, resuming, degenerate results, grids; and what each is for.

use super::*;
use crate::params::Parameter;
use crate::stats::{PairCounts, Verdict};

fn weight(base: i32, high: i32) -> Axis {
    let parameter = Parameter::integer("weight", base, 0, high, "a weight");
    Axis::whole(&parameter).expect("a range")
}

/// Every method for one parameter, with about 800 games.
fn methods() -> Vec<MethodSpec> {
    vec![
        MethodSpec::Zoom { games: 800 },
        MethodSpec::Grid {
            values: Vec::new(),
            points: 9,
            pairs: 50,
        },
        MethodSpec::Spsa { games: 800 },
        MethodSpec::Random { games: 800 },
    ]
}

fn tuning(method: &MethodSpec, axes: &[Axis]) -> Tuning {
    Tuning::new(build(method, axes, 7).expect("a plan that can be"))
}

/// A result that depends on nothing but the trial: the share of won pairs follows a parabola with
/// its maximum at `best`, with some noise by the trial's number.
fn result(trial: &Trial, best: f64) -> TrialResult {
    let strength = |values: &ParameterValues| -0.05 * (values.get("weight") - best).powi(2);
    let lead = strength(&trial.candidate) - strength(&trial.base);
    let noise = f64::from(trial.id * 7919 % 13) / 13.0 - 0.5;
    let score = 1.0 / (1.0 + (-lead - 0.1 * noise).exp());
    let won = (f64::from(trial.pairs) * score).round() as u64;
    TrialResult {
        id: trial.id,
        pairs: PairCounts([u64::from(trial.pairs) - won, 0, 0, 0, won]).into(),
    }
}

/// Plays to the end with results made by `play`: all batches.
fn to_the_end(tuning: &mut Tuning, play: impl Fn(&Trial) -> TrialResult) -> Vec<Vec<Trial>> {
    let mut batches = Vec::new();
    while !tuning.ask().is_empty() {
        let batch = tuning.ask().to_vec();
        let results: Vec<TrialResult> = batch.iter().map(&play).collect();
        tuning.tell(&results).expect("results that were asked for");
        batches.push(batch);
        assert!(batches.len() < 1000, "it ends");
    }
    batches
}

#[test]
fn the_plan_is_played_and_no_pair_twice() {
    for method in methods() {
        let mut tuning = tuning(&method, &[weight(10, 20)]);
        let batches = to_the_end(&mut tuning, |trial| result(trial, 14.0));
        let trials: Vec<Trial> = batches.concat();
        let pairs: u64 = trials.iter().map(|trial| u64::from(trial.pairs)).sum();
        assert_eq!(pairs, tuning.tuner().planned_pairs(), "{method:?}");
        assert_eq!(pairs, tuning.best().pairs, "{method:?}");
        assert!((704..=800).contains(&(2 * pairs)), "{method:?} {pairs}");
        let end = trials
            .iter()
            .map(|trial| trial.first_pair + trial.pairs)
            .max();
        assert!(u64::from(end.expect("trials")) <= tuning.tuner().planned_openings());
        let ids: Vec<u32> = trials.iter().map(|trial| trial.id).collect();
        assert_eq!(ids, (0..trials.len() as u32).collect::<Vec<_>>());
        for (index, one) in trials.iter().enumerate() {
            assert_ne!(one.candidate, one.base);
            for other in &trials[index + 1..] {
                let apart = one.first_pair + one.pairs <= other.first_pair;
                let same = one.candidate == other.candidate && one.base == other.base;
                let mirrored = one.candidate == other.base && one.base == other.candidate;
                assert!(apart || !(same || mirrored), "{one:?} {other:?}");
            }
        }
    }
}

#[test]
fn told_results_alone_bring_a_tuning_back() {
    for method in methods() {
        let mut first = tuning(&method, &[weight(10, 20)]);
        let batches = to_the_end(&mut first, |trial| result(trial, 14.0));
        let json = serde_json::to_string(first.played()).expect("plain data");
        let saved: Vec<Played> = serde_json::from_str(&json).expect("plain data");
        // Interrupted in the middle of a batch: half of the trials are on file, in another order.
        let half = saved.len().div_ceil(2);
        let mut second = tuning(&method, &[weight(10, 20)]);
        while !second.ask().is_empty() {
            let mut results: Vec<TrialResult> = second
                .ask()
                .iter()
                .filter_map(|trial| saved[..half].iter().find(|played| played.trial == *trial))
                .map(|played| TrialResult {
                    id: played.trial.id,
                    pairs: played.pairs.clone(),
                })
                .collect();
            if results.is_empty() {
                break;
            }
            results.reverse();
            second.tell(&results).expect("results that were asked for");
        }
        assert_eq!(second.played(), &saved[..half], "{method:?}");
        let rest = to_the_end(&mut second, |trial| result(trial, 14.0));
        let whole: Vec<Trial> = batches.concat();
        assert_eq!(rest.concat(), &whole[half..], "{method:?}");
        assert_eq!(second.best(), first.best(), "{method:?}");
    }
}

#[test]
fn wrong_results_are_refused_and_repeated_ones_passed_over() {
    let mut tuning = tuning(&methods()[0], &[weight(10, 20)]);
    let trial = tuning.ask()[0].clone();
    let told = result(&trial, 14.0);
    let other = TrialResult {
        id: told.id,
        pairs: told.pairs.counts().reversed().into(),
    };
    let pairs = PairCounts([u64::from(trial.pairs) + 1, 0, 0, 0, 0]).into();
    let many = tuning.tell(&[TrialResult { id: 0, pairs }]);
    assert!(matches!(many, Err(TuneError::TooManyPairs { id: 0, .. })));
    assert_eq!(
        tuning.tell(&[TrialResult {
            id: 99,
            ..told.clone()
        }]),
        Err(TuneError::Unasked(99))
    );
    assert_eq!(tuning.tell(&[told.clone(), told.clone()]), Ok(()));
    assert_eq!(tuning.tell(&[told]), Ok(()));
    assert_eq!(tuning.tell(&[other]), Err(TuneError::ToldTwice(0)));
    assert_eq!(tuning.played().len(), 1);
}

#[test]
fn pairings_add_up_whoever_is_the_candidate() {
    let axis = weight(10, 20);
    let played = |id, one, other, cells| Played {
        trial: Trial {
            id,
            batch: id,
            candidate: axis.setting(one).expect("a value"),
            base: axis.setting(other).expect("a value"),
            first_pair: 0,
            pairs: 10,
        },
        pairs: PairCounts(cells).into(),
    };
    let all = [
        played(0, 3.0, 5.0, [1, 2, 3, 4, 0]),
        played(1, 5.0, 3.0, [1, 2, 3, 4, 0]),
        played(2, 3.0, 6.0, [0, 0, 10, 0, 0]),
    ];
    let met = pairings(&all);
    assert_eq!(met.len(), 2);
    assert_eq!(met[0].2, PairCounts([1, 6, 6, 6, 1]));
    assert_eq!(met[0].0.get("weight"), 3.0);
}

fn assert_sane(answer: &Answer, axes: &[Axis]) {
    for (estimate, axis) in answer.estimates.iter().zip(axes) {
        let (low, high) = estimate.interval.unwrap_or(estimate.range);
        for value in [estimate.estimate, estimate.value, low, high] {
            assert!((axis.low()..=axis.high()).contains(&value), "{answer:?}");
        }
        assert!(low <= high, "{answer:?}");
    }
    if let Some(gain) = answer.gain {
        assert!(gain.elo.0.is_finite() && gain.error.is_finite() && gain.error >= 0.0);
    }
    for probability in [answer.confidence, answer.p_value].into_iter().flatten() {
        assert!((0.0..=1.0).contains(&probability), "{answer:?}");
    }
    let json = serde_json::to_value(answer).expect("plain data");
    let back: Answer = serde_json::from_value(json).expect("plain data");
    assert_eq!(&back, answer);
}

#[test]
fn degenerate_results_give_finite_answers() {
    let kinds = [
        [1, 0, 0, 0, 0],
        [0, 0, 1, 0, 0],
        [0, 0, 0, 0, 1],
        [0, 0, 0, 0, 0],
    ];
    let axes = [weight(10, 20)];
    for method in methods() {
        for kind in kinds {
            let mut tuning = tuning(&method, &axes);
            assert_sane(&tuning.best(), &axes);
            to_the_end(&mut tuning, |trial| TrialResult {
                id: trial.id,
                pairs: PairCounts(kind.map(|one| one * u64::from(trial.pairs))).into(),
            });
            let answer = tuning.best();
            assert_sane(&answer, &axes);
            if kind[0] == kind[4] {
                assert_eq!(answer.finding, Finding::NoDifferenceShown, "{method:?}");
                assert_eq!(answer.proposed(&axes).get("weight"), 10.0);
                assert_eq!(answer.confirming_test(), None);
            }
        }
    }
}

/// Case B34: a small integer range, where a step of less than one would compare equals.
#[test]
fn compared_values_differ_on_the_parameters_own_grid() {
    for base in 0..=5 {
        let axes = [weight(base, 5)];
        for method in methods() {
            let mut tuning = tuning(&method, &axes);
            let trials = to_the_end(&mut tuning, |trial| result(trial, 4.0)).concat();
            for trial in trials {
                let values = [&trial.candidate, &trial.base].map(|set| set.get("weight"));
                assert_ne!(values[0], values[1], "{method:?}");
                assert!(values.iter().all(|value| value.fract() == 0.0), "{trial:?}");
            }
        }
    }
    let mut tuning = tuning(&MethodSpec::Zoom { games: 800 }, &[weight(1, 5)]);
    to_the_end(&mut tuning, |trial| result(trial, 3.4));
    let estimate = &tuning.best().estimates[0];
    assert!(
        estimate.value == 3.0 && estimate.estimate.fract() != 0.0,
        "{estimate:?}"
    );
}

#[test]
fn a_value_that_rounds_to_the_base_is_not_played() {
    let grid = |values: &[f64]| {
        let method = MethodSpec::Grid {
            values: values.to_vec(),
            points: 0,
            pairs: 10,
        };
        build(&method, &[weight(3, 20)], 1)
    };
    let tuner = grid(&[2.6, 3.4, 5.2, 4.9, 8.0]).expect("two values");
    let played: Vec<f64> = tuner
        .propose(&[])
        .iter()
        .map(|trial| trial.candidate.get("weight"))
        .collect();
    assert_eq!(played, [5.0, 8.0]);
    let error = grid(&[2.9, 3.1]).expect_err("only the base");
    assert!(error.to_string().contains("`weight`"), "{error}");
    assert!(matches!(grid(&[40.0]), Err(TuneError::Outside { .. })));
}

#[test]
fn plans_that_cannot_be_are_refused_with_the_next_step() {
    let zoom = MethodSpec::Zoom { games: 2000 };
    let error = build(&zoom, &[weight(1, 3)], 1)
        .expect_err("four values")
        .to_string();
    assert!(
        error.contains("`weight`") && error.contains("use method grid"),
        "{error}"
    );
    assert!(build(&zoom, &[weight(1, 4)], 1).is_ok(), "five values");
    let two = [weight(1, 9), weight(1, 9)];
    assert!(matches!(
        build(&zoom, &two, 1),
        Err(TuneError::OneParameter { given: 2, .. })
    ));
    for method in [
        MethodSpec::Zoom { games: 20 },
        MethodSpec::Spsa { games: 20 },
        MethodSpec::Random { games: 10 },
        MethodSpec::Grid {
            values: Vec::new(),
            points: 9,
            pairs: 0,
        },
    ] {
        let error = build(&method, &[weight(1, 9)], 1).expect_err("too few games");
        assert!(matches!(error, TuneError::Budget { .. }), "{error:?}");
    }
    let switch = Axis::whole(&Parameter::switch("on", true, "")).expect("two values");
    let grid = MethodSpec::Grid {
        values: Vec::new(),
        points: 9,
        pairs: 50,
    };
    assert_eq!(tuning(&grid, &[switch]).ask().len(), 1);
}

#[test]
fn every_curve_finds_the_vertex() {
    for method in &methods()[..3] {
        let mut tuning = tuning(method, &[weight(4, 20)]);
        to_the_end(&mut tuning, |trial| result(trial, 13.0));
        let answer = tuning.best();
        let estimate = &answer.estimates[0];
        // SPSA has not arrived after so few games.
        let near = if method.name() == "spsa" { 6.0 } else { 1.0 };
        assert!(
            (estimate.value - 13.0).abs() <= near,
            "{method:?} {answer:?}"
        );
        assert_eq!(answer.finding, Finding::Better);
        assert_eq!(estimate.edge, None);
        let best = answer.proposed(tuning.tuner().axes());
        let predicted = tuning.tuner().predict(tuning.played(), &best);
        assert_eq!(predicted, answer.gain);
        assert!(
            answer
                .confirming_test()
                .is_some_and(|test| test.elo0 == 0.0 && test.elo1 >= 10.0)
        );
    }
}

/// Case B35, second half: a weight whose best value is at the edge of its range.
#[test]
fn edges_are_flagged_with_advice() {
    for (best, edge, word) in [(40.0, Edge::High, "above"), (-20.0, Edge::Low, "below")] {
        let mut tuning = tuning(&methods()[0], &[weight(10, 20)]);
        to_the_end(&mut tuning, |trial| result(trial, best));
        let answer = tuning.best();
        assert_eq!(answer.estimates[0].edge, Some(edge));
        let advice = answer.estimates[0].advice().expect("at the edge");
        assert!(
            advice.contains("`weight`") && advice.contains(word),
            "{advice}"
        );
    }
}

/// Case B35, first half: five values, 20 pairs each, coin flips.
#[test]
fn coin_flips_show_no_difference() {
    let method = MethodSpec::Grid {
        values: vec![0.0, 5.0, 15.0, 20.0, 10.0],
        points: 0,
        pairs: 20,
    };
    let axes = [weight(10, 20)];
    let flips = [
        [5, 0, 10, 0, 5],
        [4, 0, 11, 0, 5],
        [6, 0, 9, 0, 5],
        [5, 0, 11, 0, 4],
    ];
    let mut tuning = tuning(&method, &axes);
    to_the_end(&mut tuning, |trial| TrialResult {
        id: trial.id,
        pairs: PairCounts(flips[trial.id as usize]).into(),
    });
    let answer = tuning.best();
    assert_eq!(answer.finding, Finding::NoDifferenceShown);
    assert_eq!(answer.proposed(&axes).get("weight"), 10.0);
    assert!(answer.p_value.is_some_and(|p| p > 0.5), "{answer:?}");
}

#[test]
fn spsa_moves_several_parameters_towards_their_best() {
    let axes = ["a", "b"]
        .map(|name| Axis::whole(&Parameter::real(name, 0.5, 0.0, 1.0, 0.01, "")).expect("a range"));
    let mut tuning = tuning(&MethodSpec::Spsa { games: 8000 }, &axes);
    to_the_end(&mut tuning, |trial| {
        let strength = |set: &ParameterValues| {
            -6.0 * (set.get("a") - 0.8).powi(2) - 6.0 * (set.get("b") - 0.3).powi(2)
        };
        let lead = strength(&trial.candidate) - strength(&trial.base);
        let score = 1.0 / (1.0 + (-lead).exp());
        // Half points of both pairs, rounded by a fraction that goes with the trial's number.
        let half_points = (8.0 * score + f64::from(trial.id * 7919 % 101) / 101.0).floor() as usize;
        let mut pairs = PairCounts::default();
        pairs.0[half_points / 2] += 1;
        pairs.0[half_points - half_points / 2] += 1;
        TrialResult {
            id: trial.id,
            pairs: pairs.into(),
        }
    });
    let answer = tuning.best();
    assert!((answer.estimates[0].value - 0.8).abs() < 0.1, "{answer:?}");
    assert!((answer.estimates[1].value - 0.3).abs() < 0.1, "{answer:?}");
    assert_eq!(answer.finding, Finding::Better);
}

/// Plays an [`InTurn`] in which `a` gains and `b` does nothing; matches end with `verdict`.
fn in_turn(verdict: Verdict, rounds: u32) -> InTurn {
    let axes = ["a", "weight"]
        .map(|name| Axis::whole(&Parameter::integer(name, 10, 0, 20, "")).expect("a range"));
    let mut turns = InTurn::new(MethodSpec::Zoom { games: 800 }, &axes, rounds, 1).expect("a plan");
    for _ in 0..1000 {
        let results: Vec<TrialResult> = match turns.step() {
            Step::Done => return turns,
            Step::Confirm {
                candidate, base, ..
            } => {
                assert_ne!(candidate, base);
                Vec::new()
            }
            Step::Tune { trials, .. } => trials
                .iter()
                .map(|trial| match trial.candidate.iter().next() {
                    Some(("weight", _)) => result(trial, 15.0),
                    _ => TrialResult {
                        id: trial.id,
                        pairs: PairCounts([0, 0, trial.pairs.into(), 0, 0]).into(),
                    },
                })
                .collect(),
        };
        turns.tell(&results).expect("results that were asked for");
        turns.confirmed(verdict).expect("a plan");
    }
    panic!("it ends");
}

#[test]
fn a_value_is_adopted_only_after_its_match() {
    let turns = in_turn(Verdict::AcceptH1, 5);
    assert_eq!(turns.base().get("weight"), 15.0);
    assert_eq!(turns.base().get("a"), 10.0);
    // a, weight (adopted), and a again on the new base; weight's own games would be the same.
    let adopted: Vec<bool> = turns.events().iter().map(TurnEvent::adopted).collect();
    assert_eq!(adopted, [false, true, false]);
    for verdict in [Verdict::AcceptH0, Verdict::Inconclusive] {
        let turns = in_turn(verdict, 5);
        assert_eq!(turns.base().get("weight"), 10.0);
        assert_eq!(turns.events().len(), 2);
        assert_eq!(turns.events()[1].verdict, Some(verdict));
    }
    assert_eq!(in_turn(Verdict::AcceptH1, 1).events().len(), 2);
}

#[test]
fn plans_are_checked_before_play() {
    let axes = [weight(10, 20)];
    let zoom = MethodSpec::Zoom { games: 2000 };
    let plan = check_plan(&zoom, &axes, 20_000, 0.3).expect("a plan");
    assert_eq!((plan.games, plan.values[0].1), (2000, 21));
    // 40 pairs of the round robin, then 600 in batches whose halves share theirs.
    assert_eq!(plan.openings, 40 + 300);
    // The published length of 0 against 10 at 10 Elo is 4,550 games, and 95% pass.
    assert!((plan.confirm_games / 4550.0 - 1.0).abs() < 0.15, "{plan:?}");
    assert!(
        plan.confirm_pass_rate > 0.9 && plan.confirm_open_rate < 0.02,
        "{plan:?}"
    );
    assert!(plan.doubts(400, 10_000, 20_000).is_empty());
    assert_eq!(plan.doubts(100, 500, 20_000).len(), 2);
    let short = check_plan(&zoom, &axes, 1000, 0.3).expect("a plan");
    assert!(short.confirm_open_rate > 0.5, "{short:?}");
    assert_eq!(short.doubts(400, 500, 1000).len(), 1);
    assert!(matches!(
        check_plan(&zoom, &axes, 0, 0.3),
        Err(TuneError::Confirm { .. })
    ));
    assert!(matches!(
        check_plan(&zoom, &axes, 1000, 1.0),
        Err(TuneError::Confirm { .. })
    ));
}
