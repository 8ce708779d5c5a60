#!/bin/sh
# SPDX-License-Identifier: MIT
# `sluice sweep`: measures equal those of `compare`, sharding does not change them, and only
# missing points are measured. Pareto fronts, queries, and messages about missing results.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3 jq

# Every result with its key, to the bit.
figures() # figures FILE
{
    sql "$1" "SELECT cache_key, spec, machine_description, measure, printf('%!.20g', value) FROM measurement
        JOIN step ON step.id = measurement.step JOIN point ON point.id = label" | sort
}
grid='value@multihash(tables={1,2},counters={256..1K},interval=1K,threshold=1%)'
streams='synth:zipf(events=30K,seed={1,2,3})'
sweep() # sweep FILE [OPTION...]
{
    local file=$1
    shift
    "$sluice" sweep -q -o "$file" "$@" -p "$grid" -p 'value@R{64,128}' "$streams" >out 2>err
}

sweep a.db -j 1
is 'a sweep: status 0' $? 0
is 'and nothing is reported with -q' "$(cat out err)" ''
is 'every point on every stream is there' "$(sql a.db 'SELECT count(*) FROM result')" 24
"$sluice" compare --json -p 'value@multihash(tables=2,counters=512,interval=1K,threshold=1%)' -p value@R64 \
    'synth:zipf(events=30K,seed=2)' >compare.json
value() # value SPEC MEASURE: on the second stream
{
    sql a.db "SELECT printf('%.6g', value) FROM measurement JOIN point ON point.id = label JOIN step ON step.id = step
        WHERE given_spec = '$1' AND measure = '$2' AND name LIKE '%seed=2)'"
}
json() # json ROW KEY
{
    printf '%.6g' "$(jq ".rows[$1].$2" compare.json)"
}
interval='value@multihash(tables=2,counters=512,interval=1K,threshold=1%)'
is 'the error by interval is that of compare' "$(value "$interval" interval)" "$(json 0 interval_error)"
is 'the storage is' "$(value "$interval" storage)" "$(json 0 storage_bits)"
is 'messages are' "$(value value@R64 messages)" "$(json 1 messages)"
is 'overhead is' "$(value value@R64 overhead)" "$(json 1 overhead)"
is 'the error is' "$(value value@R64 error)" "$(json 1 error)"

figures a.db >a.figures
sweep b.db -j 5 --memory 1
is 'in five threads and tiny shares: status 0' $? 0
figures b.db >b.figures
same 'figures are the same to the bit' b.figures a.figures

# Only what is missing is measured: what is there stays, even if it is wrong.
sqlite3 b.db "UPDATE measurement SET value = 42 WHERE measure = 'overlap';
    DELETE FROM result WHERE step = 2 AND point < 3; DELETE FROM measurement WHERE step = 2 AND CAST(label AS INTEGER) < 3"
sweep b.db
is 'sweeping again: status 0' $? 0
is 'what was missing is there' "$(sql b.db 'SELECT count(*) FROM result')" 24
is 'and nothing else was measured' "$(sql b.db "SELECT count(*) FROM measurement WHERE value = 42 AND measure = 'overlap'")" 22
"$sluice" sweep -q -o b.db -p "$grid" -p 'value@R{64..256}' "$streams"
is 'more points: those are measured, too' "$(sql b.db 'SELECT count(*) FROM result')" 27

# Two at once, and one that is killed.
sweep c.db & first=$!
sweep c.db; second=$?
wait $first
is 'two at once: both end well' "$? $second" '0 0'
figures c.db >c.figures
same 'and the figures are those of one' c.figures a.figures
for delay in 1 2 3; do
    rm -f d.db*
    "$sluice" sweep -q -j 1 -o d.db --memory 1 -p "$grid" -p 'value@R{64,128}' "$streams" 2>/dev/null & victim=$!
    while kill -0 $victim 2>/dev/null &&
        [ "$(sqlite3 d.db 'SELECT count(*) FROM result' 2>/dev/null || echo 0)" -lt $((delay * 5)) ]; do :; done
    kill -9 $victim 2>/dev/null
    wait $victim 2>/dev/null
    sweep d.db
    figures d.db >d.figures
    same "killed after some of it, it goes on where it was ($delay)" d.figures a.figures
done

# ---- reports ------------------------------------------------------------------

