//! The rules and their text against an independent program's counts, and against themselves.

mod endgame;
mod ends;
mod text;

use proptest::prelude::*;
use rayon::prelude::*;

use super::*;
use crate::perft::{Leaves, perft};
use crate::verify::verify;

fn under(rules: &FoxGeeseRules, fen: &str) -> FoxGeese {
    FoxGeese::from_fen(fen, rules).unwrap_or_else(|error| panic!("{error}"))
}

fn read(fen: &str) -> FoxGeese {
    under(&FoxGeeseRules::default(), fen)
}

fn with(change: impl FnOnce(&mut FoxGeeseRules)) -> FoxGeeseRules {
    let mut rules = FoxGeeseRules::default();
    change(&mut rules);
    rules
}

fn rule(rule: Rule) -> FoxGeeseRules {
    with(|rules| rules.rule = rule)
}

fn moves_of(position: &FoxGeese) -> BTreeSet<String> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves.iter().map(|mv| position.format_move(*mv)).collect()
}

/// The moves from a point, without it, however few geese there are.
fn goes(rules: &FoxGeeseRules, fen: &str, from: &str) -> String {
    let rules = FoxGeeseRules {
        fox_wins_at: 0,
        ..rules.clone()
    };
    let moves = moves_of(&under(&rules, fen));
    let targets = moves.iter().filter_map(|mv| mv.strip_prefix(from));
    targets.collect::<Vec<_>>().join(" ")
}

fn end_of(position: &FoxGeese) -> Option<Outcome> {
    position.outcome(&History::new(position.clone()))
}

fn rows(text: &'static str) -> Vec<csv::StringRecord> {
    let mut rows = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(text.as_bytes());
    rows.records().map(|row| row.expect("a row")).collect()
}

/// The rows of perft with so many nodes.
fn meets_perft(nodes: impl Fn(u64) -> bool) -> usize {
    let mut rows = rows(include_str!("../../../../tests/perft/fox_geese.csv"));
    rows.retain(|row| nodes(row[9].parse().expect("nodes")));
    rows.par_iter().for_each(|row| {
        let named = serde_json::from_value(row[7].into()).expect("a rule");
        let position = under(&rule(named), &row[3]);
        assert_eq!(position.to_fen(), row[3]);
        let place = |at: Point| board::row(at) * 7 + board::column(at);
        let mask = board::each(position.geese).fold(0, |set, at| set | 1_u64 << place(at));
        assert_eq!(place(position.fox).to_string(), row[4]);
        assert_eq!(format!("{mask:#x}"), row[5]);
        let depth = row[8].parse().expect("a depth");
        let nodes: u64 = row[9].parse().expect("nodes");
        assert_eq!(perft(&position, depth, Leaves::Counted), nodes, "{row:?}");
        if nodes < 10_000 {
            assert_eq!(perft(&position, depth, Leaves::Made), nodes, "{row:?}");
        }
    });
    rows.len()
}

#[test]
fn perft_meets_an_independent_count() {
    assert_eq!(meets_perft(|nodes| nodes <= 2_000_000), 793);
}

#[test]
#[ignore = "counts a thousand million paths"]
fn perft_meets_an_independent_count_of_millions() {
    assert_eq!(meets_perft(|nodes| nodes > 2_000_000), 3);
}

#[test]
fn pieces_go_as_the_rules_say() {
    let diagonals = with(|rules| rules.diagonals = true);
    let forward = with(|rules| rules.geese_backward = false);
    let both = with(|rules| {
        rules.diagonals = true;
        rules.geese_backward = false;
    });
    let default = FoxGeeseRules::default();
    for (rules, fen, from, to) in [
        // Along straight lines, and not over the inner corners of the cross.
        (&default, "3/3/7/3F3/7/3/GGG f", "d4", "c4 d3 d5 e4"),
        (&default, "3/F2/7/7/7/3/GGG f", "c6", "c5 c7 d6"),
        (&default, "3/3/F6/7/7/3/GGG f", "a5", "a4 b5"),
        (&default, "3/3/6F/7/7/3/GGG f", "g5", "f5 g4"),
        // Diagonal lines join every second point.
        (
            &diagonals,
            "3/3/7/3F3/7/3/GGG f",
            "d4",
            "c3 c4 c5 d3 d5 e3 e4 e5",
        ),
        (&diagonals, "3/3/7/2F4/7/3/GGG f", "c4", "b4 c3 c5 d4"),
        (
            &diagonals,
            "3/3/2F4/7/7/3/GGG f",
            "c5",
            "b4 b5 c4 c6 d4 d5 d6",
        ),
        (&diagonals, "3/3/F6/7/7/3/GGG f", "a5", "a4 b4 b5"),
        (&diagonals, "F2/3/7/7/7/3/GGG f", "c7", "c6 d6 d7"),
        // Geese step, back too unless the rules forbid it.
        (&default, "F2/3/7/3G3/7/3/GGG g", "d4", "c4 d3 d5 e4"),
        (&forward, "F2/3/7/3G3/7/3/GGG g", "d4", "c4 d5 e4"),
        (
            &diagonals,
            "F2/3/7/3G3/7/3/GGG g",
            "d4",
            "c3 c4 c5 d3 d5 e3 e4 e5",
        ),
        (&both, "F2/3/7/3G3/7/3/GGG g", "d4", "c4 c5 d5 e4 e5"),
        (&both, "F2/3/7/2G4/7/3/GGG g", "c4", "b4 c5 d4"),
    ] {
        assert_eq!(goes(rules, fen, from), to, "{from} in {fen}");
    }
}

