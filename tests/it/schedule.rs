//! Who meets whom, on which openings, in which order: read from `games.csv`.

use std::collections::{BTreeMap, HashSet};

use crate::common::{Bench, HEAD, cell, talk};

type Row = Vec<(String, String)>;

/// An engine and copies of it with other weights.
fn engines(names: &[&str]) -> String {
    let mut text = String::new();
    for (index, name) in names.iter().enumerate() {
        text += &if index == 0 {
            format!(
                "[[engine]]\nname = \"{name}\"\n[engine.search.alpha_beta]\n\
                 hash_mb = 1\nroot_noise = 20.0\n"
            )
        } else {
            format!(
                "[[engine]]\nname = \"{name}\"\nextends = \"{}\"\n\
                 [engine.evaluation]\nt2 = 0.{index}\n",
                names[0]
            )
        };
    }
    text
}

fn bench(openings: usize, schedule: &str, names: &[&str]) -> Bench {
    let limit = "[limit]\ndepth = 1\n";
    let config = format!("{HEAD}{limit}{schedule}\n{}", engines(names));
    Bench::with_openings(openings, &config)
}

/// The names of the suite's openings, in its order.
fn suite(bench: &Bench) -> Vec<String> {
    let path = bench.folder.path().join("suite.txt");
    let text = std::fs::read_to_string(path).expect("the suite");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let name = |line: &str| line.split(" | ").next().expect("a name").to_owned();
    lines.map(name).collect()
}

/// The rows of each pairing, in schedule order.
fn by_pairing(bench: &Bench) -> BTreeMap<String, Vec<Row>> {
    let mut pairings: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for row in bench.games("t-1") {
        let pairing = cell(&row, "pairing").to_owned();
        pairings.entry(pairing).or_default().push(row);
    }
    pairings
}

fn cells<'a>(row: &'a Row, columns: &[&str]) -> Vec<&'a str> {
    columns.iter().map(|column| cell(row, column)).collect()
}

/// What must be the same in every pairing.
fn ground(rows: &[Row]) -> Vec<Vec<&str>> {
    let columns = [
        "pair",
        "leg",
        "opening",
        "opening_fen",
        "opening_moves",
        "seed",
    ];
    rows.iter().map(|row| cells(row, &columns)).collect()
}

/// Each pair is one opening with the engines' roles swapped, the candidate first in leg 0.
fn assert_roles_swap(rows: &[Row], candidate: &str, base: &str) {
    for pair in rows.chunks(2) {
        let [leg0, leg1] = pair else {
            panic!("half a pair: {pair:?}");
        };
        assert_eq!(
            cells(leg0, &["leg", "first", "second"]),
            ["0", candidate, base]
        );
        assert_eq!(
            cells(leg1, &["leg", "first", "second"]),
            ["1", base, candidate]
        );
        let same = ["pair", "opening", "opening_moves"];
        assert_eq!(cells(leg0, &same), cells(leg1, &same));
        assert_ne!(cell(leg0, "seed"), cell(leg1, "seed"));
    }
}

/// The order of the pairings in the journal of one worker: pair 0 of each, then pair 1.
fn assert_pairings_take_turns(bench: &Bench, pairings: usize, pairs: usize) {
    let journal = bench.journal("t-1");
    let played: Vec<&str> = journal.lines().skip(1).map(|row| &row[..12]).collect();
    let mut expected = Vec::new();
    for pair in 0..pairs {
        for pairing in 0..pairings {
            expected.extend([0, 1].map(|leg| format!("{pairing:03}-{pair:06}-{leg}")));
        }
    }
    assert_eq!(played, expected);
}

/// B17.
#[test]
fn b17_candidates_of_a_gauntlet_meet_the_base_on_the_same_ground() {
    let schedule = "[schedule.gauntlet]\nbase = \"base\"\npairs = 4";
    for workers in ["workers=1", "workers=2"] {
        let bench = bench(4, schedule, &["base", "v1", "v2", "v3"]);
        bench.start("run", &["--set", workers]).assert().success();
        let pairings = by_pairing(&bench);
        assert_eq!(pairings.len(), 3);
        let first = ground(&pairings["0"]);
        for (rows, candidate) in pairings.values().zip(["v1", "v2", "v3"]) {
            assert_eq!(rows.len(), 8);
            assert_eq!(ground(rows), first, "{candidate}");
            assert_roles_swap(rows, candidate, "base");
            let openings: Vec<&str> = rows.iter().step_by(2).map(|r| cell(r, "opening")).collect();
            assert_eq!(openings, suite(&bench), "{candidate}");
        }
        if workers == "workers=1" {
            assert_pairings_take_turns(&bench, 3, 4);
        }
    }
}

