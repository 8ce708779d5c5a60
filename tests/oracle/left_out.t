#!/bin/sh
# SPDX-License-Identifier: MIT
# Load sampling in the engine (tap/engine/inline.c): outside the sampling windows it writes no
# loads. Its stream equals that of a tap that writes everything, filtered by the same windows,
# event by event, on all guests; with faulting blocks, signals, threads and self-modifying code.
. "$(dirname "$0")/../lib.sh"
need qemu-x86_64 nm
[ -x "$BUILD/engine/qemu-x86_64" ] || skip_all "the engine is not built (make engine)"
stream=$BUILD/tests/support/guest_stream
report=$T/report
export PERL_HASH_SEED=0 PERL_PERTURB_KEYS=0

reported() # reported NAME: the value of a line of the report
{
    sed -n "s/^$1 //p" "$report"
}

compare() # compare OPTION... -- PROGRAM...
{
    quietly "$stream" compare -o "$report" -w values "$@" &&
        [ "$(reported status)" = 0 ] && [ "$(reported loads)" -ge 30 ]
}

# quietly COMMAND...: what a guest says goes nowhere, and not into a file: programs load its size and
# time, which differ.
quietly()
{
    "$@" </dev/null >/dev/null 2>"$T/err"
}

# equal NAME OTHER WINDOWS [OPTION...] -- PROGRAM...: the engine writes the loads of the sampling windows;
# the tap OTHER writes all loads, and the test filters them. Values that are clocks or times of files may
# differ. A missing load is no such difference: it would displace all loads after it.
equal()
{
    what=$1 other=$2 windows=$3
    shift 3
    ok "$what, 1 of $windows: as the $other that is filtered" \
        compare -v -c 40 -1 engine -2 "$other" -n "$windows" "$@" ||
        sed 's/^/# /' "$report" "$T/err" | head -n 30
}

# fewer NAME PROGRAM...: loads are missing in the stream, blocks are not.
fewer()
{
    what=$1
    shift
    quietly "$stream" count -o "$report" -1 engine -- "$@"
    all=$(reported loads) blocks=$(reported blocks)
    quietly "$stream" count -o "$report" -1 engine -n 16x2000 -- "$@"
    ok "$what: most loads are left out" [ "$(reported loads)" -lt $((all * 6 / 10)) ]
    ok "$what: but not all" [ "$(reported loads)" -gt $((all / 20)) ]
    # The environment and clocks move some.
    ok "$what: and no blocks" [ "$(reported blocks)" -gt $((blocks * 99 / 100)) ]
}

work() # work PROGRAM: where its function `work` is
{
    nm -S "$1" | awk '$4 == "work" { print $1, $2 }' | {
        read -r start size
        printf '%x-%x' $((0x$start)) $((0x$start + 0x$size))
    }
}

portable() # portable ARCH COMPILER
{
    if ! command -v "$2" >/dev/null || [ ! -x "$BUILD/engine/qemu-$1" ]; then
        skip "$1" "there is no $2, or no engine for it"
        return
    fi
    for program in libraries faults workers writes_code; do
        build "$T/$program" "$2" -O2 -static "$programs/$program.c" -lm -pthread
    done
    equal "$1: strings, sorting, text" plugin 16x2000 -- "$T/libraries"
    equal "$1: strings, sorting, text" engine 3x1500 -- "$T/libraries"
    equal "$1: code that is written and run" engine 5x1500 -- "$T/writes_code"
    # By the plugin, blocks that fault before their first load have no numbers.
    equal "$1: faults between loads" engine 2x1500 -- "$T/faults"
    equal "$1: threads" engine 4x1500 -t -r "$(work "$T/workers")" -- "$T/workers"
    fewer "$1" "$T/libraries"
}
portable x86_64 gcc
portable aarch64 aarch64-linux-gnu-gcc
portable riscv64 riscv64-linux-gnu-gcc
portable mipsel mipsel-linux-gnu-gcc
portable mips mips-linux-gnu-gcc

build "$T/values" riscv64-linux-gnu-gcc -march=rv32gc -mabi=ilp32d -ffreestanding -static -nostdlib -O2 \
    "$programs/values.c" -lgcc
equal 'riscv32: values' plugin 4x1500 -- "$T/values"

# Signals come at any moment, so that blocks have other numbers each time: the present loads are
# not read, and blocks come in the same order.
build "$T/alarms" gcc -O2 -static "$programs/alarms.c" -lm -pthread
ok 'x86_64: a storm of signals' quietly "$stream" compare -o "$report" -w blocks -1 engine \
    -2 engine -n 16x1500 -r "$(work "$T/alarms")" -- "$T/alarms" ||
    sed 's/^/# /' "$report" "$T/err" | head -n 30

# Killed at any block, inside a sampling window or outside.
build "$T/steady" gcc -O2 -static "$programs/steady.c"
for blocks in 1000 30000 200000; do
    ok "killed after $blocks blocks: what it has given is where the other begins" \
        quietly "$stream" compare -o "$report" -w values -1 engine -2 engine -n 4x3000 -k $blocks \
        -- "$T/steady" || sed 's/^/# /' "$report" "$T/err" | head -n 30
done
finish
