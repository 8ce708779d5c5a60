/* SPDX-License-Identifier: MIT */
/* Computes the basic-block vectors of a stream, which count the executed instructions of each block
 * in each interval of the run (vectors.h), and prints them in SimPoint's format. */
#include "vectors.h"

#include <inttypes.h>
#include <stdlib.h>

#include "failure.h"
#include "grow.h"

/* Counts of the current interval. */
struct counting {
    uint64_t *instructions; /* by block */
    uint32_t *block;        /* blocks whose count is not 0 */
    size_t n, instructions_capacity, blocks_capacity;
    uint64_t done; /* instructions of the run so far */
};

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool begin(struct sl_vectors *v, uint64_t at)
{
    if (!SL_GROW(v->begins, v->begins_capacity, v->n + 1) ||
        !SL_GROW(v->first, v->first_capacity, v->n + 2))
        return false;
    v->begins[v->n] = at;
    return true;
}

/* Ends the interval and begins the next one. Returns false if out of memory. */
static bool end(struct sl_vectors *v, struct counting *c)
{
    size_t at = v->first[v->n];
    if (!SL_GROW(v->entry, v->entries_capacity, at + c->n))
        return false;
    qsort(c->block, c->n, sizeof *c->block, ascending);
    for (size_t i = 0; i < c->n; i++) {
        v->entry[at + i] = (struct sl_vector_entry){c->block[i], c->instructions[c->block[i]]};
        c->instructions[c->block[i]] = 0;
    }
    v->first[++v->n] = at + c->n;
    c->n = 0;
    return begin(v, c->done);
}

static int count(struct sl_vectors *v, struct counting *c, const struct sl_statics *statics,
                 const struct sl_chunk *chunk, struct sl_failure *f)
{
    if (!SL_GROW(c->instructions, c->instructions_capacity, statics->n_blocks) ||
        !SL_GROW(c->block, c->blocks_capacity, statics->n_blocks))
        return sl_out_of_memory(f);
    for (uint32_t i = 0; i < chunk->n_blocks; i++) {
        uint32_t block = chunk->block[i];
        if (c->done >= (v->n + 1) * v->interval) {
            if (v->n + 1 == SL_VECTORS_MAX)
                return sl_fail_setting(f, "interval",
                                       "too many intervals (limit %u): use longer intervals",
                                       SL_VECTORS_MAX);
            if (!end(v, c))
                return sl_out_of_memory(f);
        }
        if (!c->instructions[block])
            c->block[c->n++] = block;
        c->instructions[block] += statics->block_size[block];
        c->done += statics->block_size[block];
    }
    return 0;
}

int sl_vectors_read(struct sl_vectors *v, struct sl_source *source, uint64_t interval,
                    struct sl_failure *f)
{
    struct counting c = {0};
    struct sl_chunk chunk;
    *v = (struct sl_vectors){.interval = interval};
    sl_source_needs(source, 0);
    int more = begin(v, 0) ? 1 : sl_out_of_memory(f);
    while (more > 0 && (more = sl_source_next(source, &chunk, f)) > 0) {
        int error = count(v, &c, &source->statics, &chunk, f);
        more = error < 0 ? error : 1;
    }
    if (more >= 0 && c.n && !end(v, &c))
        more = sl_out_of_memory(f);
    free(c.instructions);
    free(c.block);
    return more;
}

void sl_vectors_print(const struct sl_vectors *v, FILE *out)
{
    for (size_t i = 0; i < v->n; i++) {
        putc('T', out);
        for (size_t j = v->first[i]; j < v->first[i + 1]; j++)
            fprintf(out, ":%" PRIu32 ":%" PRIu64 " ", v->entry[j].block + 1,
                    v->entry[j].instructions);
        putc('\n', out);
    }
}

void sl_vectors_free(struct sl_vectors *v)
{
    free(v->begins);
    free(v->first);
    free(v->entry);
    *v = (struct sl_vectors){0};
}
