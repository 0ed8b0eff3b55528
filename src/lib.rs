//! agon plays game-engine variants against each other and says which one is stronger.
//!
//! ```text
//! configs/*.toml ─► config ─► Plan ─► schedule ─► jobs ─► executor ─► game records
//!                                                                       │ as they arrive
//!                                     results/<run>/games.csv ◄─ journal ◄┤
//!                                                                       ▼ in schedule order
//!                       summary.csv, console ◄─ stats, stop rule ◄─ sequencer
//! ```
//!
//! Modules import downwards only; the order is the table in `docs/architecture.md`, and the
//! test `layers` holds the code against it.

pub mod game;
pub mod games;
pub mod params;
pub mod perft;
pub mod profile;
pub mod results;
pub mod search;
pub mod stats;
pub mod verify;
