/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine while QEMU translates: what is stored inline (engine.h), and where.
 *
 * An access is *certain* if every execution of its block makes it: it stands in front of
 * the first branch inside of the block's code and of the first call that may access memory.
 * Certain accesses are stored inline, all others by a call. In a stream of values alone,
 * only the first load of an instruction counts; the certain ones are the block's implied
 * loads. Which they are may depend on more than the block's bytes (whether other threads
 * run, say): a list that is not the block's first one makes it a *variant*.
 *
 * A *bare* translation, for stretches in which nobody watches loads, is made as if it were another
 * one; then what writes loads is taken out again. So QEMU, which ends a block when its operations
 * are too many, ends both in the same place, and they are the same blocks.
 *
 * QEMU translates one block at a time, so there is one of everything here. */
#include "inside.h"

#include "exec/helper-gen.h"
#include "blocks.h"
#include "grow.h"
#include "hash.h"
#include "index_map.h"
#include "numbers.h"

#define MAX_STORES 8192u
#define MAX_STEPS 8192u
#define MAX_LEFT_OUT 65536u

static TCGv_ptr here, there;
static bool in_registers; /* so that they do not move on by operations of QEMU's */

static struct {
    bool checks_room, on;
    bool certain;
    TCGOp *scanned; /* up to here, operations are known to be straight on */

    /* The piece of the translated block that is one block of ours. */
    struct block_text text;
    TCGOp *number, *entry;     /* the last of its beginning */
    bool calls;                /* some access of it is written by a call */
    uint32_t n_words, n_named; /* words of data */
    unsigned n_stores;
    TCGOp *store[MAX_STORES]; /* whose offsets are from where the piece's data begin */
    TCGOp *count;             /* of named events */
    uint32_t implied[SL_IMPLIED_MAX];
    unsigned n_implied;

    /* The instruction. */
    uint64_t pc;
    TCGOp *insn_start;
    int insn_at;       /* as QEMU counts */
    bool may_access;   /* it calls something that may */
    unsigned n_inline; /* its certain accesses */
    unsigned n_sites, n_marked, n_listed, n_steps_before, n_stores_before;
    uint32_t words_before, named_before;
    struct sluice_site *site[64];
    struct {
        TCGOp *op;
        uint32_t flags;
    } marked[64]; /* stores of a mem_insn word, without the instruction's number */

    /* The whole translated block. */
    bool bare, has_data;
    TCGOp *data_check[2];                 /* whether there is room for data */
    unsigned n_left_out, left_out_before; /* in front of the instruction */
    TCGOp *left_out[MAX_LEFT_OUT];        /* of a bare one */
    unsigned n_steps, written;
    TCGOp *step_op[MAX_STEPS];
    struct sluice_step step[MAX_STEPS];
    unsigned piece_step; /* where the piece's steps begin */
    struct sluice_steps *steps;
    unsigned n_pieces, pieces_written;
    struct {
        TCGOp *entry;
        uint32_t bytes; /* of data */
    } piece[TCG_MAX_INSNS + 1];
} tr;

TCGOp *sluice_awaited, *sluice_entered;

static bool every_access(void)
{
    return sluice_engine.needs & (SL_NEED_ADDRESSES | SL_NEED_STORES);
}

void sluice_start_tcg(void)
{
    intptr_t its_place = STAGE_OFFSET(here), place_of_there = STAGE_OFFSET(there);
    if (!sluice_engine.on) {
        return;
    }
    in_registers = sluice_fix_registers(&here, its_place, &there, place_of_there,
                                        sluice_engine.needs);
    if (!in_registers) {
        here = tcg_global_mem_new_ptr(SLUICE_ENV, its_place, "sluice_here");
        there = tcg_global_mem_new_ptr(SLUICE_ENV, place_of_there, "sluice_there");
    }
}

/* ---- stores ---- */

/* The last operation is a store of data, counted from where the piece's begin. */
static void remember_store(void)
{
    tr.store[tr.n_stores++] = tcg_last_op();
}

