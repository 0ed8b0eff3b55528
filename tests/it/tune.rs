//! `agon tune simulate`.

use crate::common::agon;

const SHORT: [&str; 8] = [
    "tune",
    "simulate",
    "--games",
    "600",
    "--replicates",
    "20",
    "--confirm-games",
    "2000",
];

fn printed(more: &[&str], threads: &str) -> String {
    let run = agon()
        .args(SHORT)
        .args(more)
        .env("RAYON_NUM_THREADS", threads)
        .assert()
        .success();
    String::from_utf8_lossy(&run.get_output().stdout).into_owned()
}

/// The cells of the line that begins with `name`.
fn row(text: &str, name: &str) -> Vec<f64> {
    let line = text
        .lines()
        .find(|line| line.trim_start().starts_with(name));
    let cells = line.expect("a line").split_whitespace().skip(1);
    cells
        .map(|cell| cell.trim_end_matches('%').parse().unwrap_or(f64::NAN))
        .collect()
}

#[test]
fn the_table_is_the_same_on_any_number_of_threads() {
    let landscapes = ["--landscape", "quad300,flat,quad300"];
    let text = printed(&landscapes, "1");
    assert_eq!(text, printed(&landscapes, "3"));
    let (steep, flat, mean) = (
        row(&text, "quad300"),
        row(&text, "flat"),
        row(&text, "mean"),
    );
    // The default loses much, and the method a small part of that.
    assert!(steep[0] > 15.0 && steep[1] < steep[0] / 4.0, "{text}");
    assert_eq!(flat[0], 0.0);
    assert!((mean[0] - steep[0] / 2.0).abs() < 0.02, "{text}");
    assert_eq!(text.matches("quad300").count(), 1, "{text}");
}

#[test]
fn every_method_can_be_simulated() {
    for method in ["grid", "spsa", "random"] {
        let text = printed(&["--method", method, "--landscape", "quad100"], "2");
        assert!(text.contains(method), "{text}");
        assert!(row(&text, "quad100")[0] > 0.0, "{text}");
    }
}

#[test]
fn wrong_numbers_are_refused_in_one_line() {
    let wrong: [(&[&str], &str); 4] = [
        (&["--landscape", "quad10"], "Did you mean"),
        (&["--draws", "1.5"], "--draws"),
        (&["--draws", "nan"], "--draws"),
        (&["--games", "20"], "too few"),
    ];
    for (args, said) in wrong {
        let run = agon()
            .args(["tune", "simulate"])
            .args(args)
            .assert()
            .code(64);
        let talk = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(talk.contains(said) && talk.lines().count() == 1, "{talk}");
    }
}
