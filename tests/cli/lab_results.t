#!/bin/sh
# SPDX-License-Identifier: MIT
# The lab keeps existing results when it runs on fewer programs or another size, in parallel with
# another lab, or is interrupted or fails.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3
lab=$T/lab

query() # SQL
{
    sqlite3 -readonly "$lab/lab.db" "$1"
}

wpp() # ARG...: the smallest experiment, tiny, on two programs unless given
{
    [ "$1" ] || set -- --program gzip --program bzip2
    "$sluice" lab --tiny -o "$lab" "$@" wpp >out 2>err
}

wpp --program gzip
is 'one program: status 0' $? 0
cp "$lab/wpp.md" one.md
wpp
is 'two programs: status 0' $? 0
steps="SELECT group_concat(id) FROM (SELECT id FROM step WHERE cache_key IS NOT NULL ORDER BY id)"
both=$(query "$steps")
cp "$lab/wpp.md" page.md

# ---- fewer programs ------------------------------------------------------------------------

wpp --program gzip
is 'one of two programs: status 0' $? 0
is "one of two programs: the other's figures stay" "$(query "$steps")" "$both"
same 'one of two programs: the page has both' "$lab/wpp.md" page.md
sqlite3 "$lab/lab.db" "INSERT INTO step(experiment, name, program) VALUES
    ('wpp', 'gzip as it was', 'gzip'), ('wpp', 'bzip2 as it was', 'bzip2')"
wpp --program gzip
is 'what is not planned any more is forgotten of the programs that were requested' \
    "$(query "SELECT name FROM step WHERE name LIKE '% as it was'")" 'bzip2 as it was'

# A lab in which bzip2 is not installed.
mkdir data && cp -r "$BUILD/data/." data/
sed -i '/^there,2/i\
there,2) case $2 in bzip2) echo gone; exit 1 ;; esac; "$1" "$2" ;;' data/lab/programs.sh
SLUICE_DATA=$T/data wpp --program gzip --program bzip2
is 'a program that is gone is named' "$(grep '^left out' out)" 'left out: bzip2: gone'
is 'a program that is gone keeps its figures' "$(query "SELECT count(*) FROM step
    WHERE program = 'bzip2' AND experiment = 'wpp' AND cache_key IS NOT NULL")" 1
is 'and its version' "$(query "SELECT version <> '', exclusion_reason FROM program WHERE name = 'bzip2'")" '1|'
wpp
is 'and is not measured again when it is back' \
    "$(query "$steps")" "$both"

# ---- another size -----------------------------------------------------------------------------

"$sluice" lab --quick -o "$lab" --program gzip wpp >out 2>err
is 'another size in the same directory: status 2' $? 2
is 'another size in the same directory: a message' "$(cat err)" \
    "sluice: $lab has results for input size tiny: use another directory (-o) for input size quick"
is 'another size in the same directory: nothing is lost' \
    "$(query "$steps")" "$both"

# ---- nothing to write ----------------------------------------------------------------------------

"$sluice" lab --tiny --write -o "$T/nowhere" wpp >out 2>err
is '--write where nothing is: status 125' $? 125
ok '--write where nothing is: nothing is made' [ ! -e "$T/nowhere" ]
sqlite3 "$lab/lab.db" "UPDATE program SET version = 'of then' WHERE name = 'gzip'"
wpp --write --program gzip
ok '--write has the version that was measured' grep -q 'of then' "$lab/wpp.md"

# ---- a page that fails -----------------------------------------------------------------------------

cp "$lab/wpp.md" page.md
claims=$(query "SELECT * FROM claim")
ls "$lab" >files
cat >data/lab/wpp.md <<'END'
```claim
what: a claim
published: yes
ours: no
rule: they are the same
verdict: does not
```

