//! What a search did, for people: the first plies of its tree, in the order in which it went.

use serde::Serialize;

use super::{BuiltIn, Score};

/// How much of the tree is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceOptions {
    /// Plies from the root.
    pub plies: u32,
    /// Steps a node; beyond them only those that changed something.
    pub steps: usize,
}

/// What a search did, pass by pass.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Trace<M> {
    /// The passes over the moves at the root, in order: one a depth, and more where a score
    /// fell out of its window.
    pub rounds: Vec<Round<M>>,
}

/// One pass over the moves at the root.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Round<M> {
    /// The depth in plies.
    pub depth: u32,
    /// Scores are exact above this,
    pub alpha: Score,
    /// and below this.
    pub beta: Score,
    /// The best score; `None` where the limits ended it.
    pub score: Option<Score>,
    /// Nodes.
    pub nodes: u64,
    /// What was searched.
    pub branches: Branches<M>,
}

impl<M> Round<M> {
    /// Whether its score is the one of the depth: within the window.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        let inside = |score| score > self.alpha && score < self.beta;
        self.score.is_some_and(inside)
    }
}

/// What was searched below a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Branches<M> {
    /// The steps that are kept, in the order in which they were searched.
    pub steps: Vec<Step<M>>,
    /// Steps that are left out: none of them changed anything.
    pub left_out: u64,
    /// Their nodes.
    pub left_out_nodes: u64,
}

impl<M> Default for Branches<M> {
    fn default() -> Branches<M> {
        Branches {
            steps: Vec::new(),
            left_out: 0,
            left_out_nodes: 0,
        }
    }
}

/// One try of a move. A move has several where it is searched again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step<M> {
    /// The move's number among those of its node, in the order of search, from 1; 0 for a pass.
    pub number: usize,
    /// The move; `None` is a pass.
    #[serde(rename = "move")]
    pub mv: Option<M>,
    /// Why it came when it did.
    pub order: Order,
    /// Plies searched after the move, before extensions.
    pub depth: u32,
    /// By how many plies it was searched less deep.
    pub reduced: u32,
    /// The window, for the side that moves.
    pub alpha: Score,
    /// Its upper end.
    pub beta: Score,
    /// The value for the side that moves: exact within the window, at most this at its lower
    /// end, at least this at its upper end. `None` where the limits ended it.
    pub value: Option<Score>,
    /// Nodes.
    pub nodes: u64,
    /// How the position after the move came to its value; `None` where the limits ended it.
    pub end: Option<End>,
    /// What was searched below it; nothing where the tree is cut off.
    pub branches: Branches<M>,
}

impl<M> Step<M> {
    /// Whether the window only asks if the move is better than what there is.
    #[must_use]
    pub fn is_null_window(&self) -> bool {
        self.beta.0 == self.alpha.0 + 1
    }
}

/// Why a move came when it did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// A move at the root: the best so far first, the others by their score at depth 1.
    #[default]
    Root,
    /// The transposition table remembers it as the best.
    Table,
    /// It was too good for the opponent at the same ply before.
    Killer,
    /// By rating, history and evaluation.
    Ranked,
    /// The null move, tried before all others.
    Pass,
}

/// How a position came to its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The game is over, or the evaluation knows the result.
    Certain,
    /// No plies were left: the evaluation, and tactical moves where there are any.
    Leaf,
    /// The transposition table had its score from a search as deep.
    TableExact,
    /// The transposition table had a bound that is enough.
    TableBound,
    /// A shorter win or loss is known than any that could be found here.
    MateDistance,
    /// Even a pass was too good for the opponent.
    NullMove,
    /// A move was too good for the opponent; the others were not searched.
    Cutoff {
        /// Which of the moves, from 1.
        by: usize,
    },
    /// All moves were searched.
    AllMoves,
}

impl<M: Copy> Trace<M> {
    /// The trace with its moves as text; `position` is the root.
    #[must_use]
    pub fn spell<G: BuiltIn<Move = M>>(&self, position: &G) -> Trace<String> {
        let spell = |round: &Round<M>| Round {
            depth: round.depth,
            alpha: round.alpha,
            beta: round.beta,
            score: round.score,
            nodes: round.nodes,
            branches: round.branches.spell(position),
        };
        Trace {
            rounds: self.rounds.iter().map(spell).collect(),
        }
    }
}

impl<M: Copy> Branches<M> {
    fn spell<G: BuiltIn<Move = M>>(&self, position: &G) -> Branches<String> {
        let spell = |step: &Step<M>| {
            let after = match step.mv {
                Some(mv) => {
                    let mut after = position.clone();
                    after.play(mv);
                    Some(after)
                }
                None => position.pass(),
            };
            Step {
                number: step.number,
                mv: step.mv.map(|mv| position.format_move(mv)),
                order: step.order,
                depth: step.depth,
                reduced: step.reduced,
                alpha: step.alpha,
                beta: step.beta,
                value: step.value,
                nodes: step.nodes,
                end: step.end,
                branches: after.map_or_else(Branches::default, |after| step.branches.spell(&after)),
            }
        };
        Branches {
            steps: self.steps.iter().map(spell).collect(),
            left_out: self.left_out,
            left_out_nodes: self.left_out_nodes,
        }
    }
}
