//! `games.csv`: what reads is written and read back the same.

use std::path::Path;
use std::sync::LazyLock;

use agon::game::Side;
use agon::results::{Effort, GameFacts, Journal, RowStamp, Sequencer};

use super::says;

/// The run whose rows are read.
static STAMP: LazyLock<RowStamp> = LazyLock::new(|| RowStamp {
    run: "r-1".to_owned(),
    config: "c0".to_owned(),
    rules: "{}".to_owned(),
});

static HEADER: LazyLock<Vec<u8>> = LazyLock::new(|| Journal::to_bytes([], &STAMP));

fn read(data: &[u8]) -> bool {
    let path = Path::new("games.csv");
    let Some(games) = says(Journal::from_bytes(path, data, &STAMP)) else {
        return false;
    };
    let mut sequencer = Sequencer::default();
    let mut efforts = [Effort::default(); 2];
    let lines: Vec<&[u8]> = data.split(|byte| *byte == b'\n').collect();
    for (line, game) in &games {
        let line = usize::try_from(*line).expect("a line in memory");
        let text = String::from_utf8_lossy(lines[line - 1]).replace('"', "");
        assert!(
            text.starts_with(&game.id.to_string()),
            "line {line} is `{text}`"
        );
        for side in Side::BOTH {
            efforts[side.index()].add(&game.effort(side));
        }
        sequencer.add(GameFacts::of(game));
        assert!(sequencer.has(game.id.pair(), game.id.leg()));
        if let Some([one, other]) = sequencer.take_next() {
            assert_eq!((one.pair, one.leg), (other.pair, 0));
            assert_eq!(other.leg, 1);
        }
    }
    let written = Journal::to_bytes(games.iter().map(|(_, game)| game), &STAMP);
    let rows = written.iter().filter(|byte| **byte == b'\n').count();
    assert_eq!(rows, games.len() + 1, "a row is one line");
    let again = Journal::from_bytes(path, &written, &STAMP).expect("rows as written");
    let records = |games: Vec<(u64, _)>| games.into_iter().map(|(_, game)| game).collect();
    let (games, again): (Vec<_>, Vec<_>) = (records(games), records(again));
    assert_eq!(again, games);
    !games.is_empty()
}

/// Reads the bytes as a whole `games.csv` where they begin as its header does, and as the rows
/// after the header otherwise.
pub fn run(data: &[u8]) -> bool {
    if data.starts_with(b"id,run") {
        read(data)
    } else {
        read(&[&HEADER, data].concat())
    }
}
