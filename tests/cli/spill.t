#!/bin/sh
# SPDX-License-Identifier: MIT
# --spill: with little memory and a directory for temporary files, exact value counts are the same
# as with enough memory.
. "$(dirname "$0")/../lib.sh"
need sqlite3
stream='synth:zipf(events=400K,tuples=90K,s=0.6)'
entries='SELECT rank, pc, value, count, low, high FROM entry ORDER BY rank'
said='SELECT events, weight, "distinct", drops, drops_weight, warning IS NULL FROM profile'
mkdir there
"$sluice" replay -q -o all.db --keep all -p value "$stream"
ok 'there are many values' [ "$(sql all.db 'SELECT count(*) FROM entry')" -gt 50000 ]
for memory in 1 200K 1M; do
    "$sluice" replay -q -o a.db --keep all --memory $memory --spill there -p value "$stream"
    is "--memory $memory --spill: the status" $? 0
    is "--memory $memory --spill: all entries, counts and bounds" \
        "$(sql a.db "$entries" | cksum)" "$(sql all.db "$entries" | cksum)"
    is "--memory $memory --spill: all that is reported of them" "$(sql a.db "$said")" "$(sql all.db "$said")"
    is "--memory $memory --spill: no file is left" "$(ls -A there)" ''
done
"$sluice" replay -q -o b.db --keep all --memory 200K -p value "$stream"
ok 'without --spill that memory is too little' [ "$(sql b.db 'SELECT drops > 0 FROM profile')" = 1 ]

"$sluice" replay -q -o a.db --exact --memory 1M --spill there -p value@spacesaving "$stream"
"$sluice" replay -q -o b.db --exact -p value@spacesaving "$stream"
is 'what errors are measured against spills, too' \
    "$(sql a.db 'SELECT name, value FROM error')" "$(sql b.db 'SELECT name, value FROM error')"

"$sluice" run -q -o a.db --spill nowhere -p value sh -c 'touch ran' 2>err
is 'a directory that is not there: status 125' $? 125
is 'and a message' "$(cat err)" \
    'sluice: cannot create a file in the spill directory nowhere: No such file or directory'
ok 'before the program runs' [ ! -e ran ]
finish
