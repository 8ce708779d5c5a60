#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs coverage-guided fuzzers, JOBS in parallel, each for SECONDS of wall-clock time.
#
#     guided.sh JOBS SECONDS NAME...
#
# Prints for each the number of inputs tried, of code locations reached and of inputs kept. Fails
# if one of the fuzzers failed, and prints its output. Times are measured on a computer that other
# processes may use.
jobs=$1 seconds=$2
shift 2
printf '%s\n' "$@" | xargs -P "$jobs" -n 1 sh -c '
    new=build/fuzz/$1 corpus=tests/fuzz/corpus/$1
    [ -d "$corpus" ] || corpus=
    mkdir -p "$new"
    build/fuzz/guided/$1 -max_total_time=$0 -max_len=4096 -rss_limit_mb=4096 -timeout=300 -artifact_prefix="$new-" \
        -print_final_stats=1 "$new" $corpus >"$new.log" 2>&1 || echo failed >>"$new.log"' "$seconds"
status=0
for name; do
    log=build/fuzz/$name.log
    awk -v name="$name" '
        / cov: / { for (i = 1; i < NF; i++) { if ($i == "cov:") places = $(i + 1); if ($i == "corp:") kept = $(i + 1) } }
        $1 == "stat::number_of_executed_units:" { runs = $2 }
        END { printf "%-14s %10d executions, %6d places reached, %s kept\n", name, runs, places, kept }' "$log"
    [ "$(tail -n 1 "$log")" != failed ] || { status=1; tail -n 60 "$log"; }
done
exit $status