/* The operation is about loads. */
static void leave_out(TCGOp *op)
{
    if (tr.bare) {
        if (tr.n_left_out == MAX_LEFT_OUT) {
            abort();
        }
        tr.left_out[tr.n_left_out++] = op;
    }
}

static void store_word(uint32_t word)
{
    tcg_gen_st_i32(tcg_constant_i32(word), there, tr.n_words * 4);
    remember_store();
    tr.n_words++;
}

static void store_wide(TCGv_i64 value)
{
    tcg_gen_st_i64(value, there, tr.n_words * 4);
    remember_store();
    tr.n_words += 2;
}

/* What comes next in the code finds all that was stored so far. */
static void remember_step(void)
{
    tr.step_op[tr.n_steps] = tcg_last_op();
    tr.step[tr.n_steps++] = (struct sluice_step){.words = tr.n_words};
}

static bool has_room(void)
{
    return tr.n_words + 8 < SLUICE_INLINE_WORDS && tr.n_stores + 8 < MAX_STORES &&
           tr.n_steps + 8 < MAX_STEPS && tr.n_marked < G_N_ELEMENTS(tr.marked) &&
           tr.n_implied < SL_IMPLIED_MAX;
}

/* ---- pieces ---- */

static void begin_piece(void)
{
    tr.text.n_insns = tr.text.n_bytes = 0;
    tr.n_words = tr.n_named = tr.n_stores = tr.n_implied = 0;
    tr.calls = false;
    tr.count = NULL;
    tr.piece_step = tr.n_steps;
    tcg_gen_st_i32(tcg_constant_i32(0), here, 0);
    tr.number = tcg_last_op();
    if (every_access()) {
        store_word(0);
        tr.count = tcg_last_op();
    }
    /* Behind the number: whoever is killed in between has not entered the block. The
     * operations that follow count from the new place. */
    if (!in_registers) {
        tcg_gen_addi_ptr(here, here, 4);
        if (sluice_engine.needs) {
            tcg_gen_addi_ptr(there, there, 4);
        }
    }
    tr.entry = tcg_last_op();
    if (sluice_engine.needs) {
        remember_step();
    }
}

static void set_constant(TCGOp *op, unsigned argument, uint32_t word)
{
    op->args[argument] = tcgv_i32_arg(tcg_constant_i32(word));
}

/* Variants: by block and list. */
static struct sl_index_map variants;
static uint32_t *first_list; /* by block: a hash of its own list */
static size_t first_list_capacity;

static uint32_t list_hash(void)
{
    uint64_t hash = tr.n_implied;
    for (unsigned i = 0; i < tr.n_implied; i++) {
        hash = sl_mix_pair(hash, tr.implied[i]);
    }
    return (uint32_t)(hash >> 32) | 1;
}

/* The word that stands for an entry to the block with the loads it now has. */
static uint32_t entry_word(uint32_t block)
{
    uint32_t hash = list_hash();
    if (every_access() || !sluice_engine.needs || tr.bare) {
        return block;
    }
    if (!SL_GROW(first_list, first_list_capacity, (size_t)block + 1)) {
        abort();
    }
    if (!first_list[block]) {
        first_list[block] = hash;
        if (tr.n_implied) {
            writer_implied(block, block, tr.implied, tr.n_implied);
        }
    }
    if (first_list[block] == hash) {
        return block;
    }
    size_t before = variants.n_keys;
    uint32_t variant = sl_index_add(&variants, block, hash);
    if (variant == SL_NO_INDEX || variant >= SL_WORD_NUMBERS - 1) {
        abort();
    }
    if (variant == before) {
        writer_implied(SL_WORD_VARIANT | variant, block, tr.implied, tr.n_implied);
    }
    return SL_WORD_VARIANT | variant;
}

