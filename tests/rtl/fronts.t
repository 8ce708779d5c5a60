#!/bin/sh
# SPDX-License-Identifier: MIT
# Front ends: RTL at a core's retirement port produces the same events as the detectors, and its
# table has the same contents as the model, all read over the bus. `@P1` sends every event as a
# message, so that every event is compared, in order.
. "$(dirname "$0")/../lib.sh"

# agrees NAME FRONT SPEC [OPTION...]: written, simulated by Icarus; $more: for the bench.
more=
agrees()
{
    local name="$1, $2" front=$2 spec=$3
    shift 3
    rm -rf hw
    "$sluice" rtl "$spec" --front "$front" -o hw "$@" >out 2>err
    is "$name: is written" $? 0
    like "$name: says so" "$(cat out)" 'hw: RTL of * at a retirement port, *'
    if command -v iverilog >/dev/null; then
        env -u MAKEFLAGS make -s -C hw build/bench.vvp >out 2>&1 && (cd hw && vvp -n build/bench.vvp $more) >>out 2>&1
        like "$name: agrees, and nothing else is said" "$(cat out)" 'agrees: *'
    else
        skip "$name: agrees, and nothing else is said" 'there is no iverilog'
    fi
}

# A made-up program.
agrees edges rvfi 'edge:instructions@P1' -n 1500
agrees calls rvfi:2 'call@P1' -n 1500
agrees values rvfi:2 'value@P1' -n 800
agrees 'lines of loads' rvfi:4 'load(line=64)@P1' -n 800
agrees paths rvfi:2 'path:instructions@P1' -n 2500
agrees 'paths through loops' rvfi 'path(kind=loop,extend=3,length=5):instructions@P1' -n 2500
agrees 'paths through calls' rvfi:2 'path(kind=procedure,extend=2,length=7,stack=6,bits=5):instructions@P1' -n 2500
agrees 'paths as somebody programs them' rvfi \
    'path(kind=procedure,extend=2,call=update,return=update+push,indirect=pop,repair=0):instructions@P1' -n 1500
agrees 'functions entered' rvfi 'function(tail=0,repair=0,depth=4):count@P1' -n 1500
agrees 'functions by instructions' rvfi:2 'function(tail=0,repair=0,depth=4):instructions@P1' -n 1500
agrees 'misses of loads' rvfi:2 'load:dmiss@P1' -m rocket -n 1500
agrees 'edges in a table by age' rvfi 'edge@hpt(24x3,replacement=lru)' -n 300
agrees 'paths in a table' rvfi:2 'path@hpt(16x4,replacement=age,counter=9)' -n 2500

# What `make` takes where it is, Verilator, sees the same in the same cycles.
if command -v verilator >/dev/null && command -v iverilog >/dev/null; then
    tail -n 1 out >by_icarus
    env -u MAKEFLAGS make -s -C hw >out 2>&1
    is 'by Verilator: it ends well' $? 0
    is 'by Verilator: agrees, in as many cycles' "$(grep '^agrees: ' out)" "$(cat by_icarus)"
else
    skip 'by Verilator: it ends well' 'there is no verilator, or no iverilog'
    skip 'by Verilator: agrees, in as many cycles' 'there is no verilator, or no iverilog'
fi

more='+pauses=0 +bus=1'
agrees 'intervals, messages over the bus' rvfi \
    'value@multihash(tables=2,counters=32,bits=9,interval=150,threshold=7%,accumulator=5)' -n 1500
more=

# Programs that run, of both widths.
bare='-g -nostdlib -static -ffreestanding -fno-builtin -fno-stack-protector -fno-pic -no-pie'
while read -r arch xlen compiler; do
    if ! command -v riscv64-linux-gnu-gcc >/dev/null || ! command -v qemu-$arch >/dev/null; then
        skip "a program of $arch" "there is no compiler or emulator of $arch"
        continue
    fi
    build bare $compiler -O1 $bare -I "$programs" "$programs/shapes.c"
    "$sluice" record -q -m tiger -o bare.slt -- ./bare >/dev/null 2>err
    is "$arch: is recorded" $? 0
    agrees "$arch: paths by cycles" rvfi:2 'path:cycles@P1' --stream bare.slt -m tiger -n 1500
    agrees "$arch: functions by energy" rvfi:2 \
        'function(tail=0,repair=0,depth=32):energy@leap(groups=4,bits=12,shift=1)' \
        --stream bare.slt --program bare -m tiger -n 1500
    like "$arch: words are as wide as the program's" "$(cat hw/shape.vh)" "*XLEN $xlen*"
done <<'END'
riscv64 64 riscv64-linux-gnu-gcc
riscv32 32 riscv64-linux-gnu-gcc -march=rv32imafdc -mabi=ilp32d
END

# The bench notices what is wrong.
"$sluice" rtl edge@P1 --front rvfi -o hw -n 300 >/dev/null 2>err
if command -v iverilog >/dev/null; then
    sed -i '3s/[0-9a-f]*$/7/' hw/expected.txt
    env -u MAKEFLAGS make -s -C hw icarus >out 2>&1
    ok 'a wrong message is an error' [ $? -ne 0 ]
    like 'a wrong message is told' "$(cat out)" '*differs: message 2 is *'
else
    skip 'a wrong message is an error' 'there is no iverilog'
    skip 'a wrong message is told' 'there is no iverilog'
fi

# refused NAME PATTERN ARGUMENT...
refused()
{
    local name=$1 pattern=$2
    shift 2
    "$sluice" rtl -o none "$@" >out 2>err
    ok "$name: is refused" [ $? -ne 0 ]
    like "$name: with a sentence" "$(cat err)" "$pattern"
}
refused 'another front end' 'sluice: unknown front end*trace*' value@P1 --front trace
refused 'no instruction a cycle' 'sluice: rvfi:0: the number of instructions per cycle must be 1 to 4*' value@P1 --front rvfi:0
refused 'too many' 'sluice: rvfi:5: the number of *' value@P1 --front rvfi:5
refused 'half a number' 'sluice: rvfi:2x: the number of *' value@P1 --front rvfi:2x
refused 'blocks' 'sluice: no front end for block: *' block@P1 --front rvfi
refused 'a stack that grows' 'sluice: RTL cannot spill the path stack *' 'path(overflow=spill)@P1' --front rvfi
refused 'functions by symbols' 'sluice: RTL has no symbols *' function:instructions@P1 --front rvfi
refused 'several detectors' 'sluice: a front end supports only one detector*' edge+call@P1 --front rvfi
refused 'a made-up stream' 'sluice: the front end needs a RISC-V stream, *' value@P1 --front rvfi --stream 'synth:zipf(events=300)'
finish
