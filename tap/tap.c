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
#include "loads.h"
#include "maps.h"
#include "qemu_api.h"
#include "writer.h"

API_DECLARE_VERSION;

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define NO_INFO UINT32_MAX

/* An instruction whose accesses are not implied. Asking QEMU about its opaque
 * `info` word is a call, so the first one that proves to be a store's is kept. */
struct site {
    uint32_t insn;
    _Atomic uint32_t store_info;
    bool ends; /* it ends a block: at most one load, then one store */
};

static struct sl_ring *ring; /* not there any more in the child of a fork */
static unsigned wants;        /* so this is a copy */
static const struct guest *guest;
static loads_of loads_of_insn;
static uint64_t guest_base;
static bool guest_base_known;
static pthread_mutex_t translating = PTHREAD_MUTEX_INITIALIZER;

/* ---- events: the hot path ------------------------------------------------ */

/* Whether a block can begin: the one before is finished, and there is room. */
static inline bool ready(const struct sl_stage *stage, uint32_t at)
{
    return LIKELY(stage->progress == 0 && at < SL_STAGE_LIMIT);
}

/* A stream of blocks alone: nothing can be left open. */
static void on_block_only(unsigned vcpu, void *block)
{
    (void)vcpu;
    struct sl_stage *stage = writer_stage;
    uint32_t at = stage->at;
    if (!LIKELY(at < SL_STAGE_LIMIT)) {
        stage = writer_make_room();
        at = stage->at;
    }
    stage->word[at] = (uint32_t)(uintptr_t)block;
    stage->at = at + 1;
}

__attribute__((noinline, cold)) static void begin_slowly(uint32_t block, uint32_t progress)
{
    struct sl_stage *stage = writer_make_room();
    stage->word[stage->at] = block;
    stage->progress = progress;
    stage->at += !progress;
}

/* A block without loads. */
static void on_block(unsigned vcpu, void *block)
{
    (void)vcpu;
    struct sl_stage *stage = writer_stage;
    uint32_t at = stage->at;
    if (ready(stage, at)) {
        stage->word[at] = (uint32_t)(uintptr_t)block;
        stage->at = at + 1;
    } else {
        begin_slowly((uint32_t)(uintptr_t)block, 0);
    }
}

/* A block whose implied loads are still to come. */
static void on_block_before_loads(unsigned vcpu, void *block)
{
    (void)vcpu;
    struct sl_stage *stage = writer_stage;
    uint32_t at = stage->at;
    if (ready(stage, at)) {
        stage->word[at] = (uint32_t)(uintptr_t)block;
        stage->progress = 1;
    } else {
        begin_slowly((uint32_t)(uintptr_t)block, 1);
    }
}

static void on_open_block(unsigned vcpu, void *block)
{
    (void)vcpu;
    struct sl_stage *stage = writer_stage;
    if (!ready(stage, stage->at))
        stage = writer_make_room();
    uint32_t at = stage->at;
    stage->word[at] = (uint32_t)(uintptr_t)block | SL_WORD_OPEN;
    stage->start = at + 1;
    stage->progress = SL_STAGE_OPEN;
    stage->last_insn = UINT32_MAX;
    stage->at = at + 2;
}

/* Implied loads: nothing is said but the value, at its place in the block. The
 * first load of a block also says that the block was entered, which spares a
 * callback; the last one finishes it. Four functions for each size; a guest's
 * words are turned round if its bytes are.
 *
 * QEMU before 8.0 forgets to forget the callbacks of an instruction that ends a
 * block and runs a helper function (a return does, to find where to go on). It
 * then calls them for accesses of its own, when it makes or reads a signal
 * frame. So a load counts only in its turn: when the block has just so many
 * words. And the last instruction of a block never begins one. */
