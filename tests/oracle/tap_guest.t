#!/bin/sh
# SPDX-License-Identifier: MIT
# The tap's knowledge of guest instructions agrees with the assemblers and objdump: region markers,
# loads, and the length of x86-64 instructions. (stream.t compares it with QEMU.)
. "$(dirname "$0")/../made.sh"
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
# For the guest without a C library here, for compressed float stores, and for
# instructions that no C library is compiled to.
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

# What objdump's text says that an instruction reads: "0" nothing, "4" four bytes
# once, "4+" and then it writes there, "many" anything else: several times, more
# than 8 bytes, atomically, or only in some cases. "-" for what is no instruction.
expected='
function x86_size(operand)
{
    if (operand ~ /^BYTE/) return 1
    if (operand ~ /^WORD/) return 2
    if (operand ~ /^DWORD/) return 4
    if (operand ~ /^QWORD/) return 8
    return "many"
}
function x86_stack(operand) { return operand ~ /^[a-ds]?[abcds][xpi]$|^r[0-9]+w$|^[cdefgs]s$/ ? 2 : 8 }
function x86(text,   op, operands, n, operand, i, at, size)
{
    sub(/ *[#<].*/, "", text)
    sub(/^((rep|repz|repnz|data16|addr32|cs|ds|es|ss|fs|gs|notrack|bnd|rex[.WRXB]*) +)+/, "", text)
    op = text; sub(/ .*/, "", op)
    operands = text; if (!sub(/^[^ ]+ +/, "", operands)) operands = ""
    if (op ~ /^(lock|xacquire|xrelease|xchg|xadd|cmpxchg)/ && operands ~ /\[|s:/) return "many"
    if (op ~ /^(lods|cmps|scas|movs|outs|ins)$/ || op ~ /^(xlat|enter|l?ret[fq]|lret|iret|popf|(in|out)$|sysret)/) return "many"
    if (op ~ /^(lea$|nop|prefetch|endbr|clflush|clwb|cldemote|stos|bndmk)/) return 0
    if (op ~ /^(ret|leave)$/) return text_is_16 ? 2 : 8
    n = split(operands, operand, ",")
    at = 0
    for (i = 1; i <= n; i++) if (operand[i] ~ /\[|PTR|[defgs]s:/) { if (!at) at = i; else return "many" }
    if (op == "pop") return at ? "many" : x86_stack(operand[1])
    if (!at) return 0
    size = operand[at] ~ /PTR/ ? x86_size(operand[at]) : op == "movabs" ? x86_register(operand[3 - at]) : "many"
    if (op == "jmp") return size
    if (op ~ /^(call|push)$/) return size "+"
    if (at > 1) return size
    if (op ~ /^v?(mov|set|p?extr|maskmov|cvtps2ph|stmxcsr)|^f(n?st|ist)|^mov|^vpmaskmov|^s[gil]dt|^str$/) return 0
    if (op ~ /^(cmp|test|div|idiv|mul|imul|fld|fild|fi?(add|sub|mul|div|com)|v?ldmxcsr|fxrstor|fbld|frstor)/) return size
    if (op ~ /^bt/) return operand[2] ~ /^0x/ ? (op == "bt" ? size : size "+") : "many"
    return size "+"
}
function x86_register(name)
{
    return name == "al" ? 1 : name == "ax" ? 2 : name == "eax" ? 4 : name == "rax" ? 8 : "many"
}
function aarch64(op, operands)
{
    if (op ~ /^ld(r|ur|tr|ar|lar)(b|sb)$/) return 1
    if (op ~ /^ld(r|ur|tr|ar|lar)(h|sh)$/) return 2
    if (op ~ /^ld(r|ur|tr)sw$/) return 4
    if (op ~ /^ld(r|ur|tr|ar|lar)$/)
        return operands ~ /^[ws]/ ? 4 : operands ~ /^[xd]/ ? 8 : operands ~ /^h/ ? 2 : operands ~ /^b/ ? 1 : "many"
    if (op ~ /^(ld|cas|swp|cpy|rcw|stl?xp?r?[bh]?$)/ || op ~ /^st(add|clr|eor|set|smax|smin|umax|umin)/) return "many"
    return 0
}
function riscv(op)
{
    if (op ~ /^lbu?$/) return 1
    if (op ~ /^lhu?$|^flh$/) return 2
    if (op ~ /^lwu?$|^flw$/) return 4
    if (op ~ /^ld$|^fld$/) return 8
    return op ~ /^(flq|lr\..*|sc\..*|amo.*|v?l[emsx][0-9].*|vl.*)$/ ? "many" : 0
}
function mips(op)
{
    if (op ~ /^lbu?$/) return 1
    if (op ~ /^lhu?$/) return 2
    if (op ~ /^(lw|lwc1)$/) return 4
    if (op ~ /^ldc1$/) return 8
    if (op ~ /^b[a-z0-9]*l$/ && op !~ /^b(|gez|ltz)al$/) return "many"
    return op ~ /^(lw[lr]|ld|ld[lr]|l[wd]c[023]|lld?|l[a-z]+x|l[wdu]xc1|lwu|scd?|restore)$/ ? "many" : 0
}
function expected(text,   op, operands)
{
    if (target == "x86_64") { text_is_16 = text ~ /^data16/ && text !~ /rex.W/; return x86(text) }
    op = text; sub(/[ \t].*/, "", op)
    operands = text; if (!sub(/^[^ \t]+[ \t]+/, "", operands)) operands = ""
    if (target == "aarch64") return aarch64(op, operands)
    return target ~ /^riscv/ ? riscv(op) : mips(op)
}'

# marks TARGET FILE: the marks of the function, in order
marks()
{
    objdump_of "$1" "$2" | "$dump" "$1" | cut -f1 | tr -d '\n-'
}

objdump_of()
{
    case $1 in
    x86_64) objdump -dw -M intel "$2" ;;
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

loads() # loads TARGET PERCENT FILE...: at least PERCENT of its loads are certain
{
    target=$1
    percent=$2
    shift 2
    for file; do objdump_of "$target" "$file"; done | "$dump" "$target" > "$work/said"
    awk -F '\t' -v target="$target" -v percent="$percent" "$expected"'
    $4 ~ /\(bad\)|^\.|unknown|^rex[.WRXB]* *$/ { next }
    {
        n++
        text = $4
        for (i = 5; i <= NF; i++) text = text " " $i
        is = expected(text) ""
        reads += is != "0"
        certain += is != "0" && $3 != "?"
        none += is == "0"
        certain_none += is == "0" && $3 == "0"
        if ($3 != "?" && $3 != is && ++wrong < 10) print "# " text ": loads " is ", not " $3
        mark += $1 != "-"
        # fwait and what follows are two instructions, though objdump shows one
        if ($2 == "!" && text !~ /^f(st|init|clex|save)/ && ++cut < 10) print "# ends elsewhere: " text
    }
    END {
        share = reads ? 100 * certain / reads : 0
        printf "# %s: %d instructions; of %d that load, %.1f %% are certain; of the others, %.1f %%\n",
            target, n, reads, share, none ? 100 * certain_none / none : 0
        exit !(n > 50 && reads > 5 && share >= percent && !wrong && !cut && !mark)
    }' "$work/said"
}
library() { "$1" -print-file-name=libc.a; }

# Compiled with more of the instruction set than the library is.
bmi()
{
    gcc -O3 -march=haswell -c -o "$work/bmi.o" "$work/stores.c" &&
        gcc -O2 -march=haswell -mno-fma -fno-tree-vectorize -c -o "$work/scalar.o" "$work/stores.c"
}
bmi
ok "x86_64: what is certain is so, and instructions end where they end" loads x86_64 75 \
    "$(library gcc)" "$(dirname "$(library gcc)")"/libm-*.a "$(gcc -print-file-name=libmvec.a)" \
    "$work/bmi.o" "$work/scalar.o"
ok "aarch64: what is certain is so" loads aarch64 50 "$(library aarch64-linux-gnu-gcc)"
ok "riscv64: what is certain is so" loads riscv64 95 "$(library riscv64-linux-gnu-gcc)"
riscv64-linux-gnu-gcc -march=rv32gc -mabi=ilp32d -O2 -funroll-loops -c -o "$work/stores.o" "$work/stores.c"
ok "riscv32: what is certain is so" loads riscv32 95 "$work/stores.o"
ok "mipsel: what is certain is so" loads mipsel 95 "$(library mipsel-linux-gnu-gcc)"
ok "mips: what is certain is so" loads mips 95 "$(library mips-linux-gnu-gcc)"
echo "1..$count"
