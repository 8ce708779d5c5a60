/* The tap: a QEMU plugin that streams what the guest does into the ring.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * When QEMU translates a block, the block gets a number and is described in a
 * record (address, instruction numbers, bytes); when it is executed, the number
 * is written. Accesses to memory are written likewise, if they are wanted. No
 * more is done here: what instructions mean is found out on the other side.
 *
 * QEMU may translate the same code again; the same address and bytes get the
 * same number. A mark (include/sluice-mark.h) ends a block early, so that the
 * instructions behind it are a block of their own.
 *
 * A loaded value is read from guest memory right after the load (QEMU hands it
 * over from interface 4 on). Another thread may have changed it by then. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guest.h"
#include "hash.h"
#include "index_map.h"
#include "maps.h"
#include "qemu_api.h"
#include "writer.h"

API_DECLARE_VERSION;

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define NO_INFO UINT32_MAX
#define LEARNING (UINT32_MAX - 1)

/* What is known of an instruction that accesses memory. QEMU's `info` word is
 * opaque and asking about it is a call, so the first one that proves to be a
 * load is remembered, with what follows from it; so is the first store. */
struct site {
    uint32_t insn;
    _Atomic uint32_t load_info, store_info;
    uint32_t load_shift; /* 64 - bits of the access */
};

static struct sl_ring *ring;
static const struct guest *guest;
static uint64_t guest_base;
static bool guest_base_known;
static pthread_mutex_t translating = PTHREAD_MUTEX_INITIALIZER;

/* ---- events: the hot path ------------------------------------------------ */

static void on_block(unsigned vcpu, void *number)
{
    (void)vcpu;
    struct sl_slot *slot = writer_slot;
    uint32_t n = atomic_load_explicit(&slot->n_blocks, memory_order_relaxed);
    if (!LIKELY(n < SL_CHUNK_BLOCKS)) {
        slot = writer_next();
        n = 0;
    }
    slot->block[n] = (uint32_t)(uintptr_t)number;
    atomic_store_explicit(&slot->n_blocks, n + 1, memory_order_release);
}

static void on_block_with_mems(unsigned vcpu, void *number)
{
    (void)vcpu;
    struct sl_slot *slot = writer_slot;
    uint32_t n = atomic_load_explicit(&slot->n_blocks, memory_order_relaxed);
    if (!LIKELY(n < SL_CHUNK_BLOCKS)) {
        slot = writer_next();
        n = 0;
    }
    slot->last_insn = UINT32_MAX;
    slot->block[n] = (uint32_t)(uintptr_t)number;
    slot->block_mem[n] = atomic_load_explicit(&slot->n_mems, memory_order_relaxed);
    atomic_store_explicit(&slot->n_blocks, n + 1, memory_order_release);
}

/* Bits above the size of the access, to be shifted out. */
static uint32_t shift_of(uint32_t info)
{
    unsigned size_log2 = qemu_plugin_mem_size_shift(info);
    return size_log2 >= 3 ? 0 : 64 - (8u << size_log2);
}

/* An `info` that the site does not know yet. Returns whether it is a load, and
 * its shift. What is remembered is written once, so threads need no lock. */
static bool learn(struct site *site, uint32_t info, uint32_t *shift)
{
    bool store = qemu_plugin_mem_is_store(info);
    uint32_t none = NO_INFO;
    *shift = shift_of(info);
    if (store) {
        atomic_compare_exchange_strong(&site->store_info, &none, info);
    } else if (atomic_compare_exchange_strong(&site->load_info, &none, LEARNING)) {
        site->load_shift = *shift;
        atomic_store(&site->load_info, info);
    }
    return !store;
}

/* The loaded bytes as a number. Reads eight bytes and drops those that do not
 * belong, unless the eight would reach into the next page, which may not be
 * there. */
static inline uint64_t loaded(uint64_t address, uint32_t shift)
{
    const char *host = (const char *)(uintptr_t)(address + guest_base);
    uint64_t raw = 0;
    size_t size = (64 - shift) / 8;
    if (LIKELY((address & 4095) <= 4088))
        memcpy(&raw, host, 8);
    else if (size == 1)
        memcpy(&raw, host, 1);
    else if (size == 2)
        memcpy(&raw, host, 2);
    else if (size == 4)
        memcpy(&raw, host, 4);
    else
        memcpy(&raw, host, 8);
    return guest->big_endian ? __builtin_bswap64(raw) >> shift : raw << shift >> shift;
}

/* Loads only, at most one event for an executed instruction: a wide load that
 * QEMU makes in parts is known by its first part, the low one. */
