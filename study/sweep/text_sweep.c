/* SPDX-License-Identifier: MIT */
/* Prints the results of a sweep as text: the points on the Pareto front, or all points.
 *
 *     102 points on 3 streams; Pareto front of storage and error by interval
 *
 *       profile                        storage    mean   worst  on
 *       value@multihash(tables=4,...)   2.0 KB   1.20%   3.10%  bzip2.slt    mean worst */
#include "text_sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text_table.h"
#include "utf8.h"
#include "format.h"

#define WIDTH 100
#define ON_WIDTH 24u

enum column { PROFILE, MACHINE, X, OVERHEAD, MEAN, WORST, ON, FRONT, N_COLUMNS };

static const char *last_part(const char *name)
{
    const char *slash = strrchr(name, '/');
    return strchr(name, ' ') || !slash || !slash[1] ? name : slash + 1;
}

void sl_text_sweep_holes(const struct sl_sweep_view *v, unsigned width, FILE *out)
{
    char line[2048];
    for (size_t i = 0; i < v->n_holes; i++) {
        const struct sl_sweep_hole *hole = &v->hole[i];
        char *name = sl_utf8_printable(v->stream[hole->stream].name);
        char *why = sl_utf8_printable(hole->why ? hole->why : "not run yet");
        snprintf(line, sizeof line, "%.300s: %zu results are missing: %s", name ? name : "",
                 hole->points, why ? why : "");
        sl_text_wrap(line, "! ", width ? width : WIDTH, out);
        free(name);
        free(why);
    }
}

static void put_own(struct sl_text_table *table, size_t column, const char *text)
{
    sl_text_put_own(table, column, sl_utf8_printable(text));
}

static void put_value(struct sl_text_table *table, size_t column, const char *measure, double value)
{
    char text[SL_SWEPT_CAPACITY];
    sl_text_put(table, column, sl_swept_text(measure, value, text));
}

struct columns {
    bool machine, overhead, several;
};

static struct columns columns_of(const struct sl_sweep_view *v)
{
    struct columns c = {.several = v->n_streams > 1};
    for (size_t i = 0; i < v->n_points; i++) {
        c.machine |= *v->point[i].machine != 0;
        c.overhead |= !isnan(v->point[i].overhead);
    }
    return c;
}

static void add_heading(struct sl_text_table *table, const struct sl_sweep_view *v,
                        struct columns c)
{
    sl_text_row(table);
    sl_text_put(table, PROFILE, "profile");
    sl_text_put(table, MACHINE, c.machine ? "machine" : NULL);
    sl_text_put(table, X, v->x);
    sl_text_put(table, OVERHEAD, c.overhead ? "overhead" : NULL);
    sl_text_put(table, MEAN, c.several ? "mean" : sl_swept_measure(v->y));
    sl_text_put(table, WORST, c.several ? "worst" : NULL);
    sl_text_put(table, ON, c.several ? "on" : NULL);
}

static void add_point(struct sl_text_table *table, const struct sl_sweep_view *v,
                      const struct sl_swept_point *p, struct columns c, bool marked)
{
    sl_text_row(table);
    put_own(table, PROFILE, p->label);
    if (c.machine)
        put_own(table, MACHINE, p->machine);
    put_value(table, X, v->x, p->x);
    if (c.overhead)
        put_value(table, OVERHEAD, "overhead", p->overhead);
    put_value(table, MEAN, v->y, p->mean);
    if (c.several) {
        put_value(table, WORST, v->y, p->worst);
        char *on = sl_utf8_printable(isnan(p->worst) ? ""
                                                     : last_part(v->stream[p->worst_stream].name));
        if (on)
            sl_utf8_shorten(on, ON_WIDTH);
        sl_text_put_own(table, ON, on);
    }
    if (marked && (c.several || p->front))
        sl_text_put(table, FRONT,
                    !c.several                   ? "front"
                    : p->front && p->worst_front ? "mean worst"
                    : p->front                   ? "mean"
                    : p->worst_front             ? "worst"
                                                 : NULL);
}

static bool is_shown(const struct sl_swept_point *p, const struct sl_sweep_report_config *config)
{
    return p->there && (config->all || p->front || p->worst_front);
}

