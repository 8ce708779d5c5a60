#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs fuzzers against a library built for gcov, FUZZ_SECONDS each, and prints the percentage of
# lines that they executed per folder of src/.
#
#     coverage.sh BUILD FUZZER.c...
set -e
build=$1
shift
find "$build" -name '*.gcda' -delete
mkdir -p "$build/fuzz"
includes=$(find src include -type d | sed 's/^/-I/')
for source; do
    program=$build/fuzz/$(basename "$source" .c)
    # shellcheck disable=SC2086
    ${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O1 --coverage $includes -Itests -o "$program" "$source" \
        "$build/libsluice.a" $LIBS
    echo "== $program"
    "$program" | sed -n '/executions\|inputs/p'
done
for folder in src/*/; do
    find "$build/$folder" -name '*.gcda' | while read -r data; do
        gcov -n -o "$(dirname "$data")" "$data" 2>/dev/null
    done | awk -v folder="$folder" '
        /^File / { ours = index($0, folder) }
        ours && /^Lines executed:/ {
            split($0, part, /[:% ]+/); share = part[3]; n = $NF; all += n; done += share * n / 100; ours = 0
        }
        END { if (all) printf "%-16s %6d of %6d lines, %5.1f %%\n", folder, done, all, 100 * done / all }'
done
