/* SPDX-License-Identifier: MIT */
/* Unit tests of instruction decoders for cases that tests/oracle/isa*.t cannot check: the registers
 * of branches, traps and system instructions, instructions that the C library never contains, and
 * invalid bytes. */
#include <string.h>

#include "isa.h"
#include "tap.h"

#define BIT(n) (UINT64_C(1) << (n))
#define FLAGS BIT(SL_REG_FLAGS)
#define FP BIT(SL_REG_FPFLAGS)
#define PC UINT64_C(0x400000)

/* x86-64's registers by name. */
enum { AX = 1, CX = 2, DX = 4, BX = 8, SP = 16, BP = 32, SI = 64, DI = 128, R11 = 2048 };

enum {
    L = SL_INSN_LOADS,
    S = SL_INSN_STORES,
    D = SL_INSN_DELAY_SLOT,
    R = SL_INSN_REPEATS,
    E = SL_INSN_ENDS
};

struct expected {
    const char *name;
    const char *hex; /* bytes in memory */
    enum sl_branch branch;
    enum sl_class class;
    unsigned flags, width;
    uint64_t target;
    uint64_t reads, writes; /* general */
    uint64_t vector_reads, vector_writes;
};

#define B(kind) SL_BRANCH_##kind
#define C(kind) SL_CLASS_##kind

