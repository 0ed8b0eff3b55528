//! Ratings of a run with several pairings: `ratings.csv`, and three tables on the console.

use std::collections::BTreeMap;

use serde::Serialize;

use super::columns::aligned;
use crate::results::RunSpec;
use crate::standing::Standing;
use crate::stats::{
    CrossTable, Encounter, GameCounts, Meeting, PairCounts, Rating, Ratings, cross_table, rate,
    rate_deals,
};

/// What is printed for a figure that is not known.
const UNKNOWN: &str = "unknown";

/// The ratings of a run, from its counted games.
#[derive(Clone, Debug)]
pub struct RunRatings {
    /// The variants that play, best first; in order of the config where nobody is rated.
    names: Vec<String>,
    /// Each variant's counted games.
    games: Vec<GameCounts>,
    /// What everybody made against everybody.
    cross: CrossTable,
    /// Unknown while the variants fall into groups that never met.
    ratings: Option<Ratings>,
    /// Whether pairs are deals, which count as one game each.
    of_deals: bool,
}

/// A variant's row of `ratings.csv`, without the cells that name other variants.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RatingRow {
    /// Place by Elo, from 1.
    pub rank: Option<usize>,
    /// The variant's name.
    pub variant: String,
    /// Elo against the mean of all.
    pub elo: Option<f64>,
    /// Lower end of its 95% interval.
    pub elo_low: Option<f64>,
    /// Upper end of its 95% interval.
    pub elo_high: Option<f64>,
    /// Counted games.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// (wins + draws / 2) / games.
    pub win_rate: Option<f64>,
    /// Drawn pairs added to each pairing, so that everybody's Elo is finite.
    pub drawn_pairs_added: Option<u32>,
}

/// Rounded so that the file reads well, without a negative zero.
fn rounded(value: f64) -> Option<f64> {
    value.is_finite().then(|| (value * 1e4).round() / 1e4 + 0.0)
}

/// Rates the variants of a run. `None` for a single pairing, whose Elo says all.
///
/// # Panics
/// When a pairing names a variant that the run does not have: plans have been checked.
#[must_use]
pub fn rate_run(run: &RunSpec, standings: &[Standing]) -> Option<RunRatings> {
    if standings.len() < 2 {
        return None;
    }
    let plays = |variant: &usize| {
        let in_pairing = |standing: &Standing| {
            [standing.pairing.candidate, standing.pairing.base].contains(variant)
        };
        standings.iter().any(in_pairing)
    };
    let mut variants: Vec<usize> = (0..run.variants.len()).filter(plays).collect();
    let rated = rated(&variants, standings);
    if let Some(rated) = &rated {
        variants = rated
            .ratings
            .iter()
            .map(|rating| variants[rating.variant])
            .collect();
    }
    // Once more in the order in which they are shown.
    let encounters = encounters(&variants, standings);
    let mut games = vec![GameCounts::default(); variants.len()];
    let of_deals = run.compare.is_some();
    for encounter in &encounters {
        let mut counts = encounter.tally.games;
        if of_deals {
            counts.losses /= 2;
            counts.draws /= 2;
            counts.wins /= 2;
        }
        add(&mut games[encounter.candidate], counts);
        add(&mut games[encounter.base], counts.reversed());
    }
    Some(RunRatings {
        names: variants
            .iter()
            .map(|variant| run.variants[*variant].name.clone())
            .collect(),
        games,
        cross: cross_table(variants.len(), &encounters).expect("plans name two known variants"),
        ratings: rated.and_then(|_| self::rated(&variants, standings)),
        of_deals,
    })
}

/// The counted games of every pairing, variants named by their place in `variants`.
fn encounters(variants: &[usize], standings: &[Standing]) -> Vec<Encounter> {
    let place = |variant: usize| {
        let found = variants.iter().position(|known| *known == variant);
        found.expect("every variant of a pairing is in the list")
    };
    let encounter = |standing: &Standing| Encounter {
        candidate: place(standing.pairing.candidate),
        base: place(standing.pairing.base),
        tally: *standing.tally(),
    };
    standings.iter().map(encounter).collect()
}

