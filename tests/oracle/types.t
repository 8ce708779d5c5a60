#!/bin/sh
# SPDX-License-Identifier: MIT
# Type profiles: a program with indirect calls prints the slot and method table of each call's
# target, and the count. The profile must have the same counts, and one event per indirect call.
. "$(dirname "$0")/../lib.sh"
need gcc g++ sqlite3
spilled=none

# Each line "site what count", summed over equal sites and whats.
summed()
{
    awk '{ n[$1 " " $2] += $3 } END { for (k in n) print k, n[k] }' | sort
}

# By site, functions of ours called call_...: slots of the type profile, or callees.
own="function LIKE 'call%' AND function NOT IN ('call_init', 'call_fini')"
slots() # slots DATABASE
{
    sql "$1" "SELECT function, printf('%x', value), count FROM entry JOIN location ON address = pc
        WHERE $own" | sed 's/([^|]*|/|/' | tr '|' ' ' | grep -v "^$spilled" | summed
}
callees() # callees DATABASE
{
    sql "$1" "SELECT f.function, replace(t.function, 'non-virtual thunk to ', ''), count FROM entry
        JOIN location f ON f.address = pc JOIN location t ON t.address = value
        WHERE f.$(echo "$own" | sed 's/AND /AND f./')" | sed 's/([^|]*|/|/' | tr '|' ' ' | grep -v "^$spilled" | summed
}

# check WHAT PROGRAM [guessed]: `guessed` where direct calls may denote indirect ones
check()
{
    profile types.db -p type -- "$2"
    grep '^call_' out | grep -v "^$spilled" >said
    profile calls.db -p call -- "$2"
    profile indirect.db -p call --only indirect-call -- "$2"
    is "$1: there are as many events as indirect calls" "$(sql types.db 'SELECT events FROM profile')" \
        "$(sql indirect.db 'SELECT events FROM profile')"
    awk '{ print $1, $3, $4 }' said | summed >wanted
    callees calls.db >got
    same "$1: each site calls each method as often as the program says" got wanted
    # The slots of indirect calls, with the callee that the program says is in each.
    slots types.db >slots
    awk 'NR == FNR { callee[$2] = $3; next } { print $1, ($2 in callee ? callee[$2] : "?"), $3 }' \
        said slots | summed >got
    callees indirect.db >wanted
    same "$1: the slots of each site hold what it called indirectly" got wanted
    [ "$3" = guessed ] && return
    awk '{ print $1, $2, $4 }' said | summed >wanted
    same "$1: each site takes each slot as often as the program says" slots wanted
}

for options in -O0 -O1 '-O2 -fno-devirtualize-speculatively' '-O1 -mindirect-branch-register'; do
    build classes g++ -g -static $options "$programs/classes.cc"
    check "C++ $options" ./classes
done
for options in -O2 -O3; do
    build classes g++ -g -static $options "$programs/classes.cc"
    check "C++ $options" ./classes guessed
done
build classes g++ -g -O2 -fno-devirtualize-speculatively "$programs/classes.cc"
check 'C++, dynamic, position independent' ./classes

bare='-g -nostdlib -static -ffreestanding -fno-builtin -fno-stack-protector -fno-pic -no-pie'
while read -r arch compiler; do
    set -- $compiler
    if ! command -v "$1" >/dev/null; then
        skip "$arch" "there is no $1"
        continue
    fi
    for level in 0 1 2; do
        build tables $compiler $bare -O$level -I "$programs" "$programs/tables.c"
        # Where the target waits in memory, its slot is that place: left out.
        case $level-$arch in 0-* | 2-mips*) spilled=call_from_start ;; *) spilled=none ;; esac
        check "$arch -O$level" ./tables
    done
done <<'END'
x86-64 gcc
aarch64 aarch64-linux-gnu-gcc
riscv64 riscv64-linux-gnu-gcc
riscv32 riscv64-linux-gnu-gcc -march=rv32imafdc -mabi=ilp32d
mipsel mipsel-linux-gnu-gcc -mno-abicalls
mips mips-linux-gnu-gcc -mno-abicalls
END
# A slot is called by its method table.
if command -v g++ >/dev/null; then
    build named g++ -O2 -g "$programs/classes.cc"
    profile named.db -p type -- ./named
    like 'slots have the names of their method tables' "$("$sluice" report -n 1000 named.db)" '*vtable for Square+0x*'
    is 'in JSON next to their addresses' \
        "$("$sluice" report --json named.db | grep -c '"slot_symbol": "vtable for Square+0x' | sed 's/[1-9][0-9]*/some/')" some
fi
finish
