//! The positions that `bench` searches.

/// The empty board.
pub(super) const FENS: [&str; 1] = ["15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 b"];
