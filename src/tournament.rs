//! The run loop: owns all state of a run, on one thread, driven by events.

use std::collections::{HashSet, VecDeque};
use std::error::Error as _;
use std::time::Instant;

use thiserror::Error;

use crate::executor::{Director, Flow, GameEvent, Next};
use crate::report::Reporter;
use crate::results::{
    GameFacts, GameId, GameRecord, Job, Journal, JournalError, PairingStanding, Place, RunEvent,
    RunSpec, StopReason, Termination,
};
use crate::schedule;
use crate::standing::Standing;
use crate::stats::StatsError;

/// What stops a run before its end, besides the user.
#[derive(Debug, Error)]
pub enum TournamentError {
    /// The journal cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A built-in engine panicked.
    #[error(
        "a built-in engine panicked in game {id} ({players}, opening `{opening}`, seed {seed}): {message}"
    )]
    Panicked {
        /// The game.
        id: GameId,
        /// Who played: the variant on the first side and the one on the second, or who tried a deal.
        players: String,
        /// The opening.
        opening: String,
        /// The game's seed.
        seed: u64,
        /// The panic's message.
        message: String,
    },
}

/// The error and what caused it, in one line.
fn with_causes(error: &TournamentError) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text += &format!(": {error}");
        cause = error.source();
    }
    text
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Every pairing has its verdict.
    Finished,
    /// The user stopped it; it can go on.
    Interrupted,
    /// These variants were withdrawn, and everything else is played.
    Withdrawn(Vec<Withdrawal>),
}

/// A variant that plays no more, since it lost too many games by faults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Withdrawal {
    /// Its index in the run.
    pub variant: usize,
    /// Its name.
    pub name: String,
    /// Games that it lost by faults.
    pub faults: u64,
    /// All its games, without void ones.
    pub games: u64,
    /// The particulars of its last fault, if it was in this start of the run.
    pub detail: String,
}

/// Fewer faults than this withdraw nobody.
const FEWEST_FAULTS: u64 = 5;

/// The director of a run.
pub struct Tournament<'a> {
    run: &'a RunSpec,
    jobs: Box<dyn Iterator<Item = Job> + 'a>,
    /// The next job, if it has to wait for earlier pairs.
    held: Option<Job>,
    /// Games of pairs that were void, to be played again.
    again: VecDeque<Job>,
    standings: Vec<Standing>,
    journal: Journal,
    reporter: &'a mut dyn Reporter,
    games_planned: u64,
    games_done: u64,
    /// Games that were handed out and have not come back, with their attempts.
    in_play: HashSet<(GameId, u32)>,
    workers: usize,
    flow: Flow,
    stop_at: Option<Instant>,
    max_fault_share: f64,
    withdrawn: Vec<Withdrawal>,
    error: Option<TournamentError>,
}

/// The standings of a run after these games.
///
/// # Errors
/// When the rule's numbers make no rule.
pub fn standings<'g>(
    run: &RunSpec,
    games: impl IntoIterator<Item = &'g GameRecord>,
) -> Result<Vec<Standing>, StatsError> {
    let mut standings: Vec<Standing> = run
        .pairings
        .iter()
        .map(|pairing| Standing::new(run, *pairing))
        .collect::<Result<_, _>>()?;
    for game in games {
        for place in run.places(game.id) {
            standings[place.pairing].add(GameFacts::of(game).at(place.pair, place.leg));
        }
    }
    Ok(standings)
}