"$sluice" sweep report a.db >text 2>err
is 'a report: status 0' $? 0
like 'the first line describes the sweep' "$(head -n 1 text)" '8 points on 3 streams; Pareto front of storage and error'
"$sluice" sweep report --all --by storage,overlap a.db >text
is 'with --all every point has a row' "$(grep -c 'value@' text)" 8
"$sluice" sweep report -f json a.db >report.json
is 'json: points' "$(jq '.points | length' report.json)" 8
# The front by its definition.
jq -r '.points[] | [.x, .mean, .front] | @tsv' report.json | awk '
    { x[NR] = $1; y[NR] = $2; front[NR] = $3 }
    END { for (i = 1; i <= NR; i++) { on = "true"
        for (k = 1; k <= NR; k++)
            if (x[k] <= x[i] && y[k] <= y[i] && (x[k] < x[i] || y[k] < y[i])) on = "false"
        if (on != front[i]) bad++ }
        print bad + 0 }' >bad
is 'json: the front is what no other is better than' "$(cat bad)" 0
is 'json: the mean is that of the streams' \
    "$(jq '[.points[] | (.y | add / length) - .mean | fabs | select(. > 0.00001)] | length' report.json)" 0
is 'json: the worst is the largest' "$(jq '[.points[] | select((.y | max) != .worst)] | length' report.json)" 0
"$sluice" sweep report --by storage,interval --under 2K a.db >text
like 'the best under a limit, on the mean' "$(cat text)" '*smallest error by interval with storage up to 2.0 KB, on the mean:*value@multihash(*'
like 'and on the worst' "$(tr -s ' \n' ' ' <text)" '*2.0 KB, on the worst stream:*value@multihash(* on synth:zipf(*'
"$sluice" sweep report --under 1 a.db >text
like 'a limit that none keeps' "$(cat text)" '*no point is that small*'
"$sluice" sweep report -f csv a.db >report.csv
is 'csv: a line for each result' "$(wc -l <report.csv)" 25
like 'csv: measures are columns' "$(head -n 1 report.csv)" 'stream,machine,given_spec,*"storage"*'
"$sluice" sweep report -f svg a.db >report.svg
is 'svg: a dot and a ring for each point' "$(grep -c '<circle' report.svg)" 16
like 'svg: it ends' "$(tail -n 1 report.svg)" '</svg>'
"$sluice" sweep report -f xml a.db 2>err
is 'another format: status 2' $? 2
like 'and a message' "$(cat err)" 'sluice: --format: unknown format: use text, csv, json or svg'
"$sluice" sweep report --by storage,nonsense a.db 2>err
is 'a measure that there is not: status 2' $? 2
like 'and a message' "$(cat err)" "sluice: --by: no result has the measure 'nonsense'*"

# ---- holes --------------------------------------------------------------------

cp a.db holes.db
sqlite3 holes.db 'DELETE FROM result WHERE step = 1 AND point = 1'
"$sluice" sweep report holes.db >out 2>err
is 'with a hole there are no averages: status 2' $? 2
like 'the hole is reported' "$(cat out)" '*zipf*: 1 results are missing: not run yet*'
like 'and why there are none' "$(cat err)" 'sluice: --holes: 1 of 24 results are missing*'
"$sluice" sweep report --holes holes.db >out 2>err
is 'with --holes there are: status 0' $? 0
like 'and the hole is reported' "$(cat out)" '*1 results are missing*'
"$sluice" sweep report -f svg holes.db >out 2>err
is 'no picture of averages with holes either' "$? $(wc -c <out)" '2 0'
is 'json has the hole and no averages' \
    "$("$sluice" sweep report -f json holes.db | jq -c '[.missing[0].results, (.points | map(.mean) | unique)]')" '[1,[null]]'

# ---- streams ------------------------------------------------------------------

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
"$sluice" record -p edge -o edges.slt ./loop
"$sluice" sweep -q -o e.db -p value@R64 edges.slt 'synth:zipf(events=10K)' 2>err
is 'a stream without values: status 125' $? 125
like 'results are missing' "$(cat err)" 'sluice: 1 of 2 results*are missing*'
like 'the report says why' "$("$sluice" sweep report --holes e.db)" '*edges.slt: 1 results are missing: value needs load values*'
"$sluice" sweep -o e2.db edges.slt >out
like 'without -p: a hundred tables, of edges where there are no values' "$(cat out)" \
    '112 points on 1 stream*all: edge@multihash*'
