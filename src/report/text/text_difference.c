/* SPDX-License-Identifier: MIT */
/* Text report of `sluice diff`, the comparison of two databases:
 *
 *     before  a.db: ./primes 10000
 *     after   b.db: ./primes 10000
 *
 *       instructions  2,837,443  2,840,281  +2,838  +0.10%
 *
 *     Lines by instructions: +2,838, +0.10%
 *       +2,838  +0.10%  12,000  14,838  is_prime  primes.c:14
 *
 * A row has the change, the change relative to the total before, and the counts before and after.
 * "?" marks estimates whose true counts may be equal. */
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

#define CHANGE_SIZE (SL_FORMAT_SIZE + 1)

enum { DOUBT, CHANGE, SHARE, BEFORE, AFTER, WHERE, LINE, SECOND, TO_LINE };

static const char *change_text(uint64_t before, uint64_t after, char buffer[CHANGE_SIZE])
{
    snprintf(buffer, CHANGE_SIZE, "%s%s",
             after > before   ? "+"
             : after < before ? "-"
                              : "",
             SL_NUMBER(after > before ? after - before : before - after));
    return buffer;
}

/* "+0.10%"; "new" if there was nothing before. */
static const char *part_text(double part, char buffer[SL_FORMAT_SIZE])
{
    if (isinf(part))
        return "new";
    if (part < 0 && part > -0.00005)
        return "-<0.01%";
    return part > 0 && part < 0.00005 ? "+<0.01%" : sl_format_percent(part, true, buffer);
}

static int print_totals(const struct sl_difference *d, size_t width, FILE *out,
                        struct sl_failure *f)
{
    const struct sl_difference_run *a = &d->run[SL_BEFORE], *b = &d->run[SL_AFTER];
    const struct {
        const char *name;
        uint64_t before, after;
    } rows[] = {
        {"instructions", a->instructions, b->instructions},
        {"blocks", a->blocks, b->blocks},
        {"loads", a->loads, b->loads},
        {"cycles", a->cycles, b->cycles},
        {"programs started", a->processes, b->processes},
    };
    struct sl_text_table table = {.columns = "lrrrr"};
    char buffer[CHANGE_SIZE], part[SL_FORMAT_SIZE];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (i && !rows[i].before && !rows[i].after)
            continue;
        sl_text_row(&table);
        sl_text_put(&table, 0, rows[i].name);
        sl_text_put_number(&table, 1, rows[i].before);
        sl_text_put_number(&table, 2, rows[i].after);
        sl_text_put(&table, 3, change_text(rows[i].before, rows[i].after, buffer));
        sl_text_put(&table, 4,
                    part_text(sl_difference_growth(rows[i].before, rows[i].after), part));
    }
    putc('\n', out);
    return sl_text_finish(&table, width, out) ? 0 : sl_report_no_memory(f);
}

static void add_row(struct sl_text_table *table, const struct sl_difference_part *part,
                    const struct sl_difference_row *row)
{
    char buffer[CHANGE_SIZE], share[SL_FORMAT_SIZE], line[SL_DIFFERENCE_LINE_SIZE];
    sl_text_row(table);
    if (sl_difference_doubtful(part, row))
        sl_text_put(table, DOUBT, "?");
    sl_text_put(table, CHANGE, change_text(row->count[SL_BEFORE], row->count[SL_AFTER], buffer));
    sl_text_put(table, SHARE, part_text(sl_difference_share(part, row), share));
    sl_text_put_number(table, BEFORE, row->count[SL_BEFORE]);
    sl_text_put_number(table, AFTER, row->count[SL_AFTER]);
    sl_text_put(table, WHERE, row->at.function);
    sl_text_put(table, LINE, sl_difference_line(&row->at, line));
    if (row->to.function)
        sl_text_put_own(table, SECOND, sl_asprintf("-> %s", row->to.function));
    else
        sl_text_put(table, SECOND, row->second);
    sl_text_put(table, TO_LINE, sl_difference_line(&row->to, line));
}

static int print_part(const struct sl_difference_part *part, size_t n, size_t width, FILE *out,
                      struct sl_failure *f)
{
    struct sl_text_table table = {.columns = "lrrrrsbsb"};
    char change[CHANGE_SIZE], share[SL_FORMAT_SIZE];
    const uint64_t *weight = part->weight;
    fprintf(out, "\n%s", part->heading);
    if (part->units && (weight[SL_BEFORE] || weight[SL_AFTER]))
        fprintf(out, ": %s, %s", change_text(weight[SL_BEFORE], weight[SL_AFTER], change),
                part_text(sl_difference_growth(weight[SL_BEFORE], weight[SL_AFTER]), share));
    putc('\n', out);
    for (size_t i = 0; i < part->n && i < n; i++)
        add_row(&table, part, &part->row[i]);
    if (!part->n) {
        fprintf(out, "  %s\n", part->n_same ? "nothing changed" : "no entries");
        return 0;
    }
    if (!sl_text_finish(&table, width, out))
        return sl_report_no_memory(f);
    if (part->n > n)
        fprintf(out, "  and %s more\n", SL_NUMBER(part->n - n));
    return 0;
}

int sl_text_difference(const struct sl_difference *d, size_t n, size_t width, FILE *out,
                       struct sl_failure *f)
{
    static const char *const names[] = {[SL_BEFORE] = "before  ", [SL_AFTER] = "after   "};
    for (int side = 0; side < SL_SIDES; side++) {
        char *line = sl_own_printable(
            sl_asprintf("%s: %s", d->run[side].database, d->run[side].command));
        if (!line)
            return sl_report_no_memory(f);
        sl_utf8_shorten(line, width - strlen(names[side]));
        fprintf(out, "%s%s\n", names[side], line);
        free(line);
    }
    int result = print_totals(d, width, out, f);
    if (d->warnings.n)
        putc('\n', out);
    sl_text_warnings(&d->warnings, width, out);
    for (size_t i = 0; i < d->n && !result; i++)
        result = print_part(&d->part[i], n, width, out, f);
    return result;
}
