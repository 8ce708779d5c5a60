/* SPDX-License-Identifier: MIT */
/* Writes the results of a sweep as an SVG plot. A staircase-shaped line shows the Pareto front:
 * every point above and to the right of this line is worse than some point on the front.
 *
 *     y |  .   .  ·
 *       |──┐.  ·   .     dots: means; with several streams, rings: worst streams
 *       |  └──┐  .       line: Pareto front of the means; dashed: of the worst streams
 *       |     └─────
 *       +------------ x
 *
 * An axis whose values span more than a factor of RANGE is logarithmic, so that a few bad points
 * do not compress all others. A value of 0 then lies on the axis. The tooltip of a point names it.
 */
#include "svg_sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"
#include "format.h"

#define RANGE 20
#define WIDTH 840
#define HEIGHT 520
#define LEFT 90
#define RIGHT 20
#define TOP 48
#define BOTTOM 60
#define TICKS 8

struct axis {
    const char *measure;
    double low, high; /* of the values above 0, if logarithmic */
    bool log;
    double from, to; /* coordinates in the plot */
};

/* Extends the axis to a value. */
static void span(struct axis *a, double value, bool *any, double *least)
{
    if (isnan(value))
        return;
    a->low = *any ? fmin(a->low, value) : value;
    a->high = *any ? fmax(a->high, value) : value;
    *any = true;
    if (value > 0)
        *least = fmin(*least, value);
}

static void finish_axis(struct axis *a, double least)
{
    a->log = a->low >= 0 && isfinite(least) && a->high > RANGE * least;
    if (a->log) {
        a->low = least / 1.25;
        a->high *= 1.1;
        return;
    }
    a->low = a->low > 0 && a->low < 0.5 * a->high ? 0 : a->low;
    if (!(a->high > a->low))
        a->high = a->low + (a->low > 0 ? a->low : 1);
    else
        a->high += 0.04 * (a->high - a->low);
}

static double at(const struct axis *a, double value)
{
    double fraction = !a->log           ? (value - a->low) / (a->high - a->low)
                      : value <= a->low ? 0
                                        : log(value / a->low) / log(a->high / a->low);
    return a->from + fraction * (a->to - a->from);
}

/* ---- text ---- */

static void put_escaped(FILE *out, const char *text)
{
    char *clean = sl_utf8_printable(text);
    for (const char *c = clean ? clean : ""; *c; c++)
        if (*c == '<' || *c == '>' || *c == '&')
            fputs(*c == '<' ? "&lt;" : *c == '>' ? "&gt;" : "&amp;", out);
        else
            putc(*c, out);
    free(clean);
}

/* ---- axes ---- */

static void tick(const struct axis *a, bool across, double value, FILE *out)
{
    char text[SL_SWEPT_CAPACITY];
    double place = at(a, value);
    sl_swept_text(a->measure, value, text);
    if (!across)
        fprintf(out,
                "<path class=\"grid\" d=\"M%.1f %d V%d\"/><text x=\"%.1f\" y=\"%d\" "
                "text-anchor=\"middle\">",
                place, TOP, HEIGHT - BOTTOM, place, HEIGHT - BOTTOM + 18);
    else
        fprintf(out,
                "<path class=\"grid\" d=\"M%d %.1f H%d\"/><text x=\"%d\" y=\"%.1f\" "
                "text-anchor=\"end\">",
                LEFT, place, WIDTH - RIGHT, LEFT - 8, place + 4);
    put_escaped(out, text);
    fputs("</text>\n", out);
}

/* Ticks at powers of two for storage, of ten for other measures, with an increment that keeps them
 * apart. */
static void ticks_log(const struct axis *a, bool across, FILE *out)
{
    double base = !strcmp(a->measure, "storage") ? 2 : 10;
    int first = (int)ceil(log(a->low) / log(base)), last = (int)floor(log(a->high) / log(base));
    int step = (last - first) / TICKS + 1;
    for (int i = first; i <= last; i += step)
        tick(a, across, pow(base, i), out);
    for (int i = first - 1; base > 2 && last - first < 3 && i <= last; i++)
        for (int k = 2; k <= 5; k += 3)
            if (k * pow(base, i) >= a->low && k * pow(base, i) <= a->high)
                tick(a, across, k * pow(base, i), out);
}

static void ticks_linear(const struct axis *a, bool across, FILE *out)
{
    double raw = (a->high - a->low) / TICKS, power = pow(10, floor(log10(raw)));
    double step = raw <= power       ? power
                  : raw <= 2 * power ? 2 * power
                  : raw <= 5 * power ? 5 * power
                                     : 10 * power;
    double first = ceil(a->low / step) * step;
    for (int i = 0; i <= 2 * TICKS && first + i * step <= a->high; i++)
        tick(a, across, first + i * step, out);
}

