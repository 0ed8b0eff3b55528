//! Positions, moves and rules as text.

use super::*;
use crate::game::Announcement;

const START: &str = "1F1/3/7/7/GGGGGGG/GGG/GGG g";

#[test]
fn the_start_is_the_start() {
    let rules = FoxGeeseRules::default();
    let start = FoxGeese::start(&rules);
    assert_eq!(start.to_fen(), START);
    assert_eq!(read(START), start);
    assert_eq!(start.count_moves(), 7);
    assert_eq!(
        FoxGeese::announcement(&rules),
        Announcement {
            uci_variant: Some("fox_geese"),
            ..Announcement::default()
        }
    );
    assert!(size_of::<FoxGeese>() <= 48, "{}", size_of::<FoxGeese>());
    assert_eq!(size_of::<Option<Move>>(), 8);
}

#[test]
fn the_distance_to_the_edge_is_that_of_the_cross() {
    let distance = |row, column| board::EDGE_DISTANCE[usize::from(point(row, column))];
    for (row, expected) in [
        (0, [9, 9, 0, 0, 0, 9, 9]),
        (1, [9, 9, 0, 1, 0, 9, 9]),
        (2, [0, 0, 1, 2, 1, 0, 0]),
        (3, [0, 1, 2, 3, 2, 1, 0]),
        (4, [0, 0, 1, 2, 1, 0, 0]),
        (5, [9, 9, 0, 1, 0, 9, 9]),
        (6, [9, 9, 0, 0, 0, 9, 9]),
    ] {
        for (column, expected) in (0..).zip(expected) {
            assert_eq!(board::is_point(row, column), expected != 9);
            if expected != 9 {
                assert_eq!(distance(row, column), expected, "{row} {column}");
            }
        }
    }
    assert_eq!(board::BOARD.count_ones(), 33);
}

#[test]
fn bad_positions_are_refused_with_the_reason() {
    for (fen, reason) in [
        ("", "it is empty"),
        ("1F1/3/7/7/GGGGGGG/GGG/GGG", "side to move is missing"),
        ("1F1/3/7/7/GGGGGGG/GGG/GGG w", "not `w`"),
        ("1F1/3/7/7/GGGGGGG/GGG g", "6 rows"),
        ("1F1/3/7/7/GGGGGGG/GGG/GGG/3 g", "8 rows"),
        ("1F2/3/7/7/GGGGGGG/GGG/GGG g", "row 1 has 4 points"),
        ("1F1/3/7/7/GGGGGG/GGG/GGG g", "row 5 has 6 points"),
        ("1F1/3/7/7/GGGGGGGGG/GGG/GGG g", "row 5 has 9 points"),
        ("1F1/9/7/7/GGGGGGG/GGG/GGG g", "row 2 has 9 points"),
        ("1F1/30/7/7/GGGGGGG/GGG/GGG g", "`0`"),
        ("1F1/3/7/7/GGGGGGG/GGG/GgG g", "`g`"),
        ("3/3/7/7/GGGGGGG/GGG/GGG g", "one `F`, not 0"),
        ("FF1/3/7/7/GGGGGGG/GGG/GGG g", "one `F`, not 2"),
        ("1F1/3/4GGG/1GGGGGG/GGGGGGG/GGG/3 g", "19 `G`, more than 17"),
        ("1F1/3/7/7/GGGGGGG/GGG/GGG g x", "plies since a capture"),
        ("1F1/3/7/7/GGGGGGG/GGG/GGG g -1", "plies since a capture"),
        ("1F1/3/7/7/GGGGGGG/GGG/GGG g 65536", "plies since a capture"),
        ("1F1/3/7/7/GGGGGGG/GGG/GGG g 0 1", "more than three fields"),
    ] {
        let read = FoxGeese::from_fen(fen, &FoxGeeseRules::default());
        let message = read.expect_err(fen).to_string();
        assert!(message.contains(reason), "{fen}: {message}");
    }
    assert_eq!(read(" 1F1/12/7/7/GGGGGGG/GGG/GGG\tg  00 ").to_fen(), START);
    let mut last = read("1F1/3/7/7/GGGGGGG/GGG/GGG g 65535");
    last.play(last.parse_move("a3a4").expect("a step"));
    assert!(last.to_fen().ends_with(" f 65535"));
}

