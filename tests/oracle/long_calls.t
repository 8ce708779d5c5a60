#!/bin/sh
# SPDX-License-Identifier: MIT
# Blocks whose helper calls write more words than the reserve at the end of a slot: the engine
# continues in another slot in the middle of the block, and later events stay within that slot.
. "$(dirname "$0")/../lib.sh"
need gcc sqlite3
[ "$(uname -m)" = x86_64 ] || skip_all 'its program is for x86-64'
[ -x "$BUILD/engine/qemu-x86_64" ] || skip_all 'the engine is not built (make engine)'
cat >long_calls.s <<'END'
    .globl _start
    .type _start, @function
_start:
    mov $25, %r12d
    lea word(%rip), %rsi
round:
    .rept 150               # about 55 stores each, by a helper function: 25,000 words in all
    fxsave area(%rip)
    .endr
    mov $70000, %ecx
plain:                      # one load each, inline: more than a slot has space for
    mov (%rsi), %rax
    add $8, %eax
    dec %ecx
    jnz plain
    dec %r12d
    jnz round
    mov $60, %eax
    xor %edi, %edi
    syscall
    .size _start, . - _start
    .data
    .balign 64
area:
    .fill 512
word:
    .quad 1
END
build long_calls gcc -nostdlib -static -no-pie long_calls.s
for tap in engine plugin; do
    SLUICE_TAP=$tap profile $tap.db -m rocket -p function:cycles -p block -- ./long_calls
    is "by the $tap: its status" $? 0
    is "by the $tap: nothing is reported" "$(cat err)" ''
    # 2 + 25 x (150 + 1 + 4 x 70,000 + 2) + 3
    is "by the $tap: instructions" "$(sql $tap.db 'SELECT instructions FROM program')" 7003830
done
for profile in 0 1; do
    functions engine.db $profile >got
    functions plugin.db $profile >wanted
    same "profile $profile is the same by both" got wanted
done
finish