static void draw_axis(const struct axis *a, bool across, FILE *out)
{
    (a->log ? ticks_log : ticks_linear)(a, across, out);
}

/* ---- points ---- */

static void draw_point(const struct sl_sweep_view *v, const struct sl_swept_point *p,
                       const struct axis *x, const struct axis *y, bool worst, FILE *out)
{
    char text[2][SL_SWEPT_CAPACITY];
    double value = worst ? p->worst : p->mean;
    bool on_front = worst ? p->worst_front : p->front;
    fprintf(out, "<circle class=\"%s%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%s\"><title>",
            worst ? "worst" : "mean", on_front ? " front" : "", at(x, p->x), at(y, value),
            on_front ? "4" : "2.5");
    put_escaped(out, p->given);
    if (*p->machine) {
        fputs(" on ", out);
        put_escaped(out, p->machine);
    }
    fprintf(out, ": %s, %s", sl_swept_text(v->x, p->x, text[0]),
            sl_swept_text(v->y, value, text[1]));
    if (worst) {
        fputs(" on ", out);
        put_escaped(out, v->stream[p->worst_stream].name);
    }
    fputs("</title></circle>\n", out);
}

static void draw_front(const struct sl_sweep_view *v, const struct axis *x, const struct axis *y,
                       bool worst, FILE *out)
{
    bool begun = false;
    for (size_t i = 0; i < v->n_points; i++) {
        const struct sl_swept_point *p = &v->point[i];
        if (!(worst ? p->worst_front : p->front))
            continue;
        double px = at(x, p->x), py = at(y, worst ? p->worst : p->mean);
        if (begun)
            fprintf(out, " H%.1f V%.1f", px, py);
        else
            fprintf(out, "<path class=\"line%s\" d=\"M%.1f %.1f", worst ? " dashed" : "", px, py);
        begun = true;
    }
    if (begun)
        fprintf(out, " H%d\"/>\n", WIDTH - RIGHT);
}

static void draw_words(const struct sl_sweep_view *v, size_t n, FILE *out)
{
    fprintf(out, "<text class=\"title\" x=\"%d\" y=\"26\">%zu points on ", LEFT, n);
    if (v->n_streams == 1)
        put_escaped(out, v->stream[0].name);
    else
        fprintf(out, "%zu streams: mean (dots, solid line) and worst stream (rings, dashed line)",
                v->n_streams);
    fprintf(out, "%s</text>\n", v->missing ? "; some results are missing" : "");
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + WIDTH - RIGHT) / 2,
            HEIGHT - 14);
    put_escaped(out, v->x);
    fprintf(out,
            "</text>\n<text transform=\"translate(18 %d) rotate(-90)\" text-anchor=\"middle\">",
            (TOP + HEIGHT - BOTTOM) / 2);
    put_escaped(out, sl_swept_measure(v->y));
    fputs("</text>\n", out);
}

int sl_svg_sweep(const struct sl_sweep_view *v, FILE *out, struct sl_failure *f)
{
    struct axis x = {.measure = v->x, .from = LEFT, .to = WIDTH - RIGHT};
    struct axis y = {.measure = v->y, .from = HEIGHT - BOTTOM, .to = TOP};
    bool any_x = false, any_y = false, several = v->n_streams > 1;
    double least_x = INFINITY, least_y = INFINITY;
    size_t n = 0;
    (void)f;
    for (const struct sl_swept_point *p = v->point; p < v->point + v->n_points; p++) {
        if (!p->counts)
            continue;
        n++;
        span(&x, p->x, &any_x, &least_x);
        span(&y, p->mean, &any_y, &least_y);
        span(&y, several ? p->worst : (double)NAN, &any_y, &least_y);
    }
    finish_axis(&x, least_x);
    finish_axis(&y, least_y);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n"
            "<style>.grid{stroke:#ddd}.mean{fill:#9ab}.mean.front{fill:#c30}.worst{fill:none;"
            "stroke:#bca}.worst.front{stroke:#360}.line{fill:none;stroke:#c30;stroke-width:1.5}"
            ".dashed{stroke:#360;stroke-dasharray:5 4}.title{font-size:14px}</style>\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT, WIDTH, HEIGHT);
    draw_words(v, n, out);
    if (n) {
        draw_axis(&x, false, out);
        draw_axis(&y, true, out);
    }
    fprintf(out, "<path d=\"M%d %d V%d H%d\" fill=\"none\" stroke=\"#333\"/>\n", LEFT, TOP,
            HEIGHT - BOTTOM, WIDTH - RIGHT);
    for (size_t i = 0; n && i < v->n_points; i++)
        for (int worst = several; worst >= 0; worst--)
            if (v->point[i].counts)
                draw_point(v, &v->point[i], &x, &y, worst, out);
    if (several)
        draw_front(v, &x, &y, true, out);
    draw_front(v, &x, &y, false, out);
    fputs("</svg>\n", out);
    return 0;
}
