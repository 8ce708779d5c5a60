#!/bin/sh
# SPDX-License-Identifier: MIT
# A CPU model (-m): its counts add up in every profile and on every guest; descriptions and
# overrides are parsed or refused; a replay gives the same counts as the run.
. "$(dirname "$0")/../lib.sh"
need gcc jq sqlite3

bare='-g -O1 -nostdlib -static -ffreestanding -fno-builtin -fno-stack-protector -fno-pic -no-pie'
metrics='cycles stalls imiss dmiss l2miss l3miss mispredict energy cachepower'
presets='rocket ss4 tiger u74 zen4'

total() # total DATABASE EVENT: its count in the whole run
{
    sql "$1" "SELECT count FROM machine_event WHERE name = '$2'"
}
lost() # of all causes together
{
    sql "$1" "SELECT sum(count) FROM machine_event WHERE name LIKE 'stall-%'"
}
happened() # happened DATABASE >FILE: all of it
{
    sql "$1" 'SELECT name, count FROM machine_event'
}
of_metric() # of_metric DATABASE METRIC: what its profiles have to add up to
{
    case $2 in
    stalls) lost "$1" ;;
    mispredict) echo $(($(total "$1" direction) + $(total "$1" target))) ;;
    *) total "$1" "$2" ;;
    esac
}
specs() # specs DETECTOR...: each with every metric
{
    for detector in "$@"; do
        for metric in $metrics; do
            printf -- '-p %s:%s ' "$detector" "$metric"
        done
    done
}

# adds_up WHAT MACHINE PROGRAM...: all metrics of functions and blocks, and the causes
adds_up()
{
    local what="$1, $2" machine=$2 id=0 wrong=
    shift 2
    profile a.db -m "$machine" $(specs function block) -- "$@"
    is "$what: it ends well" "$? $(cat err)" '0 '
    for detector in function block; do
        for metric in $metrics; do
            got=$(sql a.db "SELECT sum(count) FROM entry WHERE profile = $id")
            wanted=$(of_metric a.db $metric)
            [ "${got:-0}" -eq "$wanted" ] || wrong="$wrong $detector:$metric $got, not $wanted;"
            id=$((id + 1))
        done
    done
    is "$what: every metric adds up to what happened, by function and by block" "$wrong" ''
    is "$what: base and stall cycles are all cycles" \
        $(($(total a.db base) + $(lost a.db))) "$(total a.db cycles)"
    is "$what: the machine has seen all instructions" "$(total a.db instructions)" \
        "$(sql a.db 'SELECT instructions FROM program')"
    is "$what: each of one class" "$(sql a.db "SELECT sum(count) FROM machine_event WHERE name IN
        ('load', 'store', 'arithmetic', 'multiply', 'branch', 'jump', 'float', 'system',
        'other')")" \
        "$(total a.db instructions)"
}

# ---- every guest, every preset -------------------------------------------------

while read -r arch compiler; do
    set -- $compiler
    if ! command -v "$1" >/dev/null; then
        skip "$arch" "there is no $1"
        continue
    fi
    build costs $compiler $bare -I "$root/include" -I "$programs" "$programs/costs.c"
    for machine in $presets; do
        adds_up "$arch" $machine ./costs
    done
    profile a.db -m rocket,l1d.replacement=lru -p function:dmiss -p edge:mispredict -- ./costs
    misses=$(sed -n 's/^misses walk //p' out) walk=$(count_of walk a.db)
    # More of it only in a prologue, or when x86-64 returns.
    ok "$arch: every line that walk loads is a miss of walk ($walk)" \
        [ "$walk" -ge "$misses" -a "$walk" -le $((misses + 20)) ]
    is "$arch: the unpredictable branch is the one that is mispredicted" \
        "$(sql a.db "SELECT group_concat(DISTINCT line) FROM entry JOIN location ON address = pc
            WHERE profile = 1 AND rank <= 2 AND file LIKE '%costs.c'")" \
        "$(sed -n 's/^line //p' out)"
    ok "$arch: nearly all of them are there" [ "$(sql a.db "SELECT 100 * sum(count) >= 95 * weight
        FROM entry JOIN profile ON id = profile WHERE profile = 1 AND rank <= 2")" -eq 1 ]
