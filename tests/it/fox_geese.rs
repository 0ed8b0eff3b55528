//! Fox and Geese over UCI, and the figures of its unequal sides.

use std::fs;

use crate::common::cell;
use crate::table::{Table, quoted};

/// Two games with chains of jumps between the built-in engine and the same one over UCI.
#[test]
fn the_engine_meets_itself_over_uci() {
    let rules = "rule = \"multi_jump\", diagonals = true, fox_wins_at = 2, max_plies = 40";
    let fen = "3/3/2FG3/2G1G2/3G3/GGG/GGG f";
    let head = format!(
        "name = \"t\"\nopenings = \"chains.txt\"\nworkers = 1\nmargin_ms = 20000\n\
         game.fox_geese = {{ {rules} }}\nrole_limit.geese.depth = 1\nrole_limit.fox.depth = 3\n\
         schedule.head_to_head = {{ base = \"base\", candidate = \"candidate\", pairs = 1 }}\n"
    );
    let agon = quoted(env!("CARGO_BIN_EXE_agon"));
    let served = rules.replace([' ', '"'], "");
    let args = format!(
        "[\"engine\", \"fox_geese\", \"--rules\", {}]",
        quoted(&served)
    );
    let candidate = format!("command = {agon}\nargs = {args}");
    let built_in = "[engine.search.alpha_beta]";
    let table = Table::new(&head, &[("base", built_in), ("candidate", &candidate)]);
    fs::write(table.path("chains.txt"), format!("chain | {fen} |\n")).expect("a suite");
    table.play(&[]).well();
    let games = table.games();
    let moves = |game: &Vec<(String, String)>| -> Vec<String> {
        let moves = cell(game, "moves").split(' ');
        moves
            .map(|mv| mv.split(':').next().unwrap_or(mv).to_owned())
            .collect()
    };
    let [one, two] = [&games[0], &games[1]].map(moves);
    assert_eq!(one, two, "the sides are swapped, the engine is the same");
    assert!(one[0].len() > 4, "the first move is a chain: {one:?}");
    for game in &games {
        let end = cell(game, "termination");
        assert!(!end.contains(':'), "{end}: {}", cell(game, "detail"));
        assert_eq!(cell(game, "first_to_move"), "second");
    }
    // Both games ended alike, so each side's rate is 0, 1/2 or 1, and the fox moved first.
    let summary = fs::read_to_string(table.path("results/t-1/summary.csv")).expect("a summary");
    let mut rows = csv::Reader::from_reader(summary.as_bytes());
    let header = rows.headers().expect("a header").clone();
    let row = rows.records().next().expect("a row").expect("a pairing");
    let column = |name: &str| {
        let at = header.iter().position(|other| other == name);
        row[at.expect(name)].to_owned()
    };
    assert_eq!(
        [column("first_role"), column("second_role")],
        ["geese", "fox"]
    );
    let rate = |name| column(name).parse::<f64>().expect("a rate");
    let fox = rate("second_side_win_rate");
    assert!((rate("first_side_win_rate") + fox - 1.0).abs() < 1e-9);
    assert!((rate("first_mover_win_rate") - fox).abs() < 1e-9);
    let expected = match cell(&games[0], "result") {
        "1-0" => 0.0,
        "0-1" => 1.0,
        _ => 0.5,
    };
    assert!((fox - expected).abs() < 1e-9, "{fox} {expected}");
}
