//! Supermoves and safe moves.

use std::collections::HashSet;

use super::super::moves::Place;
use super::*;

/// Piles of a run that goes from one column to another, ranks only. Columns other than the
/// source take any card when they are empty.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Piles {
    /// The source, the target, and the empty columns.
    columns: Vec<Vec<u8>>,
    cells: Vec<u8>,
}

/// Whether `count` cards can go to a column card by card, by trying everything.
fn can_go(count: u8, free: usize, empty: usize, onto_empty: bool) -> bool {
    let run: Vec<u8> = (1..=count).rev().collect();
    let mut columns = vec![run.clone(), Vec::new()];
    columns.resize(2 + empty, Vec::new());
    let start = Piles {
        columns,
        cells: Vec::new(),
    };
    let takes = |piles: &Piles, at: usize, card: u8| match piles.columns[at].last() {
        Some(below) => *below == card + 1,
        // What lies below in the source takes no card of the run; the target takes its first.
        None => at >= 2 || at == 1 && (onto_empty || card == count),
    };
    let mut seen = HashSet::from([start.clone()]);
    let mut open = vec![start];
    while let Some(piles) = open.pop() {
        if piles.columns[1] == run {
            return true;
        }
        let mut after = Vec::new();
        let mut taken = Vec::new();
        for from in 0..piles.columns.len() {
            let mut rest = piles.clone();
            taken.extend(rest.columns[from].pop().map(|card| (card, rest)));
        }
        for index in 0..piles.cells.len() {
            let mut rest = piles.clone();
            taken.push((rest.cells.remove(index), rest));
        }
        for (card, rest) in taken {
            for to in 0..rest.columns.len() {
                if takes(&rest, to, card) {
                    let mut next = rest.clone();
                    next.columns[to].push(card);
                    after.push(next);
                }
            }
            if rest.cells.len() < free {
                let mut next = rest;
                next.cells.push(card);
                next.cells.sort_unstable();
                after.push(next);
            }
        }
        for mut next in after {
            next.columns[2..].sort();
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    false
}

/// A board where a run of `count` cards lies on column 1; column 2 is its target, and `empty`
/// columns behind it are empty.
fn run_of(count: u8, free: usize, empty: usize, onto_empty: bool) -> Board {
    let card = |rank: u8| Card::new(rank, rank % 2);
    let mut board = Board::empty();
    for rank in (1..=count).rev() {
        board.push(0, card(rank));
    }
    if !onto_empty {
        board.push(1, card(count + 1));
    }
    for (at, rank) in (2 + empty..COLUMNS).zip(1..) {
        board.push(at, Card::new(rank, 2));
    }
    for (cell, rank) in (free..CELLS).zip(1..) {
        board.put_in_cell(cell - free, Card::new(rank, 3));
    }
    board
}

/// (cells + 1) · 2^columns, the target not counted: exactly what can be done card by card.
#[test]
fn as_many_cards_go_at_once_as_can_go_one_by_one() {
    for (free, empty) in [
        (0, 0),
        (0, 1),
        (0, 2),
        (1, 0),
        (1, 1),
        (1, 2),
        (2, 0),
        (2, 1),
        (3, 0),
        (3, 1),
        (4, 0),
    ] {
        for onto_empty in [false, true] {
            for count in 1..=9 {
                let board = run_of(count, free, empty, onto_empty);
                let mv = Move {
                    from: Place::Column(0),
                    to: Place::Column(1),
                    count,
                };
                let what = format!("{count} cards, {free} cells, {empty} columns, {onto_empty}");
                let allowed = board.check(mv).is_ok();
                assert_eq!(allowed, can_go(count, free, empty, onto_empty), "{what}");
                assert_eq!(allowed, usize::from(count) <= (free + 1) << empty, "{what}");
                let mut listed = Vec::new();
                board.list_moves(&mut listed);
                // The whole column to an empty one is legal and of no use.
                assert_eq!(listed.contains(&mv), allowed && !onto_empty, "{what}");
            }
        }
    }
}

/// A run lies in its order after the move, and only its cards have moved.
#[test]
fn a_run_keeps_its_order() {
    let mut position = read(
        "9C 8H 7C 6H/9H 8S/KC KD KH KS QC QD/-/QH JC JD JH JS TC/QS TD TH TS 9D 9S 8C 8D/7D 7H 7S/6D 6S 6C ; - - - - ; 5 5 5 5",
    );
    let mv = position.parse_move("12").expect_err("8S takes no 6H");
    assert!(matches!(mv, NotationError::Illegal { .. }));
    let mv = position.parse_move("14v4").expect("four of five");
    position.play(mv);
    assert!(
        position
            .to_fen()
            .starts_with("-/9H 8S/KC KD KH KS QC QD/9C 8H 7C 6H/")
    );
    for wrong in [
        "41v0", "41v5", "41vff", "41vg", "41v", "14", "11", "ha", "1", "", "5a5", "é", "4é",
    ] {
        assert!(position.parse_move(wrong).is_err(), "{wrong}");
    }
    let mv = position.parse_move("41v2").expect("two of the run");
    position.play(mv);
    assert!(
        position
            .to_fen()
            .starts_with("7C 6H/9H 8S/KC KD KH KS QC QD/9C 8H/")
    );
}

/// Whether a card can be wanted as a place for another one, by the definition: something that
/// fits on it is not at home and would not go there by itself.
fn is_wanted(card: Card, home: [u8; 4]) -> bool {
    if card.rank() <= 2 {
        // Only an ace could lie on a two, and aces go home.
        return false;
    }
    let below = card.rank() - 1;
    let others = (0..4)
        .map(|suit| Card::new(below, suit))
        .filter(|other| other.fits_on(card));
    others.into_iter().any(|other| {
        let at_home = home[other.suit()] >= other.rank();
        let goes_home = home[other.suit()] + 1 == other.rank() && !is_wanted(other, home);
        !at_home && !goes_home
    })
}

#[test]
fn cards_go_home_by_themselves_where_nothing_wants_them() {
    let mut safe = 0;
    for number in 0..14_u32.pow(4) {
        let home =
            [0, 1, 2, 3].map(|suit| u8::try_from(number / 14_u32.pow(suit) % 14).expect("small"));
        let mut board = Board::empty();
        (0..4).for_each(|suit| board.set_home(suit, home[suit]));
        for suit in 0..4_u8 {
            let rank = home[usize::from(suit)] + 1;
            if rank <= 13 {
                let card = Card::new(rank, suit);
                if board.is_safe(card) {
                    safe += 1;
                    assert!(!is_wanted(card, home), "{card} {home:?}");
                }
            }
        }
    }
    assert!(safe > 10_000);
}

/// A position with few cards left: cells taken, the rest in columns.
fn ending(home: [u8; 4], order: &[usize]) -> FreeCell {
    let mut left: Vec<Card> = Card::all()
        .filter(|card| card.rank() > home[card.suit()])
        .collect();
    let mut board = Board::empty();
    (0..4).for_each(|suit| board.set_home(suit, home[suit]));
    for (place, choice) in order.iter().enumerate() {
        let Some(index) = choice.checked_rem(left.len()) else {
            break;
        };
        let card = left.swap_remove(index);
        if place < CELLS {
            board.put_in_cell(place, card);
        } else {
            board.push(place % COLUMNS, card);
        }
    }
    FreeCell { board }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    /// What can be solved without forced moves can be solved with them.
    #[test]
    fn forced_moves_lose_nothing(
        home in [6_u8..9, 6..9, 6..9, 6..9],
        order in proptest::collection::vec(any::<usize>(), 52),
    ) {
        let position = ending(home, &order);
        let options = BeamOptions { width: 4000, growth: 1, max_width: 4000, ..BeamOptions::default() };
        let free = solve(&position, BeamOptions { forced_moves: false, ..options.clone() });
        let forced = solve(&position, options);
        prop_assert!(free.outcome.is_err() || forced.outcome.is_ok(), "{}", position.to_fen());
    }
}
