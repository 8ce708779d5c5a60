/* SPDX-License-Identifier: MIT */
/* Test program that runs a guest program under QEMU and counts the program's memory references and
 * cache misses, for each of the given cache geometries.
 *
 *     cache_counts TAP_DIR FILE I1 D1 LL [I1 D1 LL ...] -- PROGRAM ARGUMENT...
 *
 * TAP_DIR contains the tap; geometries are written SIZE,WAYS,LINE as for cachegrind. FILE gets two
 * lines for each,
 *
 *   caches I1 D1 LL Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw
 *   hierarchy I1 D1 LL ...
 *
 * the first by sl_cache with all of cachegrind's rules (3.19: cg_sim.c, cg_main.c), the second by
 * sl_hierarchy. The rules:
 *
 *   - A reference to two lines counts once, and misses once if either line misses. The cache
 *     counts lines; the hierarchy's counters count references, too.
 *   - LL is accessed for all of a reference that missed in L1, even if one of its two lines
 *     hit. The hierarchy accesses only the line that missed, as hardware does.
 *   - Nothing is written back. The hierarchy writes dirty victims to L2.
 *
 * Because of the last two rules LL replaces different lines: the hierarchy's LL misses equal
 * cachegrind's only if LL never replaces a line. L1 misses are equal in any case.
 *
 * The stream and cachegrind also define a reference differently:
 *
 *   - QEMU makes an access of 16 bytes in two halves, cachegrind in one.
 *   - An instruction that loads from and stores to the same address makes one reference, a read.
 *     An atomic one makes two, since valgrind loads and then compares and swaps; QEMU may report
 *     only the store.
 *   - A string instruction with `rep` is fetched once for each iteration and, by cachegrind, once
 *     more to find that none is left. Instructions that also end on a comparison (repe, repne)
 *     must not be in the program. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code.h"
#include "hierarchy.h"
#include "source.h"
#include "hierarchy_counts.h"

#define ACCESSES_MAX 16 /* of an executed instruction */

static void die(const char *what)
{
    fprintf(stderr, "cache_counts: %s\n", what);
    exit(2);
}

/* ---- counting ---- */

struct counts {
    uint64_t references, l1_misses, ll_misses;
};

struct caches {
    struct sl_cache *i1, *d1, *ll;
    struct counts of[SL_ACCESS_KINDS];
    struct sl_hierarchy *hierarchy;
};

static void *zeroed(size_t bytes)
{
    void *memory = aligned_alloc(64, bytes);
    if (!memory)
        die("out of memory");
    return memset(memory, 0, bytes);
}

static struct sl_cache_config read_geometry(const char *text)
{
    struct sl_cache_config c = {.allocate = true};
    struct sl_failure failure;
    if (sscanf(text, "%" SCNu64 ",%" SCNu64 ",%" SCNu64, &c.size, &c.ways, &c.line) != 3)
        die("a geometry is SIZE,WAYS,LINE");
    if (sl_cache_check(&c, "cache", &failure) < 0)
        die(failure.text);
    return c;
}

static struct sl_cache *make_cache(const struct sl_cache_config *config)
{
    struct sl_cache *c = zeroed(sl_cache_bytes(config));
    sl_cache_init(c, config);
    return c;
}

static void make_caches(struct caches *c, char **geometry)
{
    struct sl_hierarchy_config config = {.l1i = read_geometry(geometry[0]),
                                         .l1d = read_geometry(geometry[1]),
                                         .l2 = read_geometry(geometry[2])};
    c->i1 = make_cache(&config.l1i);
    c->d1 = make_cache(&config.l1d);
    c->ll = make_cache(&config.l2);
    if (sl_hierarchy_check(&config, NULL) == 0) {
        c->hierarchy = zeroed(sl_hierarchy_bytes(&config));
        sl_hierarchy_init(c->hierarchy, &config);
    }
}

static void free_caches(struct caches *c)
{
    free(c->i1);
    free(c->d1);
    free(c->ll);
    free(c->hierarchy);
}

