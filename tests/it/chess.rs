//! Chess has rules and no engine of agon's own: what works without one, and what says so.

use std::ops::ControlFlow;

use agon::openings::{Suite, SuiteFormat};
use agon::registry;
use agon::results::OpeningSpec;
use predicates::prelude::*;
use proptest::prelude::*;
use serde_json::json;
use shakmaty::Position as _;

use crate::common::{agon, talk};

#[test]
fn commands_on_rules_work_without_an_engine() {
    agon()
        .args(["perft", "chess", "3"])
        .assert()
        .success()
        .stdout(predicate::str::contains("8902"));
    agon()
        .args(["perft", "chess", "3", "--rules", "variant=chess960"])
        .assert()
        .success()
        .stdout(predicate::str::contains("8902"));
    agon()
        .args(["inspect", "chess", "--moves", "f2f3 e7e5 g2g4 d8h4"])
        .assert()
        .success()
        .stdout(predicate::str::contains("black has won (checkmate)"));
    agon()
        .args(["inspect", "chess", "--moves", "e2e4 e7e5 e1e3"])
        .assert()
        .code(65)
        .stderr(predicate::str::contains("illegal move `e1e3`"));
    agon()
        .args(["inspect", "chess", "--rules", "variant=chess"])
        .assert()
        .code(64)
        .stderr(predicate::str::contains("three_check"));
}

#[test]
fn commands_on_a_built_in_engine_say_that_there_is_none() {
    for command in ["bench", "verify"] {
        agon()
            .args([command, "chess"])
            .assert()
            .code(64)
            .stderr(predicate::str::contains(
                "chess has no built-in engine and no second implementation of its rules",
            ));
    }
}

#[test]
fn random_openings_are_made_without_a_judge() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let suite = folder.path().join("suite.txt");
    let make = ["openings", "make", "chess", "--count", "5", "-o"];
    let judged = agon().args(make).arg(&suite).assert().code(64);
    assert!(talk(&judged).contains("`--games 0`"), "{}", talk(&judged));
    agon()
        .args(make)
        .arg(&suite)
        .args(["--games", "0"])
        .assert()
        .success();
    agon()
        .args(["openings", "check", "chess"])
        .arg(&suite)
        .assert()
        .success()
        .stdout(predicate::str::contains("5 openings"));
}

#[test]
fn a_config_with_a_search_is_refused_at_its_place() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let config = folder.path().join("c.toml");
    let text = "name = \"t\"\nopenings = \"start\"\n[game.chess]\n[limit]\nnodes = 300\n\
        [schedule.head_to_head]\ncandidate = \"new\"\nbase = \"old\"\npairs = 4\n\
        [[engine]]\nname = \"old\"\n[engine.search.alpha_beta]\nhash_mb = 1\n\
        [[engine]]\nname = \"new\"\nextends = \"old\"\n";
    std::fs::write(&config, text).expect("a temporary file");
    let run = agon().arg("check").arg(&config).assert().code(65);
    let said = talk(&run);
    assert!(said.contains("chess has no built-in engine"), "{said}");
    assert!(said.contains("c.toml:12"), "{said}");
    assert_eq!(said.matches("no built-in engine").count(), 1, "{said}");
}

fn read(rules: serde_json::Value, bytes: &[u8]) -> Result<Suite, String> {
    let arena = registry::find("chess")
        .expect("chess is listed")
        .open(rules)
        .expect("rules");
    arena.read_suite(bytes).map_err(|error| error.to_string())
}

fn standard(text: &str) -> Suite {
    read(json!({}), text.as_bytes()).unwrap_or_else(|error| panic!("{error}\nin {text}"))
}

fn refused(text: &str) -> String {
    read(json!({}), text.as_bytes()).expect_err(text)
}

/// Names, positions and moves.
fn content(suite: &Suite) -> Vec<(String, String, String)> {
    let opening = |opening: &OpeningSpec| {
        let moves = opening.moves.join(" ");
        (opening.name.clone(), opening.fen.clone(), moves)
    };
    suite.openings.iter().map(opening).collect()
}

/// Three openings in each format. The EPD has the positions after the moves.
const PGN: &str = "[Event \"one\"]\n[Site \"e4 d5\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 *\n\n\
    [Event \"two\"]\n[Result \"1-0\"]\n\n1. d4 d5 2. c4 1-0\n\n\
    [Event \"three\"]\n\n1. c4 {English} c5 2. Nc3\n1/2-1/2";
