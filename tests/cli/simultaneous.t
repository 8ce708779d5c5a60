#!/bin/sh
# SPDX-License-Identifier: MIT
# Several detectors that share one table: each gives the same events as alone, and the table
# receives them in program order.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3

# entries DATABASE DETECTOR: the profile of that detector, as text
entries()
{
    sqlite3 -readonly "$1" "SELECT pc, value, count FROM entry WHERE profile =
        (SELECT min(id) FROM profile WHERE detector = '$2') ORDER BY pc, value"
}

# each WHAT SPEC DETECTOR...: together and alone, with $options
options=
each()
{
    local what=$1 spec=$2 detector
    shift 2
    "$sluice" replay -q --keep all $options -p "$spec" -o together.db trace.slt
    for detector; do
        "$sluice" replay -q --keep all $options -p "$detector:${metric:-count}" -o alone.db \
            trace.slt
        entries together.db "$detector" >together
        entries alone.db "$detector" >alone
        same "$what: the $detector profile is that of $detector alone" together alone
        is "$what: so are its events and its weight" \
            "$(sqlite3 together.db "SELECT events, weight FROM profile
                WHERE detector = '$detector'")" \
            "$(sqlite3 alone.db 'SELECT events, weight FROM profile')"
    done
}

build program gcc -O1 -g -static "$programs/numbers.c"
"$sluice" record -q -p edge -p value -p type -o trace.slt ./program >/dev/null
each 'branches and calls' 'edge+call@exact' edge call
each 'branches, values and slots' 'value+edge+type@exact' value edge type
all='block+value+type+edge+call+function:count@exact'
each 'all of them' "$all" block value type edge call function
metric=instructions
each 'with a metric' 'edge:instructions+block:instructions+function:instructions@exact' edge block \
    function
metric=

# A table of one entry sends whenever another tuple comes.
one='synth:uniform(events=20000,tuples=1,pcs=1)'
"$sluice" replay -q -p 'block+value@A1(width=32)' -o order.db "$one"
is 'a block, then what it loads, then the next block' \
    "$(sqlite3 order.db 'SELECT DISTINCT messages FROM profile')" 39999
"$sluice" replay -q -p 'value+block@A1(width=32)' -o other.db "$one"
is 'whatever the order in which they are written' \
    "$(sqlite3 other.db 'SELECT DISTINCT messages FROM profile')" 39999

# The same pc and target as an edge and as a call are two tuples.
"$sluice" replay -q -p 'block+block@exact' -o twice.db trace.slt
is 'equal tuples of two detectors are told apart' \
    "$(sqlite3 twice.db 'SELECT sum(count) = 2 * (SELECT events FROM profile LIMIT 1)
        FROM entry')" 1

# Of what is selected.
"$sluice" replay -q -p 'edge+value@exact' --only load,conditional -o selected.db trace.slt
"$sluice" replay -q -p value --only load,conditional -o alone.db trace.slt
entries selected.db value >together
entries alone.db value >alone
same 'a selection holds for each' together alone

# Also of several threads, whose chunks take turns, and where marks cut these into slices.
build program gcc -O1 -g -static -pthread -I "$root/include" "$programs/threads.c"
"$sluice" record -q -p edge -p value -p type -o trace.slt ./program >/dev/null
each 'threads' "$all" block value type edge call function
options=--marked
each 'between marks' "$all" block value edge call function

"$sluice" replay -q -p 'edge+@exact' -o x.db trace.slt 2>err
is 'a detector is missing: status 2' $? 2

# The document's example: edges, and those of them that a machine predicted wrong.
options='-m ss4'
"$sluice" record -q -m ss4 -o trace.slt ./program >/dev/null
"$sluice" replay -q --keep all $options -p edge:count+edge:mispredict@exact -o together.db trace.slt
for metric in count mispredict; do
    "$sluice" replay -q --keep all $options -p edge:$metric -o alone.db trace.slt
    of="FROM profile WHERE metric = '$metric'"
    sqlite3 together.db "SELECT pc, value, count FROM entry WHERE profile = (SELECT id $of)
        ORDER BY pc, value" >together
    sqlite3 alone.db 'SELECT pc, value, count FROM entry ORDER BY pc, value' >alone
    same "edges by two metrics: by $metric as alone" together alone
    is "edges by two metrics: events and weight by $metric as alone" \
        "$(sqlite3 together.db "SELECT events, weight $of")" \
        "$(sqlite3 alone.db 'SELECT events, weight FROM profile')"
done
is 'one of the two is not the other' \
    "$(sqlite3 together.db 'SELECT count(DISTINCT weight) FROM profile')" 2
"$sluice" replay -q $options -p edge:count+edge:mispredict@A16 -o shared.db trace.slt
is 'and through one table, what it has of both is what both gave it' \
    "$(sqlite3 shared.db 'SELECT (SELECT message_weight + residue FROM profile LIMIT 1) =
        (SELECT sum(weight) FROM profile)')" 1
finish
