#!/bin/sh
# SPDX-License-Identifier: MIT
# The lab (sluice-lab): every experiment in its smallest size, the files it writes, resuming after
# an interruption, and its messages when a tool or an input is missing.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3
lab=$T/lab

query() # SQL
{
    sqlite3 -readonly "$lab/lab.db" "$1"
}

# ---- the list of experiments ----------------------------------------------------------------------

"$sluice" lab >out 2>err
is 'no experiment: status 0' $? 0
is 'no experiment: nothing on standard error' "$(cat err)" ''
is 'no experiment: those that there are' \
    "$(sed -n '/^experiments$/,/^$/s/^  \([a-z-]*\) .*/\1/p' out)" \
    "$("$sluice" list experiments | sed 's/ .*//')"
ok 'no experiment: programs, too' grep -q '^  gzip ' out
ok 'no experiment: nothing is written' [ ! -e sluice-lab ]
"$sluice" lab nothing >out 2>err
is 'an unknown experiment: status 2' $? 2
is 'an unknown experiment: a message' "$(cat err)" \
    "sluice: unknown experiment 'nothing': 'sluice lab' lists all experiments"
"$sluice" lab --program nothing all >out 2>err
is 'an unknown program: status 2' $? 2
like 'an unknown program: a message' "$(cat err)" \
    'sluice: unknown program ?nothing?:*'
echo 'not a database' >"$T/file"
"$sluice" lab -o "$T/file" all >out 2>err
is 'a directory that is a file: status 125' $? 125
like 'a directory that is a file: a message' "$(cat err)" 'sluice: *file*'

# ---- all of them ---------------------------------------------------------------------------

programs='--program gzip --program sqlite --program spmv --program vvadd --program mix.mipsel
    --program gzip.long'
# shellcheck disable=SC2086
"$sluice" lab --tiny -o "$lab" $programs all >out 2>err
is 'all experiments, tiny: status 0' $? 0
is 'all experiments, tiny: nothing on standard error' "$(cat err)" ''
for name in $("$sluice" list experiments | sed 's/ .*//') README; do
    ok "$name: a page" [ -s "$lab/$name.md" ]
    ok "$name: it is named" grep -qxF "$lab/$name.md" out
    is "$name: nothing of a template is left in the page" \
        "$(grep -n '{{\|}}\|^```\(sql\|table\|data\|plot\|claims\{0,1\}\)' "$lab/$name.md")" ''
    [ "$name" != README ] || continue
    ok "$name: data" ls "$lab/$name"-*.csv
    is "$name: sqlite3 runs its queries by itself" \
        "$(sqlite3 -bail -readonly "$lab/lab.db" <"$BUILD/data/lab/$name.sql" 2>&1 >rows)" ''
    ok "$name: and gets rows" [ -s rows ]
    is "$name: there are figures" \
        "$(query "SELECT count(*) > 0 FROM step JOIN measurement ON id = step WHERE experiment = '$name'")" 1
    is "$name: no step was left out" \
        "$(query "SELECT count(*) FROM step WHERE experiment = '$name' AND seconds IS NULL")" 0
    ok "$name: README.md has its claims" grep -qF "| [$name]($name.md)" "$lab/README.md"
    ok "$name: there is a claim" [ "$(query "SELECT count(*) FROM claim WHERE experiment = '$name'")" -gt 0 ]
    for file in $(sed -n 's/.*](\([a-z0-9-]*\.\(svg\|csv\|md\)\)).*/\1/p' "$lab/$name.md"); do
        [ -s "$lab/$file" ] || missing="$missing $file"
    done
    is "$name: all files that its page has links to are there" "$missing" ''
    missing=
done
if command -v gnuplot >/dev/null; then
    ok 'plots are there as svg' ls "$lab"/*.svg
    is 'and each as png, too' "$(ls "$lab" | grep -c 'svg$')" "$(ls "$lab" | grep -c 'png$')"
    is 'no picture says where it was made' "$(grep -l "$T" "$lab"/*.svg)" ''
fi
is 'a program that is not there is named, or all are there' \
    "$(sed -n 's/^left out: \([a-z0-9.]*\): .*/\1/p' out | sort)" \
    "$(query 'SELECT name FROM program WHERE exclusion_reason IS NOT NULL ORDER BY name')"

is 'every claim has a rule next to its verdict' \
    "$(query "SELECT what FROM claim WHERE coalesce(rule, '') = '' OR verdict NOT IN
        ('holds', 'partly', 'does not', '–')")" ''
commit=$(cat "$BUILD/study/experiments/commit")
ok 'README.md says with which commit all was measured' grep -qF "sluice's commit $commit, in" "$lab/README.md"
is 'every step has it' "$(query "SELECT count(*) FROM step WHERE sluice_version IS NOT '$commit'")" 0
is 'windows: claims of other pages are not counted again' \
    "$(query "SELECT count(*), min(kind), max(kind) FROM claim WHERE experiment = 'windows'")" '7|window|window'
