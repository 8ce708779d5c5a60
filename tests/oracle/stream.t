#!/bin/sh
# SPDX-License-Identifier: MIT
# The stream with load layouts equals the stream in which every load names its instruction, event
# by event: the loads that the tap takes for granted (tap/loads.h) are those that QEMU makes. The
# reference takes nothing for granted, not even that an instruction loads nothing. The engine's
# stream (tap/engine/engine.h) equals that of the plugin in every mode, including blocks that fault
# before their first load.
. "$(dirname "$0")/../lib.sh"
need qemu-x86_64 nm
stream=$BUILD/tests/support/guest_stream
report=$T/report
# Interpreters are asked to do the same in every run.
export PERL_HASH_SEED=0 PERL_PERTURB_KEYS=0 PYTHONHASHSEED=0 PYTHONDONTWRITEBYTECODE=1

reported() # reported NAME: the value of a line of the report
{
    sed -n "s/^$1 //p" "$report"
}

compare() # compare TAPS...
{
    # Not to a file: programs load its size and time, which differ.
    "$stream" compare -o "$report" "$@" </dev/null >/dev/null 2>"$T/err" &&
        [ "$(reported status)" = 0 ] && [ "$(reported loads)" -ge 30 ]
}


streams() # streams NAME [OPTION...] -- PROGRAM...
{
    what=$1
    shift
    ok "$what" compare -v -1 plugin -2 plugin "$@" || sed 's/^/# /' "$report" "$T/err" | head -n 30
}

# engine ARCH NAME [OPTION...] -- PROGRAM...: the engine's stream is the plugin's.
engine()
{
    arch=$1 what=$2
    shift 2
    if [ -x "$BUILD/engine/qemu-$arch" ]; then
        ok "engine, $arch: $what" compare -v -1 engine -2 plugin "$@" ||
            sed 's/^/# /' "$report" "$T/err" | head -n 30
    else
        skip "engine, $arch: $what" "the engine is not built (make engine)"
    fi
}

work() # work PROGRAM: where its function `work` is
{
    nm -S "$1" | awk '$4 == "work" { print $1, $2 }' | {
        read -r start size
        printf '%x-%x' $((0x$start)) $((0x$start + 0x$size))
    }
}

# Programs that do the same on all guests, statically linked.
portable() # portable ARCH COMPILER GUEST
{
    for program in libraries page_limit faults alarms workers writes_code; do
        build "$T/$program" "$2" -O2 -static "$programs/$program.c" -lm -pthread
    done
    streams "$1: strings, sorting, text, allocation, vectors" -- "$T/libraries"
    streams "$1: the last bytes before a page that is not there" -- "$T/page_limit"
    streams "$1: code that is written and run" -- "$T/writes_code"
    streams "$1: faults between loads" -f 280 -- "$T/faults"
    # At the most one block for each fault; some have made a load before.
    ok "$1: only blocks that fault before their first load are missing" \
        [ "$(reported missing)" -gt 0 -a "$(reported missing)" -le 120 ]
    streams "$1: a storm of signals" -r "$(work "$T/alarms")" -- "$T/alarms"
    streams "$1: a storm of signals, all accesses" -w stores -r "$(work "$T/alarms")" -- "$T/alarms"
    streams "$1: threads" -t -r "$(work "$T/workers")" -- "$T/workers"
    is "$1: all threads are seen" "$(reported threads_seen)" 6

    engine "$3" "strings, sorting, text, allocation, vectors" -- "$T/libraries"
    engine "$3" "and every access" -x -w stores -- "$T/libraries"
    engine "$3" "the last bytes before a page that is not there" -- "$T/page_limit"
    engine "$3" "code that is written and run" -- "$T/writes_code"
    engine "$3" "faults between loads" -- "$T/faults"
    engine "$3" "faults between accesses" -x -w stores -- "$T/faults"
    engine "$3" "a storm of signals" -r "$(work "$T/alarms")" -- "$T/alarms"
    engine "$3" "threads" -t -r "$(work "$T/workers")" -- "$T/workers"
    engine "$3" "threads, every access" -t -x -w stores -r "$(work "$T/workers")" -- "$T/workers"
}

