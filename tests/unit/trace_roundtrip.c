/* Traces: what is written is read, chunk for chunk; cut, damaged and unwritable
 * files are told apart and give what they can. */
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../support/made_stream.h"
#include "tap.h"
#include "trace.h"
#include "trace_format.h"

/* ---- a trace in memory, and what should be in it -------------------------- */

struct kept { /* a copy of all chunks, in order */
    struct sl_chunk *chunk;
    size_t n, room;
    uint64_t instructions;
};

static void *copy(const void *data, size_t size)
{
    void *c = malloc(size + 1);
    if (size)
        memcpy(c, data, size);
    return c;
}

static void keep(struct kept *k, const struct sl_chunk *c, const struct made *m)
{
    if (k->n == k->room)
        k->chunk = realloc(k->chunk, (k->room = 2 * k->room + 16) * sizeof *k->chunk);
    struct sl_chunk *to = &k->chunk[k->n++];
    *to = *c;
    to->block = copy(c->block, 4 * (size_t)c->n_blocks);
    if (c->block_mem)
        to->block_mem = copy(c->block_mem, 4 * (size_t)c->n_blocks);
    if (c->mem_insn)
        to->mem_insn = copy(c->mem_insn, 4 * (size_t)c->n_mems);
    if (c->mem_value)
        to->mem_value = copy(c->mem_value, 8 * (size_t)c->n_mems);
    if (c->mem_addr)
        to->mem_addr = copy(c->mem_addr, 8 * (size_t)c->n_mems);
    for (uint32_t i = 0; i < c->n_blocks; i++)
        k->instructions += m->n_in_block[c->block[i]];
}

static void forget(struct kept *k)
{
    for (size_t i = 0; i < k->n; i++) {
        free((void *)k->chunk[i].block);
        free((void *)k->chunk[i].block_mem);
        free((void *)k->chunk[i].mem_insn);
        free((void *)k->chunk[i].mem_value);
        free((void *)k->chunk[i].mem_addr);
    }
    free(k->chunk);
    *k = (struct kept){0};
}

static bool same_array(const void *a, const void *b, size_t size)
{
    return !a == !b && (!a || !memcmp(a, b, size));
}

static bool same_chunk(const struct sl_chunk *a, const struct sl_chunk *b)
{
    return a->thread == b->thread && a->flags == b->flags && a->n_blocks == b->n_blocks &&
           a->n_mems == b->n_mems && same_array(a->block, b->block, 4 * (size_t)a->n_blocks) &&
           same_array(a->block_mem, b->block_mem, 4 * (size_t)a->n_blocks) &&
           same_array(a->mem_insn, b->mem_insn, 4 * (size_t)a->n_mems) &&
           same_array(a->mem_value, b->mem_value, 8 * (size_t)a->n_mems) &&
           same_array(a->mem_addr, b->mem_addr, 8 * (size_t)a->n_mems);
}

/* A file without a name. */
struct memory_file {
    int fd;
    char path[32];
};

static struct memory_file memory_file(void)
{
    struct memory_file file = {.fd = memfd_create("trace", 0)};
    snprintf(file.path, sizeof file.path, "/proc/self/fd/%d", file.fd);
    return file;
}

static uint8_t *contents(const struct memory_file *file, size_t *size)
{
    *size = (size_t)lseek(file->fd, 0, SEEK_END);
    uint8_t *data = malloc(*size + 1);
    return pread(file->fd, data, *size, 0) == (ssize_t)*size ? data : NULL;
}

static void set_contents(const struct memory_file *file, const uint8_t *data, size_t size)
{
    if (ftruncate(file->fd, 0) < 0 || pwrite(file->fd, data, size, 0) != (ssize_t)size)
        abort();
}

/* Writes `n` chunks of the shapes given (one letter each: e w r l f, repeated),
 * with new blocks in between. */
