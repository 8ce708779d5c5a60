#!/bin/sh
# The lab loses nothing: by a run on fewer programs, of another size, beside another run, or
# that is ended or fails.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3
lab=$T/lab

query() # SQL
{
    sqlite3 -readonly "$lab/lab.db" "$1"
}

wpp() # ARG...: the smallest experiment, tiny, on two programs unless told
{
    [ "$1" ] || set -- --program gzip --program bzip2
    "$sluice" lab --tiny -o "$lab" "$@" wpp >out 2>err
}

wpp
is 'two programs: status 0' $? 0
both=$(query "SELECT group_concat(id) FROM step")
cp "$lab/wpp.md" page.md

# ---- fewer programs ------------------------------------------------------------------------

wpp --program gzip
is 'one of two programs: status 0' $? 0
is "one of two programs: the other's figures stay" "$(query 'SELECT group_concat(id) FROM step')" "$both"
same 'one of two programs: the page has both' "$lab/wpp.md" page.md
sqlite3 "$lab/lab.db" "INSERT INTO step(experiment, name, program) VALUES
    ('wpp', 'gzip as it was', 'gzip'), ('wpp', 'bzip2 as it was', 'bzip2')"
wpp --program gzip
is 'what is not planned any more is forgotten of the programs that were asked for' \
    "$(query "SELECT name FROM step WHERE name LIKE '% as it was'")" 'bzip2 as it was'

# A lab in which bzip2 is not installed.
mkdir data && cp -r "$BUILD/data/." data/
sed -i '/^there,2/i\
there,2) case $2 in bzip2) echo gone; exit 1 ;; esac; "$1" "$2" ;;' data/lab/programs.sh
SLUICE_DATA=$T/data wpp --program gzip --program bzip2
is 'a program that is gone is named' "$(grep '^left out' out)" 'left out: bzip2: gone'
is 'a program that is gone keeps its figures' "$(query "SELECT count(*) FROM step
    WHERE program = 'bzip2' AND experiment = 'wpp' AND what IS NOT NULL")" 1
is 'and its version' "$(query "SELECT version <> '', absent FROM program WHERE name = 'bzip2'")" '1|'
wpp
is 'and is not measured again when it is back' \
    "$(query "SELECT group_concat(id) FROM step WHERE what IS NOT NULL")" "$both"

# ---- another size -----------------------------------------------------------------------------

"$sluice" lab --quick -o "$lab" --program gzip wpp >out 2>err
is 'another size in the same directory: status 2' $? 2
is 'another size in the same directory: a sentence' "$(cat err)" \
    "sluice: $lab has tiny results; quick ones need a directory of their own (-o)"
is 'another size in the same directory: nothing is lost' \
    "$(query 'SELECT group_concat(id) FROM step')" "$both"

# ---- nothing to write ----------------------------------------------------------------------------

"$sluice" lab --tiny --write -o "$T/nowhere" wpp >out 2>err
is '--write where nothing is: status 125' $? 125
ok '--write where nothing is: nothing is made' [ ! -e "$T/nowhere" ]
sqlite3 "$lab/lab.db" "UPDATE program SET version = 'of then' WHERE name = 'gzip'"
wpp --write --program gzip
ok '--write has the version that was measured' grep -q 'of then' "$lab/wpp.md"
finish
