#!/bin/sh
# SPDX-License-Identifier: MIT
# The RTL that `sluice rtl` writes simulates on its own and agrees with the model; tables without
# RTL are refused.
. "$(dirname "$0")/../lib.sh"

# agrees NAME SPEC [OPTION...]: generates the RTL and simulates it with Icarus by its own Makefile.
agrees()
{
    local name=$1 spec=$2
    shift 2
    rm -rf hw
    "$sluice" rtl "$spec" -o hw "$@" >out 2>err
    is "$name: is generated" $? 0
    like "$name: prints a summary" "$(cat out)" 'hw: RTL of *'
    if command -v iverilog >/dev/null; then
        env -u MAKEFLAGS make -s -C hw icarus >out 2>&1
        like "$name: make prints only that it agrees" "$(cat out)" 'agrees: *'
    else
        skip "$name: make prints only that it agrees" 'iverilog is not installed'
    fi
}

agrees 'an interval profiler' \
    'value@multihash(tables=2,counters=32,bits=9,interval=150,threshold=7%,accumulator=5,seed=3)' -n 410
agrees 'a compressor with two levels' 'block:instructions@H[P20]4+A2+A3(width=9,seed=5)' -n 300
agrees 'a synthetic stream' 'value@T4/8x8w2' --stream 'synth:zipf(events=300)'

build primes gcc -O1 "$root/demo/primes.c"
agrees 'a profiler of functions' 'function:instructions@leap(bits=9)' -n 200 --program primes
agrees 'event counters' 'event@morris(counters=3,bits=4,group=2,lfsr=16)' -n 100
agrees 'counters that share registers' 'event@morris(counters=3,bits=4,group=2,lfsr=16,registers=shared)' -n 100
agrees 'a path table' 'path@hpt(8x2,replacement=age,counter=7)' -n 300
agrees 'a gathering sampler' 'value@G3/7x8k3+A2' -n 300
agrees 'approximate counters in intervals' \
    'value@multihash(tables=2,counters=32,bits=5,base=1.3,interval=150,threshold=7%,accumulator=5)' -n 300
agrees 'Space-Saving' 'edge@spacesaving(entries=5,counter=6)' -n 300
agrees 'Misra-Gries' 'block:instructions@misragries(entries=5,counter=11)' -n 300
agrees 'count-min' 'value@countmin(rows=2,columns=8,entries=5,counter=9,conservative=1)' -n 300
agrees 'the count sketch' 'block:instructions@countsketch(columns=8,entries=4,counter=14)' -n 300
agrees 'HeavyKeeper' 'value@heavykeeper(columns=4,entries=3,base=1.2,fingerprint=5)' -n 300
agrees 'the elastic sketch' 'value@elastic(buckets=2,ways=2,light=8,light_counter=4,lambda=2)' -n 300
agrees 'CocoSketch' 'block:instructions@cocosketch(rows=3,columns=4,counter=13)' -n 150

# Every table with fixed storage has RTL, and `sluice list` shows that.
"$sluice" list tables >list 2>err
is 'all tables with fixed storage have RTL' "$(awk '/^[a-z]/ {name = $1} /^A</ {name = "compressors"}
    name != "" && !(name in seen) {seen[name] = 1; order[++n] = name} / hardware: sluice rtl/ {has[name] = 1}
    END {for (i = 1; i <= n; i++) if (!(order[i] in has)) print order[i]}' list | xargs)" 'exact wpp'
is 'the list shows why the others have none' "$(grep -c ' hardware: none: it grows' list)" 2

"$sluice" rtl value@T4/8x8w2 --stream 'synth:zipf(events=300)' -o hw >out 2>err
if command -v iverilog >/dev/null; then
    # The test bench detects a wrong message.
    env -u MAKEFLAGS make -s -C hw icarus >/dev/null 2>&1
    sed -i '1s/ [^ ]*$/ 7/' hw/expected.txt
    env -u MAKEFLAGS make -s -C hw icarus >out 2>&1
    ok 'a wrong message is an error' [ $? -ne 0 ]
    like 'a wrong message is reported' "$(cat out)" '*differs: message 0 is *'
else
    skip 'a wrong message is an error' 'iverilog is not installed'
    skip 'a wrong message is reported' 'iverilog is not installed'
fi

# refused NAME SPEC PATTERN: the command fails with a message like PATTERN.
refused()
{
    "$sluice" rtl "$2" -o none >out 2>err
    ok "$1: is refused" [ $? -ne 0 ]
    like "$1: with a message" "$(cat err)" "$3"
    ok "$1: nothing is written" [ ! -e none ]
}
refused 'a table that grows' value@exact 'sluice: no RTL for exact (*'
refused 'functions without a program' function@leap 'sluice: *leap needs the functions of a program*'
refused 'a grammar' path@wpp 'sluice: no RTL for wpp (*'
refused '32-bit hashes' 'value@multihash(word=32)' 'sluice: no RTL for hash functions of 32-bit words*'
refused 'another variant of a table' 'value@T2/256x64(quotient=integer)' 'sluice: no RTL for word=32, quotient*'
refused 'counters with too many values' 'value@multihash(base=1.001,bits=16)' 'sluice: base=1.001 and bits=16 give a counter *'
refused 'registers driven by the clock' 'event@morris(registers=clock)' 'sluice: the RTL cannot be checked with registers=clock*'
refused 'an invalid spec' 'value@nothing' 'sluice: *'
"$sluice" rtl call@P4 --stream 'synth:zipf(events=300)' -o none >out 2>err
ok 'a stream without matching events: is refused' [ $? -ne 0 ]
like 'a stream without matching events: with a message' "$(cat err)" 'sluice: synth:zipf(events=300) has no events of call*'
rm -rf none
"$sluice" rtl value@P4 >out 2>err
is 'without a directory: status 2' $? 2
"$sluice" rtl value@P4 -o /dev/null/x >out 2>err
is 'a directory that cannot be created: status 125' $? 125
mkdir linked
echo precious >target_file
ln -s ../target_file linked/Makefile
"$sluice" rtl value@P4 -n 100 -o linked >out 2>err
is 'a link in the directory is replaced, not followed' "$? $(cat target_file) $([ -L linked/Makefile ] || wc -l <linked/Makefile | grep -c ..)" '0 precious 1'
finish
