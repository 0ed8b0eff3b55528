//! The doubts about a pairing's result: which figures of the run are a warning.

use crate::game::Side;
use crate::results::{EngineKind, FaultKind, MoveLimit, RunSpec, Start, VariantSpec};
use crate::standing::Standing;
use crate::stats::{
    self, EffectiveSample, Verdict, Warning, effort_warning, fault_warnings, role_bias_warning,
};

/// A figure of the candidate over the base's.
pub(super) fn ratio(candidate: Option<f64>, base: Option<f64>) -> Option<f64> {
    let (candidate, base) = (candidate?, base?);
    (base > 0.0).then(|| candidate / base)
}

/// All doubts about one pairing.
pub(super) fn warnings(
    run: &RunSpec,
    standing: &Standing,
    sample: &EffectiveSample,
    starts: &[Start],
) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let variants = [standing.pairing.candidate, standing.pairing.base];
    let [candidate, base] = variants.map(|variant| &run.variants[variant]);
    if candidate.plays_as(base) {
        warnings.push(Warning::IdenticalVariants {
            candidate: candidate.name.clone(),
            base: base.name.clone(),
        });
    }
    let games = standing.tally().games.games();
    let forfeits = standing.faults(FaultKind::TimeForfeit);
    let others = other_faults(standing);
    for (index, variant) in [candidate, base].into_iter().enumerate() {
        warnings.extend(fault_warnings(
            &variant.name,
            forfeits[index],
            others[index],
            games,
        ));
    }
    for (variant, effort) in [candidate, base].into_iter().zip(standing.efforts()) {
        warnings.extend(node_warning(variant, effort.nodes_per_move()));
    }
    warnings.extend(stats::void_warning(standing.voids(), games));
    warnings.extend(sample.warning());
    if standing.compares().is_none() {
        warnings.extend(role_bias_warning(
            &standing.tally().pairs,
            standing.first_side_counts().score(),
        ));
    }
    let [mine, theirs] = standing.efforts();
    let depth_limited = [candidate, base].iter().any(|variant| {
        Side::BOTH
            .iter()
            .any(|side| matches!(variant.limit.of(*side), MoveLimit::Depth(_)))
    });
    warnings.extend(effort_warning(
        standing.tally().pairs.score(),
        &stats::Effort {
            nodes: ratio(mine.nodes_per_move(), theirs.nodes_per_move()),
            time: ratio(mine.ms_per_move(), theirs.ms_per_move()),
            depth_limited,
        },
    ));
    let timed = [candidate, base].iter().any(|variant| {
        Side::BOTH
            .iter()
            .any(|side| !variant.limit.of(*side).is_reproducible())
    });
    warnings.extend(
        starts
            .iter()
            .find_map(|start| machine_warning(start, timed)),
    );
    // Nodes and depths are the same however long an engine waits.
    // Another program may sleep as it pleases.
    let built_in = |variant: &&VariantSpec| matches!(variant.engine, EngineKind::BuiltIn(_));
    if timed && [candidate, base].iter().all(built_in) {
        warnings.extend(waiting_warning(standing));
    }
    let planned = u64::from(standing.pairing.pairs);
    if standing.verdict() != Verdict::AcceptH1 {
        warnings.extend(stats::reach_warning(
            planned,
            standing.rule().pairs_to_accept_h1(),
        ));
    }
    warnings
}

/// Whether another program's searches are what its limit of nodes says, where it has the same in
/// both roles. Agon's own searches keep to theirs.
fn node_warning(variant: &VariantSpec, used: Option<f64>) -> Option<Warning> {
    let EngineKind::External(_) = variant.engine else {
        return None;
    };
    match Side::BOTH.map(|side| variant.limit.of(side)) {
        [MoveLimit::Nodes(limit), MoveLimit::Nodes(other)] if limit == other => {
            stats::node_limit_warning(&variant.name, limit, used?)
        }
        _ => None,
    }
}

/// Whether games shared cores: physical ones matter where time is measured.
fn machine_warning(start: &Start, timed: bool) -> Option<Warning> {
    let physical = start.physical_cores.filter(|_| timed);
    let cores = physical.map_or(start.usable_cores, |physical| {
        physical.min(start.usable_cores)
    });
    stats::threads_warning(start.workers, cores)
}

/// Fewer seconds of moves than this say nothing of the machine.
const ENOUGH_SECONDS: f64 = 1.0;

/// Whether engines waited for the processor while their clocks ran, over the counted games
/// whose processor time is known.
fn waiting_warning(standing: &Standing) -> Option<Warning> {
    let (mut processor, mut wall) = (0_u64, 0_u64);
    for game in standing.games() {
        if let Some(cpu) = game.cpu_time_us {
            processor = processor.saturating_add(cpu);
            for effort in game.effort {
                wall = wall.saturating_add(effort.time_us);
            }
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "microseconds far below 2^53")]
    let [processor, wall] = [processor, wall].map(|us| us as f64 / 1e6);
    if wall < ENOUGH_SECONDS {
        return None;
    }
    stats::load_warning(processor, wall)
}

/// Games that the candidate and the base lost by faults other than time.
pub(super) fn other_faults(standing: &Standing) -> [u64; 2] {
    let mut sum = [0; 2];
    for kind in FaultKind::ALL {
        if kind != FaultKind::TimeForfeit {
            let counts = standing.faults(kind);
            sum = [sum[0] + counts[0], sum[1] + counts[1]];
        }
    }
    sum
}
