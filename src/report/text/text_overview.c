/* SPDX-License-Identifier: MIT */
/* The first screen of a run for which the user chose no profiles.
 *
 *     sort -R nums                                x86-64   65.5 M instructions   1 thread
 *     Modules  sort 85% (yours)  libc 15%  other 1%
 *
 *      self%  total%  instructions  function     module  source
 *       58.5    58.5    38,318,576  shuffle      sort    sort.c:720
 *       10.8    96.5     7,057,056  merge        sort    sort.c:640
 *       69  % of the run in 2 functions; 58 more with at least 0.1 %
 *
 *     Hot lines of your code, 85% of the run
 *       45.49  16,775,798  sort.c:23  shuffle  if (number % prime[i] == 0)
 *
 *     Hints
 *       sort.c:88: ...
 *
 * Functions are listed until they cover 80 % of the run, or until the screen is full. Lines of
 * libraries are listed only if no line of the user's own code is known. */
#include "text.h"

#include <stdlib.h>
#include <string.h>

#include "hints.h"
#include "hot_lines.h"
#include "modules.h"
#include "source_text.h"
#include "utf8.h"

#define COVERED 0.8 /* of the run, by the listed functions */
#define FUNCTIONS_MIN 3
#define LINES_MAX 8
#define LINES_MIN 4
#define LEAST 0.001   /* minimum share of a function that is counted as more */
#define CANDIDATES 24 /* lines whose source text is looked for */
#define HINTS_MAX 3
#define MODULES_MIN 0.01 /* smaller modules are added up as "other" */
#define SOURCE_MAX 24    /* columns of a source line of a library; longer ones are left out */
#define WIDE 100         /* columns for complete numbers, and for modules next to source lines */
#define VERY_WIDE 120    /* columns for numbers of calls and for callers, too */
#define FOOT 3           /* lines that follow the report: an empty one, and the next commands */

struct overview {
    const struct sl_output *output;
    const struct sl_db_profile *profile; /* costs of functions */
    struct sl_source_functions functions;
    struct sl_modules modules;
    struct sl_hot_lines lines; /* selected */
    struct sl_hints hints;
    struct sl_db_processes processes; /* that the program started */
    bool wide, very_wide;
};

/* Prints the hints of the highest weight, one per line of the source: a division and the load of
 * its divisor are on the same line. */
static void print_hints(const struct sl_hints *hints, const struct sl_output *o)
{
    char first[64];
    size_t chosen[HINTS_MAX], n = 0;
    int width = 0;
    for (size_t i = 0; i < hints->n && n < HINTS_MAX; i++) {
        int length = (int)strlen(hints->hint[i].where);
        bool repeated = false;
        for (size_t k = 0; k < n; k++)
            repeated |= !strcmp(hints->hint[i].where, hints->hint[chosen[k]].where);
        if (repeated)
            continue;
        chosen[n++] = i;
        width = length > width ? length : width;
    }
    fputs(n ? "\nHints\n" : "", o->out);
    for (size_t i = 0; i < n; i++) {
        const struct sl_hint *hint = &hints->hint[chosen[i]];
        snprintf(first, sizeof first, "  %-*.40s  ", width < 40 ? width : 40, hint->where);
        sl_text_paragraph(o->out, o->width, first, "%s", hint->text);
    }
}

static int print_own_hints(const struct sl_output *o, const void *unused)
{
    (void)unused;
    struct sl_hints hints = {0};
    int result = sl_hints_add(&hints, o->database, NULL, o->f);
    print_hints(&hints, o);
    sl_hints_free(&hints);
    return result;
}

int sl_text_hints(const struct sl_output *o, char **text)
{
    return sl_text_print_to(o, print_own_hints, NULL, text);
}

/* ---- modules ---- */