static const struct expected x86[] = {
    {"call rel32", "e800010000", B(CALL), C(JUMP), S, 8, PC + 0x105, SP, SP, 0, 0},
    {"call of __tls_get_addr with padding", "666648e800010000", B(CALL), C(JUMP), S, 8, PC + 0x108,
     SP, SP, 0, 0},
    {"call rax", "ffd0", B(INDIRECT_CALL), C(JUMP), S, 8, 0, AX | SP, SP, 0, 0},
    {"call [rbx+8]", "ff5308", B(INDIRECT_CALL), C(JUMP), L | S, 8, 0, BX | SP, SP, 0, 0},
    {"jmp rel8", "ebfe", B(JUMP), C(JUMP), 0, 0, PC, 0, 0, 0, 0},
    {"bnd jmp [rip+x]", "f2ff2500010000", B(INDIRECT), C(JUMP), L, 8, 0, 0, 0, 0, 0},
    {"notrack jmp rax", "3effe0", B(INDIRECT), C(JUMP), 0, 0, 0, AX, 0, 0, 0},
    {"je", "7410", B(CONDITIONAL), C(BRANCH), 0, 0, PC + 0x12, FLAGS, 0, 0, 0},
    {"jrcxz", "e310", B(CONDITIONAL), C(BRANCH), 0, 0, PC + 0x12, CX, 0, 0, 0},
    {"loop", "e2fe", B(CONDITIONAL), C(BRANCH), 0, 0, PC, CX, CX, 0, 0},
    {"ret", "c3", B(RETURN), C(JUMP), L, 8, 0, SP, SP, 0, 0},
    {"rep ret, which does not repeat", "f3c3", B(RETURN), C(JUMP), L, 8, 0, SP, SP, 0, 0},
    {"ret 8", "c20800", B(RETURN), C(JUMP), L, 8, 0, SP, SP, 0, 0},
    {"syscall", "0f05", B(NONE), C(SYSTEM), E, 0, 0, 0, CX | R11, 0, 0},
    {"int3", "cc", B(NONE), C(SYSTEM), E, 0, 0, 0, 0, 0, 0},
    {"ud2", "0f0b", B(NONE), C(SYSTEM), E, 0, 0, 0, 0, 0, 0},
    {"hlt", "f4", B(NONE), C(SYSTEM), E, 0, 0, 0, 0, 0, 0},
    {"cpuid", "0fa2", B(NONE), C(SYSTEM), 0, 0, 0, AX | CX, AX | BX | CX | DX, 0, 0},
    {"rdtsc", "0f31", B(NONE), C(SYSTEM), 0, 0, 0, 0, AX | DX, 0, 0},
    {"mfence", "0faef0", B(NONE), C(SYSTEM), 0, 0, 0, 0, 0, 0, 0},
    {"push rbp", "55", B(NONE), C(STORE), S, 8, 0, SP | BP, SP, 0, 0},
    {"push [rbx]", "ff33", B(NONE), C(STORE), L | S, 8, 0, SP | BX, SP, 0, 0},
    {"pop rbp", "5d", B(NONE), C(LOAD), L, 8, 0, SP, SP | BP, 0, 0},
    {"leave", "c9", B(NONE), C(LOAD), L, 8, 0, BP, SP | BP, 0, 0},
    {"rep movsq", "f348a5", B(NONE), C(STORE), L | S | R, 8, 0, SI | DI | CX, SI | DI | CX, 0, 0},
    {"rep stosb", "f3aa", B(NONE), C(STORE), S | R, 1, 0, AX | DI | CX, DI | CX, 0, 0},
    {"stosq, which counts nothing", "48ab", B(NONE), C(STORE), S, 8, 0, AX | DI, DI, 0, 0},
    {"repne scasb", "f2ae", B(NONE), C(ARITHMETIC), L | R, 1, 0, AX | DI | CX, DI | CX | FLAGS, 0,
     0},
    {"repe cmpsb", "f3a6", B(NONE), C(ARITHMETIC), L | R, 1, 0, SI | DI | CX, SI | DI | CX | FLAGS,
     0, 0},
    {"movdqu, whose f3 does not repeat", "f30f6f00", B(NONE), C(LOAD), L, 16, 0, AX, 0, 0, BIT(0)},
    {"tzcnt, whose f3 does not repeat", "f30fbcc1", B(NONE), C(ARITHMETIC), 0, 0, 0, CX, AX | FLAGS,
     0, 0},
    {"pause", "f390", B(NONE), C(NOP), 0, 0, 0, 0, 0, 0, 0},
    {"nop [rax]", "0f1f00", B(NONE), C(NOP), 0, 0, 0, 0, 0, 0, 0},
    {"endbr64", "f30f1efa", B(NONE), C(NOP), 0, 0, 0, 0, 0, 0, 0},
    {"lea", "488d0401", B(NONE), C(ARITHMETIC), 0, 0, 0, AX | CX, AX, 0, 0},
    {"prefetch", "0f180b", B(NONE), C(OTHER), 0, 0, 0, BX, 0, 0, 0},
    {"xor eax, eax is ordinary", "31c0", B(NONE), C(ARITHMETIC), 0, 0, 0, AX, AX | FLAGS, 0, 0},
    {"mov al, cl keeps the rest of rax", "88c8", B(NONE), C(ARITHMETIC), 0, 0, 0, AX | CX, AX, 0,
     0},
    {"mov eax, ecx does not", "89c8", B(NONE), C(ARITHMETIC), 0, 0, 0, CX, AX, 0, 0},
    {"add [rdi], eax", "0107", B(NONE), C(ARITHMETIC), L | S, 4, 0, AX | DI, FLAGS, 0, 0},
    {"adc", "11c8", B(NONE), C(ARITHMETIC), 0, 0, 0, AX | CX | FLAGS, AX | FLAGS, 0, 0},
    {"cmp [rdi], al", "3807", B(NONE), C(ARITHMETIC), L, 1, 0, AX | DI, FLAGS, 0, 0},
    {"test byte [rdi], 1", "f60701", B(NONE), C(ARITHMETIC), L, 1, 0, DI, FLAGS, 0, 0},
    {"mul rcx", "48f7e1", B(NONE), C(MULTIPLY), 0, 0, 0, AX | CX, AX | DX | FLAGS, 0, 0},
    {"imul eax, ecx", "0fafc1", B(NONE), C(MULTIPLY), 0, 0, 0, AX | CX, AX | FLAGS, 0, 0},
    {"div rcx", "48f7f1", B(NONE), C(DIVIDE), 0, 0, 0, AX | CX | DX, AX | DX | FLAGS, 0, 0},
    {"shl eax, cl", "d3e0", B(NONE), C(ARITHMETIC), 0, 0, 0, AX | CX, AX | FLAGS, 0, 0},
    {"cqo", "4899", B(NONE), C(ARITHMETIC), 0, 0, 0, AX, DX, 0, 0},
    {"lock cmpxchg [rdx], rcx", "f0480fb10a", B(NONE), C(ATOMIC), L | S, 8, 0, AX | CX | DX,
     AX | FLAGS, 0, 0},
    {"xchg [rdi], eax", "8707", B(NONE), C(ATOMIC), L | S, 4, 0, AX | DI, AX, 0, 0},
    {"xchg eax, ecx", "87c8", B(NONE), C(ARITHMETIC), 0, 0, 0, AX | CX, AX | CX, 0, 0},
    {"movups [rdi], xmm3", "0f111f", B(NONE), C(STORE), S, 16, 0, DI, 0, BIT(3), 0},
    {"movsd xmm1, [rdi]", "f20f100f", B(NONE), C(LOAD), L, 8, 0, DI, 0, 0, BIT(1)},
    {"addsd xmm1, xmm2", "f20f58ca", B(NONE), C(FLOAT), 0, 0, 0, 0, 0, BIT(1) | BIT(2), BIT(1)},
    {"cvtsi2sd xmm1, eax keeps the high half", "f20f2ac8", B(NONE), C(FLOAT), 0, 0, 0, AX, 0,
     BIT(1), BIT(1)},
    {"ucomisd xmm0, [rdi]", "660f2e07", B(NONE), C(FLOAT), L, 8, 0, DI, FLAGS, BIT(0), 0},
    {"cmpltsd xmm1, xmm2 is no string instruction", "f20fc2ca01", B(NONE), C(FLOAT), 0, 0, 0, 0, 0,
     BIT(1) | BIT(2), BIT(1)},
    {"vpaddd ymm1, ymm2, ymm3", "c5edfecb", B(NONE), C(VECTOR), 0, 0, 0, 0, 0, BIT(2) | BIT(3),
     BIT(1)},
    {"vbroadcasti128, which Capstone does not know", "c4e27d5a0f", B(NONE), C(LOAD), L, 16, 0, DI,
     0, 0, BIT(1)},
    {"vzeroupper", "c5f877", B(NONE), C(VECTOR), 0, 0, 0, 0, 0, 0, 0},
    {"ldmxcsr", "0fae17", B(NONE), C(SYSTEM), L, 4, 0, DI, 0, 0, FP},
    {"cmove rdi, rax keeps or writes", "480f44f8", B(NONE), C(ARITHMETIC), 0, 0, 0, AX | DI | FLAGS,
     DI, 0, 0},
    {"test [rbx], al", "8403", B(NONE), C(ARITHMETIC), L, 1, 0, AX | BX, FLAGS, 0, 0},
    {"rep stosw, in the other order", "66f3ab", B(NONE), C(STORE), S | R, 2, 0, AX | DI | CX,
     DI | CX, 0, 0},
    {"cmpltps xmm1, xmm2", "0fc2ca01", B(NONE), C(VECTOR), 0, 0, 0, 0, 0, BIT(1) | BIT(2), BIT(1)},
    {"vcmpnltsd xmm1, xmm2, [rbx]", "c5ebc20b05", B(NONE), C(FLOAT), L, 8, 0, BX, 0, BIT(2),
     BIT(1)},
    {"vcvtpd2ps xmm1, xmm2", "c5f95aca", B(NONE), C(VECTOR), 0, 0, 0, 0, 0, BIT(2), BIT(1)},
    {"pcmpistrm xmm1, xmm2", "660f3a62ca05", B(NONE), C(VECTOR), 0, 0, 0, 0, FLAGS, BIT(1) | BIT(2),
     BIT(0)},
    {"pcmpestri xmm1, xmm2", "660f3a61ca05", B(NONE), C(VECTOR), 0, 0, 0, AX | DX, CX | FLAGS,
     BIT(1) | BIT(2), 0},
    {"punpckldq mm0, [rbx]", "0f6203", B(NONE), C(VECTOR), L, 8, 0, BX, 0, BIT(0), BIT(0)},
    {"vaesenc ymm0, ymm0, [rbx], too new", "c4e27ddc03", B(NONE), C(OTHER), 0, 0, 0, 0, 0, 0, 0},
    {"rdsspq, too new", "f3480f1ec9", B(NONE), C(OTHER), 0, 0, 0, 0, 0, 0, 0},
    {"kmovd, too new", "c5fb93c1", B(NONE), C(OTHER), 0, 0, 0, 0, 0, 0, 0},
    {"half an instruction", "e80001", B(NONE), C(OTHER), 0, 0, 0, 0, 0, 0, 0},
    {"one and a half", "c3e800", B(NONE), C(OTHER), 0, 0, 0, 0, 0, 0, 0},
    {NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0},
};