#[test]
fn moves_are_points_and_every_landing() {
    let start = FoxGeese::start(&FoxGeeseRules::default());
    let mv = start.parse_move("d3d4").expect("a step");
    assert_eq!(start.format_move(mv), "d3d4");
    assert!(mv.is_step());
    for text in [
        "", "d", "d3", "d3d", "d3d44", "d3d4 ", "D3D4", "d3-d4", "d3d3", "d3d8", "d3d0", "h3h4",
        "a1a2", "d3d6", "d3f4", "d3d4d5", "d3d5d6", "é3d4", "0000", "(none)", "d3e4f5",
    ] {
        let error = start.parse_move(text).expect_err(text);
        assert!(matches!(error, NotationError::Move { .. }), "{error}");
    }
    let long = "d3d5".repeat(17);
    assert!(start.parse_move(&long).is_err());
    for text in ["d3d5", "d2d3", "d7d6", "d3c4", "d3d5d3", "d4d5"] {
        let error = start.parse_move(text).expect_err(text);
        assert!(matches!(error, NotationError::Illegal { .. }), "{error}");
    }
    // Every goose between two points that the fox can come to.
    let rules = with(|rules| {
        rules.rule = Rule::MultiJump;
        rules.fox_wins_at = 0;
    });
    let position = under(&rules, "FG1/G1G/1G1G1G1/G1G1G1G/1G1G1G1/G1G/1G1 f");
    let longest = moves_of(&position).into_iter().max_by_key(String::len);
    let longest = longest.expect("a move");
    let mv = position.parse_move(&longest).expect(&longest);
    assert_eq!(position.format_move(mv), longest);
    assert_eq!(mv.captures() as usize, longest.len() / 2 - 1);
    assert_eq!(mv.captures(), 16, "{longest}");
}

#[test]
fn rules_are_read_by_their_names() {
    let parsed = |text: &str| serde_json::from_str::<FoxGeeseRules>(text);
    assert_eq!(parsed("{}").ok(), Some(FoxGeeseRules::default()));
    let text = r#"{"rule":"multi_jump","start":"1F1/3/7/7/GGGGGGG/GGG/GGG f","diagonals":true,"geese_backward":false,"forced_capture":true,"fox_wins_at":5,"threefold_repetition":false,"plies_without_capture":0,"max_plies":200,"no_progress_wins":"fox"}"#;
    let rules = parsed(text).expect("rules");
    assert_eq!(FoxGeese::check_rules(&rules), Ok(()));
    assert_eq!(serde_json::to_string(&rules).ok().as_deref(), Some(text));
    assert_eq!(FoxGeese::start(&rules).side_to_move(), Side::Second);
    assert!(parsed(r#"{"rules":"multi_jump"}"#).is_err());
    assert!(parsed(r#"{"rule":"multi"}"#).is_err());
    for (rules, reason) in [
        (with(|rules| rules.fox_wins_at = 17), "from 0 to 16"),
        (with(|rules| rules.fox_wins_at = 13), "over (few_geese)"),
        (with(|rules| rules.max_plies = 0), "from 1 to 10000"),
        (
            with(|rules| rules.plies_without_capture = 1001),
            "from 0 to 1000",
        ),
        (
            with(|rules| rules.start = "x".into()),
            "`start` is not a position: it has 1 rows",
        ),
        (
            with(|rules| rules.start = "2G/3/4GGF/5GG/6G/3/3 f".into()),
            "over (no_moves)",
        ),
        (with(|rules| rules.start += " 100"), "over (no_capture)"),
    ] {
        let refused = FoxGeese::check_rules(&rules).expect_err(reason);
        assert!(refused.contains(reason), "{refused}");
    }
}

#[test]
fn diagrams_show_the_cross() {
    let drawn = FoxGeese::start(&FoxGeeseRules::default())
        .diagram()
        .to_string();
    let expected = "7     . F .\n6     . . .\n5 . . . . . . .\n4 . . . . . . .\n3 G G G G G G G\n\
                    2     G G G\n1     G G G\n  a b c d e f g\n";
    assert_eq!(drawn, expected);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_text_makes_the_parsers_panic(
        text in ".{0,60}",
        board in "[1-9FG/. gf-]{0,40}",
        rows in (
            proptest::collection::vec("[FG1-3]{1,3}", 2),
            proptest::collection::vec("[FG1-7]{1,7}", 3),
            proptest::collection::vec("[FG1-3]{1,3}", 2),
        ),
        mv in "[a-h0-9é -]{0,40}",
        points in "([a-g][1-7]){1,20}",
    ) {
        let rules = rule(Rule::MultiJump);
        let rows = [rows.0, rows.1, rows.2].concat().join("/");
        for text in [&text, &board, &(rows + " f")] {
            if let Ok(read) = FoxGeese::from_fen(text, &rules) {
                prop_assert_eq!(FoxGeese::from_fen(&read.to_fen(), &rules), Ok(read));
            }
        }
        let start = FoxGeese::start(&rules);
        for text in [&text, &mv, &points] {
            if let Ok(mv) = notation::parse_move(text) {
                prop_assert_eq!(&notation::format_move(mv), text);
            }
            drop(start.parse_move(text));
        }
    }
}
