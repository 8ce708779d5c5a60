#!/bin/sh
# SPDX-License-Identifier: MIT
# Sweeps on a GPU; without one, the same sources run in vector lanes of the CPU. Measures equal
# those of the tables to the bit; tables without a GPU implementation are refused by name before
# the sweep starts.
. "$(dirname "$0")/../lib.sh"
need sqlite3
lanes=$BUILD/tests/libsluice-lanes.so
[ -e "$lanes" ] || skip_all 'there is no libsluice-lanes.so'

cat >all.grid <<'END'
profile value@multihash(tables={1,2,4,8,16},counters={64,1K},interval={1K,3333},threshold={1%,2%},conservative={0,1},reset={0,1},retain={0,1})
profile value@multihash(tables=4,counters=256,interval=10K,threshold=1%,accumulator={3,10},bits={7,24},word={32,64})
profile value@singlehash(counters={64,4K},interval=10K,threshold={1%,0.2%},reset={0,1})
profile value@{P,R,RD,CR}{1,7,256}
profile value@H[{P,R,RD,CR}{3,64}]{16,1024}+A16
profile value@CR64+A16+A64(estimate=ratio)
profile value@T{4,16}/{4,32,256}x{64,1024}w{1,4}
profile value@T8/32x64(quotient=integer,first_miss=counts)
profile value@hpt({64,512}x{1,4},replacement={lfu,lru,age},index={xor,start},counter={4,32})
profile block@hpt({64,512}x{1,4,8},replacement={lfu,lru,age})
profile edge@multihash(tables={1,2,4},counters={64,1K},interval=1K,threshold={1%,5%},reset={0,1})
END
cat >loads.c <<'END'
unsigned table[4096], sum;
int main(void)
{
    for (unsigned i = 0, x = 1; i < 40000; i++, x = x * 1664525 + 1013904223)
        sum += table[x >> 24 & 255 & (i | 15)]++ + table[x >> 20];
    return 0;
}
END
streams=synth:'zipf(events=20K,seed=3)'
grep -v 'edge\|block' all.grid >values.grid
"$sluice" sweep -q -o here.db --grid values.grid "$streams" 2>err
is 'on the processor: status 0' $? 0
SLUICE_GPU=$lanes "$sluice" sweep -q -o there.db --on gpu --grid values.grid "$streams" 2>err
is 'in lanes: status 0' "$? $(cat err)" '0 '
figures() # figures FILE
{
    sql "$1" "SELECT cache_key, spec, measure, printf('%!.20g', value) FROM measurement
        JOIN step ON step.id = measurement.step JOIN point ON point.id = label" | sort
}
figures here.db >here.figures
figures there.db >there.figures
ok 'there are many figures' [ "$(wc -l <here.figures)" -gt 5000 ]
same 'all of them are the same to the bit' there.figures here.figures

# Little memory: a few tables at a time, and a few events.
rm -f there.db
SLUICE_GPU=$lanes SLUICE_LANES_MEMORY=300000 "$sluice" sweep -q -o there.db --on gpu --shard 100 \
    --grid values.grid "$streams" 2>err
is 'in many goes: status 0' "$? $(cat err)" '0 '
figures there.db >there.figures
same 'figures are the same to the bit' there.figures here.figures

# A program's edges and blocks, whose tuples have numbers and no values.
if cc -O1 -o loads loads.c 2>/dev/null && "$sluice" record -q -p edge -o loads.slt -- ./loads 2>/dev/null; then
    grep 'edge\|block' all.grid >edges.grid
    "$sluice" sweep -q -o here-edges.db --grid edges.grid loads.slt &&
        SLUICE_GPU=$lanes "$sluice" sweep -q -o there-edges.db --on gpu --grid edges.grid loads.slt
    figures here-edges.db >here.figures
    figures there-edges.db >there.figures
    same 'figures of edges and blocks, too' there.figures here.figures
    SLUICE_GPU=$lanes "$sluice" sweep -q -o none.db --on gpu -p value@P64 loads.slt 2>err
    is 'what a stream does not carry is missing: status 125' $? 125
    "$sluice" sweep report none.db >out
    like 'and the report says why' "$(tr '\n' ' ' <out)" '*load values*'
else
    skip 'figures of edges and blocks' 'no compiler or no tap'
fi

refused() # refused WHAT SPEC MESSAGE [OPTION...]
{
    local what=$1 spec=$2 message=$3
    shift 3
    SLUICE_GPU=$lanes "$sluice" sweep -q -o refused.db --on gpu -p "$spec" -p value@P64 "$@" "$streams" 2>err
    is "$what is refused: status 125" $? 125
    like 'with its name and why' "$(cat err)" "*$message*"
    is 'and nothing has run' "$(ls refused.db* 2>/dev/null)" ''
}
refused 'a table without a step there' value@exact 'value:count@exact* cannot run on a GPU'
refused 'an A in the first position' value@A16 'A16* first component is A'
refused 'approximate counters' 'value@multihash(base=1.1,bits=8)' 'multihash* exact counters only'
refused 'a window of phases' 'value@hpt(64x4,phase=1K)' 'hpt* phases'
refused 'many ways' 'value@hpt(4096x64)' '32 ways'

SLUICE_GPU=$PWD/none.so "$sluice" sweep -q -o none2.db --on gpu -p value@P64 "$streams" 2>err
is 'without the library: status 125' $? 125
like 'and how to build it' "$(cat err)" '*make gpu*'
cc -shared -o other.so -x c - <<'END' 2>/dev/null && {
unsigned sl_bank[8] = {99};
END
    SLUICE_GPU=$PWD/other.so "$sluice" sweep -q -o none3.db --on gpu -p value@P64 "$streams" 2>err
    is 'with one of another version: status 125' $? 125
    like 'it says so' "$(cat err)" '*another version*'
}

nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)
case $BUILD in */san) nvcc= ;; esac # it links no sanitizers
if [ "$nvcc" ] && make -s -C "$root" "NVCC=$nvcc" GPU_CODE=-arch=sm_90 "GPU_LIBRARY=$T/gpu.so" BUILD="$BUILD" gpu >out 2>&1; then
    SLUICE_GPU=$T/gpu.so "$sluice" sweep -q -o card.db --on gpu --grid values.grid "$streams" 2>err
    status=$?
    case $(cat err) in
    *'no GPU found'*)
        is 'built by nvcc, without a card: status 125' $status 125
        ;;
    *)
        figures card.db >there.figures
        figures here.db >here.figures
        same 'on the card figures are the same to the bit' there.figures here.figures
        ;;
    esac
elif [ "$nvcc" ]; then
    is 'nvcc builds the library' "$(cat out)" ''
else
    skip 'nvcc builds the library' 'there is no nvcc, or what it links is sanitized'
fi
finish