static TCGOp *insert_store32(TCGOp *behind, uint32_t word, intptr_t offset)
{
    TCGOp *op = SLUICE_INSERT(behind, INDEX_op_st_i32, 3);
    set_constant(op, 0, word);
    op->args[1] = tcgv_ptr_arg(SLUICE_ENV);
    op->args[2] = offset;
    leave_out(op);
    return op;
}

static void end_piece(int mark)
{
    bool is_new;
    uint32_t number = block_number(&tr.text, mark, guest_base, &is_new);
    uint32_t words = tr.bare ? 0 : tr.n_words, bytes = words * 4;
    for (unsigned i = 0; i < tr.n_stores; i++) {
        tr.store[i]->args[2] -= tr.store[i] == tr.count ? 0 : bytes;
    }
    if (every_access()) {
        set_constant(tr.number, 0, number | SL_WORD_OPEN);
        set_constant(tr.count, 0, tr.n_named);
    } else {
        set_constant(tr.number, 0, sl_block_word(entry_word(number), words));
    }
    if (in_registers) {
        tr.piece[tr.n_pieces].entry = tr.entry;
        tr.piece[tr.n_pieces++].bytes = bytes;
    } else if (sluice_engine.needs) {
        /* Of 0, it is taken out by QEMU's optimizer. */
        tr.entry->args[2] = tcgv_i64_arg(tcg_constant_i64(bytes));
    }
    tr.has_data |= words;
    for (unsigned i = tr.piece_step; i < tr.n_steps; i++) {
        tr.step[i].all = tr.n_words;
    }
    if (tr.calls) {
        insert_store32(tr.entry, UINT32_MAX, STAGE_OFFSET(last_insn));
    }
}

/* ---- accesses ---- */

/* A call that may read or write guest memory. */
static bool may_access(TCGOp *op)
{
    const char *name = tcg_call_info(op)->name;
    return sluice_may_access(tcg_call_flags(op)) && strncmp(name, "sluice_", 7) != 0 &&
           strcmp(name, "ld_i128") != 0 && strcmp(name, "st_i128") != 0; /* accesses of the block */
}

static bool is_branch(TCGOp *op)
{
    return tcg_op_defs[op->opc].flags & (TCG_OPF_BB_END | TCG_OPF_BB_EXIT | TCG_OPF_COND_BRANCH);
}

static void load_position(TCGOp *behind, TCGv_ptr position, intptr_t offset)
{
    TCGOp *op = SLUICE_INSERT(behind, INDEX_op_ld_i64, 3);
    op->args[0] = tcgv_ptr_arg(position);
    op->args[1] = tcgv_ptr_arg(SLUICE_ENV);
    op->args[2] = offset;
}

/* The call may have moved positions, and QEMU believes that it does not. (Those in registers are
 * loaded behind every such call.) */
static void load_positions(TCGOp *call)
{
    if (!in_registers && tcg_call_flags(call) & TCG_CALL_NO_WRITE_GLOBALS) {
        load_position(call, here, STAGE_OFFSET(here));
        load_position(call, there, STAGE_OFFSET(there));
    }
}

/* Looks at the operations that have come since the last time. */
static void scan(void)
{
    for (TCGOp *op; (op = QTAILQ_NEXT(tr.scanned, link)); tr.scanned = op) {
        if (op->opc == INDEX_op_call && may_access(op)) {
            tr.may_access = true;
            load_positions(op);
        }
        tr.certain &= !is_branch(op);
    }
}

TCGv_i64 sluice_address(TCGTemp *address, TCGType type)
{
    if (!tr.on || !sluice_engine.needs) {
        return NULL;
    }
    scan();
    tr.certain &= !tr.may_access && has_room();
    if (tr.certain && !every_access()) {
        return NULL;
    }
    TCGv_i64 copy = SLUICE_TEMP();
    if (type == TCG_TYPE_I32) {
        tcg_gen_extu_i32_i64(copy, temp_tcgv_i32(address));
    } else {
        tcg_gen_mov_i64(copy, temp_tcgv_i64(address));
    }
    return copy;
}

/* Some instructions load in the other order of bytes (movbe): what counts is what is in
 * memory, as the guest usually sees it. */