static void on_load(unsigned vcpu, uint32_t info, uint64_t address, void *udata)
{
    (void)vcpu;
    struct site *site = udata;
    struct sl_slot *slot = writer_slot;
    uint32_t shift;
    if (LIKELY(info == atomic_load_explicit(&site->load_info, memory_order_acquire)))
        shift = site->load_shift;
    else if (info == atomic_load_explicit(&site->store_info, memory_order_relaxed) ||
             !learn(site, info, &shift))
        return;
    if (slot->last_insn == site->insn)
        return;
    uint32_t n = atomic_load_explicit(&slot->n_mems, memory_order_relaxed);
    if (!LIKELY(n < SL_CHUNK_MEMS)) {
        slot = writer_next();
        n = 0;
    }
    slot->last_insn = site->insn;
    slot->mem_insn[n] = site->insn;
    slot->mem_value[n] = api_has_values() ? api_access_value(info) : loaded(address, shift);
    atomic_store_explicit(&slot->n_mems, n + 1, memory_order_release);
}

/* Every access with its address, stores if they are wanted. */
static void on_access(unsigned vcpu, uint32_t info, uint64_t address, void *udata)
{
    (void)vcpu;
    struct site *site = udata;
    struct sl_slot *slot = writer_slot;
    bool store = qemu_plugin_mem_is_store(info);
    if (store && !(ring->wants & SL_WANT_STORES))
        return;
    uint32_t n = atomic_load_explicit(&slot->n_mems, memory_order_relaxed);
    if (!LIKELY(n < SL_CHUNK_MEMS)) {
        slot = writer_next();
        n = 0;
    }
    uint32_t word = site->insn | qemu_plugin_mem_size_shift(info) << SL_MEM_SIZE_SHIFT;
    if (store)
        word |= SL_MEM_STORE;
    if (slot->last_insn == site->insn)
        word |= SL_MEM_MORE;
    slot->last_insn = site->insn;
    slot->mem_insn[n] = word;
    slot->mem_addr[n] = address;
    if (ring->wants & SL_WANT_VALUES)
        slot->mem_value[n] = store             ? 0
                             : api_has_values() ? api_access_value(info)
                                                : loaded(address, shift_of(info));
    atomic_store_explicit(&slot->n_mems, n + 1, memory_order_release);
}

/* ---- translation --------------------------------------------------------- */

static struct sl_index_map insns, blocks;

/* Sites by instruction number, in pieces that never move. */
#define SITES_A_PIECE 4096u
static struct site **site_piece;
static size_t n_site_pieces;

static struct site *site_of(uint32_t insn)
{
    size_t piece = insn / SITES_A_PIECE;
    while (piece >= n_site_pieces) {
        site_piece = realloc(site_piece, (n_site_pieces + 1) * sizeof *site_piece);
        struct site *sites = malloc(SITES_A_PIECE * sizeof *sites);
        if (!site_piece || !sites)
            abort(); /* QEMU, too, ends when its allocations fail */
        for (uint32_t i = 0; i < SITES_A_PIECE; i++)
            sites[i] = (struct site){(uint32_t)n_site_pieces * SITES_A_PIECE + i, NO_INFO, NO_INFO, 0};
        site_piece[n_site_pieces++] = sites;
    }
    return &site_piece[piece][insn % SITES_A_PIECE];
}

static uint64_t hash_of(const uint8_t *bytes, size_t size)
{
    uint64_t hash = size;
    for (size_t at = 0; at < size; at += 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + at, size - at < 8 ? size - at : 8);
        hash = sl_mix_pair(hash, word);
    }
    return hash;
}

/* The piece of a translated block that is one block of ours, being collected. */
struct piece {
    uint64_t pc;
    unsigned n_insns, n_bytes;
    struct {
        uint32_t number;
        uint8_t size;
    } insn[SL_BLOCK_INSNS_MAX];
    uint8_t bytes[SL_BLOCK_INSNS_MAX * 16];
};

static void add_insn(struct piece *piece, const uint8_t *bytes, size_t size, uint64_t pc)
{
    uint32_t number = sl_index_intern(&insns, pc, hash_of(bytes, size));
    if (number > SL_INSN_MAX)
        abort(); /* 134 million instructions: out of memory long before */
    piece->insn[piece->n_insns].number = number;
    piece->insn[piece->n_insns++].size = (uint8_t)size;
    memcpy(piece->bytes + piece->n_bytes, bytes, size);
    piece->n_bytes += (unsigned)size;
}

