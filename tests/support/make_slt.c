/* SPDX-License-Identifier: MIT */
/* Test program that writes a synthetic trace file. Its arguments are the file, the random seed, the
 * kinds of data in the trace, the shapes of its chunks and the number of chunks (usage: make_slt
 * FILE SEED NEEDS SHAPES CHUNKS).
 *
 * SHAPES is a string of letters, used in turn: e empty, w a walk like a program's, r random, l lead
 * only, f full. */
#include <stdio.h>

#include "synthetic_stream.h"
#include "trace.h"

static int fail(const struct sl_failure *f)
{
    fprintf(stderr, "make_slt: %s\n", f->text);
    return 1;
}

int main(int argc, char **argv)
{
    static const char letters[] = "ewrlf";
    struct sl_trace_writer *w;
    struct sl_failure f;
    if (argc != 6 || strspn(argv[4], letters) != strlen(argv[4]) || !*argv[4]) {
        fprintf(stderr, "usage: make_slt FILE SEED NEEDS SHAPES CHUNKS\n");
        return 2;
    }
    struct made *m = made_new(strtoull(argv[2], NULL, 0), (unsigned)strtoul(argv[3], NULL, 0));
    const char *shape = argv[4];
    if (sl_trace_create(&w, argv[1], m->needs, NULL, &f) < 0)
        return fail(&f);
    made_program(m);
    for (unsigned long i = 0, reported = 0; i < strtoul(argv[5], NULL, 0); i++) {
        struct sl_chunk chunk;
        if (i % 8 == 0)
            made_blocks(m, i ? 10 : 50);
        if (sl_trace_records(w, m->records + reported, m->n_records - reported, &f) < 0)
            return fail(&f);
        reported = m->n_records;
        made_chunk(m, (enum made_shape)(strchr(letters, *shape) - letters), &chunk);
        if (sl_trace_chunk(w, &chunk, &f) < 0)
            return fail(&f);
        shape = shape[1] ? shape + 1 : argv[4];
    }
    size_t reported = m->n_records;
    made_end(m);
    if (sl_trace_records(w, m->records + reported, m->n_records - reported, &f) < 0 ||
        sl_trace_finish(w, &f) < 0)
        return fail(&f);
    made_free(m);
    return 0;
}
