#!/bin/sh
# SPDX-License-Identifier: MIT
# Profiles of machine events: the exact table has the totals of the CPU model; approximate
# counters, multiplexed counters and sketches come close to them.
. "$(dirname "$0")/../lib.sh"
need gcc jq sqlite3

bare='-g -O1 -nostdlib -static -ffreestanding -fno-builtin -fno-stack-protector -fno-pic -no-pie'
build costs gcc $bare -I "$root/include" -I "$programs" "$programs/costs.c"

events() # events DATABASE PROFILE: "name count", in order
{
    sql "$1" "SELECT function || ' ' || count FROM entry JOIN location ON address = pc
        WHERE profile = $2 ORDER BY function"
}
happened() # happened DATABASE CONDITION: the same for the totals of the CPU model
{
    sql "$1" "SELECT name || ' ' || count FROM machine_event WHERE count > 0 AND $2 ORDER BY name"
}
not_counted="'dhalf', 'l2access', 'l2miss', 'base', 'energy', 'cachepower', 'stall-dependence',
    'stall-structure', 'stall-profiler'"

profile a.db -m rocket -p 'event(all)' -p 'event(dmiss)' -p 'event(direction+target)' \
    -p 'event(all)@multiplexed(counters=28)' -p 'event@fpc(mantissa=24)' -p 'event@morris' \
    -p 'event@multiplexed(rotation=1K)' -p 'event(imiss)+event(dmiss)' -- ./costs
is 'the run succeeds' "$? $(cat err)" '0 '
is 'event(all) equals the totals, except for events without a counter' "$(events a.db 0)" \
    "$(happened a.db "name NOT IN ($not_counted)")"
ok 'most of the 29 events occurred' [ "$(events a.db 0 | wc -l)" -ge 20 ]
is 'event(dmiss) is one of the events' "$(events a.db 1)" "$(happened a.db "name = 'dmiss'")"
is 'event(direction+target) is the sum of two events' "$(events a.db 2)" "direction+target $(
    sql a.db "SELECT sum(count) FROM machine_event WHERE name IN ('direction', 'target')")"
profile list.db -m rocket -p 'event([dmiss,direction+target,cycles])' \
    -p 'event([cycles,dmiss])@multiplexed(counters=1,events=2)' \
    -p 'event([imiss,dmiss])@morris(counters=2,base=1.0001,bits=16)' -- ./costs
is 'event([a,b+c]) has a counter for each list element' "$(events list.db 0)" "$({
    events a.db 1
    events a.db 2
    happened a.db "name = 'cycles'"
} | sort)"
is 'a table of two counters is enough for two events' "$(events list.db 1)" \
    "$(happened a.db "name IN ('cycles', 'dmiss')")"
is 'nearly exact counters have both events' "$(events list.db 2 | cut -d ' ' -f 1 | tr '\n' ' ')" 'dmiss imiss '
for list in '[dmiss,dmiss]' '[]' '[dmiss,]' '[dmiss,nothing]'; do
    "$sluice" run -m rocket -p "event($list)" ./costs 2>err
    is "event($list) is refused" $? 2
done
is 'multiplexed with a counter for each event is exact' "$(events a.db 3)" "$(events a.db 0)"
is 'fpc is exact as long as its mantissa suffices' "$(events a.db 4)" "$(events a.db 0)"
inside="SELECT count(*) FROM entry m JOIN entry e ON e.pc = m.pc AND e.profile = 0
    WHERE m.profile = 5"
all=$(sql a.db "$inside")
is 'morris has every event' "$all" "$(events a.db 0 | wc -l)"
ok 'the exact counts are nearly always within the bounds of morris' \
    [ "$(sql a.db "$inside AND e.count BETWEEN m.low AND m.high")" -ge $((all * 3 / 4)) ]
is 'the clock of multiplexed is exact' "$(events a.db 6 | grep '^cycles ')" \
    "$(events a.db 0 | grep '^cycles ')"
is 'storage: 30 bits for an event of morris, four counters and a clock of multiplexed' \
    "$(sql a.db 'SELECT group_concat(storage_bits) FROM profile WHERE id IN (5, 6)')" 870,320
"$sluice" report -n 40 a.db >text
ok 'the report has the names of the events' grep -q '%  direction+target$' text
ok 'JSON has the names of the events' [ "$("$sluice" report --format json a.db |
    jq '[.profiles[0].entries[] | select(.symbol == "dmiss")] | length')" -eq 1 ]

profile b.db -m rocket -p 'event(all)@morris' -p 'event(all)@morris(seed=2)' -- ./costs
is 'the same seed gives the same counts' "$(events b.db 0)" "$(events a.db 5)"
ok 'another seed gives other counts' [ "$(events b.db 0)" != "$(events b.db 1)" ]

# ---- several runs ---------------------------------------------------------------------

readings() # readings DATABASE PROFILE RUN: "name count", in order, of counts other than 0
{
    sql "$1" "SELECT event || ' ' || count FROM reading
        WHERE profile = $2 AND run = $3 AND count > 0 ORDER BY event"
}
profile c.db -m rocket -p 'event(all)@morris' -p event@fpc -p event@multiplexed -p event \
    -p 'function:count@R16' --runs 4 -- ./costs
