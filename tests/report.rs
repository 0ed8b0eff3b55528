//! The summary and the console's table of runs whose games are made up, so that each doubt,
//! each figure and each sentence can be brought about at will.

use std::time::SystemTime;

use agon::game::Side;
use agon::params::ParameterValues;
use agon::report::{Summary, summarise, table, to_csv};
use agon::results::{
    EngineKind, FaultKind, GameFacts, GameRecord, GameResult, GameSpec, LimitSpec, MoveLimit,
    MoveRecord, OpeningSpec, PairingSpec, RunSpec, Searched, SprtSpec, Start, Termination,
    VariantSpec, VerdictSpec,
};
use agon::schedule;
use agon::search::{SearchKind, SearchSpec};
use agon::standing::Standing;

/// A run of `new` against `old`, both with `limit`.
fn run(pairs: u32, limit: MoveLimit, verdict: VerdictSpec) -> RunSpec {
    let variant = |name: &str, t2: f64| {
        let mut evaluation = ParameterValues::default();
        let declared = [agon::params::Parameter::real(
            "t2", 1.0, 0.0, 9.0, 0.1, "a weight",
        )];
        evaluation.set(&declared, "t2", t2).expect("in range");
        VariantSpec {
            name: name.to_owned(),
            engine: EngineKind::BuiltIn(SearchSpec {
                kind: SearchKind::AlphaBeta,
                parameters: ParameterValues::default(),
                evaluation,
            }),
            limit: LimitSpec {
                first: limit,
                second: limit,
            },
            book: None,
        }
    };
    RunSpec {
        name: "t".to_owned(),
        game: GameSpec {
            name: "made up".to_owned(),
            rules: serde_json::json!({}),
        },
        seed: 1,
        variants: vec![variant("old", 1.0), variant("new", 2.0)],
        pairings: vec![PairingSpec {
            candidate: 1,
            base: 0,
            pairs,
            first_pair: 0,
        }],
        openings: (0..pairs)
            .map(|index| OpeningSpec {
                name: format!("o{index}"),
                fen: format!("position {index}"),
                moves: Vec::new(),
                same_as: None,
            })
            .collect(),
        margin_ms: 0,
        verdict,
        adjudication: agon::results::AdjudicationSpec::default(),
        compare: None,
    }
}

const WIN_RATE: VerdictSpec = VerdictSpec::WinRate { at_least: 5500 };

fn sprt(elo0: f64, elo1: f64) -> VerdictSpec {
    VerdictSpec::Sprt(SprtSpec::logistic(elo0, elo1))
}

/// A game of two moves a side; `new` wins if `won`.
fn game(run: &RunSpec, pair: u32, leg: u8, won: bool) -> GameRecord {
    let job = schedule::job(run, 0, pair, leg);
    let opening = &run.openings[job.opening];
    let new = if leg == 0 { Side::First } else { Side::Second };
    let winner = if won { new } else { new.other() };
    let mv = |index: u32| MoveRecord {
        text: format!("m{index}"),
        score: None,
        searched: Some(Searched {
            depth: 3,
            nodes: 1000,
        }),
        time_us: 500_000,
    };
    GameRecord {
        id: job.id,
        attempt: 1,
        seed: job.seed,
        opening: opening.name.clone(),
        opening_fen: opening.fen.clone(),
        opening_moves: Vec::new(),
        first: run.variants[job.first].name.clone(),
        second: run.variants[job.second].name.clone(),
        first_to_move: Side::First,
        result: GameResult::of(Some(winner)),
        termination: Termination::Rule("no_moves".to_owned()),
        detail: String::new(),
        void: false,
        runner_delay_us: 0,
        moves: (0..4).map(mv).collect(),
        overruns: Default::default(),
        cpu_time_us: Some(2_000_000),
        worker: 0,
        started: SystemTime::UNIX_EPOCH,
    }
}

/// The summary of a run in which pair `i` brings `new` the wins `won(i)` as first and second,
/// each game changed by `change`.
fn summary(
    run: &RunSpec,
    pairs: u32,
    won: impl Fn(u32) -> [bool; 2],
    change: impl Fn(&mut GameRecord),
) -> Summary {
    let mut standing = Standing::new(run, run.pairings[0]).expect("a rule");
    for pair in 0..pairs {
        for leg in [0, 1] {
            let mut game = game(run, pair, leg, won(pair)[usize::from(leg)]);
            change(&mut game);
            standing.add(GameFacts::of(&game));
        }
    }
    summarise(run, &standing, &[start(2)], ["white", "black"])
}

fn start(workers: usize) -> Start {
    Start {
        started: String::new(),
        agon: String::new(),
        workers,
        usable_cores: 2,
        physical_cores: Some(2),
    }
}

/// Three pairs in four even, the others won: a score of 0.625.
fn better(pair: u32) -> [bool; 2] {
    [true, pair.is_multiple_of(4)]
}

fn same(_: &mut GameRecord) {}