/* Prints the modules that fit into one line. */
static void print_modules(const struct overview *o, const struct sl_output *t)
{
    const struct sl_modules *all = &o->modules;
    uint64_t other = all->total;
    size_t used = sizeof "Modules  other 99%" - 1;
    fputs("Modules", t->out);
    for (size_t i = 0; i < all->n; i++) {
        const struct sl_module *module = &all->module[i];
        char yours[32] = "";
        if (module->own && (module->self - module->own) * 200 < all->total)
            snprintf(yours, sizeof yours, " (yours)");
        else if (module->own)
            snprintf(yours, sizeof yours, " (yours: %.0f%%)", sl_percent(module->own, all->total));
        char *text = sl_asprintf("  %s %.0f%%%s", module->name,
                                 sl_percent(module->self, all->total), yours);
        used += text ? sl_utf8_length(text) : 0;
        bool listed = text && used <= t->width && sl_ratio(module->self, all->total) >= MODULES_MIN;
        if (listed)
            fputs(text, t->out);
        free(text);
        if (!listed)
            break;
        other -= module->self;
    }
    if (sl_ratio(other, all->total) >= 0.005)
        fprintf(t->out, "  other %.0f%%", sl_percent(other, all->total));
    putc('\n', t->out);
}

/* ---- functions ---- */

/* Number of functions to list: until they cover enough, or `most` are listed. */
static size_t functions_to_list(const struct sl_source_functions *all, size_t most)
{
    uint64_t covered = 0;
    size_t i = 0;
    for (; i < all->n && i < most && all->function[all->by_self[i]].self; i++) {
        if (i >= FUNCTIONS_MIN && (double)covered >= COVERED * (double)all->total)
            break;
        covered += all->function[all->by_self[i]].self;
    }
    return i;
}

enum function_column { SELF, TOTAL, COST, CALLS, FUNCTION, MODULE, SOURCE, CALLERS };

static void add_function(struct sl_text_table *table, const struct overview *o,
                         const struct sl_source_function *function)
{
    const struct sl_source_functions *all = &o->functions;
    const struct sl_module *module = sl_modules_find(&o->modules, function->object);
    const char *name = module ? module->name : function->object, *line = function->line;
    if (line && !function->own && strlen(line) > SOURCE_MAX)
        line = NULL;
    sl_text_row(table);
    sl_text_put_format(table, SELF, "%.1f", sl_percent(function->self, all->total));
    if (all->has_inclusive)
        sl_text_put_format(table, TOTAL, "%s%.1f", function->shared ? "~" : "",
                           sl_percent(function->inclusive, all->total));
    sl_text_put(table, COST, o->wide ? SL_NUMBER(function->self) : SL_SHORT(function->self));
    if (o->very_wide && function->calls)
        sl_text_put_number(table, CALLS, function->calls);
    sl_text_put(table, FUNCTION, function->name);
    if (o->wide)
        sl_text_put(table, MODULE, name);
    sl_text_put(table, SOURCE, line || o->wide ? line : name);
    if (o->very_wide)
        sl_text_put_own(table, CALLERS, sl_text_callers(all, function));
}

static bool has_calls(const struct sl_source_functions *all)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->function[i].calls)
            return true;
    return false;
}

static int print_functions(const struct overview *o, size_t n)
{
    const struct sl_output *t = o->output;
    const struct sl_source_functions *all = &o->functions;
    struct sl_text_table table = {.columns = "rrrrsoob", .narrow = t->width / 4};
    const char *const heading[] = {"self%",
                                   all->has_inclusive ? "total%" : NULL,
                                   o->profile->metric->units,
                                   o->very_wide && has_calls(all) ? "calls" : NULL,
                                   "function",
                                   o->wide ? "module" : NULL,
                                   o->wide ? "source" : "source or module",
                                   o->very_wide ? "callers" : NULL};
    uint64_t covered = 0;
    size_t more = 0;
    sl_text_add_row(&table, heading);
    for (size_t i = 0; i < all->n; i++) {
        const struct sl_source_function *function = &all->function[all->by_self[i]];
        if (i < n) {
            add_function(&table, o, function);
            covered += function->self;
        } else {
            more += sl_ratio(function->self, all->total) >= LEAST;
        }
    }
    putc('\n', t->out);
    sl_text_fit(&table, t->width);
    int end = (int)sl_text_end(&table, SELF);
    if (!sl_text_finish(&table, t->width, t->out))
        return sl_report_no_memory(t->f);
    fprintf(t->out, "%*.0f  %% of the run in %zu function%s", end, sl_percent(covered, all->total),
            n, n == 1 ? "" : "s");
    if (more)
        fprintf(t->out, "; %s more with at least 0.1 %%", SL_NUMBER(more));
    putc('\n', t->out);
    return 0;
}

