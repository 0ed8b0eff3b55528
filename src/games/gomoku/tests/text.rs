//! Positions, moves and rules as text, Gomocup's too.

use super::*;
use crate::game::Point as Symbol;

fn refusal(fen: &str, rules: GomokuRules) -> String {
    Gomoku::from_fen(fen, &rules).expect_err(fen).to_string()
}

#[test]
fn positions_read_as_finished_or_not_at_all() {
    let freestyle = rules(5, Rule::Freestyle);
    let won = read("xxxxx/oooo1/5/5/5 w", freestyle);
    assert_eq!(end_of(&won), Some(Outcome::win(Side::First, "five")));
    assert_eq!(won.count_moves(), 0);
    assert!(won.parse_move("e1").is_err());
    let full = read("xxoox/ooxxo/xxoox/ooxxo/xxoox w", freestyle);
    assert_eq!(end_of(&full), Some(Outcome::draw("full_board")));
    let six = "xxxxxx/ooooo1/6/6/6/6 w";
    assert!(refusal(six, rules(6, Rule::Freestyle)).contains("a row of its own"));
    let six = "xxxxxx/oooo2/o5/6/6/6 w";
    for (rule, end) in RULES.into_iter().zip([
        Some(Outcome::win(Side::First, "five")),
        None,
        Some(Outcome::win(Side::Second, "overline")),
    ]) {
        assert_eq!(end_of(&read(six, rules(6, rule))), end);
    }
    let six = "oooooo/xxxx2/xx4/6/6/6 b";
    let won = Some(Outcome::win(Side::Second, "five"));
    assert_eq!(end_of(&read(six, rules(6, Rule::Renju))), won);
}

#[test]
fn a_foul_that_the_stones_do_not_show_stands_in_the_text() {
    let renju = rules(15, Rule::Renju);
    let crossed = "15/15/15/15/15/7x7/7x7/5xx8/15/15/15/15/15/15/oooo11 b";
    let over = play(&read(crossed, renju), "h8");
    let board = "15/15/15/15/15/7x7/7x7/5xxx7/15/15/15/15/15/15/oooo11 w";
    assert_eq!(over.to_fen(), format!("{board} double_three"));
    // The same stones with another of them the last go on.
    let goes_on = read(board, renju);
    assert_eq!(end_of(&goes_on), None);
    assert_ne!(goes_on.key(), over.key());
    assert_ne!(goes_on.symmetry_key(), over.symmetry_key());
    for (text, reason) in [
        (format!("{board} double_four"), "no black stone makes"),
        (format!("{board} five"), "not `five`"),
        (format!("{board} double_three x"), "more than three fields"),
        (format!("{crossed} double_three"), "not `double_three`"),
    ] {
        assert!(refusal(&text, renju).contains(reason), "{text}");
    }
    let text = format!("{board} double_three");
    assert!(refusal(&text, rules(15, Rule::Standard)).contains("in renju"));
    let five = "xxxxx1/xxx3/6/6/6/oooooo w double_three";
    assert!(Gomoku::from_fen(five, &rules(6, Rule::Renju)).is_err());
}

#[test]
fn bad_positions_are_refused_with_the_reason() {
    for (fen, reason) in [
        ("", "empty"),
        ("5/5/5/5/5", "side to move is missing"),
        ("5/5/5/5/5 x", "not `x`"),
        ("5/5/5/5/5 w", "`b` is to move"),
        ("x4/5/5/5/5 b", "`w` is to move"),
        ("o4/5/5/5/5 b", "0 black stones and 1 white"),
        ("xx3/5/5/5/5 w", "2 black stones and 0 white"),
        ("5/5/5/5 b", "4 rows"),
        ("5/5/5/5/5/5 b", "6 rows"),
        ("5/5/5/5/4 b", "row 1 has 4 points"),
        ("5/5/5/5/xo4 b", "row 1 has 6 points"),
        ("6/5/5/5/5 b", "run of 6"),
        ("05/5/5/5/5 b", "run of 0"),
        ("5/5/4y/5/5 b", "`y`"),
        ("xxxxx/ooooo/5/5/5 b", "a row of its own"),
    ] {
        let message = refusal(fen, rules(5, Rule::Freestyle));
        assert!(message.contains(reason), "{fen}: {message}");
    }
    let dots = read(" ..x../1o..1/5/.3./5\tb ", rules(5, Rule::Freestyle));
    assert_eq!(dots.to_fen(), "2x2/1o3/5/5/5 b");
}

