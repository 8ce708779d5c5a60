#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs to experiment on, with their inputs, so that what is found can be found again.
#
#     programs.sh list                        NAME, its kind (real, small, mips, riscv, long), what it
#                                             does; by tabs
#     programs.sh there NAME                  status 0; or 1, and a sentence that says why not
#     programs.sh version NAME                package and version
#     programs.sh source NAME                 of a small one, its C file
#     programs.sh run NAME COMMAND ARG...     COMMAND ARG... PROGRAM ITS-ARGS, in ./NAME
#
# Real programs are Debian's. Small ones are our own C programs, which check what they have
# computed; their sources are in $WORKLOADS, or where they are next to this script. They are
# compiled for a run, into ./NAME.bin, if there is none or it is old. NAME.mipsel is the same
# for MIPS, which the function profiler's document is about, compiled as its compiler did: for MIPS I,
# -O1, without filled delay slots. NAME.riscv64 are the two that the paper of approximate counters
# has, for RISC-V as there. NAME.long is a real one with more to do: over a thousand million
# instructions, so that a window as long as the documents' can be taken from its middle.
#
# $SIZE is how much there is to do:
#
#     full    50 to 200 million instructions (the default)
#     quick   about 10 million
#     tiny    about 1 million
#
# but not less than it takes to start: python 20 million, gcc 15, lisp 13, go 4, sqlite 2; and not
# more than 10 million for MIPS, where the paper's programs had some thousand to 4 million. Below
# full some do without a part of their work that would take long to start, too: gcc does not
# generate code, and python has neither expressions nor JSON.
#
# A program runs in a new directory that has its inputs and nothing else, in an environment
# with nothing else; its standard output is the file `output` there. It has one thread, and
# under sluice's emulator time stands still: Lua seeds its hash function with the time, Python
# looks at the clock all along, the ray tracer prints how long it took. So each run takes the
# same branches, and loads the same values but for some tens that are numbers of files and
# processes, ticks, or drawn at random. On another machine, too, where versions and the name of
# the directory are the same. (A name moves strings in memory, and Python hashes it, which is
# a matter of some hundred instructions.)
#
# COMMAND has the same environment; its own files need absolute names. The status is
# COMMAND's, or 125 if COMMAND was not started.
#
# POV-Ray, the better known ray tracer, is not among these: whatever number of threads is requested, it has
# nine threads, and no two runs are the same.
here=$(cd "$(dirname "$0")" && pwd -P) || exit 125
SIZE=${SIZE:-full}
sources=${WORKLOADS:-$here/../workloads}
# In the tree they are among the benchmarks.
[ "$WORKLOADS" ] || [ -d "$sources" ] || sources=$here/../../bench/workloads
. "$here/inputs.sh"

# NAME|PACKAGE|what it does
real_programs()
{
    cat <<'END'
gcc|gcc|compiles a hash function with -O2: the compiler proper
go|gnugo|plays against itself on 9 × 9
perl|perl|counts, matches and sorts words and lines of text
python|python3|words into dictionaries and a trie, regular expressions, JSON
lua|lua5.4|objects, closures, coroutines, strings, a sort
lisp|clisp|interprets queens, derivatives, a hash table, a sort
sqlite|sqlite3|tables and indices in memory: joins, update, delete
gzip|gzip|compresses text, by strings seen before
bzip2|bzip2|compresses text, by sorting
cjpeg|libjpeg-turbo-progs|compresses a picture
flac|flac|compresses sound without loss
ray|tachyon-bin-nox|traces rays through mirroring spheres
END
}

# Those whose input can be made longer.
is_long() # NAME
{
    case $1 in
    gcc.long | go.long | perl.long | python.long | lua.long | sqlite.long | gzip.long | bzip2.long) ;;
    *) return 1 ;;
    esac
}

about() # NAME FIELD: nothing for one that is not real
{
    real_programs | awk -F '|' -v name="$1" -v field="$2" '$1 == name { print $field }'
}

program_file() # NAME: the program itself
{
    case $1 in
    gcc) gcc -print-prog-name=cc1 ;;
    go) echo /usr/games/gnugo ;;
    python) echo /usr/bin/python3 ;;
    lua) echo /usr/bin/lua5.4 ;;
    lisp) ls /usr/lib/clisp-*/base/lisp.run | tail -n 1 ;;
    sqlite) echo /usr/bin/sqlite3 ;;
    ray) echo /usr/bin/tachyon ;;
    *) echo "/usr/bin/$1" ;;
    esac 2>/dev/null
}

