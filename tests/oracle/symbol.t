#!/bin/sh
# SPDX-License-Identifier: MIT
# Names and lines agree with binutils: nm, addr2line, objdump, c++filt.
#
# Each program is mapped at some address; at the first, third and last byte of every function the
# result must be that of nm and addr2line for the same bytes.
. "$(dirname "$0")/../made.sh"
T=$(mktemp -d) && trap 'rm -rf "$T"' EXIT
SYMBOLS=$BUILD/tests/support/symbols
n=0
ok() { # status name
    n=$((n + 1))
    if [ "$1" = 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; fi
}

# By nm, decimal: start size type name, of all functions with a size.
functions() {
    "${NM:-nm}" -C -t d -S --defined-only "$@" 2>/dev/null | sed -n '
        s/^0*\([0-9][0-9]*\) 0*\([0-9][0-9]*\) \([tTwWi]\) /\1 \2 \3 /p'
}

# The innermost function, global names first: "address name" for each name that
# will do. Functions and addresses come sorted; few contain an address, so that
# only those of the last 64 starts are examined.
expected() { # functions addresses
    awk '
        NR == FNR {
            start[++n] = $1 + 0; size[n] = $2 + 0
            rank[n] = $3 == "T" || $3 == "i" ? 0 : $3 == "t" ? 2 : 1
            sub(/^[^ ]+ [^ ]+ [^ ]+ /, ""); sub(/@.*/, ""); name[n] = $0
            next
        }
        {
            a = $1 + 0
            while (at < n && start[at + 1] <= a) at++
            best = 0
            for (i = at; i > 0 && i > at - 64; i--)
                if (a < start[i] + size[i] && (!best || (start[i] == start[best] && rank[i] < rank[best])))
                    best = i
            for (i = at; best && i > 0 && i > at - 64; i--)
                if (start[i] == start[best] && rank[i] == rank[best] && a < start[i] + size[i])
                    print a "|" name[i]
            if (!best) print a "|?"
        }' "$1" "$2"
}

addresses() { # functions
    awk '{ s = $1 + 0; l = $2 + 0; print s; if (l > 1) { print s + int(l / 3); print s + l - 1 } }' "$1" |
        sort -nu
}

# check TITLE LOADED UNSTRIPPED BASE [lines]
check() {
    functions "$3" | sort -n >"$T/functions"
    addresses "$T/functions" >"$T/addresses"
    "$SYMBOLS" "$2$4" <"$T/addresses" >"$T/ours"
    expected "$T/functions" "$T/addresses" >"$T/names"
    # one of the names that will do, and the start by nm
    awk -F'|' '
        NR == FNR { good[$1 "|" $2] = 1; next }
        !(($1 "|" $3) in good) { print "#", $0 > "/dev/stderr"; bad++ }
        END { exit bad > 0 || FNR < 5 }' "$T/names" "$T/ours" 2>"$T/bad"
    ok $? "$1: names are those of nm ($(wc -l <"$T/addresses") addresses)"
    head -5 "$T/bad"
    awk -F'|' 'NR == FNR { split($0, f, " "); s[f[1]]; next } $3 != "?" && !($4 in s) { bad = 1 } END { exit bad }' \
        "$T/functions" "$T/ours"
    ok $? "$1: functions start where nm says"
    [ "$5" = names ] && return
    awk '{ printf "%x\n", $1 }' "$T/addresses" | "${ADDR2LINE:-addr2line}" -e "$2" |
        sed 's/ (disc.*//; s/^.*:?$/??:0/; s/^??.*/??:0/; s,.*/,,' >"$T/their_lines"
    awk -F'|' '{ print $6 ":" $7 }' "$T/ours" | sed 's,.*/,,' >"$T/our_lines"
    # addr2line gives a function that comes from an included file the name of the
    # including one (objdump --dwarf=decodedline agrees with us): numbers only, there
    if [ "$5" = numbers ]; then
        sed -i 's/.*://' "$T/their_lines" "$T/our_lines"
    fi
    cmp -s "$T/their_lines" "$T/our_lines" && [ "$(grep -vc '^[?0]' "$T/our_lines")" -gt "${6:-5}" ]
    ok $? "$1: lines are those of addr2line ($(grep -vc '^[?0]' "$T/our_lines") known)"
    paste -d' ' "$T/addresses" "$T/our_lines" "$T/their_lines" | awk '$2 != $3 { print "#", $0 }' | head -5
}

cat >"$T/c.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
int twice(int x) { return 2 * x; }
static __attribute__((noinline)) int inner(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += twice(i) ^ n;
    return sum;
}
int aliased(int x) __attribute__((weak, alias("twice")));
__attribute__((noinline, cold)) void fail(const char *why)
{
    fputs(why, stderr);
    exit(1);
}
#ifdef LABELS
__asm__(".text\n.globl bare_label\nbare_label:\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n");
#endif
int main(int argc, char **argv)
{
    if (argc > 5)
        fail(argv[0]);
    printf("%d\n", inner(argc * 10) + aliased(argc));
    puts("done");
    return 0;
}
C
cat >"$T/cc.cc" <<'C'
#include <cstdio>
#include <map>
#include <string>
#include <vector>
namespace space {
template <class T> struct box {
    T held;
    __attribute__((noinline)) T get(T other) const { return held + other; }
};
__attribute__((noinline)) int over(int x) { return x + 1; }
__attribute__((noinline)) int over(double x) { return (int)x; }
__attribute__((noinline)) std::string over(const std::string &x) { return x + "!"; }
}
struct base { virtual ~base() {} virtual int run(const std::map<std::string, std::vector<int>> &) = 0; };
struct derived : base {
    int run(const std::map<std::string, std::vector<int>> &m) override { return (int)m.size(); }
};
int operator+(const derived &, int x) { return x; }
int main(int argc, char **)
{
    space::box<int> a{argc};
    space::box<std::string> b{"x"};
    derived d;
    auto twice = [](auto x) { return x + x; };
    std::printf("%d %s %d %d %s %d\n", a.get(3), b.get("y").c_str(), space::over(3), space::over(2.5),
                space::over(std::string("z")).c_str(), d.run({}) + (d + 3) + twice(argc));
    return 0;
}
C

gcc -g -O2 -DLABELS -no-pie -static -o "$T/static" "$T/c.c" && check "static" "$T/static" "$T/static" ""
gcc -g -O2 -static-pie -o "$T/static_pie" "$T/c.c" &&
    check "static, position-independent" "$T/static_pie" "$T/static_pie" =7ffff7c00000
gcc -g -O1 -no-pie -o "$T/exec" "$T/c.c" && check "dynamic, fixed address" "$T/exec" "$T/exec" ""
gcc -g -O0 -DLABELS -o "$T/pie" "$T/c.c" && check "position-independent" "$T/pie" "$T/pie" =555555554000
gcc -g -O2 -Wl,-z,noseparate-code -o "$T/tight" "$T/c.c" &&
    check "segments sharing pages" "$T/tight" "$T/tight" =555555554000
gcc -g -O2 -shared -fPIC -Wl,-Ttext-segment=0x10000000 -o "$T/prelinked.so" "$T/c.c" &&
    check "library with an address of its own" "$T/prelinked.so" "$T/prelinked.so" =7fff00000000
objcopy -R .debug_aranges "$T/pie" "$T/noranges" &&
    check "without .debug_aranges" "$T/noranges" "$T/pie" =555555554000
g++ -g -O1 -o "$T/cpp" "$T/cc.cc" && check "C++" "$T/cpp" "$T/cpp" =555555554000 numbers

# labels have no size: they reach to the next symbol, not out of their section
label=$(nm -t d "$T/pie" | sed -n 's/^0*\([0-9]*\) T bare_label$/\1/p')
printf '%s\n' "$label" $((label + 7)) $((label + 8)) | "$SYMBOLS" "$T/pie=555555554000" | cut -d'|' -f2 >"$T/ours"
printf 'bare_label\nbare_label+0x7\nmain\n' | cmp -s - "$T/ours"
ok $? "a label reaches up to the next symbol"
printf '.globl last\n.text\n.globl first\n.type first,@function\nfirst: ret\n.size first,1\nlast: nop\nnop\n.section .other,"ax"\nnop\n' >"$T/last.s"
gcc -nostdlib -shared -o "$T/last.so" "$T/last.s"
echo "find last" | "$SYMBOLS" "$T/last.so" | { read -r count start end && [ "$end" = $((start + 2)) ]; }
ok $? "a label ends with its section"

# data shares a page of the file with code, and is mapped elsewhere
data() { # title file nm: a datum that has no function is printed by its own address
    start=$($3 -t d "$2" | sed -n 's/^0*\([0-9]*\) [DdBb] \(__data_start\|data_start\|completed.*\)$/\1/p' | head -1)
    [ "$(echo "$start" | "$SYMBOLS" "$2=40000000" | cut -d'|' -f2)" = "$(printf '%s+0x%x' "${2##*/}" "$start")" ]
    ok $? "$1: data has its own address"
}
data "segments sharing pages" "$T/tight" nm
if command -v mips-linux-gnu-gcc >/dev/null; then
    mips-linux-gnu-gcc -pie -fPIE -o "$T/cross" "$T/c.c" && data mips "$T/cross" mips-linux-gnu-nm
fi

# marks between code and data are no functions
if command -v aarch64-linux-gnu-gcc >/dev/null; then
    printf '.text\n.globl bare\nbare: nop\n.word 0\nnop\n' >"$T/marks.s"
    aarch64-linux-gnu-gcc -nostdlib -shared -o "$T/marks.so" "$T/marks.s"
    bare=$(aarch64-linux-gnu-nm -t d "$T/marks.so" | sed -n 's/^0*\([0-9]*\) T bare$/\1/p')
    echo $((bare + 8)) | "$SYMBOLS" "$T/marks.so" | grep -q '|bare+0x8|'
    ok $? "marks between code and data are no functions"
fi

# a function that the linker threw out claims addresses from 0 on
printf 'void dead(void) { __asm__(".skip 65536"); }\n' >"$T/dead.c"
gcc -g -ffunction-sections -Wl,--gc-sections -o "$T/collected" "$T/dead.c" "$T/c.c"
begin=$(nm -t d "$T/collected" | sed -n 's/^0*\([0-9]*\) T _start$/\1/p')
echo "$begin" | "$SYMBOLS" "$T/collected" | grep -q '|_start|.*|??|0$'
ok $? "code without debug information has no line, even if dead code claims it"

# separate debug files: next to it, in .debug, by checksum only; a wrong one is refused
split() { # name, flags: $T/name/prog and $T/name/WHERE/prog.debug
    mkdir -p "$T/$1/$2" && gcc -g -O2 $3 -o "$T/$1/whole" "$T/c.c" &&
        objcopy --only-keep-debug "$T/$1/whole" "$T/$1/$2/prog.debug" &&
        objcopy -S --add-gnu-debuglink="$T/$1/$2/prog.debug" "$T/$1/whole" "$T/$1/prog"
}
split separate . && check "debug file next to it" "$T/separate/prog" "$T/separate/whole" =555555554000
split below .debug && check "debug file in .debug" "$T/below/prog" "$T/below/whole" =555555554000
split crc . -Wl,--build-id=none && check "debug file by checksum" "$T/crc/prog" "$T/crc/whole" =555555554000
split wrong . && gcc -g -O1 -o "$T/other" "$T/c.c" &&
    objcopy --only-keep-debug "$T/other" "$T/wrong/prog.debug"
main=$(nm -t d "$T/wrong/whole" | sed -n 's/^0*\([0-9]*\) T main$/\1/p')
echo "$main" | "$SYMBOLS" "$T/wrong/prog" | grep -q '|?|0|prog|??|0$'
ok $? "a debug file of another build is refused"
printf x >>"$T/crc/prog.debug"
echo "$main" | "$SYMBOLS" "$T/crc/prog" | grep -q '|??|0$'
ok $? "a debug file with a wrong checksum is refused"

# the network is asked only if the user has named servers; one can be a directory
if command -v strace >/dev/null; then
    echo "$main" | env -u DEBUGINFOD_URLS strace -f -o "$T/strace" "$SYMBOLS" "$T/wrong/prog" >"$T/out" 2>&1
    ! grep -qE 'libdebuginfod|socket\(|connect\(' "$T/strace" && [ -s "$T/strace" ]
    ok $? "debug files are not asked of the network"
fi
if ls /usr/lib/*/libdebuginfod.so.1 >/dev/null 2>&1; then
    id=$(readelf -n "$T/wrong/prog" | sed -n 's/.*Build ID: //p')
    mkdir -p "$T/server/buildid/$id" && objcopy --only-keep-debug "$T/wrong/whole" "$T/server/buildid/$id/debuginfo"
    echo "$main" | DEBUGINFOD_CACHE_PATH="$T/asked" DEBUGINFOD_URLS="file://$T/server" "$SYMBOLS" "$T/wrong/prog" |
        grep -q '|main|'
    ok $? "but of servers that DEBUGINFOD_URLS names"
fi

# stripped, with .dynsym only
gcc -O2 -shared -fPIC -o "$T/dyn.so" "$T/c.c" && strip "$T/dyn.so"
functions -D "$T/dyn.so" | sort -n >"$T/functions"
addresses "$T/functions" | "$SYMBOLS" "$T/dyn.so=7f0000000000" >"$T/ours"
[ "$(cut -d'|' -f3 "$T/ours" | sort -u | tr '\n' ' ')" = "fail main twice " ]
ok $? "a stripped library has its dynamic symbols"

# .gnu_debugdata, as Fedora has it
if command -v xz >/dev/null; then
    nm "$T/separate/whole" -f posix --defined-only | awk '$2 ~ /[tT]/ { print $1 }' | sort -u >"$T/keep"
    objcopy -S --remove-section .comment --keep-symbols="$T/keep" "$T/separate/whole" "$T/mini" 2>/dev/null
    xz -f "$T/mini" && mkdir -p "$T/mini.d" && strip -o "$T/mini.d/lone" "$T/separate/whole" &&
        objcopy --add-section .gnu_debugdata="$T/mini.xz" "$T/mini.d/lone" &&
        check "compressed symbols in the file" "$T/mini.d/lone" "$T/separate/whole" =555555554000 names
fi

# the C library, with libc6-dbg
libc=$(ldd "$T/exec" | sed -n 's/.*libc.so.6 => \([^ ]*\).*/\1/p')
debug=/usr/lib/debug/.build-id/$(readelf -n "$libc" | sed -n 's/.*Build ID: \(..\)/\1\//p').debug
if [ -f "$debug" ]; then
    check "libc with libc6-dbg" "$libc" "$debug" =7ffff7dd0000 numbers 5000
fi

# linkage stubs, named as objdump names them
stubs() { # title file objdump sections...
    title=$1 file=$2 dump=$3
    "$dump" -d -C "$file" | sed -n 's/^0*\([0-9a-f]*\) <\([^>]*@plt\)>:$/\1 \2/p' >"$T/theirs"
    while read -r address name; do echo "guest $address"; done <"$T/theirs" | "$SYMBOLS" "$file" >"$T/ours"
    cut -d'|' -f2 "$T/ours" >"$T/our_names"
    cut -d' ' -f2- "$T/theirs" | cmp -s - "$T/our_names" && [ -s "$T/our_names" ]
    ok $? "$title: linkage stubs have objdump's names ($(wc -l <"$T/our_names"))"
}
stubs "x86-64" "$T/pie" objdump
gcc -O2 -fcf-protection -Wl,-z,ibtplt -o "$T/ibt" "$T/c.c" && stubs "x86-64 with branch protection" "$T/ibt" objdump
gcc -O2 -Wl,-z,now -o "$T/now" "$T/c.c" && stubs "x86-64, bound at start" "$T/now" objdump
stubs "C++" "$T/cpp" objdump

# other machines, 32 bits and the other byte order
for machine in riscv64 aarch64 mipsel mips; do
    command -v $machine-linux-gnu-gcc >/dev/null || continue
    NM=$machine-linux-gnu-nm ADDR2LINE=$machine-linux-gnu-addr2line
    for flags in "-static -no-pie" "-pie -fPIE" "-no-pie"; do
        $machine-linux-gnu-gcc -g -O2 $flags -o "$T/cross" "$T/c.c" || continue
        case $flags in *-static*) base= ;; -no-pie) base= ;; *) base==40000000 ;; esac
        check "$machine $flags" "$T/cross" "$T/cross" "$base"
    done
    case $machine in riscv64 | aarch64) stubs $machine "$T/cross" $machine-linux-gnu-objdump ;; esac
