//! A conversation with an engine that says anything: what the targets of the protocols share.

use std::time::Duration;

use agon::game::{Announcement, Side};
use agon::players::protocol::{
    self, Clocks, GameText, Heard, OptionKind, Protocol, Said, Spend, Step, TurnText,
};
use agon::results::ProtocolKind;

/// What engines are told of a game.
pub(super) struct Told {
    /// The rules.
    pub(super) announcements: &'static [Announcement],
    /// The start, as text.
    pub(super) start: &'static str,
    /// Moves, each with a blank before it.
    pub(super) moves: &'static [&'static str],
}

/// All that is sent are whole lines, of characters that can be seen.
fn check_sent(text: &str) {
    assert!(text.is_empty() || text.ends_with('\n'), "{text:?}");
    for line in text.split_terminator('\n') {
        let line = line.strip_suffix('\r').unwrap_or(line);
        assert!(
            !line.trim().is_empty(),
            "a line that says nothing: {text:?}"
        );
        assert!(!line.contains(char::is_control), "{line:?}");
    }
}

fn check_said(said: &Said) {
    if let Some(score) = said.score {
        assert!(score.0.abs() <= 32_000, "{score:?}");
    }
}

fn spends() -> [Spend; 5] {
    let clocks = |moves_to_go, increment| {
        Spend::Clock(Clocks {
            side: Side::Second,
            left: [Duration::from_millis(1500), Duration::ZERO],
            increment: [Duration::from_millis(increment); 2],
            moves_to_go,
        })
    };
    [
        Spend::Time(Duration::from_micros(100)),
        Spend::Nodes(u64::MAX),
        Spend::Depth(7),
        clocks(None, 100),
        clocks(Some(40), 0),
    ]
}

/// Checks what the engine declares, and sets all that can be set to what it says itself.
fn options(protocol: &mut dyn Protocol, told: &Told, out: &mut String) {
    let mut wanted = Vec::new();
    for announcement in told.announcements {
        match protocol.game_options(*announcement) {
            Ok(options) => wanted.extend(options),
            Err(why) => assert!(!why.trim().is_empty()),
        }
    }
    for option in protocol.declared() {
        assert!(!option.name.trim().is_empty());
        let value = match &option.kind {
            OptionKind::Check => "true".to_owned(),
            OptionKind::Spin { min, .. } => min.to_string(),
            OptionKind::Combo(choices) => choices.first().cloned().unwrap_or_default(),
            OptionKind::Button => String::new(),
            OptionKind::Text => "a b".to_owned(),
        };
        for value in option.default.iter().chain([&value]) {
            if let Err(error) = option.check(value) {
                assert!(!error.to_string().trim().is_empty());
            }
            wanted.push((option.name.clone(), value.clone()));
        }
    }
    for (name, value) in wanted {
        protocol.set_option(&name, &value, out);
    }
    check_sent(out);
}

/// Lines as an engine's player gets them.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\n', '\r'])
        .map(|line| line.trim_matches(|c: char| c.is_whitespace() || c.is_control()))
        .filter(|line| !line.is_empty())
}

/// Greets, begins a game and asks for moves, with the lines as answers: whether a move came.
fn in_order(kind: ProtocolKind, text: &str, told: &Told) -> bool {
    let mut protocol = protocol::begin(kind);
    let mut lines = lines(text);
    let mut out = String::new();
    check_sent(protocol.greeting());
    check_sent(protocol.farewell());
    if !lines.any(|line| protocol.greeted(line) == Step::Done) {
        return false;
    }
    options(&mut *protocol, told, &mut out);
    let (mut moved, mut moves) = (false, String::new());
    for (game, spend) in spends().into_iter().cycle().take(8).enumerate() {
        let text = GameText {
            start: told.start,
            is_default_start: game % 2 == 0,
            announcement: told.announcements[game % told.announcements.len()],
            spend,
        };
        out.clear();
        protocol.new_game(&text, &mut out);
        check_sent(&out);
        if !lines.any(|line| protocol.ready(line) == Step::Done) {
            return moved;
        }
        moves.clear();
        for pair in told.moves.chunks(2) {
            let turn = TurnText {
                game: text,
                moves: &moves,
                spend,
            };
            out.clear();
            let told = game % 3 == 2 && protocol.position(&turn, &mut out);
            protocol.go(&turn, told, &mut out);
            check_sent(&out);
            let mut said = Said::default();
            let came = lines.any(|line| hears_move(&mut *protocol, line, &mut said));
            check_said(&said);
            if !came {
                return moved;
            }
            moved = true;
            moves.extend(pair.iter().copied());
        }
    }
    moved
}

/// Whether the line is a move; what it asks for is checked.
fn hears_move(protocol: &mut dyn Protocol, line: &str, said: &mut Said) -> bool {
    match protocol.answer(line, said) {
        Heard::Talk => false,
        Heard::Move(_) => true,
        Heard::Question(text) => {
            check_sent(&text);
            false
        }
    }
}

/// A few lines, each in every state.
fn anyhow(kind: ProtocolKind, text: &str, told: &Told) {
    let mut protocol = protocol::begin(kind);
    let (mut out, mut said) = (String::new(), Said::default());
    let announcements = told.announcements.iter().cycle();
    let rules = announcements.zip(spends().into_iter().cycle());
    for (line, (announcement, spend)) in lines(text).take(8).zip(rules) {
        let game = GameText {
            start: told.start,
            is_default_start: false,
            announcement: *announcement,
            spend,
        };
        drop(protocol.greeted(line));
        hears_move(&mut *protocol, line, &mut said);
        protocol.new_game(&game, &mut out);
        drop(protocol.ready(line));
        let moves = told.moves[0];
        protocol.go(&TurnText { game, moves, spend }, false, &mut out);
        drop(protocol.ready(line));
        hears_move(&mut *protocol, line, &mut said);
        check_said(&said);
    }
    options(&mut *protocol, told, &mut out);
}

/// An engine of this kind says the bytes: whether that makes it move.
pub(super) fn run(kind: ProtocolKind, data: &[u8], told: &Told) -> bool {
    let text = String::from_utf8_lossy(data);
    anyhow(kind, &text, told);
    in_order(kind, &text, told)
}