/// The ratings of these variants. One try of a deal counts in every pairing of its variant.
fn rated(variants: &[usize], standings: &[Standing]) -> Option<Ratings> {
    let encounters = encounters(variants, standings);
    if standings
        .iter()
        .all(|standing| standing.compares().is_none())
    {
        return rate(variants.len(), &encounters);
    }
    let mut deals: BTreeMap<u32, Vec<Meeting>> = BTreeMap::new();
    for (standing, encounter) in standings.iter().zip(&encounters) {
        for (pair, score) in standing.counted().iter().zip(standing.pair_scores()) {
            let place = standing.pairing.place_of(pair[0].pair);
            deals.entry(place).or_default().push(Meeting {
                candidate: encounter.candidate,
                base: encounter.base,
                score,
            });
        }
    }
    let deals: Vec<Vec<Meeting>> = deals.into_values().collect();
    rate_deals(variants.len(), &encounters, &deals)
}

fn add(sum: &mut GameCounts, more: GameCounts) {
    sum.losses += more.losses;
    sum.draws += more.draws;
    sum.wins += more.wins;
}

impl RunRatings {
    fn rating(&self, variant: usize) -> Option<&Rating> {
        let ratings = &self.ratings.as_ref()?.ratings;
        ratings.iter().find(|rating| rating.variant == variant)
    }

    fn los(&self, one: usize, other: usize) -> Option<f64> {
        self.ratings.as_ref()?.los[one][other]
    }

    /// Points of one against the other, and games; `None` where there is none. Both tries of a deal
    /// have the one result of their comparison.
    fn points_and_games(&self, one: usize, other: usize) -> Option<(String, u64)> {
        let pairs = self.met(one, other)?;
        let tries = if self.of_deals { 2 } else { 1 };
        let half_points = pairs.score().half_points / tries;
        Some((points(half_points), pairs.games() / tries))
    }

    /// The counted pairs of one against the other; `None` where there is none.
    fn met(&self, one: usize, other: usize) -> Option<PairCounts> {
        self.cross[one][other].filter(|pairs| pairs.pairs() > 0)
    }

    /// `ratings.csv`: a row a variant, best first. Its last columns name the other variants.
    ///
    /// # Panics
    /// Never: memory takes every write.
    #[must_use]
    pub fn to_csv(&self) -> Vec<u8> {
        let mut header: Vec<String> = [
            "rank",
            "variant",
            "elo",
            "elo_low",
            "elo_high",
            "games",
            "wins",
            "draws",
            "losses",
            "win_rate",
            "drawn_pairs_added",
        ]
        .map(str::to_owned)
        .to_vec();
        for kind in ["los", "points", "games"] {
            header.extend(self.names.iter().map(|name| format!("{kind}:{name}")));
        }
        let mut writer = csv::WriterBuilder::new()
            .has_headers(false)
            .from_writer(Vec::new());
        writer
            .write_record(&header)
            .expect("memory takes every write");
        for (variant, row) in self.rows().into_iter().enumerate() {
            writer
                .serialize((row, self.against_others(variant)))
                .expect("as many cells as in the header");
        }
        writer.into_inner().expect("memory takes every write")
    }

    /// The variants' figures, best first.
    #[must_use]
    pub fn rows(&self) -> Vec<RatingRow> {
        (0..self.names.len())
            .map(|variant| self.row(variant))
            .collect()
    }

    fn row(&self, variant: usize) -> RatingRow {
        let rating = self.rating(variant);
        let elo = |off: f64| rating.and_then(|rating| rounded(rating.elo.0 + off * rating.margin));
        let counts = self.games[variant];
        RatingRow {
            rank: rating.map(|_| variant + 1),
            variant: self.names[variant].clone(),
            elo: elo(0.0),
            elo_low: elo(-1.0),
            elo_high: elo(1.0),
            games: counts.games(),
            wins: counts.wins,
            draws: counts.draws,
            losses: counts.losses,
            win_rate: counts.score().value().and_then(rounded),
            drawn_pairs_added: self
                .ratings
                .as_ref()
                .map(|ratings| u32::from(ratings.regularized)),
        }
    }

