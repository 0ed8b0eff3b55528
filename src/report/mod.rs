//! Reports: what people and programs read. Nothing here can change a run.

mod columns;
mod console;
mod deals;
mod doubts;
mod evaluation;
mod json;
mod operating;
mod ratings;
mod relay;
mod summary;
mod table;

pub(crate) use columns::aligned;
pub use console::ConsoleReporter;
pub use deals::DealsRow;
pub use evaluation::evaluation_text;
pub use json::{JsonReporter, event_line, summary_line};
pub use operating::{OperatingRow, operating_csv, operating_rows, operating_table};
pub use ratings::{RatingRow, RunRatings, rate_run};
pub use relay::Relay;
pub(crate) use summary::figure;
pub use summary::{EqualPassRate, Summary, SummaryRow, summarise, to_csv};
pub use table::table;

use crate::results::RunEvent;

/// Whoever shows a run while it is played.
pub trait Reporter {
    /// Takes an event.
    fn event(&mut self, event: &RunEvent);
}

/// Shows a run in several ways at once, or in none.
impl Reporter for Vec<Box<dyn Reporter + Send>> {
    fn event(&mut self, event: &RunEvent) {
        self.iter_mut().for_each(|reporter| reporter.event(event));
    }
}
