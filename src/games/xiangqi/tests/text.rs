//! Positions, moves and rules as text.

use super::*;
use crate::game::{Announcement, Point as Symbol};

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

fn refusal(fen: &str) -> String {
    let read = Xiangqi::from_fen(fen, &XiangqiRules::default());
    read.expect_err(fen).to_string()
}

#[test]
fn the_start_is_the_start() {
    let start = Xiangqi::start(&XiangqiRules::default());
    assert_eq!(start.to_fen(), START);
    assert_eq!(read(START), start);
    assert_eq!(start.count_moves(), 44);
    assert_eq!(
        Xiangqi::announcement(&XiangqiRules::default()),
        Announcement {
            uci_variant: Some("xiangqi"),
            ..Announcement::default()
        }
    );
    assert!(size_of::<Xiangqi>() <= 256, "{}", size_of::<Xiangqi>());
}

#[test]
fn positions_are_read_as_engines_write_them() {
    let plain = "2b1ka3/9/b3N4/4n4/9/9/9/4C4/2p6/2BK5 w - - 0 1";
    for text in [
        "2e1ka3/9/e3H4/4h4/9/9/9/4C4/2p6/2EK5 w - - 0 1",
        "2b1ka3/9/b3N4/4n4/9/9/9/4C4/2p6/2BK5 r - - 0 1",
        " 2b1ka3/9/b3N4/4n4/45/9/9/4C4/2p6/2BK41\tw ",
        "2b1ka3/9/b3N4/4n4/9/9/9/4C4/2p6/2BK5 w - -",
        "2b1ka3/9/b3N4/4n4/9/9/9/4C4/2p6/2BK5 w - - 0",
    ] {
        assert_eq!(read(text).to_fen(), plain);
    }
    // A pawn where it never comes to, as in composed positions.
    assert_eq!(goes("4k4/9/4p4/9/9/9/9/9/9/3K5 b", "e8"), "e7");
    let last = "3k5/9/9/9/9/9/9/9/9/5K3 b - - 65535 65535";
    let mut position = read(last);
    position.play(position.parse_move("d10d9").expect("a legal move"));
    assert_eq!(
        position.to_fen(),
        "9/3k5/9/9/9/9/9/9/9/5K3 w - - 65535 65535"
    );
}

#[test]
fn bad_positions_are_refused_with_the_reason() {
    for (fen, reason) in [
        ("", "empty"),
        ("3k5/9/9/9/9/9/9/9/9/5K3", "side to move is missing"),
        ("3k5/9/9/9/9/9/9/9/9/5K3 x", "not `x`"),
        ("3k5/9/9/9/9/9/9/9/5K3 w", "9 rows"),
        ("3k5/9/9/9/9/9/9/9/9/9/5K3 w", "11 rows"),
        ("3k5/9/9/9/9/9/9/9/9/5K2 w", "rank 1 has 8 squares"),
        ("3k6/9/9/9/9/9/9/9/9/5K3 w", "rank 10 has 10 squares"),
        ("3k5/99/9/9/9/9/9/9/9/5K3 w", "rank 9 has 18 squares"),
        ("3k5/0/9/9/9/9/9/9/9/5K3 w", "`0`"),
        ("3k5/9/9/4q4/9/9/9/9/9/5K3 w", "`q`"),
        (
            "3k5/9/9/9/9/9/9/9/9/5K3 w KQ",
            "third field is `-`, not `KQ`",
        ),
        ("3k5/9/9/9/9/9/9/9/9/5K3 w - a3", "fourth field is `-`"),
        ("3k5/9/9/9/9/9/9/9/9/5K3 w - - x", "since the last capture"),
        ("3k5/9/9/9/9/9/9/9/9/5K3 w - - -1", "since the last capture"),
        (
            "3k5/9/9/9/9/9/9/9/9/5K3 w - - 0 65536",
            "number of the move",
        ),
        ("3k5/9/9/9/9/9/9/9/9/5K3 w - - 0 1 1", "more than six"),
        // Pieces.
        ("9/9/9/9/9/9/9/9/9/5K3 w", "one `k`, not 0"),
        ("3k5/9/9/9/9/9/9/9/9/9 w", "one `K`, not 0"),
        ("3kk4/9/9/9/9/9/9/9/9/5K3 w", "one `k`, not 2"),
        ("3k5/9/9/9/RRR6/9/9/9/9/5K3 w", "3 `R`, more than the 2"),
        ("3k5/9/9/9/PPPPPP3/9/9/9/9/5K3 w", "6 `P`, more than the 5"),
        // Squares.
        ("2k6/9/9/9/9/9/9/9/9/5K3 w", "`k` can never stand on c10"),
        ("3k5/9/9/9/9/9/5K3/9/9/9 w", "`K` can never stand on f4"),
        ("3k5/9/9/9/9/9/9/9/9/2A2K3 w", "`A` can never stand on c1"),
        ("3k5/9/9/9/9/9/9/4A4/9/5K3 w", "`A` can never stand on e3"),
        ("3k5/9/9/9/9/9/9/9/9/1B3K3 w", "`B` can never stand on b1"),
        ("3k5/9/9/9/2B6/9/9/9/9/5K3 w", "`B` can never stand on c6"),
        // The side to move could take the general.
        ("4k4/9/9/9/9/9/9/9/9/4K4 w", "`w` is to move and could take"),
        (
            "3k5/9/9/9/9/9/9/9/9/R2r1K3 b",
            "`b` is to move and could take",
        ),
        (
            "3k1R3/9/9/9/9/9/9/9/9/4K4 w",
            "could take the general of `b`",
        ),
        (
            "3k5/9/9/9/9/9/9/9/4p4/4K4 b",
            "could take the general of `w`",
        ),
        (
            "3k5/5N3/9/9/9/9/9/9/9/4K4 w",
            "could take the general of `b`",
        ),
        (
            "3k5/9/3P5/9/9/9/9/9/3C5/4K4 w",
            "could take the general of `b`",
        ),
    ] {
        let message = refusal(fen);
        assert!(message.contains(reason), "{fen}: {message}");
    }
}

