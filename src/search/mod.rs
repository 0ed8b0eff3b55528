//! Searches, each generic over the game: what chooses a move within limits.
//!
//! A search sees positions and limits. It knows nothing of players, clocks between moves,
//! openings or results.

mod alpha_beta;
mod beam;
mod bench;
mod control;
mod greedy;
mod noise;
mod random;
mod table;
#[cfg(test)]
mod tests;
mod trace;

use std::fmt::Debug;

use serde::{Deserialize, Serialize};

pub use alpha_beta::{AlphaBeta, Options};
pub use beam::{
    Beam, BeamObserver, BeamOptions, Heuristic, Layer, Preset, Solvable, Solved, Unsolved,
};
pub use bench::{BenchLimit, BenchReport, BenchedPosition, Signature, SignedPosition, bench};
pub use control::{Control, SearchLimits, Spent, StopFlag, TimeLimit};
pub use greedy::Greedy;
pub use noise::Noise;
pub use random::Random;
pub use trace::{Branches, End, Order, Round, Step, Trace, TraceOptions};

use crate::game::{Game, History, Side, TwoPlayer};
use crate::params::{Parameter, ParameterValues, Tunable};

/// A value of a position in hundredths of the evaluation's unit, for the side to move.
/// Beyond [`Score::PROVEN`] it is a proven win or loss, counted in plies from the root.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Score(pub i32);

impl Score {
    /// A win at once.
    pub const WIN: Score = Score(32_000);
    /// Scores from here on are proven wins; from the negative down, proven losses.
    pub const PROVEN: Score = Score(31_000);
    /// The bound of all scores.
    pub const INFINITE: Score = Score(32_001);
    /// A draw, and an even position.
    pub const ZERO: Score = Score(0);

    /// The largest value that is no proven win.
    pub const HEURISTIC_MAX: Score = Score(30_000);

    /// A value in units of the evaluation, rounded to hundredths and kept below the proven
    /// scores.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "clamped")]
    pub fn heuristic(units: f64) -> Score {
        let max = f64::from(Score::HEURISTIC_MAX.0);
        Score((units * 100.0).round().clamp(-max, max) as i32)
    }

    /// A win `plies` from the root.
    #[must_use]
    pub fn win_in(plies: u32) -> Score {
        Score(Score::WIN.0 - i32::try_from(plies.min(999)).unwrap_or(999))
    }

    /// A loss `plies` from the root.
    #[must_use]
    pub fn loss_in(plies: u32) -> Score {
        -Score::win_in(plies)
    }

    /// The score with root noise added, which changes no proven one.
    #[must_use]
    fn with_noise(self, noise: u32) -> Score {
        if self.is_proven() {
            return self;
        }
        let sum = self.0.saturating_add_unsigned(noise);
        Score(sum.min(Score::HEURISTIC_MAX.0))
    }

    /// The plies from the root to a proven end.
    #[must_use]
    pub fn plies_to_end(self) -> Option<u32> {
        let plies = (Score::WIN.0 - self.0.abs()).unsigned_abs();
        self.is_proven().then_some(plies)
    }

    /// The value of what is as good as this, but not proven.
    #[must_use]
    fn unproven(self) -> Score {
        let most = Score::HEURISTIC_MAX.0;
        Score(self.0.clamp(-most, most))
    }

    /// Whether it is a proven win or loss.
    #[must_use]
    pub fn is_proven(self) -> bool {
        self.0.abs() >= Score::PROVEN.0
    }
}

impl std::ops::Neg for Score {
    type Output = Score;
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct SearchReport<M> {
    /// The move to play.
    pub mv: M,
    /// Its score for the side to move; `None` where the search has no scores.
    pub score: Option<Score>,
    /// The last finished depth in plies; 0 when none was finished.
    pub depth: u32,
    /// All nodes visited, quiescence included.
    pub nodes: u64,
    /// The nodes of the quiescence search among them.
    pub quiescence_nodes: u64,
    /// Whether anything was searched: false for a book move or a single legal move, which
    /// nodes per move leave out.
    pub searched: bool,
    /// The principal variation, `mv` first.
    pub pv: Vec<M>,
    /// How the search went about it.
    pub statistics: Statistics,
}

/// Counters that tell how well a search works.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statistics {
    /// Questions to the transposition table.
    pub probes: u64,
    /// Questions that found the position.
    pub hits: u64,
    /// Nodes whose moves were searched.
    pub expanded: u64,
    /// Those among them where a move was too good for the opponent to allow.
    pub cutoffs: u64,
    /// Those among them where it was the first move.
    pub first_cutoffs: u64,
}

