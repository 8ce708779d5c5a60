#!/bin/sh
# SPDX-License-Identifier: MIT
# What an optimizer makes of profiles: a program is built, profiled with one input, optimized by
# BOLT from each of several profiles, and what comes out is run with another input.
#
#     optimizer.sh try PROGRAM SLUICE SOURCES [SPEC]...
#     optimizer.sh run PROGRAM DIRECTORY
#
# The first is done in an empty directory. SLUICE is the program sluice; SOURCES is a directory
# for what has to be fetched (optimizer_programs.sh). $SIZE is how much there is to do, as in
# programs.sh. Each SPEC is a profile to optimize from. Prints figures, by tabs: label, measure,
# of which it is or nothing, and the value:
#
#     (nothing) version, training, testing    of the program; of its inputs, with instructions
#     (nothing) absent                        no other results, and the reason
#     SPEC absent                             of this one
#     SPEC storage overlap                   bits of the table; what is right of its profile
#     SPEC same                               1 if the binary's output is that of the original
#     SPEC instructions cycles imiss          of the binary, libraries included; the latter two of
#                                             the machine ss4 and of it with the instruction cache
#                                             of an Alpha 21264
#     SPEC taken                              branches taken in its own code: conditional ones that
#                                             were, jumps and calls, but not returns
#     SPEC binary                             the directory where it is; 1
#
# Under the label `original` are those of the program as it was built. They are the same in each
# run.
#
# The second runs such a binary with more to do, outside of the emulator: to take the time.
here=$(cd "$(dirname "$0")" && pwd -P) || exit 1
llvm=/usr/lib/llvm-19/bin # the links in /usr/bin do not all work
SIZE=${SIZE:-full}
. "$here/inputs.sh"
. "$here/optimizer_programs.sh"

say() # LABEL MEASURE ITEM VALUE
{
    printf '%s\t%s\t%s\t%s\n' "$@"
}

query() # DATABASE SQL
{
    sqlite3 -readonly "$1" "$2"
}

failed() # WHAT
{
    echo "optimizer.sh: $program: $1" >&2
    exit 1
}

tool_missing()
{
    if [ ! -x $llvm/llvm-bolt ] || [ ! -x $llvm/perf2bolt ]; then
        echo 'BOLT is not installed (package bolt-19, or make optimizer-packages)'
    elif ! command -v cc >/dev/null; then
        echo 'there is no C compiler (package gcc)'
    elif ! command -v sqlite3 >/dev/null; then
        echo 'sqlite3 is not installed, with which results are read (package sqlite3)'
    else
        return 1
    fi
}

# ---- one binary, in a directory of its own -------------------------------------------------

measure() # DIRECTORY LABEL
{
    cycles "$1" "$2" 21264 ss4,l1i.size=64Ki,l1i.ways=2 &&
        cycles "$1" "$2" ss4 ss4 -p edge -p call -p block || return
    say "$2" instructions '' "$(query counts.db 'SELECT instructions FROM program')"
    say "$2" taken '' "$("$sluice" report -f bolt counts.db |
        awk '$1 == "B" { n += $4 } END { printf "%.0f", n }')"
}

cycles() # DIRECTORY LABEL NAME MACHINE OPTION...
{
    local directory="$1" label="$2" name="$3"
    shift 3
    (cd "$directory" && run "$program" testing "$sluice" run -q -o ../counts.db -m "$@" --) &&
        query counts.db "SELECT '$label', name, '$name', count FROM machine_event
            WHERE name IN ('cycles', 'imiss')" | tr '|' '\t'
}

same_output() # DIRECTORY
{
    cmp -s "$1/output" original/output && { [ ! -e original/output.o ] ||
        cmp -s "$1/output.o" original/output.o; }
}

# From the training, through the table, to DIRECTORY/program.
optimize() # DIRECTORY SPEC
{
    mkdir "$1" && "$sluice" replay -q --exact -p "$2" -o profile.db training.slt &&
        "$sluice" report -f bolt -o profile.pa profile.db || return
    query profile.db "SELECT '$2', 'storage', '', storage_bits FROM profile WHERE storage_bits > 0
        UNION ALL SELECT '$2', 'overlap', '', value FROM error WHERE name = 'overlap'" | tr '|' '\t'
    "$llvm/perf2bolt" -pa -p profile.pa -o profile.fdata original/program >bolt.log 2>&1 &&
        "$llvm/llvm-bolt" original/program -o "$1/program" -data profile.fdata \
            -reorder-blocks=ext-tsp -reorder-functions=cdsort -split-functions -split-all-cold \
            -split-eh -icf=1 >bolt.log 2>&1
}

# ---- the whole -----------------------------------------------------------------------------

# Figures of one profile.
try_profile() # DIRECTORY SPEC
{
    if ! optimize "$1" "$2"; then
        say "$2" absent "BOLT failed: $(tail -n 1 bolt.log)" 1
    elif measure "$1" "$2" && same_output "$1"; then
        say "$2" same '' 1
        say "$2" binary "$1" 1
    else
        say "$2" same '' 0
    fi
}

try() # SPEC...
{
    local number=0 spec why
    if why=$(tool_missing) || ! why=$(build "$program"); then
        say '' absent "$why" 1
        return
    fi
    inputs "$program" && mkdir original && mv program original/ || failed 'it has no input'
    say '' version "$(version "$program")" 1
    measure original original || failed 'it does not run'
    say original binary original 1
    say '' testing "$(described "$program" testing)" \
        "$(query counts.db 'SELECT instructions FROM program')"
    mkdir training && cp original/program training/ && (cd training && run "$program" training \
        "$sluice" record -q -p edge -o ../training.slt --) || failed 'it cannot be recorded'
    "$sluice" replay -q -p block -o training.db training.slt || failed 'its recording is not read'
    say '' training "$(described "$program" training)" \
        "$(query training.db 'SELECT instructions FROM program')"
    for spec; do
        number=$((number + 1))
        try_profile "binary$number" "$spec"
    done
}

# ---- kept ----------------------------------------------------------------------------------

# The binaries of a program are stored next to its sources, and are used again when the same sluice is
# run with the same arguments. So a step that was interrupted while the time was measured continues with that,
# and the time can be taken later, when the machine is quiet.
made_from() # SPEC...
{
    printf '%s\n' "$program $SIZE" "$@"
    cc --version | sed q
    cksum <"$sluice"
    cat "$here/optimizer.sh" "$here/optimizer_programs.sh" "$here/inputs.sh" | cksum
}

try_or_take() # SPEC...
{
    local kept
    kept=$sources/made/$program
    made_from "$@" >made_from
    if cmp -s made_from "$kept/made_from"; then
        cp -R "$kept/." .
    else
        try "$@" >reported && keep "$kept"
    fi && cat reported
}

keep() # DIRECTORY
{
    [ -d original ] || return 0 # it could not be built
    mkdir -p "$sources/made" && rm -rf "$1" "$1.new" && mkdir "$1.new" &&
        cp -R original binary* input reported made_from "$1.new" && mv "$1.new" "$1"
}

case $1,$# in
try,[4-9] | try,??)
    program=$2 sluice=$3 sources=$4
    shift 4
    try_or_take "$@"
    ;;
run,3) cd "$3" && run "$2" longer ;;
*)
    echo 'usage: [SIZE=full|quick|tiny] optimizer.sh try PROGRAM SLUICE SOURCES [SPEC]... |' \
        'run PROGRAM DIRECTORY' >&2
    exit 1
    ;;
esac
