#!/bin/sh
# SPDX-License-Identifier: MIT
# Tables that model hardware give the same result in batches as event by event on a real stream:
# the same messages, intervals, entries and status (tests/support/step_table.c).
. "$(dirname "$0")/../lib.sh"
need gzip

specs='P256 R256 RD256 CR256 A16 H[P256]2048 H[R64]256 H[CR256]1024(estimate=ratio)
    H[A4]64 H[P256]2048+A16 T2/256x2048w2 T2/256x2048w2+A16 singlehash(interval=100K)
    multihash(interval=100K) multihash(interval=10K,threshold=1%,tables=3,counters=96)'

head -c 60000 "$root/src/stream/trace/trace_write.c" "$root/src/stream/ring.h" "$root/LICENSE" >input
"$sluice" record -q -p value -o trace.slt gzip -c input >compressed 2>err
is 'gzip is recorded' "$? $(cat err)" '0 '
# shellcheck disable=SC2086
"$BUILD/tests/support/step_table" trace.slt $specs >lines
is 'every table was compared with itself, in four ways' "$(wc -l <lines)" \
    $(($(echo $specs | wc -w) * 4))
while read -r line; do
    like "in batches as by steps: ${line#*: }" "$line" 'same: *'
done <lines
loads=$(sed -n 's/.*values to P256: \([0-9]*\) events.*/\1/p' lines)
ok "the stream is not small: $loads loads" [ "$loads" -gt 200000 ]
is 'all that send have sent' "$(grep -v hash lines | grep -c ' 0 messages')" 0
is 'all that report intervals have' "$(grep hash lines | grep -c ', 0 intervals')" 0
finish
