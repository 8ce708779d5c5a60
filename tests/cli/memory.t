#!/bin/sh
# How loads go through memory: addresses, lines and strides of a program whose loads are known, and
# which of them miss.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3 jq

cat >matrix.c <<'END'
enum { N = 256 };
static volatile int m[N][N] __attribute__((aligned(4096)));
__attribute__((noinline)) static int rows(void)
{
    int s = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            s += m[i][j];
    return s;
}
__attribute__((noinline)) static int columns(void)
{
    int s = 0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            s += m[i][j];
    return s;
}
int main(void) { return rows() + columns(); }
END
build matrix gcc -O1 -g -static matrix.c
# 16 KB, 4 ways, lines of 64: 16 numbers of a row are in one line; a column is in 256, of which the
# cache holds 256, but all in every sixteenth set.
"$sluice" record -m rocket -p value -o matrix.slt -- ./matrix
for machine in rocket ss4; do
    "$sluice" replay -q --keep all -m $machine -o $machine.db -p load -p 'load(line=64)' -p stride \
        -p value:dmiss -p load:dmiss -p 'load(line=64):dmiss' -p stride:dmiss -p value \
        -p block:dmiss -p value:l2miss matrix.slt
done
of() # of DATABASE PROFILE FUNCTION: value and count of what the function did
{
    sql "$1" "SELECT value, count FROM entry JOIN place ON address = pc WHERE profile = $2
        AND function = '$3' ORDER BY count DESC, value LIMIT 3"
}
is 'strides of rows' "$(of rocket.db 2 rows | head -n 1)" '4|65535'
is 'strides of columns' "$(of rocket.db 2 columns | head -n 2)" '1024|65280
-261116|255'
is 'addresses of rows: each once' "$(sql rocket.db "SELECT count(*), min(count), max(count),
    max(value) - min(value) FROM entry JOIN place ON address = pc WHERE profile = 0 AND
    function = 'rows' GROUP BY pc ORDER BY 1 DESC LIMIT 1")" '65536|1|1|262140'
is 'lines of rows: 16 numbers in each' "$(sql rocket.db "SELECT count(*), min(count), max(count) FROM
    entry JOIN place ON address = pc WHERE profile = 1 AND function = 'rows' AND count > 1")" '4096|16|16'
is 'misses of rows: one a line, the first of which has no stride' "$(of rocket.db 6 rows | head -n 1)" \
    '4|4095'
is 'misses of columns: every one' "$(of rocket.db 6 columns | head -n 2)" '1024|65280
-261116|255'
is 'misses of lines of columns: 16 each' "$(sql rocket.db "SELECT count(*), min(count), max(count) FROM
    entry JOIN place ON address = pc WHERE profile = 5 AND function = 'columns' AND count > 1")" \
    '4096|16|16'

for machine in rocket ss4; do
    sum() { sql $machine.db "SELECT sum(count) FROM entry WHERE profile = $1"; }
    is "$machine: every load has an address" "$(sum 0)" "$(sum 7)"
    is "$machine: and a line" "$(sum 1)" "$(sum 7)"
    is "$machine: and a stride, but for the first of each instruction" $(($(sum 2) +
        $(sql $machine.db 'SELECT count(DISTINCT pc) FROM entry WHERE profile = 7'))) "$(sum 7)"
    is "$machine: misses of values are those of addresses" "$(sum 3)" "$(sum 4)"
    is "$machine: and of lines" "$(sum 5)" "$(sum 4)"
    ok "$machine: loads miss no more than all" [ "$(sum 3)" -le "$(sum 8)" ]
    is "$machine: what misses is a load" "$(sql $machine.db "SELECT count(*) FROM
        (SELECT pc, value, count FROM entry WHERE profile = 3) AS m LEFT JOIN
        (SELECT pc, value, count FROM entry WHERE profile = 7) AS l USING (pc, value)
        WHERE l.count IS NULL")" 0
    is "$machine: nothing that did not miss is listed" \
        "$(sql $machine.db 'SELECT count(*) FROM entry WHERE profile BETWEEN 3 AND 6 AND count = 0')" 0
done
ok 'ss4: fewer miss in L2 than in L1' [ "$(sum 9)" -lt "$(sum 3)" ]

is 'JSON: a stride is a number, with its sign' "$("$sluice" report -n 9 -f json rocket.db |
    jq -c '[.profiles[2].entries[] | select(.symbol | startswith("columns")) | .stride]')" '[1024,-261116]'
like 'text: with its sign' "$("$sluice" report rocket.db)" '*columns+*+1024*'
"$sluice" replay -m rocket -p value:cycles matrix.slt 2>err
is 'a metric that is no access: status 2' $? 2
like 'a metric that is no access: it says which are' "$(cat err)" '*value:dmiss for those that miss*'
"$sluice" replay -p load:dmiss matrix.slt 2>err
like 'misses without a machine' "$(cat err)" 'sluice: --machine: load(line=1):dmiss: dmiss are a machine*'
"$sluice" record -p value -o values.slt -- ./matrix
"$sluice" replay -p load values.slt 2>err
like 'a trace without addresses' "$(cat err)" '*load needs the addresses of loads*'
finish
