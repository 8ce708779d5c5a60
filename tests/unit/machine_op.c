/* SPDX-License-Identifier: MIT */
/* Unit tests of converting decoded instructions to the operations that CPU models simulate. For
 * real encodings, the execution unit, the result registers and the class of the instruction are
 * checked. */
#include "../support/tiny_program.h"
#include "op.h"
#include "tap.h"

struct expected {
    const char *text;
    uint32_t word;
    enum sl_unit unit;
};

/* Each instruction as a block of its own. */
static void units(enum sl_arch arch, const char *name, const struct expected *e, unsigned n)
{
    struct tiny *t = tiny_new(arch);
    struct sl_ops ops = {0};
    unsigned wrong = 0;
    for (unsigned i = 0; i < n; i++)
        tiny_words(t, 0x1000 + 4 * i, 1, &e[i].word);
    tiny_sync(t);
    sl_ops_sync(&ops, &t->code, NULL);
    for (unsigned i = 0; i < n; i++)
        if (ops.op[i].unit != e[i].unit) {
            printf("# %s: unit %u, wanted %u\n", e[i].text, ops.op[i].unit, e[i].unit);
            wrong++;
        }
    ok(ops.n_ops == n && !wrong, "%s: %u instructions have their units", name, n);
    sl_ops_free(&ops);
    tiny_free(t);
}

static const struct expected riscv[] = {
    {"fmul.d", 0x12c5f553, SL_UNIT_FLOAT_MULTIPLY},
    {"fmul.s", 0x10c5f553, SL_UNIT_FLOAT_MULTIPLY},
    {"fmadd.d", 0x6ac5f543, SL_UNIT_FLOAT_MULTIPLY},
    {"fdiv.s", 0x18c5f553, SL_UNIT_FLOAT_DIVIDE},
    {"fsqrt.d", 0x5a05f553, SL_UNIT_FLOAT_DIVIDE},
    {"fadd.d", 0x02c5f553, SL_UNIT_FLOAT},
    {"fcvt.w.d", 0xc205f553, SL_UNIT_FLOAT},
    {"add", 0x00b50533, SL_UNIT_ALU},
    {"mul", 0x02b50533, SL_UNIT_MULTIPLY},
    {"div", 0x02b54533, SL_UNIT_DIVIDE},
    {"ld", 0x0005b503, SL_UNIT_MEMORY},
    {"sd", 0x00a5b023, SL_UNIT_MEMORY},
    {"amoadd.d", 0x00a5b52f, SL_UNIT_MEMORY},
    {"beq", 0x00b50463, SL_UNIT_ALU},
    {"jal", 0x008000ef, SL_UNIT_ALU},
    {"nop", 0x00000013, SL_UNIT_NONE},
    {"ecall", 0x00000073, SL_UNIT_SYSTEM},
    {"nothing", 0x00000000, SL_UNIT_ALU},
};

static const struct expected mips[] = {
    {"mul.s", 0x46041002, SL_UNIT_FLOAT_MULTIPLY},
    {"mul.d", 0x46241002, SL_UNIT_FLOAT_MULTIPLY},
    {"madd.d", 0x4c462021, SL_UNIT_FLOAT_MULTIPLY},
    {"div.d", 0x46241003, SL_UNIT_FLOAT_DIVIDE},
    {"sqrt.s", 0x46001004, SL_UNIT_FLOAT_DIVIDE},
    {"add.d", 0x46241000, SL_UNIT_FLOAT},
    {"cvt.w.d", 0x46201024, SL_UNIT_FLOAT},
    {"mult", 0x00430018, SL_UNIT_MULTIPLY},
    {"div", 0x0043001a, SL_UNIT_DIVIDE},
    {"lhu", 0x94620004, SL_UNIT_MEMORY},
};

static const struct expected aarch64[] = {
    {"fmul d", 0x1e620820, SL_UNIT_FLOAT_MULTIPLY},
    {"fnmul s", 0x1e228820, SL_UNIT_FLOAT_MULTIPLY},
    {"fmadd", 0x1f420c20, SL_UNIT_FLOAT_MULTIPLY},
    {"fdiv", 0x1e221820, SL_UNIT_FLOAT_DIVIDE},
    {"fsqrt", 0x1e61c020, SL_UNIT_FLOAT_DIVIDE},
    {"fadd", 0x1e622820, SL_UNIT_FLOAT},
    {"fmax", 0x1e624820, SL_UNIT_FLOAT},
    {"fmul v", 0x6e62dc20, SL_UNIT_FLOAT_MULTIPLY},
    {"fmla v", 0x4e22cc20, SL_UNIT_FLOAT_MULTIPLY},
    {"fmls v", 0x4ea2cc20, SL_UNIT_FLOAT_MULTIPLY},
    {"fmul v, element", 0x4fa29020, SL_UNIT_FLOAT_MULTIPLY},
    {"fmla v, element", 0x4fc21820, SL_UNIT_FLOAT_MULTIPLY},
    {"fmul s, element", 0x5fa29020, SL_UNIT_FLOAT_MULTIPLY},
    {"fdiv v", 0x6e62fc20, SL_UNIT_FLOAT_DIVIDE},
    {"fsqrt v", 0x6ea1f820, SL_UNIT_FLOAT_DIVIDE},
    {"fadd v", 0x4e22d420, SL_UNIT_FLOAT},
    {"fmin v", 0x4ea2f420, SL_UNIT_FLOAT},
    {"mul v", 0x4ea29c20, SL_UNIT_FLOAT},
    {"mla v, element", 0x6fa20020, SL_UNIT_FLOAT},
};

