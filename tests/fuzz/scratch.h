/* SPDX-License-Identifier: MIT */
/* Helpers for the fuzzers of databases: they create a temporary directory, in memory if possible,
 * and a file that discards the printed reports. */
#ifndef SL_FUZZ_SCRATCH_H
#define SL_FUZZ_SCRATCH_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char scratch_folder[40], scratch_database[64];
static FILE *nowhere;

static void tidy_scratch(void)
{
    unlink(scratch_database);
    rmdir(scratch_folder);
}

static void make_scratch(void)
{
    snprintf(scratch_folder, sizeof scratch_folder, "%s/sluice-fuzz-XXXXXX",
             access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
    nowhere = fopen("/dev/null", "w");
    if (!mkdtemp(scratch_folder) || !nowhere)
        abort();
    snprintf(scratch_database, sizeof scratch_database, "%s/a.db", scratch_folder);
    atexit(tidy_scratch);
}

#endif
