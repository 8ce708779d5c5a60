#include "saved_code.h"

#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "saved_row.h"

struct reading {
    struct sl_database *database;
    struct sl_saved_code *code;
    struct sl_failure *f;
};

static bool make_room(struct sl_statics *s, size_t n_insns, size_t n_bytes)
{
    return SL_GROW(s->block, s->room_blocks, s->n_blocks + 1) &&
           SL_GROW(s->insn, s->room_insns, s->n_insns + n_insns) &&
           SL_GROW(s->block_insn, s->room_block_insns, s->n_block_insns + n_insns) &&
           SL_GROW(s->bytes, s->room_bytes, s->n_bytes + n_bytes);
}

/* Whether instructions of these sizes make up so many bytes; how long they are in the guest. */
static bool fits(const struct sl_statics *s, const uint8_t *sizes, size_t n, size_t n_bytes, size_t *length)
{
    size_t stored = 0;
    *length = 0;
    for (size_t i = 0; i < n; i++) {
        if (!sizes[i])
            return false;
        *length += sizes[i];
        stored += sl_insn_stored(s, &(struct sl_insn){.size = sizes[i]});
    }
    return n && stored == n_bytes && *length <= UINT16_MAX;
}

static int add_block(void *context, sqlite3_stmt *row)
{
    struct reading *reading = context;
    struct sl_statics *s = &reading->code->statics;
    const uint8_t *bytes = sqlite3_column_blob(row, 1), *sizes = sqlite3_column_blob(row, 2);
    size_t n = (size_t)sqlite3_column_bytes(row, 1), length;
    size_t n_insns = (size_t)sqlite3_column_bytes(row, 2);
    if (n_insns > SL_BLOCK_INSNS_MAX || !fits(s, sizes, n_insns, n, &length) ||
        s->n_bytes > UINT32_MAX - n)
        return sl_saved_fail_content(reading->database, "a block's bytes are not its instructions'",
                                     reading->f);
    if (!make_room(s, n_insns, n))
        return sl_saved_fail_memory(reading->f);
    struct sl_block *block = &s->block[s->n_blocks++];
    *block = (struct sl_block){.pc = sl_number_at(row, 0),
                               .insns_at = (uint32_t)s->n_block_insns,
                               .n_insns = (uint16_t)n_insns,
                               .n_bytes = (uint16_t)length};
    memcpy(s->bytes + s->n_bytes, bytes, n);
    uint64_t pc = block->pc;
    for (size_t i = 0; i < n_insns; pc += sizes[i++]) {
        struct sl_insn *insn = &s->insn[s->n_insns];
        s->block_insn[s->n_block_insns++] = (uint32_t)s->n_insns++;
        *insn = (struct sl_insn){.pc = pc, .bytes_at = (uint32_t)s->n_bytes, .size = sizes[i]};
        s->n_bytes += sl_insn_stored(s, insn);
    }
    return 0;
}

static int read_arch(void *context, sqlite3_stmt *row)
{
    struct reading *reading = context;
    const char *name = sl_text_at(row, 0);
    int arch = SL_ARCH_NONE;
    while (name && arch < SL_ARCH_COUNT && strcmp(sl_arch_name((enum sl_arch)arch), name))
        arch++;
    if (!name || arch == SL_ARCH_COUNT)
        return sl_saved_fail_content(reading->database, "its architecture is unknown", reading->f);
    reading->code->statics.program.arch = (enum sl_arch)arch;
    return 0;
}

static bool index_branches(struct sl_saved_code *code)
{
    for (size_t b = 0; b < code->statics.n_blocks; b++) {
        const struct sl_block_end *end = &code->code.end[b];
        if (end->branch_insn == SL_NO_INDEX)
            continue;
        uint32_t number = sl_index_intern(&code->branches, end->branch_pc, 0);
        if (number == SL_NO_INDEX ||
            !SL_GROW(code->branch_block, code->room_branches, (size_t)number + 1))
            return false;
        code->branch_block[number] = (uint32_t)b;
    }
    return true;
}

int sl_saved_code(struct sl_database *database, struct sl_saved_code *code, struct sl_failure *f)
{
    struct reading reading = {.database = database, .code = code, .f = f};
    *code = (struct sl_saved_code){0};
    int result =
        sl_saved_rows(database, "SELECT arch FROM program", NULL, 0, read_arch, &reading, f);
    if (!result)
        result = sl_saved_rows(database,
                               "SELECT pc, bytes, sizes FROM block"
                               /* Addresses from 2^63 on are negative there. */
                               " ORDER BY pc < 0, pc, length(bytes) DESC, id",
                               NULL, 0, add_block, &reading, f);
    if (!result)
        result = sl_code_init(&code->code, &code->statics, f);
    if (!result)
        result = sl_code_sync(&code->code, f);
    if (!result && !index_branches(code))
        result = sl_saved_fail_memory(f);
    if (result)
        sl_saved_code_free(code);
    return result;
}

void sl_saved_code_free(struct sl_saved_code *code)
{
    sl_code_free(&code->code);
    sl_statics_free(&code->statics);
    sl_index_free(&code->branches);
    free(code->branch_block);
    *code = (struct sl_saved_code){0};
}

uint32_t sl_saved_code_at(const struct sl_saved_code *code, uint64_t pc)
{
    const struct sl_block *block = code->statics.block;
    size_t low = 0, high = code->statics.n_blocks;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (block[middle].pc < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low < code->statics.n_blocks && block[low].pc == pc ? (uint32_t)low : SL_NO_INDEX;
}

const struct sl_block_end *sl_saved_code_branch(const struct sl_saved_code *code, uint64_t pc)
{
    uint32_t number = sl_index_find(&code->branches, pc, 0);
    return number == SL_NO_INDEX ? NULL : &code->code.end[code->branch_block[number]];
}

bool sl_saved_code_passes(const struct sl_saved_code *code, uint64_t branch, uint64_t to)
{
    const struct sl_block_end *end = sl_saved_code_branch(code, branch);
    return end && end->branch == SL_BRANCH_CONDITIONAL && end->next == to;
}

uint64_t sl_saved_code_last(const struct sl_saved_code *code, size_t block)
{
    const struct sl_block *b = &code->statics.block[block];
    return code->statics.insn[code->statics.block_insn[b->insns_at + b->n_insns - 1u]].pc;
}
