#!/usr/bin/env bash
# What playing in parallel costs: CPU a game of one process with two workers, against two
# processes of one worker side by side, and how much of their time the two workers are idle
# before the last game begins. Both ways play the same games: head to head, node limit, tables
# of 1 MB, no early stop. Interleaved, medians of RUNS (5).
#
#   benches/workers.sh [RUNS]
#
# Idle is what is not the engines' own time between the first game's begin and the last one's,
# so the program's work between two moves and two games counts as idle.
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:-5}
cargo build --release --quiet
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
config() { # name, first opening, openings, workers
    awk -v from="$2" -v count="$3" \
        '/^r/ && ++n >= from && n < from + count' openings/amazons-500.txt >"$work/$1.txt"
    cat >"$work/$1.toml" <<TOML
name = "$1"
openings = "$1.txt"
workers = $4
[game.amazons]
[limit]
nodes = 8000
[schedule.head_to_head]
candidate = "b"
base = "a"
pairs = $3
[verdict.win_rate]
at_least = 0.55
[[engine]]
name = "a"
[engine.search.alpha_beta]
hash_mb = 1
[[engine]]
name = "b"
extends = "a"
[engine.evaluation]
t2 = 1.0
TOML
}
config both 1 40 2
config left 1 20 1
config right 21 20 1
agon() { target/release/agon run "$work/$1.toml" --results "$work" --new --quiet >"$work/$1.out" 2>&1; }
side_by_side() { agon left & agon right & wait; }
cpu() { # command: its processor seconds, children included
    local TIMEFORMAT='%U %S' spent
    spent=$({ time "$@"; } 2>&1)
    awk '{ print $1 + $2 }' <<<"$spent"
}
idle() { # games.csv: idle share of two workers, in percent
    sed 's/"[^"]*"//g' "$1" | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { split(substr($at["started"], 12, 12), t, ":")
          begin = t[1] * 3600 + t[2] * 60 + t[3]
          if (NR == 2 || begin < first) first = begin
          if (begin > last) last = begin
          begins[NR] = begin
          lasted[NR] = ($at["first_time_us"] + $at["second_time_us"]) / 1e6 }
        END { for (i in begins) { end = begins[i] + lasted[i]
                                  busy += (end < last ? end : last) - begins[i] }
              printf "%.2f\n", 100 * (1 - busy / (2 * (last - first))) }'
}
median() { sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
for run in $(seq "$runs"); do
    two=$(cpu agon both)
    one=$(cpu side_by_side)
    share=$(idle "$work/both-$run/games.csv")
    ratio=$(awk "BEGIN { printf \"%.3f\", $two / $one }")
    echo "run $run: two workers $two s, two processes $one s of CPU for 80 games, ratio $ratio, idle $share%"
    echo "$ratio" >>"$work/ratios"
    echo "$share" >>"$work/idles"
done
echo "median: ratio $(median <"$work/ratios"), idle $(median <"$work/idles")%"
