#!/bin/sh
# SPDX-License-Identifier: MIT
# The decoders report the registers and memory that instructions really read and write: some
# instructions of each kind in a static program are executed one by one from random states
# (isa/effects/effects.c).
. "$(dirname "$0")/../made.sh"
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
n=0
# evaluate ARCH SCRIPT ASSEMBLY EMULATOR PREFIX SKIP RARE [OPTION...]: PREFIX of
# compiler and objdump. What SKIP matches is not run; what RARE matches may do
# less than we say in the states that were tried (a condition that never holds).
evaluate()
{
    arch=$1 script=$2 assembly=$3 emulator=$4 prefix=$5 skip=$6 rare=$7
    shift 7
    n=$((n + 1))
    intel= swap=1
    [ "$script" = x86 ] && intel='-M intel'
    case $arch in x86-64 | mips) swap= ;; esac
    if ! { "${prefix}gcc" -w -static -o "$work/whole" "$here/isa/whole.c" -lm &&
        "${prefix}gcc" "$@" -w -O2 -static -no-pie -o "$work/effects" "$here/isa/effects/effects.c" \
            "$here/isa/effects/$assembly.S"; } 2>"$work/errors"; then
        sed 's/^/# /' "$work/errors"
        echo "# gives up: ${prefix}gcc fails"
        exit 1
    fi
    "${prefix}objdump" -dw $intel "$work/whole" |
        awk -f "$here/isa/listing.awk" -f "$here/isa/$script.awk" >"$work/want"
    "$BUILD/tests/support/isa_dump" "$arch" <"$work/want" >"$work/got"
    paste -d ' ' "$work/want" "$work/got" | awk -v skip="$skip" -v swap=$swap -f "$here/isa/choose.awk" |
        $emulator "$work/effects" | awk -F ': ' -v rare=" ($rare) " -v test="$n - $arch" '
        $1 == "ok" { good++; next }
        $1 == "fault" { faults++; next }
        ($1 == "stores nothing" || $1 ~ /less$/) && $2 ~ rare { next }
        { bad++; print "# " $0 }
        END {
            fine = !bad && good > 200 && faults < good / 3
            print (fine ? "" : "not ") "ok " test ": " good " kinds of instructions do what we say"
            if (!fine) print "# " bad + 0 " wrong, " faults + 0 " could not be run"
        }'
}

echo 1..5
native=qemu-x86_64
[ "$(uname -m)" = x86_64 ] && native=
# QEMU 10 ends at an `sc` whose address is odd, instead of sending a signal.
evaluate riscv64 riscv riscv64 qemu-riscv64 riscv64-linux-gnu- '^sc|[, (](gp|tp|t6)' 'feq.*'
evaluate mipsel mips mips qemu-mipsel mipsel-linux-gnu- '[, (](gp|k0)|zero\)' 'sc|lw[lr]|mov[ft].*|c\..*' \
    -mno-abicalls -fno-pic
evaluate mips mips mips qemu-mips mips-linux-gnu- '[, (](gp|k0)|zero\)' 'sc|lw[lr]|mov[ft].*|c\..*' \
    -mno-abicalls -fno-pic
evaluate aarch64 aarch64 aarch64 qemu-aarch64 aarch64-linux-gnu- '[xw]18|#0x0$' 'stl?xr|cas.*|ld1b|st1b|aut.*'
# What a division leaves in the flags is undefined: some processors leave them as they were.
evaluate x86-64 x86 x86_64 "$native" '' '^f|^cld|^std|rip|[fg]s:|mm1[6-9]|mm[23]|k[0-7]|zmm' 'bs[fr]|or|lock|i?div'
