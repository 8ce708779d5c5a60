/* SPDX-License-Identifier: MIT */
/* Reads the blocks in a database and decodes their instructions (db_code.h). Their sizes and bytes
 * are checked first, since the file may be damaged or hostile. */
#include "db_code.h"

#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "db_row.h"

/* Checks that the sizes of a block match its bytes, and sets its length in the program. */
static bool check_sizes(struct sl_db_block *block, enum sl_arch arch)
{
    const struct sl_statics of = {
        .program.arch = arch}; /* determines how instructions are stored */
    size_t stored = 0, length = 0;
    if (!block->n_insns || block->n_insns > SL_BLOCK_INSNS_MAX)
        return false;
    for (size_t i = 0; i < block->n_insns; i++) {
        if (!block->sizes[i])
            return false;
        length += block->sizes[i];
        stored += sl_insn_stored(&of, &(struct sl_insn){.size = block->sizes[i]});
    }
    block->length = (uint16_t)length;
    return stored == block->n_bytes && length <= UINT16_MAX;
}

int sl_db_code_block(struct sl_database *database, enum sl_arch arch, sqlite3_stmt *row,
                     struct sl_db_block *block, struct sl_failure *f)
{
    *block = (struct sl_db_block){.pc = sl_column_uint(row, 1),
                                  .bytes = sqlite3_column_blob(row, 2),
                                  .sizes = sqlite3_column_blob(row, 3),
                                  .n_bytes = (size_t)sqlite3_column_bytes(row, 2),
                                  .n_insns = (size_t)sqlite3_column_bytes(row, 3)};
    return check_sizes(block, arch)
               ? 0
               : sl_db_fail_content(
                     database, "the bytes of a block do not match the sizes of its instructions",
                     f);
}

static int add_block(struct sl_database *database, struct sl_statics *s, sqlite3_stmt *row,
                     struct sl_failure *f)
{
    struct sl_db_block stored;
    int error = sl_db_code_block(database, s->program.arch, row, &stored, f);
    if (error)
        return error;
    if (s->n_bytes > UINT32_MAX - stored.n_bytes)
        return sl_db_fail_content(database, "the blocks contain more than 4 GiB of code", f);
    if (!SL_GROW(s->block, s->blocks_capacity, s->n_blocks + 1) ||
        !SL_GROW(s->insn, s->insns_capacity, s->n_insns + stored.n_insns) ||
        !SL_GROW(s->block_insn, s->block_insns_capacity, s->n_block_insns + stored.n_insns) ||
        !SL_GROW(s->bytes, s->bytes_capacity, s->n_bytes + stored.n_bytes))
        return sl_db_fail_memory(f);
    struct sl_block *block = &s->block[s->n_blocks++];
    *block = (struct sl_block){.pc = stored.pc,
                               .insns_at = (uint32_t)s->n_block_insns,
                               .n_insns = (uint16_t)stored.n_insns,
                               .n_bytes = stored.length};
    memcpy(s->bytes + s->n_bytes, stored.bytes, stored.n_bytes);
    uint64_t pc = block->pc;
    for (size_t i = 0; i < stored.n_insns; pc += stored.sizes[i++]) {
        struct sl_insn *insn = &s->insn[s->n_insns];
        s->block_insn[s->n_block_insns++] = (uint32_t)s->n_insns++;
        *insn = (struct sl_insn){
            .pc = pc, .bytes_at = (uint32_t)s->n_bytes, .size = stored.sizes[i]};
        s->n_bytes += sl_insn_stored(s, insn);
    }
    return 0;
}

int sl_db_code_arch(struct sl_database *database, enum sl_arch *arch, struct sl_failure *f)
{
    *arch = SL_ARCH_NONE;
    while (*arch < SL_ARCH_COUNT && strcmp(sl_arch_name(*arch), database->program.arch))
        ++*arch;
    return *arch < SL_ARCH_COUNT
               ? 0
               : sl_db_fail_content(database, "program.arch is an unknown architecture", f);
}

static bool index_branches(struct sl_db_code *code)
{
    for (size_t b = 0; b < code->statics.n_blocks; b++) {
        const struct sl_block_end *end = &code->code.end[b];
        if (end->branch_insn == SL_NO_INDEX)
            continue;
        uint32_t number = sl_index_add(&code->branches, end->branch_pc, 0);
        if (number == SL_NO_INDEX ||
            !SL_GROW(code->branch_block, code->branches_capacity, (size_t)number + 1))
            return false;
        code->branch_block[number] = (uint32_t)b;
    }
    return true;
}

int sl_db_code(struct sl_database *database, struct sl_db_code *code, struct sl_failure *f)
{
    *code = (struct sl_db_code){0};
    int result = sl_db_code_arch(database, &code->statics.program.arch, f);
    if (!result) {
        /* Addresses from 2^63 on are negative in SQL. */
        struct sl_rows rows = sl_rows_select(
            database, SL_DB_BLOCK, "ORDER BY pc < 0, pc, length(bytes) DESC, id", NULL, 0);
        while (sl_rows_next(&rows, NULL))
            rows.result = add_block(database, &code->statics, rows.row, f);
        result = sl_rows_end(&rows, f);
    }
    if (!result)
        result = sl_code_init(&code->code, &code->statics, f);
    if (!result)
        result = sl_code_sync(&code->code, f);
    if (!result && !index_branches(code))
        result = sl_db_fail_memory(f);
    if (result)
        sl_db_code_free(code);
    return result;
}

void sl_db_code_free(struct sl_db_code *code)
{
    sl_code_free(&code->code);
    sl_statics_free(&code->statics);
    sl_index_free(&code->branches);
    free(code->branch_block);
    *code = (struct sl_db_code){0};
}

uint32_t sl_db_code_at(const struct sl_db_code *code, uint64_t pc)
{
    const struct sl_statics *statics = &code->statics;
    size_t i = SL_LOWER_BOUND(statics->block, statics->n_blocks, struct sl_block, pc, pc);
    return i < statics->n_blocks && statics->block[i].pc == pc ? (uint32_t)i : SL_NO_INDEX;
}

const struct sl_block_end *sl_db_code_branch(const struct sl_db_code *code, uint64_t pc)
{
    uint32_t number = sl_index_find(&code->branches, pc, 0);
    return number == SL_NO_INDEX ? NULL : &code->code.end[code->branch_block[number]];
}

bool sl_db_code_falls_through(const struct sl_db_code *code, uint64_t branch, uint64_t to)
{
    const struct sl_block_end *end = sl_db_code_branch(code, branch);
    return end && end->branch == SL_BRANCH_CONDITIONAL && end->next == to;
}

uint64_t sl_db_code_last(const struct sl_db_code *code, size_t block)
{
    const struct sl_block *b = &code->statics.block[block];
    return code->statics.insn[code->statics.block_insn[b->insns_at + b->n_insns - 1u]].pc;
}