```table x
a
<
```
END
printf '\n-- @x\nSELECT 1 UNION ALL SELECT abs(-9223372036854775808);\n' >data/lab/wpp.sql
SLUICE_DATA=$T/data wpp --write --program gzip
is 'a query that fails on its way: status 125' $? 125
like 'a query that fails on its way: where' "$(cat err)" 'sluice: wpp.md, line 9: query x of wpp.sql: integer overflow'
same 'a query that fails on its way: the page is as it was' "$lab/wpp.md" page.md
is 'a query that fails on its way: so are the claims' "$(query "SELECT * FROM claim")" "$claims"
ls "$lab" >left
same 'a query that fails on its way: and all files' left files

cat >data/lab/wpp.md <<'END'
```table x
a | b | c | d | e
< | > | 2 | 1% | 0
```

{{numbers "; " <a:1> and <b>}}, {{numbers.b:2%}}, {{numbers:0}}, {{none:2}}, {{none "" <a>}}

```plot y It's "so", `true`
plot data using 1:2
```
END
cat >data/lab/wpp.sql <<'END'

-- @x
SELECT 'x' || char(10) || 'y', 'u|v', 1234567.891, 0.1234, NULL;

-- @numbers
SELECT 1 AS a, 'one' AS b UNION ALL SELECT -1234.56, 0.5;

-- @none
SELECT 1 AS a WHERE 0;

-- @y
SELECT 1 AS "x", 2 AS "y";
END
SLUICE_DATA=$T/data wpp --write --program gzip
is 'a title with quotes: status 0' "$?, $(cat err)" '0, '
is 'a cell stays one, with what would end it; numbers have their formats' \
    "$(sed -n 2,3p "$lab/wpp.md")" '| --- | ---: | ---: | ---: | ---: |
| x y | u\|v | 1,234,567.89 | 12.3 % | – |'
is 'so they have in words' "$(sed -n 5p "$lab/wpp.md")" '1.0 and one; -1,234.6 and 0.5, one, 1, –, '
is 'and the file of the table has them as they are' "$(sed -n '1p;$p' "$lab/wpp-x.csv")" 'a,b,c,d,e
y",u|v,1234567.891,0.1234,'
if command -v gnuplot >/dev/null; then
    ok 'a title with quotes is in the picture' grep -q 'It.*s .*so.*, `true`' "$lab/wpp-y.svg"
fi

# ---- verdicts -------------------------------------------------------------------------------------

claim() # WHAT FIGURE HALF LIMITS [KIND]
{
    printf '```claim\nwhat: %s\n%spublished: p\nours: o\ncheck: %s %s\n```\n\n' "$1" "$5" "$1" "$4" >>data/lab/wpp.md
    printf '\n-- @%s\nSELECT %s, %s;\n' "$1" "$2" "$3" >>data/lab/wpp.sql
}
printf '```claims\n```\n\n' >data/lab/wpp.md
: >data/lab/wpp.sql
claim inside 0.5 0.1 '0.4..0.6 1%'
claim reaches_out 0.5 0.11 '0.4..0.6 1%'
claim too_high 0.61 0.1 '0.4..0.6 1%'
claim too_low 0.39 0.1 '0.4..0.6 1%'
claim limit -7 1 '..-6 0'
claim beyond_limit -5.9 1 '..-6 0'
claim at_least 1.25 0 '1.25.. 2'
claim without_interval 3 NULL '2.5..3 1'
claim nothing NULL NULL '0..1 0'
claim sure 1 0 '0..1 0' 'kind: identity
'
claim new 1 0 '2..3 0' 'kind: ours
'
SLUICE_DATA=$T/data wpp --write --program gzip
is 'claims that are checked: status 0' "$?, $(cat err)" '0, '
is 'a figure holds with all of its interval, partly alone, and on both sides' \
    "$(query "SELECT group_concat(what || ' ' || verdict, ', ') FROM claim WHERE experiment = 'wpp'")" \
    "inside holds, reaches_out partly, too_high does not, too_low does not, limit holds, \
beyond_limit does not, at_least holds, without_interval holds, nothing –, sure holds, new does not"
is 'the rule is in the same row as the verdict' "$(grep '^| inside' "$lab/wpp.md")" \
    '| inside | p | o | holds | from 40.0 % to 60.0 % for the whole 95 % interval; the claim holds partly if only the mean is in this range |'
