//! Ratings of runs with several pairings.

use crate::common::{Bench, HEAD, cell, rows};

const ENGINES: &str = "[[engine]]\nname = \"one\"\n[engine.search.alpha_beta]\nhash_mb = 1\n\
    [[engine]]\nname = \"two\"\nextends = \"one\"\nlimit = { depth = 2 }\n\
    [[engine]]\nname = \"dice\"\n[engine.search.random]\n\
    [[engine]]\nname = \"idle\"\nextends = \"one\"\n";

fn config(schedule: &str) -> String {
    format!("{HEAD}[limit]\ndepth = 1\n{schedule}{ENGINES}")
}

fn number(row: &[(String, String)], column: &str) -> f64 {
    cell(row, column).parse().expect("a number")
}

#[test]
fn a_round_robin_is_rated_from_its_counted_games() {
    let schedule = "[schedule.round_robin]\nengines = [\"one\", \"two\", \"dice\"]\npairs = 6\n";
    let bench = Bench::new(&config(schedule));
    let run = bench.start("run", &[]).assert().success();
    let text = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    for title in ["ratings ", "superiority ", "cross table "] {
        assert!(text.contains(title), "{text}");
    }
    let folder = bench.results().join("t-1");
    let ratings = rows(&folder.join("ratings.csv"));
    let names: Vec<&str> = ratings.iter().map(|row| cell(row, "variant")).collect();
    // Who plays in no pairing has no row; whoever moves at random is last.
    assert_eq!(names.len(), 3);
    assert_eq!(names[2], "dice");
    let mean: f64 = ratings.iter().map(|row| number(row, "elo")).sum();
    assert!(mean.abs() < 1e-3, "{mean}");
    for (place, row) in ratings.iter().enumerate() {
        assert_eq!(cell(row, "rank"), (place + 1).to_string());
        assert_eq!(number(row, "games"), 24.0);
        assert!(number(row, "elo_low") < number(row, "elo"));
        assert!(number(row, "elo") < number(row, "elo_high"));
        let own = names[place];
        for kind in ["los", "points", "games"] {
            assert_eq!(cell(row, &format!("{kind}:{own}")), "");
        }
        for (other, name) in names.iter().enumerate().filter(|(_, name)| **name != own) {
            let both = |kind: &str| {
                number(row, &format!("{kind}:{name}"))
                    + number(&ratings[other], &format!("{kind}:{own}"))
            };
            assert!((both("los") - 1.0).abs() < 1e-3);
            assert_eq!((both("points"), both("games")), (12.0, 24.0));
        }
    }
    // The points are those of the summary.
    for pairing in rows(&folder.join("summary.csv")) {
        let (candidate, base) = (cell(&pairing, "candidate"), cell(&pairing, "base"));
        let row = ratings.iter().find(|row| cell(row, "variant") == candidate);
        let points = number(
            row.expect("the candidate is rated"),
            &format!("points:{base}"),
        );
        let won = number(&pairing, "wins") + number(&pairing, "draws") / 2.0;
        assert_eq!(points, won);
    }
}

#[test]
fn groups_that_never_met_have_no_ratings() {
    use agon::results::{PairingSpec, RunFile};
    use agon::standing::Standing;

    let bench = Bench::new(&config(
        "[schedule.round_robin]\nengines = [\"one\", \"two\", \"dice\"]\npairs = 1\n",
    ));
    bench.start("run", &[]).assert().success();
    let file = bench.results().join("t-1/run.json");
    let text = std::fs::read_to_string(file).expect("the run file");
    let run: RunFile = serde_json::from_str(&text).expect("a run file");
    let standing = |candidate, base| {
        let pairs = 1;
        let pairing = PairingSpec {
            candidate,
            base,
            pairs,
            first_pair: 0,
        };
        Standing::new(&run.spec, pairing).expect("a rule")
    };
    let unplayed = [standing(1, 0), standing(2, 0)];
    let rated = agon::report::rate_run(&run.spec, &unplayed).expect("two pairings");
    let text = rated.table();
    assert!(text.contains("unknown") && text.contains("0/0"), "{text}");
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    let csv = String::from_utf8(rated.to_csv()).expect("text");
    assert!(csv.contains("\n,one,,,,0,0,0,0,,,"), "{csv}");
    // A single pairing has its Elo in the summary.
    assert!(agon::report::rate_run(&run.spec, &unplayed[..1]).is_none());
}