static const struct expected aarch64[] = {
    {"b", "40000014", B(JUMP), C(JUMP), 0, 0, PC + 0x100, 0, 0, 0, 0},
    {"b backwards", "ffffff17", B(JUMP), C(JUMP), 0, 0, PC - 4, 0, 0, 0, 0},
    {"bl", "40000094", B(CALL), C(JUMP), 0, 0, PC + 0x100, 0, BIT(30), 0, 0},
    {"b.ne", "01080054", B(CONDITIONAL), C(BRANCH), 0, 0, PC + 0x100, FLAGS, 0, 0, 0},
    {"b.al", "0e080054", B(JUMP), C(JUMP), 0, 0, PC + 0x100, 0, 0, 0, 0},
    {"cbnz x3", "030800b5", B(CONDITIONAL), C(BRANCH), 0, 0, PC + 0x100, BIT(3), 0, 0, 0},
    {"tbz x3, backwards", "e3ff1fb6", B(CONDITIONAL), C(BRANCH), 0, 0, PC - 4, BIT(3), 0, 0, 0},
    {"br x17", "20021fd6", B(INDIRECT), C(JUMP), 0, 0, 0, BIT(17), 0, 0, 0},
    {"blr x8", "00013fd6", B(INDIRECT_CALL), C(JUMP), 0, 0, 0, BIT(8), BIT(30), 0, 0},
    {"ret", "c0035fd6", B(RETURN), C(JUMP), 0, 0, 0, BIT(30), 0, 0, 0},
    {"retaa, unknown to Capstone", "ff0b5fd6", B(RETURN), C(JUMP), 0, 0, 0, BIT(30) | BIT(31), 0, 0,
     0},
    {"braa x8, x9", "09091fd7", B(INDIRECT), C(JUMP), 0, 0, 0, BIT(8) | BIT(9), 0, 0, 0},
    {"blraaz x8", "1f093fd6", B(INDIRECT_CALL), C(JUMP), 0, 0, 0, BIT(8), BIT(30), 0, 0},
    {"svc", "010000d4", B(NONE), C(SYSTEM), E, 0, 0, 0, 0, 0, 0},
    {"brk", "007d20d4", B(NONE), C(SYSTEM), E, 0, 0, 0, 0, 0, 0},
    {"nop", "1f2003d5", B(NONE), C(NOP), 0, 0, 0, 0, 0, 0, 0},
    {"bti c", "5f2403d5", B(NONE), C(NOP), 0, 0, 0, 0, 0, 0, 0},
    {"paciasp", "3f2303d5", B(NONE), C(ARITHMETIC), 0, 0, 0, BIT(30) | BIT(31), BIT(30), 0, 0},
    {"dmb ish", "bf3b03d5", B(NONE), C(SYSTEM), 0, 0, 0, 0, 0, 0, 0},
    {"mrs x0, nzcv", "00423bd5", B(NONE), C(SYSTEM), 0, 0, 0, FLAGS, BIT(0), 0, 0},
    {"msr fpcr, x20", "14441bd5", B(NONE), C(SYSTEM), 0, 0, 0, BIT(20), 0, 0, FP},
    {"dc zva, x3", "23740bd5", B(NONE), C(STORE), S, 0, 0, BIT(3), 0, 0, 0},
    {"prfm", "200080f9", B(NONE), C(OTHER), 0, 0, 0, BIT(1), 0, 0, 0},
    {"ldr x1, literal", "01080058", B(NONE), C(LOAD), L, 8, 0, 0, BIT(1), 0, 0},
    {"ldr q1, [x2, x3]", "4168e33c", B(NONE), C(LOAD), L, 16, 0, BIT(2) | BIT(3), 0, 0, BIT(1)},
    {"stp x29, x30, [sp, #-16]!", "fd7bbfa9", B(NONE), C(STORE), S, 16, 0,
     BIT(29) | BIT(30) | BIT(31), BIT(31), 0, 0},
    {"ldraa x0, [x1]", "200420f8", B(NONE), C(LOAD), L, 8, 0, BIT(1), BIT(0), 0, 0},
    {"ldadd x1, x2, [x3]", "620021f8", B(NONE), C(ATOMIC), L | S, 8, 0, BIT(1) | BIT(3), BIT(2), 0,
     0},
    {"ldapr w0, [x1]", "20c0bfb8", B(NONE), C(LOAD), L, 4, 0, BIT(1), BIT(0), 0, 0},
    {"stxr w17, w1, [x2]", "417c1188", B(NONE), C(ATOMIC), S, 4, 0, BIT(1) | BIT(2), BIT(17), 0, 0},
    {"ld1b, which is SVE", "0140 00a4", B(NONE), C(LOAD), L, 0, 0, BIT(0), 0, 0, BIT(1)},
    {"cmp x1, x20 writes no register", "3f0014eb", B(NONE), C(ARITHMETIC), 0, 0, 0,
     BIT(1) | BIT(20), FLAGS, 0, 0},
    {"movk keeps the rest", "2000e0f2", B(NONE), C(ARITHMETIC), 0, 0, 0, BIT(0), BIT(0), 0, 0},
    {"movz does not", "0000a0d2", B(NONE), C(ARITHMETIC), 0, 0, 0, 0, BIT(0), 0, 0},
    {"csel", "00109f9a", B(NONE), C(ARITHMETIC), 0, 0, 0, BIT(0) | FLAGS, BIT(0), 0, 0},
    {"madd", "c549059b", B(NONE), C(MULTIPLY), 0, 0, 0, BIT(14) | BIT(5) | BIT(18), BIT(5), 0, 0},
    {"udiv", "6508cc9a", B(NONE), C(DIVIDE), 0, 0, 0, BIT(3) | BIT(12), BIT(5), 0, 0},
    {"fmla v0.4s keeps the sum", "20cc224e", B(NONE), C(VECTOR), 0, 0, 0, 0, 0,
     BIT(0) | BIT(1) | BIT(2), BIT(0)},
    {"fmadd s20, s26, s29, s0", "54031d1f", B(NONE), C(FLOAT), 0, 0, 0, 0, 0,
     BIT(26) | BIT(29) | BIT(0), BIT(20)},
    {"fmadd of halves, too new", "eac9ce1f", B(NONE), C(OTHER), 0, 0, 0, 0, 0, 0, 0},
    {"fcvt s1, h2 is older", "4140e21e", B(NONE), C(FLOAT), 0, 0, 0, 0, 0, BIT(2), BIT(1)},
    {"sdot, too new", "2094824e", B(NONE), C(OTHER), 0, 0, 0, 0, 0, 0, 0},
    {"sel, which is SVE", "55e2b705", B(NONE), C(OTHER), 0, 0, 0, 0, 0, 0, 0},
    {"addg, too new", "85159791", B(NONE), C(OTHER), 0, 0, 0, 0, 0, 0, 0},
    {"udf", "00000000", B(NONE), C(OTHER), 0, 0, 0, 0, 0, 0, 0},
    {"three bytes", "c0035f", B(NONE), C(OTHER), 0, 0, 0, 0, 0, 0, 0},
    {NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0},
};