impl<'a> Tournament<'a> {
    /// A run that goes on from `standings`, whose games are in `journal`.
    #[must_use]
    pub fn new(
        run: &'a RunSpec,
        standings: Vec<Standing>,
        journal: Journal,
        games_done: u64,
        workers: usize,
        reporter: &'a mut dyn Reporter,
    ) -> Tournament<'a> {
        Tournament {
            run,
            jobs: Box::new(schedule::jobs(run)),
            held: None,
            again: VecDeque::new(),
            standings,
            journal,
            reporter,
            games_planned: schedule::games(run),
            games_done,
            in_play: HashSet::new(),
            workers,
            flow: Flow::Continue,
            stop_at: None,
            max_fault_share: 1.0,
            withdrawn: Vec::new(),
            error: None,
        }
    }

    /// Begins no game after this time, and finishes those in play.
    #[must_use]
    pub fn stop_at(mut self, time: Option<Instant>) -> Self {
        self.stop_at = time;
        self
    }

    /// Withdraws a variant that loses more than this share of its games by faults.
    #[must_use]
    pub fn max_fault_share(mut self, share: f64) -> Self {
        self.max_fault_share = share;
        for variant in 0..self.run.variants.len() {
            self.withdraw_if_faulty(variant, "");
        }
        self
    }

    /// Plays without these variants, which did not start, and why.
    #[must_use]
    pub fn without(mut self, absent: Vec<(usize, String)>) -> Self {
        for (variant, detail) in absent {
            self.withdraw(Withdrawal {
                variant,
                name: self.run.variants[variant].name.clone(),
                faults: 0,
                games: 0,
                detail,
            });
        }
        self
    }

    fn withdraw(&mut self, withdrawal: Withdrawal) {
        self.reporter.event(&RunEvent::Withdrawn {
            variant: withdrawal.name.clone(),
            faults: withdrawal.faults,
            games: withdrawal.games,
            detail: withdrawal.detail.clone(),
        });
        self.withdrawn.push(withdrawal);
    }

    fn withdraw_if_faulty(&mut self, variant: usize, detail: &str) {
        if self.withdrawn.iter().any(|known| known.variant == variant) {
            return;
        }
        let counts = self
            .standings
            .iter()
            .map(|standing| standing.faults_of(variant));
        let add = |sum: (u64, u64), count: (u64, u64)| (sum.0 + count.0, sum.1 + count.1);
        let (faults, games) = counts.fold((0, 0), add);
        #[expect(clippy::cast_precision_loss, reason = "counts far below 2^53")]
        let too_many = faults as f64 > self.max_fault_share * games as f64;
        if faults < FEWEST_FAULTS || !too_many {
            return;
        }
        self.withdraw(Withdrawal {
            variant,
            name: self.run.variants[variant].name.clone(),
            faults,
            games,
            detail: detail.to_owned(),
        });
    }

    /// Whether nothing of a pairing is played any more.
    fn is_over(&self, pairing: usize) -> bool {
        let standing = &self.standings[pairing];
        let plays =
            |variant: usize| [standing.pairing.candidate, standing.pairing.base].contains(&variant);
        standing.is_decided() || self.withdrawn.iter().any(|gone| plays(gone.variant))
    }

    /// Closes the journal: the standings and how the run ended.
    ///
    /// # Errors
    /// What stopped the run.
    pub fn end(mut self) -> Result<(Vec<Standing>, Ending), TournamentError> {
        let synced = self.journal.sync();
        let finished = self.standings.iter().all(Standing::is_decided);
        // What stopped the run is the cause, whether the journal is well or not.
        let error = self
            .error
            .take()
            .or(synced.err().map(TournamentError::from));
        self.reporter.event(&RunEvent::Ended {
            games_done: self.games_done,
            finished,
            error: error.as_ref().map(with_causes),
        });
        if let Some(error) = error {
            return Err(error);
        }
        let all_over = (0..self.standings.len()).all(|pairing| self.is_over(pairing));
        let ending = if finished {
            Ending::Finished
        } else if all_over {
            Ending::Withdrawn(self.withdrawn)
        } else {
            Ending::Interrupted
        };
        Ok((self.standings, ending))
    }

    /// How many pairs play may run ahead of the first unfinished one: enough that a long
    /// game never leaves a worker idle, few enough that an early verdict wastes little.
    fn run_ahead(&self) -> u32 {
        u32::try_from(4 * self.workers).unwrap_or(u32::MAX).max(8)
    }

    /// By how many pairs a game is ahead of its pairing's first unfinished one.
    fn lead(&self, place: Place) -> u32 {
        place
            .pair
            .saturating_sub(self.standings[place.pairing].next_pair())
    }

    fn finished(&mut self, record: &GameRecord) -> Result<(), TournamentError> {
        self.journal.append(record)?;
        self.games_done += 1;
        // A deal counts in every pairing of the variant that tried it, in the order of the schedule.
        let places: Vec<Place> = self.run.places(record.id).collect();
        let mut decided = Vec::new();
        for place in &places {
            let standing = &mut self.standings[place.pairing];
            let attempt = standing.attempt(place.pair);
            if standing.add(GameFacts::of(record).at(place.pair, place.leg)) {
                decided.push(place.pairing);
            }
            // The second void game of an attempt asks for nothing more.
            if standing.attempt(place.pair) > attempt {
                let job = |leg| schedule::job(self.run, place.pairing, place.pair, leg);
                self.again.extend([0, 1].map(job));
            }
        }
        if let Some(place) = places.first() {
            self.reporter.event(&RunEvent::GameFinished {
                id: record.id.to_string(),
                first: record.first.clone(),
                second: record.second.clone(),
                result: record.result,
                termination: record.termination.to_string(),
                plies: record.moves.len(),
                games_done: self.games_done,
                games_left: self.games_left(),
                standing: self.pairing_standing(place.pairing),
            });
        }
        for pairing in decided {
            let standing = self.pairing_standing(pairing);
            self.reporter.event(&RunEvent::Decided { standing });
        }
        if let Termination::Fault { by, .. } = record.termination
            && let Some(place) = places.first()
        {
            let pairing = self.standings[place.pairing].pairing;
            let of_candidate = by == GameFacts::of(record).candidate_side();
            let variant = if of_candidate {
                pairing.candidate
            } else {
                pairing.base
            };
            self.withdraw_if_faulty(variant, &record.detail);
        }
        if (0..self.standings.len()).all(|pairing| self.is_over(pairing)) {
            // Games in play belong to pairs after the deciding ones: they are given up.
            self.flow = Flow::Abort;
        }
        Ok(())
    }

    /// Games that are still worth playing. A deal that several pairings wait for is one.
    fn games_left(&self) -> u64 {
        let left: u64 = self.standings.iter().map(Standing::games_left).sum();
        if self.run.compare.is_none() {
            return left;
        }
        left.min(self.games_planned.saturating_sub(self.games_done))
    }

    fn pairing_standing(&self, index: usize) -> PairingStanding {
        let standing = &self.standings[index];
        let name = |variant: usize| self.run.variants[variant].name.clone();
        let tally = standing.tally();
        PairingStanding {
            candidate: name(standing.pairing.candidate),
            base: name(standing.pairing.base),
            pairs: tally.pairs.pairs(),
            planned: standing.pairing.pairs.into(),
            counts: tally.pairs.0,
            score: tally.pairs.score().value(),
            llr: standing
                .rule()
                .evidence(tally)
                .llr()
                .and_then(|llr| Some((llr.value?, llr.lower, llr.upper))),
            verdict: standing
                .is_decided()
                .then(|| standing.verdict().to_string()),
        }
    }

    fn panicked(&self, job: &Job, message: String) -> TournamentError {
        let name = |variant: usize| self.run.variants[variant].name.clone();
        let players = if job.first == job.second {
            name(job.first)
        } else {
            format!("{} against {}", name(job.first), name(job.second))
        };
        TournamentError::Panicked {
            id: job.id,
            players,
            opening: self.run.openings[job.opening].name.clone(),
            seed: job.seed,
            message,
        }
    }

    /// The first request lets the games in play be finished; an interrupt after it does not.
    fn stop(&mut self, reason: StopReason) {
        let flow = match (self.flow, reason) {
            (Flow::Continue, _) => Flow::Drain,
            (Flow::Drain, StopReason::Interrupt) => Flow::Abort,
            (Flow::Drain, StopReason::TimeIsUp) | (Flow::Abort, _) => return,
        };
        self.flow = flow;
        self.reporter.event(&RunEvent::Stopping {
            reason,
            finishing_games: flow == Flow::Drain,
        });
    }
}

