#!/bin/sh
# SPDX-License-Identifier: MIT
# CPU models on real code: the loops of tests/programs/kernels.c take the number of cycles computed
# by hand, within one cycle per iteration. The models are presets with round memory latencies and
# without TLBs; the computation is written next to each loop.
. "$(dirname "$0")/../lib.sh"
need gcc nm qemu-x86_64
[ "$(uname -m)" = x86_64 ] || skip_all 'the loops are for x86-64'
loops=$BUILD/tests/support/machine_loops
export SLUICE_DATA="$root/data"

build kernels gcc -O1 -nostdlib -static -fno-builtin -fno-stack-protector -fcf-protection=none \
    -fno-pie -no-pie -I "$programs" "$programs/kernels.c"

on() # on MACHINE: runs the loops on it
{
    machine=${1%%,*}
    "$loops" "$BUILD" counted "$1" -- ./kernels >out 2>err || { sed 's/^/# /' err; false; }
    verdict $? "$machine: blocks add up to totals, causes to cycles"
}

# The cycles of an iteration, times 100.
cycles_of() # cycles_of LOOP
{
    local pc
    pc=0x$(nm kernels | sed -n "s/^0*\([0-9a-f]*\) . loop_$1\$/\1/p")
    awk -v pc="$pc" '$1 == pc { n += $2; c += $3 }
        END { print n ? int(100 * c / n) : "none" }' counted
}

takes() # takes LOOP CYCLES WHY [OFF]: exactly, but for the first rounds; OFF hundredths
{
    local got off=${4:-10}
    got=$(cycles_of "$1")
    [ "$got" -ge $((100 * $2 - off)) ] && [ "$got" -le $((100 * $2 + off)) ]
    verdict $? "$machine, $1: $2 cycles an iteration, $3" || echo "# got $got / 100"
}

memories=itlb.entries=0,dtlb.entries=0,l1d.replacement=lru,l2.size=512Ki,l2.ways=8,l2.line=64
memories=$memories,l2.latency=10,memory.latency=100

on "rocket,$memories,bpred.kind=bimodal,core.blocking=yes"
takes dependent 10 'one an instruction'
takes independent 10 'one an instruction'
takes multiply 20 'four times 5, which hide the count and the branch'
takes divide 33 'the divider is busy as long'
takes load_use 9 'six instructions, and three loads wait for the one before'
takes load_later 5 'no instruction waits for a load'
takes chase_l1 3 'the count and the branch hide the load'
takes chase_l2 13 'and 10 for L2'
takes chase_memory 113 'and 100 for memory'

on "rocket,$memories,bpred.kind=none"
takes dependent 13 '3 for a branch predicted wrong'
takes chase_l2 12 'a miss that does not block hides count, branch and what that costs'

on "tiger,bpred.kind=none"
takes dependent 12 'a branch waits 2 for the count right before it'
takes chase_l2 11 '6 for memory, and 2 that the branch waits'

on "ss4,$memories"
takes dependent 8 'one an addition' 100
takes independent 4 'two chains of four additions' 100
takes multiply 12 'four times 3' 100
takes divide 10 'two dividers, 20 each' 100
takes load_use 8 'four times 2' 100
takes chase_l1 2 'address and L1' 100
takes chase_l2 12 'and 10 for L2' 100
takes chase_memory 112 'and 100 for memory' 100

mv counted first
on "ss4,$memories"
same 'the same program gives the same counts again' counted first

on "ss4,$memories,bpred.kind=none"
takes chase_l1 7 'fetch, dispatch, the count, the branch, and 3 after it' 10
takes independent 9 'and two more, in which the count is fetched' 10
finish