impl Statistics {
    /// Adds the counters of another search.
    pub fn add(&mut self, other: Statistics) {
        self.probes += other.probes;
        self.hits += other.hits;
        self.expanded += other.expanded;
        self.cutoffs += other.cutoffs;
        self.first_cutoffs += other.first_cutoffs;
    }
}

impl<M: Copy> SearchReport<M> {
    /// A move that nothing was searched for.
    fn unsearched(mv: M) -> SearchReport<M> {
        SearchReport {
            mv,
            score: None,
            depth: 0,
            nodes: 0,
            quiescence_nodes: 0,
            searched: false,
            pv: vec![mv],
            statistics: Statistics::default(),
        }
    }
}

/// Something that chooses a move. At least one move is legal when it is asked.
pub trait Search<G: Game>: Send {
    /// Forgets the last game. The same seed, limits without a clock, and positions give the
    /// same moves.
    fn new_game(&mut self, seed: u64);
    /// Chooses a move for the side to move. `history` ends with `position`.
    fn search(
        &mut self,
        position: &G,
        history: &History<G>,
        control: &mut Control<'_>,
    ) -> SearchReport<G::Move> {
        let mut moves = Vec::new();
        self.candidates(position, &mut moves);
        self.search_among(position, history, moves, control)
    }
    /// Appends the moves that [`Search::search`] looks at: all legal ones, but where it knows which
    /// are worth it.
    fn candidates(&self, position: &G, moves: &mut Vec<G::Move>) {
        position.legal_moves(moves);
    }
    /// As [`Search::search`], among these moves only: legal ones, at least one.
    fn search_among(
        &mut self,
        position: &G,
        history: &History<G>,
        moves: Vec<G::Move>,
        control: &mut Control<'_>,
    ) -> SearchReport<G::Move>;
    /// As [`Search::search`], node for node, and tells what it did; `None` where the search has
    /// no tree.
    fn trace(
        &mut self,
        position: &G,
        history: &History<G>,
        control: &mut Control<'_>,
        _options: TraceOptions,
    ) -> (SearchReport<G::Move>, Option<Trace<G::Move>>) {
        (self.search(position, history, control), None)
    }
}

/// Values positions. Incremental state stands on the search's own stack, one entry a ply.
pub trait Evaluator<G: TwoPlayer>: Send + Sync {
    /// What is carried from a position to its successor.
    type State: Clone + Debug + PartialEq + Send;
    /// The state of a position, from scratch.
    fn reset(&self, position: &G) -> Self::State;
    /// Turns the state of `before` into that of `after`, where `mv` was played.
    fn apply(&self, state: &mut Self::State, before: &G, mv: G::Move, after: &G);
    /// The value for the side to move.
    fn evaluate(&self, state: &Self::State, position: &G) -> Score;
    /// The result with best play, where the evaluation knows it for certain.
    fn prove(&self, _state: &Self::State, _position: &G) -> Option<Proof> {
        None
    }
    /// Appends the moves that are worth a look, at least one, each legal: all legal ones where the
    /// evaluation knows no better.
    fn candidates(&self, _state: &Self::State, position: &G, moves: &mut Vec<G::Move>) {
        position.legal_moves(moves);
    }
    /// A win that the side to move can force, by a search of the game's own (in five in a row by
    /// continuous fours). `enter` asks for a node, so that limits hold and all nodes are counted;
    /// when it says no, nothing more may be searched.
    fn force(
        &self,
        _state: &Self::State,
        _position: &G,
        _effort: Effort,
        _enter: &mut dyn FnMut() -> bool,
    ) -> Option<Forced<G::Move>> {
        None
    }
    /// Appends a rating for each of `moves`: cheap, higher is better, in any unit. It
    /// decides which moves are looked at first.
    fn rate_moves(
        &self,
        _state: &Self::State,
        _position: &G,
        moves: &[G::Move],
        ratings: &mut Vec<i32>,
    ) {
        ratings.extend(moves.iter().map(|_| 0));
    }
}

