#!/bin/sh
# SPDX-License-Identifier: MIT
# A replay of a recorded run gives the same database as the run itself.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3
every='-p function -p function:count -p function(tail=0) -p edge -p edge:instructions -p call -p type -p block -p block:instructions -p value'

# Entries of loads that differ from run to run, in a dump or a list: a C library may load process
# and random numbers.
find_varying()
{
    for run in 1 2; do
        profile values.db -p value -- ./program
        sql values.db 'SELECT pc, value, count FROM entry' | sort >values$run
    done
    comm -3 values1 values2 | tr -d '\t' | cut -d'|' -f1 | sort -u >varying_pcs
    sed 's/.*/^INSERT INTO entry VALUES([0-9]*,[0-9]*,&,/' varying_pcs >varying
    sed 's/.*/^[0-9]*|[0-9]*|&|/' varying_pcs >>varying
}

# both WHAT [OPTION...]: run and replay of ./program with these options
both()
{
    local what=$1
    shift
    rm -f run.db replay.db
    "$sluice" run -q --keep all -o run.db $every "$@" -- ./program >/dev/null 2>run.err
    "$sluice" replay -q --keep all -o replay.db $every "$@" trace.slt 2>replay.err
    sqlite3 -readonly run.db .dump | grep -v -f varying >run
    sqlite3 -readonly replay.db .dump | grep -v -f varying >replay
    same "$what" replay run
    is "$what: sluice says the same of both" "$(cat replay.err)" "$(cat run.err)"
}

build program gcc -O1 -g -static "$programs/numbers.c"
"$sluice" record -q $every -o out.slt ./program >out 2>err
is 'record: its exit status is the program'"'"'s' $? 0
./program >native
same 'record: the output is the program'"'"'s' out native
is 'record -q says nothing' "$(cat err)" ''
# Where the output goes is not the same to a program: the same place in all runs.
"$sluice" record -q $every -o trace.slt ./program >/dev/null
find_varying
ok 'few loads differ from run to run' [ "$(wc -l <varying_pcs)" -lt 20 ]
both 'x86-64: every detector'
both 'x86-64: --range SYMBOL' --range sieve
both 'x86-64: --range LO-HI' --range "$(nm -S program | awk '$4 == "sieve" { print "0x" $1 }')-0x500000"
every='-p edge -p call -p type -p block -p value'
both 'x86-64: --only two classes' --only load,conditional
both 'x86-64: --only and --range' --only load --range sieve
every='-p function -p edge -p value'
both 'x86-64: --keep 7' --keep 7

# A stream of values alone is written in a shorter way; its profile is the same.
"$sluice" record -q -p value -o values.slt ./program >/dev/null
"$sluice" replay -q --keep all -p value -p edge -o a.db values.slt
"$sluice" replay -q --keep all -p value -p edge -o b.db trace.slt
for db in a b; do
    sql $db.db 'SELECT profile, rank, pc, value, count FROM entry' | grep -v -f varying >$db
done
same 'values recorded alone are those recorded with addresses' a b

# A session that needs no values gets none; everything else is unchanged.
for trace in values trace; do
    for window in '' '--skip 100000 --limit 300000'; do
        "$sluice" replay -q --keep all -p edge -p path -p function $window -o a.db $trace.slt
        "$sluice" replay -q --keep all -p edge -p path -p function -p value $window -o b.db $trace.slt
        for db in a b; do
            sql $db.db "SELECT rank, pc, e.value, count FROM entry e JOIN profile p ON e.profile = p.id
                WHERE p.detector != 'value' ORDER BY e.profile, rank; SELECT * FROM program" >$db
        done
        same "$trace.slt $window: the same without values" a b
    done
done
"$sluice" record -q -p edge -o edges.slt ./program >/dev/null
ok 'a trace of edges alone is smaller' [ "$(wc -c <edges.slt)" -lt "$(wc -c <values.slt)" ]
"$sluice" replay -q -o c.db edges.slt 2>err
is 'a trace without values refuses a profile of values' $? 2
like 'and says what to do' "$(cat err)" 'sluice: *values*record*profile value*'

every='-p function:count -p function -p edge -p call -p type -p block -p value'
bare='-g -nostdlib -static -ffreestanding -fno-builtin -fno-stack-protector -fno-pic -no-pie'
while read -r arch compiler; do
    set -- $compiler
    if ! command -v "$1" >/dev/null; then
        skip "$arch" "there is no $1"
        continue
    fi
    case $arch in mips*) plain=-mno-abicalls ;; *) plain= ;; esac
    build program $compiler -O1 $bare $plain -I "$root/include" -I "$programs" "$programs/marks.c"
    "$sluice" record -q $every -o trace.slt ./program >/dev/null
    both "$arch: everything"
    both "$arch: --marked" --marked
    both "$arch: --marked --range leaf" --marked --range leaf
done <<END
$(cross_compilers)
END

# The exit status, and how it ended, are in the trace.
echo 'int main(int n, char **v) { (void)v; return n > 1 ? __builtin_trap(), 0 : 3; }' >ends.c
build program gcc -static -w ends.c
"$sluice" record -q -p edge -o trace.slt ./program
is 'record: an exit status of 3' $? 3
"$sluice" replay -q -p edge -o a.db trace.slt
is 'replay itself ends with 0' $? 0
is 'the status is in its database' "$(sql a.db 'SELECT wait_status >> 8 FROM program')" 3
quietly "$sluice" record -q -p edge -o trace.slt ./program 1
is 'record: death by SIGILL' $? 132
"$sluice" replay -q -p edge -o a.db trace.slt
is 'the signal is in its database' "$(sql a.db 'SELECT wait_status & 127 FROM program')" 4

"$sluice" record ./program 2>err
is 'record without -o is wrong usage' $? 2
"$sluice" replay 2>err
is 'replay without a trace is wrong usage' $? 2
"$sluice" replay nowhere.slt 2>err
is 'replay of a trace that is not there fails' $? 125
is 'in one line' "$(wc -l <err)" 1
finish
