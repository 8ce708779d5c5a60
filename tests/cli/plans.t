#!/bin/sh
# SPDX-License-Identifier: MIT
# Every execution plan gives the same counts, events and ranks as reading every block (--exact):
# with signals, longjmp, threads, faults, self-modifying code, delay slots and repeated
# instructions.
. "$(dirname "$0")/../lib.sh"
need qemu-x86_64 sqlite3

profiles="-p edge -p call -p block -p block:instructions -p function -p function:count
    -p function(inclusive=1) -p function(repair=0) -p function(depth=3) -p function(tail=0)
    -p context -p context(nested=1) -p context(limit=20,depth=9) -p function(depth=900)@leap -p edge+function
    -p loop -p loop:count -p loop(entries=1):count -p loop(depth=3) -p loop(span=64)"
# Sessions that need no function exits, and sessions that need no counts of block pairs.
only_counts="-p edge -p call -p block"
only_away="-p context -p loop"

# (Function follows from contexts, if no table but the exact one takes its events.)
said() # said DATABASE: of each profile
{
    sqlite3 "$1" 'SELECT instructions, blocks FROM program;
        SELECT id, spec, events, weight, "distinct", stored_entries, stored_weight, warning FROM profile;
        SELECT profile, rank, pc, value, count, low, high FROM entry'
}

# compare NAME OPTION... TRACE
compare()
{
    what=$1
    shift
    : >shared
    : >alone
    for asked in "$profiles" "$only_counts" "$only_away"; do
        # shellcheck disable=SC2086
        "$sluice" replay -q --keep all -o shared.db $asked "$@" 2>err &&
            "$sluice" replay -q --keep all -o alone.db $asked --exact "$@" 2>>err
        said shared.db >>shared && said alone.db >>alone
    done
    same "$what" shared alone || sed 's/^/# /' err | head -n 5
}

# recorded NAME COMPILER PROGRAM [OPTION...]
recorded()
{
    name=$1 compiler=$2 program=$3
    shift 3
    rm -f trace.slt
    build prog "$compiler" "$@" "$programs/$program.c" -lm -pthread
    "$sluice" record -q -p edge -o trace.slt ./prog </dev/null >/dev/null 2>&1
    compare "$name: $program" trace.slt
}

for program in branches odd_flow alarms faults workers libraries writes_code callers; do
    recorded x86-64 gcc $program -O1
done
recorded x86-64 gcc shapes -O1 -DHOSTED
compare 'x86-64: in threads' -j 3 trace.slt
compare 'x86-64: from the middle' --skip 5K --limit 50K trace.slt
for guest in mips mipsel aarch64 riscv64; do
    compiler=$guest-linux-gnu-gcc
    if ! command -v "$compiler" >/dev/null || ! command -v qemu-$guest >/dev/null; then
        skip "$guest" "there is no $compiler, or no qemu-$guest"
        continue
    fi
    for program in libraries faults; do
        recorded $guest "$compiler" $program -O1 -static
    done
done

# Of many functions and objects. (QEMU takes all memory there is for a program with the address sanitizer.)
larger="$sluice list tables"
[ -z "$sanitized" ] || larger='sqlite3 -version'
# shellcheck disable=SC2086
"$sluice" record -q -p edge -o trace.slt $(command -v ${larger%% *}) ${larger#* } >/dev/null 2>&1
compare 'a larger program' trace.slt
finish
