//! Suites: every bad line is named, and odd files read.

use agon::registry;
use proptest::prelude::*;

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
    assert_eq!(suite.openings.len(), 1);
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
