//! Chess, Chess960 and three-check, by the rules of the `shakmaty` crate.
//!
//! agon has no engine of its own for chess: other programs play it. Moves are in UCI notation,
//! positions in FEN.

mod notation;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use shakmaty::san::SanPlus;
use shakmaty::variant::{Variant as Rulebook, VariantPosition};
use shakmaty::zobrist::Zobrist64;
use shakmaty::{
    CastlingMode, Color, EnPassantMode, KnownOutcome, Move, Outcome as Ending, Position, Square,
};

use crate::game::{
    Announcement, Diagram, Game, History, NotationError, Outcome, Pgn, Point, Side, TwoPlayer,
};

/// The kinds of chess.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChessVariant {
    /// Chess as everyone knows it.
    #[default]
    Standard,
    /// Fischer random chess: castling from wherever king and rooks stand, written as the king
    /// taking the rook.
    Chess960,
    /// Who gives the third check wins.
    #[serde(alias = "3check")]
    ThreeCheck,
}

impl ChessVariant {
    /// The value of the option `UCI_Variant`.
    #[must_use]
    pub fn uci_name(self) -> &'static str {
        self.rulebook().uci()
    }

    /// The rules in the crate. A further variant is a line here and in [`ChessVariant`], and a
    /// word for how it ends.
    fn rulebook(self) -> Rulebook {
        match self {
            ChessVariant::Standard | ChessVariant::Chess960 => Rulebook::Chess,
            ChessVariant::ThreeCheck => Rulebook::ThreeCheck,
        }
    }

    fn castling(self) -> CastlingMode {
        CastlingMode::from_chess960(self == ChessVariant::Chess960)
    }

    /// The value of the PGN header `Variant`.
    fn pgn_name(self) -> Option<&'static str> {
        match self {
            ChessVariant::Standard => None,
            ChessVariant::Chess960 => Some("Chess960"),
            ChessVariant::ThreeCheck => Some("Three-check"),
        }
    }

    /// Whether a PGN header `Variant` means it, by any of the names in use. A game of standard
    /// chess is one of Chess960 too.
    fn is_named(self, name: &str) -> bool {
        let letters = name.chars().filter(|symbol| symbol.is_alphanumeric());
        let name = letters.collect::<String>().to_lowercase();
        let standard = matches!(
            name.as_str(),
            "standard" | "chess" | "normal" | "fromposition" | "position"
        );
        let chess960 = matches!(
            name.as_str(),
            "chess960"
                | "960"
                | "fischerandom"
                | "fischerrandom"
                | "fischerandomchess"
                | "fischerrandomchess"
                | "freestyle"
        );
        match self {
            ChessVariant::Standard => standard,
            ChessVariant::Chess960 => standard || chess960,
            ChessVariant::ThreeCheck => {
                matches!(name.as_str(), "3check" | "threecheck" | "3checkchess")
            }
        }
    }

    /// Why a game ended that the variant's own rule has ended.
    fn ending(self) -> &'static str {
        match self {
            ChessVariant::Standard | ChessVariant::Chess960 => "variant_rule",
            ChessVariant::ThreeCheck => "three_checks",
        }
    }
}

/// What can be chosen before a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChessRules {
    /// The kind of chess.
    pub variant: ChessVariant,
}

/// A position.
#[derive(Clone, Debug)]
pub struct Chess {
    position: VariantPosition,
    /// Without an en passant square that no pawn can take on.
    key: Zobrist64,
    variant: ChessVariant,
}

impl Chess {
    fn new(position: VariantPosition, variant: ChessVariant) -> Chess {
        Chess {
            key: position.zobrist_hash(EnPassantMode::Legal),
            position,
            variant,
        }
    }

    /// How often the current position has been there, this time included. Positions before the
    /// last capture or pawn move are others.
    fn occurrences(&self, history: &History<Chess>) -> usize {
        let reversible = usize::try_from(self.position.halfmoves()).unwrap_or(usize::MAX);
        let keys = history.keys().iter().rev().step_by(2);
        let key = self.key();
        keys.take(reversible / 2 + 1)
            .filter(|earlier| **earlier == key)
            .count()
    }
}

/// Plies without capture and pawn move after which the game is a draw.
const FIFTY_MOVES: u32 = 100;

fn side(color: Color) -> Side {
    color.fold_wb(Side::First, Side::Second)
}

