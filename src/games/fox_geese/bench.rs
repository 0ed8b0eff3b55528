//! The positions that `bench` searches.

/// The start.
pub(super) const FENS: [&str; 1] = ["1F1/3/7/7/GGGGGGG/GGG/GGG g"];
