//! Squares, pieces and the board: a letter a square, and the occupied squares as bits of every
//! row and column.

use crate::game::Side;

/// Squares of the board.
pub(super) const SQUARES: usize = 90;

/// The number that stands for a square beside the board. It is always empty.
pub(super) const OFF: u8 = 90;

/// A square: nine times its row, counted from Red's side, and its column, from Red's left; or
/// [`OFF`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Square(pub(super) u8);

impl Square {
    /// The square in this row (below 10) and column (below 9).
    #[inline]
    pub(super) fn new(row: u8, column: u8) -> Square {
        debug_assert!(row < 10 && column < 9);
        Square(row * 9 + column)
    }

    /// All squares, row by row from Red's side.
    pub(super) fn all() -> impl Iterator<Item = Square> {
        (0..OFF).map(Square)
    }

    /// The row, from Red's side.
    #[inline]
    pub(super) fn row(self) -> u8 {
        self.0 / 9
    }

    /// The column, from Red's left.
    #[inline]
    pub(super) fn column(self) -> u8 {
        self.0 % 9
    }

    /// Its place in tables.
    #[inline]
    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The square that a mirror between left and right makes of it.
    pub(super) fn mirrored(self) -> Square {
        Square::new(self.row(), 8 - self.column())
    }

    /// The square as the other side sees it.
    pub(super) fn turned(self) -> Square {
        Square::new(9 - self.row(), self.column())
    }
}

/// A move: a piece goes from one square to another, and takes what stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    pub(super) from: Square,
    pub(super) to: Square,
}

/// The kinds of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    General,
    Adviser,
    Elephant,
    Horse,
    Chariot,
    Cannon,
    Pawn,
}

impl Kind {
    /// All kinds.
    pub(super) const ALL: [Kind; 7] = [
        Kind::General,
        Kind::Adviser,
        Kind::Elephant,
        Kind::Horse,
        Kind::Chariot,
        Kind::Cannon,
        Kind::Pawn,
    ];

    /// How many of them a side has at the start, which is the most it ever has.
    pub(super) fn most(self) -> u8 {
        match self {
            Kind::General => 1,
            Kind::Pawn => 5,
            _ => 2,
        }
    }
}

/// Numbers that tell pieces apart; not all of them are pieces.
pub(super) const PIECES: usize = 16;

/// What stands on a square: a piece, or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece(u8);

impl Piece {
    /// Nothing.
    pub(super) const NONE: Piece = Piece(16);

    /// A side's piece.
    #[inline]
    pub(super) const fn new(side: Side, kind: Kind) -> Piece {
        let side = match side {
            Side::First => 0,
            Side::Second => 8,
        };
        Piece(side | kind as u8)
    }

    /// Whose it is.
    #[inline]
    pub(super) fn side(self) -> Option<Side> {
        match self.0 >> 3 {
            0 => Some(Side::First),
            1 => Some(Side::Second),
            _ => None,
        }
    }

    /// Its kind. There must be a piece.
    #[inline]
    pub(super) fn kind(self) -> Kind {
        const KINDS: [Kind; 8] = [
            Kind::General,
            Kind::Adviser,
            Kind::Elephant,
            Kind::Horse,
            Kind::Chariot,
            Kind::Cannon,
            Kind::Pawn,
            Kind::Pawn,
        ];
        debug_assert!(self != Piece::NONE);
        KINDS[usize::from(self.0 & 7)]
    }

    /// Its place in tables of [`PIECES`].
    #[inline]
    pub(super) fn index(self) -> usize {
        usize::from(self.0 & 15)
    }
}

/// The pieces on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Board {
    /// The last is [`OFF`].
    squares: [Piece; SQUARES + 1],
    /// By side: the columns of its pieces in each row, as bits.
    rows: [[u16; 10]; 2],
    /// By side: the rows of its pieces in each column, as bits.
    columns: [[u16; 9]; 2],
    generals: [Square; 2],
}

impl Board {
    /// A board without pieces.
    pub(super) fn empty() -> Board {
        Board {
            squares: [Piece::NONE; SQUARES + 1],
            rows: [[0; 10]; 2],
            columns: [[0; 9]; 2],
            generals: [Square(OFF); 2],
        }
    }

    /// What stands there.
    #[inline]
    pub(super) fn at(&self, square: Square) -> Piece {
        self.squares[square.index()]
    }

    /// Where a side's general stands.
    #[inline]
    pub(super) fn general(&self, side: Side) -> Square {
        self.generals[side.index()]
    }

    /// The columns of a side's pieces in a row.
    #[inline]
    pub(super) fn row(&self, side: Side, row: u8) -> u16 {
        self.rows[side.index()][usize::from(row)]
    }

    /// The rows of a side's pieces in a column.
    #[inline]
    pub(super) fn column(&self, side: Side, column: u8) -> u16 {
        self.columns[side.index()][usize::from(column)]
    }

    /// Sets a side's piece on an empty square.
    #[inline]
    pub(super) fn set(&mut self, side: Side, kind: Kind, square: Square) {
        self.squares[square.index()] = Piece::new(side, kind);
        self.flip(side, square);
        if kind == Kind::General {
            self.generals[side.index()] = square;
        }
    }

    /// Moves a piece and returns what it has taken.
    #[inline]
    pub(super) fn make(&mut self, mv: Move) -> Piece {
        let (piece, taken) = (self.at(mv.from), self.at(mv.to));
        let Some(side) = piece.side() else {
            return Piece::NONE;
        };
        if let Some(owner) = taken.side() {
            self.flip(owner, mv.to);
        }
        self.squares[mv.from.index()] = Piece::NONE;
        self.flip(side, mv.from);
        self.set(side, piece.kind(), mv.to);
        taken
    }

    /// Sets or clears the bits of a square.
    #[inline]
    fn flip(&mut self, side: Side, square: Square) {
        let (row, column) = (square.row(), square.column());
        self.rows[side.index()][usize::from(row)] ^= 1 << column;
        self.columns[side.index()][usize::from(column)] ^= 1 << row;
    }

    /// The squares of a side's pieces, row by row from Red's side.
    #[inline]
    pub(super) fn of(&self, side: Side) -> impl Iterator<Item = Square> {
        let rows = (0..10).zip(self.rows[side.index()]);
        rows.flat_map(|(row, bits)| places(bits).map(move |column| Square::new(row, column)))
    }
}

/// The numbers of the bits that are set, from the lowest.
#[inline]
pub(super) fn places(mut bits: u16) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        if bits == 0 {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "below 16")]
        let place = bits.trailing_zeros() as u8;
        bits &= bits - 1;
        Some(place)
    })
}
