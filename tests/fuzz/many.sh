#!/bin/sh
# SPDX-License-Identifier: MIT
# many.sh JOBS SECONDS FUZZER.t...: fuzzers beside one another, each for so long, and how many inputs
# they have tried in all. Jobs that are left over go to those of tapes, which are slow; each has a
# seed of its own, from SEED on (1). Fails if one of them did; what it said is shown.
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
