# SPDX-License-Identifier: MIT
# Properties of AArch64 instructions, derived from objdump's mnemonics and operands (listing.awk).
function element(letter) { return letter == "b" ? 1 : letter == "h" ? 2 : letter == "s" ? 4 : 8 }

# Bytes that a list like {v0.16b-v3.16b} or {v0.b}[3] moves.
function list_bytes(m, ops,    list, n, shape, part) {
    list = ops; sub(/^\{/, "", list); sub(/\}.*/, "", list)
    n = split(list, part, ",")
    if (list ~ /-/) { split(list, part, /[-v.]+/); n = (part[4] - part[2] + 32) % 32 + 1 }
    shape = list; sub(/^v[0-9]+\./, "", shape); sub(/[^0-9a-z].*/, "", shape)
    if (ops ~ /\}\[/ || m ~ /r$/) return n * element(substr(shape, length(shape)))
    return n * substr(shape, 1, length(shape) - 1) * element(substr(shape, length(shape)))
}
function register_bytes(reg) {
    if (reg ~ /^w/) return 4
    if (reg ~ /^x/) return 8
    if (reg ~ /^q/) return 16
    return element(substr(reg, 1, 1))
}
function classify(m, ops,    to, reg) {
    to = address(ops)
    if (m == "b" || is(m, "b\\.(al|nv)")) jump("jump", to)
    else if (m == "bl") jump("call", to)
    else if (starts(m, "blr")) jump("indirect-call", "0")
    else if (starts(m, "br($|a)")) jump("indirect", "0")
    else if (starts(m, "ret")) jump("return", "0")
    else if (is(m, "b\\..*|cbn?z|tbn?z")) jump("conditional", to)

    if (is(m, "(ld|st)(add|clr|eor|set|[su]m(ax|in))(a|l|al)?[bh]?|casp?(a|l|al)?[bh]?|swp(a|l|al)?[bh]?"))
        { flags = "ls"; class = "atomic" }
    else if (is(m, "ldgm?|stgm?|st2g|prfu?m")) class = "other"
    else if (is(m, "cpy.*|set[pme].*") || ops ~ /^\{?za/) { class = "?"; name = "new-" m }
    else if (starts(m, "ld")) { flags = "l"; class = m ~ /^lda?xr|^lda?xp/ ? "atomic" : "load" }
    else if (starts(m, "st")) { flags = "s"; class = m ~ /^stl?xr|^stl?xp/ ? "atomic" : "store" }
    else if (m == "dc" && ops ~ /^g?zva/) { flags = "s"; width = "?" }
    else if (branch != "none") class = branch == "conditional" ? "branch" : "jump"
    else if (is(m, "svc|hvc|smc|brk|hlt|eret")) { flags = "e"; class = "system" }
    else if (is(m, "mrs|msr|dmb|dsb|isb|clrex|ic|dc|tlbi|gcs.*|smst(art|op)")) class = "system"
    else if (is(m, "nop|yield|bti|chkfeat")) class = "nop"
    else if (is(m, "irg|gmi|udf|\\..*|cnt[bhwd]|adds?(vl|pl|svl|spl)|rds?vl") || ops ~ /[zp][0-9]+\./) { class = "?"; name = "new-" m }
    else if (ops ~ /^[vq][0-9]|, v[0-9]/) class = "vector"
    else if (starts(m, "f|[su]cvtf")) class = "float"
    else if (ops ~ /^[dshb][0-9]/) class = "vector"
    else if (is(m, "[su]?m(ul|add|sub|neg)[lh]?")) class = "multiply"
    else if (is(m, "[su]div")) class = "divide"
    else class = "arithmetic"

    if (flags !~ /[ls]/ || width == "?") return
    reg = operand(ops, m ~ /^stl?x[rp]/ ? 2 : 1); gsub(/ /, "", reg)
    if (ops ~ /\{z/) width = "0"
    else if (ops ~ /^\{/) width = list_bytes(m, ops)
    else if (m ~ /^stz2g/) width = 32
    else if (m ~ /^stzg|^stgp/) width = 16
    else if (m ~ /pswp?$/ || m == "ldpsw") width = 8
    else if (m ~ /b$/) width = 1
    else if (m ~ /h$/) width = 2
    else if (m ~ /sw$/) width = 4
    else width = register_bytes(reg) * (m ~ /^(ldn?p|stn?p|lda?xp|stl?xp|casp)/ ? 2 : 1)
}
