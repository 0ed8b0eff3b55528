//! Bugs that other tools had, by their numbers in the collection of cases.

use agon::stats::{
    Counts, EffectiveSample, Estimates, GameCounts, GameModel, GameScore, OutcomeModel, PairCounts,
    Score, Sprt, SprtSpec, StopRule, Tally, Verdict, VerdictSpec, WinRateRule, build,
    clopper_pearson, equal_engine, evaluate,
};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use GameScore::{Draw, Loss, Win};

fn tally(pairs: &[(GameScore, GameScore, u64)]) -> Tally {
    let mut tally = Tally::default();
    for &(leg0, leg1, count) in pairs {
        for _ in 0..count {
            tally.add(leg0, leg1);
        }
    }
    tally
}

fn gate(pairs: u64) -> Box<dyn StopRule> {
    build(&VerdictSpec::WinRate { at_least: 5500 }, pairs).expect("a valid rule")
}

fn sprt(pairs: u64) -> Sprt {
    Sprt::new(SprtSpec::logistic(0.0, 35.0), pairs).expect("a valid design")
}

/// B05 (fishtest #115): the error bar's formula fails when one side wins nearly everything.
#[test]
fn b05_one_sided_scores_have_one_sided_elo() {
    let won = tally(&[(Win, Win, 4)]);
    let estimates = Estimates::of(&won);
    assert_eq!(estimates.win_rate.map(|rate| rate.value), Some(1.0));
    assert_eq!((estimates.elo.value, estimates.elo.high), (None, None));
    assert!(
        estimates.elo.low.is_some_and(|low| low.0.is_finite()),
        "{:?}",
        estimates.elo
    );
    assert!(
        estimates.elo.to_string().starts_with("above "),
        "{}",
        estimates.elo
    );
    assert_eq!(gate(4).check(&won), Verdict::AcceptH1);
    // Four pairs cannot decide 0 against 35 Elo; forty can.
    assert_eq!(sprt(500).check(&won), Verdict::Continue);
    assert_eq!(
        sprt(500).check(&tally(&[(Win, Win, 40)])),
        Verdict::AcceptH1
    );

    let lost = Estimates::of(&won.reversed());
    assert_eq!((lost.elo.value, lost.elo.low), (None, None));
    assert!(lost.elo.to_string().starts_with("below "), "{}", lost.elo);
    assert_eq!(gate(4).check(&won.reversed()), Verdict::AcceptH0);

    let nearly = tally(&[(Win, Win, 3), (Win, Draw, 1)]);
    let elo = Estimates::of(&nearly).elo;
    assert!(
        elo.value.is_some_and(|elo| elo.0.is_finite()) && elo.low.is_some(),
        "{elo:?}"
    );
    assert_eq!(gate(4).check(&nearly), Verdict::AcceptH1);

    let single = evaluate(
        &Counts::Games(GameCounts {
            losses: 0,
            draws: 0,
            wins: 1,
        }),
        SprtSpec::logistic(0.0, 35.0),
    )
    .expect("a valid design");
    assert_eq!(
        (single.elo, single.elo_low, single.elo_high),
        (None, None, None)
    );
    assert_eq!(single.verdict, Verdict::Continue);
}

/// B06 (fastchess #694): nan in several fields when all games are drawn.
#[test]
fn b06_drawn_matches_have_numbers() {
    let drawn = tally(&[(Draw, Draw, 5)]);
    let estimates = Estimates::of(&drawn);
    let rate = estimates.win_rate.expect("games");
    let interval = rate.interval.expect("five pairs");
    assert_eq!(rate.value, 0.5);
    assert!(
        interval.low < 0.5 && interval.high > 0.5 && interval.low > 0.2,
        "{interval:?}"
    );
    assert_eq!(interval.method.name(), "Student-t with pseudo-counts");
    assert_eq!(estimates.elo.value.map(|elo| elo.0), Some(0.0));
    assert_eq!(estimates.los, Some(0.5));
    assert_eq!(sprt(6).check(&drawn), Verdict::Continue);
    assert_eq!(sprt(5).check(&drawn), Verdict::Inconclusive);
    assert_eq!(gate(5).check(&drawn), Verdict::AcceptH0);
    let json = serde_json::to_string(&estimates).expect("plain data");
    assert!(!json.contains("NaN") && !json.contains("inf"), "{json}");
}

/// Σ n ln(p / q) for the most likely q with this mean.
fn loss_by_halving(counts: [f64; 5], mean: f64) -> f64 {
    let offset = |cell: usize| cell as f64 / 4.0 - mean;
    let sum =
        |term: &dyn Fn(usize) -> f64| (0..5).map(|cell| counts[cell] * term(cell)).sum::<f64>();
    let (mut low, mut high) = (-1.0 / offset(4), -1.0 / offset(0));
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if sum(&|cell| offset(cell) / (1.0 + middle * offset(cell))) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    sum(&|cell| (1.0 + low * offset(cell)).ln())
}