static bool is_turned(MemOp memop)
{
    return (memop & MO_SIZE) && ((memop ^ MO_TE) & MO_BSWAP);
}

static void turn_back(TCGv_i64 value, MemOp memop)
{
    switch (memop & MO_SIZE) {
    case MO_16:
        tcg_gen_bswap16_i64(value, value, TCG_BSWAP_OZ);
        break;
    case MO_32:
        tcg_gen_bswap32_i64(value, value, TCG_BSWAP_OZ);
        break;
    default:
        tcg_gen_bswap64_i64(value, value);
        break;
    }
}

/* The value as 64 bits, the upper ones zero. */
static TCGv_i64 widened(TCGTemp *value, TCGType type, MemOp memop)
{
    TCGv_i64 wide = SLUICE_TEMP();
    if (type == TCG_TYPE_I32) {
        tcg_gen_extu_i32_i64(wide, temp_tcgv_i32(value));
    } else {
        tcg_gen_mov_i64(wide, temp_tcgv_i64(value));
    }
    switch (memop & MO_SSIZE) {
    case MO_SB:
        tcg_gen_ext8u_i64(wide, wide);
        break;
    case MO_SW:
        tcg_gen_ext16u_i64(wide, wide);
        break;
    case MO_SL:
        tcg_gen_ext32u_i64(wide, wide);
        break;
    default:
        break;
    }
    if (is_turned(memop)) {
        turn_back(wide, memop);
    }
    return wide;
}

static void store_implied(TCGTemp *value, TCGType type, MemOp memop)
{
    bool wide = (memop & MO_SIZE) >= MO_64;
    bool as_it_is = !is_turned(memop) && (!(memop & MO_SIGN) || (memop & MO_SIZE) >= MO_32);
    TCGv_i64 other = as_it_is ? NULL : widened(value, type, memop);
    tr.implied[tr.n_implied++] = wide ? SL_IMPLIED_WIDE : 0;
    if (wide) {
        store_wide(as_it_is ? temp_tcgv_i64(value) : other);
    } else {
        if (!as_it_is) {
            tcg_gen_st32_i64(other, there, tr.n_words * 4);
        } else if (type == TCG_TYPE_I32) {
            tcg_gen_st_i32(temp_tcgv_i32(value), there, tr.n_words * 4);
        } else {
            tcg_gen_st32_i64(temp_tcgv_i64(value), there, tr.n_words * 4);
        }
        remember_store();
        tr.n_words++;
    }
    leave_out(tcg_last_op());
    if (!as_it_is) {
        tcg_temp_free_i64(other);
    }
    remember_step();
}

static uint32_t flags_of(MemOp memop, bool store)
{
    return (memop & MO_SIZE) << SL_MEM_SIZE_SHIFT | (store ? SL_MEM_STORE : 0);
}

static void store_named(TCGTemp *value, TCGType type, TCGv_i64 address, MemOp memop, bool store)
{
    store_word(0);
    tr.marked[tr.n_marked].op = tcg_last_op();
    tr.marked[tr.n_marked++].flags = flags_of(memop, store) | (tr.n_inline ? SL_MEM_MORE : 0);
    store_wide(address);
    if (sluice_engine.needs & SL_NEED_VALUES) {
        TCGv_i64 wide = store ? tcg_constant_i64(0) : widened(value, type, memop);
        store_wide(wide);
        if (!store) {
            tcg_temp_free_i64(wide);
        }
    }
    tr.n_named++;
    remember_step();
}

static void call_for(TCGTemp *value, TCGType type, TCGv_i64 address, MemOp memop, bool store)
{
    struct sluice_site *site = g_new(struct sluice_site, 1);
    TCGv_i64 wide = store ? tcg_constant_i64(0) : widened(value, type, memop);
    if (tr.n_sites == G_N_ELEMENTS(tr.site)) {
        abort();
    }
    site->flags = flags_of(memop, store) | (tr.n_inline && every_access() ? SL_MEM_MORE : 0);
    tr.site[tr.n_sites++] = site;
    tr.calls = true;
    gen_helper_sluice_event(SLUICE_ENV, address, wide, tcg_constant_ptr(site));
    leave_out(tcg_last_op());
    if (!store) {
        tcg_temp_free_i64(wide);
    }
}