#[test]
fn the_fox_jumps_over_geese_to_empty_points() {
    let multi = rule(Rule::MultiJump);
    let diagonals = with(|rules| rules.diagonals = true);
    let forced = with(|rules| rules.forced_capture = true);
    let all_forced = with(|rules| {
        rules.rule = Rule::MultiJump;
        rules.forced_capture = true;
    });
    let default = FoxGeeseRules::default();
    let two = "3/3/7/GGFG3/4G2/3/GGG f";
    let ring = "F2/G2/1G5/G6/1G5/3/3 f";
    for (rules, fen, from, to) in [
        (&default, two, "c4", "c3 c5 e4"),
        (&multi, two, "c4", "c3 c5 e4 e4e2"),
        (&forced, two, "c4", "e4"),
        (&all_forced, two, "c4", "e4e2"),
        // Nothing behind the goose but a goose, or the edge.
        (&default, "3/3/7/7/1GFGG2/GGG/GGG f", "c3", "a3 c4"),
        (&default, "GFG/3/7/7/7/3/GGG f", "d7", "d6"),
        (
            &diagonals,
            "3/3/2F4/3G3/7/3/GGG f",
            "c5",
            "b4 b5 c4 c6 d5 d6 e3",
        ),
        (&default, "3/3/2F4/3G3/7/3/GGG f", "c5", "b5 c4 c6 d5"),
        // A fox without a jump may step where captures are forced.
        (&forced, "3/3/7/2FGG2/7/3/GGG f", "c4", "b4 c3 c5"),
        // A chain may stop after any jump.
        (&multi, ring, "c7", "c5 c5a5 c5a5a3 c5a5a3c3 d7"),
    ] {
        assert_eq!(goes(rules, fen, from), to, "{from} in {fen}");
    }
    // A chain may end where it began, and goes round either way.
    let to_the_last = FoxGeeseRules {
        fox_wins_at: 0,
        ..multi.clone()
    };
    let start = under(&to_the_last, "3/3/2FG3/2G1G2/3G3/1G1/1G1 f");
    let [left, right] = ["c5c3e3e5c5", "c5e5e3c3c5"].map(|text| start.parse_move(text));
    assert_ne!(left, right);
    for mv in [left, right] {
        let mut after = start.clone();
        after.play(mv.expect("four jumps"));
        assert_eq!(after.to_fen(), "3/3/2F4/7/7/1G1/1G1 g");
    }
    // A chain that has won is over.
    let won = moves_of(&under(&multi, "3/3/2FG3/2G1G2/3G3/1G1/1G1 f"));
    assert!(
        won.contains("c5c3e3") && !won.contains("c5c3e3e5"),
        "{won:?}"
    );
}

/// Every choice of rules that changes which moves there are.
fn choices() -> Vec<FoxGeeseRules> {
    let mut all = Vec::new();
    for rule in [Rule::SingleJumpTerm, Rule::SingleJump, Rule::MultiJump] {
        for bits in 0..8 {
            all.push(with(|rules| {
                rules.rule = rule;
                rules.diagonals = bits & 1 != 0;
                rules.geese_backward = bits & 2 != 0;
                rules.forced_capture = bits & 4 != 0;
                if bits & 3 == 1 {
                    rules.start = "GGG/GGG/3G3/3F3/7/GGG/GGG f".to_owned();
                    rules.no_progress_wins = NoProgress::Fox;
                }
            }));
        }
    }
    all
}

