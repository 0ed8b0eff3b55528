//! Archived engines: saved, verified, listed, and as opponents.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use agon::params::ParameterKind;
use agon::registry;
use agon::search::SearchKind;

use crate::common::{agon, cell, rows, talk};

/// A folder with an archive of the default engine of every game that has one, named after it.
/// Tests share it, since the program of a test build is large, and change nothing in it.
fn saved() -> &'static Path {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for game in games() {
            agon()
                .args(["archive", "save", game, game, "--depth", "1", "--archive"])
                .arg(folder.path())
                .assert()
                .success();
        }
        folder
    });
    folder.path()
}

fn games() -> impl Iterator<Item = &'static str> {
    let own = registry::games()
        .iter()
        .filter(|entry| entry.has_own_engine);
    own.map(|entry| entry.name)
}

/// A copy of the archive of Amazons under `folder`, whose files may be replaced.
fn copy(folder: &Path) -> PathBuf {
    let copy = folder.join("amazons");
    fs::create_dir_all(&copy).expect("a folder");
    let from = saved().join("amazons");
    fs::hard_link(from.join("agon"), copy.join("agon")).expect("the same file");
    for file in ["engine.toml", "archive.json"] {
        fs::copy(from.join(file), copy.join(file)).expect("a file");
    }
    copy
}

/// The signature is of the rules that are kept, and the base of a tuning can be kept.
#[test]
fn other_rules_have_a_signature_of_their_own() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let config = folder.path().join("tune.toml");
    fs::write(
        &config,
        "name = \"t\"\nopenings = \"start\"\n[game.amazons]\nsize = 8\n[limit]\ntime_ms = 9\n\
         [tune]\nbase = \"b\"\nmethod.zoom = { games = 400 }\n[[tune.parameter]]\nname = \"t2\"\n\
         low = 0\nhigh = 4\n[[engine]]\nname = \"b\"\n[engine.search.alpha_beta]\nhash_mb = 1\n",
    )
    .expect("a config");
    let positions = |name: &str| -> Vec<String> {
        let text = fs::read(folder.path().join(name).join("archive.json")).expect("a file");
        let json: serde_json::Value = serde_json::from_slice(&text).expect("JSON");
        let all = json["signature"]["positions"]
            .as_array()
            .expect("positions");
        all.iter().map(|one| one["position"].to_string()).collect()
    };
    let sources: [(&str, Vec<&std::ffi::OsStr>); 3] = [
        ("plain", vec!["amazons".as_ref()]),
        (
            "small",
            vec!["amazons".as_ref(), "--rules".as_ref(), "size=8".as_ref()],
        ),
        (
            "tuned",
            vec![config.as_os_str(), "--variant".as_ref(), "b".as_ref()],
        ),
    ];
    for (name, source) in &sources {
        agon()
            .args(["archive", "save", name])
            .args(source)
            .args(["--depth", "1", "--archive"])
            .arg(folder.path())
            .assert()
            .success();
        let done = verify(folder.path(), name).success();
        let shown = String::from_utf8_lossy(&done.get_output().stdout).into_owned();
        assert!(
            shown.contains("this build has the same signature"),
            "{shown}"
        );
    }
    let (plain, small) = (positions("plain"), positions("small"));
    assert!(
        small.len() > 3 && small.iter().all(|one| !plain.contains(one)),
        "{small:?}"
    );
    assert_eq!(small, positions("tuned"));
    // A path is an archive's name too, as in configs.
    let path = folder.path().join("small");
    agon()
        .args(["archive", "verify"])
        .arg(path)
        .assert()
        .success();
}

fn verify(folder: &Path, name: &str) -> assert_cmd::assert::Assert {
    agon()
        .args(["archive", "verify", name, "--archive"])
        .arg(folder)
        .assert()
}

/// Replaces a text of a file, which must be there.
fn replace(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).expect("a file");
    assert!(text.contains(from), "{text}");
    fs::write(path, text.replace(from, to)).expect("a file");
}

