//! The one search where it meets what only this game has: checks, captures, passes that are
//! good, and positions that come back.

use super::*;
use crate::params::Tunable;
use crate::search::{
    Branches, Control, Evaluator, Random, Score, Search, SearchLimits, SearchReport, SearchSpec,
    StopFlag, TraceOptions, build, parameters,
};

/// The default search without some of its switches.
fn without(parts: &[&str]) -> SearchSpec {
    let mut spec = SearchSpec::defaults::<Xiangqi>(SearchKind::AlphaBeta);
    let declared = parameters::<Xiangqi>(SearchKind::AlphaBeta);
    for part in parts {
        spec.parameters.set(&declared, part, 0.0).expect(part);
    }
    spec
}

/// What makes a search something other than negamax to its depth.
const SELECTIVE: [&str; 4] = [
    "late_move_reductions",
    "null_move",
    "quiescence",
    "check_extension",
];

fn depth(depth: u32) -> SearchLimits {
    SearchLimits {
        depth,
        ..SearchLimits::NONE
    }
}

type Searching = Box<dyn Search<Xiangqi>>;

fn ask(
    search: &mut Searching,
    history: &History<Xiangqi>,
    limits: SearchLimits,
) -> SearchReport<Move> {
    let position = last(history);
    let stop = StopFlag::new();
    search.search(&position, history, &mut Control::new(limits, &stop))
}

/// The position that a history ends with.
fn last(history: &History<Xiangqi>) -> Xiangqi {
    let mut position = history.start().clone();
    for mv in history.moves() {
        position.play(*mv);
    }
    position
}

fn push(history: &mut History<Xiangqi>, mv: Move) {
    let mut position = last(history);
    position.play(mv);
    history.push(mv, &position);
}

fn line(fen: &str, moves: &str) -> History<Xiangqi> {
    let mut history = History::new(read(fen));
    for text in moves.split_whitespace() {
        let mv = last(&history).parse_move(text).expect(text);
        push(&mut history, mv);
    }
    history
}

/// A game of random moves that goes on.
fn random_game(start: &Xiangqi, plies: u32, seed: u64) -> History<Xiangqi> {
    let mut random = Random::new();
    Search::<Xiangqi>::new_game(&mut random, seed);
    let stop = StopFlag::new();
    let mut history = History::new(start.clone());
    for _ in 0..plies {
        let mut control = Control::new(SearchLimits::NONE, &stop);
        let mv = random.search(&last(&history), &history, &mut control).mv;
        push(&mut history, mv);
        if last(&history).outcome(&history).is_some() {
            history.pop();
            break;
        }
    }
    history
}

