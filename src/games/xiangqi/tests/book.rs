//! Opening books, by the one that comes with agon and by bad ones.

use std::collections::BTreeMap;

use super::*;
use crate::openings::book::{Book, BookErrors, read as read_book};
use crate::results::BookSpec;

const BOOK: &[u8] = include_bytes!("../../../../openings/xiangqi-book.txt");

fn rules() -> XiangqiRules {
    XiangqiRules::default()
}

fn parsed(text: &str) -> Result<BookSpec, String> {
    read_book::<Xiangqi>(text.as_bytes(), &rules()).map_err(|errors| errors.to_string())
}

fn book(text: &str) -> Book<Xiangqi> {
    Book::new(&parsed(text).expect("a book"), &rules()).expect("a book")
}

fn after(moves: &str) -> Xiangqi {
    let mut position = Xiangqi::start(&rules());
    for text in moves.split_whitespace() {
        position.play(position.parse_move(text).expect(text));
    }
    position
}

/// How often each move is chosen by so many seeds.
fn chosen(book: &Book<Xiangqi>, position: &Xiangqi, seeds: u64) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for seed in 0..seeds {
        let mv = book.choose(position, seed, 3).expect("a move");
        *counts.entry(position.format_move(mv)).or_default() += 1;
    }
    counts
}

#[test]
fn the_book_that_comes_with_agon_is_legal() {
    let spec = read_book::<Xiangqi>(BOOK, &rules()).unwrap_or_else(|errors| panic!("{errors}"));
    assert!(spec.entries.len() >= 60 && spec.has_choice());
    let book = Book::<Xiangqi>::new(&spec, &rules()).expect("a book");
    let first = chosen(&book, &Xiangqi::start(&rules()), 1000);
    assert!(first.len() >= 5 && first["h3e3"] > 300, "{first:?}");
    // What a run keeps of it reads as the same book.
    let lines: Vec<String> = spec.lines().collect();
    assert_eq!(parsed(&lines.join("\n")), Ok(spec));
}

#[test]
fn moves_come_as_often_as_their_weights_say() {
    let text = "start | h3e3 | 1\nstart | c4c5 | 3\n# in no order\nstart | g1e3 | 6";
    let counts = chosen(&book(text), &after(""), 10_000);
    for (mv, share) in [("h3e3", 1000), ("c4c5", 3000), ("g1e3", 6000)] {
        // Five standard deviations.
        assert!(counts[mv].abs_diff(share) < 250, "{counts:?}");
    }
    // The order of the lines is nothing, nor are counters of moves.
    let turned = "start | g1e3 | 6\nstart | c4c5 | 3\nstart | h3e3 | 1";
    assert_eq!(parsed(text), parsed(turned));
    let one = book("start | h3e3 | 5");
    let later = read("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 40 21");
    assert!(one.choose(&later, 1, 0).is_some());
    assert!(one.choose(&after("h3e3"), 1, 0).is_none());
    assert!(!parsed("start | h3e3 | 5").expect("a book").has_choice());
    assert!(parsed(text).expect("a book").has_choice());
}

#[test]
fn mirrored_positions_have_mirrored_moves() {
    let fen = after("h3e3").to_fen();
    let book = book(&format!(
        "start | h3e3 | 1\n{fen} | h10g8 | 1\n{fen} | b10c8 | 2"
    ));
    let [plain, mirrored] = ["h3e3", "b3e3"].map(after);
    let mut both = std::collections::BTreeSet::new();
    for seed in 0..50 {
        let text = |position: &Xiangqi| {
            let mv = book.choose(position, seed, 1).expect("a move");
            position.format_move(mv)
        };
        let pair = (text(&plain), text(&mirrored));
        let known = [("h10g8", "b10c8"), ("b10c8", "h10g8")];
        assert!(known.contains(&(&pair.0, &pair.1)), "{pair:?}");
        both.insert(pair);
    }
    assert_eq!(both.len(), 2);
    // A position's own entries go before those of its image.
    let fens = [&plain, &mirrored].map(|position| position.to_fen());
    let own = super::book::book(&format!("{} | h10g8 | 1\n{} | c7c6 | 1", fens[0], fens[1]));
    let mv = own.choose(&mirrored, 1, 1).expect("a move");
    assert_eq!(mirrored.format_move(mv), "c7c6");
}

#[test]
fn all_bad_lines_are_refused_at_once() {
    let lost = "3k5/4P4/9/9/9/9/9/9/9/4K4 b";
    let text = format!(
        "# position | move | weight\nstart | h3e3 | 1\nstart | h3e3 | 2\nstart | h3h4h | 1\n\
         start | a1a9 | 1\nnowhere | h3e3 | 1\nstart | c4c5 | 0\nstart | c4c5 | -1\n\
         start | c4c5 | 1.5\nstart | c4c5 | 1000001\nstart | c4c5\n{lost} | d10d9 | 1"
    );
    let errors = parsed(&text).expect_err("a bad book");
    let lines: Vec<&str> = errors.lines().collect();
    for (line, (number, what)) in lines.iter().zip([
        (3, "the move `h3e3` of this position stands in line 2 too"),
        (4, "`h3h4h`"),
        (5, "illegal move `a1a9`"),
        (6, "nowhere"),
        (7, "the weight is `0`"),
        (8, "the weight is `-1`"),
        (9, "the weight is `1.5`"),
        (10, "the weight is `1000001`"),
        (11, "found 2 fields"),
        (12, "the game is over"),
    ]) {
        assert!(line.starts_with(&format!("line {number}: ")), "{line}");
        assert!(line.contains(what), "{line}");
    }
    assert_eq!(lines.len(), 10);
    assert_eq!(
        read_book::<Xiangqi>(b"# none\n", &rules()),
        Err(BookErrors::Empty)
    );
    assert!(parsed("\u{0}").is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Whatever stands in a file is read or refused, and what is read reads back.
    #[test]
    fn no_book_stops_the_reader(
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
        words in proptest::collection::vec(
            prop::sample::select(vec![
                "start", "|", "\n", "h3e3", "c4c5", "a0a1", "1", "0", "99999999999", "-", "#", "w",
                "3k5/9/9/9/9/9/9/9/R8/4K4 w", "a2a10", "4k4/9 w", "é", "\r",
            ]),
            0..40,
        ),
    ) {
        for data in [bytes, words.join(" ").into_bytes()] {
            if let Ok(spec) = read_book::<Xiangqi>(&data, &rules()) {
                let lines: Vec<String> = spec.lines().collect();
                prop_assert_eq!(parsed(&lines.join("\n")), Ok(spec.clone()));
                prop_assert!(Book::<Xiangqi>::new(&spec, &rules()).is_ok());
            }
        }
    }
}
