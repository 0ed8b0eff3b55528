//! Endgames that an exhaustive program has solved.
//!
//! `tests/data/amazons_endgame.csv`: result for the side to move with best play, and the
//! winning moves where there are at most eight.

use agon::game::{Game, History};
use agon::games::amazons::{Amazons, AmazonsRules};
use agon::search::{Control, SearchKind, SearchLimits, SearchSpec, StopFlag, build};

#[test]
fn every_endgame_is_decided_as_the_exhaustive_program_says() {
    let text = include_str!("data/amazons_endgame.csv");
    let mut rows = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(text.as_bytes());
    let mut search = build::<Amazons>(&SearchSpec::defaults::<Amazons>(SearchKind::AlphaBeta));
    let stop = StopFlag::new();
    let mut wrong = Vec::new();
    let mut solved = 0;
    for row in rows.records() {
        let row = row.expect("the file is a table");
        let position = Amazons::from_fen(&row[1], &AmazonsRules::default()).expect("a position");
        search.new_game(0);
        // A limit on nodes, not on time: the test must not depend on the machine.
        let limits = SearchLimits {
            nodes: 300_000,
            ..SearchLimits::NONE
        };
        let history = History::new(position.clone());
        let report = search.search(&position, &history, &mut Control::new(limits, &stop));
        let winning: Vec<&str> = row[5].split_whitespace().collect();
        let mv = position.format_move(report.mv);
        let score = report
            .score
            .map_or(0, |score| if score.is_proven() { score.0 } else { 0 });
        let right = match &row[2] {
            "win" => score > 0 && (winning.is_empty() || winning.contains(&mv.as_str())),
            _ => score < 0,
        };
        solved += 1;
        if !right {
            wrong.push(row[0].to_owned());
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
    assert_eq!(solved, 60);
}
