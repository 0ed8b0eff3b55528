//! Positions: what reads is written and read back the same, and can be played.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use agon::game::{Game, History, Solitaire, TwoPlayer};
use agon::games::amazons::{Amazons, AmazonsRules};
use agon::games::chess::{Chess, ChessRules, ChessVariant};
use agon::games::fox_geese::{FoxGeese, FoxGeeseRules, NoProgress, Rule as Captures};
use agon::games::freecell::{FreeCell, FreeCellRules};
use agon::games::gomoku::{Gomoku, GomokuRules, Rule};
use agon::games::xiangqi::{Xiangqi, XiangqiRules};
use agon::params::Tunable;
use agon::search::{Evaluator, SearchKind, SearchSpec};
use agon::verify::{Played, Verify};

use super::says;

/// A game under every choice of rules.
struct Fixture<G: Verify> {
    rules: Vec<G::Rules>,
    evaluator: G::Evaluator,
}

impl<G: Verify> Fixture<G> {
    fn new(rules: Vec<G::Rules>) -> Fixture<G> {
        for rules in &rules {
            G::check_rules(rules).expect("rules that can be played");
        }
        let spec = SearchSpec::defaults::<G>(SearchKind::Greedy);
        let evaluator = G::Evaluator::from_values(&spec.evaluation);
        Fixture { rules, evaluator }
    }

    fn read(&self, text: &str) -> bool {
        read::<G>(text, &self.rules, &|position, rules, moves| {
            self.agrees(position, rules, moves);
        })
    }

    /// The second rules list the same moves, and the evaluation carried along is that made
    /// afresh.
    fn agrees(&self, position: &G, rules: &G::Rules, moves: &[G::Move]) {
        if moves.len() <= COMPARED {
            let texts: BTreeSet<String> =
                moves.iter().map(|mv| position.format_move(*mv)).collect();
            let reference = G::reference_moves(&position.to_fen(), rules);
            assert_eq!(Ok(&texts), reference.as_ref(), "the second rules agree");
        }
        let state = self.evaluator.reset(position);
        for mv in played(moves) {
            let mut after = position.clone();
            after.play(mv);
            if let Some(reference) = G::REFERENCE_OUTCOME {
                let mut history = History::new(position.clone());
                history.push(mv, &after);
                let text = position.format_move(mv);
                let before = position.to_fen();
                let played = Played {
                    start: &before,
                    before: &before,
                    moves: std::slice::from_ref(&text),
                };
                let expected = reference(&played, rules);
                assert_eq!(
                    Ok(after.outcome(&history)),
                    expected,
                    "{text} ends the game"
                );
            }
            let mut carried = state.clone();
            self.evaluator.apply(&mut carried, position, mv, &after);
            let fresh = self.evaluator.reset(&after);
            let text = position.format_move(mv);
            assert!(carried == fresh, "the evaluation carried over {text}");
            assert_eq!(
                self.evaluator.evaluate(&carried, &after),
                self.evaluator.evaluate(&fresh, &after)
            );
        }
    }
}

/// Reads the text under all these rules; `also` is what else must hold of a position.
fn read<G: TwoPlayer>(
    text: &str,
    rules: &[G::Rules],
    also: &impl Fn(&G, &G::Rules, &[G::Move]),
) -> bool {
    let mut read = false;
    for rules in rules {
        if let Some(position) = says(G::from_fen(text, rules)) {
            same_when_read_back(&position, rules);
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            assert_eq!(position.count_moves(), moves.len() as u64);
            can_be_played(&position, rules, &moves);
            also(&position, rules, &moves);
            read = true;
        }
    }
    read
}

/// The moves that are played.
fn played<M: Copy>(moves: &[M]) -> impl Iterator<Item = M> {
    let step = moves.len().div_ceil(PLAYED).max(1);
    moves.iter().copied().step_by(step)
}