/* The number of a collected block, described to sluice if it is new. */
static uint32_t number_of(struct piece *piece, int mark)
{
    size_t before = blocks.n_keys;
    uint32_t number = sl_index_intern(&blocks, piece->pc, hash_of(piece->bytes, piece->n_bytes));
    if (number == before && number != SL_NO_INDEX) {
        static uint8_t head[15 + 5 * SL_BLOCK_INSNS_MAX];
        uint8_t *at = head;
        uint16_t n = (uint16_t)piece->n_insns;
        memcpy(at, &piece->pc, 8);
        memcpy(at + 8, &number, 4);
        at[12] = (uint8_t)mark;
        memcpy(at + 13, &n, 2);
        at += 15;
        for (unsigned i = 0; i < n; i++, at += 5) {
            memcpy(at, &piece->insn[i].number, 4);
            at[4] = piece->insn[i].size;
        }
        maps_tell(piece->pc, guest_base);
        writer_record(SL_RECORD_BLOCK, head, (size_t)(at - head), piece->bytes, piece->n_bytes);
    }
    return number;
}

static void translate(struct qemu_plugin_tb *tb)
{
    static struct piece piece;
    unsigned wants = ring->wants;
    api_exec_cb enter = wants ? on_block_with_mems : on_block;
    size_t n = qemu_plugin_tb_n_insns(tb);
    struct qemu_plugin_insn *first = NULL; /* of this piece, unless it is the block's own */
    piece.n_insns = piece.n_bytes = 0;
    piece.pc = qemu_plugin_tb_vaddr(tb);
    for (size_t i = 0; i < n; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        uint64_t pc = qemu_plugin_insn_vaddr(insn);
        uint8_t bytes[16] = {0};
        size_t size = api_insn_bytes(insn, bytes, sizeof bytes);
        if (!guest_base_known && qemu_plugin_insn_haddr(insn)) {
            guest_base = (uint64_t)(uintptr_t)qemu_plugin_insn_haddr(insn) - pc;
            guest_base_known = true;
        }
        if (!piece.n_insns) {
            piece.pc = pc;
            first = i ? insn : NULL;
        }
        add_insn(&piece, bytes, size, pc);
        if (wants & (SL_WANT_ADDRESSES | SL_WANT_STORES)) {
            if (wants & SL_WANT_STORES)
                api_on_accesses(insn, on_access, site_of(piece.insn[piece.n_insns - 1].number));
            else if (!guest->never_loads(bytes, size))
                api_on_loads(insn, on_access, site_of(piece.insn[piece.n_insns - 1].number));
        } else if (wants && !guest->never_loads(bytes, size)) {
            api_on_loads(insn, on_load, site_of(piece.insn[piece.n_insns - 1].number));
        }
        int mark = guest->mark(bytes, size);
        if (mark || i == n - 1 || piece.n_insns == SL_BLOCK_INSNS_MAX) {
            void *number = (void *)(uintptr_t)number_of(&piece, mark);
            if (first)
                api_on_insn(first, enter, number);
            else
                api_on_block(tb, enter, number);
            piece.n_insns = piece.n_bytes = 0;
        }
    }
}

static API_TRANSLATE_CALLBACK(on_translate, tb)
{
    /* Detached, the code runs bare; and in the child of a fork the lock may be
     * held by a thread that is not there. */
    if (writer_detached())
        return;
    pthread_mutex_lock(&translating);
    translate(tb);
    pthread_mutex_unlock(&translating);
}

/* ---- system calls -------------------------------------------------------- */

static bool is_one_of(const int64_t *numbers, int64_t number)
{
    for (; *numbers >= 0; numbers++)
        if (*numbers == number)
            return true;
    return false;
}

static API_SYSCALL_CALLBACK(on_syscall, vcpu, number, a1, a2, a3, a4, a5, a6)
{
    (void)vcpu, (void)a1, (void)a2, (void)a3, (void)a4, (void)a5, (void)a6;
    if (!writer_detached() && is_one_of(guest->exec_calls, number))
        atomic_store(&ring->exec_pending, 1);
}

static API_SYSCALL_RET_CALLBACK(on_syscall_return, vcpu, number, result)
{
    (void)vcpu, (void)result;
    if (writer_detached())
        return;
    if (is_one_of(guest->exec_calls, number))
        atomic_store(&ring->exec_pending, 0); /* it came back, so it failed */
    else if (is_one_of(guest->mapping_calls, number))
        maps_changed();
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
    ring = writer_attach(fd);
    if (!ring) {
        fprintf(stderr, "sluice-tap: this plugin is started by 'sluice run', not by hand\n");
        return -1;
    }
    api_on_translate(id, on_translate);
    api_on_syscall(id, on_syscall);
    api_on_syscall_ret(id, on_syscall_return);
    return 0;
}
