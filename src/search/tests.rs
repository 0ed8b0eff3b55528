//! Searches against plain negamax, and their limits.

use super::*;
use crate::game::Game;
use crate::games::amazons::{Amazons, AmazonsRules};

/// Everything a test needs to search one position.
fn search_with(
    spec: &SearchSpec,
    history: &History<Amazons>,
    position: &Amazons,
    limits: SearchLimits,
    seed: u64,
) -> SearchReport<<Amazons as Game>::Move> {
    let mut search = build::<Amazons>(spec);
    search.new_game(seed);
    let stop = StopFlag::new();
    search.search(position, history, &mut Control::new(limits, &stop))
}

/// The position after some random moves.
fn random_position(seed: u64, plies: u32, size: u8) -> (Amazons, History<Amazons>) {
    let mut random = Random::new();
    Search::<Amazons>::new_game(&mut random, seed);
    let stop = StopFlag::new();
    let mut position = Amazons::start(&AmazonsRules { size });
    let mut history = History::new(position.clone());
    for _ in 0..plies {
        if position.count_moves() == 0 {
            break;
        }
        let mut control = Control::new(SearchLimits::NONE, &stop);
        let mv = random.search(&position, &history, &mut control).mv;
        position.play(mv);
        history.push(mv, &position);
    }
    (position, history)
}

fn depth(depth: u32) -> SearchLimits {
    SearchLimits {
        depth,
        ..SearchLimits::NONE
    }
}

fn nodes(nodes: u64) -> SearchLimits {
    SearchLimits {
        nodes,
        ..SearchLimits::NONE
    }
}

