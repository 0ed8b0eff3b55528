//! The search against exhaustive tables of positions with 5 and 6 geese.

use super::*;
use crate::search::{
    Control, Score, Search, SearchLimits, SearchReport, SearchSpec, StopFlag, build, parameters,
};

/// A row of the table.
struct Row {
    id: String,
    position: FoxGeese,
    /// `None` is a draw.
    winner: Option<Side>,
    /// Plies to the end with best play.
    plies: u32,
}

fn endgames() -> Vec<Row> {
    let rows = rows(include_str!("../../../../tests/data/fox_geese_endgame.csv"));
    assert_eq!(rows.len(), 180);
    let read = |row: csv::StringRecord| {
        let winner = match &row[6] {
            "geese" => Some(Side::First),
            "fox" => Some(Side::Second),
            "draw" => None,
            other => panic!("{other}"),
        };
        let position = read(&row[1]);
        assert_eq!(position.geese.count_ones().to_string(), row[5]);
        let plies: i32 = row[7].parse().expect("plies");
        assert_eq!(plies < 0, winner.is_none());
        Row {
            id: row[0].to_owned(),
            position,
            winner,
            plies: plies.unsigned_abs(),
        }
    };
    rows.into_iter().map(read).collect()
}

/// A search that leaves nothing out.
fn whole() -> Box<dyn Search<FoxGeese>> {
    let mut spec = SearchSpec::defaults::<FoxGeese>(SearchKind::AlphaBeta);
    let declared = parameters::<FoxGeese>(SearchKind::AlphaBeta);
    for part in ["late_move_reductions", "null_move"] {
        spec.parameters.set(&declared, part, 0.0).expect("a switch");
    }
    build(&spec)
}

fn search(
    search: &mut dyn Search<FoxGeese>,
    position: &FoxGeese,
    history: &History<FoxGeese>,
    depth: u32,
) -> SearchReport<Move> {
    let limits = SearchLimits {
        depth,
        ..SearchLimits::NONE
    };
    let stop = StopFlag::new();
    search.search(position, history, &mut Control::new(limits, &stop))
}

/// Plays a won position to its end by the search, for both sides. Each move but a forced one
/// must have the score of the table, and the last one must come when the table says.
fn play_out(row: &Row) {
    let mut whole = whole();
    whole.new_game(1);
    let mut position = row.position.clone();
    let mut history = History::new(position.clone());
    let mut left = row.plies;
    while left > 0 {
        let at = format!("{} {}", row.id, position.to_fen());
        assert_eq!(position.outcome(&history), None, "{at}");
        let report = search(&mut *whole, &position, &history, left);
        let expected = if row.winner == Some(position.side) {
            Score::win_in(left)
        } else {
            Score::loss_in(left)
        };
        assert!(
            !report.searched || report.score == Some(expected),
            "{at}: {report:?}"
        );
        position.play(report.mv);
        history.push(report.mv, &position);
        left -= 1;
    }
    let outcome = position.outcome(&history);
    assert_eq!(outcome.and_then(|o| o.winner), row.winner, "{}", row.id);
}

#[test]
fn won_endgames_are_played_to_their_value() {
    let mut rows = endgames();
    rows.retain(|row| row.winner.is_some() && row.plies <= 15);
    assert_eq!(rows.len(), 137);
    rows.par_iter().for_each(play_out);
}

#[test]
#[ignore = "searches as deep as 31 plies"]
fn long_won_endgames_are_played_to_their_value() {
    let mut rows = endgames();
    rows.retain(|row| row.winner.is_some() && row.plies > 15);
    assert_eq!(rows.len(), 3);
    rows.iter().for_each(play_out);
}

#[test]
fn drawn_endgames_are_won_for_nobody() {
    let mut rows = endgames();
    rows.retain(|row| row.winner.is_none());
    assert_eq!(rows.len(), 40);
    rows.par_iter().for_each(|row| {
        let mut whole = whole();
        whole.new_game(1);
        let history = History::new(row.position.clone());
        let score = search(&mut *whole, &row.position, &history, 8).score;
        let score = score.unwrap_or_default();
        assert!(!score.is_proven(), "{}: {score:?}", row.id);
    });
}
