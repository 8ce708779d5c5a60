#!/bin/sh
# SPDX-License-Identifier: MIT
# Interval profilers compared with exact profiles of the same run: their counts, candidates and
# errors are correct.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3

build program gcc -O2 -g -static "$programs/numbers.c"

# outside PROFILE EXACT: entries whose exact count is not within their bounds
outside()
{
    sql a.db "SELECT count(*) FROM entry e LEFT JOIN entry x
        ON x.profile = $2 AND x.pc = e.pc AND x.value = e.value
        WHERE e.profile = $1 AND coalesce(x.count, 0) NOT BETWEEN e.low AND e.high"
}

# bounds DETECTOR TABLE...: each kept next to the exact profile
bounds()
{
    local detector=$1 i=0
    shift
    for table; do
        profile a.db --keep all -p "$detector@exact" -p "$detector@$table" -- ./program
        ok "$detector@$table: something is found" \
            [ "$(sql a.db 'SELECT count(*) FROM entry WHERE profile = 1')" -gt 0 ]
        is "$detector@$table: every count of the run is within its bounds" "$(outside 1 0)" 0
        is "$detector@$table: sums are those of the intervals" "$(sql a.db 'SELECT count(*) FROM
            entry e WHERE profile = 1 AND (count, intervals) <> (SELECT sum(count), count(*) FROM
            candidate c WHERE c.profile = 1 AND c.pc = e.pc AND c.value = e.value)')" 0
        is "$detector@$table: intervals have all events" "$(sql a.db 'SELECT sum(i.events) =
            p.events AND sum(i.weight) = p.weight FROM interval i, profile p WHERE p.id = 1')" 1
    done
}

short='interval=1K,threshold=1%'
bounds value "multihash($short)" "singlehash($short)" 'multihash(interval=1)' \
    "multihash($short,tables=2,counters=8,reset=1,accumulator=3)" \
    'multihash(interval=64,threshold=5%)'
bounds edge "multihash($short)" "singlehash($short,retain=0)"
bounds block:instructions "multihash($short)"

profile a.db --exact -p "edge+value@multihash($short)" -- ./program
is 'of a shared table each detector has its own candidates' "$(sql a.db 'SELECT
    (SELECT count(*) FROM candidate) = (SELECT sum(candidates) FROM interval WHERE profile = 0)')" 1
is 'and the same error' "$(sql a.db "SELECT count(DISTINCT value) FROM error
    WHERE name = 'interval'")" 1

# One exact profile serves all whose intervals are the same.
"$sluice" record -q -p value -o a.slt -- ./program >output
errors() # DATABASE PROFILE
{
    sql "$1" "SELECT group_concat(name || value, ' ') FROM error WHERE profile = $2"
}
set -- "value@multihash($short)" "value@singlehash($short)" 'value@multihash(interval=2K)' \
    "value@multihash($short,tables=2,reset=1)"
"$sluice" replay -q --exact -o together.db a.slt $(printf -- '-p %s ' "$@")
i=0
for spec; do
    "$sluice" replay -q --exact -o alone.db -p "$spec" a.slt
    is "$spec: evaluated with others it has the errors that it has alone" \
        "$(errors together.db $i)" "$(errors alone.db 0)"
    like "$spec: which were measured" "$(errors alone.db 0)" '*interval[0-9]*'
    i=$((i + 1))
done

profile a.db -p 'value@multihash(interval=1G)' -- ./program
is 'fewer events than an interval has are one, cut short' \
    "$(sql a.db "SELECT count(*), sum(partial) FROM interval")" '1|1'
finish
