//! The standing of a pairing: its counted pairs in schedule order, and the verdict, frozen
//! at its first crossing.

use std::cmp::Ordering;

use crate::game::Side;
use crate::results::{
    Criterion, Effort, FaultKind, GameFacts, GameResult, PairingSpec, RunSpec, Sequencer,
    VerdictSpec, WholePair,
};
use crate::stats::{self, GameCounts, GameScore, PairScore, StatsError, StopRule, Tally, Verdict};

/// One pairing as far as its games have come.
pub struct Standing {
    /// Who meets whom.
    pub pairing: PairingSpec,
    rule: Box<dyn StopRule>,
    spec: VerdictSpec,
    compare: Option<Criterion>,
    /// Whether both variants are the same engine with the same limits.
    identical: bool,
    sequencer: Sequencer,
    counted: Vec<WholePair>,
    tally: Tally,
    verdict: Verdict,
    /// Games that were not void, counted or not, and those that each variant lost by a fault,
    /// the candidate first.
    games: u64,
    faulty: [u64; 2],
}

impl Standing {
    /// The standing before the first game.
    ///
    /// # Errors
    /// When the rule's numbers make no rule.
    pub fn new(run: &RunSpec, pairing: PairingSpec) -> Result<Standing, StatsError> {
        let [candidate, base] =
            [pairing.candidate, pairing.base].map(|variant| &run.variants[variant]);
        Ok(Standing {
            pairing,
            spec: run.verdict,
            compare: run.compare,
            identical: candidate.plays_as(base),
            rule: stats::build(&run.verdict, pairing.pairs.into())?,
            sequencer: Sequencer::default(),
            counted: Vec::new(),
            tally: Tally::default(),
            verdict: Verdict::Continue,
            games: 0,
            faulty: [0; 2],
        })
    }

    /// Takes a finished game. Pairs are counted as soon as all pairs before them are, and
    /// none after the verdict. Whether this game brought the verdict.
    pub fn add(&mut self, game: GameFacts) -> bool {
        let open = !self.is_decided();
        if !game.void {
            self.games += 1;
            if let Some((by, _)) = game.fault {
                self.faulty[usize::from(by != game.candidate_side())] += 1;
            }
        }
        self.sequencer.add(game);
        while let Some(pair) = self.sequencer.take_next() {
            if self.is_decided() {
                break;
            }
            let [leg0, leg1] = self.leg_scores(&pair);
            self.tally.add(leg0, leg1);
            self.counted.push(pair);
            self.verdict = self.judge();
        }
        open && self.is_decided()
    }

    /// The candidate's score in each leg. Two tries of one deal have no result of their own: both
    /// legs have that of the comparison, so that a pair is won whole, lost whole or even.
    fn leg_scores(&self, pair: &WholePair) -> [GameScore; 2] {
        match self.compare {
            None => pair.each_ref().map(game_score),
            Some(criterion) => [compare(criterion, pair); 2],
        }
    }

    /// What decides between two solutions of a deal; `None` in games of two sides.
    #[must_use]
    pub fn compares(&self) -> Option<Criterion> {
        self.compare
    }

    /// What the rule says, but that no difference is found where there is none: a chance
    /// crossing of two equal engines is passed over.
    fn judge(&self) -> Verdict {
        let verdict = self.rule.check(&self.tally);
        if !self.identical || !stats::claims_difference(&self.spec, verdict) {
            return verdict;
        }
        if self.tally.pairs.pairs() < u64::from(self.pairing.pairs) {
            Verdict::Continue
        } else {
            Verdict::Inconclusive
        }
    }