const EPD: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - id \"one\"; hmvc 1; fmvn 2;\n\
    rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - id \"two\"; fmvn 2;\n\
    rnbqkbnr/pp1ppppp/8/2p5/2P5/2N5/PP1PPPPP/R1BQKBNR b KQkq - 1 2 id \"three\";";
const TEXT: &str = "one | start | e2e4 e7e5 g1f3\ntwo | start | d2d4 d7d5 c2c4\n\
    three | start | c2c4 c7c5 b1c3";

/// B12 and B13: line ends, marks and encodings.
#[test]
fn b12_b13_every_line_end_and_mark_reads_the_same_in_every_format() {
    for (text, format) in [
        (TEXT, SuiteFormat::Text),
        (EPD, SuiteFormat::Epd),
        (PGN, SuiteFormat::Pgn),
    ] {
        let expected = standard(&format!("{text}\n"));
        assert_eq!(expected.format, format);
        assert_eq!(expected.openings.len(), 3);
        let crlf = text.replace('\n', "\r\n");
        let cr = text.replace('\n', "\r");
        let mixed = text.replacen('\n', "\r\n", 2);
        for variant in [text, &crlf, &cr, &mixed, &format!("{crlf}\r\n")] {
            for mark in ["", "\u{feff}"] {
                let suite = standard(&format!("{mark}{variant}"));
                assert_eq!(suite, expected, "{format}: {variant:?}");
            }
        }
        let utf16 = text.encode_utf16().flat_map(u16::to_le_bytes);
        let utf16: Vec<u8> = [0xff, 0xfe].into_iter().chain(utf16).collect();
        let message = read(json!({}), &utf16).expect_err("UTF-16");
        assert!(message.contains("UTF-16"), "{message}");
    }
    let (text, pgn) = (standard(TEXT), standard(PGN));
    assert_eq!(content(&pgn), content(&text));
    // A position that is given by moves and one that is given by its text are the same.
    let both = standard(&format!(
        "{TEXT}\nfour | {}\n",
        standard(EPD).openings[1].fen
    ));
    assert_eq!(both.openings[3].same_as, Some(1));
    assert_eq!(
        (both.duplicates[0].line, both.duplicates[0].earlier),
        (4, 2)
    );
}

/// B14: every form of an EPD line is the same position.
#[test]
fn b14_en_passant_and_counters_are_kept_in_every_form_of_epd() {
    let board = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6";
    for (more, counters, name) in [
        ("", "0 1", "line 1"),
        (" 0 3", "0 3", "line 1"),
        (" 0 3 id \"x\";", "0 3", "x"),
        (
            " id \"a;b | c\"; bm exf6; hmvc 0; fmvn 3;",
            "0 3",
            "a;b / c",
        ),
        ("  bm exf6;c0 \"text\" ; fmvn 7", "0 7", "line 1"),
        ("   0   3   ", "0 3", "line 1"),
        (" 0 3 hmvc 9; fmvn 9;", "0 3", "line 1"),
        (" id plain;", "0 1", "plain"),
        (" id \"# x\";", "0 1", "x"),
    ] {
        let suite = standard(&format!("{}{more}\n", board.replace(' ', "  ")));
        let fen = format!("{board} {counters}");
        assert_eq!(
            content(&suite),
            [(name.to_owned(), fen.clone(), String::new())]
        );
        // The capture is legal there.
        agon()
            .args(["inspect", "chess", "--moves", "e5f6", "--position", &fen])
            .assert()
            .success();
    }
    // A void square is left out, and the position is that of the line before.
    let void = "4k3/8/8/8/4P3/8/8/4K3 b -";
    let suite = standard(&format!("{void} -\n{void} e3\n"));
    assert_eq!(suite.openings[1].same_as, Some(0));
    for (line, reason) in [
        (
            format!("{board} id \"x;"),
            "line 1: the text of the opcode `id`",
        ),
        (
            format!("{board} hmvc x;"),
            "line 1: not a position of chess: `x`",
        ),
        (
            void.to_owned(),
            "line 1: not a position of chess: it has 3 fields",
        ),
        ("8/8/8/8/8/8/8/8 w - - 0 1".to_owned(), "the board is empty"),
        (
            "7k/5Q2/6K1/8/8/8/8/8 b - -".to_owned(),
            "over after 0 moves (stalemate)",
        ),
    ] {
        let message = refused(&line);
        assert!(message.contains(reason), "{line}: {message}");
    }
}

