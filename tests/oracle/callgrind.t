#!/bin/sh
# SPDX-License-Identifier: MIT
# Instructions per function equal those of valgrind's callgrind: for a program without a C library
# in every function and in total; with a static C library in every function of the program itself.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/oracle/function_profiles.sh"
need valgrind gcc sqlite3 readelf

# "function instructions", exclusive, from callgrind's file. A line of numbers is
# a cost, but the one after calls= is what the call cost. A recursive function's
# deeper levels are the function'2. The entry point is "(below main)".
exclusive()
{
    awk '
        /^fn=/ { fn = substr($0, 4); sub(/\047[0-9]+$/, "", fn); if (fn == "(below main)") fn = "_start"; next }
        /^calls=/ { getline; next }
        /^[0-9+*-]/ { cost[fn] += $2 }
        END { for (fn in cost) if (cost[fn]) print fn, cost[fn] }' "$1" | sort
}

callgrind() # callgrind PROGRAM [ARGUMENT]
{
    valgrind -q --tool=callgrind --compress-strings=no --compress-pos=no --dump-instr=no --skip-plt=no \
        --callgrind-out-file=callgrind.out "$@" >out.valgrind 2>valgrind.err ||
        sed 's/^/# /' valgrind.err
    exclusive callgrind.out >wanted
}

# Callgrind adds a block when it is left, and the last one never is: the three
# instructions of bare.h that call exit.
LAST=3

for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    for options in -O0 -O1 -O2 -O3 -Os '-O2 -fno-jump-tables' '-O2 -fno-optimize-sibling-calls'; do
        what="$compiler $options, no C library"
        build bare $compiler $options -gdwarf-4 -nostdlib -static -fno-builtin -fno-stack-protector \
            -fcf-protection=none -fno-pie -no-pie -I "$programs" "$programs/shapes.c"
        callgrind ./bare
        awk -v last=$LAST '$1 == "_start" { $2 += last } { print }' wanted >wanted.whole
        profile a.db -p function:instructions@exact -- ./bare
        functions a.db >got
        same "$what: every function's instructions are callgrind's" got wanted.whole
        is "$what: so are all the program's" "$(sql a.db 'SELECT instructions FROM program')" \
            $(($(awk '/^totals:/ { print $2 }' callgrind.out) + LAST))
    done
done

# Without tail calls, calls and returns alone tell functions apart: with tail=0, and in a
# program without symbols, the same addresses have the same instructions.
build bare gcc -O2 -fno-optimize-sibling-calls -nostdlib -static -fno-builtin -fno-stack-protector \
    -fcf-protection=none -fno-pie -no-pie -I "$programs" "$programs/shapes.c"
strip -o stripped bare
profile a.db -p function -p 'function(tail=0)' -p function:count -- ./bare
profile b.db -p function -p function:count -- ./stripped
by_address() { sql "$1" "SELECT pc, count FROM entry WHERE profile = $2 ORDER BY pc"; }
by_address a.db 0 >wanted
by_address a.db 1 >got
same 'tail=0: functions are the same by calls and returns alone' got wanted
by_address b.db 0 >got
same 'no symbols: functions are the same by calls and returns alone' got wanted
by_address a.db 2 >wanted
by_address b.db 1 >got
same 'no symbols: so are their entries' got wanted

hosted() # hosted WHAT LEAST PROGRAM [ARGUMENT]: its own functions are in the file `own`
{
    what=$1 least=$2
    shift 2
    callgrind "$@"
    profile a.db -p function:instructions@exact -- "$@"
    same "$what: it prints the same" out out.valgrind
    functions a.db | own >got
    own <wanted >wanted.own
    same "$what: every function of the program has callgrind's instructions" got wanted.own
    ok "$what: which are at least $least" [ "$(wc -l <got)" -ge "$least" ]
}

# Callgrind counts a round more of `rep stos` than there are (docs/how-it-works.md), so the compiler
# is requested to call memset instead.
CALLS=-mstringop-strategy=libcall
[ "$(uname -m)" = x86_64 ] || CALLS=

of_object() { nm object.o | awk '$2 ~ /[tT]/ { print $3 }' | sort >own; }
for options in -O0 -O1 -O2; do
    build object.o gcc -c $options -g $CALLS -DHOSTED -fno-pie "$programs/shapes.c"
    build hosted gcc -static -no-pie object.o
    of_object
    hosted "gcc $options, shapes.c, static" 15 ./hosted
    build object.o gcc -c $options -g $CALLS -fno-pie "$programs/numbers.c"
    build hosted gcc -static -no-pie object.o
    of_object
    hosted "gcc $options, numbers.c, static" 8 ./hosted
done
build object.o gcc -c -O2 -g $CALLS -fPIE "$programs/numbers.c"
build hosted gcc -pie object.o
of_object
hosted "gcc -O2, numbers.c, dynamic" 8 ./hosted

for source in "$root"/bench/workloads/*.c; do
    name=$(basename "$source" .c)
    build "$name" gcc -std=gnu11 -O2 -g -static -fno-optimize-sibling-calls $CALLS "$source"
    own_functions "$name" "$name.c" >own
    hosted "$name" 4 "./$name" 1
done
finish
