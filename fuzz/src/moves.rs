//! Moves: what reads is legal, and is written and read back the same.

use std::sync::LazyLock;

use agon::game::{Dialect, Game, Solitaire, SolutionError, TwoPlayer};
use agon::games::amazons::{Amazons, AmazonsRules};
use agon::games::chess::{Chess, ChessRules, ChessVariant};
use agon::games::fox_geese::{FoxGeese, FoxGeeseRules, Rule as Captures};
use agon::games::freecell::{FreeCell, FreeCellRules};
use agon::games::gomoku::{Gomoku, GomokuRules, Rule};
use agon::games::xiangqi::{Xiangqi, XiangqiRules};

use super::says;

/// Reads the text as a move of the position, in the game's notation and in that of PGN.
fn read<G: TwoPlayer>(position: &G, text: &str) -> bool {
    let mut read = read_own(position, text);
    if let Some(pgn) = G::PGN
        && let Some(mv) = says((pgn.parse_move)(position, text))
    {
        assert!(position.is_legal(mv), "{text}");
        let written = (pgn.format_move)(position, mv);
        assert_eq!((pgn.parse_move)(position, &written), Ok(mv), "{written}");
        assert!(!written.contains(char::is_whitespace), "{written}");
        read = true;
    }
    read
}

fn read_own<G: Game>(position: &G, text: &str) -> bool {
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

/// The three starts, castling on both sides, promotions with and without taking, taking en
/// passant, two knights for one square, and Chess960 with three rooks.
static CHESS: LazyLock<Vec<Chess>> = LazyLock::new(|| {
    let rules = |variant| ChessRules { variant };
    let mut all = positions(
        &rules(ChessVariant::Standard),
        &[
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "1n2k3/P1P5/8/3pP3/8/8/7p/K5N1 w - d6 0 1",
            "4k3/8/8/2N1N3/8/8/2N1N3/4K3 w - - 99 200",
        ],
    );
    all.extend(positions(
        &rules(ChessVariant::Chess960),
        &["rr2k1r1/8/8/8/8/8/8/RR2K1R1 w BGbg - 0 1"],
    ));
    all.extend(positions(&rules(ChessVariant::ThreeCheck), &[]));
    all
});

/// The start, a crowded board, one that is over, and renju with fouls at hand on the largest.
static GOMOKU: LazyLock<Vec<Gomoku>> = LazyLock::new(|| {
    let rules = |size, rule| GomokuRules { size, rule };
    let mut all = positions(
        &rules(15, Rule::Freestyle),
        &["15/15/15/15/6x8/5oxo7/6xo7/5x1xo6/6xxoo5/5oxo7/15/15/15/15/15 b"],
    );
    all.extend(positions(
        &rules(5, Rule::Standard),
        &["xxxxx/oooo1/5/5/5 w"],
    ));
    all.extend(positions(
        &rules(20, Rule::Renju),
        &["20/20/20/20/20/20/20/7x12/7x12/5xx13/20/20/20/20/20/20/20/20/20/oooo16 b"],
    ));
    all
});

/// The start, a crowded board in check, a bare cannon, a stalemate, and an ending with pins.
static XIANGQI: LazyLock<Vec<Xiangqi>> = LazyLock::new(|| {
    positions(
        &XiangqiRules::default(),
        &[
            "2bakab2/9/9/9/9/4n3p/p7P/3AB1N2/4r3R/c2A1KBr1 w - - 0 1",
            "rnbakab1r/9/1c4n2/p3C3p/9/2p6/P3P1P1P/1C5c1/9/RNBAKABNR b - - 0 5",
            "3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 99 70",
            "4k4/4a4/4r4/9/4r4/9/4N4/2C6/9/4K4 w - - 0 1",
        ],
    )
});

/// The start, chains of jumps along straight and diagonal lines, and one that is over.
static FOX_GEESE: LazyLock<Vec<FoxGeese>> = LazyLock::new(|| {
    let mut all = positions(&FoxGeeseRules::default(), &["2G/3/4GGF/5GG/6G/3/3 f"]);
    let rules = FoxGeeseRules {
        rule: Captures::MultiJump,
        diagonals: true,
        fox_wins_at: 0,
        ..FoxGeeseRules::default()
    };
    let ring = "FG1/G1G/1G1G1G1/G1G1G1G/1G1G1G1/G1G/1G1 f";
    all.extend(positions(&rules, &["3/3/2FG3/2GGG2/3G3/1G1/1G1 f", ring]));
    all
});

/// Reads the text as a move in the game's notation and in a dialect's.
fn read_both<G: TwoPlayer>(position: &G, text: &str, dialect: Dialect) -> bool {
    let own = read(position, text);
    let spelled = says(position.parse_spelled(text, dialect));
    if let Some(mv) = spelled {
        assert!(position.is_legal(mv), "{text}");
        let written = position.spell_move(mv, dialect);
        let again = position.parse_spelled(&written, dialect);
        assert_eq!(again, Ok(mv), "{written}");
    }
    own || spelled.is_some()
}

/// A deal, a position with an empty column, one with five, and one that is solved.
static FREECELL: LazyLock<Vec<FreeCell>> = LazyLock::new(|| {
    positions(
        &FreeCellRules {},
        &[
            "9C 8H 7C 6H/9H 8S/KC KD KH KS QC QD/-/QH JC JD JH JS TC/QS TD TH TS 9D 9S 8C 8D/7D 7H 7S/6D 6S 6C ; - - - - ; 5 5 5 5",
            "KC/QS/KS/-/-/-/-/- ; JS - - - ; Q K K T",
            "-/-/-/-/-/-/-/- ; - - - - ; K K K K",
        ],
    )
});

/// The game's rules and the checker of solutions say the same of a move.
fn read_freecell(position: &FreeCell, text: &str) -> bool {
    let mv = says(position.parse_move(text));
    if let Some(mv) = mv {
        assert!(position.is_legal(mv), "{text}");
        let written = position.format_move(mv);
        assert_eq!(position.parse_move(&written), Ok(mv), "{written}");
        assert!(!written.contains(char::is_whitespace), "{written}");
    }
    if text.split_whitespace().eq([text]) && !text.starts_with(['#', '-']) {
        let checked = FreeCell::check_solution(&position.to_fen(), text);
        let is_refused = matches!(checked, Err(SolutionError::Move { .. }));
        assert_eq!(is_refused, mv.is_none(), "{text}");
    }
    mv.is_some()
}

/// The first byte chooses a position (`0`, `1`, …), the rest is a move there.
pub fn run(data: &[u8]) -> bool {
    let Some((choice, text)) = data.split_first() else {
        return false;
    };
    let text = String::from_utf8_lossy(text);
    let (amazons, chess, gomoku) = (AMAZONS.len(), CHESS.len(), GOMOKU.len());
    let xiangqi = XIANGQI.len();
    let fox_geese = FOX_GEESE.len();
    let all = amazons + chess + gomoku + xiangqi + fox_geese + FREECELL.len();
    let choice = usize::from(choice.wrapping_sub(b'0')) % all;
    if choice < amazons {
        return read(&AMAZONS[choice], &text);
    }
    let choice = choice - amazons;
    if choice < chess {
        return read(&CHESS[choice], &text);
    }
    let choice = choice - chess;
    if choice < gomoku {
        return read_both(&GOMOKU[choice], &text, Dialect::Gomocup);
    }
    let choice = choice - gomoku;
    if choice < xiangqi {
        return read_both(&XIANGQI[choice], &text, Dialect::Ucci);
    }
    let choice = choice - xiangqi;
    if choice < fox_geese {
        read(&FOX_GEESE[choice], &text)
    } else {
        read_freecell(&FREECELL[choice - fox_geese], &text)
    }
}