/* ---- x86-64 ---- */

struct expected_x86 {
    const char *text;
    uint8_t size;
    uint8_t bytes[8];
    enum sl_unit unit;
};

static const struct expected_x86 x86[] = {
    {"mulsd", 4, {0xf2, 0x0f, 0x59, 0xc1}, SL_UNIT_FLOAT_MULTIPLY},
    {"mulps from memory", 4, {0x44, 0x0f, 0x59, 0x08}, SL_UNIT_FLOAT_MULTIPLY},
    {"divss", 4, {0xf3, 0x0f, 0x5e, 0xc1}, SL_UNIT_FLOAT_DIVIDE},
    {"sqrtpd", 5, {0x66, 0x44, 0x0f, 0x51, 0xe3}, SL_UNIT_FLOAT_DIVIDE},
    {"addsd", 4, {0xf2, 0x0f, 0x58, 0xc1}, SL_UNIT_FLOAT},
    {"vmulpd", 4, {0xc5, 0xed, 0x59, 0xd9}, SL_UNIT_FLOAT_MULTIPLY},
    {"vdivsd", 5, {0xc4, 0x41, 0x33, 0x5e, 0xd0}, SL_UNIT_FLOAT_DIVIDE},
    {"vfmadd231sd", 5, {0xc4, 0xe2, 0xe9, 0xb9, 0xd9}, SL_UNIT_FLOAT_MULTIPLY},
    {"vfmadd132pd", 5, {0xc4, 0xc2, 0xed, 0x98, 0x18}, SL_UNIT_FLOAT_MULTIPLY},
    {"pmulld", 5, {0x66, 0x0f, 0x38, 0x40, 0xd1}, SL_UNIT_FLOAT},
    {"fmul", 2, {0xd8, 0xcb}, SL_UNIT_FLOAT_MULTIPLY},
    {"fmulp", 2, {0xde, 0xc9}, SL_UNIT_FLOAT_MULTIPLY},
    {"fdivl", 2, {0xdc, 0x30}, SL_UNIT_FLOAT_DIVIDE},
    {"fsqrt", 2, {0xd9, 0xfa}, SL_UNIT_FLOAT_DIVIDE},
    {"fadd", 2, {0xd8, 0xc1}, SL_UNIT_FLOAT},
    {"fcmovb", 2, {0xda, 0xc9}, SL_UNIT_FLOAT},
    {"fimull", 2, {0xda, 0x08}, SL_UNIT_FLOAT_MULTIPLY},
    {"fidivrs", 2, {0xde, 0x38}, SL_UNIT_FLOAT_DIVIDE},
    {"vaddps zmm", 6, {0x62, 0xf1, 0x6c, 0x48, 0x58, 0xd9}, SL_UNIT_FLOAT},
    {"vmulps zmm", 6, {0x62, 0xf1, 0x6c, 0x48, 0x59, 0xd9}, SL_UNIT_FLOAT_MULTIPLY},
    {"imul", 4, {0x48, 0x0f, 0xaf, 0xc3}, SL_UNIT_MULTIPLY},
    {"div", 3, {0x48, 0xf7, 0xf3}, SL_UNIT_DIVIDE},
    {"pop", 1, {0x58}, SL_UNIT_MEMORY},
    {"ret", 1, {0xc3}, SL_UNIT_ALU},
    {"load through itself", 3, {0x48, 0x8b, 0x00}, SL_UNIT_MEMORY},
    {"add from memory", 3, {0x48, 0x03, 0x00}, SL_UNIT_ALU},
    {"rep movsb", 2, {0xf3, 0xa4}, SL_UNIT_MEMORY},
    {"repe cmpsb", 2, {0xf3, 0xa6}, SL_UNIT_ALU},
    {"pop to memory", 2, {0x8f, 0x00}, SL_UNIT_MEMORY},
    {"leave", 1, {0xc9}, SL_UNIT_MEMORY},
    {"xadd", 3, {0x0f, 0xc1, 0x03}, SL_UNIT_ALU},
};
#define N_X86 (sizeof x86 / sizeof *x86)

static const struct sl_op *x86_op(const struct sl_ops *ops, const char *text)
{
    for (unsigned i = 0; i < N_X86; i++)
        if (!strcmp(x86[i].text, text))
            return &ops->op[i];
    abort();
}

