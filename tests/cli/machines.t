#!/bin/sh
# SPDX-License-Identifier: MIT
# Several CPU models in one run: each gives the same counts as alone, metrics use the first, every
# report has a column for each, and uncalibrated energy is marked.
. "$(dirname "$0")/../lib.sh"
need gcc jq sqlite3

cat >loop.c <<'END'
static int table[1 << 14];
int main(void)
{
    unsigned x = 1;
    long sum = 0;
    for (int i = 0; i < 40000; i++) {
        x = x * 1103515245 + 12345;
        sum += x >> 16 & 1 ? table[x >> 18] : i / 3;
    }
    return (int)(sum & 1);
}
END
gcc -O1 -g loop.c -o loop || exit 1
"$sluice" record -m rocket -o loop.slt ./loop >/dev/null 2>err || { cat err; exit 1; }

"$sluice" replay -m rocket -m zen4 -m tiger -p function:cycles -o all.db loop.slt >text 2>err
is 'three machines: it ends well' "$? $(cat err)" '0 '
number=0
for machine in zen4 tiger; do
    "$sluice" replay -m $machine -p function:cycles -o one.db loop.slt >out 2>err
    is "$machine next to another counts what it counts alone" \
        "$(sql all.db "SELECT name, count FROM other_machine_event WHERE machine = $number ORDER BY name")" \
        "$(sql one.db 'SELECT name, count FROM machine_event ORDER BY name')"
    is "$machine: its description, too" "$(sql all.db "SELECT description FROM other_machine WHERE id = $number")" \
        "$(sql one.db 'SELECT description FROM machine')"
    number=$((number + 1))
done
"$sluice" replay -m rocket -p function:cycles -o first.db loop.slt >out 2>err
is 'the first, and what is weighed by it, are as without the others' \
    "$(sql all.db 'SELECT * FROM machine_event; SELECT pc, count FROM entry')" \
    "$(sql first.db 'SELECT * FROM machine_event; SELECT pc, count FROM entry')"

like 'text: side by side' "$(cat text)" '*CPU models compared*rocket *zen4 *tiger*CPI*'
like 'text: which energies are not calibrated' "$(cat text)" '*energy; not calibrated for rocket, zen4
*'
"$sluice" report --json all.db >all.json
is 'JSON: by name and cycles' "$(jq -c '[.other_machines[] | .name, .cycles]' all.json)" \
    "[\"zen4\",$(sql all.db "SELECT count FROM other_machine_event WHERE machine = 0 AND name = 'cycles'"),\"tiger\",$(
    sql all.db "SELECT count FROM other_machine_event WHERE machine = 1 AND name = 'cycles'")]"
is 'JSON: and whether energy is calibrated' "$(jq -c '[.other_machines[].energy_calibrated]' all.json)" '[false,true]'
is 'JSON of one machine has no second machine' "$("$sluice" report --json first.db | jq 'has("other_machines")')" false
"$sluice" report -f html all.db >page.html 2>err
like 'the page has their figures' "$(cat page.html)" '*"other_machines":*zen4*'

"$sluice" merge -o two.db all.db all.db >out 2>err
is 'merged: twice is twice' "$(sql two.db 'SELECT machine, name, count FROM other_machine_event')" \
    "$(sql all.db 'SELECT machine, name, 2 * count FROM other_machine_event')"
"$sluice" merge -o two.db all.db first.db >out 2>err
is 'with other machines: status' $? 2
like 'and a message says why' "$(cat err)" '*different CPU models*'

fails() # fails NAME MESSAGE ARGUMENTS...
{
    local name=$1 message=$2
    shift 2
    "$sluice" replay -o b.db "$@" loop.slt >out 2>err
    is "$name: status" $? 2
    like "$name: a message says why" "$(cat err)" "$message"
}
fails 'nine machines' '*at most 8*' -m ss4 -m ss4 -m ss4 -m ss4 -m ss4 -m ss4 -m ss4 -m ss4 -m ss4
fails 'a second that is none' '*nosuch*' -m ss4 -m nosuch
fails 'a second that waits for a profiler' '*only for the first CPU model*' -m ss4 -m ss4,profiler.queue=4 -p path@hpt
sqlite3 all.db 'UPDATE other_machine_event SET machine = 5 WHERE machine = 1'
"$sluice" report all.db >out 2>err
is 'damage: status' $? 125
like 'and a message says why' "$(cat err)" '*belongs to a missing CPU model'
finish
