//! Which values hold on the path that led to them only.
//!
//! A repetition rests on a position before. Whatever is valued between the two rests on it as
//! well, and must not be found in the table by another path; from the first of the two on
//! upwards the value is again one of the position alone. So it is where a count has ended the
//! game, which the position's key does not tell: what was valued since the move that set the count
//! back rests on that move.

/// The earliest ply of the history that a value rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Path(usize);

impl Path {
    /// The value is that of the position, whatever came before.
    pub(super) const NONE: Path = Path(usize::MAX);

    /// It rests on the position at this ply.
    pub(super) fn from(ply: usize) -> Path {
        Path(ply)
    }

    /// It rests on a count that began at this ply: the position there does not tell how it came
    /// about either.
    pub(super) fn counted_from(ply: usize) -> Path {
        Path(ply.saturating_sub(1))
    }

    /// What two values rest on together.
    pub(super) fn and(self, other: Path) -> Path {
        self.min(other)
    }

    /// As seen from the position at `ply`: what comes later is a matter of its own.
    pub(super) fn before(self, ply: usize) -> Path {
        if self.0 < ply { self } else { Path::NONE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_rests_on_what_came_before_its_position() {
        let both = Path::from(5).and(Path::NONE).and(Path::from(7));
        assert_eq!(both, Path::from(5));
        assert_eq!(both.before(6), Path::from(5));
        assert_eq!(both.before(5), Path::NONE);
        assert_eq!(Path::NONE.before(0), Path::NONE);
        let counted = Path::counted_from(5);
        assert_eq!(counted.before(5), counted);
        assert_eq!(counted.before(4), Path::NONE);
    }
}
