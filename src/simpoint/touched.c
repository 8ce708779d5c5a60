#include "touched.h"

#include <stdlib.h>

#include "failure.h"
#include "grow.h"
#include "hash.h"

#define LINE_LOG2 6
#define SLOTS_FIRST 4096u

static size_t slot_of(const struct sl_touched *t, uint64_t address)
{
    size_t at = sl_mix(address >> LINE_LOG2) & (t->n_slots - 1);
    while (t->line[at].time && t->line[at].address >> LINE_LOG2 != address >> LINE_LOG2)
        at = (at + 1) & (t->n_slots - 1);
    return at;
}

static bool enlarge(struct sl_touched *t)
{
    struct sl_touched larger = {.n_slots = t->n_slots ? 2 * t->n_slots : SLOTS_FIRST};
    if (!(larger.line = calloc(larger.n_slots, sizeof *larger.line)))
        return false;
    for (size_t i = 0; i < t->n_slots; i++)
        if (t->line[i].time)
            larger.line[slot_of(&larger, t->line[i].address)] = t->line[i];
    free(t->line);
    t->line = larger.line;
    t->n_slots = larger.n_slots;
    return true;
}

bool sl_touched_mems(struct sl_touched *t, const struct sl_chunk *chunk, uint32_t low, uint32_t high)
{
    for (uint32_t i = low; i < high; i++) {
        if (2 * (t->n_lines + 1) > t->n_slots && !enlarge(t))
            return false;
        struct sl_touch *touch = &t->line[slot_of(t, chunk->mem_addr[i])];
        t->n_lines += !touch->time;
        *touch = (struct sl_touch){chunk->mem_addr[i], ++t->time,
                                   (chunk->mem_insn[i] & ~SL_MEM_MORE) | (touch->word & SL_MEM_STORE)};
    }
    return true;
}

bool sl_touched_block(struct sl_touched *t, uint32_t block)
{
    if (!SL_GROW(t->block, t->room_blocks, (size_t)block + 1))
        return false;
    t->n_blocks = block < t->n_blocks ? t->n_blocks : (size_t)block + 1;
    t->block[block] = ++t->time;
    return true;
}

/* ---- writing ------------------------------------------------------------------------ */

struct item {
    uint64_t time;
    const struct sl_touch *touch; /* NULL: a block */
    uint32_t block;
};

static int latest_first(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    return (x->time < y->time) - (x->time > y->time);
}

/* Keeps of the n items, the latest first, so many, and those further back that are ahead. */
static size_t keep(struct item *item, size_t n, size_t most, const struct sl_touched *ahead)
{
    size_t kept = 0;
    qsort(item, n, sizeof *item, latest_first);
    for (size_t i = 0; i < n; i++) {
        const struct sl_touch *touch = item[i].touch;
        bool wanted = touch ? ahead->n_slots && ahead->line[slot_of(ahead, touch->address)].time
                            : item[i].block < ahead->n_blocks && ahead->block[item[i].block];
        if (i < most || wanted)
            item[kept++] = item[i];
    }
    return kept;
}

/* The items to be written, latest first. */
static size_t gather(const struct sl_touched *t, const struct sl_touched *ahead,
                     const struct sl_touched_limits *limits, struct item *item)
{
    size_t n = 0, lines;
    for (size_t i = 0; i < t->n_slots; i++)
        if (t->line[i].time)
            item[n++] = (struct item){t->line[i].time, &t->line[i], 0};
    lines = n = keep(item, n, limits->lines, ahead);
    for (uint32_t i = 0; i < t->n_blocks; i++)
        if (t->block[i])
            item[n++] = (struct item){t->block[i], NULL, i};
    n = lines + keep(item + lines, n - lines, limits->blocks, ahead);
    qsort(item, n, sizeof *item, latest_first);
    return n;
}

struct writing {
    struct sl_trace_writer *writer;
    struct sl_chunk chunk; /* of mems, in: */
    struct sl_chunk_arrays *arrays;
    struct sl_failure *f;
};

static int write_mems(struct writing *w)
{
    int error = w->chunk.n_mems ? sl_trace_chunk(w->writer, &w->chunk, w->f) : 0;
    w->chunk.n_mems = 0;
    return error;
}

/* No branch leads from one to the next, which a gap says. */
static int write_block(struct writing *w, uint32_t block)
{
    uint32_t no_mems = 0;
    struct sl_chunk chunk = {.thread = w->chunk.thread, .flags = SL_CHUNK_GAP, .n_blocks = 1,
                             .block = &block, .block_mem = &no_mems};
    int error = write_mems(w);
    return error < 0 ? error : sl_trace_chunk(w->writer, &chunk, w->f);
}

static int write_mem(struct writing *w, const struct sl_touch *touch)
{
    uint32_t at = w->chunk.n_mems++;
    w->arrays->mem_insn[at] = touch->word;
    w->arrays->mem_addr[at] = touch->address;
    return w->chunk.n_mems == SL_CHUNK_MEMS ? write_mems(w) : 0;
}

int sl_touched_write(const struct sl_touched *t, const struct sl_touched *ahead,
                     const struct sl_touched_limits *limits, const struct sl_statics *statics,
                     uint32_t thread, bool values, struct sl_trace_writer *writer,
                     uint64_t *instructions, struct sl_failure *f)
{
    struct item *item = malloc((t->n_lines + t->n_blocks + 1) * sizeof *item);
    struct writing w = {writer, {.thread = thread, .flags = SL_CHUNK_GAP},
                        calloc(1, sizeof *w.arrays), f};
    int error = 0;
    if (!item || !w.arrays)
        error = sl_fail(f, SL_ENOMEM, "out of memory");
    size_t n = error ? 0 : gather(t, ahead, limits, item);
    if (!error) {
        w.chunk.mem_insn = w.arrays->mem_insn;
        w.chunk.mem_addr = w.arrays->mem_addr;
        w.chunk.mem_value = values ? w.arrays->mem_value : NULL; /* nobody asks: 0 */
    }
    while (n-- && error >= 0) {
        if (item[n].touch) {
            error = write_mem(&w, item[n].touch);
        } else {
            *instructions += statics->block_size[item[n].block];
            error = write_block(&w, item[n].block);
        }
    }
    if (error >= 0)
        error = write_mems(&w);
    free(item);
    free(w.arrays);
    return error;
}

void sl_touched_free(struct sl_touched *t)
{
    free(t->line);
    free(t->block);
    *t = (struct sl_touched){0};
}
