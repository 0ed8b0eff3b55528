//! `agon solve`: solutions, ranges, and the check of solutions.

use serde_json::Value;

use crate::common::agon;

/// Status, standard output and standard error of `agon solve freecell …`.
fn solve(args: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut command = agon();
    command.args(["solve", "freecell"]).args(args);
    let output = command.write_stdin(input).output().expect("the program");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// What is printed is a solution that can be checked, with a trace or without.
#[test]
fn a_solution_is_printed_and_checked() {
    let (status, solution, talk) = solve(&["1"], "");
    assert_eq!((status, talk.as_str()), (Some(0), ""));
    assert!(solution.contains("# solved: "), "{solution}");
    let (status, traced, _) = solve(&["1", "--trace"], "");
    assert_eq!(status, Some(0));
    assert!(
        traced.lines().count() > 40 && traced.contains("  solved\n"),
        "{traced}"
    );
    for text in [&solution, &traced] {
        let (status, said, _) = solve(&["1", "--check", "-"], text);
        assert_eq!(status, Some(0));
        assert!(said.starts_with("the solution is right: "), "{said}");
    }
    let (status, _, said) = solve(&["2", "--check", "-"], &solution);
    assert_eq!(status, Some(65));
    assert!(
        said.starts_with("error: the solution is wrong: move "),
        "{said}"
    );
}

/// A check tells what is wrong as JSON too, and reads the JSON of a solution.
#[test]
fn a_check_speaks_json() {
    let (_, solution, _) = solve(&["1", "--json"], "");
    let (status, said, _) = solve(&["1", "--check", "-", "--json"], &solution);
    let object: Value = serde_json::from_str(&said).expect("one JSON object");
    assert_eq!(status, Some(0));
    assert_eq!(
        (&object["version"], &object["status"]),
        (&1.into(), &"right".into())
    );
    let (status, said, talk) = solve(&["1", "--check", "-", "--json"], "5a 99");
    assert_eq!(status, Some(65));
    assert!(
        talk.starts_with("error: the solution is wrong: move 2"),
        "{talk}"
    );
    let object: Value = serde_json::from_str(&said).expect("one JSON object");
    assert_eq!(
        (&object["version"], &object["status"]),
        (&1.into(), &"wrong".into())
    );
    assert_eq!(
        (&object["number"], &object["move"]),
        (&2.into(), &"99".into())
    );
    assert_eq!(object["reason"], "this is no move");
}

/// What agon prints of a position may begin with `-`, and is taken back.
#[test]
fn positions_that_begin_with_a_dash_are_taken() {
    let position = "-/KD/QD/KH/-/-/-/- ; - JD - - ; K T Q K";
    for args in [
        &["solve", "freecell", position][..],
        &["solve", "freecell", position, "--json"],
        &["inspect", "freecell", "--position", position],
        &["perft", "freecell", "1", "--position", position],
        &["replay", "--game", "freecell", "--position", position],
    ] {
        agon().args(args).assert().code(0);
    }
}

/// The widest beam allowed left something out, or none did.
#[test]
fn an_exhausted_beam_says_why_no_wider_one_begins() {
    let (_, said, _) = solve(&["11982"], "");
    assert!(said.contains("none was left out"), "{said}");
    let (_, said, _) = solve(&["11982", "--width", "4", "--set", "max_width=4"], "");
    assert!(
        said.contains("max_width or growth allows no wider one"),
        "{said}"
    );
    let (_, said, _) = solve(&["1", "--nodes", "100", "--trace"], "");
    assert!(said.contains("  unfinished\n"), "{said}");
}

/// A limit of memory gives the same rows on any number of workers.
#[test]
fn memory_is_a_matter_of_the_deal_alone() {
    let common = [
        "--range",
        "1..30",
        "--preset",
        "short",
        "--set",
        "memory_mb=2",
    ];
    let with = |workers: &'static str| rows(&[&common[..], &["--workers", workers]].concat());
    assert_eq!(with("1"), with("2"));
}

#[test]
fn a_board_of_another_solver_is_solved() {
    let board = "Foundations: H-0 C-0 D-0 S-0\nFreecells:                \n\
        : JD KD 2S 4C 3S 6D 6S\n: 2D KC KS 5C TD 8S 9C\n: 9H 9S 9D TS 4S 8D 2H\n\
        : JC 5S QD QH TH QS 6H\n: 5D AD JS 4H 8H 6C\n: 7H QC AS AC 2C 3D\n\
        : 7C KH AH 4D JH 8C\n: 5H 3H 3C 7S 7D TC\n";
    let (status, from_board, _) = solve(&["--board", "-"], board);
    assert_eq!(status, Some(0));
    let moves = |text: &str| text.split("# solved").next().map(str::to_owned);
    assert_eq!(moves(&from_board), moves(&solve(&["1"], "").1));
}

#[test]
fn what_is_not_solved_says_so() {
    let (status, said, _) = solve(&["11982"], "");
    assert_eq!(status, Some(4));
    assert!(said.starts_with("# not solved ("), "{said}");
    assert!(!said.contains("unsolvable"));
    let (status, said, _) = solve(&["1", "--nodes", "100"], "");
    assert_eq!(status, Some(4));
    assert!(
        said.starts_with("# not solved (nodes): all states"),
        "{said}"
    );
    let (status, said, _) = solve(&["1", "--nodes", "100", "--json", "--trace"], "");
    assert_eq!(status, Some(4));
    let object: Value = serde_json::from_str(&said).expect("one JSON object");
    assert_eq!(object["status"], "not_solved");
    assert_eq!(object["reason"], "nodes");
    assert_eq!(object["states"], 100);
    assert!(
        object["trace"]
            .as_array()
            .is_some_and(|layers| !layers.is_empty())
    );
}

/// The rows without their times.
fn rows(args: &[&str]) -> Vec<String> {
    let (status, rows, talk) = solve(args, "");
    assert_eq!(status, Some(0), "{talk}");
    assert!(
        talk.contains("deals: ") && talk.contains("states a deal: mean "),
        "{talk}"
    );
    let plain = rows
        .lines()
        .map(|row| row.rsplit_once(',').expect("a row").0.to_owned());
    plain.collect()
}

#[test]
fn a_range_gives_the_same_rows_on_any_number_of_workers() {
    let one = rows(&["--range", "1..30", "--workers", "1"]);
    assert_eq!(one, rows(&["--range", "1..30", "--workers", "3"]));
    assert_eq!(
        one[0],
        "deal,status,reason,moves,cards_moved,states,width,layers,restarts"
    );
    assert_eq!(one.len(), 31);
    for (deal, row) in (1..).zip(&one[1..]) {
        assert!(row.starts_with(&format!("{deal},solved,,")), "{row}");
    }
    let few = rows(&["--range", "30..30", "--nodes", "50"]);
    assert_eq!(few[1..], ["30,not_solved,nodes,,,50,64,2,0"]);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("rows.csv");
    let out = path.to_str().expect("text");
    let (status, nothing, _) = solve(&["--range", "1..3", "--out", out], "");
    assert_eq!((status, nothing.as_str()), (Some(0), ""));
    let written = std::fs::read_to_string(&path).expect("the file");
    assert_eq!(written.lines().count(), 4);
}

#[test]
fn presets_and_weights_change_the_search() {
    let length = |args: &[&str]| {
        let (status, said, talk) = solve(args, "");
        assert_eq!(status, Some(0), "{talk}");
        let object: Value = serde_json::from_str(&said).expect("one JSON object");
        (
            object["states"].as_u64(),
            object["moves"].as_array().map(Vec::len),
        )
    };
    let usual = length(&["5", "--json"]);
    let short = length(&["5", "--json", "--preset", "short"]);
    assert!(
        short.0 > usual.0 && short.1 <= usual.1,
        "{usual:?} {short:?}"
    );
    assert_ne!(length(&["5", "--json", "--width", "10"]).0, usual.0);
    assert_ne!(length(&["5", "--json", "--set", "blocker=-20"]).0, usual.0);
    assert_eq!(length(&["5", "--json", "--width", "64"]), usual);
}

#[test]
fn what_makes_no_sense_is_refused() {
    for (args, status, what) in [
        (&["0"][..], 65, "but this is 0"),
        (&["2147483648"], 65, "but this is 2147483648"),
        (&["what"], 65, "`what` is no card"),
        (
            &["--board", "/no/such/file"],
            74,
            "cannot read `/no/such/file`",
        ),
        (
            &["1", "--check", "/no/such/file"],
            74,
            "cannot read `/no/such/file`",
        ),
        (
            &["--range", "5..2"],
            64,
            "--range 5..2: it ends with 2, before it begins",
        ),
        (&["--range", "0..2"], 64, "`0` is no deal"),
        (&["--range", "7"], 64, "there is no `..`"),
        (
            &["--range", "1..2", "--out", "/no/such/file"],
            74,
            "cannot write `/no/such/file`",
        ),
        (
            &["1", "--preset", "long"],
            64,
            "no preset is called `long`; presets: short (",
        ),
        (&["1", "--set", "burried=3"], 64, "Did you mean `buried`?"),
        (
            &["1", "--set", "width=0"],
            64,
            "must be a whole number from 1 to 1000000",
        ),
        (&["1", "--width", "0"], 64, "1..=1000000"),
        (&[], 64, "required"),
        (&["1", "--range", "1..2"], 64, "cannot be used with"),
        (&["1", "--workers", "2"], 64, "--workers is for --range"),
        (&["1", "--out", "rows.csv"], 64, "--out is for --range"),
        (
            &["--board", "-", "--out", "rows.csv"],
            64,
            "--out is for --range",
        ),
        (
            &["1", "--width", "100", "--set", "max_width=50"],
            64,
            "max_width=50 is less than the width, 100",
        ),
        (
            &[],
            64,
            "agon solve [OPTIONS] <GAME> <DEAL|--board FILE|--range FIRST..LAST>",
        ),
        (&["-/-/KD"], 65, "there are 3 columns"),
    ] {
        let (code, out, said) = solve(args, "");
        assert_eq!(code, Some(status), "{args:?}: {said}");
        assert!(said.contains(what), "{args:?}: {said}");
        assert_eq!(out, "");
    }
    let run = agon().args(["solve", "gomoku", "1"]).assert().code(64);
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(said.contains("solve is for solitaires: freecell"), "{said}");
    let run = agon().args(["bench", "freecell"]).assert().code(64);
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(said.contains("freecell is a solitaire"), "{said}");
}