/// B17.
#[test]
fn b17_a_round_robin_plays_every_pairing_once_on_the_same_ground() {
    let schedule = "[schedule.round_robin]\npairs = 4";
    let names = ["a", "b", "c", "d"];
    let bench = bench(4, schedule, &names);
    bench
        .start("run", &["--set", "workers=1"])
        .assert()
        .success();
    let pairings = by_pairing(&bench);
    let mut met = Vec::new();
    for rows in pairings.values() {
        let (candidate, base) = (cell(&rows[0], "first"), cell(&rows[0], "second"));
        assert_roles_swap(rows, candidate, base);
        assert_eq!(ground(rows), ground(&pairings["0"]));
        let mut meeting = [candidate, base];
        meeting.sort_unstable();
        met.push(meeting);
    }
    met.sort_unstable();
    let all = [
        ["a", "b"],
        ["a", "c"],
        ["a", "d"],
        ["b", "c"],
        ["b", "d"],
        ["c", "d"],
    ];
    assert_eq!(met, all);
    assert_pairings_take_turns(&bench, 6, 4);
}

/// B15.
#[test]
fn b15_a_short_suite_begins_again_with_one_note_that_says_how_often() {
    let schedule = "[schedule.gauntlet]\nbase = \"base\"\npairs = 5";
    let bench = bench(3, schedule, &["base", "v1", "v2"]);
    let said = talk(&bench.start("run", &[]).assert().success());
    let notes: Vec<&str> = said
        .lines()
        .filter(|line| line.contains("note:") && line.contains("opening"))
        .collect();
    let [note] = notes[..] else {
        panic!("one note, not {notes:?}");
    };
    assert!(note.contains("3 openings for 5 pairs"), "{note}");
    assert!(note.contains("used 1.7 times"), "{note}");
    let names = suite(&bench);
    let order = [0, 1, 2, 0, 1].map(|index| names[index].as_str());
    for rows in by_pairing(&bench).values() {
        let openings: Vec<&str> = rows.iter().step_by(2).map(|r| cell(r, "opening")).collect();
        assert_eq!(openings, order);
        // A repeated opening is another game, by another seed.
        let seeds: HashSet<&str> = rows.iter().map(|row| cell(row, "seed")).collect();
        assert_eq!(seeds.len(), 10);
        let moves = |row: &Row| {
            let text = cell(row, "moves").split(' ');
            text.map(|mv| mv.split(':').next().expect("a move").to_owned())
                .collect::<Vec<_>>()
        };
        assert_ne!(moves(&rows[0]), moves(&rows[6]), "noise tells them apart");
    }
}

/// B15.
#[test]
fn b15_one_opening_is_used_for_every_pair() {
    let schedule = "[schedule.head_to_head]\ncandidate = \"v1\"\nbase = \"base\"\npairs = 4";
    let bench = bench(1, schedule, &["base", "v1"]);
    let said = talk(&bench.start("run", &[]).assert().success());
    assert!(said.contains("1 opening for 4 pairs"), "{said}");
    assert!(said.contains("used 4.0 times"), "{said}");
    let games = bench.games("t-1");
    assert_eq!(games.len(), 8);
    let seeds: HashSet<&str> = games.iter().map(|row| cell(row, "seed")).collect();
    assert_eq!(seeds.len(), 8);
}

#[test]
fn a_suite_that_is_long_enough_gets_no_note() {
    let schedule = "[schedule.head_to_head]\ncandidate = \"v1\"\nbase = \"base\"\npairs = 3";
    let bench = bench(3, schedule, &["base", "v1"]);
    let said = talk(&bench.start("run", &[]).assert().success());
    assert!(!said.contains("openings for"), "{said}");
}

/// B15.
#[test]
fn b15_a_suite_without_openings_is_refused_before_the_first_game() {
    let schedule = "[schedule.head_to_head]\ncandidate = \"v1\"\nbase = \"base\"\npairs = 3";
    let bench = bench(1, schedule, &["base", "v1"]);
    for empty in ["", "# a comment\n# and another\n", "\n  \n\n"] {
        bench.write("suite.txt", empty);
        let said = talk(&bench.start("run", &[]).assert().code(65));
        assert!(said.contains("no opening"), "{said}");
        assert!(said.contains("suite.txt"), "{said}");
        assert!(!bench.results().exists());
    }
}