"$sluice" sweep -q -o p.db -p 'value@multihash(counters={1K,2K},interval=1K)' "./loop 'a  b' c" ./loop >out 2>err
is 'programs are run: status 0' "$? $(cat err)" '0 '
is 'with their arguments' "$(sql p.db "SELECT count(DISTINCT value) FROM measurement WHERE measure = 'instructions'")" 2
is 'and kept next to the file' "$(ls p.db.d | wc -l)" 2
before=$(ls -l --time-style=full-iso p.db.d)
"$sluice" sweep -q -o p.db -p 'value@multihash(counters={1K..4K},interval=1K)' "./loop 'a  b' c" ./loop
is 'so that they are not run again' "$(ls -l --time-style=full-iso p.db.d)" "$before"
"$sluice" record -m ss4 -o loop.slt ./loop
"$sluice" sweep -q -o m.db -m 'ss4,l2.size={256K..1M}' loop.slt
is 'machines are grids, too' "$(sql m.db 'SELECT group_concat(machine, " ") FROM point')" \
    'ss4,l2.size=256K ss4,l2.size=512K ss4,l2.size=1M'
"$sluice" sweep report --all --by l2.size,cycles m.db >out
like 'and their keys measures' "$(cat out)" '*ss4,l2.size=512K*524,288*'
printf '# comment\nprofile value@R{64,128}\n\nstream synth:zipf(events=1K)\n stream  synth:uniform(events=1K) \n' >grid.txt
"$sluice" sweep -q -o g.db --grid grid.txt
is 'all of it from a file' "$(sql g.db 'SELECT count(*) FROM result')" 4
printf 'stream %s/loop\nprofile value@R64\n' "$PWD" >program.txt
"$sluice" sweep -q -o gp.db --grid program.txt synth:zipf 2>err
is 'a grid file runs no program: status 2' "$? $(ls gp.db* 2>/dev/null)" '2 '
like 'the message names the program' "$(cat err)" "sluice: --allow-run: program.txt would run the program '$PWD/loop': *"
printf 'stream /usr/bin/touch touched\n' >touch.txt
"$sluice" sweep -q -o gp.db -p value@R64 --grid touch.txt 2>err
is 'not even one that is found in a directory of the system' "$? $(ls touched gp.db* 2>/dev/null)" '2 '
"$sluice" sweep -q -o gp.db --allow-run --grid program.txt 2>err
is 'with --allow-run, the programs of a grid file are run' "$? $(sql gp.db 'SELECT count(*) FROM result')" '0 1'
printf 'profil value\n' >wrong.txt
"$sluice" sweep -q -o g.db --grid wrong.txt 2>err
is 'a line that is none: status 2' $? 2
like 'and a message' "$(cat err)" 'sluice: wrong.txt, line 1: expected*'

# ---- refusals -----------------------------------------------------------------

"$sluice" sweep -o r.db -p 'value@R{64' synth:zipf 2>err
is 'a brace without an end: status 2' $? 2
like 'and where it is' "$(cat err)" 'sluice: closing brace not found*(character 8 of *'
"$sluice" sweep -o r.db -p 'value@multihash(tables={1,3})' synth:zipf 2>err
is 'a point that cannot be: status 2' $? 2
like 'and which' "$(cat err)" 'sluice: value@multihash(tables=3): *power of two*'
"$sluice" sweep -o r.db missing.slt 2>err
is 'a trace that is not there: status 125' $? 125
"$sluice" sweep -o r.db ./missing 2>err
is 'a program that is not there: status 125' $? 125
: >plain
"$sluice" sweep -o r.db ./plain 2>err
is 'a program that cannot be executed: status 125' $? 125
mkfifo pipe pipe.slt
for arguments in 'report pipe' '-o pipe synth:zipf' 'pipe' 'pipe.slt'; do
    timeout 20 "$sluice" sweep -q $arguments >out 2>err
    status=$?
    ok "sweep $arguments does not wait for the pipe" [ $status = 125 -o $status = 2 ]
