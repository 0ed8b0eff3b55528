//! Games written as PGN, read back by other programs.

use std::io::Write as _;
use std::ops::ControlFlow;
use std::process::Command;
use std::time::{Duration, SystemTime};

use agon::game::{Game, History, Side, TwoPlayer};
use agon::games::chess::{Chess, ChessRules, ChessVariant};
use agon::params::ParameterValues;
use agon::registry;
use agon::results::{
    EngineKind, FaultKind, GameId, GameRecord, GameResult, GameSpec, LimitSpec, MoveLimit,
    MoveRecord, Overrun, PairingSpec, RunSpec, Searched, Termination, VariantSpec, VerdictSpec,
};
use agon::search::{SearchKind, SearchSpec};
use shakmaty::fen::Fen;
use shakmaty::variant::{Variant, VariantPosition};
use shakmaty::{CastlingMode, Position as _};

/// Names that hurt where they are not escaped (B30).
const NAMES: [&str; 2] = ["a \"quoted\\\" name, = [x]; {y} (z) é", "=b\\"];

fn variant(name: &str, first: MoveLimit, second: MoveLimit) -> VariantSpec {
    VariantSpec {
        name: name.to_owned(),
        engine: EngineKind::BuiltIn(SearchSpec {
            kind: SearchKind::Random,
            parameters: ParameterValues::defaults(&[]),
            evaluation: ParameterValues::defaults(&[]),
        }),
        limit: LimitSpec { first, second },
        book: None,
    }
}

fn run(rules: ChessRules) -> RunSpec {
    let nodes = MoveLimit::Nodes(5000);
    let clock = MoveLimit::Clock("600+2".parse().expect("a clock"));
    RunSpec {
        name: "run".to_owned(),
        game: GameSpec {
            name: "chess".to_owned(),
            rules: serde_json::to_value(rules).expect("plain data"),
        },
        seed: 1,
        variants: vec![
            variant(NAMES[0], MoveLimit::TimeMs(50), MoveLimit::TimeMs(1500)),
            variant(NAMES[1], nodes, clock),
        ],
        pairings: vec![PairingSpec {
            candidate: 0,
            base: 1,
            pairs: 1,
            first_pair: 0,
        }],
        openings: Vec::new(),
        margin_ms: 0,
        verdict: VerdictSpec::WinRate { at_least: 5500 },
        adjudication: agon::results::AdjudicationSpec::default(),
        compare: None,
    }
}

/// A game of pseudo-random moves to its end, or to a fault after 30 of them.
fn game(rules: ChessRules, fen: Option<&str>, pair: u32, fault: Option<FaultKind>) -> GameRecord {
    let start = fen.map_or_else(
        || Chess::start(&rules),
        |fen| Chess::from_fen(fen, &rules).expect("a position"),
    );
    let mut position = start.clone();
    let mut history = History::new(start.clone());
    let mut texts = Vec::new();
    let mut random = u64::from(pair) + 1;
    let outcome = loop {
        let ended = position.outcome(&history);
        if ended.is_some() || (fault.is_some() && texts.len() == 30) {
            break ended;
        }
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        // Castling where it is possible, so that every form of it is written.
        let castling = moves.iter().find(|mv| mv.is_castle());
        let index = usize::try_from(random >> 33).expect("small") % moves.len();
        let mv = castling.copied().unwrap_or(moves[index]);
        texts.push(position.format_move(mv));
        position.play(mv);
        history.push(mv, &position);
    };
    let by = position.side_to_move();
    let opening_moves: Vec<String> = texts.drain(..4.min(texts.len())).collect();
    let first_to_move = start.side_to_move();
    let moves = texts.into_iter().enumerate().map(|(index, text)| {
        let number = i32::try_from(index).expect("short");
        let searched = Searched {
            depth: u32::try_from(index % 20).expect("small"),
            nodes: 1000 * index as u64,
        };
        MoveRecord {
            text,
            score: (number % 7 != 0).then_some(if number % 11 == 0 {
                31_999 - number % 6
            } else {
                37 * (number % 50 - 25)
            }),
            searched: (number % 7 != 0).then_some(searched),
            time_us: 12_345 * index as u64,
        }
    });
    GameRecord {
        id: GameId::Leg {
            pairing: 0,
            pair,
            leg: 1,
        },
        attempt: 1,
        seed: 1,
        opening: "an \"opening\"".to_owned(),
        opening_fen: start.to_fen(),
        opening_moves,
        first: NAMES[0].to_owned(),
        second: NAMES[1].to_owned(),
        first_to_move,
        result: match &outcome {
            None => GameResult::of(Some(by.other())),
            Some(outcome) => GameResult::of(outcome.winner),
        },
        termination: match outcome {
            Some(outcome) => Termination::Rule(outcome.reason),
            None => Termination::Fault {
                by,
                kind: fault.expect("the only other end"),
            },
        },
        moves: moves.collect(),
        detail: String::new(),
        void: false,
        runner_delay_us: 0,
        overruns: [Overrun::default(); 2],
        cpu_time_us: None,
        worker: 0,
        started: SystemTime::UNIX_EPOCH + Duration::from_secs(1_796_000_000),
    }
}

