#!/bin/sh
# SPDX-License-Identifier: MIT
# `sluice diff` finds and names regressions even if code has moved, and omits unchanged code; text,
# JSON and the exit status agree.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3 jq

bare='-O1 -g -nostdlib -static -ffreestanding -fno-builtin -fno-stack-protector -fno-pic -no-pie'
mkdir before after
cat >before/work.c <<'END'
__attribute__((noinline)) static int weigh(int n)
{
    int sum = 0;
    for (volatile int i = 0; i < n; i++)
        sum += i;
    return sum;
}
__attribute__((noinline)) static int check(int n)
{
    return n % 7 == 3;
}
void _start(void)
{
    int sum = 0;
    for (int i = 0; i < 50; i++) {
        sum += weigh(30);
        sum += check(i);
    }
    __asm__ volatile("syscall" : : "a"(60), "D"(0), "S"(sum));
    __builtin_unreachable();
}
END
# Two lines are added at the top, one in the middle of a function, and one that costs: line 14.
awk '/check/ && !done { print "/* more */\n/* and more */"; done = 1 } { print }
    /^{/ { n++; if (n == 2) print "    /* and more */\n    for (volatile int k = 0; k < 2; k++);" }' \
    before/work.c >after/work.c
build before/work gcc $bare before/work.c
build after/other gcc $bare after/work.c
profiles='-p function -p block -p edge -p path -p value -p loop -p context'
profile a.db $profiles -- before/work
profile b.db $profiles -- after/other
number=$(grep -n 'int k' after/work.c | cut -d: -f1)
total() { sql "$1" 'SELECT instructions FROM program'; }
more=$(($(total b.db) - $(total a.db)))

differ() { "$sluice" diff "$@" >out 2>err; }
# rows PART FILTER: the rows of the part named PART, or PART(...):...
rows() { jq -r ".sections[] | select(.name | test(\"^$1[(:]\") or . == \"$1\") | .rows[] | $2" out; }

# ---- identical runs
differ a.db a.db
is 'with itself: status' $? 0
is 'compared with itself: no part has changes' "$(grep -c 'nothing changed' out)" 7
differ --json --fail-above 0.001% a.db a.db
is 'with itself: no regression' $? 0
is 'with itself: no rows' "$(jq '[.sections[].rows[]] | length' out)" 0
is 'with itself: all are the same' "$(jq '.sections[1].unchanged > 5' out)" true

# ---- the added line
differ --json a.db b.db
is 'JSON: status' $? 0
is 'the whole' "$(jq '[.before.instructions, .after.instructions] == ['"$(total a.db),$(total b.db)"']' out)" true
is 'only one function has a regression' "$(rows function '"\(.name) \(.change)"')" "check $more"
is 'a line is named that was put in' "$(rows line '"\(.name) \(.file):\(.line) \(.line_before)"' | head -n 1)" \
    "check work.c:$number null"
is 'lines that only moved are omitted' "$(rows line 'select(.name != "check") | .name')" ''
is 'the differences of lines add up to the total' "$(rows line .change | awk '{ sum += $1 } END { print sum }')" $more
is 'edges that only moved are omitted' "$(rows edge .name | sort -u)" check
like 'a new edge leads to its line' "$(rows edge '"\(.name) \(.line) \(.target_line)"')" \
    "*check $number $number*"
is 'paths that only moved are omitted' "$(rows path .name | sort -u)" check
is 'loops that only moved are omitted' "$(rows loop .name | sort -u)" check
is 'values have the line and the value' "$(rows value 'select(.detail == "0x1") | "\(.name) \(.line)"')" \
    "check $number"
is 'contexts have their callers' "$(rows context '"\(.name) \(.detail)"')" 'check < _start'
is 'the largest difference comes first' "$(rows line '.change | fabs')" \
    "$(rows line '.change | fabs' | sort -rn)"
is 'percentages are relative to the base run' \
    "$(rows line "(.fraction * $(total a.db) - .change | fabs) < 1" | sort -u)" true
is 'the page reads only keys that the rows have' "$(grep -o 'row\.[a-z_]*' \
    "$root/src/report/page/assets/difference.js" | sed 's/row\.//' | sort -u |
    grep -vxF -e uncertain -e "$(jq -r '.sections[].rows[] | keys[]' out | sort -u)")" ''
cp out there
differ --json b.db a.db
is 'in the other direction: an improvement of the same size' "$(rows function '"\(.name) \(.change)"')" "check -$more"
is 'and the line is gone' "$(rows line '"\(.name) \(.line) \(.line_before)"' | head -n 1)" \
    "check null $number"

# ---- text
differ a.db b.db
like 'text: both commands are shown' "$(cat out)" '*before  a.db: before/work*after   b.db: after/other*'
like 'text: the line is shown' "$(grep -A 1 '^Lines' out | tr -d ,)" "*check  work.c:$number"
differ -n 1 a.db b.db
like 'text: -n limits the rows' "$(grep -A 2 '^Edges' out | tail -n 1)" '  and * more'

