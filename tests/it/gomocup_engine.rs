//! `agon engine gomoku`: the built-in engine on the other side of Gomocup's protocol.

use std::fs;

use proptest::prelude::*;

use crate::common::{agon, cell};
use crate::table::{Table, list, quoted};

/// What the engine answers, line by line, without its messages.
fn answers(rules: &str, sent: &str) -> Vec<String> {
    let assert = agon()
        .args(["engine", "gomoku", "--rules", rules])
        .write_stdin(sent)
        .timeout(std::time::Duration::from_secs(120))
        .assert()
        .success();
    let said = String::from_utf8(assert.get_output().stdout.clone()).expect("text");
    let lines = said.lines().filter(|line| !line.starts_with("MESSAGE"));
    lines.map(str::to_owned).collect()
}

/// The column and row of a move.
fn point(text: &str) -> (u32, u32) {
    let (x, y) = text.split_once(',').expect("a point");
    (x.parse().expect("a column"), y.parse().expect("a row"))
}

#[test]
fn a_manager_is_answered() {
    let said = answers(
        "",
        "ABOUT\r\nSTART 15\r\nINFO max_node 500\r\nINFO rule 0\r\nINFO unheard of\r\nINFO\r\n\
         BEGIN\r\nTURN 0,0\r\nSWAP2BOARD\r\nRESTART\r\nBEGIN\r\nEND\r\nBEGIN\r\n",
    );
    assert!(said[0].starts_with("name=\"agon gomoku\""), "{said:?}");
    assert_eq!(said[1], "OK");
    let (x, y) = point(&said[2]);
    assert!((6..=8).contains(&x) && (6..=8).contains(&y), "{said:?}");
    assert!(point(&said[3]).0 < 15 && said[3] != said[2] && said[3] != "0,0");
    assert_eq!(said[4], "UNKNOWN SWAP2BOARD");
    assert_eq!(said[5], "OK");
    point(&said[6]);
    assert_eq!(said.len(), 7, "{said:?}");
}

#[test]
fn fives_are_made_and_stopped_after_a_board() {
    let own = "BOARD\n5,7,1\n1,1,2\n6,7,1\n2,9,2\n7,7,1\n3,3,2\n8,7,1\n4,7,2\nDONE\n";
    let sent = format!("START 15\nINFO timeout_turn 0\n{own}END\n");
    assert_eq!(answers("", &sent), ["OK", "9,7"]);
    // The opponent's row.
    let other = "BOARD\n5,7,2\n4,7,1\n6,7,2\n2,9,1\n7,7,2\n3,3,1\n8,7,2\nDONE\n";
    let sent = format!("START 15\nINFO timeout_turn 0\n{other}END\n");
    assert_eq!(answers("", &sent), ["OK", "9,7"]);
    // A fifth that makes six wins by the rule only.
    let six =
        "BOARD\n5,7,1\n1,1,2\n6,7,1\n2,9,2\n7,7,1\n3,3,2\n8,7,1\n4,7,2\n10,7,1\n12,2,2\nDONE\n";
    for (rule, wins) in [(0, true), (1, false), (4, false)] {
        let sent =
            format!("START 15\nINFO max_node 2000\nINFO rule {rule}\n{six}TURN 14,14\nEND\n");
        let said = answers("", &sent);
        assert_eq!(said[1] == "9,7", wins, "rule {rule}: {said:?}");
        assert_eq!(
            said[2] == "ERROR the game is over",
            wins,
            "rule {rule}: {said:?}"
        );
    }
}

/// A point of field 3 is forbidden, or on a line that has won: no stone.
#[test]
fn points_that_are_nobodys_are_taken() {
    let board = "BOARD\n5,7,1\n1,1,2\n6,7,1\n2,9,2\n7,7,1\n3,3,2\n8,7,1\n4,7,2\n12,12,3\nDONE\n";
    let sent = format!("START 15\nINFO timeout_turn 0\n{board}END\n");
    assert_eq!(answers("", &sent), ["OK", "9,7"]);
}

#[test]
fn what_is_wrong_is_said_and_changes_nothing() {
    for (sent, expected) in [
        ("BEGIN", "ERROR there was no START"),
        ("TURN 3,3", "ERROR there was no START"),
        ("RESTART", "ERROR there was no START"),
        ("START", "ERROR `` is no size"),
        ("START 4", "ERROR `size` is 4"),
        ("START 21", "ERROR `size` is 21"),
        ("START -1", "ERROR `-1` is no size"),
        ("START 99999999999999", "ERROR `99999999999999` is no size"),
        ("RECTSTART 15,16", "ERROR boards are squares, not 15x16"),
        ("RECTSTART 15", "ERROR expected"),
        ("RECTSTART 15,15", "OK"),
        ("start 20", "OK"),
        ("START 15\nTURN 15,0", "ERROR"),
        ("START 15\nTURN", "ERROR"),
        (
            "START 15\nINFO rule 8\nBEGIN",
            "ERROR rule 8 is none of 0, 1, 4",
        ),
        ("START 15\nBOARD\n1,1,1\nDONE", "ERROR it cannot be my turn"),
        ("START 15\nBOARD\n1,1,4\nDONE", "ERROR `1,1,4` is no stone"),
        (
            "START 15\nBOARD\n1,1,2\n1,1,1\n2,2,2\nDONE",
            "ERROR illegal move",
        ),
        ("START 15\nBOARD\n\u{1}\nTURN 1,1\nDONE", "ERROR"),
        (
            "START 15\nTAKEBACK 1,1",
            "ERROR there is no move to take back",
        ),
        ("DONE", "UNKNOWN DONE"),
        ("PLAY 1,1", "UNKNOWN PLAY 1,1"),
    ] {
        let said = answers("", &format!("{sent}\nEND\n"));
        let last = said.last().expect("an answer");
        assert!(last.starts_with(expected), "{sent}: {said:?}");
    }
    // After an error the game goes on as it stood.
    let said = answers(
        "",
        "START 15\nINFO max_node 300\nTURN 7,7\nTURN 7,7\nTURN x\nTURN 0,0\n",
    );
    assert!(
        said[2].starts_with("ERROR") && said[3].starts_with("ERROR"),
        "{said:?}"
    );
    point(&said[4]);
}

