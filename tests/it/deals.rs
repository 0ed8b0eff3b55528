//! Solver variants compared on the same deals.

use std::collections::BTreeSet;

use agon::game::Side;
use agon::results::{
    Criterion, GameFacts, GameId, GameRecord, GameResult, MoveRecord, Overrun, RunSpec, Searched,
    Termination,
};
use agon::schedule;
use agon::standing::Standing;
use agon::tournament::standings;

use crate::common::{Bench, agon, cell, rows, talk};
use crate::run::comparable;

/// A config of these engines and a schedule over twelve deals.
fn config(schedule: &str, more: &str) -> String {
    format!(
        "name = \"t\"\nopenings = \"deals.txt\"\n{more}\n[game.freecell]\n[limit]\nnodes = 20000\n\
         [schedule.{schedule}\npairs = 12\n[verdict.win_rate]\nat_least = 0.5\n\
         [[engine]]\nname = \"narrow\"\n[engine.search.beam]\nwidth = 16\nmax_width = 64\n\
         [[engine]]\nname = \"wide\"\nextends = \"narrow\"\n[engine.search.beam]\nwidth = 64\n\
         [[engine]]\nname = \"heavy\"\nextends = \"narrow\"\n[engine.evaluation]\nhome = 60.0\n"
    )
}

const TWO: &str = "head_to_head]\ncandidate = \"wide\"\nbase = \"narrow\"";
const ALL: &str = "round_robin]";

fn bench(schedule: &str, more: &str) -> Bench {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let bench = Bench { folder };
    let deals: Vec<String> = (1..=12).map(|deal| deal.to_string()).collect();
    bench.write("deals.txt", &(deals.join("\n") + "\n"));
    bench.write("c.toml", &config(schedule, more));
    bench
}

#[test]
fn rows_are_the_same_on_one_worker_and_on_two() {
    let bench = bench(TWO, "");
    for workers in ["workers=1", "workers=2"] {
        let more = ["--new", "--set", workers];
        bench.start("run", &more).assert().success();
    }
    let games = |run: &str| {
        let mut games = bench.games(run);
        games.iter_mut().for_each(|row| drop(row.remove(1)));
        let plain = games.iter().map(|row| comparable(row));
        plain.collect::<Vec<_>>()
    };
    let (one, two) = (games("t-1"), games("t-2"));
    assert_eq!(one.len(), 24);
    assert_eq!(one, two);
}

#[test]
fn a_deal_is_solved_once_by_a_variant_whoever_it_is_compared_with() {
    let bench = bench(ALL, "");
    bench.start("run", &[]).assert().success();
    let games = bench.games("t-1");
    let ids: BTreeSet<&str> = games.iter().map(|row| cell(row, "id")).collect();
    // Three variants, twelve deals; three pairings would be 72 games.
    assert_eq!((games.len(), ids.len()), (36, 36));
    for row in &games {
        assert_eq!((cell(row, "pairing"), cell(row, "leg")), ("", ""));
        assert_eq!(cell(row, "second"), "");
    }
    let summary = rows(&bench.results().join("t-1/summary.csv"));
    assert_eq!(summary.len(), 3);
    for row in &summary {
        assert_eq!(cell(row, "pairs"), "12");
        assert_eq!(cell(row, "compare"), "length");
        let number = |column: &str| cell(row, column).parse::<f64>().expect("a number");
        // The columns follow from the rows.
        for role in ["candidate", "base"] {
            let of_variant = |game: &&Vec<(String, String)>| {
                cell(game, "first") == cell(row, role) && cell(game, "termination") == "solved"
            };
            let mut lengths: Vec<f64> = games
                .iter()
                .filter(of_variant)
                .map(|game| cell(game, "plies").parse().expect("a number"))
                .collect();
            lengths.sort_by(f64::total_cmp);
            assert_eq!(number(&format!("{role}_solved")), lengths.len() as f64);
            let middle = [lengths[(lengths.len() - 1) / 2], lengths[lengths.len() / 2]];
            let median = f64::midpoint(middle[0], middle[1]);
            assert_eq!(number(&format!("{role}_length_median")), median);
        }
    }
    let ratings = rows(&bench.results().join("t-1/ratings.csv"));
    assert_eq!(ratings.len(), 3);
}