#define WORDS(bits) ((bits) > 32 ? 2u : 1u)
#define LOADED(bits, swap) \
    swap(*(const volatile uint##bits##_t *)(uintptr_t)(address + guest_base))
#define AS_IT_IS(x) (x)
#define IMPLIED_LOADS(bits, order, swap, type)                                               \
    static void on_load_##bits##order(unsigned vcpu, uint32_t info, uint64_t address,        \
                                      void *place)                                           \
    {                                                                                        \
        (void)vcpu, (void)info;                                                              \
        struct sl_stage *stage = writer_stage;                                               \
        type value = LOADED(bits, swap);                                                     \
        if (!LIKELY(stage->progress == (uint32_t)(uintptr_t)place))                          \
            return;                                                                          \
        stage->progress = (uint32_t)(uintptr_t)place + WORDS(bits);                          \
        memcpy(stage->word + stage->at + (uintptr_t)place, &value, sizeof value);            \
    }                                                                                        \
    static void on_last_load_##bits##order(unsigned vcpu, uint32_t info, uint64_t address,   \
                                           void *place)                                      \
    {                                                                                        \
        (void)vcpu, (void)info;                                                              \
        struct sl_stage *stage = writer_stage;                                               \
        type value = LOADED(bits, swap);                                                     \
        uint32_t at = stage->at + (uint32_t)(uintptr_t)place;                                \
        if (!LIKELY(stage->progress == (uint32_t)(uintptr_t)place))                          \
            return;                                                                          \
        stage->progress = 0;                                                                 \
        memcpy(stage->word + at, &value, sizeof value);                                      \
        stage->at = at + WORDS(bits);                                                        \
    }                                                                                        \
    static void on_first_load_##bits##order(unsigned vcpu, uint32_t info, uint64_t address,  \
                                            void *block)                                     \
    {                                                                                        \
        struct sl_stage *stage = writer_stage;                                               \
        uint32_t at = stage->at;                                                             \
        type value = LOADED(bits, swap);                                                     \
        if (ready(stage, at)) {                                                              \
            stage->word[at] = (uint32_t)(uintptr_t)block;                                    \
            stage->progress = 1 + WORDS(bits);                                               \
            memcpy(stage->word + at + 1, &value, sizeof value);                              \
        } else {                                                                             \
            begin_slowly((uint32_t)(uintptr_t)block, 1);                                     \
            on_load_##bits##order(vcpu, info, address, (void *)1);                           \
        }                                                                                    \
    }                                                                                        \
    static void on_only_load_##bits##order(unsigned vcpu, uint32_t info, uint64_t address,   \
                                           void *block)                                      \
    {                                                                                        \
        struct sl_stage *stage = writer_stage;                                               \
        uint32_t at = stage->at;                                                             \
        type value = LOADED(bits, swap);                                                     \
        if (ready(stage, at)) {                                                              \
            stage->word[at] = (uint32_t)(uintptr_t)block;                                    \
            memcpy(stage->word + at + 1, &value, sizeof value);                              \
            stage->at = at + 1 + WORDS(bits);                                                \
        } else {                                                                             \
            begin_slowly((uint32_t)(uintptr_t)block, 1);                                     \
            on_last_load_##bits##order(vcpu, info, address, (void *)1);                      \
        }                                                                                    \
    }

IMPLIED_LOADS(8, _little, AS_IT_IS, uint32_t)
IMPLIED_LOADS(16, _little, AS_IT_IS, uint32_t)
IMPLIED_LOADS(32, _little, AS_IT_IS, uint32_t)
IMPLIED_LOADS(64, _little, AS_IT_IS, uint64_t)
IMPLIED_LOADS(16, _big, __builtin_bswap16, uint32_t)
IMPLIED_LOADS(32, _big, __builtin_bswap32, uint32_t)
IMPLIED_LOADS(64, _big, __builtin_bswap64, uint64_t)

enum order { FIRST, MIDDLE, LAST, ONLY, N_ORDERS };

