#!/bin/sh
# SPDX-License-Identifier: MIT
# However the program or sluice ends, the profile of the executed part is saved, and the other
# process survives or ends as documented.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3 setsid script
build endings gcc -O1 -static -w "$programs/endings.c"

wait_for() { until_true test -e "$1"; } # wait_for FILE
# The caller of these tests may ignore signals, which sluice and the program would inherit.
as_usual='env --default-signal=HUP,INT,QUIT,PIPE,USR1,TERM'

# The program dies by a signal: the status is 128 + n, and nothing that ran before is lost.
for pair in 'KILL 9' 'TERM 15' 'ABRT 6' 'SEGV 11' 'USR1 10'; do
    set -- $pair
    rm -f a.db
    quietly "$sluice" run -q -p function:count -p value -o a.db ./endings signal "$2"
    is "killed by SIG$1: status $((128 + $2))" $? $((128 + $2))
    is "killed by SIG$1: its work is in the profile" "$(count_of work a.db)" 1000
    is "killed by SIG$1: the signal is in the database" "$(sql a.db 'SELECT wait_status & 127 FROM program')" "$2"
done
mkdir cores
(cd cores && ulimit -c unlimited 2>/dev/null; SLUICE_TAP=auto "$sluice" run -q -o a.db ../endings signal 6) >out 2>&1
is 'with core files, QEMU prints nothing on the standard error of the program' "$(grep -c '^qemu' out)" 0
rm -r cores
if [ -x "$BUILD/engine/qemu-x86_64" ]; then
    is 'the engine has no message about signals' "$(grep -c 'uncaught target signal' "$BUILD/engine/qemu-x86_64")" 0
else
    skip 'the engine has no message about signals' 'the engine is not built (make engine)'
fi
quietly "$sluice" run -q -p function:count -o a.db ./endings fault
is 'a fault: status 139' $? 139
is 'a fault: its work is in the profile' "$(count_of work a.db)" 1000
like 'a fault: the report shows the signal' "$("$sluice" report a.db)" '*SIGSEGV*'
is 'a fault: the JSON report shows the signal' "$("$sluice" report --json a.db | jq .program.signal)" 11

# Ctrl-C sends SIGINT to sluice and the program.
setsid $as_usual "$sluice" run -q -p function:count -o int.db ./endings wait ready &
pid=$!
wait_for ready
kill -INT -$pid
wait $pid
is 'interrupted, both: status 130' $? 130
is 'interrupted, both: the profile is saved' "$(count_of work int.db)" 1000
rm -f ready
# With a terminal, the program's own handler runs once.
(wait_for ready; printf '\003'; wait_for pty.db) |
    script -qec "$as_usual \"$sluice\" run -q -p function:count -o pty.db ./endings count ready" /dev/null >typed 2>&1
like 'Ctrl-C at a terminal: the program receives it once' "$(cat typed)" '*interrupts 1*'
is 'Ctrl-C at a terminal, handled: the program ends by itself' \
    "$(sql pty.db 'SELECT wait_status FROM program')" 0
rm -f ready pty.db
(wait_for ready; printf '\003'; wait_for pty.db) |
    script -qec "$as_usual \"$sluice\" run -p function:count -o pty.db ./endings wait ready" /dev/null >typed 2>&1
is 'Ctrl-C at a terminal, not handled: the profile is saved' "$(count_of work pty.db)" 1000
like 'Ctrl-C at a terminal, not handled: the profile is reported' "$(cat typed)" '*Functions by count*work*'

# Signals to sluice alone are forwarded to the program.
rm -f ready
$as_usual "$sluice" run -q -p function:count -o term.db ./endings catch ready >out &
pid=$!
wait_for ready
kill -HUP $pid
until_true grep -q 'caught 01' out # of several pending signals, the last is delivered first
kill -USR1 $pid
until_true grep -q 'caught 10' out
kill -TERM $pid
wait $pid
is 'SIGTERM to sluice: the program handles it and ends' $? 5
is 'SIGHUP, SIGUSR1, SIGTERM to sluice: each reaches the program, in order' \
    "$(tr '\n' ' ' <out)" 'caught 01 caught 10 caught 15 '
is 'SIGTERM to sluice: the profile is saved' "$(count_of work term.db)" 1000
rm -f ready
$as_usual "$sluice" record -q -p function:count -o term.slt ./endings wait ready &
pid=$!
wait_for ready
kill -TERM $pid
wait $pid 2>/dev/null
is 'SIGTERM to record: status 143' $? 143
"$sluice" replay -q -p function:count -o term.db term.slt
is 'SIGTERM to record: the trace is complete' "$(count_of work term.db)" 1000

# sluice is killed: the program runs to its end.
sh -c '"$0" run -q -o gone.db ./endings write lines & echo $! >pid; wait' "$sluice" 2>/dev/null &
until_true test -s lines
kill -9 "$(cat pid)"
until_true grep -q done lines
is 'sluice killed: the program writes all its output' "$(wc -l <lines)" 301
ok 'sluice killed: there is no partial database' [ ! -e gone.db ]

# Killed while the program is busy: the ring is full of events that no process reads.
sh -c '"$0" run -q -o gone.db ./endings busy over & echo $! >pid; wait' "$sluice" 2>/dev/null &
wait_for over.begun
sleep 0.3 # and for some time
kill -9 "$(cat pid)"
ok 'sluice killed while the program is busy: the program ends' wait_for over
finish