fn out(assert: &assert_cmd::assert::Assert) -> String {
    String::from_utf8_lossy(&assert.get_output().stdout).into_owned()
}

#[test]
fn an_archive_is_verified_and_listed() {
    for game in games() {
        let said = out(&verify(saved(), game).success());
        assert!(said.contains("has the same signature: nodes"), "{said}");
        assert!(said.contains("this build has the same signature"), "{said}");
    }
    let listed = agon()
        .args(["archive", "list", "--archive"])
        .arg(saved())
        .assert()
        .success();
    let listed = out(&listed);
    for game in games() {
        assert!(listed.contains(&format!("\n{game} ")), "{listed}");
    }
    let nothing = saved().join("nothing");
    let empty = agon()
        .args(["archive", "list", "--archive"])
        .arg(nothing)
        .assert();
    assert!(out(&empty.success()).starts_with("no archives in"));
}

#[test]
fn an_archive_holds_what_a_config_says_of_a_variant() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let config = folder.path().join("c.toml");
    fs::write(
        &config,
        "name = \"t\"\nopenings = \"start\"\n[limit]\nnodes = 10\n[game.amazons]\nsize = 8\n\
         [schedule.head_to_head]\ncandidate = \"a\"\nbase = \"b\"\npairs = 1\n\
         [[engine]]\nname = \"a\"\nevaluation = { t2 = 0.25 }\n[engine.search.alpha_beta]\nfine_moves = 7\n\
         [[engine]]\nname = \"b\"\n[engine.search.greedy]\n",
    )
    .expect("a file");
    let save = |name: &str, more: &[&str]| {
        agon()
            .args(["archive", "save", name])
            .arg(&config)
            .args(["--depth", "1", "--archive"])
            .arg(folder.path())
            .args(more)
            .assert()
    };
    save(
        "mine",
        &["--variant", "a", "--set", "engine.a.evaluation.t1=0.75"],
    )
    .success();
    let text = fs::read_to_string(folder.path().join("mine/engine.toml")).expect("a file");
    for line in [
        "size = 8",
        "t1 = 0.75",
        "t2 = 0.25",
        "fine_moves = 7",
        "pvs = true",
    ] {
        assert!(
            text.lines().any(|written| written == line),
            "{line}: {text}"
        );
    }
    verify(folder.path(), "mine").success();
    for (more, expected) in [
        (
            &["--variant", "b"][..],
            "only alpha_beta can be asked from outside",
        ),
        (&["--variant", "aa"], "Did you mean `a`? Engines: a, b"),
        (
            &[],
            "name the variant of the config with --variant, one of a, b",
        ),
    ] {
        let refused = save("other", more).code(64);
        assert!(talk(&refused).contains(expected), "{}", talk(&refused));
    }
    let chess = ["archive", "save", "c", "chess", "--archive"];
    let refused = agon().args(chess).arg(folder.path()).assert().code(64);
    assert!(talk(&refused).contains("chess has no built-in engine"));
    assert!(!folder.path().join("other").exists() && !folder.path().join("c").exists());
}

#[test]
fn a_damaged_program_and_edited_parameters_are_told() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let copied = copy(folder.path());
    verify(folder.path(), "amazons").success();
    replace(&copied.join("engine.toml"), "t1 = ", "t1 = 1");
    let told = talk(&verify(folder.path(), "amazons").code(65));
    assert!(told.contains("evaluation.t1 is 1"), "{told}");
    assert!(told.contains("in engine.toml, saved as"), "{told}");
    // A program that is not the one that was saved is not run at all.
    let ran = folder.path().join("ran");
    let program = copied.join("agon");
    fs::remove_file(&program).expect("a file");
    fs::write(&program, format!("#!/bin/sh\ntouch {}\n", ran.display())).expect("a file");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("a mode");
    let told = talk(&verify(folder.path(), "amazons").code(65));
    assert!(
        told.contains("agon` has the SHA-256") && told.contains("saved as"),
        "{told}"
    );
    assert!(!ran.exists(), "it was run");
    // What cannot be read says where.
    fs::write(copied.join("archive.json"), "{}").expect("a file");
    let told = talk(&verify(folder.path(), "amazons").code(65));
    assert!(
        told.contains("amazons/archive.json`: missing field"),
        "{told}"
    );
}