# Every kind of load there is, each way to ask for a stream.
forms() # forms ARCH PROGRAM GUEST
{
    for way in named addresses stores blocks; do
        streams "$1: all forms of loads, against $way" -w $way -- "$2"
    done
    for way in named values blocks; do
        engine "$3" "all forms of loads, against $way" -w $way -- "$2"
    done
    for way in addresses stores; do
        engine "$3" "all forms of accesses, $way" -x -w $way -- "$2"
    done
}

build "$T/forms" gcc -O1 -fcf-protection=none -no-pie -static "$programs/forms_x86.c"
forms x86-64 "$T/forms" x86_64
portable x86-64 gcc x86_64
streams "x86-64: code that overwrites itself" -f 50 -- "$T/writes_code" self
engine x86_64 "code that overwrites itself" -- "$T/writes_code" self
build "$T/avx2" gcc -O3 -march=haswell "$programs/libraries.c" -lm
streams "x86-64: dynamic, AVX2" -- "$T/avx2"
engine x86_64 "dynamic, AVX2" -g -- "$T/avx2"
build "$T/plain" gcc -O0 "$programs/libraries.c" -lm
streams "x86-64: dynamic, not optimized" -- "$T/plain"

build "$T/forms" aarch64-linux-gnu-gcc -O1 -static "$programs/forms_aarch64.c"
forms aarch64 "$T/forms" aarch64
portable aarch64 aarch64-linux-gnu-gcc aarch64

build "$T/forms" riscv64-linux-gnu-gcc -O1 -static -nostdlib "$programs/forms_riscv.c"
forms riscv64 "$T/forms" riscv64
portable riscv64 riscv64-linux-gnu-gcc riscv64

bare="riscv64-linux-gnu-gcc -march=rv32gc -mabi=ilp32d -ffreestanding -static -nostdlib"
build "$T/forms" $bare -O1 "$programs/forms_riscv.c"
forms riscv32 "$T/forms" riscv32
for program in shapes values; do
    build "$T/$program" $bare -O2 "$programs/$program.c" -lgcc
    streams "riscv32: $program" -- "$T/$program"
    engine riscv32 "$program" -- "$T/$program"
done

for arch in mipsel mips; do
    build "$T/forms" $arch-linux-gnu-gcc -O1 -static "$programs/forms_mips.c"
    forms $arch "$T/forms" $arch
    portable $arch $arch-linux-gnu-gcc $arch
done
build "$T/dynamic" mips-linux-gnu-gcc -O2 "$programs/libraries.c" -lm
streams "mips: dynamic" -- "$T/dynamic"

interpreter() # interpreter NAME ARGUMENT...
{
    if path=$(PATH=/usr/bin:/bin command -v "$1"); then
        shift
        streams "x86-64: $path" -c 40 -- "$path" "$@"
        engine x86_64 "$path" -g -c 40 -- "$path" "$@"
    else
        skip "x86-64: $1" "there is no $1"
    fi
}
# shellcheck disable=SC2016
interpreter perl -e 'my %h; $h{$_ % 97} .= chr(65 + $_ % 26) for 1 .. 2000;
    my $s = join ",", map { "$_=" . length $h{$_} } sort keys %h;
    $s =~ s/(\d)=/$1:/g; print length $s, sprintf("%.3f", sqrt 2), "\n"'
interpreter sqlite3 :memory: 'CREATE TABLE t(a, b); WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL
    SELECT x + 1 FROM c WHERE x < 500) INSERT INTO t SELECT x, x * 7 % 13 / 3.0 FROM c;
    SELECT b, count(*), sum(a) FROM t GROUP BY b ORDER BY 2;'
interpreter python3 -P -S -c 'print(sum(i * i for i in range(1000)), sorted({"a": 1, "b": 2}.items()))'
finish