/// How hard [`Evaluator::force`] may try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Once before a move.
    Root,
    /// At a node of the tree with so many plies left.
    Inner(u32),
}

/// A win that the side to move can force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forced<M> {
    /// In how many plies from here, at most.
    pub plies: u32,
    /// Moves of both sides on the way, the winner's first; at least one.
    pub line: Vec<M>,
}

/// A result that is certain, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Whether the side to move wins; if not, it loses.
    pub wins: bool,
    /// In how many plies from here, at most.
    pub plies: u32,
}

impl Proof {
    /// The side to move wins.
    #[must_use]
    pub fn win(plies: u32) -> Proof {
        Proof { wins: true, plies }
    }

    /// The side to move loses.
    #[must_use]
    pub fn loss(plies: u32) -> Proof {
        Proof { wins: false, plies }
    }

    /// The score, where the position is `ply` plies from the root.
    #[must_use]
    pub fn score(self, ply: u32) -> Score {
        if self.wins {
            Score::win_in(ply + self.plies)
        } else {
            Score::loss_in(ply + self.plies)
        }
    }
}

/// The result of a repetition. It holds on the path that led to it, and on no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repetition {
    /// The winner; `None` is a draw.
    pub winner: Option<Side>,
    /// The ply of the history where the position stood that has come back.
    pub first: usize,
    /// Whether the rules end the game here: a search may count an earlier occurrence as the last.
    pub ends: bool,
}

/// A count that ends the game unless something sets it back. It is no part of the position's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Countdown {
    /// Plies from here to the end.
    pub left: u32,
    /// The ply of the history from which it counts.
    pub since: usize,
}

/// A game that comes with an evaluation, so that the built-in searches play it.
pub trait BuiltIn: TwoPlayer {
    /// The evaluation; its parameters are the `[engine.evaluation]` of a config.
    type Evaluator: Evaluator<Self> + Tunable;

    /// The number of slots that [`BuiltIn::history_slot`] tells apart.
    const HISTORY_SLOTS: usize = 1;

    /// Which moves share their history of success: those from and to the same squares.
    fn history_slot(_mv: Self::Move) -> usize {
        0
    }

    /// Whether a position can come back. Where it can, a search does not rest on a win that may be
    /// shorter than it knows: whoever is content with any win may go in circles.
    const COMES_BACK: bool = false;

    /// Whether the side to move is in check: such a position is not valued as it stands.
    fn in_check(&self) -> bool {
        false
    }

    /// The position after a pass, for the null move; `None` where passing might be better
    /// than every move.
    fn pass(&self) -> Option<Self> {
        None
    }

    /// What it means that the position has been there before, in games where that matters.
    /// `history` ends with it; the search began at ply `root` of it. A second occurrence within
    /// the search counts as the last one: whoever can repeat once can do so again.
    fn repetition(&self, _history: &History<Self>, _root: usize) -> Option<Repetition> {
        None
    }

    /// The count that ends the game first, if there is one. `history` ends with the position.
    fn countdown(&self, _history: &History<Self>) -> Option<Countdown> {
        None
    }

    /// Appends the moves without which a position must not be valued (captures), for the
    /// quiescence search. In check it looks at all moves.
    fn tactical_moves(&self, _moves: &mut Vec<Self::Move>) {}

    /// The positions of [`bench()`]: of the whole game, and always the same.
    fn bench_positions() -> Vec<Self> {
        vec![Self::start(&Self::Rules::default())]
    }

    /// Defaults of search parameters that differ in this game from those of the search.
    fn search_defaults(_kind: SearchKind) -> &'static [(&'static str, f64)] {
        &[]
    }
}

