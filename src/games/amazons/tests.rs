//! The rules and their text against Fairy-Stockfish's counts and against themselves.

use proptest::prelude::*;
use rayon::prelude::*;

use super::*;
use crate::perft::{Leaves, perft};
use crate::search::{Control, Random, Search, SearchLimits, StopFlag};

/// The positions of a random game, the end included.
pub(super) fn random_game(seed: u64, size: u8) -> Vec<Amazons> {
    let mut random = Random::new();
    Search::<Amazons>::new_game(&mut random, seed);
    let stop = StopFlag::new();
    let mut position = Amazons::start(&AmazonsRules { size });
    let mut history = History::new(position.clone());
    let mut positions = vec![position.clone()];
    while position.outcome(&history).is_none() {
        let mut control = Control::new(SearchLimits::NONE, &stop);
        let mv = random.search(&position, &history, &mut control).mv;
        position.play(mv);
        history.push(mv, &position);
        positions.push(position.clone());
    }
    positions
}

#[test]
fn perft_meets_every_row_of_fairy_stockfish() {
    let text = include_str!("../../../tests/perft/amazons.csv");
    let mut rows = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(text.as_bytes());
    let rows: Vec<_> = rows.records().map(|row| row.unwrap()).collect();
    assert_eq!(rows.len(), 207);
    rows.par_iter().for_each(|row| {
        let position = Amazons::from_fen(&row[3], &AmazonsRules::default()).unwrap();
        assert_eq!(position.to_fen(), row[3]);
        let depth = row[4].parse().unwrap();
        let nodes: u64 = row[5].parse().unwrap();
        assert_eq!(perft(&position, depth, Leaves::Counted), nodes, "{row:?}");
        if nodes < 100_000 {
            assert_eq!(perft(&position, depth, Leaves::Made), nodes, "{row:?}");
        }
    });
}

#[test]
fn start_positions_are_those_of_the_rules() {
    let ten = Amazons::start(&AmazonsRules { size: 10 });
    let fen = "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1";
    assert_eq!(ten.to_fen(), fen);
    let eight = Amazons::start(&AmazonsRules { size: 8 });
    let fen = "2q2q2/8/q6q/8/8/Q6Q/8/2Q2Q2 w - - 0 1";
    assert_eq!(eight.to_fen(), fen);
    assert!(Amazons::check_rules(&AmazonsRules { size: 9 }).is_err());
    assert!(size_of::<Amazons>() <= 96);
}

#[test]
fn moves_read_and_write_as_in_fairy_stockfish() {
    let mut position = Amazons::start(&AmazonsRules::default());
    let mv = position.parse_move("d1d7,d7g7").unwrap();
    assert_eq!(position.format_move(mv), "d1d7,d7g7");
    position.play(mv);
    let fen = "3q2q3/10/10/q2Q2*2q/10/10/Q8Q/10/10/6Q3 b - - 1 1";
    assert_eq!(position.to_fen(), fen);
    let mv = position.parse_move("d10d8,d8d10").unwrap();
    position.play(mv);
    assert!(position.to_fen().ends_with(" w - - 2 2"));
    for illegal in ["d1d7,d7g7", "d7d8,d8d9", "j4j7,j7j8"] {
        let error = position.parse_move(illegal).unwrap_err();
        assert!(matches!(error, NotationError::Illegal { .. }), "{error}");
    }
    for wrong in [
        "",
        "d1",
        "d1d7",
        "d1d7,d6g7",
        "d1d1,d1d2",
        "d01d2,d2d3",
        "d1d11,d11d2",
    ] {
        let error = position.parse_move(wrong).unwrap_err();
        assert!(matches!(error, NotationError::Move { .. }), "{error}");
    }
}

