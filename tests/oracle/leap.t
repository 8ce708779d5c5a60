#!/bin/sh
# SPDX-License-Identifier: MIT
# Three independent counts of function cost agree on programs without tail calls, for every
# function, guest and CPU model: LEAP, which follows calls and returns without symbols; SnoopP,
# which compares addresses without calls; and the exact profile. Inclusive costs equal those of
# callgrind.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/oracle/function_profiles.sh"
need gcc sqlite3
export SLUICE_DATA="$root/data"

# ---- without a C library: every function --------------------------------------

bare='-nostdlib -static -ffreestanding -fno-builtin -fno-stack-protector -fno-pic -no-pie'
while read -r arch machine compiler; do
    have "$compiler" || continue
    case $arch in mips*) plain=-mno-abicalls ;; *) plain= ;; esac
    for program in shapes predict; do
        for options in -O0 -O1 '-O2 -fno-optimize-sibling-calls'; do
            what="$program, $arch $options, $machine"
            build bare $compiler $options $bare $plain -I "$programs" "$programs/$program.c"
            metrics='instructions cycles stalls energy'
            # shellcheck disable=SC2046
            profile a.db -m "$machine" $(specs $metrics) -- ./bare
            for metric in $metrics; do
                agree "$what" a.db $metric
                conserves "$what" a.db "function(tail=0):$metric@leap$wide" \
                    "$(total a.db $metric)"
            done
            is "$what: LEAP says nothing of tail calls" \
                "$(misplaced a.db "function(tail=0):instructions@leap$wide")" 0
            ok "$what: there are ten functions or more" [ "$(wc -l <wanted)" -ge 10 ]
        done
    done
done <<'END'
x86-64 ss4 gcc
aarch64 rocket aarch64-linux-gnu-gcc
riscv64 rocket riscv64-linux-gnu-gcc
mipsel tiger mipsel-linux-gnu-gcc
mips tiger mips-linux-gnu-gcc
END

# ---- tail calls ----------------------------------------------------------------

# What a jump enters is charged to the function that was called. So some have more, some
# less or nothing; where symbols help (tail=1), nothing changes.
while read -r arch compiler; do
    have "$compiler" || continue
    case $arch in mips*) plain=-mno-abicalls ;; *) plain= ;; esac
    what="shapes, $arch -O2, tail calls"
    build bare $compiler -O2 $bare $plain -I "$programs" "$programs/shapes.c"
    profile a.db -p function -p 'function(tail=0)@leap' -p block:instructions@snoopp \
        -p function@leap -- ./bare
    by_name a.db block:instructions@snoopp >wanted
    by_name a.db function@leap >got
    same "$what: with symbols LEAP is SnoopP" got wanted
    by_name a.db 'function(tail=0)@leap' >got
    ok "$what: without them it is not" eval '! cmp -s got wanted'
    join -a 1 -a 2 -e 0 -o 0,1.2,2.2 got wanted | awk '$2 != $3 { print; sum += $2 - $3 }
        END { print "sum", sum }' >differences
    sed 's/^/# LEAP and SnoopP: /' differences
    is "$what: what one has more the others have less" "$(sed -n 's/^sum //p' differences)" 0
    # Where a function is charged for one and loses to another, the difference is less.
    ok "$what: LEAP says how much of it is charged to others" [ \
        "$(misplaced a.db 'function(tail=0)@leap')" -ge \
        "$(awk '$1 != "sum" && $2 > $3 { more += $2 - $3 } END { print more }' differences)" ]
    is "$what: with symbols it has nothing to say" "$(sql a.db "SELECT warning FROM profile
        WHERE given_spec = 'function@leap'")" ""
    # Jumps to functions and what is jumped to, as the disassembly has them.
    case $arch in mips*) jump='j' ;; aarch64) jump='b' ;; riscv64) jump='j' ;; *) jump='jmp' ;; esac
    "${compiler%gcc}objdump" -d --no-show-raw-insn bare | awk -v jump=$jump '
        /^[0-9a-f]+ </ { gsub(/[<>:]/, "", $2); here = $2 }
        $2 ~ "^" jump "(\\.n)?$" || $2 ~ /^j(r|e|ne|a|b|be|ae)?$/ || $2 ~ /^b(eq|ne|eqz|nez|\.)/ {
            to = $NF; gsub(/[<>]|\+0x.*/, "", to)
            if (to != here && to !~ /^[0-9a-f]+$/) { print here; print to } }' | sort -u >jumpers
    is "$what: only functions that jump to others, or are jumped to, differ" \
        "$(grep -v '^sum' differences | awk '{ print $1 }' | comm -23 - jumpers)" ""
done <<END
x86-64 gcc
aarch64 aarch64-linux-gnu-gcc
riscv64 riscv64-linux-gnu-gcc
mipsel mipsel-linux-gnu-gcc
END

# ---- with a C library ------------------------------------------------------------

