/* SPDX-License-Identifier: MIT */
/* Unit tests of the static table, which describes the program's code. Records that describe a known
 * program give the expected table, also if they arrive byte by byte. Records in which a random byte
 * was changed are either applied or refused, and all indices in the table remain valid. */
#include "statics.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "random.h"
#include "tap.h"

static uint8_t data[4096];
static size_t n_data;

static void put(uint64_t value, unsigned n_bytes)
{
    for (unsigned i = 0; i < n_bytes; i++)
        data[n_data++] = (uint8_t)(value >> 8 * i);
}

static void put_head(size_t length, enum sl_record type)
{
    put(length, 4);
    put(type, 4);
}

/* A block of n instructions of `size` bytes; numbers from `first` on, as the table expects them. */
static void put_block(uint32_t number, uint64_t pc, uint32_t first, uint16_t n, uint8_t size)
{
    put_head(15 + n * (5u + size), SL_RECORD_BLOCK);
    put(pc, 8);
    put(number, 4);
    put(SL_MARK_NONE, 1);
    put(n, 2);
    for (uint32_t i = 0; i < n; i++) {
        put(first + i, 4);
        put(size, 1);
    }
    for (uint32_t i = 0; i < n; i++)
        put(first + i, size);
}

static void put_records(void)
{
    char path[] = "/bin/a", first[] = "a", second[] = "-b c", *argv[] = {first, second, NULL};
    struct sl_statics from = {.program = {.arch = SL_ARCH_RISCV64,
                                          .needs = 5,
                                          .path = path,
                                          .argv = argv,
                                          .status = 256,
                                          .exec = true,
                                          .forks = 2,
                                          .threads = 3,
                                          .dropped_blocks = 4,
                                          .dropped_mems = 5,
                                          .tap = SL_TAP_ENGINE}};
    n_data = 0;
    n_data += sl_statics_program_record(&from, data, sizeof data);
    put_head(24 + 5, SL_RECORD_OBJECT);
    put(0x1000, 8);
    put(0x2000, 8);
    put(0x3000, 8);
    memcpy(data + n_data, "/bin/", 5);
    n_data += 5;
    put_block(0, 0x1000, 0, 3, 4);
    put_block(1, 0x1004, 1, 2, 4); /* overlaps the first: the same instructions */
    put_block(2, 0x1100, 3, 1, 2);
    n_data += sl_statics_end_record(&from, data + n_data, sizeof data - n_data);
}

static bool is_whole(const struct sl_statics *s)
{
    const struct sl_program *p = &s->program;
    return p->arch == SL_ARCH_RISCV64 && p->needs == 5 && !strcmp(p->path, "/bin/a") &&
           !strcmp(p->argv[0], "a") && !strcmp(p->argv[1], "-b c") && !p->argv[2] &&
           p->status == 256 && p->exec && p->forks == 2 && p->threads == 3 &&
           p->dropped_blocks == 4 && p->dropped_mems == 5 && p->tap == SL_TAP_ENGINE && p->ended &&
           s->n_objects == 1 && s->object[0].end == 0x2000 && !strcmp(s->object[0].path, "/bin/") &&
           s->n_blocks == 3 && s->n_insns == 4 && s->n_bytes == 14 && s->block[1].n_bytes == 8 &&
           s->block_insn[s->block[1].insns_at] == 1 && s->insn[1].pc == 0x1004 &&
           s->block_size[2] == 1 && s->bytes[s->insn[3].bytes_at] == 3;
}

static void applies(void)
{
    struct sl_statics s = {0};
    struct sl_failure f = {0};
    ok(sl_statics_apply(&s, data, n_data, &f) == (int64_t)n_data && is_whole(&s),
       "%zu bytes of records are applied", n_data);
    sl_statics_free(&s);

    size_t used = 0;
    for (size_t end = 0; end <= n_data; end++) {
        int64_t n = sl_statics_apply(&s, data + used, end - used, &f);
        used += n > 0 ? (size_t)n : 0;
    }
    ok(used == n_data && is_whole(&s), "the same table when they arrive byte by byte");
    sl_statics_free(&s);
}

static void rejects(void)
{
    unsigned rejected = 0, applied = 0, wrong = 0;
    uint64_t seed = 1;
    for (unsigned i = 0; i < 20000; i++) {
        struct sl_statics s = {0};
        struct sl_failure f = {0};
        uint8_t changed[sizeof data];
        memcpy(changed, data, n_data);
        changed[sl_random_below(&seed, n_data)] = (uint8_t)sl_random_next(&seed);
        int64_t n = sl_statics_apply(&s, changed, n_data, &f);
        rejected += n < 0;
        applied += n == (int64_t)n_data;
        wrong += n < 0 ? n != SL_EFORMAT : (size_t)n > n_data;
        for (size_t b = 0; b < s.n_blocks; b++)
            for (unsigned k = 0; k < s.block[b].n_insns; k++) {
                uint32_t insn = s.block_insn[s.block[b].insns_at + k];
                wrong += insn >= s.n_insns ||
                         s.insn[insn].bytes_at + sl_insn_stored(&s, &s.insn[insn]) > s.n_bytes;
            }
        sl_statics_free(&s);
    }
    ok(!wrong && rejected > 1000 && applied > 1000,
       "records with one byte changed: %u rejected, %u applied, indices always in range", rejected,
       applied);
}

static void records(void)
{
    struct sl_statics s = {0};
    uint8_t out[64];
    ok(!sl_statics_program_record(&s, out, sizeof out), "no record of a program without a path");
    ok(!sl_statics_end_record(&s, out, 43) && sl_statics_end_record(&s, out, 44) == 44,
       "a record is written only if it fits");
    ok(!strcmp(sl_arch_name(SL_ARCH_MIPSEL), "mipsel") &&
           !strcmp(sl_arch_name(SL_ARCH_COUNT), "unknown") && !sl_tap_name(SL_TAP_UNKNOWN) &&
           !strcmp(sl_tap_name(SL_TAP_ENGINE), "engine"),
       "names");
}

int main(void)
{
    put_records();
    applies();
    rejects();
    records();
    return done_testing();
}
