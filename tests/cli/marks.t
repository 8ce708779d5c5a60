#!/bin/sh
# SPDX-License-Identifier: MIT
# Region markers: with --marked, exactly the instructions between SLUICE_BEGIN() and SLUICE_END()
# count, on every guest; without --marked, and without sluice, the markers have no effect.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3

bare='-g -nostdlib -static -ffreestanding -fno-builtin -fno-stack-protector -fno-pic -no-pie'
while read -r arch qemu compiler; do
    set -- $compiler
    if ! command -v "$1" >/dev/null; then
        skip "$arch" "there is no $1"
        continue
    fi
    for level in 0 2; do
        what="$arch -O$level"
        build marks $compiler $bare -O$level -I "$root/include" -I "$programs" "$programs/marks.c"
        $qemu ./marks >native
        status=$?
        profile marked.db --marked -p function:count -p value -p function -p call -p block -- ./marks
        is "$what: its exit status" $? $status
        same "$what: its output" out native
        profile all.db -p function:count -p value -p function -p call -- ./marks

        sed -n 's/^all //p' out | sort >wanted
        functions all.db | join wanted - | awk '{ print $1, $3 }' >got
        same "$what: without --marked, every call counts" got wanted
        sed -n 's/^calls //p' out | awk '$2 > 0' | sort >wanted
        functions marked.db | join wanted - | awk '{ print $1, $3 }' >got
        same "$what: with --marked, the calls between marks" got wanted
        sql marked.db "SELECT function, sum(count) FROM entry JOIN location ON address = value
            WHERE profile = 3 GROUP BY function" | tr '|' ' ' | sort | join wanted - |
            awk '{ print $1, $3 }' >got
        same "$what: with --marked, the calls that call instructions made" got wanted

        # What peek loads from the table: the only one-byte load in it, known by where it loads.
        sed -n 's/^peek //p' out | sort >wanted
        load=$(sql all.db "SELECT pc FROM entry JOIN location ON address = pc WHERE profile = 1
            AND function = 'peek' GROUP BY pc HAVING group_concat(value) LIKE '%9%' AND max(value) = 9
            AND count(*) > 5 LIMIT 1")
        sql marked.db "SELECT value, count FROM entry WHERE profile = 1 AND pc = $load" | tr '|' ' ' |
            sort >got
        same "$what: with --marked, what is loaded between marks" got wanted

        # leaf has no branch: every call of it executes the same number of instructions.
        each=$(($(count_of leaf all.db 2) / $(count_of leaf all.db 0)))
        [ $level -eq 0 ] && is "$what: with --marked, the instructions of leaf between marks" \
            "$(count_of leaf marked.db 2)" $((each * $(count_of leaf marked.db 0)))
        is "$what: with --marked, blocks are blocks between marks" \
            "$(sql marked.db "SELECT sum(count) FROM entry JOIN location ON address = pc
                WHERE profile = 4 AND function = 'leaf' AND pc = function_start")" \
            "$(count_of leaf marked.db 0)"
    done
done <<'END'
x86-64 qemu-x86_64 gcc
aarch64 qemu-aarch64 aarch64-linux-gnu-gcc
riscv64 qemu-riscv64 riscv64-linux-gnu-gcc
riscv32 qemu-riscv32 riscv64-linux-gnu-gcc -march=rv32imafdc -mabi=ilp32d
mipsel qemu-mipsel mipsel-linux-gnu-gcc -mno-abicalls
mips qemu-mips mips-linux-gnu-gcc -mno-abicalls
END

build marks gcc $bare -O1 -I "$root/include" -I "$programs" "$programs/marks.c"
build plain gcc $bare -O1 -DSLUICE_NO_MARKS -I "$root/include" -I "$programs" "$programs/marks.c"
profile marks.db -p function -- ./marks
profile plain.db -p function -- ./plain
marks=$((2 * 40 + 4 + 2 + 2 + 2 + 1))
is 'a mark is one instruction' "$(sql marks.db 'SELECT instructions FROM program')" \
    $(($(sql plain.db 'SELECT instructions FROM program') + marks))
profile plain.db --marked -p function -p edge -p value -- ./plain
is 'a program without marks has no events with --marked' \
    "$(sql plain.db 'SELECT sum(events) FROM profile')" 0
like 'and the report says between what' "$("$sluice" report plain.db)" '*between region markers*'
finish
