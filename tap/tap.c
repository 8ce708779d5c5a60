/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Main file of the QEMU plugin, a form of the tap (sluice's code inside QEMU). The plugin
 * records the blocks that the guest executes and, if needed, its memory accesses. It writes these
 * records to the ring, a buffer in shared memory.
 *
 * When QEMU translates a block, the tap gives the block an id and sends a record that describes it
 * (address, ids of the instructions, bytes). When the block is executed, the tap writes the id.
 * Memory accesses are written, too, if a profile needs them. sluice decodes instructions in its own
 * process.
 *
 * If QEMU translates the same code again, the block keeps its id. A region marker
 * (include/sluice-mark.h) ends a block early, so that the next instruction starts a block.
 *
 * If the loads of a block are certain (loads.h), the block has a *load layout*: only their values
 * are written, and the first of them also denotes the entry to the block. So a block that is left
 * before its first load, by a fault or because it has overwritten itself, is not in the stream.
 *
 * A loaded value is read from guest memory after the load, so another thread may have changed it.
 * From plugin interface 4 on, QEMU passes the value. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "blocks.h"
#include "guest_random.h"
#include "events.h"
#include "guest.h"
#include "maps.h"
#include "stages.h"

API_DECLARE_VERSION;

static struct sl_ring *ring;
static const struct guest *guest;
static uint64_t guest_base;
static bool started, use_layouts, repeatable;
static pthread_mutex_t translating = PTHREAD_MUTEX_INITIALIZER;

/* ---- translation ---- */

/* Sites by id, in arrays that never move: translated code has pointers to them. */
#define SITES_PER_PIECE 4096u
struct sites {
    struct event_site **piece;
    size_t n_pieces;
};
static struct sites inner, last; /* by instruction; by block, its last instruction */

static struct event_site *site_at(struct sites *sites, uint32_t id)
{
    size_t piece = id / SITES_PER_PIECE;
    while (piece >= sites->n_pieces) {
        sites->piece = realloc(sites->piece, (sites->n_pieces + 1) * sizeof *sites->piece);
        struct event_site *site = malloc(SITES_PER_PIECE * sizeof *site);
        if (!sites->piece || !site)
            abort(); /* as QEMU does when it is out of memory */
        for (uint32_t i = 0; i < SITES_PER_PIECE; i++)
            site[i] = (struct event_site){.store_info = EVENT_NO_INFO};
        sites->piece[sites->n_pieces++] = site;
    }
    return &sites->piece[piece][id % SITES_PER_PIECE];
}

/* The part of a translated block that sluice counts as one block, during translation. */
struct piece {
    struct block_text text;
    bool leads_tb; /* its first instruction is that of the translated block */
    struct {
        int loads;
        struct qemu_plugin_insn *handle;
    } insn[SL_BLOCK_INSNS_MAX];
};

static void add_insn(struct piece *piece, struct qemu_plugin_insn *handle, const uint8_t *bytes,
                     size_t size, uint64_t pc)
{
    unsigned i = piece->text.n_insns;
    piece->insn[i].handle = handle;
    piece->insn[i].loads = ring->needs ? guest->loads(bytes, size) : 0;
    block_add(&piece->text, pc, bytes, size);
}

/* The number of loads of the block, if they are certain for each instruction; -1 if the block must
 * be an open one. */
static int n_layout_loads(const struct piece *piece)
{
    int n = 0;
    if (!use_layouts)
        return -1;
    for (unsigned i = 0; i < piece->text.n_insns; i++) {
        if (piece->insn[i].loads == LOADS_UNKNOWN)
            return -1;
        n += piece->insn[i].loads != 0;
    }
    return n <= (int)SL_LOAD_LAYOUT_MAX ? n : -1;
}

static bool is_wide(int loads)
{
    return (loads & ~LOADS_THEN_STORES) == 8;
}

/* The word of a block with its layout loads. */
static uint32_t layout_word(const struct piece *piece, uint32_t block)
{
    uint32_t words = 0;
    for (unsigned i = 0; i < piece->text.n_insns; i++) {
        int loads = piece->insn[i].loads;
        words += (loads != 0) + is_wide(loads);
    }
    return sl_block_word(block, words);
}

static void send_load_layout(const struct piece *piece, uint32_t block, int n)
{
    uint32_t list[SL_LOAD_LAYOUT_MAX];
    unsigned at = 0;
    for (unsigned i = 0; i < piece->text.n_insns && n > 0; i++) {
        int loads = piece->insn[i].loads;
        if (loads) {
            list[at++] = piece->text.insn[i].id | (is_wide(loads) ? SL_LOAD_LAYOUT_WIDE : 0);
        }
    }
    if (n > 0) {
        writer_load_layout(block, block, list, at);
    }
}

static void *block_udata(uint32_t word)
{
    return (void *)(uintptr_t)word;
}

static void call_at_entry(struct qemu_plugin_tb *tb, const struct piece *piece,
                          api_exec_cb callback, void *udata)
{
    if (piece->leads_tb)
        api_on_block(tb, callback, udata);
    else
        api_on_insn(piece->insn[0].handle, callback, udata);
}

/* Never freed: QEMU does not report the end of a translation. */
static struct event_load_before_store *load_before_store(uint32_t position, api_access_cb load)
{
    struct event_load_before_store *it = malloc(sizeof *it);
    if (!it)
        abort();
    *it = (struct event_load_before_store){{.store_info = EVENT_NO_INFO}, position, load};
    return it;
}

static void instrument_layout(struct qemu_plugin_tb *tb, const struct piece *piece, uint32_t block,
                              int n)
{
    void *word = block_udata(layout_word(piece, block));
    uint32_t position = 1;
    int done = 0;
    if (!n)
        call_at_entry(tb, piece, on_block, word);
    for (unsigned i = 0; i < piece->text.n_insns; i++) {
        int loads = piece->insn[i].loads;
        if (!loads)
            continue;
        struct qemu_plugin_insn *handle = piece->insn[i].handle;
        bool first = done == 0, finishes = done == n - 1;
        bool stores = loads & LOADS_THEN_STORES;
        if (first && (stores || i == piece->text.n_insns - 1)) {
            call_at_entry(tb, piece, on_block_before_loads, word);
            first = false;
        }
        enum event_order order = first ? (finishes ? EVENT_ONLY : EVENT_FIRST)
                                       : (finishes ? EVENT_LAST : EVENT_MIDDLE);
        api_access_cb load = event_load(loads, order);
        if (stores)
            api_on_loads(handle, on_load_before_store, load_before_store(position, load));
        else
            api_on_loads(handle, load, first ? word : (void *)(uintptr_t)position);
        position += 1 + is_wide(loads);
        done++;
    }
}

static struct event_site *site_of(const struct piece *piece, unsigned i, uint32_t block)
{
    bool is_last = i == piece->text.n_insns - 1;
    uint32_t insn = piece->text.insn[i].id;
    struct event_site *site = is_last ? site_at(&last, block) : site_at(&inner, insn);
    site->insn = insn;
    site->block = is_last ? block : EVENT_ANY_BLOCK;
    site->simple = piece->insn[i].loads > 0;
    return site;
}

static void instrument_open(struct qemu_plugin_tb *tb, const struct piece *piece, uint32_t block)
{
    call_at_entry(tb, piece, on_open_block, block_udata(block));
    for (unsigned i = 0; i < piece->text.n_insns; i++) {
        struct qemu_plugin_insn *handle = piece->insn[i].handle;
        if (ring->needs & SL_NEED_STORES)
            api_on_accesses(handle, event_access(), site_of(piece, i, block));
        else if (piece->insn[i].loads || ring->name_all)
            api_on_loads(handle, event_access(), site_of(piece, i, block));
    }
}

static void finish_piece(struct qemu_plugin_tb *tb, struct piece *piece, int mark)
{
    bool is_new;
    uint32_t id = block_id(&piece->text, mark, guest_base, &is_new);
    int loads = n_layout_loads(piece);
    if (is_new)
        send_load_layout(piece, id, loads);
    if (!ring->needs)
        call_at_entry(tb, piece, on_block_only, block_udata(id));
    else if (loads >= 0)
        instrument_layout(tb, piece, id, loads);
    else
        instrument_open(tb, piece, id);
    piece->text.n_insns = piece->text.n_bytes = 0;
}

/* QEMU before 8.2 reports one x86 instruction too many if the next one crosses into another page.
 * That one is truncated and not executed as part of the block. */
static size_t n_insns_of(const struct qemu_plugin_tb *tb)
{
    size_t n = qemu_plugin_tb_n_insns(tb);
    uint8_t bytes[16] = {0};
    if (n > 1 && guest->whole &&
        !guest->whole(bytes,
                      api_insn_bytes(qemu_plugin_tb_get_insn(tb, n - 1), bytes, sizeof bytes)))
        n--;
    return n;
}

/* The first instruction's host address gives the guest base. If it is known, load layouts can be
 * used. This holds for the whole run, since a block keeps the form in which it was sent. */
static void start_at(const struct qemu_plugin_insn *insn, uint64_t pc)
{
    const void *host = qemu_plugin_insn_haddr(insn);
    guest_base = host ? (uint64_t)(uintptr_t)host - pc : 0;
    use_layouts = host && ring->needs == SL_NEED_VALUES && !ring->name_all;
    started = true;
    events_set_base(guest_base);
}

static void translate(struct qemu_plugin_tb *tb)
{
    static struct piece piece;
    size_t n = n_insns_of(tb);
    piece.text.n_insns = piece.text.n_bytes = 0;
    for (size_t i = 0; i < n; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        uint64_t pc = qemu_plugin_insn_vaddr(insn);
        uint8_t bytes[16] = {0};
        /* Except on x86, an instruction has at most four bytes; bytes after them are a delay slot
         * that QEMU left out (MIPS). */
        size_t size = api_insn_bytes(insn, bytes, guest->whole ? sizeof bytes : 4);
        if (!size)
            return; /* x86: the address of a vsyscall is not an instruction */
        if (!started)
            start_at(insn, pc);
        if (piece.text.n_insns && !block_goes_on(&piece.text, pc))
            finish_piece(tb, &piece, SL_MARK_NONE);
        if (!piece.text.n_insns)
            piece.leads_tb = i == 0;
        add_insn(&piece, insn, bytes, size, pc);
        int mark = guest->mark(bytes, size);
        if (mark || i == n - 1 || piece.text.n_insns == SL_BLOCK_INSNS_MAX)
            finish_piece(tb, &piece, mark);
    }
}

static API_TRANSLATE_CALLBACK(on_translate, tb)
{
    /* Detached, code is not instrumented; and in the child of a fork, a thread that does not exist
     * there may hold the lock. */
    if (writer_detached())
        return;
    pthread_mutex_lock(&translating);
    translate(tb);
    pthread_mutex_unlock(&translating);
}

/* ---- system calls ---- */

static bool is_one_of(const int64_t *numbers, int64_t number)
{
    for (; *numbers >= 0; numbers++)
        if (*numbers == number)
            return true;
    return false;
}

static API_SYSCALL_CALLBACK(on_syscall, vcpu, number, a1, a2, a3, a4, a5, a6)
{
    (void)vcpu, (void)a5, (void)a6;
    maps_call(a1, a2, a3, a4);
    guest_random_call(a1, a2);
    /* With a plugin, QEMU would free all translated blocks one by one before it exits. */
    if (number == guest->exit_call)
        _exit((int)a1);
    if (!writer_detached() && is_one_of(guest->exec_calls, number))
        atomic_store(&ring->exec_pending, 1);
}

static API_SYSCALL_RET_CALLBACK(on_syscall_return, vcpu, number, result)
{
    (void)vcpu;
    if (repeatable)
        guest_random_return(guest, number, result, guest_base);
    if (writer_detached())
        return;
    if (is_one_of(guest->exec_calls, number))
        atomic_store(&ring->exec_pending, 0); /* a successful exec does not return */
    else
        maps_call_returns(guest, number, result);
}

API_EXPORT int qemu_plugin_install(uint64_t id, const struct qemu_info *info, int argc, char **argv)
{
    int fd = -1;
    for (int i = 0; i < argc; i++)
        if (sscanf(argv[i], "ring=%d", &fd) != 1) {
            fprintf(stderr, "sluice-tap: unknown argument %s\n", argv[i]);
            return -1;
        }
    guest = guest_find(info->target_name);
    if (!guest) {
        fprintf(stderr, "sluice-tap: guests of kind %s are not supported\n", info->target_name);
        return -1;
    }
    ring = stages_attach(fd);
    if (!ring) {
        fprintf(stderr, "sluice-tap: this plugin can only be started by 'sluice run'\n");
        return -1;
    }
    repeatable = ring->repeatable;
    events_start(guest, ring->needs);
    api_on_translate(id, on_translate);
    api_on_syscall(id, on_syscall);
    api_on_syscall_ret(id, on_syscall_return);
    return 0;
}
