//! The rules and their text against other programs' counts and against themselves.

use proptest::prelude::*;
use rayon::prelude::*;

use super::*;
use crate::perft::{Leaves, perft};

const STANDARD: ChessRules = ChessRules {
    variant: ChessVariant::Standard,
};
const CHESS960: ChessRules = ChessRules {
    variant: ChessVariant::Chess960,
};
const THREE_CHECK: ChessRules = ChessRules {
    variant: ChessVariant::ThreeCheck,
};

fn read(fen: &str, rules: ChessRules) -> Chess {
    Chess::from_fen(fen, &rules).unwrap_or_else(|error| panic!("{error}"))
}

fn refusal(fen: &str, rules: ChessRules) -> String {
    Chess::from_fen(fen, &rules).expect_err(fen).to_string()
}

/// The history of moves from a position, and the position at their end.
fn play(start: &Chess, moves: &str) -> (History<Chess>, Chess) {
    let mut position = start.clone();
    let mut history = History::new(start.clone());
    for text in moves.split_whitespace() {
        assert_eq!(position.outcome(&history), None, "before {text}");
        let mv = position.parse_move(text).expect(text);
        position.play(mv);
        history.push(mv, &position);
    }
    (history, position)
}

fn ending(fen: &str, rules: ChessRules, moves: &str) -> Option<Outcome> {
    let (history, position) = play(&read(fen, rules), moves);
    position.outcome(&history)
}

fn rows(text: &'static str) -> Vec<csv::StringRecord> {
    let mut rows = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(text.as_bytes());
    rows.records().map(|row| row.expect("a row")).collect()
}

fn meets(fen: &str, rules: ChessRules, depth: &str, nodes: &str) {
    let position = read(fen, rules);
    let depth = depth.parse().expect("a depth");
    let found = perft(&position, depth, Leaves::Counted);
    assert_eq!(found.to_string(), nodes, "{fen} at depth {depth}");
}

#[test]
fn perft_meets_the_published_counts() {
    let rows = rows(include_str!("../../../tests/perft/chess.csv"));
    assert_eq!(rows.len(), 63);
    rows.par_iter()
        .for_each(|row| meets(&row[3], STANDARD, &row[4], &row[5]));
}

#[test]
fn perft_of_variants_meets_fairy_stockfish() {
    let rows = rows(include_str!("../../../tests/perft/chess_variants.csv"));
    assert_eq!(rows.len(), 69);
    rows.par_iter().for_each(|row| {
        let variant = format!("{{\"variant\":\"{}\"}}", &row[0]);
        let rules = serde_json::from_str(&variant).expect("rules");
        meets(&row[2], rules, &row[3], &row[4]);
    });
}

#[test]
fn short_and_odd_fens_are_read_and_written_in_one_way() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for fen in [
        start,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR  w\tHAha -  0 ",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w qkQK - 0 0",
    ] {
        assert_eq!(read(fen, STANDARD).to_fen(), start, "{fen}");
        assert_eq!(read(fen, CHESS960).to_fen(), start, "{fen}");
    }
    // Two rooks on one side: the outer one is `K`, the inner one goes by its file.
    let inner = "4k3/8/8/8/8/8/8/4K1RR w G - 0 1";
    assert_eq!(read(inner, CHESS960).to_fen(), inner);
    let outer = read("4k3/8/8/8/8/8/8/4K1RR w K - 0 1", CHESS960);
    assert_ne!(read(inner, CHESS960).key(), outer.key());
    // Nobody can take on e3, or only a pawn that is pinned: the square is void.
    for (fen, written) in [
        (
            "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1",
            "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1",
        ),
        (
            "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
            "4r1k1/8/8/3pP3/8/8/8/4K3 w - - 0 1",
        ),
        (
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
        ),
    ] {
        let position = read(fen, STANDARD);
        assert_eq!(position.to_fen(), written);
        assert_eq!(position.key(), read(written, STANDARD).key());
    }
    let checks = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 2+3 0 1";
    let given = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 +1+0";
    assert_eq!(read(given, THREE_CHECK).to_fen(), checks);
    assert_eq!(read(checks, THREE_CHECK).to_fen(), checks);
    assert_ne!(
        read(checks, THREE_CHECK).key(),
        read(start, THREE_CHECK).key()
    );
}

