#!/bin/sh
# SPDX-License-Identifier: MIT
# `sluice annotate` prints source lines next to their counts, with the instructions and machine
# events of each line.
. "$(dirname "$0")/../lib.sh"
need gcc objdump sqlite3

cat >hot.c <<'END'
static int seven[] = {7, 7, 7, 7};
static inline int scale(int x, int i)
{
    return x * seven[i & 3];
}
int add(int x) { return x + 1; }
int sub(int x) { return x - 1; }
int (*volatile step[])(int) = {add, sub};
__attribute__((noinline)) int work(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += scale(sum, i);
        if (i % 4 == 0)
            sum = step[0](sum);
    }
    return sum;
}
int main(void) { return work(40000) == 12345; }
END
build hot gcc -O2 -g hot.c
profile a.db -p block -p edge -p call -p value -- ./hot
ok 'the program runs to its end' [ -s a.db ]

annotate() { "$sluice" annotate "$@" >out 2>err; }

annotate a.db work
is 'annotate succeeds' $? 0
line() { grep -E "^ .* $1  " out; }
like 'a source line has its text and its instructions' "$(line 14)" \
    '*[0-9],[0-9][0-9][0-9]*%*14  *if (i % 4 == 0)*'
is 'an inlined function is named, with its location' \
    "$(grep -c 'scale, inlined in work' out | sed 's/[1-9][0-9]*/some/')" some
like 'the source of an inlined function is shown' "$(cat out)" '*return x \* seven*'
like 'a conditional branch shows how often it was taken' "$(cat out)" '*taken [27]5.0%*'
like 'a branch that is rarely taken shows the percentage of executions that fall through' "$(cat out)" '*taken 100.0%*'
like 'an indirect call shows its target' "$(cat out)" '*call*-> add*'
like 'a load shows the value it read' "$(cat out)" '*reads 0x7 100%*'
like 'a loaded code pointer has its symbol' "$(cat out)" '*reads add 100%*'

# Where loads are sampled, percentages are relative to the sampled loads.
profile s.db --sample-loads 4x256 -p block -p value -- ./hot
annotate s.db work
ok 'a load shows the number of its sampled executions' grep -qE 'reads 0x7 (9[0-9]|100)%' out
annotate a.db work

# Every executed instruction is listed, as objdump disassembles it.
annotate -n 99 a.db work
objdump -d --no-show-raw-insn hot | awk '/<work>:/ { on = 1; next } /^$/ { on = 0 } on { sub(":", "", $1); print $1 }' |
    sort >wanted
awk '$2 ~ /^[0-9a-f]+$/ && $1 ~ /^[0-9,]+$/ && $1 !~ /%/ { print $2 }' out | sort >got
is 'instructions have the addresses that objdump prints' "$(comm -23 got wanted)" ''
is 'each instruction is listed once' "$(uniq -d got)" ''
is 'the instructions add up to the count of the report' \
    "$(awk '$2 ~ /^[0-9a-f]+$/ && $1 ~ /^[0-9,]+$/ { gsub(",", "", $1); n += $1 } END { print n }' out)" \
    "$(sed -n '2s/^\([0-9,]*\) .*/\1/p' out | tr -d ,)"

annotate a.db
is 'without a location, the function with the most instructions is shown' "$(head -n 1 out)" work
annotate a.db work
mv out first
annotate work a.db
same 'the database can be the second argument' out first
annotate none.db a.db
is 'if both are given, one is a location' $?/"$(cat err)" "2/sluice: no executed function or file is named 'none.db'; the report of this database lists its functions"
annotate a.db hot.c:6
is 'a source line can be selected' "$(sed -n 2p out)" '20,000 instructions, '"$(sed -n '2s/.*instructions, //p' out)"
annotate a.db scale
is 'an inlined function can be selected' $?/"$(head -n 1 out)" 0/scale
mv a.db sluice.db
annotate work
is 'without a database argument, sluice.db is read' $?/"$(head -n 1 out)" 0/work
mv sluice.db a.db
annotate a.db wrok
is 'an unknown location is refused' $? 2
is 'a similar name is suggested' "$(cat err)" \
    "sluice: no executed function or file is named 'wrok'; did you mean work?"
