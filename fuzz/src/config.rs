//! Configs: what reads is a plan that can be scheduled, stored and written out again.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use agon::commands::{effective, effective_tuning};
use agon::results::RunFile;
use agon::tune::TuneFile;
use agon::{config, schedule};

use super::says;

/// Where configs find their suite. This file is built in two packages.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let fuzz = package.join("fuzz");
    let fuzz = if fuzz.is_dir() { &fuzz } else { package };
    fuzz.join("folder")
});

/// Reads the bytes as a config beside `folder/suite.txt`, of a run or of a tuning.
pub fn run(data: &[u8]) -> bool {
    plays(data) || tunes(data)
}

/// What reads as a tuning can be begun, stored and written out again.
fn tunes(data: &[u8]) -> bool {
    let read = |data: &[u8]| config::tuning_from_bytes("fuzz.toml", data, &FOLDER, &[]);
    let Some(plan) = says(read(data)) else {
        return false;
    };
    for note in &plan.notes {
        assert!(!note.to_string().is_empty());
    }
    if plan.undeclared.is_empty() {
        plan.spec.begin().expect("a tuning that was checked");
    }
    // What `tune.json` keeps is the tuning.
    let file = TuneFile {
        version: TuneFile::VERSION,
        agon: String::new(),
        program: String::new(),
        spec: plan.spec.clone(),
    };
    let kept = serde_json::to_vec(&file).expect("plain data serialises");
    let back: TuneFile = serde_json::from_slice(&kept).expect("tune.json reads back");
    assert_eq!(file, back);
    // And so is the effective config, whose parameters are known once they are declared.
    let shown = |path: &Option<PathBuf>| match path {
        None => agon::openings::START.to_owned(),
        Some(path) => path.display().to_string(),
    };
    if plan.undeclared.is_empty() {
        let written = effective_tuning(&plan, &shown(&plan.suite), &shown(&plan.confirm_suite));
        let again = read(written.as_bytes()).expect("the effective config reads back");
        assert_eq!(again.spec, plan.spec);
    }
    true
}

fn plays(data: &[u8]) -> bool {
    let read = |data: &[u8]| config::from_bytes("fuzz.toml", data, &FOLDER, &[]);
    let Some(plan) = says(read(data)) else {
        return false;
    };
    for note in &plan.notes {
        assert!(!note.to_string().is_empty());
    }
    let games = schedule::games(&plan.spec);
    assert!(games > 0);
    for job in schedule::jobs(&plan.spec).take(8) {
        assert!(job.opening < plan.spec.openings.len());
        assert!(job.first.max(job.second) < plan.spec.variants.len());
    }
    // What `run.json` keeps is the run.
    let run = RunFile {
        version: RunFile::VERSION,
        agon: String::new(),
        program: String::new(),
        spec: plan.spec.clone(),
    };
    let kept = serde_json::to_vec(&run).expect("plain data serialises");
    let back: RunFile = serde_json::from_slice(&kept).expect("run.json reads back");
    assert_eq!(run.differences(&back), Vec::<String>::new());
    assert_eq!(run.config_hash(), back.config_hash());
    // And so is the effective config.
    let suite = match &plan.suite {
        None => agon::openings::START.to_owned(),
        Some(path) => path.display().to_string(),
    };
    let written = effective(&plan, &suite);
    let again = read(written.as_bytes()).expect("the effective config reads back");
    assert_eq!(again.spec, plan.spec);
    true
}
