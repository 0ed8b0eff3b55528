//! What the third occurrence of a position means.
//!
//! The rule is the one that the rule books share before they turn to chases: whoever has given
//! check with every move since the first occurrence loses; if both have, or neither, it is a draw.

use super::Xiangqi;
use crate::game::{Game, History, Outcome, Side};
use crate::search::Repetition;

/// Occurrences of a position that end the game.
const OCCURRENCES: usize = 3;

/// The outcome, if the position has been there often enough. `history` ends with it.
pub(super) fn outcome(position: &Xiangqi, history: &History<Xiangqi>) -> Option<Outcome> {
    let first = first_of_three(position, history)?;
    let has_checked = Side::BOTH.map(|side| checked_with_every_move(side, first, history));
    Some(verdict(has_checked))
}

/// The outcome by who has given check with every move.
pub(super) fn verdict(has_checked: [bool; 2]) -> Outcome {
    match has_checked {
        [true, false] => Outcome::win(Side::Second, "perpetual_check"),
        [false, true] => Outcome::win(Side::First, "perpetual_check"),
        [true, true] | [false, false] => Outcome::draw("threefold"),
    }
}

/// What a repetition means in a search that began at ply `root` of the history: there the second
/// occurrence counts as the last.
pub(super) fn in_search(
    position: &Xiangqi,
    history: &History<Xiangqi>,
    root: usize,
) -> Option<Repetition> {
    let mut count = 1;
    let first = earlier(position, history).find(|ply| {
        count += 1;
        *ply >= root || count >= OCCURRENCES
    })?;
    let has_checked = Side::BOTH.map(|side| checked_with_every_move(side, first, history));
    let winner = verdict(has_checked).winner;
    Some(Repetition {
        winner,
        first,
        ends: count >= OCCURRENCES,
    })
}

/// The ply of the first occurrence, if this one is at least the third. No position comes back
/// after a capture.
fn first_of_three(position: &Xiangqi, history: &History<Xiangqi>) -> Option<usize> {
    let found = earlier(position, history);
    let (count, first) = found.fold((1, 0), |(count, _), ply| (count + 1, ply));
    (count >= OCCURRENCES).then_some(first)
}

/// The plies of the earlier occurrences, the latest first.
fn earlier(position: &Xiangqi, history: &History<Xiangqi>) -> impl Iterator<Item = usize> {
    let now = history.plies();
    let reversible = usize::from(position.plies_since_capture).min(now);
    let key = position.key();
    let keys = history.keys();
    let plies = (2..=reversible).step_by(2).map(move |back| now - back);
    plies.filter(move |ply| keys[*ply] == key)
}

/// Whether each of the moves that a side has made since ply `first` was a check. The game is
/// played again for it, which is rarely asked.
fn checked_with_every_move(side: Side, first: usize, history: &History<Xiangqi>) -> bool {
    let mut board = history.start().board.clone();
    let (before, since) = history.moves().split_at(first);
    for mv in before {
        board.make(*mv);
    }
    since.iter().all(|mv| {
        let is_own = board.at(mv.from).side() == Some(side);
        board.make(*mv);
        !is_own || board.is_in_check(side.other())
    })
}
