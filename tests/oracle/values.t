#!/bin/sh
# SPDX-License-Identifier: MIT
# Load values on every guest: the profile of a function that only loads from a table equals the
# histogram that the program prints.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3
source=$programs/values.c

# "value count" of what the function's loads loaded, without those that happen
# once, such as a return on x86-64.
histogram() # histogram DATABASE FUNCTION
{
    sql "$1" "WITH own AS (SELECT * FROM entry JOIN location ON address = pc WHERE function = '$2')
        SELECT printf('%x %d', value, sum(count)) FROM own WHERE pc IN
            (SELECT pc FROM own GROUP BY pc HAVING sum(count) > 1) GROUP BY value" | sort
}

bare='-g -nostdlib -static -ffreestanding -fno-builtin -fno-stack-protector -fno-pic -no-pie'
while read -r arch compiler; do
    set -- $compiler
    if ! command -v "$1" >/dev/null; then
        skip "$arch" "there is no $1"
        continue
    fi
    for level in 1 2; do
        build values $compiler -O$level $bare -I "$programs" "$source"
        profile all.db -p value -- ./values
        is "$arch -O$level: it ends well" $? 0
        cp out said
        for function in $(awk '!seen[$1]++ { print $1 }' said); do
            awk -v f="$function" '$1 == f { print $2, $3 }' said | sort >wanted
            histogram all.db "$function" >got
            case $function-$compiler in add_atomically-mips* | add_atomically-*no-outline*)
                todo='QEMU makes a store-conditional load, too' ;;
            esac
            same "$arch -O$level: $function loads what the program says" got wanted
            todo=
            [ $level = 1 ] || continue
            profile a.db -p value --range "$function" -- ./values
            sql a.db 'SELECT pc, value, count FROM entry' | sort >ranged
            sql all.db "SELECT pc, value, count FROM entry JOIN location ON address = pc
                WHERE function = '$function'" | sort >part
            same "$arch -O$level: --range $function is that part of the whole profile" ranged part
        done
    done
done <<'END'
x86-64 gcc
aarch64 aarch64-linux-gnu-gcc -mno-outline-atomics
aarch64 aarch64-linux-gnu-gcc -march=armv8.1-a
riscv64 riscv64-linux-gnu-gcc
riscv32 riscv64-linux-gnu-gcc -march=rv32imafdc -mabi=ilp32d
mipsel mipsel-linux-gnu-gcc -mno-abicalls
mips mips-linux-gnu-gcc -mno-abicalls
END
finish
