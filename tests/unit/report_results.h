/* SPDX-License-Identifier: MIT */
/* Test data for tests of the database and of reports: the results of a small run, defined by hand,
 * and helpers for files. */
#ifndef SL_TESTS_REPORT_RESULTS_H
#define SL_TESTS_REPORT_RESULTS_H

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "database.h"
#include "machine_event.h"

#define ENTRY(pc_, value_, count_)              \
    {                                           \
        .tuple = {pc_, value_}, .count = count_ \
    }
static char folder[64];

/* ---- an invented run ---- */

static struct sl_object objects[256];
static uint8_t bytes[] = {0x90, 0x31, 0xc0, 0xc3, 0xcc, 0xcc};
static struct sl_insn insns[] = {
    {0x1000, 0, 1}, {0x1001, 1, 2}, {0x1003, 3, 1}, {0x2000, 4, 1}, {UINT64_MAX - 15, 5, 1},
};
static uint32_t block_insns[] = {0, 1, 2, 1, 2, 3, 4};
static struct sl_block blocks[] = {
    {0x1000, 0, 3, 4, SL_MARK_NONE}, /* holds 0x1001 */
    {0x1001, 3, 2, 3, SL_MARK_END},  /* as well */
    {0x2000, 5, 1, 1, SL_MARK_NONE}, /* holds nothing that was saved */
    {UINT64_MAX - 15, 6, 1, 1, SL_MARK_BEGIN},
};
static char *argv[] = {"prog", "it's \"quoted\"", "\xff", NULL};
static struct sl_statics statics = {
    .block = blocks,
    .insn = insns,
    .block_insn = block_insns,
    .bytes = bytes,
    .object = objects,
    .n_blocks = 4,
    .n_insns = 5,
    .n_block_insns = 7,
    .n_bytes = 6,
    .program = {.arch = SL_ARCH_RISCV64,
                .path = "/bin/prog",
                .argv = argv,
                .status = 139,
                .ended = true,
                .exec = true,
                .forks = 2,
                .threads = 3,
                .dropped_blocks = 4,
                .dropped_mems = 5},
};
static struct sl_entry edges[] = {
    ENTRY(0x1001, 0x1003, 100),
    ENTRY(UINT64_MAX - 15, 0x2000, 7),
    ENTRY(0x1001, UINT64_MAX, 1),
};
static struct sl_entry values[] = {ENTRY(0x1001, 0x123, 9),
                                   ENTRY(0x1001, UINT64_MAX, UINT64_C(1) << 62)};
static struct sl_result_profile profiles[] = {
    {.spec = "edge@exact",
     .detector = &sl_detector_edge,
     .metric = "count",
     .table = "exact",
     .given = "edge",
     .events = 110,
     .weight = 111,
     .distinct = 112,
     .status = {.storage_bits = 113, .drops = 114, .drops_weight = 115},
     .entry = edges,
     .n_entries = 3},
    {.spec = "value@P",
     .detector = &sl_detector_value,
     .metric = "cycles",
     .table = "P",
     .source = 1,
     .first = 1,
     .status = {.note = "read this"},
     .entry = values,
     .n_entries = 2},
};
static uint64_t totals[SL_MACHINE_TOTALS] = {
    [SL_MACHINE_CYCLES] = 30,     [SL_MACHINE_INSTRUCTIONS] = 10,          [SL_MACHINE_BASE] = 10,
    [SL_MACHINE_STALL_DATA] = 20, [SL_MACHINE_ENERGY] = UINT64_C(1) << 40,
};
static struct sl_result_machine machine = {"ss4,l2.size=2M", "l2.size = 2097152\nl2.ways = 4\n",
                                           totals, .energy_factor = 1.25};
static struct sl_results results = {
    .statics = &statics,
    .machine = &machine,
    .instructions = 10,
    .blocks = 11,
    .loads = 12,
    .range = "main",
    .marked = true,
    .start_at = "before",
    .skip = 7,
    .load_sampling = {16, 4096},
    .warning = "careful",
    .profile = profiles,
    .n_profiles = 2,
};

static void map_self(void)
{
    char line[4096], file[4096];
    uint64_t start, end, offset;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps) && statics.n_objects < 256)
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %4095[^\n]", &start, &end,
                   &offset, file) == 4 &&
            file[0] == '/')
            objects[statics.n_objects++] = (struct sl_object){start, end, offset, strdup(file)};
    fclose(maps);
}

/* ---- files ---- */

static int files_in(const char *name)
{
    int n = 0;
    DIR *directory = opendir(name);
    for (struct dirent *entry; (entry = readdir(directory));)
        n += entry->d_name[0] != '.';
    closedir(directory);
    return n;
}

/* The whole file; to be freed. */
static char *slurp(const char *file, size_t *size)
{
    struct stat status;
    int fd = open(file, O_RDONLY);
    if (fd < 0 || fstat(fd, &status))
        return NULL;
    char *data = malloc((size_t)status.st_size + 1);
    *size = (size_t)read(fd, data, (size_t)status.st_size);
    close(fd);
    return data;
}

static bool same_file(const char *file, const char *data, size_t size)
{
    size_t other_size = 0;
    char *other = slurp(file, &other_size);
    bool same = other && other_size == size && !memcmp(other, data, size);
    free(other);
    return same;
}

static void spit(const char *file, const char *text)
{
    FILE *out = fopen(file, "w");
    fputs(text, out);
    fclose(out);
}

#endif
