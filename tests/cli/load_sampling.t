#!/bin/sh
# SPDX-License-Identifier: MIT
# Load sampling, with --sample-loads and in the default run: load values are read only in sampling
# windows, and all other events everywhere. Both taps, a replay and any number of threads sample the
# same loads.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3 qemu-x86_64

# Without a library: nothing of it depends on the environment, an address or a clock.
cat >steps.c <<'END'
static volatile unsigned table[64];
static unsigned step(unsigned i)
{
    unsigned s = 0;
    for (unsigned k = 0; k < 20; k++)
        s += table[(i + k) & 63];
    if (s & 1)
        table[i & 63] = s;
    return s;
}
__attribute__((force_align_arg_pointer)) void _start(void)
{
    unsigned s = 0;
    for (unsigned i = 0; i < 64; i++)
        table[i] = i * 7;
    for (unsigned i = 0; i < 40000; i++)
        s += step(i + (s & 3));
    __asm__ volatile("syscall" : : "a"(60), "D"(s & 15) : "memory");
}
END
build steps gcc -O1 -fno-pic -no-pie -static -nostdlib -fno-stack-protector -fcf-protection=none steps.c
./steps
status=$?

figures() { sql "$1" 'SELECT instructions, blocks, loads, load_sampling_period, load_sampling_blocks FROM program'; }
entries() { sql "$1" "SELECT p.given_spec, e.pc, e.value, e.count FROM entry e JOIN profile p ON p.id = e.profile
    WHERE p.given_spec LIKE '$2%' ORDER BY 1, 2, 3"; }

"$sluice" run -q -o usual.db -- ./steps
is 'the usual run: the exit status is that of the program' $? $status
"$sluice" run -q --sample-loads 1 -o all.db -- ./steps
is 'it samples load values in 1 of 16 windows' "$(figures usual.db | cut -d'|' -f4,5)" '16|8192'
is '--sample-loads 1: everywhere' "$(figures all.db | cut -d'|' -f4,5)" '|'
is 'as many instructions and blocks' "$(figures usual.db | cut -d'|' -f1,2)" \
    "$(figures all.db | cut -d'|' -f1,2)"
for profile in function block edge; do
    entries usual.db $profile >usual.$profile
    entries all.db $profile >all.$profile
    same "the profile $profile sees everything" usual.$profile all.$profile
done
ok 'of the loads, a sixteenth' awk -v some="$(sql usual.db 'SELECT loads FROM program')" \
    -v all="$(sql all.db 'SELECT loads FROM program')" \
    'BEGIN { exit !(some > all / 20 && some < all / 12) }'
is 'and these are what the profile of values was given' \
    "$(sql usual.db "SELECT events FROM profile WHERE detector = 'value'")" \
    "$(sql usual.db 'SELECT loads FROM program')"

# The same loads, with either tap.
"$sluice" record -q -o steps.slt -- ./steps
dump() { sqlite3 "$1" 'UPDATE program SET tap = NULL' .dump; }
dump usual.db >usual
for threads in 1 2 4; do
    "$sluice" replay -q -j $threads -o replay.db steps.slt
    dump replay.db >replay
    same "replayed by $threads threads: the same database" replay usual
done
for tap in plugin engine; do
    if [ $tap = plugin ] || [ -x "$BUILD/engine/qemu-x86_64" ]; then
        for threads in 1 2 4; do
            SLUICE_TAP=$tap "$sluice" run -q -j $threads -o $tap.db -- ./steps
            dump $tap.db >$tap
            same "by the $tap, $threads threads: the same database" $tap usual
        done
    else
        skip "by the $tap: the same database" 'the engine is not built (make engine)'
    fi
done

# Profiles that are selected with -p count all loads, unless --sample-loads is given.
"$sluice" run -q -p value -p edge -o named.db -- ./steps
is 'profiles by name see all loads' "$(figures named.db)" "$(figures all.db)"
for windows in 4x1000 3x1 1000x7 2; do
    "$sluice" run -q --sample-loads $windows -p value -o run.db -- ./steps
    "$sluice" replay -q --sample-loads $windows -p value -o replay.db steps.slt
    dump run.db >run
    dump replay.db >replay
    same "1 of $windows: live and recorded" run replay
done
is 'windows without a length have the default length' "$(figures run.db | cut -d'|' -f4,5)" '2|8192'

# A run range does not move the sampling windows.
"$sluice" run -q --skip 300K --limit 500K --sample-loads 3x100 -p value -o run.db -- ./steps
"$sluice" replay -q --skip 300K --limit 500K --sample-loads 3x100 -p value -o replay.db steps.slt
dump run.db >run
dump replay.db >replay
same 'a part of the run: live and recorded' run replay

# What the report says about sampling.
"$sluice" report -n 3 usual.db >text
ok 'the report says which loads were sampled' grep -q \
    '^load values sampled: 1 in 16 windows of 8,192 blocks; their percentages are estimates$' text
"$sluice" report all.db >text
ok 'and nothing where all was' eval '! grep -q sampled text'
is 'JSON has it in numbers' "$("$sluice" report -f json usual.db | tr -d ' \n' |
    grep -o '"load_sampling":{[^}]*}')" '"load_sampling":{"period":16,"window_blocks":8192}'

refused() # refused NAME WORDS OPTION...
{
    what=$1 words=$2
    shift 2
    "$sluice" run -q "$@" -- ./steps 2>err
    is "$what: refused" $? 2
    ok "$what: with a message" grep -q -e "$words" err
}
for wrong in 0 x16 16x 16x0 -1 2000000 16x5G some 1x2x3; do
    refused "--sample-loads $wrong" 'give N or NxBLOCKS' --sample-loads=$wrong
done
refused 'with a machine' 'need all loads' --sample-loads 2 -m rocket
refused 'without values' 'no profile reads load values' --sample-loads 2 -p edge
finish
