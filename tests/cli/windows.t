#!/bin/sh
# SPDX-License-Identifier: MIT
# Dynamic overlap (--window) on a real program: the number of windows, the tables that report it,
# that other results do not change, and its form in report and comparison.
. "$(dirname "$0")/../lib.sh"
need jq sqlite3 bzip2

error() # error DATABASE PROFILE NAME
{
    sql "$1" "SELECT value FROM error WHERE profile = $2 AND name = '$3'"
}
replay() # replay DATABASE [OPTION...]
{
    local database=$1
    shift
    rm -f "$database"
    "$sluice" replay -q --keep all -o "$database" -p 'path@hpt(64x4)' -p edge@multihash -p edge \
        "$@" trace.slt 2>err
}

head -c 3000 "$sluice" >input
"$sluice" record -q -p edge -o trace.slt -- "$(command -v bzip2)" -k input 2>err
is 'bzip2 is recorded' "$? $(cat err)" '0 '

replay whole.db --exact
replay a.db --window 100K
replay b.db --window 100000 --marked
instructions=$(sql a.db 'SELECT instructions FROM program')
windows=$(error a.db 0 windows)
# A window ends with a block, so each is some instructions longer.
ok "of $instructions instructions there are nearly as many windows as can be ($windows)" \
    [ "${windows%.*}" -le $((instructions / 100000)) -a \
    "${windows%.*}" -ge $((instructions / 100100)) ]
ok 'a table that begins empty has space for more of a window than of the run' \
    [ "$(sql a.db 'SELECT (SELECT value FROM error WHERE profile = 0 AND name = "overlap_dynamic") >
        (SELECT value FROM error WHERE profile = 0 AND name = "overlap")')" -eq 1 ]
is 'tables that work by intervals or grow have no windows' \
    "$(sql a.db "SELECT count(*) FROM error WHERE profile > 0 AND name IN
        ('overlap_dynamic', 'coverage_dynamic', 'windows')")" 0
is 'a run of less than one window has the overlap of all of it' \
    "$(error whole.db 0 windows) $(error whole.db 0 overlap_dynamic)" \
    "0.0 $(error whole.db 0 overlap)"
is 'windows in which nothing is counted are in no mean' "$(error b.db 0 windows)" 0.0
for db in a whole; do
    sql $db.db "SELECT * FROM entry" >$db
    sql $db.db "SELECT * FROM error WHERE name NOT LIKE '%dynamic' AND name <> 'windows'" >>$db
done
same 'profiles and all other errors do not depend on windows' a whole
like 'the report has it after the overlap' "$("$sluice" report a.db)" \
    "*, overlap *%, dynamic *% (${windows%.*} windows)*"
"$sluice" report --format json a.db >a.json
"$sluice" compare --window 100K -p 'path@hpt(64x4)' -p edge@multihash --json trace.slt >b.json
is 'compare has the same as the report' \
    "$(jq -c '[.rows[0] | .overlap, .overlap_dynamic, .windows]' b.json)" \
    "$(jq -c '[.profiles[0].error | .overlap, .overlap_dynamic, .windows]' a.json)"
is 'and null for others' "$(jq -c '[.rows[1] | .overlap_dynamic, .windows]' b.json)" '[null,null]'
like 'in columns of their own' "$("$sluice" compare --window 100K -p 'path@hpt(64x4)' trace.slt)" \
    '*overlap *dynamic *'
"$sluice" replay -q --window 0 trace.slt 2>err
is 'no instructions: status 2' $? 2
like 'says what is wrong' "$(cat err)" 'sluice: --window 0: give a number above 0*'
finish