#[test]
fn moves_are_squares_with_ranks_from_1_or_0() {
    let start = Xiangqi::start(&XiangqiRules::default());
    for (text, spelled) in [("h3e3", "h2e2"), ("a1a3", "a0a2"), ("b3b10", "b2b9")] {
        let mv = start.parse_move(text).expect(text);
        assert_eq!(start.format_move(mv), text);
        assert_eq!(start.spell_move(mv, Dialect::Uci), text);
        assert_eq!(start.spell_move(mv, Dialect::Ucci), spelled);
        assert_eq!(start.parse_spelled(spelled, Dialect::Ucci), Ok(mv));
    }
    let mut black = start.clone();
    black.play(start.parse_move("h3e3").expect("a legal move"));
    let mv = black.parse_move("h10g8").expect("a legal move");
    assert_eq!(black.spell_move(mv, Dialect::Ucci), "h9g7");
    for text in [
        "", "h", "h3", "h3e", "h3e33", "h3e3 ", "h03e3", "h0e3", "h11e3", "j3e3", "H3E3", "h3-e3",
        "é3e3", "h3é", "h256e3", "h+3e3", "h3e3q", "(none)", "0000",
    ] {
        let error = start.parse_move(text).expect_err(text);
        assert!(error.to_string().contains("from `a1` to `i10`"), "{error}");
    }
    for text in ["h10g8", "h2e10", "h2e02", "nobestmove"] {
        let error = start.parse_spelled(text, Dialect::Ucci).expect_err(text);
        assert!(error.to_string().contains("from `a0` to `i9`"), "{error}");
    }
    for text in ["h3h3", "e3e4", "a10a9", "h3h9", "b1d2", "e1f2"] {
        let error = start.parse_move(text).expect_err(text);
        assert!(matches!(error, NotationError::Illegal { .. }), "{error}");
    }
}

#[test]
fn rules_are_read_by_their_names() {
    let parsed = |text: &str| serde_json::from_str::<XiangqiRules>(text);
    assert_eq!(parsed("{}").ok(), Some(XiangqiRules::default()));
    let rules = XiangqiRules {
        plies_without_capture: 120,
    };
    let text = "{\"plies_without_capture\":120}";
    assert_eq!(parsed(text).ok(), Some(rules));
    assert_eq!(serde_json::to_string(&rules).ok().as_deref(), Some(text));
    assert!(parsed("{\"chase\":true}").is_err());
}

#[test]
fn diagrams_show_the_board_as_it_is_written() {
    let diagram = Xiangqi::start(&XiangqiRules::default()).diagram();
    assert_eq!(diagram.points[0], Symbol::Piece('r'));
    assert_eq!(diagram.points[9], Symbol::Empty);
    let drawn = diagram.to_string();
    assert!(
        drawn.starts_with("10 r n b a k a b n r\n 9 . . . . . . . . .\n"),
        "{drawn}"
    );
    assert!(
        drawn.ends_with(" 1 R N B A K A B N R\n   a b c d e f g h i\n"),
        "{drawn}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_text_makes_the_parsers_panic(
        text in ".{0,60}",
        board in "[1-9kKabnrcpPABNRC/. wb-]{0,60}",
        rows in proptest::collection::vec("[1-9kKabnrcpP]{1,4}", 10),
        mv in "[a-j0-9, -]{0,7}",
    ) {
        let rules = XiangqiRules::default();
        for text in [&text, &board, &(rows.join("/") + " w")] {
            if let Ok(read) = Xiangqi::from_fen(text, &rules) {
                prop_assert_eq!(Xiangqi::from_fen(&read.to_fen(), &rules), Ok(read));
            }
        }
        let start = Xiangqi::start(&rules);
        for text in [&text, &mv] {
            drop(start.parse_move(text));
            drop(start.parse_spelled(text, Dialect::Ucci));
        }
    }
}
