#!/bin/sh
# SPDX-License-Identifier: MIT
# The report of a plain `sluice run`: functions with their callers, source lines, warnings and
# hints, with readable names and lines that fit the terminal.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3

cat >usual.c <<'END'
int table[1024], out[1024];
volatile int mode = 7;
int plain(int x) { return x * 3; }
int (*volatile how)(int) = plain;
__attribute__((noinline)) int work(int i)
{
    int sum = table[i & 1023];
    if (__builtin_expect(i % 100 != 0, 0))
        sum += i * 3 ^ out[i & 1023];
    return sum * mode;
}
int main(void)
{
    int sum = 0;
    table[5] = 3;
    for (int i = 0; i < 20000; i++)
        sum += work(i) + how(i);
    return sum == 1;
}
END
build usual gcc -O1 -g usual.c
"$sluice" run -o a.db ./usual 2>shown
"$sluice" report a.db >screen
is 'run prints the report and the next commands' "$(cat screen; echo; grep -A 2 '^Saved' shown)" "$(cat shown)"
like 'run says where the results are' "$(grep '^Saved' shown)" 'Saved a.db.  Next: sluice annotate a.db*'
like 'the first line has the command and the totals' "$(head -n 1 screen)" './usual * x86-64 * instructions * 1 thread*'
like 'then come the modules' "$(sed -n 2p screen)" 'Modules  usual [0-9]*% (yours)  *'
functions=$(sed -n '/self%/,/of the run in/p' screen)
like 'functions have their module and line' "$functions" '* work  *usual *usual.c:[67]*'
like 'functions cover 80 %' "$(echo "$functions" | tail -n 1)" '* [89]? *of the run in [0-9]* functions*'
like 'hot lines have their text' "$(grep 'usual.c:8 .*if' screen)" '* work * if (__builtin_expect(i % 100 != 0, 0))'
is 'edges, values and storage of tables are not on the first screen' "$(grep -cE '^(Edges|Values|Calls) by|storage' screen)" 0
flat=$(sed -n '/^Hints/,$p' screen | tr '\n' ' ' | tr -s ' ')
like 'a branch against its layout gets a hint' "$flat" \
    '*usual.c:8 branch in work is taken 99.0% of 20,000 times: *__builtin_expect*'
like 'an indirect call with one target gets a hint' "$flat" \
    '*usual.c:17 indirect call in main calls plain in 100.0% of 20,000 executions: *'
ok 'the report fits a screen' [ "$(wc -l <shown)" -le 40 ]
is 'every line fits the width' "$(awk 'length > 100' shown)" ''
like 'with -n, all profiles are shown' "$("$sluice" report -n 5 a.db)" '*Edges by count*Calls by count*Values by count*'
is 'with -n, entries are shown without hints' "$("$sluice" report -n 5 a.db | grep -c '^Hints')" 0
like 'functions show their callers' "$("$sluice" report -n 5 a.db)" '* work * < main*'

# With -p, each profile has its list.
profile b.db -p function -p block:instructions -p edge -p value -p 'context(nested=1)' -- ./usual
like 'profiles that were chosen with -p are all on the screen' "$("$sluice" report b.db)" \
    '*Functions by instructions*Lines by instructions*Edges by count*Values by count*Hints*'
flat=$("$sluice" report b.db | sed -n '/^Hints/,$p' | tr '\n' ' ' | tr -s ' ')
like 'a load that nearly always reads one value gets a hint' "$flat" \
    '*usual.c:7 load in work reads 0 in 100% of 20,000 executions: *'
is 'there are at most three hints' "$(printf '%s' "$flat" | grep -o 'usual\.c:[0-9]* [a-z]* ' | wc -l)" 3
is 'addresses are not reported as constant values' "$(printf '%s' "$flat" | grep -c 'reads 0x')" 0
like 'a stub has the name of its function' "$("$sluice" report -n 1000 b.db)" '* (plain)*'
like 'the return address of a call has the name of its function' "$("$sluice" report -n 1000 b.db)" '* (main+0x*'