/* ---- lines ---- */

enum line_column { LINE_SHARE, LINE_COST, LINE_SOURCE, LINE_FUNCTION, LINE_TEXT, LINE_COLUMNS };

struct choice {
    const struct sl_hot_line *line[CANDIDATES];
    char *text[CANDIDATES];
    size_t n;
    bool own;
};

/* Chooses the costliest lines: of the user's own code, or of libraries if there are none. Lines
 * whose source text can be read come first, because a statically linked program also contains code
 * of libraries. */
static void choose_lines(struct choice *c, const struct overview *o, size_t most,
                         struct sl_source_texts *texts)
{
    const struct sl_hot_lines *all = &o->lines;
    size_t n = 0, readable = 0;
    c->own = all->n && all->line[0].own;
    for (size_t i = 0; i < all->n; i++) {
        const struct sl_hot_line *line = &all->line[i];
        c->line[c->n] = line;
        c->text[c->n] = sl_source_text_line(texts, line->path, line->line);
        readable += c->text[c->n++] != NULL;
    }
    for (size_t i = 0; i < c->n; i++)
        if (n < most && (!readable || c->text[i])) {
            c->line[n] = c->line[i];
            c->text[n++] = c->text[i];
        } else {
            free(c->text[i]);
        }
    c->n = n;
}

static void add_line(struct sl_text_table *table, const struct overview *o,
                     const struct sl_hot_line *line, const char *text)
{
    sl_text_row(table);
    sl_text_put_format(table, LINE_SHARE, "%.2f", sl_percent(line->cost, o->functions.total));
    if (o->wide)
        sl_text_put_number(table, LINE_COST, line->cost);
    sl_text_put(table, LINE_SOURCE, line->where);
    if (o->wide || !text)
        sl_text_put_own(table, LINE_FUNCTION,
                        line->host ? sl_asprintf("%s (in %s)", line->function, line->host)
                                   : strdup(line->function));
    sl_text_put(table, LINE_TEXT, text ? text + strspn(text, " ") : NULL);
}

static int print_lines(const struct overview *o, const struct choice *c)
{
    const struct sl_output *t = o->output;
    struct sl_text_table table = {.columns = "rrlss", .narrow = 12};
    if (!c->n)
        return 0;
    for (size_t i = 0; i < c->n; i++)
        add_line(&table, o, c->line[i], c->text[i]);
    if (table.failed) {
        sl_text_free(&table);
        return sl_report_no_memory(t->f);
    }
    sl_text_fit(&table, t->width);
    size_t used = sl_text_end(&table, LINE_FUNCTION) + SL_TEXT_INDENT;
    table.width[LINE_TEXT] = t->width > used + 4 ? t->width - used : 4;
    for (size_t i = 0; i < c->n; i++)
        if (c->text[i])
            sl_utf8_shorten(table.cell[i * LINE_COLUMNS + LINE_TEXT], table.width[LINE_TEXT]);
    if (c->own)
        fprintf(t->out, "\nHot lines of your code, %.0f%% of the run\n",
                sl_percent(o->modules.own, o->modules.total));
    else
        fputs("\nHot lines of libraries (no line of the program is known)\n", t->out);
    sl_text_print(&table, t->width, t->out);
    sl_text_free(&table);
    return 0;
}

/* ---- the screen ---- */

/* Prints what comes before the lists. */
static int print_top(const struct sl_output *t, const void *overview)
{
    const struct overview *o = overview;
    size_t n = o->processes.n ? sl_text_count_processes(t, &o->processes) : 0;
    int result = sl_text_title(t, n);
    if (!result) {
        print_modules(o, t);
        result = sl_text_machine(&t->database->machine, t->width, t->out, t->f);
    }
    if (!result)
        result = sl_text_machines(t);
    return result ? result : sl_text_run_warnings(t);
}

