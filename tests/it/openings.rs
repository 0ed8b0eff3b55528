//! Suites: every bad line is named, and odd files read.

use agon::registry;
use proptest::prelude::*;

use crate::common::{Bench, agon, cell, rows, talk};

fn read(bytes: &[u8]) -> Result<agon::openings::Suite, String> {
    let arena = registry::find("amazons")
        .expect("amazons is listed")
        .open(serde_json::json!({}))
        .expect("the default rules");
    arena.read_suite(bytes).map_err(|error| error.to_string())
}

#[test]
fn every_line_end_reads_the_same() {
    let lines = [
        "# comment",
        "",
        "a | start | d1d7,d7g7",
        "b | start |\td1d6,d6d7  ",
    ];
    let read = |end: &str| read(lines.join(end).as_bytes()).expect("a suite").openings;
    for end in ["\r\n", "\r"] {
        assert_eq!(read(end), read("\n"));
    }
}

#[test]
fn bad_lines_are_all_named() {
    let message = read(b"a | start | d1d7,d7g7 d1d2,d2d3\nb\n | start\na | start\nc | 10/10")
        .expect_err("bad");
    for part in [
        "line 1: move 2 (`d1d2,d2d3`)",
        "line 2",
        "line 3",
        "line 4",
        "line 5",
    ] {
        assert!(message.contains(part), "{part}: {message}");
    }
    assert!(
        read(b"# nothing\n")
            .expect_err("empty")
            .contains("no opening")
    );
}

#[test]
fn the_same_position_is_left_out_and_named() {
    let suite =
        read(b"a | start\nb | 3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1\n").expect("a suite");
    assert_eq!((suite.openings.len(), suite.distinct()), (2, 1));
    assert_eq!(
        (suite.duplicates[0].line, suite.duplicates[0].earlier),
        (2, 1)
    );
}

#[test]
fn the_fixed_suites_read_and_share_no_position() {
    let arena = registry::find("amazons")
        .expect("listed")
        .open(serde_json::json!({}))
        .expect("rules");
    let mut seen = std::collections::HashSet::new();
    for (file, count) in [
        ("amazons-20", 20),
        ("amazons-500", 500),
        ("amazons-confirm", 500),
    ] {
        let path = format!("{}/openings/{file}.txt", env!("CARGO_MANIFEST_DIR"));
        let suite = read(&std::fs::read(&path).expect("the suite")).expect("a suite");
        assert_eq!(
            (suite.openings.len(), suite.duplicates.len()),
            (count, 0),
            "{file}"
        );
        for opening in suite.openings {
            let key = arena
                .symmetry_key(Some(&opening.fen), &opening.moves)
                .expect("checked");
            assert!(seen.insert(key), "{file}: {} is there twice", opening.name);
        }
    }
}

proptest! {
    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        drop(read(&bytes));
    }

    #[test]
    fn random_lines_never_panic(position in "[0-9qQ*/ wb-]{0,60}", moves in "[a-k0-9, ]{0,40}") {
        drop(read(format!("a | {position} | {moves}").as_bytes()));
    }
}

/// B16: lines that differ and positions that do not.
#[test]
fn b16_duplicates_are_dropped_or_kept_by_setting_and_counted_apart() {
    // `b` is `a` with other counters, `c` is `d` by another order of moves.
    let suite = "a | start\n\
        b | 3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 4 9\n\
        c | start | d1d7,d7g7 d10d8,d8f8 g1g2,g2g3\n\
        d | start | g1g2,g2g3 d10d8,d8f8 d1d7,d7g7\n";
    let config = "name = \"t\"\nopenings = \"odd.txt\"\n[game.amazons]\n[limit]\nnodes = 300\n\
        [schedule.head_to_head]\ncandidate = \"new\"\nbase = \"old\"\npairs = 4\n\
        [[engine]]\nname = \"old\"\n[engine.search.alpha_beta]\nhash_mb = 1\n\
        [[engine]]\nname = \"new\"\nextends = \"old\"\n[engine.evaluation]\nt2 = 0.5\n";
    for (setting, note, pairs) in [("drop", "are left out", "2"), ("keep", "are kept", "4")] {
        let bench = Bench::with_openings(1, config);
        bench.write("odd.txt", suite);
        let set = format!("duplicate_openings={setting}");
        let run = bench.start("run", &["--set", &set]).assert().code(0);
        let said = talk(&run);
        assert!(said.contains(note), "{setting}: {said}");
        assert!(
            said.contains("line 2 as line 1, line 4 as line 3"),
            "{said}"
        );
        let summary = rows(&bench.results().join("t-1/summary.csv")).remove(0);
        assert_eq!(cell(&summary, "pairs"), pairs, "{setting}");
        assert_eq!(cell(&summary, "distinct_openings"), "2", "{setting}");
        assert_eq!(cell(&summary, "distinct_pairs"), "2", "{setting}");
        // The effective config is the same run again.
        let again = bench.results().join("t-1/config.toml");
        let other = bench.folder.path().join("again");
        let again = agon()
            .arg("run")
            .arg(again)
            .arg("--results")
            .arg(&other)
            .assert();
        again.code(0);
        let [one, two] = [bench.results(), other].map(|results| {
            std::fs::read_to_string(results.join("t-1/openings.txt")).expect("the suite")
        });
        assert_eq!(one, two, "{setting}");
    }
}
