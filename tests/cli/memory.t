#!/bin/sh
# What grows with the run is counted against --memory, wherever it is: the profile ends with a
# sentence, what was found is saved, and the program runs on to its end.
. "$(dirname "$0")/../lib.sh"
need gcc
grep -q __asan_init "$sluice" && skip_all 'sanitizers have an allocator that cannot be asked'
# Each function calls both of the next level: 2^20 contexts in all.
{
    echo '#include <stdio.h>'
    echo 'static volatile int s;'
    echo 'static void a19(void) { s++; }'
    echo 'static void b19(void) { s--; }'
    for level in 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0; do
        next=$((level + 1))
        for name in a b; do
            echo "static void $name$level(void) { a$next(); b$next(); }"
        done
    done
    echo 'int main(void) { a0(); b0(); puts("done"); return 7; }'
} >tree.c
build tree gcc -g -static tree.c
profile small.db --memory 1M -p 'context(limit=16M)' -- ./tree
is 'more contexts than memory: status' $? 125
is 'more contexts than memory: says so' "$(grep -c '^sluice: the memory for this run is used up' err)" 1
is 'more contexts than memory: the program runs on to its end' "$(cat out)" 'done'
ok 'more contexts than memory: what was found is saved' "$sluice" report -o report.txt small.db
like 'more contexts than memory: and says so' "$(cat report.txt)" '*! *the memory for this run is used up*'
finish
