/* SPDX-License-Identifier: MIT */
/* Unit tests of large trace frames, which the trace format allows but sluice never writes. The
 * reader does not read these frames in advance, so that it needs memory for only one frame. */
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../support/synthetic_stream.h"
#include "../support/slt_pieces.h"
#include "source.h"
#include "tap.h"
#include "trace.h"

static int fd;
static char path[32];

/* As many events as a frame may have. */
static void fill(struct piece *frame, struct made *m)
{
    struct sl_trace_sorter *sorter = calloc(1, sizeof *sorter);
    struct sl_trace_sorted *sorted = calloc(1, sizeof *sorted);
    struct sl_trace_encoder *encoder = calloc(1, sizeof *encoder);
    struct sl_statics statics = {0};
    struct sl_failure f;
    struct sl_chunk chunk;
    uint8_t *raw = malloc(SL_TRACE_ENCODE_BYTES);
    sl_statics_apply(&statics, m->records, m->n_records, &f);
    *sorter = (struct sl_trace_sorter){.needs = m->needs, .statics = &statics};
    sl_sort_begin(sorter, sorted);
    while (sorted->n_blocks + sorted->n_mems + SL_CHUNK_BLOCKS + SL_CHUNK_MEMS <=
           SL_TRACE_FRAME_EVENTS) {
        made_chunk(m, MADE_WALK, &chunk);
        if (!sl_sort_chunk(sorter, &chunk))
            abort();
    }
    free(frame->raw.at);
    frame->raw = copy((struct bytes){raw, sl_trace_encode(encoder, sorted, m->needs, raw)});
    frame->head.items = sorted->n_chunks;
    frame->head.blocks = sorted->n_blocks;
    frame->head.mems = sorted->n_mems;
    frame->head.instructions = sorted->instructions;
    free(raw);
    sl_trace_encoder_free(encoder);
    sl_trace_sorted_free(sorted);
    free(sorter);
    sl_statics_free(&statics);
}

/* Records, the given number of equal large frames, the end. */
static void write_frames(unsigned n)
{
    struct made *m = made_new(7, SL_NEED_VALUES);
    struct sl_trace_writer *w;
    struct sl_chunk chunk;
    struct sl_failure f;
    made_program(m);
    made_blocks(m, 30);
    sl_trace_create(&w, path, m->needs, NULL, &f);
    sl_trace_records(w, m->records, m->n_records, &f);
    made_chunk(m, MADE_WALK, &chunk);
    sl_trace_chunk(w, &chunk, &f);
    if (sl_trace_finish(w, &f) < 0)
        abort();
    struct pieces p = take_apart_file(fd);
    fill(&p.frame[1], m);
    for (; p.n < 1 + n; p.n++) {
        p.frame[p.n].head = p.frame[1].head;
        p.frame[p.n].raw = copy(p.frame[1].raw);
    }
    struct bytes all = put_together(&p, &(struct faults){0});
    if (ftruncate(fd, 0) < 0 || pwrite(fd, all.at, all.size, 0) != (ssize_t)all.size)
        abort();
    free(all.at);
    free_pieces(&p);
    made_free(m);
}

static size_t allocated(void)
{
    struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
}

/* Reads it all. Returns the most memory that was allocated whenever a chunk was there. */
static size_t read_frames(uint64_t *n_events)
{
    struct sl_source *source;
    struct sl_chunk chunk;
    struct sl_failure f = {0};
    size_t before = allocated(), most = 0;
    int more = sl_source_open(&source, path, &f);
    *n_events = 0;
    while (more >= 0 && (more = sl_source_next(source, &chunk, &f)) > 0) {
        size_t now = allocated() - before;
        most = now > most ? now : most;
        *n_events += chunk.n_blocks + chunk.n_mems;
    }
    if (more < 0)
        printf("# %s\n", f.text);
    else
        sl_source_close(source);
    return most;
}

int main(void)
{
    uint64_t events_of_one, events_of_all;
    fd = memfd_create("trace", 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    write_frames(1);
    size_t one = read_frames(&events_of_one);
    write_frames(8);
    size_t all = read_frames(&events_of_all);
    printf("# one frame: %zu KB; eight: %zu KB\n", one / 1024, all / 1024);
    ok(events_of_one > SL_TRACE_FRAME_EVENTS / 2 && events_of_all == 8 * events_of_one,
       "frames of a million events are read, %llu of them", (unsigned long long)events_of_all);
    if (one) /* sanitizers have an allocator that cannot be asked */
        ok(all < one + one / 2, "the memory of many is that of one");
    return done_testing();
}
