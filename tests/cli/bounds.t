#!/bin/sh
# SPDX-License-Identifier: MIT
# Bounds of sampling tables: over all listed entries, the exact count is within the bounds in 95 of
# 100 cases, on a synthetic stream and on a real program.
. "$(dirname "$0")/../lib.sh"
need sqlite3 bzip2

specs='R256 P256 CR256 H[P256]2048 H[P256]2048+A16'

# check WHAT STREAM
check()
{
    local what=$1 spec
    set -- "$2"
    for spec in $specs; do
        set -- "$@" -p "value@$spec"
    done
    "$sluice" replay -q --keep all -o a.db -p value "$@" >out
    is "$what: the replay succeeds" $? 0
    sql a.db "SELECT pc || ':' || value, count FROM entry WHERE profile = 0" | tr '|' ' ' >exact
    for spec in $specs; do
        sql a.db "SELECT pc || ':' || value, low, high FROM entry WHERE
            profile = (SELECT id FROM profile WHERE given_spec = 'value@$spec')" | tr '|' ' ' >found
        awk 'NR == FNR { count[$1] = $2; next }
            { listed++; inside += 100 * (count[$1] >= $2 && count[$1] <= $3)
              if (listed == 1 || $2 < least) least = $2 }
            END { print listed, inside, least }' exact found >covered
        read -r listed inside least <covered
        echo "# $what, $spec: $((inside / listed)) % of $listed"
        ok "$what, $spec: the exact count is within the bounds of 95 of 100 entries" [ "$inside" -ge $((95 * listed)) ]
        ok "$what, $spec: hundreds of entries are listed" [ "$listed" -ge 500 ]
        is "$what, $spec: one sample implies a lower bound of one" "$least" 1
    done
}

check 'zipf' 'synth:zipf(events=1M)'
head -c 60000 "$(command -v sqlite3)" >input
"$sluice" record -q -p value -o t.slt -- bzip2 -c input >out
check 'bzip2' t.slt
finish
