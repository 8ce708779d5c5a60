#!/bin/sh
# The document about the interval profilers, from one small program instead of many: every
# part is there, and what it says is what sluice says.
. "$(dirname "$0")/../lib.sh"
need gcc gzip sqlite3
script=$root/bench/results_interval.sh
[ -x "$BUILD/bench/results_interval" ] || skip_all 'make tests builds what it needs'

cat "$root"/docs/*.md | head -c 30000 >small
"$sluice" record -q -p value -o small.slt -- gzip -k small
BUILD=$BUILD sh "$script" -d work -o document.md small=small.slt 2>err
is 'status 0' $? 0
is 'nothing but progress on standard error' "$(cat err)" 'small: done'

is 'all parts' "$(grep '^#' document.md)" '# Interval profilers on real programs
## Beside the published figures
## What holds, and what does not
## Programs
## Distinct tuples and candidates
## Change from one interval to the next
## Single-hash: resetting and retaining
## Multi-hash: tables, conservative update, resetting
## The best configuration
## Error by interval
## Edges
## The bound on false positives
## Eight tables, and the hash function
## Narrower counters
## An interval that follows the program
## Storage'
is 'no line of a table has an empty cell' "$(grep -n '|  *|' document.md)" ''
is 'each line of a table has as many cells as its heading' "$(awk -F '|' '
    !/^\|/ { cells = 0; next }
    !cells { cells = NF }
    NF != cells { print NR ": " $0 }' document.md)" ''
like 'storage of both settings is the published one' "$(grep '^| .* × 512 × 24 bits' document.md)" \
    '*| 6,144 | 100 | 1,000 | 6 KB + 1 KB |*| 6,144 | 1,000 | 10,000 | 6 KB + 10 KB |*'

# ---- the same figures as sluice's own ------------------------------------------------------

figures='interval false_positive false_negative neutral_positive neutral_negative
    false_positive_rate'
agrees() # WHAT SPEC CONDITION
{
    "$sluice" replay -q --exact -p "$2" -o own.db small.slt
    is "$1" "$(sql work/results.db "SELECT printf('%.7f %.7f %.7f %.7f %.7f %.7f %d', error,
            false_positive, false_negative, neutral_positive, neutral_negative, false_positive_rate,
            storage_bits) FROM profile WHERE bits = 24 AND counters = 2048 AND $3")" \
        "$(for name in $figures; do
            sql own.db "SELECT printf('%.7f', value) FROM error WHERE name = '$name'"
        done | tr '\n' ' ')$(sql own.db 'SELECT storage_bits FROM profile')"
}
agrees 'errors of values, 4 tables, 10K/1 %, are those of sluice replay --exact' \
    'value@multihash(interval=10K,threshold=1%)' \
    "detector = 'value' AND interval = 10000 AND threshold = 1 AND tables = 4 AND conservative
    AND NOT reset"
agrees 'errors of values, single-hash, 1M/0.1 %' 'value@singlehash' \
    "detector = 'value' AND interval = 1000000 AND threshold = 0.1 AND tables = 1 AND reset
    AND retain"
agrees 'errors of edges, 4 tables, 10K/1 %' 'edge@multihash(interval=10K,threshold=1%)' \
    "detector = 'edge' AND interval = 10000 AND tables = 4"
agrees 'errors with an interval that follows the program' \
    'value@multihash(interval=100K,threshold=1%,adapt=1)' \
    "detector = 'value' AND interval = 100000 AND threshold = 1 AND adapt"
ok 'a full interval of a million was measured' \
    [ "$(sql work/results.db "SELECT min(full) FROM profile WHERE interval = 1000000
        AND detector = 'value' AND NOT adapt")" -ge 1 ]

# ---- refusals -----------------------------------------------------------------------------

BUILD=$BUILD sh "$script" -d other -o other.md absent=absent.slt 2>err
is 'a trace that is not there: status 1' $? 1
is 'and no document' "$(ls other.md 2>/dev/null)" ''
like 'and says so' "$(cat err)" '*absent.slt*'
BUILD=$BUILD sh "$script" -d other -o other.md nonsense 2>err
is 'no NAME=STREAM: status 1' $? 1
finish