#[test]
fn bad_fens_are_refused_with_the_reason() {
    for (fen, reason) in [
        ("", "0 fields"),
        ("8/8/8/8/8/8/8/8 w -", "3 fields"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 7", "7 fields"),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", "7 ranks"),
        ("4k3/8/8/8/8/8/9/4K3 w - - 0 1", "`9` in rank 2"),
        ("4k3/8/8/8/8/8/7/4K3 w - - 0 1", "rank 2 has 7 squares"),
        ("4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1", "`[` in rank 1"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "not `x`"),
        ("4k3/8/8/8/8/8/8/4K3 w X - 0 1", "not `X`"),
        ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "twice"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "no king and rook"),
        ("4k3/8/8/8/8/8/8/3K3R w K - 0 1", "chess960"),
        ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "not `e9`"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "en passant on `e6`"),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "`-1` is no counter"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 70000", "`70000`"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "king is missing"),
        ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "two or more kings"),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "last rank"),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "is in check"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1", "three_check"),
    ] {
        let message = refusal(fen, STANDARD);
        assert!(message.contains(reason), "{fen}: {message}");
    }
    assert!(refusal("4k3/8/8/8/8/8/8/4K2R w - - 4+3 0 1", THREE_CHECK).contains("`3+3`"));
}

#[test]
fn moves_are_in_uci_notation_only() {
    let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let promotion = "8/4P3/8/8/8/k7/8/4K3 w - - 0 1";
    let standard = read(castling, STANDARD);
    for text in ["e1g1", "e1c1", "h1h8", "e1e2"] {
        let mv = standard.parse_move(text).expect(text);
        assert_eq!(standard.format_move(mv), text);
    }
    let chess960 = read(castling, CHESS960);
    for text in ["e1h1", "e1a1"] {
        let mv = chess960.parse_move(text).expect(text);
        assert_eq!(chess960.format_move(mv), text);
    }
    read(promotion, STANDARD)
        .parse_move("e7e8n")
        .expect("a knight");
    for (fen, rules, text, reason) in [
        (castling, STANDARD, "e1h1", "`e1g1`"),
        (castling, CHESS960, "e1g1", "`e1h1`"),
        (promotion, STANDARD, "e7e8", "illegal"),
        (promotion, STANDARD, "e7e8Q", "lower-case"),
        (promotion, STANDARD, "e7e8k", "illegal"),
        (promotion, STANDARD, "e7e8p", "illegal"),
        (castling, STANDARD, "E1E2", "not a move"),
        (castling, STANDARD, "0000", "pass"),
        (castling, STANDARD, "Q@e4", "two squares"),
        (castling, STANDARD, "O-O", "two squares"),
        (castling, STANDARD, "e1e3", "illegal"),
        (castling, STANDARD, "e1g1 ", "two squares"),
        (castling, STANDARD, "", "two squares"),
        (castling, STANDARD, "é1e2", "two squares"),
    ] {
        let error = read(fen, rules).parse_move(text).expect_err(text);
        assert!(error.to_string().contains(reason), "{text}: {error}");
    }
}

#[test]
fn games_end_as_the_rules_say() {
    let start = Chess::start(&STANDARD).to_fen();
    let fen = start.as_str();
    let over = |fen, rules, moves| ending(fen, rules, moves);
    assert_eq!(over(fen, STANDARD, ""), None);
    assert_eq!(
        over(fen, STANDARD, "f2f3 e7e5 g2g4 d8h4"),
        Some(Outcome::win(Side::Second, "checkmate"))
    );
    assert_eq!(
        over("7k/5K2/8/6Q1/8/8/8/8 w - - 0 1", STANDARD, "g5g6"),
        Some(Outcome::draw("stalemate"))
    );
    for dead in [
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4KN2 w - - 0 1",
        "4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1",
    ] {
        let ended = over(dead, STANDARD, "");
        assert_eq!(ended, Some(Outcome::draw("dead_position")), "{dead}");
    }
    for alive in [
        "4k3/8/8/8/8/8/8/3NKN2 w - - 0 1",
        "4kb2/8/8/8/8/8/8/4KB2 w - - 0 1",
        "4k3/4p3/8/8/8/8/8/4K3 w - - 0 1",
    ] {
        assert_eq!(over(alive, STANDARD, ""), None, "{alive}");
    }
    // In three-check a knight is enough.
    assert_eq!(
        over("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", THREE_CHECK, ""),
        None
    );
    assert_eq!(
        over(
            fen,
            THREE_CHECK,
            "e2e4 e7e5 f1c4 a7a6 c4f7 e8f7 d1h5 g7g6 h5g6"
        ),
        Some(Outcome::win(Side::First, "three_checks"))
    );
}

