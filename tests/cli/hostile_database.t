#!/bin/sh
# SPDX-License-Identifier: MIT
# A database from an untrusted source: triggers, views and other active content are refused, and
# the work of a report is bounded by the size of the file.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3 jq zstd od
cat >program.c <<'END'
int main(void)
{
    volatile int sum = 0;
    for (int i = 0; i < 200; i++)
        sum += i % 3;
    return 0;
}
END
build program gcc -g -static program.c
profile p.db -p edge -p function -p 'path(wpp)@wpp' -- ./program
"$sluice" report p.db >wanted 2>&1

# With sanitizers it needs much more memory than it uses.
grep -q __asan_init "$sluice" || kilobytes=400000
bounded() # bounded ARGUMENT...: sluice with so much memory and time; in a shell of its own
{
    ulimit -v "${kilobytes:-unlimited}" && ulimit -t 20 && exec "$sluice" "$@"
}

# refused WHAT PATTERN SQL: with one message, at once, in little memory.
refused()
{
    cp p.db hostile.db
    sqlite3 -cmd ".dbconfig defensive off" hostile.db "$3" >/dev/null
    for format in text json sequence; do
        (bounded report -f $format hostile.db) >out 2>err </dev/null
        is "$1, as $format: status" $? 125
        like "$1, as $format: says why" "$(cat err)" "sluice: *hostile.db *$2*"
        is "$1, as $format: in one line" "$(wc -l <err)" 1
    done
}
forever='WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)'
refused 'a view that never ends' 'object entry of the SQL schema: the object is a view' "DROP TABLE entry;
    CREATE VIEW entry AS $forever
    SELECT 1 AS profile, x AS rank, x AS pc, 0 AS value, 1 AS count, NULL AS low, NULL AS high,
        NULL AS unsent, NULL AS intervals FROM c"
refused 'a view of another program' 'object mine of the SQL schema: the object is a view' "CREATE VIEW mine AS SELECT 1"
refused 'a trigger' 'object mine of the SQL schema: the object is a trigger' "CREATE TRIGGER mine AFTER INSERT ON entry
    BEGIN SELECT 1; END"
refused 'a virtual table' 'object location of the SQL schema: the object is a virtual table' "PRAGMA writable_schema = on;
    UPDATE sqlite_schema SET rootpage = 0 WHERE name = 'location'"
refused 'a column that is computed' 'object location of the SQL schema: the table differs from the table that sluice creates' "ALTER TABLE location
    ADD COLUMN more TEXT AS (hex(zeroblob(100000000)))"
refused 'a table without its key' 'object location of the SQL schema: the table differs from the table that sluice creates' "DROP TABLE location;
    CREATE TABLE location (address INTEGER, function TEXT, function_start INTEGER, object INTEGER,
        object_address INTEGER, file TEXT, line INTEGER)"

# Tables and indices that a user adds.
cp p.db mine.db
sqlite3 mine.db "CREATE TABLE mine (x); INSERT INTO mine VALUES (1); CREATE INDEX fast ON entry(pc);
    ANALYZE"
ok 'tables and indices that a user added are accepted' "$sluice" report -o got mine.db
same 'and change nothing' got wanted

# 4 MB of zeros for each kilobyte of the database.
head -c 4194304 /dev/zero >zeros
zstd -q -c zeros | od -An -v -tx1 | tr -d ' \n' >part
cp p.db hostile.db
{
    echo "BEGIN; WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 2000)"
    echo "INSERT INTO grammar SELECT (SELECT profile FROM sequence), 1000 + x, x'$(cat part)' FROM c; COMMIT"
} | sqlite3 hostile.db
(bounded report -f sequence hostile.db) >out 2>err
is 'a grammar that grows when it is read: status' $? 125
like 'a grammar that grows when it is read: says why' "$(cat err)" 'sluice: *a grammar is too large*'

# Corrections of energy that no number holds.
"$sluice" run -q -m tiger -p edge -o energy.db ./program >out 2>&1
while read -r factor energy; do
    cp energy.db hostile.db
    sqlite3 hostile.db "UPDATE machine SET energy_factor = $factor"
    is "energy corrected by $factor" "$("$sluice" report --json hostile.db | jq .machine.energy_correction.energy)" "$energy"
    ok "energy corrected by $factor, as text" "$sluice" report -o got hostile.db
done <<END
-1e300 0
1e300 $(echo 9223372036854775807 | jq .)
END

# What SQLite looks for next to a database.
for kind in journal wal; do
    cp p.db near.db
    head -c 4096 /dev/urandom >near.db-$kind
    "$sluice" report near.db >out 2>err
    is "junk in a $kind next to it: status" $? 125
    like "junk in a $kind next to it: is named" "$(cat err)" "sluice: *near.db-$kind exists*"
    is "junk in a $kind next to it: stays" "$(wc -c <near.db-$kind)" 4096
    "$sluice" run -q -o near.db touch ran 2>err
    is "junk in a $kind next to it: nothing is profiled into it" "$? $(grep -c "near.db-$kind exists" err)" '125 1'
    ok "junk in a $kind next to it: before the program runs" [ ! -e ran ]
    : >near.db-$kind
    ok "an empty $kind next to it" "$sluice" report -o got near.db
    rm -f near.db*
done
cp p.db wal.db
printf '\002\002' | dd of=wal.db bs=1 seek=18 conv=notrunc 2>/dev/null
ok 'a database that says it has a log' "$sluice" report -o got wal.db
same 'is read as it is' got wanted
is 'and nothing is left next to it' "$(ls | grep -c '^wal.db')" 1
cp p.db 'a?b%20#c.db'
ok 'a name that would mean something in an address' "$sluice" report -o got 'a?b%20#c.db'
finish
