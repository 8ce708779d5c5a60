#!/bin/sh
# SPDX-License-Identifier: MIT
# Profiles of load addresses and strides, on every guest: a function whose loop only walks an array
# of known address and element size. And profiles of missing loads: their number is that of the CPU
# model, and the compulsory misses are among them.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3

cat >walk.c <<'END'
#include <stdio.h>
enum { N = 300, ROUNDS = 20, STEP = 96 };
static struct { char byte[STEP]; } array[N] __attribute__((aligned(4096)));

/* The loop's one load; what else it needs is in registers. */
__attribute__((noinline)) int walk(const char *from, const char *end)
{
    int sum = 0;
    for (; from < end; from += STEP)
        sum += *(const volatile char *)from;
    return sum;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < ROUNDS; i++)
        sum += walk((const char *)array, (const char *)(array + N));
    printf("%lu\n", (unsigned long)array);
    return sum;
}
END

# own DATABASE PROFILE: "what count" of the load that the function has in its loop
own()
{
    sql "$1" "WITH own AS (SELECT * FROM entry JOIN location ON address = pc WHERE profile = $2 AND function = 'walk')
        SELECT printf('%d %d', value, count) FROM own WHERE pc = (SELECT pc FROM own GROUP BY pc
            ORDER BY sum(count) DESC LIMIT 1) ORDER BY value"
}

all() # all DATABASE PROFILE: what all of its entries count
{
    sql "$1" "SELECT sum(count) FROM entry WHERE profile = $2"
}

while read -r arch compiler; do
    set -- $compiler
    if ! command -v "$1" >/dev/null; then
        skip "$arch" "there is no $1"
        continue
    fi
    build walk $compiler -O1 -g -static walk.c
    profile a.db -p load -p 'load(line=64)' -p stride -p value -- ./walk
    is "$arch: it ends well" $? 0
    base=$(cat out)
    awk -v base="$base" 'BEGIN { for (i = 0; i < 300; i++) printf "%d 20\n", base + 96 * i }' >wanted
    own a.db 0 >got
    same "$arch: every address, as often as it was loaded from" got wanted
    awk -v base="$base" 'BEGIN { for (i = 0; i < 300; i++) n[base + int(96 * i / 64) * 64] += 20
        for (line in n) printf "%d %d\n", line, n[line] }' | sort -n >wanted
    own a.db 1 >got
    same "$arch: every line" got wanted
    own a.db 2 >got
    printf '%d %d\n' $((-96 * 299)) 19 96 $((20 * 299)) >wanted
    same "$arch: the way from one to the next, and back; the first load comes from nowhere" got wanted
    is "$arch: every load has an address" "$(all a.db 0)" "$(all a.db 3)"
    is "$arch: and a distance, but for the first of each instruction" "$(all a.db 2)" \
        $(($(all a.db 3) - $(sql a.db 'SELECT count(DISTINCT pc) FROM entry WHERE profile = 3')))
done <<END
$(cross_compilers)
END

# Elements are on lines of their own, more than fit into 4 KB: each load of the array misses.
build walk gcc -O1 -g -static walk.c
profile m.db -m rocket,l1d.size=4Ki,l1d.ways=1 -p load:dmiss -p 'load(line=64):dmiss' -p value:dmiss -p stride:dmiss \
    -p value -- ./walk
own m.db 0 >got
awk -v base="$(cat out)" 'BEGIN { for (i = 0; i < 300; i++) printf "%d 20\n", base + 96 * i }' >wanted
same 'every load misses where the cache is too small' got wanted
is 'misses by value: the same, for it loads nothing but zeros' "$(own m.db 2)" '0 6000'
is 'misses by address, by line and by value are as many' "$(all m.db 0) $(all m.db 1)" "$(all m.db 2) $(all m.db 2)"
# (A load may lie on two lines: those of the C library's that takes vectors of 32 bytes do.)
is 'no tuple misses more often than on two lines whenever it comes, nor is one listed that never does' "$(sql m.db \
    'SELECT count(*) FROM entry AS m LEFT JOIN entry AS e ON e.profile = 4 AND e.pc = m.pc AND e.value = m.value
    WHERE m.profile = 2 AND (m.count = 0 OR m.count > 2 * coalesce(e.count, 0))')" 0
profile s.db -m rocket,l1d.size=4Ki,l1d.ways=1 -p 'value:dmiss@multihash(interval=1K,threshold=1%)' -p value:dmiss \
    --keep all -- ./walk
is 'an interval profiler by misses lists nothing that never missed' "$(sql s.db 'SELECT count(*) FROM entry AS m
    WHERE m.profile = 0 AND NOT EXISTS (SELECT * FROM entry AS e WHERE e.profile = 1 AND e.pc = m.pc AND e.value = m.value
    AND e.count > 0)')" 0
ok 'and something' [ "$(sql s.db 'SELECT count(*) FROM entry WHERE profile = 0')" -gt 0 ]
finish
