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

pub mod archive;
pub mod cli;
pub mod commands;
pub mod config;
pub mod error;
pub mod executor;
pub mod game;
pub mod games;
pub mod openings;
pub mod params;
pub mod perft;
pub mod plan;
pub mod play;
pub mod players;
pub mod profile;
pub mod registry;
pub mod report;
pub mod results;
pub mod schedule;
pub mod search;
pub mod standing;
pub mod stats;
pub mod tournament;
pub mod tune;
pub mod verify;
