//! The fuzzers' targets over their committed seeds and all past findings.

#[path = "../fuzz/src/lib.rs"]
mod fuzz;

use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fuzz")
        .join(name)
}

/// The files of a folder; none if it is not there.
fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    files
}

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).expect("a file of the corpus")
}

fn name(path: &Path) -> String {
    path.file_name()
        .expect("a name")
        .to_string_lossy()
        .into_owned()
}

#[test]
fn seeds_are_read_or_refused_as_their_names_say() {
    for (target, run) in fuzz::TARGETS {
        let seeds = files(&folder("seeds").join(target));
        for seed in &seeds {
            let name = name(seed);
            let good = name.starts_with("good-");
            assert!(good || name.starts_with("bad-"), "{target}/{name}");
            assert_eq!(run(&read(seed)), good, "{target}/{name}");
        }
        let starts = |start: &str| seeds.iter().any(|seed| name(seed).starts_with(start));
        assert!(starts("good-") && starts("bad-"), "{target} has seeds");
    }
}

#[test]
fn past_findings_stay_fixed() {
    for (target, run) in fuzz::TARGETS {
        for finding in files(&folder("findings").join(target)) {
            run(&read(&finding));
        }
    }
}

#[test]
fn every_target_has_its_fuzzer() {
    let mut fuzzers: Vec<String> = files(&folder("fuzz_targets"))
        .iter()
        .map(|path| name(path).replace(".rs", ""))
        .collect();
    fuzzers.sort();
    let targets: Vec<&str> = fuzz::TARGETS.iter().map(|(name, _)| *name).collect();
    assert_eq!(fuzzers, targets);
    let manifest = String::from_utf8(read(&folder("Cargo.toml"))).expect("text");
    for target in targets {
        assert!(
            manifest.contains(&format!("name = \"{target}\"")),
            "{target}"
        );
    }
}
