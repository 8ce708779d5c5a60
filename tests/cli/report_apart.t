#!/bin/sh
# SPDX-License-Identifier: MIT
# A machine-readable report never mixes with the program's output; --report writes it to a file,
# completely or not at all; --start-at counts from the first call of a function.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3 jq

cat >speaks.c <<'END'
#include <stdio.h>
#include <stdlib.h>
unsigned sum;
__attribute__((noinline)) void before(void) { for (unsigned i = 0; i < 1000; i++) sum += i * i ^ sum; }
__attribute__((noinline)) void work(void) { for (unsigned i = 0; i < 1000; i++) sum ^= i + sum * 3; }
__attribute__((noinline)) void never(void) { sum++; }
int main(int argc, char **argv)
{
    puts("to output");
    fputs("to error\n", stderr);
    before();
    work();
    before();
    if (argc > 5)
        never();
    return argc > 1 ? atoi(argv[1]) : 0;
}
END
build speaks gcc -O1 -g speaks.c

fails() # fails NAME STATUS LIKE COMMAND...
{
    local name=$1 status=$2 like=$3
    shift 3
    rm -f ran
    "$@" >out 2>err </dev/null
    is "$name: status" $? "$status"
    like "$name: what is reported" "$(cat err)" "sluice: $like"
    ok "$name: nothing ran" [ ! -e ran ]
}

# ---- apart ------------------------------------------------------------------------

for format in json folded speedscope callgrind flat; do
    "$sluice" run -f $format -o a.db ./speaks 3 >out 2>err
    is "$format: the status is the program's" $? 3
    is "$format: its output is not in the report" "$(grep -c 'to output' out)" 0
    is "$format: but with its errors" "$(sort err)" 'to error
to output'
    "$sluice" report -f $format a.db >wanted
    same "$format: and the report is that of the database" out wanted
done
"$sluice" run --json -o a.db ./speaks >out 2>err
is '--json is JSON' "$(jq -r .program.path out)" ./speaks
"$sluice" run -o a.db ./speaks >out 2>err
is 'without a format the output stays where it is' "$(cat out)" 'to output'
"$sluice" run -q -f json -o a.db ./speaks >out 2>err
is 'and with -q, as there is no report' "$(cat out)" 'to output'
"$sluice" run -f folded -o a.db sh -c 'echo from a shell' 2>err >out
is 'programs that it starts are apart, too' "$(cat err)" 'from a shell'

# ---- into a file -------------------------------------------------------------------

"$sluice" run -f folded --report r.txt -o a.db ./speaks >out 2>err
is '--report leaves output alone' "$(cat out)" 'to output'
is 'and errors' "$(cat err)" 'to error'
"$sluice" report -f folded a.db >wanted
same 'and has the report' r.txt wanted
"$sluice" run -q --report r.txt -o a.db ./speaks >out 2>err
like 'it may be text, and quiet' "$(cat r.txt)" '*self%*function*'
"$sluice" record -q -o a.slt ./speaks >out 2>err
"$sluice" replay -f folded --report again.txt -p context -o b.db a.slt >out 2>err
is 'replay does so, too' "$(cat out err)" ''
"$sluice" report -f folded b.db >wanted
same 'with the same report' again.txt wanted
echo kept >kept
fails 'a report over its database' 2 '*would overwrite its database*' "$sluice" run --report a.db -o a.db sh -c 'touch ran'
fails 'a directory that is not there' 125 'cannot write */r.txt: *' \
    "$sluice" run --report nowhere/r.txt -o a.db sh -c 'touch ran'
fails 'a format that is none' 2 '*unknown report format*' \
    "$sluice" run --report kept -f yaml -o a.db sh -c 'touch ran'
is 'an old file is as it was' "$(cat kept)" kept
fails 'two files' 2 '--report b: given twice*' "$sluice" run --report a --report b sh -c 'touch ran'

# ---- from a function on ---------------------------------------------------------------

"$sluice" run -q -p function -o all.db ./speaks >out 2>err
"$sluice" run -q --start-at main -p function -p 'context(nested=1)' -o main.db ./speaks >out 2>err
self() # self DATABASE FUNCTION
{
    sql "$1" "SELECT sum(count) FROM entry, location WHERE profile = 0 AND pc = address AND function = '$2'"
}
for function in main before work; do
    is "$function: all of it, from main on" "$(self main.db $function)" "$(self all.db $function)"
done
is 'nothing of the loader' "$(sql main.db "SELECT count(*) FROM entry, location WHERE profile = 0 AND
    pc = address AND function = '_dl_start'")" 0
is 'the database says so' "$(sql main.db 'SELECT start_at FROM program')" main
like 'and the report' "$("$sluice" report main.db)" '*filter: from the first call of main*'
like 'stacks are whole' "$("$sluice" report -f folded main.db)" '*_start*;main;work *'
"$sluice" run -q --start-at work -p function -o work.db ./speaks >out 2>err
is 'from work on, only what is called later' "$(self work.db before)" $(($(self all.db before) / 2))
is 'and work itself' "$(self work.db work)" "$(self all.db work)"
"$sluice" replay -q --start-at work -p function -o kept.db a.slt
is 'the same from a trace' "$(self kept.db before) $(self kept.db work)" \
    "$(self work.db before) $(self work.db work)"
"$sluice" run -q --start-at never -p function -o none.db ./speaks >out 2>err
like 'a function that is not called' "$("$sluice" report none.db)" '*nothing was counted: the function never was never called*'
"$sluice" run -q --start-at absent -p function -o none.db ./speaks >out 2>err
like 'one that is not there' "$("$sluice" report none.db)" '*nothing was counted: the program has no symbol of the function absent*'
fails 'marks and a start' 2 '--start-at: *markers*main*' "$sluice" run --start-at main --marked sh -c 'touch ran'
fails 'two starts' 2 '--start-at b: given twice*' "$sluice" run --start-at a --start-at b sh -c 'touch ran'
"$sluice" merge -o m.db main.db all.db >out 2>err
is 'runs with different starts are not merged' "$?" 2
finish
