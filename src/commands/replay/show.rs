//! A game that was found, as text and as JSON.

use std::fmt::Write;

use super::game::{Searched, Shown};
use super::{analysis_text, board, score_text};
use crate::game::Side;
use crate::play::role_name;
use crate::results::EngineKind;
use crate::search::Score;

impl Shown<'_> {
    pub(super) fn text(&self, search: Option<&Searched>, from_book: bool) -> String {
        let Shown {
            arena, game, ply, ..
        } = self;
        let [first, second] = Side::BOTH.map(|side| role_name(*arena, side));
        let mut text = format!(
            "game {} of {}, opening {}: {first} {}, {second} {}\n{} ({}) after {} moves\n",
            game.id,
            self.run.spec.name,
            game.opening,
            game.first,
            game.second,
            serde_json::to_value(game.result)
                .ok()
                .and_then(|result| result.as_str().map(str::to_owned))
                .unwrap_or_default(),
            game.termination,
            game.moves.len()
        );
        if !game.detail.is_empty() {
            text += &format!("{}\n", game.detail);
        }
        if game.void {
            text += &format!(
                "this is attempt {}, and void: the machine kept the engine waiting, so it does not \
                 count\n",
                game.attempt
            );
        }
        if !game.opening_moves.is_empty() {
            text += &format!("opening moves: {}\n", game.opening_moves.join(" "));
        }
        text += &self.move_list();
        text += &format!("\nafter move {ply} of {}\n", game.moves.len());
        text += &board(*arena, &self.seen);
        match search {
            Some(search) => {
                text += &format!("\n{}\n", self.heading(search));
                text += &analysis_text(*arena, self.seen.side, *ply, &search.found);
            }
            None if from_book => {
                let played = &game.moves[*ply].text;
                text += &format!("{played} is from the book; --depth or --nodes search here\n");
            }
            None => text += &self.why_not(),
        }
        text
    }

    fn move_list(&self) -> String {
        let moves = &self.game.moves[..self.ply];
        if moves.is_empty() {
            return String::new();
        }
        let width = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0).max(4);
        let of_moves = width(&mut moves.iter().map(|mv| mv.text.chars().count()));
        let roles = Side::BOTH.map(|side| role_name(self.arena, side));
        let of_roles = width(&mut roles.iter().map(|role| role.chars().count()));
        let mut text = format!(
            "\n ply  {:<of_roles$}  {:<of_moves$}  {:>11}  {:>5}  {:>9}  {:>9}\n",
            "side", "move", "score", "depth", "nodes", "ms"
        );
        let mut side = self.game.first_to_move;
        for (index, mv) in moves.iter().enumerate() {
            let score = mv
                .score
                .map_or(String::new(), |score| score_text(Score(score)));
            let (depth, nodes) = mv.searched.map_or_else(Default::default, |searched| {
                (searched.depth.to_string(), searched.nodes.to_string())
            });
            #[expect(clippy::cast_precision_loss, reason = "microseconds of a move")]
            let ms = mv.time_us as f64 / 1000.0;
            writeln!(
                text,
                "{:>4}  {:<of_roles$}  {:<of_moves$}  {score:>11}  {depth:>5}  {nodes:>9}  {ms:>9.2}",
                index + 1,
                role_name(self.arena, side),
                mv.text,
            )
            .expect("a string takes every write");
            side = side.other();
        }
        text
    }

    fn heading(&self, search: &Searched) -> String {
        let by = &search.by;
        match (search.as_recorded, &search.limit) {
            (Some(true), _) => format!(
                "search of {by}, as in the game: move, score, depth and nodes are those of the record"
            ),
            (Some(false), _) => format!(
                "search of {by}, NOT as in the game: this build searches otherwise than the one \
                 that played"
            ),
            (None, limit) => {
                let limit = limit.clone().unwrap_or_default();
                format!("search of {by} to {limit}")
            }
        }
    }

    /// Why no search is shown.
    fn why_not(&self) -> String {
        let side = self.seen.side;
        let name = self.game.variant(side);
        let built_in = self
            .variant(side)
            .is_some_and(|variant| matches!(variant.engine, EngineKind::BuiltIn(_)));
        match (&self.seen.outcome, built_in, self.arena.own()) {
            (Some(_), ..) => String::new(),
            (None, true, _) => "nothing was searched here; --search does\n".to_owned(),
            (None, false, Some(_)) => format!(
                "`{name}` is another program; --search shows what agon's default engine thinks\n"
            ),
            (None, false, None) => format!(
                "`{name}` is another program, and {} has no built-in engine\n",
                self.arena.game()
            ),
        }
    }

    pub(super) fn json(&self, search: Option<&Searched>, from_book: bool) -> String {
        let game = self.game;
        let moves: Vec<serde_json::Value> = game.moves[..self.ply]
            .iter()
            .map(|mv| {
                serde_json::json!({
                    "move": mv.text,
                    "score": mv.score,
                    "depth": mv.searched.map(|searched| searched.depth),
                    "nodes": mv.searched.map(|searched| searched.nodes),
                    "us": mv.time_us,
                })
            })
            .collect();
        let object = serde_json::json!({
            "run": self.run.spec.name,
            "id": game.id.to_string(),
            "attempt": game.attempt,
            "game": self.run.spec.game.name,
            "first": game.first,
            "second": game.second,
            "first_to_move": game.first_to_move,
            "opening": game.opening,
            "opening_fen": game.opening_fen,
            "opening_moves": game.opening_moves,
            "result": game.result,
            "termination": game.termination.to_string(),
            "plies": game.moves.len(),
            "ply": self.ply,
            "moves": moves,
            "position": self.seen.to_json(),
            "from_book": from_book,
            "search": search,
        });
        format!("{object}\n")
    }
}
