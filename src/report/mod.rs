//! Reports: what people and programs read. Nothing here can change a run.

mod console;
mod summary;
mod table;

pub use console::ConsoleReporter;
pub use summary::{Summary, SummaryRow, summarise, to_csv};
pub use table::table;

use crate::results::RunEvent;

/// Whoever shows a run while it is played.
pub trait Reporter {
    /// Takes an event.
    fn event(&mut self, event: &RunEvent);
}

/// Shows nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Reporter for Silent {
    fn event(&mut self, _event: &RunEvent) {}
}