static bool print_table(const struct sl_sweep_view *v, const struct sl_sweep_report_config *config,
                        unsigned width, FILE *out)
{
    struct sl_text_table table = {.columns = ""};
    struct columns c = columns_of(v);
    size_t shown = 0, left = 0;
    for (size_t i = 0; i < N_COLUMNS; i++)
        table.columns[i] = i == PROFILE || i == MACHINE ? 's'
                           : i == ON                    ? 'o'
                           : i == FRONT                 ? 'l'
                                                        : 'r';
    add_heading(&table, v, c);
    for (size_t i = 0; i < v->n_points; i++) {
        if (!is_shown(&v->point[i], config))
            continue;
        if (config->n && shown == config->n)
            left++;
        else
            add_point(&table, v, &v->point[i], c, config->all || c.several), shown++;
    }
    bool printed = sl_text_finish(&table, width, out);
    if (left)
        fprintf(out, "  and %zu more\n", left);
    return printed;
}

/* Prints the answer to --under: "smallest error with storage up to 4.0 KB, on the mean: SPEC,
 * 1.20% (2.0 KB)". */
static void answer(const struct sl_sweep_view *v, uint64_t under, bool worst, unsigned width,
                   FILE *out)
{
    const struct sl_swept_point *p = sl_sweep_best(v, under, worst);
    bool storage = !strcmp(v->x, "storage");
    char line[2048], limit[SL_SWEPT_CAPACITY], x[SL_SWEPT_CAPACITY], y[SL_SWEPT_CAPACITY];
    sl_swept_text(v->x, storage ? 8 * (double)under : (double)under, limit);
    char *given = p ? sl_utf8_printable(p->given) : NULL;
    char *on = p && worst ? sl_utf8_printable(last_part(v->stream[p->worst_stream].name)) : NULL;
    int used = snprintf(line, sizeof line,
                        "%s %s with %s%s up to %s%s: ", v->more_is_better ? "largest" : "smallest",
                        sl_swept_measure(v->y), storage ? "" : "a ", v->x, limit,
                        v->n_streams == 1 ? ""
                        : worst           ? ", on the worst stream"
                                          : ", on the mean");
    if (p && used > 0 && (size_t)used < sizeof line)
        snprintf(line + used, sizeof line - (size_t)used, "%s%s%s, %s%s%s (%s)", given ? given : "",
                 *p->machine ? " on " : "", p->machine,
                 sl_swept_text(v->y, worst ? p->worst : p->mean, y), on ? " on " : "", on ? on : "",
                 sl_swept_text(v->x, p->x, x));
    else
        snprintf(line + used, sizeof line - (size_t)used, "no point is that small");
    sl_text_wrap(line, "  ", width, out);
    free(given);
    free(on);
}

/* Prints the parts of the specs that all points have in common. */
static void print_common(const struct sl_sweep_view *v, FILE *out)
{
    char *head = sl_utf8_printable(v->head), *common = sl_utf8_printable(v->common);
    if (head && common && (*head || *common))
        fprintf(out, "all: %s%s%s%s\n", head, *common ? "(" : "", common, *common ? ",...)" : "");
    free(head);
    free(common);
}

int sl_text_sweep(const struct sl_sweep_view *v, const struct sl_sweep_report_config *config,
                  FILE *out, struct sl_failure *f)
{
    unsigned width = config->width ? config->width : WIDTH;
    size_t there = 0;
    for (size_t i = 0; i < v->n_points; i++)
        there += v->point[i].there > 0;
    sl_text_sweep_holes(v, width, out);
    if (v->partial) {
        char line[200];
        snprintf(line, sizeof line,
                 "%zu points were requested only for some of the streams, and are therefore not "
                 "compared",
                 v->partial);
        sl_text_wrap(line, "! ", width, out);
    }
    if (v->n_holes || v->partial)
        putc('\n', out);
    fprintf(out, "%zu %s on %zu %s; ", there, there == 1 ? "point" : "points", v->n_streams,
            v->n_streams == 1 ? "stream" : "streams");
    fprintf(out, "%s %s and %s\n", config->all ? "all, by" : "Pareto front of", v->x,
            sl_swept_measure(v->y));
    print_common(v, out);
    putc('\n', out);
    if (!print_table(v, config, width, out))
        return sl_report_no_memory(f);
    if (config->under) {
        putc('\n', out);
        answer(v, config->under, false, width, out);
        if (v->n_streams > 1)
            answer(v, config->under, true, width, out);
    }
    return 0;
}
