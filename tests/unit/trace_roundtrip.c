/* SPDX-License-Identifier: MIT */
/* Unit tests of writing and reading traces: the reader returns the chunks that were written, one by
 * one, from any start position. */
#include <fcntl.h>

#include "../support/recorded_trace.h"
#include "tap.h"

static bool same_statics(const struct sl_statics *a, const struct sl_statics *b)
{
    return a->n_blocks == b->n_blocks && a->n_insns == b->n_insns && a->n_bytes == b->n_bytes &&
           a->n_block_insns == b->n_block_insns && a->n_objects == b->n_objects &&
           !memcmp(a->block, b->block, a->n_blocks * sizeof *a->block) &&
           !memcmp(a->block_insn, b->block_insn, a->n_block_insns * sizeof *a->block_insn) &&
           !memcmp(a->bytes, b->bytes, a->n_bytes) && a->program.ended == b->program.ended &&
           a->program.status == b->program.status &&
           a->program.dropped_mems == b->program.dropped_mems &&
           !strcmp(a->program.path, b->program.path);
}

struct heard {
    uint8_t *data;
    size_t size;
};

static int hear(void *context, const uint8_t *data, size_t size, struct sl_failure *f)
{
    struct heard *h = context;
    (void)f;
    h->data = realloc(h->data, h->size + size + 1);
    memcpy(h->data + h->size, data, size);
    h->size += size;
    return 0;
}

static void round_trip(const char *name, unsigned needs, const char *shapes, size_t n)
{
    struct memory_file file = memory_file();
    struct made *m = made_new(needs + n, needs);
    struct kept k = {0};
    struct heard h = {0};
    struct sl_failure f = {0};
    struct sl_source *source;
    struct sl_statics statics = {0};
    long n_same;
    if (!ok(!write_trace(file.path, m, shapes, n, &k, &f), "needs %u, %s: written %s", needs, name,
            f.text))
        return;
    sl_source_open(&source, file.path, &f);
    source->on_records = hear;
    source->on_records_context = &h;
    ok(sl_source_contents(source) == needs && source->statics.program.path &&
           !strcmp(source->statics.program.path, "/bin/made") && !source->statics.n_blocks,
       "needs %u, %s: the program is known before anything is read", needs, name);
    int result = read_chunks(source, &k, 0, &n_same, &f);
    ok(result == 0 && n_same == (long)n && !source->warning[0],
       "needs %u, %s: the same %zu chunks come back%s%s", needs, name, n, f.text, source->warning);
    /* The program's own is applied before a callback can be set. */
    size_t program = SL_RECORD_HEAD + sl_get32(m->records);
    ok(h.size == m->n_records - program && !memcmp(h.data, m->records + program, h.size),
       "needs %u, %s: so do the records", needs, name);
    sl_statics_apply(&statics, m->records, m->n_records, &f);
    ok(same_statics(&statics, &source->statics), "needs %u, %s: and the static table", needs, name);
    ok(sl_source_next(source, &(struct sl_chunk){0}, &f) == 0,
       "needs %u, %s: the end stays the end", needs, name);
    sl_statics_free(&statics);
    sl_source_close(source);
    free(h.data);
    forget(&k);
    made_free(m);
    close(file.fd);
}

/* Records what `name` gives into a new file. */
static struct memory_file recorded_so(const char *name, const struct sl_recording *how,
                                      struct sl_failure *f)
{
    struct memory_file file = memory_file();
    struct sl_source *source;
    f->text[0] = 0;
    if (!sl_source_open(&source, name, f)) {
        sl_record(source, file.path, how, NULL, NULL, f);
        sl_source_close(source);
    }
    return file;
}

static struct memory_file recorded(const char *name, struct sl_failure *f)
{
    return recorded_so(name, NULL, f);
}

/* Whether the two are the same to the byte; closes the first. */
static bool same_files(struct memory_file *file, const uint8_t *other, size_t size)
{
    size_t its;
    uint8_t *data = contents(file, &its);
    bool same = its == size && !memcmp(data, other, size);
    free(data);
    close(file->fd);
    return same;
}

/* Threads change nothing of the file, and levels nothing of what is in it. */
static void however_recorded(void)
{
    static const char made_up[] = "synth:zipf(events=1M)";
    struct sl_failure f;
    struct memory_file usual = recorded(made_up, &f);
    size_t size, least;
    uint8_t *bytes = contents(&usual, &size);
    for (unsigned threads = 1; threads <= 9; threads += 4) {
        struct memory_file file = recorded_so(
            made_up,
            &(struct sl_recording){.size = sizeof(struct sl_recording), .threads = threads}, &f);
        ok(same_files(&file, bytes, size), "compressed by %u threads: the same file %s", threads,
           f.text);
    }
    for (unsigned level = 1; level <= SL_RECORDING_LEVEL_MAX; level += 9) {
        struct memory_file file = recorded_so(
            made_up, &(struct sl_recording){.size = sizeof(struct sl_recording), .level = level},
            &f);
        free(contents(&file, &least));
        struct memory_file again = recorded(file.path, &f);
        ok(same_files(&again, bytes, size), "level %u, %zu bytes: the same events %s", level, least,
           f.text);
        close(file.fd);
    }
    ok(least < size, "the highest level makes it smaller: %zu, not %zu bytes", least, size);
    struct memory_file file = recorded_so(
        made_up,
        &(struct sl_recording){.size = sizeof(struct sl_recording),
                               .level = SL_RECORDING_LEVEL_MAX + 1},
        &f);
    ok(f.code == SL_EUSAGE, "no level: %s", f.text);
    close(file.fd);
    free(bytes);
    close(usual.fd);
}