/* All of them in one block. */
static void x86_units(void)
{
    struct tiny *t = tiny_new(SL_ARCH_X86_64);
    struct sl_ops ops = {0};
    uint8_t size[N_X86], bytes[8 * N_X86];
    unsigned wrong = 0, n_bytes = 0;
    for (unsigned i = 0; i < N_X86; i++) {
        size[i] = x86[i].size;
        memcpy(bytes + n_bytes, x86[i].bytes, size[i]);
        n_bytes += size[i];
    }
    tiny_bytes(t, 0x1000, N_X86, size, bytes);
    tiny_sync(t);
    sl_ops_sync(&ops, &t->code, NULL);
    for (unsigned i = 0; i < N_X86; i++)
        if (ops.op[i].unit != x86[i].unit) {
            printf("# %s: unit %u, wanted %u\n", x86[i].text, ops.op[i].unit, x86[i].unit);
            wrong++;
        }
    ok(!wrong, "x86-64: %zu instructions have their units", N_X86);

    const uint16_t *n = ops.classes[0].n;
    unsigned sum = 0;
    for (unsigned i = 1; i < SL_OP_CLASSES; i++)
        sum += n[i];
    ok(n[0] == N_X86 && sum == N_X86 && n[SL_MACHINE_MULTIPLY - SL_MACHINE_INSTRUCTIONS] == 2 &&
           n[SL_MACHINE_LOAD - SL_MACHINE_INSTRUCTIONS] == 4 &&
           n[SL_MACHINE_JUMP - SL_MACHINE_INSTRUCTIONS] == 1,
       "every instruction is counted in one class");

    const struct sl_op *pop = x86_op(&ops, "pop"), *ret = x86_op(&ops, "ret");
    const struct sl_op *chase = x86_op(&ops, "load through itself");
    const struct sl_op *add = x86_op(&ops, "add from memory");
    ok(pop->n_results == 2 && pop->n_updates == 1 && pop->result[0] == 0 && pop->result[1] == 4 &&
           ret->n_updates == ret->n_results && ret->result[0] == 4,
       "the stack pointer of pop and ret does not come from memory");
    ok(chase->n_results == 1 && !chase->n_updates && add->n_results == 2 && !add->n_updates,
       "what a load reads and writes through itself does, and a sum with memory");
    const struct sl_op *move = x86_op(&ops, "rep movsb"), *compare = x86_op(&ops, "repe cmpsb");
    const struct sl_op *put = x86_op(&ops, "pop to memory"), *leave = x86_op(&ops, "leave");
    ok(move->n_results == 3 && move->n_updates == 3 && put->n_results == 1 && put->n_updates == 1,
       "what moves from memory to memory loads no register");
    ok(compare->n_results == 4 && compare->n_updates == 3 && compare->result[0] == SL_REG_FLAGS,
       "a comparison of strings loads its flags alone");
    ok(leave->n_results == 2 && leave->n_updates == 1 && leave->result[0] == 5 &&
           leave->result[1] == 4,
       "leave loads the base pointer and counts the stack pointer");
    ok(!x86_op(&ops, "xadd")->n_updates, "what is exchanged with memory comes from there");
    ok(pop->result[2] == SL_OP_NEVER_READ && pop->source[pop->n_sources] == SL_OP_NEVER_WRITTEN,
       "places that are not used name the two registers that do not exist");
    sl_ops_free(&ops);
    tiny_free(t);
}

static void grows(void)
{
    struct tiny *t = tiny_new(SL_ARCH_AARCH64);
    struct sl_ops ops = {0};
    tiny_words(t, 0x1000, 2, (uint32_t[]){0xf8408420, 0xa8c107e0}); /* ldr, ldp with update */
    tiny_sync(t);
    sl_ops_sync(&ops, &t->code, NULL);
    struct sl_op ldr = ops.op[0], ldp = ops.op[1];
    ok(ldr.n_results == 2 && ldr.n_updates == 1 && ldr.result[0] == 0 && ldr.result[1] == 1 &&
           ldp.n_results == 3 && ldp.n_updates == 1 && ldp.result[2] == 31,
       "a base that is counted up is the last result");
    for (unsigned i = 0; i < 100; i++)
        tiny_words(t, 0x2000 + 8 * i, 2, (uint32_t[]){0xf8408420, 0xd65f03c0});
    tiny_sync(t);
    sl_ops_sync(&ops, &t->code, NULL);
    ok(ops.n_blocks == 101 && ops.n_ops == 202 && ops.block_at[100] == 200 &&
           ops.block_at[101] == 202 && !memcmp(&ops.op[0], &ldr, sizeof ldr) &&
           ops.op[201].branch == SL_BRANCH_RETURN && ops.op[200].pc == 0x2000 + 8 * 99,
       "new blocks come after the old ones");
    sl_ops_free(&ops);
    tiny_free(t);
}

int main(void)
{
    units(SL_ARCH_RISCV64, "RISC-V", riscv, sizeof riscv / sizeof *riscv);
    units(SL_ARCH_MIPSEL, "MIPS", mips, sizeof mips / sizeof *mips);
    units(SL_ARCH_AARCH64, "AArch64", aarch64, sizeof aarch64 / sizeof *aarch64);
    x86_units();
    grows();
    return done_testing();
}
