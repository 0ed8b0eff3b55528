//! How games end.

use super::*;

#[test]
fn games_end_by_geese_moves_and_time() {
    let win = |side, reason| Some(Outcome::win(side, reason));
    let (geese, fox) = (Side::First, Side::Second);
    let few = "3/3/7/3F3/7/1G1/GGG g";
    assert_eq!(end_of(&read(few)), win(fox, "few_geese"));
    assert_eq!(read(few).count_moves(), 0);
    assert_eq!(end_of(&under(&rule(Rule::SingleJump), few)), None);
    let at_three = with(|rules| rules.fox_wins_at = 3);
    assert_eq!(end_of(&under(&at_three, few)), None);
    let shut_in = "2G/3/4GGF/5GG/6G/3/3 f";
    assert_eq!(end_of(&read(shut_in)), win(geese, "no_moves"));
    // Geese that may not go back have nowhere to go.
    let stuck = "GGG/2F/7/7/7/3/GGG g";
    let rules = with(|rules| {
        rules.geese_backward = false;
        rules.fox_wins_at = 2;
    });
    let position = under(&rules, "GGG/F2/7/7/7/3/3 g");
    assert_eq!(end_of(&position), win(fox, "no_moves"));
    assert_eq!(end_of(&under(&rules, stuck)), None);
}

/// Plays moves; after which of them the game ends, and how.
fn end_of_line(rules: &FoxGeeseRules, fen: &str, moves: &str) -> Option<(usize, Outcome)> {
    let mut position = under(rules, fen);
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

#[test]
fn games_without_progress_end() {
    let default = FoxGeeseRules::default();
    let start = &default.start;
    let shuffle = "a3a4 d7d6 a4a3 d6d7 ".repeat(2);
    let draw = |reason| Outcome::draw(reason);
    let fox = |reason| Outcome::win(Side::Second, reason);
    let end = |rules: &FoxGeeseRules, moves: &str| end_of_line(rules, start, moves);
    assert_eq!(end(&default, &shuffle), Some((8, draw("threefold"))));
    let for_fox = with(|rules| rules.no_progress_wins = NoProgress::Fox);
    assert_eq!(end(&for_fox, &shuffle), Some((8, fox("threefold"))));
    let endless = |plies_without_capture, max_plies, no_progress_wins| {
        with(|rules| {
            rules.threefold_repetition = false;
            rules.plies_without_capture = plies_without_capture;
            rules.max_plies = max_plies;
            rules.no_progress_wins = no_progress_wins;
        })
    };
    let (nobody, the_fox) = (NoProgress::Nobody, NoProgress::Fox);
    for (rules, expected) in [
        (endless(6, 8, nobody), Some((6, draw("no_capture")))),
        (endless(6, 8, the_fox), Some((6, fox("no_capture")))),
        (endless(0, 8, nobody), Some((8, draw("max_plies")))),
        (endless(0, 8, the_fox), Some((8, draw("max_plies")))),
        (endless(0, 9, nobody), None),
        (endless(7, 5, nobody), Some((5, draw("max_plies")))),
    ] {
        assert_eq!(end(&rules, &shuffle), expected);
    }
    // A capture begins the count anew, and the text carries it.
    let rules = endless(4, 400, nobody);
    let fen = "3/3/7/2FG3/7/1G1/GGG f 3";
    let rules = FoxGeeseRules {
        fox_wins_at: 2,
        ..rules
    };
    let line = "c4e4 c1c2 e4e5 c2c1 e5e4";
    assert_eq!(
        end_of_line(&rules, fen, line),
        Some((5, draw("no_capture")))
    );
    assert_eq!(
        end_of_line(&rules, fen, "c4c5"),
        Some((1, draw("no_capture")))
    );
    let mut position = under(&rules, fen);
    position.play(position.parse_move("c4c5").expect("a step"));
    assert_eq!(position.to_fen(), "3/3/2F4/3G3/7/1G1/GGG g 4");
}
