//! The turns of a tuning: its runs one after the other, and what is made of them.

use std::path::{Path, PathBuf};

use super::super::session::{Session, program};
use super::super::{print, say};
use super::folder::{SubRun, describe, open_tuning, play_in, write_winner};
use super::rows::{BatchEvent, ConfirmRow, Rows};
use super::words;
use crate::cli::PlayArgs;
use crate::error::CommandError;
use crate::plan::TuningPlan;
use crate::report::event_line;
use crate::results::{RunDir, RunSpec, plan_hash};
use crate::tournament::{Ending, Withdrawal};
use crate::tune::{Axis, InTurn, PairScores, Step, Trial, TrialResult, TuneError, TuneFile};

/// How a tuning ended.
pub(super) enum End {
    /// All turns are over.
    Done,
    /// The same command goes on.
    Interrupted,
    /// These variants play no more.
    Withdrawn(Vec<Withdrawal>),
}

/// What is wrong by now is a slip: configs and rows were checked.
fn slip(error: TuneError) -> CommandError {
    CommandError::Input(error.to_string())
}

pub(super) fn tune_by_plan(
    plan: &TuningPlan,
    args: &PlayArgs,
    session: Session<'_>,
) -> Result<End, CommandError> {
    let file = TuneFile {
        version: TuneFile::VERSION,
        agon: env!("CARGO_PKG_VERSION").to_owned(),
        program: program()?,
        spec: plan.spec.clone(),
    };
    let dir = open_tuning(&file, args)?;
    describe(plan, &dir)?;
    if !args.quiet {
        say(&format!(
            "{}: {}",
            dir.path().display(),
            words::opening(&plan.spec)
        ));
    }
    let mut tuner = Tuner {
        plan,
        args,
        program: &file.program,
        dir: &dir,
        session: &session,
        turns: plan.spec.begin().map_err(slip)?,
        rows: Rows::new(plan_hash(&file), &plan.spec),
    };
    let end = tuner.play()?;
    let Tuner { turns, rows, .. } = tuner;
    // Whoever insists now may end the program while it writes its last files.
    drop(session);
    rows.write(&dir, &plan.spec, &turns)?;
    let shown = dir.path().display();
    let told = match &end {
        End::Done => {
            let name = format!("{} tuned", plan.spec.base.name);
            let winner = plan.spec.variant(&name, &turns.base());
            write_winner(plan, &dir, &winner, turns.events())?;
            format!("results: {shown}")
        }
        End::Interrupted => format!("stopped; the same command goes on with {shown}"),
        End::Withdrawn(_) => format!("results, as far as there are any: {shown}"),
    };
    if args.json {
        print(&event_line("tuning", rows.event(&turns)))?;
    } else {
        print(&words::report(&rows, &turns))?;
    }
    if !args.quiet {
        say(&told);
    }
    Ok(end)
}

struct Tuner<'a> {
    plan: &'a TuningPlan,
    args: &'a PlayArgs,
    program: &'a str,
    dir: &'a RunDir,
    session: &'a Session<'a>,
    turns: InTurn,
    rows: Rows,
}

impl Tuner<'_> {
    fn play(&mut self) -> Result<End, CommandError> {
        loop {
            let end = match self.turns.step() {
                Step::Tune { turn, base, trials } => {
                    let trials = trials.to_vec();
                    let run = self.plan.spec.batch(&base, &trials);
                    self.batch(turn, &trials, run)?
                }
                Step::Confirm {
                    turn,
                    candidate,
                    base,
                    test,
                } => match self.plan.spec.confirming(&candidate, &base, test) {
                    Some(run) => self.confirm(turn, run)?,
                    None => {
                        let unconfirmed = crate::stats::Verdict::Inconclusive;
                        self.turns.confirmed(unconfirmed).map_err(slip)?;
                        None
                    }
                },
                Step::Done => Some(End::Done),
            };
            if let Some(end) = end {
                return Ok(end);
            }
        }
    }

    /// The folder of a turn, named by what is tuned in it.
    fn turn_dir(&self, turn: u32) -> PathBuf {
        let names: Vec<&str> = self.turns.group().iter().map(Axis::name).collect();
        let plain = |c: char| {
            if c.is_alphanumeric() || c == '_' {
                c
            } else {
                '-'
            }
        };
        let what: String = match names[..] {
            // A folder's name has an end.
            [name] => name.chars().take(50).map(plain).collect(),
            _ => "all".to_owned(),
        };
        self.dir.path().join(format!("turn-{:02}-{what}", turn + 1))
    }

    fn batch(
        &mut self,
        turn: u32,
        trials: &[Trial],
        run: RunSpec,
    ) -> Result<Option<End>, CommandError> {
        let batch = trials[0].batch;
        let path = self.turn_dir(turn).join(format!("batch-{:03}", batch + 1));
        let sub = self.play_in(&path, run)?;
        let results: Vec<TrialResult> = trials
            .iter()
            .zip(&sub.standings)
            .map(|(trial, standing)| TrialResult {
                id: trial.id,
                pairs: PairScores(standing.pair_scores().collect()),
            })
            .collect();
        if let Some(end) = unfinished(&sub) {
            return Ok(Some(end));
        }
        let what = words::names(self.turns.group());
        for (trial, standing) in trials.iter().zip(&sub.standings) {
            self.rows.add(turn, trial, standing);
        }
        self.turns.tell(&results).map_err(slip)?;
        let answer = self.turns.answer(turn).expect("the turn has begun");
        if !self.args.quiet {
            say(&words::batch(turn, &what, batch, &answer));
        }
        if self.args.json {
            print(&event_line(
                "tune_batch",
                BatchEvent::new(turn, batch, &answer),
            ))?;
        }
        self.after(turn, sub.on_file)
    }

    fn confirm(&mut self, turn: u32, run: RunSpec) -> Result<Option<End>, CommandError> {
        let path = self.turn_dir(turn).join("confirm");
        let sub = self.play_in(&path, run)?;
        if let Some(end) = unfinished(&sub) {
            return Ok(Some(end));
        }
        let standing = &sub.standings[0];
        self.rows.confirms.push(ConfirmRow::new(turn, standing));
        self.turns.confirmed(standing.verdict()).map_err(slip)?;
        self.after(turn, sub.on_file)
    }

    fn play_in(&self, path: &Path, run: RunSpec) -> Result<SubRun, CommandError> {
        let quiet = self.args.quiet;
        play_in(self.plan, self.session, self.program, path, run, quiet)
    }

    /// Says how a turn has ended, if it has; whether to go on. What was `on_file` is read to its
    /// end, whoever wants to stop: otherwise the tables would lose what they had.
    fn after(&mut self, turn: u32, on_file: bool) -> Result<Option<End>, CommandError> {
        if let Some(event) = self.turns.events().get(turn as usize) {
            let rows = self.rows.of_turn(event);
            if !self.args.quiet {
                say(&words::turn(&rows));
            }
            if self.args.json {
                for row in &rows {
                    print(&event_line("tune_turn", row))?;
                }
            }
        }
        let done = self.turns.step() == Step::Done;
        let stops = self.session.is_stopping() && !done && !on_file;
        Ok(stops.then_some(End::Interrupted))
    }
}

/// What ends a tuning within a run of it.
fn unfinished(sub: &SubRun) -> Option<End> {
    match &sub.ending {
        Ending::Finished => None,
        Ending::Interrupted => Some(End::Interrupted),
        Ending::Withdrawn(variants) => Some(End::Withdrawn(variants.clone())),
    }
}