# A command that is too long loses the directory of its program, then its end.
mkdir -p a_long_directory/with_parts
cp usual a_long_directory/with_parts/the_usual_program
"$sluice" run -q -o l.db "$PWD/a_long_directory/with_parts/the_usual_program"
like 'a long path is shortened to the name of the program' "$("$sluice" report l.db | head -n 1)" 'the_usual_program  *x86-64*'
"$sluice" run -q -o l.db ./usual one two three four five six seven eight nine ten eleven twelve
like 'a long command loses its end' "$("$sluice" report l.db | head -n 1)" 'usual one two three *...   x86-64*'

# Functions that are called few times, short copies, divisions by a constant.
cat >wasteful.c <<'END'
#include <stdlib.h>
#include <string.h>
volatile long base = 1000;
static char from[1 << 20], to[1 << 20];
__attribute__((noinline)) static int *table(int n)
{
    int *t = malloc(sizeof *t * (size_t)n);
    for (int i = 0; i < n; i++)
        t[i] = i * 7 % 1023;
    return t;
}
__attribute__((noinline)) static void copy(long n, volatile int *size)
{
    for (long i = 0; i < n; i += 3)
        memcpy(to + i, from + i, (size_t)*size);
}
__attribute__((noinline)) static long digits(long n)
{
    long sum = 0;
    for (long i = 0; i < n; i++)
        sum += i / base;
    return sum;
}
__attribute__((noinline)) static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(void)
{
    volatile int size = 3;
    long sum = digits(20000);
    for (int i = 0; i < 6; i++) {
        int *t = table(10000);
        sum += t[i];
        free(t);
    }
    copy(90000, &size);
    return (int)(sum + fib(3)) == 1;
}
END
build wasteful gcc -O1 -g wasteful.c
"$sluice" run -q -o w.db ./wasteful
"$sluice" report w.db >screen
flat=$(sed -n '/^Hints/,$p' screen | tr '\n' ' ' | tr -s ' ')
like 'a function that takes much of the run in few calls gets a hint' "$flat" \
    '*wasteful.c:6 table takes [1-9][0-9]% of the run in 6 calls, [0-9.]* K instructions each: *store the result*'
like 'short copies get a hint' "$flat" '*wasteful.c:15 memcpy of few bytes in copy: 30,000 calls, 1? instructions each: *'
is 'recursive functions get none' "$(echo "$flat" | grep -c fib)" 0
is 'sampled load values give none' "$(echo "$flat" | grep -c 'reads\|divides')" 0
is 'a stub belongs to the variant of the function for this CPU' \
    "$("$sluice" report -n 1000 w.db | sed -n '/^Functions/,/^Lines/p' | grep -c 'memcpy@plt\|[0-9],[0-9].*ifunc-memmove')" 0
is 'with 100 columns, numbers of calls are not shown' "$(sed -n '/self%/p' screen | grep -c calls)" 0
cat >work.c <<'END'
__attribute__((noinline)) static void work(int k) { for (volatile int i = k; i < 100000; i++); }
int main(void) { for (int k = 0; k < 5; k++) work(k); return 0; }
END
build work gcc -O1 -g work.c
"$sluice" run -q -o m.db ./work
is 'the main work of a program gets no hint about few calls' "$("$sluice" report m.db | grep -c 'of the run in 5 calls')" 0
if command -v script >/dev/null; then
    for columns in 80 100 140; do
        script -qec "stty cols $columns rows 40; \"$sluice\" report w.db" /dev/null </dev/null | tr -d '\r' >screen
        is "with $columns columns, no line is longer" "$(awk -v n=$columns 'length > n' screen)" ''
        ok "with $columns columns, the report fits the screen" [ "$(wc -l <screen)" -lt 40 ]
    done
    like 'with 140 columns, the number of calls is shown' "$(grep '  table ' screen)" '* 6  table *wasteful.c:6*'
fi
profile w.db -p block:instructions -p value -- ./wasteful
flat=$("$sluice" report w.db | sed -n '/^Hints/,$p' | tr '\n' ' ' | tr -s ' ')
[ "$(uname -m)" != x86_64 ] || like 'a division by one value gets a hint' "$flat" \
    '*wasteful.c:21 division in digits divides by 1000 in 100% of 20,000 executions: *'