/// B07 (cutechess #681): lopsided openings with colours swapped, taken for independent games.
#[test]
fn b07_noise_is_that_of_pairs() {
    let split = tally(&[(Win, Loss, 100)]);
    let drawn = tally(&[(Draw, Draw, 100)]);
    assert_eq!(Estimates::of(&split), Estimates::of(&drawn));
    assert_eq!(sprt(500).llr(&split), sprt(500).llr(&drawn));

    let better = tally(&[(Win, Draw, 60), (Win, Loss, 40)]);
    let found = Estimates::of(&better);
    // By hand: score 0.6 × 0.75 + 0.4 × 0.5 = 0.65; variance of a pair 0.6 × 0.1² + 0.4 × 0.15²
    // = 0.015; normalised Elo 0.15 / √0.03 × 800 / ln 10 = 300.89.
    assert!((found.win_rate.expect("games").value - 0.65).abs() < 1e-12);
    let nelo = found
        .normalized_elo
        .and_then(|estimate| estimate.value)
        .expect("games");
    assert!((nelo.0 - 0.15 / 0.03f64.sqrt() * 800.0 / std::f64::consts::LN_10).abs() < 1e-6);
    // The ratio by a search that halves an interval and knows no slope.
    let hypothesis = agon::stats::LogisticElo(35.0).score();
    let by_hand = loss_by_halving([1e-3, 1e-3, 40.0, 60.0, 1e-3], 0.5)
        - loss_by_halving([1e-3, 1e-3, 40.0, 60.0, 1e-3], hypothesis);
    let exact = sprt(500).llr(&better).expect("a ratio");
    assert!((exact - by_hand).abs() < 1e-6, "{exact}, {by_hand}");
    // Single games see noise that is not there.
    let games = Estimates::with(&better, OutcomeModel::Trinomial);
    let width = |estimates: &Estimates| {
        let interval = estimates
            .win_rate
            .and_then(|rate| rate.interval)
            .expect("games");
        interval.high - interval.low
    };
    assert!(width(&games) > 2.0 * width(&found));
    assert!(sprt(500).describe().contains("on pairs"));
}

/// B08 (talkchess 60508): a fixed-sample test looked at after every game.
#[test]
fn b08_false_passes_stay_within_alpha() {
    const MATCHES: u32 = 2_000;
    const PAIRS: u64 = 500;
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let (gate, sprt) = (gate(PAIRS), sprt(PAIRS));
    let mut passes = [0u32; 2];
    for _ in 0..MATCHES {
        let mut tally = Tally::default();
        let mut open = true;
        for pair in 1..=PAIRS {
            let legs = [rng.random_bool(0.5), rng.random_bool(0.5)]
                .map(|won| if won { Win } else { Loss });
            tally.add(legs[0], legs[1]);
            let verdict = gate.check(&tally);
            assert_eq!(
                verdict.is_open(),
                pair < PAIRS,
                "decided at the planned length only"
            );
            passes[0] += u32::from(verdict == Verdict::AcceptH1);
            // The verdict is frozen at its first crossing.
            if open {
                let verdict = sprt.check(&tally);
                open = verdict.is_open();
                passes[1] += u32::from(verdict == Verdict::AcceptH1);
            }
        }
        assert!(!open, "the cap ends every match");
    }
    let bar = |rate: f64| rate + 3.0 * (rate * (1.0 - rate) / f64::from(MATCHES)).sqrt();
    let rule = VerdictSpec::WinRate { at_least: 5500 };
    let (stated, _) = equal_engine(&rule, PAIRS, 0.0).expect("a valid rule");
    let rates = passes.map(|passes| f64::from(passes) / f64::from(MATCHES));
    assert!(rates[0] <= bar(stated), "{rates:?}, stated {stated}");
    assert!(rates[1] <= bar(0.05), "{rates:?}");
}

/// B10 (alpha-zero-general #88): a gate that leaves draws out accepts a newcomer who only draws.
#[test]
fn b10_a_draw_is_half_a_point() {
    let counted = |wins, draws, losses| {
        // Pairs of equal games as far as they go; a draw or the like may be left for a mixed one.
        let mut games = vec![Win; wins];
        games.extend(vec![Draw; draws]);
        games.extend(vec![Loss; losses]);
        let mut tally = Tally::default();
        for legs in games.chunks_exact(2) {
            tally.add(legs[0], legs[1]);
        }
        tally
    };
    assert_eq!(gate(20).check(&counted(0, 40, 0)), Verdict::AcceptH0);
    assert_eq!(gate(20).check(&counted(1, 39, 0)), Verdict::AcceptH0);
    assert_eq!(counted(1, 39, 0).pairs.score().value(), Some(0.5125));
    assert_eq!(gate(20).check(&counted(22, 0, 18)), Verdict::AcceptH1);
    assert_eq!(gate(20).check(&Tally::default()), Verdict::Continue);
    assert_eq!(sprt(20).check(&Tally::default()), Verdict::Continue);
    assert_eq!(Estimates::of(&Tally::default()).win_rate, None);
}