#[test]
fn a_changed_engine_is_caught_by_position_nodes_and_move() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let copied = copy(folder.path());
    // Another build with the same face: the same program with another weight.
    let program = copied.join("agon");
    let real = copied.join("real");
    fs::rename(&program, &real).expect("a file");
    let script = format!("#!/bin/sh\nexec {} \"$@\" --set t2=0\n", real.display());
    fs::write(&program, script).expect("a file");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("a mode");
    let manifest = copied.join("archive.json");
    let saved = fs::read_to_string(&manifest).expect("a file");
    let saved: serde_json::Value = serde_json::from_str(&saved).expect("JSON");
    let was = saved["program"].as_str().expect("a text");
    let now = agon::results::sha256_file(&program).expect("a file");
    replace(&manifest, was, &now);
    let told = talk(&verify(folder.path(), "amazons").code(65));
    let first = &saved["signature"]["positions"][0];
    let line = format!(
        "position 1 (`{}`): ",
        first["position"].as_str().unwrap_or_default()
    );
    assert!(told.contains(&line), "{told}");
    let was = format!(", saved as {}", first["move"].as_str().unwrap_or_default());
    assert!(told.contains(&was), "{told}");
    // A program that does not know a parameter any more says so itself.
    let script = format!("#!/bin/sh\nexec {} \"$@\" --set t7=0\n", real.display());
    fs::write(&program, script).expect("a file");
    let later = agon::results::sha256_file(&program).expect("a file");
    replace(&manifest, &now, &later);
    let told = talk(&verify(folder.path(), "amazons").code(69));
    assert!(told.contains("unknown parameter `t7`"), "{told}");
}

