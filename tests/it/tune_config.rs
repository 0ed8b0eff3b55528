//! Configs with [tune]: what is refused, with its place and what to do, and the plan in words.

use crate::common::{Bench, agon, talk};
use crate::tuning::{CONFIRM, NOISE, NOISY, bench, text, zoom};

/// `agon COMMAND` of this config is refused with all of these words.
fn refused(bench: &Bench, command: &str, config: &str, words: &[&str]) {
    bench.write("c.toml", config);
    let mut program = if command == "check" {
        let mut program = agon();
        program.arg("check").arg(bench.config());
        program
    } else {
        bench.start(command, &[])
    };
    let run = program.assert().code(65);
    let said = talk(&run);
    for word in words {
        assert!(
            said.contains(word),
            "{command}, `{word}`:\n{said}\n{config}"
        );
    }
    assert!(!bench.results().exists(), "nothing is begun");
}

#[test]
fn wrong_configs_are_refused_with_their_line_and_what_to_do() {
    let tables = format!("{NOISE}{CONFIRM}");
    let good = text(&zoom(160), &tables, NOISY);
    let bench = bench(&good);
    bench.write("short.txt", "a | start | d1d8,d8c8\n");
    // The base is line 8, the method 9, the parameter 11 to 13, the match's suite 15.
    let wrong: &[(&str, &str, &[&str])] = &[
        (
            "\"root_noise\"\nlow",
            "\"root_nois\"\nlow",
            &["c.toml:11:8", "did you mean `root_noise`?"],
        ),
        (
            "base = \"noisy\"",
            "base = \"nosy\"",
            &["c.toml:8:8", "did you mean `noisy`?"],
        ),
        (
            "high = 50",
            "high = 40",
            &["c.toml:12:7", "the base has `root_noise` at 45", "widen"],
        ),
        (
            "high = 50",
            "high = 51",
            &["c.toml:12:7", "a number from 0 to 50"],
        ),
        (
            "low = 0\nhigh = 50",
            "low = 44.5\nhigh = 45.5",
            &["c.toml:12:7", "3 different values", "widen the range"],
        ),
        (
            "games = 160",
            "games = 60",
            &[
                "c.toml:9:1",
                "60 games are too few",
                "at least 140",
                "raise its games",
            ],
        ),
        (
            "games = 160",
            "games = 0",
            &["c.toml:9:25", "must be from 1"],
        ),
        (
            "zoom = { games = 160 }",
            "grid = { pairs = 4 }",
            &["c.toml:9:1", "points = 9"],
        ),
        (
            "zoom = { games = 160 }",
            "grid = { values = [60], pairs = 4 }",
            &["c.toml:9:1", "60", "take the value out"],
        ),
        (
            "zoom = { games = 160 }",
            "grid = { values = [45], pairs = 4 }",
            &["c.toml:9:1", "the base's own", "give other values"],
        ),
        ("zoom = {", "zom = {", &["did you mean `zoom`?"]),
        (
            "zoom = { games = 160 }",
            "zoom = { games = 160 }\nmethod.spsa = { games = 160 }",
            &["exactly one must be chosen in `method`"],
        ),
        (
            "\"other.txt\"",
            "\"suite.txt\"",
            &[
                "c.toml:15:12",
                "40 of 40 openings of the confirming match",
                "--exclude",
            ],
        ),
        (
            "\"other.txt\"",
            "\"none.txt\"",
            &["c.toml:15:12", "cannot read the openings"],
        ),
        (
            "max_games = 80",
            "max_games = 1",
            &["c.toml:16:13", "must be from 2"],
        ),
        (
            "max_games = 80",
            "max_games = 4",
            &["c.toml:14:1", "can pass nobody", "raise `max_games`"],
        ),
        (
            "high = 50\n",
            "high = 50\n[[tune.parameter]]\nname = \"root_noise\"\nlow = 0\nhigh = 50\n",
            &["c.toml:15:8", "tuned twice"],
        ),
        (
            NOISE,
            "",
            &["c.toml:7:1", "no parameter is tuned", "[[tune.parameter]]"],
        ),
        ("[tune]\n", "rounds = 1\n[tune]\n", &["rounds"]),
        (
            "[tune]\n",
            "[schedule.round_robin]\npairs = 4\n[tune]\n",
            &["c.toml:7:2", "has no [schedule]", "take it out"],
        ),
    ];
    for (from, to, words) in wrong {
        assert!(good.contains(from), "{from}");
        let config = good.replacen(from, to, 1);
        refused(&bench, "tune", &config, words);
        refused(&bench, "check", &config, &words[..1]);
    }
    // All at once.
    let many = good
        .replace("nosy", "noisy")
        .replace("\"root_noise\"\nlow", "\"x\"\nlow");
    let many = many
        .replace("games = 160", "games = 0")
        .replace("max_games = 80", "max_games = 0");
    refused(
        &bench,
        "tune",
        &many,
        &["c.toml:9:25", "c.toml:11:8", "c.toml:16:13"],
    );
}

#[test]
fn a_suite_that_is_too_short_is_refused_where_games_would_repeat() {
    let quiet = NOISY.replace("root_noise = 45.0", "root_noise = 0.0");
    let parameter = "[[tune.parameter]]\nname = \"t2\"\nlow = 0\nhigh = 5\n";
    let bench = bench("");
    let config = text(&zoom(400), &format!("{parameter}{CONFIRM}"), &quiet);
    let words = [
        "c.toml:9:1",
        "68 different openings are needed, and there are 40",
        "a longer suite",
    ];
    refused(&bench, "tune", &config, &words);
}

#[test]
fn each_command_says_which_one_plays_a_config() {
    let bench = bench("");
    let tuning = text(&zoom(160), &format!("{NOISE}{CONFIRM}"), NOISY);
    for command in ["run", "gate"] {
        refused(
            &bench,
            command,
            &tuning,
            &["c.toml:7:1", "this config tunes", "`agon tune CONFIG`"],
        );
    }
    let run = format!(
        "name = \"t\"\nopenings = \"suite.txt\"\nlimit = {{ nodes = 60 }}\n[game.amazons]\nsize = 8\n\
         [schedule.round_robin]\npairs = 1\n{NOISY}[[engine]]\nname = \"b\"\nextends = \"noisy\"\n"
    );
    refused(
        &bench,
        "tune",
        &run,
        &["c.toml", "it has no [tune]", "`agon run CONFIG`"],
    );
}

#[test]
fn the_plan_is_checked_and_told_before_play() {
    let bench = bench(&text(&zoom(160), &format!("{NOISE}{CONFIRM}"), NOISY));
    let run = agon().arg("check").arg(bench.config()).assert().code(0);
    let shown = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    for words in [
        "zoom, 160 games a turn",
        "root_noise from 0 to 50 in steps of 0.5: 101 values, the base has 45; 160 games on 28 openings",
        "40 openings from",
        "at most 80 games",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    // A match of that length decides nothing about ten Elo.
    let said = talk(&run);
    assert!(said.contains("undecided in 100% of cases"), "{said}");
    assert!(!bench.results().exists());
}
