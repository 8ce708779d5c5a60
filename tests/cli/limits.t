#!/bin/sh
# SPDX-License-Identifier: MIT
# --lossy, --memory and --keep: dropped events and entries are counted and reported, and the
# remaining ones are correct.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3 jq

# --lossy, while sluice is stopped: the program goes on, and what it did in the
# meantime is counted as dropped.
cat >steady.c <<'END'
#include <unistd.h>
#include <fcntl.h>
volatile unsigned table[64];
int main(void)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < 4000000; i++) {
        sum += table[i % 64];
        if (i == 1000) {
            close(open("ready", O_CREAT | O_WRONLY, 0666));
            close(open("go", O_RDONLY)); /* waits until the other end is opened */
        }
    }
    close(open("over", O_CREAT | O_WRONLY, 0666));
    return sum;
}
END
build steady gcc -O1 -static steady.c
mkfifo go
let_go() { timeout 120 sh -c ': >go'; }
while_stopped() # while_stopped OPTION...: sluice stands still from its 1,000th round to its end
{
    rm -f ready over
    "$sluice" run -q --lossy "$@" -o b.db ./steady &
    pid=$!
    until_true test -e ready
    kill -STOP $pid
    let_go
    until_true test -e over
    kill -CONT $pid
    wait $pid
}
for options in '-p edge' '-p value' '-p type'; do
    rm -f a.db b.db
    let_go &
    "$sluice" run -q $options -o a.db ./steady
    while_stopped $options
    is "--lossy $options: the status" $? 0
    ok "--lossy $options: some blocks were dropped" [ "$(sql b.db 'SELECT dropped_blocks FROM program')" -gt 0 ]
    is "--lossy $options: blocks delivered and dropped are all blocks" \
        "$(sql b.db 'SELECT blocks + dropped_blocks FROM program')" "$(sql a.db 'SELECT blocks FROM program')"
    is "--lossy $options: loads delivered and dropped are all loads" \
        "$(sql b.db 'SELECT loads + dropped_loads FROM program')" "$(sql a.db 'SELECT loads FROM program')"
    like "--lossy $options: the report says so" "$("$sluice" report b.db)" '*dropped (lossy run*counts are too*low*'
    ok "--lossy $options: so does the JSON" sh -c '"$0" report --json b.db | jq -e ".warnings | length > 0" >/dev/null' "$sluice"
done
while_stopped -p function -p function:count
is '--lossy: functions have all delivered instructions' \
    "$(sql b.db 'SELECT weight FROM profile WHERE id = 0')" "$(sql b.db 'SELECT instructions FROM program')"

# --memory: kept tuples have their right counts, the others are drops. Of one run, as a C library
# may load process and random numbers.
build program gcc -O1 -g -static "$programs/numbers.c"
"$sluice" record -q -o program.slt -- ./program
"$sluice" replay -q -o all.db -p value -p edge -p block -p function -p call program.slt
for memory in 1 1000 3K 300K 600Ki; do
    for p in value edge block function call; do
        case $p in value) i=0 ;; edge) i=1 ;; block) i=2 ;; function) i=3 ;; *) i=4 ;; esac
        "$sluice" replay -q -o a.db --memory $memory -p $p program.slt
        is "--memory $memory, $p: the status" $? 0
        sql a.db 'SELECT pc, value, count FROM entry' | sort >kept
        sql all.db "SELECT pc, value, count FROM entry WHERE profile = $i" | sort >whole
        is "--memory $memory, $p: what is kept has its right count" "$(comm -23 kept whole)" ''
        is "--memory $memory, $p: what is kept and dropped is everything" \
            "$(sql a.db 'SELECT stored_weight + drops_weight FROM profile')" \
            "$(sql all.db "SELECT weight FROM profile WHERE id = $i")"
        if cmp -s kept whole; then
            is "--memory $memory, $p: enough, so it says nothing" "$(sql a.db 'SELECT warning IS NULL FROM profile')" 1
        else
            like "--memory $memory, $p: too little, and the report says so" "$("$sluice" report a.db)" \
                '*used up*memory (*'
        fi
    done
done
profile a.db --memory 700K -p value -p value -- ./program
is '--memory is shared between profiles' "$(sql a.db 'SELECT storage_bits FROM profile WHERE id = 0')" \
    "$(sql a.db 'SELECT storage_bits FROM profile WHERE id = 1')"
ok '--memory: the tables are within it' [ "$(sql a.db 'SELECT sum(storage_bits) / 8 FROM profile')" -le 700000 ]

profile a.db --memory 1K -p function:count -- ./program
is '--memory: as many tuples as have space are kept' "$(sql a.db 'SELECT "distinct" FROM profile')" 125

# --keep: the largest, in order; -n limits their number.
for keep in 1 7 100; do
    "$sluice" replay -q --keep $keep -p value -p edge -o a.db program.slt
    for i in 0 1; do
        sql all.db "SELECT rank, pc, value, count FROM entry WHERE profile = $i AND rank <= $keep" >whole
        sql a.db "SELECT rank, pc, value, count FROM entry WHERE profile = $i" >kept
        same "--keep $keep: the largest of profile $i" kept whole
        is "--keep $keep: how much that is, of profile $i" \
            "$(sql a.db "SELECT stored_entries, stored_weight, weight, \"distinct\" FROM profile WHERE id = $i")" \
            "$keep|$(sql a.db "SELECT sum(count) FROM entry WHERE profile = $i")|$(sql all.db \
                "SELECT weight, \"distinct\" FROM profile WHERE id = $i")"
    done
done
is 'entries are in order' "$(sql all.db 'SELECT count(*) FROM entry a JOIN entry b ON
    a.profile = b.profile AND b.rank = a.rank + 1 WHERE b.count > a.count')" 0
is 'report -n limits the number of entries' "$("$sluice" report --json -n 5 all.db | jq -c '[.profiles[].entries | length]')" \
    '[5,5,5,5,5]'
is 'report --json without -n: all of them, up to 10,000 of each profile' \
    "$("$sluice" report --json all.db | jq '.profiles[].entries | length')" \
    "$(sql all.db 'SELECT min(count(*), 10000) FROM entry GROUP BY profile ORDER BY profile')"
ok 'report: fits a screen' [ "$("$sluice" report all.db | wc -l)" -le 40 ]
ok 'report: fits 100 columns' [ "$("$sluice" report all.db | awk 'length > 100' | wc -l)" -eq 0 ]
finish
