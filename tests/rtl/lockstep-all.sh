#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the RTL of the specs in tests/rtl/specs.txt in lockstep with their models.
#
#     lockstep-all.sh check|long [EVENTS [CYCLES]]
#
# Prints a line for each run and exits with 1 if one differs. $BUILD is the build directory.
#
#     check   the specs of kind `check`, every word after each of some hundred events
#     long    all specs, on synthetic streams and on those of programs of all guests (where there are
#             compilers), three times: every word after each of 2,000 events; after each event the
#             changed words, and every word from time to time; events as fast as the RTL accepts them,
#             and every word from time to time. The last run ends after EVENTS events or CYCLES cycles,
#             the others after a twentieth and a fifth of them. At the end it prints the number of
#             events of each spec
which=$1
here=$(cd "$(dirname "$0")" && pwd)
demo=$here/../../demo programs=$here/../programs
work=$(mktemp -d "${TMPDIR:-/tmp}/sluice-rtl.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
# Tables by function are generated for the functions of this program.
gcc -O1 -o "$work/primes" "$demo/primes.c" || exit 1
case $which in
check) events=${2:-400} every=1 kinds=check jobs=1 ;;
long) events=${2:-1000000} cycles=${3:-2500000} every=9973 kinds='check|long' jobs=$(nproc) ;;
*) echo "usage: lockstep-all.sh check|long [EVENTS [CYCLES]]" >&2; exit 2 ;;
esac

# Records a trace per guest, named after it. riscv32 has no C library.
record()
{
    bare='-nostdlib -static -ffreestanding -fno-builtin -fno-stack-protector -fno-pic -no-pie'
    while read -r guest compiler; do
        # shellcheck disable=SC2086
        ${compiler%% *} --version >/dev/null 2>&1 && $compiler -O1 -o "$work/recorded" &&
            "$BUILD/sluice" record -q -p value -o "$work/$guest.slt" -- "$work/recorded" >"$work/log" 2>&1 ||
            echo "(no program for $guest)" >&2
    done <<END
x86-64 gcc $demo/primes.c
aarch64 aarch64-linux-gnu-gcc -static $demo/primes.c
riscv64 riscv64-linux-gnu-gcc -static $demo/primes.c
riscv32 riscv64-linux-gnu-gcc -march=rv32imafdc -mabi=ilp32d $bare -I$programs $programs/shapes.c
mipsel mipsel-linux-gnu-gcc -static $demo/primes.c
mips mips-linux-gnu-gcc -static $demo/primes.c
END
}

# Prints the streams of a spec. Specs that need a CPU model only have synthetic streams.
streams()
{
    echo mixed one different alias
    # Heavy weights only if cycles and messages per event do not grow with the weight.
    case $which$spec in
    check*|*base=*|*energy@*|value@*) ;;
    *:instructions@[a-z]*) echo weights ;;
    esac
    case $which$spec in
    *event@*|*:energy@*) ;;
    long*) ls "$work"/*.slt ;;
    esac
}

# Runs each JOBS-th spec, starting with the FIRST one.
run() # FIRST
{
    grep -E "^($kinds) " "$here/specs.txt" | awk -v first="$1" -v jobs="$jobs" 'NR % jobs == first % jobs' |
        while read -r kind spec; do
        dir=$work/rtl$1
        case $spec in
        *@leap*|*@snoopp*) export LOCKSTEP_PROGRAM="$work/primes" ;;
        *) unset LOCKSTEP_PROGRAM ;;
        esac
        if ! sh "$here/build-lockstep.sh" "$spec" "$dir" >"$dir.log" 2>&1; then
            echo "$spec: differs: it cannot be compiled"
            cat "$dir.log"
            continue
        fi
        for stream in $(streams); do
            [ $which = check ] || "$dir/lockstep" "$spec" $stream 2000 1 2 $((cycles / 20))
            [ $which = check ] || "$dir/lockstep" "$spec" $stream $events $every 3 $((cycles / 5)) changed
            "$dir/lockstep" "$spec" $stream $events $every 1 $cycles
        done | sed -u "s|^|$spec: |; s|$work/||"
        rm -rf "$dir"
    done
}

[ $which = check ] || record
{
    for job in $(seq $jobs); do run $job & done
    wait
} | tee "$work/lines"
[ $which = check ] || awk '{
        at = index($0, ": agrees: ")
        spec = substr($0, 1, at - 1)
        split(substr($0, at + 10), word, " ")
        if (!(spec in events)) order[++n] = spec
        events[spec] += word[1]; cycles[spec] += word[6]; words[spec] += word[10]
        all_events += word[1]; all_cycles += word[6]; all_words += word[10]
    }
    END {
        printf "\n%12s %12s %12s\n", "events", "cycles", "words read"
        for (i = 1; i <= n; i++)
            printf "%12d %12d %12d  %s\n", events[order[i]], cycles[order[i]], words[order[i]], order[i]
        printf "%12d %12d %12d  in lockstep, %d specs\n", all_events, all_cycles, all_words, n
    }' "$work/lines"
[ -s "$work/lines" ] && ! grep -qv ': agrees: ' "$work/lines"
