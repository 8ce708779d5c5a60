#!/bin/sh
# SPDX-License-Identifier: MIT
# Front ends: RTL at a core's retirement port produces the same events as the detectors, and its
# table has the same contents as the model, all read over the bus. `@P1` sends every event as a
# message, so that every event is compared, in order.
. "$(dirname "$0")/../lib.sh"

# agrees NAME FRONTEND SPEC [OPTION...]: generates the RTL and simulates it with Icarus; $bench_options
# are options of the test bench.
bench_options=
agrees()
{
    local name="$1, $2" frontend=$2 spec=$3
    shift 3
    rm -rf hw
    "$sluice" rtl "$spec" --front "$frontend" -o hw "$@" >out 2>err
    is "$name: is generated" $? 0
    like "$name: prints a summary" "$(cat out)" 'hw: RTL of * at a retirement port, *'
    if command -v iverilog >/dev/null; then
        env -u MAKEFLAGS make -s -C hw build/bench.vvp >out 2>&1 && (cd hw && vvp -n build/bench.vvp $bench_options) >>out 2>&1
        like "$name: agrees, and prints nothing else" "$(cat out)" 'agrees: *'
    else
        skip "$name: agrees, and prints nothing else" 'iverilog is not installed'
    fi
}

# A synthetic program.
agrees edges rvfi 'edge:instructions@P1' -n 1500
agrees calls rvfi:2 'call@P1' -n 1500
agrees values rvfi:2 'value@P1' -n 800
agrees 'lines of loads' rvfi:4 'load(line=64)@P1' -n 800
agrees paths rvfi:2 'path:instructions@P1' -n 2500
agrees 'paths through loops' rvfi 'path(kind=loop,extend=3,length=5):instructions@P1' -n 2500
agrees 'paths through calls' rvfi:2 'path(kind=procedure,extend=2,length=7,stack=6,bits=5):instructions@P1' -n 2500
agrees 'paths with other operations' rvfi \
    'path(kind=procedure,extend=2,call=update,return=update+push,indirect=pop,repair=0):instructions@P1' -n 1500
agrees 'function entries' rvfi 'function(tail=0,repair=0,depth=4):count@P1' -n 1500
agrees 'functions by instructions' rvfi:2 'function(tail=0,repair=0,depth=4):instructions@P1' -n 1500
agrees 'misses of loads' rvfi:2 'load:dmiss@P1' -m rocket -n 1500
agrees 'edges in an LRU table' rvfi 'edge@hpt(24x3,replacement=lru)' -n 300
agrees 'paths in a table' rvfi:2 'path@hpt(16x4,replacement=age,counter=9)' -n 2500

# Verilator, which `make` prefers, gives the same result in the same number of cycles.
if command -v verilator >/dev/null && command -v iverilog >/dev/null; then
    tail -n 1 out >by_icarus
    env -u MAKEFLAGS make -s -C hw >out 2>&1
    is 'Verilator: succeeds' $? 0
    is 'Verilator: agrees, in the same number of cycles' "$(grep '^agrees: ' out)" "$(cat by_icarus)"
else
    skip 'Verilator: succeeds' 'verilator or iverilog is not installed'
    skip 'Verilator: agrees, in the same number of cycles' 'verilator or iverilog is not installed'
fi

bench_options='+pauses=0 +bus=1'
agrees 'intervals, with messages over the bus' rvfi \
    'value@multihash(tables=2,counters=32,bits=9,interval=150,threshold=7%,accumulator=5)' -n 1500
bench_options=

# Recorded programs of both widths.
bare='-g -nostdlib -static -ffreestanding -fno-builtin -fno-stack-protector -fno-pic -no-pie'
while read -r arch xlen compiler; do
    if ! command -v riscv64-linux-gnu-gcc >/dev/null || ! command -v qemu-$arch >/dev/null; then
        skip "a program for $arch" "no compiler or emulator for $arch"
        continue
    fi
    build bare $compiler -O1 $bare -I "$programs" "$programs/shapes.c"
    "$sluice" record -q -m tiger -o bare.slt -- ./bare >/dev/null 2>err
    is "$arch: the program is recorded" $? 0
    agrees "$arch: paths by cycles" rvfi:2 'path:cycles@P1' --stream bare.slt -m tiger -n 1500
    agrees "$arch: functions by energy" rvfi:2 \
        'function(tail=0,repair=0,depth=32):energy@leap(groups=4,bits=12,shift=1)' \
        --stream bare.slt --program bare -m tiger -n 1500
    like "$arch: XLEN is that of the program" "$(cat hw/shape.vh)" "*XLEN $xlen*"
done <<'END'
riscv64 64 riscv64-linux-gnu-gcc
riscv32 32 riscv64-linux-gnu-gcc -march=rv32imafdc -mabi=ilp32d
END

# The test bench detects a difference.
"$sluice" rtl edge@P1 --front rvfi -o hw -n 300 >/dev/null 2>err
if command -v iverilog >/dev/null; then
    sed -i '3s/[0-9a-f]*$/7/' hw/expected.txt
    env -u MAKEFLAGS make -s -C hw icarus >out 2>&1
    ok 'a wrong message is an error' [ $? -ne 0 ]
    like 'a wrong message is reported' "$(cat out)" '*differs: message 2 is *'
else
    skip 'a wrong message is an error' 'iverilog is not installed'
    skip 'a wrong message is reported' 'iverilog is not installed'
fi

# refused NAME PATTERN ARGUMENT...: the command fails with a message like PATTERN.
refused()
{
    local name=$1 pattern=$2
    shift 2
    "$sluice" rtl -o none "$@" >out 2>err
    ok "$name: is refused" [ $? -ne 0 ]
    like "$name: with a message" "$(cat err)" "$pattern"
}
refused 'another front end' 'sluice: unknown front end*trace*' value@P1 --front trace
refused 'zero instructions per cycle' 'sluice: rvfi:0: the number of instructions per cycle must be 1 to 4*' value@P1 --front rvfi:0
refused 'too many instructions per cycle' 'sluice: rvfi:5: the number of *' value@P1 --front rvfi:5
refused 'a malformed number' 'sluice: rvfi:2x: the number of *' value@P1 --front rvfi:2x
refused 'a detector without front end' 'sluice: no front end for block: *' block@P1 --front rvfi
refused 'a stack that grows' 'sluice: the RTL cannot spill the path stack *' 'path(overflow=spill)@P1' --front rvfi
refused 'functions by symbols' 'sluice: the RTL has no symbols*' function:instructions@P1 --front rvfi
refused 'several detectors' 'sluice: a front end supports only one detector*' edge+call@P1 --front rvfi
refused 'a synthetic stream' 'sluice: the front end needs a RISC-V stream, *' value@P1 --front rvfi --stream 'synth:zipf(events=300)'
finish
