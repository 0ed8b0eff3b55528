//! Positions and moves as text.

use std::fmt::Write;

use super::board::{Board, CELLS, COLUMNS, LONGEST};
use super::cards::{CARDS, Card, SUITS, parse_rank, rank_symbol};
use super::deal::{LARGEST_DEAL, deal};
use super::moves::{Move, Place};
use super::{FreeCell, NAME};
use crate::game::{Diagram, NotationError, Point};

/// A board of these columns, cells and ranks at home, if it has every card once.
fn assemble(columns: &[Vec<Card>], cells: [Card; CELLS], home: [u8; 4]) -> Result<Board, String> {
    if columns.len() != COLUMNS {
        return Err(format!(
            "there are {} columns, but {COLUMNS} are needed; write `-` for an empty one",
            columns.len()
        ));
    }
    let mut board = Board::empty();
    let mut seen = [false; CARDS];
    let mut see = |card: Card| {
        let twice = std::mem::replace(&mut seen[card.index()], true);
        let at_home = home[card.suit()] >= card.rank();
        if twice || at_home {
            return Err(format!("{card} is there twice"));
        }
        Ok(())
    };
    for (index, column) in columns.iter().enumerate() {
        // Cards go, then others come, each one lower than the one below it.
        let heights = (1..).zip(column);
        let heights = heights.map(|(at, card)| at + usize::from(card.rank()) - 1);
        let highest = heights.max().unwrap_or(0);
        if highest > LONGEST {
            return Err(format!(
                "column {} has {} cards and may come to {highest}, but {LONGEST} are the most",
                index + 1,
                column.len()
            ));
        }
        for &card in column {
            see(card)?;
            board.push(index, card);
        }
    }
    for (index, &card) in cells.iter().enumerate() {
        if card != Card::NONE {
            see(card)?;
            board.put_in_cell(index, card);
        }
    }
    for (suit, &rank) in home.iter().enumerate() {
        board.set_home(suit, rank);
    }
    let missing = Card::all().find(|card| !seen[card.index()] && home[card.suit()] < card.rank());
    missing.map_or(Ok(board), |card| Err(format!("{card} is missing")))
}

fn card(text: &str) -> Result<Card, String> {
    Card::parse(text).ok_or_else(|| format!("`{text}` is no card, such as TH or 4S"))
}

/// Cards with blanks between them; `-` is none.
fn column(text: &str) -> Result<Vec<Card>, String> {
    if text.trim() == "-" {
        return Ok(Vec::new());
    }
    text.split_whitespace().map(card).collect()
}

/// Cells from the first, `-` where nothing is.
fn cells(text: &str) -> Result<[Card; CELLS], String> {
    let mut cells = [Card::NONE; CELLS];
    for (index, text) in text.split_whitespace().enumerate() {
        let cell = cells
            .get_mut(index)
            .ok_or_else(|| format!("there are more than {CELLS} cells"))?;
        if text != "-" {
            *cell = card(text)?;
        }
    }
    Ok(cells)
}

/// The uppermost rank at home of clubs, diamonds, hearts and spades.
fn home(text: &str) -> Result<[u8; 4], String> {
    let mut ranks = text.split_whitespace().map(|text| match text {
        "10" => Some(10),
        _ => {
            let mut symbols = text.chars();
            let symbol = symbols.next().filter(|_| symbols.next().is_none())?;
            parse_rank(symbol)
        }
    });
    let home = [(); 4].map(|()| ranks.next().flatten());
    match (home, ranks.next()) {
        ([Some(c), Some(d), Some(h), Some(s)], None) => Ok([c, d, h, s]),
        _ => Err(
            "the foundations are four ranks, of clubs, diamonds, hearts and spades, 0 for none"
                .to_owned(),
        ),
    }
}

fn position_error(text: &str, reason: String) -> NotationError {
    NotationError::Position {
        game: NAME,
        text: text.to_owned(),
        reason,
    }
}