#[test]
fn fens_may_leave_counters_out_and_must_fit_the_board() {
    let rules = AmazonsRules::default();
    let board = "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3";
    for rest in ["w", "w -", "w - -", "w - - 0", "w - - 0 1"] {
        let position = Amazons::from_fen(&format!("{board} {rest}"), &rules).unwrap();
        assert_eq!(position, Amazons::start(&rules));
    }
    for rest in [
        "",
        "x",
        "w KQ",
        "w - - x",
        "w - - 0 1 2",
        "w - - -1 1",
        "w - - +1 1",
    ] {
        assert!(
            Amazons::from_fen(&format!("{board} {rest}"), &rules).is_err(),
            "{rest}"
        );
    }
    for wrong in [
        "2q2q2/8/q6q/8/8/Q6Q/8/2Q2Q2 w",
        "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q2 w",
        "3q2q3/10/10/q8q/10/11/Q8Q/10/10/3Q2Q3 w",
        "3q2q3/10/10/q8q/10/010/Q8Q/10/10/3Q2Q3 w",
        "3q2q3/10/10/q8q/10/9k/Q8Q/10/10/3Q2Q3 w",
        "3q2q3/10/10/q8q/10/9q/Q8Q/10/10/3Q2Q3 w",
        "10/10/10/10/10/10/Q8Q/10/10/3Q2Q3 w",
    ] {
        assert!(Amazons::from_fen(wrong, &rules).is_err(), "{wrong}");
    }
    let one_each = Amazons::from_fen("q9/10/10/10/10/10/10/10/10/9Q b", &rules).unwrap();
    assert!(one_each.count_moves() > 0);
}

#[test]
fn the_side_without_a_move_has_lost() {
    for seed in 0..10 {
        let positions = random_game(seed, 8);
        let last = positions.last().unwrap();
        let outcome = last.outcome(&History::new(last.clone())).unwrap();
        assert_eq!(
            outcome,
            Outcome::win(last.side_to_move().other(), "no_moves")
        );
        assert_eq!(last.count_moves(), 0);
        assert!(positions.len() <= 64 - 8 + 1);
    }
}

#[test]
fn keys_texts_and_counts_agree_along_random_games() {
    for (seed, size) in [(1, 10), (2, 8)] {
        let rules = AmazonsRules { size };
        let mut moves = Vec::new();
        for position in random_game(seed, size) {
            let read = Amazons::from_fen(&position.to_fen(), &rules).unwrap();
            assert_eq!(read, position);
            assert_eq!(read.symmetry_key(), position.symmetry_key());
            moves.clear();
            position.legal_moves(&mut moves);
            assert_eq!(moves.len() as u64, position.count_moves());
            for &mv in moves.iter().step_by(37) {
                assert!(position.is_legal(mv));
                let text = position.format_move(mv);
                assert_eq!(position.parse_move(&text).unwrap(), mv);
            }
        }
    }
}

#[test]
fn symmetric_positions_share_their_symmetry_key() {
    let position = random_game(7, 10).swap_remove(9);
    let (board, rest) = position
        .to_fen()
        .split_once(' ')
        .map(|(b, r)| (b.to_owned(), r.to_owned()))
        .unwrap();
    let upside_down: Vec<&str> = board.split('/').rev().collect();
    let mirrored = format!("{} {rest}", upside_down.join("/"));
    let mirrored = Amazons::from_fen(&mirrored, &AmazonsRules::default()).unwrap();
    assert_ne!(mirrored.key(), position.key());
    assert_eq!(mirrored.symmetry_key(), position.symmetry_key());
    let other_side = Amazons {
        side: position.side.other(),
        ..position.clone()
    };
    let other_side = Amazons::from_fen(&other_side.to_fen(), &AmazonsRules::default()).unwrap();
    assert_ne!(other_side.symmetry_key(), position.symmetry_key());
}

