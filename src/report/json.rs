//! Events as JSON lines, for programs that follow a run.

use std::io::Write;

use serde::Serialize;

use super::Reporter;
use super::deals::DealsRow;
use super::ratings::{RatingRow, RunRatings};
use super::summary::{Summary, SummaryRow};
use crate::results::RunEvent;

/// The version that every line names. It changes when a field changes its meaning or goes;
/// new events and fields may come without.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Line<T> {
    version: u32,
    #[serde(flatten)]
    event: T,
}

fn line(event: impl Serialize) -> String {
    let version = VERSION;
    let line = Line { version, event };
    serde_json::to_string(&line).expect("plain data serialises") + "\n"
}

/// An event that only a command knows.
#[must_use]
pub fn event_line(event: &'static str, fields: impl Serialize) -> String {
    #[derive(Serialize)]
    struct Event<T> {
        event: &'static str,
        #[serde(flatten)]
        fields: T,
    }
    line(Event { event, fields })
}

/// Writes one JSON object a line and flushes it.
pub struct JsonReporter<W> {
    out: W,
}

impl<W: Write> JsonReporter<W> {
    /// A reporter that writes to `out`.
    pub fn new(out: W) -> JsonReporter<W> {
        JsonReporter { out }
    }
}

impl<W: Write> Reporter for JsonReporter<W> {
    fn event(&mut self, event: &RunEvent) {
        // A reader that has left must not end a run: the results are in files. Other errors
        // come again when the summary is written.
        let text = line(event);
        drop(self.out.write_all(text.as_bytes()));
        drop(self.out.flush());
    }
}

/// The last line: the columns of `summary.csv` and the first of `ratings.csv`.
#[must_use]
pub fn summary_line<'a>(summaries: &'a [Summary], ratings: Option<&RunRatings>) -> String {
    #[derive(Serialize)]
    struct Event<'a> {
        event: &'static str,
        pairings: Vec<Pairing<'a>>,
        ratings: Vec<RatingRow>,
    }
    #[derive(Serialize)]
    struct Pairing<'a> {
        #[serde(flatten)]
        row: &'a SummaryRow,
        #[serde(flatten)]
        deals: Option<&'a DealsRow>,
    }
    let pairing = |summary: &'a Summary| Pairing {
        row: &summary.row,
        deals: summary.deals.as_ref(),
    };
    line(Event {
        event: "summary",
        pairings: summaries.iter().map(pairing).collect(),
        ratings: ratings.map_or(Vec::new(), RunRatings::rows),
    })
}
