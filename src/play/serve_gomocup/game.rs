//! The game in hand of an engine of Gomocup, and the stones that it is told.

use super::printable;
use crate::game::{Dialect, History, TwoPlayer};

/// A game in hand.
pub(super) struct Play<G: TwoPlayer> {
    pub(super) position: G,
    pub(super) history: History<G>,
}

impl<G: TwoPlayer> Play<G> {
    pub(super) fn new(rules: &G::Rules) -> Play<G> {
        let position = G::start(rules);
        let history = History::new(position.clone());
        Play { position, history }
    }

    pub(super) fn is_over(&self) -> bool {
        self.position.count_moves() == 0
    }

    pub(super) fn push(&mut self, mv: G::Move) {
        self.position.play(mv);
        self.history.push(mv, &self.position);
    }

    /// Plays a move as the protocol spells it.
    pub(super) fn take(&mut self, text: &str) -> Result<(), String> {
        if self.is_over() {
            return Err("the game is over".to_owned());
        }
        let mv = self.position.parse_spelled(text.trim(), Dialect::Gomocup);
        self.push(mv.map_err(|error| error.to_string())?);
        Ok(())
    }

    /// Takes the last move back, which must be this one.
    pub(super) fn take_back(&mut self, text: &str) -> Result<(), String> {
        let Some((last, before)) = self.history.moves().split_last() else {
            return Err("there is no move to take back".to_owned());
        };
        let start = self.history.start().clone();
        let mut earlier = Play {
            history: History::new(start.clone()),
            position: start,
        };
        for mv in before {
            earlier.push(*mv);
        }
        let named = earlier.position.parse_spelled(text, Dialect::Gomocup);
        if named.map_err(|error| error.to_string())? != *last {
            return Err(format!("`{}` is not the last move", printable(text)));
        }
        *self = earlier;
        Ok(())
    }
}

/// The lines of a `BOARD` up to `DONE`: whose stones, in turn.
#[derive(Default)]
pub(super) struct Stones {
    own: Vec<String>,
    other: Vec<String>,
    wrong: Option<String>,
}

impl Stones {
    /// `x,y,1` is a stone of the engine's own, `x,y,2` one of its opponent's. `x,y,3` is none: a
    /// point that is forbidden in renju, or on a line that has won a game that goes on.
    pub(super) fn add(&mut self, line: &str) {
        match line.rsplit_once(',') {
            Some((point, who)) if who.trim() == "1" => self.own.push(point.to_owned()),
            Some((point, who)) if who.trim() == "2" => self.other.push(point.to_owned()),
            Some((_, who)) if who.trim() == "3" => {}
            _ => self.wrong = Some(format!("`{}` is no stone", printable(line))),
        }
    }

    /// The stones as moves in turn, each colour's in the order in which they came.
    pub(super) fn moves(&self) -> Result<Vec<&str>, String> {
        if let Some(wrong) = &self.wrong {
            return Err(wrong.clone());
        }
        let (first, second) = match self.other.len().checked_sub(self.own.len()) {
            Some(0) => (&self.own, &self.other),
            Some(1) => (&self.other, &self.own),
            _ => {
                let (own, other) = (self.own.len(), self.other.len());
                return Err(format!("it cannot be my turn with {own} stones to {other}"));
            }
        };
        let mut second = second.iter();
        let mut moves = Vec::new();
        for stone in first {
            moves.push(stone.as_str());
            moves.extend(second.next().map(String::as_str));
        }
        Ok(moves)
    }
}