# Its own functions have tail calls: compared are those of the program. On AArch64, and on RISC-V with
# newer C libraries, even main is jumped to, from a stub after _start.
while read -r arch compiler; do
    have "$compiler" || continue
    for program in numbers branches; do
        what="$program, $arch, C library"
        build object.o $compiler -c -O1 "$programs/$program.c"
        build static $compiler -static object.o
        jumped=none
        [ "$arch" = aarch64 ] || "${compiler%gcc}nm" static | grep -q " __wrap_main$" && jumped=main
        "${compiler%gcc}nm" object.o | awk -v jumped=$jumped '$2 ~ /[tT]/ && $3 != jumped { print $3 }' |
            sort >own
        # shellcheck disable=SC2046
        profile a.db $(specs instructions) -p function@leap -- ./static
        agree "$what" a.db instructions own
        by_name a.db function:instructions >wanted
        by_name a.db function@leap >got
        same "$what: with symbols LEAP has every function of it, the library's too" got wanted
        is "$what: and drops nothing" "$(sql a.db "SELECT drops FROM profile
            WHERE given_spec = 'function@leap'")" 0
    done
done <<END
$(cross_compilers)
END

build object.o gcc -c -O1 -fPIE "$programs/numbers.c"
nm object.o | awk '$2 ~ /[tT]/ { print $3 }' | sort >own
for way in '-pie' '-no-pie' '-static-pie'; do
    what="numbers, $way"
    build linked gcc $way object.o
    # shellcheck disable=SC2046
    profile a.db $(specs instructions) -- ./linked
    agree "$what" a.db instructions own
    all=$(sql a.db 'SELECT instructions FROM program')
    for spec in "function(tail=0):instructions@leap$wide" "block:instructions@snoopp$wide"; do
        conserves "$what" a.db "$spec" "$all"
    done
    [ "$way" = -static-pie ] ||
        like "$what: what happened in libraries is reported" "$(sql a.db 'SELECT warning FROM profile
            WHERE id = 1')" '*% of the weight) were dropped, *libraries*'
done

# ---- stripped ------------------------------------------------------------------------

build linked gcc -pie -rdynamic object.o
profile a.db -p function -- ./linked
by_name a.db function | own >wanted
strip linked
profile a.db -p function@leap -- ./linked
by_name a.db function@leap | join wanted - | awk '{ print $1, $3 }' >got
ok 'stripped: exported functions have counters' [ "$(wc -l <got)" -ge 5 ]
awk '{ print $1 }' got | join - wanted >wanted.exported
same 'stripped: and in them what they have' got wanted.exported
like 'stripped: that is reported' "$(sql a.db 'SELECT warning FROM profile')" 'the program is stripped: *'
build linked gcc -static -s object.o
profile a.db -p function@leap -- ./linked
is 'no symbols at all: the program runs all the same' $? 0
conserves 'no symbols at all' a.db function@leap "$(sql a.db 'SELECT instructions FROM program')"
like 'no symbols at all: there is a warning' "$(sql a.db 'SELECT warning FROM profile')" '*found no functions of the program*'

# ---- what means nothing ---------------------------------------------------------------

build odd gcc -O1 -static "$programs/odd_flow.c"
refused() # refused SPEC PATTERN
{
    "$sluice" run -q -p "$1" -- ./odd 2>err
    is "$1: refused" $? 2
    like "$1: and why" "$(cat err)" "$2"
}
refused value@leap '*leap works only with the detector function*use function@leap*'
refused value+edge@snoopp '*several detectors*'
refused 'function(inclusive=1):count' '*count is not a cost: use function:instructions*'
refused 'function(depth=2M)' '*depth*1Mi*'
refused 'function@leap(bits=65)' '*bits*64*'

# ---- odd flow --------------------------------------------------------------------------

while read -r arch compiler; do
    have "$compiler" || continue
    build odd.$arch $compiler -O1 -static "$programs/odd_flow.c"
    for kind in 'signals 20000' 'nested 200' 'faults 100' 'longjmp 1000' 'contexts 1000' \
        'recursion 50000'; do
        what="$arch: $kind"
        # shellcheck disable=SC2086
        profile a.db -p 'function(tail=0,depth=32)@leap' -p 'function(depth=32)@leap' \
            -p function -p 'function(depth=32,inclusive=1)' -- ./odd.$arch $kind
        is "$what, 32 calls deep: it ends well" $? 0
        all=$(sql a.db 'SELECT instructions FROM program')
        for spec in 'function(tail=0,depth=32)@leap' 'function(depth=32)@leap'; do
            conserves "$what" a.db "$spec" "$all"
        done
        by_name a.db 'function(depth=32)@leap' >got
        by_name a.db function >wanted
        same "$what: with symbols, functions have theirs however deep they are called" got wanted
        is "$what: no function has more with what it calls than there is" \
            "$(sql a.db "SELECT count(*) FROM entry WHERE profile = 3 AND count > $all")" 0
    done
    like "$arch: recursion: the stack says how often it was full, and empty" \
        "$(sql a.db 'SELECT warning FROM profile WHERE id = 1')" \
        '*dropped its oldest call 499?? times*; 499?? returns matched no call*'
done <<END
x86-64 gcc
riscv64 riscv64-linux-gnu-gcc
mipsel mipsel-linux-gnu-gcc
END