#[test]
fn moves_are_points_and_for_gomocup_counted_from_the_upper_left() {
    let start = Gomoku::start(&GomokuRules::default());
    for (text, spelled) in [
        ("a1", "0,14"),
        ("h8", "7,7"),
        ("o15", "14,0"),
        ("c10", "2,5"),
    ] {
        let mv = start.parse_move(text).expect(text);
        assert_eq!(start.format_move(mv), text);
        assert_eq!(start.spell_move(mv, Dialect::Gomocup), spelled);
        assert_eq!(start.spell_move(mv, Dialect::Uci), text);
        assert_eq!(start.parse_spelled(spelled, Dialect::Gomocup), Ok(mv));
        let blanks = format!(" {} \t", spelled.replace(',', " , "));
        assert_eq!(start.parse_spelled(&blanks, Dialect::Gomocup), Ok(mv));
    }
    for text in [
        "", "h", "8", "h0", "h08", "h16", "p8", "H8", "h8 ", "hh", "é8", "h256", "h+8",
    ] {
        let error = start.parse_move(text).expect_err(text);
        assert!(error.to_string().contains("from `a1` to `o15`"), "{error}");
    }
    for text in [
        "",
        "7",
        "7,",
        ",7",
        "-1,3",
        "15,0",
        "0,15",
        "99,0",
        "h8",
        "ERROR no move",
        "7,7,1",
    ] {
        let error = start.parse_spelled(text, Dialect::Gomocup).expect_err(text);
        assert!(matches!(error, NotationError::Move { .. }), "{error}");
    }
    let taken = play(&start, "h8");
    for error in [
        taken.parse_move("h8"),
        taken.parse_spelled("7,7", Dialect::Gomocup),
    ] {
        let error = error.expect_err("a stone is there");
        assert!(matches!(error, NotationError::Illegal { .. }), "{error}");
    }
}

#[test]
fn gomocup_is_told_stones_in_turn() {
    let start = Gomoku::start(&GomokuRules::default());
    assert_eq!(start.spell_position(Dialect::Gomocup), "");
    let position = play(&start, "h8 a1 o15 b1 c1");
    // By rows from the top: o15 h8 c1 and a1 b1.
    let spelled = position.spell_position(Dialect::Gomocup);
    assert_eq!(spelled, "14,0 0,14 7,7 1,14 2,14");
    let mut again = start;
    for mv in spelled.split(' ') {
        again.play(again.parse_spelled(mv, Dialect::Gomocup).expect(mv));
    }
    assert_eq!(again, position);
    let told = |size, rule| Gomoku::announcement(&rules(size, rule)).gomocup;
    let board = |size, rule| {
        Some(GomocupBoard {
            width: size,
            height: size,
            rule,
        })
    };
    assert_eq!(told(20, Rule::Freestyle), board(20, 0));
    assert_eq!(told(15, Rule::Standard), board(15, 1));
    assert_eq!(told(15, Rule::Renju), board(15, 4));
}

#[test]
fn rules_are_read_by_their_names() {
    let parsed = |text: &str| serde_json::from_str::<GomokuRules>(text);
    assert_eq!(parsed("{}").ok(), Some(rules(15, Rule::Freestyle)));
    let renju = "{\"size\":20,\"rule\":\"renju\"}";
    assert_eq!(parsed(renju).ok(), Some(rules(20, Rule::Renju)));
    assert_eq!(
        serde_json::to_string(&rules(20, Rule::Renju))
            .ok()
            .as_deref(),
        Some(renju)
    );
    assert!(parsed("{\"rule\":\"caro\"}").is_err());
    assert!(parsed("{\"swap\":2}").is_err());
    for size in 0..=255 {
        let allowed = Gomoku::check_rules(&rules(size, Rule::Standard)).is_ok();
        assert_eq!(allowed, (5..=20).contains(&size), "{size}");
    }
    assert!(size_of::<Gomoku>() <= 184, "{}", size_of::<Gomoku>());
}

#[test]
fn diagrams_show_the_board_as_it_is_written() {
    let position = play(&Gomoku::start(&rules(5, Rule::Freestyle)), "a1 e5 b1");
    let diagram = position.diagram();
    assert_eq!(diagram.points[4], Symbol::Piece('o'));
    let drawn = "5 . . . . o\n4 . . . . .\n3 . . . . .\n2 . . . . .\n1 x x . . .\n  a b c d e\n";
    assert_eq!(diagram.to_string(), drawn);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn no_text_makes_the_parsers_panic(
        text in ".{0,60}",
        board in "[1-90xo/. wb]{0,60}",
        mv in "[a-t0-9, -]{0,6}",
        rules in a_rule(),
    ) {
        for text in [&text, &board] {
            if let Ok(read) = Gomoku::from_fen(text, &rules) {
                prop_assert_eq!(Gomoku::from_fen(&read.to_fen(), &rules), Ok(read));
            }
        }
        let start = Gomoku::start(&rules);
        for text in [&text, &mv] {
            drop(start.parse_move(text));
            drop(start.parse_spelled(text, Dialect::Gomocup));
        }
    }
}
