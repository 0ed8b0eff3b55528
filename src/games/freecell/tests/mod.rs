//! The rules, text, checker and solver against Freecell Solver's deals and solutions, and against
//! themselves.

mod checker;
mod moves;
mod solver;
mod text;

use std::fmt::Write as _;

use proptest::prelude::*;
use sha2::{Digest, Sha256};

use super::board::{CELLS, COLUMNS};
use super::cards::Card;
use super::*;
use crate::params::{ParameterValues, Tunable};
use crate::perft::{Leaves, perft};
use crate::search::{Beam, BeamOptions, Heuristic, StopFlag};

fn rows(text: &'static str) -> Vec<csv::StringRecord> {
    let mut rows = csv::Reader::from_reader(text.as_bytes());
    rows.records().map(|row| row.expect("a row")).collect()
}

/// deal, columns, sha256: Microsoft's deals as make-microsoft-freecell-board of Freecell Solver
/// 5.0.0 deals them.
fn deals() -> Vec<csv::StringRecord> {
    rows(include_str!("../../../../tests/data/freecell_deals.csv"))
}

/// deal, sha256_16, lg_status and more: what fc-solve of Freecell Solver 5.0.0 makes of them.
fn solvability() -> Vec<csv::StringRecord> {
    rows(include_str!(
        "../../../../tests/data/freecell_solvability.csv"
    ))
}

/// deal, preset, status, moves_n, cards_moved, moves: fc-solve -m -snx.
fn solutions() -> Vec<csv::StringRecord> {
    rows(include_str!(
        "../../../../tests/data/freecell_solutions.csv"
    ))
}

fn dealt(number: &str) -> FreeCell {
    FreeCell::deal(number.parse().expect("a number")).expect("a deal")
}

fn read(text: &str) -> FreeCell {
    FreeCell::from_fen(text, &FreeCellRules {}).unwrap_or_else(|error| panic!("{error}"))
}

fn legal(position: &FreeCell) -> Vec<Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

fn weights() -> Progress {
    Progress::from_values(&ParameterValues::defaults(&Progress::parameters()))
}

/// Solves with the default weights.
fn solve(position: &FreeCell, options: BeamOptions) -> crate::search::Solved<Move> {
    Beam::new(options, weights()).solve(position, &StopFlag::new(), &mut ())
}

/// The moves as text.
fn written(start: &FreeCell, moves: &[Move]) -> String {
    let mut position = *start;
    let mut text = String::new();
    for &mv in moves {
        assert!(position.is_legal(mv));
        write!(text, "{} ", position.format_move(mv)).expect("a string takes every write");
        position.play(mv);
    }
    text
}