is 'what is not counted is apart' "$(query "SELECT kind, count(*) FROM claim WHERE experiment = 'wpp'
    GROUP BY kind" | tr '\n' ' ')" 'claim|9 identity|1 ours|1 '
is 'and the overview counts the others' "$(grep -o 'figure [0-9]* hold, [0-9]* hold partly, [0-9]* do not' \
    "$lab/README.md")" 'figure 4 hold, 1 hold partly, 3 do not'

# ---- two at once, and one that is ended ------------------------------------------------------------

cp "$BUILD/data/lab/wpp.md" "$BUILD/data/lab/wpp.sql" data/lab/
cat >data/lab/programs.sh <<END
case \$1 in
run)
    echo \$\$ >>"$T/runs"
    [ -z "\$HANG" ] || { shift 2; exec "\$@" sleep 1000; } ;;
esac
exec sh "$BUILD/data/lab/programs.sh" "\$@"
END
export SLUICE_DATA="$T/data"
rm -r "$lab" # programs see the name of the directory: it has to be the same
HANG=1 "$sluice" lab --tiny -o "$lab" --program gzip wpp >out 2>err &
begun() { test -e "$(echo "$lab"/lab.db.jobs/here-*/0/scratch-0/gzip.slt)"; }
until_true begun
kill $!
wait $! 2>/dev/null
is 'a lab that is ended' $? 143
gone() { ! kill -0 "$(cat runs)" 2>/dev/null; }
ok 'a lab that is ended: so is what it has started' until_true gone
ok 'a lab that is ended: no half of a recording' [ ! -e "$lab/traces/gzip.slt" ]
rm runs
"$sluice" lab --tiny -o "$lab" --program gzip wpp >out2 2>err2 &
"$sluice" lab --tiny -o "$lab" --program gzip wpp >out 2>err
is 'two labs at once: status 0' $? 0
wait $!
is 'two labs at once: status 0 of the other' $? 0
is 'two labs at once: one of them records' "$(wc -l <runs)" 1
is "what the ended one has left is gone" "$(ls -d "$lab"/lab.db.jobs/* 2>/dev/null)" ""
is 'no recording is left in another place' "$(find "$lab" -name '*.slt')" "$lab/traces/gzip.slt"
same 'and the page is as it should be' "$lab/wpp.md" one.md
# Databases of others.
mkdir other
"$sluice" replay -q -p value -o other/lab.db 'synth:zipf(events=100)'
cp other/lab.db before.db
"$sluice" lab --tiny -q -o other wpp >out 2>err
is 'a database of something else: status 2' "$? $(grep -c "is not a result file of 'sluice sweep' or 'sluice lab'" err)" '2 1'
same 'and it is left alone' other/lab.db before.db

# ---- what an optimizer made --------------------------------------------------------------------

script=$root/data/lab/optimizer.sh
try() # DIRECTORY SPEC...
{
    mkdir "$1" && cd "$1" && shift && SIZE=tiny sh "$script" try mips "$sluice" "$T/sources" "$@" >reported.out 2>reported.err
    local status=$?
    cd "$T"
    return $status
}
if [ ! -x /usr/lib/llvm-19/bin/llvm-bolt ]; then
    skip 'what an optimizer made is kept' 'BOLT is not installed'
else
    try first path@exact
    is 'an optimized program: status 0' $? 0
    ok 'its figures are there' grep -q '^path@exact	taken' first/reported.out
    try second path@exact
    same 'requested again, the figures are the same' second/reported.out first/reported.out
    same 'with the same binary' second/binary1/program first/binary1/program
    is 'and nothing is made for them' "$(ls second | grep -e '\.log$' -e '\.slt$')" ''
    (cd second && sh "$script" run mips binary1)
    is 'it can be run' $? 0
    try third edge@exact
    is 'of another profile it is made' "$(grep -c '^path@exact' third/reported.out) $(ls third | grep -c '\.slt$')" '0 1'
fi
finish