# ---- the programs -----------------------------------------------------------------------

# What a small one does is the beginning of its first sentence.
list()
{
    local file name
    real_programs | awk -F '|' -v OFS='\t' '{ print $1, "real", $3 }'
    real_programs | while IFS='|' read -r name package does; do
        ! is_long "$name.long" || printf '%s.long\tlong\t%s: a window\n' "$name" "$does"
    done
    for file in "$sources"/*.c; do
        [ -e "$file" ] || continue
        name=$(basename "$file" .c)
        printf '%s\tsmall\t%s\n' "$name" \
            "$(sed 's/^[/* ]*//; s/ (.*//; s/[,.:;] .*//; s/[,.:;]$//; q' "$file")"
        printf '%s.mipsel\tmips\t%s for MIPS\n' "$name" "$name"
        case $name in spmv | vvadd) printf '%s.riscv64\triscv\t%s for RISC-V\n' "$name" "$name" ;; esac
    done
}

source_file() # NAME: of a small one
{
    case $1 in
    spmv.riscv64 | vvadd.riscv64) echo "$sources/${1%.riscv64}.c" ;;
    *) echo "$sources/${1%.mipsel}.c" ;;
    esac
}

compiler_of() # NAME
{
    case $1 in
    *.mipsel) echo mipsel-linux-gnu-gcc ;;
    *.riscv64) echo riscv64-linux-gnu-gcc ;;
    *) echo cc ;;
    esac
}

flags_of() # NAME
{
    case $1 in
    *.mipsel) echo -O1 -mips1 -mfp32 -fno-delayed-branch ;;
    *) echo -O2 ;;
    esac
}

there() # NAME
{
    local package
    package=$(about "$1" 2)
    if [ -z "$package" ]; then
        small_there "$1"
    elif [ ! -x "$(program_file "$1")" ]; then
        echo "$1 is not installed (package $package)"
        return 1
    else
        compiler_there "$1" && input_there "$1"
    fi
}

small_there() # NAME
{
    case $1 in
    '' | */*) false ;;
    *) [ -e "$(source_file "$1")" ] ;;
    esac || {
        echo "there is no program called '$1'"
        return 1
    }
    compiler_there "$1"
}

compiler_there() # NAME
{
    command -v "$(compiler_of "$1")" >/dev/null && return
    case $1 in
    *.mipsel) echo "there is no compiler for MIPS (package gcc-mipsel-linux-gnu)" ;;
    *.riscv64) echo "there is no compiler for RISC-V (package gcc-riscv64-linux-gnu)" ;;
    *) echo "there is no C compiler to prepare $1 with (package gcc)" ;;
    esac
    return 1
}

input_there() # NAME
{
    case $1 in
    gcc)
        [ -r /usr/include/xxhash.h ] && return
        echo 'the header that gcc is to compile is not installed (package libxxhash-dev)'
        ;;
    perl | python | gzip | bzip2)
        [ -d "$(perl_library)" ] && return
        echo "the text for $1, Perl's library, is not installed (package perl)"
        ;;
    cjpeg | flac)
        [ -x "$perl" ] && return
        echo "the input of $1 is made with Perl, which is not installed (package perl)"
        ;;
    *) return 0 ;;
    esac
    return 1
}

# The package that a file is from, which may be known by the name it had before /bin was a link.
package_of() # FILE
{
    local file
    file=$(readlink -f "$1") || return
    { dpkg-query -S "$file" || dpkg-query -S "${file#/usr}"; } 2>/dev/null | sed 's/:.*//; q'
}

version_of() # FILE
{
    local package
    package=$(package_of "$1")
    dpkg-query -W -f '${Package} ${Version}' "$package" 2>/dev/null ||
        printf '%s (unknown version)' "$1"
}

# Of the program, and of what its input was taken from.
version() # NAME
{
    if [ -z "$(about "$1" 2)" ]; then
        echo "ours, $("$(compiler_of "$1")" --version | sed q) $(flags_of "$1")"
        return
    fi
    version_of "$(program_file "$1")"
    case $1 in
    gcc) echo " on $(version_of /usr/include/xxhash.h)" ;;
    perl | python | gzip | bzip2) echo " on $(version_of "$(perl_library)/strict.pm")" ;;
    *) echo ;;
    esac
}

