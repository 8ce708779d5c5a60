#!/bin/sh
# SPDX-License-Identifier: MIT
# Code that a program generates and overwrites at run time is counted exactly, each version
# separately, and named by its address.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3 jq

while read -r arch compiler; do
    if ! command -v "$compiler" >/dev/null; then
        skip "$arch" "there is no $compiler"
        continue
    fi
    build generated "$compiler" -O1 -static "$programs/generated.c"
    profile a.db -p function:count -p edge -p block -p function -p block:instructions -p value -- ./generated
    is "$arch: it ends well" $? 0
    page=$((0x$(sed -n 's/page //p' out)))
    inside="pc >= $page AND pc < $page + 4096"
    is "$arch: the page is entered so often" \
        "entries $(sql a.db "SELECT sum(count) FROM entry WHERE profile = 0 AND $inside")" "$(grep entries out)"
    is "$arch: it is one function, at its address" \
        "$(sql a.db "SELECT count(*), pc, function IS NULL FROM entry LEFT JOIN location ON address = pc
            WHERE profile = 0 AND $inside")" "1|$page|1"
    is "$arch: its conditional branches went so often" \
        "branches $(sql a.db "SELECT sum(count) FROM entry WHERE profile = 1 AND $inside")" "$(grep branches out)"
    is "$arch: functions' instructions are all instructions" \
        "$(sql a.db 'SELECT sum(count) FROM entry WHERE profile = 3')" \
        "$(sql a.db 'SELECT instructions FROM program')"
    is "$arch: the page's blocks have the page's instructions" \
        "$(sql a.db "SELECT sum(count) FROM entry WHERE profile = 4 AND $inside")" \
        "$(sql a.db "SELECT count FROM entry WHERE profile = 3 AND pc = $page")"
    is "$arch: in reports it is a bare address" "$("$sluice" report --json a.db | jq -r --arg pc \
        "$(printf '0x%x' $page)" '.profiles[0].entries[] | select(.pc == $pc) | .symbol, .object, .line' |
        tr '\n' ' ')" "$(printf '0x%x' $page) null null "
done <<END
$(cross_compilers)
END
finish
