//! What the user should know of a plan before play.

use crate::game::Side;
use crate::openings::Suite;
use crate::plan::Note;
use crate::play::Arena;
use crate::results::{EngineKind, MoveLimit, PairingSpec, VariantSpec, VerdictSpec};
use crate::search::SearchKind;
use crate::stats;

pub(super) fn pairing_name(variants: &[VariantSpec], candidate: usize, base: usize) -> String {
    format!(
        "{} against {}",
        variants[candidate].name, variants[base].name
    )
}

pub(super) fn identical(variants: &[VariantSpec], notes: &mut Vec<Note>) {
    for (index, one) in variants.iter().enumerate() {
        for other in &variants[..index] {
            if one.plays_as(other) {
                notes.push(Note::IdenticalVariants {
                    first: other.name.clone(),
                    second: one.name.clone(),
                });
            }
        }
    }
}

pub(super) fn out_of_reach(
    verdict: &VerdictSpec,
    pairings: &[PairingSpec],
    variants: &[VariantSpec],
    notes: &mut Vec<Note>,
) {
    for pairing in pairings {
        let Ok(rule) = stats::build(verdict, pairing.pairs.into()) else {
            continue;
        };
        let needed = rule.pairs_to_accept_h1();
        if let Some(needed) = needed.filter(|needed| *needed > u64::from(pairing.pairs)) {
            notes.push(Note::OutOfReach {
                pairing: pairing_name(variants, pairing.candidate, pairing.base),
                planned: pairing.pairs,
                needed,
            });
        }
    }
}

/// Depth 1 looks at every legal move.
pub(super) fn too_few_nodes(
    arena: &dyn Arena,
    suite: &Suite,
    variants: &[VariantSpec],
    notes: &mut Vec<Note>,
) {
    let Some(opening) = suite.openings.first() else {
        return;
    };
    let Ok(seen) = arena.inspect(Some(&opening.fen), &opening.moves) else {
        return;
    };
    let moves = seen.legal_moves.len();
    for variant in variants {
        let EngineKind::BuiltIn(spec) = &variant.engine else {
            continue;
        };
        if spec.kind != SearchKind::AlphaBeta {
            continue;
        }
        let too_few = Side::BOTH
            .into_iter()
            .find_map(|side| match variant.limit.of(side) {
                MoveLimit::Nodes(nodes) if nodes < moves as u64 => Some(nodes),
                _ => None,
            });
        if let Some(nodes) = too_few {
            notes.push(Note::NoDepthFinished {
                variant: variant.name.clone(),
                nodes,
                moves,
            });
        }
    }
}
