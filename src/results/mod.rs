//! Everything a run writes and reads back: plain, versioned data.
//!
//! The journal, a dashboard, `--json` and workers on other machines read the same types.
//! Nothing here plays, computes a statistic or prints.

mod adjudication;
mod book;
mod deal;
mod event;
mod job;
mod journal;
mod name;
mod record;
mod row;
mod run_dir;
mod sequencer;
mod spec;
mod start;

pub use adjudication::{AdjudicationSpec, DrawSpec, ResignSpec};
pub use book::{BookEntry, BookSpec};
pub use deal::{Criterion, Place};
pub use event::{PairingStanding, RunEvent, StopReason};
pub use job::{GameId, Job, game_seed};
pub use journal::{Journal, JournalError, JournalFile, Recovered};
pub use name::{folder_name_problem, name_problem};
pub use record::{
    Adjudication, Effort, FaultKind, GameRecord, GameResult, MoveRecord, Overrun, Searched,
    Termination,
};
pub use row::{RowError, RowStamp, now};
pub use run_dir::{
    RunDir, RunDirError, RunFile, differences, make_readable, plan_hash, sha256_file, sha256_hex,
};
pub use sequencer::{GameFacts, Sequencer, WholePair};
pub use spec::{
    ClockSpec, EloModel, EngineKind, ExternalSpec, GameSpec, LimitSpec, MoveLimit, OpeningSpec,
    OutcomeModel, PairingSpec, ProtocolKind, RunSpec, SprtSpec, VariantSpec, VerdictSpec,
};
pub use start::{Start, read_starts};
