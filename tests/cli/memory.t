#!/bin/sh
# SPDX-License-Identifier: MIT
# All memory that grows with the run counts against --memory. When it is used up, the profile ends
# with a message, the results so far are saved, and the program runs to its end.
. "$(dirname "$0")/../lib.sh"
need gcc objcopy jq sqlite3
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
is 'more contexts than memory: says so' "$(grep -c '^sluice: out of memory for code, call and thread data' err)" 1
is 'more contexts than memory: the program runs on to its end' "$(cat out)" 'done'
ok 'more contexts than memory: what was found is saved' "$sluice" report -o report.txt small.db
like 'more contexts than memory: and says so' "$(cat report.txt)" '*! *out of memory for code, call and thread data*'

# A just-in-time compiler writes other code to the same place, again and again: what is known of
# code that was is kept, until there is too much of it.
cat >pieces.c <<'END'
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
enum { PIECES = 12000, ADDITIONS = 100 };
int main(void)
{
    unsigned char *code = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
                               -1, 0);
    uint32_t sum = 0, number = 0;
    for (int i = 0; i < PIECES; i++) {
        unsigned char *at = code;
        for (int k = 0; k < ADDITIONS; k++, at += 5, number++) {
            at[0] = 0x05; /* add $number,%eax */
            memcpy(at + 1, &number, 4);
        }
        *at = 0xc3;
        sum += ((uint32_t(*)(void))code)();
    }
    puts("done");
    return sum == 1 ? 1 : 7;
}
END
if [ "$(uname -m)" = x86_64 ]; then
    build pieces gcc -g -static pieces.c
    profile small.db --memory 1M -p edge -p function -- ./pieces
    is 'more code than memory: status' $? 125
    is 'more code than memory: says so' "$(grep -c '^sluice: out of memory for code, call and thread data' err)" 1
    is 'more code than memory: the program runs on to its end' "$(cat out)" 'done'
    ok 'more code than memory: what was found is saved' "$sluice" report -o report.txt small.db
    # So much of it new that half a million blocks, after which memory is examined in any case, are too many.
    cat >apart.c <<'END'
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
enum { PIECES = 6000, ADDITIONS = 400 };
int main(void)
{
    unsigned char *code = mmap(0, PIECES * 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
                               -1, 0);
    static unsigned char piece[5 * ADDITIONS + 1];
    for (int k = 0; k < ADDITIONS; k++)
        piece[5 * k] = 0x05; /* add $0,%eax */
    piece[5 * ADDITIONS] = 0xc3;
    for (int i = 0; i < PIECES; i++, code += 4096) {
        memcpy(code, piece, sizeof piece);
        ((void (*)(void))code)();
    }
    puts("done");
    return 7;
}
END
    build apart gcc -g -static apart.c
    profile small.db --memory 1M -p edge -p function -- ./apart
    is 'much new code at once: status' $? 125
    ok 'much new code at once: it ends sooner' [ "$(sql small.db 'SELECT blocks FROM program')" -lt 500000 ]
    is 'much new code at once: the program runs on to its end' "$(cat out)" 'done'
else
    skip 'more code than memory' 'the code is made for x86-64'
fi

# Debug information that is read while the program runs is nothing that the run has grown by:
# 120 MB here, where 66 are for what a run knows, and most of it is in flight when the test reads it.
cat >spin.c <<'END'
#include <stdio.h>
int main(void)
{
    volatile unsigned sum = 0;
    for (unsigned i = 0; i < 60000000; i++)
        sum += i & 3 ? i : 1;
    puts("done");
    return 7;
}
END
build plain gcc -g -static spin.c
truncate -s 120M zeros
head -c 5000000 /dev/urandom >noise # the more a file has, the more it may unpack
objcopy --add-section .debug_macro=zeros --add-section .noise=noise plain unpacked
objcopy --compress-debug-sections=zlib unpacked large
rm zeros noise unpacked
profile large.db --memory 1M -j 2 -p edge -- ./large
is 'debug information beyond the memory, read ahead: status' $? 7
is 'debug information beyond the memory, read ahead: the profile does not end' "$(grep -c 'memory' err)" 0
profile alone.db --memory 1M -j 1 -p edge -- ./large
for run in large alone; do
    "$sluice" report --json $run.db | jq '.profiles[].entries' >$run.json
done
same 'debug information beyond the memory: the same edges, with their names, as without a thread' large.json alone.json
finish
