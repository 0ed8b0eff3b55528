//! The games, one file or folder each. They never import each other.

pub mod amazons;
pub mod chess;
pub mod fox_geese;
pub mod freecell;
pub mod gomoku;
pub mod xiangqi;