# ---- running -----------------------------------------------------------------------------

run() # NAME COMMAND...
{
    if [ "$(about "$1" 2)" ]; then
        make_directory "$directory" && still_time && input "$1" &&
            find . -exec touch -d 2001-02-03 {} + || return 125
    else
        compile "$1" && make_directory "$1" || return 125
    fi
    run_here "$@" >output </dev/null
}

make_directory() # NAME
{
    rm -rf "./$1" && mkdir "$1" && cd "$1" || return
}

compile() # NAME
{
    [ -e "$1.bin" ] && [ -z "$(find "$sources/" -name '*.[ch]' -newer "$1.bin")" ] && return
    # shellcheck disable=SC2046
    "$(compiler_of "$1")" $(flags_of "$1") -g -fno-optimize-sibling-calls -static -o "$1.bin.$$" \
        "$(source_file "$1")" && mv "$1.bin.$$" "$1.bin"
}

run_here() # NAME COMMAND...
{
    local name file
    name=$1
    shift
    file=$(program_file "$name")
    # Replaces the shell, so that a signal to it reaches COMMAND.
    set -- exec env -i PATH=/usr/local/bin:/usr/bin:/bin LC_ALL=C PERL_HASH_SEED=0 PYTHONHASHSEED=0 \
        PYTHONSAFEPATH=1 PYTHONDONTWRITEBYTECODE=1 QEMU_SET_ENV=LD_PRELOAD=./still.so "$@"
    case $name in
    gcc)
        "$@" "$file" -quiet "$(by_size -O2 -fsyntax-only -fsyntax-only -O2)" \
            -fkeep-static-functions input.i -o output.s
        ;;
    go) "$@" "$file" --mode gtp --seed 1 --level 1 --gtp-input input ;;
    perl) "$@" "$file" input.pl ;;
    python) "$@" "$file" -S input.py ;;
    lua) "$@" "$file" input.lua "$(by_size 180 20 1 1000)" ;;
    lisp) "$@" "$file" -B "${file%/base/*}" -M "${file%.run}init.mem" -q -norc input.lisp ;;
    sqlite) "$@" "$file" -init /dev/null :memory: '.read input.sql' ;;
    gzip | bzip2) "$@" "$file" -k input ;;
    cjpeg) "$@" "$file" -quality 90 -progressive -outfile output.jpg input.ppm ;;
    flac) "$@" "$file" --silent -8 -e -o output.flac input.wav ;;
    ray) "$@" "$file" input.nff -numthreads 1 -format PPM -o output.ppm ;;
    *) "$@" "../$name.bin" "$(rounds "$name")" ;;
    esac
}

# The usual number of rounds, which a source has, is for about 10 million instructions; but
# for vvadd, where one instruction does what would be four to eight elsewhere.
rounds() # NAME
{
    local usual times=12
    usual=$(sed -n 's/.*workload_rounds(argc, argv, \([0-9]*\)).*/\1/p' "$(source_file "$1")")
    case $1 in
    vvadd) usual=$((usual * 4)) ;;
    *.mipsel) times=1 ;;
    *.riscv64) times=4 ;;
    esac
    by_size $((usual * times)) "$usual" $(((usual + 9) / 10))
}

# ---- the command -------------------------------------------------------------------------

case $SIZE in
full | quick | tiny) ;;
*) set -- ;;
esac
# With more to do it is the same program, in a directory of its own.
directory=$2
if is_long "$2"; then
    case $SIZE in full) SIZE=long ;; quick) SIZE=full ;; esac
    what=$1 name=${2%.long}
    shift 2
    set -- "$what" "$name" "$@"
fi
case $1,$# in
list,1) list ;;
there,2 | version,2) "$1" "$2" ;;
source,2) source_file "$2" ;;
run,[!12] | run,??*)
    why=$(there "$2") || {
        echo "programs.sh: $why" >&2
        exit 125
    }
    shift
    run "$@"
    ;;
*)
    echo 'usage: [SIZE=full|quick|tiny] programs.sh list | there NAME | version NAME |' \
        'source NAME | run NAME COMMAND...' >&2
    exit 125
    ;;
esac
