//! Replays a solution card by card. Written apart from the rules that the solver uses: piles are
//! lists, and a run goes one card at a time, over cells and empty columns that must be there.

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
            Some(number) if number.len() <= 2 => usize::from_str_radix(number, 16).ok(),
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

/// Lines that solvers print around a solution.
fn is_talk(line: &str) -> bool {
    let line = line.trim_start();
    [
        "#",
        "-=",
        "This game is solveable",
        "Total number of states",
        "This scan generated",
    ]
    .iter()
    .any(|head| line.starts_with(head))
}

/// Replays a solution of a position as [`crate::game::Game::to_fen`] writes it.
pub(super) fn check(position: &str, moves: &str) -> Result<CheckedSolution, SolutionError> {
    let mut table = Table::read(position).ok_or_else(|| NotationError::Position {
        game: NAME,
        text: position.to_owned(),
        reason: "the checker reads columns ; cells ; foundations".to_owned(),
    })?;
    let mut checked = CheckedSolution::default();
    let lines = moves.lines().filter(|line| !is_talk(line));
    for text in lines.flat_map(str::split_whitespace) {
        let before = table.clone();
        checked.pieces += table.play(text).map_err(|reason| SolutionError::Move {
            number: checked.moves + 1,
            mv: text.to_owned(),
            position: before.write(),
            reason,
        })?;
        checked.moves += 1;
    }
    let left: u8 = table.home.iter().map(|rank| 13 - rank).sum();
    if left > 0 {
        return Err(SolutionError::Unsolved {
            number: checked.moves,
            position: table.write(),
            reason: format!("{left} cards are not at home"),
        });
    }
    Ok(checked)
}