const VARIANTS: [ChessVariant; 3] = [
    ChessVariant::Standard,
    ChessVariant::Chess960,
    ChessVariant::ThreeCheck,
];

/// Games of all kinds, with their rules, and what is written of them.
fn games() -> Vec<(GameRecord, String)> {
    let shuffled = "nrbbqknr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKNR w BHbh - 0 1";
    let black = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let mut found = Vec::new();
    for kind in VARIANTS {
        let rules = ChessRules { variant: kind };
        let arena = registry::find("chess")
            .expect("listed")
            .open(serde_json::to_value(rules).expect("plain data"))
            .expect("rules");
        let shuffled = (kind == ChessVariant::Chess960).then_some(shuffled);
        let mut records: Vec<GameRecord> = (0..6)
            .map(|pair| game(rules, shuffled, pair, None))
            .collect();
        records.push(game(rules, Some(black), 6, None));
        let faults = FaultKind::ALL.into_iter();
        records.extend(
            (7..)
                .zip(faults)
                .map(|(pair, kind)| game(rules, None, pair, Some(kind))),
        );
        for record in records {
            let text = arena.pgn(&run(rules), &record).expect("legal moves");
            found.push((record, text.expect("chess has PGN")));
        }
    }
    found
}

fn all_moves(record: &GameRecord) -> Vec<String> {
    let played = record.moves.iter().map(|mv| mv.text.clone());
    record.opening_moves.iter().cloned().chain(played).collect()
}

fn result(record: &GameRecord) -> String {
    serde_json::to_value(record.result)
        .expect("a word")
        .as_str()
        .expect("a word")
        .to_owned()
}

/// A header's value without its escapes, as the standard of PGN has them.
fn unescape(value: &str) -> String {
    let mut plain = String::new();
    let mut symbols = value.chars();
    while let Some(symbol) = symbols.next() {
        plain.extend(if symbol == '\\' {
            symbols.next()
        } else {
            Some(symbol)
        });
    }
    plain
}

/// Reads a game with the `pgn-reader` crate.
struct ReadBack;

#[derive(Debug, Default)]
struct Found {
    tags: Vec<(String, String)>,
    moves: Vec<String>,
    comments: Vec<String>,
    result: String,
}

impl Found {
    fn tag(&self, name: &str) -> &str {
        let found = self.tags.iter().find(|(tag, _)| tag == name);
        found.map_or("", |(_, value)| value)
    }
}

impl pgn_reader::Visitor for ReadBack {
    type Tags = Found;
    type Movetext = (VariantPosition, Found);
    type Output = Found;

    fn begin_tags(&mut self) -> ControlFlow<Found, Found> {
        ControlFlow::Continue(Found::default())
    }

