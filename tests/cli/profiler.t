#!/bin/sh
# SPDX-License-Identifier: MIT
# The branch queue of a path profiler: the commit stalls that it causes on a real program, the
# options it is independent of, and refusals.
. "$(dirname "$0")/../lib.sh"
need gcc jq sqlite3 bzip2

total() # total DATABASE EVENT: its count in the whole run
{
    sql "$1" "SELECT count FROM machine_event WHERE name = '$2'"
}
profiler() # profiler DATABASE COLUMN
{
    sql "$1" "SELECT $2 FROM profiler"
}
paths() # paths DATABASE >FILE: all that its first profile holds
{
    sql "$1" 'SELECT pc, value, count FROM entry WHERE profile = 0'
}
replay() # replay DATABASE MACHINE [OPTION...]: profiles of bzip2
{
    local database=$1 machine=$2
    shift 2
    rm -f "$database"
    "$sluice" replay -q --keep all -o "$database" -m "$machine" "$@" trace.slt 2>err
}

head -c 3000 "$sluice" >input
"$sluice" record -q -m ss4 -o trace.slt -- "$(command -v bzip2)" -k input 2>err
is 'bzip2 is recorded' "$? $(cat err)" '0 '

# ---- what it costs -----------------------------------------------------------------

for machine in ss4 rocket; do
    replay none.db $machine -p path@hpt
    paths none.db >without
    is "$machine: without a queue there is no profiler in the machine" \
        "$(sql none.db 'SELECT count(*) FROM profiler')" 0
    before= wrong= slower= other=
    for queue in 0 1 2 4 8 16 4096; do
        replay a.db $machine,profiler.queue=$queue -p path@hpt
        sums=$(sql a.db "SELECT sum(count) FROM machine_event WHERE name = 'base' OR name LIKE 'stall-%'")
        cycles=$(total a.db cycles) lost=$(total a.db stall-profiler)
        [ "$sums" -eq "$cycles" ] || wrong="$wrong $queue"
        # Out of order, an instruction that waits may take a slot from a more urgent one.
        [ $((1000 * cycles)) -le $((1001 * ${before:-$cycles})) ] || slower="$slower $queue"
        paths a.db >with
        cmp -s without with || other="$other $queue"
        [ "$(profiler a.db cycles_without)" -eq "$(total none.db cycles)" ] || other="$other $queue"
        [ "$cycles" -ge "$(total none.db cycles)" -a \
            "$cycles" -le $(($(total none.db cycles) + lost)) ] || other="$other $queue"
        before=$cycles
        [ $queue -ne 0 ] || first=$cycles
    done
    is "$machine: with any queue the causes add up to the cycles" "$wrong" ''
    is "$machine: a longer queue costs no more" "$slower" ''
    ok "$machine: the longest costs less than none" [ "$cycles" -lt "$first" ]
    is "$machine: the profile is the same, and so is the run without it; the difference is waits" \
        "$other" ''
done

replay a.db ss4,profiler.queue=0 -p edge -p path@hpt
"$sluice" report --format json a.db >a.json
is 'JSON: the overhead is the share by which the run takes longer' "$(jq --argjson longer \
    $(($(total a.db cycles) - $(profiler a.db cycles_without))) '.machine.profiler |
    (.overhead * .cycles_without - $longer | fabs) <= .cycles_without * 1e-6' a.json)" true
is 'JSON: the profile is named by its place' "$(jq -r '.profiles[.machine.profiler.profile].spec' \
    a.json | cut -c 1-4)" path
like 'text: the report says what it costs' "$("$sluice" report a.db | tr -s ' \n' '  ')" \
    '* profiler: overhead *cycles without the profiler), queue of 0, *branches, busy *'
"$sluice" compare -m ss4,profiler.queue=0 -p edge@P256 -p path@hpt --json trace.slt >b.json
is 'compare has the same overhead, for that profile alone' \
    "$(jq -c '[.rows[].profiler_overhead]' b.json)" \
    "$(jq -c '[null, .machine.profiler.overhead]' a.json)"

# ---- what it does -------------------------------------------------------------------

# With one way a miss takes no longer than a hit.
table='path@hpt(65536x1)'
replay a.db ss4,profiler.queue=4,profiler.latency=1 -p "$table"
replay b.db ss4,profiler.queue=4,profiler.latency=8 -p "$table"
is 'every path that is finished takes the latency of the table once' \
    $(($(profiler b.db busy_cycles) - $(profiler a.db busy_cycles))) \
    $((7 * $(sql a.db 'SELECT events FROM profile')))
is 'every branch is examined' "$(profiler a.db branches)" \
    $(($(total a.db branch) + $(total a.db jump)))
ok 'a slower table costs more' [ "$(total b.db cycles)" -gt "$(total a.db cycles)" ]
replay b.db ss4,profiler.queue=4 -p 'path@hpt(64x1)'
replay c.db ss4,profiler.queue=4 -p 'path@hpt(64x8)'
ok 'and so does one in which more ways are searched for the least' \
    [ "$(profiler c.db busy_cycles)" -gt "$(profiler b.db busy_cycles)" ]

# ---- what it does not depend on -----------------------------------------------------

replay a.db ss4,profiler.queue=2 -p path@hpt
replay b.db ss4,profiler.queue=2 -p path:l2miss@hpt -p path -p edge
replay c.db ss4,profiler.queue=2 -p path@hpt --range 0-1000
for db in b c; do
    is "$db: the profiler has the same cost, whatever the metric, the other profiles and the range" \
        "$(total $db.db cycles) $(profiler $db.db busy_cycles)" \
        "$(total a.db cycles) $(profiler a.db busy_cycles)"
done
build threads gcc -O1 -g -static -pthread -I "$root/include" "$programs/threads.c"
profile a.db -m rocket,profiler.queue=0 -p path@hpt -- ./threads 4 2000 20
is 'threads: base and stall cycles are all cycles' \
    "$(sql a.db "SELECT sum(count) FROM machine_event WHERE name = 'base' OR name LIKE 'stall-%'")" \
    "$(total a.db cycles)"

# ---- refusals ------------------------------------------------------------------------

refused() # refused WHAT PATTERN MACHINE [OPTION...]
{
    local what=$1 pattern=$2 machine=$3
    shift 3
    replay a.db "$machine" "$@"
    is "$what: status 2" $? 2
    like "$what: says what is wrong" "$(cat err)" "sluice: $pattern"
}
refused 'no profiler' '*add path@hpt' ss4,profiler.queue=4 -p path -p edge@hpt
refused 'two' '*only one path profile per run: use the profile path:l2miss@hpt in another run*' ss4,profiler.queue=4 -p path@hpt \
    -p path:l2miss@hpt
refused 'no number' '*profiler.queue*none, or a whole number from 0 to 4096*' \
    ss4,profiler.queue=some -p path@hpt
finish
