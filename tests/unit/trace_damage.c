/* SPDX-License-Identifier: MIT */
/* Unit tests of damaged traces: truncated and modified files get different error messages, and
 * their intact part is read. A trace that cannot be written is an error, too. */
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

#include "../support/recorded_trace.h"
#include "tap.h"

/* ---- cut and damaged files ---- */

static uint8_t *small_trace(struct made *m, struct kept *k, struct memory_file *file, size_t *size)
{
    struct sl_failure f = {0};
    if (write_trace(file->path, m, "rerlr", 6, k, &f) < 0) {
        puts(f.text);
        abort();
    }
    return contents(file, size);
}

static void cut_everywhere(void)
{
    struct memory_file file = memory_file(), cut = memory_file();
    struct made *m = made_new(77, 3);
    struct kept k = {0};
    size_t size, good = 0, frames;
    uint8_t *data = small_trace(m, &k, &file, &size);
    struct layout l = lay_out(data, size);
    for (size_t length = 0; length < size; length++) {
        struct sl_failure f = {0};
        char warning[256], expected[64];
        long n_same;
        set_contents(&cut, data, length);
        int result = read_trace(cut.path, &k, &n_same, warning, &f);
        size_t n = whole_chunks(&l, length, &frames);
        /* The index is no frame that a reader of events counts. */
        frames = frames < l.n ? frames : l.n - 1;
        snprintf(expected, sizeof expected, "trace is truncated after %zu frames: ", frames);
        bool right = length < SL_TRACE_HEADER_SIZE
                         ? result == SL_EFORMAT
                         : result == 0 && n_same == (long)n &&
                               !strncmp(warning, expected, strlen(expected));
        good += right;
        if (!right && good + 3 > length)
            printf("# length %zu: %d, %ld chunks, %s%s\n", length, result, n_same, warning, f.text);
    }
    ok(good == size,
       "cut at every byte, whole frames are given and the cut is reported (%zu of %zu)", good,
       size);
    ok(l.n == 4, "the trace that was cut has records, events, an end record and an index");
    free(data);
    forget(&k);
    made_free(m);
    close(file.fd);
    close(cut.fd);
}

static void flipped_everywhere(void)
{
    struct memory_file file = memory_file(), flipped = memory_file();
    struct made *m = made_new(78, 5);
    struct kept k = {0};
    size_t size, good = 0, frames;
    uint8_t *data = small_trace(m, &k, &file, &size);
    struct layout l = lay_out(data, size);
    for (size_t at = 0; at < size; at++) {
        struct sl_failure f = {0};
        char warning[256], expected[64] = "";
        long n_same;
        uint8_t mask = (uint8_t)(at % 3 ? 1 << at % 8 : 0xff);
        data[at] ^= mask;
        set_contents(&flipped, data, size);
        data[at] ^= mask;
        int result = read_trace(flipped.path, &k, &n_same, warning, &f);
        size_t n = whole_chunks(&l, at, &frames);
        if (at >= SL_TRACE_HEADER_SIZE && at < l.frame[l.n - 1].end)
            snprintf(expected, sizeof expected, "frame %zu at byte %llu", frames,
                     (unsigned long long)l.frame[frames].at);
        bool right = result == SL_EFORMAT && n_same == (long)n && strstr(f.text, expected);
        good += right;
        if (!right && good + 3 > at)
            printf("# byte %zu: %d, %ld of %zu chunks, %s\n", at, result, n_same, n, f.text);
    }
    ok(good == size,
       "a change of any byte is reported, with its frame, after all frames before it "
       "(%zu of %zu)",
       good, size);
    uint8_t *longer = malloc(size + 1);
    memcpy(longer, data, size);
    longer[size] = 0;
    set_contents(&flipped, longer, size + 1);
    struct sl_failure f = {0};
    char warning[256];
    long n_same;
    ok(read_trace(flipped.path, &k, &n_same, warning, &f) == SL_EFORMAT && n_same == (long)k.n,
       "so is a byte after the end: %s", f.text);
    free(longer);
    free(data);
    forget(&k);
    made_free(m);
    close(file.fd);
    close(flipped.fd);
}

/* ---- refusals ---- */

