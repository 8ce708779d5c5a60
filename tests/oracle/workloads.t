#!/bin/sh
# SPDX-License-Identifier: MIT
# The programs of bench/workloads on three guests, each with its own CPU model: their self-checks
# pass, and LEAP, SnoopP and the exact profile agree on every function in every metric. With tail
# calls LEAP and SnoopP differ, and the difference is printed.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/oracle/function_profiles.sh"
need sqlite3 readelf
export SLUICE_DATA="$root/data"
sources=$root/bench/workloads
names=$(cd "$sources" && ls ./*.c | sed 's|./||; s|\.c$||')

guests() # those that there is a compiler for: "guest compiler machine metrics"
{
    while read -r guest compiler rest; do
        have "$compiler" && echo "$guest $compiler $rest" >&3
    done 3>guests.list <<END
host ${CC:-cc} ss4 instructions cycles stalls energy
riscv64 riscv64-linux-gnu-gcc rocket instructions cycles stalls energy
mipsel mipsel-linux-gnu-gcc tiger instructions cycles stalls energy
END
}
guests

# ---- every program --------------------------------------------------------------------

inclusive() # inclusive METRIC: the spec
{
    echo "function(inclusive=1):$1"
}

# One round of the program, and what the profilers make of it.
one() # one GUEST NAME MACHINE METRIC...
{
    local guest=$1 name=$2 machine=$3 what="$2, $1" spec
    shift 3
    # shellcheck disable=SC2046
    profile a.db -m "$machine" $(specs "$@") -p function@leap -p "$(inclusive instructions)" \
        -p "$(inclusive cycles)" -- "$BUILD/workloads/$guest/$name" 1
    is "$what: it ends well" $? 0
    like "$what: and finds nothing wrong" "$(cat out)" "$name: ok *"
    echo "$(cat out)" >>said.$name
    own_functions "$BUILD/workloads/$guest/$name" "$name.c" >own
    for metric in "$@"; do
        agree "$what" a.db "$metric" own
        for spec in "function:$metric" "function(tail=0):$metric@leap$wide"; do
            conserves "$what" a.db "$spec" "$(total a.db "$metric")"
        done
    done
    ok "$what: there are $(wc -l <own) functions of its own" [ "$(wc -l <own)" -ge 3 ]
    by_name a.db function:instructions >wanted
    by_name a.db function@leap >got
    same "$what: with symbols LEAP has the C library's functions, too" got wanted
    for metric in instructions cycles; do
        is "$what, $metric: the first function, with all that it calls, has all" "$(sql a.db \
            "SELECT max(count) FROM entry WHERE profile =
            (SELECT id FROM profile WHERE given_spec = '$(inclusive $metric)')")" "$(total a.db $metric)"
    done
}
while read -r guest compiler machine metrics; do
    more='imiss dmiss mispredict cachepower'
    [ $machine != ss4 ] || more="$more l2miss"
    for name in $names; do
        # shellcheck disable=SC2086
        one $guest $name $machine $metrics
    done
    # shellcheck disable=SC2086
    one $guest jpeg $machine instructions cycles $more
done <guests.list
for name in $names; do
    is "$name: every guest has the same result" "$(sort -u said.$name | wc -l)" 1
done

# ---- main, with the program below it ---------------------------------------------------

# The program's main becomes a function that is called between marks: what is executed between
# these, for which no calls have to be followed, is its inclusive cost.
cat >around.c <<'END'
#include <sluice-mark.h>
int program_main(int argc, char **argv);
int main(int argc, char **argv)
{
    SLUICE_BEGIN();
    int status = program_main(argc, argv);
    SLUICE_END();
    return status;
}
END
while read -r guest compiler machine metrics; do
    for name in mix dfsin; do
        what="$name, $guest"
        build program.o "$compiler" -c -O2 -Dmain=program_main "$sources/$name.c"
        build around "$compiler" -O2 -fno-optimize-sibling-calls -static -I "$root/include" \
            around.c program.o
        specs=
        for metric in $metrics; do
            specs="$specs -p $(inclusive $metric) -p function:$metric"
        done
        # shellcheck disable=SC2086
        profile a.db -m $machine $specs -- ./around 3
        # shellcheck disable=SC2086
        profile b.db -m $machine --marked $specs -- ./around 3
        id=0
        for metric in $metrics; do
            is "$what, $metric: main has what the program below it costs" \
                "$(count_of program_main a.db $id)" "$(($(sql b.db "SELECT sum(count) FROM entry
                WHERE profile = $((id + 1))") - $(count_of main b.db $((id + 1)))))"
            id=$((id + 2))
        done
        [ $name = mix ] || continue
        is "$what: a function that calls only itself has once what it costs" \
            "$(count_of evaluate a.db)" "$(count_of evaluate a.db 1)"
    done
done <guests.list

# ---- tail calls ---------------------------------------------------------------------------

# Software floating point subtracts by adding, which is a tail call, and what reduces angles ends
# in one.
while read -r guest compiler machine metrics; do
    what="dfsin with tail calls, $guest"
    build tails "$compiler" -O2 -g -static "$sources/dfsin.c"
    own_functions tails dfsin.c >own
    # shellcheck disable=SC2046
    profile a.db -m $machine $(specs instructions cycles) -- ./tails 2
    for metric in instructions cycles; do
        by_name a.db "function:$metric" | own >wanted
        by_name a.db "block:$metric@snoopp$wide" | own >got
        same "$what, $metric: SnoopP has the exact profile" got wanted
        by_name a.db "function(tail=0):$metric@leap$wide" | own >got
        join -a 1 -a 2 -e 0 -o 0,1.2,2.2 got wanted | awk '$2 != $3' >differences
        sed "s/^/# $guest, $metric, LEAP and SnoopP: /" differences
        ok "$what, $metric: LEAP has not" [ -s differences ]
        like "$what, $metric: addition has less, and who subtracts by it has more" \
            "$(awk '{ print $1 ($2 > $3 ? "+" : "-") }' differences | sort | tr '\n' ' ')" \
            '*df_add-*df_subtract+*reduce+*'
        ok "$what, $metric: LEAP says how much is charged to others" [ \
            "$(misplaced a.db "function(tail=0):$metric@leap$wide")" -ge \
            "$(awk '$2 > $3 { more += $2 - $3 } END { print more + 0 }' differences)" ]
        conserves "$what" a.db "function(tail=0):$metric@leap$wide" "$(total a.db $metric)"
    done
done <guests.list
finish
