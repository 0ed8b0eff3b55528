//! Gomocup's protocol: whatever an engine says, it is sent whole lines.

use agon::game::{Announcement, GomocupBoard};
use agon::results::ProtocolKind;

use super::conversation::{self, Told};

const TOLD: Told = Told {
    announcements: &[
        Announcement {
            uci_variant: Some("gomoku"),
            chess960: false,
            gomocup: Some(GomocupBoard {
                width: 15,
                height: 15,
                rule: 0,
            }),
        },
        Announcement {
            uci_variant: Some("gomoku"),
            chess960: false,
            gomocup: Some(GomocupBoard {
                width: 20,
                height: 15,
                rule: 4,
            }),
        },
    ],
    start: "",
    moves: &[" 7,7", " 8,8", " 6,6", " 5,5", " 0,14"],
};

/// An engine says the bytes.
pub fn run(data: &[u8]) -> bool {
    conversation::run(ProtocolKind::Gomocup, data, &TOLD)
}