# ---- the exit status
percent=$(jq -n "100 * $more / $(total a.db)")
differ --fail-above "$(jq -n "$percent * 1.01")%" a.db b.db
is 'a regression below the limit: 0' $? 0
differ --fail-above "$(jq -n "$percent * 0.99")%" a.db b.db
is 'a regression above the limit: 1' $? 1
like 'a regression above the limit: the message names the metric' "$(cat err)" 'sluice: regression: +* % instructions (limit * %)'
like 'a regression above the limit: the difference is printed, too' "$(cat out)" '*Functions*'
differ --fail-above 0.001% b.db a.db
is 'an improvement: 0' $? 0
differ --fail-above -1% a.db b.db
is 'an invalid limit: status 2' $? 2

# ---- CPU models
profile ma.db -m rocket -p function:cycles -- before/work
profile mb.db -m rocket -p function:cycles -- after/other
differ --json ma.db mb.db
cycles() { sql "$1" "SELECT count FROM machine_event WHERE name = 'cycles'"; }
is 'a CPU model: its cycles are compared' "$(jq -c '[.before.cycles, .after.cycles]' out)" "[$(cycles ma.db),$(cycles mb.db)]"
is 'a CPU model: the causes add up' "$(rows machine:cycles .change | awk '{ sum += $1 } END { print sum }')" \
    $(($(cycles mb.db) - $(cycles ma.db)))
differ --fail-above 0.001% ma.db mb.db
growth() { jq -n "$2 / $1 - 1"; }
metric=$(jq -n "if $(growth "$(cycles ma.db)" "$(cycles mb.db)") > $(growth "$(total ma.db)" "$(total mb.db)")
    then \"cycles\" else \"instructions\" end" | tr -d '"')
like 'a machine: the metric that grew more is the regression' "$(cat err)" "sluice: regression: +* % $metric (limit 0.001 %)"
differ --json ma.db mb.db
is 'a machine: its events' "$(rows machine:events 'select(.name == "instructions") | .change')" $more

# ---- runs that cannot be compared
profile c.db -p call -- before/work
differ a.db c.db
is 'no profile in common: status' $? 2
like 'no profile in common: the message lists the profiles of both' "$(cat err)" '*no profile with the same options in common*a.db: function*c.db: call*'
profile d.db -p function -p call -- before/work
differ a.db d.db
is 'some in common: status' $? 0
like 'some profiles in common: the message names the others' "$(cat out)" '*! profile edge* is only in a.db*! profile call* is only in d.db*'
echo 'no database' >e.db
differ a.db e.db
is 'no database: status' $? 125
like 'no database: the message is printed' "$(cat err)" '*e.db*'
differ a.db none.db
is 'not there: status' $? 125
differ a.db
is 'one alone: status' $? 2
differ -f pprof a.db b.db
is 'another format: status' $? 2
profile f.db -p function --limit 100 -- before/work
differ a.db f.db
like 'different selections: a warning is printed' "$(cat out)" '*! the runs have different filters, run ranges or load sampling*'

# ---- estimates
profile s.db -p 'edge@P256' -- before/work
profile t.db -p 'edge@P256' -- after/other
differ --json s.db t.db
is 'estimates show whether a change is certain' "$(jq '[.sections[0].rows[] | has("uncertain")] | all' out)" true

# ---- inlined functions
cat >inlined.c <<'END'
static int part(int x) { return x % 7 + STEP; }
int main(void)
{
    volatile int sum = 0;
    for (int i = 0; i < 5000; i += STEP)
        sum += part(i);
    return 0;
}
END
build inlined1 gcc -O2 -g -DSTEP=1 inlined.c
build inlined2 gcc -O2 -g -DSTEP=2 inlined.c
profile i1.db -p function -p block:instructions -- ./inlined1
profile i2.db -p function -p block:instructions -- ./inlined2
differ --json i1.db i2.db
is 'inlined functions are functions' "$(rows function .name | grep -cx part)" 1
differ --json --symbols i1.db i2.db
is 'with --symbols, they are a part of their caller' "$(rows function .name | grep -cx part)/$(rows function .name | grep -cx main)" 0/1

# ---- process trees
if [ -x "$BUILD/engine/qemu-x86_64" ]; then
    printf '#!/bin/sh\n./one; ./one; ./two\n' >script
    chmod +x script
    cp before/work one
    cp before/work two
    timeout 120 "$sluice" run -q --follow -p function -p block -o fa.db ./script >/dev/null 2>&1
    cp after/other one
    timeout 120 "$sluice" run -q --follow -p function -p block -o fb.db ./script >/dev/null 2>&1
    differ --json fa.db fb.db
    is 'process trees: of the programs, the changed one is listed' "$(rows process '"\(.name) \(.change)"')" \
        "one $((2 * more))"
    is 'process trees: functions of all processes are compared' "$(rows function '"\(.name) \(.change)"')" "check $((2 * more))"
    is 'process trees: lines of all processes are compared' "$(rows line '"\(.name) \(.line)"' | head -n 1)" "check $number"
else
    skip 'process trees' 'the engine is not built (make engine)'
fi
finish
