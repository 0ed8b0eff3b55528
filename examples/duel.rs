//! Plays two configurations of the built-in searches against each other in Amazons, on
//! random openings with colours swapped.
//!
//! `cargo run --release --example duel -- PAIRS SEED A B`, where A and B are written
//! `kind[,name=value]...,ms=100` (or `nodes=`, `depth=`).

use std::time::{Duration, Instant};

use agon::game::{Game, History, Side, TwoPlayer};
use agon::games::amazons::{Amazons, AmazonsRules};
use agon::params::Tunable;
use agon::search::{
    BuiltIn, Control, Random, Search, SearchKind, SearchLimits, SearchSpec, StopFlag, TimeLimit,
    build, parameters,
};

struct Player {
    search: Box<dyn Search<Amazons>>,
    limits: SearchLimits,
    ms: Option<u64>,
    depth: u64,
    nodes: u64,
    moves: u64,
    slowest: Duration,
}

fn player(text: &str) -> Player {
    let mut parts = text.split(',');
    let name = parts.next().expect("a kind");
    let kind = SearchKind::OF_TWO_PLAYERS
        .into_iter()
        .find(|kind| kind.name() == name)
        .expect("alpha_beta, greedy or random");
    let mut spec = SearchSpec::defaults::<Amazons>(kind);
    let search = parameters::<Amazons>(kind);
    let evaluation = <Amazons as BuiltIn>::Evaluator::parameters();
    let mut limits = SearchLimits::NONE;
    let mut ms = None;
    for part in parts {
        let (name, value) = part.split_once('=').expect("name=value");
        let number: f64 = value.parse().expect("a number");
        match name {
            "ms" => ms = value.parse().ok(),
            "nodes" => limits.nodes = value.parse().expect("nodes"),
            "depth" => limits.depth = value.parse().expect("a depth"),
            _ if search.iter().any(|p| p.name == name) => {
                spec.parameters
                    .set(&search, name, number)
                    .expect("in range");
            }
            _ => spec
                .evaluation
                .set(&evaluation, name, number)
                .expect("in range"),
        }
    }
    Player {
        search: build(&spec),
        limits,
        ms,
        depth: 0,
        nodes: 0,
        moves: 0,
        slowest: Duration::ZERO,
    }
}

fn opening(seed: u64, stop: &StopFlag) -> (Amazons, History<Amazons>) {
    let mut random = Random::new();
    Search::<Amazons>::new_game(&mut random, seed);
    let mut position = Amazons::start(&AmazonsRules::default());
    let mut history = History::new(position.clone());
    for _ in 0..4 {
        let mut control = Control::new(SearchLimits::NONE, stop);
        let mv = random.search(&position, &history, &mut control).mv;
        position.play(mv);
        history.push(mv, &position);
    }
    (position, history)
}

fn play(first: &mut Player, second: &mut Player, seed: u64, stop: &StopFlag) -> Side {
    let (mut position, mut history) = opening(seed, stop);
    first.search.new_game(seed);
    second.search.new_game(seed);
    loop {
        if let Some(outcome) = position.outcome(&history) {
            return outcome.winner.expect("no draws");
        }
        let player = match position.side_to_move() {
            Side::First => &mut *first,
            Side::Second => &mut *second,
        };
        let mut limits = player.limits;
        limits.time = player.ms.map(|ms| {
            let start = Instant::now();
            let deadline = start + Duration::from_millis(ms);
            TimeLimit { start, deadline }
        });
        let mut control = Control::new(limits, stop);
        let began = Instant::now();
        let report = player.search.search(&position, &history, &mut control);
        player.slowest = player.slowest.max(began.elapsed());
        if report.searched && !report.score.is_some_and(agon::search::Score::is_proven) {
            player.depth += u64::from(report.depth);
            player.nodes += report.nodes;
            player.moves += 1;
        }
        position.play(report.mv);
        history.push(report.mv, &position);
    }
}

#[expect(clippy::print_stdout, reason = "the result")]
#[expect(clippy::cast_precision_loss, reason = "small counts")]
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [pairs, seed, a, b] = arguments.as_slice() else {
        panic!("PAIRS SEED A B");
    };
    let pairs: u64 = pairs.parse().expect("pairs");
    let seed: u64 = seed.parse().expect("a seed");
    let (mut a, mut b) = (player(a), player(b));
    let stop = StopFlag::new();
    let mut won = 0;
    for pair in seed..seed + pairs {
        won += u64::from(play(&mut a, &mut b, pair, &stop) == Side::First);
        won += u64::from(play(&mut b, &mut a, pair, &stop) == Side::Second);
    }
    let mean = |sum: u64, moves: u64| sum as f64 / moves.max(1) as f64;
    let games = 2 * pairs;
    println!(
        "{won}/{games} = {:.3}; depth {:.1} and {:.1}, nodes {:.0} and {:.0}, slowest {:?} and {:?}",
        won as f64 / games as f64,
        mean(a.depth, a.moves),
        mean(b.depth, b.moves),
        mean(a.nodes, a.moves),
        mean(b.nodes, b.moves),
        a.slowest,
        b.slowest,
    );
}
