/* SPDX-License-Identifier: MIT */
/* Test data for reports: a small database with a profile of the two functions listed below. Their
 * addresses are those of two functions of the test program itself, so that the symbols of the test
 * program give their names and lines. The instructions are x86-64.
 *
 *     work        mov (%rdi),%rax       1,000 executions; reads 7 in 990 of them, 8 in 10
 *     work+0x3    test %rax,%rax
 *     work+0x6    je work+0xc           taken 970 times
 *     work+0x8    nop, nop, nop, nop    30 executions
 *     work+0xc    call helper           1,000
 *     work+0x11   ret                   1,000
 *     helper      nop                   1,000
 *     helper+0x1  ret */
#ifndef SL_TESTS_VIEW_SUPPORT_H
#define SL_TESTS_VIEW_SUPPORT_H

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "database.h"
#include "db.h"
#include "tap.h"

#define LOAD 0u
#define BRANCH 6u
#define SKIPPED 8u
#define CALL 12u
#define WORK_BYTES 18u

static volatile int sink;

/* Large enough for WORK_BYTES of code on any architecture. */
__attribute__((noinline)) static void work(void)
{
    for (int i = 0; i < 100; i++) {
        sink += i;
        sink ^= 3 * i;
        sink -= sink / 7;
    }
}

__attribute__((noinline)) static void helper(void)
{
    sink++;
    sink *= 5;
}

static struct sl_failure f;
static char path[64], program[4096];
static uint64_t w, h; /* addresses of work() and helper() */
static uint8_t bytes[] = {0x48, 0x8b, 0x07, 0x48, 0x85, 0xc0, 0x74, 0x04, 0x90, 0x90,
                          0x90, 0x90, 0xe8, 0,    0,    0,    0,    0xc3, 0x90, 0xc3};
static const uint8_t sizes[] = {3, 3, 2, 1, 1, 1, 1, 5, 1, 1, 1};
static struct sl_insn insns[11];
static uint32_t block_insns[11];
static struct sl_block blocks[5];
static uint16_t block_size[5];
static struct sl_object objects[256];
static char *argv[] = {program, NULL};
static struct sl_statics statics = {
    .block = blocks,
    .block_size = block_size,
    .insn = insns,
    .block_insn = block_insns,
    .bytes = bytes,
    .object = objects,
    .n_blocks = 5,
    .n_insns = 11,
    .n_block_insns = 11,
    .n_bytes = sizeof bytes,
    .program = {
        .arch = SL_ARCH_X86_64, .path = program, .argv = argv, .ended = true, .threads = 1}};

static void map_self(void)
{
    char line[4096], file[4096];
    uint64_t start, end, offset;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps) && statics.n_objects < 256)
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %4095[^\n]", &start, &end,
                   &offset, file) == 4 &&
            file[0] == '/')
            objects[statics.n_objects++] = (struct sl_object){start, end, offset, strdup(file)};
    if (maps)
        fclose(maps);
}

static void make_code(void)
{
    static const unsigned n_insns[] = {3, 4, 1, 1, 2};
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    program[n > 0 ? n : 0] = '\0';
    w = (uintptr_t)work;
    h = (uintptr_t)helper;
    uint32_t distance = (uint32_t)(h - (w + CALL + 5));
    memcpy(bytes + CALL + 1, &distance, sizeof distance);
    uint32_t at = 0, insn = 0;
    for (size_t b = 0; b < 5; b++) {
        uint32_t first = at;
        blocks[b] = (struct sl_block){.pc = at < WORK_BYTES ? w + at : h + (at - WORK_BYTES),
                                      .insns_at = insn,
                                      .n_insns = (uint16_t)n_insns[b]};
        block_size[b] = (uint16_t)n_insns[b];
        for (unsigned i = 0; i < n_insns[b]; i++, insn++) {
            insns[insn] = (struct sl_insn){blocks[b].pc + (at - first), at, sizes[insn]};
            block_insns[insn] = insn;
            at += sizes[insn];
        }
        blocks[b].n_bytes = (uint16_t)(at - first);
    }
    map_self();
}

#define ENTRY(pc_, value_, count_)                                                \
    {                                                                             \
        .tuple = {pc_, value_}, .count = count_, .low = count_, .high = (count_), \
    }
#define EXACT(detector_, metric_, entries, weight_)                                            \
    {                                                                                          \
        .spec = #detector_ ":" metric_ "@exact", .given = #detector_,                          \
        .detector = &sl_detector_##detector_, .metric = metric_, .table = "exact",             \
        .events = weight_, .weight = weight_, .distinct = sizeof(entries) / sizeof *(entries), \
        .entry = entries, .n_entries = sizeof(entries) / sizeof *(entries),                    \
    }
static struct sl_entry block_entries[5], edge_entries[2], value_entries[2], call_entries[1],
    function_entries[2];
static struct sl_result_profile profiles[] = {
    EXACT(block, "count", block_entries, 4030),
    EXACT(edge, "count", edge_entries, 1000),
    EXACT(value, "count", value_entries, 1000),
    EXACT(call, "count", call_entries, 1000),
    EXACT(function, "instructions", function_entries, 7120),
};
static struct sl_results results = {.statics = &statics,
                                    .instructions = 7120,
                                    .blocks = 4030,
                                    .loads = 1000,
                                    .warning = "",
                                    .profile = profiles,
                                    .n_profiles = sizeof profiles / sizeof *profiles};

/* Writes the database, in which the branch was taken `taken` times of 1,000. */
static void write_database(const char *name, uint64_t taken)
{
    if (!w)
        make_code();
    struct sl_entry block[] = {ENTRY(w, w + BRANCH, 1000), ENTRY(w + CALL, w + CALL, 1000),
                               ENTRY(w + CALL + 5, w + CALL + 5, 1000), ENTRY(h, h + 1, 1000),
                               ENTRY(w + SKIPPED, w + CALL - 1, 1000 - taken)};
    struct sl_entry edge[] = {ENTRY(w + BRANCH, w + CALL, taken),
                              ENTRY(w + BRANCH, w + SKIPPED, 1000 - taken)};
    struct sl_entry value[] = {ENTRY(w, 7, 990), ENTRY(w, 8, 10)};
    struct sl_entry call[] = {ENTRY(w + CALL, h, 1000)};
    uint64_t skipped = 4 * (1000 - taken);
    struct sl_entry function[] = {ENTRY(w, 0, 5000 + skipped), ENTRY(h, 0, 2000)};
    memcpy(block_entries, block, sizeof block);
    memcpy(edge_entries, edge, sizeof edge);
    memcpy(value_entries, value, sizeof value);
    memcpy(call_entries, call, sizeof call);
    memcpy(function_entries, function, sizeof function);
    results.instructions = profiles[4].events = profiles[4].weight = 7000 + skipped;
    snprintf(path, sizeof path, "/tmp/sluice-%s-%d.db", name, (int)getpid());
    unlink(path);
    results.symbols = sl_symbols_open(&statics);
    if (!results.symbols || sl_database_write(path, &results, &f))
        printf("# %s\n", f.text);
    sl_symbols_close(results.symbols);
}

static inline struct sl_database *open_database(void)
{
    struct sl_database *database = NULL;
    write_database("view", 970);
    if (sl_database_open(&database, path, &f)) {
        printf("Bail out! %s\n", f.text);
        exit(1);
    }
    return database;
}

static inline void close_database(struct sl_database *database)
{
    sl_database_close(database);
    unlink(path);
    for (size_t i = 0; i < statics.n_objects; i++)
        free(objects[i].path);
}

#endif
