//! Counts of move paths, the test of a rules implementation that every game shares.

use std::hint::black_box;

use crate::game::Game;

/// How [`perft`] treats the last ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// Every leaf position is made.
    Made,
    /// The moves before the leaves are counted with [`Game::count_moves`].
    Counted,
}

/// The number of paths of `depth` legal moves from `position`. A position where the game
/// is over has none.
pub fn perft<G: Game>(position: &G, depth: u32, leaves: Leaves) -> u64 {
    let mut buffers = vec![Vec::new(); depth as usize];
    descend(position, depth, leaves, &mut buffers)
}

fn descend<G: Game>(position: &G, depth: u32, leaves: Leaves, buffers: &mut [Vec<G::Move>]) -> u64 {
    if depth == 1 && leaves == Leaves::Counted {
        return position.count_moves();
    }
    let Some((moves, deeper)) = buffers.split_first_mut() else {
        return 1;
    };
    moves.clear();
    position.legal_moves(moves);
    let mut paths = 0;
    for &mv in moves.iter() {
        let mut child = position.clone();
        child.play(mv);
        paths += if depth == 1 {
            // The leaf counts as made only if the compiler may not leave it out.
            black_box(&child);
            1
        } else {
            descend(&child, depth - 1, leaves, deeper)
        };
    }
    paths
}