#[test]
fn names_from_other_programs_are_made_to_differ() {
    let suite = standard("[Event \"?\"]\n\n1. e4 *\n\n[Event \"?\"]\n\n1. d4 *\n");
    let names = |suite: &Suite| -> Vec<String> {
        content(suite).into_iter().map(|(name, ..)| name).collect()
    };
    assert_eq!(names(&suite), ["game 1", "game 2"]);
    let heads = "[Event \"A|B\"]\n[Round \"3\"]\n[White \"x\"]\n[Black \"y\"]\n\n";
    let suite = standard(&format!("{heads}1. e4 *\n\n{heads}1. d4 *\n"));
    assert_eq!(
        names(&suite),
        ["A/B, round 3, x-y", "A/B, round 3, x-y (line 8)"]
    );
    // Names of agon's own format may look like PGN.
    for name in ["1. e4", "[x]", "[Event x]", "1/2/3"] {
        let suite = standard(&format!("{name} | start | e2e4\n"));
        assert_eq!(names(&suite), [name]);
        assert_eq!(suite.format, SuiteFormat::Text);
    }
    let suite = standard(&format!("{heads}1. e4 *\n\n{heads}1. d4 *\n"));
    // agon's own format holds them all.
    let again = standard(&agon::openings::write(&suite.openings));
    assert_eq!(content(&again), content(&suite));
}

#[test]
fn pgn_begins_where_its_headers_say() {
    let set_up = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 7\"]\n\n7... Ke7 8. e4 *\n";
    let opening = standard(set_up).openings.remove(0);
    assert_eq!(opening.fen, "4k3/8/8/8/8/8/4P3/4K3 b - - 0 7");
    assert_eq!(opening.moves, ["e8e7", "e2e4"]);
    let promotion = "[FEN \"8/P5k1/8/8/8/8/8/R3K2R w KQ - 0 1\"]\n\n1. 0-0-0 Kg6 2. a8Q *\n";
    assert_eq!(
        standard(promotion).openings[0].moves,
        ["e1c1", "g7g6", "a7a8q"]
    );
    let shuffled = "[Variant \"Chess960\"]\n\
        [FEN \"4k3/8/8/8/8/8/8/5KR1 w G - 0 1\"]\n\n1. O-O *\n";
    assert!(refused(shuffled).contains("line 1: the header Variant is `Chess960`"));
    let suite = read(json!({"variant": "chess960"}), shuffled.as_bytes()).expect("a suite");
    assert_eq!(suite.openings[0].moves, ["f1g1"]);
    assert!(refused(&shuffled[21..]).contains("chess960"));
}

#[test]
fn bad_pgn_is_refused_with_line_move_and_reason() {
    for (text, reason) in [
        (
            "1. e4 e5\n2. Nf3 Nc6\n3. Bb6 *",
            "line 3: move 5 (`Bb6`): illegal move",
        ),
        ("1. e4 e5\n2. Nf3x *", "line 2: move 3 (`Nf3x`): not a move"),
        ("1. e4 e5 2. e4e5x *", "move 3"),
        (
            "[FEN \"4k3/8/8/8/8/8/8/RN2KN1R w - - 0 1\"]\n\n1. Nd2 *",
            "more than one piece",
        ),
        ("1. e4 -- 2. d4 *", "move 2 (`--`)"),
        (
            "1. f3 e5 2. g4 Qh4# 3. h3 *",
            "over after 4 moves (checkmate)",
        ),
        ("1. f3 e5 2. g4 Qh4# 0-1", "over after 4 moves (checkmate)"),
        (
            "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n*",
            "line 1: not a position",
        ),
        ("1. e4 {", "line 1: the comment"),
    ] {
        let message = refused(text);
        assert!(message.contains(reason), "{text}: {message}");
    }
    let many = "1. e5 *\n\n".repeat(12);
    let message = refused(&many);
    assert!(
        message.contains("line 19: move 1") && message.contains("and 2 more"),
        "{message}"
    );
}

/// A reader of PGN that is not ours.
struct Moves;

impl pgn_reader::Visitor for Moves {
    type Tags = Option<Vec<u8>>;
    type Movetext = (shakmaty::Chess, Vec<String>);
    type Output = Vec<String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(None)
    }

    fn tag(
        &mut self,
        fen: &mut Self::Tags,
        name: &[u8],
        value: pgn_reader::RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        if name == b"FEN" {
            *fen = Some(value.as_bytes().to_vec());
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, fen: Self::Tags) -> ControlFlow<Self::Output, Self::Movetext> {
        let position = fen.map_or_else(shakmaty::Chess::default, |fen| {
            let fen = shakmaty::fen::Fen::from_ascii(&fen).expect("a position");
            fen.into_position(shakmaty::CastlingMode::Standard)
                .expect("a position")
        });
        ControlFlow::Continue((position, Vec::new()))
    }

    fn san(
        &mut self,
        (position, moves): &mut Self::Movetext,
        san: pgn_reader::SanPlus,
    ) -> ControlFlow<Self::Output> {
        let mv = san.san.to_move(position).expect("a legal move");
        moves.push(mv.to_uci(shakmaty::CastlingMode::Standard).to_string());
        position.play_unchecked(mv);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (_, moves): Self::Movetext) -> Self::Output {
        moves
    }
}

