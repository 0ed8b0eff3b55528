//! What a built-in engine thinks of a position: its search once more, told as text.

use serde::Serialize;

use super::PositionError;
use super::arena::play_moves;
use crate::game::{History, TwoPlayer};
use crate::search::{
    BuiltIn, Control, Score, SearchLimits, SearchSpec, Statistics, StopFlag, Trace, TraceOptions,
    build,
};

/// What is asked of a built-in engine.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// The engine.
    pub spec: &'a SearchSpec,
    /// The first position; `None` is the start.
    pub fen: Option<&'a str>,
    /// The moves from there.
    pub moves: &'a [String],
    /// What the engine was asked earlier in the game, in order: after how many moves, and with
    /// which limits. Its table remembers.
    pub earlier: &'a [(usize, SearchLimits)],
    /// The seed of its game.
    pub seed: u64,
    /// What it may spend on the last position.
    pub limits: SearchLimits,
    /// How much of the tree is told.
    pub trace: TraceOptions,
}

/// A search, told as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Analysis {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its score for the side to move; `None` where the search has none.
    pub score: Option<Score>,
    /// The last finished depth in plies.
    pub depth: u32,
    /// Nodes, quiescence included.
    pub nodes: u64,
    /// The nodes of the quiescence search among them.
    pub quiescence_nodes: u64,
    /// Whether anything was searched; not where one move only is legal.
    pub searched: bool,
    /// The principal variation, the move first.
    pub pv: Vec<String>,
    /// How the search went about it.
    pub statistics: Statistics,
    /// The tree's first plies; `None` where the search has no tree.
    pub trace: Option<Trace<String>>,
    /// The moves that it chose where it was asked earlier.
    pub earlier: Vec<String>,
}

/// Searches a position as the engine of a game does.
pub(super) fn analyse<G: BuiltIn>(
    rules: &G::Rules,
    question: &Question<'_>,
) -> Result<Analysis, PositionError> {
    let mut search = build::<G>(question.spec);
    search.new_game(question.seed);
    let stop = StopFlag::new();
    let mut waiting = question.earlier.iter().peekable();
    let mut earlier = Vec::new();
    let mut ask_earlier = |position: &G, history: &History<G>, ply: usize| {
        if let Some((_, limits)) = waiting.next_if(|(at, _)| *at == ply) {
            let mut control = Control::new(*limits, &stop);
            let found = search.search(position, history, &mut control);
            earlier.push(position.format_move(found.mv));
        }
    };
    let (position, history) = play_moves(rules, question.fen, question.moves, &mut ask_earlier)?;
    if let Some(outcome) = TwoPlayer::outcome(&position, &history) {
        return Err(PositionError::Ended(outcome.reason));
    }
    let mut control = Control::new(question.limits, &stop);
    let (report, trace) = search.trace(&position, &history, &mut control, question.trace);
    let mut line = position.clone();
    let spell = |mv: &G::Move| {
        let text = line.format_move(*mv);
        line.play(*mv);
        text
    };
    Ok(Analysis {
        mv: position.format_move(report.mv),
        score: report.score,
        depth: report.depth,
        nodes: report.nodes,
        quiescence_nodes: report.quiescence_nodes,
        searched: report.searched,
        pv: report.pv.iter().map(spell).collect(),
        statistics: report.statistics,
        trace: trace.map(|trace| trace.spell(&position)),
        earlier,
    })
}
