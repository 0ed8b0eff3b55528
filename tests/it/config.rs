//! Configs: what is wrong is said with its place, and what is near.

use std::path::Path;

use agon::config;
use agon::results::{MoveLimit, VerdictSpec};
use proptest::prelude::*;

const GOOD: &str = r#"name = "t"
openings = "start"
[game.amazons]
[limit]
nodes = 100
[schedule.head_to_head]
candidate = "b"
base = "a"
pairs = 1
[[engine]]
name = "a"
[engine.search.alpha_beta]
[[engine]]
name = "b"
extends = "a"
"#;

fn problem(text: &str, overrides: &[&str]) -> String {
    let overrides: Vec<String> = overrides.iter().map(|&o| o.to_owned()).collect();
    match config::from_bytes("c.toml", text.as_bytes(), Path::new("."), &overrides) {
        Ok(plan) => panic!("accepted: {plan:?}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_good_config_is_a_plan() {
    let plan = config::from_bytes("c.toml", GOOD.as_bytes(), Path::new("."), &[]).expect("a plan");
    assert_eq!(plan.spec.pairings[0].pairs, 1);
}

#[test]
fn each_mistake_has_its_place_and_the_nearest_name() {
    let cases = [
        ("nodes = 100", "nodess = 100", "c.toml:5:1", "`nodes`"),
        ("[game.amazons]", "[game.amazon]", "c.toml:3:7", "`amazons`"),
        (
            "[game.amazons]",
            "[game.amazons]\nsize = 9",
            "c.toml:4:1",
            "8",
        ),
        (
            "[game.amazons]",
            "[game.amazons]\nsiez = 8",
            "c.toml:4:1",
            "`size`",
        ),
        (
            "candidate = \"b\"",
            "candidate = \"bb\"",
            "c.toml:7:13",
            "`b`",
        ),
        (
            "extends = \"a\"",
            "extends = \"b\"",
            "c.toml:15:11",
            "circle",
        ),
        ("name = \"b\"", "name = \"a\"", "c.toml:14:8", "two engines"),
        ("nodes = 100", "nodes = 0", "c.toml:5:9", "from 1"),
        (
            "[engine.search.alpha_beta]",
            "[engine.search.alphabeta]",
            "c.toml:12:16",
            "`alpha_beta`",
        ),
        (
            "[engine.search.alpha_beta]",
            "[engine.search.alpha_beta]\nhash_mbb = 1",
            "c.toml:13:1",
            "`hash_mb`",
        ),
        (
            "pairs = 1",
            "pairs = 1\n[verdict.sprt]\nelo0 = 5\nelo1 = 0",
            "c.toml:11:8",
            "elo",
        ),
    ];
    for (good, bad, place, named) in cases {
        let message = problem(&GOOD.replace(good, bad), &[]);
        assert!(message.contains(named), "{bad}: {message}");
        assert!(
            message.contains(place),
            "{bad}: expected {place}: {message}"
        );
    }
}

#[test]
fn mistakes_of_meaning_are_reported_together() {
    let text = GOOD
        .replace("nodes = 100", "nodes = 0")
        .replace("base = \"a\"", "base = \"x\"");
    let message = problem(&text, &[]);
    assert!(
        message.contains("from 1 to") && message.contains("`x`"),
        "{message}"
    );
}

#[test]
fn all_mistakes_are_told_in_order_of_the_file_and_none_for_its_heirs() {
    let text = "name = \"t\"\nopenings = \"start\"\nworkers = 0\n[game.amazonas]\n\
        [limit]\nnodes = 0\n[schedule.head_to_head]\ncandidate = \"c\"\nbase = \"a\"\n\
        pairs = 0\n[verdict.sprt]\nelo0 = 5\nelo1 = 2\n[[engine]]\nname = \"a\"\n\
        [[engine]]\nname = \"b\"\nextends = \"a\"\n";
    let places = |text: &str| -> Vec<String> {
        let message = problem(text, &[]);
        let lines = message.lines().filter(|line| line.starts_with("c.toml:"));
        lines.map(|line| line.chars().take(14).collect()).collect()
    };
    let expected = [
        "c.toml:3:11: `",
        "c.toml:4:7: un",
        "c.toml:6:9: a ",
        "c.toml:8:13: n",
        "c.toml:10:9: `",
        "c.toml:12:8: e",
    ];
    assert_eq!(places(text), expected);
    let with_game = text.replace("amazonas", "amazons");
    let expected = [
        "c.toml:3:11: `",
        "c.toml:6:9: a ",
        "c.toml:8:13: n",
        "c.toml:10:9: `",
        "c.toml:12:8: e",
        "c.toml:15:8: t",
    ];
    assert_eq!(places(&with_game), expected);
}

#[test]
fn overrides_reach_every_value_and_are_named_when_wrong() {
    let set = ["limit.nodes=7", "engine.b.evaluation.t2=0.25", "seed=9"].map(str::to_owned);
    let plan = config::from_bytes("c.toml", GOOD.as_bytes(), Path::new("."), &set).expect("a plan");
    assert_eq!(plan.spec.seed, 9);
    let agon::results::EngineKind::BuiltIn(search) = &plan.spec.variants[1].engine else {
        panic!("a built-in engine");
    };
    assert!((search.evaluation.get("t2") - 0.25).abs() < 1e-12);
    let message = problem(GOOD, &["limi.nodes=7"]);
    assert!(message.contains("--set limi.nodes=7"), "{message}");
    let message = problem(GOOD, &["engine.c.evaluation.t2=1"]);
    assert!(message.contains("`c`"), "{message}");
}

#[test]
fn an_override_chooses_another_kind_of_limit_or_verdict() {
    let set = [
        "limit.depth=3",
        "engine.b.limit.time_ms=20",
        "engine.b.role_limit.white.nodes=5",
        "verdict.sprt.elo0=0",
        "verdict.sprt.elo1=35",
    ]
    .map(str::to_owned);
    let text = GOOD.replace("pairs = 1", "pairs = 1\n[verdict.win_rate]\nat_least = 0.6");
    let plan = config::from_bytes("c.toml", text.as_bytes(), Path::new("."), &set).expect("a plan");
    let limits = |variant: usize| {
        let limit = plan.spec.variants[variant].limit;
        (limit.first, limit.second)
    };
    assert_eq!(limits(0), (MoveLimit::Depth(3), MoveLimit::Depth(3)));
    assert_eq!(limits(1), (MoveLimit::Nodes(5), MoveLimit::TimeMs(20)));
    assert!(matches!(plan.spec.verdict, VerdictSpec::Sprt(_)));
}

/// B11: two rules at once must not leave open which of them decided.
#[test]
fn two_choices_where_one_is_wanted_are_told_beside_the_other_mistakes() {
    let text = GOOD
        .replace("nodes = 100", "nodes = 100\ndepth = 3")
        .replace("candidate = \"b\"", "candidate = \"bb\"")
        + "[verdict.win_rate]\n[verdict.sprt]\nelo0 = 0\nelo1 = 9\n";
    let message = problem(&text, &[]);
    for part in [
        "exactly one must be chosen in `limit`, but nodes, depth are given",
        "write one of time_ms, nodes, depth, clock",
        "exactly one must be chosen in `verdict`, but win_rate, sprt are given",
        "no engine is called `bb`",
    ] {
        assert!(message.contains(part), "{part}: {message}");
    }
    let message = problem(&GOOD.replace("nodes = 100", ""), &[]);
    assert!(message.contains("none is given"), "{message}");
    assert!(
        message.contains("write one of time_ms, nodes, depth, clock"),
        "{message}"
    );
}

#[test]
fn tables_that_no_machine_holds_are_refused() {
    let text = GOOD.replace("name = \"t\"", "name = \"t\"\nworkers = 1024");
    let set = ["engine.a.search.alpha_beta.hash_mb=4096"];
    let message = problem(&text, &set);
    assert!(message.contains("MB of this machine"), "{message}");
    assert!(
        message.contains("lower `hash_mb` or `workers`"),
        "{message}"
    );
}

#[test]
fn numbers_out_of_range_are_told_with_their_range_and_all_at_once() {
    let text = GOOD
        .replace("pairs = 1", "pairs = 5000000000")
        .replace("nodes = 100", "nodes = -5")
        .replace(
            "name = \"t\"",
            "name = \"t\"\nseed = -1\nworkers = 9223372036854775808",
        )
        + "[verdict.sprt]\nelo0 = 5\nelo1 = 0\nalpha = 0.9\nbeta = 0\n";
    let message = problem(&text, &[]);
    for part in [
        "`seed` is -1, but must be from 0",
        "`workers` is 9223372036854775808, but must be from 1 to 1024",
        "a limit is -5, but must be from 1",
        "`pairs` is 5000000000, but must be from 1 to 1000000",
        "alpha is 0.9",
        "beta is 0",
        "elo0 (5) must be below elo1 (0)",
    ] {
        assert!(message.contains(part), "{part}: {message}");
    }
}

/// Each of these engines extends the one before it: all of them together took minutes to check.
#[test]
fn too_many_engines_are_refused_at_once() {
    let engines: String = (0..3000)
        .map(|n| format!("[[engine]]\nname = \"{n}\"\nextends = \"{}\"\n", n - 1))
        .collect();
    let start = std::time::Instant::now();
    let message = problem(&(GOOD.to_owned() + &engines), &[]);
    assert!(message.contains("at most 256"), "{message}");
    assert_eq!(message.matches("c.toml:").count(), 1, "{message}");
    assert!(start.elapsed() < std::time::Duration::from_secs(5));
}

#[test]
fn a_mark_is_skipped_and_utf16_is_named() {
    let marked = [b"\xEF\xBB\xBF".as_slice(), GOOD.as_bytes()].concat();
    assert!(config::from_bytes("c.toml", &marked, Path::new("."), &[]).is_ok());
    let utf16: Vec<u8> = [0xFF, 0xFE]
        .into_iter()
        .chain(GOOD.encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    let error = config::from_bytes("c.toml", &utf16, Path::new("."), &[]).expect_err("refused");
    assert!(error.to_string().contains("UTF-16"), "{error}");
}

proptest! {
    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        drop(config::from_bytes("c.toml", &bytes, Path::new("."), &[]));
    }

    #[test]
    fn a_config_with_a_random_line_never_panics(line in "\\PC{0,40}", at in 0_usize..15) {
        let mut lines: Vec<&str> = GOOD.lines().collect();
        lines[at] = &line;
        drop(config::from_bytes("c.toml", lines.join("\n").as_bytes(), Path::new("."), &[]));
    }

    #[test]
    fn random_overrides_never_panic(given in "\\PC{0,40}") {
        drop(config::from_bytes("c.toml", GOOD.as_bytes(), Path::new("."), &[given]));
    }
}

#[test]
fn a_circle_of_two_is_named_once_and_draws_no_other_errors_after_it() {
    let text = GOOD.replace(
        "name = \"a\"\n[engine.search.alpha_beta]",
        "name = \"a\"\nextends = \"b\"",
    );
    let message = problem(&text, &[]);
    assert!(message.contains("circle: a → b → a"), "{message}");
    assert_eq!(message.matches("c.toml:").count(), 1, "{message}");
    let message = problem(&GOOD.replace("nodes = 100", "nodes = 0"), &[]);
    assert_eq!(message.matches("c.toml:").count(), 1, "{message}");
}
