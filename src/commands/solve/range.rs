//! Many deals, on all cores: a CSV row a deal, in their order.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::sync::Arc;

use cpu_time::{ProcessTime, ThreadTime};
use crossbeam::channel::bounded;
use indicatif::ProgressBar;
use rayon::prelude::*;

use super::{checked, cpu_ms, interrupts, word};
use crate::cli::SolveArgs;
use crate::commands::{has_left, say};
use crate::error::{CommandError, status};
use crate::play::{SolvedDeal, SolverLimits, Solving};
use crate::search::{SearchSpec, StopFlag, Unsolved};

/// The first row.
const HEADER: &str = "deal,status,reason,moves,cards_moved,states,width,layers,restarts,cpu_ms\n";

/// Reads `1..1000`; both ends are meant.
pub(super) fn parse(
    text: &str,
    deals: &RangeInclusive<u32>,
) -> Result<RangeInclusive<u32>, CommandError> {
    let usage = |what: &str| {
        let (first, last) = (deals.start(), deals.end());
        CommandError::Usage(format!(
            "--range {text}: {what}; write FIRST..LAST, such as 1..1000, with deals from {first} to {last}"
        ))
    };
    let (first, last) = text
        .split_once("..")
        .ok_or_else(|| usage("there is no `..`"))?;
    let last = last.strip_prefix('=').unwrap_or(last);
    let number = |text: &str| {
        let number = text
            .trim()
            .parse()
            .ok()
            .filter(|number| deals.contains(number));
        number.ok_or_else(|| usage(&format!("`{text}` is no deal")))
    };
    let (first, last) = (number(first)?, number(last)?);
    if first > last {
        return Err(usage(&format!("it ends with {last}, before it begins")));
    }
    Ok(first..=last)
}

/// Rows that wait for the writer before the solvers wait too.
const WAITING: usize = 1024;

/// One row's figures.
struct Row {
    reason: Option<Unsolved>,
    moves: usize,
    cards: u32,
    states: u64,
    width: u32,
    layers: u32,
    restarts: u32,
    cpu_ms: f64,
}

impl Row {
    fn new(found: &SolvedDeal, cpu_ms: f64) -> Row {
        Row {
            reason: found.reason,
            moves: found.moves.len(),
            cards: found.cards,
            states: found.states,
            width: found.width,
            layers: found.layers,
            restarts: found.restarts,
            cpu_ms,
        }
    }

    fn to_csv(&self, deal: u32) -> String {
        let reason = self.reason.map_or("", Unsolved::word);
        // Moves to the state that came nearest are no solution.
        let (moves, cards) = match self.reason {
            None => (self.moves.to_string(), self.cards.to_string()),
            Some(_) => (String::new(), String::new()),
        };
        format!(
            "{deal},{},{reason},{moves},{cards},{},{},{},{},{:.3}\n",
            word(self.reason),
            self.states,
            self.width,
            self.layers,
            self.restarts,
            self.cpu_ms
        )
    }
}

/// Solves the deals and writes their rows.
pub(super) fn solve(
    args: &SolveArgs,
    solving: &dyn Solving,
    spec: &SearchSpec,
    limits: SolverLimits,
    numbers: RangeInclusive<u32>,
) -> Result<u8, CommandError> {
    let asked = Arc::new(StopFlag::new());
    let _interrupts = interrupts(&asked).map_err(CommandError::Signals)?;
    let mut out: Box<dyn Write> = match &args.out {
        Some(path) => {
            Box::new(std::fs::File::create(path).map_err(CommandError::file("write", path))?)
        }
        None => Box::new(io::stdout()),
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.workers.map_or(0, usize::from))
        .build()
        .map_err(|error| CommandError::Thread(io::Error::other(error)))?;
    let began = ProcessTime::try_now().ok();
    let (first, last) = (*numbers.start(), *numbers.end());
    let progress = ProgressBar::new(u64::from(last - first) + 1);
    let (sender, receiver) = bounded(WAITING);
    let stop = &*asked;
    // Moved into the thread, so that the sender is gone once all deals are done.
    let work = move || {
        // From the first on, so that rows arrive nearly in their order.
        numbers.par_bridge().for_each_init(
            || (solving.solver(spec, limits), sender.clone()),
            |(solver, sender), deal| {
                if stop.is_stopped() {
                    return;
                }
                let began = ThreadTime::try_now().ok();
                let mut solve = || {
                    let position = solving
                        .read_board(&deal.to_string())
                        .map_err(|error| CommandError::Input(error.to_string()))?;
                    let found = solver
                        .solve(&position, stop, None)
                        .map_err(|error| CommandError::Input(error.to_string()))?;
                    checked(solving, &position, &found)?;
                    Ok(Row::new(&found, cpu_ms(began)))
                };
                // Nobody listens once a row could not be written.
                drop(sender.send((deal, solve())));
            },
        );
    };
    let mut written = Written::default();
    let result = pool.in_place_scope(|scope| {
        scope.spawn(move |_| work());
        // The receiver is gone with the last row, so that nobody waits to send another.
        let result = written.rows(first, receiver.into_iter(), &mut out, &progress);
        if result.is_err() {
            asked.stop();
        }
        result
    });
    progress.finish_and_clear();
    match result {
        Err(CommandError::Output(error)) if args.out.is_none() && has_left(&error) => {}
        Err(CommandError::Output(source)) => {
            return Err(match &args.out {
                Some(path) => CommandError::file("write", path)(source),
                None => CommandError::Output(source),
            });
        }
        other => other?,
    }
    let cpu = began.and_then(|began| began.try_elapsed().ok());
    say(&written.summary(cpu.map_or(0.0, |cpu| cpu.as_secs_f64())));
    if asked.is_stopped() {
        say("stopped; the rows written are kept");
        return Ok(status::INTERRUPTED);
    }
    Ok(status::DONE)
}

