#!/bin/sh
# function(repair=0): the call stack as simple as hardware has it. Where every call returns it is as
# good as the other; after a longjmp it is wrong, in the way that popping one call at a time is.
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
    sql "$1" "SELECT coalesce(sum(count), 0) FROM entry JOIN place ON address = pc
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
# body goes on after the jump as if it were inner (without symbols nobody sees more), and returns
# into around: repaired, around is charged with its loop; popping one call, outer is.
plain_loop=$(of plain.db 0 around)
ok 'repaired, who the jump led back to is charged with what it does' \
    [ "$(of jump.db 0 around)" -ge $((plain_loop - 5)) ]
ok 'popping one call, whoever made the last call is charged with that' \
    [ "$(of jump.db 1 outer)" -ge $((plain_loop - 20)) ]
ok 'and not who did it' [ "$(of jump.db 1 around)" -lt 100 ]
is 'work is called and returns: it has its own in both' "$(of jump.db 1 work)" "$(of jump.db 0 work)"
finish