# ---- with all that they call --------------------------------------------------------------

# In callgrind's file, what a function costs is on its own lines and after calls=; those of
# deeper levels of a recursion are the function'2's.
inclusive()
{
    awk '
        /^fn=/ { fn = substr($0, 4); if (fn == "(below main)") fn = "_start"; next }
        /^calls=/ { getline; cost[fn] += $2; next }
        /^[0-9+*-]/ { cost[fn] += $2 }
        END { for (fn in cost) if (cost[fn] && fn !~ /\047[0-9]+$/) print fn, cost[fn] }' "$1" |
        sort
}
if command -v valgrind >/dev/null && [ "$(uname -m)" = x86_64 ]; then
    for options in -O0 -O1 '-O2 -fno-optimize-sibling-calls'; do
        what="callgrind, shapes $options"
        build bare gcc $options $bare -gdwarf-4 -fcf-protection=none -I "$programs" \
            "$programs/shapes.c"
        valgrind -q --tool=callgrind --compress-strings=no --compress-pos=no --dump-instr=no \
            --separate-recs=2 --callgrind-out-file=callgrind.out ./bare >out 2>err
        inclusive callgrind.out | grep -v '^_start ' >wanted
        profile a.db -p 'function(inclusive=1)' -p 'function(inclusive=1)@leap' -p function \
            -p 'function(inclusive=1)@snoopp' -- ./bare
        by_name a.db 'function(inclusive=1)' | grep -v '^_start ' >got
        same "$what: functions with all that they call cost what it says" got wanted
        for table in leap snoopp; do
            by_name a.db "function(inclusive=1)@$table" | grep -v '^_start ' >got
            same "$what: $table keeps it" got wanted
        done
        all=$(sql a.db 'SELECT instructions FROM program')
        is "$what: main has all but what its caller has" "$(count_of bare_main a.db)" \
            $((all - $(count_of _start a.db 2)))
        is "$what: percentages are relative to all executed instructions" "$(sql a.db 'SELECT weight FROM profile
            WHERE id = 0')" "$all"
    done
else
    skip 'callgrind' 'there is no valgrind for it'
fi

# Functions that are left by longjmp or an exception have what they called up to then, and
# are not on the stack any more.
cat >loops.c <<'END'
#include <setjmp.h>
static jmp_buf out;
static volatile unsigned n, sum;
__attribute__((noinline)) void bottom(void) { if (++n < 5000) longjmp(out, 1); }
__attribute__((noinline)) void middle(void) { bottom(); __asm__ volatile(""); }
__attribute__((noinline)) void busy(void) { for (int i = 0; i < 50; i++) sum += n; }
int main(void) { setjmp(out); busy(); middle(); return 0; }
END
cat >throws.cc <<'END'
static volatile unsigned sum;
extern "C" __attribute__((noinline)) void bottom(int i) { if (i) throw i; }
extern "C" __attribute__((noinline)) void middle(int i) { bottom(i); __asm__ volatile(""); }
extern "C" __attribute__((noinline)) void busy() { for (int i = 0; i < 50; i++) sum += i; }
int main()
{
    for (int i = 0; i < 300; i++) {
        busy();
        try { middle(i); } catch (int) { sum += 1; }
    }
}
END
for source in loops.c throws.cc; do
    case $source in *.cc) compiler=g++ ;; *) compiler=gcc ;; esac
    have $compiler || continue
    build loops $compiler -O1 -static $source
    profile a.db -p 'function(inclusive=1)' -p function -p 'function(depth=32)' -- ./loops
    is "$source: the function above has its own and what is below it" "$(count_of middle a.db)" \
        $(($(count_of middle a.db 1) + $(count_of bottom a.db)))
    ok "$source: main has them and more" [ "$(count_of main a.db)" -gt \
        $(($(count_of middle a.db) + $(count_of busy a.db))) ]
    is "$source: the stack does not fill" "$(sql a.db 'SELECT warning FROM profile WHERE id = 2')" ""
done

build workers gcc -O1 -pthread -static "$programs/workers.c"
profile a.db -p 'function(inclusive=1)' -p function -- ./workers
is 'threads: percentages are relative to the instructions of all threads' "$(sql a.db 'SELECT weight FROM profile
    WHERE id = 0')" "$(sql a.db 'SELECT sum(count) FROM entry WHERE profile = 1')"
ok 'threads: no function has less with what it calls than by itself' [ "$(sql a.db 'SELECT count(*)
    FROM entry a JOIN entry b ON a.pc = b.pc WHERE a.profile = 0 AND b.profile = 1
    AND a.count < b.count')" = 0 ]

ulimit -s 500000
profile a.db -p 'function(inclusive=1)' -p function -- ./odd recursion 1000000
is 'a recursion a million deep: has itself once, and what it calls at its end' \
    "$(count_of down a.db)" $(($(count_of down a.db 1) + $(count_of work a.db 1) / 2))
ok 'a recursion a million deep: main has it' [ "$(count_of main a.db)" -gt "$(count_of down a.db)" ]
ok 'a recursion a million deep: which is much' [ "$(count_of down a.db)" -gt 5000000 ]
finish
