#!/bin/sh
# SPDX-License-Identifier: MIT
# SIGKILL and signal tests: kills sluice or the program at random moments.
#
# Covers run, with and without a live stream, record, replay, sweep and simpoint, with both taps:
# TORTURE runs (660), from number SEED on. After each: nothing hangs, no process and no file is
# left, the status is correct, a database is the old one or a complete new one, a sweep resumes to
# the result it would have had, and slices are complete or absent. (`top` needs a terminal: top.t.)
#
# The number of a run determines the victim, the signal, the command and the moment, so that a
# failed one can be repeated with SEED=NUMBER TORTURE=1.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3 setsid
build steady gcc -O1 -static "$programs/steady.c"
kills=${TORTURE:-660}
seed=${SEED:-1}
taps=plugin
[ ! -x "$BUILD/engine/qemu-x86_64" ] || taps='engine plugin'
LIMIT=${LIMIT:-60} # seconds until something hangs

"$sluice" record -q -p edge -p value -o whole.slt -- ./steady 20 >/dev/null
"$sluice" replay -q -p edge -o old.db whole.slt
old=$(cksum <old.db)
grid='{edge,value}@multihash(counters={64..256},interval={1K..4K})'
sweep() { "$sluice" sweep -q -p "$grid" -o "$1" "$2"; } # sweep FILE TRACE
figures() { "$sluice" sweep report -f csv "$1" | sed 's/^"[^"]*"//' | cksum; }
sweep whole.sweep whole.slt >/dev/null
whole=$(figures whole.sweep)
"$sluice" record -q -m rocket -p edge -o cut.slt -- ./steady 2 >/dev/null

# A number below $1, the next of those that belong to this kill.
below()
{
    state=$(((state * 1103515245 + 12345) % 2147483648))
    drawn=$(((state / 65536) % $1))
}

# Processes of this kill, the ended ones that have no waiting parent left out.
left_over()
{
    ps -eo pid=,stat=,args= | awk -v here="$T/yard" '$2 !~ /^Z/ && (index($0, here "/steady") || index($0, here "/a.sweep"))' |
        cut -c 1-120
}

wait_until_gone() # released processes end by themselves, soon
{
    i=0
    while [ -n "$(left_over)" ] && [ $i -lt 400 ]; do
        sleep 0.05
        i=$((i + 1))
    done
}

wrong() # wrong MESSAGE
{
    bad=$((bad + 1))
    echo "# kill $number: $command, $tap, $side killed by $signal after ${moment} ms: $1"
}

# The status of a command whose guest, or itself, died by $signal.
expected()
{
    case $signal in
    TERM) echo 143 ;;
    INT) echo 130 ;;
    HUP) echo 129 ;;
    KILL) echo 137 ;;
    esac
}

check()
{
    case $status in
    124 | 125 | 126 | 127) wrong "status $status: $(head -n 1 err)" ;;
    0 | 7) ended=$((ended + 1)) ;; # it had ended before
    "$(expected)") died=$((died + 1)) ;;
    *) wrong "status $status, not $(expected): $(head -n 1 err)" ;;
    esac
    wait_until_gone
    [ -z "$(left_over)" ] || wrong "left over: $(left_over)"
    # A process killed while it wrote to a sweep leaves SQLite's journal, which the next process needs.
    files=$(ls -A . | grep -vxE 'steady|a\.db|a\.slt|a\.sweep|a\.sweep-journal|a\.slices|a\.live|out|err' | tr '\n' ' ')
    [ -z "$files" ] || { wrong "files left over: $files"; rm -rf $files; }
    if [ $command = sweep ]; then
        sweep "$T/yard/a.sweep" ../whole.slt >said 2>&1 || wrong "a sweep cannot be resumed: $(head -n 1 said)"
        [ "$(figures a.sweep)" = "$whole" ] || wrong 'a resumed sweep has other results'
        files=$(ls -A . | grep 'a\.sweep.' | tr '\n' ' ')
        [ -z "$files" ] || wrong "files left over: $files"
        rm -f a.sweep a.sweep-journal
    elif [ $command = simpoint ]; then
        "$sluice" replay -m rocket a.slices >said 2>&1 || grep -q "without slices\|cannot open" said ||
            wrong "slices that are neither complete nor absent: $(head -n 1 said)"
        rm -rf a.slices
    elif [ $command != record ]; then
        if [ ! -e a.db ]; then
            wrong 'the database is gone'
        elif [ "$(cksum <a.db)" = "$old" ]; then
            kept=$((kept + 1))
        elif [ "$(sqlite3 -readonly a.db 'PRAGMA integrity_check' 2>&1)" = ok ] &&
            "$sluice" report a.db >report 2>&1; then
            fresh=$((fresh + 1))
        else
            wrong "a broken database: $(head -n 1 report 2>/dev/null)"
        fi
        rm -f report
    elif [ -s a.slt ] && ! "$sluice" replay -q -p edge -o trace.db a.slt 2>said; then
        # A killed writer leaves the trace so far; the reader reports that it was cut, and nothing else.
        grep -qE 'cut|ends|not finished|too short' said || wrong "a broken trace: $(head -n 1 said)"
    fi
    rm -f trace.db said a.slt a.live
}

