#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs fuzzers in parallel, each for SECONDS, and prints the total number of inputs tried.
#
#     many.sh JOBS SECONDS FUZZER.t...
#
# If there are more jobs than fuzzers, the additional ones run the slow, tape-based fuzzers. Each
# job has its own seed, counted from SEED (1). Fails if one of the fuzzers failed, and prints its
# output.
jobs=$1 seconds=$2
shift 2
folder=$(mktemp -d) || exit
trap 'rm -r "$folder"' EXIT
seed=${SEED:-1}

plan()
{
    n=0
    while :; do
        for fuzzer; do
            case $n:$fuzzer in
            0:* | *reports.t | *database.t | *ring.t | *trace.t)
                echo "$fuzzer $seed"
                seed=$((seed + 1)) left=$((left - 1))
                ;;
            esac
            [ $n = 0 ] || [ $left -gt 0 ] || return
        done
        n=$((n + 1))
        [ $left -gt 0 ] || return
    done
}

left=$jobs
plan "$@" >"$folder/plan"
xargs -P "$jobs" -n 2 sh -c '
    "$2" "$1" "$3" >"$0/$(basename "$2").$3" 2>&1 || echo "$2 $1 $3" >>"$0/failed"' "$folder" "$seconds" <"$folder/plan"

for fuzzer; do
    cat "$folder/$(basename "$fuzzer")".* | awk -v name="$(basename "$fuzzer" .t)" '
        $1 == "#" && $3 ~ /^executions/ { runs++; sum += $2 }
        END { printf "%-14s %10d executions in %d jobs\n", name, sum, runs }'
done | tee "$folder/sums"
awk '{ sum += $2 } END { printf "%-14s %10d executions\n", "all", sum }' "$folder/sums"
[ -f "$folder/failed" ] || exit 0
while read -r fuzzer its_seconds its_seed; do
    echo "FAILED: $fuzzer $its_seconds $its_seed"
    tail -n 60 "$folder/$(basename "$fuzzer").$its_seed"
done <"$folder/failed"
exit 1
