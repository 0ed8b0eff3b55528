//! What a stone makes on one line: five, open four, four, and so on down.
//!
//! A shape is named by what the side could do next, so that broken rows count as what they are
//! worth. A *four* becomes five on one point, an *open four* on both its ends, a *double four* on
//! two points that are not the ends of one row. A *three* becomes a four by one more stone, a
//! *broken three* an open (or double) four on one point, an *open three* on two or more. A *two*
//! becomes a three, an *open two* a broken or open three; a *one* and an *open one* become a two
//! and an open two.
//!
//! The shape depends on the five points to either side. All 3^10 neighbourhoods are worked out
//! once, the fullest first, for rows of five or more and for rows of exactly five.

use std::sync::LazyLock;

use super::Rule;
use crate::game::Side;

/// What a stone makes on a line. Four bits: those from [`Shape::Four`] on have the highest set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Shape {
    /// Five can no longer be reached, or only from nothing.
    Nothing = 0,
    One = 1,
    OpenOne = 2,
    Two = 3,
    OpenTwo = 4,
    Three = 5,
    BrokenThree = 6,
    OpenThree = 7,
    Four = 8,
    DoubleFour = 9,
    OpenFour = 10,
    Five = 12,
}

/// How many numbers of four bits there are.
pub(super) const SHAPES: usize = 16;

/// Bit 5 of the eleven points of a neighbourhood is the stone itself.
const MIDDLE: u32 = 1 << 5;

/// The powers of three that stand for ten neighbours, by their bits.
const TERNARY: [u16; 1 << 10] = {
    let mut sums = [0; 1 << 10];
    let mut bits = 0;
    while bits < sums.len() {
        let mut power = 1;
        let mut bit = 0;
        while bit < 10 {
            if bits >> bit & 1 != 0 {
                sums[bits] += power;
            }
            power *= 3;
            bit += 1;
        }
        bits += 1;
    }
    sums
};

/// The shapes of all neighbourhoods: of rows of five or more, and of exactly five.
#[derive(Debug)]
pub(super) struct Shapes([Vec<u8>; 2]);

static SHAPE_TABLE: LazyLock<Shapes> =
    LazyLock::new(|| Shapes([false, true].map(Shapes::of_all_neighbourhoods)));

impl Shapes {
    /// The one table.
    pub(super) fn get() -> &'static Shapes {
        &SHAPE_TABLE
    }

    /// The shape that a stone makes, as a number below [`SHAPES`]. `own` and `blocked` are the
    /// eleven points around it, itself left out, on which stones of the side stand, and on which
    /// none of its stones can come to stand.
    #[inline]
    pub(super) fn shape(&self, exactly: bool, own: u32, blocked: u32) -> u8 {
        let ten = |bits: u32| (bits & 0x1f | bits >> 1 & 0x3e0) as usize;
        let index = TERNARY[ten(own)] + 2 * TERNARY[ten(blocked)];
        self.0[usize::from(exactly)][usize::from(index)]
    }

    fn of_all_neighbourhoods(exactly: bool) -> Vec<u8> {
        let spread = |ten: u32| ten & 0x1f | (ten & 0x3e0) << 1;
        let mut all = Vec::new();
        for own in 0..1_u32 << 10 {
            // The subsets of what is left.
            let free = !own & 0x3ff;
            let mut blocked = free;
            loop {
                all.push((own, blocked));
                if blocked == 0 {
                    break;
                }
                blocked = (blocked - 1) & free;
            }
        }
        all.sort_by_key(|(own, _)| std::cmp::Reverse(own.count_ones()));
        let mut table = vec![0; all.len()];
        let index = |own: u32, blocked: u32| {
            usize::from(TERNARY[own as usize] + 2 * TERNARY[blocked as usize])
        };
        for (own, blocked) in all {
            let free = !(own | blocked) & 0x3ff;
            let after = (0..10).filter(|bit| free >> bit & 1 != 0).map(|bit| {
                let place = spread(1 << bit);
                (place, table[index(own | 1 << bit, blocked)])
            });
            let after: Vec<(u32, u8)> = after.collect();
            table[index(own, blocked)] = judge(exactly, spread(own), &after) as u8;
        }
        table
    }
}

/// The row of stones through the middle, as bits.
fn row(own: u32) -> u32 {
    let own = own | MIDDLE;
    let mut row = MIDDLE;
    loop {
        let wider = (row | row << 1 | row >> 1) & own;
        if wider == row {
            return row;
        }
        row = wider;
    }
}

/// The shape of a neighbourhood; `after` are the free points and the shape with one more stone
/// on each.
fn judge(exactly: bool, own: u32, after: &[(u32, u8)]) -> Shape {
    let row = row(own);
    match row.count_ones() {
        5 => return Shape::Five,
        6.. if exactly => return Shape::Nothing,
        6.. => return Shape::Five,
        _ => {}
    }
    let count = |shape: Shape| {
        after
            .iter()
            .filter(|(_, then)| *then == shape as u8)
            .count()
    };
    let fives = count(Shape::Five);
    if fives >= 2 {
        let ends = row << 1 & !row | row >> 1 & !row;
        let at_ends = after
            .iter()
            .filter(|(place, then)| *then == Shape::Five as u8 && place & ends != 0);
        return match row.count_ones() == 4 && at_ends.count() == 2 {
            true => Shape::OpenFour,
            false => Shape::DoubleFour,
        };
    }
    if fives == 1 {
        return Shape::Four;
    }
    match count(Shape::OpenFour) + if exactly { 0 } else { count(Shape::DoubleFour) } {
        0 => {}
        1 => return Shape::BrokenThree,
        _ => return Shape::OpenThree,
    }
    let any = |shapes: &[Shape]| shapes.iter().any(|shape| count(*shape) > 0);
    if any(&[Shape::Four, Shape::DoubleFour]) {
        Shape::Three
    } else if any(&[Shape::BrokenThree, Shape::OpenThree]) {
        Shape::OpenTwo
    } else if any(&[Shape::Three]) {
        Shape::Two
    } else if any(&[Shape::OpenTwo]) {
        Shape::OpenOne
    } else if any(&[Shape::Two]) {
        Shape::One
    } else {
        Shape::Nothing
    }
}

/// Whether a side needs exactly five.
#[inline]
pub(super) fn needs_exactly(rule: Rule, side: Side) -> bool {
    match rule {
        Rule::Freestyle => false,
        Rule::Standard => true,
        Rule::Renju => side == Side::First,
    }
}