ok 'windows: what is left out at the start is not in the recording' [ "$(query "SELECT max(value) < 510000
    FROM step JOIN measurement ON id = step WHERE experiment = 'windows' AND label = '' AND measure = 'instructions'")" \
    = 1 ]
is 'optimizer: times are stored for each run, or there is no BOLT' \
    "$(query "SELECT count(*) IN (0, 8) FROM step JOIN measurement ON id = step WHERE experiment = 'optimizer'
        AND measure = 'seconds'")" 1
counted=$(query "SELECT 'Of ' || count(*) || ' claims with a published figure ' || sum(verdict = 'holds') || ' hold, ' ||
    sum(verdict = 'partly') || ' hold partly, ' || sum(verdict = 'does not') || ' do not' FROM claim
    WHERE kind = 'claim'")
ok 'what cannot fail and what has no published figure are not in the count' \
    grep -qF "$counted" "$lab/README.md"
for kind in identity ours; do
    ok "and there are such: $kind" [ "$(query "SELECT count(*) FROM claim WHERE kind = '$kind'")" -gt 2 ]
done
is 'interval: figure 7 has every program with the parts of its error, which make it up' \
    "$(sed 1d "$lab/interval-single-parts-table.csv" | awk -F, '$3 != "" {
        n++; off += ($3 - $4 - $5 - $6 - $7) ^ 2 > 1e-9 }
        END { print n, off + 0 }')" "8 0"
is 'paths: how long the profiler worked is known' \
    "$(query "SELECT count(*) FROM step JOIN measurement ON id = step WHERE experiment = 'paths'
        AND measure = 'profiler' AND x = 'busy_cycles' AND value > 0")" 4

is 'paths: every number of entries with every number of ways' \
    "$(query "SELECT count(DISTINCT label) FROM step JOIN measurement ON id = step
        WHERE experiment = 'paths' AND name LIKE '% factorial' AND measure = 'overlap'")" 36
is 'paths: accesses that share a cycle cost no more than those that do not' \
    "$(query "SELECT min(c.value <= a.value) FROM measurement a JOIN step s ON s.id = a.step,
        measurement c JOIN step t ON t.id = c.step WHERE a.label = 'analytical' AND c.label = 'cycle-level'
        AND a.measure = 'weight' AND c.measure = 'weight' AND s.program = t.program")" 1

# Plackett and Burman's design: as many runs at the high as at the low value of each factor,
# and any two factors have all four combinations equally often.
query "SELECT DISTINCT substr(label, 7) FROM step JOIN measurement ON id = step
    WHERE experiment = 'paths' AND label GLOB 'count [+-]*'" >design
is 'paths: runs of the design' "$(wc -l <design)" 16
is 'paths: no factor of the design is mixed up with another' "$(awk '{
    for (i = 1; i <= 7; i++) {
        a = substr($0, i, 1) == "+" ? 1 : -1
        sum[i] += a
        for (j = 1; j < i; j++) sum[i "," j] += a * (substr($0, j, 1) == "+" ? 1 : -1)
    }
} END { for (i in sum) bad += sum[i] != 0; print bad + 0 }' design)" 0

# Function profiles: what the experiment reports of functions is what a replay says.
reported() # METRIC WAY: "function count", of the functions of vvadd itself
{
    query "SELECT x || ' ' || CAST(value AS INT) FROM step JOIN measurement ON id = step
        WHERE experiment = 'functions' AND name = 'vvadd tiger' AND label = '$1' AND measure = '$2'
        AND x IN ('main', 'add', 'fill', 'check') ORDER BY x"
}
"$sluice" replay -q -m tiger -o a.db -p function:cycles -p 'block:stalls@snoopp(bits=64)' \
    "$lab/traces/vvadd.slt"
for function in add check fill main; do
    functions a.db 0 | grep "^$function "
done >wanted
reported cycles exact >got
ok 'functions: vvadd has some' [ -s got ]
same 'functions: cycles are those of a replay' got wanted
for function in add check fill main; do
    functions a.db 1 | grep "^$function "
done >wanted
reported stalls snoopp >got
same "functions: SnoopP's stalls are those of a replay" got wanted
# Energy is counted in cycles of each group and multiplied afterwards by LEAP, and rounded to
# picojoules for each block by SnoopP.
apart="FROM step JOIN measurement ON id = step WHERE experiment = 'functions' AND measure = 'apart'
    AND program IN ('spmv', 'vvadd', 'mix.mipsel')"
is 'functions: LEAP and SnoopP have the same of every function' \
    "$(query "SELECT count(*) > 0, max(value) $apart AND label <> 'energy'")" '1|0.0'
is 'functions: and energies that are no further apart than rounding puts them, a nanojoule' \
    "$(query "SELECT count(*) > 0, max(value) < 1000 $apart AND label = 'energy'")" '1|1'