#[test]
fn moves_are_taken_back() {
    let sent = "START 15\nINFO max_node 300\nBOARD\n7,7,2\nDONE\n";
    let answer = answers("", &format!("{sent}END\n"))[1].clone();
    let more = format!("TAKEBACK 7,7\nTAKEBACK {answer}\nTAKEBACK 7,7\nTURN 7,7\n");
    let said = answers("", &format!("{sent}{more}END\n"));
    assert!(said[2].starts_with("ERROR"), "{said:?}");
    assert_eq!(said[3..5], ["OK", "OK"]);
    // The same position is searched again, with what is remembered of it.
    point(&said[5]);
}

#[test]
fn b37_the_rule_of_the_command_line_holds_until_another_is_told() {
    let five_of_six =
        "BOARD\n5,7,1\n1,1,2\n6,7,1\n2,9,2\n7,7,1\n3,3,2\n8,7,1\n4,7,2\n10,7,1\n12,2,2\nDONE\n";
    let sent = |info: &str| format!("START 15\nINFO max_node 2000\n{info}{five_of_six}END\n");
    for (rules, info, wins) in [
        ("rule = \"freestyle\"", "", true),
        ("rule = \"standard\"", "", false),
        ("rule = \"renju\"", "", false),
        ("rule = \"renju\"", "INFO rule 0\n", true),
        ("rule = \"freestyle\"", "INFO rule 4\n", false),
    ] {
        let said = answers(rules, &sent(info));
        assert_eq!(said[1] == "9,7", wins, "{rules} {info}: {said:?}");
    }
}

/// agon against itself over the protocol, at a limit that it can keep to the node.
#[test]
fn agon_plays_agon() {
    for (rules, opening) in [
        ("{}", "start | h8 i9 g7"),
        ("{ size = 9, rule = \"standard\" }", "start | e5 f6"),
        ("{ rule = \"renju\" }", "start |"),
    ] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(folder.path().join("o.txt"), format!("one | {opening}\n")).expect("its openings");
        let program = format!(
            "command = {}\nprotocol = \"gomocup\"\nargs = {}\n",
            quoted(env!("CARGO_BIN_EXE_agon")),
            list(&["engine", "gomoku"])
        );
        let head = format!(
            "name = \"t\"\nopenings = \"o.txt\"\nworkers = 1\nmargin_ms = 20000\n\
             game.gomoku = {rules}\nlimit = {{ nodes = 300 }}\n\
             schedule.head_to_head = {{ base = \"own\", candidate = \"program\", pairs = 1 }}\n"
        );
        let engines = [("own", "search.alpha_beta = {}"), ("program", &program)];
        let table = Table::within(folder, &head, &engines);
        table.play(&[]).well();
        let games = table.games();
        assert_eq!(games.len(), 2);
        // The sides are swapped, the engine is the same: move, score and nodes.
        let moves = games.iter().map(|game| {
            let moves = cell(game, "moves").split(' ');
            let told = moves.map(|mv| {
                let parts: Vec<&str> = mv.split(':').collect();
                format!("{} {}", parts[0], parts[1])
            });
            told.collect::<Vec<_>>()
        });
        let moves: Vec<Vec<String>> = moves.collect();
        assert!(moves[0].len() > 8, "{moves:?}");
        assert_eq!(moves[0], moves[1], "{rules}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Whatever is sent, the engine ends well and answers the next sound question.
    #[test]
    fn garbage_never_ends_the_engine(
        lines in proptest::collection::vec(
            prop_oneof![
                "(START|RECTSTART|TURN|BOARD|DONE|TAKEBACK|RESTART|ABOUT|PLAY|SWAP2BOARD|BEGIN) ?[-0-9, ]{0,6}",
                "INFO (rule|timeout_turn|time_left|max_memory|vcf_nodes|seed|distance) [-0-9.a]{0,4}",
                "[0-9]{1,2},[0-9]{1,2},[0-4]",
                "\\PC{0,40}",
            ],
            0..30,
        ),
        bytes in proptest::collection::vec(any::<u8>(), 0..60),
    ) {
        let mut sent = b"INFO max_node 50\n".to_vec();
        for line in lines.iter().filter(|line| !line.trim().eq_ignore_ascii_case("END")) {
            sent.extend(line.as_bytes());
            sent.push(b'\n');
        }
        sent.extend(bytes.iter().filter(|byte| !b"\r\n".contains(byte)));
        sent.extend(b"\nDONE\nINFO max_node 50\nINFO rule 0\nSTART 15\nBEGIN\nEND\n");
        let arena = agon::registry::find("gomoku").expect("listed");
        let arena = arena.open(serde_json::json!({})).expect("the default rules");
        let said = Said::default();
        let own = arena.own().expect("an engine");
        own.serve(&mut sent.as_slice(), Box::new(said.clone())).expect("it reads");
        let said = said.0.lock().expect("whole").clone();
        let said = String::from_utf8(said).expect("text");
        let last = said.lines().last().expect("an answer");
        prop_assert!(last.split(',').all(|number| number.parse::<u8>().is_ok()), "{}", said);
    }
}

/// What an engine has written.
#[derive(Clone, Default)]
struct Said(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);

impl std::io::Write for Said {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("whole").write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
