/* SPDX-License-Identifier: MIT */
/* Unit tests of the summary of a trace: its index sums up the chunks that were written, and a file
 * without a valid index has no summary. */
#include "trace_summary.h"

#include "../support/recorded_trace.h"
#include "tap.h"

static void sums(const char *name, unsigned needs, const char *shapes, size_t n)
{
    struct memory_file file = memory_file();
    struct made *m = made_new(needs + n, needs);
    struct kept k = {0};
    struct sl_failure f = {0};
    struct sl_trace_summary s = {0};
    uint64_t blocks = 0, mems = 0;
    int written = write_trace(file.path, m, shapes, n, &k, &f);
    int summed = written < 0 ? written : sl_trace_summarize(file.path, &s, &f);
    for (size_t i = 0; i < k.n; i++) {
        blocks += k.chunk[i].n_blocks;
        mems += k.chunk[i].n_mems;
    }
    ok(!summed && s.chunks == n && s.blocks == blocks && s.mems == mems &&
           s.instructions == k.instructions && s.bytes == (uint64_t)lseek(file.fd, 0, SEEK_END),
       "needs %u, %s: the index sums up what is in %llu frames%s", needs, name,
       (unsigned long long)s.frames, f.text);
    if (ftruncate(file.fd, 100) < 0)
        abort();
    ok(sl_trace_summarize(file.path, &s, &f) == SL_EFORMAT, "a truncated trace has none: %s",
       f.text);
    forget(&k);
    made_free(m);
    close(file.fd);
}

int main(void)
{
    struct sl_trace_summary s;
    struct sl_failure f = {0};
    for (unsigned needs = 0; needs < 8; needs++)
        sums("all shapes", needs, "ewrlwwrf", 200);
    sums("full chunks", 0, "f", 300);
    sums("as programs do", 1, "w", 3000);
    sums("empty chunks", 2, "e", 70000);
    sums("no chunks", 1, "e", 0);
    ok(sl_trace_summarize("/tmp", &s, &f) == SL_EIO, "a directory has none: %s", f.text);
    ok(sl_trace_summarize("/bin/sh", &s, &f) == SL_EFORMAT, "nor has a program: %s", f.text);
    return done_testing();
}
