/* SPDX-License-Identifier: MIT */
/* Implementation of `sluice convert`, which writes a stream in one of three formats: sluice's own
 * trace format, ChampSim's trace format, or SimPoint's basic-block vectors. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "sluice-study.h"
#include "champsim.h"
#include "champsim_write.h"
#include "failure.h"
#include "source.h"
#include "vectors.h"

#define INTERVAL 10000000u /* SimPoint's default is 100 M, for programs that run for hours */

struct converting {
    struct sl_source *source;
    const struct sl_convert_config *config;
    char *note;
    size_t note_capacity;
    struct sl_failure *f;
};

struct form {
    const char *name;
    int (*write)(struct converting *c);
};

/* Readable by the owner only: it contains the program's addresses and data. */
static int open_out(FILE **out, const char *path, struct sl_failure *f)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    *out = fd < 0 ? NULL : fdopen(fd, "w");
    if (fd >= 0 && !*out)
        close(fd);
    return *out ? 0 : sl_fail_errno(f, SL_EIO, "cannot create %s", path);
}

static int close_out(FILE *out, const char *path, int result, struct sl_failure *f)
{
    int error = result < 0 ? result : sl_flush_output(out, path, f);
    return fclose(out) && error >= 0 ? sl_fail_errno(f, SL_EIO, "cannot write %s", path) : error;
}

static int write_champsim(struct converting *c)
{
    const char *path = c->config->path;
    FILE *out, *values = NULL;
    uint64_t left_out;
    char *values_path;
    if (asprintf(&values_path, "%s%s", path, SL_CHAMPSIM_VALUES_SUFFIX) < 0)
        return sl_out_of_memory(c->f);
    int error = open_out(&out, path, c->f);
    if (error >= 0) {
        if (sl_source_contents(c->source) & SL_NEED_VALUES)
            error = open_out(&values, values_path, c->f);
        if (error >= 0)
            error = sl_champsim_write(c->source, out, values, &left_out, c->f);
        if (error >= 0 && left_out)
            snprintf(c->note, c->note_capacity,
                     "%llu memory accesses left out: a ChampSim record has at most four loads and "
                     "two stores",
                     (unsigned long long)left_out);
        if (values)
            error = close_out(values, values_path, error, c->f);
        error = close_out(out, path, error, c->f);
    }
    free(values_path);
    return error;
}

static int write_vectors(struct converting *c)
{
    struct sl_vectors vectors;
    FILE *out;
    int error = sl_vectors_read(&vectors, c->source,
                                c->config->interval ? c->config->interval : INTERVAL, c->f);
    if (error >= 0 && (error = open_out(&out, c->config->path, c->f)) >= 0) {
        sl_vectors_print(&vectors, out);
        error = close_out(out, c->config->path, 0, c->f);
    }
    sl_vectors_free(&vectors);
    return error;
}

static int write_slt(struct converting *c)
{
    return sl_record(c->source, c->config->path, NULL, NULL, NULL, c->f);
}

static const struct form forms[] = {
    {"champsim", write_champsim},
    {"bb", write_vectors},
    {"slt", write_slt},
};
#define N_FORMS (sizeof forms / sizeof *forms)

int sl_convert(struct sl_source *source, const struct sl_convert_config *given, char *note,
               size_t note_capacity, struct sl_failure *f)
{
    struct sl_convert_config own, *config = &own;
    if (note && note_capacity)
        *note = 0;
    int unread = sl_config_read(&own, sizeof own, given, "sl_convert_config", f);
    if (unread < 0)
        return unread;
    SL_REQUIRE(f, source && (note || !note_capacity) && config->format && config->path);
    struct converting c = {source, config, note, note_capacity, f};
    size_t i = 0;
    while (i < N_FORMS && strcmp(forms[i].name, config->format))
        i++;
    if (i == N_FORMS)
        return sl_fail_setting(f, "format", "unknown format '%.40s': use champsim, bb or slt",
                               config->format);
    if (config->interval && config->interval < SL_VECTORS_INTERVAL_MIN)
        return sl_fail_setting(f, "interval",
                               "interval too short: it must have at least %u instructions",
                               SL_VECTORS_INTERVAL_MIN);
    return forms[i].write(&c);
}
