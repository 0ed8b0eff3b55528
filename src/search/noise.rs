//! Random numbers of one move of one game.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A source that depends on the game's seed and the ply alone, so that a move does not
/// depend on how many numbers earlier moves drew.
#[derive(Debug)]
pub struct Noise(ChaCha8Rng);

impl Noise {
    /// The source for ply `ply` of the game with this seed.
    #[must_use]
    pub fn new(seed: u64, ply: usize) -> Noise {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(ply as u64);
        Noise(rng)
    }

    /// A whole number below `bound`, which is not 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        // Multiply and shift (Lemire); the bias is below 2^-32 a value.
        #[expect(clippy::cast_possible_truncation, reason = "the product's upper half")]
        let value = ((u128::from(self.0.next_u64()) * u128::from(bound)) >> 64) as u32;
        value
    }
}
