#!/bin/sh
# A program that writes over the ring: sluice ends with a sentence, and with what it had; it never
# waits for ever. And whoever tells sluice twice to end is listened to.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3
build wild gcc -O1 -static -I"$root/src/stream" -I"$root/include" "$programs/wild.c"
build endings gcc -O1 -static -w "$programs/endings.c"
taps=plugin
[ ! -x "$BUILD/engine/qemu-x86_64" ] || taps='plugin engine'

overwritten() # overwritten TAP FIELD
{
    rm -f a.db
    SLUICE_TAP=$1 timeout -k 1 60 "$sluice" run -q -p edge -o a.db ./wild "$2" 2>err
}
for tap in $taps; do
    overwritten $tap nothing
    is "$tap: a program that leaves the ring alone ends" $? 0
    for field in published consumed read terms gone wait; do
        overwritten $tap $field
        is "$tap, $field: sluice ends, and has failed" $? 125
        like "$tap, $field: it says why" "$(cat err)" \
            "sluice: the program*written over sluice's memory: its profile cannot be trusted"
        ok "$tap, $field: what came before is saved" \
            [ "$(sql a.db 'SELECT blocks FROM program')" -gt 0 ]
    done
done

# ---- told twice to end, by a program that will not
until_there() # until_there FILE
{
    i=0
    while [ ! -e "$1" ] && [ $i -lt 400 ]; do
        sleep 0.05
        i=$((i + 1))
    done
}
twice() # twice SIGNAL COMMAND...: its status
{
    number=$1
    shift
    rm -f ready
    env --default-signal=INT "$@" ./endings deaf ready 2>err &
    pid=$!
    until_there ready
    kill "-$number" $pid
    sleep 0.6
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
        twice "$1" timeout --foreground 60 "$sluice" run -q -p function:count -o deaf.db
        is "$tap: sluice run, two SIG$1 and a deaf program: status $2" $? "$2"
        is "$tap: one SIG$1 is for the program alone" $kept 0
        is "$tap: the profile is there" "$(count_of work deaf.db)" 1000
        like "$tap: and says that it is not all" "$("$sluice" report deaf.db)" '*told twice to end*'
    done
    twice TERM timeout --foreground 60 "$sluice" record -q -p function:count -o deaf.slt
    is "$tap: sluice record, two SIGTERM and a deaf program: status 143" $? 143
    "$sluice" replay -q -p function:count -o deaf.db deaf.slt
    is "$tap: the trace is whole" "$(count_of work deaf.db)" 1000
done
finish