/// A run that is stopped after any row goes on to the same rows and the same summary.
#[test]
fn a_run_cut_at_any_row_goes_on_to_the_same_end() {
    let bench = bench(ALL, "");
    bench
        .start("run", &["--set", "workers=1"])
        .assert()
        .success();
    let folder = bench.results().join("t-1");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a file");
    let (journal, summary) = (read("games.csv"), read("summary.csv"));
    let lines: Vec<&str> = journal.lines().collect();
    let whole = bench.games("t-1");
    for kept in [1, 2, 7, 20, 35] {
        // The last line is torn.
        let torn = &lines[kept + 1][..lines[kept + 1].len() / 2];
        let text = lines[..=kept].join("\n") + "\n" + torn;
        std::fs::write(folder.join("games.csv"), text).expect("written");
        bench.start("run", &[]).assert().success();
        let plain = |games: &[Vec<(String, String)>]| -> Vec<Vec<String>> {
            games.iter().map(|row| comparable(row)).collect()
        };
        assert_eq!(
            plain(&bench.games("t-1")),
            plain(&whole),
            "{kept} rows kept"
        );
        let untimed = |text: &str| {
            let mut table = csv::Reader::from_reader(text.as_bytes());
            let header = table.headers().expect("a header").clone();
            let rows: Vec<Vec<String>> = table
                .records()
                .map(|row| {
                    let row = row.expect("a row");
                    let cells = header.iter().zip(row.iter());
                    cells
                        .filter(|(name, _)| {
                            let timed = ["_ms_", "time_ratio", "warnings"];
                            !timed.iter().any(|part| name.contains(part))
                        })
                        .map(|(_, cell)| cell.to_owned())
                        .collect()
                })
                .collect();
            rows
        };
        assert_eq!(untimed(&read("summary.csv")), untimed(&summary));
    }
}

#[test]
fn rows_that_are_no_deals_of_the_plan_are_refused() {
    let bench = bench(TWO, "");
    bench.start("run", &[]).assert().success();
    let path = bench.results().join("t-1/games.csv");
    let journal = std::fs::read_to_string(&path).expect("a file");
    for (from, to, what) in [
        ("v001-000003", "v002-000003", "no such game"),
        ("v001-000003", "v001-000099", "pair"),
        ("v001-000003", "000-000003-1", "pairing"),
        (",solved,", ",not_solved,", "do not follow"),
        (",1-0,solved", ",0-1,solved", "do not follow"),
        (",solved,,", ",solved,nodes,", "do not follow"),
        (",first,1-0,", ",second,1-0,", "do not follow"),
    ] {
        std::fs::write(&path, journal.replacen(from, to, 1)).expect("written");
        let refused = bench.start("run", &[]).assert().failure();
        let said = talk(&refused);
        assert!(said.contains("games.csv:") && said.contains(what), "{said}");
    }
}