done
rm -f sweep.db*
"$sluice" sweep 2>err
is 'no stream: status 2' $? 2
is 'none of these has made a file' "$(ls r.db* 2>/dev/null)" ''
echo text >text.db
cp text.db before
"$sluice" sweep -q -o text.db synth:zipf 2>err
is 'a file of another program: status 2' $? 2
same 'it is left alone' text.db before
printf x >one.db
"$sluice" sweep -q -o one.db synth:zipf 2>err
is 'a file of one byte is one, too: status 2' "$? $(cat one.db)" '2 x'
"$sluice" run -q -p edge -o run.db ./loop
"$sluice" sweep -q -o run.db synth:zipf 2>err
is 'a database of a run: status 2' $? 2
"$sluice" sweep report run.db 2>err
is 'nor is it reported: status 125' $? 125
for change in 'CREATE VIEW v AS SELECT 1' 'CREATE TRIGGER t AFTER DELETE ON result BEGIN SELECT 1; END' \
    'DROP TABLE measurement; CREATE TABLE measurement (stream, point, measure, value AS (1))' \
    'PRAGMA user_version = 99' 'PRAGMA application_id = 1' 'DROP TABLE requested'; do
    cp a.db changed.db
    sqlite3 changed.db "$change"
    "$sluice" sweep report changed.db >out 2>err
    is "after $change: status 125" $? 125
done
for value in 9e999 -9e999 1e308 -1e308 5e-324 1e16; do
    cp a.db changed.db
    sqlite3 changed.db "UPDATE measurement SET value = $value + 4 * (label = '2') WHERE measure IN ('storage', 'error')
        AND CAST(label AS INTEGER) < 5"
    for format in text json svg csv; do
        timeout 60 "$sluice" sweep report --all --under 1K -f $format changed.db >out 2>err
        ok "figures of $value do not confuse $format" [ $? -le 2 -a "$(wc -c <out)" -lt 100000 ]
    done
done

# Numbers of the file are no indices, and no sizes.
for id in -1 9223372036854775807 -9223372036854775808 4294967296; do
    rm -f ids.db
    "$sluice" sweep -q -o ids.db -p 'value@R{64,128}' 'synth:zipf(events=1K)'
    sqlite3 ids.db "DELETE FROM result; DELETE FROM measurement; UPDATE point SET id = $id WHERE id = 1"
    "$sluice" sweep -q -o ids.db -p 'value@R{64,128}' 'synth:zipf(events=1K)' 2>err
    is "a point whose number is $id is measured as any" "$? $(sql ids.db "SELECT count(*) FROM result WHERE point = $id")" '0 1'
done
sqlite3 ids.db "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
    INSERT INTO point SELECT i, 'value@R' || i, '', '', '' FROM n;
    INSERT INTO requested SELECT 1, id FROM point WHERE id BETWEEN 10 AND 3000; INSERT INTO failure SELECT 1, id, 'why ' || id FROM point WHERE id BETWEEN 10 AND 3000"
"$sluice" sweep report ids.db >out 2>err
is 'thousands of reasons are a thousand lines' "$? $(grep -c '[:,] why' out) $(grep -c 'different reasons' out)" '0 999 1'

# Files with more of a sweep.
"$sluice" sweep -q -o g2.db --grid . synth:zipf 2>err
is 'a directory is no file with more' "$? $(grep -c 'cannot read' err)" '125 1'
timeout 60 "$sluice" sweep -q -o g2.db --grid /dev/zero synth:zipf 2>err
is 'nor is a line without end' "$? $(grep -c 'line too long' err)" '2 1'
{ printf 'profile '; head -c 60000 /dev/zero | tr '\0' x; echo '{1..1000000+1}'; } >long.txt
# (Sanitizers take more addresses than any such limit leaves.)
([ "$sanitized" ] || ulimit -v 2000000; "$sluice" sweep -q -o g2.db --grid long.txt synth:zipf 2>err)
is 'texts of a grid are no longer than can be kept' "$? $(grep -c 'MiB of text' err)" '2 1'
"$sluice" sweep -q -o g2.db -p 'value@R{1..2000+1}' -m 'rocket,l1d.size={1..1000+1}' synth:zipf 2>err
is 'nor are points more than a million' "$? $(grep -c '2000 profiles with 1000 CPU models' err)" '2 1'

cp a.db killed.db
{ printf J; head -c 5000 /dev/urandom; } >killed.db-journal # SQLite ignores a journal that begins with 0
"$sluice" sweep report killed.db >out 2>err
is 'a journal next to it is named' "$? $(grep -c 'killed.db-journal exists' err)" '125 1'
finish
