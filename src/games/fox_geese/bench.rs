//! The positions that `bench` searches.

/// The start, six from games of the default engine by ply, and two with few geese.
pub(super) const FENS: [&str; 9] = [
    "1F1/3/7/7/GGGGGGG/GGG/GGG g",
    "3/3/3F3/2GGGG1/G1GGGG1/2G/GG1 f",
    "3/3/2F2GG/1GGGG2/G1GGG2/3/GGG g",
    "1F1/GG1/1G2G2/1G1GG1G/G3G2/1G1/G1G g",
    "2F/GG1/G1G1G2/2G1G1G/5G1/1G1/G1G f",
    "1G1/2G/G3G2/1GF2G1/2GG3/GG1/2G f",
    "3/1GG/1G2G2/2GG1F1/3G3/GG1/2G g",
    "3/3/G4F1/G6/2GG3/2G/GGG g",
    "2F/3/1G3G1/7/2G4/G2/1GG g",
];