#[test]
fn configs_of_solitaires_leave_out_what_games_of_two_sides_have() {
    for (schedule, more, from, to, words) in [
        (
            TWO,
            "[adjudication]\nmax_plies = 9",
            "",
            "",
            "`adjudication` is for games of two sides",
        ),
        (TWO, "compare = \"score\"", "", "", "score"),
        (TWO, "[role_limit]\nsolver = { nodes = 9 }", "", "", "role"),
        (
            TWO,
            "",
            "nodes = 20000",
            "clock = \"1+1\"",
            "a clock is for games of two sides",
        ),
        (
            TWO,
            "",
            "search.beam",
            "search.alpha_beta",
            "freecell has no search `alpha_beta`",
        ),
        (
            TWO,
            "",
            "[verdict.win_rate]\nat_least = 0.5",
            "[verdict.sprt]\nelo0 = 0.0\nelo1 = 9.0\noutcomes = \"trinomial\"",
            "trinomial",
        ),
        (
            TWO,
            "",
            "[verdict.win_rate]\nat_least = 0.5",
            "[verdict.sprt]\nelo0 = 0.0\nelo1 = 9.0\nmodel = \"normalized\"",
            "normalized",
        ),
        (
            TWO,
            "",
            "[game.freecell]",
            "[game.freecell]\ncells = 3",
            "cells",
        ),
        (TWO, "", "\nwidth = 64", "\nwidth = 0", "`width` is 0"),
        (
            TWO,
            "",
            "[[engine]]\nname = \"heavy\"\n",
            "[[engine]]\nname = \"heavy\"\nbook = [\"x\"]\n",
            "book",
        ),
    ] {
        let bench = bench(schedule, more);
        let text = std::fs::read_to_string(bench.config()).expect("the config");
        bench.write("c.toml", &text.replace(from, to));
        let said = talk(&bench.start("run", &[]).assert().failure());
        assert!(
            said.contains("c.toml:") && said.contains(words),
            "{words}: {said}"
        );
    }
    // And the other way round.
    let amazons = "name = \"t\"\nopenings = \"start\"\ncompare = \"nodes\"\n[game.amazons]\n\
        [limit]\nnodes = 9\n[schedule.round_robin]\npairs = 1\n\
        [[engine]]\nname = \"a\"\n[engine.search.random]\n\
        [[engine]]\nname = \"b\"\n[engine.search.beam]\n";
    let bench = bench(TWO, "");
    bench.write("c.toml", amazons);
    let said = talk(&bench.start("run", &[]).assert().failure());
    assert!(said.contains("`compare` is for solitaires"), "{said}");
    assert!(said.contains("amazons has no search `beam`"), "{said}");
}

#[test]
fn bad_deals_of_a_suite_are_named_with_their_lines() {
    let bench = bench(TWO, "");
    bench.write("deals.txt", "1\n0\n2\nname | 3\n2147483648\nJD/KD\n2\n");
    let said = talk(&bench.start("run", &[]).assert().failure());
    for line in ["line 2:", "line 5:", "line 6:", "line 7:"] {
        assert!(said.contains(line), "{line} {said}");
    }
}

/// A plan of two variants for facts that are made up.
fn plan(bench: &Bench, compare: Criterion) -> RunSpec {
    let loaded = agon::config::load(&bench.config(), &[]).expect("a config");
    RunSpec {
        compare: Some(compare),
        ..loaded.spec
    }
}

/// A try of a deal: so many moves, states and microseconds, or no solution.
fn tried(
    run: &RunSpec,
    pair: u32,
    leg: u8,
    (length, nodes, time_us): (u32, u64, u64),
) -> GameRecord {
    let job = schedule::job(run, 0, pair, leg);
    let moves = (0..length.max(1)).map(|index| MoveRecord {
        text: format!("m{index}"),
        score: None,
        searched: (index == 0).then_some(Searched { depth: 9, nodes }),
        time_us: if index == 0 { time_us } else { 0 },
    });
    let opening = &run.openings[job.opening];
    GameRecord {
        id: job.id,
        attempt: 1,
        seed: job.seed,
        opening: opening.name.clone(),
        opening_fen: opening.fen.clone(),
        opening_moves: Vec::new(),
        first: run.variants[job.first].name.clone(),
        second: String::new(),
        first_to_move: Side::First,
        result: if length > 0 {
            GameResult::FirstWins
        } else {
            GameResult::SecondWins
        },
        termination: Termination::Rule("solved".to_owned()),
        detail: String::new(),
        void: false,
        runner_delay_us: 0,
        moves: moves.collect(),
        overruns: [Overrun::default(); 2],
        cpu_time_us: None,
        worker: 0,
        started: std::time::SystemTime::UNIX_EPOCH,
    }
}

