#!/bin/sh
# SPDX-License-Identifier: MIT
# Loop profiles: a program whose backward branches can be counted by hand, and properties that hold
# for every program.
. "$(dirname "$0")/../lib.sh"
need gcc jq sqlite3

bare='-g -O1 -nostdlib -static -ffreestanding -fno-builtin -fno-stack-protector -fno-pic -no-pie'
build loops gcc $bare -I "$programs" "$programs/loops.c"

of() # of FUNCTION DATABASE PROFILE: its loops' counts, outer ones first, "-" for none
{
    sql "$2" "SELECT coalesce(group_concat(count, ' '), '-') FROM (SELECT count FROM entry
        JOIN location ON address = pc WHERE profile = $3 AND value != 0 AND function = '$1'
        ORDER BY value - pc DESC)"
}
outside() # outside FUNCTION DATABASE PROFILE
{
    sql "$2" "SELECT count FROM entry JOIN location ON address = pc
        WHERE profile = $3 AND value = 0 AND function = '$1'"
}

profile a.db -p loop -p loop:count -p 'loop(entries=1):count' -p 'loop(inclusive=1)' \
    -p 'loop(span=100):count' -- ./loops
is 'it ends well' "$? $(cat err)" '0 '

# nested is called by itself once, and four times by calls.
is 'nested: iterations' "$(of nested a.db 1)" '45 300'
is 'nested: entries' "$(of nested a.db 2)" '5 50'
is 'nested: what is executed in the innermost loop' \
    "$(of nested a.db 0), $(outside nested a.db 0)" "$((5 * 45)) $((5 * 120)), $((5 * 7))"
is 'nested, inclusive: the outer loop has the inner, the function both' \
    "$(of nested a.db 3), $(outside nested a.db 3)" "$((5 * 9 * 17)) $((5 * 120)), $((5 * 172))"
is 'an early way out: iterations and entries' "$(of early a.db 1), $(of early a.db 2)" '29, 1'
is 'a jump into the middle' "$(of middle a.db 1), $(of middle a.db 2)" '4, 1'
is 'two ways back: the outer and the inner of two loops' "$(of twice a.db 1), $(of twice a.db 2)" \
    '5 6, 1 6'
is 'recursion: each activation has its own' "$(of deep a.db 1), $(of deep a.db 2)" '26, 13'
is 'a call does not leave a loop' "$(of calls a.db 1), $(of calls a.db 2)" '3, 1'
is 'what is called counts for the loop only if that is requested' \
    "$(of calls a.db 0), $(of calls a.db 3)" "9, $((3 * 175))"
is 'a loop over 200 bytes' "$(of far_back a.db 1)" 7
is 'is none with a span of 100' "$(of far_back a.db 4) $(of early a.db 4)" '- 29'
is 'all adds up to the instructions executed' \
    "$(sql a.db 'SELECT sum(count) FROM entry WHERE profile = 0')" \
    "$(sql a.db 'SELECT instructions FROM program')"

# ---- any program: perl, with libraries, recursion and signals --------------------------------

profile b.db -m tiger -p loop:cycles -p 'loop(inclusive=1):cycles' -p function:cycles \
    -p 'function(inclusive=1):cycles' -p loop:energy -- perl -e '
    $SIG{ALRM} = sub { $n++ }; for (1 .. 3) { kill ALRM => $$; $s += $_ ** 2 for 1 .. 50 }
    sub walk { my $n = shift; return $n < 2 ? 1 : walk($n - 1) + walk($n - 2) } walk(8)'
is 'perl: all adds up to the cycles' "$(sql b.db 'SELECT sum(count) FROM entry WHERE profile = 0')" \
    "$(sql b.db "SELECT count FROM machine_event WHERE name = 'cycles'")"
is 'perl: and to the energy' "$(sql b.db 'SELECT sum(count) FROM entry WHERE profile = 4')" \
    "$(sql b.db "SELECT count FROM machine_event WHERE name = 'energy'")"
sql b.db 'SELECT pc, count FROM entry WHERE profile = 1 AND value = 0 ORDER BY pc' >got
sql b.db 'SELECT pc, count FROM entry WHERE profile = 3 ORDER BY pc' >wanted
same 'perl, inclusive: a function is function(inclusive=1)' got wanted
is 'perl, inclusive: no loop costs more than its function' "$(sql b.db 'SELECT count(*)
    FROM entry l JOIN location ON address = l.pc JOIN entry f ON f.profile = 1 AND f.value = 0
    AND f.pc = function_start WHERE l.profile = 1 AND l.value != 0 AND l.count > f.count')" 0

# ---- a program whose code all has symbols -----------------------------------------------------

build callers gcc -g -O1 -static "$programs/callers.c"
profile s.db -p loop -p function -- ./callers
by_function() # by_function PROFILE
{
    sql s.db "SELECT function_start, sum(count) FROM entry JOIN location ON address = pc
        WHERE profile = $1 GROUP BY 1 ORDER BY 1"
}
by_function 0 >got
by_function 1 >wanted
same 'the loops of a function, and what is in none, are the function' got wanted
ok 'and some have loops' [ "$(sql s.db 'SELECT count(*) FROM entry WHERE profile = 0 AND value')" -gt 5 ]

# ---- what is shown -----------------------------------------------------------------------------

"$sluice" report -f loops a.db >out
like 'the view has cost, entries, iterations, their ratio' "$(grep ' nested+0x5' out)" \
    '* 225 * 5 * 45 * 9.0 *'
like 'and says what is in no loop' "$(tail -n 1 out)" 'of * instructions, * are in no loop*'
like 'in text, a loop is a span of addresses' "$("$sluice" report -n 3 a.db)" '*nested+0x*..+0x*'
is 'in JSON it has its branch, and none where it is no loop' "$("$sluice" report --json a.db |
    jq -c '[.profiles[0].entries[] | select(.function == "early") | .branch | type] | sort')" \
    '["null","string"]'
"$sluice" run -m tiger -f loops -o c.db ./loops >out 2>err
is 'the view brings its profiles along' "$(sql c.db 'SELECT group_concat(given_spec) FROM profile')" \
    'loop:cycles,loop:count,loop(entries=1):count'
"$sluice" report -f loops b.db >out 2>err
is 'without counts it has costs' "$? $(grep -c iterations out)" '0 0'
"$sluice" run -q -p 'function(inclusive=1)+loop' -o e.db ./loops >out 2>err
"$sluice" report -f loops e.db >out 2>err
like 'loops next to something inclusive are there' "$? $(cat err)$(grep -c ' nested+0x' out)" '0 [1-9]*'
is 'what was requested is in the database, detector by detector' "$(sql e.db "SELECT
    group_concat(component || '.' || name || '=' || value, ' ') FROM (SELECT * FROM option
    WHERE name IN ('entries', 'inclusive', 'span') ORDER BY profile, component, name)")" \
    'function.inclusive=1 loop.entries=0 loop.inclusive=0 loop.span=65536'
"$sluice" run -q -p loop@leap -o d.db ./loops >out 2>err
like 'leap cannot keep loops' "$? $(cat err)" '2 *leap*function@leap*'

finish
