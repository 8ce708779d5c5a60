#!/bin/sh
# SPDX-License-Identifier: MIT
# Full or closed standard streams, and limits on file and stack size: sluice prints a message and
# returns the right status; it reports neither false success nor false failure.
. "$(dirname "$0")/../lib.sh"
need gcc
printf 'int main(void) { return 7; }' >small.c
build small gcc -g -static small.c
profile p.db -- ./small

full() # full COMMAND...: fails on a full disk, with a message
{
    "$sluice" "$@" >/dev/full 2>err
    is "sluice $* on a full disk: status" $? 125
    is "sluice $* on a full disk: says why" "$(grep -c '^sluice: .*No space left' err)" 1
}
if [ -c /dev/full ]; then
    full --help
    full --version
    full run --help
    full list
    full list experiments
    full list engines
    full completion bash
    full lab --help
    full report p.db
    full report --json p.db
    full report -f pprof p.db
    full run --json ./small
else
    skip 'a full disk' 'there is no /dev/full'
fi

"$sluice" run -o c.db ./small 2>&-
is "closed standard error: the program's status" $? 7
ok 'and the database is whole' "$sluice" report -o report.txt c.db
"$sluice" run -q -o c.db ./small 2>&- >&- <&-
is "all closed: the program's status" $? 7
ok 'and the database is whole, too' "$sluice" report -o report.txt c.db
"$sluice" report nowhere.db 2>&-
is 'closed standard error: a failure is one' $? 125
"$sluice" report p.db >&- 2>err
is 'closed standard output: the report cannot be written' $? 125
printf '#include <fcntl.h>\nint main(void) { return fcntl(2, F_GETFD) < 0 ? 3 : 4; }' >asks.c
build asks gcc -static asks.c
"$sluice" run -q -o c.db ./asks 2>&-
is 'closed standard error: the program finds it closed' $? 3

# Limits that are meant for the program.
(ulimit -f 1000 && "$sluice" run -q -o l.db ./small) >out 2>err
is 'files may not be large: status' $? 125
like 'files may not be large: says what to do' "$(cat err)" 'sluice: *(RLIMIT_FSIZE)*raise it to*'
"$sluice" record -q -o t.slt ./small 2>err
(ulimit -f 10 && "$sluice" replay -q -o l.db t.slt) >out 2>err
is 'a database larger than files may be: status' $? 125
like 'a database larger than files may be: says why' "$(cat err)" 'sluice: *'
is 'a database larger than files may be: nothing is left' "$(ls | grep -c '^l.db')" 0
stacks='160 64'
grep -q __asan_init "$sluice" && stacks= # sanitizers need more of it before main begins
for stack in $stacks; do
    (ulimit -s $stack && "$sluice" run -o s.db -m tiger --exact -- sh -c 'ulimit -s') >out 2>err
    is "a stack of $stack KB: status" $? 0
    is "a stack of $stack KB: the program has it" "$(cat out)" $stack
    (ulimit -s $stack && "$sluice" report --json s.db) >json 2>err
    is "a stack of $stack KB: a report" $? 0
done
finish
