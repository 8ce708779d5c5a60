/* SPDX-License-Identifier: MIT */
/* Unit tests of sessions with several worker threads: with any number of threads, the resulting
 * database has the same bytes, for many profiles, and for programs with several threads. */
#include <unistd.h>

#include "../support/recorded_trace.h"
#include "sluice.h"
#include "tap.h"

static const char *const specs[] = {
    "value@multihash(interval=1K)",
    "value@H[P16]64",
    "value",
    "value@singlehash(interval=2K)",
    "edge",
    "call",
    "block",
    "block:instructions@hpt",
    "function",
    "path@hpt(64x4)",
    "loop",
    "value+edge@multihash(interval=3K)",
    "value@R16",
    "path(kind=wpp)@wpp",
};

static struct sl_failure f;

static void must(int result)
{
    if (result >= 0)
        return;
    printf("# gives up: %s\n", f.text);
    exit(1);
}

static uint8_t *database_of(const char *stream, unsigned threads, bool exact, size_t *size)
{
    char path[] = "/tmp/sluice-threads-XXXXXX";
    struct sl_session_config config = {.size = sizeof config,
                                       .spec = specs,
                                       .n_specs = sizeof specs / sizeof *specs,
                                       .exact = exact,
                                       .window = 5000,
                                       .threads = threads};
    struct sl_session *session;
    struct sl_source *source;
    int fd = mkstemp(path);
    must(sl_session_open(&session, &config, &f));
    must(sl_source_open(&source, stream, &f));
    must(sl_session_run(session, source, NULL, NULL, &f));
    must(sl_session_save(session, path, &f));
    sl_session_close(session);
    sl_source_close(source);
    close(fd);
    FILE *file = fopen(path, "rb");
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *data = malloc(*size + 1);
    if (fread(data, 1, *size, file) != *size)
        abort();
    fclose(file);
    unlink(path);
    return data;
}

static void compare(const char *what, const char *stream, bool exact)
{
    static const unsigned threads[] = {2, 4, 16};
    size_t size, others;
    uint8_t *one = database_of(stream, 1, exact, &size);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        uint8_t *more = database_of(stream, threads[i], exact, &others);
        ok(size == others && !memcmp(one, more, size), "%s%s: %u threads and one, %zu bytes", what,
           exact ? ", with errors" : "", threads[i], size);
        free(more);
    }
    free(one);
}

int main(void)
{
    struct memory_file file = memory_file();
    struct made *m = made_new(1, SL_NEED_VALUES);
    must(write_trace(file.path, m, "wwlrwe", 24, NULL, &f));
    made_free(m);
    for (int exact = 0; exact < 2; exact++) {
        compare("a trace", file.path, exact);
        compare("an invented stream", "synth:zipf(events=100K)", exact);
    }
    return done_testing();
}
