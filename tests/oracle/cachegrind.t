#!/bin/sh
# SPDX-License-Identifier: MIT
# References and misses in caches of many geometries equal those of valgrind's cachegrind, count
# for count.
#
# The programs have their stack in their own data section, so that all addresses are the same under
# QEMU and under valgrind. tests/support/cache_counts.c lists cachegrind's counting rules and those
# that differ from the models.
. "$(dirname "$0")/../lib.sh"
need valgrind gcc qemu-x86_64
[ "$(uname -m)" = x86_64 ] || skip_all 'the programs are for x86-64, and valgrind runs only its own'
counts=$BUILD/tests/support/cache_counts

# Cachegrind's counts, in its order: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw. Valgrind
# must not follow branches in translating, or it executes instructions ahead of them.
cachegrind() # cachegrind I1 D1 LL PROGRAM
{
    rm -f cachegrind.out
    valgrind -q --tool=cachegrind --cache-sim=yes --vex-guest-chase=no --I1="$1" --D1="$2" \
        --LL="$3" --cachegrind-out-file=cachegrind.out "$4" >out.valgrind 2>valgrind.err
    if grep -qx 'events: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw *' cachegrind.out 2>/dev/null; then
        sed -n 's/^summary: //p' cachegrind.out | sed 's/ *$//'
    else
        cat valgrind.err
    fi
}

row() # row MODEL I1 D1 LL: the counts that a model has
{
    sed -n "s/^$1 $2 $3 $4 //p" counted
}

# Without LL's misses, which the hierarchy has by rules of its own.
first_level() { echo "$1" | awk '{ print $1, $2, $4, $5, $7, $8 }'; }

agree() # agree WHAT PROGRAM I1 D1 LL ...: LL may be "LL!", it never replaces anything
{
    local what=$1 program=$2 wanted caches hierarchy
    shift 2
    rm -f counted
    "$counts" "$BUILD" counted $(echo "$*" | tr -d '!') -- "$program" >out
    while [ $# -gt 0 ]; do
        wanted=$(cachegrind "$1" "$2" "${3%!}" "$program")
        caches=$(row caches "$1" "$2" "${3%!}") hierarchy=$(row hierarchy "$1" "$2" "${3%!}")
        is "$what: caches $1 $2 ${3%!} count as cachegrind does" "$caches" "$wanted"
        case $3 in
        *!) is "$what: so does their hierarchy" "$hierarchy" "$wanted" ;;
        *) is "$what: so do the first levels of their hierarchy" \
            "$(first_level "$hierarchy")" "$(first_level "$wanted")" ;;
        esac
        shift 3
    done
    same "$what: it prints the same" out out.valgrind
}

make_bare() # make_bare SOURCE COMPILER OPTION...
{
    local source=$1
    shift
    build bare "$@" -nostdlib -static -fno-builtin -fno-stack-protector -fcf-protection=none \
        -fno-pie -no-pie -Wl,-e,own_stack -I "$programs" "$programs/own_stack.c" \
        "$programs/$source.c"
}

# Direct-mapped, as in page 2 and page 4 (but valgrind needs lines of 32 bytes or more),
# as in page 5, ways and lines of all kinds, two lines, fully associative.
make_bare accesses gcc -O2
agree 'accesses.c, gcc -O2' ./bare \
    8192,1,32 8192,1,32 65536,2,32 \
    32768,1,32 32768,1,32 524288,4,64! \
    16384,4,64 16384,4,64 65536,8,64 \
    1024,2,64 1024,2,64 8192,8,64 \
    2048,8,32 1536,3,64 12288,6,128 \
    128,1,64 128,2,64 256,2,64 \
    4096,64,64 4096,128,32 32768,512,64
ok 'of which there are many of every kind' awk '
    /^caches 1024/ { for (i = 5; i <= 13; i++) if ($i < 1000) exit 1; n++ } END { exit !n }' counted

for options in 'gcc -O0' 'gcc -O3 -msse4.2' 'gcc -Os' 'clang -O2'; do
    command -v "${options%% *}" >/dev/null || continue
    make_bare accesses $options
    agree "accesses.c, $options" ./bare \
        1024,2,64 1024,2,64 8192,8,64 4096,1,32 2048,2,32 524288,4,32!
done
for program in shapes values tables predict; do
    for options in -O0 -O2; do
        make_bare $program gcc $options
        agree "$program.c, gcc $options" ./bare 1024,1,32 512,2,32 524288,4,64!
    done
done
finish
