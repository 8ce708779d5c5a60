#!/bin/sh
# The engine computes floating-point numbers in a quicker way than QEMU (tap/engine/quick_float.h):
# results and exceptions are QEMU's own, to the bit; of programs of this processor, numbers and
# exceptions are the processor's, too.
. "$(dirname "$0")/../lib.sh"
need qemu-x86_64
[ -x "$BUILD/engine/qemu-x86_64" ] || skip_all "the engine is not built (make engine)"
flags='-O1 -static -frounding-math -ftrapping-math -ffp-contract=off -w'
# (Of QEMU's least of two, subnormal operands come back as they were.)
numbers='/ 6 .*none subnormal/d; s/: [0-9a-f]* /: /'

while read -r guest compiler; do
    plain=$(PATH=/usr/bin:/bin command -v "qemu-$guest") || plain=
    if [ ! "$plain" ] || ! command -v "$compiler" >/dev/null; then
        skip "$guest: results and exceptions are those of plain QEMU" "there is no QEMU or compiler for it"
        continue
    fi
    # shellcheck disable=SC2086
    build "floats-$guest" "$compiler" $flags "$programs/floats.c" -lm
    "$plain" "./floats-$guest" >plain
    "$BUILD/engine/qemu-$guest" "./floats-$guest" >engine
    same "$guest: results and exceptions are those of plain QEMU" engine plain
    "$sluice" run -q -p value@multihash -o floats.db --qemu "$BUILD/engine/qemu-$guest" "./floats-$guest" >watched
    same "$guest: so they are when it is watched" watched plain
    if [ "$guest" = "$(uname -m)" ]; then
        "./floats-$guest" | sed "$numbers" >native
        sed "$numbers" engine >computed
        same "$guest: numbers and exceptions are those of the processor" computed native
    fi
done <<END
x86_64 gcc
aarch64 aarch64-linux-gnu-gcc
riscv64 riscv64-linux-gnu-gcc
mipsel mipsel-linux-gnu-gcc
END
finish