/* By big_endian, order in the block, and log2 of the size. */
#define BY_SIZE(kind, order) \
    {kind##8_little, kind##16##order, kind##32##order, kind##64##order}
static const api_access_cb on_implied[2][N_ORDERS][4] = {
    {BY_SIZE(on_first_load_, _little), BY_SIZE(on_load_, _little), BY_SIZE(on_last_load_, _little),
     BY_SIZE(on_only_load_, _little)},
    {BY_SIZE(on_first_load_, _big), BY_SIZE(on_load_, _big), BY_SIZE(on_last_load_, _big),
     BY_SIZE(on_only_load_, _big)},
};

static bool is_store(struct site *site, uint32_t info)
{
    if (info == atomic_load_explicit(&site->store_info, memory_order_relaxed))
        return true;
    if (!qemu_plugin_mem_is_store(info))
        return false;
    atomic_store_explicit(&site->store_info, info, memory_order_relaxed);
    return true;
}

/* The loaded bytes as a number, byte by byte: they may be the last ones before
 * a page that is not there. */
static uint64_t loaded(uint32_t info, uint64_t address)
{
    if (api_has_values())
        return api_access_value(info);
    const uint8_t *host = (const uint8_t *)(uintptr_t)(address + guest_base);
    unsigned size_log2 = qemu_plugin_mem_size_shift(info);
    unsigned size = size_log2 >= 3 ? 8 : 1u << size_log2;
    uint64_t value = 0;
    for (unsigned i = 0; i < size; i++)
        value |= (uint64_t)host[i] << 8 * (guest->big_endian ? size - 1 - i : i);
    return value;
}

/* An implied load of an instruction that also stores. */
struct load_before_store {
    struct site site;
    uint32_t place;
    api_access_cb load;
};

static void on_load_before_store(unsigned vcpu, uint32_t info, uint64_t address, void *udata)
{
    struct load_before_store *it = udata;
    if (!is_store(&it->site, info))
        it->load(vcpu, info, address, (void *)(uintptr_t)it->place);
}

static struct sl_stage *stage_for_event(void)
{
    struct sl_stage *stage = writer_stage;
    return stage->at + sl_event_words(wants) <= SL_STAGE_WORDS ? stage : writer_continue();
}

/* A load in an open block of a stream without addresses: at most one event for
 * an executed instruction. A wide load that QEMU makes in parts is known by its
 * first part, the low one. */
static void on_named_load(unsigned vcpu, uint32_t info, uint64_t address, void *udata)
{
    (void)vcpu;
    struct site *site = udata;
    if (writer_stage->last_insn == site->insn || is_store(site, info))
        return;
    struct sl_stage *stage = stage_for_event();
    uint64_t value = loaded(info, address);
    stage->last_insn = site->insn;
    stage->word[stage->at] = site->insn;
    memcpy(stage->word + stage->at + 1, &value, sizeof value);
    stage->at += 3;
}

/* Every access with its address, stores if they are wanted. */
static void on_access(unsigned vcpu, uint32_t info, uint64_t address, void *udata)
{
    (void)vcpu;
    struct site *site = udata;
    bool store = is_store(site, info);
    if (store && !(wants & SL_WANT_STORES))
        return;
    struct sl_stage *stage = writer_stage;
    if (site->ends && stage->last_insn == site->insn && (!store || stage->last_stored))
        return; /* QEMU's own access, see above */
    stage = stage_for_event();
    uint32_t word = site->insn | qemu_plugin_mem_size_shift(info) << SL_MEM_SIZE_SHIFT;
    if (store)
        word |= SL_MEM_STORE;
    if (stage->last_insn == site->insn)
        word |= SL_MEM_MORE;
    stage->last_insn = site->insn;
    stage->last_stored = store;
    stage->word[stage->at++] = word;
    memcpy(stage->word + stage->at, &address, sizeof address);
    stage->at += 2;
    if (wants & SL_WANT_VALUES) {
        uint64_t value = store ? 0 : loaded(info, address);
        memcpy(stage->word + stage->at, &value, sizeof value);
        stage->at += 2;
    }
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
            sites[i] = (struct site){(uint32_t)n_site_pieces * SITES_A_PIECE + i, NO_INFO, false};
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
    bool leads_tb; /* its first instruction is the translated block's */
    struct {
        uint32_t number;
        uint8_t size;
        int loads;
        struct qemu_plugin_insn *handle;
    } insn[SL_BLOCK_INSNS_MAX];
    uint8_t bytes[SL_BLOCK_INSNS_MAX * 16];
};

static void add_insn(struct piece *piece, struct qemu_plugin_insn *handle, const uint8_t *bytes,
                     size_t size, uint64_t pc)
{
    uint32_t number = sl_index_intern(&insns, pc, hash_of(bytes, size));
    if (number > SL_INSN_MAX)
        abort(); /* 134 million instructions: out of memory long before */
    unsigned i = piece->n_insns++;
    piece->insn[i].number = number;
    piece->insn[i].size = (uint8_t)size;
    piece->insn[i].handle = handle;
    piece->insn[i].loads = loads_of_insn(bytes, size);
    memcpy(piece->bytes + piece->n_bytes, bytes, size);
    piece->n_bytes += (unsigned)size;
}

/* The number of a collected block, described to sluice if it is new. */
static uint32_t number_of(struct piece *piece, int mark, bool *is_new)
{
    size_t before = blocks.n_keys;
    uint32_t number = sl_index_intern(&blocks, piece->pc, hash_of(piece->bytes, piece->n_bytes));
    *is_new = number == before;
    if (*is_new) {
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

/* How many loads the block makes, if that is certain for each instruction; -1
 * if the block has to be an open one. */
static int implied_loads(const struct piece *piece)
{
    int n = 0;
    if (wants != SL_WANT_VALUES || ring->name_all || !guest_base_known)
        return -1;
    for (unsigned i = 0; i < piece->n_insns; i++) {
        if (piece->insn[i].loads == LOADS_UNKNOWN)
            return -1;
        n += piece->insn[i].loads != 0;
    }
    return n <= (int)SL_IMPLIED_MAX ? n : -1;
}

static bool is_wide(int loads)
{
    return (loads & ~LOADS_THEN_STORES) == 8;
}

static void tell_implied(const struct piece *piece, uint32_t block, int n)
{
    uint32_t list[SL_IMPLIED_MAX];
    unsigned at = 0, words = 0;
    for (unsigned i = 0; i < piece->n_insns && n > 0; i++) {
        int loads = piece->insn[i].loads;
        if (loads) {
            list[at++] = piece->insn[i].number | (is_wide(loads) ? SL_IMPLIED_WIDE : 0);
            words += 1 + is_wide(loads);
        }
    }
    if (n > 0) {
        writer_set_implied(block, (unsigned)n, words);
        writer_record(SL_RECORD_IMPLIED, &block, sizeof block, list, at * sizeof *list);
    }
}

static void *block_udata(uint32_t number)
{
    return (void *)(uintptr_t)number;
}

static void call_at_entry(struct qemu_plugin_tb *tb, const struct piece *piece, api_exec_cb callback,
                          void *udata)
{
    if (piece->leads_tb)
        api_on_block(tb, callback, udata);
    else
        api_on_insn(piece->insn[0].handle, callback, udata);
}

/* Lives as long as the translation, which is never known to end. */
static struct load_before_store *new_load_before_store(uint32_t place, api_access_cb load)
{
    struct load_before_store *it = malloc(sizeof *it);
    if (!it)
        abort();
    *it = (struct load_before_store){{0, NO_INFO, false}, place, load};
    return it;
}

static void instrument_implied(struct qemu_plugin_tb *tb, const struct piece *piece, uint32_t block,
                               int n)
{
    uint32_t place = 1;
    int done = 0;
    if (!n)
        call_at_entry(tb, piece, on_block, block_udata(block));
    for (unsigned i = 0; i < piece->n_insns; i++) {
        int loads = piece->insn[i].loads;
        if (!loads)
            continue;
        struct qemu_plugin_insn *handle = piece->insn[i].handle;
        int size_log2 = __builtin_ctz((unsigned)(loads & ~LOADS_THEN_STORES));
        bool first = done == 0, last = done == n - 1;
        bool stores = loads & LOADS_THEN_STORES;
        if (first && (stores || i == piece->n_insns - 1)) {
            call_at_entry(tb, piece, on_block_before_loads, block_udata(block));
            first = false;
        }
        if (stores) {
            api_access_cb load = on_implied[guest->big_endian][last ? LAST : MIDDLE][size_log2];
            api_on_loads(handle, on_load_before_store, new_load_before_store(place, load));
        } else {
            enum order order = first && last ? ONLY : first ? FIRST : last ? LAST : MIDDLE;
            void *udata = first ? block_udata(block) : (void *)(uintptr_t)place;
            api_on_loads(handle, on_implied[guest->big_endian][order][size_log2], udata);
        }
        place += 1 + is_wide(loads);
        done++;
    }
}

static void instrument_open(struct qemu_plugin_tb *tb, const struct piece *piece, uint32_t block)
{
    call_at_entry(tb, piece, on_open_block, block_udata(block));
    for (unsigned i = 0; i < piece->n_insns; i++) {
        struct site *site = site_of(piece->insn[i].number);
        site->ends = i == piece->n_insns - 1 && piece->insn[i].loads > 0;
        if (wants & SL_WANT_STORES)
            api_on_accesses(piece->insn[i].handle, on_access, site);
        else if (piece->insn[i].loads)
            api_on_loads(piece->insn[i].handle,
                         wants & SL_WANT_ADDRESSES ? on_access : on_named_load, site);
    }
}

static void finish_piece(struct qemu_plugin_tb *tb, struct piece *piece, int mark)
{
    bool is_new;
    uint32_t number = number_of(piece, mark, &is_new);
    int implied = implied_loads(piece);
    if (is_new)
        tell_implied(piece, number, implied);
    if (!wants)
        call_at_entry(tb, piece, on_block_only, block_udata(number));
    else if (implied >= 0)
        instrument_implied(tb, piece, number, implied);
    else
        instrument_open(tb, piece, number);
    piece->n_insns = piece->n_bytes = 0;
}

/* QEMU before 8.2 gives one x86 instruction too many where the next one crosses
 * into another page. It is cut off, and not executed. */
static size_t n_insns_of(const struct qemu_plugin_tb *tb)
{
    size_t n = qemu_plugin_tb_n_insns(tb);
    uint8_t bytes[16] = {0};
    if (n > 1 && guest->whole &&
        !guest->whole(bytes, api_insn_bytes(qemu_plugin_tb_get_insn(tb, n - 1), bytes, sizeof bytes)))
        n--;
    return n;
}

static void translate(struct qemu_plugin_tb *tb)
{
    static struct piece piece;
    size_t n = n_insns_of(tb);
    piece.n_insns = piece.n_bytes = 0;
    for (size_t i = 0; i < n; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        uint64_t pc = qemu_plugin_insn_vaddr(insn);
        uint8_t bytes[16] = {0};
        size_t size = api_insn_bytes(insn, bytes, sizeof bytes);
        if (!size)
            return; /* x86: the entry of a vsyscall is no instruction */
        if (!guest_base_known && qemu_plugin_insn_haddr(insn)) {
            guest_base = (uint64_t)(uintptr_t)qemu_plugin_insn_haddr(insn) - pc;
            guest_base_known = true;
        }
        if (!piece.n_insns) {
            piece.pc = pc;
            piece.leads_tb = i == 0;
        }
        add_insn(&piece, insn, bytes, size, pc);
        int mark = guest->mark(bytes, size);
        if (mark || i == n - 1 || piece.n_insns == SL_BLOCK_INSNS_MAX)
            finish_piece(tb, &piece, mark);
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
    loads_of_insn = loads_find(info->target_name);
    if (!guest) {
        fprintf(stderr, "sluice-tap: guests of kind %s are not supported\n", info->target_name);
        return -1;
    }
    ring = writer_attach(fd);
    if (!ring) {
        fprintf(stderr, "sluice-tap: this plugin is started by 'sluice run', not by hand\n");
        return -1;
    }
    wants = ring->wants;
    api_on_translate(id, on_translate);
    api_on_syscall(id, on_syscall);
    api_on_syscall_ret(id, on_syscall_return);
    return 0;
}
