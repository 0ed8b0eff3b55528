//! Everything a run writes and reads back: plain, versioned data.
//!
//! The journal, a dashboard, `--json` and workers on other machines read the same types.
//! Nothing here plays, computes a statistic or prints.

mod spec;

pub use spec::{
    EloModel, EngineKind, GameSpec, LimitSpec, MoveLimit, OpeningSpec, OutcomeModel, PairingSpec,
    RunSpec, SprtSpec, VariantSpec, VerdictSpec,
};