fn hash(text: &str) -> String {
    let hash = Sha256::digest(text.as_bytes());
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn deals_are_those_of_others() {
    let deals = deals();
    assert!(deals.len() > 20);
    for row in &deals {
        let position = dealt(&row[0]);
        assert_eq!(position.to_fen(), row[1], "deal {}", &row[0]);
        assert_eq!(hash(&position.to_fen()), row[2]);
        assert_eq!(read(&row[1]), position);
        assert_eq!(read(&row[0]), position);
    }
    for row in &solvability() {
        assert_eq!(
            hash(&dealt(&row[0]).to_fen())[..16],
            row[1],
            "deal {}",
            &row[0]
        );
    }
    assert_eq!(FreeCell::deal(0), None);
    assert_eq!(FreeCell::deal(1 << 31), None);
    assert!(FreeCell::deal(LARGEST_DEAL).is_some());
}

/// A whole deck is dealt, seven cards to four columns and six to the others.
#[test]
fn all_52_cards_are_dealt() {
    for number in [1, 2, 11_982, LARGEST_DEAL] {
        let board = FreeCell::deal(number).expect("a deal").board;
        let mut cards: Vec<Card> = board
            .columns()
            .iter()
            .flat_map(|column| column.cards().to_vec())
            .collect();
        cards.sort();
        assert_eq!(cards, Card::all().collect::<Vec<_>>());
        let lengths = board.columns().map(|column| column.len());
        assert_eq!(lengths, [7, 7, 7, 7, 6, 6, 6, 6]);
        assert_eq!((board.free_cells(), board.home()), (CELLS, [0; 4]));
    }
}

/// From deal 1 eight cards can go into a cell and nothing else is possible.
#[test]
fn moves_that_differ_in_the_cell_or_the_empty_column_only_are_one() {
    let start = dealt("1");
    assert_eq!(written_moves(&start), "1a 2a 3a 4a 5a 6a 7a 8a");
    assert_eq!(perft(&start, 1, Leaves::Made), 8);
    for leaves in [Leaves::Made, Leaves::Counted] {
        assert_eq!(perft(&start, 3, leaves), 661);
    }
    let few = read("KC/QD/-/-/-/-/-/- ; JS - - - ; J Q K T");
    assert_eq!(written_moves(&few), "1h 2h 1a 12 2b 2a a2 a3 ah");
}

fn written_moves(position: &FreeCell) -> String {
    let texts: Vec<String> = legal(position)
        .iter()
        .map(|mv| position.format_move(*mv))
        .collect();
    texts.join(" ")
}

/// A position after so many random moves from a deal.
fn random_walk(number: u32, choices: &[usize]) -> Vec<FreeCell> {
    let mut position = FreeCell::deal(number).expect("a deal");
    let mut all = vec![position];
    for choice in choices {
        let moves = legal(&position);
        let Some(index) = choice.checked_rem(moves.len()) else {
            break;
        };
        position.play(moves[index]);
        all.push(position);
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// What is carried along equals what is made afresh, and the order of columns and cells makes
    /// no difference.
    #[test]
    fn the_key_is_that_of_the_position(
        number in 1..=LARGEST_DEAL,
        choices in proptest::collection::vec(any::<usize>(), 0..80),
        turn in 1..COLUMNS,
    ) {
        let weights = weights();
        let walk = random_walk(number, &choices);
        for position in &walk {
            let fresh = read(&position.to_fen());
            prop_assert_eq!(fresh.to_fen(), position.to_fen());
            prop_assert_eq!(fresh.key(), position.key());
            prop_assert_eq!(weights.value(&fresh), weights.value(position));
            let mut turned = Board::empty();
            for at in 0..COLUMNS {
                for &card in position.board.columns()[(at + turn) % COLUMNS].cards() {
                    turned.push(at, card);
                }
            }
            for (cell, card) in position.board.cells().into_iter().rev().enumerate() {
                if card != Card::NONE {
                    turned.put_in_cell(cell, card);
                }
            }
            for (suit, rank) in position.board.home().into_iter().enumerate() {
                turned.set_home(suit, rank);
            }
            prop_assert_eq!(turned.key(), position.key());
            prop_assert_eq!(&turned, &position.board);
            prop_assert_eq!(weights.value(&FreeCell { board: turned }), weights.value(position));
        }
        for (at, one) in walk.iter().enumerate() {
            for other in &walk[at + 1..] {
                prop_assert_eq!(one == other, one.key() == other.key());
            }
        }
    }

    /// Every listed move can be written, read and made, and leads somewhere else.
    #[test]
    fn moves_are_written_and_read(
        number in 1..=LARGEST_DEAL,
        choices in proptest::collection::vec(any::<usize>(), 0..60),
    ) {
        for position in random_walk(number, &choices) {
            let mut keys = Vec::new();
            for mv in legal(&position) {
                prop_assert!(position.is_legal(mv));
                let text = position.format_move(mv);
                prop_assert_eq!(position.parse_move(&text), Ok(mv));
                let mut after = position;
                after.play(mv);
                prop_assert_ne!(after.key(), position.key());
                keys.push(after.key());
            }
            let moves = keys.len();
            keys.sort_unstable();
            keys.dedup();
            prop_assert_eq!(keys.len(), moves, "no two moves lead to the same position");
        }
    }
}

/// Each weight makes a difference somewhere.
#[test]
fn every_weight_is_used() {
    let declared = Progress::parameters();
    let mut positions: Vec<FreeCell> = Vec::new();
    for number in 1..20 {
        positions.extend(random_walk(
            number,
            &(0..60).map(|step| step * 7 + 3).collect::<Vec<_>>(),
        ));
    }
    positions.push(read("KC/QD/-/-/-/-/-/- ; JS - - - ; J Q K T"));
    for parameter in &declared {
        let mut values = ParameterValues::defaults(&declared);
        values
            .set(&declared, &parameter.name, 77.0)
            .expect("within its range");
        let other = Progress::from_values(&values);
        let differs = |position: &&FreeCell| other.value(position) != weights().value(position);
        assert!(
            positions.iter().find(differs).is_some(),
            "{}",
            parameter.name
        );
    }
    for preset in FreeCell::presets() {
        let mut all = declared.clone();
        all.extend(BeamOptions::parameters());
        let mut values = ParameterValues::defaults(&all);
        for (name, value) in preset.values {
            values.set(&all, name, *value).expect("declared");
        }
    }
}
