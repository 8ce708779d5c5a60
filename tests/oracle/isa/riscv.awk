# SPDX-License-Identifier: MIT
# Properties of RISC-V instructions, derived from objdump's mnemonics and operands (listing.awk).
function links(reg) { return reg == "ra" || reg == "t0" }
function classify(m, ops,    to, a) {
    to = address(ops)
    a = operand(ops, 1)
    if (m == "ret") jump("return", "0")
    else if (m == "jr") { sub(/.*\(/, "", a); sub(/\)/, "", a); jump(links(a) ? "return" : "indirect", "0") }
    else if (m == "jalr") jump(ops !~ /,/ || links(a) ? "indirect-call" : "indirect", "0")
    else if (m == "j") jump("jump", to)
    else if (m == "jal") jump(ops !~ /,/ || links(a) ? "call" : "jump", to)
    else if (is(m, "b(eq|ne|lt|ge|gt|le)(u|z)?")) jump("conditional", to)

    if (is(m, "f?l[bhwd]u?")) { flags = "l"; class = "load" }
    else if (is(m, "f?s[bhwd]")) { flags = "s"; class = "store" }
    else if (starts(m, "lr\\.")) { flags = "l"; class = "atomic" }
    else if (starts(m, "sc\\.")) { flags = "s"; class = "atomic" }
    else if (starts(m, "amo")) { flags = "ls"; class = "atomic" }
    else if (branch != "none") class = branch == "conditional" ? "branch" : "jump"
    else if (is(m, "ecall|ebreak")) { flags = "e"; class = "system" }
    else if (is(m, "fence.*|csr.*|rdcycle|rdtime|rdinstret|fr.*m|fs.*m|fr(csr|flags)|fs(csr|flags)i?"))
        class = is(m, "fsgn.*|fmsub.*") ? "float" : "system"
    else if (starts(m, "f")) class = "float"
    else if (starts(m, "mul")) class = "multiply"
    else if (starts(m, "div|rem")) class = "divide"
    else if (m == "nop") class = "nop"
    else if (is(m, "unimp|c\\.unimp|0x.*|\\.2?.*")) class = "?"
    else class = "arithmetic"
    if (flags ~ /[ls]/)
        width = m ~ /^f?[ls]b|\.b/ ? 1 : m ~ /^f?[ls]h/ ? 2 : m ~ /^f?[ls]d|\.d/ ? 8 : 4
}
