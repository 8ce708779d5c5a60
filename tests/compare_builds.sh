#!/bin/sh
# SPDX-License-Identifier: MIT
# Compares the results of two builds of sluice byte by byte, on thirty programs.
#
#     tests/compare_builds.sh OLD NEW [DIRECTORY]
#
# OLD and NEW are build directories of two checkouts. For each program, both builds record a trace;
# the traces must be equal. Both then replay the old trace with every detector, every table and
# several CPU models, and write the database, JSON, text and every export format. Files that differ
# are named and stay in DIRECTORY; the status is 1 if there are any. The programs are those of
# tests/programs, compiled for every guest that has a cross compiler, and tools of the system.
# RENAME, if it is set, is a sed script that is applied to the old build's files first, for a change
# that renames keys: RENAME="$(cat tests/rename_keys.sed)".
old=$1 new=$2 out=${3:-compared}
[ -x "$old/sluice" ] && [ -x "$new/sluice" ] || { echo "usage: $0 OLD NEW [DIRECTORY]" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
old=$(cd "$old" && pwd) new=$(cd "$new" && pwd)
mkdir -p "$out" && cd "$out" || exit
: >differences

# ---- programs ----

guests='x86_64 gcc
aarch64 aarch64-linux-gnu-gcc
riscv64 riscv64-linux-gnu-gcc
mips mips-linux-gnu-gcc
mipsel mipsel-linux-gnu-gcc'
mkdir -p bin
echo "$guests" | while read -r guest compiler; do
    command -v "$compiler" >/dev/null || continue
    for source in branches callers costs inlined numbers; do
        [ -x "bin/$source-$guest" ] ||
            "$compiler" -g -O1 -static -w -I"$here/../include" -o "bin/$source-$guest" "$here/programs/$source.c" -lm 2>/dev/null
    done
done
g++ -g -O1 -static -o bin/classes "$here/programs/classes.cc"
head -c 300000 /usr/bin/gcc >input
seq 3000 | sort -R --random-source=input >numbers
{
    for program in bin/*; do echo "$(basename "$program") $program"; done
    echo "gzip gzip -9 -c input"
    echo "bzip2 bzip2 -c input"
    echo "xz xz -0 -T1 -c input"
    echo "sort sort -n numbers"
    echo "awk awk {s+=\$1}END{print(s)} numbers"
    echo "sha256sum sha256sum input"
    echo "perl perl -e print(join(\",\",sort(map{\$_*7%101}1..2000)))"
    echo "sqlite3 sqlite3 :memory: SELECT(1)"
} >programs

# ---- comparison ----

differ() { echo "$1" | tee -a differences; }
same() # same NAME: compares old/NAME and new/NAME
{
    [ -z "$RENAME" ] || { sed "$RENAME" "old/$1" >renamed && mv renamed "old/$1"; }
    cmp -s "old/$1" "new/$1" || differ "$1"
}
both() # both NAME ARGUMENTS...: the standard output of both builds
{
    result=$1
    shift
    (cd old && "$old/sluice" "$@" >"$result" 2>"$result.err" </dev/null)
    (cd new && "$new/sluice" "$@" >"$result" 2>"$result.err" </dev/null)
    same "$result"
    same "$result.err"
}
record() # record BUILD FILE: a trace of $command
{
    # shellcheck disable=SC2086
    "$1/sluice" record --repeatable -q -p load -p value -m ss4 -o "$2" -- $command >/dev/null 2>record.err </dev/null ||
        "$1/sluice" record --repeatable -q -o "$2" -- $command >/dev/null 2>record.err </dev/null
}
dump() # dump NAME: the database of the last command
{
    for side in old new; do
        sqlite3 "$side/x.db" .dump >"$side/$1" 2>/dev/null
    done
    # Rows are sorted by their keys, which RENAME may change.
    [ -z "$RENAME" ] || {
        sed "$RENAME" "old/$1" | sort >renamed && mv renamed "old/$1"
        sort -o "new/$1" "new/$1"
    }
    same "$1"
}
mkdir -p old new
formats=$("$old/sluice" list formats | sed 's/ .*//')
tables=$("$old/sluice" list tables | sed -n 's/^\([a-z][a-z0-9]*\) .*/\1/p')
machines=$("$old/sluice" list machines | sed -n 's/^\([a-z][a-z0-9]*\) .*/\1/p')

n=0
while read -r name command; do
    n=$((n + 1))
    record "$old" "old/$name.slt"
    record "$old" again.slt
    record "$new" "new/$name.slt"
    if cmp -s again.slt "old/$name.slt"; then
        same "$name.slt"
    else
        echo "$name: two runs of the old build differ, so traces are not compared"
        rm -f "new/$name.slt"
    fi
    trace=$PWD/old/$name.slt
    # What no table has to be named for, with reports in every format.
    both "$name.text" replay -o x.db "$trace"
    dump "$name.sql"
    for format in $formats; do
        both "$name.$format" report x.db -f "$format"
    done
    both "$name.all.json" replay -o x.db --json -p value -p load -p stride -p edge -p call -p type -p block \
        -p path -p function -p context -p loop --exact "$trace"
    dump "$name.all.sql"
    both "$name.html" report x.db -f html
    # Every table with what it suits.
    for table in $tables; do
        for profile in edge value path function event; do
            case $table/$profile in
            leap/function | snoopp/function | morris/* | fpc/* | multiplexed/* | */edge | */value | */path) ;;
            *) continue ;;
            esac
            [ $((n % 4)) = 0 ] || [ $profile = edge ] || [ $profile = function ] || continue
            both "$name.$table.$profile" replay -o x.db --json --exact -p "$profile@$table" "$trace"
        done
    done
    both "$name.compressors" replay -o x.db --json --exact -p 'edge@H[R16]256' -p 'edge@CR64' \
        -p 'value@T8/64x256' -p 'edge@A64' "$trace"
    # CPU models: one a program, all for some.
    for machine in $machines; do
        i=$((i + 1))
        [ $((i % 5)) = $((n % 5)) ] || continue
        both "$name.$machine" replay -o x.db --json -m "$machine" -p function:cycles -p cost -p event -p blame \
            -p context:energy -p block:dmiss "$trace"
        dump "$name.$machine.sql"
    done
    # shellcheck disable=SC2086
    both "$name.run" run --repeatable --json -o x.db -- $(cd "$PWD" && echo "$command" | sed "s,bin/,$PWD/bin/,; s, input, $PWD/input,; s, numbers, $PWD/numbers,")
    rm -f old/x.db new/x.db
    echo "$name: $(wc -l <differences) differences so far"
done <programs
echo "$n programs, $(find new -type f | wc -l) files compared, $(wc -l <differences) differ"
[ ! -s differences ]
