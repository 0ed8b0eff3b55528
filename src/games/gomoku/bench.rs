//! The positions that `bench` searches.

/// The empty board, and seven from games, by their stones: an exhaustive search has found no win
/// by continuous fours in them.
pub(super) const FENS: [&str; 8] = [
    "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 b",
    "15/15/15/4xo9/15/4o10/5x9/1xoooxox7/4x10/15/15/15/15/15/15 b",
    "15/6x8/7oo6/7ox6/9x5/8x6/5x1o7/10x4/8o2o3/10x1o2/10x4/15/15/15/15 w",
    "15/15/15/8xoo4/7xoxx4/6oxxxo4/7x1xo4/15/5o3o5/15/15/15/15/15/15 w",
    "5o9/8x6/5x1xoo5/8x6/5o2xx5/5ox1x1o4/6o1o2x3/8x6/7oxx5/8o1o4/15/15/15/15/15 w",
    "15/15/15/15/15/1o13/2x2xoooox4/2xo2x8/2xooxx8/3xxo9/x1oooxx8/2xxo1o8/15/15/15 w",
    "15/6x8/15/o1xoooox7/oxxoxxo1o6/1xxxoxox7/2oxoxxo7/3oxxxoooox3/4ooo1xo5/4xo4x4/6x8/5o2x6/4x10/15/15 b",
    "9x5/8o6/7xo6/3x1oxx7/4xxoo1x5/1oxooox2o5/3xoxooxxxo3/2ox1xox1o5/2xoooxo1x5/3oxx1oo6/4ox1xxo5/5xoo2x4/5oox7/5oxxxo5/15 b",
];
