#!/bin/sh
# SPDX-License-Identifier: MIT
# The engine's faster floating-point operations give the same results as QEMU, to the bit.
#
# For x86-64 guests on an x86-64 host it uses the host's instructions (tap/engine/host_float.h):
# results, NaNs and MXCSR are those of the processor. For other guests, results and exceptions are
# those of QEMU (tap/engine/quick_float.h).
. "$(dirname "$0")/../lib.sh"
need qemu-x86_64
[ -x "$BUILD/engine/qemu-x86_64" ] || skip_all "the engine is not built (make engine)"
flags='-O1 -static -frounding-math -ftrapping-math -ffp-contract=off -w -pthread'

# Whether it is traced or not.
held_to() # WHOSE ANSWERS GUEST PROGRAM [ARGUMENT]
{
    whose=$1 answers=$2 qemu=$BUILD/engine/qemu-$3
    shift 3
    "$qemu" "$@" >engine
    same "${*#./}: results and exceptions are those of $whose" engine "$answers"
    "$sluice" run -q -p value@multihash -o floats.db --qemu "$qemu" "$@" >traced
    same "${*#./}: so they are when it is traced" traced "$answers"
}

if [ "$(uname -m)" = x86_64 ]; then
    for program in floats floats_x86 float_events; do
        # shellcheck disable=SC2086
        build "$program" gcc $flags -mfxsr -mxsave "$programs/$program.c" -lm
        "./$program" >native
        held_to 'the processor' native x86_64 "./$program"
    done
    qemu-x86_64 ./floats_x86 helped >plain
    held_to 'plain QEMU' plain x86_64 ./floats_x86 helped
else
    skip "x86_64: results and exceptions are those of the processor" "this is another one"
fi

while read -r guest compiler; do
    plain=$(PATH=/usr/bin:/bin command -v "qemu-$guest") || plain=
    if [ ! "$plain" ] || ! command -v "$compiler" >/dev/null; then
        skip "$guest: results and exceptions are those of plain QEMU" "there is no QEMU or compiler for it"
        continue
    fi
    # shellcheck disable=SC2086
    build "floats-$guest" "$compiler" $flags "$programs/floats.c" -lm
    "$plain" "./floats-$guest" >plain
    held_to 'plain QEMU' plain "$guest" "./floats-$guest"
done <<END
aarch64 aarch64-linux-gnu-gcc
riscv64 riscv64-linux-gnu-gcc
mipsel mipsel-linux-gnu-gcc
END
finish