static const struct expected riscv64[] = {
    {"jal ra", "ef000010", B(CALL), C(JUMP), 0, 0, PC + 0x100, 0, BIT(1), 0, 0},
    {"jal t0", "ef020010", B(CALL), C(JUMP), 0, 0, PC + 0x100, 0, BIT(5), 0, 0},
    {"jal t1, not a link register", "6f030010", B(JUMP), C(JUMP), 0, 0, PC + 0x100, 0, BIT(6), 0,
     0},
    {"j", "6f000010", B(JUMP), C(JUMP), 0, 0, PC + 0x100, 0, 0, 0, 0},
    {"j backwards", "6ff0dfff", B(JUMP), C(JUMP), 0, 0, PC - 4, 0, 0, 0, 0},
    {"jalr ra, a0", "e7000500", B(INDIRECT_CALL), C(JUMP), 0, 0, 0, BIT(10), BIT(1), 0, 0},
    {"ret", "67800000", B(RETURN), C(JUMP), 0, 0, 0, BIT(1), 0, 0, 0},
    {"jr t0", "67800200", B(RETURN), C(JUMP), 0, 0, 0, BIT(5), 0, 0, 0},
    {"jr a0", "67000500", B(INDIRECT), C(JUMP), 0, 0, 0, BIT(10), 0, 0, 0},
    {"c.jr ra", "8280", B(RETURN), C(JUMP), 0, 0, 0, BIT(1), 0, 0, 0},
    {"c.jr a5", "8287", B(INDIRECT), C(JUMP), 0, 0, 0, BIT(15), 0, 0, 0},
    {"c.jalr a5", "8297", B(INDIRECT_CALL), C(JUMP), 0, 0, 0, BIT(15), BIT(1), 0, 0},
    {"c.j backwards", "f5bf", B(JUMP), C(JUMP), 0, 0, PC - 4, 0, 0, 0, 0},
    {"c.beqz a5", "91c3", B(CONDITIONAL), C(BRANCH), 0, 0, PC + 4, BIT(15), 0, 0, 0},
    {"bne a0, a1", "6310b510", B(CONDITIONAL), C(BRANCH), 0, 0, PC + 0x100, BIT(10) | BIT(11), 0, 0,
     0},
    {"ecall", "73000000", B(NONE), C(SYSTEM), E, 0, 0, 0, 0, 0, 0},
    {"c.ebreak", "0290", B(NONE), C(SYSTEM), E, 0, 0, 0, 0, 0, 0},
    {"csrrw a0, fcsr, a1", "73953500", B(NONE), C(SYSTEM), 0, 0, 0, BIT(11), BIT(10), FP, FP},
    {"fence.i", "0f100000", B(NONE), C(SYSTEM), 0, 0, 0, 0, 0, 0, 0},
    {"c.nop", "0100", B(NONE), C(NOP), 0, 0, 0, 0, 0, 0, 0},
    {"c.sdsp s0", "22e0", B(NONE), C(STORE), S, 8, 0, BIT(2) | BIT(8), 0, 0, 0},
    {"amoadd.d", "2f35b500", B(NONE), C(ATOMIC), L | S, 8, 0, BIT(10) | BIT(11), BIT(10), 0, 0},
    {"lr.w", "2f250510", B(NONE), C(ATOMIC), L, 4, 0, BIT(10), BIT(10), 0, 0},
    {"fmadd.d", "4375b562", B(NONE), C(FLOAT), 0, 0, 0, 0, 0, BIT(10) | BIT(11) | BIT(12), BIT(10)},
    {"fcvt.d.w", "538505d2", B(NONE), C(FLOAT), 0, 0, 0, BIT(11), 0, 0, BIT(10)},
    {"all zeroes", "0000", B(NONE), C(OTHER), 0, 0, 0, 0, 0, 0, 0},
    {"a branch that is reserved", "6320b510", B(NONE), C(OTHER), 0, 0, 0, 0, 0, 0, 0},
    {"half of jal", "ef00", B(NONE), C(OTHER), 0, 0, 0, 0, 0, 0, 0},
    {NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0},
};

