//! Opening books of built-in engines, from the config to the record.

use std::fs;

use serde_json::Value;

use crate::common::{Bench, agon, cell, rows, talk};

const BOOK: &str = "# position | move | weight\nstart | h3e3 | 1\nstart | c4c5 | 1\nstart | g1e3 | 1\n\
    rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b | h10g8 | 1\n";

/// Both engines have the book but for what `own` says of the second.
fn config(own: &str) -> String {
    format!(
        "name = \"t\"\nopenings = \"start\"\nworkers = 1\ngame.xiangqi = {{}}\nlimit = {{ nodes = 200 }}\n\
         adjudication.max_plies = 12\n\
         schedule.head_to_head = {{ base = \"a\", candidate = \"b\", pairs = 6 }}\n\
         [[engine]]\nname = \"a\"\nbook = \"book.txt\"\nsearch.alpha_beta = {{ hash_mb = 1 }}\n\
         [[engine]]\nname = \"b\"\nextends = \"a\"\n{own}\n"
    )
}

fn bench(own: &str) -> Bench {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let bench = Bench { folder };
    bench.write("c.toml", &config(own));
    bench.write("book.txt", BOOK);
    bench
}

/// The first moves of all games, each with whether nothing was searched for it.
fn first_moves(bench: &Bench) -> Vec<(String, bool)> {
    let of_game = |row: &Vec<(String, String)>| {
        let word = cell(row, "moves")
            .split(' ')
            .next()
            .expect("a move")
            .to_owned();
        let mut parts = word.split(':');
        let mv = parts.next().expect("a move").to_owned();
        (mv, parts.next() == Some("") && parts.next() == Some(""))
    };
    bench.games("t-1").iter().map(of_game).collect()
}

#[test]
fn a_book_is_played_by_whoever_has_it_and_stands_in_the_run() {
    let bench = bench("book = false");
    bench.start("run", &["--quiet"]).assert().success();
    let games = bench.games("t-1");
    let first = first_moves(&bench);
    let mut kinds = std::collections::BTreeSet::new();
    for (row, (mv, is_unsearched)) in games.iter().zip(&first) {
        let with_book = cell(row, "first") == "a";
        assert_eq!(with_book, *is_unsearched, "{mv} {}", cell(row, "moves"));
        if with_book {
            assert!(["h3e3", "c4c5", "g1e3"].contains(&mv.as_str()), "{mv}");
            kinds.insert(mv.clone());
        }
    }
    assert!(kinds.len() > 1, "{kinds:?}");
    let run = fs::read_to_string(bench.results().join("t-1/run.json")).expect("the run");
    let run: Value = serde_json::from_str(&run).expect("JSON");
    let text = run.to_string();
    assert_eq!(text.matches("\"book\":").count(), 1, "{text}");
    assert!(text.contains("\"move\":\"c4c5\""), "{text}");
    // The effective config has the book too, and makes the same run.
    let folder = bench.results().join("t-1");
    let effective = fs::read_to_string(folder.join("config.toml")).expect("the config");
    assert!(effective.contains("| c4c5 | 1"), "{effective}");
    let again = agon()
        .args(["run", "--quiet", "config.toml", "--results", "again"])
        .current_dir(&folder)
        .assert();
    again.success();
    let plan = |row: &Vec<(String, String)>| cell(row, "config").to_owned();
    let other = rows(&folder.join("again/t-1/games.csv"));
    assert_eq!(plan(&other[0]), plan(&games[0]));
    // Nodes a move are those of searched moves only.
    for row in &games {
        for side in ["first", "second"] {
            let mean: f64 = cell(row, &format!("{side}_nodes_per_move"))
                .parse()
                .expect("a mean");
            assert!(mean > 100.0, "{mean}");
        }
    }
}

