#!/bin/sh
# SPDX-License-Identifier: MIT
# Mutation test of the RTL: applies each fault of faults.txt, or those from FROM to TO, and runs
# the result in lockstep with the model.
#
#     faults.sh [FROM [TO]]
#
# Prints a line per fault: "found: ..." with the difference, or "not found: ...". Exits with 1 if a
# fault is not found. $BUILD is the build directory.
here=$(cd "$(dirname "$0")" && pwd)
rtl=$(cd "$here/../../rtl" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/sluice-fault.XXXXXX")
trap 'rm -rf "$work"' EXIT
gcc -O1 -o "$work/primes" "$here/../../demo/primes.c" || exit 1
grep -v '^#' "$here/faults.txt" | sed -n "${1:-1},${2:-\$}p" | while IFS='|' read -r spec module how what; do
    case $spec in
    *@leap*|*@snoopp*) export LOCKSTEP_PROGRAM="$work/primes" ;;
    *) unset LOCKSTEP_PROGRAM ;;
    esac
    rm -rf "$work/data" "$work/rtl"
    mkdir "$work/data"
    cp -r "$rtl" "$work/data/rtl"
    sed -i "$how" "$work/data/rtl/$module.v"
    if cmp -s "$rtl/$module.v" "$work/data/rtl/$module.v"; then
        echo "not found: $module: $what: the command changes nothing"
        continue
    fi
    if ! sh "$here/build-lockstep.sh" "$spec" "$work/rtl" "$work/data" >"$work/log" 2>&1; then
        echo "not found: $module: $what: cannot be compiled: $(grep -m1 Error "$work/log")"
        continue
    fi
    difference=
    for stream in mixed alias different one; do
        difference=$(timeout 100 "$work/rtl/lockstep" "$spec" $stream 1500 1 | grep -m1 '^differs: ') && break
    done
    if [ -n "$difference" ]; then echo "found: $module: $what: ${difference#differs: }"
    else echo "not found: $module: $what"; fi
done | tee "$work/lines"
echo "$(grep -c '^found: ' "$work/lines") found, $(grep -c '^not found: ' "$work/lines") not found"
! grep -q '^not found: ' "$work/lines" && grep -q '^found: ' "$work/lines"
