# SPDX-License-Identifier: MIT
# Library of the test scripts: TAP output, comparisons, and helpers to run sluice. A script begins
# with
#
#     . "$(dirname "$0")/../lib.sh"
#
# and ends with `finish`. It starts in $T, a temporary directory that is removed at the end;
# $programs is the directory of the test programs' sources.
root=$(cd "$(dirname "$0")/../.." && pwd)
programs=$root/tests/programs
BUILD=${BUILD:-$root/build}
sluice=$BUILD/sluice
. "$root/tests/made.sh"
T=$(mktemp -d) || exit 1
trap 'rm -rf "$T"' EXIT
trap 'exit 1' HUP INT TERM
cd "$T" || exit 1
export TMPDIR="$T" LC_ALL=C
unset SLUICE_NO_MARKS QEMU_LD_PREFIX
# Where the system's QEMU has no plugins, the engine is a QEMU that has them.
if [ -d "$BUILD/engine" ] && ! qemu-x86_64 -h 2>/dev/null | grep -q '^-plugin'; then
    PATH=$BUILD/engine:$PATH
fi
# Compiler option for programs that are linked with a sanitized library.
sanitized=
case $BUILD in
*/san) sanitized=-fsanitize=address,undefined ;;
*/tsan) sanitized=-fsanitize=thread ;;
esac
count=0

# Set to a reason around tests that are known to fail: they are then reported as TODO.
todo=

# verdict STATUS NAME: prints one TAP line; returns STATUS.
verdict()
{
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then echo "ok $count - $2${todo:+ # TODO $todo}"
    else
        echo "not ok $count - $2${todo:+ # TODO $todo}"
        echo "# ${0##*/}: not ok $count - $2" | reason
    fi
    return "$1"
}

# Prints the reason of a failure from standard input: to prove and to standard error, because the
# log of a build server has nothing else.
reason()
{
    while IFS= read -r line; do
        printf '%s\n' "$line"
        [ "$todo" ] || printf '%s\n' "$line" >&2
    done
}

# ok NAME COMMAND...: the command succeeds.
ok()
{
    local name=$1
    shift
    "$@"
    verdict $? "$name"
}

# is NAME GOT EXPECTED: two texts are equal.
is()
{
    [ "$2" = "$3" ]
    verdict $? "$1" && return
    {
        printf '%s\n' "$2" | sed 's/^/# got:      /' | head -n 20
        printf '%s\n' "$3" | sed 's/^/# expected: /' | head -n 20
    } | reason
}

# like NAME GOT PATTERN: a text matches the shell pattern.
like()
{
    # shellcheck disable=SC2254
    case $2 in
    $3) verdict 0 "$1" ;;
    *)
        verdict 1 "$1"
        {
            printf '%s\n' "$2" | sed 's/^/# got:  /' | head -n 20
            printf '%s\n' "$3" | sed 's/^/# like: /'
        } | reason
        ;;
    esac
}

# same NAME GOT EXPECTED: two files are equal and not empty.
same()
{
    [ -s "$2" ] && cmp -s "$2" "$3"
    verdict $? "$1" && return
    {
        [ -s "$2" ] || echo "# $2 is empty"
        diff "$2" "$3" | head -n 20 | sed 's/^/# /'
    } | reason
}

skip() # skip NAME WHY
{
    count=$((count + 1))
    echo "ok $count - $1 # skip $2"
}

skip_all() # skip_all WHY
{
    echo "1..0 # skip $1"
    exit 0
}

finish()
{
    echo "1..$count"
}

need() # need TOOL...: skips the whole script if a tool is missing
{
    for tool in "$@"; do
        command -v "$tool" >/dev/null || skip_all "there is no $tool"
    done
}

# until_true COMMAND...: repeats the command until it succeeds, for at most two minutes.
until_true()
{
    local left=2400
    until "$@"; do
        [ $left -gt 0 ] || return 1
        left=$((left - 1))
        sleep 0.05
    done
}

# build OUT COMPILER [ARGUMENT...]: compiles OUT; exits the test script on errors.
build()
{
    local out=$1
    shift
    "$@" -o "$out" 2>"$T/errors" && return
    {
        sed 's/^/# /' "$T/errors"
        echo "# cannot build $out with $*"
    } | reason
    exit 1
}

# profile DATABASE [OPTION...] -- PROGRAM...: `sluice run` with standard output in $T/out and
# standard error in $T/err; returns its exit status.
profile()
{
    local database=$1
    shift
    rm -f "$database"
    "$sluice" run -q --keep all -o "$database" "$@" >"$T/out" 2>"$T/err" </dev/null
}

# quietly COMMAND...: without the shell's messages about signals, and without core files.
quietly()
{
    sh -c 'ulimit -c 0; "$@"; exit $?' sh "$@" 2>/dev/null
}

sql() # sql DATABASE QUERY
{
    sqlite3 -readonly "$1" "$2"
}

# Prints the entries of a profile, one per line: "function count".
functions() # functions DATABASE [PROFILE]
{
    sql "$1" "SELECT coalesce(function, printf('0x%x', pc)) || ' ' || count FROM entry
        LEFT JOIN location ON address = pc WHERE profile = ${2:-0}" | sort
}

count_of() # count_of FUNCTION DATABASE [PROFILE]: 0 if the profile has no such function
{
    sql "$2" "SELECT coalesce(sum(count), 0) FROM entry LEFT JOIN location ON address = pc
        WHERE profile = ${3:-0} AND function = '$1'"
}

# Compilers with a C library, by guest: "arch compiler ...".
cross_compilers()
{
    cat <<END
x86-64 gcc
aarch64 aarch64-linux-gnu-gcc
riscv64 riscv64-linux-gnu-gcc
mipsel mipsel-linux-gnu-gcc
mips mips-linux-gnu-gcc
END
}
