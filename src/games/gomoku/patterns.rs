//! What each side could make on each empty point, kept up to date stone by stone.

use super::Gomoku;
use super::board::{DIRECTIONS, MAX_SIZE, POINTS, Point};
use super::shapes::{SHAPES, Shape, Shapes, needs_exactly};
use crate::game::Side;

/// Two things that a stone can make at once, counted like shapes, in numbers that no shape has.
pub(super) const DOUBLE_THREE: usize = 13;
pub(super) const FOUR_THREE: usize = 14;
pub(super) const DOUBLE_FOUR: usize = 15;

/// Lines of all four directions on the largest board.
const LINES: usize = 118;

/// The highest bit of each direction's shape.
const HIGH: u16 = 0x8888;

/// The shapes that both sides could make.
#[derive(Clone, Debug, PartialEq)]
pub struct Patterns {
    /// A point's four shapes of four bits, one a direction, for both sides; 0 where a stone
    /// stands and off the board.
    points: [[u16; 2]; POINTS],
    /// The stones on each line, from bit 5.
    lines: [[u32; 2]; LINES],
    /// How often each side has each shape, a point and direction each; `DOUBLE_THREE` to
    /// `DOUBLE_FOUR` a point each.
    counts: [[i16; SHAPES]; 2],
}

/// A line of the board.
#[derive(Clone, Copy)]
struct Line {
    /// Its number.
    number: usize,
    /// Its points.
    length: u32,
    /// The number of the first point, and what is added from one point to the next.
    first: usize,
    step: isize,
}

impl Line {
    /// The line through a point, and where on it the point is.
    #[inline]
    fn through(size: u8, point: Point, direction: usize) -> (Line, u32) {
        let (x, y) = (usize::from(point.x()), usize::from(point.y()));
        let size = usize::from(size);
        let wide = usize::from(MAX_SIZE);
        let (number, length, place, step) = match direction {
            0 => (y, size, x, 1),
            1 => (wide + x, size, y, MAX_SIZE.into()),
            2 => (
                3 * wide - 1 + x - y,
                size - x.abs_diff(y),
                x.min(y),
                isize::from(MAX_SIZE) + 1,
            ),
            _ => {
                let sum = x + y;
                let outside = (sum + 1).saturating_sub(size);
                (
                    4 * wide - 1 + sum,
                    sum.min(2 * size - 2 - sum) + 1,
                    x - outside,
                    1 - isize::from(MAX_SIZE),
                )
            }
        };
        #[expect(clippy::cast_possible_truncation, reason = "at most 20")]
        let (length, place) = (length as u32, place as u32);
        let first = point.index().wrapping_add_signed(-step * place as isize);
        let line = Line {
            number,
            length,
            first,
            step,
        };
        (line, place)
    }

    #[inline]
    fn point(self, place: u32) -> usize {
        self.first.wrapping_add_signed(self.step * place as isize)
    }
}

/// Which double a point's four shapes are, if any.
#[inline]
fn double(shapes: u16) -> Option<usize> {
    let each = [0, 4, 8, 12].map(|shift| shapes >> shift & 15);
    let (mut fours, mut threes) = (0, 0);
    for shape in each {
        fours += u32::from(shape >= Shape::Four as u16);
        fours += u32::from(shape == Shape::DoubleFour as u16);
        threes += u32::from(shape == Shape::BrokenThree as u16 || shape == Shape::OpenThree as u16);
    }
    match (fours, threes) {
        (2.., _) => Some(DOUBLE_FOUR),
        (1, 1..) => Some(FOUR_THREE),
        (0, 2..) => Some(DOUBLE_THREE),
        _ => None,
    }
}

impl Patterns {
    /// The shapes of a position.
    pub(super) fn new(shapes: &Shapes, position: &Gomoku) -> Patterns {
        let mut patterns = Patterns {
            points: [[0; 2]; POINTS],
            lines: [[0; 2]; LINES],
            counts: [[0; SHAPES]; 2],
        };
        let stones = &position.stones;
        let size = stones.size();
        for side in Side::BOTH {
            for point in stones.of(side) {
                for direction in 0..DIRECTIONS.len() {
                    let (line, place) = Line::through(size, point, direction);
                    patterns.lines[line.number][side.index()] |= 1 << (place + 5);
                }
            }
        }
        for point in stones.empty() {
            for direction in 0..DIRECTIONS.len() {
                let (line, place) = Line::through(size, point, direction);
                let exactly = Side::BOTH.map(|side| needs_exactly(position.rule, side));
                patterns.look(shapes, exactly, direction, line, place);
            }
        }
        patterns
    }

    /// Sets a stone of `side` in the position that these are the patterns of.
    #[inline]
    pub(super) fn set(&mut self, shapes: &Shapes, position: &Gomoku, side: Side, point: Point) {
        self.clear(point);
        let exactly = Side::BOTH.map(|side| needs_exactly(position.rule, side));
        // An end five points away matters only where six are not five.
        let reach = if exactly[0] || exactly[1] { 5 } else { 4 };
        for direction in 0..DIRECTIONS.len() {
            let (line, place) = Line::through(position.stones.size(), point, direction);
            self.lines[line.number][side.index()] |= 1 << (place + 5);
            let [first, second] = self.lines[line.number];
            let taken = (first | second) >> 5;
            let last = (place + reach).min(line.length - 1);
            for other in place.saturating_sub(reach)..=last {
                if taken >> other & 1 == 0 {
                    self.look(shapes, exactly, direction, line, other);
                }
            }
        }
    }

