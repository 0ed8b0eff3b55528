//! How many moves each side's amazons are away from the empty squares, and what Lieberum's
//! evaluation draws from it.
//!
//! Distances run through empty squares only: amazons of both sides and arrows block. All
//! balances are the first side's less the second's.

use super::board::{Bits, Fill, king_steps};

/// The longest queen distance that is told apart; on real boards it is about 12.
const MAX_LAYERS: usize = 24;

/// What queen distances say.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct QueenTerms {
    /// Squares nearer to the first side.
    pub(super) first: Bits,
    /// Squares nearer to the second side.
    pub(super) second: Bits,
    /// Squares that both reach equally soon.
    pub(super) ties: u32,
    /// `c1`: twice the sum of `2^-D1` of the first side less that of the second.
    pub(super) c1: f64,
    /// `w`: the sum of `2^-|D1 first - D1 second|` over the squares that both reach. It
    /// falls from 70 at the start to 0 when the territories are separated.
    pub(super) w: f64,
}

impl QueenTerms {
    /// Terms from the squares that each side reaches in one move.
    pub(super) fn new(reach: [Bits; 2], empty: Bits) -> QueenTerms {
        let fill = Fill::new(empty);
        let mut terms = QueenTerms::default();
        let mut layers = [[0; MAX_LAYERS]; 2];
        let [mut first, mut second] = reach;
        let (mut seen_first, mut seen_second) = (first, second);
        let mut weight = 1.0;
        let mut depth = 0;
        loop {
            layers[0][depth] = first;
            layers[1][depth] = second;
            let open = !(terms.first | terms.second);
            terms.first |= first & !seen_second & open;
            terms.second |= second & !seen_first & open;
            let tie = first & second;
            let (ties, firsts, seconds) = (count(tie), count(first), count(second));
            terms.ties += tie.count_ones();
            terms.c1 += weight * (firsts - seconds);
            terms.w += ties;
            terms.w += unequal(&layers, depth);
            weight *= 0.5;
            depth += 1;
            if (first | second) == 0 || depth == MAX_LAYERS {
                break;
            }
            first = if first == 0 {
                0
            } else {
                fill.spread(first) & !seen_first
            };
            second = if second == 0 {
                0
            } else {
                fill.spread(second) & !seen_second
            };
            seen_first |= first;
            seen_second |= second;
        }
        terms
    }
}

/// The part of `w` from squares that one side reaches at `depth` and the other sooner.
fn unequal(layers: &[[Bits; MAX_LAYERS]; 2], depth: usize) -> f64 {
    let (first, second) = (layers[0][depth], layers[1][depth]);
    let mut sum = 0.0;
    let mut weight = 0.5;
    for sooner in (0..depth).rev() {
        let squares = (first & layers[1][sooner]) | (second & layers[0][sooner]);
        sum += weight * count(squares);
        weight *= 0.5;
    }
    sum
}

fn count(squares: Bits) -> f64 {
    f64::from(squares.count_ones())
}

/// What king distances say.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct KingTerms {
    /// Squares nearer to the first side.
    pub(super) first: Bits,
    /// Squares nearer to the second side.
    pub(super) second: Bits,
    /// Squares that both reach equally soon.
    pub(super) ties: u32,
    /// `c2`: the sum of `(D2 second - D2 first) / 6`, each kept within -1 and 1.
    pub(super) c2: f64,
}

/// The difference of king distances from which on [`KingTerms::c2`] does not grow.
const C2_SPAN: usize = 6;

impl KingTerms {
    /// Terms from the amazons of both sides.
    pub(super) fn new(amazons: [Bits; 2], empty: Bits) -> KingTerms {
        let mut terms = KingTerms::default();
        // What each side had reached 1, 2, .. 6 steps before, the latest first.
        let mut past = [[0; 2]; C2_SPAN];
        let [mut first, mut second] = [0; 2];
        let (mut edge_first, mut edge_second) = (amazons[0], amazons[1]);
        let mut steps = 0;
        loop {
            edge_first = king_steps(edge_first) & empty & !first;
            edge_second = king_steps(edge_second) & empty & !second;
            let open = !(first | second);
            first |= edge_first;
            second |= edge_second;
            terms.first |= edge_first & open & !second;
            terms.second |= edge_second & open & !first;
            terms.ties += (edge_first & edge_second).count_ones();
            // A square counts at each step at which one side has it and the other has not,
            // but not for longer than the span.
            let [old_first, old_second] = past[C2_SPAN - 1];
            let ahead = first & !second & !old_first;
            let behind = second & !first & !old_second;
            if (ahead | behind | edge_first | edge_second) == 0 {
                break;
            }
            steps += ahead.count_ones().cast_signed() - behind.count_ones().cast_signed();
            past.copy_within(0..C2_SPAN - 1, 1);
            past[0] = [first, second];
        }
        terms.c2 = f64::from(steps) / 6.0;
        terms
    }
}
