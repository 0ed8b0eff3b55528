//! External engines before the first game: whether they start, can be set as the config says,
//! keep to a limit of nodes, and spell moves as their protocol does.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::game::{Dialect, History, Side, TwoPlayer};
use crate::players::engine::{Engine, EnginePlayer, Launch, StartError};
use crate::players::protocol::DeclaredOption;
use crate::players::{Budget, GameSetup, Player, Turn};
use crate::results::{
    EngineKind, ExternalSpec, FaultKind, MoveLimit, ProtocolKind, RunSpec, Searched, VariantSpec,
};
use crate::search::{SearchLimits, StopFlag};

/// What came of trying the engines of a run.
#[derive(Debug, Default)]
pub struct Trial {
    /// Variants that cannot be used, by index, and why.
    pub wrong: Vec<(usize, StartError)>,
    /// What is doubtful and hinders nobody.
    pub notes: Vec<String>,
    /// The options that each variant's program declares, by the variant's name.
    pub declared: BTreeMap<String, Vec<DeclaredOption>>,
}

/// Starts every external engine once, checks the options of its variants, and lets those with a
/// limit of nodes, or of a game that protocols spell in different ways, search the start position; no more of them once `stop` is set.
pub(super) fn try_engines<G: TwoPlayer>(run: &RunSpec, rules: &G::Rules, stop: &StopFlag) -> Trial {
    let mut bench = Bench {
        running: Vec::new(),
        trial: Trial::default(),
        stop,
    };
    for (index, variant) in run.variants.iter().enumerate() {
        if stop.is_stopped() {
            break;
        }
        let EngineKind::External(spec) = &variant.engine else {
            continue;
        };
        if let Err(error) = bench.try_variant::<G>(variant, spec, rules) {
            bench.trial.wrong.push((index, error));
        }
    }
    bench.running.into_iter().for_each(Engine::quit);
    bench.trial
}

/// The engines that have been started, and what is known of them.
struct Bench<'a> {
    running: Vec<Engine>,
    trial: Trial,
    stop: &'a StopFlag,
}

impl Bench<'_> {
    fn try_variant<G: TwoPlayer>(
        &mut self,
        variant: &VariantSpec,
        spec: &ExternalSpec,
        rules: &G::Rules,
    ) -> Result<(), StartError> {
        let started = self
            .running
            .iter()
            .position(|engine| engine.is_started_by(spec))
            .map(|index| self.running.swap_remove(index));
        let engine = match started {
            Some(engine) => engine,
            None => Engine::start(spec, self.stop)?,
        };
        let declared = engine.declared().to_vec();
        self.trial.declared.insert(variant.name.clone(), declared);
        if let Err(error) = engine.check(spec, G::announcement(rules)) {
            self.running.push(engine);
            return Err(error);
        }
        let nodes = least_nodes(variant);
        if nodes.is_none() && !is_spelled_in_two_ways::<G>(rules) {
            self.running.push(engine);
            return Ok(());
        }
        let asked = nodes.unwrap_or(MOST_NODES).min(MOST_NODES);
        let limit = nodes.map_or_else(|| sample(variant), |_| MoveLimit::Nodes(asked));
        let patience = PATIENCE.min(Duration::from_millis(spec.stall_ms));
        let mut player = EnginePlayer::<G>::new(spec, rules, Some(engine));
        let searched = search_start(&mut player, rules, limit, patience, self.stop);
        let misspelled = player
            .refused()
            .and_then(|text| misspelled::<G>(spec, rules, text));
        self.running.extend(player.into_engine());
        if let Some(error) = misspelled {
            return Err(error);
        }
        let Some(limit) = nodes else {
            return Ok(());
        };
        let launch = || Launch::from(spec).to_string();
        match searched {
            Search::Endless => Err(StartError::NoNodeLimit {
                launch: launch(),
                asked,
                what: format!("it had not moved after {} s", patience.as_secs()),
            }),
            Search::Done(Some(Searched { nodes, .. })) if nodes > 2 * asked + GRAIN => {
                Err(StartError::NoNodeLimit {
                    launch: launch(),
                    asked,
                    what: format!("it said that it used {nodes}"),
                })
            }
            Search::Done(Some(Searched { nodes, .. })) if nodes < asked / 10 => {
                self.trial.notes.push(format!(
                    "`{}` was asked to search {asked} nodes and said that it used {nodes}: it may not \
                     know limits of nodes",
                    variant.name
                ));
                Ok(())
            }
            Search::Done(None) => {
                self.trial.notes.push(format!(
                    "`{}` does not say how many nodes it used: whether it keeps to its limit of {limit} \
                     is not known",
                    variant.name
                ));
                Ok(())
            }
            // What goes wrong with the first move goes wrong in its games, and is told there.
            Search::Done(_) | Search::Faulty => Ok(()),
        }
    }
}

