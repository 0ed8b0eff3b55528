//! What holds for any counts and any valid bounds.

use agon::stats::{
    Counts, EloModel, Encounter, Estimates, Evaluation, GameCounts, GameModel, PairCounts, Sprt,
    SprtSpec, StopRule as _, Tally, Verdict, WinRateRule, clopper_pearson, evaluate, rate,
};
use proptest::prelude::*;

/// Counts of every size, zero often.
fn count() -> impl Strategy<Value = u64> {
    prop_oneof![3 => Just(0), 3 => 1..20u64, 2 => 1..2_000u64, 1 => 1..10_000_000u64]
}

fn counts() -> impl Strategy<Value = Counts> {
    prop_oneof![
        prop::array::uniform5(count()).prop_map(|cells| Counts::Pairs(PairCounts(cells))),
        prop::array::uniform3(count()).prop_map(|[losses, draws, wins]| {
            Counts::Games(GameCounts {
                losses,
                draws,
                wins,
            })
        }),
    ]
}

/// Valid designs of both models.
fn design() -> impl Strategy<Value = SprtSpec> {
    let rate = 0.001..0.499f64;
    (
        any::<bool>(),
        -1.0..1.0f64,
        0.001..1.0f64,
        rate.clone(),
        rate,
    )
        .prop_map(|(logistic, low, gap, alpha, beta)| {
            let (model, most) = if logistic {
                (EloModel::Logistic, 1000.0)
            } else {
                (EloModel::Normalized, 200.0)
            };
            let elo0 = most * low;
            SprtSpec {
                elo0,
                elo1: elo0 + (most - elo0) * gap,
                alpha,
                beta,
                model,
                ..SprtSpec::logistic(0.0, 1.0)
            }
        })
}

