#!/bin/sh
# lockstep-all.sh check|long [EVENTS]: the twins of tests/rtl/specs.txt beside their models; check:
# the first few, every word after each of some thousand events. long: all of them, many events.
# Prints a line for each run; exits with 1 if one differs. $BUILD is the build directory.
which=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/sluice-rtl.XXXXXX")
trap 'rm -rf "$work"' EXIT
# Tables by function are made for this program's.
gcc -O1 -o "$work/primes" "$here/../../demo/primes.c" || exit 1
case $which in
check) events=${2:-400} every=1 kinds='check' flags=-O1 ;;
long) events=${2:-1000000} every=997 kinds='check|long|slow' flags=-O2 ;;
*) echo "usage: lockstep-all.sh check|long [EVENTS]" >&2; exit 2 ;;
esac
status=0
grep -E "^($kinds) " "$here/specs.txt" | while read -r kind spec; do
    case $spec in
    *@leap*|*@snoopp*) export LOCKSTEP_PROGRAM="$work/primes" ;;
    *) unset LOCKSTEP_PROGRAM ;;
    esac
    if ! LOCKSTEP_FLAGS=$flags sh "$here/build-lockstep.sh" "$spec" "$work/twin" >"$work/log" 2>&1; then
        echo "differs: $spec: no program was made of it"
        cat "$work/log"
        continue
    fi
    n=$events
    [ $kind != slow ] || n=$((events / 100))
    for stream in made one different alias; do
        [ $which = check ] || "$work/twin/lockstep" "$spec" $stream 2000 1 2 |
            sed "s|^|$spec: |"
        "$work/twin/lockstep" "$spec" $stream $n $every | sed "s|^|$spec: |"
    done
    rm -rf "$work/twin"
done | tee "$work/lines"
[ -s "$work/lines" ] && ! grep -qv ': agrees: ' "$work/lines" || status=1
[ $which = check ] || awk '{for (i = 1; i < NF; i++) if ($i == "agrees:") n += $(i + 1)}
    END {print n " events in lockstep"}' "$work/lines"
exit $status
