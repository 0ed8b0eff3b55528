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
