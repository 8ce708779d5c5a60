#!/bin/sh
# SPDX-License-Identifier: MIT
# The `blame` profiles, which model samplers of time: every cycle is attributed to one instruction
# and function, every report states the error of each attribution rule, and unusable options are
# refused.
. "$(dirname "$0")/../lib.sh"
need gcc jq sqlite3

cat >loop.c <<'END'
static int table[1 << 16];
static __attribute__((noinline)) long chase(long n)
{
    unsigned x = 1;
    long sum = 0;
    for (long i = 0; i < n; i++) {
        x = x * 1103515245 + 12345;
        if (x >> 16 & 1)
            sum += table[x >> 16] / 3;
    }
    return sum;
}
int main(void) { return (int)(chase(60000) & 1); }
END
gcc -O1 -g loop.c -o loop || exit 1
"$sluice" record -m rocket -o loop.slt ./loop >/dev/null 2>err || { cat err; exit 1; }

sum() # sum PROFILE
{
    sql a.db "SELECT sum(count) FROM entry WHERE profile = $1"
}
for machine in rocket ss4; do
    "$sluice" replay -m $machine -o a.db -p 'blame(oracle)' -p 'blame(oracle,by=function)' \
        -p 'blame(proportional,period=50)' -p 'blame(next,period=50)' -p 'blame(last,period=50)' \
        -p 'blame(dispatch,period=50)' -p 'blame(interrupt,period=50)' loop.slt >out 2>err
    is "$machine: the run succeeds" "$? $(cat err)" '0 '
    cycles=$(sql a.db "SELECT count FROM machine_event WHERE name = 'cycles'")
    lines=$(sql a.db "SELECT count(*) FROM entry WHERE profile = 0")
    [ $((cycles - $(sum 0))) -ge 0 ] && [ $((cycles - $(sum 0))) -le $((2 * lines + 2000)) ]
    is "$machine: the cycles of the oracle are all cycles, up to fractions per instruction" $? 0
    for profile in 2 3 4 5 6; do
        off=$((cycles - $(sum $profile)))
        [ $off -ge -2000 ] && [ $off -le 2000 ]
        is "$machine: the samples of profile $profile represent all cycles" $? 0
    done
    wrong=$(sql a.db 'SELECT warning FROM profile WHERE id >= 2 ORDER BY id' |
        sed -n 's/.*samples, \([0-9.]*\) %.*/\1/p' | paste -sd,)
    is "$machine: every sampler reports its error" "$(echo "$wrong" | tr ',' '\n' | wc -l)" 5
    is "$machine: no rule is better than the proportional one" \
        "$(echo "$wrong" | awk -F, '{ for (i = 2; i <= NF; i++) if ($i + 0 < $1 + 0) print i }')" ''
done

refused() # refused NAME SPEC MESSAGE
{
    "$sluice" replay -m rocket -o b.db -p "$2" loop.slt >out 2>err
    is "$1: status" $? 2
    like "$1: the message is printed" "$(cat err)" "*$3*"
}
refused 'no such rule' 'blame(first)' 'rule'
refused 'a sample each 0 cycles' 'blame(next,period=0)' 'period'
refused 'another metric' 'blame:energy' 'blame:cycles'
refused 'the metric count' 'blame:count' 'blame:cycles'
"$sluice" replay -o b.db -p blame loop.slt >out 2>err
is 'without a CPU model: status' $? 2
like 'without a CPU model: the message is printed' "$(cat err)" '*events need a CPU model*'
finish
