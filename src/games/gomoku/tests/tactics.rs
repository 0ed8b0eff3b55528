//! Continuous fours against an exhaustive program's answers.

use rayon::prelude::*;

use super::*;
use crate::params::Tunable;
use crate::search::{
    Control, Effort, Evaluator, SearchKind, SearchLimits, SearchSpec, StopFlag, build,
};

/// A row of the tactics: its position, kind, moves and first moves.
struct Row {
    id: String,
    position: Gomoku,
    kind: String,
    moves: Option<usize>,
    first: Vec<String>,
    opponent_fives: Vec<String>,
}

fn tactics() -> Vec<Row> {
    let rows = rows(include_str!("../../../../tests/data/gomoku_tactics.csv"));
    let words = |text: &str| {
        let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        words.sort_unstable();
        words
    };
    let row = |row: csv::StringRecord| {
        let rule = serde_json::from_value(row[1].into()).expect("a rule");
        let side = if &row[3] == "x" { "b" } else { "w" };
        Row {
            id: row[0].to_owned(),
            position: read(&format!("{} {side}", &row[2]), rules(15, rule)),
            kind: row[5].to_owned(),
            moves: row[6].parse().ok(),
            first: words(&row[7]),
            opponent_fives: words(&row[8]),
        }
    };
    rows.into_iter().map(row).collect()
}

/// The points as the rows write them.
fn spelled(points: impl Iterator<Item = Point>) -> Vec<String> {
    let mut texts: Vec<String> = points.map(super::super::notation::spell_move).collect();
    texts.sort_unstable();
    texts
}

/// Plays a line out; the side to move first must have won by it.
fn replay_win(position: &Gomoku, line: &[Point]) {
    let winner = position.side_to_move();
    let mut position = position.clone();
    for mv in line {
        assert_eq!(end_of(&position), None);
        assert!(position.is_legal(*mv));
        position.play(*mv);
    }
    let outcome = end_of(&position).expect("the game is over");
    assert_eq!(outcome.winner, Some(winner));
}

fn evaluator() -> Threats {
    let spec = SearchSpec::defaults::<Gomoku>(SearchKind::Greedy);
    Threats::from_values(&spec.evaluation)
}

#[test]
fn continuous_fours_meet_an_exhaustive_program() {
    let rows = tactics();
    assert_eq!(rows.len(), 160);
    rows.par_iter().for_each(|row| {
        let found = vcf(&row.position, 2_000_000);
        assert_eq!(found.attacker_moves(), row.moves, "{}", row.id);
        match found {
            Vcf::Won(line) => {
                let first = spelled(line[..1].iter().copied());
                assert!(row.first.contains(&first[0]), "{} {first:?}", row.id);
                replay_win(&row.position, &line);
            }
            Vcf::Lost => assert_eq!(row.kind, "none", "{}", row.id),
            Vcf::Unknown => panic!("{} is not solved", row.id),
        }
    });
}

#[test]
fn points_of_five_are_all_found() {
    let evaluator = evaluator();
    for row in tactics() {
        let state = evaluator.reset(&row.position);
        let side = row.position.side_to_move();
        let own = spelled(state.fives(side));
        match row.kind.as_str() {
            "win1" => assert_eq!(own, row.first, "{}", row.id),
            _ => assert!(own.is_empty(), "{}", row.id),
        }
        assert_eq!(
            spelled(state.fives(side.other())),
            row.opponent_fives,
            "{}",
            row.id
        );
    }
}

/// How many wins the default engine claims within so many nodes.
fn solved(rows: &[&Row], vcf: bool, nodes: u64) -> usize {
    let mut spec = SearchSpec::defaults::<Gomoku>(SearchKind::AlphaBeta);
    if !vcf {
        let declared = Threats::parameters();
        for name in ["vcf_nodes", "vcf_root_nodes"] {
            spec.evaluation.set(&declared, name, 0.0).expect(name);
        }
    }
    let solves = |row: &&&Row| {
        let mut search = build::<Gomoku>(&spec);
        let history = History::new(row.position.clone());
        let limits = SearchLimits {
            nodes,
            ..SearchLimits::NONE
        };
        let stop = StopFlag::new();
        let report = search.search(&row.position, &history, &mut Control::new(limits, &stop));
        assert!(report.nodes <= nodes);
        let won = report
            .score
            .is_some_and(|score| score >= crate::search::Score::PROVEN);
        if won && report.depth == 1 && vcf {
            replay_win(&row.position, &report.pv);
        }
        won
    };
    rows.par_iter().filter(solves).count()
}