    fn tag(
        &mut self,
        found: &mut Found,
        name: &[u8],
        value: pgn_reader::RawTag<'_>,
    ) -> ControlFlow<Found> {
        let name = String::from_utf8(name.to_vec()).expect("UTF-8");
        // The crate's own decoding takes the second of two backslashes for another escape.
        let value = unescape(std::str::from_utf8(value.as_bytes()).expect("UTF-8"));
        found.tags.push((name, value));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, found: Found) -> ControlFlow<Found, Self::Movetext> {
        let name = found.tag("Variant");
        let variant = Variant::from_ascii(name.as_bytes()).unwrap_or_default();
        let mode = CastlingMode::from_chess960(name == "Chess960");
        let position = match found.tag("FEN") {
            "" => VariantPosition::new(variant),
            fen => {
                let fen: Fen = fen.parse().expect("a position");
                VariantPosition::from_setup(variant, fen.into_setup(), mode).expect("a position")
            }
        };
        ControlFlow::Continue((position, found))
    }

    fn san(
        &mut self,
        (position, found): &mut Self::Movetext,
        san: pgn_reader::SanPlus,
    ) -> ControlFlow<Found> {
        let mv = san.san.to_move(position).expect("a legal move");
        found
            .moves
            .push(mv.to_uci(position.castles().mode()).to_string());
        let written = shakmaty::san::SanPlus::from_move(position.clone(), mv);
        assert_eq!(written, san, "the signs of check and mate too");
        position.play_unchecked(mv);
        ControlFlow::Continue(())
    }

    fn comment(
        &mut self,
        (_, found): &mut Self::Movetext,
        comment: pgn_reader::RawComment<'_>,
    ) -> ControlFlow<Found> {
        let text = String::from_utf8(comment.as_bytes().to_vec()).expect("UTF-8");
        found.comments.push(text);
        ControlFlow::Continue(())
    }

    fn outcome(
        &mut self,
        (_, found): &mut Self::Movetext,
        outcome: pgn_reader::Outcome,
    ) -> ControlFlow<Found> {
        found.result = outcome.to_string();
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (_, found): Self::Movetext) -> Found {
        found
    }
}

#[test]
fn every_game_reads_back_with_its_headers_moves_and_comments() {
    let games = games();
    let file: String = games.iter().map(|(_, text)| text.as_str()).collect();
    let mut reader = pgn_reader::Reader::build(file.as_bytes())
        .set_supported_tag_line_length(1000)
        .finish();
    let found: Result<Vec<Found>, _> = reader.read_games(&mut ReadBack).collect();
    let found = found.expect("PGN");
    assert_eq!(found.len(), games.len());
    let mut endings = std::collections::BTreeSet::new();
    for ((record, text), found) in games.iter().zip(&found) {
        let moves = all_moves(record);
        assert_eq!(found.moves, moves, "{text}");
        assert_eq!(found.result, result(record));
        assert_eq!(found.comments.len(), moves.len());
        let book = found.comments.iter().filter(|comment| *comment == "book");
        assert_eq!(book.count(), record.opening_moves.len());
        for (name, value) in [
            ("Event", "run"),
            ("Site", "?"),
            ("Date", "2026.11.30"),
            ("White", NAMES[0]),
            ("Black", NAMES[1]),
            ("Opening", "an \"opening\""),
            ("WhiteTimeControl", "1/0.05"),
            ("BlackTimeControl", "600+2"),
        ] {
            assert_eq!(found.tag(name), value);
        }
        assert_eq!(found.tag("Result"), found.result);
        assert_eq!(found.tag("GameId"), record.id.to_string());
        assert_eq!(found.tag("PlyCount"), moves.len().to_string());
        let movetext = text.split("\n\n").nth(1).expect("headers and moves");
        assert!(movetext.lines().all(|line| line.chars().count() < 80));
        endings.insert(found.tag("Termination").to_owned());
    }
    assert!(endings.contains("time forfeit by white"), "{endings:?}");
    assert!(endings.contains("illegal move by white"), "{endings:?}");
    assert!(endings.contains("three checks"), "{endings:?}");
}