/// All numbers of a row.
fn numbers(found: &Evaluation) -> Vec<f64> {
    let value = serde_json::to_value(found).expect("plain data");
    let fields = value.as_object().expect("a row");
    // serde_json writes NaN and infinities as null, so the fields are counted by their own type.
    let elos = [
        found.elo,
        found.elo_low,
        found.elo_high,
        found.elo_low_normal,
        found.elo_high_normal,
        found.elo_median_unbiased,
        found.elo_median_unbiased_low,
        found.elo_median_unbiased_high,
    ];
    let others = [
        found.llr,
        found.win_rate,
        found.win_rate_low,
        found.win_rate_high,
        found.nelo_margin,
        found.los,
        found.los_after_stop,
        found.nelo.map(|elo| elo.0),
    ];
    assert!(fields.len() >= elos.len() + others.len());
    let elos = elos.into_iter().flatten().map(|elo| elo.0);
    elos.chain(others.into_iter().flatten())
        .chain([found.llr_lower, found.llr_upper])
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_figure_is_a_number(counts in counts(), spec in design()) {
        let found = evaluate(&counts, spec).expect("a valid design");
        prop_assert!(numbers(&found).iter().all(|number| number.is_finite()), "{found:?}");
        // Beyond any match, far normalised hypotheses may find no maximum; then the ratio is
        // unknown, and play goes on.
        prop_assert!(found.llr.is_some() || found.games > 100_000, "{found:?}");
        for share in [found.win_rate, found.los, found.los_after_stop].into_iter().flatten() {
            prop_assert!((0.0..=1.0).contains(&share), "{found:?}");
        }
        if let (Some(low), Some(rate), Some(high)) =
            (found.win_rate_low, found.win_rate, found.win_rate_high)
        {
            prop_assert!(low <= rate && rate <= high && low >= 0.0 && high <= 1.0, "{found:?}");
        }
    }

    #[test]
    fn the_other_side_sees_the_reverse(cells in prop::array::uniform5(count())) {
        let tally = Tally { pairs: PairCounts(cells), ..Tally::default() };
        let (ours, theirs) = (Estimates::of(&tally), Estimates::of(&tally.reversed()));
        let (Some(our), Some(their)) = (ours.win_rate, theirs.win_rate) else { return Ok(()) };
        prop_assert!((our.value + their.value - 1.0).abs() < 1e-12);
        if let (Some(our), Some(their)) = (our.interval, their.interval) {
            prop_assert!((our.low + their.high - 1.0).abs() < 1e-9);
        }
        let test = |elo0, elo1| Sprt::new(SprtSpec::logistic(elo0, elo1), 9).expect("valid");
        let our_llr = test(5.0, 30.0).llr(&tally).expect("a ratio");
        let their_llr = test(-30.0, -5.0).llr(&tally.reversed()).expect("a ratio");
        let size = 1.0 + our_llr.abs();
        prop_assert!((our_llr + their_llr).abs() < 1e-7 * size, "{our_llr} {their_llr}");
    }

    #[test]
    fn a_better_pair_never_lowers_the_ratio(
        cells in prop::array::uniform5(2..2_000u64),
        worse in 0..4usize,
        spec in design(),
    ) {
        // One pair turned into the next better outcome. Between hypotheses on either side of the
        // score the ratio rises with it; all cells are filled, so no stand-in comes or goes.
        let spec = SprtSpec { model: EloModel::Logistic, ..spec };
        let sprt = Sprt::new(spec, u64::MAX).expect("a valid design");
        let mut better = cells;
        better[worse] -= 1;
        better[worse + 1] += 1;
        let llr = |cells| {
            let tally = Tally { pairs: PairCounts(cells), ..Tally::default() };
            (sprt.llr(&tally).expect("a ratio"), tally.pairs.score().value().expect("pairs"))
        };
        let ((before, score), (after, _)) = (llr(cells), llr(better));
        let expected = |elo| agon::stats::LogisticElo(elo).score();
        let inside = expected(spec.elo0) <= score && score <= expected(spec.elo1);
        if inside {
            prop_assert!(after >= before - 1e-9 * (1.0 + before.abs()), "{before} {after}");
        }
    }

    #[test]
    fn verdicts_fit_their_bounds(counts in counts(), spec in design()) {
        let found = evaluate(&counts, spec).expect("a valid design");
        let Some(llr) = found.llr else {
            prop_assert_eq!(found.verdict, Verdict::Continue);
            return Ok(());
        };
        let wanted = if llr >= found.llr_upper {
            Verdict::AcceptH1
        } else if llr <= found.llr_lower {
            Verdict::AcceptH0
        } else {
            Verdict::Continue
        };
        prop_assert_eq!(found.verdict, wanted);
    }

    #[test]
    fn reaching_a_verdict_takes_just_so_many_pairs(spec in design()) {
        let sprt = Sprt::new(spec, u64::MAX).expect("a valid design");
        if let Some(pairs) = sprt.pairs_to_accept_h1() {
            let won = |pairs| Tally::uniform(agon::stats::GameScore::Win, pairs);
            prop_assert_eq!(sprt.crossing(&won(pairs)), Verdict::AcceptH1);
            prop_assert!(pairs == 1 || sprt.crossing(&won(pairs - 1)) != Verdict::AcceptH1);
        }
    }

    #[test]
    fn pass_rates_are_probabilities_that_rise_with_strength(
        pairs in 1..60u64,
        at_least in 1..=10_000u32,
        score in 0.3..0.65f64,
        draw_ratio in 0.0..0.5f64,
        bias in 0.0..0.05f64,
    ) {
        let rule = WinRateRule::new(at_least, pairs).expect("a valid rule");
        let rate = |score| {
            rule.pass_rate(&GameModel::new(score, draw_ratio, bias).expect("possible"))
        };
        let (weaker, stronger) = (rate(score), rate(score + 0.02));
        prop_assert!((0.0..=1.0).contains(&weaker) && (0.0..=1.0).contains(&stronger));
        prop_assert!(stronger >= weaker - 1e-12);
    }

    #[test]
    fn clopper_pearson_holds_the_share(trials in 1..100_000u64, part in 0.0..=1.0f64) {
        let successes = (part * trials as f64) as u64;
        let interval = clopper_pearson(successes, trials, 0.95).expect("trials");
        let share = successes as f64 / trials as f64;
        prop_assert!(0.0 <= interval.low && interval.low <= share);
        prop_assert!(share <= interval.high && interval.high <= 1.0);
    }

    #[test]
    fn ratings_are_numbers_around_zero(
        cells in prop::collection::vec(prop::array::uniform5(count()), 6),
    ) {
        let pairings = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
        let encounters: Vec<Encounter> = pairings
            .iter()
            .zip(cells)
            .map(|(&(candidate, base), cells)| Encounter {
                candidate,
                base,
                tally: Tally { pairs: PairCounts(cells), ..Tally::default() },
            })
            .collect();
        let Some(found) = rate(4, &encounters) else { return Ok(()) };
        for rating in &found.ratings {
            prop_assert!(rating.elo.0.is_finite() && rating.margin.is_finite(), "{found:?}");
        }
        let sum: f64 = found.ratings.iter().map(|rating| rating.elo.0).sum();
        prop_assert!(sum.abs() < 1e-3, "{sum}");
        prop_assert!(found.los.iter().flatten().flatten().all(|los| (0.0..=1.0).contains(los)));
    }
}