annotate a.db work more
is 'an ambiguous location is refused' $? 2
profile b.db -p function -- ./hot
annotate b.db
is 'without a block profile, annotate is refused' $?/"$(cat err)" "2/sluice: annotate needs a block \
profile, and the database has none: run again with the profile block"
annotate none.db work
is 'a missing database is an error' $? 125

mv hot.c away.c
annotate a.db work
like 'without source, line numbers are shown' "$(cat out)" '*hot.c (not found)*'
like 'without source, instructions are shown' "$(cat out)" '*taken [27]5.0%*'
mv away.c hot.c
build plain gcc -O2 hot.c
profile c.db -p block -p edge -- ./plain
annotate c.db work
like 'without debug information, instructions are shown' $?/"$(cat out)" '0/*taken [27]5.0%*'
strip -o stripped plain
profile d.db -p block -p edge -- ./stripped
annotate d.db stripped
like 'without symbols, instructions are shown' $?/"$(cat out)" '0/*taken [27]5.0%*'

profile m.db -m rocket -p block -p block:cycles -- ./hot
annotate m.db work
like 'a metric of blocks is a column' "$(cat out)" '*instructions        % *cycles*'

# With a CPU model: the costs of the instructions are those of the model, and the line that misses
# shows its misses.
cat >far.c <<'END'
int far[1 << 20];
__attribute__((noinline)) int walk(int n)
{
    int sum = 0;
    unsigned x = 1;
    for (int i = 0; i < n; i++) {
        x = x * 1103515245 + 12345;
        sum += far[x >> 12];
        if (x >> 30 & 1)
            sum = -sum;
    }
    return sum;
}
volatile int rounds = 3000;
int main(void) { return walk(rounds); }
END
costs() { # DATABASE KINDS: the sum of these
    sqlite3 "$1" "SELECT sum(count) FROM entry JOIN profile p ON p.id = profile WHERE detector = 'cost' AND value $2"
}
happened() { sqlite3 "$1" "SELECT count FROM machine_event WHERE name = '$2'"; }
build far gcc -O1 -fno-if-conversion -g far.c
for machine in rocket ss4 zen4; do
    profile m.db -m $machine -p block -p edge -p cost -p function:cycles -- ./far
    is "$machine: the cycles of all instructions add up" "$(costs m.db '< 11')" "$(happened m.db cycles)"
    is "$machine: the misses add up" "$(costs m.db '= 12')" "$(happened m.db dmiss)"
    is "$machine: the wrong directions add up" "$(costs m.db '= 15')" "$(happened m.db direction)"
done
annotate -n 9 m.db walk
like 'cycles are the first column, and misses are columns' "$(cat out)" '* cycles        %  instructions* dmiss*'
like 'the line that misses shows its misses' "$(line 8)" '*[0-9],[0-9][0-9][0-9]*far*x >> 12*'
like 'a load shows its misses' "$(cat out)" '*misses L1D [0-9],[0-9]*'
like 'a branch shows its mispredictions' "$(cat out)" '*predicted the wrong way [0-9]*'
is 'the instructions shown add up to the cost of the function' "$(sed -n '2s/ cycles.*//p' out | tr -d ,)" \
    "$(sqlite3 m.db "SELECT count FROM entry JOIN profile p ON p.id = profile JOIN location ON address = pc WHERE detector = 'function' AND function = 'walk'")"
profile r.db -m rocket --range walk -p block -p cost -- ./far
is 'a code range is charged with its own instructions' "$(costs r.db '< 11')" \
    "$(profile s.db -m rocket -p function:cycles --range walk -- ./far; sqlite3 s.db 'SELECT sum(count) FROM entry')"
profile s.db -m rocket --skip 20K --limit 30K -p cost -p function:cycles -- ./far
is 'a part of the run is charged with its own instructions' "$(costs s.db '< 11')" "$(sqlite3 s.db 'SELECT sum(count) FROM entry WHERE profile = 1')"
$sluice run -p cost ./far 2>err >/dev/null
is 'without a CPU model there are no costs' $?/"$(grep -c 'need a CPU model' err)" 2/1

