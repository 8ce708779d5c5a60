#!/bin/sh
# SPDX-License-Identifier: MIT
# Parameters for hardware: with the hash parameters of `leap` in the database, the manual's formula
# gives every function a unique index. The report's bits per event are those of one counter, used
# or not, and the database has a notation's options as numbers.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3 jq

printf 'int main(void) { return 0; }' >nothing.c
build nothing gcc -static nothing.c
"$sluice" run -q --keep all -o a.db -p function@leap -p 'function@leap(capacity=16)' -p function -- ./nothing

# Exclusive or is not in SQL: a ^ b = (a | b) - (a & b).
indices() # indices PROFILE
{
    sql a.db "WITH p AS (SELECT (SELECT value FROM parameter WHERE profile = $1 AND name = 'V') AS v,
        (SELECT value FROM parameter WHERE profile = $1 AND name = 'A1') AS a1,
        (SELECT value FROM parameter WHERE profile = $1 AND name = 'A2') AS a2,
        (SELECT value FROM parameter WHERE profile = $1 AND name = 'B1') AS b1,
        (SELECT value FROM parameter WHERE profile = $1 AND name = 'B2') AS b2),
      x0 AS (SELECT pc, (pc + v) & 4294967295 AS x FROM entry, p WHERE profile = $1),
      x1 AS (SELECT pc, (x + (x << 8)) & 4294967295 AS x FROM x0),
      x2 AS (SELECT pc, (x | (x >> 4)) - (x & (x >> 4)) AS x FROM x1),
      ab AS (SELECT pc, ((x + (x << a1)) & 4294967295) >> a2 AS a, (SELECT value FROM parameter
        WHERE profile = $1 AND name = 'tab' AND position = ((x >> b1) & b2)) AS t FROM x2, p)
      SELECT (a | t) - (a & t) FROM ab"
}
for profile in 0 1; do
    indices $profile | sort -n >index
    words=$(sql a.db "SELECT count(*) FROM parameter WHERE profile = $profile AND name = 'tab'")
    ok "profile $profile: there are functions" [ "$(wc -l <index)" -ge 2 ]
    is "profile $profile: each has an index of its own" "$(uniq -d index)" ''
    ok "profile $profile: below the words of tab" [ "$(tail -n 1 index)" -lt "$words" ]
done
is 'a capacity of 16 has a tab of 16' "$words" 16
is 'no other table has parameters' "$(sql a.db 'SELECT count(*) FROM parameter WHERE profile = 2')" 0
"$sluice" report -f json a.db >json
is 'JSON has the same' "$(jq -c '.profiles[1].parameters | [.A1, .A2, .B1, .B2, .V]' json)" "[$(sql a.db \
    "SELECT value FROM parameter WHERE profile = 1 AND name <> 'tab' ORDER BY name" | paste -sd ,)]"
is 'and the words in their order' "$(jq -c '.profiles[1].parameters.tab' json)" "[$(sql a.db \
    "SELECT value FROM parameter WHERE profile = 1 AND name = 'tab' ORDER BY position" | paste -sd ,)]"
is 'and only there' "$(jq -c '.profiles[2] | has("parameters")' json)" false
like 'the report has the registers' "$("$sluice" report a.db)" '*hash with A1 *, V *, tab of 16 words*'

"$sluice" run --exact -m rocket -o b.db -p 'event(dmiss)@morris' -p 'event(dmiss)@morris(counters=1)' \
    -p 'event(dmiss)@fpc' -- ./nothing 2>report
is 'bits an event are those of one, in use or not' \
    "$(sed -n 's/^ *bits per event *//p' report | tr -s ' ')" '64 30 30 12'
"$sluice" replay -q -p 'edge@H[P256]2048+A16' -p 'edge@T4/64x512w2' -o written.db \
    'synth:zipf(events=1K)' >out 2>err
is 'what a notation says is in the database as numbers' "$(sql written.db "SELECT
    group_concat(name || '=' || value, ' ') FROM (SELECT * FROM option WHERE value > 0 AND
    typeof(value) = 'integer' AND component = 'compressors' AND name NOT IN ('seed', 'width', 'word', 'pick',
    'queue', 'check')
    ORDER BY profile, name) GROUP BY profile ORDER BY profile")" \
    'level1=16 rate=256 streams=2048
rate=1 streams=1 tag_bits=4 tagged_entries=512 tagged_rate=64 tagged_ways=2'

finish