/// The kinds of search, as configs name them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchKind {
    /// Iterative deepening alpha-beta.
    AlphaBeta,
    /// The best move by the evaluation one ply ahead.
    Greedy,
    /// A legal move at random.
    Random,
    /// Beam search for the solution of a solitaire.
    Beam,
}

impl SearchKind {
    /// Those that choose a move in a game of two sides.
    pub const OF_TWO_PLAYERS: [SearchKind; 3] = [
        SearchKind::AlphaBeta,
        SearchKind::Greedy,
        SearchKind::Random,
    ];
    /// Those that solve a solitaire.
    pub const OF_SOLITAIRES: [SearchKind; 1] = [SearchKind::Beam];

    /// The name in configs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            SearchKind::AlphaBeta => "alpha_beta",
            SearchKind::Greedy => "greedy",
            SearchKind::Random => "random",
            SearchKind::Beam => "beam",
        }
    }
}

/// A configured built-in search: its kind and a value for each of its parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchSpec {
    /// Which search.
    pub kind: SearchKind,
    /// Its parameters ([`parameters`]).
    pub parameters: ParameterValues,
    /// The parameters of the game's evaluation.
    pub evaluation: ParameterValues,
}

impl SearchSpec {
    /// Whether its moves depend on the game's seed.
    #[must_use]
    pub fn uses_seed(&self) -> bool {
        let noise = |(name, value): (&str, f64)| name == "root_noise" && value != 0.0;
        self.kind == SearchKind::Random || self.parameters.iter().any(noise)
    }
}

/// The parameters of a kind of search, with the game's own defaults.
///
/// # Panics
/// When [`BuiltIn::search_defaults`] names a parameter that the search does not have: a slip
/// in the program, which a test of every game finds.
#[must_use]
pub fn parameters<G: BuiltIn>(kind: SearchKind) -> Vec<Parameter> {
    let mut declared = match kind {
        SearchKind::AlphaBeta => Options::parameters(),
        SearchKind::Greedy => greedy::parameters(),
        SearchKind::Random | SearchKind::Beam => Vec::new(),
    };
    for (name, default) in G::search_defaults(kind) {
        match declared.iter_mut().find(|p| p.name == *name) {
            Some(parameter) => parameter.default = *default,
            None => panic!("{} has no parameter `{name}`", kind.name()),
        }
    }
    declared
}

/// Appends the moves that the game's default evaluation thinks worth a look.
pub fn candidates<G: BuiltIn>(position: &G, moves: &mut Vec<G::Move>) {
    let defaults = ParameterValues::defaults(&G::Evaluator::parameters());
    let evaluator = G::Evaluator::from_values(&defaults);
    evaluator.candidates(&evaluator.reset(position), position, moves);
}

/// Builds a configured search. Its table is allocated here, once.
///
/// # Panics
/// When it is none of [`SearchKind::OF_TWO_PLAYERS`]: configs are checked.
#[must_use]
pub fn build<G: BuiltIn>(spec: &SearchSpec) -> Box<dyn Search<G>> {
    let evaluator = || G::Evaluator::from_values(&spec.evaluation);
    match spec.kind {
        SearchKind::AlphaBeta => {
            let options = Options::from_values(&spec.parameters);
            Box::new(AlphaBeta::<G>::new(options, evaluator()))
        }
        SearchKind::Greedy => {
            let noise = spec.parameters.get("root_noise");
            Box::new(Greedy::<G>::new(evaluator(), noise))
        }
        SearchKind::Random => Box::new(Random::new()),
        SearchKind::Beam => panic!("a beam solves a solitaire and plays no game"),
    }
}

impl SearchSpec {
    /// A kind of search with everything at its default in game `G`.
    #[must_use]
    pub fn defaults<G: BuiltIn>(kind: SearchKind) -> SearchSpec {
        SearchSpec {
            kind,
            parameters: ParameterValues::defaults(&parameters::<G>(kind)),
            evaluation: ParameterValues::defaults(&G::Evaluator::parameters()),
        }
    }
}