static const struct expected riscv32[] = {
    {"c.jal, where RV64 has c.addiw", "1120", B(CALL), C(JUMP), 0, 0, PC + 4, 0, BIT(1), 0, 0},
    {"c.flwsp, where RV64 has c.ldsp", "0260", B(NONE), C(LOAD), L, 4, 0, BIT(2), 0, 0, BIT(0)},
    {"ld does not exist", "83b50500", B(NONE), C(OTHER), 0, 0, 0, 0, 0, 0, 0},
    {"addw does not exist", "3b85b500", B(NONE), C(OTHER), 0, 0, 0, 0, 0, 0, 0},
    {NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0},
};

static const struct expected mips[] = {
    {"jal", "0c100040", B(CALL), C(JUMP), D, 0, PC + 0x100, 0, BIT(31), 0, 0},
    {"bal", "0411003f", B(CALL), C(JUMP), D, 0, PC + 0x100, 0, BIT(31), 0, 0},
    {"bgezal a0 goes on a condition", "0491003f", B(CONDITIONAL), C(BRANCH), D, 0, PC + 0x100,
     BIT(4), BIT(31), 0, 0},
    {"b", "1000003f", B(JUMP), C(JUMP), D, 0, PC + 0x100, 0, 0, 0, 0},
    {"beq a0, a0", "1084003f", B(JUMP), C(JUMP), D, 0, PC + 0x100, BIT(4), 0, 0, 0},
    {"bne a0, a0", "1484003f", B(CONDITIONAL), C(BRANCH), D, 0, PC + 0x100, BIT(4), 0, 0, 0},
    {"beql, backwards", "5085fffe", B(CONDITIONAL), C(BRANCH), D, 0, PC - 4, BIT(4) | BIT(5), 0, 0,
     0},
    {"jalr t9", "0320f809", B(INDIRECT_CALL), C(JUMP), D, 0, 0, BIT(25), BIT(31), 0, 0},
    {"jr ra", "03e00008", B(RETURN), C(JUMP), D, 0, 0, BIT(31), 0, 0, 0},
    {"jr t9", "03200008", B(INDIRECT), C(JUMP), D, 0, 0, BIT(25), 0, 0, 0},
    {"jr ra of release 6", "03e00009", B(RETURN), C(JUMP), D, 0, 0, BIT(31), 0, 0, 0},
    {"bc1t", "4501003f", B(CONDITIONAL), C(BRANCH), D, 0, PC + 0x100, 0, 0, FP, 0},
    {"balc of release 6", "e800003f", B(CALL), C(JUMP), 0, 0, PC + 0x100, 0, BIT(31), 0, 0},
    {"jic ra of release 6", "d81f0000", B(RETURN), C(JUMP), 0, 0, 0, BIT(31), 0, 0, 0},
    {"syscall", "0000000c", B(NONE), C(SYSTEM), E, 0, 0, 0, 0, 0, 0},
    {"break", "0000000d", B(NONE), C(SYSTEM), E, 0, 0, 0, 0, 0, 0},
    {"rdhwr v1", "7c03e83b", B(NONE), C(SYSTEM), 0, 0, 0, 0, BIT(3), 0, 0},
    {"teq a1, zero", "00a001f4", B(NONE), C(ARITHMETIC), 0, 0, 0, BIT(5), 0, 0, 0},
    {"mult", "00850018", B(NONE), C(MULTIPLY), 0, 0, 0, BIT(4) | BIT(5),
     BIT(SL_REG_HI) | BIT(SL_REG_LO), 0, 0},
    {"mfhi v0", "00001010", B(NONE), C(ARITHMETIC), 0, 0, 0, BIT(SL_REG_HI), BIT(2), 0, 0},
    {"madd keeps the sum", "70850000", B(NONE), C(MULTIPLY), 0, 0, 0,
     BIT(4) | BIT(5) | BIT(SL_REG_HI) | BIT(SL_REG_LO), BIT(SL_REG_HI) | BIT(SL_REG_LO), 0, 0},
    {"movz keeps v0", "0085100a", B(NONE), C(ARITHMETIC), 0, 0, 0, BIT(2) | BIT(4) | BIT(5), BIT(2),
     0, 0},
    {"c.lt.d", "4624103c", B(NONE), C(FLOAT), 0, 0, 0, 0, 0, BIT(2) | BIT(4), FP},
    {"lwxc1", "4c850080", B(NONE), C(LOAD), L, 4, 0, BIT(4) | BIT(5), 0, 0, BIT(2)},
    {"sdc1", "f7a40008", B(NONE), C(STORE), S, 8, 0, BIT(29), 0, BIT(4), 0},
    {"sc writes whether it worked", "e0a40000", B(NONE), C(ATOMIC), S, 4, 0, BIT(4) | BIT(5),
     BIT(4), 0, 0},
    {"nop", "00000000", B(NONE), C(NOP), 0, 0, 0, 0, 0, 0, 0},
    {"half of it", "0c10", B(NONE), C(OTHER), 0, 0, 0, 0, 0, 0, 0},
    {NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0},
};