is 'several runs succeed' "$? $(cat err)" '0 '
is 'run 0 equals the profile' "$(readings c.db 0 0)" "$(events c.db 0)"
is 'run 0 equals the profile without --runs' "$(readings c.db 0 0)" "$(events a.db 5)"
is 'run 1 equals the profile with the next seed' "$(readings c.db 0 1)" "$(events b.db 1)"
profile d.db -m rocket -p 'event(all)@morris(seed=4)' -p 'event@fpc(seed=3)' -- ./costs
is 'run 3 equals the profile with the third seed after it' "$(readings c.db 0 3)" "$(events d.db 0)"
is 'run 1 of another table equals its profile with the next seed' "$(readings c.db 1 2)" "$(events d.db 1)"
is 'a table without a seed has one run, an exact table none' \
    "$(sql c.db 'SELECT group_concat(n) FROM (SELECT count(DISTINCT run) n FROM reading
        GROUP BY profile ORDER BY profile)')" 4,4,1
is 'each estimate has its exact count' \
    "$(sql c.db "SELECT count(*) FROM reading JOIN location ON function = event JOIN entry
        ON pc = address AND entry.profile = 3 WHERE entry.count <> exact")" 0
is 'every table has errors for each run' \
    "$(sql c.db "SELECT count(*) || ' ' || (count(DISTINCT value) > 1) FROM run_error
        WHERE profile = 4 AND name = 'overlap'")" '4 1'
profile d.db -m rocket -p 'event(all)@morris' --exact -- ./costs
is 'with --exact there are readings' "$(readings d.db 0 0)" "$(readings c.db 0 0)"
profile d.db -m rocket -p 'event(all)@morris' --every 20K --runs 3 -- ./costs
is 'counters continue after a reading' "$(readings d.db 0 0)" "$(readings c.db 0 0)"
is 'every run has all readings' "$(readings d.db 0 2)" "$(readings c.db 0 2)"
profile d.db -m rocket -p 'event(all)@morris' -p 'event(dmiss)' -- ./costs
is 'without an exact profile of the same events there are no readings' \
    "$(sql d.db 'SELECT count(*) FROM reading')" 0

"$sluice" report c.db >text
ok 'the report fits the screen' [ "$(wc -L <text)" -le 100 ]
is 'the report has the exact count of each event once, and no entries' \
    "$(grep -c '^  dmiss  *20,4[0-9,]*  *[0-9,]*  *[-+.0-9]*%' text)" 1
like 'errors over runs are drawn' "$(grep '^  cycles .*|' text)" '*%  *|*'
is 'errors of other profiles are drawn' "$(grep -c '^Measures over 4 runs  function:count@R16' text)" 1
"$sluice" report c.db -n 2 >text
ok '-n reduces the number of events' [ "$(wc -l <text)" -lt 40 ]
"$sluice" run -m rocket -p 'event(all)@morris' -p event@fpc -p event@multiplexed --exact -o d.db \
    ./costs 2>text >out
ok 'three tables with all events fit a screen' [ "$(wc -l <text)" -le 40 ]
is 'JSON has the errors' "$("$sluice" report --json c.db |
    jq -c '.profiles[0] | [(.readings | length), .runs.n, .readings[0].event, .readings[0].bits == 30,
        (.readings[0].error | fabs) >= .readings[0].spread.min]')" '[29,4,"cycles",true,true]'

profile b.db -m rocket --range walk -p 'event(all)' -p function:dmiss -p 'event(dmiss)' -- ./costs
ok 'within a range there are fewer events' [ "$(count_of dmiss b.db 2)" -lt "$(count_of dmiss a.db 1)" ]
is 'within a range there are as many instructions as in the function' "$(events b.db 0 | grep '^dmiss ')" \
    "dmiss $(sql b.db 'SELECT sum(count) FROM entry WHERE profile = 1')"

profile b.db -p 'function:count@morris(counters=5)' -p 'function:count' -- ./costs
is 'morris keeps as many tuples as it has counters' \
    "$(sql b.db 'SELECT count(*) FROM entry WHERE profile = 0')" 5

# ---- refusals ------------------------------------------------------------------------

refused() # refused WHAT PATTERN [OPTION...]
{
    local what=$1 pattern=$2
    shift 2
    "$sluice" run -q -o b.db "$@" ./costs >out 2>err
    is "$what: status 2" $? 2
    # shellcheck disable=SC2254
    like "$what: the message is printed" "$(cat err)" "sluice: $pattern"
}
refused 'events without a machine' '*--machine: event*CPU model*rocket*' -p event
refused 'what is no event' '*"dmis"*machine events are: cycles*dmiss*' -m rocket -p 'event(dmis)'
refused 'a metric of events' '*cycles*event:count*' -m rocket -p event:cycles
refused 'a class of them' '*--only*event*' -m rocket --only load -p event
refused 'values in counters' '*morris*value*another table*' -p value@morris
refused 'turns without a clock' '*multiplexed works only with the detector event*event@multiplexed*' -p edge@multiplexed
refused 'steps of X where there are none' '*steps=all*' -p 'edge@morris(base=1.5,steps=x)'
refused 'runs of what is not random' '*--runs*seed*morris*' -p edge -p function --runs 3
refused 'too many of them' '*--runs: too many runs: 1001 (the maximum is 1000)*' -p edge@R16 --runs 1001
refused 'none' '*--runs 0*above 0*' -p edge@R16 --runs 0
finish