#[test]
fn without_continuous_fours_fewer_are_solved() {
    let rows = tactics();
    let wins: Vec<&Row> = rows.iter().filter(|row| row.kind == "vcf").collect();
    let both = |nodes| [true, false].map(|vcf| solved(&wins, vcf, nodes));
    assert_eq!(wins.len(), 117);
    assert_eq!([500, 5_000].map(both), [[112, 65], [117, 103]]);
}

#[test]
fn a_single_candidate_that_wins_is_told_with_its_score() {
    let mut rows: Vec<(Gomoku, u32)> = tactics()
        .iter()
        .filter(|row| row.kind == "win1")
        .map(|row| (row.position.clone(), 1))
        .collect();
    assert_eq!(rows.len(), 16);
    // The only stone that stops a four makes a four that is open at both ends.
    let fen = "15/15/15/15/8x6/8x6/8x6/3xoooo7/15/15/15/15/15/15/15 b";
    rows.push((read(fen, rules(15, Rule::Freestyle)), 3));
    let spec = SearchSpec::defaults::<Gomoku>(SearchKind::AlphaBeta);
    for (position, plies) in rows {
        let at = position.to_fen();
        let history = History::new(position.clone());
        let stop = StopFlag::new();
        let mut control = Control::new(SearchLimits::NONE, &stop);
        let report = build::<Gomoku>(&spec).search(&position, &history, &mut control);
        assert!(report.searched && report.nodes > 0, "{at}: {report:?}");
        let found = report.score.and_then(crate::search::Score::plies_to_end);
        assert_eq!(found, Some(plies), "{at}: {report:?}");
        assert_eq!(report.pv[0], report.mv, "{at}");
    }
    // Where nothing of that kind is known, a single candidate is played unsearched.
    let block = fen.replacen("8x6", "4x10", 1);
    let position = read(&block, rules(15, Rule::Freestyle));
    let history = History::new(position.clone());
    let stop = StopFlag::new();
    let mut control = Control::new(SearchLimits::NONE, &stop);
    let report = build::<Gomoku>(&spec).search(&position, &history, &mut control);
    assert!(!report.searched && report.score.is_none(), "{report:?}");
}

#[test]
fn limits_end_the_search() {
    let rows = tactics();
    let long = rows.iter().max_by_key(|row| row.moves).expect("rows");
    assert_eq!(vcf(&long.position, 3), Vcf::Unknown);
    let mut over = long.position.clone();
    over.end = Some(End::FullBoard);
    assert_eq!(vcf(&over, 1000), Vcf::Lost);
}

#[test]
fn fouls_are_no_fours_in_renju() {
    // Black's fours cross on g8.
    let crossed = "15/15/15/15/15/15/15/2oxxx9/6x8/6x8/6x8/6o8/o1o12/15/o1o12 b";
    for rule in [Rule::Freestyle, Rule::Standard] {
        let position = read(crossed, rules(15, rule));
        let won = vcf(&position, 1000);
        assert_eq!(won.attacker_moves(), Some(2));
        assert_eq!(position.format_move(won.line().expect("a line")[0]), "g8");
    }
    assert_eq!(vcf(&read(crossed, rules(15, Rule::Renju)), 1000), Vcf::Lost);
    // The same stones are White's: in renju too.
    let white = "15/15/15/15/15/15/15/2xooo9/6o8/6o8/6o8/6x8/x1x12/15/x1x10x1 w";
    let won = vcf(&read(white, rules(15, Rule::Renju)), 1000);
    assert_eq!(won.attacker_moves(), Some(2));
}

#[test]
fn a_defender_who_can_only_answer_by_a_foul_has_lost() {
    // White's four on k8 must be answered on g8, where Black makes two fours.
    let fen = "15/15/15/6o8/6x8/6x8/6x8/5x1ooo1x3/5x9/4x10/3x11/2o12/15/o14/o14 w";
    let renju = read(fen, rules(15, Rule::Renju));
    let line = vcf(&renju, 1000).line().expect("a win");
    let texts: Vec<String> = line.iter().map(|mv| renju.format_move(*mv)).collect();
    assert_eq!(texts, ["k8", "g8"]);
    replay_win(&renju, &line);
    assert_eq!(vcf(&read(fen, rules(15, Rule::Freestyle)), 1000), Vcf::Lost);
    // Black may as well let the five come: three plies.
    let evaluator = evaluator();
    let state = evaluator.reset(&renju);
    let forced = evaluator.force(&state, &renju, Effort::Root, &mut || true);
    assert_eq!(forced.map(|forced| forced.plies), Some(3));
}