is 'a line has one hint' "$(echo "$flat" | grep -o 'wasteful.c:21' | wc -l)" 1

# Code of the dynamic linker is not the program's: it is shown only if there is nothing else.
cat >puts.c <<'END'
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
    for (int i = 0; i < 2000; i++)
        argc += (int)strlen(argv[0]) + getc_unlocked(stdin);
    return argc == 1;
}
END
build puts gcc -O1 -g -fno-builtin puts.c
profile b.db -p edge -p value -- ./puts
"$sluice" report b.db >screen
"$sluice" report -n 1000 b.db >all
is "stubs and the edges and values of the loader are omitted" "$(grep -c '%  [^ ]*@plt\|%  _dl_\|%  do_lookup' screen)" 0
ok 'the database has the omitted entries' grep -q '%  [^ ]*@plt' all
ok 'other entries are shown' [ "$(grep -c '^ .*%  [a-z]' screen)" -gt 5 ]

# Without the needed profiles there are no hints.
profile b.db -p edge -- ./usual
is 'without blocks there are no hints' "$("$sluice" report b.db | grep -c '^Hints')" 0
strip -o bare usual
profile b.db -p function -p block:instructions -p edge -p value -- ./bare
is 'without lines there are no hints' "$("$sluice" report b.db | grep -c '^Hints')" 0

# The default profiles include branches.
profile b.db -- ./usual
like 'the default profiles contain what hints need' "$("$sluice" report b.db)" '*self%*Hints*branch in work*'

if command -v g++ >/dev/null; then
    cat >names.cc <<'END'
#include <map>
#include <string>
#include <vector>
__attribute__((noinline)) static unsigned long
total(const std::map<std::string, std::vector<std::pair<int, std::string>>> &all)
{
    unsigned long sum = 0;
    for (int i = 0; i < 300; i++)
        for (const auto &one : all)
            sum += one.first.size() * 3 + one.second.size() + (sum >> 3);
    return sum;
}
int main()
{
    std::map<std::string, std::vector<std::pair<int, std::string>>> all;
    for (int i = 0; i < 40; i++)
        all[std::to_string(i)].push_back({i, "x"});
    return total(all) == 1;
}
END
    build names g++ -O1 -g names.cc
    profile c.db -p function -- ./names
    like 'template arguments and parameters are shortened first' "$("$sluice" report -n 1000 c.db)" '* total(*'
    is 'no name is cut inside angle brackets' \
        "$("$sluice" report -n 1000 c.db | grep -c 'std::map<[^.>]*\.\.\.[^>]')" 0
fi

# The user's own code: neither templates of system headers nor statically linked libraries.
cat >own.cc <<'END'
#include <algorithm>
#include <cstdio>
#include <vector>
__attribute__((noinline)) int mine(const std::vector<int> &v) { return v[v[0] & 7] * 3 + 1; }
int main()
{
    std::vector<int> v(20000);
    unsigned x = 1;
    for (int &one : v)
        one = (int)((x = x * 1664525 + 1013904223) >> 16);
    std::sort(v.begin(), v.end());
    int sum = 0;
    for (int i = 0; i < 20000; i++)
        sum += mine(v);
    std::printf("%d\n", sum);
}
END
if command -v g++ >/dev/null; then
    build own g++ -O1 -g -static own.cc
    "$sluice" run -o o.db ./own 2>&1 >/dev/null | sed 's/"//g' >screen
    like 'inlined templates of the C++ library are not own code' "$(grep '^Modules' screen)" 'Modules  own *% (yours: [1-9]*%)*'
    is 'hot lines belong to own source files' "$(sed -n '/^Hot lines of your/,/^$/p' screen | sed 1d | grep -c '\.h:')" 0
    like 'hot lines are lines of the program' "$(sed -n '/^Hot lines of your/,/^$/p' screen)" '*own.cc:10 * main *one = (int)((x = x *'
    like '--own replaces the rule' "$("$sluice" report --own '*/own' o.db)" '*Modules  own *% (yours)*'
    like '--own takes names of source files' "$("$sluice" report --own 'x.c,stl_*.h' o.db)" '*Hot lines of your code*stl_*.h:*'
    is '--own that matches nothing: no own code' "$("$sluice" report --own x.c o.db | grep -c yours)" 0
