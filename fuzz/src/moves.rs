//! Moves: what reads is legal, and is written and read back the same.

use std::sync::LazyLock;

use agon::game::Game;
use agon::games::amazons::{Amazons, AmazonsRules};

use super::says;

/// Reads the text as a move of the position.
fn read<G: Game>(position: &G, text: &str) -> bool {
    let Some(mv) = says(position.parse_move(text)) else {
        return false;
    };
    assert!(position.is_legal(mv), "{text}");
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    assert!(moves.contains(&mv), "{text}");
    let written = position.format_move(mv);
    assert_eq!(position.parse_move(&written), Ok(mv), "{written}");
    assert!(!written.contains(char::is_whitespace), "{written}");
    let mut after = position.clone();
    after.play(mv);
    assert_ne!(after.key(), position.key(), "{text}");
    true
}

fn positions<G: Game>(rules: &G::Rules, fens: &[&str]) -> Vec<G> {
    let read = |fen: &&str| G::from_fen(fen, rules).expect("a position");
    std::iter::once(G::start(rules))
        .chain(fens.iter().map(read))
        .collect()
}

/// Both starts, a board with walls, one that is almost full, and one that is over.
static AMAZONS: LazyLock<Vec<Amazons>> = LazyLock::new(|| {
    let mut all = positions(
        &AmazonsRules { size: 10 },
        &[
            "3q2q3/2*4*2/1*6*1/q3**3q/2*4*2/4*5/Q1*5*Q/10/2*4*2/3Q2Q3 w - - 12 7",
            "Q9/10/10/10/10/10/10/10/10/9q b - - 65535 65535",
        ],
    );
    all.extend(positions(
        &AmazonsRules { size: 8 },
        &[
            "********/*Q1*****/********/***1q***/********/********/********/*******1 b - - 50 26",
            "q*******/********/********/********/********/********/*******1/******1Q w - - 53 27",
            "Q*******/********/********/********/********/********/*******1/******1q w - - 53 27",
        ],
    ));
    all
});

/// The first byte chooses a position (`0`, `1`, …), the rest is a move there.
pub fn run(data: &[u8]) -> bool {
    let Some((choice, text)) = data.split_first() else {
        return false;
    };
    let choice = usize::from(choice.wrapping_sub(b'0')) % AMAZONS.len();
    read(&AMAZONS[choice], &String::from_utf8_lossy(text))
}