void sluice_access(TCGTemp *value, TCGType type, TCGv_i64 address, MemOp memop, bool store)
{
    bool counts = store ? sluice_engine.needs & SL_NEED_STORES : every_access() || !tr.n_inline;
    if (tr.on && sluice_engine.needs && counts) {
        if (!tr.certain) {
            call_for(value, type, address, memop, store);
        } else if (every_access()) {
            store_named(value, type, address, memop, store);
            tr.n_inline++;
        } else {
            store_implied(value, type, memop);
            tr.n_inline++;
        }
    }
    if (address) {
        tcg_temp_free_i64(address);
    }
}

/* ---- instructions and blocks ---- */

bool sluice_checks_room(void)
{
    return tr.checks_room = sluice_engine.on && !writer_detached();
}

/* Leaves the block if `position` has come to what is in the stage at `offset`. */
static void check_against(TCGv_ptr position, intptr_t offset)
{
    TCGv_ptr limit = tcg_temp_new_ptr();
    tcg_gen_ld_ptr(limit, SLUICE_ENV, offset);
    tcg_gen_brcond_i64(TCG_COND_GEU, (TCGv_i64)position, (TCGv_i64)limit, tcg_ctx->exitreq_label);
    tcg_temp_free_ptr(limit);
}

static void check_room(void)
{
    if (!tcg_ctx->exitreq_label) { /* such a block may not leave, so room is made at once */
        gen_helper_sluice_room(SLUICE_ENV);
        return;
    }
    check_against(here, STAGE_OFFSET(limit));
    if (sluice_engine.needs) {
        check_against(there, STAGE_OFFSET(data_end));
        tr.data_check[1] = tcg_last_op();
        tr.data_check[0] = QTAILQ_PREV(tr.data_check[1], link);
    }
}

/* x86: the entry of a vsyscall is no instruction. */
static bool is_nowhere(uint64_t pc)
{
#ifdef TARGET_VSYSCALL_PAGE
    return (pc & TARGET_PAGE_MASK) == TARGET_VSYSCALL_PAGE;
#else
    return false;
#endif
}

bool sluice_tb_start(DisasContextBase *db)
{
    db->tb->sluice_steps = NULL;
    tr.steps = NULL;
    sluice_awaited = sluice_entered = NULL;
    tr.n_steps = tr.n_left_out = tr.n_pieces = 0;
    tr.has_data = false;
    tr.data_check[0] = tr.data_check[1] = NULL;
    tr.bare = tb_cflags(db->tb) & SLUICE_CF_BARE;
    tr.on = tr.checks_room && !is_nowhere(db->pc_first);
    if (tr.checks_room) {
        check_room();
    }
    if (!tr.on) {
        return false;
    }
    tr.certain = !sluice_engine.by_calls;
    begin_piece();
    tr.scanned = tcg_last_op();
    return true;
}

void sluice_insn_start(DisasContextBase *db)
{
    if (tr.text.n_insns && !block_goes_on(&tr.text, db->pc_next)) {
        end_piece(SL_MARK_NONE);
        tr.text.n_insns = 0;
    }
    if (!tr.text.n_insns && db->num_insns > 1) {
        begin_piece(); /* the one before has ended, maybe at a mark */
    }
    tr.pc = db->pc_next;
    tr.insn_at = db->num_insns;
    tr.insn_start = tcg_last_op();
    tr.may_access = false;
    tr.n_inline = tr.n_sites = tr.n_marked = 0;
    tr.n_listed = tr.n_implied;
    tr.n_steps_before = tr.n_steps;
    tr.left_out_before = tr.n_left_out;
    tr.n_stores_before = tr.n_stores;
    tr.words_before = tr.n_words;
    tr.named_before = tr.n_named;
}

