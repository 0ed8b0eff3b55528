//! How near a position is to its solution.

use super::FreeCell;
use super::cards::Card;
use crate::params::{Parameter, ParameterValues, Tunable};
use crate::search::{Heuristic, Preset};

/// The weights, in hundredths.
#[derive(Clone, Debug)]
pub struct Progress {
    home: i32,
    free_cell: i32,
    last_cell: i32,
    empty_column: i32,
    ordered: i32,
    buried: i32,
    crowded: i32,
    later: i32,
    blocker: i32,
    spread: i32,
    king: i32,
}

/// Name, default, and what it is.
const WEIGHTS: [(&str, f64, &str); 11] = [
    ("home", 54.5, "value of a card at home"),
    ("free_cell", 8.5, "value of a free cell"),
    (
        "last_cell",
        6.5,
        "value of having a free cell or an empty column at all",
    ),
    ("empty_column", 5.0, "value of an empty column"),
    (
        "ordered",
        7.5,
        "value of a card that lies in order on another",
    ),
    (
        "buried",
        -13.0,
        "value of a card that lies on the next one of a suit",
    ),
    (
        "crowded",
        0.0,
        "what is added to `buried` while no cell and no column is free",
    ),
    (
        "later",
        -12.0,
        "value of a card that lies on the next but one of a suit",
    ),
    (
        "blocker",
        -53.0,
        "value of a card that has a lower one below it in its column",
    ),
    (
        "spread",
        -4.5,
        "value of a rank by which a suit is behind the one that is farthest at home",
    ),
    ("king", 3.5, "value of a king at the bottom of a column"),
];

/// Longer searches under weights that give shorter solutions.
pub(super) const PRESETS: [Preset; 1] = [Preset {
    name: "short",
    about: "short solutions, for more states",
    values: &[
        ("width", 1000.0),
        ("home", 100.0),
        ("free_cell", 10.0),
        ("last_cell", 10.0),
        ("empty_column", 10.0),
        ("ordered", 5.0),
        ("buried", -10.0),
        ("crowded", -5.0),
        ("later", -5.0),
        ("blocker", -15.0),
        ("spread", -5.0),
        ("king", 5.0),
    ],
}];

impl Tunable for Progress {
    fn parameters() -> Vec<Parameter> {
        let weight = |&(name, default, about): &(&str, f64, &str)| {
            Parameter::real(name, default, -200.0, 200.0, 0.5, about)
        };
        WEIGHTS.iter().map(weight).collect()
    }

    fn from_values(values: &ParameterValues) -> Progress {
        let hundredths = |name| {
            #[expect(clippy::cast_possible_truncation, reason = "declared to 200")]
            let value = (values.get(name) * 100.0).round() as i32;
            value
        };
        Progress {
            home: hundredths("home"),
            free_cell: hundredths("free_cell"),
            last_cell: hundredths("last_cell"),
            empty_column: hundredths("empty_column"),
            ordered: hundredths("ordered"),
            buried: hundredths("buried"),
            crowded: hundredths("crowded"),
            later: hundredths("later"),
            blocker: hundredths("blocker"),
            spread: hundredths("spread"),
            king: hundredths("king"),
        }
    }
}

/// Counts here are at most 52.
#[inline]
fn count(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

impl Heuristic<FreeCell> for Progress {
    #[inline]
    fn value(&self, position: &FreeCell) -> i32 {
        let board = &position.board;
        let home = board.home();
        let free = count(board.free_cells());
        let (mut empty, mut ordered, mut blockers, mut kings) = (0, 0, 0, 0);
        for column in board.columns() {
            empty += i32::from(column.is_empty());
            ordered += i32::from(column.ordered());
            blockers += i32::from(column.blockers());
            kings += i32::from(column.bottom().rank() == 13);
        }
        let (mut buried, mut later) = (0, 0);
        let (mut highest, mut total) = (0, 0);
        for (suit, rank) in (0..).zip(home) {
            highest = highest.max(rank);
            total += i32::from(rank);
            if rank < 13 {
                buried += count(board.above(Card::new(rank + 1, suit)));
            }
            if rank < 12 {
                later += count(board.above(Card::new(rank + 2, suit)));
            }
        }
        let is_crowded = free + empty == 0;
        let each = self.buried + if is_crowded { self.crowded } else { 0 };
        self.home * total
            + self.spread * (4 * i32::from(highest) - total)
            + self.free_cell * free
            + if is_crowded { 0 } else { self.last_cell }
            + self.empty_column * empty
            + self.ordered * ordered
            + self.blocker * blockers
            + self.king * kings
            + each * buried
            + self.later * later
    }
}
