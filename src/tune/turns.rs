//! Several parameters in turn, each adopted only after a confirming match.
//!
//! A state machine without play: it says what is to be played next and is told what came out. A
//! parameter is tuned on the base that the earlier ones left behind. It has another turn only if
//! something else was adopted since its last one: without that, the same games would come again.
//! So it ends after a round without a change.

use serde::{Deserialize, Serialize};

use super::{
    Answer, Axis, Finding, MethodSpec, Played, Trial, TrialResult, TuneError, Tuning, build,
    settings,
};
use crate::params::ParameterValues;
use crate::stats::{SprtSpec, Verdict};

/// What is to be done next.
#[derive(Clone, Debug, PartialEq)]
pub enum Step<'a> {
    /// Trials are to be played.
    Tune {
        /// Which turn it is, from 0.
        turn: u32,
        /// All tuned parameters as the base has them now; a trial's own values go over them.
        base: ParameterValues,
        /// The trials.
        trials: &'a [Trial],
    },
    /// A confirming match is to be played, on openings that no trial has met.
    Confirm {
        /// Which turn it is, from 0.
        turn: u32,
        /// All tuned parameters of the candidate.
        candidate: ParameterValues,
        /// All tuned parameters of the base.
        base: ParameterValues,
        /// The test.
        test: SprtSpec,
    },
    /// Nothing: all is tuned, or the last turn is over.
    Done,
}

/// How a turn ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TurnEvent {
    /// The turn, from 0.
    pub turn: u32,
    /// Its trials.
    pub played: Vec<Played>,
    /// What the tuning said.
    pub answer: Answer,
    /// The verdict of the confirming match, if there was one.
    pub verdict: Option<Verdict>,
    /// All tuned parameters of the base afterwards.
    pub base: ParameterValues,
}

impl TurnEvent {
    /// Whether the base was changed.
    #[must_use]
    pub fn adopted(&self) -> bool {
        self.verdict == Some(Verdict::AcceptH1)
    }
}

#[derive(Debug)]
enum State {
    Tuning(Tuning),
    Confirming(Vec<Played>, Answer, SprtSpec),
    Done,
}

/// Tunings one after the other.
#[derive(Debug)]
pub struct InTurn {
    method: MethodSpec,
    /// What is tuned at once: one parameter, or all of them for SPSA.
    groups: Vec<Vec<Axis>>,
    /// Which groups are still to be tuned on the base as it is.
    due: Vec<bool>,
    group: usize,
    most_turns: u32,
    seed: u64,
    state: State,
    events: Vec<TurnEvent>,
}

impl InTurn {
    /// Tunes `axes` by `method`, every one at most `rounds` times.
    ///
    /// # Errors
    /// What [`build`] refuses of any of them.
    pub fn new(
        method: MethodSpec,
        axes: &[Axis],
        rounds: u32,
        seed: u64,
    ) -> Result<InTurn, TuneError> {
        let groups = InTurn::groups(&method, axes);
        for group in &groups {
            build(&method, group, seed)?;
        }
        let mut turns = InTurn {
            method,
            due: vec![true; groups.len()],
            group: groups.len().saturating_sub(1),
            most_turns: rounds.saturating_mul(u32::try_from(groups.len()).unwrap_or(u32::MAX)),
            groups,
            seed,
            state: State::Done,
            events: Vec::new(),
        };
        turns.begin_turn()?;
        Ok(turns)
    }

    /// What a method tunes at once: one parameter, or all of them.
    #[must_use]
    pub fn groups(method: &MethodSpec, axes: &[Axis]) -> Vec<Vec<Axis>> {
        match method {
            MethodSpec::Spsa { .. } => vec![axes.to_vec()],
            _ => axes.iter().map(|axis| vec![axis.clone()]).collect(),
        }
    }

    /// What a turn has said so far, if it has begun.
    #[must_use]
    pub fn answer(&self, turn: u32) -> Option<Answer> {
        if let Some(event) = self.events.get(turn as usize) {
            return Some(event.answer.clone());
        }
        match &self.state {
            _ if turn != self.turn() => None,
            State::Tuning(tuning) => Some(tuning.best()),
            State::Confirming(_, answer, _) => Some(answer.clone()),
            State::Done => None,
        }
    }

    /// The parameters of the turn in progress, or of the last one.
    #[must_use]
    pub fn group(&self) -> &[Axis] {
        &self.groups[self.group]
    }