/// The value of the last position by the definition.
fn negamax(
    evaluator: &PieceSquares,
    history: &mut History<Xiangqi>,
    position: &Xiangqi,
    root: usize,
    depth: u32,
) -> Score {
    let ply = u32::try_from(history.plies() - root).expect("few");
    let result = |winner: Option<Side>| match winner {
        None => Score::ZERO,
        Some(winner) if winner == position.side => Score::win_in(ply),
        Some(_) => Score::loss_in(ply),
    };
    if ply > 0 {
        if let Some(found) = position.repetition(history, root) {
            let Score(score) = result(found.winner);
            let most = Score::HEURISTIC_MAX.0;
            return match found.ends {
                true => Score(score),
                false => Score(score.clamp(-most, most)),
            };
        }
        if let Some(outcome) = position.outcome(history) {
            return result(outcome.winner);
        }
    }
    if depth == 0 {
        return evaluator.evaluate(&evaluator.reset(position), position);
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut best = -Score::INFINITE;
    for mv in moves {
        let mut after = position.clone();
        after.play(mv);
        history.push(mv, &after);
        best = best.max(-negamax(evaluator, history, &after, root, depth - 1));
        history.pop();
    }
    best
}

fn by_definition(spec: &SearchSpec, history: &History<Xiangqi>, depth: u32) -> Score {
    let evaluator = PieceSquares::from_values(&spec.evaluation);
    let root = history.plies();
    negamax(
        &evaluator,
        &mut history.clone(),
        &last(history),
        root,
        depth,
    )
}

/// Endings with few moves, in which much comes back.
const ENDINGS: [&str; 6] = [
    "3ak4/4a4/9/9/9/9/9/9/C8/2R1K4 w - - 0 1",
    "3k5/9/9/9/9/9/9/4n4/9/3RK4 b - - 0 1",
    "4k4/9/9/4c4/4P4/9/9/4B4/9/2B1K4 w - - 0 1",
    "3k5/4P4/9/9/9/9/9/9/3p5/4K4 w - - 0 1",
    "4k4/9/4c4/9/4r4/4R4/9/4C4/9/4K4 w - - 0 1",
    "3k1a3/4r4/9/9/6N2/9/9/9/4A4/3AK4 w - - 0 1",
];

#[test]
fn without_selective_parts_the_search_is_negamax() {
    let spec = without(&SELECTIVE);
    let start = Xiangqi::start(&XiangqiRules::default());
    let mut games: Vec<History<Xiangqi>> = (0..8)
        .map(|seed| random_game(&start, 10 + 12 * seed as u32, seed))
        .collect();
    for (number, fen) in ENDINGS.iter().enumerate() {
        let seeds = (0..4_u64).map(|seed| 10 * number as u64 + seed);
        games.extend(seeds.map(|seed| random_game(&read(fen), 3 * (seed as u32 % 4), seed)));
    }
    let mut compared = 0;
    for history in games {
        let moves = last(&history).count_moves();
        for d in 1..=3 {
            if moves < 2 || moves.pow(d) > 60_000 {
                break;
            }
            let mut search = build::<Xiangqi>(&spec);
            let found = ask(&mut search, &history, depth(d)).score;
            let fen = last(&history).to_fen();
            // A win that is proven ends the search before its last depth.
            let expected = (1..=d)
                .map(|d| by_definition(&spec, &history, d))
                .find(|score| score.is_proven());
            let expected = expected.unwrap_or_else(|| by_definition(&spec, &history, d));
            assert_eq!(found, Some(expected), "depth {d}: {fen}");
            compared += 1;
        }
    }
    assert!(compared > 60, "{compared}");
}

#[test]
fn in_the_tree_the_second_occurrence_counts_and_before_it_the_third() {
    let checks = "a1a10 d10d9 a10a9 d9d10 a9a10";
    let fen = "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1";
    let found = |moves: &str, root| {
        let history = line(fen, moves);
        let found = last(&history).repetition(&history, root);
        found.map(|found| (found.winner, found.first))
    };
    let black = Some(Side::Second);
    // Red has checked with every move since ply 1.
    assert_eq!(found(checks, 0), Some((black, 1)));
    assert_eq!(found(checks, 1), Some((black, 1)));
    assert_eq!(found(checks, 2), None);
    let twice = format!("{checks} d10d9 a10a9 d9d10 a9a10");
    assert_eq!(found(&twice, 9), Some((black, 1)));
    assert_eq!(found(&twice, 4), Some((black, 5)));
    // A chariot that does not check all the time.
    let quiet = "a1a10 d10d9 a10a8 d9d10 a8a10";
    assert_eq!(found(quiet, 0), Some((None, 1)));
    assert_eq!(found(quiet, 3), None);
}

#[test]
fn a_mate_has_its_length_whichever_parts_are_on() {
    let mut tried = 0;
    for (number, fen) in [
        "3k5/9/R8/1R7/9/9/9/9/9/5K3 w - - 0 1",
        "3ak4/9/9/9/3N5/9/R8/9/9/3K5 w - - 0 1",
        "3aka3/9/9/9/4C4/9/9/2N6/R8/3K5 w - - 0 1",
    ]
    .into_iter()
    .enumerate()
    {
        for seed in 0..40 {
            let history = random_game(
                &read(fen),
                2 * (seed % 5),
                100 * number as u64 + u64::from(seed),
            );
            let plain = without(&SELECTIVE);
            // A win in three plies, and none in one.
            if by_definition(&plain, &history, 3) != Score::win_in(3) {
                continue;
            }
            tried += 1;
            for parts in [
                &[][..],
                &["quiescence"],
                &["null_move"],
                &["mate_distance"],
                &["check_extension"],
                &["late_move_reductions"],
                &["table"],
                &["quiescence", "null_move", "mate_distance"],
                &SELECTIVE,
            ] {
                let mut search = build::<Xiangqi>(&without(parts));
                let found = ask(&mut search, &history, depth(6));
                let place = format!("without {parts:?}: {}", last(&history).to_fen());
                assert_eq!(found.score, Some(Score::win_in(3)), "{place}");
            }
        }
    }
    assert!(tried >= 10, "{tried}");
}

/// Counts the passes below a node, and looks at where each was made.
fn passes(branches: &Branches<Move>, position: &Xiangqi, after_pass: bool) -> u32 {
    let mut count = 0;
    for step in &branches.steps {
        let after = match step.mv {
            Some(mv) => {
                let mut after = position.clone();
                after.play(mv);
                after
            }
            None => {
                let fen = position.to_fen();
                count += 1;
                assert!(!after_pass, "two passes in a row: {fen}");
                assert!(!position.in_check(), "a pass in check: {fen}");
                position
                    .pass()
                    .unwrap_or_else(|| panic!("a pass in the ending: {fen}"))
            }
        };
        count += passes(&step.branches, &after, step.mv.is_none());
    }
    count
}

/// The passes in a search to depth 5.
fn passes_in(fen: &str, spec: &SearchSpec) -> u32 {
    let position = read(fen);
    let history = History::new(position.clone());
    let stop = StopFlag::new();
    let mut control = Control::new(depth(5), &stop);
    let options = TraceOptions {
        plies: 5,
        steps: usize::MAX,
    };
    let mut search = build::<Xiangqi>(spec);
    let (_, trace) = search.trace(&position, &history, &mut control, options);
    let rounds = trace.expect("alpha-beta has a tree").rounds;
    let of_round = |round| passes(round, &position, false);
    rounds.iter().map(|round| of_round(&round.branches)).sum()
}

#[test]
fn nobody_passes_in_check_in_the_ending_or_twice() {
    let found: Vec<u32> = bench::FENS
        .iter()
        .map(|fen| passes_in(fen, &without(&[])))
        .collect();
    assert!(
        found.iter().filter(|count| **count > 0).count() >= 4,
        "{found:?}"
    );
    let off: u32 = bench::FENS
        .iter()
        .map(|fen| passes_in(fen, &without(&["null_move"])))
        .sum();
    assert_eq!(off, 0);
    // One strong piece each, and pawns.
    let ending = "3k5/4a4/9/p3p4/9/2r6/P3P4/2R6/4A4/4K4 w - - 0 1";
    assert_eq!(passes_in(ending, &without(&[])), 0);
}

#[test]
fn in_check_nobody_stands_pat() {
    // The horse checks on f8 and takes the chariot next; as things stand Black is better.
    let history = line("4k4/9/9/7r1/6N2/9/9/9/9/3K5 w - - 0 1", "");
    let score = |parts: &[&str]| {
        let mut search = build::<Xiangqi>(&without(parts));
        let found = ask(&mut search, &history, depth(1));
        (
            last(&history).format_move(found.mv),
            found.score.expect("a score").0,
        )
    };
    let (mv, value) = score(&["check_extension"]);
    assert_eq!(mv, "g6f8");
    assert!(value > 200, "{value}");
    let (_, value) = score(&["check_extension", "quiescence"]);
    assert!(value < -200, "{value}");
}

#[test]
fn what_holds_on_one_path_is_not_found_by_another() {
    let spec = without(&SELECTIVE);
    let (mut compared, mut differ) = (0, 0);
    for (number, fen) in ENDINGS.iter().enumerate() {
        for seed in 0..30 {
            let place = last(&random_game(
                &read(fen),
                seed % 4,
                50 * number as u64 + u64::from(seed),
            ));
            let Some(there) = to_and_fro(&place, u64::from(seed)) else {
                continue;
            };
            let now = last(&there);
            if now.count_moves() < 2 {
                continue;
            }
            let afresh = History::new(now.clone());
            let fresh = ask(&mut build::<Xiangqi>(&spec), &afresh, depth(3)).score;
            let mut search = build::<Xiangqi>(&spec);
            let with_history = ask(&mut search, &there, depth(3)).score;
            assert_eq!(
                with_history,
                Some(by_definition_deepened(&spec, &there)),
                "{}",
                now.to_fen()
            );
            let again = ask(&mut search, &afresh, depth(3)).score;
            assert_eq!(again, fresh, "{}", now.to_fen());
            compared += 1;
            differ += u32::from(with_history != fresh);
        }
    }
    assert!(compared > 60 && differ > 5, "{compared} {differ}");
}

/// The value to depth 3, or that of the first depth that proves one.
fn by_definition_deepened(spec: &SearchSpec, history: &History<Xiangqi>) -> Score {
    let values = (1..=3).map(|d| by_definition(spec, history, d));
    let values: Vec<Score> = values.collect();
    let proven = values.iter().find(|score| score.is_proven());
    *proven.unwrap_or(&values[2])
}

/// A game in which both sides have gone to and fro, and once more up to where each has to come
/// back only: the third occurrence is two plies away.
fn to_and_fro(place: &Xiangqi, seed: u64) -> Option<History<Xiangqi>> {
    let back = |mv: Move| Move {
        from: mv.to,
        to: mv.from,
    };
    let mut place = place.clone();
    place.plies_since_capture = 0;
    let mut history = History::new(place);
    let mut pair = Vec::new();
    for ply in 0..2 {
        let position = last(&history);
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        moves.retain(|mv| position.board.at(mv.to) == Piece::NONE);
        let index = (seed * 7 + ply * 3) % moves.len().max(1) as u64;
        let mv = *moves.get(usize::try_from(index).ok()?)?;
        push(&mut history, mv);
        pair.push(mv);
    }
    let [own, other] = pair[..] else { return None };
    for mv in [back(own), back(other), own, other] {
        let position = last(&history);
        if !position.is_legal(mv) || position.outcome(&history).is_some() {
            return None;
        }
        push(&mut history, mv);
    }
    last(&history)
        .outcome(&history)
        .is_none()
        .then_some(history)
}

/// Who goes back to where the game has been, whenever that is legal, must not be let go once a win
/// has been announced: each search has one that comes in time.
#[test]
fn a_win_that_is_announced_comes_in_time() {
    for (fen, nodes) in [
        ("2b3R2/3k5/4b4/9/9/9/9/9/3C5/3K5 w - - 0 1", 60_000),
        ("6b2/8P/3kb4/9/9/9/9/9/9/N3K4 w - - 0 1", 60_000),
        ("2Pa1a3/4k2P1/6P2/9/9/9/9/5K3/9/9 w - - 0 1", 60_000),
        ("3k1a3/4r4/9/9/6N2/9/9/4R4/4A4/3AK4 w - - 0 1", 20_000),
    ] {
        for seed in 0..4 {
            let mut search = build::<Xiangqi>(&without(&[]));
            search.new_game(1);
            let mut random = Random::new();
            Search::<Xiangqi>::new_game(&mut random, seed);
            let mut history = History::new(read(fen));
            let mut due: Option<u32> = None;
            let outcome = loop {
                let position = last(&history);
                if let Some(outcome) = position.outcome(&history) {
                    break Some(outcome);
                }
                if history.plies() >= 60 {
                    break None;
                }
                let limits = SearchLimits {
                    nodes,
                    ..SearchLimits::NONE
                };
                let mv = if position.side == Side::First {
                    let report = ask(&mut search, &history, limits);
                    let found = report.score.filter(|score| *score >= Score::PROVEN);
                    let plies = found.and_then(Score::plies_to_end);
                    let in_time = due.is_none_or(|due| plies.is_some_and(|plies| plies <= due));
                    assert!(
                        in_time || !report.searched,
                        "{fen} {seed}: {due:?} {report:?}"
                    );
                    due = plies.or(due);
                    report.mv
                } else {
                    let mut moves = Vec::new();
                    position.legal_moves(&mut moves);
                    let comes_back = |mv: &&Move| {
                        let mut after = position.clone();
                        after.play(**mv);
                        history.keys().contains(&after.key)
                    };
                    let back = moves.iter().find(comes_back).copied();
                    let stop = StopFlag::new();
                    let mut control = Control::new(limits, &stop);
                    back.unwrap_or_else(|| random.search(&position, &history, &mut control).mv)
                };
                push(&mut history, mv);
                due = due.map(|due| due.saturating_sub(1));
            };
            if due.is_some() {
                let winner = outcome.and_then(|outcome| outcome.winner);
                assert_eq!(winner, Some(Side::First), "{fen} {seed}");
            }
        }
    }
}
