/* SPDX-License-Identifier: MIT */
/* Reader of slices.txt, the list of the slices of a run. The file is untrusted input, so every
 * number is checked. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "failure.h"
#include "grow.h"
#include "stored_slices.h"

#define LINE_CAPACITY 4096u

struct reading {
    struct sl_stored_slices *to;
    const char *path; /* of slices.txt */
    unsigned line;
    struct sl_failure *f;
};

static int wrong(const struct reading *r, const char *why)
{
    return sl_fail(r->f, SL_EFORMAT, "%s, line %u: %s", r->path, r->line, why);
}

static bool read_number(const char *word, uint64_t *to)
{
    char *end;
    if (!word || *word < '0' || *word > '9')
        return false;
    errno = 0;
    *to = strtoull(word, &end, 10);
    return !errno && !*end;
}

static bool read_weight(const char *word, double *to)
{
    char *end;
    if (!word || !((*word >= '0' && *word <= '9') || *word == '.'))
        return false;
    *to = strtod(word, &end);
    return !*end && isfinite(*to) && *to >= 0 && *to <= 1;
}

/* File names are relative to the directory of slices.txt. */
static char *relative_to(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    size_t n = slash && *name != '/' ? (size_t)(slash - path) + 1 : 0;
    char *whole = malloc(n + strlen(name) + 1);
    if (whole) {
        memcpy(whole, path, n);
        strcpy(whole + n, name);
    }
    return whole;
}

/* Parses the words after "slice". */
static int read_slice(struct reading *r, char **rest)
{
    static const char *const names[] = {"start", "length", "weight"};
    struct sl_stored_slices *to = r->to;
    struct sl_stored_slice slice = {0};
    uint64_t *number[] = {&slice.start, &slice.length};
    uint64_t end_before = to->n ? to->slice[to->n - 1].start + to->slice[to->n - 1].length : 0;
    for (unsigned i = 0; i < 3; i++) {
        const char *name = strtok_r(NULL, " \t", rest);
        const char *word = strtok_r(NULL, " \t", rest);
        if (!name || strcmp(name, names[i]) ||
            !(i < 2 ? read_number(word, number[i]) : read_weight(word, &slice.weight)))
            return wrong(r, "expected \"slice start N length N weight W\", with whole numbers and "
                            "a weight from 0 to 1");
    }
    if (!slice.length || slice.length > UINT64_MAX - slice.start)
        return wrong(r,
                     "a slice must have at least one instruction and end before instruction 2^64");
    if (slice.start < end_before)
        return wrong(r, "the slice begins before the end of the previous one");
    if (to->n == SL_SLICES_MAX)
        return wrong(r, "too many slices");
    if (!SL_GROW(to->slice, to->capacity, to->n + 1))
        return sl_out_of_memory(r->f);
    to->slice[to->n++] = slice;
    return 0;
}

static int read_trace(struct reading *r, const char *file)
{
    if (!file || r->to->trace)
        return wrong(r, "expected one line \"trace FILE\"");
    r->to->trace = relative_to(r->path, file);
    return r->to->trace ? 0 : sl_out_of_memory(r->f);
}

static int read_line(struct reading *r, char *line)
{
    const struct {
        const char *name;
        uint64_t *to;
    } number[] = {{"instructions", &r->to->instructions},
                  {"interval", &r->to->interval},
                  {"warm-up", &r->to->warm_up}};
    size_t n = sizeof number / sizeof *number, i = 0;
    char *rest, *word;
    line[strcspn(line, "#\n")] = 0;
    if (!(word = strtok_r(line, " \t", &rest)))
        return 0;
    while (i < n && strcmp(word, number[i].name))
        i++;
    int error = 0;
    if (i < n)
        error = read_number(strtok_r(NULL, " \t", &rest), number[i].to)
                    ? 0
                    : wrong(r, "expected a whole number");
    else if (!strcmp(word, "slice"))
        error = read_slice(r, &rest);
    else if (!strcmp(word, "trace"))
        error = read_trace(r, strtok_r(NULL, " \t", &rest));
    else
        error = wrong(r, "the first word must be trace, instructions, interval, warm-up or slice");
    if (error < 0)
        return error;
    return strtok_r(NULL, " \t", &rest) ? wrong(r, "unexpected text at the end of the line") : 0;
}

static int read_lines(struct reading *r, FILE *in)
{
    char line[LINE_CAPACITY];
    bool known = false;
    double sum = 0;
    for (r->line = 1; fgets(line, sizeof line, in); r->line++) {
        if (!strchr(line, '\n') && !feof(in))
            return wrong(r, "line too long, or contains a NUL byte");
        if (!known && strcmp(line, "sluice-slices 2\n"))
            return wrong(r, "not a list of slices: the first line must be \"sluice-slices 2\"");
        int error = known ? read_line(r, line) : 0;
        if (error < 0)
            return error;
        known = true;
    }
    if (ferror(in))
        return sl_fail_errno(r->f, SL_EIO, "cannot read %s", r->path);
    for (size_t i = 0; i < r->to->n; i++)
        sum += r->to->slice[i].weight;
    if (!r->to->n || !r->to->instructions || !r->to->trace)
        return sl_fail(r->f, SL_EFORMAT,
                       "%s is incomplete: it needs slices, a trace, and the number of instructions",
                       r->path);
    if (fabs(sum - 1) > 1e-3)
        return sl_fail(r->f, SL_EFORMAT, "%s: the sum of the weights is %g, not 1", r->path, sum);
    return 0;
}

int sl_slices_read(struct sl_stored_slices *slices, const char *path, struct sl_failure *f)
{
    struct stat status;
    bool directory = !stat(path, &status) && S_ISDIR(status.st_mode);
    size_t capacity = strlen(path) + sizeof "/" SL_SLICES_FILE;
    char *name = malloc(capacity);
    *slices = (struct sl_stored_slices){0};
    if (!name)
        return sl_out_of_memory(f);
    snprintf(name, capacity, "%s%s", path, directory ? "/" SL_SLICES_FILE : "");
    FILE *in = fopen(name, "re");
    struct reading r = {slices, name, 0, f};
    int error = !in && directory && errno == ENOENT
                    ? sl_fail(f, SL_EFORMAT,
                              "%s is a directory without slices: create them with 'sluice "
                              "simpoint', or give a trace",
                              path)
                : !in ? sl_fail_errno(f, SL_EIO, "cannot open %s", name)
                      : read_lines(&r, in);
    if (in)
        fclose(in);
    if (error < 0)
        sl_slices_free(slices);
    free(name);
    return error;
}

void sl_slices_free(struct sl_stored_slices *slices)
{
    free(slices->trace);
    free(slices->slice);
    *slices = (struct sl_stored_slices){0};
}

bool sl_is_slices(const char *path)
{
    if (!path)
        return false;
    static const char begins[] = "sluice-slices ";
    char head[sizeof begins] = "";
    struct stat status;
    if (stat(path, &status) < 0)
        return false;
    if (!S_ISREG(status.st_mode))
        return S_ISDIR(status.st_mode);
    FILE *in = fopen(path, "re");
    bool is = in && fread(head, 1, sizeof begins - 1, in) == sizeof begins - 1 &&
              !strcmp(head, begins);
    if (in)
        fclose(in);
    return is;
}
