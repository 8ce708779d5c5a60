#!/bin/sh
# SPDX-License-Identifier: MIT
# Signals, faults, longjmp, exceptions, deep recursion and switched stacks: counts stay exact, and
# the instructions of all functions add up to the total.
. "$(dirname "$0")/../lib.sh"
need gcc g++ sqlite3

# check WHAT PROGRAM...: what it says it does is in its profile
check()
{
    local what=$1
    shift
    profile a.db -p function:count -p edge -p function -p block:instructions -- "$@"
    is "$what: it ends well" $? 0
    sed -n 's/^calls //p' out | sort >wanted
    functions a.db | join wanted - | awk '{ print $1, $3 }' >got
    same "$what: every function is entered as often as it says" got wanted
    if grep -q ^line out; then
        set -- $(grep ^line out)
        is "$what: the outcomes of the interrupted condition" "$(sql a.db "SELECT group_concat(count, ' ') FROM
            (SELECT count FROM entry JOIN location ON address = pc WHERE profile = 1 AND line = $2
            AND file LIKE '%odd_flow.c' ORDER BY count)")" "$3 $4"
    fi
    is "$what: functions' instructions are all instructions" \
        "$(sql a.db 'SELECT sum(count) FROM entry WHERE profile = 2')" \
        "$(sql a.db 'SELECT instructions FROM program')"
    is "$what: so are blocks'" "$(sql a.db 'SELECT sum(count) FROM entry WHERE profile = 3')" \
        "$(sql a.db 'SELECT instructions FROM program')"
}

while read -r arch compiler; do
    if ! command -v "$compiler" >/dev/null; then
        skip "$arch" "there is no $compiler"
        continue
    fi
    build odd "$compiler" -O1 -g -static "$programs/odd_flow.c"
    check "$arch: signals" ./odd signals 300000
    ok "$arch: there were signals" [ "$(sed -n 's/calls on_signal //p' out)" -ge 10 ]
    check "$arch: nested signals" ./odd nested 200
    check "$arch: faults" ./odd faults 100
    check "$arch: longjmp" ./odd longjmp 1000
    check "$arch: contexts" ./odd contexts 1000
done <<END
$(cross_compilers)
END

build odd gcc -O1 -g -static "$programs/odd_flow.c"
# QEMU takes the size of its guest's stack from ours.
ulimit -s 500000
check 'a recursion a million deep' ./odd recursion 1000000
check 'a jump out of a recursion 200,000 deep' ./odd escape 200000
profile a.db -p 'function(inclusive=1)' -- ./odd escape 200000
ok 'calls after it are charged to their caller, not to the function that was left' \
    [ $(($(count_of dive a.db) + $(count_of after a.db))) -lt "$(count_of escaper a.db)" ]
strip -o stripped odd
profile a.db -p function -p function:count -- ./stripped recursion 100000
is 'without symbols: functions'"'"' instructions are all instructions' \
    "$(sql a.db 'SELECT sum(count) FROM entry WHERE profile = 0')" \
    "$(sql a.db 'SELECT instructions FROM program')"
is 'without symbols: the recursion is found by its calls' \
    "$(sql a.db 'SELECT max(count) FROM entry WHERE profile = 1')" 100001

cat >throw.cc <<'END'
// Throws through two functions, catches, rethrows; destructors run on the way.
#include <cstdio>
#define FUNCTION __attribute__((noinline, noclone))
static volatile long sum;
struct Guard { FUNCTION ~Guard() { sum = sum + 1; } };
extern "C" {
FUNCTION void thrower(int i) { if (i % 3 == 0) throw i; sum = sum + 2; }
FUNCTION void middle(int i) { Guard g; thrower(i); }
FUNCTION void rethrower(int i) { try { middle(i); } catch (int) { sum = sum + 3; throw; } }
FUNCTION void catcher(int i) { try { rethrower(i); } catch (int x) { sum = sum + x; } }
}
int main()
{
    for (int i = 0; i < 300; i++)
        catcher(i);
    std::printf("calls Guard::~Guard() 300\ncalls catcher 300\ncalls middle 300\ncalls rethrower 300\ncalls thrower 300\n");
}
END
for level in 0 2; do
    build throw g++ -O$level -g -static throw.cc
    check "exceptions, -O$level" ./throw
    build throw g++ -O$level -g throw.cc
    check "exceptions, -O$level, dynamic" ./throw
done
finish
