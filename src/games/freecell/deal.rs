//! Microsoft's numbered deals.

use super::board::{Board, COLUMNS};
use super::cards::Card;

/// The largest number of a deal.
pub const LARGEST_DEAL: u32 = (1 << 31) - 1;

/// The deal of a number from 1 to [`LARGEST_DEAL`]. The generator is that of Microsoft's C
/// library: `seed = seed * 214013 + 2531011`, of which bits 16 to 30 are the number drawn.
pub(super) fn deal(number: u32) -> Board {
    let mut seed = number;
    let mut draw = move || {
        seed = seed.wrapping_mul(214_013).wrapping_add(2_531_011);
        (seed >> 16) & 0x7fff
    };
    let mut deck: Vec<Card> = Card::all().collect();
    let mut board = Board::empty();
    for place in 0..52 {
        let drawn = draw() as usize % deck.len();
        board.push(place % COLUMNS, deck.swap_remove(drawn));
    }
    board
}
