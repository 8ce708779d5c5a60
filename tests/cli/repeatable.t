#!/bin/sh
# SPDX-License-Identifier: MIT
# --repeatable: a program executes the same instructions in any environment. And the workflow of
# docs/ci.md: a regression of 0.1 % is found and its line named.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3 cut seq awk

# Depends on addresses, on keys, on the environment's size.
cat >places.c <<'END'
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
extern char **environ;
int main(int argc, char **argv)
{
    uint64_t key, n = 0;
    memcpy(&key, (void *)getauxval(AT_RANDOM), sizeof key);
    for (uint64_t i = key % 1000 + (uintptr_t)&argc / 16 % 1000 + (uintptr_t)malloc(9) / 16 % 1000; i; i--)
        n += i % 3;
    for (char **e = environ; *e; e++)
        n += strlen(*e);
    for (const char *p = (char *)getauxval(AT_PLATFORM); p && *p; p++)
        n += *p;
    return !printf("%d %s\n", (int)n, argv[0]);
}
END
cat >tree.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static int order(const void *a, const void *b) { return *(int *)a - *(int *)b; }
int main(void)
{
    int x[300];
    time_t day = 86400;
    for (int i = 0; i < 300; i++)
        x[i] = rand() % 977;
    qsort(x, 300, sizeof *x, order);
    printf("%d %s %s\n", x[150], getenv("HOME"), ctime(&day));
    return 0;
}
END
cat >work.c <<'END'
#include <stdio.h>

static volatile int sum;

__attribute__((noinline)) static void weigh(int n)
{
    for (int i = 0; i < n; i++)
        sum += i;
}

__attribute__((noinline)) static void check(int n)
{
    sum += n % 7;
}

int main(void)
{
    for (int i = 0; i < 100; i++) {
        weigh(350);
        check(i);
    }
    return !printf("%d\n", sum);
}
END
build places gcc -O1 places.c
build places.static gcc -O1 -static places.c
cat >split_words.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    FILE *in = fopen(argv[argc - 1], "r");
    char line[99];
    size_t n = 0;
    while (in && fgets(line, sizeof line, in))
        for (char *word = strtok(line, " \n"); word; word = strtok(NULL, " \n"))
            n += strlen(word);
    return !printf("%zu %zu\n", n, strlen(getenv("PATH") ? getenv("PATH") : ""));
}
END
build words gcc -O1 -static split_words.c
build tree gcc -O1 tree.c
build tree.static gcc -O1 -static tree.c
build work gcc -g -O1 -static work.c
build bare.2 gcc -O2 -nostdlib -static -ffreestanding -fno-builtin -fno-stack-protector -fno-pic -no-pie \
    -I "$programs" "$programs/shapes.c"
build bare gcc -O1 -nostdlib -static -ffreestanding -fno-builtin -fno-stack-protector -fno-pic -no-pie \
    -I "$programs" "$programs/shapes.c"
printf '%s\n' pear apple fig >in

build_if() { gcc -O1 -o "$1" "$2" 2>/dev/null; } # not on every machine
# once RUN PROGRAM...: its counts, in surroundings that differ from run to run
once()
{
    local i=$1 at
    shift
    at=$T/d$(printf "%0$((i * 7 + 1))d" 0)
    mkdir -p "$at"
    (cd "$at" && { ulimit -S -s $((7168 - 128 * (i % 3))) 2>/dev/null || :; } &&
        env "V$i=$(printf "%0$((i * 53))d" 0)" TZ=:$i LC_ALL=C LANG=x$i HOME="$at" QEMU_STACK_SIZE=${i}000000 \
            "$sluice" run --repeatable -q --keep 1 -p edge -o "$T/$i.db" -- "$@" >"$T/$i.out" 2>&1 </dev/null)
    echo "$? $(sql "$T/$i.db" 'SELECT instructions, blocks, events FROM program, profile')"
}
repeats() # repeats NAME PROGRAM...
{
    local name=$1 i
    shift
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do once $i "$@"; done >counts
    is "$name: 20 runs, one count" "$(sort -u counts)" "$(head -n 1 counts)"
    like "$name: it ran, and something was counted" "$(head -n 1 counts)" '0 [1-9]*|[1-9]*|[1-9]*'
}
repeats cut cut -c 2-4 "$T/in"
repeats 'words of a file' "$T/words" "$T/in"
repeats seq seq 1 100
repeats 'addresses, keys and the environment' "$T/places" a
repeats 'the same, static' "$T/places.static"
repeats 'sorting, HOME and days' "$T/tree"
repeats 'the same, static' "$T/tree.static"
repeats 'no library' "$T/bare"
repeats 'no library, otherwise compiled' "$T/bare.2"
repeats 'counting' "$T/work"

