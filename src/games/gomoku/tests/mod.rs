//! The rules and their text against other programs' verdicts and counts, and against themselves.

mod evaluation;
mod tactics;
mod text;

use proptest::prelude::*;
use rayon::prelude::*;

use super::*;
use crate::perft::{Leaves, perft};
use crate::verify::verify;

const RULES: [Rule; 3] = [Rule::Freestyle, Rule::Standard, Rule::Renju];

fn rules(size: u8, rule: Rule) -> GomokuRules {
    GomokuRules { size, rule }
}

fn read(fen: &str, rules: GomokuRules) -> Gomoku {
    Gomoku::from_fen(fen, &rules).unwrap_or_else(|error| panic!("{error}"))
}

fn end_of(position: &Gomoku) -> Option<Outcome> {
    position.outcome(&History::new(position.clone()))
}

/// The position after moves that end no game before the last.
fn play(start: &Gomoku, moves: &str) -> Gomoku {
    let mut position = start.clone();
    for text in moves.split_whitespace() {
        assert_eq!(end_of(&position), None, "before {text}");
        position.play(position.parse_move(text).expect(text));
    }
    position
}

fn rows(text: &'static str) -> Vec<csv::StringRecord> {
    let mut rows = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(text.as_bytes());
    rows.records().map(|row| row.expect("a row")).collect()
}

#[test]
fn perft_meets_an_independent_count() {
    let rows = rows(include_str!("../../../../tests/perft/gomoku.csv"));
    assert_eq!(rows.len(), 69);
    rows.par_iter().for_each(|row| {
        let rule = serde_json::from_value(row[1].into()).expect("a rule");
        let position = read(&row[4], rules(row[2].parse().expect("a size"), rule));
        assert_eq!(position.to_fen(), row[4]);
        let (depth, nodes) = (row[5].parse().expect("a depth"), row[6].parse());
        for leaves in [Leaves::Counted, Leaves::Made] {
            assert_eq!(Ok(perft(&position, depth, leaves)), nodes, "{row:?}");
        }
    });
}

#[test]
fn lines_are_judged_as_by_other_programs() {
    let rows = rows(include_str!("../../../../tests/data/gomoku_lines.csv"));
    assert_eq!(rows.len(), 87);
    for row in rows {
        let side = if &row[3] == "x" { "b" } else { "w" };
        for (rule, verdict) in RULES.into_iter().zip([&row[6], &row[7], &row[8]]) {
            let rules = rules(15, rule);
            let mut position = read(&format!("{} {side}", &row[2]), rules);
            let mover = position.side_to_move();
            let mv = position.parse_spelled(&row[4], Dialect::Gomocup);
            position.play(mv.expect("a legal move"));
            let expected = match verdict {
                "none" => None,
                "win" => Some(Outcome::win(mover, "five")),
                foul => {
                    let reason = foul.trim_start_matches("foul-").replace('-', "_");
                    Some(Outcome::win(Side::Second, &reason))
                }
            };
            assert_eq!(end_of(&position), expected, "{rule:?} {row:?}");
            // The text says the same.
            let text = position.to_fen();
            let again = read(&text, rules);
            assert_eq!(again, position, "{text}");
            assert_eq!(again.count_moves() == 0, expected.is_some());
        }
    }
}

#[test]
fn the_second_rules_agree_under_all_rules() {
    for (size, positions) in [(15, 1000), (20, 150), (5, 300)] {
        for rule in RULES {
            let report = verify::<Gomoku>(&rules(size, rule), positions, 1);
            assert_eq!(report.map(|report| report.positions), Ok(positions));
        }
    }
}

/// Random games rarely come to fouls: here stones crowd, and every empty point is tried.
#[test]
fn the_second_rules_agree_on_fouls() {
    let rules = rules(9, Rule::Renju);
    let mut found = std::collections::BTreeMap::new();
    for seed in 0..80_u64 {
        let mut position = Gomoku::start(&rules);
        let mut number = seed;
        while end_of(&position).is_none() && position.empty > 50 {
            let fen = position.to_fen();
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            let mut quiet = Vec::new();
            for mv in moves {
                let mut after = position.clone();
                after.play(mv);
                let end = end_of(&after);
                if position.side == Side::First && position.empty < 70 {
                    let text = position.format_move(mv);
                    let expected = reference::outcome(&fen, &text, 9, Rule::Renju);
                    assert_eq!(expected, Ok(end.clone()), "{text} in {fen}");
                }
                match end {
                    None => quiet.push(mv),
                    Some(end) if position.side == Side::First => {
                        *found.entry(end.reason).or_insert(0) += 1;
                    }
                    Some(_) => {}
                }
            }
            number = number
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let index = number >> 33;
            position.play(quiet[usize::try_from(index).expect("31 bits") % quiet.len()]);
        }
    }
    for (reason, least) in [("double_three", 30), ("double_four", 15), ("five", 30)] {
        assert!(found.get(reason) > Some(&least), "{reason}: {found:?}");
    }
}

