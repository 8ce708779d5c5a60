#!/bin/sh
# SPDX-License-Identifier: MIT
# Delivery of a compressor's messages to software: its cost, from the cycles of a CPU model to the
# text report, JSON and database.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3 jq

build program gcc -O1 -g -static "$programs/numbers.c"
"$sluice" record -q -m ss4 -p value -o trace.slt ./program >/dev/null
of() # of DATABASE NAME: a figure of its delivery
{
    sqlite3 -readonly "$1" "SELECT value FROM message_delivery WHERE name = '$2'"
}
replay() # replay DATABASE SPEC [OPTION...]
{
    local db=$1 spec=$2
    shift 2
    "$sluice" replay -q "$@" -p "$spec" -o "$db" trace.slt
}

replay events.db 'value@P16'
replay cycles.db 'value@P16' -m ss4
is 'without a CPU model, gaps are counted in events' \
    "$(sqlite3 events.db 'SELECT gap_unit, gap_min, gap_median FROM profile')" 'events|16|16'
is 'with a CPU model, gaps are counted in cycles' "$(sqlite3 cycles.db 'SELECT gap_unit FROM profile')" cycles
is 'each gap is in the distribution' \
    "$(sqlite3 cycles.db 'SELECT sum(count) - (SELECT messages - 1 FROM profile) FROM message_gap')" 0
is 'gaps have more than one length in cycles' \
    "$(sqlite3 cycles.db 'SELECT count(*) > 1 FROM message_gap')" 1
is 'gaps have one length in events' "$(sqlite3 events.db 'SELECT low, count = (SELECT messages - 1 FROM profile)
    FROM message_gap')" '16|1'
is 'the messages do not depend on the CPU model' \
    "$(sqlite3 cycles.db 'SELECT messages, residue FROM profile')" \
    "$(sqlite3 events.db 'SELECT messages, residue FROM profile')"
is 'JSON has the distribution' \
    "$("$sluice" report --json cycles.db | jq -c '.profiles[0].messages | [.gap_unit,
        ([.gaps[][1]] | add) - .count + 1]')" '["cycles",0]'

# Software that is slower than the messages arrive, and software that is faster.
replay slow.db 'value@P16(service=100K,queue=2)' -m ss4
replay fast.db 'value@P16(service=1,queue=2)' -m ss4
is 'slow software loses messages' "$(($(of slow.db queue_drops) > 0))" 1
is 'the counts of the software are short by exactly the lost messages' \
    "$(sqlite3 slow.db 'SELECT message_weight - (SELECT sum(count) FROM entry) FROM profile')" \
    "$(of slow.db queue_drops_weight)"
is 'fast software loses no messages' "$(of fast.db queue_drops)" 0
is 'every sent message arrives at the queue' "$(of slow.db queue_arrivals)" \
    "$(sqlite3 slow.db 'SELECT messages FROM profile')"
like 'the report shows the losses' "$("$sluice" report slow.db)" '*queue*of*2*messages*late*lost*cycles*'
is 'with polling, the program is not interrupted' "$("$sluice" report --json slow.db | jq -c '.profiles[0].messages |
    [.interrupts, .overhead, .delivery.queue_capacity]')" '[0,null,2]'

# Bursts: a queue that is long enough loses no tuples.
replay short.db 'value@P1(input=1,pick=50)' -m ss4
replay long.db 'value@P1(input=1M)' -m ss4
is 'a short queue of tuples loses some' "$(($(of short.db input_drops) > 0))" 1
is 'a long queue of tuples loses none' "$(of long.db input_drops)" 0
is 'tuples lost before the queue, sent and left add up to all' \
    "$(sqlite3 short.db 'SELECT message_weight + residue + (SELECT value FROM message_delivery
        WHERE name = "input_drops_weight") - weight FROM profile')" 0

# Convergence, and filtering.
replay filter.db 'value@P4(converge=10%,check=4,filter=4)'
is 'the filter is filled' "$(of filter.db filtered_instructions)" 4
is 'filtered tuples are not sent' \
    "$(sqlite3 filter.db 'SELECT message_weight + residue + (SELECT value FROM message_delivery
        WHERE name = "filtered_weight") - weight FROM profile')" 0
like 'the report shows the filter' "$("$sluice" report filter.db)" '*converged*4*filtered*events*'
"$sluice" replay -q -p 'value@P4(filter=4)' -o x.db trace.slt 2>err
is 'a filter without checks: status 2' $? 2
like 'the message shows what to do' "$(cat err)" '*converge=1%*'
"$sluice" rtl 'value@P4(input=4)' -o hardware >out 2>err
is 'RTL of a queue is refused' "$?" 125
like 'the refusal names the queue' "$(cat err)" '*no RTL*input*'

# A database with inconsistent delivery data is refused.
cp slow.db bad.db
sqlite3 bad.db "UPDATE message_delivery SET name = 'frob' WHERE name = 'queue_delayed'"
"$sluice" report bad.db >out 2>err
like 'an unknown delivery measure is refused' "$(cat err)" '*delivery*unknown*'
cp slow.db bad.db
sqlite3 bad.db 'UPDATE message_gap SET low = 3 WHERE low = (SELECT max(low) FROM message_gap)'
"$sluice" report bad.db >out 2>err
like 'a gap with an invalid start is refused' "$(cat err)" '*power of two*'
finish