/* The instruction did not fit: QEMU has taken it back. */
static void forget_insn(void)
{
    tr.n_implied = tr.n_listed;
    tr.n_left_out = tr.left_out_before;
    tr.n_steps = tr.text.n_insns ? tr.n_steps_before : tr.piece_step;
    tr.n_stores = tr.n_stores_before;
    tr.n_words = tr.words_before;
    tr.n_named = tr.named_before;
}

/* Helper functions of this instruction that access memory say so under its number. */
static void expect_helpers(uint32_t number)
{
    bool told = tr.n_inline && !every_access();
    insert_store32(tr.insn_start, told ? 0 : number + 1, STAGE_OFFSET(helped_insn));
    insert_store32(tr.insn_start, tr.n_inline ? 1 : 0, STAGE_OFFSET(more));
    tr.calls = true;
    tr.certain = false;
}

#ifdef TARGET_X86_64
#define LONGEST_INSN 16
#else
#define LONGEST_INSN 4 /* and the place of a delay slot that is left out */
#endif

static void add_insn(DisasContextBase *db)
{
    uint8_t bytes[16] = {0};
    size_t size = MIN(db->pc_next - tr.pc, LONGEST_INSN);
    memcpy(bytes, g2h_untagged(tr.pc), size);
    uint32_t number = block_add(&tr.text, tr.pc, bytes, size);
    for (unsigned i = 0; i < tr.n_sites; i++) {
        tr.site[i]->insn = number;
    }
    for (unsigned i = 0; i < tr.n_marked; i++) {
        set_constant(tr.marked[i].op, 0, number | tr.marked[i].flags);
    }
    for (unsigned i = tr.n_listed; i < tr.n_implied; i++) {
        tr.implied[i] |= number;
    }
    if (sluice_engine.needs) {
        scan();
        if (tr.may_access && (sluice_engine.needs & SL_NEED_STORES ||
                              sluice_engine.guest->loads(bytes, size) == LOADS_UNKNOWN)) {
            expect_helpers(number);
        }
    }
    int mark = sluice_engine.guest->mark(bytes, size);
    if (mark) {
        end_piece(mark);
        tr.text.n_insns = 0;
    }
}

void sluice_insn_end(DisasContextBase *db)
{
    if (db->num_insns < tr.insn_at) {
        forget_insn();
    } else {
        add_insn(db);
    }
}

void sluice_tb_end(DisasContextBase *db)
{
    tr.on = false;
    if (tr.text.n_insns) {
        end_piece(SL_MARK_NONE);
    }
    for (unsigned i = 0; i < tr.n_left_out; i++) {
        tcg_op_remove(tcg_ctx, tr.left_out[i]);
    }
    for (unsigned i = 0; i < 2 && tr.data_check[i] && !tr.has_data; i++) {
        tcg_op_remove(tcg_ctx, tr.data_check[i]);
    }
    tr.pieces_written = 0;
    sluice_entered = tr.n_pieces ? tr.piece[0].entry : NULL;
    if (tr.n_steps && !tr.bare) {
        size_t size = tr.n_steps * sizeof *tr.step;
        tr.steps = g_malloc(sizeof *tr.steps + size);
        tr.steps->n = tr.n_steps;
        memcpy(tr.steps->step, tr.step, size);
        db->tb->sluice_steps = tr.steps;
        tr.written = 0;
        sluice_awaited = tr.step_op[0];
    }
}

void sluice_written(size_t offset)
{
    tr.steps->step[tr.written++].offset = offset;
    sluice_awaited = tr.written < tr.steps->n ? tr.step_op[tr.written] : NULL;
}

uint32_t sluice_entry_written(void)
{
    uint32_t bytes = tr.piece[tr.pieces_written++].bytes;
    sluice_entered = tr.pieces_written < tr.n_pieces ? tr.piece[tr.pieces_written].entry : NULL;
    return bytes;
}
