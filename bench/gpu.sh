#!/bin/sh
# SPDX-License-Identifier: MIT
# Compares sweeps of tables on a GPU with one core of the same computer: results and run times.
#
#     bench/gpu.sh DIRECTORY [TRACE]
#
# DIRECTORY contains sluice and libsluice-gpu.so, and in lib/ the libraries that the computer does
# not have; TRACE (default DIRECTORY/stream.slt) has values, of 100 M loads or more. `make
# gpu-bundle` builds the directory. Prints the measurements of docs/performance.md. Each part has its
# own time limit; all of them together end after BUDGET seconds (570).
set -u
began=$(date +%s)
at=$(cd "$1" && pwd)
trace=$(realpath "${2:-$at/stream.slt}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
cd "$work"
limit=${LIMIT:-470M} # instructions: about 100 M loads
few=${FEW:-20M}      # instructions for one core
check=${CHECK:-300K} others=${OTHERS:-47M}

sluice() {
    LD_LIBRARY_PATH="$at/lib" "$at/sluice" "$@"
}
now() {
    date +%s.%N
}
# Sets `spent` to the CPU seconds of all finished child processes.
count_spent() {
    times >times
    spent=$(tr 'ms' '  ' <times | awk 'NR == 2 {print 60 * $1 + $2 + 60 * $3 + $4}')
}
# time_limit SECONDS: prints SECONDS, or the rest of BUDGET if that is less.
time_limit() {
    left=$((${BUDGET:-570} + began - $(date +%s)))
    [ "$left" -lt "$1" ] && echo $((left > 1 ? left : 1)) || echo "$1"
}
# run_sweep NAME SECONDS ARGUMENT...: runs a sweep into NAME.db; prints its time, CPU time and GPU time.
run_sweep() {
    name=$1 most=$(time_limit "$2")
    shift 2
    nvidia-smi --query-gpu=utilization.gpu --format=csv,noheader,nounits -lms 200 >"$name.load" 2>/dev/null &
    monitor=$!
    count_spent
    before=$spent begin=$(now)
    LD_LIBRARY_PATH="$at/lib" timeout "$most" $pinned "$at/sluice" sweep -q -o "$name.db" "$@" || {
        echo "$name: exit status $?"
        sluice sweep report "$name.db" | head -5
    }
    took=$(echo "$(now) $begin" | awk '{print $1 - $2}')
    count_spent
    used=$(echo "$spent $before" | awk '{print $1 - $2}')
    kill $monitor 2>/dev/null
    wait $monitor 2>/dev/null
    busy=$(awk '{n += $1 > 20; all++} END {print all ? n / all : 0}' "$name.load")
    sluice sweep report --all -f csv "$name.db" >"$name.csv"
    rows=$(($(wc -l <"$name.csv") - 1))
    events=$(awk -F'"' 'NR == 1 {n = split($0, c, ","); for (i = 1; i <= n; i++) if (c[i] ~ /"events"/) k = i - 3}
        NR == 2 {m = split($NF, v, ","); print v[k + 1] + 0}' "$name.csv")
    echo "$name: $rows tables, $events events, $took s" \
        "$(echo "$rows $events $took" | awk '{printf "%.3g events x tables per second", $1 * $2 / $3}')," \
        "$used s of CPU time," \
        "GPU busy for $(echo "$busy $took" | awk '{printf "%.1f", $1 * $2}') s"
}
# compare_rows A B: counts the rows of A that B does not have, without the column of the stream.
compare_rows() {
    for i in "$1" "$2"; do
        sed 's/^"[^"]*",//' "$i.csv" | sort >"$i.sorted"
    done
    echo "different rows of $(($(wc -l <"$1.csv") - 1)), CPU and GPU:" \
        "$(comm -23 "$1.sorted" "$2.sorted" | wc -l)"
}
pinned=
grid='tables={1,2,4,8},counters={256..4K},conservative={0,1},reset={0,1},retain={0,1}'
tables="value@multihash($grid,interval={1M,2M},threshold={0.1%,0.2%,0.5%,1%},seed={1..8+1})"

uname -m; nproc; nvidia-smi -L 2>/dev/null
sluice --version

# (1) Every kind of table: results of CPU and GPU.
cat >all.grid <<'END'
profile value@multihash(tables={1,2,4,8,16},counters={64..1K},interval={1K,33333},threshold={1%,0.5%},conservative={0,1},reset={0,1},retain={0,1})
profile value@multihash(tables=4,counters=256,interval=10K,threshold=1%,accumulator={3,10},bits={7,24},word={32,64})
profile value@singlehash(counters={64..64K},interval=10K,threshold={1%,0.2%},reset={0,1})
profile value@{P,R,RD,CR}{1,7,256}
profile value@H[{P,R,RD,CR}{3,64,256}]{16,1024}+A16
profile value@{P,R,RD,CR}64+A16+A64
profile value@T{4,8,16}/{4,32,256}x{64,1024}w{1,2,4}
profile value@hpt({64,512}x{1,4,8},replacement={lfu,lru,age},index={xor,start},counter={4,32})
profile path@hpt({64,512}x{1,4,8},replacement={lfu,lru,age},index={xor,start})
profile edge@multihash(tables={1,2,4},counters={64,1K},interval=10K,threshold={1%,0.5%},reset={0,1})
END
run_sweep check 100 --grid all.grid --limit "$check" "$trace"
run_sweep check-gpu 60 --on gpu --grid all.grid --limit "$check" "$trace"
compare_rows check check-gpu

# (2) Speed of one core.
pinned="taskset -c 1"
run_sweep core 120 -j 1 -p "value@multihash($grid,interval={1M,2M},threshold={0.1%,1%},seed=1)" --limit "$few" "$trace"
pinned=

# (3) Ten thousand interval tables on the whole stream; the results of some are compared with the CPU's.
run_sweep gpu 330 --on gpu -p "$tables" --limit "$limit" "$trace"
run_sweep whole 90 -p "value@multihash(tables=4,counters=2K,conservative=1,reset={0,1},retain=1,interval={1M,2M},threshold={0.2%,1%},seed={1,2})" \
    --limit "$limit" "$trace"
compare_rows whole gpu

# (4) Stall reasons of the kernels by table size, on a short part of the stream.
if command -v ncu >/dev/null; then
    LD_LIBRARY_PATH="$at/lib" timeout "$(time_limit 60)" ncu --clock-control none -k regex:take_shared -c 12 --metrics \
        smsp__issue_active.avg.pct_of_peak_sustained_active,sm__warps_active.avg.per_cycle_active,gpu__time_duration.sum,smsp__inst_executed.sum,smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio,smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio,smsp__average_warps_issue_stalled_wait_per_issue_active.ratio,smsp__average_warps_issue_stalled_branch_resolve_per_issue_active.ratio,smsp__average_warps_issue_stalled_no_instruction_per_issue_active.ratio \
        "$at/sluice" sweep -q -o ncu.db --on gpu -p "$tables" --limit 6M "$trace" 2>&1 | grep -E 'take_shared|issue|warps|duration|inst_'
fi

# (5) Compressors and hot path tables, on the GPU and on one core.
cat >others.grid <<'END'
profile value@H[{P,R,RD,CR}{64..8192}]{64..4096}+A16
profile value@T{4,8,16}/{64..1024}x{64..1024}w{1,2,4}
profile value@hpt({128..2048}x{1,2,4,8},replacement={lfu,lru,age},index={xor,start})
END
run_sweep others-gpu 60 --on gpu --grid others.grid --limit "$others" "$trace"
pinned="taskset -c 1"
run_sweep others-core 60 -j 1 -p 'value@H[{P,R,RD,CR}256]{256,2048}+A16' -p 'value@T8/256x1024w{1,4}' \
    -p 'value@hpt({512,2048}x4,replacement={lfu,age})' --limit "$few" "$trace"
echo "total time: $(($(date +%s) - began)) s"