impl Director for Tournament<'_> {
    fn next(&mut self) -> Next {
        loop {
            let replay = self.again.pop_front().or_else(|| self.held.take());
            let Some(mut job) = replay.or_else(|| self.jobs.next()) else {
                // A game in play may be void.
                return if self.in_play.is_empty() {
                    Next::Done
                } else {
                    Next::Wait
                };
            };
            // Where the game is still wanted, and the first of these pairs that may be started.
            let wanted = self.run.places(job.id).filter(|place| {
                let has = self.standings[place.pairing].has(place.pair, place.leg);
                !has && !self.is_over(place.pairing)
            });
            let Some(place) = wanted.min_by_key(|place| self.lead(*place)) else {
                continue;
            };
            job.attempt = self.standings[place.pairing].attempt(place.pair);
            // Where one leg was void before the other began, that one is in both queues.
            if self.in_play.contains(&(job.id, job.attempt)) {
                continue;
            }
            if self.lead(place) >= self.run_ahead() {
                self.held = Some(job);
                return Next::Wait;
            }
            self.in_play.insert((job.id, job.attempt));
            return Next::Job(job);
        }
    }

    fn event(&mut self, event: GameEvent) -> Flow {
        let done = match event {
            GameEvent::Finished(record) => {
                self.in_play.remove(&(record.id, record.attempt));
                self.finished(&record)
            }
            GameEvent::Panicked { job, message } => {
                self.in_play.remove(&(job.id, job.attempt));
                Err(self.panicked(&job, message))
            }
            GameEvent::Interrupt => {
                self.stop(StopReason::Interrupt);
                Ok(())
            }
            GameEvent::Tick => self.journal.sync_if_due().map_err(TournamentError::from),
        };
        if let Err(error) = done {
            // The first error is the cause; later ones follow from it.
            self.error.get_or_insert(error);
            self.flow = Flow::Abort;
        }
        if self.stop_at.is_some_and(|time| Instant::now() >= time) {
            self.stop(StopReason::TimeIsUp);
        }
        self.flow
    }
}
