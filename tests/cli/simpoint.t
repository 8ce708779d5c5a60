#!/bin/sh
# SPDX-License-Identifier: MIT
# `sluice simpoint`: the slices estimate the CPU model's counts of the whole run, are the same on
# every run, and a wrong list of slices is refused with a message.
. "$(dirname "$0")/../lib.sh"
need gcc awk

build mix gcc -O2 -static -I"$root/bench/workloads" "$root/bench/workloads/mix.c"
"$sluice" record -q -m ss4 -p edge -o mix.slt -- ./mix 300 >/dev/null
cpi() { sed -n 's/.*"cpi": \([0-9.]*\).*/\1/p' | head -n 1; }

ok 'a trace is cut into slices' "$sluice" simpoint -q --interval 10K --clusters 5 --slices 300 -o a mix.slt
"$sluice" simpoint -q --interval 10K --clusters 5 --slices 300 -o b mix.slt
ok 'the same each time' diff -r a b
ok 'with vectors for each interval' [ "$(wc -l <a/vectors.bb)" -gt 20 ]
is 'as many points as slices, and weights' "$(wc -l <a/simpoints) $(wc -l <a/weights)" \
    "$(grep -c ^slice a/slices.txt) $(grep -c ^slice a/slices.txt)"
is 'weights add up to 1' "$(awk '{ sum += $1 } END { printf "%.5f", sum }' a/weights)" 1.00000
for machine in rocket ss4; do
    whole=$("$sluice" replay --json -m $machine -p block -o whole.db mix.slt | tr -d '\n' |
        sed 's/.*"machine"//' | cpi)
    slices=$("$sluice" replay --json -m $machine a | cpi)
    ok "on $machine they take about what the whole takes: CPI $slices, $whole" \
        awk -v a="$slices" -v b="$whole" 'BEGIN { exit !(b > 0 && a / b < 1.05 && a / b > 0.95) }'
    sed "s|^trace .*|trace $PWD/mix.slt|" a/slices.txt >a/whole.txt
    all=$("$sluice" replay --json -m $machine a/whole.txt | cpi)
    ok "and about the same in the whole trace: CPI $all" \
        awk -v a="$slices" -v b="$all" 'BEGIN { exit !(a / b < 1.01 && a / b > 0.99) }'
done
"$sluice" simpoint -q --interval 10K --length 20K --clusters 1 --slices 10K -o every mix.slt
is 'slices that are all of the run are the run' "$("$sluice" replay --json -m ss4 every | cpi | cut -c 1-7)" \
    "$(printf '%.7s' "$whole")"
like 'the report has all of it' "$("$sluice" replay -m ss4 a)" '*slices of *instructions*CPU model ss4*CPI*'
ok 'the list can be named, too' sh -c "'$sluice' replay -m ss4 a/slices.txt >/dev/null"
"$sluice" simpoint -q -o c -- ./mix 1 >/dev/null
is 'a program is run for them, and its whole trace is not kept' "$(ls c/slices.txt c/whole.slt 2>/dev/null)" c/slices.txt
"$sluice" simpoint -q -o d -- sh -c 'exit 7'
is 'the exit status is the program'"'"'s' $? 7

refused() # refused STATUS NAME PATTERN ARGUMENTS...
{
    local wanted=$1 name=$2 pattern=$3
    shift 3
    "$sluice" "$@" >out 2>err
    is "$name: exit status" $? "$wanted"
    like "$name" "$(cat err)" "sluice: *$pattern*"
}
refused 2 'slices without a CPU model' 'needs a CPU model' replay a
refused 2 'profiles of slices' 'slices have no profiles' replay -m ss4 -p edge a
like 'the message names no file that simpoint does not write' "$(cat err)" '*replay the trace of the whole run*'
refused 2 'short intervals' 'at least' simpoint --interval 100 -o x mix.slt
"$sluice" record -q -p edge -o edges.slt -- ./mix 1 >/dev/null
refused 2 'a trace without addresses' 'addresses of loads' simpoint -o x edges.slt
is 'what is refused leaves nothing after' "$(ls -d x 2>/dev/null)" ''
mkdir empty
refused 125 'a directory without slices' 'without slices' replay -m ss4 empty
lists() # lists NAME PATTERN SED-SCRIPT: the list, changed
{
    sed "$3" a/slices.txt >a/changed.txt
    refused 125 "$1" "$2" replay -m ss4 a/changed.txt
}
lists 'weights beyond 1' 'sum of the weights' '6s/weight.*/weight 1/; 7s/weight.*/weight 1/'
lists 'a weight that is none' 'line 6' '6s/weight.*/weight nan/'
lists 'a length of 0' 'at least one' '6s/length [0-9]*/length 0/'
lists 'slices that overlap' 'before the end of the previous one' '6s/length [0-9]*/length 99999999999/'
lists 'a slice after the end of the trace' 'not the trace' '$s/length [0-9]*/length 99999999999/'
lists 'a number beyond 64 bits' 'line 6' '6s/start [0-9]*/start 99999999999999999999999/'
lists 'a word that there is not' 'the first word must be trace' '3s/.*/speed 9/'
lists 'no slices' 'is incomplete' '/^slice /d'
lists 'no trace' 'is incomplete' '/^trace/d'
lists 'two traces' 'expected one line' '2s/.*/&\n&/'
lists 'a file that is not there' 'cannot open' '2s/slices.slt/other.slt/'
mkdir linked
echo precious >theirs
ln -s ../theirs linked/weights
"$sluice" simpoint -q --interval 30K -o linked mix.slt >/dev/null 2>&1
is 'a link in the directory is replaced, not followed' "$? $(cat theirs) $([ -L linked/weights ] || echo file)" '0 precious file'
(ulimit -f 8; "$sluice" simpoint -q --interval 30K -o b mix.slt >/dev/null 2>&1)
refused 125 'slices that were cut again, and not to their end, are not those of the old list' 'without slices' replay -m ss4 b
printf 'sluice-slices 2\ninstructions 5\000 9\n' >a/nul.txt
refused 125 'a NUL' 'nul.txt' replay -m ss4 a/nul.txt
head -c 3000 a/slices.slt >a/cut && mv a/cut a/slices.slt
refused 125 'a trace that was cut' 'slices.slt' replay -m ss4 a
finish
