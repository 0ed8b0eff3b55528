//! Progress on stderr: a bar on a terminal, one flushed line an event elsewhere.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::Reporter;
use crate::results::{PairingStanding, RunEvent, StopReason};

/// Shows a run on stderr.
pub struct ConsoleReporter {
    bar: ProgressBar,
    terminal: bool,
    /// When play began, and how many games were done then.
    start: Option<(Instant, u64)>,
    may_end_early: bool,
    verdicts: bool,
}

impl Default for ConsoleReporter {
    fn default() -> ConsoleReporter {
        ConsoleReporter::new()
    }
}

impl ConsoleReporter {
    /// A reporter for this process's stderr.
    #[must_use]
    pub fn new() -> ConsoleReporter {
        let terminal = std::io::stderr().is_terminal();
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        ConsoleReporter {
            bar,
            terminal,
            start: None,
            may_end_early: false,
            verdicts: true,
        }
    }

    /// Whether a pairing's verdict is shown: not where its rule only says how long to play.
    pub fn show_verdicts(&mut self, verdicts: bool) {
        self.verdicts = verdicts;
    }

    fn say(&self, line: &str) {
        if self.terminal {
            self.bar.println(line);
        } else {
            // A closed pipe must not end a run: the results are in files.
            drop(writeln!(std::io::stderr(), "{line}"));
        }
    }

    /// The time left if all remaining games are played, from the pace of this start.
    fn time_left(&self, done: u64, left: u64) -> String {
        let Some((start, before)) = self.start else {
            return String::new();
        };
        let played = done.saturating_sub(before);
        if played == 0 {
            return String::new();
        }
        #[expect(clippy::cast_precision_loss, reason = "counts far below 2^53")]
        let seconds = start.elapsed().as_secs_f64() * left as f64 / played as f64;
        let most = if self.may_end_early { "at most " } else { "" };
        format!(
            "{most}{} left",
            HumanDuration(Duration::from_secs_f64(seconds))
        )
    }
}

fn standing_text(standing: &PairingStanding) -> String {
    let score = standing
        .score
        .map_or("unknown".to_owned(), |s| format!("{:.1}%", 100.0 * s));
    let llr = standing.llr.map_or(String::new(), |(llr, lower, upper)| {
        format!(", LLR {llr:.2} ({lower:.2}, {upper:.2})")
    });
    format!(
        "{score} after {} of {} pairs{llr}",
        standing.pairs, standing.planned
    )
}

impl Reporter for ConsoleReporter {
    fn event(&mut self, event: &RunEvent) {
        match event {
            RunEvent::Started {
                dir,
                games_planned,
                games_done,
                workers,
                may_end_early,
            } => {
                self.start = Some((Instant::now(), *games_done));
                self.may_end_early = *may_end_early;
                let resumed = if *games_done > 0 {
                    format!(", {games_done} of them done before")
                } else {
                    String::new()
                };
                self.say(&format!(
                    "{dir}: {games_planned} games{resumed}, {workers} at once"
                ));
                self.bar.set_length(*games_planned);
                self.bar.set_position(*games_done);
                if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}") {
                    self.bar.set_style(style);
                }
            }
            RunEvent::GameFinished {
                id,
                first,
                second,
                result,
                termination,
                plies,
                games_done,
                games_left,
                standing,
            } => {
                let left = self.time_left(*games_done, *games_left);
                let standing = standing_text(standing);
                if self.terminal {
                    self.bar.set_length(games_done + games_left);
                    self.bar.set_position(*games_done);
                    self.bar.set_message(format!("{standing}; {left}"));
                } else {
                    let result = serde_json::to_value(result).unwrap_or_default();
                    let result = result.as_str().unwrap_or_default();
                    if second.is_empty() {
                        let what = termination.replace('_', " ");
                        self.say(&format!(
                            "deal {id}: {first} {what}, {plies} moves; {standing}; {left}"
                        ));
                        return;
                    }
                    self.say(&format!(
                        "game {id}: {first} - {second} {result} ({termination}, {plies} plies); \
                         {standing}; {left}"
                    ));
                }
            }
            RunEvent::Decided { .. } if !self.verdicts => {}
            RunEvent::Decided { standing } => self.say(&format!(
                "{} against {}: {} ({})",
                standing.candidate,
                standing.base,
                standing.verdict.as_deref().unwrap_or("undecided"),
                standing_text(standing)
            )),
            RunEvent::Withdrawn {
                variant,
                faults,
                games,
                ..
            } => self.say(&format!(
                "{variant} lost {faults} of {games} games by faults, and plays no more"
            )),
            RunEvent::Stopping {
                reason,
                finishing_games: true,
            } => {
                let (reason, again) = match reason {
                    StopReason::Interrupt => ("stopping", "again "),
                    StopReason::TimeIsUp => ("the time is up", ""),
                };
                self.say(&format!(
                    "{reason}: the games in play are finished; interrupt {again}to stop at once"
                ));
            }
            RunEvent::Stopping {
                finishing_games: false,
                ..
            } => self.say("stopping at once"),
            RunEvent::Ended { .. } => self.bar.finish_and_clear(),
        }
    }
}
