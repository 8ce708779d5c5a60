/* SPDX-License-Identifier: MIT */
/* Unit tests of reading only those parts of a trace that a profile needs: the blocks and the number
 * of memory accesses are the same as in a full read, and the other parts are absent. */
#include "../support/recorded_trace.h"
#include "tap.h"

/* The arrays of a chunk that a reader with these needs gets, by docs/trace-format.md and event.h.
 */
static struct sl_chunk expected(struct sl_chunk chunk, unsigned recorded, unsigned needs)
{
    bool flags = made_has_addresses(recorded);
    if (!needs && !flags)
        chunk.mem_insn = NULL;
    if (!(needs & SL_NEED_VALUES))
        chunk.mem_value = NULL;
    if (!needs)
        chunk.mem_addr = NULL;
    return chunk;
}

/* Chunks that are as expected up to the end; -1 if one is not. */
static long read_needed(const char *path, const struct kept *all, unsigned recorded, unsigned needs,
                        struct sl_failure *f)
{
    struct sl_source *source;
    struct kept k = {.chunk = calloc(all->n + 1, sizeof *k.chunk), .n = all->n};
    long n_same = -1;
    for (size_t i = 0; i < k.n; i++)
        k.chunk[i] = expected(all->chunk[i], recorded, needs);
    if (!sl_source_open(&source, path, f)) {
        sl_source_needs(source, needs);
        if (read_chunks(source, &k, 0, &n_same, f) < 0)
            n_same = -1;
        sl_source_close(source);
    }
    free(k.chunk);
    return n_same;
}

static void everything_else_stays(unsigned recorded, const char *shapes, size_t n)
{
    struct memory_file file = memory_file();
    struct made *m = made_new(recorded + n, recorded);
    struct kept k = {0};
    struct sl_failure f = {0};
    write_trace(file.path, m, shapes, n, &k, &f);
    for (unsigned needs = 0; needs < 8; needs++)
        if (!(needs & ~recorded))
            ok(read_needed(file.path, &k, recorded, needs, &f) == (long)n,
               "recorded %u, needs %u: %zu chunks have what is needed, and the same %s", recorded,
               needs, n, f.text);
    forget(&k);
    made_free(m);
    close(file.fd);
}

/* From the middle: frames that were decoded before have all that they had, the others what is
 * needed. */
static void less_on_the_way(void)
{
    struct memory_file file = memory_file();
    struct made *m = made_new(3, SL_NEED_VALUES);
    struct kept k = {0};
    struct sl_failure f = {0};
    struct sl_source *source;
    struct sl_chunk chunk;
    size_t n = 0, with = 0, same = 0, fewer = 0;
    write_trace(file.path, m, "w", 3000, &k, &f);
    sl_source_open(&source, file.path, &f);
    for (; sl_source_next(source, &chunk, &f) > 0; n++) {
        if (n == 10)
            sl_source_needs(source, 0);
        struct sl_chunk here = chunk.mem_value ? k.chunk[n]
                                               : expected(k.chunk[n], SL_NEED_VALUES, 0);
        same += same_chunk(&chunk, &here);
        with += chunk.mem_value != NULL;
        fewer += with == n + 1;
    }
    ok(n == 3000 && same == n && with > 10 && with < n && fewer == with,
       "less is needed from chunk 10 on: %zu chunks have values, then none", with);
    sl_source_close(source);
    forget(&k);
    made_free(m);
    close(file.fd);
}

int main(void)
{
    for (unsigned recorded = 0; recorded < 8; recorded++)
        everything_else_stays(recorded, "ewrlwwrf", 200);
    everything_else_stays(1, "w", 3000);
    everything_else_stays(7, "l", 70000);
    less_on_the_way();
    return done_testing();
}
