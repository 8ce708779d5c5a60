#!/bin/sh
# Events of a machine as profiles: exact, they are what happened; kept by approximate
# counters and their rivals, near it.
. "$(dirname "$0")/../lib.sh"
need gcc jq sqlite3

bare='-g -O1 -nostdlib -static -ffreestanding -fno-builtin -fno-stack-protector -fno-pic -no-pie'
build costs gcc $bare -I "$root/include" -I "$programs" "$programs/costs.c"

events() # events DATABASE PROFILE: "name count", in order
{
    sql "$1" "SELECT function || ' ' || count FROM entry JOIN place ON address = pc
        WHERE profile = $2 ORDER BY function"
}
happened() # happened DATABASE CONDITION: the same of what happened
{
    sql "$1" "SELECT name || ' ' || count FROM happening WHERE count > 0 AND $2 ORDER BY name"
}
not_counted="'dhalf', 'l2access', 'l2miss', 'base', 'energy', 'cachepower', 'lost-dependence',
    'lost-structure', 'lost-profiler'"

profile a.db -m rocket -p 'event(all)' -p 'event(dmiss)' -p 'event(direction+target)' \
    -p 'event(all)@multiplexed(counters=28)' -p 'event@fpc(mantissa=24)' -p 'event@morris' \
    -p 'event@multiplexed(rotation=1K)' -p 'event(imiss)+event(dmiss)' -- ./costs
is 'it ends well' "$? $(cat err)" '0 '
is 'event(all) is what happened, but for what no counter has' "$(events a.db 0)" \
    "$(happened a.db "name NOT IN ($not_counted)")"
ok 'most of the 29 happened' [ "$(events a.db 0 | wc -l)" -ge 20 ]
is 'event(dmiss) is one of them' "$(events a.db 1)" "$(happened a.db "name = 'dmiss'")"
is 'event(direction+target) is the sum of two' "$(events a.db 2)" "direction+target $(
    sql a.db "SELECT sum(count) FROM happening WHERE name IN ('direction', 'target')")"
is 'multiplexed, with a counter for each, is exact' "$(events a.db 3)" "$(events a.db 0)"
is 'so is fpc as long as its mantissa does' "$(events a.db 4)" "$(events a.db 0)"
inside="SELECT count(*) FROM entry m JOIN entry e ON e.pc = m.pc AND e.profile = 0
    WHERE m.profile = 5"
all=$(sql a.db "$inside")
is 'morris has every event' "$all" "$(events a.db 0 | wc -l)"
ok 'and nearly always bounds that hold' \
    [ "$(sql a.db "$inside AND e.count BETWEEN m.low AND m.high")" -ge $((all * 3 / 4)) ]
is 'multiplexed, the clock is exact' "$(events a.db 6 | grep '^cycles ')" \
    "$(events a.db 0 | grep '^cycles ')"
is 'storage: 30 bits for an event of morris, four counters and a clock of multiplexed' \
    "$(sql a.db 'SELECT group_concat(storage_bits) FROM profile WHERE id IN (5, 6)')" 870,320
"$sluice" report -n 40 a.db >text
ok 'the report has their names' grep -q '%  dtlbmiss$' text
ok 'so has JSON' [ "$("$sluice" report --format json a.db |
    jq '[.profiles[0].entries[] | select(.symbol == "dmiss")] | length')" -eq 1 ]

profile b.db -m rocket -p 'event(all)@morris' -p 'event(all)@morris(seed=2)' -- ./costs
is 'the same seed gives the same counts' "$(events b.db 0)" "$(events a.db 5)"
ok 'another seed others' [ "$(events b.db 0)" != "$(events b.db 1)" ]

profile b.db -m rocket --range walk -p 'event(all)' -p function:dmiss -p 'event(dmiss)' -- ./costs
ok 'of a range, there are fewer' [ "$(count_of dmiss b.db 2)" -lt "$(count_of dmiss a.db 1)" ]
is 'as many as the function has' "$(events b.db 0 | grep '^dmiss ')" \
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
    like "$what: says what is wrong" "$(cat err)" "sluice: $pattern"
}
refused 'events without a machine' '*event*machine*-m rocket*' -p event
refused 'what is no event' '*"dmis"*there are: cycles*dmiss*' -m rocket -p 'event(dmis)'
refused 'a metric of events' '*cycles*event:count*' -m rocket -p event:cycles
refused 'a class of them' '*--only*event*' -m rocket --only load -p event
refused 'values in counters' '*morris*value*another table*' -p value@morris
refused 'turns without a clock' '*multiplexed is for event*event@multiplexed*' -p edge@multiplexed
refused 'steps of X where there are none' '*steps=all*' -p 'edge@morris(base=1.5,steps=x)'
finish