done <<'END'
x86-64 gcc
aarch64 aarch64-linux-gnu-gcc
riscv64 riscv64-linux-gnu-gcc
riscv32 riscv64-linux-gnu-gcc -march=rv32imafdc -mabi=ilp32d
mipsel mipsel-linux-gnu-gcc -mno-abicalls
mips mips-linux-gnu-gcc -mno-abicalls
END

# ---- with a C library, floating point, threads -----------------------------------

while read -r arch compiler; do
    if ! command -v "$compiler" >/dev/null; then
        skip "$arch: with a C library" "there is no $compiler"
        continue
    fi
    build numbers "$compiler" -O1 -g -static "$programs/numbers.c"
    build threads "$compiler" -O1 -g -static -pthread -I "$root/include" "$programs/threads.c"
    for machine in rocket ss4; do
        adds_up "$arch, with a C library" $machine ./numbers
        adds_up "$arch, 4 threads" $machine ./threads 4 5000 20
    done
done <<END
$(cross_compilers)
END
build numbers gcc -O1 -g -static "$programs/numbers.c"
build costs gcc $bare -I "$root/include" -I "$programs" "$programs/costs.c"

# ---- descriptions ------------------------------------------------------------------

run() # run MACHINE DATABASE: of ./costs
{
    profile "$2" -m "$1" -p function:cycles -- ./costs
}

for machine in $presets; do
    run $machine a.db
    sql a.db 'SELECT description FROM machine' >mine.txt
    run ./mine.txt b.db
    happened a.db >a
    happened b.db >b
    same "$machine: its resolved description, read again, is the same machine" a b
    is "$machine: and says the same again" "$(sql b.db 'SELECT description FROM machine')" \
        "$(cat mine.txt)"
    ok "sluice list machines has $machine" sh -c "'$sluice' list machines | grep -q '^$machine '"
done

run ss4 a.db
run ss4,l2.size=2M b.db
is 'an override is in the name' "$(sql b.db 'SELECT name FROM machine')" ss4,l2.size=2M
is 'and in the description, alone' "$(sql a.db 'SELECT description FROM machine' >a
    sql b.db 'SELECT description FROM machine' | diff a - | grep '^[<>]')" '< l2.size = 524288
> l2.size = 2097152'
# It gets the same misses of L1; with more sets of LRU each line stays as long, or longer.
ok 'a larger L2 does not miss more' [ "$(total b.db l2miss)" -le "$(total a.db l2miss)" ]
is 'nor does it matter to L1' "$(total b.db dmiss)" "$(total a.db dmiss)"
run ss4,l2.size=16K b.db
ok 'a smaller one does' [ "$(total b.db l2miss)" -gt "$(total a.db l2miss)" ]
run rocket a.db
run rocket,core.width=2 b.db
ok 'two instructions a cycle take fewer cycles' [ "$(total b.db cycles)" -lt "$(total a.db cycles)" ]
ok 'and work is done in fewer' [ "$(total b.db base)" -lt "$(total a.db base)" ]
run rocket,l1i.prefetch=next-line b.db
ok 'the next line of code is prefetched, and used' [ "$(total b.db prefetchhit)" -gt 0 ]
ok 'not more is used than was brought' [ "$(total b.db prefetchhit)" -le "$(total b.db prefetch)" ]
ok 'which saves misses' [ "$(total b.db imiss)" -lt "$(total a.db imiss)" ]
run ss4,l2.size=16K a.db
run ss4,l2.size=16K,l3.size=1M,l3.ways=8 b.db
is 'an L3 does not change what L2 misses' "$(total b.db l2miss)" "$(total a.db l2miss)"
ok 'but keeps it from memory' [ "$(total b.db memory)" -lt "$(total a.db memory)" ]
for machine in $presets; do
    run $machine a.db
    case $machine in
    tiger) said=0 ;;
    *) said=1 ;;
    esac
    is "$machine: it is reported whether energy is calibrated" \
        "$("$sluice" report a.db | tr -s ' \n' '  ' | grep -c 'not calibrated for this CPU model')" $said
done
run rocket a.db
run rocket,memory.latency=0,itlb.latency=0,dtlb.latency=0 b.db
is 'a memory that takes no time costs none' \
    "$(sql b.db "SELECT sum(count) FROM machine_event WHERE name IN
        ('stall-fetch', 'stall-data', 'stall-itlb', 'stall-dtlb')")" 0
rest="SELECT sum(count) FROM machine_event
    WHERE name IN ('base', 'stall-loaduse', 'stall-long', 'stall-branch')"