#[test]
fn another_reader_of_pgn_finds_the_same_moves() {
    let odd = "% escape 1. a4\n[Event \"x \\\"y\\\" [z]\"]\n\n{c} 1.e4!! $3 c5?! (1... e5 2. Nf3 (2. f4 {x)}) Nc6)\n\
        2. Nf3 ; line 3. a4\n2... d6 3.d4 cxd4 4.Nxd4 Nf6 5.Nc3 a6 6.Be2 e5 7.Nb3 Be7 8.O-O O-O *\n\n\
        [FEN \"8/4P1k1/8/8/8/8/8/R3K3 w Q - 0 1\"]\n\n1. O-O-O Kf7 2. e8=R Kg7 1-0\n";
    for text in [odd, PGN] {
        let mut reader = pgn_reader::Reader::new(text.as_bytes());
        let theirs: Result<Vec<Vec<String>>, _> = reader.read_games(&mut Moves).collect();
        let ours: Vec<Vec<String>> = standard(text)
            .openings
            .into_iter()
            .map(|opening| opening.moves)
            .collect();
        assert_eq!(ours, theirs.expect("games"), "{text}");
    }
}

/// B29: content of no format, files that are none, and the format that was found.
#[test]
fn b29_the_format_is_said_and_what_has_none_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let check = |name: &str, content: &str| {
        let file = folder.path().join(name);
        std::fs::write(&file, content).expect("a temporary file");
        agon()
            .args(["openings", "check", "chess"])
            .arg(file)
            .assert()
    };
    for (content, format) in [(EPD, "EPD"), (PGN, "PGN"), (TEXT, "text")] {
        // By content, whatever the file is called.
        let said = format!("3 openings, 0 duplicates, read as {format}");
        check("x.pgn", content)
            .success()
            .stdout(predicate::str::contains(said));
    }
    for content in ["<html>\n", "e2e4 e7e5\n", "\u{1}\u{2}\n"] {
        let check = check("x.epd", content).code(65);
        let said = talk(&check);
        assert!(
            said.contains("x.epd") && said.contains("line 1: neither"),
            "{said}"
        );
        assert!(
            said.contains("nor PGN") && !said.contains("panicked"),
            "{said}"
        );
    }
    for file in [folder.path().to_owned(), folder.path().join("none.epd")] {
        let check = agon()
            .args(["openings", "check", "chess"])
            .arg(&file)
            .assert()
            .code(65);
        let said = talk(&check);
        assert!(said.contains("cannot read"), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    // Amazons has positions of its own and no PGN.
    let file = folder.path().join("a.epd");
    let amazons = "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1\n";
    std::fs::write(&file, amazons).expect("a temporary file");
    let check = |content: &str| {
        std::fs::write(&file, content).expect("a temporary file");
        agon()
            .args(["openings", "check", "amazons"])
            .arg(&file)
            .assert()
    };
    check(amazons)
        .success()
        .stdout(predicate::str::contains("read as EPD"));
    let said = talk(&check(PGN).code(65));
    assert!(said.contains("neither") && !said.contains("PGN"), "{said}");
}

#[test]
fn the_fixed_suite_reads_and_shares_no_position() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/openings/chess-55.epd");
    let suite = read(json!({}), &std::fs::read(path).expect("the suite")).expect("a suite");
    assert_eq!((suite.openings.len(), suite.duplicates.len()), (55, 0));
    // Every id is its own name.
    let made = |opening: &&OpeningSpec| opening.name.starts_with("line ");
    assert_eq!(suite.openings.iter().find(made), None);
}

proptest! {
    #[test]
    fn no_text_makes_the_readers_panic(
        lines in proptest::collection::vec(
            "(\\[[A-Z]{0,3} ?\"?[a-z\\\\\"]{0,3}\"?\\]?|[1-8/kKqQ]{0,20} [wb]? [-KQkq]{0,4} [-e3]{0,2} [a-z\"; 0-9]{0,12}|[1-9.]{0,3}[NBRQKOa-h1-8x+#=(){};%$!?* -]{0,20})",
            1..8,
        ),
    ) {
        drop(read(json!({}), lines.join("\n").as_bytes()));
    }
}