/* Prints the lists in the space that is left after `used` lines. */
static int print_lists(const struct overview *o, size_t used)
{
    struct sl_source_texts texts = sl_source_texts_of(o->output->config);
    struct choice choice = {0};
    size_t height = o->output->config->height ? o->output->config->height : SL_TEXT_HEIGHT;
    used += 3 + 2 + FOOT; /* around the lists of functions and lines; after the report */
    size_t left = height > used ? height - used : 0, lines = left / 3;
    lines = lines < LINES_MIN ? LINES_MIN : lines > LINES_MAX ? LINES_MAX : lines;
    choose_lines(&choice, o, lines, &texts);
    size_t most = left > choice.n + FUNCTIONS_MIN ? left - choice.n : FUNCTIONS_MIN;
    int result = print_functions(o, functions_to_list(&o->functions, most));
    if (!result)
        result = print_lines(o, &choice);
    for (size_t i = 0; i < choice.n; i++)
        free(choice.text[i]);
    sl_source_texts_free(&texts);
    return result;
}

/* Prints what comes after the lists. */
static int print_bottom(const struct sl_output *t, const void *overview)
{
    const struct overview *o = overview;
    print_hints(&o->hints, t);
    return o->processes.n ? sl_text_programs(t, &o->processes) : 0;
}

static int print(const struct overview *o)
{
    char *top = NULL, *bottom = NULL;
    int result = sl_text_print_to(o->output, print_top, o, &top);
    if (!result)
        result = sl_text_print_to(o->output, print_bottom, o, &bottom);
    fputs(top ? top : "", o->output->out);
    if (!result)
        result = print_lists(o, sl_text_count_lines(top) + sl_text_count_lines(bottom));
    fputs(!result ? bottom : "", o->output->out);
    free(top);
    free(bottom);
    return result;
}

/* Adds the functions, modules, lines and hints of a process, whose program has the instructions of
 * all processes. */
static int add_process(void *context, struct sl_database *database)
{
    struct overview *o = context;
    struct sl_output output = *o->output;
    struct sl_source_functions functions = {0};
    struct sl_hot_lines lines = {0};
    const struct sl_db_profile *profile = sl_text_functions_profile(&database->profiles);
    if (!profile)
        return 0;
    output.database = database;
    database->program.own = o->output->database->program.own;
    database->program.instructions = o->output->database->program.instructions;
    int result = sl_text_functions_load(&output, profile, &functions);
    if (!result)
        result = sl_modules_add(&o->modules, &functions, database, output.f);
    uint64_t total = functions.total;
    functions.total = o->processes.n ? database->program.instructions : total;
    if (!result)
        result = sl_hints_add(&o->hints, database, &functions, output.f);
    functions.total = total;
    if (!result)
        result = sl_hot_lines_load(&lines, database, profile->metric->name, false, output.f);
    if (!result && (!sl_source_functions_add(&o->functions, &functions) ||
                    !sl_hot_lines_add(&o->lines, &lines)))
        result = sl_report_no_memory(output.f);
    sl_source_functions_free(&functions);
    sl_hot_lines_free(&lines);
    return result;
}

/* Adds up the program and the processes that it started. */
static int load(struct overview *o)
{
    struct sl_database *database = o->output->database;
    int result = database->n_processes ? sl_db_processes(&o->processes, database, o->output->f) : 0;
    for (size_t i = 0; i < o->processes.n; i++)
        database->program.instructions += o->processes.process[i].about.instructions;
    if (!result)
        result = add_process(o, database);
    return result || !o->processes.n ? result
                                     : sl_db_each_process(database, add_process, o, o->output->f);
}

int sl_text_overview(const struct sl_output *output, const struct sl_db_profile *profile)
{
    struct overview o = {.output = output,
                         .profile = profile,
                         .wide = output->width >= WIDE,
                         .very_wide = output->width >= VERY_WIDE};
    int result = load(&o);
    sl_hot_lines_select(&o.lines, o.functions.total, CANDIDATES);
    if (!result)
        result = print(&o);
    sl_source_functions_free(&o.functions);
    sl_modules_free(&o.modules);
    sl_hot_lines_free(&o.lines);
    sl_hints_free(&o.hints);
    sl_db_processes_free(&o.processes);
    return result;
}
