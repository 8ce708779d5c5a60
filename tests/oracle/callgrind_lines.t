#!/bin/sh
# SPDX-License-Identifier: MIT
# Instructions per source line of `-f callgrind` equal those of valgrind's callgrind, for every
# line of the program itself, with any optimization and inlining.
. "$(dirname "$0")/../lib.sh"
need valgrind gcc

# "file:line instructions", exclusive, of callgrind's file or of ours, which has addresses, too.
# Files are those of the program: $1.
lines() # lines NAME FILE
{
    awk -v own="$1" '
        /^positions:/ { at = NF - 1 }
        /^(fl|fi|fe)=/ { n = split($0, part, /[=\/]/); file = part[n]; next }
        /^calls=/ { getline; next }
        /^[0-9]/ { if (file == own && $at) cost[$at] += $(at + 1) }
        END { for (line in cost) if (cost[line]) print own ":" line, cost[line] }' "$2" | sort
}

by_line() # by_line WHAT LEAST SOURCE PROGRAM [ARGUMENT]
{
    what=$1 least=$2 source=$3
    shift 3
    valgrind -q --tool=callgrind --compress-strings=no --compress-pos=no --dump-instr=no --skip-plt=no \
        --callgrind-out-file=callgrind.out "$@" >out.valgrind 2>valgrind.err ||
        sed 's/^/# /' valgrind.err
    profile a.db -p block -- "$@"
    "$sluice" report -f callgrind a.db >ours
    lines "$source" callgrind.out >wanted
    lines "$source" ours >got
    same "$what: every line has callgrind's instructions" got wanted
    ok "$what: which are at least $least lines" [ "$(wc -l <got)" -ge "$least" ]
}

# What functions cost with all that they call, through tail calls and a linker's stubs, as
# callgrind_annotate makes it of both files. Without lazy binding, which is the loader's work; and by
# a library of its own, since those of the system do what the processor is best at.
cat >library.c <<'END'
void sort(int *a, int n, int (*order)(const void *, const void *))
{
    for (int gap = n / 2; gap > 0; gap /= 2)
        for (int i = gap; i < n; i++)
            for (int k = i - gap; k >= 0 && order(&a[k], &a[k + gap]) > 0; k -= gap) {
                int other = a[k];
                a[k] = a[k + gap];
                a[k + gap] = other;
            }
}
END
build libown.so gcc -O2 -g -shared -fPIC library.c
cat >tail.c <<'END'
void sort(int *a, int n, int (*order)(const void *, const void *));
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static inline int weigh(int x) { int s = 0; for (int i = 0; i < x % 17; i++) s += i * x; return s; }
__attribute__((noinline)) void sort_all(int *a, int n) { sort(a, n, order); }
__attribute__((noinline)) int total(int *a, int n)
{
    int t = 0;
    for (int i = 0; i < n; i++)
        t += weigh(a[i]);
    return t;
}
__attribute__((noinline)) int last(int *a, int n) { sort_all(a, n); return total(a, n); }
int main(void)
{
    static int a[5000];
    for (int i = 0; i < 5000; i++)
        a[i] = i * 7919 % 5003;
    return last(a, 5000) == 1;
}
END
inclusive() # inclusive FILE
{
    callgrind_annotate --inclusive=yes --auto=no --threshold=100 "$1" |
        sed -n 's/^ *\([0-9,]*\) .*:\(main\|last\|total\|sort_all\|order\|sort\) .*/\2 \1/p' | sort -u
}
build tail gcc -O2 -g -Wl,-z,now,-rpath,"$T" tail.c -L. -lown
valgrind -q --tool=callgrind --callgrind-out-file=callgrind.out ./tail 2>valgrind.err
"$sluice" run -q -f callgrind -o t.db ./tail
"$sluice" report -f callgrind -o ours t.db
inclusive callgrind.out >wanted
inclusive ours >got
same "callgrind_annotate has callgrind's inclusive figures" got wanted
is 'of all six functions' "$(wc -l <got)" 6

for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    for options in -O0 -O2 -O3; do
        for source in shapes numbers callers branches; do
            build hosted $compiler $options -gdwarf-4 -DHOSTED -fcf-protection=none "$programs/$source.c" -lm
            by_line "$compiler $options, $source.c" 20 $source.c ./hosted
        done
    done
done
for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    build hosted $compiler -O2 -gdwarf-4 "$programs/classes.cc"
    by_line "$compiler -O2, classes.cc" 20 classes.cc ./hosted
done
for source in "$root"/bench/workloads/*.c; do
    name=$(basename "$source" .c)
    by_line "$name" 3 "$name.c" "$BUILD/workloads/host/$name" 1
done
finish