/// The doubts of a summary, which stand with their hints on the console and in the file too.
fn doubts(summary: &Summary) -> Vec<&'static str> {
    let text = table(std::slice::from_ref(summary));
    let csv = String::from_utf8(to_csv(std::slice::from_ref(summary))).expect("UTF-8");
    for warning in &summary.warnings {
        assert!(text.contains(&warning.to_string()), "{text}");
        assert!(text.contains(&warning.hint()), "{text}");
        assert!(csv.contains(&warning.to_string()), "{csv}");
    }
    summary
        .warnings
        .iter()
        .map(agon::stats::Warning::name)
        .collect()
}

const NODES: MoveLimit = MoveLimit::Nodes(1000);
const TIME: MoveLimit = MoveLimit::TimeMs(600);

#[test]
fn a_sound_run_has_no_doubts() {
    let run = run(40, TIME, WIN_RATE);
    assert_eq!(doubts(&summary(&run, 40, better, same)), [""; 0]);
}

#[test]
fn each_kind_of_doubt_comes_from_its_own_figures() {
    let timed = run(40, TIME, WIN_RATE);
    let forfeits = summary(&timed, 40, better, |game| {
        if game.id.pair() == 3 {
            game.result = GameResult::FirstWins;
            game.termination = Termination::Fault {
                by: Side::Second,
                kind: FaultKind::TimeForfeit,
            };
        }
    });
    assert_eq!(doubts(&forfeits), ["forfeits", "forfeits"]);
    let crashes = summary(&timed, 40, better, |game| {
        if game.id.pair() == 3 && game.id.leg() == 0 {
            game.result = GameResult::FirstWins;
            game.termination = Termination::Fault {
                by: Side::Second,
                kind: FaultKind::IllegalMove,
            };
        }
    });
    assert_eq!(doubts(&crashes), ["crashes"]);
    let slow = summary(&timed, 40, better, |game| {
        game.cpu_time_us = Some(1_000_000)
    });
    assert_eq!(doubts(&slow), ["overloaded"]);
    let depth = run(40, MoveLimit::Depth(3), WIN_RATE);
    assert_eq!(
        doubts(&summary(&depth, 40, better, same)),
        ["false_progress"]
    );
    let biased = summary(&timed, 40, |pair| [true, pair == 0], same);
    assert_eq!(doubts(&biased), ["role_bias"]);
    let short = run(10, NODES, sprt(0.0, 35.0));
    let short = summary(&short, 10, better, same);
    assert_eq!(doubts(&short), ["too_few_pairs"]);
    assert_eq!(short.row.verdict, "inconclusive");
}

#[test]
fn engines_that_differ_in_their_book_are_not_the_same() {
    let mut run = run(40, NODES, WIN_RATE);
    run.variants[0] = VariantSpec {
        name: "old".to_owned(),
        ..run.variants[1].clone()
    };
    assert_eq!(
        doubts(&summary(&run, 40, better, |_| ())),
        ["identical_variants"]
    );
    run.variants[1].book = Some(agon::results::BookSpec::default());
    assert_eq!(doubts(&summary(&run, 40, better, |_| ())), [""; 0]);
}

#[test]
fn waiting_is_no_doubt_where_time_is_no_limit() {
    let run = run(40, NODES, WIN_RATE);
    let slow = summary(&run, 40, better, |game| game.cpu_time_us = Some(1_000_000));
    assert_eq!(doubts(&slow), [""; 0]);
}

/// Gives every move of `new` so many nodes and so much time.
fn effort(nodes: u64, time_us: u64) -> impl Fn(&mut GameRecord) {
    move |game| {
        let new = usize::from(game.id.leg() == 1);
        for mv in game.moves.iter_mut().skip(new).step_by(2) {
            mv.searched = Some(Searched { depth: 3, nodes });
            mv.time_us = time_us;
        }
        game.cpu_time_us = Some(game.moves.iter().map(|mv| mv.time_us).sum());
    }
}

#[test]
fn a_gain_bought_with_nodes_is_told_from_a_speed_up() {
    let run = run(40, TIME, WIN_RATE);
    let bought = summary(&run, 40, better, effort(4000, 700_000));
    assert_eq!(doubts(&bought), ["false_progress"]);
    let faster = summary(&run, 40, better, effort(4000, 500_000));
    assert_eq!(doubts(&faster), ["speed_up"]);
}

#[test]
fn more_games_at_once_than_cores_are_told() {
    let run = run(4, NODES, WIN_RATE);
    let standing = Standing::new(&run, run.pairings[0]).expect("a rule");
    let name = |starts: &[Start]| {
        doubts(&summarise(&run, &standing, starts, ["white", "black"]))
            .contains(&"more_threads_than_cores")
    };
    assert!(!name(&[start(2)]));
    assert!(name(&[start(2), start(3)]));
}

/// B18: repeats are counted and told; a pair is another one if either of its games is.
#[test]
fn repeated_pairs_are_told_and_both_legs_are_looked_at() {
    let mut same_openings = run(20, TIME, WIN_RATE);
    same_openings.openings.truncate(2);
    let repeated = summary(&same_openings, 20, better, same);
    assert_eq!((repeated.row.pairs, repeated.row.distinct_pairs), (20, 2));
    assert_eq!(doubts(&repeated), ["repeated_pairs"]);
    for leg in [0, 1] {
        let other_games = summary(&same_openings, 20, better, |game| {
            if game.id.leg() == leg {
                game.moves[0].text = format!("other{}", game.id.pair());
            }
        });
        assert_eq!(other_games.row.distinct_pairs, 20, "leg {leg}");
    }
}

