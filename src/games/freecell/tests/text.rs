//! Positions as text, of agon and of other solvers.

use super::*;

fn refused(text: &str) -> String {
    FreeCell::from_fen(text, &FreeCellRules {})
        .expect_err(text)
        .to_string()
}

#[test]
fn what_is_wrong_is_named() {
    let deal = dealt("1").to_fen();
    for (text, reason) in [
        (
            "0".to_owned(),
            "deals have numbers from 1 to 2147483647, but this is 0",
        ),
        ("2147483648".to_owned(), "but this is 2147483648"),
        (
            "99999999999999999999".to_owned(),
            "but this is 99999999999999999999",
        ),
        (String::new(), "there are 1 columns, but 8 are needed"),
        (deal.replace("JD", "JX"), "`JX` is no card"),
        (deal.replace("JD", "JC"), "JC is there twice"),
        (deal.replace("JD ", ""), "JD is missing"),
        (deal.replace('/', "//"), "columns, but 8 are needed"),
        (format!("{deal} ; - - - - -"), "there are more than 4 cells"),
        (
            format!("{deal} ; - - - - ; 0 0 0"),
            "the foundations are four ranks",
        ),
        (
            format!("{deal} ; - - - - ; 0 0 0 X"),
            "the foundations are four ranks",
        ),
        (format!("{deal} ; - - - - ; A 0 0 0"), "AC is there twice"),
        (
            format!("{deal} ; - - - - ; 0 0 0 0 ;"),
            "there are more than columns ; cells ; foundations",
        ),
        (
            format!("{}/-/-/-/-/-/-/-", deal.replace('/', " ")),
            "column 1 has 52 cards and may come to",
        ),
    ] {
        let said = refused(&text);
        assert!(said.contains(reason), "{text}: {said}");
    }
}

/// A column may come to 19 cards from a deal; what could grow over the most is refused at once.
#[test]
fn columns_that_could_grow_too_high_are_refused() {
    let all = "2C 2D 2H 2S 3C 3D 3H 3S 4C 4D 4H 4S 5C 5D 5H 5S 6C 6D 6H 6S 7C 7D 7H 7S 8C 8D 8H 8S 9C 9D 9H 9S TC TD TH TS \
               JC JD JH JS QC QD QH QS KC KD KH KS";
    let cards: Vec<&str> = all.split_whitespace().collect();
    let position = |first: &[usize]| {
        let first: Vec<&str> = first.iter().map(|at| cards[*at]).collect();
        let rest: Vec<&str> = cards
            .iter()
            .copied()
            .filter(|card| !first.contains(card))
            .collect();
        let rest: Vec<String> = rest.chunks(6).map(|column| column.join(" ")).collect();
        let mut columns = vec![first.join(" ")];
        columns.extend(rest);
        columns.resize(8, "-".to_owned());
        format!("{} ; - - - - ; A A A A", columns.join("/"))
    };
    // Seven twos and threes, and a king as the eighth card: twelve may come on it.
    let eight = position(&[0, 1, 2, 3, 4, 5, 6, 44]);
    assert!(
        FreeCell::from_fen(&eight, &FreeCellRules {}).is_ok(),
        "{eight}"
    );
    let nine = position(&[0, 1, 2, 3, 4, 5, 6, 7, 44]);
    let said = refused(&nine);
    assert!(
        said.contains("column 1 has 9 cards and may come to 21, but 20 are the most"),
        "{said}"
    );
}

#[test]
fn boards_of_other_solvers_are_read() {
    let deal = dealt("1");
    let columns = deal.to_fen();
    let plain = columns.replace('/', "\n");
    assert_eq!(FreeCell::read_board(&plain), Ok(deal));
    assert_eq!(
        FreeCell::read_board(&format!("{}\n", plain.replace('T', "10"))),
        Ok(deal)
    );
    assert_eq!(FreeCell::read_board("1\n"), Ok(deal));
    assert_eq!(
        FreeCell::read_board(&format!("# deal 1\n{columns}\n")),
        Ok(deal)
    );
    let marked: String = columns
        .split('/')
        .map(|column| format!(": {column}\r\n"))
        .collect();
    let empty = "Foundations: H-0 C-0 D-0 S-0 \nFreecells:                \n";
    assert_eq!(FreeCell::read_board(&format!("{empty}{marked}")), Ok(deal));
    let late = "Foundations: H-Q C-K D-10 S-K \nFreecells:      JD        \n: \n: KD\n: QD\n: KH\n:\n:\n:\n: \n";
    let read = FreeCell::read_board(late).expect("a board");
    assert_eq!(read.to_fen(), "-/KD/QD/KH/-/-/-/- ; - JD - - ; K T Q K");
    let listed = late.replace("     JD        ", " - JD - -");
    assert_eq!(
        FreeCell::read_board(&listed).map(|read| read.to_fen()),
        Ok(read.to_fen())
    );
    for (text, reason) in [
        (
            "Foundations: X-1\nKC\n",
            "`X-1` is no foundation, such as H-5 or S-0",
        ),
        ("Talon: KC\nKD\n", "`Talon:` begins no line of a board"),
        ("Freecells: KC KD KH KS QS\nQC\n", "more than 4 cells"),
        ("KC\nKD\n", "there are 2 columns"),
        (
            "Foundations: H-A\nFoundations: H-2\nKC\n",
            "`Foundations: H-2`: there is such a line already",
        ),
        (
            "Freecells: KC\nKD\nFC: - KC\n",
            "`FC: - KC`: there is such a line already",
        ),
    ] {
        let said = FreeCell::read_board(text).expect_err(text).to_string();
        assert!(said.contains(reason), "{said}");
    }
}

#[test]
fn a_diagram_shows_every_card() {
    let position = read("KC/QS/KS/-/-/-/-/- ; JS - - - ; Q K K T");
    let shown = position.diagram().to_string();
    assert!(
        shown.contains("J s . ") && shown.contains("Q c") && shown.contains("T s"),
        "{shown}"
    );
    assert!(shown.contains("K c"), "{shown}");
    assert_eq!(position.to_string(), position.to_fen());
}

proptest! {
    #[test]
    fn no_text_breaks_the_readers(text in "\\PC{0,80}", bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let start = dealt("1");
        for text in [text, String::from_utf8_lossy(&bytes).into_owned()] {
            drop(FreeCell::from_fen(&text, &FreeCellRules {}));
            drop(FreeCell::read_board(&text));
            drop(FreeCell::read_board(&format!("Foundations: {text}\nFreecells: {text}\n:{text}\n{text}")));
            drop(start.parse_move(&text));
        }
    }

    #[test]
    fn changed_boards_are_read_or_refused(
        number in 1..=LARGEST_DEAL,
        at in any::<usize>(),
        put in "[-/; :A2TJQKCDHS0-9]{0,3}",
    ) {
        let mut text = FreeCell::deal(number).expect("a deal").to_fen();
        let at = at % text.len();
        text.replace_range(at..at + 1, &put);
        if let Ok(position) = FreeCell::from_fen(&text, &FreeCellRules {}) {
            prop_assert_eq!(read(&position.to_fen()), position);
        }
    }
}