done
if command -v mips-linux-gnu-gcc >/dev/null; then
    mips-linux-gnu-gcc -O2 -pie -fPIE -o "$T/cross" "$T/c.c"
    mips-linux-gnu-objdump -d -j .MIPS.stubs "$T/cross" | sed -n 's/^ *\([0-9a-f]*\):.*lw	t9.*/guest \1/p' |
        "$SYMBOLS" "$T/cross" | cut -d'|' -f2 | sort >"$T/ours"
    # what it calls, as far as the linker made stubs for it
    grep -qx 'puts@plt' "$T/ours" && ! grep -qv '@plt$' "$T/ours"
    ok $? "mips: stubs have the names of their symbols ($(tr '\n' ' ' <"$T/ours"))"
fi

# names lead to addresses
find() { printf 'find %s\n' "$1" | "$SYMBOLS" "$T/cpp=555555554000"; }
extent() { nm -C -t d -S "$T/cpp" | awk -v n="$1" '{ s = $1; l = $2; sub(/^[^ ]+ [^ ]+ [^ ]+ /, "") } $0 == n { print 1, s + 0, s + l }'; }
[ "$(find 'space::over(int)')" = "$(extent 'space::over(int)')" ]
ok $? "a function is found by its demangled name"
[ "$(find _ZN5space4overEi)" = "$(extent 'space::over(int)')" ]
ok $? "and by its linker name"
find space::over | grep -q '^3 '
ok $? "and without its parameters, all three"
find over | grep -q '^0 '
ok $? "not by a piece of its name"
echo "1..$n"
