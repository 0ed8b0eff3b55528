//! What agon has of its own for a game: a built-in engine, and second rules to compare with.
//! A game may have none of it; then only other programs play it.

use std::fmt;

use std::io::{BufRead, Read, Write};
use std::sync::{Arc, Mutex};

use super::analysis::analyse;
use super::{Analysis, Declares, OwnEngine, PositionError, Question, serve, serve_gomocup};
use crate::game::{Game, TwoPlayer};
use crate::params::{Parameter, Tunable};
use crate::search::{self, BenchLimit, BenchReport, Search, SearchKind, SearchSpec, bench};
use crate::verify::{Verify, VerifyError, VerifyReport, verify};

/// The built-in engine of `G` under some rules, as functions, so that nothing above asks of a
/// game's type whether it has one.
pub struct Own<G: Game> {
    rules: G::Rules,
    search_parameters: fn(SearchKind) -> Vec<Parameter>,
    evaluation_parameters: fn() -> Vec<Parameter>,
    candidates: fn(&G, &mut Vec<G::Move>),
    build: fn(&SearchSpec) -> Box<dyn Search<G>>,
    bench: fn(&G::Rules, &SearchSpec, BenchLimit) -> BenchReport,
    analyse: fn(&G::Rules, &Question<'_>) -> Result<Analysis, PositionError>,
    verify: fn(&G::Rules, u64, u64) -> Result<VerifyReport, VerifyError>,
}

impl<G: Verify> Own<G> {
    /// What a game that implements [`Verify`] comes with.
    pub fn new(rules: G::Rules) -> Own<G> {
        Own {
            rules,
            search_parameters: search::parameters::<G>,
            evaluation_parameters: G::Evaluator::parameters,
            candidates: search::candidates::<G>,
            build: search::build::<G>,
            bench: bench::<G>,
            analyse: analyse::<G>,
            verify: verify::<G>,
        }
    }
}

impl<G: Game> Own<G> {
    /// The parameters of alpha-beta.
    pub fn declared_search(&self) -> Vec<Parameter> {
        (self.search_parameters)(SearchKind::AlphaBeta)
    }

    /// The parameters of the evaluation.
    pub fn declared_evaluation(&self) -> Vec<Parameter> {
        (self.evaluation_parameters)()
    }

    /// Appends the moves that the default evaluation thinks worth a look.
    pub fn candidates(&self, position: &G, moves: &mut Vec<G::Move>) {
        (self.candidates)(position, moves);
    }

    /// Builds a configured search.
    pub fn build(&self, spec: &SearchSpec) -> Box<dyn Search<G>> {
        (self.build)(spec)
    }
}

impl<G: TwoPlayer> Declares for Own<G> {
    fn kinds(&self) -> &'static [SearchKind] {
        &SearchKind::OF_TWO_PLAYERS
    }

    fn search_parameters(&self, kind: SearchKind) -> Vec<Parameter> {
        (self.search_parameters)(kind)
    }

    fn evaluation_parameters(&self) -> Vec<Parameter> {
        (self.evaluation_parameters)()
    }
}

impl<G: TwoPlayer> OwnEngine for Own<G> {
    fn bench(&self, spec: &SearchSpec, limit: BenchLimit) -> BenchReport {
        (self.bench)(&self.rules, spec, limit)
    }

    fn analyse(&self, question: &Question<'_>) -> Result<Analysis, PositionError> {
        (self.analyse)(&self.rules, question)
    }

    fn verify(&self, positions: u64, seed: u64) -> Result<VerifyReport, VerifyError> {
        (self.verify)(&self.rules, positions, seed)
    }

    fn serve(&self, input: &mut dyn BufRead, output: Box<dyn Write + Send>) -> std::io::Result<()> {
        let output = Arc::new(Mutex::new(output));
        let Some(board) = G::announcement(&self.rules).gomocup else {
            return serve::serve(&self.rules, self, input, output);
        };
        // Five in a row is spoken of in Gomocup's words, unless UCI's come first.
        let mut first = Vec::new();
        input.read_until(b'\n', &mut first)?;
        let is_uci = first.trim_ascii() == b"uci";
        let mut input = first.as_slice().chain(input);
        match is_uci {
            true => serve::serve(&self.rules, self, &mut input, output),
            false => serve_gomocup::serve(board, self, &mut input, output),
        }
    }
}

impl<G: Game> fmt::Debug for Own<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Own")
            .field("rules", &self.rules)
            .finish_non_exhaustive()
    }
}