/// A deal's number, or columns with `/` between them, cells and foundations.
pub(super) fn parse_position(text: &str) -> Result<Board, NotationError> {
    let parse = || {
        let plain = text.trim();
        if !plain.is_empty() && plain.bytes().all(|byte| byte.is_ascii_digit()) {
            let number = plain
                .parse()
                .ok()
                .filter(|n| (1..=LARGEST_DEAL).contains(n));
            return number.map(deal).ok_or_else(|| {
                format!("deals have numbers from 1 to {LARGEST_DEAL}, but this is {plain}")
            });
        }
        let mut parts = plain.split(';');
        let columns = parts.next().unwrap_or_default().split('/').map(column);
        let columns = columns.collect::<Result<Vec<_>, _>>()?;
        let in_cells = parts.next().map_or(Ok([Card::NONE; CELLS]), cells)?;
        let at_home = parts.next().map_or(Ok([0; 4]), home)?;
        if parts.next().is_some() {
            return Err("there are more than columns ; cells ; foundations".to_owned());
        }
        assemble(&columns, in_cells, at_home)
    };
    parse().map_err(|reason| position_error(text, reason))
}

/// One line as [`parse_position`], or a line a column, as solvers write boards.
pub(super) fn read_board(text: &str) -> Result<Board, NotationError> {
    let lines = text.lines().map(str::trim_end);
    let mut lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    if let (Some(line), None) = (lines.next(), lines.next()) {
        return parse_position(line);
    }
    let parse = || {
        let (mut columns, mut in_cells, mut at_home) = (Vec::new(), None, None);
        let once = |line: &str| format!("`{}`: there is such a line already", line.trim());
        for line in text.lines().map(str::trim_end) {
            let (head, rest) = line.split_once(':').unwrap_or(("", line));
            match head.trim() {
                "Foundations" | "Founds" => {
                    if at_home.replace(suits_at_home(rest)?).is_some() {
                        return Err(once(line));
                    }
                }
                "Freecells" | "FC" => {
                    let these = wide_cells(rest).map_or_else(|| cells(rest), Ok)?;
                    if in_cells.replace(these).is_some() {
                        return Err(once(line));
                    }
                }
                "" if line.is_empty() || line.starts_with('#') => {}
                "" => columns.push(column(rest)?),
                head => return Err(format!("`{head}:` begins no line of a board")),
            }
        }
        let in_cells = in_cells.unwrap_or([Card::NONE; CELLS]);
        assemble(&columns, in_cells, at_home.unwrap_or([0; 4]))
    };
    parse().map_err(|reason| position_error(text, reason))
}

/// `H-0 C-5 D-K S-A`, in any order.
fn suits_at_home(text: &str) -> Result<[u8; 4], String> {
    let mut home = [0; 4];
    for text in text.split_whitespace() {
        let parse = || {
            let (suit, rank) = text.split_once('-')?;
            let suit = SUITS.iter().position(|symbol| suit == symbol.to_string())?;
            let symbol = if rank == "10" { "T" } else { rank };
            let mut symbols = symbol.chars();
            let rank = symbols.next().filter(|_| symbols.next().is_none())?;
            Some((suit, parse_rank(rank)?))
        };
        let (suit, rank) =
            parse().ok_or_else(|| format!("`{text}` is no foundation, such as H-5 or S-0"))?;
        home[suit] = rank;
    }
    Ok(home)
}

/// Cells four characters wide, blank where nothing is.
fn wide_cells(text: &str) -> Option<[Card; CELLS]> {
    let mut cells = [Card::NONE; CELLS];
    if !text.is_ascii() || text.contains('-') || text.len() > 4 * CELLS {
        return None;
    }
    for (cell, start) in cells.iter_mut().zip((0..text.len()).step_by(4)) {
        let field = &text[start..text.len().min(start + 4)];
        if !field.trim().is_empty() {
            *cell = Card::parse(field.trim()).filter(|_| field.starts_with(' '))?;
        }
    }
    Some(cells)
}

/// The columns; cells and foundations too, unless nothing is there.
pub(super) fn format_position(board: &Board) -> String {
    let mut text = String::new();
    for (index, column) in board.columns().iter().enumerate() {
        text += if index > 0 { "/" } else { "" };
        text += &join(column.cards().iter().copied());
    }
    if board.free_cells() < CELLS || board.home() != [0; 4] {
        let ranks = board.home().map(|rank| rank_symbol(rank).to_string());
        let cells = board.cells().map(card_or_dash);
        text += &format!(" ; {} ; {}", cells.join(" "), ranks.join(" "));
    }
    text
}

fn card_or_dash(card: Card) -> String {
    if card == Card::NONE {
        "-".to_owned()
    } else {
        card.to_string()
    }
}

fn join(cards: impl Iterator<Item = Card>) -> String {
    let texts: Vec<String> = cards.map(|card| card.to_string()).collect();
    if texts.is_empty() {
        return "-".to_owned();
    }
    texts.join(" ")
}