impl Game for Chess {
    const NAME: &'static str = "chess";
    const ROLES: [&'static str; 2] = ["white", "black"];
    type Rules = ChessRules;
    type Move = Move;

    fn check_rules(_rules: &ChessRules) -> Result<(), String> {
        Ok(())
    }

    /// In Chess960 the usual start too: number 518.
    fn announcement(rules: &ChessRules) -> Announcement {
        Announcement {
            uci_variant: match rules.variant {
                ChessVariant::Standard | ChessVariant::Chess960 => None,
                ChessVariant::ThreeCheck => Some("3check"),
            },
            chess960: rules.variant == ChessVariant::Chess960,
            ..Announcement::default()
        }
    }

    fn start(rules: &ChessRules) -> Chess {
        let variant = rules.variant;
        let setup = VariantPosition::new(variant.rulebook()).to_setup(EnPassantMode::Legal);
        let position = VariantPosition::from_setup(variant.rulebook(), setup, variant.castling())
            .unwrap_or_else(|_| VariantPosition::new(variant.rulebook()));
        Chess::new(position, variant)
    }

    /// A dead position has legal moves, as other programs count them.
    fn legal_moves(&self, moves: &mut Vec<Move>) {
        moves.extend(self.position.legal_moves());
    }

    fn count_moves(&self) -> u64 {
        self.position.legal_moves().len() as u64
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.position.is_legal(mv)
    }

    fn play(&mut self, mv: Move) {
        let updated = self
            .position
            .update_zobrist_hash(self.key, mv, EnPassantMode::Legal);
        self.position.play_unchecked(mv);
        self.key = updated.unwrap_or_else(|| self.position.zobrist_hash(EnPassantMode::Legal));
    }

    /// Which rooks may castle is in it by their squares, since in Chess960 two may stand on one
    /// side of the king.
    fn key(&self) -> u64 {
        let rooks = self.position.castles().castling_rights().0;
        self.key.0 ^ rooks.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    fn from_fen(text: &str, rules: &ChessRules) -> Result<Chess, NotationError> {
        notation::parse_fen(text, rules.variant)
    }

    fn to_fen(&self) -> String {
        notation::format_fen(&self.position)
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        notation::parse_move(text, &self.position)
    }

    fn format_move(&self, mv: Move) -> String {
        notation::format_move(mv, &self.position)
    }

    fn diagram(&self) -> Diagram {
        let board = self.position.board();
        let point = |square: Square| {
            board
                .piece_at(square)
                .map_or(Point::Empty, |piece| Point::Piece(piece.char()))
        };
        let row = |rank: u32| (0..8).map(move |file| Square::new(rank * 8 + file));
        Diagram {
            columns: ('a'..='h').map(String::from).collect(),
            rows: ('1'..='8').rev().map(String::from).collect(),
            points: (0..8).rev().flat_map(row).map(point).collect(),
        }
    }
}

impl TwoPlayer for Chess {
    const PGN: Option<Pgn<Chess>> = Some(Pgn {
        variant: |rules| rules.variant.pgn_name(),
        is_variant: |rules, name| rules.variant.is_named(name),
        parse_move: |position, text| notation::parse_san(text, &position.position),
        format_move: |position, mv| SanPlus::from_move(position.position.clone(), mv).to_string(),
    });

    fn side_to_move(&self) -> Side {
        side(self.position.turn())
    }

    fn outcome(&self, history: &History<Chess>) -> Option<Outcome> {
        let position = &self.position;
        if let Ending::Known(ending) = position.variant_outcome() {
            let winner = match ending {
                KnownOutcome::Decisive { winner } => Some(side(winner)),
                KnownOutcome::Draw => None,
            };
            let reason = self.variant.ending().to_owned();
            return Some(Outcome { winner, reason });
        }
        if position.legal_moves().is_empty() {
            return Some(if position.is_check() {
                Outcome::win(self.side_to_move().other(), "checkmate")
            } else {
                Outcome::draw("stalemate")
            });
        }
        if position.is_insufficient_material() {
            Some(Outcome::draw("dead_position"))
        } else if self.occurrences(history) >= 3 {
            Some(Outcome::draw("threefold"))
        } else if position.halfmoves() >= FIFTY_MOVES {
            Some(Outcome::draw("fifty_moves"))
        } else {
            None
        }
    }
}
