//! UCI: whatever an engine says, it is sent whole lines.

use agon::game::Announcement;
use agon::results::ProtocolKind;

use super::conversation::{self, Told};

const TOLD: Told = Told {
    announcements: &[
        Announcement {
            uci_variant: None,
            chess960: false,
            gomocup: None,
        },
        Announcement {
            uci_variant: None,
            chess960: true,
            gomocup: None,
        },
        Announcement {
            uci_variant: Some("amazons"),
            chess960: false,
            gomocup: None,
        },
    ],
    start: "8/8 w - - 0 1",
    moves: &[" e2e4", " e7e5", " g1f3"],
};

/// An engine says the bytes.
pub fn run(data: &[u8]) -> bool {
    conversation::run(ProtocolKind::Uci, data, &TOLD)
}
