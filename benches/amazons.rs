//! Perft and search of Amazons. `cargo bench --bench amazons`

use std::hint::black_box;

use agon::game::{Game, History};
use agon::games::amazons::{Amazons, AmazonsRules};
use agon::perft::{Leaves, perft};
use agon::search::{Control, SearchKind, SearchLimits, SearchSpec, StopFlag, build};
use criterion::{Criterion, criterion_group, criterion_main};

fn perft_from_the_start(c: &mut Criterion) {
    let start = Amazons::start(&AmazonsRules::default());
    let mut group = c.benchmark_group("amazons/perft 2");
    group.sample_size(20);
    group.bench_function("leaves made", |b| {
        b.iter(|| perft(black_box(&start), 2, Leaves::Made));
    });
    group.bench_function("leaves counted", |b| {
        b.iter(|| perft(black_box(&start), 2, Leaves::Counted));
    });
}

fn search_from_the_start(c: &mut Criterion) {
    let start = Amazons::start(&AmazonsRules::default());
    let history = History::new(start.clone());
    let stop = StopFlag::new();
    let mut search = build::<Amazons>(&SearchSpec::defaults::<Amazons>(SearchKind::AlphaBeta));
    let limits = SearchLimits {
        nodes: 20_000,
        ..SearchLimits::NONE
    };
    let mut group = c.benchmark_group("amazons/search");
    group.sample_size(10);
    group.bench_function("20,000 nodes", |b| {
        b.iter(|| {
            search.new_game(1);
            search.search(&start, &history, &mut Control::new(limits, &stop))
        });
    });
}

criterion_group!(benches, perft_from_the_start, search_from_the_start);
criterion_main!(benches);