static int write_trace(const char *path, struct made *m, const char *shapes, size_t n,
                       struct kept *k, struct sl_failure *f)
{
    static const char letters[] = "ewrlf";
    struct sl_trace_writer *w;
    struct sl_chunk chunk;
    size_t told = 0;
    int error = sl_trace_create(&w, path, m->wants, f);
    if (error < 0)
        return error;
    made_program(m);
    made_blocks(m, 20);
    for (size_t i = 0; i < n && !error; i++) {
        if (i % 16 == 3)
            made_blocks(m, 40);
        error = sl_trace_records(w, m->records + told, m->n_records - told, f);
        told = m->n_records;
        const char *letter = strchr(letters, shapes[i % strlen(shapes)]);
        made_chunk(m, (enum made_shape)(letter - letters), &chunk);
        if (!error)
            error = sl_trace_chunk(w, &chunk, f);
        if (!error && k)
            keep(k, &chunk, m);
    }
    made_end(m);
    if (!error)
        error = sl_trace_records(w, m->records + told, m->n_records - told, f);
    int at_end = sl_trace_finish(w, error ? NULL : f);
    return error ? error : at_end;
}

/* Reads to the end. Returns the last result; *n_same is the number of chunks that
 * were the expected ones, from number `from` on, or -1 if one was not. */
static int read_chunks(struct sl_source *source, const struct kept *k, size_t from, long *n_same,
                       struct sl_failure *f)
{
    struct sl_chunk chunk;
    int result;
    *n_same = 0;
    f->text[0] = 0;
    while ((result = sl_source_next(source, &chunk, f)) > 0)
        if (*n_same >= 0) {
            size_t i = from + (size_t)*n_same;
            *n_same = i < k->n && same_chunk(&chunk, &k->chunk[i]) ? *n_same + 1 : -1;
        }
    return result;
}

static int read_trace(const char *path, const struct kept *k, long *n_same, char *warning,
                      struct sl_failure *f)
{
    struct sl_source *source;
    *n_same = 0;
    *warning = 0;
    int result = sl_trace_source(&source, path, f);
    if (result < 0)
        return result;
    result = read_chunks(source, k, 0, n_same, f);
    strcpy(warning, source->warning);
    sl_source_close(source);
    return result;
}

/* ---- round trips -------------------------------------------------------------- */

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

static void round_trip(const char *name, unsigned wants, const char *shapes, size_t n)
{
    struct memory_file file = memory_file();
    struct made *m = made_new(wants + n, wants);
    struct kept k = {0};
    struct heard h = {0};
    struct sl_failure f = {0};
    struct sl_source *source;
    struct sl_statics statics = {0};
    long n_same;
    if (!ok(!write_trace(file.path, m, shapes, n, &k, &f), "wants %u, %s: written %s", wants, name,
            f.text))
        return;
    sl_trace_source(&source, file.path, &f);
    source->on_records = hear;
    source->on_records_context = &h;
    ok(sl_source_wants(source) == wants && source->statics.program.path &&
           !strcmp(source->statics.program.path, "/bin/made") && !source->statics.n_blocks,
       "wants %u, %s: the program is known before anything is read", wants, name);
    int result = read_chunks(source, &k, 0, &n_same, &f);
    ok(result == 0 && n_same == (long)n && !source->warning[0],
       "wants %u, %s: the same %zu chunks come back%s%s", wants, name, n, f.text, source->warning);
    /* The program's own is applied before anybody can listen. */
    size_t program = SL_RECORD_HEAD + sl_get32(m->records);
    ok(h.size == m->n_records - program && !memcmp(h.data, m->records + program, h.size),
       "wants %u, %s: so do the records", wants, name);
    sl_statics_apply(&statics, m->records, m->n_records, &f);
    ok(same_statics(&statics, &source->statics), "wants %u, %s: and the static table", wants, name);
    ok(sl_source_next(source, &(struct sl_chunk){0}, &f) == 0,
       "wants %u, %s: the end stays the end", wants, name);
    struct sl_trace_summary s;
    uint64_t blocks = 0, mems = 0;
    for (size_t i = 0; i < k.n; i++) {
        blocks += k.chunk[i].n_blocks;
        mems += k.chunk[i].n_mems;
    }
    ok(!sl_trace_summarize(file.path, &s, &f) && s.chunks == n && s.blocks == blocks &&
           s.mems == mems && s.instructions == k.instructions,
       "wants %u, %s: the index sums up what is in %llu frames", wants, name,
       (unsigned long long)s.frames);
    sl_statics_free(&statics);
    sl_source_close(source);
    free(h.data);
    forget(&k);
    made_free(m);
    close(file.fd);
}

