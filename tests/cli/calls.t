#!/bin/sh
# SPDX-License-Identifier: MIT
# Calling contexts, and the reports derived from them, agree with function profiles of the same
# run: on a program written for this test, on existing programs and on guests of other
# architectures.
. "$(dirname "$0")/../lib.sh"
need gcc jq sqlite3

# The contexts of every function agree with its own profiles. $1: database.
agree() # agree NAME DATABASE
{
    ok "$1: the contexts of a function add up to its profile" same_sums "$2" 0 2
    ok "$1: the entries of a function add up to its profile" same_sums "$2" 1 4
    ok "$1: all contexts are saved" [ "$(sql "$2" "SELECT count(*) FROM profile
        WHERE detector = 'context' AND (stored_entries < \"distinct\" OR stored_weight < weight)")" -eq 0 ]
    sql "$2" "SELECT printf('0x%x', pc) || ' ' || count FROM entry WHERE profile = 3" | sort >wanted
    "$sluice" report --partition --json "$2" >partition.json
    jq -r '.excluded | length' partition.json >left_out
    jq -r '.functions[] | "\(.pc) \(.cost)"' partition.json | sort >got
    ok "$1: inclusive costs equal those of function(inclusive=1)" \
        [ "$(comm -13 wanted got | wc -l) $(comm -23 wanted got | wc -l)" = "0 $(cat left_out)" ]
    # In the flat view, the running sum of the last row is the total.
    is "$1: the flat view has all instructions" \
        "$("$sluice" report -f flat -n 1000000 "$2" | awk '/^ +[0-9.]+%/ { last = $2 } END { print last }')" \
        100.00%
}
same_sums() # same_sums DATABASE PROFILE OTHER
{
    sql "$1" "SELECT pc, sum(count) FROM entry WHERE profile = $2 AND count GROUP BY pc ORDER BY pc" >one
    sql "$1" "SELECT pc, count FROM entry WHERE profile = $3 ORDER BY pc" >other
    [ -s one ] && cmp -s one other
}
contexts='-p context -p context:count -p function -p function(inclusive=1) -p function:count'

build callers gcc -g -O1 -foptimize-sibling-calls -static "$programs/callers.c"
profile a.db $contexts --keep all -- ./callers
agree callers a.db
profile p.db $contexts --keep all -- perl -e '
    sub walk { my $n = shift; return $n < 2 ? 1 : walk($n - 1) + walk($n - 2) } print walk(12), "\n"'
agree perl p.db
profile m.db -m tiger -p context:cycles -p context:energy -- ./callers
is 'cycles and energy of all contexts equal those of the CPU model' "$(sql m.db "SELECT
    group_concat((SELECT sum(count) FROM entry WHERE profile = id)) FROM profile")" \
    "$(sql m.db "SELECT group_concat(count) FROM machine_event WHERE name IN ('cycles', 'energy')")"

# ---- the views ---------------------------------------------------------------------------

"$sluice" report -f callgraph -n 1000 a.db >graph
paragraph() # paragraph FUNCTION: the lines around its own
{
    awk -v RS= -v f="$1" '$0 ~ "\n? +\\[[0-9]+\\] +[0-9.]+% [^\n]* " f " \\["' graph
}
calls() # calls FUNCTION OTHER: the line of the function's paragraph about calls of or by the other
{
    paragraph "$1" | awk -v f="$2" '$(NF - 1) == f && $1 !~ /^\[/ { print $3 }' | head -n 1
}
is 'fib: its callers and their call counts are listed' "$(calls fib main) $(calls fib fib)" '1/465 464/465'
is 'the line of fib has its outer and its recursive calls' "$(paragraph fib | awk '$1 ~ /^\[/ { print $5 }')" '1+464'
is 'even and odd are listed as calling each other' "$(calls even odd) $(calls odd even)" '16/17 15/16'
is 'longjmp leaves all functions that it jumps over' "$(calls hop jump) $(calls hop hop)" '10/80 70/80'
is 'a tail call is charged to the original caller' "$(calls tail main) $(calls tail leaf)" '1/1 '
profile n.db -p 'context(nested=1)' -p 'context(nested=1):count' -- ./callers
"$sluice" report -f callgraph -n 1000 n.db >graph
is 'nested=1: a tail call is charged to the function that jumps' "$(calls tail main) $(calls leaf tail)" '1/1 1/590'
"$sluice" report -f flat -n 1000 a.db >out
like 'the view has calls and averages' "$(grep ' fib ' out)" '*% * 465 * fib *callers.c:*'

"$sluice" report -f folded a.db >out
is 'folded stacks add up to the total' "$(awk '{ n += $NF } END { print n }' out)" \
    "$(sql a.db 'SELECT instructions FROM program')"
ok 'folded stacks have callers' grep -q ';main;fib;fib;leaf [0-9]' out

# ---- one command for each ------------------------------------------------------------------

"$sluice" run -f flat -o f.db ./callers >out 2>err
is 'a format adds the profiles that it needs' "$(sql f.db 'SELECT group_concat(given_spec) FROM profile')" \
    'context(inlined=1),context(inlined=1):count'
"$sluice" run -m tiger -f callgraph -o f.db ./callers >out 2>err
is 'with a CPU model, the format counts cycles' "$(sql f.db 'SELECT group_concat(given_spec) FROM profile')" \
    'context(inlined=1):cycles,context(inlined=1):count'
"$sluice" run -m tiger --partition=4 -o f.db ./callers >out 2>err
is 'the partition format adds the profiles that it needs' "$(sql f.db 'SELECT group_concat(given_spec) FROM profile')" \
    context:cycles,context:energy
ok 'the partition format lists functions' grep -q 'Functions to move to hardware (assumed 4 times as fast)' err
like 'main is not proposed for hardware' "$(sed -n '/^Functions to move/,/^Cumulative/p' err)" '*fib *'
ok 'the caller of main is not proposed for hardware' [ "$(grep -c ' main \| _start' err)" -eq 0 ]
"$sluice" run -q -p function -o f.db ./callers >out 2>err
"$sluice" report -f flat f.db >out 2>err
like 'a missing profile is reported' "$? $(cat err)" '2 *profiles context and context:count*'
"$sluice" report --partition=slow f.db >out 2>err
is 'an invalid speedup factor is refused' "$?" 2

finish
