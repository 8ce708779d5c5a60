/* SPDX-License-Identifier: MIT */
/* Unit tests of parts of the code that writes and reads traces: frame headers, the pool of encoding
 * threads, and recording a stream from any source. */
#include <string.h>
#include <zstd.h>

#include "../support/recorded_trace.h"
#include "source.h"
#include "tap.h"
#include "trace_encode.h"

/* ---- heads ---- */

static void heads(void)
{
    uint64_t random = 3;
    bool same = true, damaged = true;
    for (unsigned i = 0; i < 200; i++) {
        struct sl_trace_head head, again = {0};
        uint8_t bytes[SL_TRACE_HEAD_SIZE], copy[SL_TRACE_HEAD_SIZE];
        head.kind = 1 + (uint32_t)sl_random_below(&random, 3);
        head.number = (uint32_t)sl_random_next(&random);
        head.stored_size = (uint32_t)sl_random_next(&random);
        head.raw_size = (uint32_t)sl_random_next(&random);
        head.items = (uint32_t)sl_random_next(&random);
        head.blocks = (uint32_t)sl_random_next(&random);
        head.mems = (uint32_t)sl_random_next(&random);
        head.instructions = sl_random_next(&random);
        head.checksum = sl_random_next(&random);
        sl_trace_put_head(bytes, &head);
        same &= sl_trace_get_head(bytes, &again) && again.instructions == head.instructions;
        sl_trace_put_head(copy, &again);
        same &= !memcmp(bytes, copy, sizeof bytes) && again.mems == head.mems;
        bytes[sl_random_below(&random, sizeof bytes)] ^= (uint8_t)(1 +
                                                                   sl_random_below(&random, 255));
        damaged &= !sl_trace_get_head(bytes, &again);
    }
    ok(same, "a head is read as it was written");
    ok(damaged, "a head with any other byte is refused");
}

/* ---- the coder ---- */

/* Jobs of all sizes: they come back in order, and decompress to what was submitted. */
static void coder(unsigned threads)
{
    enum { JOBS = 60, SIZE_MAX_ = 200000 };
    struct sl_trace_coder *coder = sl_trace_coder_open(
        0, &(struct sl_recording){.size = sizeof(struct sl_recording), .threads = threads});
    static uint8_t plain[SIZE_MAX_];
    unsigned returned = 0;
    bool in_order = true, whole = true;
    ok(coder && !sl_trace_coder_full(coder) && !sl_trace_coder_next(coder),
       "%u threads: at first nothing is in flight", threads);
    for (unsigned i = 0; returned < JOBS;) {
        if (i < JOBS && !sl_trace_coder_full(coder)) {
            struct sl_trace_job *job = sl_trace_coder_job(coder);
            job->head = (struct sl_trace_head){.kind = SL_TRACE_RECORDS, .items = i++};
            job->raw_size = 1 + (size_t)(i * 7919) % SIZE_MAX_;
            memset(job->raw, (int)i, job->raw_size);
            sl_trace_coder_submit(coder);
            continue;
        }
        struct sl_trace_job *job = sl_trace_coder_next(coder);
        if (!job)
            break;
        in_order &= job->head.items == returned++;
        memset(plain, 0, sizeof plain);
        whole &= job->stored &&
                 ZSTD_decompress(plain, sizeof plain, job->stored + SL_TRACE_HEAD_SIZE,
                                 job->stored_size) == job->raw_size;
        whole &= plain[0] == (uint8_t)returned && plain[job->raw_size - 1] == (uint8_t)returned;
    }
    ok(in_order && returned == JOBS, "%u threads: jobs return in the order of submission", threads);
    ok(whole, "%u threads: each is whole", threads);
    sl_trace_coder_close(coder);
}

/* ---- recording ---- */

/* Counts what a source has. */
struct counts {
    uint64_t blocks, mems, instructions;
};

static struct counts count(const char *name)
{
    struct counts sum = {0};
    struct sl_source *source;
    struct sl_chunk chunk;
    struct sl_failure f;
    if (sl_source_open(&source, name, &f) < 0)
        return sum;
    while (sl_source_next(source, &chunk, &f) > 0) {
        sum.blocks += chunk.n_blocks;
        sum.mems += chunk.n_mems;
        for (uint32_t i = 0; i < chunk.n_blocks; i++)
            sum.instructions += source->statics.block_size[chunk.block[i]];
    }
    sl_source_close(source);
    return sum;
}

static bool same_count(const struct counts *a, const struct counts *b)
{
    return a->blocks == b->blocks && a->mems == b->mems && a->instructions == b->instructions;
}

static int record(const char *name, const char *path, uint64_t skip, uint64_t limit,
                  struct sl_failure *f)
{
    struct sl_source *source;
    int error = sl_source_open(&source, name, f);
    if (error < 0)
        return error;
    sl_source_run_range(source, skip, limit);
    error = sl_record(source, path, NULL, NULL, NULL, f);
    sl_source_close(source);
    return error;
}

static void recording(void)
{
    static const char spec[] = "synth:zipf(events=300K,tuples=1000,pcs=64)";
    char path[] = "/tmp/sluice-parts-XXXXXX";
    struct sl_failure f = {.text = ""};
    close(mkstemp(path));
    struct counts expected = count(spec);
    ok(!record(spec, path, 0, 0, &f), "a synthetic stream is recorded: %s", f.text);
    struct counts got = count(path);
    ok(expected.blocks == 300000 && same_count(&got, &expected), "the trace has its events");
    ok(!record(spec, path, 1000, 5000, &f), "a run range is recorded: %s", f.text);
    got = count(path);
    ok(got.instructions == 5000, "and has the instructions of the range: %llu",
       (unsigned long long)got.instructions);
    unlink(path);
    struct sl_source *source;
    ok(sl_source_open(&source, "synth:none", &f) == SL_EUSAGE && !source, "%s", f.text);
    ok(sl_source_open(&source, path, &f) == SL_EIO && !source, "%s", f.text);
}

int main(void)
{
    heads();
    coder(1);
    coder(3);
    recording();
    return done_testing();
}