ok 'all other causes cost as much as before, or what was hidden after it' \
    [ "$(sql b.db "$rest")" -ge "$(sql a.db "$rest")" ]
run rocket,core.frequency_mhz=500 b.db
is 'half the frequency, the same cycles' "$(total b.db cycles)" "$(total a.db cycles)"
ok 'and twice the energy, up to rounding' \
    [ "$(sql b.db "ATTACH 'a.db' AS a; SELECT abs(b.count - 2 * a.count) * 1000 < b.count
        FROM main.machine_event b JOIN a.machine_event a USING (name) WHERE name = 'energy'")" -eq 1 ]
run rocket b.db
same 'the same again gives the same bytes' b.db a.db

# ---- refusals ------------------------------------------------------------------------

refused() # refused WHAT PATTERN [OPTION...]
{
    local what=$1 pattern=$2
    shift 2
    rm -f a.db
    "$sluice" run -q -o a.db "$@" ./costs >out 2>err
    is "$what: status 2" $? 2
    is "$what: the program is not run" "$(cat out)" ''
    ok "$what: nothing is saved" [ ! -e a.db ]
    # shellcheck disable=SC2254
    like "$what: says what is wrong" "$(cat err)" "sluice: $pattern"
}
refused 'an unknown machine' '*"abacus"*rocket, ss4, tiger, u74 and zen4*' -m abacus
refused 'an empty name' '*CPU models are rocket*' -m ''
refused 'a file that is not there' '*./abacus.txt*' -m ./abacus.txt
refused 'an unknown section' '*unknown section "l4"*core,*l2*' -m rocket,l4.size=1M
refused 'an unknown key' '*colour*l2*size*' -m rocket,l2.colour=1
refused 'a key of another kind of core' '*rob*' -m rocket,core.rob=64
refused 'a value that is none' '*l2.size*large*' -m rocket,l2.size=large
refused 'an override without =' '*"l2" has no =*' -m rocket,l2
refused 'a cache that cannot be' '*l1d*' -m rocket,l1d.ways=3
refused 'an L2 with shorter lines than L1' '*l2.line*' -m ss4,l2.line=16
refused 'strides of code' '*l1i.prefetch=stride*' -m rocket,l1i.prefetch=stride
refused 'more than one best offset' '*prefetch_degree*' \
    -m ss4,l2.prefetch=best-offset,l2.prefetch_degree=2
refused 'lines of L3 shorter than those of L2' '*l3.line=32*' -m ss4,l3.size=1M,l3.ways=8,l3.line=32
refused 'a table of powers that is not there' '*abacus*' -m rocket,power.table=abacus
for metric in $metrics; do
    refused "$metric without a machine" "*--machine: *$metric*list machines*" -p function:$metric
done
refused 'a metric that values do not have' '*value*cycles*' -m rocket -p value:cycles
echo 'l1d.size = 16K
l1d.size = 32K' >twice.txt
"$sluice" run -q -o a.db -m ./twice.txt ./costs >out 2>err
is 'a damaged description: status 125' $? 125
like 'and the line that is wrong' "$(cat err)" 'sluice: *twice.txt, line 2: *twice*'

# ---- recorded --------------------------------------------------------------------------

both() # both WHAT MACHINE [OPTION...]: run and replay give the same database
{
    local what=$1 machine=$2
    shift 2
    rm -f run.db replay.db
    "$sluice" run -q --keep all -o run.db -m "$machine" "$@" -- ./numbers >/dev/null 2>err
    "$sluice" replay -q --keep all -o replay.db -m "$machine" "$@" trace.slt 2>>err
    is "$what: nothing is reported" "$(cat err)" ''
    same "$what: replay gives the database of run" replay.db run.db
}
"$sluice" record -q -m rocket -o trace.slt ./numbers >/dev/null
every=$metrics
# Where the stream is cut, which is elsewhere in a trace, a misprediction counts at the next block.
metrics='cycles stalls imiss dmiss l2miss energy cachepower'
for machine in rocket ss4,l2.size=1M tiger; do
    both "$machine" $machine $(specs function edge)
    both "$machine, the usual profiles" $machine
    for db in run replay; do
        happened $db.db >$db
    done
    same "$machine: what happened is the same, mispredictions too" replay run