#[test]
fn names_that_are_no_folders_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let long = "x".repeat(201);
    let bad = [
        "", " ", ".", "..", ".hidden", "a/b", "/tmp/x", "a\\b", "a\nb", &long,
    ];
    for name in bad {
        let refused = agon()
            .args([
                "archive",
                "save",
                name,
                "amazons",
                "--depth",
                "1",
                "--archive",
            ])
            .arg(folder.path())
            .assert()
            .code(64);
        let told = talk(&refused);
        assert!(told.contains("the archive's name"), "{name:?}: {told}");
        // Nor is anything outside looked at.
        verify(folder.path(), name).code(64);
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn a_name_that_is_taken_or_missing_is_told() {
    let before = fs::read(saved().join("amazons/archive.json")).expect("a file");
    let save = [
        "archive",
        "save",
        "amazons",
        "gomoku",
        "--depth",
        "1",
        "--archive",
    ];
    let refused = agon().args(save).arg(saved()).assert().code(73);
    assert!(talk(&refused).contains("is there already"));
    let after = fs::read(saved().join("amazons/archive.json")).expect("a file");
    assert_eq!(before, after);
    let told = talk(&verify(saved(), "amazon").code(64));
    assert!(
        told.contains("did you mean `amazons`? (amazons, "),
        "{told}"
    );
}

/// A folder with the archives where a config finds them, and a config of a pair of games of the
/// default engine against `opponent`, at 300 nodes a move.
fn against(game: &str, rules: &str, opponent: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir(folder.path().join("results")).expect("a folder");
    symlink(saved(), folder.path().join("results/archive")).expect("a link");
    let config = format!(
        "name = \"t\"\nopenings = \"start\"\n[limit]\nnodes = 300\n[game.{game}]\n{rules}\n\
         [schedule.head_to_head]\ncandidate = \"new\"\nbase = \"old\"\npairs = 1\n\
         [[engine]]\nname = \"new\"\n[engine.search.alpha_beta]\n\
         [[engine]]\nname = \"old\"\n{opponent}\n"
    );
    fs::write(folder.path().join("c.toml"), config).expect("a file");
    folder
}

fn run(folder: &Path) -> assert_cmd::assert::Assert {
    agon().current_dir(folder).args(["run", "c.toml"]).assert()
}

#[test]
fn an_archived_engine_moves_like_the_built_in_one() {
    for (game, rules) in [
        ("amazons", "size = 8"),
        ("gomoku", "size = 9\nrule = \"standard\""),
    ] {
        let folder = against(game, rules, &format!("archived = \"{game}\""));
        run(folder.path()).success();
        let games = rows(&folder.path().join("results/t-1/games.csv"));
        assert_eq!(games.len(), 2);
        // Move, score (where UCI can say it), depth and nodes.
        let moves = |game: &[(String, String)]| -> Vec<String> {
            let without_time = |mv: &str| {
                let parts: Vec<&str> = mv.split(':').collect();
                format!("{} {} {}", parts[0], parts[2], parts[3])
            };
            cell(game, "moves").split(' ').map(without_time).collect()
        };
        let (one, two) = (moves(&games[0]), moves(&games[1]));
        assert!(one.len() > 8, "{one:?}");
        assert_eq!(
            one, two,
            "{game}: the sides are swapped, the engine is the same"
        );
    }
}

#[test]
fn every_parameter_is_an_option_of_the_engine() {
    for game in games() {
        let said = agon()
            .args(["engine", game])
            .write_stdin("uci\nquit\n")
            .assert()
            .success();
        let said = out(&said);
        let arena = registry::find(game)
            .expect("listed")
            .open(serde_json::json!({}))
            .expect("the default rules");
        let own = arena.own().expect("an engine");
        let mut declared = own.search_parameters(SearchKind::AlphaBeta);
        declared.extend(own.evaluation_parameters());
        let mut names = Vec::new();
        for parameter in declared {
            let name = if parameter.name == "hash_mb" {
                "Hash"
            } else {
                &parameter.name
            };
            let kind = match parameter.kind {
                ParameterKind::Switch => "check",
                ParameterKind::Integer => "spin",
                ParameterKind::Real => "string",
            };
            let option = format!("option name {name} type {kind} ");
            assert_eq!(said.matches(&option).count(), 1, "{game}: {option}\n{said}");
            names.push(name.to_lowercase());
        }
        // An option's name has no case, and says not whose it is.
        names.sort();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count, "{game}: {names:?}");
    }
}

#[test]
fn a_config_says_what_is_wrong_with_an_archive() {
    for (opponent, expected) in [
        ("archived = \"amazn\"", "no archive is called `amazn`"),
        ("archived = \"amazn\"", "did you mean `amazons`?"),
        ("archived = \"../x\"", "cannot read"),
        (
            "archived = \"gomoku\"",
            "plays gomoku, and this config is of amazons",
        ),
        (
            "archived = \"amazons\"\ncommand = \"sh\"",
            "is archived or has a command, not both",
        ),
        (
            "archived = \"amazons\"\nsearch = { greedy = {} }",
            "a search or a command, not both",
        ),
    ] {
        let folder = against("amazons", "size = 8", opponent);
        let told = talk(&run(folder.path()).code(65));
        assert!(told.contains(expected), "{told}");
        assert!(
            told.contains("c.toml:16:") || told.contains("c.toml:17:"),
            "{told}"
        );
    }
    // By a path, changed since it was saved.
    let folder = against("amazons", "size = 8", "archived = \"./amazons\"");
    let copied = copy(folder.path());
    agon()
        .arg("check")
        .arg(folder.path().join("c.toml"))
        .assert()
        .success();
    replace(&copied.join("engine.toml"), "t1 = ", "t1 = 1");
    let told = talk(&run(folder.path()).code(65));
    assert!(
        told.contains("is not what was saved: evaluation.t1 is 1"),
        "{told}"
    );
}
