# SPDX-License-Identifier: MIT
# Properties of x86-64 instructions, derived from objdump's Intel syntax (listing.awk): the first
# operand is the destination, and operand sizes are spelled out.
function is_memory(op) { return op ~ /\[|[c-g]s:0x/ }
function size_of(op) {
    if (op !~ / PTR| BCST/) return "?"
    sub(/ (PTR|BCST).*/, "", op); sub(/.* /, "", op)
    return op == "BYTE" ? 1 : op == "WORD" ? 2 : op == "DWORD" ? 4 : op == "FWORD" ? 6 : \
           op == "QWORD" ? 8 : op == "TBYTE" ? 10 : op == "XMMWORD" ? 16 : op == "YMMWORD" ? 32 : \
           op == "ZMMWORD" ? 64 : "?"
}
function classify(m, ops,    prefix, first, rest, at, word, memory) {
    prefix = ""
    while (is(m, "rep|repz|repnz|lock|bnd|notrack|data16|addr32|[c-g]s|rex.*")) {
        prefix = prefix " " m
        m = ops; sub(/ .*/, "", m)
        if (ops !~ / /) ops = ""
        sub(/^[^ ]+ +/, "", ops)
    }
    sub(/ *<.*/, "", ops)
    at = match(ops, /,[^,\]]*(\[|$)|,/) ? index(ops, ",") : 0
    first = at ? substr(ops, 1, at - 1) : ops
    rest = at ? substr(ops, at + 1) : ""
    memory = is_memory(first) ? first : is_memory(rest) ? rest : ""

    if (m == "call") jump(is(first, "[0-9a-f]+") ? "call" : "indirect-call", "0")
    else if (m == "jmp") jump(is(first, "[0-9a-f]+") ? "jump" : "indirect", "0")
    else if (starts(m, "ret")) jump("return", "0")
    else if (is(m, "j.*|loop.*")) jump("conditional", "0")
    if (is(branch, "call|jump|conditional")) target = first

    loads = stores = 0
    if (is(m, "lea|nop|prefetch.*|endbr64|clflush.*")) memory = ""
    else if (is(m, "movs")) { loads = stores = 1 }
    else if (is(m, "stos")) stores = 1
    else if (is(m, "lods|cmps|scas|outs")) loads = 1
    else if (memory == rest && memory != "") { loads = 1; stores = m == "xchg" }
    else if (memory != "") {
        if (is(m, "v?(mov|pextr|extract).*|vp?(maskmov|compress|scatter).*|set.*|pop|fn?st.*|fist.*|fbstp|v?stmxcsr|f?xsave.*|fnsave|vcvtps2ph"))
            stores = 1
        else if (is(m, "cmp|test|bt|push|call|jmp|i?mul|i?div|v?u?comis.|f[^x].*|v?ldmxcsr|f?xrstor.*|vptestn?m."))
            loads = 1
        else
            loads = stores = 1
    }
    width = memory == "" ? 0 : size_of(memory)
    if (is(m, "push.*|call|enter")) { stores = 1; width = 8 }
    if (is(m, "popf?|ret.*|leave")) { loads = 1; width = 8 }
    if (is(m, "push|pop") && (is(first, "[abcd]x|[sd]i|[bs]p|r[0-9]+w") || first ~ /^WORD/)) width = 2
    if (m ~ /^v?maskmovdqu|^maskmovq/) { stores = 1; width = "?" }
    flags = (loads ? "l" : "") (stores ? "s" : "")
    if (prefix ~ /rep/ && is(m, "movs|stos|lods|cmps|scas|ins|outs")) flags = flags "r"
    if (is(m, "syscall|int3?|ud[012]|hlt")) flags = flags "e"
    if (flags == "") flags = "-"

    if (prefix ~ /lock/ || (m == "xchg" && memory != "")) class = "atomic"
    else if (branch != "none") class = branch == "conditional" ? "branch" : "jump"
    else if (is(m, "nop|endbr64|pause") || (m == "xchg" && ops == "ax,ax")) class = "nop"
    else if (is(m, "i?mul|mulx")) class = "multiply"
    else if (is(m, "i?div")) class = "divide"
    else if (is(m, "push.*")) class = "store"
    else if (is(m, "pop|leave")) class = "load"
    else if (is(m, "v?mov.*|movabs") && memory != "") class = stores ? "store" : "load"
    else if (is(m, "add|sub|and|or|xor|adc|sbb|cmp|test|inc|dec|neg|not|lea|sh[lr]d?|sar|ro[lr]|cmov.*|set.*|bsw.*|cdqe?|cqo|bt.*|movabs|mov|movzx|movsxd?"))
        class = "arithmetic"
    else if (is(m, "v?(add|sub|mul|div|sqrt|u?comi|min|max|round)s[sd]|v?cvt.*(2s[sdi])|vf.*s[sd]")) class = "float"
    else if (is(m, "f[^x].*|fxch|fxam") && m !~ /^f(ld|stp?)$/) class = "float"
    else if (is(m, "v?p(add|sub|and|or|xor|cmp|min|max|shuf|unpck|s[lr]l).*|v?(and|or|xor|andn)p[sd]")) class = "vector"
    else if (starts(m, "prefetch")) class = "other"
    else if (is(m, "syscall|cpuid|rdtsc|hlt|ud2|.fence")) class = "system"
}