/* Records what `name` gives into a new file. */
static struct memory_file recorded(const char *name, struct sl_failure *f)
{
    struct memory_file file = memory_file();
    struct sl_source *source;
    f->text[0] = 0;
    if (!sl_source_open(&source, name, f)) {
        sl_record(source, file.path, NULL, NULL, f);
        sl_source_close(source);
    }
    return file;
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
           i ? "made up" : "written", f.text);
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

/* ---- cut and damaged files ---------------------------------------------------- */

struct layout { /* by our own walk over the heads, not the reader's */
    size_t n;
    struct {
        uint64_t at, end;
        uint32_t kind, chunks, blocks, mems;
        uint64_t instructions;
        size_t chunks_before;
        uint64_t instructions_before;
    } frame[512];
};

static struct layout lay_out(const uint8_t *data, size_t size)
{
    struct layout l = {0};
    size_t chunks = 0;
    uint64_t at = SL_TRACE_HEADER_SIZE, instructions = 0;
    while (at + SL_TRACE_HEAD_SIZE + SL_TRACE_TRAILER_SIZE <= size && l.n < 512) {
        const uint8_t *h = data + at;
        bool events = sl_get32(h + 4) == 2;
        uint64_t end = at + SL_TRACE_HEAD_SIZE + sl_get32(h + 12);
        l.frame[l.n].at = at;
        l.frame[l.n].end = end;
        l.frame[l.n].kind = sl_get32(h + 4);
        l.frame[l.n].chunks = sl_get32(h + 20);
        l.frame[l.n].blocks = sl_get32(h + 24);
        l.frame[l.n].mems = sl_get32(h + 28);
        l.frame[l.n].instructions = sl_get64(h + 32);
        l.frame[l.n].chunks_before = chunks;
        l.frame[l.n].instructions_before = instructions;
        chunks += events ? sl_get32(h + 20) : 0;
        instructions += events ? sl_get64(h + 32) : 0;
        l.n++;
        at = end;
    }
    return l;
}

/* Chunks in frames that end at or before `offset`. */
static size_t whole_chunks(const struct layout *l, uint64_t offset, size_t *frames)
{
    size_t n = 0;
    *frames = 0;
    for (size_t i = 0; i < l->n && l->frame[i].end <= offset; i++) {
        n += l->frame[i].kind == 2 ? l->frame[i].chunks : 0;
        ++*frames;
    }
    return n;
}

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
        snprintf(expected, sizeof expected, "trace is cut after %zu frames: ", frames);
        bool right = length < SL_TRACE_HEADER_SIZE
                         ? result == SL_EFORMAT
                         : result == 0 && n_same == (long)n &&
                               !strncmp(warning, expected, strlen(expected));
        good += right;
        if (!right && good + 3 > length)
            printf("# length %zu: %d, %ld chunks, %s%s\n", length, result, n_same, warning, f.text);
    }
    ok(good == size, "cut at every byte, whole frames are given and the cut is told (%zu of %zu)",
       good, size);
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
    ok(good == size, "a change of any byte is told, with its frame, after all frames before it "
       "(%zu of %zu)", good, size);
    uint8_t *longer = malloc(size + 1);
    memcpy(longer, data, size);
    longer[size] = 0;
    set_contents(&flipped, longer, size + 1);
    struct sl_failure f = {0};
    char warning[256];
    long n_same;
    ok(read_trace(flipped.path, &k, &n_same, warning, &f) == SL_EFORMAT && n_same == (long)k.n,
       "so is a byte behind the end: %s", f.text);
    free(longer);
    free(data);
    forget(&k);
    made_free(m);
    close(file.fd);
    close(flipped.fd);
}

/* ---- the index ------------------------------------------------------------------ */