    /// The cells of `ratings.csv` that name the other variants.
    fn against_others(&self, variant: usize) -> Vec<String> {
        let cell = |value: Option<f64>| {
            let known = value.and_then(rounded);
            known.map_or(String::new(), |value| value.to_string())
        };
        let others = 0..self.names.len();
        let met = |other| self.points_and_games(variant, other);
        let los = others.clone().map(|other| cell(self.los(variant, other)));
        let scored = others
            .clone()
            .map(|other| met(other).map_or(String::new(), |(points, _)| points));
        let games =
            others.map(|other| met(other).map_or(String::new(), |(_, games)| games.to_string()));
        los.chain(scored).chain(games).collect()
    }

    /// The rating table, the likelihoods of superiority and the cross table, for people.
    #[must_use]
    pub fn table(&self) -> String {
        let mut text =
            "ratings     Bradley-Terry, Elo against the mean of all, 95% intervals from pairs\n"
                .to_owned();
        text += &self.rating_table();
        match &self.ratings {
            None => {
                text += "  the Elo is unknown: the variants fall into groups with no counted pair between them\n";
            }
            Some(ratings) if ratings.regularized => {
                text += "  one drawn pair was added to each pairing, since without it whoever won or lost everything has no bounds\n";
            }
            Some(_) => {}
        }
        text += "superiority likelihood that the row is stronger than the column\n";
        text += &self.matrix(|one, other| {
            self.los(one, other)
                .map_or(UNKNOWN.to_owned(), |los| format!("{:.1}%", 100.0 * los))
        });
        text += "cross table points of the row against the column / games\n";
        text += &self.matrix(|one, other| {
            match (self.cross[one][other], self.points_and_games(one, other)) {
                (None, _) => "-".to_owned(),
                (Some(_), None) => "0/0".to_owned(),
                (_, Some((points, games))) => format!("{points}/{games}"),
            }
        });
        text
    }

    fn rating_table(&self) -> String {
        let header = [
            "variant", "Elo", "low", "high", "games", "won", "drawn", "lost", "win rate",
        ];
        let mut rows = vec![header.map(str::to_owned).to_vec()];
        for (variant, counts) in self.games.iter().enumerate() {
            let rating = self.rating(variant);
            let elo = |off: f64| {
                rating.map_or(UNKNOWN.to_owned(), |rating| {
                    format!("{:.1}", rating.elo.0 + off * rating.margin)
                })
            };
            let win_rate = counts.score().value();
            let mut row = vec![self.names[variant].clone(), elo(0.0), elo(-1.0), elo(1.0)];
            row.extend(
                [counts.games(), counts.wins, counts.draws, counts.losses].map(|n| n.to_string()),
            );
            row.push(win_rate.map_or(UNKNOWN.to_owned(), |rate| format!("{:.1}%", 100.0 * rate)));
            rows.push(row);
        }
        aligned(&rows, 1)
    }

    /// Everybody against everybody.
    fn matrix(&self, cell: impl Fn(usize, usize) -> String) -> String {
        let mut rows = vec![vec![String::new()]];
        rows[0].extend(self.names.iter().cloned());
        for (one, name) in self.names.iter().enumerate() {
            let mut row = vec![name.clone()];
            row.extend((0..self.names.len()).map(|other| {
                if one == other {
                    String::new()
                } else {
                    cell(one, other)
                }
            }));
            rows.push(row);
        }
        aligned(&rows, 1)
    }
}

/// Whole and half points.
fn points(half_points: u64) -> String {
    if half_points.is_multiple_of(2) {
        (half_points / 2).to_string()
    } else {
        format!("{}.5", half_points / 2)
    }
}
