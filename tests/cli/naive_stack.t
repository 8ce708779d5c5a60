#!/bin/sh
# SPDX-License-Identifier: MIT
# function(repair=0) models the simplest call stack of hardware. It is exact where every call
# returns; after a longjmp it is wrong by the calls that were not popped.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3

cat >jumps.c <<'END'
#include <setjmp.h>
static jmp_buf back;
static volatile int n;
__attribute__((noinline)) void work(void) { for (int i = 0; i < 1000; i++) n++; }
__attribute__((noinline)) void inner(int jump) { n++; if (jump) __builtin_longjmp((void **)back, 1); n++; }
__attribute__((noinline)) void outer(int jump) { inner(jump); n++; }
__attribute__((noinline)) void body(int jump) { if (!__builtin_setjmp((void **)back)) outer(jump); n++; }
__attribute__((noinline)) void around(int jump) { body(jump); for (int i = 0; i < 1000; i++) n++; }
int main(int argc, char **argv)
{
    (void)argv;
    around(argc > 1);
    work();
    return 0;
}
END
build jumps gcc -O1 -fno-inline -static jumps.c
run() # run DATABASE ARGUMENTS: with and without repair
{
    database=$1
    shift
    "$sluice" run -q --keep all -o "$database" -p 'function(tail=0,repair=1)' \
        -p 'function(tail=0,repair=0)' -p 'function:count' -p 'function(repair=0):count' -- ./jumps "$@"
}
of() # of DATABASE PROFILE FUNCTION
{
    sql "$1" "SELECT coalesce(sum(count), 0) FROM entry JOIN location ON address = pc
        WHERE profile = $2 AND function = '$3'"
}
run plain.db
entries() { sql plain.db "SELECT pc, count FROM entry WHERE profile = $1 ORDER BY 1"; }
entries 0 >repaired
entries 1 >naive
same 'where every call returns, nothing is repaired' naive repaired
entries 2 >repaired
entries 3 >naive
same 'nor where entries are counted' naive repaired

run jump.db over
is 'the same instructions in all' "$(sql jump.db 'SELECT sum(count) FROM entry WHERE profile = 1')" \
    "$(sql jump.db 'SELECT sum(count) FROM entry WHERE profile = 0')"
# body goes on after the jump as if it were inner (without symbols sluice sees no more), and returns
# into around: repaired, around is charged with its loop; popping one call, outer is.
plain_loop=$(of plain.db 0 around)
ok 'repaired, who the jump led back to is charged with what it does' \
    [ "$(of jump.db 0 around)" -ge $((plain_loop - 5)) ]
ok 'popping one call, the maker of the last call is charged with that' \
    [ "$(of jump.db 1 outer)" -ge $((plain_loop - 20)) ]
ok 'and not who did it' [ "$(of jump.db 1 around)" -lt 100 ]
is 'work is called and returns: it has its own in both' "$(of jump.db 1 work)" "$(of jump.db 0 work)"

# ---- a stack that goes round, and recursion that is charged each time ------------------------------
cat >deep.c <<'END'
static volatile int n;
int b(int left);
__attribute__((noinline)) int a(int left)
{
    int sum = left ? b(left) : 0;
    for (int i = 0; i < 1000; i++) n++;
    return sum + 1;
}
__attribute__((noinline)) int b(int left)
{
    int sum = a(left - 1);
    for (int i = 0; i < 500; i++) n++;
    return sum + 1;
}
int main(void)
{
    int sum = a(30);
    for (int i = 0; i < 1000; i++) n++;
    return sum == 61 ? 0 : 1;
}
END
build deep gcc -O1 -fno-inline -fno-optimize-sibling-calls -static deep.c
"$sluice" run -q --keep all -o deep.db -p 'function(tail=0)' -p 'function(tail=0,depth=32,repair=0)' \
    -p 'function(tail=0,depth=32,repair=0,wrap=1)' -p 'function(inclusive=1)' \
    -p 'function(inclusive=1,twice=1)' -p 'function(tail=0,depth=64,repair=0,wrap=1)' -- ./deep
whole_loop=$(of deep.db 0 main)
is 'the same instructions in all, if the stack goes round' \
    "$(sql deep.db 'SELECT sum(count) FROM entry WHERE profile = 2')" \
    "$(sql deep.db 'SELECT sum(count) FROM entry WHERE profile = 0')"
is 'where it is not full, going round is nothing' "$(of deep.db 5 a) $(of deep.db 5 b)" \
    "$(of deep.db 0 a) $(of deep.db 0 b)"
ok 'a return to an overwritten call counts for the function that replaced it: a and b alternately' \
    [ $(($(of deep.db 2 a) + $(of deep.db 2 b) - $(of deep.db 0 a) - $(of deep.db 0 b))) -ge \
    $((whole_loop - 100)) ]
ok 'so that main, on which there are two of each, has lost its loop' [ "$(of deep.db 2 main)" -lt 100 ]
ok 'and one of a and b is nearly as it should be' [ $(($(of deep.db 2 a) - $(of deep.db 0 a))) -lt 300 -o \
    $(($(of deep.db 2 b) - $(of deep.db 0 b))) -lt 300 ]
ok 'a stack that forgets instead charges all of them to the last that it knew' \
    [ "$(of deep.db 1 a)" -ne "$(of deep.db 0 a)" -a "$(of deep.db 1 b)" -ne "$(of deep.db 0 b)" ]
# a at level k of 31 has what is below it: k times its own and k - 1 times that of b.
once=$(of deep.db 3 a) twice=$(of deep.db 4 a)
own=$(($(of deep.db 0 a) / 31)) other=$(($(of deep.db 0 b) / 30))
awk -v got="$twice" -v want=$((own * 31 * 32 / 2 + other * 30 * 31 / 2)) \
    'BEGIN { exit !(got > 0.99 * want && got < 1.01 * want) }'
is 'charged twice, recursion counts at each level' $? 0
ok 'and once only otherwise' [ "$once" -lt $((own * 32 + other * 31)) ]
is 'main, which is on the stack once, has the same' "$(of deep.db 4 main)" "$(of deep.db 3 main)"
for spec in 'function(wrap=1)' 'function(depth=33,repair=0,wrap=1)' 'function(twice=1)'; do
    "$sluice" run -q -o no.db -p "$spec" -- ./deep 2>said
    is "$spec is refused" "$?" 2
done
like 'with what to ask for instead' "$(cat said)" '*function(inclusive=1,twice=1)*'
finish
