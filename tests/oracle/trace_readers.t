#!/bin/sh
# SPDX-License-Identifier: MIT
# Two readers of the trace format, the library's and one written from docs/trace-format.md alone,
# print the same records and events.
. "$(dirname "$0")/../made.sh"
support=$BUILD/tests/support
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
count=0

agree() # agree SEED NEEDS SHAPES CHUNKS
{
    name="seed $1, needs $2, $4 chunks of shapes $3"
    "$support/make_slt" "$work/t.slt" "$@"
    compare
}

compare()
{
    count=$((count + 1))
    if "$support/naive_slt" "$work/t.slt" >"$work/naive" &&
        "$support/dump_slt" "$work/t.slt" >"$work/library" &&
        cmp "$work/naive" "$work/library" >&2 &&
        [ "$(tail -n 1 "$work/naive")" = end ]; then
        echo "ok $count - $name: $(wc -l <"$work/naive") lines are the same"
    else
        echo "not ok $count - $name"
        tail -n 1 "$work/naive" "$work/library" | sed 's/^/# /'
    fi
}

for needs in 0 1 2 3 4 5 6 7; do
    agree "1$needs" $needs wrelw 60
    agree "2$needs" $needs w 300
done
agree 31 7 e 70000
agree 32 0 f 150
agree 33 3 frw 120
agree 34 1 l 40
agree 35 1 w 0
agree 36 1 w 700
echo "1..$count"