#[test]
fn solved_beats_unsolved_and_of_two_solutions_less_wins() {
    let bench = bench(TWO, "");
    // Candidate, base, and the pair's half points by length, nodes and time.
    let cases = [
        ((80, 900, 50), (90, 300, 70), [4, 0, 4]),
        ((90, 300, 70), (80, 900, 50), [0, 4, 0]),
        ((80, 300, 50), (80, 300, 50), [2, 2, 2]),
        ((0, 1, 1), (99, 999, 999), [0, 0, 0]),
        ((99, 999, 999), (0, 1, 1), [4, 4, 4]),
        ((0, 1, 5), (0, 9, 2), [2, 2, 2]),
    ];
    let all = [Criterion::Length, Criterion::Nodes, Criterion::Time];
    for (criterion, index) in all.into_iter().zip(0..) {
        let run = plan(&bench, criterion);
        let games: Vec<GameRecord> = (0..)
            .zip(cases)
            .flat_map(|(pair, (candidate, base, _))| {
                [tried(&run, pair, 0, candidate), tried(&run, pair, 1, base)]
            })
            .collect();
        // Whatever comes first.
        for games in [
            games.iter().collect::<Vec<_>>(),
            games.iter().rev().collect(),
        ] {
            let standings = standings(&run, games).expect("a rule");
            let scores: Vec<u8> = standings[0]
                .pair_scores()
                .map(|pair| pair.half_points())
                .collect();
            let expected: Vec<u8> = cases.iter().map(|(_, _, points)| points[index]).collect();
            assert_eq!(scores, expected, "{criterion:?}");
            let [candidate, base] = standings[0].efforts();
            assert_eq!(
                (candidate.nodes, base.nodes),
                (900 + 300 + 300 + 1 + 999 + 1, 300 + 900 + 300 + 999 + 1 + 9)
            );
        }
    }
}

#[test]
fn schedules_ask_for_each_deal_of_a_variant_once_in_order() {
    let bench = bench(ALL, "");
    let run = plan(&bench, Criterion::Length);
    let ids: Vec<GameId> = schedule::jobs(&run).map(|job| job.id).collect();
    assert_eq!(ids.len() as u64, schedule::games(&run));
    let distinct: BTreeSet<GameId> = ids.iter().copied().collect();
    assert_eq!((ids.len(), distinct.len()), (36, 36));
    for id in &ids {
        // Each counts in the two pairings of its variant.
        assert_eq!(run.places(*id).count(), 2);
        for place in run.places(*id) {
            let job = schedule::job(&run, place.pairing, place.pair, place.leg);
            assert_eq!(job.id, *id);
        }
    }
    let places: Vec<u32> = ids.iter().map(|id| id.pair()).collect();
    assert!(places.is_sorted());
    assert_eq!(
        run.places("000-000001-0".parse().expect("an id")).count(),
        0
    );
}

/// Two variants that are the same are told, and get no verdict of a difference.
#[test]
fn equal_solvers_are_equal() {
    let bench = bench(TWO, "");
    let text = std::fs::read_to_string(bench.config()).expect("the config");
    bench.write("c.toml", &text.replace("\nwidth = 64", "\nwidth = 16"));
    bench.start("run", &[]).assert().success();
    let row = rows(&bench.results().join("t-1/summary.csv")).remove(0);
    assert_eq!((cell(&row, "draws"), cell(&row, "win_rate")), ("12", "0.5"));
    assert_eq!(cell(&row, "mcnemar_p"), "1.0");
    assert!(cell(&row, "warnings").contains("same engine"), "{row:?}");
}

/// Facts of a run in which nobody has tried anything.
#[test]
fn a_standing_without_deals_has_no_figures() {
    let bench = bench(TWO, "");
    let run = plan(&bench, Criterion::Time);
    let standing = Standing::new(&run, run.pairings[0]).expect("a rule");
    let made = agon::report::summarise(&run, &standing, &[], ["solver", "deal"]);
    let deals = made.deals.expect("deals are compared");
    assert_eq!((deals.candidate_solve_rate, deals.mcnemar_p), (None, 1.0));
    let facts = GameFacts::of(&tried(&run, 3, 1, (9, 9, 9)));
    assert_eq!((facts.pair, facts.leg), (3, 0));
}

