#!/bin/sh
# What the tap believes of guest instructions, against the assemblers and
# objdump's text: marks, loads, and where an x86-64 instruction ends.
dump=$BUILD/tests/support/guest_dump
here=$(dirname "$0")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

count=0
ok() # ok NAME COMMAND...
{
    name=$1
    shift
    count=$((count + 1))
    if "$@"; then echo "ok $count - $name"; else echo "not ok $count - $name"; fi
}

cat > "$work/marked.c" <<'C'
#include "sluice-mark.h"
int number = 7;
int marked(void)
{
    SLUICE_BEGIN();
    int twice = 2 * number;
    if (twice)
        SLUICE_END();
    return twice;
}
C
# For the guest without a C library here, and for compressed float stores.
cat > "$work/stores.c" <<'C'
struct s { int i; float f; double d; short h; char c; long l; };
void stores(struct s *a, struct s *b, int n, double (*f)(double))
{
    double sum = 0;
    for (int k = 0; k < n; k++) {
        a[k] = b[n - k];
        a[k].f = (float)f(a[k].d) * b[k].f;
        a[k].l = (long)b[k].d + b[k].c - b[k].h;
        sum += a[k].d;
    }
    b->d = sum;
}
C

# What reads memory, what only writes it, and which may not even be asked.
# R: reads; S: pure store; anything else touches no memory that matters.
classes='
function x86(op, text,   operands, last, rest, memory)
{
    sub(/ *[#<].*/, "", text)
    gsub(/%st\([0-7]\)/, "%st", text)
    sub(/^((rep|repz|repnz|data16|addr32|cs|ds|es|ss|fs|gs|notrack|bnd|rex[.WRXB]*) +)+/, "", text)
    op = text; sub(/ .*/, "", op)
    operands = text; if (!sub(/^[^ ]+ +/, "", operands)) operands = ""
    if (op ~ /^lock|^xacquire|^xrelease/) return "R"
    if (op ~ /^(lea|nop|prefetch|endbr)/) return "-"
    if (op ~ /^(pop|ret|lret|leave|iret|lods|cmps|scas|xlat|enter|outs|(in|out)[bwl]?$)/) return "R"
    memory = "\\(|%[defgs]s:|(^|,)(0x)?[0-9a-f]+(,|$)"
    if (op ~ /^(j|loop)/) return operands ~ /\(|s:/ ? "R" : "-"
    if (op ~ /^call/) return operands ~ /\(|s:/ ? "R" : "S"
    if (op ~ /^push/) return operands ~ memory && operands !~ /^\$/ ? "R" : "S"
    if (operands !~ memory) return "-"
    last = operands; rest = ""
    if (match(operands, /,[^,()]*(\([^()]*\))?$/)) {
        last = substr(operands, RSTART + 1); rest = substr(operands, 1, RSTART - 1)
    }
    if (last !~ memory || rest ~ memory) return "R"
    return op ~ /^v?mov|^set|^stos|^v?extract|^v?pextr|^vmaskmov|^fn?st|^fist/ ? "S" : "R"
}
function class(text,   op)
{
    if (target == "x86_64") return x86(text, text)
    op = text; sub(/[ \t].*/, "", op)
    if (target == "aarch64") {
        if (op ~ /^(ld|cas|swp|cpy|rcw)/ || op ~ /^st(add|clr|eor|set|smax|smin|umax|umin)/) return "R"
        return op ~ /^st/ && op !~ /^stl?xp?r?/ ? "S" : "-"
    }
    if (target ~ /^riscv/) {
        if (op ~ /^(l[bhwd]u?|fl[hwdq]|lr\..*|amo.*)$/) return "R"
        return op ~ /^(s[bhwd]|fs[hwdq])$/ ? "S" : "-"
    }
    if (op ~ /^(l[bhwd]u?|lw[lr]|ld[lr]|l[wd]c[0-3]|lld?|l[wdu]x?xc1|l[wdsq]\..*|lwu|sc|restore)$/) return "R"
    return op ~ /^(s[bhwd]|sw[lr]|s[wd]c1)$/ ? "S" : "-"
}'

# marks TARGET FILE: the marks of the function, in order
marks()
{
    objdump_of "$1" "$2" | "$dump" "$1" | cut -c1 | tr -d '\n-'
}

objdump_of()
{
    case $1 in
    x86_64) objdump -dw "$2" ;;
    riscv*) riscv64-linux-gnu-objdump -dw "$2" ;;
    *) "$1-linux-gnu-objdump" -dw "$2" ;;
    esac
}

compiled()
{
    "$@" -O2 -I "$here/../../include" -c -o "$work/marked.o" "$work/marked.c"
}

marked() # marked TARGET COMPILER OPTIONS...
{
    target=$1
    shift
    what="$target ($*)"
    ok "$what: one mark each, in order" \
        test "$(compiled "$@" -Wall -Werror && marks "$target" "$work/marked.o")" = BE
    ok "$what: no mark with SLUICE_NO_MARKS" \
        test "$(compiled "$@" -DSLUICE_NO_MARKS && marks "$target" "$work/marked.o" && echo none)" = none
}

marked x86_64 gcc
marked x86_64 g++
marked x86_64 gcc -masm=intel -std=c99 -pedantic
marked aarch64 aarch64-linux-gnu-gcc
marked riscv64 riscv64-linux-gnu-gcc
marked riscv32 riscv64-linux-gnu-gcc -march=rv32imac -mabi=ilp32 -nostdlib
marked mipsel mipsel-linux-gnu-gcc
marked mips mips-linux-gnu-gcc

# A mark does nothing: the program around it computes what it should.
runs() # runs TARGET COMPILER
{
    echo 'int marked(void); int main(void) { return marked() != 14; }' > "$work/main.c"
    "$2" -O2 -static -I "$here/../../include" -o "$work/marked" "$work/main.c" "$work/marked.c" &&
        "qemu-$1" "$work/marked"
}
ok "x86_64: marks change nothing" runs x86_64 gcc
ok "aarch64: marks change nothing" runs aarch64 aarch64-linux-gnu-gcc
ok "riscv64: marks change nothing" runs riscv64 riscv64-linux-gnu-gcc
ok "mipsel: marks change nothing" runs mipsel mipsel-linux-gnu-gcc
ok "mips: marks change nothing" runs mips mips-linux-gnu-gcc

loads() # loads TARGET FILE...
{
    target=$1
    shift
    for file; do objdump_of "$target" "$file"; done | "$dump" "$target" > "$work/said"
    awk -F '\t' -v target="$target" "$classes"'
    $2 ~ /\(bad\)|^\.|unknown|^rex[.WRXB]* *$/ { next }
    {
        n++
        text = $2
        for (i = 3; i <= NF; i++) text = text " " $i
        kind = class(text)
        says = substr($1, 2, 1)
        if (kind == "R" && says == "n") { wrong++; if (wrong < 10) print "# loads, but taken out: " text }
        if (kind == "S") { stores++; if (says == "n") caught++ }
        if (kind == "R") reads++
        mark += substr($1, 1, 1) != "-"
        # fwait and what follows are two instructions, though objdump shows one
        if (substr($1, 3, 1) == "!" && text !~ /^f(st|init|clex|save)/) {
            cut++; if (cut < 10) print "# ends elsewhere: " text
        }
    }
    END {
        printf "# %s: %d instructions, %d read memory, %d of %d pure stores taken out (%.1f %%)\n",
            target, n, reads, caught, stores, stores ? 100 * caught / stores : 0
        exit !(n > 50 && reads > 5 && stores > 5 && !wrong && !cut && !mark)
    }' "$work/said"
}
library() { "$1" -print-file-name=libc.a; }

ok "x86_64: no load is taken out, and instructions end where they end" loads x86_64 \
    "$(library gcc)" "$(dirname "$(library gcc)")"/libm-*.a "$(gcc -print-file-name=libmvec.a)"
ok "aarch64: no load is taken out" loads aarch64 "$(library aarch64-linux-gnu-gcc)"
ok "riscv64: no load is taken out" loads riscv64 "$(library riscv64-linux-gnu-gcc)"
riscv64-linux-gnu-gcc -march=rv32gc -mabi=ilp32d -O2 -funroll-loops -c -o "$work/stores.o" "$work/stores.c"
ok "riscv32: no load is taken out" loads riscv32 "$work/stores.o"
ok "mipsel: no load is taken out" loads mipsel "$(library mipsel-linux-gnu-gcc)"
ok "mips: no load is taken out" loads mips "$(library mips-linux-gnu-gcc)"
echo "1..$count"
