#!/usr/bin/env bash
# Fuzzes one target with libFuzzer, on the stable toolchain.
#
#   fuzz/run.sh TARGET [EXECUTIONS] [LIBFUZZER OPTION]...
#
# New inputs are kept in fuzz/corpus/TARGET, which git ignores, and an input that fails in
# fuzz/artifacts/TARGET. docs/fuzzing.md says what to do with one.
set -euo pipefail
cd "$(dirname "$0")"
target=${1:?usage: fuzz/run.sh TARGET [EXECUTIONS] [LIBFUZZER OPTION]...}
executions=${2:-10000000}
shift $(($# < 2 ? $# : 2))

# The longest input, in bytes: short inputs run fast.
case $target in
lines) longest=128 ;;
fen | moves | uci | ucci | gomocup) longest=256 ;;
pgn_epd) longest=512 ;;
*) longest=2048 ;;
esac

# What `cargo fuzz --sanitizer none` asks of the compiler.
export FUZZ_FLAGS="-Cpasses=sancov-module
    -Cllvm-args=-sanitizer-coverage-level=4
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters
    -Cllvm-args=-sanitizer-coverage-pc-table
    -Cllvm-args=-sanitizer-coverage-trace-compares"
export RUSTC_WRAPPER=$PWD/rustc.sh
export CARGO_TARGET_DIR=${FUZZ_TARGET_DIR:-$PWD/target}
host=$(rustc -vV | sed -n 's/^host: //p')
cargo build --quiet --release --target "$host" --bin "$target"

mkdir -p "corpus/$target" "artifacts/$target"
options=(-runs="$executions" -max_len="$longest" -timeout=5 -rss_limit_mb=1024
    -artifact_prefix="artifacts/$target/" -print_final_stats=1)
if [ -f "dict/$target.dict" ]; then options+=(-dict="dict/$target.dict"); fi
folders=("corpus/$target" "seeds/$target")
if [ -d "findings/$target" ]; then folders+=("findings/$target"); fi
exec "$CARGO_TARGET_DIR/$host/release/$target" "${options[@]}" "$@" "${folders[@]}"
