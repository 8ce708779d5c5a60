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
    is "$machine beside another counts what it counts alone" \
        "$(sql all.db "SELECT name, count FROM beside_happening WHERE machine = $number ORDER BY name")" \
        "$(sql one.db 'SELECT name, count FROM happening ORDER BY name')"
    is "$machine: its description, too" "$(sql all.db "SELECT description FROM beside WHERE id = $number")" \
        "$(sql one.db 'SELECT description FROM machine')"
    number=$((number + 1))
done
"$sluice" replay -m rocket -p function:cycles -o first.db loop.slt >out 2>err
is 'the first, and what is weighed by it, are as without the others' \
    "$(sql all.db 'SELECT * FROM happening; SELECT pc, count FROM entry')" \
    "$(sql first.db 'SELECT * FROM happening; SELECT pc, count FROM entry')"

like 'text: side by side' "$(cat text)" '*CPU models compared*rocket *zen4 *tiger*CPI*'
like 'text: which energies are not calibrated' "$(cat text)" '*energy; not calibrated for rocket, zen4
*'
"$sluice" report --json all.db >all.json
is 'JSON: by name and cycles' "$(jq -c '[.beside[] | .name, .cycles]' all.json)" \
    "[\"zen4\",$(sql all.db "SELECT count FROM beside_happening WHERE machine = 0 AND name = 'cycles'"),\"tiger\",$(
    sql all.db "SELECT count FROM beside_happening WHERE machine = 1 AND name = 'cycles'")]"
is 'JSON: and whether energy is calibrated' "$(jq -c '[.beside[].energy_calibrated]' all.json)" '[false,true]'
is 'JSON of one machine has nothing beside' "$("$sluice" report --json first.db | jq 'has("beside")')" false
"$sluice" report -f html all.db >page.html 2>err
like 'the page has their figures' "$(cat page.html)" '*"beside":*zen4*'

"$sluice" merge -o two.db all.db all.db >out 2>err
is 'merged: twice is twice' "$(sql two.db 'SELECT machine, name, count FROM beside_happening')" \
    "$(sql all.db 'SELECT machine, name, 2 * count FROM beside_happening')"
"$sluice" merge -o two.db all.db first.db >out 2>err
is 'with other machines: status' $? 2
like 'and it is said' "$(cat err)" '*different machines*'

fails() # fails NAME SENTENCE ARGUMENTS...
{
    local name=$1 sentence=$2
    shift 2
    "$sluice" replay -o b.db "$@" loop.slt >out 2>err
    is "$name: status" $? 2
    like "$name: it is said" "$(cat err)" "$sentence"
}
fails 'nine machines' '*at most 8*' -m ss4 -m ss4 -m ss4 -m ss4 -m ss4 -m ss4 -m ss4 -m ss4 -m ss4
fails 'a second that is none' '*nosuch*' -m ss4 -m nosuch
fails 'a second that waits for a profiler' '*named first*' -m ss4 -m ss4,profiler.queue=4 -p path@hpt
sqlite3 all.db 'UPDATE beside_happening SET machine = 5 WHERE machine = 1'
"$sluice" report all.db >out 2>err
is 'damage: status' $? 125
like 'and it is said' "$(cat err)" '*machine that is not there*'
finish
