#!/bin/sh
# SPDX-License-Identifier: MIT
# --skip and --limit select the same run range in a run, in a replay and in a recording of that
# range; the counts of adjacent ranges add up to those of the whole run.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3

cat >loop.c <<'END'
#include <stdio.h>
static volatile int t[256];
static int f(int x) { for (int i = 0; i < 50; i++) t[i] += x; return t[x & 63]; }
int main(void)
{
    int s = 0;
    for (int i = 0; i < ROUNDS; i++)
        s += f(i);
    printf("%d\n", s);
    return 7;
}
END
build loop gcc -O1 -static -DROUNDS=500 loop.c
specs='-p value -p block -p function:cycles'
./loop >wanted

"$sluice" record -m rocket -p value -o all.slt -- ./loop >out
"$sluice" record --skip 20K --limit 50K -m rocket -p value -o part.slt -- ./loop >out
is 'record: the exit status is that of the program' $? 7
same 'record: it runs to its end' out wanted
"$sluice" run -q --skip 20K --limit 50K -m rocket $specs -o run.db -- ./loop >out
is 'run: the exit status is that of the program' $? 7
same 'run: it runs to its end, unprofiled' out wanted
"$sluice" replay -q --skip 20K --limit 50K -m rocket $specs -o replay.db all.slt
"$sluice" replay -q -m rocket $specs -o part.db part.slt

entries() { sql "$1" 'SELECT profile, pc, value, count FROM entry ORDER BY 1, 2, 3, 4;
    SELECT instructions, blocks, loads FROM program'; }
for from in run replay part; do
    entries $from.db >$from
done
same 'a part of a run is that part of its trace' run replay
same 'a part that was recorded is that part of the whole trace' part replay
is 'it has the instructions of its limit, to a block' \
    "$(sql run.db 'SELECT instructions BETWEEN 50000 AND 50100 FROM program')" 1
is 'the database says which part it is' "$(sql run.db 'SELECT skip, "limit" FROM program')" '20000|50000'

# What is before, in and after the part, added up, is the whole.
"$sluice" replay -q -p value -p block -o whole.db all.slt
"$sluice" replay -q -p value -p block --limit 20K -o a.db all.slt
"$sluice" replay -q -p value -p block --skip 20K --limit 50K -o b.db all.slt
end=$(($(sql a.db 'SELECT instructions FROM program') + $(sql b.db 'SELECT instructions FROM program')))
"$sluice" replay -q -p value -p block --skip $end -o c.db all.slt
sql whole.db 'SELECT profile, pc, value, count FROM entry ORDER BY 1, 2, 3, 4' >whole
sql a.db "ATTACH 'b.db' AS b; ATTACH 'c.db' AS c; SELECT profile, pc, value, sum(count) FROM
    (SELECT * FROM main.entry UNION ALL SELECT * FROM b.entry UNION ALL SELECT * FROM c.entry)
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3" >sum
same 'parts that adjoin add up to the whole' sum whole

"$sluice" report run.db >text
like 'the report says which part it is' "$(cat text)" \
    '*filter: 50,000 instructions after the first 20,000*'
is 'so does JSON' "$("$sluice" report -f json run.db | jq -c '[.program.skip, .program.limit]')" \
    '[20000,50000]'
"$sluice" replay -p value --skip 1G -o none.db all.slt >text
is 'more skipped than there is: status 0' $? 0
like 'more skipped than there is: it says so' "$(cat text)" \
    "*all $(sql whole.db 'SELECT instructions FROM program') instructions of the stream are skipped*"
is 'compare takes a part, too' "$("$sluice" compare --json -p value@P16 --skip 20K --limit 50K all.slt |
    jq '.rows[0].events')" "$(sql part.db 'SELECT loads FROM program')"
# In a long trace, what is skipped is not even decoded.
build long gcc -O1 -static -DROUNDS=30000 loop.c
# (A C library that starts loads its process's number: of its first instructions values are not compared.)
"$sluice" record --repeatable -p value -o value.slt -- ./long >out
"$sluice" record --repeatable -p block -o block.slt -- ./long >out
for part in block:1 value:3000000 value:6543210; do
    skip=${part#*:}
    "$sluice" run -q --repeatable --skip $skip -p ${part%:*} -p context -o run.db -- ./long >out
    "$sluice" replay -q --skip $skip -p ${part%:*} -p context -o replay.db ${part%:*}.slt
    entries run.db >run
    entries replay.db >replay
    same "what is after $skip instructions of a long trace is that part of the run" replay run
done
for limit in 5% 2.5 0 -1 x; do
    "$sluice" compare --limit=$limit all.slt 2>err
    is "--limit $limit: status 2" $? 2
    like "--limit $limit: what it is, and what the error is" "$(cat err)" \
        "sluice: --limit $limit: give a number of instructions*sluice compare --below*"
done
finish