static const struct expected mipsel[] = {
    {"jal", "4000100c", B(CALL), C(JUMP), D, 0, PC + 0x100, 0, BIT(31), 0, 0},
    {NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0},
};

static const struct expected no_machine[] = {
    {"anything", "c3", B(NONE), C(OTHER), 0, 0, 0, 0, 0, 0, 0},
    {NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0},
};

static void check(enum sl_arch arch, const struct expected *e)
{
    struct sl_decoder *decoder = sl_decoder_open(arch);
    ok(decoder != NULL, "%s has a decoder", sl_arch_name(arch));
    for (; decoder && e->name; e++) {
        uint8_t bytes[16];
        size_t size = 0;
        unsigned byte;
        struct sl_insn_info i;
        for (const char *hex = e->hex; *hex; hex += *hex == ' ' ? 1 : 2)
            if (sscanf(hex, "%2x", &byte) == 1 && *hex != ' ')
                bytes[size++] = (uint8_t)byte;
        sl_decode(decoder, PC, bytes, size, &i);
        if (!ok(i.size == size && i.branch == e->branch && i.class == e->class &&
                    i.flags == e->flags && i.width == e->width && i.target == e->target &&
                    i.reads.general == e->reads && i.writes.general == e->writes &&
                    i.reads.vector == e->vector_reads && i.writes.vector == e->vector_writes,
                "%s: %s", sl_arch_name(arch), e->name))
            printf("# %s %s flags %x width %u target %lx reads %lx:%lx writes %lx:%lx\n",
                   sl_branch_name((enum sl_branch)i.branch), sl_class_name((enum sl_class)i.class),
                   i.flags, i.width, (unsigned long)i.target, (unsigned long)i.reads.general,
                   (unsigned long)i.reads.vector, (unsigned long)i.writes.general,
                   (unsigned long)i.writes.vector);
    }
    sl_decoder_close(decoder);
}

int main(void)
{
    check(SL_ARCH_X86_64, x86);
    check(SL_ARCH_AARCH64, aarch64);
    check(SL_ARCH_RISCV64, riscv64);
    check(SL_ARCH_RISCV32, riscv32);
    check(SL_ARCH_MIPS, mips);
    check(SL_ARCH_MIPSEL, mipsel);
    check(SL_ARCH_NONE, no_machine);

    int named = 0;
    for (int i = 0; i < SL_CLASS_COUNT; i++)
        named += sl_class_name((enum sl_class)i) != NULL;
    for (int i = 0; i < SL_BRANCH_COUNT; i++)
        named += sl_branch_name((enum sl_branch)i) != NULL;
    ok(named == SL_CLASS_COUNT + SL_BRANCH_COUNT, "every class and branch has a name");
    ok(strcmp(sl_branch_name(SL_BRANCH_INDIRECT_CALL), "indirect-call") == 0 &&
           strcmp(sl_class_name(SL_CLASS_LOAD), "load") == 0 &&
           strcmp(sl_class_name(SL_CLASS_COUNT), "?") == 0,
       "names are what --only and the reports say");
    return done_testing();
}