/// At most so many nodes are asked for: who keeps to these keeps to more.
const MOST_NODES: u64 = 10_000;

/// So many nodes more than twice what was asked for are forgiven: engines look at their limit
/// once in a few thousand.
const GRAIN: u64 = 5_000;

/// How long a search of [`MOST_NODES`] is waited for. The slowest engine that was measured, in
/// Python, searches 8,000 nodes a second.
const PATIENCE: Duration = Duration::from_secs(15);

/// The least of a variant's limits of nodes.
fn least_nodes(variant: &VariantSpec) -> Option<u64> {
    let nodes = |side| match variant.limit.of(side) {
        MoveLimit::Nodes(nodes) => Some(nodes),
        _ => None,
    };
    Side::BOTH.into_iter().filter_map(nodes).min()
}

/// The limit for a sample move of a variant that has none of nodes.
fn sample(variant: &VariantSpec) -> MoveLimit {
    match variant.limit.first {
        MoveLimit::Depth(_) => MoveLimit::Depth(1),
        MoveLimit::TimeMs(ms) => MoveLimit::TimeMs(ms.min(SAMPLE_MS)),
        MoveLimit::Clock(_) | MoveLimit::Nodes(_) => MoveLimit::TimeMs(SAMPLE_MS),
    }
}

/// How long an engine thinks about a sample move.
const SAMPLE_MS: u64 = 50;

/// Whether UCI and UCCI spell the moves at the start differently.
fn is_spelled_in_two_ways<G: TwoPlayer>(rules: &G::Rules) -> bool {
    let position = G::start(rules);
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let spell = |mv, dialect| position.spell_move(mv, dialect);
    let mut moves = moves.into_iter();
    moves.any(|mv| spell(mv, Dialect::Uci) != spell(mv, Dialect::Ucci))
}

/// What is wrong with an answer that is a move of the start in another protocol's spelling.
fn misspelled<G: TwoPlayer>(
    spec: &ExternalSpec,
    rules: &G::Rules,
    text: &str,
) -> Option<StartError> {
    let position = G::start(rules);
    let spoken = spec.protocol;
    let others = [ProtocolKind::Uci, ProtocolKind::Ucci].into_iter();
    let read = |other: ProtocolKind| {
        let mv = position.parse_spelled(text, other.dialect()).ok()?;
        Some(StartError::Dialect {
            launch: Launch::from(spec).to_string(),
            text: text.to_owned(),
            meant: position.spell_move(mv, spoken.dialect()),
            spoken: spoken.name(),
            other: other.name(),
        })
    };
    others.filter(|other| *other != spoken).find_map(read)
}

/// What came of a search of the start position.
enum Search {
    /// It moved, and said how much it had searched.
    Done(Option<Searched>),
    /// It did not move in time.
    Endless,
    /// It did something wrong.
    Faulty,
}

fn search_start<G: TwoPlayer>(
    player: &mut EnginePlayer<'_, G>,
    rules: &G::Rules,
    limit: MoveLimit,
    patience: Duration,
    stop: &StopFlag,
) -> Search {
    let position = G::start(rules);
    let history = History::new(position.clone());
    let budget = Budget {
        limit,
        span: patience,
        left: [Duration::ZERO; 2],
        increment: [Duration::ZERO; 2],
        moves_to_go: None,
    };
    let setup = GameSetup {
        position: &position,
        history: &history,
        role: position.side_to_move(),
        seed: 0,
        budget,
        stop,
    };
    if player.new_game(&setup).is_err() {
        return Search::Faulty;
    }
    let turn = Turn {
        position: &position,
        history: &history,
        // They are for searches of agon's own.
        limits: SearchLimits::NONE,
        budget,
        stop,
    };
    match player.choose_move(&turn) {
        Ok(reply) => Search::Done(reply.searched),
        Err(fault) if fault.kind == FaultKind::Stall => Search::Endless,
        Err(_) => Search::Faulty,
    }
}
