#!/bin/sh
# Tables on a GPU beside one core of the same machine: figures, and how long they take.
#
#     bench/gpu.sh DIRECTORY [TRACE]
#
# DIRECTORY has sluice and libsluice-gpu.so, and in lib/ the libraries that they need where the machine
# does not have them; TRACE (DIRECTORY/stream.slt) has values, of 100 M loads or more. `make gpu-bundle`
# puts all of that together. What the processor says may be there already, as NAME.csv. Prints what
# docs/performance.md has. Takes some five minutes, of which SECONDS (200) are for the ten thousand tables.
set -u
began=$(date +%s)
at=$(cd "$1" && pwd)
trace=$(realpath "${2:-$at/stream.slt}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
cd "$work"
limit=${LIMIT:-470M} # instructions: about 100 M loads
few=${FEW:-28M}      # those that one core gets
check=${CHECK:-300K} others=${OTHERS:-47M}

sluice() {
    LD_LIBRARY_PATH="$at/lib" "$at/sluice" "$@"
}
now() {
    date +%s.%N
}
# NAME SECONDS ARGUMENT...: a sweep into NAME.db, and how long it took.
timed() {
    name=$1 most=$2
    shift 2
    begin=$(now)
    LD_LIBRARY_PATH="$at/lib" timeout "$most" $pinned "$at/sluice" sweep -q -o "$name.db" "$@" || {
        echo "$name: exit status $?"
        sluice sweep report "$name.db" | head -5
    }
    took=$(echo "$(now) $begin" | awk '{print $1 - $2}')
    sluice sweep report --all -f csv "$name.db" >"$name.csv"
    rows=$(($(wc -l <"$name.csv") - 1))
    events=$(awk -F'"' 'NR == 1 {n = split($0, c, ","); for (i = 1; i <= n; i++) if (c[i] ~ /"events"/) k = i - 3}
        NR == 2 {m = split($NF, v, ","); print v[k + 1] + 0}' "$name.csv")
    echo "$name: $rows tables, $events events, $took s" \
        "$(echo "$rows $events $took" | awk '{printf "%.3g events x tables a second", $1 * $2 / $3}')"
}
# NAME SECONDS ARGUMENT...: the same on the processor, unless it is known.
processor() {
    if [ -e "$at/$1.csv" ]; then
        cp "$at/$1.csv" .
    else
        timed "$@"
    fi
}
# A: rows of A that B does not have, whatever their streams are called.
differing() {
    for i in "$1" "$2"; do
        sed 's/^"[^"]*",//' "$i.csv" | sort >"$i.sorted"
    done
    comm -23 "$1.sorted" "$2.sorted" | wc -l
}
pinned=
grid='tables={1,2,4,8},counters={256..4K},conservative={0,1},reset={0,1},retain={0,1}'

uname -m; nproc; nvidia-smi -L 2>/dev/null
sluice --version

# (1) Every kind of table, figure by figure.
cat >all.grid <<'END'
profile value@multihash(tables={1,2,4,8,16},counters={64..1K},interval={1K,33333},threshold={1%,0.5%},conservative={0,1},reset={0,1},retain={0,1})
profile value@multihash(tables=4,counters=256,interval=10K,threshold=1%,accumulator={3,10},bits={7,24},word={32,64})
profile value@singlehash(counters={64..64K},interval=10K,threshold={1%,0.2%},reset={0,1})
profile value@{P,R,RD,CR}{1,7,256}
profile value@H[{P,R,RD,CR}{3,64,256}]{16,1024}+A16
profile value@{P,R,RD,CR}64+A16+A64
profile value@T{4,8,16}/{4,32,256}x{64,1024}w{1,2,4}
profile value@hpt({64,512}x{1,4,8},replacement={lfu,lru,age},index={xor,start},counter={4,32})
profile path@hpt({64,512}x{1,4,8},replacement={lfu,lru,age},index={xor,start})
profile edge@multihash(tables={1,2,4},counters={64,1K},interval=10K,threshold={1%,0.5%},reset={0,1})
END
processor check 200 --grid all.grid --limit "$check" "$trace"
timed check-gpu 100 --on gpu --grid all.grid --limit "$check" "$trace"
echo "rows of the processor's $(($(wc -l <check.csv) - 1)) that the card has otherwise: $(differing check check-gpu)"

# (2) Ten thousand interval tables: on a tenth of the stream, and on all of it if that will take no longer
# than it may; and whether the processor says the same of some of them.
nvidia-smi --query-gpu=utilization.gpu,power.draw --format=csv,noheader,nounits -l 1 >load 2>/dev/null &
watcher=$!
tables="value@multihash($grid,interval={1M,2M},threshold={0.1%,0.2%,0.5%,1%},seed={1..8+1})"
timed gpu-tenth 150 --on gpu -p "$tables" --limit "${TENTH:-47M}" "$trace"
left=$((${SECONDS_MAX:-200} - $(date +%s) + began))
if echo "$took $left" | awk '{exit !(8 * $1 < $2)}'; then
    timed gpu "$left" --on gpu -p "$tables" --limit "$limit" "$trace"
    processor whole 250 -p "value@multihash(tables=4,counters=2K,conservative=1,reset={0,1},retain=1,interval={1M,2M},threshold={0.2%,1%},seed=1)" \
        --limit "$limit" "$trace"
    echo "rows of the processor's $(($(wc -l <whole.csv) - 1)) that the card has otherwise: $(differing whole gpu)"
else
    echo "the whole would take too long: $left s are left"
fi
kill $watcher
awk -F, '$1 > 50 {n++} END {print n " s with the card at work"}' load

# (3) Compressors and hot path tables.
cat >others.grid <<'END'
profile value@H[{P,R,RD,CR}{64..8192}]{64..4096}+A16
profile value@T{4,8,16}/{64..1024}x{64..1024}w{1,2,4}
profile value@hpt({128..2048}x{1,2,4,8},replacement={lfu,lru,age},index={xor,start})
END
timed others-gpu 60 --on gpu --grid others.grid --limit "$others" "$trace"

# (4) One core of the same machine.
[ "${CORE:-1}" = 0 ] && exit
pinned="taskset -c 1"
timed core 120 -j 1 -p "value@multihash($grid,interval={1M,2M},threshold={0.1%,1%},seed=1)" --limit "$few" "$trace"
timed others-core 120 -j 1 -p 'value@H[{P,R,RD,CR}256]{256,2048}+A16' -p 'value@T8/256x1024w{1,4}' \
    -p 'value@hpt({512,2048}x4,replacement={lfu,age})' --limit "$few" "$trace"