start() # in the background, as the leader of a group; $pid
{
    case $command in
    run) set -- run -q -o a.db -- "$T/yard/steady" "$rounds" ;;
    live) set -- run -q --live=json:a.live -o a.db -- "$T/yard/steady" "$rounds" ;;
    simpoint) set -- simpoint -q -o a.slices ../cut.slt ;;
    record) set -- record -q -o a.slt -- "$T/yard/steady" "$rounds" ;;
    replay) set -- replay -q -p edge -p value -p function -o a.db ../whole.slt ;;
    sweep) set -- sweep -q -p "$grid" -o "$T/yard/a.sweep" ../whole.slt ;;
    esac
    SLUICE_TAP=$tap setsid env --default-signal=INT,HUP "$sluice" "$@" >out 2>err &
    pid=$!
}

# Before it has the guest, sluice has a child that asks QEMU for its version.
guest_of() # guest_of PID
{
    ps -o pid=,args= --ppid "$1" | awk '/qemu.*steady/ { print $1; found = 1 } END { exit !found }'
}

# Kills sluice, the guest below it, or both at once as by a terminal.
strike()
{
    case $side in
    sluice) kill "-$signal" "$pid" ;;
    guest)
        i=0
        while [ $i -lt 100 ] && kill -0 "$pid" && ! guest=$(guest_of "$pid"); do
            sleep 0.02
            i=$((i + 1))
        done
        kill "-$signal" $guest
        ;;
    both) kill "-$signal" "-$pid" || kill "-$signal" "$pid" ;; # which may not lead a group yet
    esac 2>/dev/null
}

mkdir yard
cd yard || exit 1
cp ../steady .
bad=0 kept=0 fresh=0 ended=0 died=0 by_engine=0
for number in $(seq "$seed" $((seed + kills - 1))); do
    state=$((number * 7919 + 17))
    below 1; below 10
    case $drawn in
    0 | 1 | 2) command=run ;;
    3 | 4) command=record ;;
    5 | 6) command=replay ;;
    7) command=sweep ;;
    8) command=simpoint ;;
    *) command=live ;;
    esac
    below 2
    tap=plugin
    case $drawn$taps in 0engine*) tap=engine ;; esac
    below 4
    signal=$(echo KILL TERM INT HUP | cut -d ' ' -f $((drawn + 1)))
    below 3
    side=$(echo sluice guest both | cut -d ' ' -f $((drawn + 1)))
    case $command in replay | sweep | simpoint) side=sluice ;; esac
    below 900
    moment=$drawn rounds=4000 guest=
    case $side$signal in sluiceKILL) rounds=40 ;; esac # the program goes on to its end
    cp ../old.db a.db
    case $command$tap in runengine | liveengine | recordengine) by_engine=$((by_engine + 1)) ;; esac
    start
    sleep "0.$(printf %03d "$moment")"
    strike
    for i in $(seq $((LIMIT * 20))); do
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.05
    done
    if kill -KILL "$pid" 2>/dev/null; then wrong "it hung for $LIMIT s"; fi
    wait "$pid" 2>/dev/null
    status=$?
    check
done
cd ..
echo "# $kills tries from number $seed on, $by_engine of them with the engine: $died died, $ended had ended" \
    "before; the database was the old one $kept times, a new one $fresh times"
is "$kills kills: nothing hangs, nothing is left, statuses and databases are right" "$bad" 0
finish