#[test]
fn fifty_moves_are_a_draw_and_a_mate_on_the_last_wins() {
    let rook = "7k/8/6K1/8/8/8/8/R7 w - - 98 80";
    assert_eq!(ending(rook, STANDARD, "a1b1"), None);
    assert_eq!(
        ending(rook, STANDARD, "a1b1 h8g8"),
        Some(Outcome::draw("fifty_moves"))
    );
    assert_eq!(
        ending("7k/8/6K1/8/8/8/8/R7 w - - 99 80", STANDARD, "a1a8"),
        Some(Outcome::win(Side::First, "checkmate"))
    );
    // A pawn's move begins again.
    let pawn = "7k/8/6K1/8/8/8/P7/R7 w - - 99 80";
    assert_eq!(ending(pawn, STANDARD, "a2a3"), None);
    assert_eq!(
        ending(pawn, STANDARD, "a1b1"),
        Some(Outcome::draw("fifty_moves"))
    );
}

/// B36: positions that are one position, and positions that are not.
#[test]
fn b36_the_third_true_occurrence_is_a_draw() {
    let threefold = Some(Outcome::draw("threefold"));
    let round = "g1f3 g8f6 f3g1 f6g8";
    let start = Chess::start(&STANDARD).to_fen();
    // Never at the second time.
    assert_eq!(ending(&start, STANDARD, round), None);
    assert_eq!(
        ending(&start, STANDARD, &format!("{round} g1f3 g8f6 f3g1")),
        None
    );
    assert_eq!(
        ending(&start, STANDARD, &format!("{round} {round}")),
        threefold
    );
    // After e2e4 the square e3 stands in the FEN, but no pawn can take there.
    assert_eq!(
        ending(
            &start,
            STANDARD,
            "e2e4 g8f6 g1f3 f6g8 f3g1 g8f6 g1f3 f6g8 f3g1"
        ),
        threefold
    );
    // With a pawn on d4 it can, once: that position was another.
    let taken = "rnbqkbnr/ppp1pppp/8/8/3p4/8/PPPPPPPP/RNBQKBNR w KQkq - 0 3";
    let twice = "e2e4 g8f6 g1f3 f6g8 f3g1 g8f6 g1f3 f6g8 f3g1";
    assert_eq!(ending(taken, STANDARD, twice), None);
    assert_eq!(
        ending(taken, STANDARD, &format!("{twice} g8f6")),
        threefold,
        "the position after g8f6 has been there twice before"
    );
    // The rook's first move gives up a castling right: the start is another position.
    let rooks = "4k3/8/8/8/8/8/p7/4K2R w K - 0 1";
    let around = "h1g1 e8e7 g1h1 e7e8";
    assert_eq!(ending(rooks, STANDARD, &format!("{around} {around}")), None);
    assert_eq!(
        ending(rooks, STANDARD, &format!("{around} {around} h1g1")),
        threefold
    );
}

#[test]
fn rules_are_read_by_their_names() {
    let rules = |text: &str| serde_json::from_str::<ChessRules>(text);
    assert_eq!(rules("{}").ok(), Some(STANDARD));
    assert_eq!(rules("{\"variant\":\"3check\"}").ok(), Some(THREE_CHECK));
    assert_eq!(rules("{\"variant\":\"chess960\"}").ok(), Some(CHESS960));
    let written = serde_json::to_string(&THREE_CHECK).ok();
    assert_eq!(written.as_deref(), Some("{\"variant\":\"three_check\"}"));
    assert!(rules("{\"variant\":\"chess\"}").is_err());
    assert_eq!(ChessVariant::ThreeCheck.uci_name(), "3check");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// What is carried along a random game is what is made afresh, and all text reads back.
    #[test]
    fn a_game_agrees_with_its_text(
        choices in proptest::collection::vec(any::<prop::sample::Index>(), 1..160),
        rules in prop::sample::select(vec![STANDARD, CHESS960, THREE_CHECK]),
    ) {
        let mut position = Chess::start(&rules);
        let mut history = History::new(position.clone());
        for choice in choices {
            let fen = position.to_fen();
            let fresh = read(&fen, rules);
            prop_assert_eq!(fresh.key(), position.key(), "{}", &fen);
            prop_assert_eq!(fresh.to_fen(), fen);
            if position.outcome(&history).is_some() {
                break;
            }
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            prop_assert_eq!(moves.len() as u64, position.count_moves());
            for mv in &moves {
                let text = position.format_move(*mv);
                prop_assert_eq!(position.parse_move(&text), Ok(*mv));
            }
            let mv = *choice.get(&moves);
            position.play(mv);
            history.push(mv, &position);
        }
    }

    #[test]
    fn random_text_never_panics(fen in "[1-8KQRBNPkqrbnp/ wb+-]{0,70}", mv in "\\PC{0,6}") {
        for rules in [STANDARD, CHESS960, THREE_CHECK] {
            drop(Chess::from_fen(&fen, &rules));
        }
        drop(Chess::start(&STANDARD).parse_move(&mv));
    }
}
