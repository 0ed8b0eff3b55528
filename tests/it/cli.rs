//! Commands that look at one position, and exit statuses.

use crate::common::agon;

#[test]
fn perft_counts() {
    agon()
        .args(["perft", "amazons", "1"])
        .assert()
        .success()
        .stdout("2176\n");
}

#[test]
fn inspect_as_json_has_the_documented_fields() {
    let end = "q**1***1*q/****1*****/q*********/*****Q****/***1**1*q*/**********/*Q****1***/Q**3**Q*/1**1******/**3*3* b - - 0 1";
    let output = agon()
        .args(["inspect", "amazons", "--json", "--position", end])
        .assert()
        .success();
    let json: serde_json::Value =
        serde_json::from_slice(&output.get_output().stdout).expect("one JSON object");
    assert_eq!(json["side"], "second");
    assert_eq!(json["outcome"]["winner"], "first");
    assert_eq!(json["legal_moves"], serde_json::json!([]));
    let start = agon()
        .args(["inspect", "amazons", "--json"])
        .assert()
        .success();
    let json: serde_json::Value =
        serde_json::from_slice(&start.get_output().stdout).expect("one JSON object");
    assert_eq!(json["outcome"], serde_json::Value::Null);
    assert_eq!(json["legal_moves"].as_array().map(Vec::len), Some(2176));
}

#[test]
fn mistakes_have_statuses_of_their_own() {
    agon().args(["perft", "amazon", "1"]).assert().code(64);
    agon()
        .args(["perft", "amazons", "1", "--position", "nonsense"])
        .assert()
        .code(65);
    agon().arg("--no-such-flag").assert().code(64);
    agon()
        .args(["run", "/no/such/config.toml"])
        .assert()
        .code(65);
    agon()
        .args(["perft", "amazons", "1", "--rules", "size=9"])
        .assert()
        .code(64);
}

#[test]
fn verify_compares_as_many_positions_as_asked_for() {
    let output = agon()
        .args([
            "verify",
            "amazons",
            "--positions",
            "300",
            "--rules",
            "size=8",
        ])
        .assert()
        .success();
    let text = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    assert!(text.contains("300 positions"), "{text}");
}

/// The line of the signature.
fn signature(more: &[&str]) -> String {
    let output = agon()
        .args(["bench", "amazons", "--depth", "2"])
        .args(more)
        .assert()
        .success();
    let text = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    let line = text.lines().find(|line| line.contains("the signature"));
    line.expect("a line with the signature").to_owned()
}

#[test]
fn bench_has_a_signature_that_changes_with_the_engine() {
    let default = signature(&[]);
    // Whoever changes the search changes this line, and says so in the changelog.
    assert!(default.contains("32413"), "{default}");
    assert_eq!(default, signature(&[]));
    assert_ne!(default, signature(&["--set", "t2=0.5"]));
    assert_ne!(default, signature(&["--set", "mobility_cut=0"]));
    let refused = agon()
        .args(["bench", "amazons", "--set", "fine_move=3"])
        .assert()
        .code(64);
    let talk = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(talk.contains("`fine_moves`"), "{talk}");
}

#[test]
fn bench_writes_a_flame_graph() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("out.svg");
    let shown = path.display().to_string();
    signature(&["--profile", &shown]);
    let graph = std::fs::read_to_string(&path).expect("the flame graph");
    assert!(graph.contains("<svg"), "{}", &graph[..graph.len().min(200)]);
    agon()
        .args([
            "bench",
            "amazons",
            "--depth",
            "1",
            "--profile",
            "/no/such/folder/x.svg",
        ])
        .assert()
        .code(74);
}

/// Nobody may be there to read the message; the status tells the same.
#[cfg(target_os = "linux")]
#[test]
fn a_stderr_that_cannot_be_written_changes_no_status() {
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .expect("the device");
    let status = std::process::Command::new(assert_cmd::cargo::cargo_bin("agon"))
        .args(["run", "/no/such/config.toml"])
        .stderr(full)
        .status()
        .expect("the program starts");
    assert_eq!(status.code(), Some(65));
}

/// A plan of years is described in seconds.
#[test]
fn check_plays_no_long_game() {
    let config = concat!(env!("CARGO_MANIFEST_DIR"), "/configs/quickstart.toml");
    for limit in [
        "limit={time_ms=86400000}",
        "limit={nodes=9000000000000}",
        "limit={depth=60}",
    ] {
        agon()
            .args(["check", config, "--set", limit])
            .timeout(std::time::Duration::from_secs(60))
            .assert()
            .success();
    }
}

#[test]
fn the_built_in_engine_moves_in_no_position_but_the_one_it_was_given() {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(["engine", "amazons"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    let text =
        "uci\nposition startpos moves zz\ngo nodes 10\nposition startpos\ngo nodes 10\nquit\n";
    let mut input = child.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut input, text.as_bytes()).expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8(output.stdout).expect("text");
    let moves: Vec<&str> = said
        .lines()
        .filter(|line| line.starts_with("bestmove"))
        .collect();
    assert_eq!(moves.len(), 2, "{said}");
    assert_eq!(moves[0], "bestmove (none)");
    assert!(moves[1].contains(','), "{said}");
}