    /// What is to be done next; the same until results are told.
    #[must_use]
    pub fn step(&self) -> Step<'_> {
        let (turn, base) = (self.turn(), self.base());
        match &self.state {
            State::Tuning(tuning) => Step::Tune {
                turn,
                base,
                trials: tuning.ask(),
            },
            State::Confirming(_, answer, test) => Step::Confirm {
                turn,
                candidate: self.with(answer),
                base,
                test: *test,
            },
            State::Done => Step::Done,
        }
    }

    /// The tuning in progress, if there is one.
    #[must_use]
    pub fn tuning(&self) -> Option<&Tuning> {
        match &self.state {
            State::Tuning(tuning) => Some(tuning),
            State::Confirming(..) | State::Done => None,
        }
    }

    /// Takes results of trials; they are passed over where no tuning is in progress.
    ///
    /// # Errors
    /// As [`Tuning::tell`].
    pub fn tell(&mut self, results: &[TrialResult]) -> Result<(), TuneError> {
        let State::Tuning(tuning) = &mut self.state else {
            return Ok(());
        };
        tuning.tell(results)?;
        if !tuning.ask().is_empty() {
            return Ok(());
        }
        let (answer, played) = (tuning.best(), tuning.played().to_vec());
        match answer.confirming_test() {
            Some(test) => self.state = State::Confirming(played, answer, test),
            None => self.end_turn(played, answer, None)?,
        }
        Ok(())
    }

    /// Takes the verdict of the confirming match; passed over where none is being played or the
    /// verdict is [`Verdict::Continue`].
    ///
    /// # Errors
    /// As [`build`], of the next parameter.
    pub fn confirmed(&mut self, verdict: Verdict) -> Result<(), TuneError> {
        if verdict.is_open() || !matches!(self.state, State::Confirming(..)) {
            return Ok(());
        }
        match std::mem::replace(&mut self.state, State::Done) {
            State::Confirming(played, answer, _) => self.end_turn(played, answer, Some(verdict)),
            State::Tuning(_) | State::Done => Ok(()),
        }
    }

    /// All tuned parameters as the base has them now.
    ///
    /// # Panics
    /// Never: an axis's base is a value of its parameter.
    #[must_use]
    pub fn base(&self) -> ParameterValues {
        let axes: Vec<Axis> = self.groups.concat();
        let values: Vec<f64> = axes.iter().map(Axis::base).collect();
        settings(&axes, &values).expect("base values")
    }

    /// The turns that have ended.
    #[must_use]
    pub fn events(&self) -> &[TurnEvent] {
        &self.events
    }

    fn turn(&self) -> u32 {
        u32::try_from(self.events.len()).unwrap_or(u32::MAX)
    }

    /// All tuned parameters, with those of the current group as `answer` has them.
    fn with(&self, answer: &Answer) -> ParameterValues {
        let mut changed = self.groups.clone();
        adopt(&mut changed[self.group], answer);
        let axes: Vec<Axis> = changed.concat();
        let values: Vec<f64> = axes.iter().map(Axis::base).collect();
        settings(&axes, &values).expect("values of the axes")
    }

    fn end_turn(
        &mut self,
        played: Vec<Played>,
        answer: Answer,
        verdict: Option<Verdict>,
    ) -> Result<(), TuneError> {
        let turn = self.turn();
        self.due[self.group] = false;
        if verdict == Some(Verdict::AcceptH1) && answer.finding == Finding::Better {
            adopt(&mut self.groups[self.group], &answer);
            for (group, due) in self.due.iter_mut().enumerate() {
                *due = group != self.group;
            }
        }
        let base = self.base();
        self.events.push(TurnEvent {
            turn,
            played,
            answer,
            verdict,
            base,
        });
        self.begin_turn()
    }

    /// Goes to the next group that is due, in a circle.
    fn begin_turn(&mut self) -> Result<(), TuneError> {
        let count = self.groups.len();
        let mut circle = (1..=count).map(|ahead| (self.group + ahead) % count);
        let next = circle.find(|group| self.due[*group]);
        self.state = match next {
            Some(group) if self.turn() < self.most_turns => {
                self.group = group;
                let seed = self.seed.wrapping_add(u64::from(self.turn()));
                State::Tuning(Tuning::new(build(&self.method, &self.groups[group], seed)?))
            }
            _ => State::Done,
        };
        Ok(())
    }
}

/// The values found become the base.
fn adopt(group: &mut [Axis], answer: &Answer) {
    for (axis, found) in group.iter_mut().zip(&answer.estimates) {
        *axis = axis.from_base(found.value);
    }
}