/// What has been written.
#[derive(Default)]
struct Written {
    moves: Vec<u64>,
    states: Vec<u64>,
    not_solved: BTreeMap<&'static str, u64>,
}

impl Written {
    /// Writes rows in the order of deals, up to the first that does not come: where somebody stops
    /// it, the rows are those of the first deals.
    fn rows(
        &mut self,
        mut next: u32,
        arriving: impl Iterator<Item = (u32, Result<Row, CommandError>)>,
        out: &mut dyn Write,
        progress: &ProgressBar,
    ) -> Result<(), CommandError> {
        out.write_all(HEADER.as_bytes())?;
        let mut waiting = BTreeMap::new();
        for (deal, row) in arriving {
            let row = row?;
            if row.reason == Some(Unsolved::Stopped) {
                continue;
            }
            waiting.insert(deal, row);
            progress.inc(1);
            while let Some(row) = waiting.remove(&next) {
                self.row(next, &row, out)?;
                next += 1;
            }
        }
        Ok(out.flush()?)
    }

    fn row(&mut self, deal: u32, row: &Row, out: &mut dyn Write) -> Result<(), CommandError> {
        match row.reason {
            Some(reason) => *self.not_solved.entry(reason.word()).or_default() += 1,
            None => self.moves.push(row.moves as u64),
        }
        self.states.push(row.states);
        Ok(out.write_all(row.to_csv(deal).as_bytes())?)
    }

    #[expect(clippy::cast_precision_loss, reason = "shown with few digits")]
    fn summary(&self, cpu: f64) -> String {
        let not_solved: u64 = self.not_solved.values().sum();
        let mut text = format!("{} deals: {} solved", self.states.len(), self.moves.len());
        if not_solved > 0 {
            let reasons = self.not_solved.iter();
            let reasons: Vec<String> = reasons
                .map(|(why, count)| format!("{why} {count}"))
                .collect();
            text += &format!(", {not_solved} not ({})", reasons.join(", "));
        }
        text += &format!("\nmoves a solution: {}", spread(&self.moves));
        text += &format!("\nstates a deal: {}", spread(&self.states));
        let states: u64 = self.states.iter().sum();
        text += &format!(
            "\n{cpu:.2} s of CPU, {:.2} million states a second of it",
            states as f64 / cpu.max(1e-9) / 1e6
        );
        if let Some(kb) = peak_kb() {
            text += &format!(", {:.0} MB of memory at most", kb as f64 / 1024.0);
        }
        text
    }
}

/// Mean, median and 95th percentile.
#[expect(clippy::cast_precision_loss, reason = "shown with few digits")]
fn spread(values: &[u64]) -> String {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let at = |percent: usize| {
        let rank = (sorted.len() * percent).div_ceil(100);
        rank.checked_sub(1).and_then(|index| sorted.get(index))
    };
    match (at(50), at(95)) {
        (Some(median), Some(high)) => {
            let mean = sorted.iter().sum::<u64>() as f64 / sorted.len() as f64;
            format!("mean {mean:.1}, median {median}, 95% at most {high}")
        }
        _ => "none".to_owned(),
    }
}

/// The most memory that this process has had, where the system tells.
fn peak_kb() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of the first deals are written, those behind one that did not end are not.
    #[test]
    fn rows_end_where_one_is_missing() {
        let row = |reason| Row {
            reason,
            moves: 80,
            cards: 90,
            states: 1000,
            width: 64,
            layers: 40,
            restarts: 0,
            cpu_ms: 1.0,
        };
        let stopped = row(Some(Unsolved::Stopped));
        let arriving = [(6, row(None)), (5, row(None)), (7, stopped), (8, row(None))];
        let arriving = arriving.into_iter().map(|(deal, row)| (deal, Ok(row)));
        let mut out = Vec::new();
        let mut written = Written::default();
        let result = written.rows(5, arriving, &mut out, &ProgressBar::hidden());
        assert!(result.is_ok());
        let text = String::from_utf8(out).expect("text");
        let deals: Vec<&str> = text.lines().map(|row| &row[..2]).collect();
        assert_eq!(deals, ["de", "5,", "6,"]);
        assert_eq!(written.states.len(), 2);
    }
}
