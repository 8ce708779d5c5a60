/* SPDX-License-Identifier: MIT */
/* Unit tests of the readers of files from other tools: compressed files are decompressed while they
 * are read, a ChampSim trace that sluice wrote is read back, and branch stacks of perf are parsed.
 */
#include <lzma.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "champsim.h"
#include "champsim_write.h"
#include "event.h"
#include "foreign_file.h"
#include "random.h"
#include "source.h"
#include "tap.h"

enum { SIZE = 3000000 };

static uint8_t plain[SIZE], packed[SIZE + SIZE / 2], got[SIZE + 1];
static char path[] = "/tmp/sluice-foreign-XXXXXX";

static void write_file(const void *data, size_t size)
{
    FILE *out = fopen(path, "w");
    fwrite(data, 1, size, out);
    fclose(out);
}

/* ---- compressed files ---- */

static size_t pack_plain(void)
{
    memcpy(packed, plain, SIZE);
    return SIZE;
}

static size_t pack_zstd(void)
{
    ZSTD_CCtx *zstd = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1); /* as the program zstd does */
    size_t size = ZSTD_compress2(zstd, packed, sizeof packed, plain, SIZE);
    ZSTD_freeCCtx(zstd);
    return size;
}

static size_t pack_xz(void)
{
    size_t at = 0;
    if (lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, plain, SIZE, packed, &at,
                                sizeof packed) != LZMA_OK)
        abort();
    return at;
}

static size_t pack_gzip(void)
{
    z_stream z = {
        .next_in = plain, .avail_in = SIZE, .next_out = packed, .avail_out = sizeof packed};
    if (deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK ||
        deflate(&z, Z_FINISH) != Z_STREAM_END)
        abort();
    size_t size = z.total_out;
    deflateEnd(&z);
    return size;
}

/* Reads the whole file in pieces of all sizes. Returns the number of bytes, or an error. */
static int64_t read_all(struct sl_failure *f)
{
    struct sl_foreign_file *file;
    int64_t error = sl_foreign_open(&file, path, f), n;
    size_t at = 0;
    if (error < 0)
        return error;
    for (size_t piece = 1; at < sizeof got; piece = piece * 5 % 99991) {
        size_t size = piece < sizeof got - at ? piece : sizeof got - at;
        if ((n = sl_foreign_read(file, got + at, size, f)) < 0) {
            at = 0;
            error = n;
            break;
        }
        at += (size_t)n;
        if ((size_t)n < size)
            break;
    }
    sl_foreign_close(file);
    return error < 0 ? error : (int64_t)at;
}

static void compressed(const char *name, size_t (*pack)(void))
{
    struct sl_failure f = {.text = ""};
    size_t size = pack();
    write_file(packed, size);
    ok(read_all(&f) == SIZE && !memcmp(plain, got, SIZE), "%s is read", name);
    if (pack == pack_plain)
        return;
    write_file(packed, size / 2);
    ok(read_all(&f) == SL_EFORMAT, "%s that is truncated is refused: %s", name, f.text);
    memset(packed + size / 2, 0x5a, 64);
    write_file(packed, size);
    ok(read_all(&f) == SL_EFORMAT, "%s that is damaged is refused: %s", name, f.text);
}

static void files(void)
{
    struct sl_failure f;
    uint64_t random = 2;
    for (size_t i = 0; i < SIZE; i++)
        plain[i] = (uint8_t)(sl_random_below(&random, 4) ? i >> 8 : sl_random_next(&random));
    compressed("a plain file", pack_plain);
    compressed("zstd", pack_zstd);
    compressed("xz", pack_xz);
    compressed("gzip", pack_gzip);
    write_file("BZh91AY", 7);
    ok(read_all(&f) == SL_EUNSUPPORTED, "bzip2 is refused: %s", f.text);
    write_file("", 0);
    ok(read_all(&f) == 0, "an empty file has no bytes");
    sl_foreign_close(NULL);
}

/* ---- ChampSim ---- */

/* A loop of a load, an instruction that sometimes stores, and a conditional branch back to the
 * start; after eight rounds the branch falls through to a jump there. */
static void make_records(FILE *out, unsigned rounds)
{
    for (unsigned i = 0; i < rounds; i++) {
        for (unsigned k = 0; k < 4; k++) {
            uint8_t r[SL_CHAMPSIM_RECORD] = {0};
            bool last = i % 8 == 7;
            uint64_t pc = 0x1000 + 4 * k, load = 0x20000 + 8 * i, store = 0x30000 + 8 * i;
            if (k == 3 && !last)
                continue;
            memcpy(r, &pc, 8);
            if (k == 0)
                memcpy(r + SL_CHAMPSIM_AT_LOADS, &load, 8);
            r[SL_CHAMPSIM_AT_WRITTEN] = (uint8_t)(30 + k);
            r[SL_CHAMPSIM_AT_READ] = 31;
            if (k >= 2) {
                r[SL_CHAMPSIM_AT_BRANCH] = 1;
                r[SL_CHAMPSIM_AT_TAKEN] = k == 3 || !last;
                r[SL_CHAMPSIM_AT_WRITTEN] = SL_CHAMPSIM_IP;
                r[SL_CHAMPSIM_AT_READ] = SL_CHAMPSIM_IP;
                r[SL_CHAMPSIM_AT_READ + 1] = k == 2 ? SL_CHAMPSIM_FLAGS : 0;
            }
            if (k == 1 && i % 3 == 0)
                memcpy(r + SL_CHAMPSIM_AT_STORES, &store, 8);
            fwrite(r, sizeof r, 1, out);
        }
    }
}