/// What python-chess makes of a file: for each game the names, the result, the moves, and the
/// score and time of the last move, and the last that is left on Black's clock.
const PYTHON: &str = "
import chess, chess.pgn, json, sys
with open(sys.argv[1], encoding='utf-8') as file:
    while (game := chess.pgn.read_game(file)) is not None:
        assert not game.errors, game.errors
        moves, evals, times, clock = [], 0, 0.0, None
        for node in game.mainline():
            moves.append(node.move.uci())
            evals += node.eval() is not None
            times += node.emt() or 0.0
            clock = clock if node.clock() is None else node.clock()
        board = game.end().board()
        print(json.dumps({
            'names': [game.headers['White'], game.headers['Black'], game.headers['Opening']],
            'result': game.headers['Result'],
            'moves': moves,
            'evals': evals,
            'ms': round(times * 1000),
            'clock': clock and round(clock * 1000),
            'over': board.is_checkmate() or board.is_variant_end(),
        }))
";

#[test]
fn python_chess_reads_every_game() {
    let python = |code: &str, file: &std::path::Path| {
        Command::new("python3")
            .args(["-c", code])
            .arg(file)
            .output()
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("games.pgn");
    let there = python("import chess.pgn", &file).is_ok_and(|output| output.status.success());
    if !there {
        assert!(
            std::env::var_os("CI").is_none(),
            "the gate needs python-chess: pip install chess"
        );
        // Around the test harness, which shows no output of a test that passes.
        let skipped = "SKIPPED python_chess_reads_every_game: pip install chess";
        writeln!(std::io::stderr(), "{skipped}").expect("standard error");
        return;
    }
    let games = games();
    let text: String = games.iter().map(|(_, text)| text.as_str()).collect();
    std::fs::write(&file, text).expect("a temporary file");
    let output = python(PYTHON, &file).expect("python3");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    let lines = String::from_utf8(output.stdout).expect("UTF-8");
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines.len(), games.len(), "{error}");
    for (line, (record, text)) in lines.into_iter().zip(&games) {
        let found: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let names = found["names"].as_array().expect("three names").iter();
        for (name, expected) in names.zip([&record.first, &record.second, &record.opening]) {
            // Up to version 1.11.2 it leaves the escapes in.
            let name = name.as_str().expect("a name");
            assert!(name == expected || unescape(name) == *expected, "{name}");
        }
        assert_eq!(found["result"], result(record));
        assert_eq!(
            found["moves"],
            serde_json::json!(all_moves(record)),
            "{text}"
        );
        let scored = record.moves.iter().filter(|mv| mv.score.is_some());
        assert_eq!(found["evals"], scored.count());
        let times = [Side::First, Side::Second].map(|side| record.effort(side).time_us);
        let ms = found["ms"].as_i64().expect("a number") - (times[0] + times[1]) as i64 / 1000;
        assert!(ms.abs() < record.moves.len() as i64, "rounded only");
        // Only Black has a clock. The opening's moves, an even number, cost nothing.
        let skipped = usize::from(record.first_to_move == Side::First);
        let blacks = record.moves.iter().skip(skipped).step_by(2);
        let left = blacks.fold(None, |left: Option<u64>, mv| {
            Some(left.unwrap_or(600_000_000).saturating_sub(mv.time_us) + 2_000_000)
        });
        let clock = found["clock"].as_u64();
        assert_eq!(clock.is_some(), left.is_some());
        let differ = clock.zip(left).map(|(ms, us)| ms.abs_diff(us / 1000));
        assert!(differ.is_none_or(|ms| ms <= 1), "{clock:?} {left:?}");
        let decided = matches!(&record.termination, Termination::Rule(_))
            && record.result != GameResult::Draw;
        assert_eq!(found["over"], decided, "{text}");
    }
}