/// The value of a position by the definition.
fn negamax(
    evaluator: &<Amazons as BuiltIn>::Evaluator,
    position: &Amazons,
    history: &mut History<Amazons>,
    depth: u32,
    ply: u32,
) -> Score {
    if let Some(score) = greedy::ended(position, history, ply) {
        return score;
    }
    let state = evaluator.reset(position);
    if let Some(proof) = evaluator.prove(&state, position) {
        return proof.score(ply);
    }
    if depth == 0 {
        return evaluator.evaluate(&state, position);
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut best = -Score::INFINITE;
    for mv in moves {
        let mut after = position.clone();
        after.play(mv);
        history.push(mv, &after);
        best = best.max(-negamax(evaluator, &after, history, depth - 1, ply + 1));
        history.pop();
    }
    best
}

/// Everything off that may change the result.
fn plain() -> SearchSpec {
    let mut spec = SearchSpec::defaults::<Amazons>(SearchKind::AlphaBeta);
    let declared = parameters::<Amazons>(SearchKind::AlphaBeta);
    for part in ["late_move_reductions", "null_move"] {
        spec.parameters.set(&declared, part, 0.0).unwrap();
    }
    spec
}

/// Random positions with few enough moves that negamax reaches depth 3.
fn crowded_positions() -> impl Iterator<Item = (Amazons, History<Amazons>)> {
    let plies = (0..24).map(|seed| (seed, 26 + 2 * (seed as u32 % 6)));
    plies
        .map(|(seed, plies)| random_position(seed, plies, 8))
        .filter(|(position, _)| (2..300).contains(&position.count_moves()))
}

#[test]
fn without_selective_parts_alpha_beta_equals_negamax() {
    let mut spec = plain();
    // With the solver a win may be proven at a smaller depth than the one that finds the
    // shortest; the next test covers that.
    let declared = <Amazons as BuiltIn>::Evaluator::parameters();
    spec.evaluation.set(&declared, "solver", 0.0).unwrap();
    let evaluator = <Amazons as BuiltIn>::Evaluator::from_values(&spec.evaluation);
    let mut compared = 0;
    for (position, mut history) in crowded_positions() {
        for d in 1..=3 {
            if position.count_moves().pow(d) > 400_000 {
                break;
            }
            let found = search_with(&spec, &history, &position, depth(d), 0);
            let expected = negamax(&evaluator, &position, &mut history, d, 0);
            let fen = position.to_fen();
            assert_eq!(found.score, Some(expected), "depth {d}: {fen}");
            compared += 1;
        }
    }
    assert!(compared > 30, "{compared}");
}

#[test]
fn with_proofs_alpha_beta_agrees_with_negamax_on_who_wins() {
    let spec = plain();
    let evaluator = <Amazons as BuiltIn>::Evaluator::from_values(&spec.evaluation);
    for (position, mut history) in crowded_positions() {
        let found = search_with(&spec, &history, &position, depth(2), 0);
        let expected = negamax(&evaluator, &position, &mut history, 2, 0);
        let score = found.score.unwrap();
        let fen = position.to_fen();
        if score.is_proven() {
            assert!(
                expected.is_proven() && (score.0 > 0) == (expected.0 > 0),
                "{fen}"
            );
        } else {
            assert_eq!(score, expected, "{fen}");
        }
    }
}

#[test]
fn a_search_stopped_within_a_depth_returns_the_last_finished_one() {
    let spec = SearchSpec::defaults::<Amazons>(SearchKind::AlphaBeta);
    let (position, history) = random_position(3, 10, 10);
    let whole = search_with(&spec, &history, &position, depth(1), 0);
    let stopped = search_with(&spec, &history, &position, nodes(whole.nodes + 10), 0);
    assert_eq!(
        (stopped.mv, stopped.score, stopped.depth),
        (whole.mv, whole.score, 1)
    );
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let nothing = search_with(&spec, &history, &position, nodes(5), 0);
    assert_eq!(
        (nothing.mv, nothing.score, nothing.depth),
        (moves[0], None, 0)
    );
    assert!(nothing.nodes <= 5 && nothing.searched);
}

#[test]
fn node_limits_are_never_exceeded() {
    let (position, history) = random_position(4, 20, 8);
    for kind in [SearchKind::AlphaBeta, SearchKind::Greedy] {
        let spec = SearchSpec::defaults::<Amazons>(kind);
        for limit in [1, 2, 63, 64, 65, 1000, 5000] {
            let report = search_with(&spec, &history, &position, nodes(limit), 1);
            assert!(
                report.nodes <= limit,
                "{kind:?}: {} of {limit}",
                report.nodes
            );
        }
    }
}

#[test]
fn a_set_stop_flag_and_a_passed_deadline_stop_at_once() {
    let (position, history) = random_position(4, 8, 8);
    let spec = SearchSpec::defaults::<Amazons>(SearchKind::AlphaBeta);
    let mut search = build::<Amazons>(&spec);
    let stop = StopFlag::new();
    let now = std::time::Instant::now();
    let time = Some(TimeLimit {
        start: now,
        deadline: now,
    });
    let limits = SearchLimits {
        time,
        ..SearchLimits::NONE
    };
    let report = search.search(&position, &history, &mut Control::new(limits, &stop));
    assert_eq!((report.depth, report.nodes), (0, 0));
    stop.stop();
    let report = search.search(&position, &history, &mut Control::new(depth(2), &stop));
    assert_eq!((report.depth, report.nodes), (0, 0));
}

#[test]
fn the_same_seed_gives_the_same_game_whatever_was_played_before() {
    for noise in [0.0, 3.0] {
        let mut spec = SearchSpec::defaults::<Amazons>(SearchKind::AlphaBeta);
        let declared = parameters::<Amazons>(SearchKind::AlphaBeta);
        spec.parameters.set(&declared, "root_noise", noise).unwrap();
        let stop = StopFlag::new();
        let play = |search: &mut Box<dyn Search<Amazons>>, seed: u64| {
            search.new_game(seed);
            let (mut position, mut history) = random_position(9, 24, 8);
            let mut found = Vec::new();
            while position.count_moves() > 0 && found.len() < 8 {
                let mut control = Control::new(nodes(3000), &stop);
                let report = search.search(&position, &history, &mut control);
                position.play(report.mv);
                history.push(report.mv, &position);
                found.push((position.to_fen(), report.score, report.nodes, report.depth));
            }
            found
        };
        let mut used = build::<Amazons>(&spec);
        let other = play(&mut used, 2);
        let again = play(&mut used, 1);
        let fresh = play(&mut build::<Amazons>(&spec), 1);
        assert_eq!(again, fresh);
        assert_eq!(other == fresh, noise == 0.0);
    }
}

#[test]
fn a_single_legal_move_is_played_unsearched() {
    let rules = AmazonsRules { size: 8 };
    let fen = "Q1******/********/********/********/********/********/********/******1q w";
    let position = Amazons::from_fen(fen, &rules).unwrap();
    let spec = SearchSpec::defaults::<Amazons>(SearchKind::AlphaBeta);
    let history = History::new(position.clone());
    let report = search_with(&spec, &history, &position, SearchLimits::NONE, 0);
    assert!(!report.searched);
    assert_eq!(report.nodes, 0);
}

#[test]
fn random_and_greedy_choose_legal_moves() {
    let (position, history) = random_position(5, 12, 10);
    for kind in [SearchKind::Random, SearchKind::Greedy] {
        let spec = SearchSpec::defaults::<Amazons>(kind);
        let report = search_with(&spec, &history, &position, SearchLimits::NONE, 3);
        assert!(position.is_legal(report.mv));
    }
}

#[test]
fn each_part_that_is_not_selective_leaves_the_result_alone() {
    let declared = parameters::<Amazons>(SearchKind::AlphaBeta);
    let mut compared = 0;
    for (position, history) in crowded_positions().step_by(3) {
        let limits = match position.count_moves() {
            0..=80 => depth(3),
            _ => depth(2),
        };
        let whole = search_with(&plain(), &history, &position, limits, 0);
        for part in [
            "table",
            "pvs",
            "aspiration",
            "killers",
            "history",
            "rating",
            "fine_sort",
            "quiescence",
            "check_extension",
        ] {
            let mut spec = plain();
            spec.parameters.set(&declared, part, 0.0).unwrap();
            let without = search_with(&spec, &history, &position, limits, 0);
            let fen = position.to_fen();
            assert_eq!(without.score, whole.score, "without {part}: {fen}");
            compared += 1;
        }
    }
    assert!(compared > 30, "{compared}");
}

#[test]
fn selective_parts_choose_legal_moves_and_change_the_search() {
    let declared = parameters::<Amazons>(SearchKind::AlphaBeta);
    let positions: Vec<_> = crowded_positions()
        .filter(|(position, _)| (20..120).contains(&position.count_moves()))
        .take(6)
        .collect();
    let nodes = |spec: &SearchSpec| -> u64 {
        let search = |(position, history): &(Amazons, History<Amazons>)| {
            let report = search_with(spec, history, position, depth(5), 0);
            assert!(position.is_legal(report.mv));
            report.nodes
        };
        positions.iter().map(search).sum()
    };
    let whole = nodes(&plain());
    for part in ["late_move_reductions", "null_move"] {
        let mut spec = plain();
        spec.parameters.set(&declared, part, 1.0).unwrap();
        assert_ne!(nodes(&spec), whole, "{part} is never at work");
    }
}

#[test]
fn bench_has_a_signature() {
    let spec = SearchSpec::defaults::<Amazons>(SearchKind::AlphaBeta);
    let signature = || bench::<Amazons>(&AmazonsRules::default(), &spec, BenchLimit::Depth(2));
    let (one, two) = (signature(), signature());
    assert_eq!((one.nodes, one.statistics), (two.nodes, two.statistics));
    assert!(one.nodes > 0 && one.hit_rate().is_some() && one.cutoff_rate().is_some());
    assert_eq!(one.quiescence_share(), Some(0.0));
}

#[test]
fn the_variation_is_playable() {
    let spec = SearchSpec::defaults::<Amazons>(SearchKind::AlphaBeta);
    let (mut position, history) = random_position(6, 30, 8);
    let report = search_with(&spec, &history, &position, depth(3), 0);
    assert_eq!(report.pv[0], report.mv);
    for mv in report.pv {
        assert!(position.is_legal(mv));
        position.play(mv);
    }
}

/// Searches the positions of a game one after the other, and `watch`es some.
fn searched_game<G: BuiltIn>(limits: SearchLimits, watch: bool) -> Vec<SearchReport<G::Move>> {
    let spec = SearchSpec::defaults::<G>(SearchKind::AlphaBeta);
    let mut search = build::<G>(&spec);
    search.new_game(1);
    let stop = StopFlag::new();
    let mut reports = Vec::new();
    for mut position in G::bench_positions().into_iter().skip(2).step_by(3) {
        let mut history = History::new(position.clone());
        for _ in 0..3 {
            if position.outcome(&history).is_some() {
                break;
            }
            let mut control = Control::new(limits, &stop);
            let options = TraceOptions { plies: 3, steps: 2 };
            let report = if watch {
                let (report, trace) = search.trace(&position, &history, &mut control, options);
                check_trace(&trace.expect("alpha-beta has a tree"), &report);
                report
            } else {
                search.search(&position, &history, &mut control)
            };
            position.play(report.mv);
            history.push(report.mv, &position);
            reports.push(report);
        }
    }
    reports
}

/// What a trace says must add up to what the search reports.
fn check_trace<M: Copy + PartialEq + Debug>(trace: &Trace<M>, report: &SearchReport<M>) {
    let nodes: u64 = trace.rounds.iter().map(|round| round.nodes).sum();
    assert_eq!(nodes, report.nodes);
    for round in &trace.rounds {
        let of_steps: u64 = round.branches.steps.iter().map(|step| step.nodes).sum();
        assert_eq!(of_steps + round.branches.left_out_nodes, round.nodes);
        check_branches(&round.branches);
    }
    let best = |step: &&Step<M>| step.value == report.score && step.mv == Some(report.mv);
    if let Some(last) = trace.rounds.last()
        && last.depth > report.depth
        && last.branches.steps.iter().any(|step| best(&step))
    {
        // In the depth that the limits ended, a move was found that is better.
        assert_eq!(last.depth, report.depth + 1);
    } else if let Some(last) = trace.rounds.iter().rfind(|round| round.is_exact()) {
        assert_eq!(last.score, report.score);
        assert_eq!(last.depth, report.depth);
        assert!(
            last.branches.steps.iter().any(|step| best(&step)),
            "{report:?}"
        );
    }
}

fn check_branches<M: Copy + PartialEq + Debug>(branches: &Branches<M>) {
    let numbers: Vec<usize> = branches.steps.iter().map(|step| step.number).collect();
    assert!(numbers.is_sorted(), "{numbers:?}");
    for step in &branches.steps {
        let below = &step.branches;
        let of_steps: u64 = below.steps.iter().map(|step| step.nodes).sum();
        assert!(of_steps + below.left_out_nodes <= step.nodes);
        assert_eq!(step.value.is_none(), step.end.is_none(), "{step:?}");
        if let (Some(End::Cutoff { by }), Some(last)) = (step.end, below.steps.last()) {
            // Seen from the other side, the step's lower bound is the upper one of its replies.
            let refuted = last.value.is_some_and(|value| value >= -step.alpha);
            assert!(last.number == by && refuted, "{step:?}");
        }
        check_branches(below);
    }
}

#[test]
fn a_search_that_is_watched_is_the_same_search() {
    fn check<G: BuiltIn>() {
        for limits in [depth(3), nodes(4000), nodes(70)] {
            let [alone, watched] = [false, true].map(|watch| searched_game::<G>(limits, watch));
            assert!(alone.len() > 3, "{}", alone.len());
            for (alone, watched) in alone.iter().zip(&watched) {
                assert_eq!(format!("{alone:?}"), format!("{watched:?}"));
            }
            assert_eq!(alone.len(), watched.len());
        }
    }
    check::<Amazons>();
    check::<crate::games::gomoku::Gomoku>();
}
