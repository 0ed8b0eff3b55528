//! Replays a solution card by card. Written apart from the rules that the solver uses: piles are
//! lists, and a run goes one card at a time, over cells and empty columns that must be there. Reads
//! what agon prints and what fc-solve prints.

use serde_json::Value;

use super::NAME;
use super::cards::{Card, parse_rank, rank_symbol};
use crate::game::{CheckedSolution, NotationError, SolutionError};

/// Piles of cards, each with its uppermost card last.
#[derive(Clone)]
struct Table {
    columns: Vec<Vec<Card>>,
    cells: Vec<Option<Card>>,
    /// Clubs, diamonds, hearts, spades.
    home: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Spot {
    Column(usize),
    Cell(usize),
    Home,
}

impl Table {
    fn read(text: &str) -> Option<Table> {
        let mut parts = text.split(';');
        let columns = parts.next()?.split('/').map(|column| {
            let cards = column.split_whitespace().filter(|text| *text != "-");
            cards.map(Card::parse).collect::<Option<Vec<Card>>>()
        });
        let columns = columns.collect::<Option<Vec<_>>>()?;
        let cells = parts.next().unwrap_or("- - - -").split_whitespace();
        let cells = cells.map(|text| match text {
            "-" => Some(None),
            _ => Card::parse(text).map(Some),
        });
        let cells = cells.collect::<Option<Vec<_>>>()?;
        let home = parts.next().unwrap_or("0 0 0 0").split_whitespace();
        let home = home.map(|rank| parse_rank(rank.chars().next()?));
        let home = home.collect::<Option<Vec<u8>>>()?;
        let in_piles = columns.iter().map(Vec::len).sum::<usize>() + cells.iter().flatten().count();
        let at_home: usize = home.iter().map(|rank| usize::from(*rank)).sum();
        let fits = columns.len() == 8 && cells.len() == 4 && home.len() == 4;
        (fits && in_piles + at_home == 52).then_some(Table {
            columns,
            cells,
            home,
        })
    }

    fn write(&self) -> String {
        let or_dash = |text: String| {
            if text.is_empty() {
                "-".to_owned()
            } else {
                text
            }
        };
        let columns = self.columns.iter().map(|column| {
            let cards: Vec<String> = column.iter().map(Card::to_string).collect();
            or_dash(cards.join(" "))
        });
        let columns: Vec<String> = columns.collect();
        let cells = self
            .cells
            .iter()
            .map(|cell| cell.map_or("-".to_owned(), |card| card.to_string()));
        let cells: Vec<String> = cells.collect();
        let home: Vec<String> = self
            .home
            .iter()
            .map(|rank| rank_symbol(*rank).to_string())
            .collect();
        format!(
            "{} ; {} ; {}",
            columns.join("/"),
            cells.join(" "),
            home.join(" ")
        )
    }

    /// Moves one card.
    fn step(&mut self, from: Spot, to: Spot) -> Result<(), String> {
        let card = match from {
            Spot::Column(at) => {
                let card = self.columns[at].last().copied();
                card.ok_or_else(|| format!("column {} is empty", at + 1))?
            }
            Spot::Cell(at) => self.cells[at].ok_or("the cell is empty")?,
            Spot::Home => return Err("no card leaves its foundation".to_owned()),
        };
        if from == to {
            return Err(format!("{card} is there already"));
        }
        match to {
            Spot::Column(at) => {
                if let Some(below) = self.columns[at].last() {
                    if below.is_red() == card.is_red() {
                        return Err(format!(
                            "{card} does not go on {below}, which has its colour"
                        ));
                    }
                    if below.rank() != card.rank() + 1 {
                        return Err(format!(
                            "{card} does not go on {below}, which is not one higher"
                        ));
                    }
                }
                self.columns[at].push(card);
            }
            Spot::Cell(at) => {
                if let Some(other) = self.cells[at] {
                    return Err(format!(
                        "{card} does not go into the cell, where {other} is"
                    ));
                }
                self.cells[at] = Some(card);
            }
            Spot::Home => {
                let rank = &mut self.home[card.suit()];
                if *rank + 1 != card.rank() {
                    return Err(format!(
                        "{card} does not go home, where its suit has come to {}",
                        rank_symbol(*rank)
                    ));
                }
                *rank += 1;
            }
        }
        match from {
            Spot::Column(at) => drop(self.columns[at].pop()),
            Spot::Cell(at) => self.cells[at] = None,
            Spot::Home => {}
        }
        Ok(())
    }

