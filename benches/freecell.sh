#!/usr/bin/env bash
# FreeCell's deals 1 to 1000 (or LAST) on one core: agon's solver beside Freecell Solver (Debian's
# freecell-solver-bin), with default settings and for short solutions. CPU, states a deal, moves a
# solution.
#
#   benches/freecell.sh [LAST]
#
# Moves of fc-solve are counted on every tenth deal, since its range solver prints none; of `-l mfi`
# only those deals are solved.
set -euo pipefail
export FREECELL_SOLVER_QUIET=1
cd "$(dirname "$0")/.."
last=${1:-1000}
cargo build --release --quiet
agon=${CARGO_TARGET_DIR:-target}/release/agon
echo "load: $(cut -d' ' -f1-3 /proc/loadavg)"
for preset in "" "--preset short"; do
    echo "agon solve freecell --range 1..$last $preset"
    # shellcheck disable=SC2086 # two words or none
    "$agon" solve freecell --range "1..$last" --workers 1 --out /dev/null $preset 2>&1 | sed 's/^/    /'
done
command -v fc-solve >/dev/null || { echo "fc-solve is missing: apt-get install freecell-solver-bin"; exit 0; }
echo "freecell-solver-range-parallel-solve 1 $last, -l lg"
TIMEFORMAT='    %U s of CPU'
time freecell-solver-range-parallel-solve 1 "$last" "$last" -l lg | sed -n 's/.*total_num_iters=\([0-9]*\).*/\1/p' |
    awk -v deals="$last" '{ n = $1 } END { printf "    %.0f states a deal\n", n / deals }'
for preset in lg mfi; do
    for deal in $(seq 1 10 "$last"); do
        make-microsoft-freecell-board -t "$deal" | fc-solve -m -snx -l "$preset" -
    done | awk -v preset="$preset" '
        /^[1-8a-dh][1-8a-dh]/ { moves += NF }
        /This game is solveable/ { solved++ }
        /number of states checked/ { gsub(/\./, "", $NF); states += $NF; deals++ }
        END { printf "fc-solve -l %s, every tenth deal: %d of %d solved, %.1f moves, %.0f states a deal\n",
              preset, solved, deals, moves / solved, states / deals }'
done