#[test]
fn equal_engines_get_no_verdict_of_difference() {
    let mut run = run(60, TIME, sprt(0.0, 100.0));
    run.variants[1].engine = run.variants[0].engine.clone();
    let lucky = |pairs| summary(&run, pairs, |_| [true, true], same);
    assert_eq!(lucky(59).row.verdict, "continue");
    let over = lucky(60);
    assert_eq!(over.row.verdict, "inconclusive");
    assert_eq!(over.row.elo_after_stop, None);
    assert_eq!(doubts(&over), ["identical_variants"]);
}

#[test]
fn elo_after_a_stop_is_there_after_a_stop_only() {
    let run = run(60, NODES, sprt(0.0, 100.0));
    let stopped = summary(&run, 60, |pair| [true, pair.is_multiple_of(2)], same);
    assert_eq!(stopped.row.verdict, "accept H1");
    let (plain, after) = (stopped.row.elo, stopped.row.elo_after_stop);
    let (Some(plain), Some(after)) = (plain, after) else {
        panic!("both are known: {plain:?} {after:?}");
    };
    assert!(after < plain, "luck has run upwards: {after} {plain}");
    assert!(stopped.row.pairs < 60);
    let open = summary(&run, 10, |pair| [true, pair.is_multiple_of(2)], same);
    assert_eq!(
        (open.row.elo_after_stop, open.row.verdict.as_str()),
        (None, "continue")
    );
}

/// B05: a score of 1 has no Elo, only a bound of it.
#[test]
fn a_one_sided_score_has_a_bound_of_elo() {
    let run = run(40, NODES, WIN_RATE);
    let won = table(&[summary(&run, 40, |_| [true, true], same)]);
    assert!(won.contains("Elo         above "), "{won}");
    let lost = table(&[summary(&run, 40, |_| [false, false], same)]);
    assert!(lost.contains("Elo         below -"), "{lost}");
}

#[test]
fn the_table_says_how_far_the_other_verdict_was() {
    let run = run(40, NODES, WIN_RATE);
    // 50 of 80 points, 44 needed.
    let passed = table(&[summary(&run, 40, better, same)]);
    assert!(
        passed.contains("50 points, 44 needed; 6.5 fewer would have failed"),
        "{passed}"
    );
    assert!(passed.contains("accept H1"), "{passed}");
    let failed = table(&[summary(&run, 40, |_| [true, false], same)]);
    assert!(
        failed.contains("40 points, 44 needed; 4 more would have passed"),
        "{failed}"
    );
    assert!(failed.contains("accept H0"), "{failed}");
    let open = table(&[summary(&run, 10, |_| [true, false], same)]);
    assert!(
        open.contains("10 of the 44 points that the plan asks for, 60 games to play"),
        "{open}"
    );
}

/// The plain rule over 40 pairs: P(at least 44 of 80 fair games) = 0.2170, from the binomial
/// distribution; with draws it is less.
#[test]
fn the_table_says_how_often_an_equal_engine_passes() {
    let run = run(40, NODES, WIN_RATE);
    let rate = |draws: bool| {
        let made = summary(&run, 40, better, |game| {
            if draws && game.id.pair() % 2 == 1 {
                game.result = GameResult::Draw;
            }
        });
        let pass = made.equal_pass_rate.expect("a rate");
        let text = table(&[made]);
        assert!(text.contains("an equal engine passes this in"), "{text}");
        assert!(
            text.contains(&format!("with {:.0}% drawn", 100.0 * pass.draws)),
            "{text}"
        );
        pass
    };
    let (sharp, drawish) = (rate(false), rate(true));
    assert!((sharp.rate - 0.2170).abs() < 5e-4, "{sharp:?}");
    assert!(
        drawish.draws > 0.4 && drawish.rate < sharp.rate - 0.03,
        "{drawish:?}"
    );
}

/// Nothing is known of no games and little of one pair: an empty cell, and the word for it.
#[test]
fn unknown_figures_are_empty_cells_and_the_word_unknown() {
    let run = run(40, NODES, WIN_RATE);
    for (pairs, known) in [(0, false), (1, true)] {
        let made = summary(&run, pairs, |_| [true, true], same);
        assert_eq!(made.row.win_rate.is_some(), known);
        assert_eq!((made.row.elo, made.row.los), (None, None));
        let text = table(std::slice::from_ref(&made));
        assert!(text.contains("Elo         unknown"), "{text}");
        let csv = String::from_utf8(to_csv(&[made]))
            .expect("UTF-8")
            .to_lowercase();
        let cells = csv.lines().nth(1).expect("a row").split(',');
        assert!(
            cells
                .clone()
                .all(|cell| cell != "nan" && !cell.contains("inf")),
            "{csv}"
        );
        assert!(cells.clone().any(str::is_empty), "{csv}");
    }
}
