//! What `[tune.method]` means.

use toml::Spanned;

use super::checker::Checker;
use super::tuning::MOST_GAMES;
use super::written::{Whole, WrittenGames, WrittenMethod};
use crate::tune::MethodSpec;

/// Games of a tuning that names no method.
const DEFAULT_GAMES: u32 = 2000;

/// How many different settings a batch has at most: each has a table of its own.
pub(super) fn settings_at_once(method: &MethodSpec) -> usize {
    match method {
        MethodSpec::Zoom { .. } => 5,
        MethodSpec::Grid { values, points, .. } => 1 + values.len().max(*points as usize),
        MethodSpec::Spsa { .. } => 2,
        MethodSpec::Random { .. } => 11,
    }
}

/// The method, or a problem.
pub(super) fn method(
    checker: &mut Checker<'_>,
    written: Option<&Spanned<WrittenMethod>>,
) -> Option<MethodSpec> {
    let Some(written) = written else {
        return Some(MethodSpec::Zoom {
            games: DEFAULT_GAMES,
        });
    };
    let mut whole = |name: &str, written: &Spanned<Whole>, most: u64| {
        let number = checker.whole(name, written, 1..=most)?;
        u32::try_from(number).ok()
    };
    let mut games = |written: &WrittenGames| whole("`games`", &written.games, MOST_GAMES);
    Some(match written.get_ref() {
        WrittenMethod::Zoom(written) => MethodSpec::Zoom {
            games: games(written)?,
        },
        WrittenMethod::Spsa(written) => MethodSpec::Spsa {
            games: games(written)?,
        },
        WrittenMethod::Random(written) => MethodSpec::Random {
            games: games(written)?,
        },
        WrittenMethod::Grid(grid) => {
            let pairs = whole("`pairs`", &grid.pairs, MOST_GAMES / 2);
            let points = match &grid.points {
                Some(points) => whole("`points`", points, 1000),
                None => Some(0),
            };
            if grid.values.is_empty() == grid.points.is_none() {
                let message = "a grid has either `values` or `points`".to_owned();
                let hint = "write values = [0, 5, 10], or points = 9 for equally spaced ones";
                checker.refuse(written.span(), message, Some(hint.to_owned()));
                return None;
            }
            MethodSpec::Grid {
                values: grid.values.iter().map(|value| *value.get_ref()).collect(),
                points: points?,
                pairs: pairs?,
            }
        }
    })
}