proptest! {
    #[test]
    fn no_text_makes_the_parsers_panic(text in ".{0,80}", board in "[1-90Qq*/ wb-]{0,120}") {
        let position = Amazons::start(&AmazonsRules::default());
        for text in [&text, &board] {
            let _ = position.parse_move(text);
            for size in [8, 10] {
                if let Ok(read) = Amazons::from_fen(text, &AmazonsRules { size }) {
                    prop_assert_eq!(Amazons::from_fen(&read.to_fen(), &AmazonsRules { size }), Ok(read));
                }
            }
        }
    }

    #[test]
    fn no_move_text_makes_the_parser_panic(text in "[a-k0-9,é]{0,12}") {
        let _ = Amazons::start(&AmazonsRules::default()).parse_move(&text);
    }

    #[test]
    fn only_listed_moves_are_legal(packed in any::<u32>(), seed in 0u64..20, ply in 0usize..40) {
        let mut moves = Vec::new();
        let positions = random_game(seed, 8);
        let position = &positions[ply.min(positions.len() - 1)];
        position.legal_moves(&mut moves);
        for packed in [packed, packed & 0x1f_ffff] {
            if let Some(mv) = Move::from_packed(packed) {
                prop_assert_eq!(position.is_legal(mv), moves.contains(&mv));
            }
        }
    }
}

/// The reference is a single slow implementation; every term of it agrees with ours.
#[test]
fn evaluation_terms_agree_with_an_independent_implementation() {
    use super::distance::{KingTerms, QueenTerms};
    use super::mobility::{ALPHA_UNIT, Mobility};

    let text = include_str!("../../../tests/data/amazons_eval_terms.csv");
    let mut rows = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(text.as_bytes());
    for row in rows.records() {
        let row = row.unwrap();
        let position = Amazons::from_fen(&row[1], &AmazonsRules::default()).unwrap();
        let state = Mobility::new(&position);
        let queen = QueenTerms::new(state.reach(), position.empty);
        let king = KingTerms::new(position.amazons, position.empty);
        let empties = position.empty.count_ones();
        let counts = [
            empties,
            queen.first.count_ones(),
            queen.second.count_ones(),
            queen.ties,
            empties - queen.first.count_ones() - queen.second.count_ones() - queen.ties,
            king.first.count_ones(),
            king.second.count_ones(),
            king.ties,
            empties - king.first.count_ones() - king.second.count_ones() - king.ties,
        ];
        for (index, count) in counts.iter().enumerate() {
            assert_eq!(count.to_string(), row[2 + index], "column {index}: {row:?}");
        }
        for (value, column) in [(queen.c1, 11), (king.c2, 12), (queen.w, 13)] {
            let expected: f64 = row[column].parse().unwrap();
            assert!(
                (value - expected).abs() < 1e-5,
                "{value}, column {column}: {row:?}"
            );
        }
        for side in 0..2 {
            let alphas: Vec<f64> = row[14 + side]
                .split(' ')
                .map(|a| a.parse().unwrap())
                .collect();
            assert_eq!(alphas.len(), state.of(side).len());
            for (amazon, expected) in state.of(side).iter().zip(alphas) {
                let alpha = f64::from(amazon.alpha) / f64::from(ALPHA_UNIT);
                assert!((alpha - expected).abs() < 1e-5, "{alpha}: {row:?}");
            }
            let steps: u32 = state.of(side).iter().map(|a| a.reach.count_ones()).sum();
            assert_eq!(steps.to_string(), row[16 + side], "{row:?}");
        }
    }
}

#[test]
fn a_slow_second_implementation_agrees() {
    for size in [10, 8] {
        let report = crate::verify::verify::<Amazons>(&AmazonsRules { size }, 200, 1).unwrap();
        assert_eq!(report.positions, 200);
        assert!(report.moves > 10_000 && report.games > 1);
    }
}

#[test]
fn key_positions_are_legal_and_explained() {
    let rules = AmazonsRules::default();
    let text = include_str!("../../../openings/amazons-key.txt");
    let mut names = std::collections::BTreeSet::new();
    let mut before = "";
    for line in text.lines() {
        let comment = line.starts_with('#');
        if !comment
            && let [name, fen, moves] = line.split('|').map(str::trim).collect::<Vec<_>>()[..]
        {
            assert!(before.starts_with('#') && names.insert(name), "{line}");
            let mut position = match fen {
                "start" => Amazons::start(&rules),
                _ => Amazons::from_fen(fen, &rules).unwrap(),
            };
            for mv in moves.split_whitespace() {
                position.play(position.parse_move(mv).unwrap());
            }
            assert!(position.count_moves() > 0, "{line}");
        }
        before = line;
    }
    assert!(names.len() >= 30, "{}", names.len());
}
