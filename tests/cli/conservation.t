#!/bin/sh
# SPDX-License-Identifier: MIT
# Quantities that can be counted in several ways have the same value in each, on programs of every
# kind.
. "$(dirname "$0")/../lib.sh"
need gcc g++ sqlite3

# check WHAT PROGRAM...
check()
{
    local what=$1
    shift
    profile a.db -p function -p block:instructions -p block -p edge -p call -p function:count \
        -p 'function(tail=0)' -p edge:instructions -p call:instructions -p value -p type -- "$@"
    is "$what: the run succeeds" $? 0
    total() { sql a.db "SELECT coalesce(sum(count), 0) FROM entry WHERE profile = $1"; }
    all=$(sql a.db 'SELECT instructions FROM program')
    is "$what: the instructions of functions add up to all instructions" "$(total 0)" "$all"
    is "$what: the instructions of blocks add up to all instructions" "$(total 1)" "$all"
    is "$what: without tail calls, the instructions of functions add up to all instructions" "$(total 6)" "$all"
    is "$what: the block counts add up to all blocks" "$(total 2)" "$(sql a.db 'SELECT blocks FROM program')"
    is "$what: the value counts add up to all loads" "$(total 9)" "$(sql a.db 'SELECT loads FROM program')"
    # After the last event some instructions may be left.
    ok "$what: edges have no more instructions than the run" [ "$(total 7)" -le "$all" ]
    ok "$what: calls have no more instructions than the run" [ "$(total 8)" -le "$all" ]
    is "$what: no profile dropped events" "$(sql a.db 'SELECT sum(drops) + sum(weight <> stored_weight) FROM profile')" 0
    is "$what: no tuple is listed twice" "$(sql a.db 'SELECT count(*) FROM
        (SELECT 1 FROM entry GROUP BY profile, pc, value HAVING count(*) > 1)')" 0
    is "$what: the table has as many entries as the profile" \
        "$(sql a.db 'SELECT count(*) FROM profile WHERE "distinct" <>
            (SELECT count(*) FROM entry WHERE profile = profile.id)')" 0

    # Out of blocks: a block that ends in a conditional branch or an indirect jump is left by an
    # edge as often as it is entered. A MIPS block ends after the delay slot of its branch, unless a
    # page ends between them.
    slot=0
    case $what in mips*) slot='CASE WHEN pc & 4095 = 4092 THEN 0 ELSE 4 END' ;; esac
    is "$what: edges out of blocks equal the executions of blocks that end there" "$(sql a.db "
        WITH outgoing AS (SELECT pc + $slot AS last, sum(count) AS n FROM entry WHERE profile = 3 GROUP BY pc),
             ends AS (SELECT value AS last, sum(count) AS n FROM entry WHERE profile = 2 GROUP BY value)
        SELECT count(*) FROM outgoing LEFT JOIN ends USING (last) WHERE ends.n IS NOT outgoing.n")" 0
    # Into blocks: an edge arrives where a block begins.
    is "$what: edges into blocks do not exceed the executions of blocks that begin there" "$(sql a.db '
        WITH incoming AS (SELECT value AS pc, sum(count) AS n FROM entry WHERE profile IN (3, 4) GROUP BY value),
             begins AS (SELECT pc, sum(count) AS n FROM entry WHERE profile = 2 GROUP BY pc)
        SELECT count(*) FROM incoming LEFT JOIN begins USING (pc) WHERE begins.n IS NULL OR incoming.n > begins.n')" 0
    # Every call enters a function at its beginning.
    is "$what: functions are entered at least as often as they are called" "$(sql a.db '
        WITH called AS (SELECT value AS pc, sum(count) AS n FROM entry WHERE profile = 4 GROUP BY value),
             entered AS (SELECT pc, sum(count) AS n FROM entry WHERE profile = 5 GROUP BY pc)
        SELECT count(*) FROM called JOIN entered USING (pc) WHERE called.n > entered.n')" 0
    is "$what: there is one type event per indirect call" "$(total 10)" "$(sql indirect.db 'SELECT events FROM profile')"
}

with_indirect()
{
    local what=$1
    shift
    "$sluice" run -q -p call --only indirect-call -o indirect.db "$@" >/dev/null 2>&1 </dev/null
    check "$what" "$@"
}

build program gcc -O2 -g -static "$programs/numbers.c"
with_indirect 'static' ./program
build program gcc -O0 -g "$programs/numbers.c"
with_indirect 'dynamic' ./program
strip program
with_indirect 'stripped' ./program
build program g++ -O2 -g "$programs/classes.cc"
with_indirect 'C++' ./program
with_indirect 'a shell' sh -c 'for i in 1 2 3 4 5 6 7 8; do echo $((i * i)); done'
with_indirect 'cat' cat "$programs/numbers.c"
while read -r arch compiler; do
    [ "$compiler" = gcc ] && continue
    if ! command -v "$compiler" >/dev/null; then
        skip "$arch" "there is no $compiler"
        continue
    fi
    build program "$compiler" -O2 -g -static "$programs/numbers.c"
    with_indirect "$arch" ./program
done <<END
$(cross_compilers)
END
finish