    /// The cards that are not at home.
    fn left(&self) -> u8 {
        self.home.iter().map(|rank| 13 - rank).sum()
    }

    /// How many cards a move could mean that names none: the length of the run, where it goes to
    /// an empty column; 0 for others.
    fn most_cards(&self, text: &str) -> usize {
        let column = |symbol: u8| matches!(symbol, b'1'..=b'8').then(|| usize::from(symbol - b'1'));
        let (from, to) = match text.as_bytes() {
            &[from, to] => (column(from), column(to)),
            _ => return 0,
        };
        let (Some(from), Some(to)) = (from, to) else {
            return 0;
        };
        let cards = &self.columns[from];
        if cards.is_empty() || !self.columns[to].is_empty() {
            return 0;
        }
        let pairs = cards.windows(2).rev();
        let in_order = pairs.take_while(|pair| {
            pair[0].rank() == pair[1].rank() + 1 && pair[0].is_red() != pair[1].is_red()
        });
        1 + in_order.count()
    }

    fn free_cells(&self) -> Vec<usize> {
        (0..4).filter(|cell| self.cells[*cell].is_none()).collect()
    }

    /// Moves the upper `count` cards of a column to another, one by one. `spare` are empty columns.
    fn carry(
        &mut self,
        from: usize,
        to: usize,
        count: usize,
        spare: &[usize],
    ) -> Result<(), String> {
        let cells = self.free_cells();
        if count <= cells.len() + 1 {
            for &cell in &cells[..count - 1] {
                self.step(Spot::Column(from), Spot::Cell(cell))?;
            }
            self.step(Spot::Column(from), Spot::Column(to))?;
            for &cell in cells[..count - 1].iter().rev() {
                self.step(Spot::Cell(cell), Spot::Column(to))?;
            }
            return Ok(());
        }
        let Some((&aside, others)) = spare.split_first() else {
            return Err(
                "there are not enough free cells and empty columns for so many cards".to_owned(),
            );
        };
        // The most that the others can bring aside; the rest goes the same way.
        let part = ((cells.len() + 1) << others.len()).min(count - 1);
        self.carry(from, aside, part, others)?;
        self.carry(from, to, count - part, others)?;
        self.carry(aside, to, part, others)
    }

