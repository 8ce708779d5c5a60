#!/bin/sh
# SPDX-License-Identifier: MIT
# The decoders agree with objdump on every instruction of a static program and its libc: branch
# kind and target, loads and stores, width, delay slots and class must match the mnemonic
# (isa/*.awk).
. "$(dirname "$0")/../made.sh"
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
dump=$BUILD/tests/support/isa_dump
n=0

# compare ARCH SCRIPT LEAST UNKNOWN [OBJDUMP-OPTION...] <what objdump disassembles>:
# at least LEAST instructions; those whose mnemonic is like UNKNOWN may be `other`.
compare()
{
    arch=$1 script=$2 least=$3 unknown=$4
    shift 4
    n=$((n + 1))
    "$@" | awk -f "$here/isa/listing.awk" -f "$here/isa/$script.awk" >"$work/want"
    "$dump" "$arch" <"$work/want" >"$work/got"
    paste -d ' ' "$work/want" "$work/got" | awk -v least="$least" -v unknown="^($unknown)$" \
        -v test="$n - $arch" '
        function differs(want, got) { return want != "?" && want != got }
        $15 == "other" && $7 != "other" && $8 ~ unknown { others++; next }
        { compared++ }
        $1 != $10 || differs($3, $11) || differs($4, $12) || differs($5, $13) || differs($6, $14) ||
        differs($7, $15) {
            if (bad++ < 20) print "# " $0
        }
        END {
            good = !bad && compared >= least
            print (good ? "" : "not ") "ok " test ": " compared " instructions are what objdump says" \
                (others ? " (" others " are newer than Capstone)" : "")
            if (!good) print "# " bad + 0 " differ"
        }'
}

# build COMPILER [OPTION...]: a static program in $work/whole.
build()
{
    "$@" -w -static -o "$work/whole" "$here/isa/whole.c" -lm 2>"$work/errors" ||
        { sed 's/^/# /' "$work/errors"; echo "# gives up: $1 makes no program"; exit 1; }
}

# sample COMPILER [OPTION...]: sample.c at several levels, in $work/sample*. It is
# linked, with holes in it, since branches in an object go nowhere yet.
sample()
{
    for level in 0 1 2 3 s; do
        "$@" -w -ffreestanding "-O$level" -nostdlib -static -Wl,-e0,--unresolved-symbols=ignore-all \
            -o "$work/sample$level" "$here/isa/sample.c" || { echo "# gives up: $1 fails"; exit 1; }
    done
}

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
