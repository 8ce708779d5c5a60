#!/bin/sh
# SPDX-License-Identifier: MIT
# Streams of other tools: sluice reads ChampSim traces and perf's branch stacks, writes ChampSim
# traces and SimPoint vectors, and gives simulators whole instructions. Hostile files are refused
# with a message.
. "$(dirname "$0")/../lib.sh"
need gcc g++ awk
naive=$BUILD/tests/support/naive_champsim

build prog gcc -O1 -static "$root/demo/primes.c"
"$sluice" record -q --skip 20000 --limit 80000 -m rocket -p value -o prog.slt -- ./prog >/dev/null
ok 'a stream becomes a ChampSim trace' "$sluice" convert -q -f champsim -o prog.champsim prog.slt
is 'for its owner alone: it holds what was loaded' "$(stat -c %a prog.champsim prog.champsim.values | tr '\n' ' ')" '600 600 '
ok 'that a second reader reads' sh -c "'$naive' prog.champsim prog.champsim.values >naive 2>kinds"

# ---- whole instructions ------------------------------------------------------------------

libraries=$(sed -n 's/^LIBS := //p' "$root/mk/config.mk")
for compiler in 'gcc -std=c11' 'g++ -x c++'; do
    # shellcheck disable=SC2086
    ok "the simulator of the demo is compiled by $compiler" \
        $compiler -Wall -Wextra $sanitized -I"$root/include" \
        -o simulator "$root/demo/simulator.c" -x none "$BUILD/libsluice.a" $libraries
    ok 'and runs on a trace' sh -c './simulator prog.slt >direct'
    ./simulator champsim:prog.champsim >through
    is 'it sees the same in the ChampSim trace as the second reader' "$(cat through)" "$(cat naive)"
    is 'and in our trace as many instructions, branches and mispredictions' \
        "$(grep -E 'instr|bran|taken|misp' direct)" "$(grep -E 'instr|bran|taken|misp' naive)"
done
is 'instructions are those of the run' "$(awk '/^instr/ { print $2 }' naive)" \
    "$("$sluice" replay --json -p block prog.slt | sed -n 's/^ *"instructions": \([0-9]*\).*/\1/p' | head -n 1)"
is 'every load has its value' "$(awk '/^values/ { print $2 }' kinds)" "$(awk '/^loads/ { print $2 }' naive)"
is 'no branch has an unknown kind' "$(grep '^odd' kinds)" 'odd 0'
for kind in jump conditional call indirect return; do
    ok "there are branches of the kind $kind" [ "$(awk -v k=$kind '$1 == k { print $2 }' kinds)" -gt 0 ]
done

# ---- back --------------------------------------------------------------------------------

# part PATTERN STREAM: what JSON reports of it
part()
{
    "$sluice" replay --json -n 100000 -m rocket -p edge -o part.db "$2" | grep -oE "$1"
}
edge='"(pc|target)": "0x[0-9a-f]+|"count": [0-9]+'
part "$edge" prog.slt >ours
part "$edge" champsim:prog.champsim >theirs
ok 'there are edges' [ "$(wc -l <ours)" -gt 100 ]
ok 'and they are the same' cmp ours theirs
is 'so is what a predictor gets wrong of conditional branches' "$(part '"wrong_direction": [0-9]+' champsim:prog.champsim)" \
    "$(part '"wrong_direction": [0-9]+' prog.slt)"
for tool in xz gzip zstd; do
    command -v $tool >/dev/null || continue
    $tool -1 -c <prog.champsim >packed
    is "the same compressed with $tool" "$(./simulator champsim:packed)" "$(cat through)"
    head -c 5000 packed >cut
    like "cut with $tool" "$(./simulator champsim:cut 2>&1)" '*cut*'
done
ok 'a ChampSim trace becomes one of ours' "$sluice" convert -f slt -o back.slt champsim:prog.champsim
is 'which says the same' "$(./simulator back.slt)" "$(cat through)"

# ---- vectors ------------------------------------------------------------------------------

"$sluice" convert -f bb --interval 10000 -o prog.bb prog.slt
is 'vectors of blocks have all instructions' \
    "$(tr ' ' '\n' <prog.bb | awk -F: 'NF >= 3 { sum += $NF } END { print sum }')" "$(awk '/^instr/ { print $2 }' naive)"
is 'in lines that SimPoint reads' "$(grep -vcE '^T(:[1-9][0-9]*:[1-9][0-9]* )+$' prog.bb)" 0

# ---- branch stacks -------------------------------------------------------------------------

cat >stacks <<'END'
prog 1 [000] 1.0: cycles: 401136 main+0x6 (/bin/x)  0x401136/0x401120/P/-/-/1  0x40112e/0x401130/M/-/-/3
prog 1  0x401136/0x401120/P/-/-/1/COND/-  0x40112e(/bin/x)/0x401130(/bin/x)/M/-/-/3
a line without any
END
"$sluice" replay -p edge -p block -o perf.db perf:stacks >said
like 'branch stacks are edges' "$(cat said)" '*2 *0x401136 *-> 0x401120*'
like 'and blocks' "$(cat said)" '*2 *0x401130..0x401136*'
like 'and that they are samples is reported' "$(cat said)" '*2 samples with 4 taken branches*'

# ---- what cannot be -------------------------------------------------------------------------

refused() # refused NAME PATTERN ARGUMENTS...: a message, and no crash
{
    local name=$1 pattern=$2
    shift 2
    "$sluice" "$@" >out 2>err
    status=$?
    ok "$name: exit status ($status)" [ "$status" -eq 2 -o "$status" -eq 125 ]
    like "$name" "$(cat err)" "sluice: *$pattern*"
}
refused 'values of branch stacks' 'streams of this format do not have' replay -p value -o x.db perf:stacks
refused 'a machine for branch stacks' 'addresses' replay -m ss4 -p edge -o x.db perf:stacks
cp prog.champsim bare.champsim
refused 'values of a ChampSim trace without them' 'streams of this format do not have' replay -p value -o x.db champsim:bare.champsim
refused 'no branch stacks' 'no branch stacks' replay -p edge -o x.db perf:prog.bb
head -c 100000 /dev/zero | tr '\0' x >long
refused 'a long line' 'longer than' replay -p edge -o x.db perf:long
refused 'what is not there' 'cannot open' replay -p edge -o x.db champsim:said2
head -c 63 prog.champsim >half
refused 'a record that is cut' 'no complete record' replay -p edge -o x.db champsim:half
printf 'BZh91AY' >bz
refused 'what is compressed otherwise' 'decompress' replay -p edge -o x.db champsim:bz
printf 'sluice-values 1\n' >half.values
head -c 64000 prog.champsim >half
refused 'too few values' 'fewer values' replay -p value -o x.db champsim:half
printf 'nonsense' >half.values
refused 'values that are none' 'not a file of load values' replay -p value -o x.db champsim:half
"$sluice" record -q -p edge -o edges.slt -- ./prog >/dev/null
refused 'a stream without addresses as ChampSim' 'record it again with -m' convert -f champsim -o x edges.slt
refused 'a form that there is not' 'unknown format' convert -f elf -o x prog.slt
finish