static void recorded_again(void)
{
    struct memory_file made = memory_file();
    struct made *m = made_new(21, 3);
    struct sl_failure f = {0};
    const char *const name[] = {made.path, "synth:zipf(events=1M)"};
    write_trace(made.path, m, "wfrel", 300, NULL, &f);
    for (int i = 0; i < 2; i++) {
        struct memory_file once = recorded(name[i], &f), twice = recorded(once.path, &f);
        size_t size, again;
        uint8_t *a = contents(&once, &size), *b = contents(&twice, &again);
        ok(size > 1000 && size == again && !memcmp(a, b, size),
           "%s: a trace recorded from a trace is the same, byte for byte %s",
           i ? "invented" : "written", f.text);
        free(a);
        free(b);
        close(once.fd);
        close(twice.fd);
    }
    made_free(m);
    close(made.fd);
}

static void pipes(void)
{
    struct memory_file file = memory_file();
    struct made *m = made_new(5, 7);
    struct kept k = {0};
    struct sl_failure f = {0};
    char warning[256];
    long n_same;
    size_t size;
    int pipe_fd[2], stdin_fd = dup(0);
    write_trace(file.path, m, "w", 3, &k, &f);
    uint8_t *data = contents(&file, &size);
    if (pipe(pipe_fd) < 0 || fcntl(pipe_fd[1], F_SETPIPE_SZ, 1 << 20) < (int)size ||
        write(pipe_fd[1], data, size) != (ssize_t)size)
        abort();
    close(pipe_fd[1]);
    dup2(pipe_fd[0], 0);
    close(pipe_fd[0]);
    int result = read_trace("-", &k, &n_same, warning, &f);
    ok(result == 0 && n_same == 3 && !*warning, "\"-\" reads a trace from a pipe %s", f.text);
    dup2(stdin_fd, 0);
    free(data);
    forget(&k);
    made_free(m);
    close(file.fd);
}

/* ---- the index ---- */

static void seeking(unsigned needs)
{
    struct memory_file file = memory_file();
    struct made *m = made_new(9, needs);
    struct kept k = {0};
    struct sl_failure f = {0};
    size_t size, good = 0, trials = 40;
    write_trace(file.path, m, "frwlf", needs ? 300 : 1500, &k, &f);
    uint8_t *data = contents(&file, &size);
    struct layout l = lay_out(data, size);
    uint64_t random = 4, last = l.frame[l.n - 1].instructions_before;
    ok(l.n > 5 && last == k.instructions, "needs %u: heads count %llu instructions in %zu frames",
       needs, (unsigned long long)last, l.n);
    for (size_t t = 0; t < trials; t++) {
        uint64_t target = sl_random_below(&random, last + last / 8);
        if (t % 4 == 0) /* a frame's very start, or one less */
            target = l.frame[sl_random_below(&random, l.n)].instructions_before - (t % 8 == 0);
        struct sl_source *source;
        long n_same;
        sl_source_open(&source, file.path, &f);
        if (t % 3 == 0) /* from somewhere else than the start */
            sl_source_next(source, &(struct sl_chunk){0}, &f);
        int64_t start = source->ops->skip(source, target, &f);
        size_t i = 0;
        while (i + 1 < l.n &&
               (l.frame[i].kind != 2 || (l.frame[i].instructions_before < target &&
                                         l.frame[i + 1].instructions_before <= target)))
            i++;
        size_t from = l.frame[i].chunks_before + (t % 3 == 0 && l.frame[i].chunks_before == 0);
        int result = read_chunks(source, &k, from, &n_same, &f);
        good += start == (int64_t)l.frame[i].instructions_before && result == 0 &&
                n_same == (long)(k.n - from) && source->statics.program.ended;
        sl_source_close(source);
    }
    ok(good == trials,
       "needs %u: reading goes on at the frame with the instruction requested "
       "(%zu of %zu)",
       needs, good, trials);
    ok(sl_get64(data + size - 24) == l.frame[l.n - 1].at,
       "needs %u: the trailer points at the index", needs);
    free(data);
    forget(&k);
    made_free(m);
    close(file.fd);
}

int main(void)
{
    for (unsigned needs = 0; needs < 8; needs++)
        round_trip("all shapes", needs, "ewrlwwrf", 200);
    round_trip("full chunks", 0, "f", 300);
    round_trip("full chunks", 7, "f", 150);
    round_trip("as programs do", 1, "w", 3000);
    round_trip("empty chunks", 2, "e", 70000);
    round_trip("lead only", 7, "l", 70000);
    round_trip("no chunks", 1, "e", 0);
    recorded_again();
    however_recorded();
    pipes();
    seeking(0);
    seeking(3);
    return done_testing();
}