    /// Does one move of the notation; the number of its cards.
    fn play(&mut self, text: &str) -> Result<u32, String> {
        let spot = |symbol: char| match symbol {
            '1'..='8' => symbol
                .to_digit(10)
                .map(|digit| Spot::Column(digit as usize - 1)),
            'a'..='d' => Some(Spot::Cell(symbol as usize - 'a' as usize)),
            'h' => Some(Spot::Home),
            _ => None,
        };
        let mut symbols = text.chars();
        let places = (symbols.next().and_then(spot), symbols.next().and_then(spot));
        let (Some(from), Some(to)) = places else {
            return Err("this is no move".to_owned());
        };
        let rest = symbols.as_str();
        let written = match rest.strip_prefix('v') {
            None if rest.is_empty() => None,
            Some(number) if number.len() <= 2 && number.bytes().all(|b| b.is_ascii_hexdigit()) => {
                usize::from_str_radix(number, 16).ok()
            }
            _ => None,
        };
        if !rest.is_empty() && written.is_none_or(|count| count == 0) {
            return Err(format!("`{rest}` is no number of cards"));
        }
        let (Spot::Column(start), Spot::Column(end)) = (from, to) else {
            if written.is_some_and(|count| count != 1) {
                return Err("only one card goes there at once".to_owned());
            }
            self.step(from, to)?;
            return Ok(1);
        };
        if start == end {
            return Err("it goes where it is".to_owned());
        }
        let count = match (self.columns[start].last(), self.columns[end].last()) {
            (None, _) => return Err(format!("column {} is empty", start + 1)),
            (Some(top), Some(below)) => {
                let follows = usize::from(below.rank().saturating_sub(top.rank()));
                if follows == 0 {
                    return Err(format!("nothing that ends in {top} goes on {below}"));
                }
                if written.is_some_and(|count| count != follows) {
                    return Err(format!(
                        "only {follows} cards could end in {top} on {below}"
                    ));
                }
                follows
            }
            (Some(_), None) => written.unwrap_or(1),
        };
        if count > self.columns[start].len() {
            return Err(format!("column {} has no {count} cards", start + 1));
        }
        let is_spare = |at: &usize| *at != end && self.columns[*at].is_empty();
        let spare: Vec<usize> = (0..8).filter(is_spare).collect();
        self.carry(start, end, count, &spare)?;
        Ok(u32::try_from(count).unwrap_or(u32::MAX))
    }
}

/// A move as it is written, and in the notation.
struct Written {
    shown: String,
    mv: String,
}

/// What begins a line that solvers print around the moves: titles, states, boards.
const TALK: [&str; 16] = [
    "#",
    "-=",
    "==",
    "--",
    ":",
    "This game is solveable",
    "I could not solve this game",
    "Total number of states",
    "This scan generated",
    "Iteration:",
    "Depth:",
    "Stored-States:",
    "Scan:",
    "Foundations:",
    "Freecells:",
    "FC:",
];

/// `Move 3 cards from stack 2 to stack 5`, as fc-solve says it: it counts from 0.
fn sentence(line: &str) -> Option<String> {
    let words: Vec<&str> = line.trim_end_matches('.').split_whitespace().collect();
    let (count, rest) = match words.as_slice() {
        ["Move", count, "card" | "cards", "from", rest @ ..] => (*count, rest),
        _ => return None,
    };
    let spot = |kind: &str, number: &str| {
        let symbols = match kind {
            "stack" => "12345678",
            "freecell" => "abcd",
            _ => return None,
        };
        symbols.chars().nth(number.parse().ok()?)
    };
    let (from, to) = match rest {
        [kind, at, "to", "the", "foundations"] => (spot(kind, at)?, 'h'),
        [kind, at, "to", other, target] => (spot(kind, at)?, spot(other, target)?),
        _ => return None,
    };
    let count = match count {
        "a" => 1,
        count => count.parse::<u8>().ok()?,
    };
    let run = if count > 1 || to.is_ascii_digit() && from.is_ascii_digit() {
        format!("v{count:x}")
    } else {
        String::new()
    };
    Some(format!("{from}{to}{run}"))
}

/// A word without the number of a numbered list: `12.`, `12)` or `12:` before it.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|symbol: char| symbol.is_ascii_digit());
    match rest.strip_prefix(['.', ')', ':']) {
        Some(rest) if !word.starts_with(['.', ')', ':']) => rest,
        _ => word,
    }
}

/// Whether a word is part of a board's picture, which has large letters.
fn is_picture(word: &str) -> bool {
    let is_card = Card::parse(word).is_some() || word.contains('-');
    is_card && !word.contains(|symbol: char| symbol.is_ascii_lowercase())
}

/// The moves in a text: agon's own, as JSON too, or fc-solve's in any of its notations.
fn read_moves(text: &str) -> Result<Vec<Written>, String> {
    let written = |shown: &str, mv: String| Written {
        shown: shown.to_owned(),
        mv,
    };
    let text = text.trim_start_matches('\u{feff}');
    if text.trim_start().starts_with('{') {
        let object: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let moves = object.get("moves").and_then(Value::as_array);
        let moves = moves.ok_or("this JSON has no array `moves`")?;
        let moves = moves.iter().map(|mv| {
            let mv = mv.as_str().ok_or("a move of this JSON is no text")?;
            Ok(written(mv, mv.to_owned()))
        });
        return moves.collect();
    }
    // Before its first line of dashes fc-solve tells the states that it has seen.
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let begin = lines.iter().position(|line| line.starts_with("-=-="));
    let lines = &lines[begin.unwrap_or(0)..];
    let has_pictures = lines.iter().any(|line| line.starts_with("===="));
    let mut moves = Vec::new();
    for line in lines {
        if TALK.iter().any(|head| line.starts_with(head)) {
            continue;
        }
        let after = without_number(line).trim_start();
        if after.starts_with("Move ") {
            let mv = sentence(after).unwrap_or_else(|| (*line).to_owned());
            moves.push(written(after, mv));
            continue;
        }
        let plain = after.strip_prefix("Move:").unwrap_or(after);
        if has_pictures && plain.split_whitespace().all(is_picture) {
            continue;
        }
        let words = plain.split_whitespace().map(without_number);
        let words = words.filter(|word| !word.is_empty());
        moves.extend(words.map(|word| written(word, word.to_owned())));
    }
    Ok(moves)
}