# Lines of the source are cut at the width of a terminal only.
long='sum = (sum ^ i) + (i & 1 ? sum >> 1 : sum << 1) + (i & 2 ? sum >> 3 : sum << 5) + (i & 4 ? 123456789 : 987654321);'
cat >long.c <<END
volatile int rounds = 3000;
int main(void)
{
    int sum = 1;
    for (int i = 0; i < rounds; i++)
        $long
    return sum == 1;
}
END
build long gcc -O1 -g long.c
profile l.db -p block -- ./long
annotate l.db main
ok 'without a terminal, source lines are whole' grep -qF "$long" out
if command -v script >/dev/null; then
    TERM=dumb script -qec "stty cols 80; '$sluice' annotate l.db main" typed >/dev/null </dev/null
    is 'on a terminal, they are cut' "$(grep -cF "$long" typed)/$(grep -c 'sum = (sum ^ i).*\.\.\.' typed)" 0/1
fi

if command -v script >/dev/null; then
    TERM=xterm script -qec "'$sluice' annotate a.db work" typed >/dev/null </dev/null
    is 'output to a terminal is coloured' "$(grep -c "$(printf '\033\[1;31m')" typed | sed 's/[1-9][0-9]*/some/')" some
    TERM=xterm NO_COLOR=1 script -qec "'$sluice' annotate a.db work" typed >/dev/null </dev/null
    is 'NO_COLOR turns colours off' "$(grep -c "$(printf '\033\[1;31m')" typed)" 0
fi

cross_compilers | while read -r arch compiler; do
    command -v "${compiler%% *}" >/dev/null || continue
    # shellcheck disable=SC2086
    $compiler -O2 -g -static -o foreign hot.c 2>/dev/null || continue
    profile e.db -m rocket -p block -p edge -p cost -- ./foreign
    annotate e.db work
    echo "$arch $? $(grep -c 'taken' out | sed 's/[1-9][0-9]*/some/')" "$(grep -c 'waits for' out | sed 's/[1-9][0-9]*/some/')"
done >guests
awk '{ print $1, 0, "some", "some" }' guests >wanted
same 'annotate works on every guest' guests wanted

mkfifo pipe
timeout 60 "$sluice" annotate pipe >out 2>err
is 'a named pipe in place of a source file does not block' $? 125
# Without a function, the hottest function of the user's own code is shown, not that of a library.
cat >compare.c <<'END'
#include <string.h>
int main(int argc, char **argv)
{
    static char text[2000];
    memset(text, 'a', 1999);
    for (int i = 0; i < 300; i++)
        argc += (int)strlen(text + (argc & 1)) & 1;
    return argc == 1 && argv[0][0] == 1;
}
END
build compare gcc -O1 -g -fno-builtin compare.c
"$sluice" run -q -o c.db ./compare >/dev/null
is 'annotate shows the hottest function of own code' "$("$sluice" annotate c.db | head -n 1)" main

