//! The checker against fc-solve's solutions, and against the game's own moves.

use super::*;

fn check(start: &FreeCell, moves: &str) -> Result<CheckedSolution, SolutionError> {
    FreeCell::check_solution(&start.to_fen(), moves)
}

/// How far the game's own rules come with these moves: all of them, or the number of the first
/// that is refused.
fn replay(start: &FreeCell, moves: &[String]) -> Result<FreeCell, u32> {
    let mut position = *start;
    for (number, text) in (1_u32..).zip(moves) {
        let mv = position.parse_move(text).map_err(|_| number)?;
        position.play(mv);
    }
    Ok(position)
}

fn tokens(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn solutions_of_others_are_right() {
    let solutions = solutions();
    assert!(solutions.len() > 100);
    for row in &solutions {
        let start = dealt(&row[0]);
        let checked =
            check(&start, &row[5]).unwrap_or_else(|error| panic!("deal {}: {error}", &row[0]));
        assert_eq!(checked.moves.to_string(), row[3], "deal {}", &row[0]);
        assert_eq!(checked.pieces.to_string(), row[4], "deal {}", &row[0]);
        let moves = tokens(&row[5]);
        assert_eq!(replay(&start, &moves).map(|end| end.is_solved()), Ok(true));
        // And written as they were.
        let mut position = start;
        for text in &moves {
            let mv = position.parse_move(text).expect("legal");
            let plain = text.replace("v1", "");
            assert_eq!(position.format_move(mv), plain, "deal {}", &row[0]);
            position.play(mv);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// A changed solution is refused by the checker at the move where the game's rules refuse it.
    #[test]
    fn the_checker_and_the_rules_agree(
        row in 0..128_usize,
        at in any::<usize>(),
        what in 0..4,
        from in "[1-8a-dh]",
        to in "[1-8a-dh]",
        count in 1..14_u8,
    ) {
        let solutions = solutions();
        let row = &solutions[row % solutions.len()];
        let start = dealt(&row[0]);
        let mut moves = tokens(&row[5]);
        let at = at % moves.len();
        match what {
            0 => moves[at] = format!("{from}{to}"),
            1 => moves[at] = format!("{from}{to}v{count:x}"),
            2 => drop(moves.remove(at)),
            _ => {
                let other = row[5].len() % moves.len().min(at + 3);
                moves.swap(at, other);
            }
        }
        let checked = check(&start, &moves.join(" "));
        match replay(&start, &moves) {
            Ok(end) => {
                let right = checked.is_ok_and(|checked| checked.guessed == 0);
                prop_assert_eq!(right, end.is_solved());
            }
            Err(refused) => match checked {
                // The numbers of cards were found, which the rules do not do.
                Ok(checked) => prop_assert!(checked.guessed > 0),
                Err(SolutionError::Move { number, .. }) => prop_assert_eq!(number, refused),
                Err(other) => {
                    prop_assert!(false, "{:?}, but move {} is illegal", other, refused);
                }
            },
        }
    }

    #[test]
    fn no_text_breaks_the_checker(position in ".{0,60}", moves in ".{0,60}") {
        drop(FreeCell::check_solution(&position, &moves));
        for text in [moves.clone(), format!("{{\"moves\":{moves}}}"), format!("====\nMove {moves}\n1.{moves}")] {
            drop(check(&dealt("1"), &text));
        }
    }
}

/// A move as fc-solve says it by default.
fn sentence(mv: &str) -> String {
    let spot = |symbol: u8| match symbol {
        b'1'..=b'8' => format!("stack {}", symbol - b'1'),
        b'a'..=b'd' => format!("freecell {}", symbol - b'a'),
        _ => "the foundations".to_owned(),
    };
    let &[from, to] = &mv.as_bytes()[..2] else {
        panic!("no move: {mv}");
    };
    let cards = match mv.split_once('v') {
        Some((_, count)) => {
            let count = u8::from_str_radix(count, 16).expect("a number");
            format!("{count} cards")
        }
        None => "a card".to_owned(),
    };
    format!("Move {cards} from {} to {}", spot(from), spot(to))
}

/// The moves of a solution, each with the number of its cards where they go from column to column.
fn with_numbers(start: &FreeCell, moves: &[String]) -> Vec<String> {
    let mut position = *start;
    let full = moves.iter().map(|text| {
        let mv = position.parse_move(text).expect("legal");
        position.play(mv);
        let is_run = text.as_bytes()[..2].iter().all(u8::is_ascii_digit);
        let count = FreeCell::pieces(mv);
        if is_run {
            format!("{}v{count:x}", &text[..2])
        } else {
            text.clone()
        }
    });
    full.collect()
}

const BOARD: &str =
    "\nFoundations: H-0 C-0 D-0 S-0 \nFreecells:  QH            \n: 7D TD\n:\n: 10H KD \n\n";

/// Whatever fc-solve prints with moves, and what agon prints, is read.
#[test]
fn solutions_are_read_as_they_are_printed() {
    let mut guessed = 0;
    for row in &solutions() {
        let start = dealt(&row[0]);
        let moves = tokens(&row[5]);
        let sentences: Vec<String> = with_numbers(&start, &moves)
            .iter()
            .map(|mv| sentence(mv))
            .collect();
        let title = "-=-=-=-=-=-=-=-=-=-=-=-\n\n";
        let end = "\nThis game is solveable.\nTotal number of states checked is 160.\nThis scan \
                   generated 185 states.\n";
        let rule = "\n\n====================\n\n";
        let scan =
            format!("Iteration: 0\nDepth: 0\nStored-States: 0\nScan: \n{BOARD}\n--------\n 3 2\n");
        let numbered = (1..).zip(&moves).map(|(at, mv)| format!("{at}. {mv}"));
        let numbered: Vec<String> = numbered.collect();
        let close = (1..).zip(&moves).map(|(at, mv)| format!("{at}){mv}"));
        let close: Vec<String> = close.collect();
        let json = serde_json::json!({"version": 1, "moves": moves, "position": "1"});
        for text in [
            format!("{title}{}{end}", sentences.join(rule)),
            format!(
                "{scan}{title}{BOARD}{}{BOARD}{end}",
                sentences.join(&(BOARD.to_owned() + rule))
            ),
            format!(
                "{title}Move: {}{end}",
                moves.join(&format!(" \n{BOARD}{rule}Move: "))
            ),
            format!("{scan}{title}{} \n{end}", moves.join(" ")),
            format!(
                "{title}--- ---\n QH  -- \n{rule}{} \n{end}",
                moves.join(" ")
            ),
            sentences.join(".\r\n"),
            numbered.join("\n"),
            close.join(" "),
            json.to_string(),
            format!("\u{feff}{}\n", moves.join("\r\n")),
            format!("\u{feff}{json}\n"),
        ] {
            let checked = check(&start, &text);
            let right = checked.as_ref().map(|checked| checked.moves.to_string());
            assert_eq!(right, Ok(row[3].to_owned()), "deal {}: {text}", &row[0]);
            assert_eq!(checked.map(|checked| checked.guessed), Ok(0));
        }
        // Without the numbers of cards there is a way to read it.
        let bare: Vec<&str> = moves.iter().map(|mv| &mv[..2]).collect();
        let checked = check(&start, &bare.join(" "));
        assert!(checked.is_ok(), "deal {}: {checked:?}", &row[0]);
        guessed += checked.map_or(0, |checked| checked.guessed);
    }
    assert!(guessed > 0);
}

#[test]
fn other_texts_are_refused_with_a_reason() {
    let start = dealt("1");
    for (text, reason) in [
        ("{\"moves\": 3}", "this JSON has no array `moves`"),
        ("{\"moves\": [3]}", "a move of this JSON is no text"),
        ("{\"moves\": [", "EOF"),
        (
            "Move a card from stack 9 to the foundations",
            "this is no move",
        ),
        ("Move 999 cards from stack 1 to stack 2", "this is no move"),
        ("1. 5h 2. 99", "move 1 (`5h`)"),
        ("5dv+1", "no number of cards"),
        ("Hello", "move 1 (`Hello`): this is no move"),
        ("", "not solved after 0 moves"),
        ("1.", "not solved after 0 moves"),
    ] {
        let said = check(&start, text).map_or_else(|error| error.to_string(), |_| String::new());
        assert!(said.contains(reason), "{text}: {said}");
    }
}

/// Trying numbers of cards comes to an end.
#[test]
fn a_text_with_very_many_readings_ends() {
    let position = "KD QS JH TS 9H 8S 7H 6S/-/-/KC KH KS QC QD QH JC JD JS/TC TD TH 9C 9D 9S 8C 8D 8H/7C 7D 7S 6C \
                    6D 6H 5C 5D 5H 5S/4C 4D 4H 4S 3C 3D 3H 3S/2C 2D 2H 2S AC AD AH AS";
    let said = says(position, &"12 21 ".repeat(50_000));
    assert!(said.contains("too many ways to read them"), "{said}");
}

/// What the checker says of these moves in a position.
fn says(position: &str, moves: &str) -> String {
    check(&read(position), moves)
        .map_or_else(|error| error.to_string(), |checked| format!("{checked:?}"))
}

#[test]
fn every_kind_of_mistake_is_named() {
    let position = "9C 8H 7C/9S 8D/9H/TC TD/TH/TS JC JD JH JS/QC QD QH QS/KC KD KH KS 9D 8C 8S ; 7D 7H 7S - ; 6 6 6 6";
    for (moves, reason) in [
        ("a1", "7D does not go on 7C, which is not one higher"),
        ("23", "8D does not go on 9H, which has its colour"),
        ("2a", "8D does not go into the cell, where 7D is"),
        ("2h", "8D does not go home, where its suit has come to 6"),
        ("ha", "no card leaves its foundation"),
        (
            "1h 1h",
            "move 2 (`1h`): 8H does not go home, where its suit has come to 6",
        ),
        ("d1", "the cell is empty"),
        ("22", "it goes where it is"),
        ("xy", "this is no move"),
        ("2", "this is no move"),
        ("2dv2", "only one card goes there at once"),
        ("2dvz", "`vz` is no number of cards"),
        ("2d 3q", "move 2 (`3q`): this is no move"),
    ] {
        let said = says(position, moves);
        assert!(said.contains(reason), "{moves}: {said}");
        assert!(said.contains("before it: "), "{said}");
    }
    let unsolved = says(position, "1h");
    assert!(
        unsolved.contains("not solved after 1 moves: 27 cards are not at home"),
        "{unsolved}"
    );
    assert!(
        unsolved.contains("at the end: 9C 8H/9S 8D/9H"),
        "{unsolved}"
    );
    let crowded = "9C 8H 7C/TH/9S 8D/9H/TC TD/TS JC JD JH JS/QC QD QH QS/KC KD KH KS 9D 8C 8S ; 7D 7H 7S - ; 6 6 6 6";
    let said = says(crowded, "12");
    assert!(
        said.contains("not enough free cells and empty columns"),
        "{said}"
    );
    let over = says("KC/KD/KH/KS/-/-/-/-; - - - -; Q Q Q Q", "1h 2h 3h 4h");
    assert_eq!(over, "CheckedSolution { moves: 4, pieces: 4, guessed: 0 }");
    assert!(
        says(
            "KC/KD/KH/KS/-/-/-/-; - - - -; Q Q Q Q",
            "# talk\n1h 2h 3h 4h 4h"
        )
        .contains("column 4 is empty")
    );
}
