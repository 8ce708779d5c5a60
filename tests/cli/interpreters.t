#!/bin/sh
# SPDX-License-Identifier: MIT
# Interpreters and other programs with compilers and garbage collectors of their own: their output
# is the same as without sluice, and their profiles add up. Programs that are not installed are
# skipped.
. "$(dirname "$0")/../lib.sh"
need sqlite3

values='-p value'

# check NAME PROGRAM ARGUMENT...
check()
{
    local name=$1
    shift
    if ! command -v "$1" >/dev/null; then
        skip "$name" 'not installed'
        return
    fi
    "$@" >native 2>/dev/null </dev/null
    local status=$?
    profile a.db -p function -p block $values -- "$@"
    is "$name: its status" $? $status
    same "$name: its output" out native
    is "$name: functions' instructions are all instructions" \
        "$(sql a.db 'SELECT sum(count) FROM entry WHERE profile = 0')" \
        "$(sql a.db 'SELECT instructions FROM program')"
    is "$name: all blocks are in the profile of blocks" \
        "$(sql a.db 'SELECT sum(count) FROM entry WHERE profile = 1')" \
        "$(sql a.db 'SELECT blocks FROM program')"
    [ -z "$values" ] || is "$name: all loads are in the profile of values" \
        "$(sql a.db 'SELECT sum(count) FROM entry WHERE profile = 2')" \
        "$(sql a.db 'SELECT loads FROM program')"
}

check sqlite3 sqlite3 :memory: 'WITH RECURSIVE t(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM t WHERE i < 9999)
    SELECT sum(i * i % 7) FROM t'
check perl perl -e 'my $s = 0; $s += $_ * $_ % 7 for 0 .. 9999; print "$s\n"; exit 3'
python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null)
check python3 "${python:-python3}" -S -c 'print(sum(i * i % 7 for i in range(10000)))'
check lua lua -e 'local s = 0 for i = 0, 9999 do s = s + i * i % 7 end print(s)'
check awk awk 'BEGIN { for (i = 0; i < 10000; i++) s += i * i % 7; print s }'
check bzip2 sh -c 'echo some text that is repeated and repeated | bzip2 -9 | bzip2 -d'
values=
check node node -e 'let s = 0; for (let i = 0; i < 1e5; i++) s += i * i % 7; console.log(s)'
echo 'int printf(const char *, ...); int main(void) { int s = 0; for (int i = 0; i < 10000; i++) s += i * i % 7; printf("%d\n", s); return 5; }' >run.c
check tcc tcc -run run.c
finish
