#!/bin/sh
# Every instruction of a static program and its libc, decoded by us and
# disassembled by objdump: branch kind and target, loads and stores, width,
# delay slots and class must be what the mnemonic says (isa/*.awk).
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
dump=$BUILD/tests/support/isa_dump

# A libc's worth of functions, so that the linker brings much of it.
cat >"$work/whole.c" <<'END'
#include <complex.h>
#include <fenv.h>
#include <glob.h>
#include <iconv.h>
#include <math.h>
#include <netdb.h>
#include <pthread.h>
#include <regex.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>
void *volatile use[] = {printf, scanf, wprintf, qsort, strtold, strftime, strstr, memcpy, regcomp,
    pthread_create, getaddrinfo, iconv, glob, tsearch, sin, fma, sqrtl, pow, expl, lgammal, tgammaf,
    cexp, cpowl, nearbyint, lrintl, fmodl, remquo, fmaf, powf, cbrt, j0, erf, fegetenv};
int main(void) { return use[0] == 0; }
END

# compare ARCH SCRIPT LEAST UNKNOWN [OBJDUMP-OPTION...] <what objdump disassembles>:
# at least LEAST instructions; those whose mnemonic is like UNKNOWN may be `other`.
compare()
{
    arch=$1 script=$2 least=$3 unknown=$4
    shift 4
    "$@" | awk -f "$here/isa/listing.awk" -f "$here/isa/$script.awk" >"$work/want"
    "$dump" "$arch" <"$work/want" >"$work/got"
    paste -d ' ' "$work/want" "$work/got" | awk -v least="$least" -v unknown="^($unknown)$" \
        -v test="$((n + 1)) - $arch" '
        function differs(want, got) { return want != "?" && want != got }
        $14 == "other" && $7 != "other" && $8 ~ unknown { others++; next }
        { compared++ }
        $1 != $9 || differs($3, $10) || differs($4, $11) || differs($5, $12) || differs($6, $13) ||
        differs($7, $14) {
            if (bad++ < 20) print "# " $0
        }
        END {
            good = !bad && compared >= least
            print (good ? "" : "not ") "ok " test ": " compared " instructions are what objdump says" \
                (others ? " (" others " are newer than Capstone)" : "")
            if (!good) print "# " bad + 0 " differ"
        }'
    n=$((n + 1))
}

# build COMPILER [OPTION...]: a static program in $work/whole.
build()
{
    "$@" -w -static -o "$work/whole" "$work/whole.c" -lm 2>"$work/errors" ||
        { sed 's/^/# /' "$work/errors"; echo "Bail out! $1 makes no program"; exit 1; }
}

# sample COMPILER [OPTION...]: sample.c at several levels, in $work/sample*. It is
# linked, with holes in it, since branches in an object go nowhere yet.
sample()
{
    for level in 0 1 2 3 s; do
        "$@" -w -ffreestanding "-O$level" -nostdlib -static -Wl,-e0,--unresolved-symbols=ignore-all \
            -o "$work/sample$level" "$here/isa/sample.c" || { echo "Bail out! $1 fails"; exit 1; }
    done
}

n=0
echo 1..8
build riscv64-linux-gnu-gcc
compare riscv64 riscv 150000 none riscv64-linux-gnu-objdump -dw "$work/whole"
build mipsel-linux-gnu-gcc
compare mipsel mips 150000 none mipsel-linux-gnu-objdump -dw "$work/whole"
build mips-linux-gnu-gcc
compare mips mips 150000 none mips-linux-gnu-objdump -dw "$work/whole"
build aarch64-linux-gnu-gcc
compare aarch64 aarch64 150000 'new-.*' aarch64-linux-gnu-objdump -dw "$work/whole"
build gcc
compare x86-64 x86 150000 '[vk].*|(inc|rd)sspq|fst[cs]w' objdump -dw -M intel "$work/whole"

sample riscv64-linux-gnu-gcc -march=rv32imafdc -mabi=ilp32
compare riscv32 riscv 5000 none riscv64-linux-gnu-objdump -dw "$work"/sample?
sample riscv64-linux-gnu-gcc -march=rv32imafd -mabi=ilp32d
compare riscv32 riscv 5000 none riscv64-linux-gnu-objdump -dw "$work"/sample?
sample mips-linux-gnu-gcc -march=mips32r6 -mcompact-branches=always
compare mips mips 5000 none mips-linux-gnu-objdump -dw "$work"/sample?