    /// Takes the shapes of a point away.
    fn clear(&mut self, point: Point) {
        for (side, shapes) in self.points[point.index()].into_iter().enumerate() {
            for shift in [0, 4, 8, 12] {
                self.counts[side][usize::from(shapes >> shift & 15)] -= 1;
            }
            if let Some(double) = double(shapes) {
                self.counts[side][double] -= 1;
            }
            // Points without a shape are not counted.
            self.counts[side][0] = 0;
        }
        self.points[point.index()] = [0; 2];
    }

    /// Looks again what both sides could make on an empty point in one direction.
    #[inline]
    fn look(
        &mut self,
        shapes: &Shapes,
        exactly: [bool; 2],
        direction: usize,
        line: Line,
        place: u32,
    ) {
        let stones = self.lines[line.number];
        let board = ((1 << line.length) - 1) << 5;
        let point = &mut self.points[line.point(place)];
        let shift = 4 * direction;
        for side in 0..2 {
            let own = stones[side] >> place;
            let blocked = (stones[1 - side] | !board) >> place;
            let shape = shapes.shape(exactly[side], own, blocked);
            let before = point[side];
            let old = before >> shift & 15;
            let new = u16::from(shape);
            if old == new {
                continue;
            }
            let after = before ^ (old ^ new) << shift;
            point[side] = after;
            let counts = &mut self.counts[side];
            counts[usize::from(old)] -= 1;
            counts[usize::from(new)] += 1;
            counts[0] = 0;
            if old.max(new) >= Shape::BrokenThree as u16 {
                if let Some(double) = double(before) {
                    counts[double] -= 1;
                }
                if let Some(double) = double(after) {
                    counts[double] += 1;
                }
            }
        }
    }

    /// How often a side has each shape and each double.
    #[inline]
    pub(super) fn counts(&self, side: Side) -> &[i16; SHAPES] {
        &self.counts[side.index()]
    }

    /// How often a side has a shape.
    #[inline]
    pub(super) fn count(&self, side: Side, shape: Shape) -> i16 {
        self.counts[side.index()][shape as usize]
    }

    /// The four shapes that a side could make on a point, as numbers.
    #[inline]
    pub(super) fn shapes(&self, side: Side, point: Point) -> [usize; 4] {
        let shapes = self.points[point.index()][side.index()];
        [0, 4, 8, 12].map(|shift| usize::from(shapes >> shift & 15))
    }

    /// The double that a side would make on a point.
    #[inline]
    pub(super) fn double(&self, side: Side, point: Point) -> Option<usize> {
        double(self.points[point.index()][side.index()])
    }

    /// Whether a stone there makes a four or more.
    #[inline]
    pub(super) fn makes_four(&self, side: Side, point: Point) -> bool {
        self.points[point.index()][side.index()] & HIGH != 0
    }

    /// The points of which `wanted` is true, given the four shapes of a side.
    #[inline]
    fn find(&self, side: Side, wanted: impl Fn(u16) -> bool) -> impl Iterator<Item = Point> {
        let shapes = self.points.iter().enumerate();
        shapes
            .filter(move |(_, shapes)| wanted(shapes[side.index()]))
            .map(|(number, _)| Point::from_index(number))
    }

    /// Where a side makes five.
    pub(super) fn fives(&self, side: Side) -> impl Iterator<Item = Point> {
        self.find(side, |shapes| shapes & shapes << 1 & HIGH != 0)
    }

    /// Where a side makes a four or more.
    pub(super) fn fours(&self, side: Side) -> impl Iterator<Item = Point> {
        self.find(side, |shapes| shapes & HIGH != 0)
    }

    /// Whether a side has two points or more where it makes five.
    pub(super) fn has_two_fives(&self, side: Side) -> bool {
        self.count(side, Shape::Five) >= 2 && self.fives(side).nth(1).is_some()
    }

    /// Whether a side has a point where it makes an open four, or two fours at once.
    #[inline]
    pub(super) fn has_double_threat(&self, side: Side) -> bool {
        self.count(side, Shape::OpenFour) > 0 || self.counts(side)[DOUBLE_FOUR] > 0
    }

    /// Those points.
    pub(super) fn double_threats(&self, side: Side) -> impl Iterator<Item = Point> {
        self.find(side, |shapes| {
            shapes & HIGH != 0
                && (double(shapes) == Some(DOUBLE_FOUR)
                    || [0, 4, 8, 12]
                        .iter()
                        .any(|shift| shapes >> shift & 15 == Shape::OpenFour as u16))
        })
    }

    /// Appends the points where a stone of the other side takes from `point` the shape that
    /// gives `side` two ways to five in this direction.
    pub(super) fn spoilers(
        &self,
        shapes: &Shapes,
        position: &Gomoku,
        side: Side,
        point: Point,
        direction: usize,
        spoilers: &mut Vec<Point>,
    ) {
        let (line, place) = Line::through(position.stones.size(), point, direction);
        let exactly = needs_exactly(position.rule, side);
        let stones = self.lines[line.number];
        let (own, other) = (stones[side.index()], stones[side.other().index()]);
        let board = ((1 << line.length) - 1) << 5;
        let last = (place + 5).min(line.length - 1);
        for at in place.saturating_sub(5)..=last {
            if (own | other) >> (at + 5) & 1 != 0 {
                continue;
            }
            let blocked = (other | 1 << (at + 5) | !board) >> place;
            let shape = shapes.shape(exactly, own >> place, blocked);
            if at == place || !is_double(shape.into()) {
                spoilers.push(Point::from_index(line.point(at)));
            }
        }
    }
}

/// Whether the number is that of a shape with two ways to five.
pub(super) fn is_double(shape: usize) -> bool {
    shape == Shape::DoubleFour as usize || shape == Shape::OpenFour as usize
}
