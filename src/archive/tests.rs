//! Archives that are not saved, and what is told of changed ones.

use super::*;
use crate::results::GameSpec;
use crate::search::{Score, Signature, SignedPosition};
use toml::Table;

fn new(name: &str, program: &Path) -> NewArchive {
    NewArchive {
        name: name.to_owned(),
        program: program.to_owned(),
        agon: "0".to_owned(),
        commit: "unknown".to_owned(),
        created: "2026-01-01T00:00:00Z".to_owned(),
        rules: None,
        game: GameSpec {
            name: "amazons".to_owned(),
            rules: serde_json::json!({ "size": 10 }),
        },
        search: Table::from_iter([
            ("pvs".to_owned(), true.into()),
            ("hash_mb".to_owned(), 8.into()),
        ]),
        evaluation: Table::from_iter([("t1".to_owned(), 0.5.into())]),
        depth: 1,
    }
}

/// A program that is a script of the shell.
#[cfg(unix)]
fn script(folder: &Path, text: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join("script");
    std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).expect("a temporary file");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("its mode");
    path
}

#[cfg(unix)]
#[test]
fn what_gives_no_signature_is_not_saved_and_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let archives = folder.path().join("archive");
    for (text, expected) in [
        ("echo no such game >&2; exit 64", "no such game"),
        ("echo hello", "does not write what `bench --json` does"),
        ("kill -9 $$", "signal: 9"),
    ] {
        let program = script(folder.path(), text);
        let error = save(&archives, new("a", &program)).expect_err("no signature");
        let ArchiveError::Program { source, .. } = &error else {
            panic!("{error}");
        };
        assert!(source.to_string().contains(expected), "{source}");
        let left = std::fs::read_dir(&archives).expect("the folder").count();
        assert_eq!(left, 0);
    }
    let missing = folder.path().join("missing");
    let error = save(&archives, new("a", &missing)).expect_err("no program");
    assert!(matches!(error, ArchiveError::Io { .. }), "{error}");
    assert_eq!(names(&archives).expect("a folder"), Vec::<String>::new());
}

#[cfg(unix)]
#[test]
fn what_is_saved_can_be_read_and_is_never_overwritten() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let archives = folder.path().join("archive");
    let output = r#"{"depth":1,"more":0,"positions":[{"position":"p","depth":1,"nodes":7,"move":"m","score":-5}]}"#;
    // It sees its parameters as it will when it is verified.
    let text = format!(
        "[ \"$*\" = 'bench amazons --json --depth 1 --set hash_mb=8 --set pvs=true --set t1=0.5' ] \
         && echo '{output}'"
    );
    let program = script(folder.path(), &text);
    let saved = save(&archives, new("a", &program)).expect("saved");
    assert_eq!(saved.manifest().signature.nodes(), 7);
    saved.verify().expect("as saved");
    let options = saved.manifest().settings.uci_options();
    let options: Vec<(&str, &str)> = options
        .iter()
        .map(|(n, v)| (n.as_str(), v.as_str()))
        .collect();
    assert_eq!(options, [("Hash", "8"), ("pvs", "true"), ("t1", "0.5")]);
    // What a killed save leaves is no archive.
    std::fs::create_dir(archives.join(".agon-aaaaaa.tmp")).expect("a folder");
    assert_eq!(names(&archives).expect("a folder"), ["a"]);
    let before = std::fs::read(archives.join("a/archive.json")).expect("a file");
    let error = save(&archives, new("a", &script(folder.path(), "exit 1"))).expect_err("taken");
    assert!(matches!(error, ArchiveError::Exists(_)), "{error}");
    assert_eq!(
        std::fs::read(archives.join("a/archive.json")).expect("a file"),
        before
    );
    // A file is in the way as much as a folder.
    std::fs::write(archives.join("b"), "").expect("a file");
    let error = save(&archives, new("b", &program)).expect_err("taken");
    assert!(matches!(error, ArchiveError::Exists(_)), "{error}");
}

fn signature() -> Signature {
    let position = |nodes| SignedPosition {
        position: "fen".to_owned(),
        nodes,
        mv: "a1a2".to_owned(),
        score: Some(Score(10)),
    };
    Signature {
        depth: 2,
        positions: vec![position(5), position(6)],
    }
}

#[test]
fn each_part_of_a_signature_counts() {
    let saved = signature();
    assert_eq!(saved.differences(&signature(), "was"), Vec::<String>::new());
    /// What is changed, and what is told of it.
    type Change = (fn(&mut Signature), &'static str);
    let changes: [Change; 6] = [
        (
            |s| s.positions[1].nodes = 7,
            "position 2 (`fen`): 7 nodes, was 6",
        ),
        (
            |s| s.positions[0].mv = "b1b2".to_owned(),
            "position 1 (`fen`): move b1b2, was a1a2",
        ),
        (
            |s| s.positions[0].score = None,
            "position 1 (`fen`): score none, was 10",
        ),
        (
            |s| s.positions[0].position = "other".to_owned(),
            "position 1 (`fen`): it is `other` now",
        ),
        (|s| s.depth = 3, "depth: 3, was 2"),
        (|s| drop(s.positions.pop()), "positions: 1, was 2"),
    ];
    for (change, expected) in changes {
        let mut now = signature();
        change(&mut now);
        assert_eq!(saved.differences(&now, "was"), [expected]);
    }
}

#[test]
fn a_file_of_another_engine_is_refused() {
    /// An edit of the file, and what is told of it.
    type Edit = (fn(&str) -> String, &'static str);
    let game = new("a", Path::new("p")).game;
    let text = |change: fn(&str) -> String| {
        let new = new("a", Path::new("p"));
        change(&engine_file::write(
            "a",
            &new.game,
            new.search,
            new.evaluation,
        ))
    };
    let read = |text: String| engine_file::read(&text, &game);
    let saved = read(text(str::to_owned)).expect("what was written");
    let refused: [Edit; 5] = [
        (
            |text| text.replace("size = 10", "size = 8"),
            "not the one that was saved",
        ),
        (
            |text| text.replace("game.amazons", "game.chess"),
            "not the one that was saved",
        ),
        (
            |text| text.replace("true", "\"on\""),
            "`pvs` is neither a number nor true or false",
        ),
        (|text| text.replace("alpha_beta", "greedy"), "greedy"),
        (
            |text| format!("{text}\n{}", &text[text.find("\n[[").unwrap_or(0)..]),
            "2 engines, not one",
        ),
    ];
    for (change, expected) in refused {
        let error = read(text(change)).expect_err(expected);
        assert!(error.contains(expected), "{error}");
    }
    let changed: [Edit; 4] = [
        (
            |text| text.replace("0.5", "0.25"),
            "evaluation.t1 is 0.25 in engine.toml, saved as 0.5",
        ),
        (
            |text| text.replace("t1 = 0.5", ""),
            "evaluation.t1 is not in engine.toml, saved as 0.5",
        ),
        (
            |text| text.replace("t1", "t2 = 1\nt1"),
            "evaluation.t2 is 1 in engine.toml, but was not saved",
        ),
        (
            |text| text.replace("true", "false"),
            "search.pvs is false in engine.toml, saved as true",
        ),
    ];
    for (change, expected) in changed {
        let now = read(text(change)).expect("an engine");
        assert_eq!(saved.differences(&now), [expected]);
    }
}
