//! Opening suites: what reads is written and read back the same, and can be played.

use agon::game::TwoPlayer;
use agon::games::amazons::{Amazons, AmazonsRules};
use agon::games::fox_geese::{FoxGeese, FoxGeeseRules};
use agon::games::gomoku::{Gomoku, GomokuRules, Rule};
use agon::games::xiangqi::{Xiangqi, XiangqiRules};
use agon::openings;

use super::says;

/// Reads the bytes as a suite under these rules.
pub(super) fn read<G: TwoPlayer>(data: &[u8], rules: &G::Rules) -> bool {
    let Some(suite) = says(openings::read::<G>(data, rules)) else {
        return false;
    };
    assert!(!suite.openings.is_empty());
    for opening in &suite.openings {
        let replayed = openings::replay::<G>(Some(&opening.fen), &opening.moves, rules);
        drop(replayed.expect("the moves are legal, and the game goes on"));
    }
    for duplicate in &suite.duplicates {
        // Two games of PGN may stand on one line.
        assert!(duplicate.earlier <= duplicate.line);
    }
    let written = openings::write(&suite.openings);
    let again = openings::read::<G>(written.as_bytes(), rules).expect("a suite as written");
    assert_eq!(again.openings, suite.openings);
    assert_eq!(again.duplicates.len(), suite.duplicates.len());
    let mut distinct = suite.clone();
    distinct.drop_duplicates();
    let written = openings::write(&distinct.openings);
    let again = openings::read::<G>(written.as_bytes(), rules).expect("a suite as written");
    assert_eq!(again.openings, distinct.openings);
    assert!(again.duplicates.is_empty());
    true
}

/// Reads the bytes as a suite of every game.
pub fn run(data: &[u8]) -> bool {
    let amazons = [8, 10].map(|size| read::<Amazons>(data, &AmazonsRules { size }));
    let fox_geese = read::<FoxGeese>(data, &FoxGeeseRules::default());
    let gomoku = [
        (15, Rule::Freestyle),
        (15, Rule::Renju),
        (20, Rule::Standard),
    ]
    .map(|(size, rule)| read::<Gomoku>(data, &GomokuRules { size, rule }));
    let xiangqi = read::<Xiangqi>(data, &XiangqiRules::default());
    amazons.contains(&true) || fox_geese || gomoku.contains(&true) || xiangqi
}
