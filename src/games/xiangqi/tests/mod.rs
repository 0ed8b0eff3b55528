//! The rules and their text against other programs' counts and verdicts, and against themselves.

mod book;
mod repetition;
mod search;
mod text;

use proptest::prelude::*;
use rayon::prelude::*;

use super::*;
use crate::perft::{Leaves, perft};
use crate::verify::verify;

fn read(fen: &str) -> Xiangqi {
    Xiangqi::from_fen(fen, &XiangqiRules::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn moves_of(position: &Xiangqi) -> BTreeSet<String> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves.iter().map(|mv| position.format_move(*mv)).collect()
}

fn end_of(position: &Xiangqi) -> Option<Outcome> {
    position.outcome(&History::new(position.clone()))
}

/// Where the piece on a square goes.
fn goes(fen: &str, from: &str) -> String {
    let moves = moves_of(&read(fen));
    let targets = moves.iter().filter_map(|mv| mv.strip_prefix(from));
    targets.collect::<Vec<_>>().join(" ")
}

fn rows(text: &'static str) -> Vec<csv::StringRecord> {
    let mut rows = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(text.as_bytes());
    rows.records().map(|row| row.expect("a row")).collect()
}

/// The rows of perft with so many nodes.
fn meets_perft(nodes: impl Fn(u64) -> bool) -> usize {
    let mut rows = rows(include_str!("../../../../tests/perft/xiangqi.csv"));
    rows.retain(|row| nodes(row[5].parse().expect("nodes")));
    rows.par_iter().for_each(|row| {
        let position = read(&row[3]);
        assert_eq!(position.to_fen(), row[3]);
        let depth = row[4].parse().expect("a depth");
        let nodes: u64 = row[5].parse().expect("nodes");
        assert_eq!(perft(&position, depth, Leaves::Counted), nodes, "{row:?}");
        if nodes < 10_000 {
            assert_eq!(perft(&position, depth, Leaves::Made), nodes, "{row:?}");
        }
    });
    rows.len()
}

#[test]
fn perft_meets_an_independent_count() {
    assert_eq!(meets_perft(|nodes| nodes <= 500_000), 215);
}

#[test]
#[ignore = "takes seconds in a release build, a minute in a debug one"]
fn perft_meets_an_independent_count_of_millions() {
    assert_eq!(meets_perft(|nodes| nodes > 500_000), 4);
}

#[test]
fn positions_are_judged_as_by_other_programs() {
    let rows = rows(include_str!("../../../../tests/data/xiangqi_rules.csv"));
    assert_eq!(rows.len(), 33);
    for row in rows {
        let position = read(&row[2]);
        let expected: BTreeSet<String> = row[6].split_whitespace().map(String::from).collect();
        assert_eq!(moves_of(&position), expected, "{row:?}");
        assert_eq!(position.in_check(), &row[4] == "1", "{row:?}");
        let ended = match &row[3] {
            "ongoing" => None,
            lost => Some(Outcome::win(position.side.other(), lost)),
        };
        assert_eq!(end_of(&position), ended, "{row:?}");
    }
}

#[test]
fn pieces_go_as_the_rules_say() {
    for (fen, from, to) in [
        // The general stays in the palace and out of the other's sight.
        ("3k5/9/9/9/9/9/9/9/9/4K4 w", "e1", "e2 f1"),
        ("3k5/9/9/9/9/9/9/5K3/9/9 w", "f3", "e3 f2"),
        // Advisers go along the palace's diagonals.
        ("3k5/9/9/9/9/9/9/9/4A4/5K3 w", "e2", "d1 d3 f3"),
        ("3k5/9/9/9/9/9/9/3A5/9/5K3 w", "d3", "e2"),
        // Elephants keep to their side of the river, and need their eyes.
        ("3k5/9/9/9/9/2B6/9/9/9/5K3 w", "c5", "a3 e3"),
        ("3k5/9/9/9/9/2B6/3p5/9/9/5K3 w", "c5", "a3"),
        ("3k5/9/9/9/2b6/9/9/9/9/5K3 b", "c6", "a8 e8"),
        // A piece of either side holds a horse's leg.
        (
            "3k5/9/9/9/9/9/4N4/9/9/5K3 w",
            "e4",
            "c3 c5 d2 d6 f2 f6 g3 g5",
        ),
        ("3k5/9/9/9/9/4P4/4Np3/9/9/5K3 w", "e4", "c3 c5 d2 f2"),
        // A cannon takes over exactly one piece, its own side's too, and goes over none.
        (
            "3k5/9/9/9/r8/P8/C8/9/9/5K3 w",
            "a4",
            "a1 a2 a3 a6 b4 c4 d4 e4 f4 g4 h4 i4",
        ),
        (
            "3k5/9/r8/p8/9/P8/C1R2p1r1/9/9/5K3 w",
            "a4",
            "a1 a2 a3 a7 b4 f4",
        ),
        // Pawns go sideways when they have crossed, and never back.
        ("3k5/9/9/9/9/P8/9/9/9/5K3 w", "a5", "a6"),
        ("3k5/9/9/9/1P7/9/9/9/9/5K3 w", "b6", "a6 b7 c6"),
        ("3k3P1/9/9/9/9/9/9/9/9/5K3 w", "h10", "g10 i10"),
        ("3k5/9/9/9/8p/9/9/9/9/5K3 b", "i6", "i5"),
        ("3k5/9/9/9/9/8p/9/9/9/5K3 b", "i5", "h5 i4"),
        ("3k5/9/9/9/9/9/9/9/9/p4K3 b", "a1", "b1"),
    ] {
        assert_eq!(goes(fen, from), to, "{from} in {fen}");
    }
}

#[test]
fn no_move_exposes_its_own_general() {
    for (fen, from, to) in [
        // Alone between the generals.
        ("4k4/9/9/9/9/4N4/9/9/9/4K4 w", "e5", ""),
        ("4k4/9/9/9/4P4/9/9/9/9/4K4 w", "e6", "e7"),
        // One of a cannon's two screens.
        ("3k5/9/4c4/4P4/4P4/9/9/9/9/4K4 w", "e7", "e8"),
        ("3k5/9/4c4/4P4/4P4/9/9/9/9/4K4 w", "e6", ""),
        // Nobody may become the screen of a bare cannon.
        (
            "3k5/4c4/9/9/9/9/9/9/R8/4K4 w",
            "a2",
            "a1 a10 a3 a4 a5 a6 a7 a8 a9 b2 c2 d2 f2 g2 h2 i2",
        ),
        // The leg of a horse that would give check.
        ("5k3/9/9/9/9/9/9/3n5/3R5/4K4 w", "d2", "d3"),
    ] {
        assert_eq!(goes(fen, from), to, "{from} in {fen}");
    }
}

#[test]
fn who_cannot_move_loses() {
    let mated = read("3k5/9/9/9/9/9/9/9/3R5/4K4 b - - 0 1");
    assert_eq!(end_of(&mated), Some(Outcome::win(Side::First, "checkmate")));
    let stuck = read("3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1");
    assert_eq!(end_of(&stuck), Some(Outcome::win(Side::First, "stalemate")));
    assert_eq!(stuck.count_moves(), 0);
    // The count of plies comes after that.
    let stuck = read("3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 500 1");
    assert_eq!(end_of(&stuck), Some(Outcome::win(Side::First, "stalemate")));
}

#[test]
fn plies_without_a_capture_are_counted() {
    let limit = |plies_without_capture| XiangqiRules {
        plies_without_capture,
    };
    let fen = "3k5/9/9/9/9/p8/P8/9/9/4K4 w - - 98 60";
    let mut position = read(fen);
    let mut history = History::new(position.clone());
    for (mv, end) in [("e1e2", None), ("d10d9", Some(Outcome::draw("no_capture")))] {
        let mv = position.parse_move(mv).expect("a legal move");
        position.play(mv);
        history.push(mv, &position);
        assert_eq!(position.outcome(&history), end);
    }
    assert_eq!(
        position.to_fen(),
        "3k5/9/9/9/9/p8/P8/9/4K4/9 w - - 100 61".replace("3k5/9/", "9/3k5/")
    );
    let mut position = read(fen);
    position.play(position.parse_move("a4a5").expect("a capture"));
    assert_eq!(position.to_fen(), "3k5/9/9/9/9/P8/9/9/9/4K4 b - - 0 60");
    for (plies, drawn) in [(98, true), (99, false), (120, false)] {
        let position = Xiangqi::from_fen(fen, &limit(plies)).expect("a position");
        assert_eq!(end_of(&position).is_some(), drawn, "{plies}");
    }
    for (plies, allowed) in [(0, false), (1, true), (1000, true), (1001, false)] {
        assert_eq!(Xiangqi::check_rules(&limit(plies)).is_ok(), allowed);
    }
}

#[test]
fn the_second_rules_agree() {
    let report = verify::<Xiangqi>(&XiangqiRules::default(), 1500, 1);
    assert_eq!(report.map(|report| report.positions), Ok(1500));
    // Short games, so that there are more openings and more draws.
    let rules = XiangqiRules {
        plies_without_capture: 9,
    };
    let report = verify::<Xiangqi>(&rules, 500, 2).expect("agreement");
    assert!(report.games > 5, "{report:?}");
}

/// Random games rarely come to bare cannons, pins and perpetual checks: here few pieces roam.
#[test]
fn the_second_rules_agree_on_endings() {
    let rules = XiangqiRules {
        plies_without_capture: 60,
    };
    let mut found = std::collections::BTreeMap::new();
    for (number, fen) in [
        "3ak4/4a4/9/9/9/9/9/9/C8/2R1K4 w - - 0 1",
        "3k5/9/9/9/9/9/9/4n4/9/3RK4 b - - 0 1",
        "4k4/9/9/4c4/4P4/9/9/4B4/9/2B1K4 w - - 0 1",
        "3k5/4P4/9/9/9/9/9/9/9/4K4 w - - 0 1",
        "3k5/9/9/9/9/9/4p4/9/9/5K3 w - - 0 1",
        "4k4/9/4c4/9/4r4/4R4/9/4C4/9/4K4 w - - 0 1",
    ]
    .into_iter()
    .enumerate()
    {
        let start = Xiangqi::from_fen(fen, &rules).expect(fen);
        for seed in 0..25_u64 {
            let mut random = seed * 100 + number as u64;
            let mut position = start.clone();
            let mut history = History::new(position.clone());
            let mut texts = Vec::new();
            loop {
                let before = position.to_fen();
                assert_eq!(
                    reference::moves(&before),
                    Ok(moves_of(&position)),
                    "{before}"
                );
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                random = random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                let index = usize::try_from(random >> 33).expect("31 bits") % moves.len();
                texts.push(position.format_move(moves[index]));
                position.play(moves[index]);
                history.push(moves[index], &position);
                let played = crate::verify::Played {
                    start: fen,
                    before: &before,
                    moves: &texts,
                };
                let end = position.outcome(&history);
                assert_eq!(
                    reference::outcome(&played, 60),
                    Ok(end.clone()),
                    "{texts:?}"
                );
                if let Some(end) = end {
                    *found.entry(end.reason).or_insert(0) += 1;
                    break;
                }
            }
        }
    }
    for (reason, least) in [("checkmate", 3), ("stalemate", 3), ("threefold", 10)] {
        assert!(found.get(reason) > Some(&least), "{reason}: {found:?}");
    }
}

#[test]
fn mirrored_positions_share_their_symmetry_key() {
    let mirrored = |text: &str| -> String {
        let turn = |letter| match letter {
            'a'..='i' => char::from(b'a' + b'i' - letter as u8),
            other => other,
        };
        text.chars().map(turn).collect()
    };
    let mut position = Xiangqi::start(&XiangqiRules::default());
    let mut other = position.clone();
    assert_eq!(position.symmetry_key(), position.key());
    for text in ["h3e3", "b10c8", "a1a2", "i10i9"] {
        position.play(position.parse_move(text).expect(text));
        let text = mirrored(text);
        other.play(other.parse_move(&text).expect(&text));
        assert_eq!(position.symmetry_key(), other.symmetry_key(), "{text}");
        assert_ne!(position.key(), other.key());
    }
    let other = Xiangqi::start(&XiangqiRules::default());
    assert_ne!(position.symmetry_key(), other.symmetry_key());
    // The side to move is in the key.
    let [red, black] = ["w", "b"].map(|side| read(&format!("3k5/9/9/9/9/9/9/9/9/5K3 {side}")));
    assert_ne!(red.symmetry_key(), black.symmetry_key());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// What is carried along a random game is what is made afresh, and all text reads back.
    #[test]
    fn a_game_agrees_with_its_text(
        choices in proptest::collection::vec(any::<prop::sample::Index>(), 1..150),
    ) {
        let rules = XiangqiRules::default();
        let mut position = Xiangqi::start(&rules);
        let mut moves = Vec::new();
        for choice in choices {
            let fen = position.to_fen();
            prop_assert_eq!(Xiangqi::from_fen(&fen, &rules), Ok(position.clone()), "{}", &fen);
            moves.clear();
            position.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            let mut captures = Vec::new();
            position.tactical_moves(&mut captures);
            for mv in &moves {
                let is_capture = position.starts_afresh(*mv, Dialect::Ucci);
                prop_assert_eq!(captures.contains(mv), is_capture);
                prop_assert!(!position.starts_afresh(*mv, Dialect::Uci));
            }
            let mv = *choice.get(&moves);
            for dialect in [Dialect::Uci, Dialect::Ucci] {
                let text = position.spell_move(mv, dialect);
                prop_assert_eq!(position.parse_spelled(&text, dialect), Ok(mv));
            }
            // Of all pairs of squares exactly the listed ones are legal.
            let legal = Square::all()
                .flat_map(|from| Square::all().map(move |to| Move { from, to }))
                .filter(|mv| position.is_legal(*mv));
            prop_assert_eq!(legal.count(), moves.len());
            let mut after = position.clone();
            after.play(mv);
            prop_assert!(!after.board.is_in_check(position.side));
            position = after;
        }
    }
}
