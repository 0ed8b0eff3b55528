//! What a run says while it is played: lines for programs, silence on request.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::common::{Bench, HEAD, talk};

const REST: &str = "workers = 2\n[limit]\nnodes = 500\n\
    [[engine]]\nname = \"old\"\n[engine.search.alpha_beta]\nhash_mb = 1\n\
    [[engine]]\nname = \"new\"\nextends = \"old\"\n[engine.evaluation]\nt2 = 0.5\n\
    [[engine]]\nname = \"third\"\nextends = \"old\"\n[engine.evaluation]\nt2 = 0.2\n";

fn bench(pairs: u32) -> Bench {
    let schedule = format!("[schedule.gauntlet]\nbase = \"old\"\npairs = {pairs}\n");
    let (workers, engines) = REST.split_once('\n').expect("two lines or more");
    Bench::new(&format!("{workers}\n{HEAD}{schedule}{engines}"))
}

fn events(stdout: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(stdout).expect("UTF-8");
    assert!(text.ends_with('\n') && !text.contains('\u{1b}'), "{text}");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("an object a line"))
        .collect()
}

fn keys(value: &Value) -> BTreeSet<String> {
    value
        .as_object()
        .expect("an object")
        .keys()
        .cloned()
        .collect()
}

/// The words in code font of the page's line that begins with these words.
fn documented(begins: &str) -> BTreeSet<String> {
    let page = include_str!("../../docs/events.md");
    let at = page.find(begins).expect("the page says so");
    let paragraph = page[at..].split("\n\n").next().expect("a paragraph");
    let line = if begins.starts_with('|') {
        paragraph.lines().next().expect("a line")
    } else {
        paragraph
    };
    line.split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_event_is_a_documented_object_and_nothing_else_is_said() {
    let bench = bench(2);
    let run = bench.start("run", &["--json", "--quiet"]).assert().code(0);
    assert_eq!(talk(&run), "");
    let events = events(&run.get_output().stdout);
    let names: Vec<&str> = events
        .iter()
        .map(|event| event["event"].as_str().expect("its name"))
        .collect();
    assert_eq!(names[0], "started");
    assert_eq!(names[names.len() - 2..], ["ended", "summary"]);
    assert_eq!(
        names
            .iter()
            .filter(|name| **name == "game_finished")
            .count(),
        8
    );
    assert_eq!(names.iter().filter(|name| **name == "decided").count(), 2);
    let common = BTreeSet::from(["version", "event"].map(str::to_owned));
    for event in &events {
        assert_eq!(event["version"], 1);
        let name = event["event"].as_str().expect("its name");
        let known = documented(&format!("| `{name}` |"));
        let found: BTreeSet<String> = keys(event).difference(&common).cloned().collect();
        assert!(found.is_subset(&known), "{name}: {found:?} {known:?}");
        if let Some(standing) = event.get("standing") {
            let known = documented("A `standing` is");
            assert!(keys(standing).is_subset(&known), "{standing}");
        }
    }
    // The last game of the events is the last row, and the summary is that of the file.
    let last = events
        .iter()
        .rfind(|event| event["event"] == "game_finished");
    assert_eq!(last.expect("games")["games_done"], 8);
    let summary = &events[events.len() - 1];
    let rows = crate::common::rows(&bench.results().join("t-1/summary.csv"));
    for (pairing, row) in summary["pairings"]
        .as_array()
        .expect("a list")
        .iter()
        .zip(&rows)
    {
        for (column, cell) in row {
            let value = match &pairing[column] {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                Value::Number(number) => {
                    let (found, cell) = (number.as_f64(), cell.parse::<f64>().ok());
                    assert_eq!(found, cell, "{column}");
                    continue;
                }
                other => other.to_string(),
            };
            assert_eq!(value, *cell, "{column}");
        }
    }
    assert_eq!(summary["pairings"].as_array().map(Vec::len), Some(2));
    assert_eq!(summary["ratings"].as_array().map(Vec::len), Some(3));
}

#[test]
fn quiet_leaves_the_tables_and_nothing_on_stderr() {
    let bench = bench(1);
    let run = bench.start("run", &["--quiet"]).assert().code(0);
    assert_eq!(talk(&run), "");
    assert!(!run.get_output().stdout.is_empty());
}

#[test]
fn a_run_stops_after_its_time_and_the_same_command_goes_on() {
    let bench = bench(4);
    let stopped = bench
        .start("run", &["--json", "--stop-after", "0s"])
        .assert()
        .code(3);
    let said = talk(&stopped);
    assert!(
        said.contains("the time is up: the games in play are finished"),
        "{said}"
    );
    let events = events(&stopped.get_output().stdout);
    let stopping = events.iter().find(|event| event["event"] == "stopping");
    let stopping = stopping.expect("it stops");
    assert_eq!(stopping["reason"], "time_is_up");
    assert_eq!(stopping["finishing_games"], true);
    // The games in play were finished, and count.
    let done = bench.rows_on_disk("t-1");
    assert!((1..16).contains(&done), "{done}");
    let ended = events.iter().find(|event| event["event"] == "ended");
    assert_eq!(ended.expect("it ends")["games_done"], done);
    bench.start("run", &[]).assert().code(0);
    assert_eq!(bench.rows_on_disk("t-1"), 16);
}

#[test]
fn a_stop_time_that_is_none_is_refused_with_the_text() {
    let bench = bench(1);
    let refused = bench
        .start("run", &["--stop-after", "soon"])
        .assert()
        .code(64);
    assert!(talk(&refused).contains("'soon'"), "{}", talk(&refused));
}