/// A few moves of the position, each made and looked at.
fn can_be_played<G: TwoPlayer>(position: &G, rules: &G::Rules, moves: &[G::Move]) {
    let mut history = History::new(position.clone());
    if position.outcome(&history).is_some() {
        return;
    }
    assert!(!moves.is_empty(), "nobody can move and the game goes on");
    if moves.len() <= COMPARED {
        let texts: BTreeSet<String> = moves.iter().map(|mv| position.format_move(*mv)).collect();
        assert_eq!(texts.len(), moves.len(), "no two moves are written alike");
    }
    for mv in played(moves) {
        assert!(position.is_legal(mv));
        let text = position.format_move(mv);
        assert_eq!(position.parse_move(&text), Ok(mv), "{text}");
        let mut after = position.clone();
        after.play(mv);
        same_when_read_back(&after, rules);
        history.push(mv, &after);
        drop(after.outcome(&history));
        history.pop();
    }
}

/// Positions with at most so many moves are held against the game's second rules, which are
/// slow.
const COMPARED: usize = 24;
/// How many moves of a position are played.
const PLAYED: usize = 3;

fn same_when_read_back<G: Game>(position: &G, rules: &G::Rules) {
    let text = position.to_fen();
    let again = G::from_fen(&text, rules).expect("what is written can be read");
    assert_eq!(again.to_fen(), text);
    assert_eq!(again.key(), position.key(), "{text}");
    assert_eq!(again.symmetry_key(), position.symmetry_key(), "{text}");
    let diagram = position.diagram();
    assert_eq!(
        diagram.points.len(),
        diagram.rows.len() * diagram.columns.len()
    );
}

static AMAZONS: LazyLock<Fixture<Amazons>> =
    LazyLock::new(|| Fixture::new([8, 10].map(|size| AmazonsRules { size }).to_vec()));

static FOX_GEESE: LazyLock<Fixture<FoxGeese>> = LazyLock::new(|| {
    let all = [
        Captures::SingleJumpTerm,
        Captures::SingleJump,
        Captures::MultiJump,
    ];
    let of = |rule| {
        [false, true].map(|odd| FoxGeeseRules {
            rule,
            diagonals: odd,
            geese_backward: !odd,
            forced_capture: odd,
            plies_without_capture: if odd { 3 } else { 100 },
            no_progress_wins: if odd {
                NoProgress::Fox
            } else {
                NoProgress::Nobody
            },
            ..FoxGeeseRules::default()
        })
    };
    Fixture::new(all.into_iter().flat_map(of).collect())
});

static GOMOKU: LazyLock<Fixture<Gomoku>> = LazyLock::new(|| {
    let rules = [Rule::Freestyle, Rule::Standard, Rule::Renju];
    let of = |size| rules.map(|rule| GomokuRules { size, rule });
    Fixture::new([5, 7, 15, 20].into_iter().flat_map(of).collect())
});

static XIANGQI: LazyLock<Fixture<Xiangqi>> = LazyLock::new(|| {
    let rules = |plies_without_capture| XiangqiRules {
        plies_without_capture,
    };
    Fixture::new([1, 100].map(rules).to_vec())
});

const CHESS: [ChessRules; 3] = [
    ChessRules {
        variant: ChessVariant::Standard,
    },
    ChessRules {
        variant: ChessVariant::Chess960,
    },
    ChessRules {
        variant: ChessVariant::ThreeCheck,
    },
];

/// A solitaire: nothing but its text and its moves.
fn freecell(text: &str) -> bool {
    let rules = FreeCellRules {};
    let line = says(FreeCell::from_fen(text, &rules));
    let board = says(FreeCell::read_board(text));
    for position in line.iter().chain(&board) {
        same_when_read_back(position, &rules);
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        assert_eq!(position.count_moves(), moves.len() as u64);
        for mv in played(&moves) {
            assert!(position.is_legal(mv));
            let text = position.format_move(mv);
            assert_eq!(position.parse_move(&text), Ok(mv), "{text}");
            let mut after = *position;
            after.play(mv);
            same_when_read_back(&after, &rules);
        }
    }
    line.is_some() || board.is_some()
}

/// Reads the text as a position of every game.
pub fn run(data: &[u8]) -> bool {
    let text = String::from_utf8_lossy(data);
    let amazons = AMAZONS.read(&text);
    let chess = read::<Chess>(&text, &CHESS, &|_, _, _| {});
    let fox_geese = FOX_GEESE.read(&text);
    let freecell = freecell(&text);
    let gomoku = GOMOKU.read(&text);
    let xiangqi = XIANGQI.read(&text);
    amazons || chess || fox_geese || freecell || gomoku || xiangqi
}