fn place(symbol: u8) -> Option<Place> {
    match symbol {
        b'1'..=b'8' => Some(Place::Column(symbol - b'1')),
        b'a'..=b'd' => Some(Place::Cell(symbol - b'a')),
        b'h' => Some(Place::Home),
        _ => None,
    }
}

/// Reads a move and checks it.
pub(super) fn parse_move(board: &Board, text: &str) -> Result<Move, NotationError> {
    let illegal = || NotationError::Illegal {
        text: text.to_owned(),
        position: format_position(board),
    };
    let wrong = |reason: &str| NotationError::Move {
        game: NAME,
        text: text.to_owned(),
        reason: reason.to_owned(),
    };
    let what = "a move is where from and where to: a column 1 to 8, a cell a to d, or h, home, such \
         as 5a, b3, 2h or 36, with v and a hexadecimal number of cards for an empty column, such as \
         36v4";
    let (places, count) = match text.split_once('v') {
        Some((places, count)) => {
            let plain = count.len() <= 2 && count.bytes().all(|byte| byte.is_ascii_hexdigit());
            let count = u8::from_str_radix(count, 16).ok().filter(|_| plain);
            (places, Some(count.ok_or_else(|| wrong(what))?))
        }
        None => (text, None),
    };
    let &[from, to] = places.as_bytes() else {
        return Err(wrong(what));
    };
    let (Some(from), Some(to)) = (place(from), place(to)) else {
        return Err(wrong(what));
    };
    let follows = match (from, to) {
        (Place::Column(from), Place::Column(to)) => {
            let below = board.columns()[usize::from(to)].top();
            let top = board.columns()[usize::from(from)].top();
            if below == Card::NONE {
                None
            } else {
                let count = below
                    .rank()
                    .checked_sub(top.rank())
                    .filter(|_| top != Card::NONE);
                Some(count.ok_or_else(illegal)?)
            }
        }
        _ => Some(1),
    };
    let count = match (count, follows) {
        (Some(count), Some(follows)) if count != follows => return Err(illegal()),
        (count, follows) => count.or(follows).unwrap_or(1),
    };
    let mv = Move { from, to, count };
    if board.check(mv).is_err() {
        return Err(illegal());
    }
    Ok(mv)
}

/// Writes a move so that [`parse_move`] reads it back.
pub(super) fn format_move(board: &Board, mv: Move) -> String {
    let symbol = |place| match place {
        Place::Column(at) => char::from(b'1' + at),
        Place::Cell(at) => char::from(b'a' + at),
        Place::Home => 'h',
    };
    let mut text = String::from_iter([symbol(mv.from), symbol(mv.to)]);
    let is_empty = |at| board.columns()[usize::from(at)].is_empty();
    if matches!(mv.to, Place::Column(at) if is_empty(at)) && mv.count > 1 {
        write!(text, "v{:x}", mv.count).expect("a string takes every write");
    }
    text
}

/// Cells and foundations in the first row, then the columns from their bottom cards on. A card
/// takes two points.
pub(super) fn diagram(board: &Board) -> Diagram {
    let points = |card: Card| {
        if card == Card::NONE {
            return [Point::Empty, Point::Void];
        }
        let suit = SUITS[card.suit()].to_ascii_lowercase();
        [Point::Piece(rank_symbol(card.rank())), Point::Mark(suit)]
    };
    let longest = board.columns().iter().map(|column| column.len()).max();
    let depth = longest.unwrap_or(0).max(1);
    let at_home = (0..).zip(board.home()).map(|(suit, rank)| match rank {
        0 => Card::NONE,
        rank => Card::new(rank, suit),
    });
    let mut all: Vec<Point> = board
        .cells()
        .into_iter()
        .chain(at_home)
        .flat_map(points)
        .collect();
    for row in 0..depth {
        for column in board.columns() {
            let card = column.cards().get(row);
            all.extend(card.map_or([Point::Void; 2], |card| points(*card)));
        }
    }
    let names = (1..=COLUMNS).flat_map(|number| [number.to_string(), String::new()]);
    let mut rows = vec!["cells, home".to_owned()];
    rows.extend((0..depth).map(|_| String::new()));
    Diagram {
        columns: names.collect(),
        rows,
        points: all,
    }
}

impl std::fmt::Display for FreeCell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&format_position(&self.board))
    }
}
