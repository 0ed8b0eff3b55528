//! The checker against fc-solve's solutions, and against the game's own moves.

use super::*;

fn check(start: &FreeCell, moves: &str) -> Result<CheckedSolution, SolutionError> {
    FreeCell::check_solution(&start.to_fen(), moves)
}

/// How far the game's own rules come with these moves: all of them, or the number of the first
/// that is refused.
fn replay(start: &FreeCell, moves: &[String]) -> Result<FreeCell, u32> {
    let mut position = *start;
    for (number, text) in (1..).zip(moves) {
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
            _ => moves.swap(at, row[5].len() % moves.len().min(at + 3)),
        }
        let checked = check(&start, &moves.join(" "));
        match replay(&start, &moves) {
            Ok(end) => prop_assert_eq!(checked.is_ok(), end.is_solved()),
            Err(refused) => match checked {
                Err(SolutionError::Move { number, .. }) => prop_assert_eq!(number, refused),
                other => prop_assert!(false, "{:?}, but move {} is illegal", other, refused),
            },
        }
    }

    #[test]
    fn no_text_breaks_the_checker(position in ".{0,60}", moves in ".{0,60}") {
        drop(FreeCell::check_solution(&position, &moves));
        drop(check(&dealt("1"), &moves));
    }
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
        ("21", "8D does not go on 7C, which is not one higher"),
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
        ("83", "move 1 (`83`)"),
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
    assert_eq!(over, "CheckedSolution { moves: 4, pieces: 4 }");
    assert!(
        says(
            "KC/KD/KH/KS/-/-/-/-; - - - -; Q Q Q Q",
            "# talk\n1h 2h 3h 4h 4h"
        )
        .contains("column 4 is empty")
    );
}