#[test]
fn a_three_counts_only_if_its_four_may_be_made() {
    let renju = rules(15, Rule::Renju);
    // Two open threes through h8.
    let crossed = "15/15/15/15/15/7x7/7x7/5xx8/15/15/15/15/15/15/oooo11 b";
    let foul = Some(Outcome::win(Side::Second, "double_three"));
    assert_eq!(end_of(&play(&read(crossed, renju), "h8")), foul);
    assert_eq!(
        end_of(&play(&read(crossed, rules(15, Rule::Freestyle)), "h8")),
        None
    );
    // With a white stone on d8 the row can become a straight four on i8 only.
    let one_way = "15/15/15/15/15/7x7/7x7/3o1xx8/15/15/15/15/15/15/o1o1o10 b";
    assert_eq!(end_of(&play(&read(one_way, renju), "h8")), foul);
    // There Black would make two fours, so the row is no three.
    let no_way = "15/15/15/15/8x6/7xx6/7xx6/3o1xx8/15/15/15/15/o1o12/15/o1o1o1o8 b";
    assert_eq!(end_of(&play(&read(no_way, renju), "h8")), None);
    let two_fours = Some(Outcome::win(Side::Second, "double_four"));
    assert_eq!(end_of(&play(&read(no_way, renju), "h8 a15 i8")), two_fours);
}

#[test]
fn symmetric_positions_share_their_symmetry_key() {
    let start = Gomoku::start(&GomokuRules::default());
    let position = play(&start, "h8 i9 c3 d3 o1");
    let last = 14;
    let mut keys = vec![position.key()];
    for symmetry in 0..8 {
        let mut turned = start.clone();
        for text in ["h8", "i9", "c3", "d3", "o1"] {
            let mv = start.parse_move(text).expect(text);
            let (mut x, mut y) = (mv.x(), mv.y());
            for _ in 0..symmetry % 4 {
                (x, y) = (y, last - x);
            }
            if symmetry > 3 {
                x = last - x;
            }
            turned.play(Point::new(x, y));
        }
        assert_eq!(turned.symmetry_key(), position.symmetry_key(), "{symmetry}");
        keys.push(turned.key());
    }
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), 8);
    let other = play(&start, "i9 h8 d3 c3");
    assert_ne!(other.symmetry_key(), position.symmetry_key());
    // Rules and size are in the keys.
    let mut keys: Vec<u64> = RULES
        .iter()
        .flat_map(|rule| [15, 16, 20].map(|size| Gomoku::start(&rules(size, *rule)).key()))
        .collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), 9);
}

fn a_rule() -> impl Strategy<Value = GomokuRules> {
    (5..=20_u8, prop::sample::select(RULES.to_vec())).prop_map(|(size, rule)| rules(size, rule))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// What is carried along a random game is what is made afresh, and all text reads back.
    #[test]
    fn a_game_agrees_with_its_text(
        choices in proptest::collection::vec(any::<prop::sample::Index>(), 1..120),
        rules in a_rule(),
    ) {
        let mut position = Gomoku::start(&rules);
        for choice in choices {
            let fen = position.to_fen();
            prop_assert_eq!(Gomoku::from_fen(&fen, &rules), Ok(position.clone()), "{}", &fen);
            if end_of(&position).is_some() {
                break;
            }
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            prop_assert_eq!(moves.len() as u64, position.count_moves());
            let mv = *choice.get(&moves);
            prop_assert!(position.is_legal(mv));
            let text = position.format_move(mv);
            prop_assert_eq!(position.parse_move(&text), Ok(mv));
            let spelled = position.spell_move(mv, Dialect::Gomocup);
            prop_assert_eq!(position.parse_spelled(&spelled, Dialect::Gomocup), Ok(mv));
            // A pass is worth looking at only in a search, where its key must be its own.
            if let Some(passed) = position.pass() {
                prop_assert_ne!(passed.key(), position.key());
                prop_assert_eq!(passed.pass().map_or(position.key(), |back| back.key()), position.key());
            }
            position.play(mv);
            prop_assert!(!position.is_legal(mv));
        }
    }
}