fi

# A stripped program gets a warning with a remedy; others get none.
strip -o stripped usual
"$sluice" run -o s.db ./stripped >/dev/null 2>text
like 'a program without symbols is named' "$(tr -s '\n ' '  ' <text)" \
    '*! No symbols for stripped (8?%): use an unstripped file, or set DEBUGINFOD_URLS.*'
is 'a program without symbols is named in JSON' "$("$sluice" report --json s.db | grep -c 'No symbols for')" 1
"$sluice" run -o s.db ./usual >/dev/null 2>text
is 'a program with symbols is not named' "$(grep -c 'No symbols' text)" 0

# The package with the debug information of a library, where dpkg knows it.
library=$(ldd "$(command -v sqlite3)" | sed -n 's/.*=> \(.*libsqlite3[^ ]*\).*/\1/p')
package=$(dpkg -S "$(readlink -f "$library")" 2>/dev/null | sed -n '1s/:.*//p')
"$sluice" run -o s.db sqlite3 :memory: 'create table t(a); insert into t values (1); select * from t' >/dev/null 2>&1
if "$sluice" report s.db | grep -q 'No symbols for.*libsqlite3' && [ "$package" ]; then
    like 'the package with the debug information is named' "$("$sluice" report s.db | tr -s '\n ' '  ')" "*: apt install *$package-dbgsym*DEBUGINFOD_URLS.*"
fi

# With --follow, the screen is about the sum of all processes.
if [ -d "${BUILD:-$root/build}/engine" ]; then
    "$sluice" run -q --follow -o f.db sh -c './wasteful; ./usual; ./usual; ./wasteful'
    "$sluice" report f.db >screen
    sum=$("$sluice" report -n 20 f.db | tr -d , | sed -n 's/ *\([0-9]*\)  total including the program itself/\1/p')
    like 'with --follow, the first line has the number of processes' "$(head -n 2 screen)" '* x86-64 * 5 processes *'
    like 'modules are those of all processes' "$(grep '^Modules' screen)" 'Modules  wasteful *% (yours)  usual *% (yours)*'
    is 'a function has the sum of its processes' "$(awk '$5 == "wasteful" && $4 == "table" { print $3 }' screen)" \
        2,160,180
    like 'hot lines are those of all processes' "$(sed -n '/^Hot lines of your/,/^$/p' screen)" '*wasteful.c:9 *usual.c:8 *'
    like 'hints are those of all processes' "$(sed -n '/^Hints/,/^$/p' screen)" '*wasteful.c:15*usual.c:*'
    is 'processes are grouped by program, the costliest first' \
        "$(sed -n '/processes  program/,$p' screen | awk 'NR > 1 && NF == 4 { print $3, $4 }' | tr '\n' ',')" '2 wasteful,2 usual,1 sh,'
    is 'the programs add up to the run' \
        "$(sed -n '/processes  program/,$p' screen | tr -d , | awk 'NR > 1 && NF == 4 { sum += $2 } END { print sum }')" "$sum"
    like 'with -n, the tree of processes is shown' "$("$sluice" report -n 20 f.db)" '*Processes started by the program*./usual*'
fi

# Code that the program generates.
[ "$(uname -m)" = x86_64 ] || finish
cat >jit.c <<'END'
#include <string.h>
#include <sys/mman.h>
int main(void)
{
    static const unsigned char code[] = {0xb8, 0, 0, 4, 0, 0xff, 0xc8, 0x75, 0xfc, 0xc3};
    void *page = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(page, code, sizeof code);
    return ((int (*)(void))page)();
}
END
build jit gcc -O1 jit.c
"$sluice" run -q -o j.db ./jit
like 'generated code without names is reported' "$("$sluice" report j.db | tr -s '\n ' '  ')" '*! 8[0-9]% of the run is code in no file, without names*'
finish