    /// Whether no further game can change the verdict.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.verdict != Verdict::Continue
    }

    /// The verdict so far.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// The rule.
    #[must_use]
    pub fn rule(&self) -> &dyn StopRule {
        self.rule.as_ref()
    }

    /// The counted pairs and games.
    #[must_use]
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The counted pairs, in schedule order.
    #[must_use]
    pub fn counted(&self) -> &[WholePair] {
        &self.counted
    }

    /// The candidate's scores of the counted pairs, in schedule order.
    pub fn pair_scores(&self) -> impl Iterator<Item = PairScore> {
        self.counted.iter().map(|pair| {
            let [leg0, leg1] = self.leg_scores(pair);
            PairScore::of_legs(leg0, leg1)
        })
    }

    /// All counted games.
    pub fn games(&self) -> impl Iterator<Item = &GameFacts> {
        self.counted.iter().flatten()
    }

    /// Whether this game of a pair is there already.
    #[must_use]
    pub fn has(&self, pair: u32, leg: u8) -> bool {
        self.sequencer.has(pair, leg)
    }

    /// The pairs whose games may be started while `next_pair` is still unfinished.
    #[must_use]
    pub fn next_pair(&self) -> u32 {
        self.sequencer.next_pair()
    }

    /// Games of the plan that are still worth playing and not there yet.
    #[must_use]
    pub fn games_left(&self) -> u64 {
        if self.is_decided() {
            return 0;
        }
        2 * u64::from(self.pairing.pairs) - self.sequencer.games()
    }

    /// Which attempt at a pair is being played, from 1.
    #[must_use]
    pub fn attempt(&self, pair: u32) -> u32 {
        self.sequencer.attempt(pair)
    }

    /// Games that a variant lost by a fault, and all games that it played; void ones are left
    /// out.
    #[must_use]
    pub fn faults_of(&self, variant: usize) -> (u64, u64) {
        let place = [self.pairing.candidate, self.pairing.base]
            .iter()
            .position(|other| *other == variant);
        place.map_or((0, 0), |place| (self.faulty[place], self.games))
    }

    /// How many games were void, because the machine spoiled them.
    #[must_use]
    pub fn voids(&self) -> u64 {
        self.sequencer.voids()
    }

    /// What the candidate and the base have spent in the counted games.
    #[must_use]
    pub fn efforts(&self) -> [Effort; 2] {
        let mut efforts = [Effort::default(); 2];
        for game in self.games() {
            let side = game.candidate_side();
            efforts[0].add(&game.effort[side.index()]);
            efforts[1].add(&game.effort[side.other().index()]);
        }
        efforts
    }

    /// The candidate's results in the counted games in which it had `side`.
    #[must_use]
    pub fn counts_as(&self, side: Side) -> GameCounts {
        let mut counts = GameCounts::default();
        self.games()
            .filter(|game| game.candidate_side() == side)
            .for_each(|game| counts.add(game_score(game)));
        counts
    }

    /// The first side's results, whoever had it.
    #[must_use]
    pub fn first_side_counts(&self) -> GameCounts {
        let mut counts = self.counts_as(Side::First);
        let base = self.counts_as(Side::Second).reversed();
        counts.losses += base.losses;
        counts.draws += base.draws;
        counts.wins += base.wins;
        counts
    }

    /// The results of whoever made the first move after the opening.
    #[must_use]
    pub fn first_mover_counts(&self) -> GameCounts {
        let mut counts = GameCounts::default();
        for game in self.games() {
            counts.add(score(game.result.half_points(game.first_to_move)));
        }
        counts
    }

    /// How often the candidate and the base did this in the counted games.
    #[must_use]
    pub fn faults(&self, kind: FaultKind) -> [u64; 2] {
        let mut counts = [0; 2];
        for game in self.games() {
            if let Some((by, found)) = game.fault
                && found == kind
            {
                counts[usize::from(by != game.candidate_side())] += 1;
            }
        }
        counts
    }
}

/// The candidate's result against the base on one deal: who solved it wins; of two solutions the
/// one with less of what is compared.
fn compare(criterion: Criterion, [candidate, base]: &WholePair) -> GameScore {
    let cost = |tried: &GameFacts| {
        let effort = &tried.effort[Side::First.index()];
        is_solved(tried).then(|| match criterion {
            Criterion::Length => u64::from(tried.plies),
            Criterion::Nodes => effort.nodes,
            // How long it waited for a processor is no merit of the other.
            Criterion::Time => tried.cpu_time_us.unwrap_or(effort.time_us),
        })
    };
    match (cost(candidate), cost(base)) {
        (Some(mine), Some(theirs)) => match mine.cmp(&theirs) {
            Ordering::Less => GameScore::Win,
            Ordering::Equal => GameScore::Draw,
            Ordering::Greater => GameScore::Loss,
        },
        (Some(_), None) => GameScore::Win,
        (None, Some(_)) => GameScore::Loss,
        (None, None) => GameScore::Draw,
    }
}

/// Whether the one who tried a deal solved it.
#[must_use]
pub fn is_solved(tried: &GameFacts) -> bool {
    tried.result == GameResult::FirstWins
}

/// The candidate's result.
fn game_score(game: &GameFacts) -> GameScore {
    score(game.candidate_half_points())
}

fn score(half_points: u8) -> GameScore {
    match half_points {
        0 => GameScore::Loss,
        1 => GameScore::Draw,
        _ => GameScore::Win,
    }
}
