//! The value of a position.
//!
//! All weights are in geese. The terms are about the siege: how many geese there are, how free
//! they and the fox are, how near the geese stand, and how much of the board is the fox's.

use super::board::{BOARD, Bits, EDGE_DISTANCE, beside, bit, diagonally_beside};
use super::{FoxGeese, Move};
use crate::game::Side;
use crate::params::{Parameter, ParameterValues, Tunable};
use crate::search::{Evaluator, Score};

/// The evaluation with its weights, in hundredths.
#[derive(Clone, Debug)]
pub struct Siege {
    goose: i32,
    even_geese: i32,
    fox_mobility: i32,
    goose_mobility: i32,
    encirclement: i32,
    edge_distance: i32,
    reach: i32,
    unprotected: i32,
    tempo: i32,
}

impl Tunable for Siege {
    fn parameters() -> Vec<Parameter> {
        let weight = |name, default, about| Parameter::real(name, default, -2.0, 5.0, 0.01, about);
        vec![
            weight("goose", 1.0, "value of a goose"),
            Parameter::integer(
                "even_geese",
                8,
                0,
                17,
                "number of geese at which neither side is ahead",
            ),
            weight(
                "fox_mobility",
                0.1,
                "what each step and jump that the fox has costs the geese",
            ),
            weight(
                "goose_mobility",
                0.02,
                "value of each step that the geese have",
            ),
            weight(
                "encirclement",
                0.1,
                "value of a goose beside the fox that it cannot take",
            ),
            weight(
                "edge_distance",
                0.1,
                "what each step between the fox and the edge of the cross costs the geese",
            ),
            weight(
                "reach",
                0.2,
                "what each point that the fox can walk to costs the geese",
            ),
            weight(
                "unprotected",
                0.3,
                "what each goose that the fox can take now costs the geese",
            ),
            weight("tempo", 0.1, "value of being the next to move"),
        ]
    }

    fn from_values(values: &ParameterValues) -> Siege {
        let hundredths = |name| {
            #[expect(clippy::cast_possible_truncation, reason = "declared from -2 to 5")]
            let value = (values.get(name) * 100.0).round() as i32;
            value
        };
        Siege {
            goose: hundredths("goose"),
            even_geese: values.integer("even_geese"),
            fox_mobility: hundredths("fox_mobility"),
            goose_mobility: hundredths("goose_mobility"),
            encirclement: hundredths("encirclement"),
            edge_distance: hundredths("edge_distance"),
            reach: hundredths("reach"),
            unprotected: hundredths("unprotected"),
            tempo: hundredths("tempo"),
        }
    }
}

fn count(set: Bits) -> i32 {
    set.count_ones().cast_signed()
}

impl FoxGeese {
    /// The points that the fox can walk to if nobody else moves, its own left out.
    fn reach(&self) -> Bits {
        let free = BOARD & !self.geese;
        let mut reached = bit(self.fox);
        loop {
            let mut next = reached | beside(reached);
            if self.ruling.diagonals {
                next |= diagonally_beside(reached);
            }
            next &= free;
            if next == reached {
                return reached & !bit(self.fox);
            }
            reached = next;
        }
    }
}

impl Siege {
    /// The value for the geese, whoever is to move.
    fn for_geese(&self, position: &FoxGeese) -> i32 {
        let fox = bit(position.fox);
        let landings = position.landings(fox, position.geese);
        let steps = position.fox_steps();
        // Every goose beside the fox stands before a landing point or is safe.
        let mut near = beside(fox);
        if position.ruling.diagonals {
            near |= diagonally_beside(fox);
        }
        let (jumps, near) = (count(landings), count(near & position.geese));
        self.goose * (count(position.geese) - self.even_geese)
            - self.fox_mobility * (count(steps) + jumps)
            + self.goose_mobility * position.goose_steps()
            + self.encirclement * (near - jumps)
            - self.edge_distance * i32::from(EDGE_DISTANCE[usize::from(position.fox)])
            - self.reach * count(position.reach())
            - self.unprotected * jumps
    }
}

impl Evaluator<FoxGeese> for Siege {
    /// A position is valued from its bits, without anything carried along.
    type State = ();

    fn reset(&self, _position: &FoxGeese) {}

    fn apply(&self, _state: &mut (), _before: &FoxGeese, _mv: Move, _after: &FoxGeese) {}

    fn evaluate(&self, _state: &(), position: &FoxGeese) -> Score {
        let value = match position.side {
            Side::First => self.for_geese(position),
            Side::Second => -self.for_geese(position),
        };
        let max = Score::HEURISTIC_MAX.0;
        Score((value + self.tempo).clamp(-max, max))
    }

    /// The fox's jumps first, the longest before the others, then its steps to where it has the
    /// most room. Of the geese's moves those last after which the fox can jump.
    fn rate_moves(&self, _state: &(), position: &FoxGeese, moves: &[Move], ratings: &mut Vec<i32>) {
        let geese = position.geese;
        ratings.extend(moves.iter().map(|mv| {
            let to = bit(mv.to());
            if position.side == Side::Second {
                let landings = position.landings(to, geese & !mv.taken());
                let free = count(beside(to) & !geese) + 4 * count(landings);
                return CAPTURE * mv.captures().cast_signed() + free;
            }
            let after = geese ^ bit(mv.from()) ^ to;
            let landings = position.landings(bit(position.fox), after);
            let near = count(beside(to) & (after | bit(position.fox)));
            near - CAPTURE * count(landings)
        }));
    }
}

/// Above every rating of a move that captures nothing.
const CAPTURE: i32 = 1000;