# What the system, or the machine, would give otherwise each time.
cat >guest_random.c <<'END'
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/random.h>
#include <unistd.h>
int main(void)
{
    uint64_t a[3] = {0}, b[2] = {0};
    unsigned char c[5] = {0};
    int file = open("/dev/urandom", O_RDONLY);
    ssize_t n = getrandom(a, sizeof a, 0) + read(file, b, sizeof b) + read(file, c, sizeof c);
    printf("%d %llx %llx %llx %llx %x\n", (int)n, (long long)a[0], (long long)a[2], (long long)b[0],
           (long long)b[1], c[4]);
    for (volatile uint64_t i = (a[1] ^ b[1] ^ c[0]) % 1000; i; i--)
        ;
    return 0;
}
END
cat >ticks.c <<'END'
#include <stdio.h>
#include <x86intrin.h>
int main(void)
{
    unsigned long long first = __rdtsc(), then = __rdtsc();
    for (volatile unsigned long long i = first % 1000 + then % 777; i; i--)
        ;
    while (__rdtsc() < then + 100000)
        ;
    return !printf("%llu %llu\n", first, then - first);
}
END
build chance gcc -O1 guest_random.c
repeats 'random numbers' "$T/chance"
is 'random numbers: they are the same in each run' "$(sort -u [0-9]*.out | wc -l)" 1
like 'random numbers: they look like some' "$(cat 1.out)" '45 *[1-9a-f]* *[1-9a-f]* *[1-9a-f]* *'
rm -f [0-9]*.out
"$sluice" run -q -p edge -o a.db ./chance >1.out
"$sluice" run -q -p edge -o a.db ./chance >2.out
ok 'random numbers: without, they are not' [ "$(cat 1.out)" != "$(cat 2.out)" ]
if [ -x "$BUILD/engine/qemu-x86_64" ] && [ "$SLUICE_TAP" != plugin ] && build_if ticks ticks.c; then
    repeats 'time stamps' "$T/ticks"
else
    skip 'time stamps' 'there is no engine, or the machine has none'
fi

# ---- what it is given
env A=1 B=2 C=3 "$sluice" run --repeatable=B,D -q -p edge -o a.db env >out 2>err
is 'the environment is fixed, but for what is to be kept' "$(grep -v '^SLUICE_PADDING=x*$' out | sort | paste -sd ' ')" \
    'B=2 HOME=/ LC_ALL=C PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TZ=UTC0'
env PATH="$PATH:/more" "$sluice" run --repeatable=PATH -q -p edge -o a.db env >out 2>err
is 'also if that is fixed otherwise' "$(grep '^PATH=' out)" "PATH=$PATH:/more"
"$sluice" run --repeatable=A=1 -q -p edge -o a.db env >out 2>err
is 'values are refused' $? 2
"$sluice" record --repeatable -q -p edge -o a.slt -- "$T/tree" >out 2>err
is 'record has it, too' $? 0
"$sluice" replay -q -p edge --keep 1 -o b.db a.slt
is 'and what it records is what run counts' "$(sql b.db 'SELECT instructions, blocks, events FROM program, profile')" \
    "$(once 3 "$T/tree" | sed 's/^0 //')"
if [ -x "$BUILD/engine/qemu-x86_64" ]; then
    # A shell writes down its parent's number, which takes an instruction or more for each of its digits: if
    # these have become more or fewer on the way, once more.
    before= after=0
    while [ "$before" != "$after" ]; do
        before=$(sh -c 'echo $$' | wc -c)
        for i in 1 2; do
            env X=$i$i$i "$sluice" run --repeatable --follow -q -p edge -o f.db sh -c 'A=1 ./places; ./tree' >out 2>&1
            "$sluice" report --json f.db | sed -n 's/.*"instructions"/"instructions"/p' >f$i
        done
        after=$(sh -c 'echo $$' | wc -c)
    done
    same 'what it starts repeats, too' f1 f2
    is 'and was there, with its forks' "$(grep -c instructions f1)" 5
else
    skip 'what it starts' 'the engine is not built (make engine)'
fi

# ---- docs/ci.md
sed -n '/^```sh$/,/^```$/p' "$root/docs/ci.md" | sed '1d;$d' >cost.sh
ok 'docs/ci.md: its script is there' [ -s cost.sh ]
mkdir bin
ln -s "$sluice" bin/sluice
cost() { PATH=$T/bin:$PATH LIMIT=$1 sh ./cost.sh base.db ./work >out 2>err; }
gcc -g -O1 -o work work.c
cost 0.05%
is 'docs/ci.md: the first time it makes the base' "$? $(test -s base.db && echo there)" '0 there'
gcc -g -O1 -o work work.c
X=$(printf '%0999d' 0) cost 0.000001%
is 'docs/ci.md: built again, it is the same to the last instruction' $? 0
awk '{ print } /^{/ && ++n == 2 { print "    sum ^= n;" }' work.c >work.2
mv work.2 work.c
gcc -g -O1 -o work work.c
line=$(grep -n 'sum ^= n' work.c | cut -d: -f1)
cost 0.01%
is 'docs/ci.md: a line more is too dear' $? 1
percent=$(sed -n 's/.*regression: +\([0-9.]*\) % instructions .*/\1/p' err)
ok "docs/ci.md: by about a thousandth, $percent %" awk "BEGIN { exit !($percent > 0.03 && $percent < 0.17) }"
like 'docs/ci.md: it names the function' "$(grep -A 1 '^Functions' out | tail -n 1)" '*  check  work.c:*'
like 'docs/ci.md: it names the line' "$(grep -A 1 '^Lines' out | tail -n 1)" "*  check  work.c:$line"
cost 0.5%
is 'docs/ci.md: with a higher limit it passes' $? 0
finish
