# SPDX-License-Identifier: MIT
# Converts `objdump -dw` output to the properties that the mnemonics imply, one line per
# instruction:
#
#   pc hex branch target flags width class mnemonic operands
#
# with ? for properties that are not compared. The script of an architecture, read after this one,
# defines classify(m, ops) for mnemonic and operands, which sets
#
#   branch target flags width class name
BEGIN { FS = "\t" }

function starts(text, regex) { return text ~ ("^(" regex ")") }
function is(text, regex) { return text ~ ("^(" regex ")$") }

# The n-th operand (from 1), and the address that the last one starts with.
function operand(ops, n,    part) { split(ops, part, ","); return part[n] }
function address(ops,    part, n, word) {
    n = split(ops, part, ",")
    split(part[n], word, " ")
    sub(/^0x/, "", word[1])
    return word[1]
}
function jump(kind, to) { branch = kind; target = to }

/^ *[0-9a-f]+:\t/ {
    pc = $1; gsub(/[ :]/, "", pc)
    hex = $2; gsub(/ /, "", hex)
    m = $3; ops = $4
    if (split(m, word, " ") > 1) { # x86: blanks, not a tab, after the mnemonic
        ops = m
        m = word[1]
        sub(/^[^ ]+ +/, "", ops)
    }
    sub(/ +(\/\/|# ).*/, "", ops)
    gsub(/ /, "", m)
    name = m
    branch = "none"; target = "0"; flags = "-"; width = "0"; class = "?"
    shape = ops; gsub(/ /, "", shape); if (shape == "") shape = "-"
    classify(m, ops)
    print pc, hex, branch, target, flags, width, class, name, shape
}