/// A kill at any moment changes no row that counts.
#[cfg(unix)]
#[test]
fn a_killed_run_goes_on_to_the_same_rows() {
    let bench = bench(ALL, "");
    let slow = ["--set", "limit.nodes=100000", "--set", "workers=2"];
    let wide: Vec<&str> = slow
        .into_iter()
        .chain(["--set", "engine.wide.search.beam.width=1000"])
        .chain(["--set", "engine.wide.search.beam.max_width=1000"])
        .collect();
    bench.start("run", &wide).assert().success();
    let whole = bench.games("t-1");
    let mut more = wide.clone();
    more.push("--new");
    for (kills, rows) in [1, 5, 12, 20].into_iter().enumerate() {
        let run = bench.spawn("run", if kills == 0 { &more } else { &wide });
        crate::common::until("rows are there", || bench.rows_on_disk("t-2") >= rows);
        run.signal("KILL");
        drop(run);
    }
    bench.start("run", &wide).assert().success();
    let plain = |games: Vec<Vec<(String, String)>>| -> Vec<Vec<String>> {
        let mut games: Vec<Vec<String>> = games.iter().map(|row| comparable(row)).collect();
        games.iter_mut().for_each(|row| drop(row.remove(1)));
        games
    };
    assert_eq!(plain(bench.games("t-2")), plain(whole));
}

#[test]
fn the_layers_of_a_deal_are_shown_again_as_they_were() {
    let bench = bench(TWO, "");
    bench.start("run", &[]).assert().success();
    let replay = |more: &[&str]| {
        let done = agon()
            .args(["replay", "t-1", "v001-000004", "--results"])
            .arg(bench.results())
            .args(more)
            .assert()
            .success();
        String::from_utf8(done.get_output().stdout.clone()).expect("UTF-8")
    };
    let text = replay(&[]);
    assert!(
        text.contains("as in the run: moves, states and layers"),
        "{text}"
    );
    let game = bench
        .games("t-1")
        .into_iter()
        .find(|row| cell(row, "id") == "v001-000004");
    let game = game.expect("the row");
    let layers: usize = cell(&game, "moves")
        .split(':')
        .nth(2)
        .expect("a depth")
        .parse()
        .expect("a number");
    let json: serde_json::Value = serde_json::from_str(&replay(&["--json"])).expect("JSON");
    let search = &json["search"];
    let trace = search["trace"].as_array().expect("layers");
    assert_eq!(trace.len(), layers);
    assert_eq!(search["as_recorded"], true);
    assert_eq!(search["states"].to_string(), cell(&game, "first_nodes"));
    assert_eq!(trace[0]["layer"], 1);
    for layer in &trace[..layers - 1] {
        let number = |name: &str| layer[name].as_u64().expect("a number");
        assert!(number("kept") <= number("width"));
        assert!(number("kept") + number("duplicates") <= number("candidates"));
    }
    // Another variant, and fewer states.
    let config = bench.config();
    let config = config.to_str().expect("UTF-8");
    let other = replay(&["--config", config, "--variant", "narrow"]);
    assert!(other.contains("search of `narrow`"), "{other}");
    assert!(replay(&["--nodes", "50"]).contains("not solved (nodes)"));
    // Half way through.
    assert!(replay(&["--ply", "3"]).contains("after move 3 of"));
}

