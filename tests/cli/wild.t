#!/bin/sh
# SPDX-License-Identifier: MIT
# A program that overwrites the ring: sluice ends with a message and saves its counts so far; it
# never hangs. And a second SIGINT or SIGTERM ends sluice at once.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3
build wild gcc -O1 -static -I"$root/src/stream" -I"$root/include" "$programs/wild.c"
build endings gcc -O1 -static -w "$programs/endings.c"
taps=plugin
[ ! -x "$BUILD/engine/qemu-x86_64" ] || taps='plugin engine'

overwritten() # overwritten TAP FIELD
{
    rm -f a.db
    SLUICE_TAP=$1 timeout -k 1 600 "$sluice" run -q -p edge -o a.db ./wild "$2" 2>err
}
for tap in $taps; do
    overwritten $tap nothing
    is "$tap: a program that leaves the ring alone ends" $? 0
    overwritten $tap cut
    is "$tap: the ring cannot be cut" "$? $(cat err)" '0 '
    for field in published consumed read terms gone wait; do
        overwritten $tap $field
        is "$tap, $field: sluice ends, and has failed" $? 125
        like "$tap, $field: it says why" "$(cat err)" \
            "sluice: the program*overwritten sluice's shared memory*unreliable"
        ok "$tap, $field: what came before is saved" \
            [ "$(sql a.db 'SELECT blocks FROM program')" -gt 0 ]
    done
done

# ---- two SIGTERM, for a program that will not
twice() # twice SIGNAL COMMAND...: its status
{
    number=$1
    shift
    rm -f ready ready.reported
    env --default-signal=INT,TERM "$@" ./endings deaf ready 2>err &
    pid=$!
    until_true test -e ready
    kill "-$number" $pid
    until_true test -e ready.reported
    sleep 1.5 # two within 0.3 seconds are one
    kill -0 $pid 2>/dev/null && kept=0 || kept=1
    kill "-$number" $pid
    wait $pid 2>/dev/null
    status=$?
    guest=$(cat ready)
    kill -KILL "$guest"
    return $status
}
for tap in $taps; do
    export SLUICE_TAP=$tap
    for pair in 'INT 130' 'TERM 143'; do
        set -- $pair
        twice "$1" timeout --foreground 600 "$sluice" run -q -p function:count -o deaf.db
        is "$tap: sluice run, two SIG$1 and a deaf program: status $2" $? "$2"
        is "$tap: one SIG$1 is for the program alone" $kept 0
        is "$tap: the profile is there" "$(count_of work deaf.db)" 1000
        like "$tap: and says that it is not all" "$("$sluice" report deaf.db)" '*a second signal ended the profile*'
    done
    twice TERM timeout --foreground 600 "$sluice" record -q -p function:count -o deaf.slt
    is "$tap: sluice record, two SIGTERM and a deaf program: status 143" $? 143
    "$sluice" replay -q -p function:count -o deaf.db deaf.slt
    is "$tap: the trace is whole" "$(count_of work deaf.db)" 1000
done
finish
