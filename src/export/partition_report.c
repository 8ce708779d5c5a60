/* What to move to hardware, as text and as JSON:
 *
 *     To hardware, 10 times as fast there
 *          cycles   share  faster  energy    after  function     line
 *       3,000,000  75.00%    3.08  70.00%  81.4 µJ  filter       filter.c:12
 *       1,000,000  25.00%    1.29  20.00%   180 µJ  read_sample  main.c:40
 *     Together
 *       3,000,000  75.00%    3.08  70.00%  81.4 µJ  filter       filter.c:12
 *       3,400,000  85.00%    4.26  80.00%  61.6 µJ  + read_sample
 *
 * Each row of the second table is with all above it. */
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "json_value.h"
#include "partition.h"
#include "text_head.h"
#include "text_table.h"
#include "utf8.h"

#define ROWS 10 /* unless a number is given */

enum column { COST, SHARE, FASTER, ENERGY_SHARE, ENERGY_LEFT, NAME, LINE, N_COLUMNS };

static double share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

/* ---- text ------------------------------------------------------------------------ */

static bool add_head(struct sl_text_table *table, const struct sl_partition *p)
{
    char *cell[N_COLUMNS] = {
        [COST] = strdup(p->metric), [SHARE] = strdup("share"), [FASTER] = strdup("faster"),
        [ENERGY_SHARE] = p->has_energy ? strdup("energy") : NULL,
        [ENERGY_LEFT] = p->has_energy ? strdup("after") : NULL,
        [NAME] = strdup("function"),
    };
    bool whole = cell[COST] && cell[SHARE] && cell[FASTER] && cell[NAME];
    return sl_text_row(table, cell) && whole;
}

static bool add_row(struct sl_text_table *table, const struct sl_partition *p, uint32_t function,
                    uint64_t cost, uint64_t energy, const char *before)
{
    const struct sl_context_function *f = &p->tree.function[function];
    char number[SL_GROUPED_ROOM];
    char *cell[N_COLUMNS] = {
        [COST] = strdup(sl_grouped(cost, number)),
        [SHARE] = sl_own_format("%.2f%%", 100 * share(cost, p->total)),
        [FASTER] = sl_own_format("%.2f", sl_partition_speedup(p->factor, cost, p->total)),
        [NAME] = sl_own_format("%s%s", before, f->name),
        [LINE] = f->line ? strdup(f->line) : NULL,
    };
    if (p->has_energy) {
        uint64_t left = sl_partition_left(p->factor, energy, p->energy);
        cell[ENERGY_SHARE] = sl_own_format("%.2f%%", 100 * share(energy, p->energy));
        cell[ENERGY_LEFT] = strdup(sl_energy(left, number));
    }
    bool whole = cell[COST] && cell[SHARE] && cell[FASTER] && cell[NAME];
    return sl_text_row(table, cell) && whole;
}

static bool print_tables(const struct sl_partition *p, size_t n, size_t width, FILE *out)
{
    struct sl_text_table table = {
        .n_columns = N_COLUMNS,
        .column = {SL_COLUMN_RIGHT, SL_COLUMN_RIGHT, SL_COLUMN_RIGHT, SL_COLUMN_RIGHT,
                   SL_COLUMN_RIGHT, SL_COLUMN_SHRINKS, SL_COLUMN_SHRINKS | SL_COLUMN_GOES},
    };
    size_t n_alone = n < p->n ? n : p->n;
    bool good = add_head(&table, p);
    for (size_t i = 0; i < n_alone && good; i++)
        good = add_row(&table, p, p->candidate[i].function, p->candidate[i].cost,
                       p->candidate[i].energy, "");
    for (size_t i = 0; i < p->n_steps && good; i++)
        good = add_row(&table, p, p->step[i].function, p->step[i].cost, p->step[i].energy,
                       i ? "+ " : "");
    if (good) {
        sl_text_fit(&table, width);
        for (size_t i = 0; i < 1 + n_alone + p->n_steps; i++) {
            if (i == 1 + n_alone)
                fputs("\nTogether, each with those above it\n", out);
            sl_text_print_row(&table, i, width, out);
        }
    }
    sl_text_free(&table);
    return good;
}

/* Under the tables, what has to be known of them. */
static void print_remarks(const struct sl_partition *p, size_t n, size_t width, FILE *out)
{
    char line[400], number[SL_GROUPED_ROOM];
    size_t used = (size_t)snprintf(line, sizeof line, "of %s %s", sl_grouped(p->total, number),
                                   p->metric);
    if (p->has_energy)
        used += (size_t)snprintf(line + used, sizeof line - used, " and %s",
                                 sl_energy(p->energy, number));
    if (p->n > n)
        used += (size_t)snprintf(line + used, sizeof line - used, "; %s more functions",
                                 sl_grouped(p->n - n, number));
    snprintf(line + used, sizeof line - used, "; each with all that it calls; not considered: "
             "main, what calls it, and what nobody calls");
    putc('\n', out);
    sl_text_wrap(line, "", width, out);
    if (p->tree.orphans) {
        snprintf(line, sizeof line, "the callers of %s contexts are not known, and lack their cost",
                 sl_grouped(p->tree.orphans, number));
        sl_text_wrap(line, "! ", width, out);
    }
}