/// A weight that was spoiled is tuned on deals.
#[test]
fn a_weight_is_tuned_on_deals() {
    let bench = bench(TWO, "");
    let deals: Vec<String> = (1..=60).map(|deal| deal.to_string()).collect();
    bench.write("deals.txt", &(deals.join("\n") + "\n"));
    bench.write(
        "c.toml",
        "name = \"t\"\nopenings = \"deals.txt\"\n[game.freecell]\n[limit]\nnodes = 20000\n\
         [tune]\nbase = \"b\"\nmethod.grid = { values = [-100, -50, 0], pairs = 60 }\nrounds = 1\n\
         [[tune.parameter]]\nname = \"blocker\"\nlow = -100\nhigh = 0\n\
         [[engine]]\nname = \"b\"\n[engine.search.beam]\nwidth = 16\nmax_width = 64\n\
         [engine.evaluation]\nblocker = 0.0\n",
    );
    bench.start("tune", &[]).assert().success();
    let folder = bench.results().join("t-1");
    let summary = rows(&folder.join("tune-summary.csv"));
    assert_eq!(summary.len(), 1);
    let games = cell(&summary[0], "games").parse::<u64>().expect("a number");
    assert!(games >= 240, "{games}");
}

/// A clock makes no second try of a deal new: no more pairs than deals.
#[test]
fn no_deal_counts_twice_whatever_the_limit() {
    let bench = bench(TWO, "compare = \"length\"");
    let text = std::fs::read_to_string(bench.config()).expect("the config");
    let text = text.replace("nodes = 20000", "time_ms = 2000");
    bench.write("c.toml", &text.replace("pairs = 12", "pairs = 400"));
    let done = bench.start("run", &[]).assert().success();
    assert!(talk(&done).contains("12 pairs"), "{}", talk(&done));
    assert_eq!(bench.games("t-1").len(), 24);
}

/// Of two tries of a deal the second finds warm caches: they take turns at it.
#[test]
fn who_tries_a_deal_first_takes_turns() {
    let bench = bench(TWO, "");
    let run = plan(&bench, Criterion::Time);
    let tried: Vec<(u32, usize)> = schedule::jobs(&run)
        .map(|job| (job.id.pair(), job.first))
        .collect();
    let [candidate, base] = [run.pairings[0].candidate, run.pairings[0].base];
    let expected: Vec<(u32, usize)> = (0..12)
        .flat_map(|pair| {
            let order = if pair % 2 == 0 {
                [candidate, base]
            } else {
                [base, candidate]
            };
            order.map(|variant| (pair, variant))
        })
        .collect();
    assert_eq!(tried, expected);
    // Processor time counts, where it is known.
    let mut games = Vec::new();
    for (leg, cpu_time_us) in [(0, 900), (1, 800)] {
        let mut game = tried_in(&run, leg);
        game.cpu_time_us = Some(cpu_time_us);
        games.push(game);
    }
    let standings = standings(&run, &games).expect("a rule");
    let scores: Vec<u8> = standings[0]
        .pair_scores()
        .map(|pair| pair.half_points())
        .collect();
    assert_eq!(scores, [0]);
}

/// A solution of pair 0 that took the candidate less wall-clock time.
fn tried_in(run: &RunSpec, leg: u8) -> GameRecord {
    tried(run, 0, leg, (80, 500, if leg == 0 { 100 } else { 2000 }))
}

/// Figures of deals are of deals, not of tries.
#[test]
fn deals_are_counted_once() {
    let bench = bench(ALL, "");
    let done = bench.start("run", &[]).assert().success();
    let text = String::from_utf8_lossy(&done.get_output().stdout).into_owned();
    assert!(text.contains("6 needed"), "half of twelve deals: {text}");
    let summary = rows(&bench.results().join("t-1/summary.csv"));
    for row in &summary {
        let number = |column: &str| cell(row, column).parse::<f64>().expect("a number");
        let (wins, draws, losses) = (number("wins"), number("draws"), number("losses"));
        assert_eq!(wins + draws + losses, 12.0);
        assert_eq!(number("games"), 12.0);
        assert!((number("win_rate") - (wins + draws / 2.0) / 12.0).abs() < 1e-4);
    }
    let ratings = rows(&bench.results().join("t-1/ratings.csv"));
    for row in &ratings {
        assert_eq!(cell(row, "games"), "24");
        let against: Vec<&str> = ["games:narrow", "games:wide", "games:heavy"]
            .into_iter()
            .map(|column| cell(row, column))
            .filter(|cell| !cell.is_empty())
            .collect();
        assert_eq!(against, ["12", "12"]);
    }
}
