//! Reports: what people and programs read. Nothing here can change a run.

mod columns;
mod console;
mod doubts;
mod evaluation;
mod operating;
mod ratings;
mod summary;
mod table;

pub use console::ConsoleReporter;
pub use evaluation::evaluation_text;
pub use operating::{OperatingRow, operating_csv, operating_rows, operating_table};
pub use ratings::{RunRatings, rate_run};
pub use summary::{EqualPassRate, Summary, SummaryRow, summarise, to_csv};
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
