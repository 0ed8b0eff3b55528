//! Cards.

use std::fmt;

/// Suits, in the order of Microsoft's deals.
pub(super) const SUITS: [char; 4] = ['C', 'D', 'H', 'S'];

/// Ranks from the ace, at 1.
const RANKS: [char; 14] = [
    '0', 'A', '2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K',
];

/// Numbers that tell cards apart; not all of them are cards.
pub(super) const CARDS: usize = 56;

/// A card: four times its rank, and its suit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Card(u8);

impl Card {
    /// No card.
    pub(super) const NONE: Card = Card(0);

    /// The card of a rank from 1 to 13 and a suit below 4.
    #[inline]
    pub(super) const fn new(rank: u8, suit: u8) -> Card {
        debug_assert!(1 <= rank && rank <= 13 && suit < 4);
        Card(rank << 2 | suit)
    }

    /// All 52.
    pub(super) fn all() -> impl Iterator<Item = Card> {
        (4..).take(52).map(Card)
    }

    /// From 1, the ace, to 13, the king; 0 for [`Card::NONE`].
    #[inline]
    pub(super) fn rank(self) -> u8 {
        self.0 >> 2
    }

    /// Its place in [`SUITS`].
    #[inline]
    pub(super) fn suit(self) -> usize {
        usize::from(self.0 & 3)
    }

    #[inline]
    pub(super) fn is_red(self) -> bool {
        (self.0 + 1) & 2 != 0
    }

    /// Its place in tables of [`CARDS`].
    #[inline]
    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Whether it may lie on `below` in a column: of the other colour, and one lower.
    #[inline]
    pub(super) fn fits_on(self, below: Card) -> bool {
        self.rank() + 1 == below.rank() && self.is_red() != below.is_red()
    }

    /// Reads `TH`; 10 for the T and small letters are taken too.
    pub(super) fn parse(text: &str) -> Option<Card> {
        let text = text.to_ascii_uppercase();
        let (rank, suit) = text.split_at_checked(text.len().checked_sub(1)?)?;
        let rank = match rank {
            "10" => 10,
            _ => {
                let mut symbols = rank.chars();
                let symbol = symbols.next().filter(|_| symbols.next().is_none())?;
                RANKS.iter().skip(1).position(|other| *other == symbol)? + 1
            }
        };
        let suit = SUITS.iter().position(|other| suit.starts_with(*other))?;
        Some(Card::new(
            u8::try_from(rank).ok()?,
            u8::try_from(suit).ok()?,
        ))
    }
}

/// The rank by its symbol, from 0 to 13.
pub(super) fn parse_rank(symbol: char) -> Option<u8> {
    let at = RANKS
        .iter()
        .position(|other| *other == symbol.to_ascii_uppercase())?;
    u8::try_from(at).ok()
}

pub(super) fn rank_symbol(rank: u8) -> char {
    RANKS[usize::from(rank)]
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", rank_symbol(self.rank()), SUITS[self.suit()])
    }
}