static void seeking(unsigned wants)
{
    struct memory_file file = memory_file();
    struct made *m = made_new(9, wants);
    struct kept k = {0};
    struct sl_failure f = {0};
    size_t size, good = 0, trials = 40;
    write_trace(file.path, m, "frwlf", wants ? 300 : 1500, &k, &f);
    uint8_t *data = contents(&file, &size);
    struct layout l = lay_out(data, size);
    uint64_t random = 4, last = l.frame[l.n - 1].instructions_before;
    ok(l.n > 5 && last == k.instructions, "wants %u: heads count %llu instructions in %zu frames",
       wants, (unsigned long long)last, l.n);
    for (size_t t = 0; t < trials; t++) {
        uint64_t target = sl_random_below(&random, last + last / 8);
        if (t % 4 == 0) /* a frame's very start, or one less */
            target = l.frame[sl_random_below(&random, l.n)].instructions_before - (t % 8 == 0);
        struct sl_source *source;
        long n_same;
        sl_trace_source(&source, file.path, &f);
        if (t % 3 == 0) /* from somewhere else than the start */
            sl_source_next(source, &(struct sl_chunk){0}, &f);
        int64_t start = sl_trace_seek(source, target, &f);
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
    ok(good == trials, "wants %u: reading goes on at the frame with the instruction asked for "
       "(%zu of %zu)", wants, good, trials);
    ok(sl_get64(data + size - 24) == l.frame[l.n - 1].at,
       "wants %u: the trailer points at the index", wants);
    free(data);
    forget(&k);
    made_free(m);
    close(file.fd);
}

/* ---- refusals --------------------------------------------------------------------- */

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
    sl_trace_create(&w, file.path, 3, &f);
    made_program(m);
    made_blocks(m, 10);
    ok(sl_trace_records(w, m->records, m->n_records - 1, &f) == SL_EUSAGE, "half a record: %s",
       f.text);
    sl_trace_finish(w, &f);
    sl_trace_create(&w, file.path, 3, &f);
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
    bad.flags = 4;
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

    sl_trace_create(&w, file.path, 1, &f);
    ok(sl_trace_records(w, m->records, m->n_records, &f) == SL_EUSAGE,
       "another stream's program: %s", f.text);
    sl_trace_finish(w, &f);
    ok(sl_trace_create(&w, file.path, 8, &f) == SL_EUSAGE, "unknown wants: %s", f.text);
    forget(&k);
    made_free(m);
    close(file.fd);
}

static void not_traces(void)
{
    struct sl_source *source;
    struct sl_failure f = {0};
    ok(sl_trace_source(&source, "/nonexistent/x.slt", &f) == SL_EIO, "%s", f.text);
    ok(sl_trace_source(&source, "/", &f) == SL_EFORMAT, "%s", f.text);
    ok(sl_trace_source(&source, "/dev/null", &f) == SL_EFORMAT, "%s", f.text);
    ok(sl_trace_source(&source, "/bin/sh", &f) == SL_EFORMAT, "%s", f.text);
    ok(sl_trace_summarize("/bin/sh", &(struct sl_trace_summary){0}, &f) == SL_EFORMAT, "%s",
       f.text);
}

static void unwritable(void)
{
    struct made *m = made_new(3, 3);
    struct sl_trace_writer *w;
    struct sl_failure f = {0}, again = {0};
    struct sl_chunk chunk;
    ok(sl_trace_create(&w, "/nonexistent/x.slt", 3, &f) == SL_EIO, "%s", f.text);
    ok(sl_trace_create(&w, "/dev/full", 3, &f) == SL_EIO, "%s", f.text);

    signal(SIGPIPE, SIG_IGN);
    int fd[2];
    char path[32];
    if (pipe(fd) < 0)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd[1]);
    sl_trace_create(&w, path, 3, &f);
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
    ok(error == SL_EIO && strstr(f.text, "File too large"), "no room in the middle: %s", f.text);
    int result = read_trace(path, &k, &n_same, warning, &f);
    ok(result == 0 && n_same > 50 && !strncmp(warning, "trace is cut after ", 19),
       "what was written before can be read: %ld chunks, %s", n_same, warning);
    unlink(path);
    forget(&k);
    made_free(m);
}

int main(void)
{
    for (unsigned wants = 0; wants < 8; wants++)
        round_trip("all shapes", wants, "ewrlwwrf", 200);
    round_trip("full chunks", 0, "f", 300);
    round_trip("full chunks", 7, "f", 150);
    round_trip("as programs do", 1, "w", 3000);
    round_trip("empty chunks", 2, "e", 70000);
    round_trip("lead only", 7, "l", 70000);
    round_trip("no chunks", 1, "e", 0);
    recorded_again();
    pipes();
    cut_everywhere();
    flipped_everywhere();
    seeking(0);
    seeking(3);
    bad_chunks();
    not_traces();
    unwritable();
    full_disk();
    return done_testing();
}