static char *read_back(size_t *size)
{
    FILE *in = fopen(path, "r");
    fseek(in, 0, SEEK_END);
    *size = (size_t)ftell(in);
    rewind(in);
    char *data = malloc(*size + 1);
    if (fread(data, 1, *size, in) != *size)
        abort();
    fclose(in);
    return data;
}

/* What ChampSim reads of a record is the same after reading and writing: address, branch, accesses
 * and, of branches, the registers that determine their kind. */
static bool same_record(const char *a, const char *b)
{
    bool branch = a[SL_CHAMPSIM_AT_BRANCH];
    return !memcmp(a, b, 10) && !memcmp(a + 16, b + 16, 48) &&
           (!branch || !memcmp(a + 12, b + 12, 1));
}

static void champsim(void)
{
    char name[64], *written = NULL;
    size_t size, n_written, original_size;
    struct sl_source *source;
    struct sl_failure f = {.text = ""};
    uint64_t left_out = 1;
    FILE *out = fopen(path, "w");
    make_records(out, 1000);
    fclose(out);
    char *original = read_back(&original_size);
    snprintf(name, sizeof name, "champsim:%s", path);
    ok(!sl_source_open(&source, name, &f), "a ChampSim trace is opened: %s", f.text);
    FILE *copy = open_memstream(&written, &n_written);
    ok(!sl_champsim_write(source, copy, NULL, &left_out, &f) && !left_out,
       "its stream is written again: %s", f.text);
    fclose(copy);
    sl_source_close(source);
    bool same = n_written == original_size;
    for (size = 0; size < original_size && same; size += SL_CHAMPSIM_RECORD)
        same = same_record(original + size, written + size);
    ok(same, "the records are the same");
    write_file(original, original_size - 1);
    int more = sl_source_open(&source, name, &f);
    struct sl_chunk chunk;
    while (more >= 0 && (more = sl_source_next(source, &chunk, &f)) > 0)
        ;
    ok(!more && strstr(source->warning, "within record"), "a truncated trace: %s", source->warning);
    sl_source_close(source);
    free(original);
    free(written);
    ok(!sl_source_open(&source, "synth:uniform(events=10)", &f) &&
           sl_champsim_write(source, stdout, NULL, &left_out, &f) == SL_EUSAGE,
       "a stream without addresses is refused: %s", f.text);
    sl_source_close(source);
}

/* ---- perf ---- */

static void perf(void)
{
    static const char text[] =
        "prog 1: 0x1010/0x1000/P/-/-/1 0x1010/0x1000/M/-/-/1/COND  0x2004/0x1008/P/-/-/0/RET\n"
        "nothing here\n"
        "0x3000/0x1000/P/-/-/1\n";
    char name[64];
    struct sl_source *source;
    struct sl_chunk chunk;
    struct sl_failure f = {.text = ""};
    uint64_t pc[8];
    uint32_t n = 0;
    write_file(text, sizeof text - 1);
    snprintf(name, sizeof name, "perf:%s", path);
    ok(!sl_source_open(&source, name, &f), "branch stacks are opened: %s", f.text);
    bool right = sl_source_next(source, &chunk, &f) == 1 && chunk.n_blocks == 4 &&
                 chunk.flags == SL_CHUNK_START;
    for (uint32_t i = 0; right && i < chunk.n_blocks; i++)
        pc[n++] = source->statics.block[chunk.block[i]].pc;
    ok(right && pc[0] == 0x2004 && pc[1] == 0x1008 && pc[2] == 0x1000 && pc[3] == 0x1000,
       "a sample of three branches is four blocks, the oldest first");
    right = right && source->statics.block[chunk.block[1]].n_bytes == 0x1010 + 1 - 0x1008;
    ok(right, "a block reaches from a branch's target to the next branch");
    ok(sl_source_next(source, &chunk, &f) == 1 && chunk.n_blocks == 2 &&
           chunk.flags == SL_CHUNK_GAP,
       "the next sample comes after a gap");
    ok(sl_source_next(source, &chunk, &f) == 0 && strstr(source->warning, "2 samples"), "%s",
       source->warning);
    sl_source_close(source);
    write_file("no branches\n", 12);
    ok(!sl_source_open(&source, name, &f) && sl_source_next(source, &chunk, &f) == SL_EFORMAT,
       "a text without branch stacks is refused: %s", f.text);
    sl_source_close(source);
}

int main(void)
{
    close(mkstemp(path));
    files();
    champsim();
    perf();
    unlink(path);
    return done_testing();
}