done
metrics=$every
both 'rocket, --range' rocket --range sieve -p function:cycles -p block:dmiss
both 'ss4, --only' ss4 --only conditional -p edge:stalls
"$sluice" record -q -p function -o small.slt ./numbers >/dev/null
"$sluice" replay -q -m rocket -p function:cycles -o a.db small.slt 2>err
is 'a stream without addresses: status 2' $? 2
like 'and what to do' "$(cat err)" 'sluice: *addresses of loads and stores*record it again for the CPU model rocket'
"$sluice" replay -q -m rocket -o a.db 'synth:zipf(events=1K)' 2>err
is 'an invented stream: status 2' $? 2

# ---- selections ------------------------------------------------------------------------

profile all.db -m ss4 -p function:cycles -p function:dmiss -p function:energy -- ./costs
for how in '--range walk' --marked; do
    profile a.db -m ss4 $how -p function:cycles -p function:dmiss -p function:energy -- ./costs
    for id in 0 1 2; do
        is "$how: walk costs what it costs without, profile $id" \
            "$(count_of walk a.db $id)" "$(count_of walk all.db $id)"
        is "$how: flip is not there, profile $id" "$(count_of flip a.db $id)" 0
    done
    happened a.db >a
    happened all.db >b
    same "$how: the machine is that of the whole run" a b
done
is '--range: and nothing else is' "$(functions a.db 0 | grep -c .)" \
    "$(functions a.db 0 | grep -c 'walk\|bare_main')"

# ---- reports -----------------------------------------------------------------------------

"$sluice" run -m rocket -o a.db ./numbers >/dev/null 2>text
is 'without -p, functions are by cycles' \
    "$(sql a.db "SELECT group_concat(detector || ':' || metric, ' ') FROM profile")" \
    'function:cycles block:instructions cost:count edge:count value:count'
ok 'all of the report fits a screen' [ "$(sed '/^Saved/,$d' text | wc -l)" -le 40 ]
like 'the machine stands before the profiles' "$(cat text)" \
    '*CPU model rocket*without a stall*misses: *mispredicted: *Functions by cycles*'
sed -n '/^CPU model/,/misses:/p' text | sed '1,2d;$d' | tr -d , >causes
is 'the causes in the text add up to the cycles' "$(awk '{ n += $1 } END { print n }' causes)" \
    "$(total a.db cycles)"
"$sluice" report --json a.db >json
is 'JSON: its name and cycles' "$(jq -r '.machine | "\(.name) \(.cycles)"' json)" \
    "rocket $(total a.db cycles)"
is 'JSON: the stack adds up' "$(jq '[.machine.cycle_stack[]] | add' json)" "$(total a.db cycles)"
is 'JSON: CPI' "$(jq '.machine | (.cpi - .cycles / .events.instructions | fabs) < 1e-5' json)" true
jq -r '.machine | {cycles} + .events + .cycle_stack | to_entries[] | "\(.key)|\(.value)"' json | sort >a
happened a.db | sort >b
same 'JSON: what happened is that of the database' a b
is 'JSON: keys of the description' "$(jq -r '.machine.description["l1d.size"]' json)" 16384
profile a.db -p edge -- ./numbers
is 'JSON: null without one' "$("$sluice" report --json a.db | jq .machine)" null
"$sluice" run -q --only conditional -m rocket -o a.db ./numbers >/dev/null
is 'with --only the usual profiles leave functions out' \
    "$(sql a.db "SELECT group_concat(detector, ' ') FROM profile")" 'edge value'

# What messages cost is a share of the machine's cycles.
"$sluice" compare --json -m rocket -p edge:cycles@P1000 -p 'edge@H[P256]64' -p edge trace.slt \
    >rows.json
"$sluice" replay -q -m rocket -p function:cycles -o a.db trace.slt
cycles=$(total a.db cycles)
is 'compare: the overhead is in percent of the cycles' "$(jq -c '[.rows[].overhead_of]' rows.json)" \
    '["cycles","cycles",null]'
is 'compare: and is their share' "$(jq ".rows[] | select(.messages) |
    select((.overhead - 30 * .messages / $cycles | fabs) > 1e-5 * .overhead) | .spec" rows.json)" ''
like 'compare: the text reports of how many' \
    "$("$sluice" compare -m rocket -p edge@P256 trace.slt | tr -d ,)" \
    "*percentage of $cycles cycles of the CPU model*"
"$sluice" run -q -m rocket -p edge@P100 -o a.db ./costs >/dev/null
like 'the report: the overhead is in percent of the cycles' "$("$sluice" report a.db)" '*(overhead *% of cycles)*'
finish
