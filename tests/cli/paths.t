#!/bin/sh
# SPDX-License-Identifier: MIT
# Path profiles of a program with known control flow: the hottest path has the branch outcomes and
# lines of the source, on every guest, in text and JSON.
. "$(dirname "$0")/../lib.sh"
need gcc jq

# A loop of one path around a call; what is called has four paths, of which two are rare.
cat >turns.c <<'END'
volatile int odd, rare;

static void turn(int i)
{
    if (i % 2)
        odd++;
    if (i % 64 == 0)
        rare++;
}

int main(void)
{
    int i = 0;
again:
    turn(i);
    if (++i < 100000)
        goto again;
    return 0;
}
END

hottest() # hottest DATABASE FUNCTION FILTER: of the paths that start in it
{
    "$sluice" report --format json "$1" |
        jq -r "[.profiles[0].entries[] | select(.symbol | startswith(\"$2\"))][0] | $3"
}

cross_compilers | while read -r arch compiler; do
    command -v "$compiler" >/dev/null && echo "$arch $compiler"
done >here

while read -r arch compiler; do
    build turns "$compiler" -g -O0 -static turns.c
    profile a.db -p path -- ./turns
    is "$arch: it ends well" "$? $(cat err)" '0 '
    is "$arch: a loop around a call is one path up to its branch back" \
        "$(hottest a.db main '.count >= 99000 and (.path.outcomes | endswith("T"))')" true
    is "$arch: its lines are those of the loop, and it goes on after the call" \
        "$(hottest a.db main '.path.lines | join(" ")')" \
        'turns.c:15 turns.c:16 turns.c:17'
    is "$arch: the hottest path of what is called skips the rare line" \
        "$(hottest a.db turn '.path.lines | index("turns.c:8")')" null
    is "$arch: branches, outcomes and blocks belong to one path" \
        "$("$sluice" report --format json a.db | jq '[.profiles[0].entries[] | .path |
            .branches == (.outcomes | length) and .start == .blocks[0]] | all')" true
    is "$arch: nearly all paths are walked to their end" \
        "$("$sluice" report --format json a.db | jq '.profiles[0] | ([.entries[] |
            select(.path.complete) | .count] | add) / .events > 0.99')" true
done <here

build turns gcc -g -O0 -static turns.c
profile a.db -p path -- ./turns
"$sluice" report a.db >short
"$sluice" report -n 1 a.db >full
like 'the heading and the rest are paths' "$(cat short)" '*Paths by count*more paths'
like 'a row has the outcomes, and below it the lines' "$(grep -A1 ' turn' short)" \
    '* turn..+0x*turns.c:4 *turns.c:4 → 5 *'
like 'in full, the blocks follow' "$(cat full)" '*turns.c:15 → 16 → 17*main+0x* → +0x*'
is 'a report of paths fits a screen' "$(($(wc -l <short) <= 40))" 1

profile b.db -p path+edge@exact -- ./turns
is 'paths that share a table are walked, too' \
    "$(hottest b.db main '.path.lines | join(" ")')" 'turns.c:15 turns.c:16 turns.c:17'
profile c.db -p 'path(wpp)' -- ./turns
is 'a whole program path ends at the call' \
    "$("$sluice" report --format json c.db | jq '[.profiles[0].entries[] |
        select(.path.lines[-1] == "turns.c:15")] | length > 0')" true
# The hardware's event counter has 8 bits, which hold 255 accesses to the instruction cache.
profile a.db -m ss4 -p path:cachepower -p 'path(bits=8):cachepower' -p path -- ./turns
is 'cachepower in 8 bits: it counts by accesses' "$(sql a.db 'SELECT max(count % 1000) FROM entry
    WHERE profile = 1')" 0
is 'cachepower in 8 bits: paths weigh what they do in 64, to half an access' "$(sql a.db 'SELECT
    count(*) FROM entry a JOIN entry b USING (pc, value) JOIN entry n USING (pc, value)
    WHERE a.profile = 0 AND b.profile = 1 AND n.profile = 2 AND a.count < 200000 * n.count
    AND abs(a.count - b.count) > 500 * n.count AND n.rank < 20')" 0

# The path stack is hardware, too: 32 entries of a descriptor and an event counter.
echo 'int main(void) { return 0; }' >once.c
build once gcc -static once.c
profile storage.db -p 'path(bits=8)@hpt(512x4)' -p 'path(bits=8,stack=16)@hpt(512x4)' \
    -p 'path(kind=loop,extend=4,bits=8)@hpt(512x4)' -p 'edge@hpt(512x4)' -- ./once
is 'storage: the table, and a stack of 32 and of 16 entries, and 3 bits more where paths are extended' \
    "$(sql storage.db 'SELECT storage_bits FROM profile ORDER BY id' | tr '\n' ' ')" \
    "$((512 * 134 + 32 * 110)) $((512 * 134 + 16 * 110)) $((512 * 134 + 32 * 113)) $((512 * 134)) "
finish
