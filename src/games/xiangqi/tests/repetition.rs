//! Repeated positions against other programs' verdicts, and cases of their own.

use super::*;

/// Plays the moves; after which of them the game ends, and how.
fn end_of_line(fen: &str, moves: &str) -> Option<(usize, Outcome)> {
    let mut position = read(fen);
    let mut history = History::new(position.clone());
    for (ply, text) in moves.split_whitespace().enumerate() {
        let mv = position.parse_move(text).expect(text);
        position.play(mv);
        history.push(mv, &position);
        if let Some(outcome) = position.outcome(&history) {
            return Some((ply + 1, outcome));
        }
    }
    None
}

fn draw() -> Outcome {
    Outcome::draw("threefold")
}

fn perpetual_check_by(side: Side) -> Outcome {
    Outcome::win(side.other(), "perpetual_check")
}

#[test]
fn repetitions_are_judged_as_by_other_programs() {
    let rows = rows(include_str!(
        "../../../../tests/data/xiangqi_repetition.csv"
    ));
    assert_eq!(rows.len(), 106);
    for row in rows {
        let outcome = match &row[6] {
            "loss_red" => Some(perpetual_check_by(Side::First)),
            "loss_black" => Some(perpetual_check_by(Side::Second)),
            "draw" => Some(draw()),
            "none" => None,
            other => panic!("{other}"),
        };
        let ply = row[5].parse().expect("a ply");
        let expected = outcome.map(|outcome| (ply, outcome));
        assert_eq!(end_of_line(&row[2], &row[3]), expected, "{row:?}");
        // What the row says of checks.
        let mut position = read(&row[2]);
        for (text, mark) in row[3].split_whitespace().zip(row[4].chars()) {
            position.play(position.parse_move(text).expect(text));
            assert_eq!(position.in_check(), mark == 'x', "{text} {row:?}");
        }
    }
}

/// A chariot drives the general up and down.
const CHECKS: &str = "a10a9 d9d10 a9a10 d10d9 ";

#[test]
fn who_checks_for_ever_loses() {
    let fen = "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1";
    let moves = format!("a1a10 d10d9 {}", CHECKS.repeat(3));
    let lost = perpetual_check_by(Side::First);
    assert_eq!(end_of_line(fen, &moves), Some((9, lost.clone())));
    // A quiet move before the first occurrence changes nothing.
    let moves = format!("e1e2 d10d9 a1a9 d9d10 a9a10 d10d9 {}", CHECKS.repeat(3));
    assert_eq!(end_of_line(fen, &moves), Some((11, lost)));
}

/// None of the reference's positions lets both check for ever.
#[test]
fn both_may_check_for_ever() {
    use crate::games::xiangqi::repetition::verdict;
    let (red, black) = (Side::First, Side::Second);
    for (has_checked, outcome) in [
        ([true, true], draw()),
        ([false, false], draw()),
        ([true, false], perpetual_check_by(red)),
        ([false, true], perpetual_check_by(black)),
    ] {
        assert_eq!(verdict(has_checked), outcome);
    }
}

#[test]
fn a_quiet_move_among_checks_makes_it_a_draw() {
    let fen = "9/3k5/9/9/9/9/9/9/9/R3K4 w - - 0 1";
    let moves = "a1a9 d9d10 a9a1 d10d9 ".repeat(2);
    assert_eq!(end_of_line(fen, &moves), Some((8, draw())));
}

#[test]
fn no_position_comes_back_after_a_capture() {
    let fen = "3k5/9/9/9/9/9/9/r8/9/R3K4 w - - 0 1";
    let waits = "e1e2 d10d9 e2e1 d9d10 ";
    assert_eq!(end_of_line(fen, &waits.repeat(2)), Some((8, draw())));
    // The capture comes after two occurrences, and the count begins anew.
    let moves = format!("{waits}a1a3 d10d9 a3a1 d9d10 {waits}");
    assert_eq!(end_of_line(fen, &moves), None);
}
