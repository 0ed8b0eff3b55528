//! Perft of Xiangqi. `cargo bench --bench xiangqi`

use std::hint::black_box;

use agon::game::Game;
use agon::games::xiangqi::{Xiangqi, XiangqiRules};
use agon::perft::{Leaves, perft};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Paths of four moves from the start.
const PATHS: u64 = 3_290_240;

fn perft_from_the_start(c: &mut Criterion) {
    let start = Xiangqi::start(&XiangqiRules::default());
    let mut group = c.benchmark_group("xiangqi/perft 4");
    group.sample_size(10);
    group.throughput(Throughput::Elements(PATHS));
    group.bench_function("leaves made", |b| {
        b.iter(|| assert_eq!(perft(black_box(&start), 4, Leaves::Made), PATHS));
    });
    group.bench_function("leaves counted", |b| {
        b.iter(|| assert_eq!(perft(black_box(&start), 4, Leaves::Counted), PATHS));
    });
}

criterion_group!(benches, perft_from_the_start);
criterion_main!(benches);
