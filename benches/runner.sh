#!/usr/bin/env bash
# What the runner itself costs: processor time, system calls and memory of agon alone, without
# the engines, while an instant engine plays on both sides, two games at once, with clocks,
# live events to a file and results.
#
#   benches/runner.sh ENGINE [RTBENCH [GAMES [RUNS]]]
#
# ENGINE is a chess engine in UCI that answers at once and has an option `Seed`, such as
# target/release/examples/scripted_engine (built by `cargo build --release --examples`).
# RTBENCH, if there is one, is a program that is called `RTBENCH ENGINE pairs2 MOVES PLIES`: it
# sends MOVES positions of PLIES plies to four engines, two at once, and does nothing else,
# and prints its own processor time as `self U.Uu+ S.Ss` in µs a move. It is the floor. It runs
# before and after each match, with the match's mean length; ratios are to the mean of both.
# GAMES (400) are played in each of RUNS (5) matches; the last line has the medians.
#
# System calls are counted with strace in a short match of its own, since counting them slows
# the program down; what starting and ending cost is in the figure, and in that of a match of
# two games, from which the difference takes it out.
set -euo pipefail
cd "$(dirname "$0")/.."
engine=$(realpath "${1:?usage: benches/runner.sh ENGINE [RTBENCH [GAMES [RUNS]]]}")
rtbench=${2:-}
games=${3:-400}
runs=${4:-5}
cargo build --release --quiet
agon=${CARGO_TARGET_DIR:-target}/release/agon
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
config() { # name, games
    cat >"$work/$1.toml" <<TOML
name = "$1"
openings = "start"
workers = 2
[game.chess]
[limit]
clock = "10+0.1"
[schedule.head_to_head]
base = "a"
candidate = "b"
pairs = $(($2 / 2))
[verdict.win_rate]
at_least = 0.55
[[engine]]
name = "a"
command = "$engine"
[engine.options]
Seed = 1
[[engine]]
name = "b"
extends = "a"
[engine.options]
Seed = 2
TOML
}
config match "$games"
config short 2
config long 22
cat >"$work/measure.py" <<'PY'
"""Runs a command. Prints the processor seconds of its own process and its peak memory."""
import os, sys, time
pid = os.fork()
if pid == 0:
    out = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(out, 1)
    os.dup2(out, 2)
    os.execv(sys.argv[2], sys.argv[2:])
peak = 0
while not os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | os.WNOHANG):
    for line in open(f"/proc/{pid}/status"):
        if line.startswith("VmHWM"):
            peak = max(peak, int(line.split()[1]))
    time.sleep(0.02)
# It has ended and is not reaped: its figures stand. 13 and 14 are its own, 15 and 16 those of
# the children that it has waited for.
own = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[11:15]
user, system, *children = (int(ticks) / os.sysconf("SC_CLK_TCK") for ticks in own)
_, status = os.waitpid(pid, 0)
if status:
    sys.exit(open(sys.argv[1]).read())
print(user, system, sum(children), peak)
PY
cat >"$work/moves.py" <<'PY'
"""The moves in a games.csv, and the mean length of a game."""
import csv, sys
plies = [int(row["plies"]) for row in csv.DictReader(open(sys.argv[1]))]
print(sum(plies), sum(plies) // len(plies))
PY
cat >"$work/calls.py" <<'PY'
"""Counts system calls in strace's output: of the first process and its threads, which are
those that never call execve themselves."""
import collections, re, sys
calls, others, first = collections.Counter(), set(), True
for line in open(sys.argv[1], errors="replace"):
    found = re.match(r"(\d+) +(\w+)\(", line)
    if not found:
        continue
    if found[2] == "execve" and not first:
        others.add(found[1])
    first = False
    calls[found[1], found[2]] += 1
own = collections.Counter()
for (pid, name), count in calls.items():
    if pid not in others:
        own[name] += count
print(sum(own.values()), *(f"{name}={count}" for name, count in own.most_common(6)))
PY
floor() { # moves, plies: µs a move
    "$rtbench" "$engine" pairs2 "$1" "$2" |
        sed -E 's/.*self +([0-9.]+)u\+ *([0-9.]+)s.*/\1 \2/' | awk '{ print $1 + $2 }'
}
median() { sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
for run in $(seq "$runs"); do
    before=$([ -z "$rtbench" ] || floor 50000 "${plies:-240}")
    read -r user system children peak < <(python3 "$work/measure.py" "$work/out" "$agon" run \
        "$work/match.toml" --results "$work" --new --json)
    read -r moves plies < <(python3 "$work/moves.py" "$work/match-$run/games.csv")
    after=$([ -z "$rtbench" ] || floor 50000 "$plies")
    awk -v u="$user" -v s="$system" -v c="$children" -v m="$moves" -v peak="$peak" \
        -v before="$before" -v after="$after" -v run="$run" -v figures="$work/figures" 'BEGIN {
        own = (u + s) / m * 1e6
        printf "run %d: %d moves, runner %.2f µs a move (%.2f user, %.2f system), engines %.2f, peak %d KiB",
            run, m, own, u / m * 1e6, s / m * 1e6, c / m * 1e6, peak
        if (before != "") {
            ratio = own / ((before + after) / 2)
            printf ", floor %.1f and %.1f, ratio %.2f", before, after, ratio
        }
        print ""
        print own, ratio, peak >figures run }'
done
if command -v strace >/dev/null; then
    for name in short long; do
        strace -f -q -o "$work/$name.strace" "$agon" run "$work/$name.toml" --results "$work" \
            --new --json >"$work/out" 2>&1
        read -r "calls_$name" "most_$name" < <(python3 "$work/calls.py" "$work/$name.strace")
        read -r "moves_$name" _ < <(python3 "$work/moves.py" "$work/$name-1/games.csv")
    done
    # shellcheck disable=SC2154 # Read by name above.
    awk "BEGIN { printf \"system calls a move: %.2f, starting and ending included %.2f ($most_long)\n\",
        ($calls_long - $calls_short) / ($moves_long - $moves_short), $calls_long / $moves_long }"
else
    echo "system calls: strace is missing (Debian: strace)"
fi
column() { cat "$work"/figures* | awk -v at="$1" '{ print $at }' | median; }
echo "median: runner $(column 1) µs a move, ratio $(column 2), peak $(column 3) KiB"
