#!/bin/sh
# SPDX-License-Identifier: MIT
# LEAP's hash is perfect for any number of functions: programs with one, two, 255 to 257 and some
# thousand functions of known cost. If two functions shared a counter, the events of one of them
# would be dropped.
. "$(dirname "$0")/../lib.sh"
. "$root/tests/oracle/function_profiles.sh"
need sqlite3 awk

# An assembler program of N functions: _start calls each of the others once; the k-th of these
# has k % 7 no-ops and a return, which costs COST. The wanted profile is in the file `wanted`.
write() # write N CALL RETURN COST EXIT: instructions, ";" between several
{
    awk -v n="$1" -v call="$2" -v back="$3" -v leave="$5" '
        function lines(text) { gsub(/; */, "\n    ", text); print "    " text }
        function begin(name) {
            printf "    .globl %s\n    .type %s, @function\n%s:\n", name, name, name }
        function end(name) { printf "    .size %s, . - %s\n", name, name }
        BEGIN {
            print "    .text"
            begin("_start")
            for (k = 1; k < n; k++) { text = call; sub(/@/, "f" k, text); lines(text) }
            lines(leave)
            end("_start")
            for (k = 1; k < n; k++) {
                begin("f" k)
                for (i = 0; i < k % 7; i++) print "    nop"
                lines(back)
                end("f" k)
            }
        }' >many.s
    awk -v n="$1" -v cost="$4" 'BEGIN { for (k = 1; k < n; k++) print "f" k, k % 7 + cost }' |
        sort >wanted
}

log2() # log2 N: of N rounded up to a power of two, at least 2
{
    local bits=1
    while [ $((1 << bits)) -lt "$1" ]; do bits=$((bits + 1)); done
    echo $bits
}

# Bits of LEAP for N functions: counters and tab; the stack and the current index; the hash's
# parameters; the data counter.
storage() # storage N
{
    local bits word
    bits=$(log2 "$1")
    word=8
    [ "$bits" -le 8 ] || word=16
    echo $(((32 + word) * (1 << bits) + 33 * bits + 32 + 3 * 5 + bits + 32))
}

while IFS='|' read -r guest compiler options call back cost leave; do
    have "$compiler" || continue
    for n in 1 2 255 256 257 4321; do
        what="$guest, $n functions"
        write $n "$call" "$back" "$cost" "$leave"
        # shellcheck disable=SC2086
        build many $compiler -nostdlib -static $options many.s
        profile a.db -p function@leap -p 'function(tail=0)@leap' -p block:instructions@snoopp \
            -- ./many
        is "$what: it ends well" $? 0
        all=$(sql a.db 'SELECT instructions FROM program')
        echo "_start $((all - $(awk '{ sum += $2 } END { print sum + 0 }' wanted)))" >>wanted
        sort -o wanted wanted
        for spec in function@leap 'function(tail=0)@leap' block:instructions@snoopp; do
            by_name a.db "$spec" >got
            same "$what: $spec: each has what it costs" got wanted
        done
        is "$what: nothing is dropped" "$(sql a.db 'SELECT sum(drops) FROM profile')" 0
        is "$what: the number of bits" "$(sql a.db 'SELECT storage_bits FROM profile WHERE id = 0')" \
            "$(storage $n)"
    done
done <<'END'
x86-64|gcc||call @|ret|1|xor %edi, %edi; mov $60, %eax; syscall
riscv64|riscv64-linux-gnu-gcc||call @|ret|1|li a0, 0; li a7, 93; ecall
mipsel|mipsel-linux-gnu-gcc|-mno-abicalls -fno-pic|jal @|jr $31|2|li $4, 0; li $2, 4001; syscall
END
finish
