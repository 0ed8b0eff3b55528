//! The best move by the evaluation one ply ahead.

use super::noise::Noise;
use super::{BuiltIn, Control, Evaluator, Score, Search, SearchReport};
use crate::game::{History, Side, TwoPlayer};
use crate::params::Parameter;

/// The declared parameters of [`Greedy`].
pub(super) fn parameters() -> Vec<Parameter> {
    vec![root_noise()]
}

/// The declaration of root noise, which several searches have.
pub(super) fn root_noise() -> Parameter {
    Parameter::real(
        "root_noise",
        0.0,
        0.0,
        50.0,
        0.5,
        "random amount added to each root move's score, up to this many units of the \
         evaluation, drawn from the game's seed",
    )
}

/// Makes each legal move, values the position after it, and plays the best.
pub struct Greedy<G: BuiltIn> {
    evaluator: G::Evaluator,
    /// The bound of the noise in score units, 1 for none.
    noise: u32,
    seed: u64,
}

impl<G: BuiltIn> Greedy<G> {
    /// A player with this evaluation and root noise of up to `noise` units.
    #[must_use]
    pub fn new(evaluator: G::Evaluator, noise: f64) -> Greedy<G> {
        Greedy {
            evaluator,
            noise: noise_bound(noise),
            seed: 0,
        }
    }
}

/// The number of different amounts of noise: one more than the hundredths of a unit.
pub(super) fn noise_bound(units: f64) -> u32 {
    Score::heuristic(units).0.unsigned_abs() + 1
}

/// The value of an ended game for `side`, `ply` plies from the root; `None` while it goes on.
pub(super) fn ended<G: TwoPlayer>(position: &G, history: &History<G>, ply: u32) -> Option<Score> {
    let outcome = position.outcome(history)?;
    Some(result(outcome.winner, position.side_to_move(), ply))
}

/// The value of a result for `side`, `ply` plies from the root.
pub(super) fn result(winner: Option<Side>, side: Side, ply: u32) -> Score {
    match winner {
        None => Score::ZERO,
        Some(winner) if winner == side => Score::win_in(ply),
        Some(Side::First | Side::Second) => Score::loss_in(ply),
    }
}

impl<G: BuiltIn> Search<G> for Greedy<G> {
    fn new_game(&mut self, seed: u64) {
        self.seed = seed;
    }

    fn candidates(&self, position: &G, moves: &mut Vec<G::Move>) {
        let state = self.evaluator.reset(position);
        self.evaluator.candidates(&state, position, moves);
    }

    fn search_among(
        &mut self,
        position: &G,
        history: &History<G>,
        moves: Vec<G::Move>,
        control: &mut Control<'_>,
    ) -> SearchReport<G::Move> {
        let state = self.evaluator.reset(position);
        let mut report = SearchReport::unsearched(moves[0]);
        if moves.len() == 1 {
            return report;
        }
        let mut noise = Noise::new(self.seed, history.plies());
        let mut line = history.clone();
        let mut best = (-Score::INFINITE, moves[0]);
        report.searched = true;
        for &mv in &moves {
            if !control.enter_node() {
                report.nodes = control.nodes();
                return report;
            }
            let mut after = position.clone();
            after.play(mv);
            line.push(mv, &after);
            let value = ended(&after, &line, 1).unwrap_or_else(|| {
                let mut state = state.clone();
                self.evaluator.apply(&mut state, position, mv, &after);
                self.evaluator.evaluate(&state, &after)
            });
            line.pop();
            let score = (-value).with_noise(noise.below(self.noise));
            if score > best.0 {
                best = (score, mv);
            }
        }
        SearchReport {
            mv: best.1,
            score: Some(best.0),
            depth: 1,
            nodes: control.nodes(),
            pv: vec![best.1],
            ..report
        }
    }
}
