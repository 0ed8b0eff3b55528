//! UCCI: whatever an engine says, it is sent whole lines.

use agon::game::Announcement;
use agon::results::ProtocolKind;

use super::conversation::{self, Told};

const TOLD: Told = Told {
    announcements: &[
        Announcement {
            uci_variant: Some("xiangqi"),
            chess960: false,
            gomocup: None,
        },
        Announcement {
            uci_variant: None,
            chess960: true,
            gomocup: None,
        },
    ],
    start: "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    moves: &[" h2e2", " h9g7", " h0g2"],
};

/// An engine says the bytes.
pub fn run(data: &[u8]) -> bool {
    conversation::run(ProtocolKind::Ucci, data, &TOLD)
}