static void refer(struct caches *c, enum sl_access_kind kind, uint64_t address, uint32_t size)
{
    struct sl_cache *l1 = kind == SL_ACCESS_FETCH ? c->i1 : c->d1;
    bool write = kind == SL_ACCESS_STORE;
    c->of[kind].references++;
    if (sl_cache_access(l1, address, size, write)) {
        c->of[kind].l1_misses++;
        c->of[kind].ll_misses += sl_cache_access(c->ll, address, size, write) != 0;
    }
    if (c->hierarchy)
        sl_hierarchy_access(c->hierarchy, kind, address, size);
}

/* ---- from the stream to references ---- */

struct access {
    uint64_t address;
    uint32_t size;
    bool store;
};

struct reader {
    struct sl_source *source;
    struct sl_code code;
    struct caches *caches;
    size_t n_caches;
    struct sl_block block;              /* in progress; has no instructions before the first one */
    uint32_t next;                      /* of its instructions: the first not fetched */
    struct access access[ACCESSES_MAX]; /* of the one fetched last */
    uint32_t n_accesses;
};

static void refer_all(struct reader *r, enum sl_access_kind kind, uint64_t address, uint32_t size)
{
    for (size_t i = 0; i < r->n_caches; i++)
        refer(&r->caches[i], kind, address, size);
}

static uint32_t insn_at(const struct reader *r, uint32_t place)
{
    return r->source->statics.block_insn[r->block.insns_at + place];
}

/* The accesses of the instruction fetched last, which makes no more. */
static void end_insn(struct reader *r)
{
    struct access *a = r->access;
    uint32_t n = r->n_accesses;
    if (!n)
        return;
    const struct sl_insn_info *info = sl_code_insn(&r->code, insn_at(r, r->next - 1));
    bool atomic = info->class == SL_CLASS_ATOMIC;
    bool modifies = n == 2 && !a[0].store && a[1].store && a[0].address == a[1].address &&
                    a[0].size == a[1].size;
    if (atomic && !modifies && n != 1)
        die("an atomic instruction with other accesses than a load and a store");
    if (atomic || modifies) {
        a[0].store = false;
        a[1] = a[0];
        n = atomic ? 2 : 1;
    }
    for (uint32_t i = 0; i < n; i++)
        refer_all(r, a[i].store ? SL_ACCESS_STORE : SL_ACCESS_LOAD, a[i].address, a[i].size);
    r->n_accesses = 0;
}

static void fetch_next(struct reader *r)
{
    end_insn(r);
    const struct sl_insn *insn = &r->source->statics.insn[insn_at(r, r->next++)];
    refer_all(r, SL_ACCESS_FETCH, insn->pc, insn->size);
}

/* The block in progress has ended, `next` is where it went on. */
static void end_block(struct reader *r, uint64_t next)
{
    if (!r->block.n_insns)
        return;
    while (r->next < r->block.n_insns)
        fetch_next(r);
    uint32_t number = insn_at(r, r->next - 1);
    const struct sl_insn *last = &r->source->statics.insn[number];
    bool rounds_end = (sl_code_insn(&r->code, number)->flags & SL_INSN_REPEATS) && r->n_accesses &&
                      next != last->pc;
    end_insn(r);
    if (rounds_end)
        refer_all(r, SL_ACCESS_FETCH, last->pc, last->size);
}

static void take_access(struct reader *r, uint32_t word, uint64_t address)
{
    uint32_t number = word & SL_MEM_INSN_MASK;
    uint32_t size = UINT32_C(1) << ((word & ~(SL_MEM_STORE | SL_MEM_MORE)) >> SL_MEM_SIZE_SHIFT);
    bool store = word & SL_MEM_STORE;
    while (!r->next || insn_at(r, r->next - 1) != number) {
        if (r->next == r->block.n_insns)
            die("an access of an instruction that is not in its block");
        fetch_next(r);
    }
    struct access *last = r->n_accesses ? &r->access[r->n_accesses - 1] : NULL;
    if (last && last->store == store && last->address + last->size == address) {
        last->size += size;
        return;
    }
    if (r->n_accesses == ACCESSES_MAX)
        die("an instruction with too many accesses");
    r->access[r->n_accesses++] = (struct access){address, size, store};
}