static void bad_chunks(void)
{
    struct memory_file file = memory_file();
    struct made *m = made_new(3, 3);
    struct sl_trace_writer *w;
    struct sl_failure f = {0};
    struct sl_chunk good, bad;
    char warning[256];
    long n_same;
    struct kept k = {0};
    sl_trace_create(&w, file.path, 3, NULL, &f);
    made_program(m);
    made_blocks(m, 10);
    ok(sl_trace_records(w, m->records, m->n_records - 1, &f) == SL_EUSAGE, "half a record: %s",
       f.text);
    sl_trace_finish(w, &f);
    sl_trace_create(&w, file.path, 3, NULL, &f);
    sl_trace_records(w, m->records, m->n_records, &f);
    do
        made_chunk(m, MADE_WALK, &good);
    while (good.n_blocks < 3 || good.n_mems < 3);
    sl_trace_chunk(w, &good, &f);
    keep(&k, &good, m);
    bad = good;
    bad.n_blocks = SL_CHUNK_BLOCKS + 1;
    ok(sl_trace_chunk(w, &bad, &f) == SL_EUSAGE, "too many blocks: %s", f.text);
    bad = good;
    bad.n_mems = SL_CHUNK_MEMS + 1;
    ok(sl_trace_chunk(w, &bad, &f) == SL_EUSAGE, "too many mem events: %s", f.text);
    bad = good;
    bad.flags = SL_CHUNK_FLAGS + 1;
    ok(sl_trace_chunk(w, &bad, &f) == SL_EUSAGE, "unknown flags: %s", f.text);
    bad = good;
    bad.mem_value = NULL;
    ok(sl_trace_chunk(w, &bad, &f) == SL_EUSAGE, "no values: %s", f.text);
    bad = good;
    uint32_t keep_word = m->block[2];
    m->block[2] = 10;
    ok(sl_trace_chunk(w, &bad, &f) == SL_EUSAGE, "unknown block: %s", f.text);
    m->block[2] = keep_word;
    keep_word = m->mem_insn[1];
    m->mem_insn[1] = m->n_insns | SL_MEM_STORE;
    ok(sl_trace_chunk(w, &bad, &f) == SL_EUSAGE, "unknown instruction: %s", f.text);
    m->mem_insn[1] = keep_word;
    keep_word = m->block_mem[1];
    m->block_mem[1] = m->block_mem[2] + 1;
    ok(sl_trace_chunk(w, &bad, &f) == SL_EUSAGE, "block_mem goes back: %s", f.text);
    m->block_mem[1] = keep_word;
    ok(!sl_trace_chunk(w, &good, &f) && (keep(&k, &good, m), !sl_trace_finish(w, &f)) &&
           read_trace(file.path, &k, &n_same, warning, &f) == 0 && n_same == 2,
       "what was refused leaves no trace in the trace");

    sl_trace_create(&w, file.path, 1, NULL, &f);
    ok(sl_trace_records(w, m->records, m->n_records, &f) == SL_EUSAGE,
       "another stream's program: %s", f.text);
    sl_trace_finish(w, &f);
    ok(sl_trace_create(&w, file.path, 8, NULL, &f) == SL_EUSAGE, "unknown needs: %s", f.text);
    forget(&k);
    made_free(m);
    close(file.fd);
}

static void not_traces(void)
{
    struct sl_source *source;
    struct sl_failure f = {0};
    ok(sl_source_open(&source, "/nonexistent/x.slt", &f) == SL_EIO, "%s", f.text);
    ok(sl_source_open(&source, "/", &f) == SL_EFORMAT, "%s", f.text);
    ok(sl_source_open(&source, "/dev/null", &f) == SL_EFORMAT, "%s", f.text);
    ok(sl_source_open(&source, "/bin/sh", &f) == SL_EFORMAT, "%s", f.text);
}

static void unwritable(void)
{
    struct made *m = made_new(3, 3);
    struct sl_trace_writer *w;
    struct sl_failure f = {0}, again = {0};
    struct sl_chunk chunk;
    ok(sl_trace_create(&w, "/nonexistent/x.slt", 3, NULL, &f) == SL_EIO, "%s", f.text);
    ok(sl_trace_create(&w, "/dev/full", 3, NULL, &f) == SL_EIO, "%s", f.text);

    signal(SIGPIPE, SIG_IGN);
    int fd[2];
    char path[32];
    if (pipe(fd) < 0)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd[1]);
    sl_trace_create(&w, path, 3, NULL, &f);
    close(fd[0]);
    made_program(m);
    made_blocks(m, 10);
    made_chunk(m, MADE_FULL, &chunk);
    int error = sl_trace_records(w, m->records, m->n_records, &f);
    unsigned n = 0;
    while (!error && n++ < 1000)
        error = sl_trace_chunk(w, &chunk, &f);
    ok(error == SL_EIO && strstr(f.text, "Broken pipe"), "a closed pipe: %s", f.text);
    ok(sl_trace_chunk(w, &chunk, &again) == SL_EIO && !strcmp(f.text, again.text),
       "the next call says the same");
    ok(sl_trace_finish(w, &again) == SL_EIO && !strcmp(f.text, again.text), "and so does the last");
    close(fd[1]);
    made_free(m);
}

/* The disk is full in the middle: a limit on the file's size does the same. */
static void full_disk(void)
{
    char path[] = "/tmp/sluice-trace-XXXXXX", warning[256];
    struct rlimit before, limit;
    struct made *m = made_new(12, 3);
    struct kept k = {0};
    struct sl_failure f = {0};
    long n_same = 0;
    close(mkstemp(path));
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = 8000000;
    setrlimit(RLIMIT_FSIZE, &limit);
    int error = write_trace(path, m, "fw", 300, &k, &f);
    setrlimit(RLIMIT_FSIZE, &before);
    ok(error == SL_EIO && strstr(f.text, "File too large"), "no space in the middle: %s", f.text);
    int result = read_trace(path, &k, &n_same, warning, &f);
    ok(result == 0 && n_same > 50 && !strncmp(warning, "trace is truncated after ", 25),
       "what was written before can be read: %ld chunks, %s", n_same, warning);
    unlink(path);
    forget(&k);
    made_free(m);
}

int main(void)
{
    cut_everywhere();
    flipped_everywhere();
    bad_chunks();
    not_traces();
    unwritable();
    full_disk();
    return done_testing();
}
