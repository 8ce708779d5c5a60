#!/bin/sh
# SPDX-License-Identifier: MIT
# One program on every guest, with and without a C library, at several optimization levels: the
# profile has the numbers of function calls and true conditions that the program itself prints.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3
source=$programs/predict.c

# check WHAT PROGRAM QEMU LEVEL
check()
{
    "$3" "$2" >native
    status=$?
    profile a.db -p function:count -p edge -p call -- "$2"
    is "$1: its exit status" $? $status
    same "$1: its output" out native

    sed -n 's/^calls //p' out | sort >wanted
    functions a.db | join wanted - | awk '{ print $1, $3 }' >got
    same "$1: every function is called as often as it says" got wanted
    # At -O2 a call may become a jump.
    if [ "$4" -lt 2 ]; then
        sql a.db "SELECT function, sum(count) FROM entry JOIN location ON address = value
            WHERE profile = 2 GROUP BY function" | tr '|' ' ' | sort | join wanted - |
            awk '{ print $1, $3 }' >got
        same "$1: the number of calls to it" got wanted
    fi

    # "line fewer more", or at -O2, where a branch may be there twice, the sum.
    sed -n 's/^line //p' out | awk -v level="$4" '
        { print $1 " " (level > 1 ? $2 + $3 : $2 < $3 ? $2 " " $3 : $3 " " $2) }' | sort >wanted
    sql a.db "SELECT line, count FROM entry JOIN location ON address = pc WHERE profile = 1
        AND file LIKE '%predict.c' ORDER BY line, count" | tr '|' ' ' | awk -v level="$4" '
        { n[$1]++; sum[$1] += $2; text[$1] = text[$1] " " $2 }
        END { for (l in n) print l (level > 1 ? " " sum[l] : n[l] == 1 ? " 0" text[l] : text[l]) }' |
        sort >edges
    awk '{ print $1 }' wanted | join - edges >got
    case $1 in *r6*) todo='QEMU puts the instruction after a compact branch into its block' ;; esac
    same "$1: every condition has the outcomes that it says" got wanted
    todo=
}

have()
{
    command -v "$1" >/dev/null || { skip "$arch $*" "there is no $1"; false; }
}

bare='-g -nostdlib -static -ffreestanding -fno-builtin -fno-stack-protector -fno-pic -no-pie'
while read -r arch qemu compiler; do
    have $compiler || continue
    # Without a C library, MIPS code needs no position independence.
    case $arch in mips*) plain=-mno-abicalls ;; *) plain= ;; esac
    for level in 0 1 2; do
        what="$arch -O$level"
        build bare $compiler -O$level $bare $plain -I "$programs" "$source"
        check "$what, no C library" ./bare "$qemu" $level
        [ "$arch" = riscv32 ] || [ $level = 1 ] && continue
        build hosted $compiler -O$level -g -DHOSTED -static "$source"
        check "$what, C library" ./hosted "$qemu" $level
    done
done <<'END'
x86-64 qemu-x86_64 gcc
aarch64 qemu-aarch64 aarch64-linux-gnu-gcc
riscv64 qemu-riscv64 riscv64-linux-gnu-gcc
riscv32 qemu-riscv32 riscv64-linux-gnu-gcc -march=rv32imafdc -mabi=ilp32d
mipsel qemu-mipsel mipsel-linux-gnu-gcc
mips qemu-mips mips-linux-gnu-gcc
END

# Branches that not every compiler run makes: without delay slots, with slots that
# count only if taken, calls through two instructions, returns that authenticate,
# indirect calls through returns.
while read -r arch qemu compiler; do
    have $compiler || continue
    build bare $compiler $bare -I "$programs" "$source"
    # A retpoline calls by returning: the calls are not the program's.
    case $compiler in *thunk*) level=2 ;; *) level=1 ;; esac
    case $compiler in *r6*) export QEMU_CPU=mips32r6-generic ;; esac
    check "$arch: $compiler" ./bare "$qemu" $level
    unset QEMU_CPU
done <<'END'
mips qemu-mips mips-linux-gnu-gcc -O1 -mno-abicalls -march=mips32r6 -mcompact-branches=always
mipsel qemu-mipsel mipsel-linux-gnu-gcc -O1 -mno-abicalls -march=mips32r2 -mbranch-likely
mipsel qemu-mipsel mipsel-linux-gnu-gcc -O1 -mno-abicalls -mlong-calls
riscv64 qemu-riscv64 riscv64-linux-gnu-gcc -O1 -march=rv64imafd -mno-relax
aarch64 qemu-aarch64 aarch64-linux-gnu-gcc -O1 -march=armv8.3-a -mbranch-protection=standard
x86-64 qemu-x86_64 gcc -O1 -fcf-protection=full -fpatchable-function-entry=4
x86-64 qemu-x86_64 gcc -O1 -mindirect-branch=thunk -fcf-protection=none
END

# A delay slot on another page than its branch.
for arch in mips mipsel; do
    have $arch-linux-gnu-gcc || continue
    build bare $arch-linux-gnu-gcc -O1 -mno-abicalls $bare -I "$programs" "$programs/page_end.c"
    profile a.db -p function:count -p edge -p call -p function -- ./bare
    is "$arch: branches at the end of a page: it computes what it should" $? 0
    sed -n 's/^calls //p' out | sort >wanted
    functions a.db | join wanted - | awk '{ print $1, $3 }' >got
    same "$arch: branches at the end of a page: every function is called as often as it says" got wanted
    sql a.db "SELECT function, sum(count) FROM entry JOIN location ON address = value
        WHERE profile = 2 GROUP BY function" | tr '|' ' ' | sort | join wanted - |
        awk '{ print $1, $3 }' >got
    same "$arch: branches at the end of a page: the number of calls to it" got wanted
    is "$arch: branches at the end of a page: the loop's goes both ways" \
        "$(sql a.db "SELECT group_concat(count, ' ') FROM (SELECT count FROM entry JOIN location ON address = pc
            WHERE profile = 1 AND function = 'loop' ORDER BY count)")" "50 $(sed -n 's/taken //p' out)"
    is "$arch: branches at the end of a page: functions have all instructions" \
        "$(sql a.db 'SELECT sum(count) FROM entry WHERE profile = 3')" \
        "$(sql a.db 'SELECT instructions FROM program')"
done
finish