#[test]
fn the_second_rules_agree() {
    let default = FoxGeeseRules::default();
    let report = verify::<FoxGeese>(&default, 1500, 1);
    assert_eq!(report.map(|report| report.positions), Ok(1500));
    choices().par_iter().enumerate().for_each(|(seed, rules)| {
        assert_eq!(FoxGeese::check_rules(rules), Ok(()));
        if let Err(error) = verify::<FoxGeese>(rules, 400, seed as u64) {
            panic!("{rules:?}: {error}");
        }
    });
    // Short games, so that there are more ends of every kind.
    let short = with(|rules| {
        rules.max_plies = 60;
        rules.plies_without_capture = 20;
        rules.start = "3/GGG/3G3/2GFG2/3G3/1G1/3 f".to_owned();
    });
    let report = verify::<FoxGeese>(&short, 500, 2).expect("agreement");
    assert!(report.games > 10, "{report:?}");
}

#[test]
fn positions_that_the_board_turns_into_each_other_share_their_symmetry_key() {
    let fens = [
        "1F1/3/G6/7/7/3/2G g",
        "1F1/3/6G/7/7/3/G2 g",
        "2G/3/7/7/G6/3/1F1 g",
        "G2/3/7/F6/7/3/1G1 g",
    ];
    let keys = fens.map(|fen| read(fen).symmetry_key());
    assert_eq!(keys[0], keys[1]);
    assert_eq!(keys[0], keys[2]);
    assert_ne!(keys[0], keys[3]);
    let turned = read("3/G5G/7/7/7/3/1F1 g".replace("3/G5G/7", "3/3/G6").as_str());
    assert_ne!(keys[0], turned.symmetry_key());
    // Where geese may not go back, only left and right are alike.
    let forward = with(|rules| rules.geese_backward = false);
    let keys = fens.map(|fen| under(&forward, fen).symmetry_key());
    assert_eq!(keys[0], keys[1]);
    assert_ne!(keys[0], keys[2]);
    let [geese, fox] = ["g", "f"].map(|side| read(&format!("1F1/3/G6/7/7/3/2G {side}")));
    assert_ne!(geese.symmetry_key(), fox.symmetry_key());
}

#[test]
fn quiescence_looks_at_jumps_and_what_stops_them() {
    let tactical = |fen: &str| {
        let mut moves = Vec::new();
        let position = read(fen);
        position.tactical_moves(&mut moves);
        let texts: BTreeSet<String> = moves.iter().map(|mv| position.format_move(*mv)).collect();
        texts.into_iter().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(tactical("3/3/7/2FG3/7/2G/GGG f"), "c4e4");
    assert_eq!(tactical("3/3/7/2F1G2/7/2G/GGG f"), "");
    // The goose leaves, or another stands behind it.
    assert_eq!(tactical("3/3/7/2FG1G1/7/2G/GGG g"), "d4d3 d4d5 d4e4 f4e4");
    assert_eq!(tactical("3/3/7/2F1G2/7/2G/GGG g"), "");
    // Two jumps threaten: no move stops both.
    assert_eq!(tactical("3/3/2G4/2FG3/7/2G/1GG g"), "");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// What is carried along a random game is what is made afresh, and all text reads back.
    #[test]
    fn a_game_agrees_with_its_text(
        choice in 0..24_usize,
        choices_of_moves in proptest::collection::vec(any::<prop::sample::Index>(), 1..120),
    ) {
        let rules = &choices()[choice];
        let mut position = FoxGeese::start(rules);
        let mut moves = Vec::new();
        for choice in choices_of_moves {
            let fen = position.to_fen();
            prop_assert_eq!(FoxGeese::from_fen(&fen, rules), Ok(position.clone()), "{}", &fen);
            moves.clear();
            position.legal_moves(&mut moves);
            prop_assert_eq!(position.count_moves(), moves.len() as u64);
            if moves.is_empty() {
                break;
            }
            prop_assert!(position.can_move());
            let mut tactical = Vec::new();
            position.tactical_moves(&mut tactical);
            for mv in &tactical {
                prop_assert!(moves.contains(mv));
            }
            // Of all steps and single jumps exactly the listed ones are legal.
            let points = || board::each(board::BOARD);
            let steps = points().flat_map(|from| points().map(move |to| Move::step(from, to)));
            let jumps = points().flat_map(|from| (0..8).filter_map(move |d| Move::jumps(from, &[d])));
            let legal = steps.chain(jumps).filter(|mv| position.is_legal(*mv)).count();
            let short = moves.iter().filter(|mv| mv.captures() < 2).count();
            prop_assert_eq!(legal, short, "{}", &fen);
            let mv = *choice.get(&moves);
            let text = position.format_move(mv);
            prop_assert_eq!(position.parse_move(&text), Ok(mv));
            let mut after = position.clone();
            after.play(mv);
            prop_assert_eq!(
                position.geese.count_ones() - after.geese.count_ones(),
                mv.captures()
            );
            position = after;
        }
    }
}
