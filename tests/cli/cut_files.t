#!/bin/sh
# SPDX-License-Identifier: MIT
# A program whose executable is truncated while it runs, by a rebuild or on purpose, is profiled to
# its end. Only the symbols in the removed part are missing.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3 readelf
cat >cuts.c <<'END'
/* cuts FILE BYTES: works, makes FILE that short, works on. */
#include <stdlib.h>
#include <unistd.h>
static volatile unsigned sum;
__attribute__((noinline)) static void work(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        sum += i;
}
int main(int argc, char **argv)
{
    work(3000000);
    if (argc == 3 && truncate(argv[1], atol(argv[2])))
        return 3;
    work(1000000);
    return 7;
}
END
build whole gcc -O1 -g cuts.c
# The program maps the file up to here, and would itself die if this part were cut.
mapped=$(readelf -lW whole | awk '$1 == "LOAD" { print $2, $5 }' | while read -r at n; do echo $((at + n)); done | sort -n | tail -n 1)
for tap in plugin engine; do
    [ $tap = plugin ] || [ -x "$BUILD/engine/qemu-x86_64" ] || continue
    for jobs in 1 2; do
        for left in "$mapped" $((mapped + 2000)); do
            cp whole cut
            rm -f a.db
            SLUICE_TAP=$tap "$sluice" run -q -j $jobs -o a.db ./cut cut "$left" >out 2>err
            is "$tap, -j $jobs, cut to $left bytes: the status is that of the program" "$? $(cat err)" '7 '
            ok 'all instructions are counted' [ "$(sql a.db 'SELECT instructions FROM program')" -gt 12000000 ]
            ok 'the profile can be reported' "$sluice" report a.db -o report.txt
        done
    done
done
finish
