#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs of a single-threaded program are repeatable: without a C library the databases are equal to
# the byte, on every guest; with one they are equal except for values outside the program's own
# code, since the library reads the time stamp counter, random numbers for its heap, its process id
# and the result of fstat.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3
all='-p function -p function:count -p edge -p call -p type -p block -p block:instructions -p edge:instructions -p value'

# repeats WHAT PROGRAM
repeats()
{
    profile one.db $all -- "$2"
    sqlite3 -readonly one.db .dump >one
    profile two.db $all -- "$2"
    sqlite3 -readonly two.db .dump >two
    same "$1: the second run gives the same database" two one
    profile edge.db -p edge -- "$2"
    sql edge.db 'SELECT rank, pc, value, count FROM entry WHERE profile = 0' >two
    sql one.db 'SELECT rank, pc, value, count FROM entry WHERE profile = 2' >one
    same "$1: edges alone are the edges next to other profiles" two one
}

# but_values WHAT PROGRAM OBJECT: values only where the object's own code loads
but_values()
{
    for db in one two; do
        profile $db.db $all -- "$2"
        sql $db.db "SELECT profile, pc, e.value, count FROM entry e JOIN profile p ON p.id = profile
            LEFT JOIN location ON address = pc LEFT JOIN object o ON o.id = object
            WHERE detector <> 'value' OR $3 ORDER BY 1, 2, 3" >$db
    done
    same "$1: functions, edges, calls, types, blocks are the same, and its own values" two one
}

bare='-nostdlib -static -ffreestanding -fno-builtin -fno-stack-protector -fno-pic -no-pie'
while read -r arch compiler; do
    set -- $compiler
    if ! command -v "$1" >/dev/null; then
        skip "$arch" "there is no $1"
        continue
    fi
    case $arch in mips*) plain=-mno-abicalls ;; *) plain= ;; esac
    build program $compiler -O1 -g $bare $plain -I "$programs" "$programs/shapes.c"
    repeats "$arch, no C library" ./program
    [ "$arch" = riscv32 ] && continue
    build program $compiler -O1 -g -static "$programs/numbers.c"
    but_values "$arch, static" ./program "file LIKE '%numbers.c'"
done <<END
$(cross_compilers)
riscv32 riscv64-linux-gnu-gcc -march=rv32imafdc -mabi=ilp32d
END
build program gcc -O1 -g "$programs/numbers.c"
but_values 'x86-64, dynamic' ./program "o.name = 'program'"
finish
