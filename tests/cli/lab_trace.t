#!/bin/sh
# SPDX-License-Identifier: MIT
# The lab's experiments on traces that the user provides.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3
cat >loop.c <<'END'
volatile int a[64];
int main(int n, char **v)
{
    for (int i = 0; i < 20000 * n; i++)
        a[i % 64] = a[i * 7 % 64] + i % 3;
    return v[0] == 0;
}
END
build loop gcc -O1 -static loop.c
"$sluice" record -q -m rocket -p value -o loop.slt ./loop
"$sluice" record -q -p edge -o edges.slt ./loop

"$sluice" lab --tiny interval wpp loop.slt >out 2>err
is 'two experiments on a trace: status 0' "$? $(cat err)" '0 '
lab=sluice-lab-traces
is 'they have a directory of their own' "$(head -n 1 out)" "$(pwd -P)/$lab/interval.md"
is 'the program is the trace' "$(sqlite3 -readonly $lab/lab.db 'SELECT DISTINCT program FROM step
    WHERE program IS NOT NULL')" loop.slt
ok 'which the pages name' grep -q '| loop.slt |' $lab/wpp.md
ok 'and of which there is no copy' [ ! -e $lab/traces ]
figure() # figure STEP LABEL MEASURE
{
    sqlite3 -readonly $lab/lab.db "SELECT printf('%.10g', value) FROM step JOIN measurement ON step = id
        WHERE name = '$1' AND label = '$2' AND measure = '$3' AND x IS NULL"
}
label=$(sqlite3 -readonly $lab/lab.db "SELECT label FROM step JOIN measurement ON step = id
    WHERE program = 'loop.slt' AND label LIKE 'value@singlehash%' AND measure = 'interval' LIMIT 1")
step=$(sqlite3 -readonly $lab/lab.db "SELECT name FROM step JOIN measurement ON step = id
    WHERE program = 'loop.slt' AND label = '$label' AND measure = 'interval' LIMIT 1")
"$sluice" sweep -q -o s.db -p "$label" loop.slt
is 'figures are those of a sweep' "$(figure "$step" "$label" interval)" \
    "$(sqlite3 -readonly s.db "SELECT printf('%.10g', value) FROM measurement WHERE measure = 'interval'")"
ok 'and there are some' [ -n "$label" ]
before=$(sqlite3 -readonly $lab/lab.db 'SELECT group_concat(id) FROM step')
"$sluice" lab --tiny interval wpp loop.slt >out 2>err
is 'again: nothing is measured' "$(sqlite3 -readonly $lab/lab.db 'SELECT group_concat(id) FROM step')" "$before"
"$sluice" lab --tiny interval edges.slt >out 2>err
is 'a trace without values: status 125' $? 125
like 'and a message' "$(cat err)" '*edges.slt*value needs load values*'
"$sluice" lab --tiny sampling loop.slt >out 2>err
is 'an experiment without programs: status 2' $? 2
like 'and a message' "$(cat err)" 'sluice: sampling accepts no stream: the experiment uses synthetic streams'
"$sluice" lab --tiny -q -o all all loop.slt >out 2>err
is 'all experiments on a trace: status 0' "$? $(cat err)" '0 '
is 'those that do not go are named' "$(grep -c '^left out: [a-z]*: ' out)" 4
for name in paths interval functions wpp designs compressors counters blame predictors simpoint; do
    ok "$name has figures of it" [ "$(sqlite3 -readonly all/lab.db "SELECT count(*) FROM measurement JOIN step ON id = step
        WHERE experiment = '$name' AND program = 'loop.slt'")" -gt 0 ]
    ok "and a page" [ -s all/$name.md ]
done
"$sluice" lab --tiny wpp missing.slt >out 2>err
is 'a trace that is not there: status 125' $? 125
"$sluice" lab --tiny -o programs wpp './loop 2' >out 2>err
is 'a program with an argument: status 0' "$? $(cat err)" '0 '
is 'is the program of the steps' "$(sqlite3 -readonly programs/lab.db 'SELECT DISTINCT program FROM step
    WHERE program IS NOT NULL')" loop
twice=$(ls -i programs/programs.d/*)
before=$(sqlite3 -readonly programs/lab.db 'SELECT group_concat(id) FROM step')
"$sluice" lab --tiny -o programs wpp './loop 2' >out 2>err
is 'it is recorded and measured once' "$(ls -i programs/programs.d/*) $(sqlite3 -readonly programs/lab.db \
    'SELECT group_concat(id) FROM step')" "$twice $before"
"$sluice" lab --tiny wpp ./missing >out 2>err
is 'one that is not there: status 127' $? 127
mkdir other
cp loop.slt other/
"$sluice" lab --tiny wpp loop.slt other/loop.slt >out 2>err
is 'two of one name: status 2' $? 2
"$sluice" lab --tiny --program gzip wpp loop.slt >out 2>err
is 'a trace and a program: status 2' $? 2
"$sluice" lab --tiny loop.slt wpp >out 2>err
is 'an experiment after a trace: status 2' $? 2
finish