#[test]
fn a_book_with_a_choice_makes_games_of_one_opening_differ() {
    // No noise, and nodes for a limit: without a book all games of the start are one.
    let same = bench("book = [\"start | h3e3 | 1\"]");
    let other = bench("");
    let note = |bench: &Bench| talk(&bench.start("run", &[]).assert().success());
    let (_, choice) = (note(&same), note(&other));
    let games: std::collections::BTreeSet<String> = other
        .games("t-1")
        .iter()
        .map(|row| {
            cell(row, "moves")
                .split(' ')
                .next()
                .expect("a move")
                .to_owned()
        })
        .collect();
    assert!(games.len() > 1, "{games:?} {choice}");
}

#[test]
fn a_run_goes_on_with_its_book_only() {
    let bench = bench("");
    bench.start("run", &["--quiet"]).assert().success();
    let journal = bench.results().join("t-1/games.csv");
    let text = fs::read_to_string(&journal).expect("the journal");
    let kept: Vec<&str> = text.lines().take(4).collect();
    fs::write(&journal, kept.join("\n") + "\n").expect("the journal");
    bench.write("book.txt", &BOOK.replace("c4c5 | 1", "c4c5 | 2"));
    let refused = bench.start("run", &["--quiet"]).assert().failure();
    assert!(talk(&refused).contains("book"), "{}", talk(&refused));
    // Comments and the order of lines are no other book.
    let turned: Vec<&str> = BOOK.lines().rev().collect();
    bench.write("book.txt", &(turned.join("\n") + "\n# the same\n"));
    bench.start("run", &["--quiet"]).assert().success();
    assert_eq!(
        fs::read_to_string(&journal)
            .expect("the journal")
            .lines()
            .count(),
        13
    );
}

#[test]
fn a_book_move_is_shown_as_such() {
    let bench = bench("");
    bench.start("run", &["--quiet"]).assert().success();
    let games = bench.games("t-1");
    let replay = |id: &str, ply: &str, more: &[&str]| {
        let done = agon()
            .args(["replay", "t-1", id, "--ply", ply, "--results"])
            .arg(bench.results())
            .args(more)
            .assert()
            .success();
        String::from_utf8_lossy(&done.get_output().stdout).into_owned()
    };
    for row in &games {
        let id = cell(row, "id");
        let text = replay(id, "0", &[]);
        assert!(text.contains("is from the book"), "{text}");
        // Later searches are those of the game, though the book's moves were not searched.
        let later: Value = serde_json::from_str(&replay(id, "4", &["--json"])).expect("JSON");
        assert_eq!(later["search"]["as_recorded"], true, "{later}");
        assert_eq!(later["from_book"], false);
        let first: Value = serde_json::from_str(&replay(id, "0", &["--json"])).expect("JSON");
        assert_eq!(first["search"], Value::Null);
        assert_eq!(first["from_book"], true);
        assert!(replay(id, "0", &["--depth", "1"]).contains("depth 1"));
    }
}

#[test]
fn what_cannot_have_a_book_is_refused() {
    let program = "command = \"sh\"\nbook = \"book.txt\"";
    for (own, what) in [
        (program, "`book` is for a search of agon's own"),
        ("book = \"none.txt\"", "cannot read the book"),
        ("book = true", "false for no book"),
        (
            "book = [\"start | h3e3 | 1\", \"start | h3e9 | 1\"]",
            "line 2: illegal move `h3e9`",
        ),
        ("book = []", "no entry in it"),
    ] {
        let bench = bench(own);
        let refused = bench.start("run", &["--quiet"]).assert().code(65);
        let told = talk(&refused);
        assert!(told.contains(what) && told.contains("c.toml:"), "{told}");
    }
    // Another program does not inherit one.
    let inherits = bench("command = \"sh\"");
    let told = talk(&inherits.start("check", &[]).assert().failure());
    assert!(!told.contains("`book`"), "{told}");
    let bench = bench("book = false");
    let save = |variant: &str| {
        let mut save = agon();
        save.args([
            "archive",
            "save",
            "kept",
            "--variant",
            variant,
            "--depth",
            "1",
        ])
        .arg(bench.config())
        .current_dir(bench.folder.path());
        save.assert()
    };
    assert!(talk(&save("a").failure()).contains("has an opening book"));
    save("b").success();
}
