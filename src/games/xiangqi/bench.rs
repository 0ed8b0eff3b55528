//! The positions that `bench` searches.

/// The start, and seven from games of Fairy-Stockfish, by their pieces.
pub(super) const FENS: [&str; 8] = [
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "rnbakab1r/c8/3c2n2/p1p1p1p1p/9/C8/P1P1P1P1P/RCN3N2/9/2BAKAB1R b - - 0 1",
    "r3ka3/3nan3/1c2b2cb/p1p1p2R1/7Pp/1C3N3/P1P1P3P/2C1B4/4A1r2/RN1AK1B2 b - - 0 1",
    "3rka3/4a4/1n4c1b/pcp6/2b2R1Pp/C3PN3/P1P3r1P/2N1B4/2C1A4/R2AK1B2 b - - 0 1",
    "2bakab1r/9/6n2/C3p3p/2p3p2/9/P3P1n1P/2c3N2/4AR3/2BAK4 b - - 0 1",
    "2r1k4/4a1R2/4ba3/2P6/6p1p/1N7/4P1r1P/2N1B4/4A4/3AK1B2 b - - 0 1",
    "3ak4/4nR3/1r2b4/4c1R2/p5P1p/1N7/P7P/8B/4A4/2B1KA3 w - - 0 1",
    "1R1ak4/9/4b4/9/p1b3rNP/2B3B2/P2pp4/9/4A4/3AK4 b - - 0 1",
];
