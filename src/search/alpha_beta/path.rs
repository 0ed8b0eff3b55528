//! Which values hold on the path that led to them only.
//!
//! A repetition rests on a position before. Whatever is valued between the two rests on it as
//! well, and must not be found in the table by another path; from the first of the two on
//! upwards the value is again one of the position alone.

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
    }
}
