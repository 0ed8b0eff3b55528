//! The program as a whole, from its command line and its library.

#[cfg(target_os = "linux")]
#[path = "it/archive.rs"]
mod archive;
#[path = "it/book.rs"]
mod book;
#[path = "it/cases.rs"]
mod cases;
#[path = "it/chess.rs"]
mod chess;
#[path = "it/cli.rs"]
mod cli;
#[path = "it/common.rs"]
mod common;
#[path = "it/config.rs"]
mod config;
#[path = "it/deals.rs"]
mod deals;
#[cfg(target_os = "linux")]
#[path = "it/engines.rs"]
mod engines;
#[path = "it/events.rs"]
mod events;
#[path = "it/faults.rs"]
mod faults;
#[cfg(target_os = "linux")]
#[path = "it/fox_geese.rs"]
mod fox_geese;
#[cfg(target_os = "linux")]
#[path = "it/full.rs"]
mod full;
#[cfg(target_os = "linux")]
#[path = "it/gomocup.rs"]
mod gomocup;
#[cfg(target_os = "linux")]
#[path = "it/gomocup_engine.rs"]
mod gomocup_engine;
#[path = "it/hooked.rs"]
mod hooked;
#[cfg(unix)]
#[path = "it/kills.rs"]
mod kills;
#[cfg(unix)]
#[path = "it/meddling.rs"]
mod meddling;
#[path = "it/openings.rs"]
mod openings;
#[path = "it/pgn.rs"]
mod pgn;
#[cfg(target_os = "linux")]
#[path = "it/programs.rs"]
mod programs;
#[path = "it/ratings.rs"]
mod ratings;
#[path = "it/replay.rs"]
mod replay;
#[path = "it/run.rs"]
mod run;
#[path = "it/schedule.rs"]
mod schedule;
#[path = "it/solve.rs"]
mod solve;
#[path = "it/sprt.rs"]
mod sprt;
#[cfg(unix)]
#[path = "it/stop.rs"]
mod stop;
#[cfg(target_os = "linux")]
#[path = "it/table.rs"]
mod table;
#[path = "it/torn.rs"]
mod torn;
#[path = "it/tune.rs"]
mod tune;
#[path = "it/tune_config.rs"]
mod tune_config;
#[cfg(target_os = "linux")]
#[path = "it/tune_engines.rs"]
mod tune_engines;
#[cfg(target_os = "linux")]
#[path = "it/tune_resume.rs"]
mod tune_resume;
#[path = "it/tuning.rs"]
mod tuning;
#[cfg(unix)]
#[path = "it/vanish.rs"]
mod vanish;
#[cfg(target_os = "linux")]
#[path = "it/xiangqi.rs"]
mod xiangqi;