/// Moves tried where runs have no number.
const MOST_TRIED: u32 = 100_000;

/// The runs of unknown length that are remembered.
const MOST_OPEN: usize = 2000;

/// What comes of trying all numbers of cards.
enum Reading {
    Right(CheckedSolution),
    Wrong,
    TooMany,
}

/// A run to an empty column whose length is not written.
struct Open {
    table: Table,
    at: usize,
    checked: CheckedSolution,
    /// The next number of cards to try.
    count: usize,
}

/// Tries for each run to an empty column that has no number all numbers, the largest first.
fn try_numbers(start: &Table, moves: &[Written]) -> Reading {
    let mut open: Vec<Open> = Vec::new();
    let mut table = start.clone();
    let mut at = 0;
    let mut checked = CheckedSolution::default();
    for _ in 0..MOST_TRIED {
        let played = match moves.get(at) {
            None if table.left() == 0 => return Reading::Right(checked),
            None => None,
            Some(written) => match table.most_cards(&written.mv) {
                0 | 1 => table.play(&written.mv).ok(),
                _ if open.len() == MOST_OPEN => return Reading::TooMany,
                count => {
                    open.push(Open {
                        table: table.clone(),
                        at,
                        checked,
                        count,
                    });
                    None
                }
            },
        };
        if let Some(cards) = played {
            checked.moves += 1;
            checked.pieces += cards;
            at += 1;
            continue;
        }
        loop {
            let Some(last) = open.last_mut() else {
                return Reading::Wrong;
            };
            if last.count == 0 {
                open.pop();
                continue;
            }
            let count = last.count;
            last.count -= 1;
            table.clone_from(&last.table);
            let mv = format!("{}v{count:x}", moves[last.at].mv);
            if let Ok(cards) = table.play(&mv) {
                (at, checked) = (last.at + 1, last.checked);
                checked.moves += 1;
                checked.pieces += cards;
                checked.guessed += u32::from(count > 1);
                break;
            }
        }
    }
    Reading::TooMany
}

/// Replays moves, where a run to an empty column without a number is one card.
fn replay(mut table: Table, moves: &[Written]) -> Result<CheckedSolution, SolutionError> {
    let mut checked = CheckedSolution::default();
    for Written { shown, mv } in moves {
        let before = table.clone();
        checked.pieces += table.play(mv).map_err(|reason| SolutionError::Move {
            number: checked.moves + 1,
            mv: shown.clone(),
            position: before.write(),
            reason,
        })?;
        checked.moves += 1;
    }
    match table.left() {
        0 => Ok(checked),
        left => Err(SolutionError::Unsolved {
            number: checked.moves,
            position: table.write(),
            reason: format!("{left} cards are not at home"),
        }),
    }
}

/// Replays a solution of a position as [`crate::game::Game::to_fen`] writes it. fc-solve leaves
/// the number of a run to an empty column out in one of its notations: if one card each does not
/// lead to the end, other numbers are tried.
pub(super) fn check(position: &str, moves: &str) -> Result<CheckedSolution, SolutionError> {
    let table = Table::read(position).ok_or_else(|| NotationError::Position {
        game: NAME,
        text: position.to_owned(),
        reason: "the checker reads columns ; cells ; foundations".to_owned(),
    })?;
    let moves = read_moves(moves).map_err(|reason| SolutionError::Move {
        number: 1,
        mv: moves.trim().to_owned(),
        position: table.write(),
        reason,
    })?;
    let mut error = match replay(table.clone(), &moves) {
        Ok(checked) => return Ok(checked),
        Err(error) => error,
    };
    match try_numbers(&table, &moves) {
        Reading::Right(checked) => return Ok(checked),
        Reading::Wrong => {}
        Reading::TooMany => {
            if let SolutionError::Move { reason, .. } | SolutionError::Unsolved { reason, .. } =
                &mut error
            {
                *reason += "; but runs to empty columns have no number of cards, and there are too \
                            many ways to read them: write 36v4 for four cards";
            }
        }
    }
    Err(error)
}
