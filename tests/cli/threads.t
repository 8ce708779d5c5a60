#!/bin/sh
# SPDX-License-Identifier: MIT
# The counts of multi-threaded programs add up exactly, for any number of threads.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3

# check WHAT THREADS ARGUMENT...
check()
{
    local what=$1 threads=$2
    shift 2
    profile a.db -p function:count -p edge -p value -p function -p call -- ./threads "$@"
    is "$what: it ends well" $? 0
    is "$what: the number of threads" "$(sql a.db 'SELECT threads FROM program')" "$threads"
    is "$what: every call of work counts" "calls work $(count_of work a.db)" "$(grep 'calls work' out)"
    is "$what: every thread's first function counts" "calls once $(count_of once a.db)" \
        "$(grep 'calls once' out)"
    set -- $(grep '^line' out)
    is "$what: the outcomes of its condition" "$(sql a.db "SELECT group_concat(count, ' ') FROM
        (SELECT count FROM entry JOIN location ON address = pc WHERE profile = 1 AND line = $2
        AND file LIKE '%threads.c' ORDER BY count)")" "$3 $4"
    # The table's load: the only one in work that is made on every call and never sees more than 89.
    sed -n 's/^value //p' out | sort >wanted
    sql a.db "SELECT printf('%x %d', value, count) FROM entry WHERE profile = 2 AND pc =
        (SELECT pc FROM entry JOIN location ON address = pc WHERE profile = 2 AND function = 'work'
         GROUP BY pc HAVING sum(count) = $(count_of work a.db) AND max(value) = 89 LIMIT 1)" | sort >got
    same "$what: what its table's load loaded" got wanted
    is "$what: functions' instructions are all instructions" \
        "$(sql a.db 'SELECT sum(count) FROM entry WHERE profile = 3')" \
        "$(sql a.db 'SELECT instructions FROM program')"
}

while read -r arch compiler; do
    if ! command -v "$compiler" >/dev/null; then
        skip "$arch" "there is no $compiler"
        continue
    fi
    build threads "$compiler" -O1 -g -static -pthread -I "$root/include" "$programs/threads.c"
    check "$arch: 4 threads" 5 4 20000 0
    profile a.db --marked -p function:count -p value -- ./threads 4 20000
    is "$arch: --marked counts the marked thread alone" "marked work $(count_of work a.db)" \
        "$(grep marked out)"
done <<END
$(cross_compilers)
END
build threads gcc -O1 -g -static -pthread -I "$root/include" "$programs/threads.c"
check '100 threads at a time' 101 100 500 0
check '1500 threads, one after the other' 1503 2 1000 1500
"$sluice" record -q -p function:count -o t.slt ./threads 8 5000 20 >out
"$sluice" replay -q -p function:count -o a.db t.slt
is 'recorded: every call of work counts' "calls work $(count_of work a.db)" "$(grep 'calls work' out)"
is 'recorded: the number of threads' "$(sql a.db 'SELECT threads FROM program')" 29
build threads gcc -O1 -g -pthread -I "$root/include" "$programs/threads.c"
check 'dynamic: 4 threads' 7 4 5000 2

# And threads of sluice's own, whatever their number, on a running program.
for jobs in 1 2 5; do
    profile a.db -j $jobs --range work -p edge -p value -p call -p block -- ./threads 4 20000 0
    sql a.db 'SELECT profile, pc, CASE WHEN value > 1 << 32 THEN 0 ELSE value END AS small, sum(count)
        FROM entry GROUP BY 1, 2, 3 ORDER BY 1, 2, 3' >entries-$jobs
done
ok 'one thread of our own finds something' [ -s entries-1 ]
same 'two threads of our own find the same' entries-2 entries-1
same 'five threads of our own find the same' entries-5 entries-1

# Atomic additions are loads too.
cat >atomic.c <<'END'
#include <pthread.h>
static unsigned x;
static volatile int stop;
__attribute__((noinline)) void add(unsigned *p)
{
    for (int i = 0; i < 1000; i++)
        __atomic_fetch_add(p, 3, __ATOMIC_SEQ_CST);
}
static void *idle(void *a) { while (!stop) add(&x); return a; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, idle, 0);
    add(&x);
    stop = 1;
    pthread_join(t, 0);
    return 0;
}
END
build atomic gcc -O1 -static -pthread atomic.c
profile a.db -p value --range add --only atomic -- ./atomic
todo='QEMU reports an atomic access of a threaded program as a store'
ok 'an atomic addition counts as a load' [ "$(sql a.db 'SELECT events FROM profile')" -ge 2000 ]
todo=
finish
