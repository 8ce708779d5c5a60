#!/bin/sh
# SPDX-License-Identifier: MIT
# Path profiles of real programs equal those that an independent program computes from the same
# trace by definition (tests/support/path_counts.c): recursion, longjmp, exceptions, signals,
# faults, threads and user-space stack switches, for all kinds of paths.
. "$(dirname "$0")/../lib.sh"
need gcc g++ sqlite3
counts=$BUILD/tests/support/path_counts

# The detector's options, and the same for path_counts.
wpp='call=update_count+pop+push return=update_count+pop+push'
cat >specs <<END
path|
path(wpp)|$wpp
path(loop)|kind=loop
path(loop,extend=3,length=8)|kind=loop extend=3 length=8
path(procedure)|kind=procedure
path(procedure,extend=4,overflow=spill)|kind=procedure extend=4 spill=1
path(length=3,stack=4)|length=3 stack=4
path(overflow=spill)|spill=1
path(repair=0)|repair=0
path:instructions|weigh=1
path(wpp,bits=8):instructions|$wpp bits=8 weigh=1
path(call=update,return=update)|call=update return=update
path(procedure,call=pop+push,indirect=update)|kind=procedure call=pop+push indirect=update
END

# agree WHAT PROGRAM...: every kind of path is what the definition says
agree()
{
    local what=$1 number=0 spec options
    shift
    "$sluice" record -q -p edge -o t.slt -- "$@" >out 2>err </dev/null
    is "$what: it ends well" $? 0
    set --
    while IFS='|' read -r spec options; do
        set -- "$@" -p "$spec"
    done <specs
    rm -f a.db
    "$sluice" replay -q --keep all -o a.db "$@" t.slt >/dev/null 2>err || sed 's/^/# /' err
    while IFS='|' read -r spec options; do
        sql a.db "SELECT printf('%x %x %d', pc, value, count) FROM entry
            WHERE profile = $number" | sort >got
        "$counts" t.slt $options 2>became | sort >wanted
        same "$what: $spec" got wanted
        case $spec in
        *:*) ;;
        *)
            is "$what: $spec: their lengths are the branches recorded, less those lost or unfinished" \
                "$(sql a.db "SELECT sum(count * (value >> 32)) FROM entry WHERE profile = $number")" \
                "$(awk '{ print $2 - $6 - $8 }' became)"
            ;;
        esac
        number=$((number + 1))
    done <specs
}

while read -r arch compiler; do
    if ! command -v "$compiler" >/dev/null; then
        skip "$arch" "there is no $compiler"
        continue
    fi
    build odd "$compiler" -O1 -static "$programs/odd_flow.c"
    agree "$arch: signals" ./odd signals 20000
    agree "$arch: faults" ./odd faults 50
    agree "$arch: longjmp" ./odd longjmp 500
done <<END
$(cross_compilers)
END
build odd gcc -O1 -static "$programs/odd_flow.c"
agree 'nested signals' ./odd nested 200
agree contexts ./odd contexts 500
agree recursion ./odd recursion 1000

build threads gcc -O1 -static -pthread -I "$root/include" "$programs/threads.c"
agree threads ./threads 4 5000 20

cat >throw.cc <<'END'
// Throws through two functions; destructors run on the way.
#define FUNCTION __attribute__((noinline))
volatile long sum;
struct Guard { FUNCTION ~Guard() { sum = sum + 1; } };
FUNCTION void thrower(int i) { if (i % 3 == 0) throw i; sum = sum + 2; }
FUNCTION void middle(int i) { Guard g; thrower(i); }
FUNCTION void catcher(int i) { try { middle(i); } catch (int x) { sum = sum + x; } }
int main() { for (int i = 0; i < 100; i++) catcher(i); }
END
build throw g++ -O1 throw.cc
agree exceptions ./throw

head -c 60000 "$root/tests/lib.sh" "$root/docs/database.md" "$root/include/sluice.h" >text
agree sort sort text
if command -v bzip2 >/dev/null; then
    agree bzip2 bzip2 -c text
fi
finish