/// B11 (leela-zero #2374): two rules at once, and thresholds compared on rounded figures.
#[test]
fn b11_thresholds_are_exact_and_the_rule_is_named() {
    let score = |half_points, games| Score { half_points, games };
    assert_eq!(score(2 * 549, 1000).at_least(5500), Some(false));
    assert_eq!(score(2 * 550, 1000).at_least(5500), Some(true));
    assert_eq!(score(1099, 1000).at_least(5500), Some(false));
    // 549/1000 in pairs: 274 won twice, 225 lost twice, one split.
    let just_short = tally(&[(Win, Win, 274), (Loss, Loss, 225), (Win, Loss, 1)]);
    let just_there = tally(&[(Win, Win, 275), (Loss, Loss, 225)]);
    assert_eq!(gate(500).check(&just_short), Verdict::AcceptH0);
    assert_eq!(gate(500).check(&just_there), Verdict::AcceptH1);
    // A spec names one rule, and its words say which, with bounds and length.
    assert_eq!(
        gate(500).describe(),
        "win rate of at least 0.55 over 500 pairs, decided at the end"
    );
    let words = sprt(500).describe();
    assert!(
        words.contains("[-2.94, 2.94]") && words.contains("at most 500 pairs"),
        "{words}"
    );
}

/// B18 (alpha-zero-general #337): two deterministic players repeat two games twenty times.
#[test]
fn b18_repeats_are_counted() {
    let sample = EffectiveSample::count((0..20).map(|_| (1, 99)));
    assert_eq!(
        (sample.pairs, sample.distinct_pairs, sample.repeated()),
        (20, 1, 19)
    );
    let warning = sample.warning().expect("repeats");
    assert!(
        warning.to_string().contains("1 distinct pairs of 20"),
        "{warning}"
    );
    assert!(warning.hint().contains("openings"));
    // One distinct pair decides nothing.
    let rule = sprt(20);
    assert!(rule.pairs_to_accept_h1() > Some(sample.distinct_pairs));
}

/// Designs that cannot decide are refused with the value at fault.
#[test]
fn impossible_designs_are_refused() {
    let design = SprtSpec::logistic(0.0, 35.0);
    let refused = [
        SprtSpec {
            elo0: 35.0,
            ..design
        },
        SprtSpec {
            elo0: f64::NAN,
            ..design
        },
        SprtSpec {
            elo1: f64::INFINITY,
            ..design
        },
        SprtSpec {
            elo1: 5000.0,
            ..design
        },
        SprtSpec {
            alpha: 0.0,
            ..design
        },
        SprtSpec {
            beta: 0.5,
            ..design
        },
        SprtSpec {
            alpha: f64::NAN,
            ..design
        },
    ];
    for spec in refused {
        assert!(Sprt::new(spec, 100).is_err(), "{spec:?}");
    }
    assert!(Sprt::new(design, 0).is_err());
    assert!(WinRateRule::new(0, 10).is_err() && WinRateRule::new(10_001, 10).is_err());
    assert!(WinRateRule::new(5500, 0).is_err());
    // With a first side that scores 0.8, at most 40% of the games are drawn.
    assert!(GameModel::new(0.5, 0.6, 0.3).is_err() && GameModel::new(0.5, 0.4, 0.3).is_ok());
    assert!(GameModel::new(0.5, 0.0, 0.6).is_err() && GameModel::new(f64::NAN, 0.0, 0.0).is_err());
    assert_eq!(clopper_pearson(1, 0, 0.95), None);
    assert_eq!(clopper_pearson(3, 2, 0.95), None);
}

/// Counts are read as they are written, and nothing else is.
#[test]
fn counts_are_read() {
    assert_eq!(
        "1, 2,3,4,5".parse(),
        Ok(Counts::Pairs(PairCounts([1, 2, 3, 4, 5])))
    );
    let games = GameCounts {
        losses: 1,
        draws: 2,
        wins: 3,
    };
    assert_eq!("1,2,3".parse(), Ok(Counts::Games(games)));
    for text in [
        "",
        "1",
        "1,2",
        "1,2,3,4",
        "1,2,x",
        "-1,2,3",
        "1,2,3,4,5,6",
        "1,2,3e4",
    ] {
        assert!(text.parse::<Counts>().is_err(), "{text}");
    }
}

/// The default interval: Student-t on pairs with pseudo-counts below 50 pairs. The values are
/// from a second implementation in another language, by the formulas of the user guide's source:
/// 50 pairs by hand are 0.55 ± t(0.975, 49) √(0.1225 / 50).
#[test]
fn the_default_interval_is_student_t_on_pairs() {
    for (counts, low, high) in [
        ("10,0,25,0,15", 0.450_531, 0.649_469),
        ("0,0,4,0,0", 0.263, 0.737),
    ] {
        let counts: Counts = counts.parse().expect("counts");
        let found = evaluate(&counts, SprtSpec::logistic(0.0, 35.0)).expect("a test");
        let (Some(found_low), Some(found_high)) = (found.win_rate_low, found.win_rate_high) else {
            panic!("both ends are known: {found:?}");
        };
        let error = (found_low - low).abs().max((found_high - high).abs());
        assert!(error < 5e-4, "{counts:?}: {found_low} {found_high}");
    }
}
