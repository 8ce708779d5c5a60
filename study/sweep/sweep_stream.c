/* SPDX-License-Identifier: MIT */
/* Streams of a sweep: determines whether a stream is a synthetic stream, a trace or a program, and
 * computes its identity, so that results of the same stream are reused. Programs are recorded as
 * traces. */
#include "sweep_stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "emulator.h"
#include "failure.h"
#include "file_hash.h"
#include "synth.h"
#include "trace_format.h"
#include "utf8.h"
#include "split_words.h"

#define MADE_UP "synth:"

static bool is_made_up(const char *text)
{
    return !strncmp(text, MADE_UP, strlen(MADE_UP));
}

/* ---- traces ---- */

static bool is_trace(const char *path)
{
    char head[sizeof SL_TRACE_MAGIC - 1];
    FILE *file;
    bool is = !sl_regular_file_open(&file, path, NULL) &&
              fread(head, 1, sizeof head, file) == sizeof head &&
              !memcmp(head, SL_TRACE_MAGIC, sizeof head);
    if (file)
        fclose(file);
    return is;
}

/* ---- programs ---- */

static int find_program(struct sl_sweep_stream *s, const char *text, const char *sweep_file,
                        char **what, struct sl_failure *f)
{
    struct sl_executable executable;
    uint64_t hash = 0;
    if (!(s->argv = sl_words_split(text)))
        return sl_out_of_memory(f);
    if (!s->argv[0])
        return sl_fail(f, SL_EUSAGE, "empty stream: give a trace, a synthetic stream or a program");
    int error = sl_executable_find(&executable, NULL, s->argv, f);
    if (error >= 0)
        error = sl_hash_file(executable.path, &hash, f);
    sl_executable_free(&executable);
    if (error < 0)
        return error;
    *what = sl_asprintf("program %016llx %s", (unsigned long long)hash, text);
    if (*what)
        s->trace = sl_asprintf("%s.d/%016llx", sweep_file,
                               (unsigned long long)XXH3_64bits(*what, strlen(*what)));
    return *what && s->trace ? 0 : sl_out_of_memory(f);
}

/* ---- all streams ---- */

bool sl_sweep_stream_is_program(const char *text)
{
    size_t length = strlen(text);
    return !is_made_up(text) && !is_trace(text) &&
           (length < 4 || strcmp(text + length - 4, ".slt") != 0);
}

static int find_kind(struct sl_sweep_stream *s, const char *text, const char *sweep_file,
                     char **what, struct sl_failure *f)
{
    uint64_t hash = 0;
    if (sl_sweep_stream_is_program(text))
        return find_program(s, text, sweep_file, what, f);
    int error = is_made_up(text) ? 0 : sl_hash_file(text, &hash, f);
    if (error < 0)
        return error;
    *what = is_made_up(text) ? strdup(text)
                             : sl_asprintf("trace %016llx", (unsigned long long)hash);
    /* Absolute, since jobs may run in another directory. */
    s->trace = is_made_up(text) ? strdup(text) : realpath(text, NULL);
    return *what && s->trace ? 0 : sl_out_of_memory(f);
}

/* 0 if it cannot be read; sl_shard_run() reports the error. */
static double length_of(const char *trace)
{
    struct stat status;
    struct sl_source *source;
    if (!is_made_up(trace))
        return stat(trace, &status) ? 0 : (double)status.st_size;
    if (sl_source_open(&source, trace, NULL) < 0)
        return 0;
    double events = (double)((const struct sl_synth *)source)->config.events;
    sl_source_close(source);
    return events;
}

int sl_sweep_stream_find(struct sl_sweep_stream *s, const char *text, const char *sweep_file,
                         const struct sl_sweep_how *how, struct sl_failure *f)
{
    char *what = NULL;
    size_t size;
    *s = (struct sl_sweep_stream){.name = strdup(text)};
    int error = s->name ? find_kind(s, text, sweep_file, &what, f) : sl_out_of_memory(f);
    FILE *out = error < 0 ? NULL : open_memstream(&s->what, &size);
    if (out) {
        fprintf(out, "sluice " SL_VERSION " %s", what);
        if (how->skip || how->limit)
            fprintf(out, " skip %llu limit %llu", (unsigned long long)how->skip,
                    (unsigned long long)how->limit);
        if (how->range)
            fprintf(out, " range %s", how->range);
        if (how->only)
            fprintf(out, " only %s", how->only);
        if (how->marked)
            fprintf(out, " marked");
        if (how->error_executions)
            fprintf(out, " error %llu %a %a", (unsigned long long)how->error_executions,
                    how->error_share, how->error_covered);
    }
    free(what);
    if (error >= 0 && (!out || fclose(out)))
        error = sl_out_of_memory(f);
    s->length = error < 0 || s->argv ? 0 : length_of(s->trace);
    return error;
}

int sl_sweep_stream_needs(const struct sl_sweep_stream *s, unsigned *needs, struct sl_failure *f)
{
    struct sl_source *source;
    *needs = SL_NEED_VALUES | SL_NEED_ADDRESSES | SL_NEED_STORES;
    if (s->argv)
        return 0;
    int error = sl_source_open(&source, s->trace, f);
    if (error >= 0) {
        *needs = sl_source_contents(source);
        sl_source_close(source);
    }
    return error;
}

/* Records to a temporary file first: if two processes do this at the same time, one complete trace
 * remains. */
static int record(struct sl_sweep_stream *s, unsigned needs, struct sl_failure *f)
{
    struct sl_source *source;
    char *temporary = sl_asprintf("%s.%ld", s->trace, (long)getpid());
    struct sl_guest guest = {.size = sizeof guest, .argv = s->argv, .needs = needs};
    int error = temporary ? sl_source_run(&source, &guest, f) : sl_out_of_memory(f);
    if (error >= 0) {
        error = sl_record(source, temporary, NULL, NULL, NULL, f);
        sl_source_close(source);
    }
    if (error >= 0 && rename(temporary, s->trace))
        error = sl_fail_errno(f, SL_EIO, "cannot rename the recording to %s", s->trace);
    if (error < 0 && temporary)
        unlink(temporary);
    free(temporary);
    return error;
}

int sl_sweep_stream_record(struct sl_sweep_stream *s, unsigned needs, struct sl_failure *f)
{
    if (!s->argv)
        return 0;
    char *path = sl_asprintf("%s-%x.slt", s->trace, needs);
    if (!path)
        return sl_out_of_memory(f);
    *strrchr(s->trace, '/') = '\0';
    int made = mkdir(s->trace, 0777) && errno != EEXIST
                   ? sl_fail_errno(f, SL_EIO, "cannot create directory %s", s->trace)
                   : 0;
    free(s->trace);
    s->trace = path;
    if (made < 0)
        return made;
    int error = is_trace(path) ? 0 : record(s, needs, f);
    char *absolute = error < 0 ? NULL : realpath(path, NULL);
    if (absolute) {
        free(s->trace);
        s->trace = absolute;
        s->length = length_of(absolute);
    }
    return error;
}

void sl_sweep_stream_free(struct sl_sweep_stream *s)
{
    sl_words_free(s->argv);
    free(s->name);
    free(s->what);
    free(s->trace);
}
