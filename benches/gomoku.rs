//! The search of gomoku on its bench positions. `cargo bench --bench gomoku`

use agon::games::gomoku::{Gomoku, GomokuRules};
use agon::search::{BenchLimit, SearchKind, SearchSpec, bench};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Deep enough that most of the time goes into the tree.
const DEPTH: BenchLimit = BenchLimit::Depth(9);

fn nodes_of_the_search(c: &mut Criterion) {
    let spec = SearchSpec::defaults::<Gomoku>(SearchKind::AlphaBeta);
    let nodes = bench::<Gomoku>(&GomokuRules::default(), &spec, DEPTH).nodes;
    let mut group = c.benchmark_group("gomoku/search");
    group.sample_size(10);
    group.throughput(Throughput::Elements(nodes));
    group.bench_function("depth 9", |b| {
        b.iter(|| {
            assert_eq!(
                bench::<Gomoku>(&GomokuRules::default(), &spec, DEPTH).nodes,
                nodes
            )
        });
    });
    group.finish();
}

criterion_group!(benches, nodes_of_the_search);
criterion_main!(benches);