static void take_chunk(struct reader *r, const struct sl_chunk *c)
{
    uint32_t mem = 0;
    if (c->thread)
        die("the program has threads");
    for (uint32_t k = 0; k <= c->n_blocks; k++) {
        uint32_t end = k < c->n_blocks ? c->block_mem[k] : c->n_mems;
        for (; mem < end; mem++)
            take_access(r, c->mem_insn[mem], c->mem_addr[mem]);
        if (k == c->n_blocks)
            break;
        struct sl_block block = r->source->statics.block[c->block[k]];
        end_block(r, block.pc);
        r->block = block;
        r->next = 0;
    }
}

static void read_all(struct reader *r)
{
    struct sl_failure failure;
    struct sl_chunk chunk;
    int more = sl_code_init(&r->code, &r->source->statics, &failure);
    while (more >= 0 && (more = sl_source_next(r->source, &chunk, &failure)) > 0) {
        more = sl_code_sync(&r->code, &failure);
        if (more >= 0)
            take_chunk(r, &chunk);
    }
    if (more < 0)
        die(failure.text);
    end_block(r, 0);
    sl_code_free(&r->code);
}

/* ---- the program ---- */

static struct sl_source *start(char **argv, const char *tap_dir)
{
    struct sl_failure failure;
    struct sl_source *source;
    struct sl_guest guest = {.size = sizeof guest,
                             .argv = argv,
                             .tap_dir = tap_dir,
                             .needs = SL_NEED_ADDRESSES | SL_NEED_STORES};
    if (sl_source_run(&source, &guest, &failure) < 0)
        die(failure.text);
    return source;
}

static void print_counts(FILE *out, const char *name, char **geometry, const struct counts *of)
{
    fprintf(out, "%s %s %s %s", name, geometry[0], geometry[1], geometry[2]);
    for (int k = 0; k < SL_ACCESS_KINDS; k++)
        fprintf(out, " %" PRIu64 " %" PRIu64 " %" PRIu64, of[k].references, of[k].l1_misses,
                of[k].ll_misses);
    fputc('\n', out);
}

static void print_hierarchy(FILE *out, char **geometry, const struct sl_hierarchy *h)
{
    struct hierarchy_counters counters;
    struct counts of[SL_ACCESS_KINDS];
    hierarchy_count(h, &counters);
    for (int k = 0; k < SL_ACCESS_KINDS; k++)
        of[k] = (struct counts){counters.kind[k].accesses, counters.kind[k].l1_misses,
                                counters.kind[k].l2_misses};
    print_counts(out, "hierarchy", geometry, of);
}

int main(int argc, char **argv)
{
    FILE *out = argc > 3 ? fopen(argv[2], "we") : NULL;
    char **geometry = argv + 3;
    struct reader r = {0};
    while (out && geometry[r.n_caches] && strcmp(geometry[r.n_caches], "--") != 0)
        r.n_caches++;
    if (!out || !r.n_caches || r.n_caches % 3 || !geometry[r.n_caches])
        die("usage: cache_counts TAP_DIR FILE I1 D1 LL ... -- PROGRAM ARGUMENT...");
    char **program = geometry + r.n_caches + 1;
    r.n_caches /= 3;
    r.caches = calloc(r.n_caches, sizeof *r.caches);
    for (size_t i = 0; i < r.n_caches; i++)
        make_caches(&r.caches[i], geometry + 3 * i);
    r.source = start(program, argv[1]);
    read_all(&r);
    for (size_t i = 0; i < r.n_caches; i++) {
        print_counts(out, "caches", geometry + 3 * i, r.caches[i].of);
        if (r.caches[i].hierarchy)
            print_hierarchy(out, geometry + 3 * i, r.caches[i].hierarchy);
        free_caches(&r.caches[i]);
    }
    free(r.caches);
    sl_source_close(r.source);
    return fclose(out) != 0;
}
