# SPDX-License-Identifier: MIT
# Properties of MIPS instructions, derived from objdump's mnemonics and operands (listing.awk).
# Mnemonics that end in c are those of release 6, without a delay slot.
function classify(m, ops,    to, a) {
    to = address(ops)
    a = operand(ops, 1)
    if (is(m, "b|bc|j")) jump("jump", to)
    else if (is(m, "bal|balc|jal|jalx")) jump("call", to)
    else if (starts(m, "jalr")) jump("indirect-call", "0")
    else if (starts(m, "jr")) jump(a == "ra" ? "return" : "indirect", "0")
    else if (is(m, "b(eq|ne)l?")) jump(m ~ /eq/ && a == operand(ops, 2) ? "jump" : "conditional", to)
    else if (is(m, "b(eq|ne|lt|gt|le|ge)z(al)?[lc]?|b(eq|ne|lt|ge)u?c|bc1([tf]l?|eqz|nez)")) jump("conditional", to)

    if (is(m, "l[bh]u?|lw|lw[lr]|l[wdu]x?c1|lu?xc1|luxc1|ll")) { flags = "l"; class = m == "ll" ? "atomic" : "load" }
    else if (is(m, "s[bhw]|sw[lr]|s[wd]x?c1|suxc1|sc")) { flags = "s"; class = m == "sc" ? "atomic" : "store" }
    else if (branch != "none") { flags = m ~ /c$/ ? "-" : "d"; class = branch == "conditional" ? "branch" : "jump" }
    else if (is(m, "syscall|break|sdbbp")) { flags = "e"; class = "system" }
    else if (is(m, "sync|synci|rdhwr|cache")) class = "system"
    else if (is(m, "nop|ssnop|ehb|pause")) class = "nop"
    else if (is(m, "pref|prefx")) class = "other"
    else if (is(m, "mulu?|muhu?|multu?|maddu?|msubu?")) class = "multiply"
    else if (is(m, "divu?|modu?")) class = "divide"
    else if (is(m, ".*\\.(s|d|w|l|ps)|[mc][ft]h?c1|mov[ft]\\..*")) class = "float"
    else if (is(m, "0x.*|\\.word")) class = "?"
    else class = "arithmetic"
    # In the place of addi, and we cannot know which is meant.
    if (is(m, "beqc|beqzalc|bovc")) branch = target = flags = class = "?"
    if (flags ~ /[ls]/)
        width = m ~ /^[ls]b/ ? 1 : m ~ /^[ls]h/ ? 2 : m ~ /^[ls]dx?c1|uxc1/ ? 8 : 4
}