is 'functions: what is dropped, charged too much and too little adds up' "$(query "SELECT count(*)
    FROM (SELECT label, sum(value) FILTER (WHERE measure IN ('stubs_more', 'others_more', 'leap_dropped')) -
    sum(value) FILTER (WHERE measure IN ('less', 'snoopp_dropped')) AS gap FROM step JOIN measurement
    ON id = step WHERE experiment = 'functions' GROUP BY id, label)
    WHERE abs(gap) > CASE label WHEN 'energy' THEN 1e-4 ELSE 1e-6 END")" 0

# ---- again ------------------------------------------------------------------------------------

before=$(query 'SELECT group_concat(id), sum(seconds) FROM step')
# shellcheck disable=SC2086
"$sluice" lab --tiny -o "$lab" $programs all >out 2>err
is 'a second run: status 0' $? 0
is 'a second run does nothing that was done' "$(query 'SELECT group_concat(id), sum(seconds) FROM step')" \
    "$before"
figures='SELECT experiment, name, label, measure, x, value FROM step JOIN measurement ON id = step
    WHERE experiment = (SELECT min(experiment) FROM step WHERE experiment <> '"'record'"') ORDER BY 1, 2, 3, 4, 5'
query "$figures" >figures
first=$(query "SELECT min(experiment) FROM step WHERE experiment <> 'record'")
cp "$lab/$first.md" page.md
rm "$lab/$first.md"
# shellcheck disable=SC2086
"$sluice" lab --tiny --again -o "$lab" $programs "$first" >out 2>err
is 'again: status 0' $? 0
ok 'again: other steps' [ "$(query 'SELECT group_concat(id), sum(seconds) FROM step')" != "$before" ]
query "$figures" >again
same 'again: the same figures' again figures
same 'again: the same page' "$lab/$first.md" page.md
# shellcheck disable=SC2086
rm "$lab/$first.md"; "$sluice" lab --tiny --write -o "$lab" $programs "$first" >out 2>err
same '--write: the same page' "$lab/$first.md" page.md

# ---- what goes wrong ------------------------------------------------------------------------------

rm "$lab/traces/gzip.slt"
query "SELECT 'nothing'" >/dev/null
sqlite3 "$lab/lab.db" "DELETE FROM step WHERE program = 'gzip' AND experiment <> 'record'"
# shellcheck disable=SC2086
"$sluice" lab --tiny -o "$lab" $programs "$first" >out 2>err
is 'a recording that is gone is made again: status 0' $? 0
ok 'a recording that is gone is made again' [ -s "$lab/traces/gzip.slt" ]

mkdir data && cp -r "$BUILD/data/." data/
printf '#!/bin/sh\ncase $1 in list) printf "gone\\treal\\tnothing\\n" ;; there) echo "it is gone"; exit 1 ;; esac\n' \
    >data/lab/programs.sh
SLUICE_DATA=$T/data "$sluice" lab --tiny -o "$T/none" "$first" >out 2>err
ok 'a program that is not there is named' grep -qx 'left out: gone: it is gone' out
printf '#!/bin/sh\ncase $1 in list) printf "bad\\treal\\tnothing\\n" ;; run) echo why >&2; exit 3 ;; esac\n' \
    >data/lab/programs.sh
SLUICE_DATA=$T/data "$sluice" lab --tiny -o "$T/bad" wpp >out 2>err
is 'a program that fails: status 125' $? 125
like 'a program that fails: why' "$(cat err)" '*bad*status 3: why*'
ok 'a program that fails: no page' [ ! -e "$T/bad/wpp.md" ]
printf 'a\n\n```table x\n' >data/lab/wpp.md
cp "$BUILD/data/lab/programs.sh" data/lab/
SLUICE_DATA=$T/data "$sluice" lab --tiny -o "$T/page" --program gzip wpp >out 2>err
is 'a page without an end of a block: status 125' $? 125
is 'a page without an end of a block: where' "$(cat err)" \
    'sluice: wpp.md, line 3: block without a closing ```'
written() # WHAT WORDS QUERIES COMPLAINT
{
    printf "$2" >data/lab/wpp.md
    printf "$3" >data/lab/wpp.sql
    SLUICE_DATA=$T/data "$sluice" lab --tiny -o "$T/page" --program gzip wpp >out 2>err
    is "$1: status 125" $? 125
    is "$1: where" "$(cat err)" "sluice: $4"
}
written 'a page with a wrong query' 'a\n{{q}}\n' '\n-- @q\nSELECT one FROM nowhere;\n' \
    'wpp.md, line 1: query q of wpp.sql: no such table: nowhere'
written 'a page that needs a missing query' 'a\n\n```table r\na\n<\n```\n' \
    '\n-- @q\nSELECT 1;\n' "wpp.md, line 3: wpp.sql has no query 'r'"
written 'a page that needs a missing column' '{{q.two}}\n' '\n-- @q\nSELECT 1 AS one;\n' \
    "wpp.md, line 1: query q has no column 'two'"
written 'a query that no page uses' 'a\n' '\n-- @q\nSELECT 1;\n' \
    'wpp.sql: the page does not use the query q'
written 'views that cannot be made' 'a\n' 'CREATE VIEW v\n' 'wpp.sql: incomplete input'
finish