# The directions of all branches of three programs, from the default profiles, are those of another
# run that counts only edges, exactly. Estimates of edges give no directions.
directions() # directions DATABASE SOURCE: "address target taken%" of each branch, from the annotation
{
    "$sluice" annotate -n 10000 "$1" "$2" | sed -n \
        's/.*  \([0-9a-f]*\)  j[a-z]* *0x\([0-9a-f]*\) .*  *\(not \)*taken \([0-9.]*\)%.*/\1 \2 \3\4/p' |
        awk '{ print $1, $2, ($3 == "not" ? sprintf("%.1f", 100 - $4) : $3) }' | sort -u
}
exactly() # exactly DATABASE: the same from the entries of its profile of edges
{
    sql "$1" "SELECT printf('%x %x %d', f.object_address, t.object_address, e.count) FROM entry e
        JOIN location f ON f.address = e.pc JOIN location t ON t.address = e.value"
}
cp "$root/demo/primes.c" .
cat >sorted.c <<'END'
#include <stdlib.h>
static unsigned a[4000];
static int order(const void *x, const void *y) { return *(unsigned *)x < *(unsigned *)y ? -1 : *(unsigned *)x > *(unsigned *)y; }
int main(void)
{
    unsigned x = 1, even = 0;
    for (int i = 0; i < 4000; i++)
        a[i] = (x = x * 1664525 + 1013904223) >> 8;
    qsort(a, 4000, sizeof *a, order);
    for (int i = 0; i < 4000; i++)
        if (a[i] & 1) even++; else if (a[i] % 3 == 0) even += 2;
    return even == 1;
}
END
cat >words.c <<'END'
#include <ctype.h>
int main(void)
{
    static const char text[] = "The quick brown fox jumps over the lazy dog; 12 times, or 13.";
    int words = 0, digits = 0;
    for (int k = 0; k < 500; k++)
        for (int i = 0, in = 0; text[i]; i++) {
            if (text[i] >= '0' && text[i] <= '9') digits++;
            if ((text[i] | 32) < 'a' || (text[i] | 32) > 'z') in = 0;
            else if (!in++) words++;
        }
    return words == digits;
}
END
for name in primes sorted words; do
    build $name gcc -O1 -g $name.c
    "$sluice" run -q -o d.db ./$name >/dev/null
    profile x.db -p edge -- ./$name >/dev/null
    directions d.db $name.c >got
    exactly x.db >all
    awk 'NR == FNR { sum[$1] += $3; count[$1, $2] = $3; next }
        { printf "%s %s %.1f\n", $1, $2, 100 * count[$1, $2] / sum[$1] }' all got >wanted
    ok "$name: there are branches" [ "$(wc -l <got)" -ge 4 ]
    same "$name: the directions of all branches are those of an exact run" got wanted
    profile m.db -p block -p 'edge@multihash' -- ./$name >/dev/null
    is "$name: estimates give no directions" "$("$sluice" annotate -n 10000 m.db $name.c | grep -c taken)" 0
done
# ---- which files are read

mkdir project other
cat >project/own.c <<'END'
static volatile int sum;
int main(void)
{
    for (int i = 0; i < 5000; i++)
        sum += i; /* this line is hot */
    return 0;
}
END
build other/own gcc -g -O1 -static "$PWD/project/own.c"
profile own.db -- other/own
hot() { grep -c 'this line is hot' out; }
(cd project && "$sluice" annotate ../own.db main) >out 2>&1
is 'source of the current project is shown' "$(hot)" 1
(cd / && "$sluice" annotate "$T/own.db" main) >out 2>&1
like 'a file that the database names elsewhere is not read, and the listing says so' "$(hot) $(cat out)" \
    "0 *$PWD/project/own.c (not read: it is outside of the current project and of the source directories)*"
(cd / && "$sluice" annotate --source "$T/project" "$T/own.db" main) >out 2>&1
is 'with --source it is' "$(hot)" 1
(cd project && "$sluice" annotate --no-source ../own.db main) >out 2>&1
is 'with --no-source no text is shown' "$(hot) $(grep -c 'own.c (not read)' out)" '0 1'
for format in html text; do
    (cd project && "$sluice" report -f $format ../own.db) >out 2>&1
    ok "a report with the format $format shows source" [ "$(hot)" -ge 1 ]
    (cd project && "$sluice" report --no-source -f $format ../own.db) >out 2>&1
    is "a report with the format $format has --no-source" "$(hot)" 0
    (cd / && "$sluice" report -f $format "$T/own.db") >out 2>&1
    is "a report with the format $format reads no other file" "$(hot)" 0
done
(cd / && "$sluice" run -o "$T/run.db" "$T/other/own") >out 2>&1
is 'sluice run reads no file outside of the project and of the directory of the program' "$(hot)" 0
build project/own gcc -g -O1 -static "$PWD/project/own.c"
(cd / && "$sluice" run -o "$T/run.db" "$T/project/own") >out 2>&1
is 'sluice run shows source next to the program' "$(hot)" 1
secret=$(TMPDIR=/tmp mktemp)
echo 'secret password' >"$secret"
ln -s "$secret" project/link.c
sqlite3 own.db "UPDATE source_file SET path = '$PWD/project/link.c' WHERE path LIKE '%own.c'"
(cd project && "$sluice" annotate ../own.db main && "$sluice" report -f html ../own.db && "$sluice" report ../own.db) >out 2>&1
is 'a link in the project leads to no file outside of it' "$(grep -c password out)" 0
rm "$secret"

finish
