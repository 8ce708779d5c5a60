# SPDX-License-Identifier: MIT
# Selects some instructions of each kind for effects.c, from the lines of listing.awk joined with
# those of isa_dump.
#
# Skips instructions that change the control flow or enter the kernel, that match `skip` (in
# "mnemonic operands"), that address memory too far away, and that use the same register twice (xor
# a, a depends on nothing).
function in_memory(hex,    i, out) { # objdump shows numbers, but bytes on x86
    if (!swap) return hex
    for (i = length(hex) - 1; i > 0; i -= 2) out = out substr(hex, i, 2)
    return out
}
$11 == "none" && $13 !~ /[er]/ && $15 != "system" && $15 != "other" && ($8 " " $9) !~ skip &&
$9 !~ /[0-9][0-9][0-9][0-9][0-9]\(|[0-9a-f][0-9a-f][0-9a-f][0-9a-f]\]/ {
    n = split($9, part, ",")
    if (n > 1 && (part[n] == part[n - 1] || ($8 ~ "cmp" && part[1] == part[2]))) next
    kind = $9
    gsub(/0x[0-9a-f]+|[0-9]+/, "#", kind)
    gsub(/r[abcd]x|r[sd]i|r[sb]p/, "r#", kind)
    gsub(/e[abcd]x|e[sd]i|e[sb]p/, "r#d", kind)
    gsub(/[atsxvf]#|ra|sp|zero/, "r", kind)
    if (!seen[$2]++ && count[$8, kind]++ < 2)
        print in_memory($2), $16, $17, $13, $8, $9
}
