//! Statistics of pair outcomes: numbers in, numbers out. Never sees a move.