static int print_text(const struct sl_partition *p, const struct sl_told *told,
                      const struct sl_report_config *config, FILE *out, struct sl_failure *f)
{
    size_t width = sl_text_width(config), n = config->n ? config->n : ROWS;
    int printed = sl_text_head(told, width, out, f);
    if (printed < 0)
        return printed;
    fprintf(out, "\nTo hardware, %g times as fast there\n", p->factor);
    if (!print_tables(p, n, width, out))
        return sl_report_no_memory(f);
    print_remarks(p, n, width, out);
    return 0;
}

/* ---- JSON ------------------------------------------------------------------------ */

static json_t *row(const struct sl_partition *p, uint32_t function, uint64_t cost, uint64_t energy)
{
    const struct sl_context_function *f = &p->tree.function[function];
    uint64_t left = sl_partition_left(p->factor, energy, p->energy);
    json_t *object = json_object();
    int error = json_object_set_new(object, "function", sl_json_text(f->name));
    error |= json_object_set_new(object, "pc", sl_json_hex(f->pc));
    error |= json_object_set_new(object, "line", sl_json_text(f->line));
    error |= json_object_set_new(object, "cost", sl_json_number(cost));
    error |= json_object_set_new(object, "share", sl_json_real(share(cost, p->total)));
    error |= json_object_set_new(object, "speedup",
                                 sl_json_real(sl_partition_speedup(p->factor, cost, p->total)));
    error |= json_object_set_new(object, "energy", sl_json_number_if(p->has_energy, energy));
    error |= json_object_set_new(object, "energy_after", sl_json_number_if(p->has_energy, left));
    if (!error)
        return object;
    json_decref(object);
    return NULL;
}

static json_t *candidates(const struct sl_partition *p, size_t n)
{
    json_t *list = json_array();
    int error = 0;
    for (size_t i = 0; i < p->n && i < n && !error; i++) {
        const struct sl_candidate *c = &p->candidate[i];
        json_t *object = row(p, c->function, c->cost, c->energy);
        error = json_object_set_new(object, "energy_rank",
                                    sl_json_number_if(p->has_energy, c->energy_rank));
        error |= json_array_append_new(list, object);
    }
    if (!error)
        return list;
    json_decref(list);
    return NULL;
}

static json_t *steps(const struct sl_partition *p)
{
    json_t *list = json_array();
    int error = 0;
    for (size_t i = 0; i < p->n_steps; i++)
        error |= json_array_append_new(list, row(p, p->step[i].function, p->step[i].cost,
                                                 p->step[i].energy));
    if (!error)
        return list;
    json_decref(list);
    return NULL;
}

static json_t *left_out(const struct sl_partition *p)
{
    json_t *list = json_array();
    int error = 0;
    for (size_t i = 0; i < p->tree.n_functions; i++)
        if (p->left_out[i])
            error |= json_array_append_new(list, sl_json_text(p->tree.function[i].name));
    if (!error)
        return list;
    json_decref(list);
    return NULL;
}

static int print_json(const struct sl_partition *p, const struct sl_told *told,
                      const struct sl_report_config *config, FILE *out, struct sl_failure *f)
{
    size_t n = config->n ? config->n : SIZE_MAX;
    json_t *object = json_object();
    int error = json_object_set_new(object, "program", sl_json_text(told->program.path));
    error |= json_object_set_new(object, "metric", sl_json_text(p->metric));
    error |= json_object_set_new(object, "factor", sl_json_real(p->factor));
    error |= json_object_set_new(object, "cost", sl_json_number(p->total));
    error |= json_object_set_new(object, "energy", sl_json_number_if(p->has_energy, p->energy));
    error |= json_object_set_new(object, "candidates", candidates(p, n));
    error |= json_object_set_new(object, "together", steps(p));
    error |= json_object_set_new(object, "left_out", left_out(p));
    int result = sl_json_dump(object, error, out, f);
    putc('\n', out);
    return result;
}

/* ---- either ---------------------------------------------------------------------- */

int sl_partition_report(struct sl_database *database, const struct sl_report_config *config, FILE *out,
                        struct sl_failure *f)
{
    struct sl_partition p;
    struct sl_told told;
    bool json = config->format && !strcmp(config->format, "json");
    int result = sl_told_load(database, &told, f);
    if (result)
        return result;
    result = sl_partition_make(&p, database, config->partition, config->n ? config->n : ROWS, f);
    if (!result) {
        result = json ? print_json(&p, &told, config, out, f)
                      : print_text(&p, &told, config, out, f);
        sl_partition_free(&p);
    }
    sl_told_free(&told);
    return result;
}
