//! Ends that the runner decides, before the rules do: off unless a config asks for them.
//!
//! They follow from the moves and scores of a record alone, so that whoever reads a row can
//! decide it again.

use serde::{Deserialize, Serialize};

use super::record::{Adjudication, GameResult, MoveRecord};
use crate::game::Side;

/// Which ends are decided early.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdjudicationSpec {
    /// A win when both sides agree on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignSpec>,
    /// A draw when neither side sees anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawSpec>,
    /// A draw after this many moves of both sides together, the opening left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<u32>,
}

/// When a game counts as resigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignSpec {
    /// Hundredths: the loser's score is at most minus this, the winner's at least this.
    pub score: u32,
    /// In so many moves of each side, one after the other.
    pub moves: u32,
}

/// When a game counts as drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawSpec {
    /// Hundredths: both scores are at most this far from zero.
    pub score: u32,
    /// In so many moves of each side, one after the other.
    pub moves: u32,
    /// Not before this many moves of both sides together, the opening left out.
    #[serde(default)]
    pub from_ply: u32,
}

impl AdjudicationSpec {
    /// Whether the game is decided after these moves, of which `first_to_move` made the first.
    #[must_use]
    pub fn decide(
        &self,
        moves: &[MoveRecord],
        first_to_move: Side,
    ) -> Option<(Adjudication, GameResult)> {
        let last = moves.len().checked_sub(1)?;
        let mover = if last.is_multiple_of(2) {
            first_to_move
        } else {
            first_to_move.other()
        };
        if let Some(resign) = self.resign
            && let Some(mover_wins) = agreed(moves, resign)
        {
            let winner = if mover_wins { mover } else { mover.other() };
            return Some((Adjudication::Resign, GameResult::of(Some(winner))));
        }
        if let Some(draw) = self.draw
            && moves.len() >= draw.from_ply as usize
            && is_dull(moves, draw)
        {
            return Some((Adjudication::Draw, GameResult::Draw));
        }
        let too_long = |most: u32| moves.len() >= most as usize;
        self.max_plies
            .is_some_and(too_long)
            .then_some((Adjudication::Length, GameResult::Draw))
    }
}

/// The scores of the last `moves` moves of each side, the latest first; none where a move has no
/// score or there are too few.
fn scores(moves: &[MoveRecord], each: u32) -> Option<Vec<i32>> {
    let each = Some(each as usize).filter(|each| *each > 0)?;
    let from = moves.len().checked_sub(each.checked_mul(2)?)?;
    moves[from..].iter().rev().map(|mv| mv.score).collect()
}

/// Whether both sides have agreed long enough, and then whether the last mover wins.
fn agreed(moves: &[MoveRecord], rule: ResignSpec) -> Option<bool> {
    let scores = scores(moves, rule.moves)?;
    let bound = i32::try_from(rule.score).unwrap_or(i32::MAX);
    let of = |skip: usize| scores.iter().skip(skip).step_by(2);
    let wins = |skip: usize| of(skip).all(|score| *score >= bound);
    let loses = |skip: usize| of(skip).all(|score| *score <= -bound);
    if wins(0) && loses(1) {
        Some(true)
    } else if loses(0) && wins(1) {
        Some(false)
    } else {
        None
    }
}

fn is_dull(moves: &[MoveRecord], rule: DrawSpec) -> bool {
    scores(moves, rule.moves).is_some_and(|scores| {
        scores
            .iter()
            .all(|score| score.unsigned_abs() <= rule.score)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(scores: &[Option<i32>]) -> Vec<MoveRecord> {
        let mv = |score: &Option<i32>| MoveRecord {
            text: "a1a2".to_owned(),
            score: *score,
            searched: None,
            time_us: 1,
        };
        scores.iter().map(mv).collect()
    }

    fn decide(spec: AdjudicationSpec, scores: &[i32]) -> Option<(Adjudication, GameResult)> {
        let scores: Vec<Option<i32>> = scores.iter().copied().map(Some).collect();
        spec.decide(&moves(&scores), Side::First)
    }

    const RESIGN: AdjudicationSpec = AdjudicationSpec {
        resign: Some(ResignSpec {
            score: 900,
            moves: 2,
        }),
        draw: None,
        max_plies: None,
    };

    #[test]
    fn a_win_needs_both_sides_and_enough_moves_of_each() {
        let second = Some((Adjudication::Resign, GameResult::SecondWins));
        let first = Some((Adjudication::Resign, GameResult::FirstWins));
        assert_eq!(decide(RESIGN, &[-900, 950, -1000, 900]), second);
        assert_eq!(decide(RESIGN, &[0, 0, 900, -950, 1000, -900]), first);
        // The same after a move of the first side.
        assert_eq!(decide(RESIGN, &[0, -950, 1000, -900, 901]), first);
        for not in [
            &[-900, 950, -1000][..],
            &[-900, 950, -1000, 899],
            &[-899, 950, -1000, 900],
            &[-900, -950, -1000, -900],
            &[900, 950, 1000, 900],
            &[],
        ] {
            assert_eq!(decide(RESIGN, not), None, "{not:?}");
        }
        // A move without a score is no agreement.
        let silent = moves(&[Some(-900), None, Some(-900), Some(900)]);
        assert_eq!(RESIGN.decide(&silent, Side::First), None);
    }

    #[test]
    fn a_draw_needs_low_scores_of_both_and_its_ply() {
        let spec = AdjudicationSpec {
            draw: Some(DrawSpec {
                score: 10,
                moves: 1,
                from_ply: 4,
            }),
            ..AdjudicationSpec::default()
        };
        let draw = Some((Adjudication::Draw, GameResult::Draw));
        assert_eq!(decide(spec, &[50, 50, -10, 10]), draw);
        assert_eq!(decide(spec, &[0, 0]), None, "too early");
        assert_eq!(decide(spec, &[0, 0, 0, 11]), None);
        assert_eq!(decide(spec, &[0, 0, -11, 0]), None);
    }

    #[test]
    fn the_longest_game_is_a_draw() {
        let spec = AdjudicationSpec {
            max_plies: Some(3),
            ..AdjudicationSpec::default()
        };
        let draw = Some((Adjudication::Length, GameResult::Draw));
        assert_eq!(decide(spec, &[500, 500]), None);
        let none = ResignSpec { score: 0, moves: 0 };
        let nothing = AdjudicationSpec {
            resign: Some(none),
            ..AdjudicationSpec::default()
        };
        assert_eq!(decide(nothing, &[500, -500]), None);
        assert_eq!(decide(spec, &[500, 500, 500]), draw);
        assert_eq!(
            AdjudicationSpec::default().decide(&moves(&[None; 999]), Side::Second),
            None
        );
    }
}
